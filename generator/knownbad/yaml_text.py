"""YAML restricted to the JSON data model: YAML 1.2 core scalars, string keys, no tags of its own, bounded aliases.

The value is built from parser events in one loop, so neither depth nor aliases can exhaust the stack or the memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from .errors import BadInput, Problem
from .pointers import Step, pointer

MAX_NODES = 1_000_000
"""The most nodes that a document may have once its aliases are written out."""

_TAG = "tag:yaml.org,2002:"
_NULL = re.compile(r"(?:~|null|Null|NULL|)\Z")
_TRUE = re.compile(r"(?:true|True|TRUE)\Z")
_FALSE = re.compile(r"(?:false|False|FALSE)\Z")
_INT = re.compile(r"[-+]?[0-9]+\Z")
_OCTAL_HEX = re.compile(r"0o[0-7]+\Z|0x[0-9a-fA-F]+\Z")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_MAX_DIGITS = 4000


@dataclass(slots=True)
class _Open:
    """A collection that is being filled. `key` is the name that waits for its value."""

    value: Any
    anchor: str | None
    key: str | None = None
    merged: list[dict[str, Any]] = field(default_factory=list)
    nodes: int = 1

    def step(self) -> Step | None:
        return len(self.value) if isinstance(self.value, list) else self.key


class _Builder:
    def __init__(self, name: str, max_depth: int) -> None:
        self.name = name
        self.max_depth = max_depth
        self.stack: list[_Open] = []
        self.problems: list[Problem] = []
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.nodes = 0
        self.documents: list[Any] = []

    def place(self) -> str:
        """The pointer of the node that comes next."""
        return pointer(step for opened in self.stack if (step := opened.step()) is not None)

    def problem(self, message: str, event: Any, value: Any = None, fix: str | None = None) -> Problem:
        location = self.place() or f"{event.start_mark.line + 1}:{event.start_mark.column + 1}"
        extra = {} if value is None else {"value": value}
        return Problem(message, self.name, location, fix=fix, **extra)

    def expects_key(self) -> bool:
        return bool(self.stack) and isinstance(self.stack[-1].value, dict) and self.stack[-1].key is None

    def add(self, value: Any, nodes: int, event: Any) -> None:
        """Put a finished value (of that many nodes) where it belongs."""
        if not self.stack:
            self.documents.append(value)
            return
        top = self.stack[-1]
        top.nodes += nodes
        if isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            self.problems.append(self.problem("a key must be a plain scalar", event))
            top.key = "?"
        elif top.key == "<<":
            sources = value if isinstance(value, list) else [value]
            if not all(isinstance(source, dict) for source in sources):
                self.problems.append(self.problem("`<<` merges mappings only", event))
            top.merged += [source for source in sources if isinstance(source, dict)]
            top.key = None
        else:
            top.value[top.key] = value
            top.key = None

    def count(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            message = f"has more than {MAX_NODES} nodes once its aliases are written out"
            raise BadInput([*self.problems, Problem(message, self.name, self.place() or None)])

    def alias(self, event: Any) -> None:
        found = self.anchors.get(event.anchor)
        if found is None:
            inside = any(opened.anchor == event.anchor for opened in self.stack)
            message = f"the alias *{event.anchor} " + ("stands inside itself" if inside else "has no anchor before it")
            raise BadInput([*self.problems, self.problem(message, event)])
        value, nodes = found
        if self.expects_key():
            self.key(str(value) if isinstance(value, str) else "?", event)
            return
        self.count(nodes)
        self.add(value, nodes, event)

    def key(self, text: str, event: Any) -> None:
        top = self.stack[-1]
        top.key = text
        if text != "<<" and text in top.value:
            self.problems.append(self.problem("duplicate key", event, text, "keep one of them"))

    def scalar(self, event: Any) -> None:
        self.count(1)
        if self.expects_key():
            # Keys are names in JSON: `200:` in an OpenAPI document is the member "200".
            text = self.text(event)
            if event.anchor is not None:
                self.anchors[event.anchor] = (text, 1)
            self.key(text, event)
            return
        value = self.scalar_value(event)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, 1)
        self.add(value, 1, event)

    def text(self, event: Any) -> str:
        """The text of a scalar; escaped surrogate pairs, which JSON writes, become the character they stand for."""
        text: str = event.value
        if any("\ud800" <= character <= "\udfff" for character in text):
            try:
                return text.encode("utf-16", "surrogatepass").decode("utf-16")
            except UnicodeDecodeError:
                message = "holds half of a surrogate pair, which is no character"
                self.problems.append(self.problem(message, event))
                return "?"
        return text

    def scalar_value(self, event: Any) -> Any:
        text = self.text(event)
        tag = (event.tag or "").removeprefix(_TAG)
        if tag in ("str", "!") or (not tag and not event.implicit[0]):
            return text
        if tag not in ("", "null", "bool", "int", "float"):
            fix = "JSON has strings, numbers, booleans and null only"
            self.problems.append(self.problem(f"the tag !!{tag} is not in the JSON data model", event, text, fix))
            return text
        value = self.plain(text, event)
        if tag == "float" and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if tag and {"null": type(None), "bool": bool, "int": int, "float": float}[tag] is not type(value):
            self.problems.append(self.problem(f"is no !!{tag}", event, text))
        return value

    def plain(self, text: str, event: Any) -> Any:
        """A plain scalar by the core schema of YAML 1.2: `yes`, `on` and dates are strings."""
        if _NULL.match(text):
            return None
        if _TRUE.match(text) or _FALSE.match(text):
            return text[0] in "tT"
        if _INT.match(text):
            if len(text) > _MAX_DIGITS:
                self.problems.append(self.problem("holds an integer of thousands of digits", event))
                return 0
            return int(text)
        if _OCTAL_HEX.match(text):
            return int(text, 0)
        if _NOT_FINITE.match(text) or _FLOAT.match(text) and not isfinite(float(text)):
            message = "is no JSON number: NaN, an infinity, or too large for a double"
            self.problems.append(self.problem(message, event, text))
            return 0
        return float(text) if _FLOAT.match(text) else text

    def open(self, value: Any, event: Any) -> None:
        self.count(1)
        tag = (event.tag or "").removeprefix(_TAG)
        if tag not in ("", "!", "map" if isinstance(value, dict) else "seq"):
            self.problems.append(self.problem(f"the tag !!{tag} is not in the JSON data model", event))
        if self.expects_key():
            raise BadInput([*self.problems, self.problem("a key must be a plain scalar", event)])
        if len(self.stack) >= self.max_depth:
            location = f"{event.start_mark.line + 1}:{event.start_mark.column + 1}"
            message = f"is nested deeper than {self.max_depth} levels"
            raise BadInput([*self.problems, Problem(message, self.name, location)])
        self.stack.append(_Open(value, event.anchor))

    def close(self, event: Any) -> None:
        done = self.stack.pop()
        for source in done.merged:
            for member, item in source.items():
                done.value.setdefault(member, item)
        if done.anchor is not None:
            self.anchors[done.anchor] = (done.value, done.nodes)
        self.add(done.value, done.nodes, event)


def parse_yaml(text: str, name: str, max_depth: int) -> Any:
    """The value of a YAML document. Raises BadInput."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    builder = _Builder(name, max_depth)
    try:
        for event in yaml.parse(text, Loader=loader):
            if isinstance(event, yaml.ScalarEvent):
                builder.scalar(event)
            elif isinstance(event, yaml.AliasEvent):
                builder.alias(event)
            elif isinstance(event, yaml.MappingStartEvent):
                builder.open({}, event)
            elif isinstance(event, yaml.SequenceStartEvent):
                builder.open([], event)
            elif isinstance(event, yaml.CollectionEndEvent):
                builder.close(event)
            elif isinstance(event, yaml.DocumentStartEvent):
                builder.anchors.clear()
    except yaml.YAMLError as error:
        raise BadInput([*builder.problems, _syntax(error, name, max_depth)]) from None
    except UnicodeEncodeError:
        raise BadInput(Problem("holds half of a surrogate pair, which is no character", name)) from None
    if len(builder.documents) != 1:
        message = "is empty" if not builder.documents else f"holds {len(builder.documents)} YAML documents, not one"
        builder.problems.append(Problem(message, name))
    if builder.problems:
        raise BadInput(builder.problems)
    return builder.documents[0]


def _syntax(error: Any, name: str, max_depth: int) -> Problem:
    mark = getattr(error, "problem_mark", None)
    reason = getattr(error, "problem", None) or getattr(error, "reason", None) or "no reason given"
    location = f"{mark.line + 1}:{mark.column + 1}" if mark is not None else None
    if "nesting depth" in reason:  # libyaml has a limit of its own, and may meet it first
        return Problem(f"is nested deeper than {max_depth} levels", name, location)
    return Problem(f"is not YAML: {reason}", name, location)
