"""`charge_card` and its classifier of errors.

The provider is simulated: some amounts provoke something (`PROVOKED`), every other amount is charged.
"""

from __future__ import annotations

import os
from typing import Any

TRANSIENT = {429, 500, 502, 503, 504}

PROVOKED: dict[int, Any] = {42: "declined", 29: 429, 503: 503, 40: 400, 1000: TimeoutError("timeout after dispatch")}
MESSAGES = {
    "PAYMENT_DECLINED": "Card issuer declined",
    "TRANSIENT": "The provider is busy",
    "TIMEOUT": "The provider did not answer in time",
    "PERMANENT": "The provider refused the request",
}
STATUS = {"PAYMENT_DECLINED": 402, "TRANSIENT": 503, "TIMEOUT": 504, "PERMANENT": 400}

FAULTS = ("declined-as-transient", "timeout-is-final", "trace-for-message")
"""Wrong refactorings: a declined card goes through the transient branch; a timeout says false; a trace leaks."""


class ToolFailure(Exception):
    """A call that failed. `envelope` is its public form."""

    def __init__(self, code: str, *, retryable: bool, message: str | None = None) -> None:
        super().__init__(code)
        message = MESSAGES[code] if message is None else message
        self.envelope = {"error": {"code": code, "hint": code, "message": message, "retryable": retryable}}


def classify(status: int | None = None, exc: Exception | None = None) -> dict[str, Any]:
    """The hint and the flag of what the provider did."""
    if status in TRANSIENT:
        return {"hint": "TRANSIENT", "retryable": True}
    if exc and "timeout" in str(exc).lower():
        return {"hint": "TIMEOUT", "retryable": os.environ.get("EXAMPLE_FAULT") != "timeout-is-final"}
    return {"hint": "PERMANENT", "retryable": False}


def charge_card(amount: int, currency: str) -> dict[str, Any]:
    """Charge a card. Raises ToolFailure."""
    happened = PROVOKED.get(amount)
    if happened is None:
        return {"charge": {"amount": amount, "currency": currency, "state": "captured"}}
    fault = os.environ.get("EXAMPLE_FAULT")
    if happened == "declined":
        routed = classify(status=503) if fault == "declined-as-transient" else classify(status=402)
        raise ToolFailure("PAYMENT_DECLINED", retryable=routed["retryable"])
    kind = classify(exc=happened) if isinstance(happened, Exception) else classify(status=happened)
    trace = 'Traceback (most recent call last):\n  File "app/pay.py", line 9, in charge\nKeyError: 1'
    message = trace if fault == "trace-for-message" else None
    raise ToolFailure(kind["hint"], retryable=kind["retryable"], message=message)


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """The response to a request, an envelope where it fails: the tool in process."""
    try:
        return raising(request)
    except ToolFailure as failure:
        return failure.envelope


def raising(request: dict[str, Any]) -> dict[str, Any]:
    """As `answer`, for a tool that raises. Raises ToolFailure."""
    if request.get("tool") != "charge_card":
        raise ToolFailure("PERMANENT", retryable=False, message="There is no such tool")
    return charge_card(**request["args"])


async def waiting(request: dict[str, Any]) -> dict[str, Any]:
    """As `answer`, for a tool that is a coroutine."""
    return answer(request)
