"""The three assertions of one envelope, and the one message that shows them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from knownbad.bundled import bundled
from knownbad.catalogue.model import Case, Catalogue, Envelope, Policy
from knownbad.catalogue.reading import built
from knownbad.judged.assertions import Judge, Judged, Verdict, unreached, worst
from knownbad.judged.message import grouped, text
from knownbad.leaks import leak_kind, leaks

CATALOGUE = built(
    {
        "tools": ["charge_card"],
        "policy": {"attempts": 3, "base_delay": 1, "factor": 2},
        "error": [
            {"code": "PAYMENT_DECLINED", "retryable": False, "idempotent": False, "effect": "charge"},
            {"code": "TIMEOUT", "retryable": True, "category": "transient", "message": "no answer from /usr/bin/pay"},
            {"code": "INVALID_DATE", "retryable": False, "details": {"additionalProperties": False}},
        ],
    },
    "schemas/errors.toml",
)
SCHEMA = bundled("error-envelope").document.value
JUDGE = Judge(bundled("error-envelope"), CATALOGUE.envelope)


def case(class_: str, catalogue: Catalogue = CATALOGUE) -> Case:
    return next(c for c in catalogue.cases() if c.class_ == class_)


def envelope(code: str, retryable: Any = False, **more: Any) -> dict[str, Any]:
    error = {"code": code, "hint": code, "message": "Card issuer declined", "retryable": retryable, **more}
    return {"error": {name: value for name, value in error.items() if value is not ...}}


def judged(code: str, body: Any) -> Judged:
    return JUDGE.judge(case(code), body)


def verdicts(found: Judged) -> list[str]:
    return [assertion.verdict.value for assertion in found.assertions]


def test_the_declined_payment_of_the_seed_passes() -> None:
    found = judged("PAYMENT_DECLINED", envelope("PAYMENT_DECLINED"))
    assert verdicts(found) == ["pass", "pass", "pass"]
    assert found.good


@pytest.mark.parametrize(
    ("hint", "difference"),
    [
        ("payment_declined", "in other case"),
        ("PAYMENT_DECLINED_BY_ISSUER", "which only contains it"),
        ("PAYMENT", "which is only a part of it"),
        ("TIMEOUT", 'it is "TIMEOUT"'),
    ],
)
def test_a_hint_is_equal_or_wrong_and_the_message_says_how_it_differs(hint: str, difference: str) -> None:
    found = judged("PAYMENT_DECLINED", envelope("PAYMENT_DECLINED", hint=hint))
    assert verdicts(found) == ["pass", "fail", "pass"]
    assert difference in found.hint.message


@pytest.mark.parametrize("flag", ["false", 0, None, ...])
def test_a_flag_that_is_no_boolean_fails_the_shape_and_the_flag_itself(flag: Any) -> None:
    assert verdicts(judged("PAYMENT_DECLINED", envelope("PAYMENT_DECLINED", flag))) == ["fail", "pass", "fail"]


def test_a_wrong_shape_hides_neither_a_wrong_hint_nor_a_wrong_flag() -> None:
    found = judged("PAYMENT_DECLINED", envelope("TIMEOUT", True, stack="..."))
    assert verdicts(found) == ["fail", "fail", "fail"]
    assert found.failed == ("shape", "hint", "retryable")


def test_one_message_shows_expected_and_actual_of_each_with_the_violated_path_and_the_reply() -> None:
    message = text(judged("PAYMENT_DECLINED", envelope("TIMEOUT", True, stack="...")))
    assert "/error has 'stack', which is not documented" in message
    assert "violated: /$defs/error/additionalProperties" in message
    assert 'expected "PAYMENT_DECLINED", actual "TIMEOUT" at /error/hint' in message
    assert "expected false, actual true at /error/retryable" in message
    assert '{"error": {"code": "TIMEOUT"' in message


def test_the_wrong_flag_of_a_declined_card_costs_three_dispatches_and_a_duplicate_charge() -> None:
    found = judged("PAYMENT_DECLINED", envelope("PAYMENT_DECLINED", True))
    assert found.cost is not None
    assert found.cost.startswith("3 dispatches and 3 s of backoff instead of 1 and 0;")
    assert "duplicate charge" in found.cost
    assert found.cost in text(found)


def test_a_timeout_that_says_false_costs_a_failed_run() -> None:
    found = judged("TIMEOUT", envelope("TIMEOUT", False))
    assert found.cost is not None
    assert found.cost.startswith("one recoverable failure becomes a failed run")


def test_a_flag_that_is_a_word_is_true_to_a_loop() -> None:
    found = judged("PAYMENT_DECLINED", envelope("PAYMENT_DECLINED", "false"))
    assert found.cost is not None
    assert "3 dispatches" in found.cost


def test_a_flag_of_the_wrong_type_that_loops_take_for_the_right_one_costs_nothing() -> None:
    assert judged("PAYMENT_DECLINED", envelope("PAYMENT_DECLINED", 0)).cost is None


@pytest.mark.parametrize(
    ("policy", "retry_after", "expected"),
    [
        (Policy(), None, "3 dispatches and 3 s of backoff"),
        (Policy(attempts=1), None, "1 dispatch and 0 s of backoff"),
        (Policy(attempts=5, base_delay=0.5, factor=3), None, "5 dispatches and 20 s of backoff"),
        (Policy(), 10, "3 dispatches and 20 s of backoff"),
    ],
)
def test_a_policy_says_what_a_failure_costs(policy: Policy, retry_after: float | None, expected: str) -> None:
    assert str(policy.cost(True, retry_after)) == expected
    assert str(policy.cost(False, retry_after)) == "1 dispatch and 0 s of backoff"


def test_without_an_envelope_the_shape_fails_and_the_rest_is_unreached() -> None:
    assert verdicts(unreached(case("TIMEOUT"), "no envelope")) == ["fail", "unreached", "unreached"]


def test_of_a_success_nothing_is_reached() -> None:
    assert verdicts(unreached(case("TIMEOUT"))) == ["unreached", "unreached", "unreached"]


def test_two_envelopes_of_one_reply_count_by_the_worse_verdict() -> None:
    found = worst(judged("TIMEOUT", envelope("TIMEOUT", True)), judged("TIMEOUT", envelope("TIMEOUT", False)))
    assert verdicts(found) == ["pass", "pass", "fail"]
    assert found.retryable.actual is False


def test_a_report_is_grouped_by_error_class_and_says_nothing_of_what_is_good() -> None:
    bad = [judged(code, envelope("X", None)) for code in ("TIMEOUT", "PAYMENT_DECLINED", "TIMEOUT")]
    report = grouped([*bad, judged("PAYMENT_DECLINED", envelope("PAYMENT_DECLINED"))])
    assert [block.split()[0] for block in report.split("\n\n")] == ["TIMEOUT", "PAYMENT_DECLINED"]
    assert report.count("TIMEOUT (charge_card)") == 2


def test_another_code_beside_the_right_hint_is_a_finding() -> None:
    found = judged("TIMEOUT", envelope("LATE", True, hint="TIMEOUT"))
    assert verdicts(found) == ["pass", "pass", "pass"]
    assert [f.code.name for f in found.findings] == ["other-code"]


def test_details_are_held_against_the_schema_of_their_class() -> None:
    found = judged("INVALID_DATE", envelope("INVALID_DATE", details={"row": 7}))
    assert found.shape.verdict is Verdict.FAIL
    assert found.shape.location == "/error/details"
    assert "'row'" in found.shape.message


def test_an_unreadable_envelope_is_told_by_its_wrong_type_first() -> None:
    found = judged("TIMEOUT", {"error": "TIMEOUT", "retryable": True})
    assert verdicts(found) == ["fail", "fail", "fail"]
    assert found.shape.message.startswith('/error is the string "TIMEOUT", not an object')


def test_a_shape_of_a_team_s_own_is_read_by_its_pointers() -> None:
    problem = Envelope(None, "/type", "/type", "/retriable", "/detail", None, None, None, "/status")
    schema = {
        "type": "object",
        "required": ["type", "retriable"],
        "properties": {"type": {"type": "string"}, "retriable": {"type": "boolean"}, "detail": {"type": "string"}},
        "additionalProperties": False,
    }
    from knownbad.varied import contract_of

    judge = Judge(contract_of(schema), problem)
    assert judge.judge(case("TIMEOUT"), {"type": "TIMEOUT", "retriable": True}).good
    assert judge.judge(case("TIMEOUT"), {"type": "TIMEOUT", "retriable": 1}).failed == ("shape", "retryable")


LEAKS = [
    ("a stack trace", 'Traceback (most recent call last): File "app/pay.py", line 9'),
    ("a stack trace", "TypeError: x is not a function\n    at charge (/app/pay.js:10:5)"),
    ("a stack trace", "at com.acme.Pay.charge(Pay.java:42)"),
    ("a stack trace", "panic: nil map\n\ngoroutine 1 [running]:"),
    ("a stack trace", "thread 'main' panicked at src/main.rs:2:5"),
    ("a stack trace", "pay.rb:9:in `charge'"),
    ("a stack trace", "at Acme.Pay.Charge(Int32 amount) in Pay.cs:line 12"),
    ("SQL", "SELECT * FROM cards WHERE number = '1'"),
    ("SQL", "failed: insert into charges (id) values (1)"),
    ("SQL", 'relation "cards" does not exist'),
    ("SQL", "duplicate key value violates unique constraint"),
    ("a path of the machine", "cannot read /srv/app/config/keys"),
    ("a path of the machine", "C:\\inetpub\\pay\\web.config is locked"),
    ("a path of the machine", "cannot open /app/payments/charge.py"),
    ("a name out of the code", "java.lang.IllegalStateException"),
    ("a name out of the code", "KeyError: 'amount'"),
    ("a name out of the code", "<Charge object at 0x7f3a2b1c>"),
]


@pytest.mark.parametrize(("kind", "message"), LEAKS, ids=[message[:40] for _, message in LEAKS])
def test_an_internal_in_a_message_is_seen(kind: str, message: str) -> None:
    assert leak_kind(message) == kind


@pytest.mark.parametrize(
    "message",
    [
        "Card issuer declined",
        "Select one of these from the list: EUR, USD",
        "Update the card and set a new default",
        "Delete from your cart what is sold out",
        "See https://example.org/docs/errors#PAYMENT_DECLINED",
        "The field /data/attributes/date must be ISO 8601, as in 2026-01-31T10:30:00Z",
        "Try again at 10:30",
        "The value 0x1f is no amount",
        "GET /v1/cards is not allowed here; use POST /v1/charges",
        "error: type mismatch, expected integer",
    ],
)
def test_a_message_for_people_is_no_internal(message: str) -> None:
    assert leak_kind(message) is None


def test_what_the_request_or_the_catalogue_says_is_no_secret_of_the_tool() -> None:
    found = judged("TIMEOUT", envelope("TIMEOUT", True, message="no answer from /usr/bin/pay"))
    assert found.findings == ()
    assert [leak.location for leak in leaks({"a": ["/etc/passwd"]})] == ["/a/0"]
    assert [*leaks({"a": ["no file /etc/passwd"]}, ["/etc/passwd"])] == []


NAMES = ("error", "code", "hint", "retryable", "message", "a/b", "~")
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["error", "code", "hint", "retryable", "message", "a/b", "~"]), inner, max_size=4
        )
    ),
    max_leaves=8,
)


@settings(max_examples=200, deadline=None)
@given(ANYTHING)
def test_whatever_comes_back_is_judged_and_told(body: Any) -> None:
    """No reply is too strange: every assertion has a verdict that a second look confirms, and there is a message."""
    found = judged("TIMEOUT", body)
    error = body.get("error") if isinstance(body, dict) else None
    error = error if isinstance(error, dict) else {}
    assert (found.shape.verdict is Verdict.PASS) is Draft202012Validator(SCHEMA).is_valid(body)
    assert (found.hint.verdict is Verdict.PASS) is (error.get("hint") == "TIMEOUT")
    assert (found.retryable.verdict is Verdict.PASS) is (error.get("retryable") is True)
    assert text(found).startswith("TIMEOUT (charge_card)\n  shape")
