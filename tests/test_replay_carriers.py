"""The envelope in an answer: out of which carrier, and what is wrong with how it travelled."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knownbad.errors import NO_VALUE
from knownbad.replay.answer import Answer, Carrier
from knownbad.replay.carriers import Look, Reply, read
from knownbad.replay.differing import differences, without

PLACES = Look(("/error/code", "/error/hint", "/error/retryable"))
FLAT = Look(("/code", "/hint", "/retryable"))
GOOD = {"error": {"code": "BUSY", "hint": "BUSY", "message": "m", "retryable": True}}
TEXT = json.dumps(GOOD)
RPC = {"jsonrpc": "2.0", "id": 1}
WRONG: Any = {"error": {**GOOD["error"], "retryable": False}}


def result(**members: Any) -> Reply:
    return read(Answer(Carrier.MCP_RESULT, value=members), PLACES)


def http(body: str | bytes, status: int = 503, kind: str = "application/json") -> Reply:
    data = body.encode() if isinstance(body, str) else body
    return read(Answer(Carrier.HTTP, data=data, status=status, content_type=kind), PLACES)


def command(body: str | bytes, success: bool | None = True) -> Reply:
    data = body.encode() if isinstance(body, str) else body
    return read(Answer(Carrier.RAW, data=data, success=success), PLACES)


def value(returned: Any) -> Reply:
    return read(Answer(Carrier.VALUE, value=returned), PLACES)


def texts(*found: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in found]


GOOD_ONES = [
    ("structured content", result(isError=True, structuredContent=GOOD)),
    ("a text", result(isError=True, content=texts(TEXT))),
    ("both, and they agree", result(isError=True, content=texts(TEXT), structuredContent=GOOD)),
    ("structured content beside prose", result(isError=True, content=texts("busy"), structuredContent=GOOD)),
    ("data of the protocol's error", read(Answer(Carrier.MCP_PROTOCOL, value={"code": 1, "data": GOOD}), PLACES)),
    (
        "a whole message of the protocol",
        read(Answer(Carrier.MCP_PROTOCOL, value={**RPC, "error": {"data": GOOD}}), PLACES),
    ),
    ("data that is a text", read(Answer(Carrier.MCP_PROTOCOL, value={"code": 1, "data": TEXT}), PLACES)),
    ("the protocol's message", read(Answer(Carrier.MCP_PROTOCOL, value={"code": 1, "message": TEXT}), PLACES)),
    ("the body of HTTP", http(TEXT)),
    ("a resource", result(isError=True, content=[{"type": "resource", "resource": {"uri": "x:y", "text": TEXT}}])),
    ("an error of the protocol over HTTP", http(json.dumps({**RPC, "error": {"code": -1, "data": GOOD}}), 500)),
    ("a body of problem details", http(TEXT, kind="application/problem+json; charset=utf-8")),
    ("what a command prints", command(TEXT)),
    ("what a failing command prints", command(TEXT, success=False)),
    ("what a function returns", value(GOOD)),
    ("a text that a function returns", value(TEXT)),
    ("a result of MCP that a function returns", value({"isError": True, "content": texts(TEXT)})),
    ("a result of MCP that a command prints", command(json.dumps({"isError": True, "structuredContent": GOOD}))),
    ("a message of the protocol", value({**RPC, "result": {"isError": True, "content": texts(TEXT)}})),
    ("an error of the protocol", value({**RPC, "error": {"code": -1, "message": "m", "data": GOOD}})),
    ("what is raised", read(Answer(Carrier.RAISED, value=GOOD, success=False), PLACES)),
]


@pytest.mark.parametrize("reply", [reply for _, reply in GOOD_ONES], ids=[name for name, _ in GOOD_ONES])
def test_an_envelope_is_found_in(reply: Reply) -> None:
    assert (reply.envelope, reply.succeeded, reply.troubles) == (GOOD, False, ())


BAD_ONES = [
    ("prose", result(isError=True, content=texts("Error: too many requests")), "no-envelope", "the text is not JSON"),
    ("no content", result(isError=True, content=[]), "no-envelope", "no content"),
    ("words before it", result(isError=True, content=texts("Error executing: " + TEXT)), "not-json", "text before the"),
    ("words after it", command(TEXT + "\ndone\n"), "not-json", "text after the JSON envelope"),
    ("two in turn", command(TEXT + "\n" + json.dumps(WRONG)), "not-json", "a second one"),
    ("one that breaks off", command(TEXT[:40]), "not-json", "breaks off"),
    ("a trace", http("Traceback (most recent call last):\n  x", 500, "text/plain"), "not-json", "a stack trace"),
    ("a trace in a text", result(isError=True, content=texts("Error\n  at f (a.js:1:2)")), "no-envelope", "a stack"),
    ("a text that is only a number", result(isError=True, content=texts("42")), "no-envelope", "only 42"),
    ("one that is encoded twice", http(json.dumps(TEXT)), "not-json", "encoded twice"),
    ("a text that is encoded twice", result(isError=True, content=texts(json.dumps(TEXT))), "not-json", "twice"),
    ("a member twice", http(TEXT.replace('"retryable"', '"retryable": 1, "retryable"')), "not-json", "duplicate key"),
    ("an error of the protocol without data",
     read(Answer(Carrier.MCP_PROTOCOL, value={"code": 1, "message": "m"}), PLACES), "no-envelope", "has no data"),
    ("a page", http("<html>", 502, "text/html"), "not-json", "not JSON: text/html"),
    ("a page without a type", http("<html>", 502, ""), "not-json", "not JSON: text/html"),
    ("no body", http("", 502), "no-envelope", "HTTP status 502"),
    ("bytes that are no text", http(TEXT.encode().replace(b'"m"', b'"\xff"')), "not-utf8", "byte 0xff"),
    ("a success of MCP", result(content=texts("ok")), "unexpected-success", "isError is absent"),
    ("a structured success", result(isError=False, structuredContent={"ok": 1}), "unexpected-success",
     "isError is false"),
    ("an empty success", result(isError=False, content=[]), "unexpected-success", "isError is false"),
    ("a success of HTTP", http('{"charge": 1}', 200), "unexpected-success", "HTTP status 200"),
    ("a success without a body", http("", 204), "unexpected-success", "HTTP status 204"),
    ("a success of a command", command('{"charge": 1}'), "unexpected-success", "exit code 0"),
    ("a returned success", value({"charge": 1}), "unexpected-success", "without an envelope"),
    ("nothing returned", value(None), "unexpected-success", "without an envelope"),
]  # fmt: skip


@pytest.mark.parametrize("reply, code, says", [row[1:] for row in BAD_ONES], ids=[row[0] for row in BAD_ONES])
def test_there_is_no_envelope_and_it_is_said_why(reply: Reply, code: str, says: str) -> None:
    (trouble,) = reply.troubles
    assert reply.envelope is NO_VALUE
    assert (trouble.code.name, reply.succeeded) == (code, code == "unexpected-success")
    assert says in trouble.message


ODD_ONES = [
    ("isError false", result(isError=False, structuredContent=GOOD), "flagged-as-success", "isError is false"),
    ("isError absent", result(content=texts(TEXT)), "flagged-as-success", "isError is absent"),
    ("isError a word", result(isError="true", structuredContent=GOOD), "flagged-as-success", 'isError is "true"'),
    ("status 200", http(TEXT, 200), "flagged-as-success", "HTTP status 200"),
    ("the type of a page", http(TEXT, 503, "text/html"), "wrong-content-type", "came as text/html"),
    ("no type", http(TEXT, 503, ""), "wrong-content-type", "came as no type"),
    ("two that differ", result(isError=True, content=texts(json.dumps(WRONG)), structuredContent=GOOD),
     "carriers-disagree", "disagree on /error/retryable: structuredContent has true, text has false"),
    ("one that is wrapped", result(isError=True, content=texts(TEXT), structuredContent={"result": GOOD}),
     "carriers-disagree", "structuredContent has"),
    ("two answers to one call", read(Answer(Carrier.MCP_RESULT, value={"isError": True, "structuredContent": GOOD},
     more=({"isError": True, "structuredContent": WRONG},)), PLACES), "carriers-disagree", "another answer's"),
    ("words beside the protocol", read(Answer(Carrier.MCP_RESULT, value={"isError": True, "structuredContent": GOOD},
     data=b"starting up\n"), PLACES), "not-json", "starting up"),
]  # fmt: skip


@pytest.mark.parametrize("reply, code, says", [row[1:] for row in ODD_ONES], ids=[row[0] for row in ODD_ONES])
def test_the_envelope_is_judged_but_how_it_came_is_told(reply: Reply, code: str, says: str) -> None:
    assert reply.envelope == GOOD
    assert {trouble.code.name for trouble in reply.troubles} == {code}
    assert says in reply.troubles[0].message


def test_whatever_a_tool_fails_with_is_judged_where_the_carrier_says_that_it_failed() -> None:
    other = {"error": "BUSY", "retryable": True}
    assert [http(json.dumps(other)).envelope, http(json.dumps([1])).envelope] == [other, [1]]
    assert result(isError=True, structuredContent={"oops": 1}).envelope == {"oops": 1}


def test_a_flat_envelope_is_known_by_two_of_its_members() -> None:
    flat = {"code": "BUSY", "hint": "BUSY", "retryable": True}
    assert read(Answer(Carrier.VALUE, value=flat), FLAT).envelope == flat
    assert read(Answer(Carrier.VALUE, value={"code": "p-1", "amount": 1}), FLAT).succeeded


def test_a_flat_envelope_is_known_by_a_documented_code_alone() -> None:
    """What code and hint share is one place; an envelope without its flag is one nevertheless."""
    look = Look(("/code", "/code", "/retryable"), frozenset({"BUSY"}))
    assert read(Answer(Carrier.VALUE, value={"code": "BUSY"}), look).envelope == {"code": "BUSY"}
    assert read(Answer(Carrier.VALUE, value={"code": "EUR"}), look).succeeded


def test_the_raw_reply_is_kept_for_the_person() -> None:
    assert http(b"\xff<html>", 502, "text/html").raw == "\\xff<html>"
    assert result(isError=True, content=texts("Error")).raw == json.dumps({"isError": True, "content": texts("Error")})


def test_differences_are_the_smallest_parts() -> None:
    left = {"a": {"b": 1, "c": [1, {"d": True}]}, "e": 1}
    right = {"a": {"b": 1.0, "c": [1, {"d": 1}]}, "f": 1}
    assert list(differences(left, right)) == ["/a/c/1/d", "/e", "/f"]


def test_what_is_volatile_is_left_out_also_of_every_item() -> None:
    found = {"error": {"id": 1, "items": [{"at": 1, "x": 2}, {"at": 3, "x": 4}]}}
    assert without(found, ["/error/id", "/error/items/*/at", "/gone"]) == {"error": {"items": [{"x": 2}, {"x": 4}]}}


# ---- laws

anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)
words = st.sampled_from(
    ["error", "isError", "content", "structuredContent", "jsonrpc", "result", "data", "text", "code"]
)
near = st.recursive(
    st.booleans() | st.none() | st.sampled_from([TEXT, "Error", "{", GOOD]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


def settled(reply: Reply) -> bool:
    """Whether a reply is one of three things: an envelope, a success, or a trouble that says why it is neither."""
    return bool(reply.copies) != (reply.succeeded or bool(reply.troubles)) or bool(reply.copies and reply.troubles)


@given(anything | near, st.sampled_from([Carrier.VALUE, Carrier.RAISED, Carrier.MCP_RESULT, Carrier.MCP_PROTOCOL]))
def test_whatever_value_comes_is_read(found: Any, carrier: Carrier) -> None:
    reply = read(Answer(carrier, value=found, success=False if carrier is Carrier.RAISED else None), PLACES)
    assert settled(reply)
    assert not (reply.copies and reply.succeeded)


@given(st.binary() | (anything | near).map(lambda found: json.dumps(found).encode()), st.integers(100, 599))
def test_whatever_bytes_come_are_read(data: bytes, status: int) -> None:
    over_http = Answer(Carrier.HTTP, data=data, status=status, content_type="application/json")
    for answer in (over_http, Answer(Carrier.RAW, data=data, success=status < 400)):
        reply = read(answer, PLACES)
        assert settled(reply)
        assert isinstance(reply.raw, str)


@given(anything)
def test_a_value_differs_nowhere_from_itself(found: Any) -> None:
    assert list(differences(found, json.loads(json.dumps(found)))) == []
