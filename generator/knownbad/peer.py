"""hypothesis-jsonschema, a peer that answers where our own forms of a schema give out; behind a guard.

It knows drafts 04 to 07 only, and takes newer ones for draft-07 without a word. It calls private helpers of Hypothesis:
release 0.23.1 fails on every object schema with Hypothesis 6.170.10 and later. So it is asked last, only about dialects
that it knows, and only when it is seen to work; otherwise the answer is the reason.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .dialects import Dialect
from .errors import shorten

BROKEN = ((0, 23, 1), (6, 170, 10))
"""The last release of hypothesis-jsonschema that fails, and the first of Hypothesis that it fails with."""
RAW = "does not model this"
"""What the algebra says of a schema whose canonical form is `Raw`."""
EXAMPLES = 60
"""Instances that are drawn of one schema."""


@cache
def unusable() -> str:
    """Why hypothesis-jsonschema cannot be used here; empty when it can."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        peer, hypothesis = version("hypothesis-jsonschema"), version("hypothesis")
    except PackageNotFoundError as missing:
        return f"{missing.name} is not installed"
    if _numbers(peer) <= BROKEN[0] and _numbers(hypothesis) >= BROKEN[1]:  # known, without importing either
        return f"hypothesis-jsonschema {peer} does not work with Hypothesis {hypothesis}"
    fault = probe()
    return f"hypothesis-jsonschema {peer} does not work with Hypothesis {hypothesis}: {fault}" if fault else ""


def probe() -> str:
    """What goes wrong when hypothesis-jsonschema draws an object; empty when nothing does."""
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    try:
        found = _draw(schema, 3)
    except Exception as error:  # noqa: BLE001  whatever it is, the peer is of no use
        return f"{type(error).__name__}: {shorten(str(error))}"
    good = found and all(isinstance(v, dict) and isinstance(v.get("a"), int) for v in found)
    return "" if good else f"it draws {shorten(found)} of an object schema"


def instances(schema: Any, dialect: Dialect) -> tuple[list[Any], str]:
    """Some instances of a self-contained schema, the same every time; and the reason when there are none."""
    if dialect.year > 7:
        return [], f"hypothesis-jsonschema does not know {dialect.name}"
    if reason := unusable():
        return [], reason
    try:
        return _draw(schema, EXAMPLES), ""
    except Exception as error:  # noqa: BLE001  a peer's failure is an answer that is missing, no crash of ours
        return [], f"hypothesis-jsonschema failed: {type(error).__name__}: {shorten(str(error))}"


def _draw(schema: Any, count: int) -> list[Any]:
    import warnings

    from hypothesis import HealthCheck, Phase, given, seed, settings
    from hypothesis_jsonschema import from_schema

    found: list[Any] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")

        @seed(0)
        @settings(
            max_examples=count,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=[*HealthCheck],
        )
        @given(from_schema(schema))
        def draw(value: Any) -> None:
            found.append(value)

        draw()
    return found


def _numbers(version: str) -> tuple[int, ...]:
    """The leading numbers of a version; a suffix such as `rc1` does not count."""
    numbers = []
    for part in version.split("."):
        digits = part[: len(part) - len(part.lstrip("0123456789"))]
        if not digits:
            break
        numbers.append(int(digits))
    return tuple(numbers)
