"""Where the values of a JSON or YAML document stand in its text, by JSON Pointer."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from .documents import is_yaml
from .errors import BadInput, Problem
from .pointers import escape
from .yaml_text import MAX_NODES

_ESCAPE = r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})'
_TOKEN = re.compile(rf'"[^"\\\x00-\x1f]*(?:{_ESCAPE}[^"\\\x00-\x1f]*)*"|[\[\]{{}}:,]|[^ \t\r\n\[\]{{}}:,"]+|"')
_SURROGATE = re.compile("[\ud800-\udfff]")
_SCALAR = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|true|false|null")


class Position(NamedTuple):
    """The place of one value; lines and columns count from 1, columns in characters, `\\n` alone ends a line.

    `line` and `column` are those of the key of a member and of the value of an item; `value_line` and `value_column`
    are always the value's. The value ends in `end_line`, before `end_column`.
    """

    line: int
    column: int
    value_line: int
    value_column: int
    end_line: int
    end_column: int


def positions(text: str, name: str) -> dict[str, Position]:
    """The place of every value in a document, YAML or JSON by the suffix of `name`. Linear in the text.

    What an alias or `<<` brings into a YAML document stands where its anchor stands. Raises BadInput where the text
    is no document.
    """
    return _of_yaml(text, name) if is_yaml(name) else _of_json(text, name)


_OPEN = Position(1, 1, 1, 1, 1, 1)


class _Lines:
    """Turns offsets into lines and columns."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def at(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def position(self, key: int, value: int, end: int) -> Position:
        return Position(*self.at(key), *self.at(value), *self.at(end))


@dataclass(slots=True)
class _Open:
    """A JSON array or object that is being read. `index` counts the items of an array, None in an object."""

    pointer: str
    start: int
    key_start: int
    index: int | None
    member: str = ""
    member_start: int = 0

    def step(self) -> str:
        return f"{self.pointer}/{self.index if self.index is not None else escape(self.member)}"


def _of_json(text: str, name: str) -> dict[str, Position]:
    lines = _Lines(text)
    found: dict[str, Position] = {}
    stack: list[_Open] = []
    expected = "value"
    """One of: `value`, `value or end`, `key`, `key or end`, `colon`, `comma or end`, `nothing`."""

    def wrong(offset: int) -> BadInput:
        line, column = lines.at(offset)
        return BadInput(Problem(f"is not JSON: {expected} was expected", name, f"{line}:{column}"))

    def closed(pointer: str, key: int, start: int, end: int) -> None:
        nonlocal expected
        found[pointer] = lines.position(key, start, end)
        expected = "comma or end" if stack else "nothing"

    for match in _TOKEN.finditer(text):
        token, start = match[0], match.start()
        first = token[0]
        top = stack[-1] if stack else None
        if first in "]}":
            closes = top is not None and (first == "]") == (top.index is not None)
            if top is None or not closes or not expected.endswith(" end"):
                raise wrong(start)
            stack.pop()
            closed(top.pointer, top.key_start, top.start, match.end())
        elif first == ",":
            if top is None or expected != "comma or end":
                raise wrong(start)
            if top.index is None:
                expected = "key"
            else:
                top.index += 1
                expected = "value"
        elif first == ":":
            if expected != "colon":
                raise wrong(start)
            expected = "value"
        elif expected.startswith("key") and top is not None:
            if first != '"' or len(token) < 2:
                raise wrong(start)
            top.member, top.member_start = json.loads(token) if "\\" in token else token[1:-1], start
            expected = "colon"
        elif expected.startswith("value"):
            pointer = top.step() if top else ""
            key = top.member_start if top and top.index is None else start
            if first in "[{":
                stack.append(_Open(pointer, start, key, 0 if first == "[" else None))
                found[pointer] = _OPEN  # so that pointers come in the order of the text
                expected = "value or end" if first == "[" else "key or end"
            elif len(token) > 1 if first == '"' else _SCALAR.fullmatch(token):
                closed(pointer, key, start, match.end())
            else:
                raise wrong(start)
        else:
            raise wrong(start)
    if expected != "nothing":
        raise wrong(len(text))
    return found


@dataclass(slots=True)
class _Node:
    """A value of a YAML document, by the offsets of its text. `children`: members or items; None: a scalar."""

    key_start: int
    start: int
    end: int
    children: dict[str, _Node] | list[_Node] | None = None


@dataclass(slots=True)
class _OpenNode:
    """A YAML collection that is being read. `key` is the name that waits for its value, with its offset."""

    node: _Node
    anchor: str | None
    flow: bool
    key: tuple[str, int] | None = None
    merged: list[_Node] = field(default_factory=list)


class _Tree:
    """Builds the nodes of a YAML document from its events."""

    def __init__(self) -> None:
        self.root: _Node | None = None
        self.stack: list[_OpenNode] = []
        self.anchors: dict[str, _Node] = {}
        self.names: dict[str, str] = {}

    def wants_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].node.children, dict) and self.stack[-1].key is None

    def key(self, text: str, start: int, anchor: str | None) -> None:
        self.stack[-1].key = (text, start)
        if anchor is not None:
            self.names[anchor] = text

    def new(self, start: int, end: int, children: dict[str, _Node] | list[_Node] | None = None) -> _Node:
        """A value that begins here; it knows its key already, and joins its collection when it is complete."""
        key = self.stack[-1].key if self.stack else None
        return _Node(key[1] if key else start, start, end, children)

    def add(self, node: _Node, anchor: str | None) -> None:
        if anchor is not None:
            self.anchors[anchor] = node
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        top.node.end = max(top.node.end, node.end)
        if isinstance(top.node.children, list):
            top.node.children.append(node)
        elif isinstance(top.node.children, dict) and top.key is not None:
            if top.key[0] == "<<":
                top.merged += node.children if isinstance(node.children, list) else [node]
            else:
                top.node.children[top.key[0]] = node
            top.key = None

    def close(self, end: int) -> None:
        done = self.stack.pop()
        if done.flow:  # the marks of a block are past the comments and blank lines after it
            done.node.end = end
        for source in done.merged:
            if isinstance(source.children, dict) and isinstance(done.node.children, dict):
                for name, child in source.children.items():
                    done.node.children.setdefault(name, child)
        self.add(done.node, done.anchor)


def _of_yaml(text: str, name: str) -> dict[str, Position]:
    import yaml

    tree = _Tree()
    try:
        for event in yaml.parse(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
            marks: Any = event
            start, end = marks.start_mark.index, marks.end_mark.index
            anchor: Any = getattr(event, "anchor", None)
            if isinstance(event, yaml.AliasEvent) and tree.wants_key():
                tree.key(tree.names.get(anchor, "?"), start, None)
            elif isinstance(event, yaml.AliasEvent):
                source = tree.anchors.get(anchor)
                tree.add(tree.new(start, end, source.children if source else None), None)
            elif isinstance(event, yaml.ScalarEvent) and tree.wants_key():
                tree.key(_paired(event.value), start, anchor)
            elif isinstance(event, yaml.ScalarEvent):
                written = text[start:end]  # a block scalar ends after the blank lines that follow it
                tree.add(tree.new(start, start + len(written.rstrip())), anchor)
            elif isinstance(event, yaml.CollectionStartEvent):
                children: dict[str, _Node] | list[_Node] = {} if isinstance(event, yaml.MappingStartEvent) else []
                tree.stack.append(_OpenNode(tree.new(start, end, children), anchor, bool(event.flow_style)))
            elif isinstance(event, yaml.CollectionEndEvent):
                tree.close(end)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{mark.line + 1}:{mark.column + 1}" if mark is not None else None
        raise BadInput(Problem("is not YAML", name, place)) from None
    return _flat(tree.root, _Lines(text))


def _paired(text: str) -> str:
    """`text` with escaped surrogate pairs, which JSON writes, as the characters that they stand for."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if _SURROGATE.search(text) else text


def _flat(root: _Node | None, lines: _Lines) -> dict[str, Position]:
    found: dict[str, Position] = {}
    waiting = [("", root)] if root else []
    while waiting:
        pointer, node = waiting.pop()
        found[pointer] = lines.position(node.key_start, node.start, node.end)
        if len(found) + len(waiting) > MAX_NODES:
            break
        below = node.children.items() if isinstance(node.children, dict) else enumerate(node.children or ())
        waiting += reversed([(f"{pointer}/{escape(step)}", child) for step, child in below])
    return found
