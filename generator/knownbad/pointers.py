"""JSON Pointers (RFC 6901), as text and as steps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

Step = str | int


def escape(step: Step) -> str:
    """One reference token: `~` and `/` escaped."""
    text = str(step)
    return text.replace("~", "~0").replace("/", "~1") if "~" in text or "/" in text else text


def join(pointer: str, *steps: Step) -> str:
    """`pointer` with `steps` appended."""
    for step in steps:
        pointer += "/" + escape(step)
    return pointer


def pointer(steps: Iterable[Step]) -> str:
    """The JSON Pointer of these steps from the root."""
    tokens = [*map(str, steps)]
    text = "/".join(("", *tokens))
    return text if "~" not in text and text.count("/") == len(tokens) else join("", *tokens)


def steps(text: str) -> list[str]:
    """The unescaped reference tokens of a JSON Pointer; `""` has none."""
    found = text.split("/")[1:]
    return [step.replace("~1", "/").replace("~0", "~") for step in found] if "~" in text else found


def get(value: Any, text: str) -> Any:
    """The part of `value` at a JSON Pointer. Raises LookupError when there is none."""
    for step in steps(text):
        if isinstance(value, list):
            if not (step == "0" or step.isascii() and step.isdigit() and step[0] != "0"):
                raise LookupError(f"no index {step!r}")
            value = value[int(step)]
        elif isinstance(value, dict):
            value = value[step]
        else:
            raise LookupError(f"nothing at {text!r}")
    return value


def replace(value: Any, path: Iterable[Step], new: Any) -> Any:
    """A copy of `value` with the part at `path` replaced; everything off the path is shared, not copied."""
    at = list(path)
    if not at:
        return new
    first, rest = at[0], at[1:]
    if isinstance(value, list):
        index = int(first)
        return [*value[:index], replace(value[index], rest, new), *value[index + 1 :]]
    return {**value, str(first): replace(value[str(first)], rest, new)}
