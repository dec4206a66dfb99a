"""The catalogue as frozen values: policy, layout of the envelope, rows, and the cases that rows come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..pointers import steps

WITH_KEY = "with-idempotency-key"
"""A `retryable` that depends on the request: both cases are documented, and both get a fixture."""
IDEMPOTENCY_KEY = "/args/idempotency_key"
"""Where the key stands in a request, unless the policy says otherwise."""
RESULT, PROTOCOL = "result", "protocol"
"""Carriers: a result that is marked as an error, an error of the protocol."""

Code = str | int
"""What an envelope holds for a class: mostly a word, in some shapes a number."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one failed call costs: how often it is sent, and the seconds of waiting between."""

    dispatches: int
    seconds: float

    def __str__(self) -> str:
        times = "dispatch" if self.dispatches == 1 else "dispatches"
        return f"{self.dispatches} {times} and {self.seconds:g} s of backoff"


@dataclass(frozen=True, slots=True)
class Policy:
    """How a loop retries: `attempts` at most, the first wait `base_delay` seconds, each further one `factor` longer."""

    attempts: int = 3
    base_delay: float = 1.0
    factor: float = 2.0

    def cost(self, retryable: bool, retry_after: float | None = None) -> Cost:
        """What a failure costs that stays one. No wait is shorter than `retry_after`."""
        if not retryable:
            return Cost(1, 0.0)
        waits = (max(self.base_delay * self.factor**n, retry_after or 0.0) for n in range(self.attempts - 1))
        return Cost(self.attempts, sum(waits))


@dataclass(frozen=True, slots=True)
class Envelope:
    """Where things stand in the envelope of `contract`, each a JSON Pointer; None: this shape does not have it."""

    contract: str | None = None
    code: str = "/error/code"
    hint: str = "/error/hint"
    retryable: str = "/error/retryable"
    message: str | None = "/error/message"
    category: str | None = "/error/category"
    retry_after: str | None = "/error/retry_after"
    details: str | None = "/error/details"
    status: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """One documented outcome: an error class of a tool, behind a service, in an environment.

    `class_` names the class even where a service spells its `code` otherwise. `with_key`: whether the request has an
    idempotency key, None where that makes no difference. `location` is the row's pointer in the catalogue.
    """

    tool: str
    class_: str
    code: Code
    hint: Code
    retryable: bool
    request: Mapping[str, Any]
    location: str
    service: str | None = None
    environment: str | None = None
    with_key: bool | None = None
    category: str | None = None
    idempotent: bool | None = None
    effect: str | None = None
    retry_after: float | None = None
    status: int | None = None
    message: str | None = None
    details: Any = None
    carrier: str = RESULT
    policy: Policy = field(default_factory=Policy)
    deprecated: bool | str = False
    triggered: bool = False
    """Whether the catalogue documents the request."""

    @property
    def name(self) -> str:
        """What a report calls it: the class, and what tells it from the others of the class."""
        key = {None: None, True: WITH_KEY, False: "without-idempotency-key"}[self.with_key]
        return ".".join(part for part in (self.class_, self.service, self.environment, key) if part is not None)


@dataclass(frozen=True, slots=True)
class Row:
    """One error class as it stands in the catalogue. `values` passes the catalogue's schema."""

    values: Mapping[str, Any]
    location: str
    tools: tuple[str, ...]

    @property
    def class_(self) -> str:
        return str(self.values["code"])


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every error class. `file` is what messages call it, relative to the project's root."""

    file: str
    rows: tuple[Row, ...]
    tools: tuple[str, ...]
    policy: Policy = field(default_factory=Policy)
    services: Mapping[str, Policy] = field(default_factory=dict)
    idempotency_key: str = IDEMPOTENCY_KEY
    envelope: Envelope = field(default_factory=Envelope)
    own_layout: bool = False
    """Whether the catalogue says where things stand in the envelope."""

    def cases(self, tool: str | None = None) -> tuple[Case, ...]:
        """Every case, of one tool or of all, tool by tool in the order of the rows."""
        tools = self.tools if tool is None else (tool,)
        return tuple(case for name in tools for row in self.rows if name in row.tools for case in self._of(row, name))

    def _of(self, row: Row, tool: str) -> Iterator[Case]:
        for service in _names(row.values.get("services")):
            for environment in _names(row.values.get("environments")):
                values = {**row.values, **_override(row, "services", service)}
                values.update(_override(row, "environments", environment))
                for with_key in (True, False) if values["retryable"] == WITH_KEY else (None,):
                    yield self._case(row, tool, values, service, environment, with_key)

    def _case(
        self,
        row: Row,
        tool: str,
        values: Mapping[str, Any],
        service: str | None,
        environment: str | None,
        with_key: bool | None,
    ) -> Case:
        retryable = values["retryable"] if with_key is None else with_key
        policy = self.services.get(service, self.policy) if service else self.policy
        return Case(
            tool=tool,
            class_=row.class_,
            code=values["code"],
            hint=values.get("hint", values["code"]),
            retryable=retryable,
            request=self._request(tool, values, with_key),
            location=row.location,
            service=service,
            environment=environment,
            with_key=with_key,
            category=values.get("category"),
            idempotent=values.get("idempotent"),
            effect=values.get("effect"),
            retry_after=values.get("retry_after") if retryable else None,
            status=values.get("status"),
            message=values.get("message"),
            details=values.get("details"),
            carrier=values.get("carrier", RESULT),
            policy=policy,
            deprecated=values.get("deprecated", False),
            triggered="trigger" in values,
        )

    def _request(self, tool: str, values: Mapping[str, Any], with_key: bool | None) -> dict[str, Any]:
        """The request that provokes a class. Without a trigger it names the class for the tool's error constructor."""
        trigger = values.get("trigger")
        if trigger is None:
            about = {"code": values["code"], **({"status": values["status"]} if "status" in values else {})}
            request: dict[str, Any] = {"tool": tool, "args": {}, "error": about}
        else:
            request = {"tool": tool, **trigger}
        if with_key is True:
            return _with(request, steps(self.idempotency_key), f"key-{values['code']}")
        return _without(request, steps(self.idempotency_key)) if with_key is False else request


def _names(overrides: Any) -> tuple[str | None, ...]:
    """The names that a row is spread over. A table adds to the plain case, a list replaces it."""
    if not overrides:
        return (None,)
    return tuple(overrides) if isinstance(overrides, list) else (None, *overrides)


def _override(row: Row, key: str, name: str | None) -> Mapping[str, Any]:
    table = row.values.get(key)
    values: Mapping[str, Any] = table[name] if isinstance(table, dict) and name is not None else {}
    return values


def _with(request: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """The request with a value at the end of a path, kept where there is one already."""
    first, *rest = path
    if not rest:
        return {**request, first: request.get(first, value)}
    below = request.get(first)
    return {**request, first: _with(below if isinstance(below, dict) else {}, rest, value)}


def _without(request: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any]:
    first, *rest = path
    if not rest:
        return {name: value for name, value in request.items() if name != first}
    below = request.get(first)
    return {**request, first: _without(below, rest)} if isinstance(below, dict) else dict(request)


def with_policy(policy: Policy, table: Mapping[str, Any]) -> Policy:
    """A policy with what a table says in place of its own."""
    return replace(policy, **{key: table[key] for key in ("attempts", "base_delay", "factor") if key in table})
