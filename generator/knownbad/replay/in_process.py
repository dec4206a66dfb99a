"""A tool as a Python function, called in this process: `package.module:function`."""

from __future__ import annotations

import copy
import importlib
import inspect
import json
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass
from pathlib import Path
from typing import Any

from .. import clock
from ..codes.replay import RAISED, TIME_OUT
from ..errors import BadInput, Problem
from .answer import Answer, Carrier, Trouble, too_large

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
        found: Any = importlib.import_module(module)
        for name in names.split("."):
            found = getattr(found, name)
    except AttributeError:
        raise BadInput(Problem(f"there is no `{names}` in the module `{module}`", fix="name a function")) from None
    except ModuleNotFoundError as error:
        fix = "add its folder to `path` in [replay], or install it"
        raise BadInput(Problem(f"{spec} cannot be imported: {error}", fix=fix)) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001  a module may do anything
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
            returned = self.function(request)
            if inspect.isawaitable(returned):
                returned = _awaited(returned)
        except KeyboardInterrupt:
            raise
        except (Exception, SystemExit) as raised:  # noqa: BLE001  so may a tool
            return self._raised(raised)
        value = plain(returned)
        if value is _NOT_PLAIN:
            trouble = Trouble(RAISED, f"the function returned a {type(returned).__name__}, which is no JSON value")
            return Answer(Carrier.VALUE, data=repr(returned)[:2000].encode("utf-8", "replace"), troubles=(trouble,))
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
            value = plain(self.envelope(raised)) if self.envelope else carried(raised)
        except (Exception, SystemExit) as failed:  # noqa: BLE001  it is the tool's code, too
            trouble = Trouble(RAISED, f"making the envelope of {_named(raised)} raised {_named(failed)}")
            return Answer(Carrier.RAISED, data=trace, troubles=(trouble,))
        if value is _NOT_PLAIN or value is None:
            fix = "raise an exception that carries the envelope, or name a converter: `envelope` in [replay.callable]"
            trouble = Trouble(RAISED, f"the function raised {_named(raised)}, which carries no envelope", fix)
            return Answer(Carrier.RAISED, data=trace, troubles=(trouble,))
        return self._small_enough(value) or Answer(Carrier.RAISED, value=value, success=False)


_NOT_PLAIN: Any = object()


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
        value = plain(found)
        if isinstance(value, dict):
            return value
    data = getattr(getattr(raised, "error", None), "data", None)
    for candidate in (data, *raised.args[:1]):
        value = plain(candidate)
        if isinstance(value, str) and value.lstrip()[:1] == "{":
            try:
                value = json.loads(value)
            except ValueError:
                continue
        if isinstance(value, dict):
            return value
    return None


def plain(value: Any) -> Any:
    """A value as plain JSON data: models and dataclasses taken apart, tuples as lists; a mark for what is none."""
    kind = type(value)
    if kind is dict:
        if all(type(name) is str for name in value):
            members = {name: plain(item) for name, item in value.items()}
            return _NOT_PLAIN if any(item is _NOT_PLAIN for item in members.values()) else members
        return _NOT_PLAIN
    if kind in (str, int, bool, type(None)):
        return value
    if kind is float:
        return value if value == value and abs(value) != float("inf") else _NOT_PLAIN
    if isinstance(value, list | tuple):
        items = [plain(item) for item in value]
        return _NOT_PLAIN if any(item is _NOT_PLAIN for item in items) else items
    if is_dataclass(value) and not isinstance(value, type):
        return plain({name: getattr(value, name) for name in value.__dataclass_fields__})
    if callable(dump := getattr(value, "model_dump", None)) and not isinstance(value, type):
        return plain(dump(mode="json", by_alias=True, exclude_unset=True))
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    return plain(dict(value)) if isinstance(value, Mapping) else _NOT_PLAIN
