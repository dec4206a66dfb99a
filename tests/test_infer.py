"""A first strict schema out of one or two real replies: closed, with formats, and with every guess marked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from knownbad.cli import main
from knownbad.oracle import Oracle
from knownbad.replay.infer import GUESS, infer, unlike
from knownbad.varied import contract_of

FIRST: dict[str, Any] = {
    "error": {
        "code": "PAYMENT_DECLINED",
        "message": "Card issuer declined",
        "retryable": False,
        "id": "ch_3Mq12",
        "trace": "0b9e1d3c-7a44-4f7e-9d55-3f6a1c2b7e10",
        "at": "2026-12-01T03:02:28Z",
        "support": "help@example.org",
        "docs": "https://example.org/errors",
        "amounts": [1, 2.5],
        "by_day": {"2026-12-01": {"n": 1}, "2026-12-02": {"n": 2}},
    }
}
SECOND: dict[str, Any] = {
    "error": {
        "code": "TIMEOUT",
        "message": "",
        "retryable": True,
        "retry_after": 1,
        "id": "ch_9",
        "amounts": [],
    }
}


def schema_of(*replies: Any) -> dict[str, Any]:
    return infer(replies).schema


def error(schema: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = schema["properties"]["error"]
    return found


def accepts(schema: Any, instance: Any) -> bool:
    verdict = Oracle(contract_of(schema)).accepts(instance)
    assert verdict is not None
    return verdict


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from objects(inner)


@pytest.mark.parametrize(
    "replies", [[FIRST], [SECOND], [FIRST, SECOND], [[]], [[1, "a", None]], [{"a": []}, {"a": {}}], ["x"], [None, 1]]
)
def test_every_reply_is_accepted(replies: list[Any]) -> None:
    assert unlike(schema_of(*replies), replies) == []


def test_every_object_is_closed() -> None:
    assert all("additionalProperties" in found for found in objects(schema_of(FIRST, SECOND)))
    extra = json.loads(json.dumps(FIRST))
    extra["error"]["stack"] = "x"
    assert not accepts(schema_of(FIRST, SECOND), extra)


def test_what_one_reply_lacks_is_optional_and_said_to_be() -> None:
    found = error(schema_of(FIRST, SECOND))
    assert found["required"] == ["code", "message", "retryable", "id", "amounts"]
    assert "optional is what one of them lacked: trace, at, support, docs, by_day, retry_after" in found["$comment"]


@pytest.mark.parametrize(
    "member, asserted",
    [
        ("trace", {"format": "uuid"}),
        ("at", {"format": "date-time"}),
        ("support", {"format": "email"}),
        ("docs", {"format": "uri"}),
        ("id", {"pattern": "^ch_[A-Za-z0-9]+$"}),
        ("code", {"pattern": "^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$"}),
    ],
)
def test_formats_and_identifiers_are_found(member: str, asserted: dict[str, Any]) -> None:
    found = error(schema_of(FIRST, SECOND))["properties"][member]
    assert asserted.items() <= found.items()
    assert found["$comment"].startswith(GUESS)


@pytest.mark.parametrize(
    "texts, keyword",
    [
        (["2026-12-01", "2026-13-01"], "format"),
        (["a@example.org", "a"], "format"),
        (["10.0.0.1", "10.0.0.256"], "format"),
        (["ch_1", "py_2"], "pattern"),
        (["ABC_DEF", "abc"], "pattern"),
    ],
)
def test_a_format_that_one_text_lacks_is_none(texts: list[str], keyword: str) -> None:
    assert keyword in schema_of({"a": texts[0]})["properties"]["a"] or keyword == "pattern"
    assert keyword not in schema_of(*({"a": text} for text in texts))["properties"]["a"]


def test_an_object_whose_names_are_data_takes_other_names() -> None:
    found = error(schema_of(FIRST))["properties"]["by_day"]
    assert accepts({"$schema": schema_of(FIRST)["$schema"], **found}, {"2027-01-01": {"n": 3}})
    assert not accepts({"$schema": schema_of(FIRST)["$schema"], **found}, {"2027-01-01": {"n": "3"}})


def test_every_guess_is_marked_and_listed() -> None:
    inferred = infer([FIRST])
    comments = json.dumps(inferred.schema).count(GUESS)
    assert comments == len({place for place, _ in inferred.guesses}) > 5
    assert "required is all that it had" in error(inferred.schema)["$comment"]


def test_a_masked_text_is_no_identifier() -> None:
    assert schema_of({"a": "[masked]"})["properties"]["a"] == {"type": "string"}


@pytest.mark.parametrize("replies", [[FIRST], [FIRST, SECOND], [{"a": None, "b": [[{}]]}]])
def test_what_comes_out_passes_our_lint(replies: list[Any], tmp_path: Path) -> None:
    from knownbad.config import Entry
    from knownbad.lint import lint

    contract = contract_of(schema_of(*replies))
    entry = Entry("inferred", "inferred.schema.json", direction="output", strict=True)
    assert lint(None, contract, entry) == []


# ---- the command


def invoke(*arguments: str) -> Any:
    return CliRunner().invoke(main, ["infer", *arguments], catch_exceptions=False)


def put(folder: Path, name: str, value: Any) -> str:
    (folder / name).write_text(json.dumps(value), encoding="utf-8")
    return str(folder / name)


def test_the_schema_is_printed_and_what_is_to_review_is_counted(tmp_path: Path) -> None:
    done = invoke(put(tmp_path, "a.json", FIRST), put(tmp_path, "b.json", SECOND))
    assert accepts(json.loads(done.stdout), FIRST)
    assert (
        done.stderr
        == f"{len({place for place, _ in infer([FIRST, SECOND]).guesses})} places to review, each with a `$comment`\n"
    )


def test_a_part_of_a_reply_and_the_response_of_a_fixture_are_replies(tmp_path: Path) -> None:
    fixture = {"fixture": "a", "request": {}, "response": FIRST}
    part = invoke(put(tmp_path, "a.json", {"x": [FIRST]}) + "#/x/0")
    whole = invoke(put(tmp_path, "a.json", fixture))
    assert part.stdout == whole.stdout


def test_a_file_that_is_there_is_not_replaced_unless_asked(tmp_path: Path) -> None:
    out = tmp_path / "out.schema.json"
    out.write_text("mine", encoding="utf-8")
    reply = put(tmp_path, "a.json", FIRST)
    assert invoke(reply, "--out", str(out)).exit_code == 2
    assert out.read_text(encoding="utf-8") == "mine"
    assert invoke(reply, "--out", str(out), "--force").exit_code == 0
    assert accepts(json.loads(out.read_text(encoding="utf-8")), FIRST)
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_every_reply_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    done = invoke(str(tmp_path / "gone.json"), put(tmp_path, "a.json", FIRST) + "#/nothing")
    assert (done.exit_code, done.stderr.count("error:")) == (2, 2)
