"""Small edits of the text of a JSON or YAML document; all that is not edited stays as it is, comments too."""

from __future__ import annotations

import json
import re
from typing import Any

from ..documents import is_yaml
from ..errors import BadInput
from ..pointers import get, steps
from ..positions import Position, positions
from ..values import equal
from .look import Repair

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_SINGLE = re.compile(r"'(?:[^']|'')*'")


class CannotEditError(Exception):
    """The text is written in a way that this edit does not know."""


def edited(text: str, name: str, repair: Repair) -> str:
    """The text after a repair. What it then says is compared with what it should. Raises CannotEditError."""
    from ..documents import parse

    try:
        before = parse(text, name)
        wanted = _wanted(before, repair)
        changed = _Text(text, name).apply(repair)
        after = parse(changed, name)
    except (BadInput, LookupError, ValueError, TypeError) as error:
        raise CannotEditError(str(error)) from None
    if not equal(after, wanted):
        raise CannotEditError("the edit would change something else")
    return changed


def _wanted(value: Any, repair: Repair) -> Any:
    """What a document says after a repair."""
    if repair.kind == "add":
        return _put(value, repair.pointer, {repair.name: repair.value, **get(value, repair.pointer)})
    parent, last = repair.pointer.rpartition("/")[0], steps(repair.pointer)[-1]
    holder, held = get(value, parent), get(value, repair.pointer)
    if repair.kind == "rename":
        if repair.name in holder:
            raise LookupError("there already")
        return _put(value, parent, {repair.name if k == last else k: v for k, v in holder.items()})
    if isinstance(holder, list):
        return _put(value, parent, [v for n, v in enumerate(holder) if n != int(last)])
    left = _put(value, parent, {k: v for k, v in holder.items() if k != last})
    if repair.kind == "move":
        target = get(left, repair.target)
        if repair.name in target:
            raise LookupError("there already")
        return _put(left, repair.target, {**target, repair.name: held})
    return left


def _put(value: Any, pointer: str, new: Any) -> Any:
    from ..pointers import replace

    return replace(value, steps(pointer), new)


class _Text:
    """One text with the places of its values."""

    def __init__(self, text: str, name: str) -> None:
        self.text = text
        self.name = name
        self.yaml = is_yaml(name)
        self.places = positions(text, name)
        self._ending = "\r\n" if "\r\n" in text else "\n"
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]

    def apply(self, repair: Repair) -> str:
        if repair.kind == "add":
            return self._add(repair)
        if repair.kind == "rename":
            return self._rename(repair)
        if repair.kind == "drop":
            return self._drop(repair.pointer)
        return self._move(repair)

    # ---- offsets

    def _place(self, pointer: str) -> Position:
        if pointer not in self.places:
            raise CannotEditError(f"the text has nothing at {pointer}")
        return self.places[pointer]

    def key(self, pointer: str) -> int:
        """Where a member's key begins, or an item."""
        place = self._place(pointer)
        return self._starts[place.line - 1] + place.column - 1

    def value(self, pointer: str) -> tuple[int, int]:
        """Where a value begins and ends."""
        place = self._place(pointer)
        start = self._starts[place.value_line - 1] + place.value_column - 1
        return start, self._starts[place.end_line - 1] + place.end_column - 1

    def _flow(self, pointer: str) -> bool:
        """Whether an object or array is written with brackets."""
        return not self.yaml or self.text[self.value(pointer)[0]] in "{["

    def _children(self, pointer: str) -> list[str]:
        depth = pointer.count("/") + 1
        return [p for p in self.places if p.count("/") == depth and p.startswith(pointer + "/")]

    # ---- edits

    def _rename(self, repair: Repair) -> str:
        start = self.key(repair.pointer)
        name = steps(repair.pointer)[-1]
        quoted = _STRING.match(self.text, start) or (_SINGLE.match(self.text, start) if self.yaml else None)
        if quoted is not None:
            mark = quoted[0][0]
            new, end = mark + repair.name + mark, quoted.end()
        elif self.yaml and self.text.startswith(name, start):
            new, end = repair.name, start + len(name)
        else:
            raise CannotEditError("the key is written in another way")
        return self.text[:start] + new + self.text[end:]

    def _add(self, repair: Repair) -> str:
        line = json.dumps(repair.value, ensure_ascii=False)
        children = self._children(repair.pointer)
        start, end = self.value(repair.pointer)
        if not self._flow(repair.pointer):
            first = self.key(children[0])
            indent = self.text[self.text.rfind("\n", 0, first) + 1 : first]
            if indent.strip():
                raise CannotEditError("the first member stands in a list")
            return f"{self.text[:first]}{_yaml_key(repair.name)}: {line}{self._ending}{indent}{self.text[first:]}"
        member = f"{json.dumps(repair.name, ensure_ascii=False)}: {line}"
        if not children:
            return self.text[:start] + "{ " + member + " }" + self.text[end:]
        first = self.key(children[0])
        space = self.text[start + 1 : first]
        if space.strip():
            raise CannotEditError("something stands before the first member")
        between = space if "\n" in space else " "
        return f"{self.text[:first]}{member},{between}{self.text[first:]}"

    def _drop(self, pointer: str) -> str:
        parent = pointer.rpartition("/")[0]
        siblings = self._children(parent)
        if pointer not in siblings:
            raise CannotEditError("the text has no such member")
        at = siblings.index(pointer)
        if not self._flow(parent):
            return self._drop_lines(pointer, alone=len(siblings) == 1)
        start, end = self.key(pointer), self.value(pointer)[1]
        if len(siblings) == 1:
            inner = self.value(parent)
            return self.text[: inner[0] + 1] + self.text[inner[1] - 1 :]
        if at + 1 < len(siblings):
            following = self.key(siblings[at + 1])
            self._only_commas(end, following)
            return self.text[:start] + self.text[following:]
        before = self.value(siblings[at - 1])[1]
        self._only_commas(before, start)
        return self.text[:before] + self.text[end:]

    def _only_commas(self, start: int, end: int) -> None:
        if self.text[start:end].strip() != ",":
            raise CannotEditError("something stands between the members")

    def _drop_lines(self, pointer: str, *, alone: bool) -> str:
        start, end = self.key(pointer), self.value(pointer)[1]
        begin = self.text.rfind("\n", 0, start) + 1
        before = self.text[begin:start]
        stop = self.text.find("\n", end)
        stop = len(self.text) if stop < 0 else stop + 1
        rest = self.text[end:stop].strip()
        if alone or before.strip() not in ("", "-") or rest and not rest.startswith("#"):
            raise CannotEditError("the member shares its line with others")
        if before.strip() == "-" and "/" in pointer and not steps(pointer)[-1].isdigit():
            raise CannotEditError("the member is the first one of an item")
        return self.text[:begin] + self.text[stop:]

    def _move(self, repair: Repair) -> str:
        """Out of `properties`, to the place right after it."""
        holder = repair.pointer.rpartition("/")[0]
        start, end = self.value(repair.pointer)
        value = self.text[start:end]
        if "\n" in value:
            raise CannotEditError("the value has several lines")
        begin = self.key(holder)
        after = self.value(holder)[1]
        indent = self.text[self.text.rfind("\n", 0, begin) + 1 : begin]
        own_line = not indent.strip() and "\n" in self.text
        if self._flow(repair.target):
            space = self._ending + indent if own_line else " "
            added = f",{space}{_yaml_key(repair.name) if self.yaml else json.dumps(repair.name)}: {value}"
        elif own_line:
            added = f"{self._ending}{indent}{_yaml_key(repair.name)}: {value}"
        else:
            raise CannotEditError("the object begins in a list")
        with_it = self.text[:after] + added + self.text[after:]
        return _Text(with_it, self.name)._drop(repair.pointer)


def _yaml_key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z_$][A-Za-z0-9_$-]*", name) else json.dumps(name)
