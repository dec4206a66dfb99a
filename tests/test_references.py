"""References: what they reach across documents, what cannot be reached, and what never ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from knownbad.contract import Contract, Subschema
from knownbad.dialects import DRAFT_04, DRAFT_06, DRAFT_07, DRAFT_2019_09, DRAFT_2020_12, Dialect
from knownbad.errors import BadInput, Problem
from knownbad.load import LoadOptions, load, registry
from knownbad.metaschemas import published
from knownbad.references import references


def write(root: Path, files: dict[str, Any]) -> None:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")


def loaded(root: Path, files: dict[str, Any], **options: Any) -> Contract:
    """The contract of the first file."""
    write(root, files)
    return load(next(iter(files)), None, LoadOptions(root=root, **options))


def problems(root: Path, files: dict[str, Any], **options: Any) -> tuple[Problem, ...]:
    with pytest.raises(BadInput) as raised:
        loaded(root, files, **options)
    assert str(root) not in str(raised.value)
    return raised.value.problems


def everywhere(contract: Contract) -> Iterator[Subschema]:
    stack = [contract.root]
    while stack:
        sub = stack.pop()
        stack += [child for _, child in contract.children(sub)]
        yield sub


def targets(contract: Contract) -> dict[str, Any]:
    """What each `$ref` below the root leads to, by the reference as written."""
    found = {}
    for sub in everywhere(contract):
        for keyword, reference in references(sub):
            target = contract.target(sub, reference) if keyword == "$ref" else contract.dynamic(sub, keyword)[0]
            found[reference] = target and target.value
    return found


ACROSS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "a file beside": ({"s/a.json": {"$ref": "b.json"}, "s/b.json": {"const": 1}}, {"b.json": {"const": 1}}),
    "a place in a file": (
        {"s/a.json": {"$ref": "b.json#/$defs/x"}, "s/b.json": {"$defs": {"x": {"const": 1}}}},
        {"b.json#/$defs/x": {"const": 1}},
    ),
    "a file above and below": (
        {"s/t/a.json": {"$ref": "../../u/b.json"}, "u/b.json": {"const": 1}},
        {"../../u/b.json": {"const": 1}},
    ),
    "a file with a space": ({"a.json": {"$ref": "b%20c.json"}, "b c.json": {"const": 1}}, {"b%20c.json": {"const": 1}}),
    "a file in YAML": ({"a.json": {"$ref": "b.yaml#/x"}, "b.yaml": "x:\n  const: 1\n"}, {"b.yaml#/x": {"const": 1}}),
    "a file without its suffix": ({"a.json": {"$ref": "b"}, "b.schema.json": {"const": 1}}, {"b": {"const": 1}}),
    "an anchor in a file": (
        {"a.json": {"$ref": "b.json#x"}, "b.json": {"$defs": {"y": {"$anchor": "x", "const": 1}}}},
        {"b.json#x": {"const": 1, "$anchor": "x"}},
    ),
    "a file beside one that has an identifier": (
        {"s/a.json": {"$id": "https://example.org/a.json", "$ref": "b.json"}, "s/b.json": {"const": 1}},
        {"b.json": {"const": 1}},
    ),
    "an escaped pointer": (
        {"a.json": {"$ref": "#/$defs/x~1y~0z%25", "$defs": {"x/y~z%": {"const": 1}}}},
        {"#/$defs/x~1y~0z%25": {"const": 1}},
    ),
    "an embedded resource": (
        {"a.json": {"$ref": "x.json", "$defs": {"x": {"$id": "x.json", "const": 1}}}},
        {"x.json": {"$id": "x.json", "const": 1}},
    ),
    "a place in an embedded resource, from inside": (
        {"a.json": {"$defs": {"x": {"$id": "x.json", "$ref": "#/$defs/y", "$defs": {"y": {"const": 1}}}}}},
        {"#/$defs/y": {"const": 1}},
    ),
    "an unknown keyword": (
        {"a.json": {"$ref": "#/x/y", "x": {"y": {"const": 1}}}},
        {"#/x/y": {"const": 1}},
    ),
    "an unknown keyword in an embedded resource": (
        {
            "a.json": {"allOf": [{"$id": "x/y.json", "$ref": "#/u/v", "u": {"v": {"items": {"$ref": "z.json"}}}}]},
            "x/z.json": {},
        },
        {"#/u/v": {"items": {"$ref": "z.json"}}},
    ),
    "the root by a URN": (
        {"a.json": {"$id": "urn:x:a", "properties": {"p": {"$ref": "#"}, "q": {"$ref": "urn:x:a#/properties/p"}}}},
        {
            "#": {"$id": "urn:x:a", "properties": {"p": {"$ref": "#"}, "q": {"$ref": "urn:x:a#/properties/p"}}},
            "urn:x:a#/properties/p": {"$ref": "#"},
        },
    ),
    "a dynamic anchor": (
        {"a.json": {"items": {"$dynamicRef": "#n"}, "$defs": {"x": {"$dynamicAnchor": "n", "const": 1}}}},
        {"#n": {"$dynamicAnchor": "n", "const": 1}},
    ),
}


@pytest.mark.parametrize(("files", "expected"), ACROSS.values(), ids=ACROSS)
def test_a_reference_leads_to_its_schema(tmp_path: Path, files: dict[str, Any], expected: dict[str, Any]) -> None:
    assert targets(loaded(tmp_path, files)) == expected


def test_what_other_documents_refer_to_is_reached_too(tmp_path: Path) -> None:
    files = {
        "a.json": {"$ref": "b.json"},
        "b.json": {"items": {"$ref": "c/c.json"}},
        "c/c.json": {"not": {"$ref": "../d.json"}},
        "d.json": {},
    }
    contract = loaded(tmp_path, {**files, "unreached.json": {"type": "nonsense"}})
    assert [d.name for d in contract.documents.values()] == ["a.json", "b.json", "c/c.json", "d.json"]


def test_a_file_that_two_paths_lead_to_is_one_document(tmp_path: Path) -> None:
    schema = {"allOf": [{"$ref": "b.json"}, {"$ref": "urn:x:b"}, {"$ref": "../s/b.json"}]}
    contract = loaded(
        tmp_path, {"s/a.json": schema, "s/b.json": {"$id": "urn:x:b", "type": "object"}}, folders=(tmp_path,)
    )
    found = {id(contract.target(sub, ref)) for sub in everywhere(contract) for _, ref in references(sub)}
    assert len(found) == 1
    assert len({id(d) for d in contract.documents.values()}) == 2


def test_a_file_that_refers_to_itself_by_its_path_is_one_document(tmp_path: Path) -> None:
    contract = loaded(
        tmp_path, {"a.json": {"properties": {"p": {"$ref": "b.json"}}}, "b.json": {"items": {"$ref": "a.json"}}}
    )
    b = contract.target(contract.child(contract.root, "properties", "p"), "b.json")
    assert b is not None
    assert contract.target(contract.child(b, "items"), "a.json") is contract.root


def test_references_may_climb_out_of_the_project(tmp_path: Path) -> None:
    files = {"project/a.json": {"$ref": "../common/b.json"}, "common/b.json": {"items": {"$ref": "../../far.json"}}}
    write(tmp_path / "deep", files)
    write(tmp_path, {"far.json": {"not": {"$ref": "deep/project/c.json"}}, "deep/project/c.json": {"const": 1}})
    contract = load("a.json", None, LoadOptions(root=tmp_path / "deep/project"))
    assert sorted(d.name for d in contract.documents.values()) == [
        "../../far.json",
        "../common/b.json",
        "a.json",
        "c.json",
    ]
    assert contract.root.base == "https://knownbad.invalid/_/_/a.json"
    assert str(tmp_path) not in repr(contract.documents)


def test_identifiers_in_schema_folders_are_known(tmp_path: Path) -> None:
    files = {
        "a.json": {
            "$ref": "https://example.org/b",
            "properties": {"p": {"$ref": "https://example.org/inner#/$defs/x"}},
        },
        "s/b.json": {"$id": "https://example.org/b"},
        "s/deep/c.yaml": "$id: https://example.org/c\n$defs:\n  i:\n    $id: inner\n    $defs: {x: {const: 1}}\n",
        "s/broken.json": "{",
    }
    contract = loaded(tmp_path, files, folders=(tmp_path / "s",))
    assert targets(contract) == {
        "https://example.org/b": {"$id": "https://example.org/b"},
        "https://example.org/inner#/$defs/x": {"const": 1},
    }
    assert contract.documents["https://example.org/b"].name == "s/b.json"


def test_a_file_behind_a_symbolic_link_is_one_document(tmp_path: Path) -> None:
    files = {
        "s/a.json": {"$id": "urn:x:a", "items": {"$ref": "urn:x:b"}},
        "s/b.json": {"$id": "urn:x:b", "not": {"$ref": "a.json"}},
    }
    write(tmp_path, files)
    (tmp_path / "link").symlink_to(tmp_path / "s")
    contract = load("s/a.json", None, LoadOptions(root=tmp_path, folders=(tmp_path / "link",)))
    assert sorted({d.name for d in contract.documents.values()}) == ["s/a.json", "s/b.json"]
    assert len({id(d) for d in contract.documents.values()}) == 2


def test_an_identifier_of_two_files_is_refused_once_it_is_used(tmp_path: Path) -> None:
    files = {"a.json": {"$ref": "urn:x:b"}, "s/b.json": {"$id": "urn:x:b"}, "s/c.json": {"$id": "urn:x:b"}}
    (problem,) = problems(tmp_path, files, folders=(tmp_path / "s",))
    assert problem.message == "urn:x:b is the identifier of two files: s/b.json and s/c.json"
    assert loaded(tmp_path, {"d.json": {}}, folders=(tmp_path / "s",)).documents


def test_the_beginning_of_a_uri_may_be_mapped_to_a_folder(tmp_path: Path) -> None:
    files = {
        "a.json": {"allOf": [{"$ref": "https://example.org/x/b.json"}, {"$ref": "https://example.org/x/y/c"}]},
        "short/b.json": {"const": 1, "not": {"$ref": "y/c"}},
        "long/c.json": {"const": 2},
    }
    resolve = {"https://example.org/x/": tmp_path / "short", "https://example.org/x/y/": tmp_path / "long"}
    contract = loaded(tmp_path, files, resolve=resolve)
    assert [d.value["const"] for d in list(contract.documents.values())[1:]] == [1, 2]


def test_a_whole_uri_may_be_mapped_to_a_file(tmp_path: Path) -> None:
    files = {"a.json": {"$ref": "https://example.org/x#/$defs/y"}, "z.json": {"$defs": {"y": {"const": 1}}}}
    contract = loaded(tmp_path, files, resolve={"https://example.org/x": Path("z.json")})
    assert targets(contract) == {"https://example.org/x#/$defs/y": {"const": 1}}


PUBLISHED = [
    (DRAFT_04, "http://json-schema.org/draft-04/schema#/definitions/positiveInteger"),
    (DRAFT_06, "http://json-schema.org/draft-06/schema#"),
    (DRAFT_07, "http://json-schema.org/draft-07/schema"),
    (DRAFT_2019_09, "https://json-schema.org/draft/2019-09/schema"),
    (DRAFT_2020_12, "https://json-schema.org/draft/2020-12/schema"),
    (DRAFT_2020_12, "https://json-schema.org/draft/2020-12/meta/format-assertion"),
]


@pytest.mark.parametrize(("dialect", "uri"), PUBLISHED, ids=[uri for _, uri in PUBLISHED])
def test_the_published_metaschemas_resolve_offline(tmp_path: Path, dialect: Dialect, uri: str) -> None:
    contract = loaded(tmp_path, {"a.json": {"properties": {"p": {"$ref": uri}}}}, dialect=DRAFT_07)
    target = contract.target(contract.child(contract.root, "properties", "p"), uri)
    assert target is not None
    assert target.dialect is dialect


def test_a_metaschema_brings_the_vocabularies_that_it_refers_to(tmp_path: Path) -> None:
    contract = loaded(tmp_path, {"a.json": {"items": {"$ref": DRAFT_2020_12.uri}}})
    names = ["applicator", "content", "core", "format-annotation", "meta-data", "unevaluated", "validation"]
    assert list(contract.documents)[1:] == [f"https://json-schema.org/draft/2020-12/meta/{n}" for n in names] + [
        DRAFT_2020_12.uri
    ]


def test_every_published_document_is_there() -> None:
    for uri in ("http://json-schema.org/draft-04/schema", "https://json-schema.org/draft/2019-09/meta/meta-data"):
        assert published(uri) is not None
    assert published("https://example.org/") is None


DANGLING: dict[str, tuple[dict[str, Any], list[tuple[str, str, str]]]] = {
    "no such definition": ({"a.json": {"items": {"$ref": "#/$defs/x"}}}, [("a.json", "/items/$ref", "#/$defs/x")]),
    "no such anchor": ({"a.json": {"$ref": "#x"}}, [("a.json", "/$ref", "#x")]),
    "no such file": ({"a.json": {"$ref": "b.json"}}, [("a.json", "/$ref", "b.json")]),
    "no such place in a file": ({"a.json": {"$ref": "b.json#/x"}, "b.json": {}}, [("a.json", "/$ref", "b.json#/x")]),
    "a place that holds no schema": ({"a.json": {"$ref": "#/x", "x": "y"}}, [("a.json", "/$ref", "#/x")]),
    "a URI that is mapped nowhere": (
        {"a.json": {"$ref": "https://example.org/x/y.json"}},
        [("a.json", "/$ref", "https://example.org/x/y.json")],
    ),
    "several, in several files": (
        {
            "a.json": {"allOf": [{"$ref": "#/1"}, {"$ref": "b.json"}, {"$ref": "urn:x:y"}]},
            "b.json": {"not": {"$ref": "c.json"}},
        },
        [("a.json", "/allOf/0/$ref", "#/1"), ("a.json", "/allOf/2/$ref", "urn:x:y"), ("b.json", "/not/$ref", "c.json")],
    ),
    "a recursive one": ({"a.json": {"items": {"$dynamicRef": "#x"}}}, [("a.json", "/items/$dynamicRef", "#x")]),
    "in a definition that nothing uses": (
        {"a.json": {"$defs": {"x": {"$ref": "#/y"}}}},
        [("a.json", "/$defs/x/$ref", "#/y")],
    ),
}


@pytest.mark.parametrize(("files", "places"), DANGLING.values(), ids=DANGLING)
def test_a_reference_that_leads_nowhere_is_named_with_its_place(
    tmp_path: Path, files: dict[str, Any], places: list[tuple[str, str, str]]
) -> None:
    found = problems(tmp_path, files)
    assert [(p.file, p.location, p.value) for p in found] == places
    assert all(p.value in p.message for p in found)
    assert all("--unresolved any" in str(p.fix) for p in found)


def test_the_fix_of_an_unknown_uri_says_how_to_map_it(tmp_path: Path) -> None:
    (problem,) = problems(tmp_path, {"a.json": {"$ref": "https://example.org/x/y.json"}})
    assert 'resolve = {"https://example.org/x/" = "a/folder"}' in str(problem.fix)


@pytest.mark.parametrize("reference", ["#/definitions/a b", "b c.json", "http://[x", "#/a[0]", "é.json", "#/%zz"])
@pytest.mark.parametrize("dialect", [DRAFT_04, DRAFT_07, DRAFT_2020_12], ids=lambda d: d.name)
def test_a_reference_that_is_no_uri_reference_is_refused(tmp_path: Path, reference: str, dialect: Dialect) -> None:
    (problem,) = problems(tmp_path, {"a.json": {"$ref": reference, "definitions": {"a b": {}}}}, dialect=dialect)
    assert (problem.location, problem.value) == ("/$ref", reference)
    assert "no URI reference" in problem.message


def test_unresolved_references_may_be_taken_as_anything(tmp_path: Path) -> None:
    schema = {"$ref": "https://example.org/x", "properties": {"a": {"$ref": "b.json#/c"}, "d": {"$ref": "#/$defs/e"}}}
    contract = loaded(tmp_path, {"a.json": schema}, unresolved="any")
    assert contract.any_refs == {
        "https://example.org/x",
        "https://knownbad.invalid/b.json#/c",
        "https://knownbad.invalid/a.json#/$defs/e",
    }
    assert targets(contract) == {"https://example.org/x": None, "b.json#/c": None, "#/$defs/e": None}
    assert not loaded(tmp_path, {"b.json": {}}, unresolved="any").any_refs


def test_the_problems_of_other_documents_are_told_with_their_names(tmp_path: Path) -> None:
    files = {
        "a.json": {
            "allOf": [{"$ref": "b.json"}, {"$ref": "c.json"}, {"$ref": "d.json#/$defs/x"}, {"$ref": "b.json#/x"}]
        },
        "b.json": '{"x": 1, "x": 2}',
        "c.json": {"type": "strng", "$schema": DRAFT_07.uri},
        "d.json": {"$defs": {"x": {"pattern": "["}, "unused": {"type": "strng"}}},
    }
    found = problems(tmp_path, files)
    assert [(p.file, p.location) for p in found] == [
        ("b.json", "/x"),
        ("c.json", "/type"),
        ("d.json", "/$defs/x/pattern"),
    ]


def test_a_document_that_declares_no_dialect_has_that_of_who_refers_to_it(tmp_path: Path) -> None:
    files = {"a.json": {"$schema": DRAFT_04.uri, "properties": {"p": {"$ref": "b.json"}}}, "b.json": {"id": "urn:x:b"}}
    contract = loaded(tmp_path, files)
    assert contract.documents["urn:x:b"].dialect is DRAFT_04


def test_siblings_of_a_reference_are_ignored_up_to_draft_07(tmp_path: Path) -> None:
    schema = {
        "properties": {"p": {"$ref": "#/definitions/x", "allOf": [{"$ref": "#/nowhere"}]}},
        "definitions": {"x": {}},
    }
    assert loaded(tmp_path, {"a.json": schema}, dialect=DRAFT_07).documents
    assert problems(tmp_path, {"a.json": schema}, dialect=DRAFT_2019_09)


def test_a_contract_is_a_registry_for_validators(tmp_path: Path) -> None:
    from jsonschema import Draft202012Validator

    files = {
        "s/a.json": {"properties": {"p": {"$ref": "b.json#/$defs/x"}, "q": {"$ref": "urn:gone"}}},
        "s/b.json": {"$defs": {"x": {"type": "string"}}},
    }
    contract = loaded(tmp_path, files, unresolved="any")
    validator = Draft202012Validator({"$ref": contract.document.uri}, registry=registry(contract))
    assert validator.is_valid({"p": "text", "q": 5})
    assert not validator.is_valid({"p": 5})
