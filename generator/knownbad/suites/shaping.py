"""What an agent is given: a recorded response as the result of an MCP tool call."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

KNOWN = ("content", "structuredContent", "_meta")
"""The members of a result that carry what a tool answered. `isError` is none of them: only the entry says that."""


_CARRIED = ("isError", "resultType")
"""What the protocol adds to an answer."""


def result_of(response: Any, is_error: bool, version: str) -> dict[str, Any]:
    """The `CallToolResult` for a recorded response, for a protocol version.

    A response of that shape is given as it is, without what the protocol does not know. Any other goes in as one block
    of text that holds its JSON. A success carries no flag.
    """
    flag = {"isError": True} if is_error else {}
    if isinstance(response, dict) and "content" in response:
        found = {name: response[name] for name in KNOWN if name in response}
        if _is_result(found, version):
            return {**found, **flag, "resultType": "complete"}
    text = json.dumps(response, ensure_ascii=False)
    return {"content": [{"type": "text", "text": text}], **flag, "resultType": "complete"}


def response_of(result: Mapping[str, Any]) -> dict[str, Any]:
    """What is recorded of a result: what the tool answered, without how the protocol carried it."""
    return {name: result[name] for name in KNOWN if name in result and result[name] is not None}


def same_answer(response: Any, given: Any) -> bool:
    """Whether an agent was given this recorded response: as it is, as a result, or as text."""
    from ..values import equal

    if equal(response, given):
        return True
    if not isinstance(given, dict):
        return False
    if isinstance(response, dict) and not response.keys().isdisjoint(KNOWN):
        told = {name: value for name, value in given.items() if name in KNOWN or name not in _CARRIED}
        known = {name: value for name, value in response.items() if name in KNOWN or name in told}
        if equal(known, told):
            return True
    blocks = given.get("content")
    if not (isinstance(blocks, list) and len(blocks) == 1 and isinstance(blocks[0], dict)):
        return False
    try:
        return equal(json.loads(blocks[0].get("text", "")), response)
    except (TypeError, ValueError):
        return False


def _is_result(members: Mapping[str, Any], version: str) -> bool:
    """Whether these members are what this version of the protocol knows, such that nothing of them is lost."""
    if (
        members.keys() == {"content"}
        and isinstance(members["content"], list)
        and all(map(_is_text, members["content"]))
    ):
        return True  # the common case, which every version knows
    from pydantic import ValidationError

    serialize = _serializer()
    try:
        wire = serialize("tools/call", version, {**members, "resultType": "complete"})
    except (ValidationError, KeyError, ValueError):
        return False
    return all(name in wire or members[name] is None for name in members)


def _is_text(block: Any) -> bool:
    return (
        isinstance(block, dict)
        and block.keys() == {"type", "text"}
        and block["type"] == "text"
        and isinstance(block["text"], str)
    )


@cache
def _serializer() -> Any:
    from mcp_types import methods

    return methods.serialize_server_result
