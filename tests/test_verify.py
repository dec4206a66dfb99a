"""`verify`: everything on disk gets its verdict anew, and each kind of finding is told apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knownbad.config import Entry
from knownbad.corpus import Corpus, Fixture
from knownbad.errors import Exit
from knownbad.layout import Layout, in_out
from knownbad.load import LoadOptions, load
from knownbad.produce import Task, make_header
from knownbad.store import Stored, plan
from knownbad.verify import FILES, PATCH, REASON, STALE, UNDECIDED, WRONG, Verified, verify

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"isError": {"type": "boolean"}, "k": {"oneOf": [{"type": "integer"}, {"type": "number"}]}},
    "required": ["isError"],
    "additionalProperties": False,
}
FIXTURES = (
    Fixture("minimal", True, {"isError": True}, "/required"),
    Fixture(
        "text",
        False,
        {"isError": "true"},
        "/properties/isError/type",
        keyword_location="/properties/isError/type",
        base="minimal",
        patch=({"op": "replace", "path": "/isError", "value": "true"},),
    ),
    Fixture("none", False, {}, "/required:isError", keyword_location="/required", member="isError"),
    Fixture("both", False, {"isError": True, "k": 1}, "/properties/k/oneOf", keyword_location="/properties/k/oneOf"),
)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A good corpus of the schema above."""
    (tmp_path / "flag.schema.json").write_text(json.dumps(SCHEMA))
    task = the_task(tmp_path)
    contract = load("flag.schema.json", "flag", LoadOptions(root=tmp_path))
    for path, data in plan(task.layout, make_header(contract, task), Corpus(FIXTURES), Stored()).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return task.layout


def the_task(root: Path) -> Task:
    return Task(Entry("flag", "flag.schema.json"), in_out(root / "out", "flag"), root)


def verified(layout: Layout) -> Verified:
    root = layout.root.parent
    return verify([(the_task(root), load("flag.schema.json", "flag", LoadOptions(root=root)))], layout.root)


def change_schema(layout: Layout, change: Callable[[Any], None]) -> None:
    path = layout.root.parent / "flag.schema.json"
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


def change_row(layout: Layout, name: str, **members: Any) -> None:
    path = layout.negative / "corpus.json"
    value = json.loads(path.read_text())
    next(row for row in value["fixtures"] if row["file"] == name).update(members)
    path.write_text(json.dumps(value))


def kinds(result: Verified) -> list[tuple[str, str]]:
    return sorted((finding.kind, finding.file.name) for finding in result.findings)


def test_a_good_corpus_has_no_findings(layout: Layout) -> None:
    result = verified(layout)
    assert result.findings == ()
    assert (result.corpora, result.positives, result.negatives, result.exit) == (1, 1, 3, Exit.GOOD)


def test_a_title_makes_no_corpus_stale_and_a_keyword_does(layout: Layout) -> None:
    change_schema(layout, lambda s: s.update(title="T", description="D", **{"$comment": "C", "x-unknown": 1}))
    assert verified(layout).findings == ()
    change_schema(layout, lambda s: s["properties"].update(title={"type": "string"}))
    assert kinds(verified(layout)) == [(STALE, "corpus.json"), (STALE, "corpus.json")]


def test_a_wrong_verdict_names_the_keyword(layout: Layout) -> None:
    change_schema(layout, lambda s: s["properties"].update(isError={"const": False}))
    result = verified(layout)
    assert (WRONG, "minimal.json") in kinds(result)
    finding = next(f for f in result.findings if f.kind == WRONG)
    assert "/properties/isError/const at /isError" in finding.message
    assert result.exit == Exit.FINDINGS


def test_a_weakened_schema_makes_a_negative_wrong(layout: Layout) -> None:
    change_schema(layout, lambda s: s.pop("required"))
    assert (WRONG, "none.json") in kinds(verified(layout))


@pytest.mark.parametrize(
    ("name", "members", "kind"),
    [
        ("text.json", {"keywordLocation": "/additionalProperties"}, REASON),
        ("text.json", {"keywordLocation": "/properties/isError/maximum"}, REASON),
        ("text.json", {"keywordLocation": None}, REASON),
        ("text.json", {"sha256": "0"}, FILES),
        ("text.json", {"patch": [{"op": "remove", "path": "/isError"}]}, PATCH),
        ("text.json", {"patch": [{"op": "remove", "path": "/nothing"}]}, PATCH),
        ("text.json", {"base": "../fixtures/gone.json"}, PATCH),
        ("none.json", {"schema": "other.json"}, REASON),
        ("none.json", {"instance": "/nothing"}, FILES),
    ],
)
def test_a_row_that_does_not_hold_is_found(layout: Layout, name: str, members: dict[str, Any], kind: str) -> None:
    change_row(layout, name, **members)
    assert kinds(verified(layout)) == [(kind, name)]


def test_a_written_negative_may_have_several_reasons(layout: Layout) -> None:
    change_row(layout, "text.json", keywordLocation=None, origin="written")
    assert verified(layout).findings == ()


def test_files_and_rows_must_match(layout: Layout) -> None:
    (layout.negative / "mine.json").write_text("{}")
    (layout.negative / "none.json").unlink()
    (layout.fixtures / "minimal.json").write_text("{")
    (layout.fixtures / "corpus.json").unlink()
    found = kinds(verified(layout))
    assert found == [
        (FILES, "corpus.json"),
        (FILES, "mine.json"),
        (FILES, "minimal.json"),
        (FILES, "none.json"),
        (PATCH, "text.json"),
    ]


def test_a_flip_that_comes_with_another_version_is_named_as_such(layout: Layout) -> None:
    path = layout.negative / "corpus.json"
    value = json.loads(path.read_text())
    now = value["validators"]["jsonschema"]["version"]
    value["validators"]["jsonschema"]["version"] = "1.0"
    path.write_text(json.dumps(value))
    quiet = verified(layout)
    assert quiet.findings == ()
    assert quiet.notes == (f"jsonschema was 1.0, now {now}",)
    change_schema(layout, lambda s: s.pop("required"))
    finding = next(f for f in verified(layout).findings if f.kind == WRONG)
    assert f"jsonschema was 1.0, now {now}" in finding.message


def test_validators_that_disagree_are_undecided_and_not_wrong(layout: Layout, monkeypatch: pytest.MonkeyPatch) -> None:
    from knownbad.oracle import Oracle

    def none(self: Oracle, instance: Any) -> None:
        self.disagreements.append("they differ")

    monkeypatch.setattr(Oracle, "accepts", none)
    result = verified(layout)
    assert {kind for kind, _ in kinds(result)} == {UNDECIDED}
    assert result.exit == Exit.UNDECIDED
