"""Reading a catalogue: TOML, JSON or YAML in, frozen values out, or every problem at once."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, time
from math import isfinite
from pathlib import Path
from typing import Any

from .. import documents
from ..config import Project
from ..contract import Contract
from ..errors import NO_VALUE, BadInput, Problem
from ..pointers import get, join, steps
from .checks import problems_of
from .model import IDEMPOTENCY_KEY, Catalogue, Envelope, Policy, Row, with_policy
from .settings import ENVELOPE, Settings, settings

_PLACES = ("code", "hint", "retryable", "message", "category", "retry_after", "status", "details")
OWN_SCHEMA = (
    f"write schemas/{ENVELOPE}.schema.json, or name a `contract` in [envelope];"
    f" `knownbad infer REPLY.json --out schemas/{ENVELOPE}.schema.json` makes a first strict one from a real reply"
)
"""The way out of a shape that knownbad's own envelope is not."""
DEFAULT_TOOL = "tool"
"""The tool of a catalogue that names none."""
_CHECKED = ("code", "retryable", "retry_after", "details", "trigger", "tools", "environments", "services")
"""Keys of a row that its schema cannot judge alone."""
_DAYS = ("since", "deprecated")
"""Keys of a row that may hold a date of TOML."""


def catalogue_of(project: Project) -> Catalogue | None:
    """The catalogue of a project, None where it has none. Raises BadInput."""
    found = settings(project)
    return None if found is None else read_catalogue(found)


def read_catalogue(found: Settings) -> Catalogue:
    """The catalogue that the settings name. Raises BadInput with every problem."""
    if not found.catalogue.is_file() and found.catalogue.is_symlink() and not found.catalogue.exists():
        raise BadInput(
            Problem("is a link that leads nowhere", found.file, fix="restore the catalogue, or remove the link")
        )
    text = documents.read_text(found.catalogue, found.file)
    if not text.strip():
        fix = "a row an error class: [[error]] with `code` and `retryable`"
        raise BadInput(Problem("is empty: a catalogue documents at least one error class", found.file, fix=fix))
    value = read(found.catalogue, found.file, strict=True)
    shape = _shape_problems(value, found)
    try:
        catalogue = built(value, found.file)
    except BadInput as bad:
        lines = _lines(text, found.file)
        raise BadInput([_named(problem, value, lines) for problem in (*bad.problems, *shape)]) from None
    if shape:
        raise BadInput(shape)
    return catalogue


def _shape_problems(value: Any, found: Settings) -> list[Problem]:
    """A shape of one's own whose schema is not there."""
    table = value.get("envelope") if isinstance(value, dict) else None
    if not isinstance(table, dict) or found.named_envelope:
        return []
    name = table.get("contract")
    if isinstance(name, str) and name and name not in (*found.contracts, ENVELOPE):
        fix = "contracts: " + (", ".join(found.contracts) or "none")
        return [Problem("there is no such contract", found.file, "/envelope/contract", name, fix)]
    if (name is None or name == ENVELOPE) and ENVELOPE not in found.contracts:
        ours = [place for place in vars_of(Envelope()) if place is not None]
        places = [table[key] for key in _PLACES if isinstance(table.get(key), str)]
        if any(not any(place == our or place.startswith(our + "/") for our in ours) for place in places):
            return [Problem("your shape needs a schema", found.file, "/envelope", fix=OWN_SCHEMA)]
    return []


def vars_of(envelope: Envelope) -> list[str | None]:
    """The places of an envelope."""
    return [getattr(envelope, key) for key in _PLACES]


def _lines(text: str, file: str) -> dict[int, int]:
    """The line of each row; empty where that is not plain to see."""
    import re

    if file.endswith(".toml"):
        found = [n for n, line in enumerate(text.split("\n"), 1) if re.match(r"\s*\[\[\s*\"?error\"?\s*\]\]", line)]
        return dict(enumerate(found))
    from ..positions import positions

    try:
        places = positions(text, file)
    except BadInput:
        return {}
    return {int(p.rpartition("/")[2]): at.line for p, at in places.items() if re.fullmatch(r"/error/\d+", p)}


def _named(problem: Problem, value: Any, lines: Mapping[int, int]) -> Problem:
    """A problem of a row with its class and its line, as nobody counts rows."""
    first, _, _ = (problem.location or "").removeprefix("/error/").partition("/")
    if not (problem.location or "").startswith("/error/") or not first.isdigit():
        return problem
    row = value["error"][int(first)] if int(first) < len(value["error"]) else None
    code = row.get("code") if isinstance(row, dict) else None
    about = [f"class {code}"] if isinstance(code, (str, int)) and code != "" else []
    about += [f"line {lines[int(first)]}"] if int(first) in lines else []
    return replace(problem, message=f"{problem.message} (row: {', '.join(about)})") if about else problem


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


def read(path: Path, name: str, *, strict: bool = False) -> Any:
    """The value in a file of TOML, JSON or YAML, by its ending. Raises BadInput with every value that JSON has not.

    `strict`: a date is a text only where a row says since when; elsewhere it is a slip.
    """
    if path.suffix != ".toml":
        return documents.read(path, name)
    import tomllib

    text = documents.read_text(path, name)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BadInput(Problem(f"is not TOML: {error}", name)) from None
    except RecursionError:
        raise BadInput(documents.too_deep(name, "")) from None
    problems: list[Problem] = []
    plain = _plain(value, "", name, strict, problems)
    if problems:
        raise BadInput(problems)
    return plain


def _plain(value: Any, place: str, file: str, strict: bool, problems: list[Problem]) -> Any:
    """A value of TOML as JSON has it; what JSON has not is a problem."""
    if isinstance(value, (dict, list)):
        if place.count("/") >= documents.MAX_DEPTH:
            problems.append(documents.too_deep(file, place))
            return None
        if isinstance(value, dict):
            return {name: _plain(part, join(place, name), file, strict, problems) for name, part in value.items()}
        return [_plain(item, join(place, number), file, strict, problems) for number, item in enumerate(value)]
    if isinstance(value, float) and not isfinite(value):
        problems.append(Problem(f"{value} is no value of JSON", file, place, fix="write a number, or leave it out"))
    if isinstance(value, (date, datetime, time)):
        if strict and place.rpartition("/")[2] not in _DAYS:
            fix = f'write it as a text: "{value.isoformat()}"'
            problems.append(Problem("a date is no value of JSON", file, place, value.isoformat(), fix))
        return value.isoformat()
    return value


def built(value: Any, file: str) -> Catalogue:
    """The catalogue that a JSON value is. Raises BadInput with every problem, of the schema's and of sense."""
    problems = list(schema_problems(value, file))
    if problems:
        told = {problem.location for problem in problems}
        left = _left(value, [problem.location or "" for problem in problems])
        more = problems_of(_built(left, file), left) if left is not None else ()
        raise BadInput([*problems, *(problem for problem in more if problem.location not in told)])
    catalogue = _built(value, file)
    problems = list(problems_of(catalogue, value))
    if problems:
        raise BadInput(problems)
    return catalogue


def _left(value: Any, places: list[str]) -> Any:
    """What is left of a catalogue without what its schema rejects, each row in its place; None for nothing."""
    if not isinstance(value, dict) or not isinstance(value.get("error"), list):
        return None
    bad = {tuple(steps(place)) for place in places}
    if any(len(path) < 2 and path not in ((), ("tools",), ("policy",), ("envelope",)) for path in bad):
        return None
    rows: list[Any] = []
    for number, row in enumerate(value["error"]):
        wrong = {path[2] for path in bad if path[:2] == ("error", str(number)) and len(path) > 2}
        if not isinstance(row, dict) or "code" not in row or "code" in wrong:
            return None
        known = {key: part for key, part in row.items() if key in _CHECKED and key not in wrong}
        if "retryable" not in known:
            known.pop("retry_after", None)
            known["retryable"] = True
        rows.append(known)
    top = {path[0] for path in bad if path and path[0] != "error"}
    left = {key: part for key, part in value.items() if key in ("tools", "policy", "envelope") and key not in top}
    left["error"] = rows
    return left if not list(schema_problems(left, "")) else None


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
