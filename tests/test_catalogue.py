"""The catalogue of error classes: read in three formats, every problem at once, and spread into cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from error_projects import DECLINED, catalogue
from knownbad.catalogue.model import Case
from knownbad.catalogue.places import readable, stems
from knownbad.catalogue.reading import built, catalogue_of, read
from knownbad.config import project
from knownbad.errors import BadInput, Problem

TOML = """
tools = ["charge_card"]

[policy]
attempts = 4

[[error]]
code = "TIMEOUT"
retryable = true
since = 2026-01-31
"""
JSON = """{"tools": ["charge_card"], "policy": {"attempts": 4},
 "error": [{"code": "TIMEOUT", "retryable": true, "since": "2026-01-31"}]}"""
YAML = """
tools: [charge_card]
policy: {attempts: 4}
error:
  - code: TIMEOUT
    retryable: true
    since: "2026-01-31"
"""


def problems(value: Any) -> list[Problem]:
    with pytest.raises(BadInput) as caught:
        built(value, "schemas/errors.toml")
    return list(caught.value.problems)


def cases(*rows: dict[str, Any], **more: Any) -> list[Case]:
    return list(built(catalogue(*rows, **more), "schemas/errors.toml").cases())


def test_toml_json_and_yaml_say_the_same(tmp_path: Path) -> None:
    values = []
    for name, text in (("errors.toml", TOML), ("errors.json", JSON), ("errors.yaml", YAML)):
        (tmp_path / name).write_text(text, encoding="utf-8")
        values.append(read(tmp_path / name, name))
    assert values[0] == values[1] == values[2]
    assert built(values[0], "x").policy.attempts == 4


def test_a_project_finds_its_catalogue_in_the_folder_of_schemas(tmp_path: Path) -> None:
    assert catalogue_of(project(tmp_path)) is None
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/errors.toml").write_text(TOML, encoding="utf-8")
    found = catalogue_of(project(tmp_path))
    assert found is not None
    assert [case.name for case in found.cases()] == ["TIMEOUT"]


def test_two_catalogues_are_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    for name in ("errors.toml", "errors.json"):
        (tmp_path / "schemas" / name).write_text(TOML, encoding="utf-8")
    with pytest.raises(BadInput, match=r"schemas/errors.toml, schemas/errors.json"):
        catalogue_of(project(tmp_path))


def test_every_problem_is_told_at_once_with_its_place_and_the_likely_fix() -> None:
    found = problems(
        {
            "tools": ["charge card"],
            "error": [
                {"code": "A", "retriable": True},
                {"code": "B", "retryable": "yes", "category": "transent", "status": 42},
            ],
        }
    )
    told = {problem.location: (problem.message, problem.fix or "") for problem in found}
    assert set(told) == {"/tools/0", "/error/0", "/error/1/category", "/error/1/retryable", "/error/1/status"}
    assert all(
        problem.file == "schemas/errors.toml" and problem.fix for problem in found if problem.location != "/tools/0"
    )
    assert told["/error/1/category"][1] == "transient?"
    assert any(problem.fix == "`retryable`?" for problem in found)
    assert any("never guessed from a status" in (problem.fix or "") for problem in found)


def test_a_flag_is_never_guessed_from_a_status() -> None:
    (problem,) = problems(catalogue({"code": "DOWN", "status": 503}))
    assert "has no 'retryable'" in problem.message


@pytest.mark.parametrize(
    ("value", "place", "message"),
    [
        (catalogue(DECLINED, DECLINED), "/error/1/code", "documented twice"),
        (catalogue({"code": "A", "retryable": False, "retry_after": 1}), "/error/0/retry_after", "not retryable"),
        (
            catalogue({"code": "A", "retryable": False, "services": {"b": {"retry_after": 1}}}),
            "/error/0/services/b/retry_after",
            "not retryable",
        ),
        (
            catalogue({"code": "A", "retryable": False, "trigger": {"tool": "other"}, "tools": ["charge_card"]}),
            "/error/0/trigger/tool",
            "does not belong to",
        ),
        (
            catalogue({"code": "A", "retryable": False, "details": {"type": "objec"}}),
            "/error/0/details/type",
            "metaschema",
        ),
        (
            catalogue({"code": "a.b", "retryable": True}, {"code": "a", "retryable": True, "services": ["b"]}),
            "/error/1",
            "the name of two cases",
        ),
        (catalogue(DECLINED, policy={"services": {"stripe": {}}}), "/policy/services/stripe", "no class names"),
        (
            catalogue(DECLINED, envelope={"code": "/a", "retryable": "/a"}),
            "/envelope/retryable",
            "stand at one place",
        ),
        (catalogue(DECLINED, envelope={"code": "", "retryable": "/a"}), "/envelope/code", "a place in the envelope"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_no_schema_can_hold_against_a_catalogue_is_told_too(value: Any, place: str, message: str) -> None:
    (problem,) = problems(value)
    assert problem.location == place
    assert message in problem.message


def test_the_hint_is_the_code_unless_said_otherwise() -> None:
    plain, other = cases({"code": "A", "retryable": False}, {"code": "B", "retryable": False, "hint": "b"})
    assert (plain.hint, other.hint) == ("A", "b")


def test_a_flag_that_depends_on_the_key_makes_two_cases_with_their_requests() -> None:
    trigger = {"args": {"amount": 1, "idempotency_key": "k"}}
    with_key, without = cases({"code": "A", "retryable": "with-idempotency-key", "trigger": trigger})
    assert (with_key.retryable, without.retryable) == (True, False)
    assert with_key.request == {"tool": "charge_card", "args": {"amount": 1, "idempotency_key": "k"}}
    assert without.request == {"tool": "charge_card", "args": {"amount": 1}}


def test_the_key_stands_where_the_policy_says() -> None:
    with_key, _ = cases(
        {"code": "A", "retryable": "with-idempotency-key"}, policy={"idempotency_key": "/headers/Idempotency-Key"}
    )
    assert with_key.request["headers"] == {"Idempotency-Key": "key-A"}


def test_services_and_environments_make_a_case_each_with_what_differs_there() -> None:
    found = cases(
        {
            "code": "DECLINED",
            "retryable": False,
            "services": {"stripe": {"retryable": True, "hint": "card_declined"}},
            "environments": {"sandbox": {"code": "TEST_DECLINED"}},
        },
        policy={"attempts": 3, "services": {"stripe": {"attempts": 5}}},
    )
    told = [(c.name, c.code, c.hint, c.retryable, c.policy.attempts) for c in found]
    assert told == [
        ("DECLINED", "DECLINED", "DECLINED", False, 3),
        ("DECLINED.sandbox", "TEST_DECLINED", "TEST_DECLINED", False, 3),
        ("DECLINED.stripe", "DECLINED", "card_declined", True, 5),
        ("DECLINED.stripe.sandbox", "TEST_DECLINED", "card_declined", True, 5),
    ]


def test_a_list_of_environments_says_where_alone_a_class_exists() -> None:
    found = cases({"code": "A", "retryable": False, "environments": ["sandbox"]})
    assert [case.name for case in found] == ["A.sandbox"]


def test_rows_belong_to_all_tools_unless_they_name_their_own() -> None:
    found = cases(
        {"code": "A", "retryable": False},
        {"code": "B", "retryable": False, "tools": ["refund"]},
        {"code": "C", "retryable": False, "trigger": {"tool": "charge_card", "args": {}}},
        tools=["charge_card", "refund"],
    )
    assert [(case.tool, case.name) for case in found] == [
        ("charge_card", "A"),
        ("charge_card", "C"),
        ("refund", "A"),
        ("refund", "B"),
    ]


def test_a_class_without_a_trigger_names_itself_to_the_error_constructor() -> None:
    (case,) = cases({"code": "DOWN", "retryable": True, "status": 503})
    assert case.request == {"tool": "charge_card", "args": {}, "error": {"code": "DOWN", "status": 503}}


def test_names_of_files_are_safe_and_differ_even_where_case_counts_not() -> None:
    codes = ["E_A", "e_a", "https://example.org/problems/out-of-credit", "corpus", "a.b", "é", "x" * 200, 4001]
    rows = [{"code": code, "retryable": False} for code in codes]
    found = cases(*rows, {"code": "a", "retryable": False, "services": ["c"]})
    names = list(stems(found).values())
    assert names[0] == "E_A"
    assert names[-2:] == ["4001", "a.c"]
    assert len({name.lower() for name in names}) == len(names)
    assert "corpus" not in names
    assert all(len(name) < 70 and name.isascii() and "/" not in name for name in names)


@pytest.mark.parametrize(
    ("code", "words"),
    [("PAYMENT_DECLINED", "Payment declined"), ("cardDeclined", "Card declined"), ("a.b", "A b"), ("é", "É")],
)
def test_a_code_reads_as_a_sentence_where_no_message_is_documented(code: str, words: str) -> None:
    assert readable(code) == words


CONFIGS = [
    ('catalogue = "none.toml"', "/errors/catalogue", "names no file"),
    ('envelope = "none"', "/errors/envelope", "names no contract"),
    ('fixtures = "errors/{code}/x.json"', "/errors/fixtures", "must hold {code}"),
    ('fixtures = "{service}/{code}.json"', "/errors/fixtures", "stands for nothing"),
    ('fixtures = "../{tool}/{code}.json"', "/errors/fixtures", "inside the project"),
    ('fixture = "x"', "/errors/fixture", "unknown key"),
    ('without-twins = ["hint"]', "/errors/without-twins/0", "no such kind"),
]


@pytest.mark.parametrize(("line", "place", "message"), CONFIGS, ids=[line for line, _, _ in CONFIGS])
def test_a_wrong_setting_is_told_with_its_place(line: str, place: str, message: str, tmp_path: Path) -> None:
    from knownbad.twins.plan import room

    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/errors.toml").write_text(TOML, encoding="utf-8")
    (tmp_path / "knownbad.toml").write_text(f"[errors]\n{line}\n", encoding="utf-8")
    with pytest.raises(BadInput) as caught:
        room(project(tmp_path))
    assert [problem.location for problem in caught.value.problems] == [place]
    assert message in caught.value.problems[0].message


def test_settings_without_a_catalogue_say_where_one_belongs(tmp_path: Path) -> None:
    (tmp_path / "knownbad.toml").write_text('[errors]\nenvelope = "error-envelope"\n', encoding="utf-8")
    with pytest.raises(BadInput, match=r"write schemas/errors\.toml"):
        catalogue_of(project(tmp_path))
