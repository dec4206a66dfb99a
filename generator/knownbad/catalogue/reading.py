"""Reading a catalogue: TOML, JSON or YAML in, frozen values out, or every problem at once."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from .. import documents
from ..config import Project
from ..contract import Contract
from ..errors import NO_VALUE, BadInput, Problem
from ..pointers import get, join
from .checks import problems_of
from .model import IDEMPOTENCY_KEY, Catalogue, Envelope, Policy, Row, with_policy
from .settings import ENVELOPE, Settings, settings

DEFAULT_TOOL = "tool"
"""The tool of a catalogue that names none."""


def catalogue_of(project: Project) -> Catalogue | None:
    """The catalogue of a project, None where it has none. Raises BadInput."""
    found = settings(project)
    return None if found is None else read_catalogue(found)


def read_catalogue(found: Settings) -> Catalogue:
    """The catalogue that the settings name. Raises BadInput with every problem."""
    return built(read(found.catalogue, found.file), found.file)


def envelope_contract(project: Project, found: Settings, catalogue: Catalogue) -> tuple[Contract, str]:
    """The contract of the envelope, and how a `corpus.json` names its schema. Raises BadInput.

    A project that has no contract of that name takes the envelope that comes with knownbad.
    """
    from ..bundled import bundled
    from ..load import LoadOptions, load

    name = found.envelope if found.named_envelope else catalogue.envelope.contract or found.envelope
    entry = next((entry for entry in project.contracts if entry.name == name), None)
    if entry is None:
        if name == ENVELOPE:
            return bundled(ENVELOPE), f"urn:knownbad:schema:{ENVELOPE}"
        fix = "contracts: " + (", ".join(e.name for e in project.contracts) or "none")
        raise BadInput(Problem("there is no such contract", found.file, "/envelope/contract", name, fix))
    options = LoadOptions(
        dialect=project.dialect,
        formats=project.formats,
        resolve=dict(project.resolve),
        folders=(project.schemas,) if project.schemas.is_dir() else (),
        root=project.root,
    )
    path, hash_, fragment = entry.schema.partition("#")
    return load(os.path.normpath(project.root / path) + hash_ + fragment, name, options), entry.schema


def read(path: Path, name: str) -> Any:
    """The value in a file of TOML, JSON or YAML, by its ending. Raises BadInput."""
    if path.suffix != ".toml":
        return documents.read(path, name)
    import tomllib

    text = documents.read_text(path, name)
    try:
        return _plain(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise BadInput(Problem(f"is not TOML: {error}", name)) from None


def _plain(value: Any) -> Any:
    """A value of TOML as JSON has it: dates are texts."""
    if isinstance(value, dict):
        return {name: _plain(member) for name, member in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value.isoformat() if isinstance(value, (date, datetime, time)) else value


def built(value: Any, file: str) -> Catalogue:
    """The catalogue that a JSON value is. Raises BadInput with every problem, of the schema's and of sense."""
    problems = list(schema_problems(value, file))
    if problems:
        raise BadInput(problems)
    catalogue = _built(value, file)
    problems = list(problems_of(catalogue, value))
    if problems:
        raise BadInput(problems)
    return catalogue


def _built(value: Mapping[str, Any], file: str) -> Catalogue:
    entries = value["error"]
    mentioned = {name: None for entry in entries for name in _tools_of(entry)}
    tools = tuple(dict.fromkeys([*value.get("tools", ()), *mentioned])) or (DEFAULT_TOOL,)
    everywhere = tuple(value.get("tools", tools))
    rows = tuple(
        Row(entry, join("", "error", number), _tools_of(entry) or everywhere) for number, entry in enumerate(entries)
    )
    policy = value.get("policy", {})
    own = with_policy(Policy(), policy)
    return Catalogue(
        file=file,
        rows=rows,
        tools=tools,
        policy=own,
        services={name: with_policy(own, table) for name, table in policy.get("services", {}).items()},
        idempotency_key=policy.get("idempotency_key", IDEMPOTENCY_KEY),
        envelope=_envelope(value.get("envelope")),
        own_layout="envelope" in value,
    )


def _tools_of(entry: Mapping[str, Any]) -> tuple[str, ...]:
    """The tools that a row names, in so many words or by its trigger."""
    if "tools" in entry:
        return tuple(entry["tools"])
    tool = entry.get("trigger", {}).get("tool")
    return (tool,) if tool else ()


def _envelope(table: Mapping[str, Any] | None) -> Envelope:
    if table is None:
        return Envelope()
    optional = {key: table.get(key) for key in ("message", "category", "retry_after", "details", "status")}
    hint = table.get("hint", table["code"])
    return Envelope(table.get("contract"), table["code"], hint, table["retryable"], **optional)


def schema_problems(value: Any, file: str) -> Iterator[Problem]:
    """What the schema of catalogues has against a value."""
    from ..bundled import bundled
    from ..oracle import Oracle
    from ..violations import told, value_at, violations

    oracle = Oracle(bundled("error-catalogue"))
    if oracle.fast(value):
        return
    seen = set()
    for failure in violations(oracle, value):
        found = value_at(value, failure.instance_location)
        text = told(oracle, failure, value).replace("which is not documented", "which is no key here")
        place, _, message = text.partition(" ") if text.startswith("/") else ("", "", text.removeprefix("the reply "))
        fix = _fix(oracle.documents[failure.document], failure.keyword_location, failure.member, found)
        key = (failure.instance_location, message)
        if key not in seen:
            seen.add(key)
            shown = NO_VALUE if isinstance(found, (dict, list)) else found
            yield Problem(message or place, file, failure.instance_location or None, shown, fix)


def _fix(schema: Any, keyword_location: str, member: str | None, found: Any) -> str | None:
    """The likely way out of a violation of the catalogue's schema."""
    holder, _, keyword = keyword_location.rpartition("/")
    asserted = get(schema, keyword_location)
    if member is not None:
        about = get(schema, holder)["properties"].get(member, {})
        about = get(schema, about["$ref"][1:]) if "$ref" in about else about
        return _description(about)
    if keyword == "additionalProperties" and isinstance(found, dict):
        known = [*get(schema, holder).get("properties", {})]
        near = [m for name in found if name not in known for m in difflib.get_close_matches(name, known, 1)]
        return f"`{near[0]}`?" if near else "known keys: " + ", ".join(known)
    if keyword == "enum":
        near = difflib.get_close_matches(str(found), [str(option) for option in asserted], 1)
        return f"{near[0]}?" if near else "one of " + ", ".join(_toml(option) for option in asserted)
    return _description(get(schema, holder))


def _description(schema: Any) -> str | None:
    return schema.get("description") if isinstance(schema, dict) else None


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
