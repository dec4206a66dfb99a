"""What came back from a tool, just as it came. Nothing is judged here."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from ..codes.replay import TOO_LARGE
from ..errors import NO_VALUE
from ..finding import Code


class Carrier(StrEnum):
    """The way on which an answer came."""

    VALUE = "value"
    """Returned by a function."""
    RAISED = "raised"
    """Raised by a function; `value` is the envelope that the exception carries, if it carries one."""
    RAW = "raw"
    """Bytes on the standard output of a command."""
    HTTP = "http"
    """The body of a response, with its status and type."""
    MCP_RESULT = "mcp-result"
    """`value` is the result of `tools/call`."""
    MCP_PROTOCOL = "mcp-protocol"
    """`value` is the `error` of a JSON-RPC response: `code`, `message`, `data`."""


class Trouble(NamedTuple):
    """What went wrong on the way, and the likely way out."""

    code: Code
    message: str
    fix: str | None = None


def too_large(largest: int) -> Trouble:
    """The trouble of a reply that was not read to its end."""
    fix = "an error is small; `largest` in [replay] is the limit"
    return Trouble(TOO_LARGE, f"the reply is larger than {largest} bytes", fix)


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer. `data` are its bytes where it came as bytes, `value` is its JSON value where it came as one.

    `more` are further answers to the same call. `troubles` say why there is none. `success` is what the carrier itself
    says, where it says something: the exit code of a command. `aside` is what a person wants to see beside the reply,
    such as the end of its standard error.
    """

    carrier: Carrier
    value: Any = NO_VALUE
    more: tuple[Any, ...] = ()
    data: bytes = b""
    status: int | None = None
    content_type: str | None = None
    success: bool | None = None
    troubles: tuple[Trouble, ...] = ()
    aside: str = ""


class Session(Protocol):
    """A tool that can be called."""

    def call(self, request: Mapping[str, Any]) -> Answer:
        """Send the `request` of a fixture and wait for the answer, never longer than the time-out."""


class Adapter(Protocol):
    """A way to a tool. While it is open, what it started runs; afterwards nothing of it does."""

    def open(self) -> AbstractContextManager[Session]:
        """Make ready to call."""
