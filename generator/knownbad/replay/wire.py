"""What went over an MCP connection, byte for byte: a reply is seen as it was sent, not as an SDK reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

CALL = "tools/call"
JSON, EVENTS = "application/json", "text/event-stream"
"""The types under which answers come."""


@dataclass(slots=True)
class Piece:
    """One body of HTTP, or the output of a server so far. `asked`: the identity of the call that it answers."""

    data: bytearray = field(default_factory=bytearray)
    status: int | None = None
    content_type: str = "application/json"
    asked: Any = None

    @property
    def kind(self) -> str:
        """The type of the content, without its parameters."""
        return self.content_type.partition(";")[0].strip().lower()

    def messages(self) -> Iterator[dict[str, Any]]:
        """The JSON objects in it: as a whole, a line each, or as the data of events."""
        text = self.data.decode("utf-8", "replace")
        if self.kind == EVENTS:
            texts = [_event(event) for event in text.replace("\r\n", "\n").split("\n\n")]
        else:
            texts = [text] if self.status is not None else text.split("\n")
        for part in texts:
            try:
                found = json.loads(part)
            except (ValueError, RecursionError):
                continue
            yield from (item for item in (found if isinstance(found, list) else [found]) if isinstance(item, dict))

    def unread(self) -> bytes:
        """What in it is no JSON, or no UTF-8."""
        if self.status is not None:
            return b"" if _is_utf8(self.data) and any(True for _ in self.messages()) else bytes(self.data)
        return b"\n".join(line for line in bytes(self.data).split(b"\n") if line.strip() and not _is_json(line))


@dataclass(slots=True)
class Wire:
    """The pieces that came since the last call was sent, and the identity of that call."""

    largest: int
    asked: Any = None
    pieces: list[Piece] = field(default_factory=list)
    too_large: bool = False
    failed: Exception | None = None
    """What kept the last message from getting there, where a client would say less."""

    def clear(self) -> None:
        """Forget what came."""
        self.asked, self.pieces, self.too_large, self.failed = None, [], False, None

    def sent(self, message: bytes | str) -> Any:
        """Note a message that goes out. Returns the identity of a call, None for other messages."""
        try:
            found = json.loads(message)
        except ValueError:
            return None
        if not isinstance(found, dict) or found.get("method") != CALL:
            return None
        self.clear()
        self.asked = found.get("id")
        return self.asked

    def piece(self, **about: Any) -> Piece:
        """A new piece, which will be filled."""
        self.pieces.append(Piece(**about))
        return self.pieces[-1]

    def add(self, piece: Piece, chunk: bytes) -> bool:
        """Put what came into a piece; whether it is still small enough."""
        if len(piece.data) + len(chunk) > self.largest:
            self.too_large = True
            del piece.data[self.largest :]
            return False
        piece.data.extend(chunk)
        return True

    def answers(self) -> list[dict[str, Any]]:
        """The JSON-RPC responses to the last call, in the order in which they came."""
        return [
            message
            for piece in self.pieces
            for message in piece.messages()
            if message.get("id") == self.asked and ("result" in message or "error" in message)
        ]

    def unread(self) -> bytes:
        """What came since the call and is no JSON."""
        return b"\n".join(filter(None, (piece.unread() for piece in self.pieces)))


def _event(event: str) -> str:
    return "\n".join(line[5:].removeprefix(" ") for line in event.split("\n") if line.startswith("data:"))


def _is_utf8(data: bytearray) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True
