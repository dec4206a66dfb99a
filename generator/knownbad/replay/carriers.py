"""An envelope out of the carriers that it can travel in, and what is wrong with how it travelled."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ..codes.replay import (
    CARRIERS_DISAGREE,
    FLAGGED_SUCCESS,
    NO_ENVELOPE,
    NOT_JSON,
    NOT_UTF8,
    UNEXPECTED_SUCCESS,
    WRONG_CONTENT_TYPE,
)
from ..documents import parse
from ..errors import NO_VALUE, BadInput, shorten
from ..pointers import get, steps
from .answer import Answer, Carrier, Trouble
from .differing import differences
from .plain import NotPlain, plain

_CONSTRUCT = "construct the envelope as the whole body, and let no library put words around it"
_FLAG = "set the flag that marks a failure: isError, a status of 400 or above, or an exit code"
_TRACE = re.compile(r"Traceback \(most recent call last\)|^\s+at .+\(.*:\d+\)|^\s*File \".+\", line \d+", re.MULTILINE)
_SHOWN_DIFFERENCES = 5


@dataclass(frozen=True, slots=True)
class Look:
    """By what an envelope is known as one: the pointers to code, hint and flag, and the documented codes."""

    places: tuple[str, ...]
    codes: frozenset[str] = frozenset()


class Copy(NamedTuple):
    """One envelope of a reply, and the carrier that held it."""

    carrier: str
    value: Any


@dataclass(frozen=True, slots=True)
class Reply:
    """What an answer comes to. The first of `copies` is the envelope; there are more where it travelled more than once.

    Without copies there is no envelope: `succeeded` says whether the tool called that a success.
    """

    copies: tuple[Copy, ...]
    succeeded: bool
    troubles: tuple[Trouble, ...]
    raw: str
    carrier: Carrier
    status: int | None = None
    aside: str = ""

    @property
    def envelope(self) -> Any:
        """The envelope, NO_VALUE where there is none."""
        return self.copies[0].value if self.copies else NO_VALUE


class _Read(NamedTuple):
    copies: list[Copy]
    success: bool | None
    """What the carrier says; None where it says nothing."""
    flag: str
    """How the carrier says that it is a success."""
    troubles: list[Trouble]


def read(answer: Answer, look: Look) -> Reply:
    """The reply in an answer."""
    answer = _readable(answer)
    raw = _raw(answer)
    troubles = list(answer.troubles)
    if not troubles:
        troubles += _encoding(answer)
    found = _Read([], None, "", [])
    if not troubles or _usable(answer):
        found = _read(answer, look)
        troubles += found.troubles
    copies, succeeded = found.copies, False
    if copies and found.success:
        if any(is_envelope(copy.value, look) for copy in copies):
            copies = [copy for copy in copies if is_envelope(copy.value, look)]
            troubles.append(
                Trouble(FLAGGED_SUCCESS, f"an error envelope was returned as a success: {found.flag}", _FLAG)
            )
        else:
            copies, succeeded = [], True
    elif copies and found.success is None and not any(is_envelope(copy.value, look) for copy in copies):
        copies, succeeded = [], True
    elif not copies and found.success and not troubles:
        succeeded = True
    if succeeded:
        fix = "is the request still one that fails?"
        troubles.append(Trouble(UNEXPECTED_SUCCESS, f"unexpected success: {found.flag or 'no envelope'}", fix))
    elif not copies and not troubles:
        troubles.append(Trouble(NO_ENVELOPE, "no envelope: the reply is empty", _CONSTRUCT))
    copies.sort(key=lambda copy: not is_envelope(copy.value, look))
    troubles += _disagreements(copies)
    return Reply(tuple(copies), succeeded, tuple(troubles), raw, answer.carrier, answer.status, answer.aside)


def _readable(answer: Answer) -> Answer:
    """The answer; without its value where that is no JSON data which every parser reads and writes."""
    if answer.value is NO_VALUE or answer.carrier in (Carrier.VALUE, Carrier.RAISED):
        return answer  # what a function gave was looked at already
    try:
        plain([answer.value, *answer.more])
    except NotPlain as none:
        trouble = Trouble(NOT_JSON, f"not JSON that every parser reads the same: {none}", _CONSTRUCT)
        return replace(answer, value=NO_VALUE, more=(), troubles=(*answer.troubles, trouble))
    return answer


def is_envelope(value: Any, look: Look) -> bool:
    """Whether a value is meant as an envelope.

    It has something at the parent of code, hint or flag; or at two of these places, where they have no parent; or a
    documented code at the place of one.
    """
    if not isinstance(value, dict):
        return False
    if any(len(steps(place)) > 1 and steps(place)[0] in value for place in look.places):
        return True
    places = dict.fromkeys(look.places)
    there = [place for place in places if _there(value, place)]
    if len(there) >= min(2, len(places)):
        return True
    return any(isinstance(found := get(value, place), str) and found in look.codes for place in there)


def _there(value: Any, place: str) -> bool:
    try:
        get(value, place)
    except LookupError:
        return False
    return True


def _usable(answer: Answer) -> bool:
    return answer.value is not NO_VALUE


def _encoding(answer: Answer) -> Iterator[Trouble]:
    try:
        answer.data.decode("utf-8")
    except UnicodeDecodeError as error:
        what = f"byte 0x{answer.data[error.start]:02x} at {error.start} is not UTF-8"
        yield Trouble(NOT_UTF8, f"the reply is not UTF-8: {what}", "encode replies as UTF-8")
    else:
        mcp = answer.carrier in (Carrier.MCP_RESULT, Carrier.MCP_PROTOCOL)
        if mcp and answer.data.strip() and answer.value is not NO_VALUE:
            fix = "write logs to standard error: standard output is the protocol's"
            yield Trouble(NOT_JSON, f"lines that are no JSON stand beside the answer: {_line(answer.data)}", fix)


def _read(answer: Answer, look: Look) -> _Read:
    if answer.carrier == Carrier.HTTP:
        return _http(answer, look)
    if answer.carrier == Carrier.RAW:
        return _raw_text(answer, look)
    if _is_rpc(answer.value):  # a whole message where its result or error was meant
        return _value(answer.value, look)
    if answer.carrier == Carrier.MCP_PROTOCOL:
        return _protocol(answer.value, look)
    if answer.carrier == Carrier.MCP_RESULT:
        first = _result(answer.value, look)
        for other in answer.more:  # two answers to one call
            more = _result(other, look) if isinstance(other, dict) else _Read([], None, "", [])
            first.copies.extend(Copy(f"another answer's {copy.carrier}", copy.value) for copy in more.copies)
        return first
    return _value(answer.value, look, answer.success)


def _value(value: Any, look: Look, success: bool | None = None) -> _Read:
    """A JSON value that a function or a command gave: an envelope, a result of MCP, or a message of JSON-RPC."""
    if isinstance(value, str):
        return _text(value, look, success)
    if isinstance(value, dict) and not is_envelope(value, look) or _is_rpc(value):
        if _is_rpc(value) and "result" in value and isinstance(value["result"], dict):
            return _result(value["result"], look)
        if _is_rpc(value) and isinstance(value.get("error"), dict):
            return _protocol(value["error"], look)
        if "isError" in value or "structuredContent" in value or isinstance(value.get("content"), list):
            return _result(value, look)
    return _Read([Copy("the value", value)], success, "a value without an envelope", [])


def _is_rpc(value: Any) -> bool:
    return isinstance(value, dict) and "jsonrpc" in value


def _raw_text(answer: Answer, look: Look) -> _Read:
    text = answer.data.decode("utf-8", "replace")
    value, trouble = _parsed(text, look)
    if trouble is not None:
        return _Read([], answer.success, "", [trouble])
    # The exit code says nothing of what is an envelope: many a command reports a failure and ends well.
    ended = None if is_envelope(value, look) else answer.success
    found = _value(value, look, ended)
    return found._replace(flag=f"exit code {'0' if answer.success else 'other than 0'}" if found.flag else found.flag)


def _http(answer: Answer, look: Look) -> _Read:
    status = answer.status or 0
    flag = f"HTTP status {status}"
    success = status < 400
    if 300 <= status < 400:
        fix = "name the address that answers itself: redirects are not followed"
        return _Read([], False, flag, [Trouble(NO_ENVELOPE, f"no envelope: {flag} leads elsewhere", fix)])
    kind = (answer.content_type or "").partition(";")[0].strip().lower()
    if not answer.data.strip():
        return _Read([], success, flag, [] if success else [Trouble(NO_ENVELOPE, f"no envelope: {flag}, and no body")])
    text = answer.data.decode("utf-8", "replace")
    value, trouble = _parsed(text, look)
    if trouble is not None:
        if trouble.code is NO_ENVELOPE:
            kind = kind or ("text/html" if text.lstrip()[:1] == "<" else "no type")
            what = "a stack trace, " if _TRACE.search(text) else ""
            message = f"not JSON: {kind}, with status {status}: {what}{shorten(text.strip())}"
            trouble = Trouble(NOT_JSON, message, trouble.fix)
        return _Read([], success, flag, [trouble])
    troubles = []
    if not (kind == "application/json" or kind.endswith("+json")):
        fix = "send it as application/json or application/problem+json"
        troubles.append(
            Trouble(WRONG_CONTENT_TYPE, f"the envelope came as {kind or 'no type'}, which is not JSON", fix)
        )
    if _is_rpc(value):
        found = _value(value, look, success)
        return found._replace(troubles=[*troubles, *found.troubles])
    return _Read([Copy("the body", value)], success, flag, troubles)


def _result(result: Any, look: Look) -> _Read:
    """The result of a call of MCP: `structuredContent` and every text are carriers."""
    if not isinstance(result, dict):
        return _Read([], False, "", [Trouble(NO_ENVELOPE, f"no envelope: the result is {shorten(result)}", _CONSTRUCT)])
    flag = result.get("isError", False)
    says = f"isError is {json.dumps(flag)}" if "isError" in result else "isError is absent"
    troubles: list[Trouble] = []
    success: bool | None = flag is False
    if not isinstance(flag, bool):
        message = f"isError is {shorten(flag)}, and only the boolean true marks a failure"
        troubles.append(Trouble(FLAGGED_SUCCESS, message, "make it a boolean"))
        success = None
    copies: list[Copy] = []
    if result.get("structuredContent") is not None:
        copies.append(Copy("structuredContent", result["structuredContent"]))
    prose: list[Trouble] = []
    content = result.get("content")
    texts = [text for item in (content if isinstance(content, list) else []) if (text := _text_of(item)) is not None]
    for number, text in enumerate(texts):
        value, trouble = _parsed(text, look)
        if trouble is None and isinstance(value, dict | list):
            copies.append(Copy("text" if len(texts) == 1 else f"text {number}", value))
        else:
            scalar = Trouble(NO_ENVELOPE, f"no envelope: the text is only {shorten(value)}", _CONSTRUCT)
            prose.append(trouble or scalar)
    enveloped = any(is_envelope(copy.value, look) for copy in copies)
    if success is not True and not copies:
        troubles += prose or [Trouble(NO_ENVELOPE, "no envelope: the result has no content", _CONSTRUCT)]
    elif success is True and not enveloped:
        troubles += [trouble for trouble in prose if trouble.code is NOT_JSON and trouble.message.startswith("text ")]
        if not troubles and not copies:
            copies.append(Copy("content", texts))
    return _Read(copies, success, says, troubles)


def _text_of(item: Any) -> str | None:
    """The text of a piece of content: its own, or that of the resource in it."""
    if not isinstance(item, dict):
        return None
    resource = item.get("resource")
    text = item.get("text", resource.get("text") if isinstance(resource, dict) else None)
    return text if isinstance(text, str) else None


def _protocol(error: Any, look: Look) -> _Read:
    """An error of JSON-RPC: the envelope is its `data`."""
    data = error.get("data") if isinstance(error, dict) else None
    if data is None:
        said = error.get("message", error) if isinstance(error, dict) else error
        value, trouble = _parsed(said, look) if isinstance(said, str) else (said, None)
        if trouble is not None or not isinstance(value, dict):
            message = f"no envelope: the protocol's error has no data: {shorten(said)}"
            return _Read([], False, "", [Trouble(NO_ENVELOPE, message, "put the envelope into `data` of the error")])
        return _Read([Copy("error.message", value)], False, "", [])
    if isinstance(data, str):
        return _text(data, look, False, "error.data")
    return _Read([Copy("error.data", data)], False, "", [])


def _text(text: str, look: Look, success: bool | None, name: str = "text") -> _Read:
    value, trouble = _parsed(text, look)
    if trouble is not None:
        return _Read([], success, "a text", [trouble])
    return _Read([Copy(name, value)], success, "a text", [])


def _parsed(text: str, look: Look) -> tuple[Any, Trouble | None]:
    """The JSON value of a text, read strictly; or what is in the way."""
    try:
        value = parse(text, "the reply")
    except BadInput as bad:
        problem = bad.problems[0]
    else:
        if isinstance(value, str) and is_envelope(_json_or_none(value), look):
            message = "the envelope is encoded twice: it is JSON inside a JSON string"
            return None, Trouble(NOT_JSON, message, "encode it once")
        return value, None
    if not text.strip():
        return None, Trouble(NO_ENVELOPE, "no envelope: the text is empty", _CONSTRUCT)
    if not problem.message.startswith("is not JSON"):
        where = f" at {problem.location}" if problem.location else ""
        return None, Trouble(
            NOT_JSON, f"not JSON that every parser reads the same: {problem.message}{where}", problem.fix
        )
    begin = text.find("{")
    while begin >= 0:
        try:
            value, end = json.JSONDecoder().raw_decode(text, begin)
        except (ValueError, RecursionError):
            begin = text.find("{", begin + 1)
            continue
        if is_envelope(value, look):
            before, after = text[:begin].strip(), text[end:].strip()
            if after and not before and after[:1] == "{":
                return None, Trouble(NOT_JSON, "text after the JSON envelope: a second one", "answer once")
            where, words = ("before", before) if before else ("after", after)
            return None, Trouble(NOT_JSON, f"text {where} the JSON envelope: {shorten(words)}", _CONSTRUCT)
        begin = text.find("{", begin + 1) if begin + 1 > end else text.find("{", end)
    if text.lstrip()[:1] in ("{", "["):
        return None, Trouble(NOT_JSON, f"no envelope: the JSON breaks off or is malformed: {shorten(text)}", _CONSTRUCT)
    what = "is a stack trace, not JSON" if _TRACE.search(text) else "is not JSON"
    return None, Trouble(NO_ENVELOPE, f"no envelope: the text {what}: {shorten(text.strip())}", _CONSTRUCT)


def _json_or_none(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _disagreements(copies: Sequence[Copy]) -> Iterator[Trouble]:
    """Every place at which a further copy is not what the first is."""
    for copy in copies[1:]:
        first = copies[0]
        for place in list(differences(first.value, copy.value))[:_SHOWN_DIFFERENCES]:
            shown = f"{first.carrier} has {_at(first.value, place)}, {copy.carrier} has {_at(copy.value, place)}"
            fix = "build the envelope once and write it into both"
            yield Trouble(CARRIERS_DISAGREE, f"the carriers disagree on {place or 'everything'}: {shown}", fix)


def _at(value: Any, place: str) -> str:
    try:
        return shorten(get(value, place))
    except LookupError:
        return "nothing"


def _raw(answer: Answer) -> str:
    """The reply as a text for a person."""
    if answer.value is not NO_VALUE:
        text = json.dumps(answer.value, ensure_ascii=False)
        return "\n".join([text, *(json.dumps(other, ensure_ascii=False) for other in answer.more)])
    return answer.data.decode("utf-8", "backslashreplace")


def _line(data: bytes) -> str:
    return shorten(data.strip().split(b"\n")[0].decode("utf-8", "backslashreplace"))
