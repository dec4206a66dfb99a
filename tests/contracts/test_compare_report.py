"""The contract `compare-report`: each fixture gets the verdict that its corpus records.

Written by `knownbad generate`, which replaces it: change the template, not this file.
It needs pytest and jsonschema, nothing else.
"""

from __future__ import annotations

import copy
import hashlib
import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

HERE = Path(__file__).resolve().parent
FIXTURES = HERE / "../../fixtures/compare-report"
NEGATIVE = HERE / "../../negative/compare-report"

# Each document that the schema needs, its own first: the URI, and the file to read.
FILES = {
    "urn:knownbad:schema:compare-report": "../../schemas/compare-report.schema.json",
}
OWN = next(iter(FILES))
# The schema: its place in its own document, and the reference to it.
ROOT = ""
REFERENCE = "urn:knownbad:schema:compare-report#"
# The `$schema` that it declares.
DECLARED = "https://json-schema.org/draft/2020-12/schema"


def read(path):
    return json.loads(path.read_text("utf-8-sig"))


def steps(pointer):
    """The reference tokens of a JSON Pointer."""
    return [s.replace("~1", "/").replace("~0", "~") for s in pointer.split("/")[1:]]


def at(value, pointer):
    """The part of a JSON value at a JSON Pointer."""
    for step in steps(pointer):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def join(pointer, *more):
    escaped = (str(step).replace("~", "~0").replace("/", "~1") for step in more)
    return "".join([pointer, *("/" + step for step in escaped)])


def resource(document):
    return Resource.from_contents(document, default_specification=DRAFT202012)


DOCUMENTS = {uri: read(HERE / name) for uri, name in FILES.items()}
REGISTRY_OF_ALL = Registry().with_resources(
    [(uri, resource(document)) for uri, document in DOCUMENTS.items()],
)


def validator(changed=None):
    """The contract's validator; `changed` are documents to put in place of their own."""
    others = [(uri, resource(document)) for uri, document in (changed or {}).items()]
    return Draft202012Validator(
        {"$ref": REFERENCE},
        registry=REGISTRY_OF_ALL.with_resources(others),
        format_checker=Draft202012Validator.FORMAT_CHECKER,
    )


CONTRACT = validator()


# ---- The fixtures, by class


def cases(folder):
    """One case for each class that a fixture of `folder` stands for."""
    for row in read(folder / "corpus.json")["fixtures"]:
        for name in [row["class"], *row.get("covers", [])]:
            slug = row["file"].removesuffix(".json")
            yield pytest.param(folder, row, id=f"{name}/{slug}")


def load(folder, row):
    """The instance of a row: its file, or the part of it that is validated."""
    return at(read(folder / row["file"]), row.get("instance") or "")


@pytest.mark.parametrize(("folder", "row"), [*cases(FIXTURES)])
def test_accepted(folder, row):
    instance = load(folder, row)
    assert CONTRACT.is_valid(instance), explain(row, instance, "must be accepted")


@pytest.mark.parametrize(("folder", "row"), [*cases(NEGATIVE)])
def test_rejected_for_its_reason(folder, row):
    instance = load(folder, row)
    assert not CONTRACT.is_valid(instance), explain(row, instance, "must be rejected")
    # A fixture that a person wrote may have several reasons; then its row names none.
    if row["keywordLocation"] is not None:
        alone = any(aside.is_valid(instance) for aside in asides(row))
        assert alone, explain(row, instance, "must be rejected for that reason alone")


@pytest.mark.parametrize("folder", [FIXTURES, NEGATIVE], ids=["fixtures", "negative"])
def test_files_are_as_their_rows_say(folder):
    rows = read(folder / "corpus.json")["fixtures"]
    recorded = {row["file"]: row["sha256"] for row in rows}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.glob("*.json"))
        if path.name != "corpus.json" and not path.name.startswith(".")
    }
    assert found == recorded, "files and rows of corpus.json differ"


def test_the_schema_passes_its_metaschema():
    schema = at(DOCUMENTS[OWN], ROOT)
    Draft202012Validator.check_schema(schema, format_checker=FormatChecker(formats=()))
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    assert declared == DECLARED, "the schema declares another dialect"


# ---- Putting a keyword aside

MAPS = {
    "$defs",
    "definitions",
    "dependencies",
    "dependentRequired",
    "dependentSchemas",
    "patternProperties",
    "properties",
}


def asides(row):
    """The contract with the row's keyword put aside: then its instance is accepted."""
    uri = OWN
    location, member = row["keywordLocation"], row["member"]
    yield validator(put_aside(uri, location, member))
    if location.endswith("/oneOf"):  # more than one branch accepts: let them
        yield validator(put_aside(uri, location, member, several=True))


def put_aside(uri, location, member, *, several=False):
    """The document at `uri` with the keyword at `location` put aside, to reject nothing."""
    whole = holder = copy.copy(DOCUMENTS[uri])
    changed = {uri: whole}
    if location == "":
        return {key: {} for key in changed}
    *above, last = steps(location)
    names_keywords = True  # whether the keys of `holder` are keywords, or names
    for step in above:
        if isinstance(holder, list):
            step, names_keywords = int(step), True
        else:
            names_keywords = not (names_keywords and step in MAPS)
        holder[step] = copy.copy(holder[step])
        holder = holder[step]
    if isinstance(holder, list):
        holder[int(last)] = {}
    elif isinstance(holder[last], list) and (last == "required" or not names_keywords):
        holder[last] = [name for name in holder[last] if member not in (None, name)]
        if not holder[last]:
            del holder[last]
    elif not names_keywords:
        holder[last] = {}
    elif holder[last] is False and last != "contains":
        holder[last] = True
    else:
        value = holder.pop(last)
        if several:
            holder["allOf"] = [*holder.get("allOf", []), {"anyOf": value}]
        elif last == "contains":
            holder.pop("minContains", None)
            holder.pop("maxContains", None)
    return changed


# ---- What a failure prints


def explain(row, instance, message):
    """What was violated where, and the instance itself."""
    violated = [
        f"  violated: {keyword_location(error)}"
        f" at instance location {join('', *error.absolute_path)!r}"
        f": {error.message[:200]}"
        for error in CONTRACT.iter_errors(instance)
    ] or ["  violated: nothing"]
    recorded = f"  recorded: {row['keywordLocation']} ({row['fault']})"
    text = json.dumps(instance, indent=2, ensure_ascii=False)
    lines = [f"{row['file']} {message}", recorded, *violated, f"  instance: {text}"]
    return "\n".join(lines)


def keyword_location(error):
    """The JSON Pointer, in its document, of the keyword that an error is about."""
    for uri, document in DOCUMENTS.items():
        stack = [("", document)]
        while stack:
            pointer, value = stack.pop()
            if value is error.schema and error.validator:
                where = join(pointer, error.validator)
                return where if uri == OWN else f"{uri}#{where}"
            if isinstance(value, (dict, list)):
                pairs = value.items() if isinstance(value, dict) else enumerate(value)
                stack.extend((join(pointer, step), part) for step, part in pairs)
    return join("", *error.absolute_schema_path)
