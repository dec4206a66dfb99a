"""jsonschema-rs validators: compiled for a place of a contract, and called so that a crash is an error of ours."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from .contract import Contract, Subschema
from .dialects import Dialect
from .keywords.places import subschemas
from .pointers import join, replace
from .uris import join_uri, split

if TYPE_CHECKING:
    import jsonschema_rs

T = TypeVar("T")

BACKTRACK_LIMIT = 200_000
"""Steps that a backtracking pattern may take in jsonschema-rs before the match is given up."""
_FRAGMENT_SAFE = "/~!$&'()*+,;=:@"


class ValidatorFailed(Exception):
    """jsonschema-rs cannot compile the schema or crashed on the instance, so there is no verdict."""


def validators(contract: Contract) -> dict[str, dict[str, Any]]:
    """Names, versions and options of the validators, as a corpus records them."""
    from importlib.metadata import version

    options = {"class": CLASSES[contract.dialect.year], "formats": contract.formats}
    return {
        "jsonschema": {"version": version("jsonschema"), "options": options},
        "jsonschema-rs": {
            "version": version("jsonschema_rs"),
            "options": {**options, "backtrack_limit": BACKTRACK_LIMIT},
        },
    }


def upgrade(recorded: Any, now: Mapping[str, Any]) -> str:
    """What changed of the validators since the corpus was written; empty when nothing did."""
    recorded = recorded if isinstance(recorded, dict) else {}
    parts = []
    for name, value in now.items():
        old = recorded.get(name)
        old_version = old.get("version") if isinstance(old, dict) else None
        if old_version != value["version"]:
            parts.append(f"{name} was {old_version or 'not recorded'}, now {value['version']}")
        elif old != value:
            parts.append(f"{name} has other options")
    return "; ".join(parts)


CLASSES = {
    4: "Draft4Validator",
    6: "Draft6Validator",
    7: "Draft7Validator",
    19: "Draft201909Validator",
    20: "Draft202012Validator",
}
"""The class of a dialect; both libraries call it the same."""


def compile_rust(contract: Contract, registry: jsonschema_rs.Registry, subschema: Subschema) -> jsonschema_rs.Validator:
    wrapper: dict[str, Any] = {"$ref": reference_to(subschema)}
    value = subschema.value
    if subschema.pointer == subschema.resource and isinstance(value, dict) and value.get("$recursiveAnchor") is True:
        wrapper["$recursiveAnchor"] = True  # jsonschema-rs stops looking outwards at a resource without one
    return compiled(contract, registry, subschema.dialect, wrapper)


def compiled(
    contract: Contract, registry: jsonschema_rs.Registry | None, dialect: Dialect, schema: Any
) -> jsonschema_rs.Validator:
    import jsonschema_rs

    cls: type[jsonschema_rs.Validator] = getattr(jsonschema_rs, CLASSES[dialect.year])
    return guarded(
        lambda: cls(
            schema,
            validate_formats=contract.formats,
            pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=BACKTRACK_LIMIT),
            registry=registry,
            retriever=None if registry is None else retriever(contract),
        )
    )


def taken_out(subschema: Subschema, value: Any) -> Any:
    """`value` with absolute references and no identifier of its own. Raises ValidatorFailed."""
    if not isinstance(value, dict):
        return value
    id_keyword = subschema.dialect.id_keyword
    left_out = {"$schema", "$anchor", "definitions", "$defs", id_keyword}
    body = value if left_out.isdisjoint(value) else {k: v for k, v in value.items() if k not in left_out}
    for name in ("$dynamicRef", "$recursiveRef", "$dynamicAnchor", "$recursiveAnchor"):
        if name in body:
            raise ValidatorFailed(f"{subschema.pointer} cannot be taken out of its place: {name}")
    if isinstance(body.get("$ref"), str):
        reference = body["$ref"]
        base = split(subschema.base)[0]
        body = {**body, "$ref": base + reference if reference.startswith("#") else join_uri(base, reference)}
    for path, child in subschemas(body, subschema.dialect):
        if isinstance(child, dict):
            if "$schema" in child or isinstance(child.get(id_keyword), str):
                raise ValidatorFailed(f"{join(subschema.pointer, *path)} has an identifier of its own")
            taken = taken_out(subschema, child)
            if taken is not child:
                body = replace(body, path, taken)
    return body


def guarded(call: Callable[..., T], *args: Any) -> T:
    """The result of a call into jsonschema-rs. Raises ValidatorFailed."""
    try:
        return call(*args)
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001  a Rust panic is no Exception
        raise ValidatorFailed(f"jsonschema-rs: {reason(error)}") from None


def reference_to(subschema: Subschema) -> str:
    """By the base URI in force: `referencing` takes the URI that a document was looked up by for its base."""
    fragment = subschema.pointer.removeprefix(subschema.resource)
    return f"{split(subschema.base)[0]}#{quote(fragment, safe=_FRAGMENT_SAFE)}"


def retriever(contract: Contract) -> Callable[[str], Any]:
    """What jsonschema-rs asks for documents that it does not have; it asks for unused ones, too. Never the network."""
    anything = {split(uri)[0] for uri in contract.any_refs}

    def retrieve(uri: str) -> Any:
        if split(uri)[0] in anything:
            return {}
        raise LookupError(f"not among the contract's documents: {uri}")

    return retrieve


def reason(error: BaseException) -> str:
    lines = str(error).strip().splitlines() or [""]
    return f"{type(error).__name__}: {lines[0]}"
