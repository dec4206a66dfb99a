"""Reading one document: what is no plain JSON data is refused with its place, and everything else arrives unchanged."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from knownbad.documents import MAX_DEPTH, parse, read
from knownbad.errors import BadInput, Problem


def problems(text: str, name: str = "a.json") -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as raised:
        parse(text, name)
    return raised.value.problems


REFUSED_JSON = {
    "nothing at all": ("", None, "is empty"),
    "white space only": (" \n\t", None, "is empty"),
    "text that is not JSON": ('{\n  "a": nope\n}', "2:8", "is not JSON"),
    "a comma too much": ('{"a": 1,}', "1:9", "is not JSON"),
    "more text after the value": ("{} {}", "1:4", "is not JSON"),
    "a raw line break in a string": ('{"a": "x\ny"}', "1:9", "is not JSON"),
    "a duplicate key": ('{"a": {"b": 1, "b": 2}}', "/a/b", "duplicate key"),
    "a duplicate key in an array": ('[0, {"x": 1, "x": 1}]', "/1/x", "duplicate key"),
    "a duplicate key that needs escapes": ('{"a/b~": 1, "a/b~": 2}', "/a~1b~0", "duplicate key"),
    "two spellings of one key": ('{"a": 1, "\\u0061": 2}', "/a", "duplicate key"),
    "NaN": ('{"a": [1, NaN]}', "/a/1", "no JSON number"),
    "Infinity": ("Infinity", None, "no JSON number"),
    "minus Infinity": ('{"a": -Infinity}', "/a", "no JSON number"),
    "a number beyond the largest double": ('{"a": 1e400}', "/a", "no JSON number"),
    "a long number beyond the largest double": ('{"a": 1' + "0" * 320 + ".5}", "/a", "no JSON number"),
    "an integer of thousands of digits": ("1" * 5000, None, "thousands of digits"),
    "a high surrogate alone": ('{"a": "\\ud83d"}', "/a", "surrogate"),
    "a low surrogate alone": ('["\\uDE00x"]', "/0", "surrogate"),
    "a name with half of a pair": ('{"a": {"\\ud83d": 1}}', "/a", "surrogate"),
}


@pytest.mark.parametrize(("text", "location", "message"), REFUSED_JSON.values(), ids=REFUSED_JSON)
def test_json_that_is_no_json_data_is_refused_with_its_place(text: str, location: str | None, message: str) -> None:
    (problem,) = problems(text)
    assert problem.file == "a.json"
    assert message in problem.message
    assert (problem.location or None) == location
    str(problem).encode("utf-8")  # it can be printed


ACCEPTED_JSON = {
    "a byte order mark's absence": '{"a": 1}',
    "a surrogate pair": '"\\ud83d\\ude00"',
    "an escaped backslash before ud800": '"\\\\ud800"',
    "a large exponent that fits": "[1e308, -1E+300, 1e-400]",
    "a big integer": "1" * 400,
    "false": "false",
    "null": "null",
    "many brackets in a string": json.dumps("[" * 5000),
    "many siblings": json.dumps([[]] * 5000),
    "escaped quotes beside brackets": json.dumps({'"[': ['\\"{'] * 300}),
}


@pytest.mark.parametrize("text", ACCEPTED_JSON.values(), ids=ACCEPTED_JSON)
def test_json_data_arrives_as_the_json_module_reads_it(text: str) -> None:
    assert parse(text, "a.json") == json.loads(text)


def test_the_order_of_members_is_kept() -> None:
    assert list(parse('{"z": 1, "a": 2, "m": 3}', "a.json")) == ["z", "a", "m"]
    assert list(parse("z: 1\na: 2\nm: 3\n", "a.yaml")) == ["z", "a", "m"]


def test_all_problems_of_a_document_are_told_at_once() -> None:
    found = problems('{"a": NaN, "b": {"c": 1, "c": {"d": 1, "d": 2}}, "a": "\\ud800", "e": 1e999}')
    assert [(p.location, p.message.split(":")[0]) for p in found] == [
        ("/a", "is no JSON number"),
        ("/b/c", "duplicate key"),
        ("/b/c/d", "duplicate key"),
        ("/a", "duplicate key"),
        ("/a", "holds half of a surrogate pair, which is no character"),
        ("/e", "is no JSON number"),
    ]


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":[0,'])
@pytest.mark.parametrize("levels", [MAX_DEPTH + 1, 100_000])
def test_deep_nesting_is_refused_before_the_parser_sees_it(opening: str, levels: int) -> None:
    (problem,) = problems(opening * levels)
    assert "nested deeper than" in problem.message
    assert str(problem.location).startswith("1:")


def test_nesting_up_to_the_limit_is_read() -> None:
    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse(text, "a.json") == json.loads(text)
    assert parse(text, "a.yaml") == json.loads(text)


def test_the_validators_take_what_is_nested_as_deep_as_is_read() -> None:
    """The limit is there for them: a value that is read can be validated."""
    import jsonschema_rs

    text = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert jsonschema_rs.is_valid({"type": "array"}, parse(text, "a.json"))


def test_a_byte_order_mark_is_tolerated(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'\xef\xbb\xbf{"a": "\xc3\xa9"}')
    assert read(tmp_path / "a.json", "a.json") == {"a": "é"}


UNREADABLE = {
    "a missing file": (None, "no such file"),
    "a folder": ("folder", "is a folder"),
    "latin-1": (b'{\n"a": "\xe9"}', "is not UTF-8"),
    "UTF-16": ("{}".encode("utf-16"), "is not UTF-8"),
}


@pytest.mark.parametrize(("content", "message"), UNREADABLE.values(), ids=UNREADABLE)
def test_a_file_without_text_is_refused(tmp_path: Path, content: bytes | str | None, message: str) -> None:
    path = tmp_path / "a.json"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content:
        path.mkdir()
    with pytest.raises(BadInput, match=message) as raised:
        read(path, "shown.json")
    assert raised.value.problems[0].file == "shown.json"
    assert str(tmp_path) not in str(raised.value)


def test_the_first_byte_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes(b'{\n"a": "\xe9"}')
    with pytest.raises(BadInput) as raised:
        read(tmp_path / "a.json", "a.json")
    assert raised.value.problems[0].location == "2:7"
    assert raised.value.problems[0].value == "byte 0xe9"


YAML_VALUES = {
    "JSON is YAML": ('{"a": [1, 2.5, "x", null, true]}', {"a": [1, 2.5, "x", None, True]}),
    "integer keys are names": ("200: ok\n404: no\n", {"200": "ok", "404": "no"}),
    "boolean and null keys are names": ("true: 1\nnull: 2\n", {"true": 1, "null": 2}),
    "dates stay text": ("a: 2024-01-31\nb: 2024-01-31T10:00:00Z\n", {"a": "2024-01-31", "b": "2024-01-31T10:00:00Z"}),
    "yes and no stay text": ("[yes, no, on, off, y]", ["yes", "no", "on", "off", "y"]),
    "true and false": ("[true, False, TRUE]", [True, False, True]),
    "null": ("[null, ~, Null, ]", [None, None, None]),
    "an empty value is null": ("a:\n", {"a": None}),
    "numbers": ("[1, -2, +3, 0o17, 0x1F, 1.5, 1e3, .5, 012]", [1, -2, 3, 15, 31, 1.5, 1000.0, 0.5, 12]),
    "no sexagesimal, no underscores": ("[12:30:45, 1_000, 0b1]", ["12:30:45", "1_000", "0b1"]),
    "quoted scalars are text": ("['1', \"true\", 'null']", ["1", "true", "null"]),
    "block scalars": ("a: |\n  x\n  y\nb: >\n  x\n  y\n", {"a": "x\ny\n", "b": "x y\n"}),
    "core tags": ("[!!str 1, !!float 1, !!int 3]", ["1", 1.0, 3]),
    "an alias": ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
    "an alias of a scalar": ("a: &x 5\nc: [*x, *x]\n", {"a": 5, "c": [5, 5]}),
    "an alias as a key": ("a: &x name\n*x : 1\n", {"a": "name", "name": 1}),
    "a merge, where own members win": (
        "a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\n",
        {"a": {"p": 1, "q": 2}, "b": {"q": 3, "p": 1}},
    ),
    "a merge of several": ("b: {<<: [{p: 1}, {p: 2, q: 2}]}\n", {"b": {"p": 1, "q": 2}}),
    "a document marker": ("---\na: 1\n...\n", {"a": 1}),
    "surrogate pairs as JSON writes them": ('"x\\U0001F600"', "x\U0001f600"),
}


@pytest.mark.parametrize(("text", "value"), YAML_VALUES.values(), ids=YAML_VALUES)
def test_yaml_is_read_as_json_data(text: str, value: object) -> None:
    found = parse(text, "a.yaml")
    assert found == value
    assert json.dumps(found) == json.dumps(value)  # types and order too


REFUSED_YAML = {
    "no YAML": ("a: [1\nb: 2\n", "2:", "is not YAML"),
    "tabs": ("a:\n\t- 1\n", "2:1", "is not YAML"),
    "a comment only": ("# nothing\n", None, "is empty"),
    "a duplicate key": ("a:\n  b: 1\n  b: 2\n", "/a/b", "duplicate key"),
    "a duplicate key by its text": ('1: a\n"1": b\n', "/1", "duplicate key"),
    "not a number": ("a: .nan\n", "/a", "no JSON number"),
    "an infinity": ("a: [-.inf]\n", "/a/0", "no JSON number"),
    "a number beyond the largest double": ("a: 1e999\n", "/a", "no JSON number"),
    "a tag of its own": ("a: !thing x\n", "/a", "JSON data model"),
    "binary": ("a: !!binary aGk=\n", "/a", "JSON data model"),
    "a set": ("a: !!set {x}\n", "/a", "JSON data model"),
    "a wrong tag": ("a: !!int x\n", "/a", "is no !!int"),
    "a list as a key": ("? [a]\n: 1\n", "1:3", "plain scalar"),
    "two documents": ("a: 1\n---\nb: 1\n", None, "2 YAML documents"),
    "an unknown alias": ("a: *x\n", "/a", "no anchor"),
    "an alias inside itself": ("a: &x [*x]\n", "/a/0", "stands inside itself"),
    "deep nesting": ("[" * 100_000, "1:", "nested deeper than"),
}


@pytest.mark.parametrize(("text", "location", "message"), REFUSED_YAML.values(), ids=REFUSED_YAML)
def test_yaml_outside_the_json_data_model_is_refused_with_its_place(
    text: str, location: str | None, message: str
) -> None:
    problem = problems(text, "a.yml")[0]
    assert message in problem.message
    assert (problem.location or "").startswith(location or "")
    assert bool(problem.location) == bool(location)


def test_aliases_that_explode_are_refused_in_short_time() -> None:
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 40)
    )
    start = time.perf_counter()
    (problem,) = problems(bomb, "a.yaml")
    assert "nodes once its aliases are written out" in problem.message
    assert time.perf_counter() - start < 2


def test_several_yaml_problems_are_told_at_once() -> None:
    found = problems("a: .inf\nb: {c: 1, c: 2}\nd: !x 1\n", "a.yaml")
    assert [p.location for p in found] == ["/a", "/b/c", "/d"]
