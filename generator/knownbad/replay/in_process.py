"""A tool as a Python function, called in this process: `package.module:function`."""

from __future__ import annotations

import copy
import importlib
import inspect
import json
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from .. import clock
from ..codes.replay import DIED, RAISED, TIME_OUT
from ..errors import BadInput, Problem
from .answer import Answer, Carrier, Trouble, too_large
from .plain import NotPlain, plain

_ATTRIBUTES = ("envelope", "response", "payload", "body", "to_dict", "as_dict")
"""Where exceptions carry an envelope, the plainest name first."""
_FRAMES = 6


@dataclass(frozen=True, slots=True)
class InProcess:
    """A function. `envelope` makes an envelope of an exception; without it the usual attributes are looked at."""

    function: str
    envelope: str | None = None
    path: tuple[Path, ...] = ()
    timeout: float = 10.0
    largest: int = 1_000_000

    @contextmanager
    def open(self) -> Iterator[Called]:
        """Import the function. Raises BadInput where there is none."""
        with importable(self.path):
            function = load(self.function)
            yield Called(function, load(self.envelope) if self.envelope else None, self.timeout, self.largest)


@contextmanager
def importable(path: tuple[Path, ...]) -> Iterator[None]:
    """Have these folders before all others on the path of imports, for as long as this lasts."""
    before = list(sys.path)
    sys.path[:0] = [str(folder) for folder in path]
    try:
        yield
    finally:
        sys.path[:] = before


def load(spec: str) -> Callable[..., Any]:
    """The function that `package.module:function` names. Raises BadInput."""
    module, _, names = spec.partition(":")
    try:
        with staying():
            found: Any = importlib.import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
    except AttributeError:
        raise BadInput(Problem(f"there is no `{names}` in the module `{module}`", fix="name a function")) from None
    except ModuleNotFoundError as error:
        fix = "add its folder to `path` in [replay], or install it"
        raise BadInput(Problem(f"{spec} cannot be imported: {error}", fix=fix)) from None
    except (Exception, SystemExit, Left) as error:  # noqa: BLE001  a module may do anything
        raise BadInput(Problem(f"{spec} cannot be imported: {type(error).__name__}: {error}")) from None
    if not callable(found):
        raise BadInput(Problem(f"{spec} is no function", value=str(type(found).__name__)))
    function: Callable[..., Any] = found
    return function


@dataclass(frozen=True, slots=True)
class Called:
    """A function that was imported."""

    function: Callable[..., Any]
    envelope: Callable[..., Any] | None
    timeout: float
    largest: int = 1_000_000

    def call(self, request: Mapping[str, Any]) -> Answer:
        """Call the function with the request, in time where a limit can be set (the main thread)."""
        try:
            with clock.limit(self.timeout):
                return self._called(copy.deepcopy(dict(request)))
        except clock.OutOfTime:
            return Answer(Carrier.VALUE, troubles=(Trouble(TIME_OUT, f"no answer within {self.timeout:g} s"),))

    def _called(self, request: dict[str, Any]) -> Answer:
        try:
            with staying():
                returned = self.function(request)
                if inspect.isawaitable(returned):
                    returned = _awaited(returned)
        except KeyboardInterrupt:
            raise
        except Left as left:
            trouble = Trouble(DIED, f"the function ended the process: {left}", "raise or return the error")
            return Answer(Carrier.VALUE, troubles=(trouble,))
        except (Exception, SystemExit) as raised:  # noqa: BLE001  so may a tool
            return self._raised(raised)
        try:
            value = plain(returned)
        except NotPlain as none:
            trouble = Trouble(RAISED, f"the function returned {str(none).rstrip(',')}")
            return Answer(Carrier.VALUE, data=_shown(returned), troubles=(trouble,))
        except (Exception, SystemExit) as raised:  # noqa: BLE001  taking a model apart is the tool's code, too
            return self._raised(raised)
        return self._small_enough(value) or Answer(Carrier.VALUE, value=value)

    def _small_enough(self, value: Any) -> Answer | None:
        """None, or the answer that there is instead of a value that is too large."""
        text = json.dumps(value)
        if len(text) <= self.largest:
            return None
        return Answer(Carrier.VALUE, data=text[: self.largest].encode(), troubles=(too_large(self.largest),))

    def _raised(self, raised: BaseException) -> Answer:
        frames = traceback.format_exception(raised)[-_FRAMES:]
        trace = "".join(frames).encode("utf-8", "replace")
        try:
            with staying():
                value = plain(self.envelope(raised)) if self.envelope else carried(raised)
        except NotPlain as none:
            trouble = Trouble(RAISED, f"{_named(raised)} carries {str(none).rstrip(',')}")
            return Answer(Carrier.RAISED, data=trace, troubles=(trouble,))
        except (Exception, SystemExit, Left) as failed:  # noqa: BLE001  it is the tool's code, too
            trouble = Trouble(RAISED, f"making the envelope of {_named(raised)} raised {_named(failed)}")
            return Answer(Carrier.RAISED, data=trace, troubles=(trouble,))
        if value is None:
            fix = "raise an exception that carries the envelope, or name a converter: `envelope` in [replay.callable]"
            trouble = Trouble(RAISED, f"the function raised {_named(raised)}, which carries no envelope", fix)
            return Answer(Carrier.RAISED, data=trace, troubles=(trouble,))
        return self._small_enough(value) or Answer(Carrier.RAISED, value=value, success=False)


class Left(BaseException):
    """The tool wanted to end the process at once."""


@contextmanager
def staying() -> Iterator[None]:
    """Keep `os._exit` from ending this process without a word; in a child that was forked off it does what it does."""
    ours, leave = os.getpid(), os._exit

    def stay(status: int) -> NoReturn:
        if os.getpid() != ours:
            leave(status)
        raise Left(f"os._exit({status})")

    os._exit = stay
    try:
        yield
    finally:
        os._exit = leave


def _shown(returned: Any) -> bytes:
    """The beginning of a value that is no JSON data."""
    try:
        return repr(returned)[:2000].encode("utf-8", "backslashreplace")
    except Exception:  # noqa: BLE001  nested too deeply, too large, or a `__repr__` that fails
        return type(returned).__name__.encode()


def _named(raised: BaseException) -> str:
    text = str(raised)
    return type(raised).__name__ + (f": {text[:200]}" if text else "")


def _awaited(awaitable: Any) -> Any:
    import asyncio

    async def wait() -> Any:
        return await awaitable

    return asyncio.run(wait())


def carried(raised: BaseException) -> Any:
    """The envelope that an exception carries: in an attribute, as the data of a protocol error, or as its argument."""
    for name in _ATTRIBUTES:
        found = getattr(raised, name, None)
        if callable(found):
            found = found()
        value = _plain_or_none(found)
        if isinstance(value, dict):
            return value
    data = getattr(getattr(raised, "error", None), "data", None)
    for candidate in (data, *raised.args[:1]):
        value = _plain_or_none(candidate)
        if isinstance(value, str) and value.lstrip()[:1] == "{":
            try:
                value = json.loads(value)
            except ValueError:
                continue
        if isinstance(value, dict):
            return value
    return None


def _plain_or_none(value: Any) -> Any:
    """A mapping or model has to be plain; what is neither carries nothing. Raises NotPlain."""
    try:
        return plain(value)
    except NotPlain:
        if isinstance(value, Mapping):
            raise
        return None
