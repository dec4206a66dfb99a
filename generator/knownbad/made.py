"""A fixture made of a witness: its row says what it violates, and how it comes from the nearest positive fixture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .corpus import Fixture
from .distinguish import Engine
from .keywords.mutation import Mutation
from .oracle import Failure
from .patches import Bases, Patch
from .pointers import steps


def rejected(
    engine: Engine,
    mutation: Mutation,
    instance: Any,
    slug: str,
    bases: Bases,
    failure: Failure | None = None,
    covers: Sequence[Mutation] = (),
) -> Fixture:
    """A negative fixture. `failure` is what rejects it where that is not the keyword of the mutation."""
    base, patch = bases.nearest(instance)
    uri, location, member = mutation.site.document.uri, mutation.location, mutation.member
    if failure is not None:
        uri, location, member = failure.document, failure.keyword_location, failure.member
    contract = engine.contract
    return Fixture(
        slug,
        False,
        instance,
        mutation.class_,
        fault=mutation.name,
        keyword_location=location,
        schema=None if uri == contract.document.uri else contract.documents[uri].name,
        member=member,
        instance_location=_place(engine, uri, location, instance, patch),
        base=base,
        patch=patch,
        covers=tuple(m.class_ for m in covers),
    )


def _place(engine: Engine, uri: str, location: str, instance: Any, patch: Patch | None) -> str | None:
    """Where in the instance the keyword fails."""
    # The errors of jsonschema-rs leave out members with the empty name.
    failures = [] if "" in steps(location) else engine.oracle.errors(instance)
    named = [f.instance_location for f in failures if (f.document, f.keyword_location) == (uri, location)]
    places = named or engine.oracle.failing(instance, uri, location)
    if places:
        return max(places, key=len)
    return str(patch[0]["path"]) if patch else ""
