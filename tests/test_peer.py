"""hypothesis-jsonschema behind its guard: asked last, never trusted, and a reason where it cannot run."""

from __future__ import annotations

from typing import Any

import pytest

from knownbad import peer
from knownbad.algebra import Unknown, difference
from knownbad.dialects import DIALECTS, DRAFT_07, Dialect
from knownbad.distinguish import Engine, Undecided
from knownbad.prove import Answered
from knownbad.varied import contract_of


def test_the_guard_sees_that_hypothesis_jsonschema_does_not_work() -> None:
    """It fails on every object schema at present. When this test fails, a release works again: see the message."""
    fault = peer.probe()
    assert "AttributeError" in fault, (
        "hypothesis-jsonschema draws objects again with this Hypothesis. Set `peer.BROKEN` to the last versions that "
        "fail, change the text in docs/strategies.md, and let this test assert that `peer.unusable()` is empty."
    )
    assert peer.unusable()


def test_the_guard_agrees_with_the_probe() -> None:
    """The versions that are refused without a look are those that fail when looked at."""
    assert bool(peer.unusable()) is bool(peer.probe())


@pytest.mark.parametrize("dialect", DIALECTS[3:], ids=lambda dialect: dialect.name)
def test_the_peer_is_never_asked_about_dialects_that_it_does_not_know(
    dialect: Dialect, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(peer, "unusable", lambda: "")
    monkeypatch.setattr(peer, "_draw", lambda schema, count: pytest.fail("it was asked"))
    assert peer.instances({"type": "string"}, dialect) == ([], f"hypothesis-jsonschema does not know {dialect.name}")


def test_a_peer_that_fails_is_a_reason_and_no_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "unusable", lambda: "")
    found, reason = peer.instances({"type": "object", "properties": {"a": {}}, "required": ["a"]}, DRAFT_07)
    assert found == []
    assert reason.startswith("hypothesis-jsonschema failed: AttributeError")


def test_a_peer_that_works_draws_the_same_instances_every_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "unusable", lambda: "")
    schema = {"type": "integer", "minimum": 3}  # no object: that much works
    found, reason = peer.instances(schema, DRAFT_07)
    assert reason == ""
    assert len(found) > 10
    assert all(isinstance(value, int) and value >= 3 for value in found)
    assert peer.instances(schema, DRAFT_07)[0] == found


def test_the_ladder_asks_the_peer_where_the_canonical_form_is_raw(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = Engine(contract_of({"$schema": DRAFT_07.uri, "type": "integer", "minimum": 3}))
    mutation = next(m for m in engine.mutations() if m.name.startswith("minimum") and m.weakens)
    monkeypatch.setattr(engine, "aimed", lambda aims, hint=None, most=3: [])
    monkeypatch.setattr(engine.routes, "to", lambda sub: [])

    def raw(mutation: Any) -> Answered:
        engine.prover.reason = f"the algebra: the canonical form {peer.RAW}: unmodeled"
        return Answered("")

    monkeypatch.setattr(engine.prover, "algebra", raw)
    monkeypatch.setattr(peer, "unusable", lambda: "it is broken")
    answer = engine.distinguish(mutation)
    assert isinstance(answer, Undecided)
    assert answer.reason.endswith("it is broken")
    monkeypatch.setattr(peer, "instances", lambda schema, dialect: ([7, 2], ""))
    assert getattr(engine.distinguish(mutation), "instance", None) == 2


def test_the_algebra_says_raw_in_the_words_that_the_ladder_looks_for() -> None:
    schema = {"if": {"enum": [None, {"a": 1}], "maxLength": 3}, "then": False, "const": {"a": 1}}
    answer = difference(schema, {"type": "string"}, DRAFT_07, True)
    assert isinstance(answer, Unknown)
    assert peer.RAW in answer.reason
