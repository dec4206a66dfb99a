"""Where values stand in a text: every pointer has the line and column that an editor would show."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from knownbad.errors import BadInput
from knownbad.pointers import get, join
from knownbad.positions import Position, positions


def at(text: str, pointer: str, name: str = "a.json") -> tuple[int, int, int]:
    """Line and column of the key or item, and the last line of the value."""
    place = positions(text, name)[pointer]
    return place.line, place.column, place.end_line


def cut_out(text: str, place: Position) -> str:
    """The text of the value."""
    lines = text.split("\n")
    if place.value_line == place.end_line:
        return lines[place.value_line - 1][place.value_column - 1 : place.end_column - 1]
    first, last = lines[place.value_line - 1][place.value_column - 1 :], lines[place.end_line - 1]
    return "\n".join([first, *lines[place.value_line : place.end_line - 1], last[: place.end_column - 1]])


def pointers(value: Any, pointer: str = "") -> list[str]:
    """The pointers of a value and of all below it, in the order of the text."""
    below = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [pointer, *(p for step, item in below for p in pointers(item, join(pointer, step)))]


def test_a_member_stands_where_its_key_does_and_an_item_where_its_value_does() -> None:
    text = '{\n  "a": [\n    1,\n    {"b": 2}\n  ]\n}\n'
    assert at(text, "") == (1, 1, 6)
    assert at(text, "/a") == (2, 3, 5)
    assert at(text, "/a/0") == (3, 5, 3)
    assert at(text, "/a/1") == (4, 5, 4)
    assert at(text, "/a/1/b") == (4, 6, 4)


def test_the_value_of_a_member_has_a_place_of_its_own() -> None:
    assert positions('{\n"a"\n:\n[1,\n2]}', "a.json")["/a"] == Position(2, 1, 4, 1, 5, 3)


SAME_TEXT = {
    "line feeds": "\n",
    "carriage returns and line feeds": "\r\n",
}


@pytest.mark.parametrize("end", SAME_TEXT.values(), ids=SAME_TEXT)
def test_lines_are_counted_by_line_feeds(end: str) -> None:
    text = end.join(["{", '\t"a": 1,', '\t"b": "x"', "}"])
    assert at(text, "/b") == (3, 2, 3)
    assert cut_out(text, positions(text, "a.json")["/b"]) == '"x"'


def test_a_tab_and_a_character_beyond_the_basic_plane_are_one_column_each() -> None:
    assert at('\t{"𝄞": 1, "b": 2}', "/b") == (1, 11, 1)


def test_the_separators_that_python_takes_for_line_ends_are_none_here() -> None:
    """Editors and git count by line feeds alone, and so do lines of reports."""
    text = '{"a": "\u2028\x85",\n"b": 1}'
    assert at(text, "/b") == (2, 1, 2)
    assert at('a: "\u2028x"\nb: 1\n', "/b", "a.yaml") == (2, 1, 2)


KEYS = {
    "a quote": r'"\""',
    "a backslash at the end": r'"a\\"',
    "a slash and a tilde": '"a/b~c"',
    "an escaped letter": r'"\u0061b"',
    "a surrogate pair": r'"\ud834\udd1e"',
    "the empty name": '""',
    "brackets and colons": '"{[:,]}"',
}


@pytest.mark.parametrize("key", KEYS.values(), ids=KEYS)
def test_a_key_with_escapes_is_found_by_the_name_that_it_stands_for(key: str) -> None:
    text = f'{{"x": 0,\n  {key}: 1}}'
    pointer = join("", json.loads(key))
    assert at(text, pointer) == (2, 3, 2)
    if "ud834" not in key:  # libyaml refuses halves of a pair
        assert at(text, pointer, "a.yaml") == (2, 3, 2)


def test_every_value_of_a_document_is_found_with_its_exact_text() -> None:
    value = {"a": [1, -2.5e3, [], {}], "b/c": {"": None, "~": [True, {"x": 'say "hi"', "y": "é"}]}, "n": "\n\t"}
    for indent in (None, 1, 4):
        text = json.dumps(value, indent=indent, ensure_ascii=indent is None)
        found = positions(text, "a.json")
        assert list(found) == pointers(value)
        for pointer, place in found.items():
            assert json.loads(cut_out(text, place)) == get(value, pointer)


def test_json_is_yaml_and_stands_at_the_same_places() -> None:
    value = {"a": [1, {"b": "x", "c": []}], "d": {"e": {"f": None}}, "g": True}
    text = json.dumps(value, indent=2)
    assert positions(text, "a.json") == positions(text, "a.yaml")


BLOCK = """\
# a comment
type: object
properties:
  id:
    type: string
    description: |
      two
      lines

  # about flags
  flag: {type: boolean,
    default: false}
  tags:
  - a
  -
    b: 1

required:
  - id
none:
last: >-
  folded
"""


def test_a_block_ends_with_its_last_value_and_not_with_the_comments_behind_it() -> None:
    found = positions(BLOCK, "a.yaml")
    lines = {pointer: (place.line, place.end_line) for pointer, place in found.items()}
    assert lines == {
        "": (2, 22),
        "/type": (2, 2),
        "/properties": (3, 16),
        "/properties/id": (4, 8),
        "/properties/id/type": (5, 5),
        "/properties/id/description": (6, 8),
        "/properties/flag": (11, 12),
        "/properties/flag/type": (11, 11),
        "/properties/flag/default": (12, 12),
        "/properties/tags": (13, 16),
        "/properties/tags/0": (14, 14),
        "/properties/tags/1": (16, 16),
        "/properties/tags/1/b": (16, 16),
        "/required": (18, 19),
        "/required/0": (19, 19),
        "/none": (20, 20),
        "/last": (21, 22),
    }


def test_what_an_alias_brings_in_stands_at_its_anchor() -> None:
    text = "a: &x\n  type: string\nb: *x\nc:\n  - *x\n"
    assert at(text, "/b", "a.yaml") == (3, 1, 3)
    assert at(text, "/b/type", "a.yaml") == (2, 3, 2)
    assert at(text, "/c/0", "a.yaml") == (5, 5, 5)
    assert at(text, "/c/0/type", "a.yaml") == (2, 3, 2)


def test_a_key_may_be_an_alias() -> None:
    assert at("a: 1\n&k b: 2\nc:\n  *k : 3\n", "/c/b", "a.yaml") == (4, 3, 4)


def test_what_a_merge_brings_in_stands_where_it_is_written_unless_it_is_written_again() -> None:
    text = "x: &x\n  a: 1\n  b: 1\ny: &y\n  b: 2\n  c: 2\nz:\n  <<: [*x, *y]\n  a: 3\n"
    found = positions(text, "a.yaml")
    lines = {pointer: place.line for pointer, place in found.items() if pointer.startswith("/z")}
    assert lines == {"/z": 7, "/z/a": 9, "/z/b": 3, "/z/c": 6}


def test_aliases_of_aliases_do_not_exhaust_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knownbad.positions.MAX_NODES", 10_000)
    levels = ["a0: &a0 [1, 1]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40)]
    assert len(positions("\n".join(levels), "a.yaml")) <= 10_000


REFUSED = ["", "{", '{"a": 1,}', "[1,]", "[1 2]", '{"a" 1}', "{a: 1}", '"a', "nul", "01", "{} {}", "[}", "]", '{"a":}']


@pytest.mark.parametrize("text", [*REFUSED, "[,1]", '{"a":1 "b":2}', '"\\x"', '"a\nb"', "1,2", "\x0b1", "'a'", "NaN"])
def test_text_that_is_no_json_is_refused_with_a_place(text: str) -> None:
    with pytest.raises(BadInput, match=r"^a\.json: \d+:\d+: is not JSON"):
        positions(text, "a.json")


def test_text_that_is_no_yaml_is_refused_with_a_place() -> None:
    with pytest.raises(BadInput, match=r"^a\.yaml: 2:1: is not YAML"):
        positions("a: [\n", "a.yaml")


def test_the_time_grows_with_the_text_and_no_faster() -> None:
    """A text of some megabytes takes about a second; eight times as much takes about eight times as long."""

    def seconds(members: int) -> float:
        value = {f"k{i}": {"type": "string", "enum": ["a", 'b\n"', {"x/y~": [1, 2.5, None]}]} for i in range(members)}
        text = json.dumps(value, indent=1)
        start = time.perf_counter()
        positions(text, "a.json")
        return time.perf_counter() - start

    seconds(100)
    assert seconds(4000) < 40 * max(seconds(500), 0.005)


def test_one_unended_string_of_many_escapes_is_refused_at_once() -> None:
    start = time.perf_counter()
    with pytest.raises(BadInput):
        positions('["' + "\\\\" * 200_000, "a.json")
    assert time.perf_counter() - start < 5
