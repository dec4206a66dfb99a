"""Replaying every fixture through a tool, and telling why one fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from ..catalogue.model import Case
from ..codes import error_contracts
from ..codes.replay import DIED, NONDETERMINISTIC, NOT_JSON, NOT_REPLAYED, TIME_OUT, UNREACHABLE
from ..errors import BadInput, Problem
from ..finding import Finding, Level
from ..judged.assertions import Judged, Verdict, unreached, worst
from . import baseline as baselines
from .adapters import adapter
from .answer import Adapter, Answer, Session
from .baseline import Baseline
from .carriers import Reply, read
from .differing import differences
from .environments import known_environment
from .outcome import Replayed, Run
from .plan import Kept, Plan, documented_request, sent
from .settings import IN_PROCESS, LIVE
from .told import (
    SHOWN,
    baseline_not_asked,
    in_file,
    no_baseline,
    not_as_documented,
    parts,
    shown_at,
    told,
    unknown_class,
    why,
    without_fixture,
)
from .which import Seen, which

_NO_EVIDENCE = {DIED, NOT_JSON, TIME_OUT, UNREACHABLE}
"""Troubles of a baseline that did not run: they say nothing of what the last release answers."""


@dataclass(frozen=True, slots=True)
class ReplayOptions:
    """What to replay and how. `live`: whether the process may be left. No `adapters`: all that are configured.

    `documented`: whether replies are held against the catalogue alone, and not against what the fixtures have.
    """

    live: bool = False
    adapters: tuple[str, ...] = ()
    environment: str | None = None
    tools: tuple[str, ...] = ()
    codes: tuple[str, ...] = ()
    baseline: str | None = None
    baseline_run: tuple[str, ...] = ()
    repeat: int | None = None
    documented: bool = False


@dataclass(slots=True)
class _Tools:
    """The sessions that are open; one that is asked for again is not opened twice."""

    stack: ExitStack
    known: list[tuple[Adapter, Session]] = field(default_factory=list)

    def session(self, wanted: Adapter) -> Session:
        for known, session in self.known:
            if type(known) is type(wanted) and known == wanted:
                return session
        session = self.stack.enter_context(wanted.open())
        self.known.append((wanted, session))
        return session


def replay(plan: Plan, options: ReplayOptions) -> Run:
    """Replay the fixtures. Raises BadInput for what cannot be replayed at all."""
    environment = options.environment or plan.settings.environment
    known_environment(plan, environment)
    cases = plan.cases(environment, options.tools, options.codes)
    if not cases:
        raise BadInput(Problem("no error class fits", plan.catalogue.file, fix="look at --tool, --code, --environment"))
    kinds = {tool: _kinds(plan, options, tool, environment) for tool in dict.fromkeys(case.tool for case in cases)}
    kept = plan.kept(cases)
    with ExitStack() as stack:
        base = _baseline(plan, options, stack)
        asking = _Asking(plan, options, environment, _Tools(stack), base)
        replayed = [asking.replayed(one, kind) for one in kept for kind in kinds[one.case.tool]]
    adapters = tuple(kind for kind in (IN_PROCESS, *LIVE) if any(kind in found for found in kinds.values()))
    loose, count = asking.loose_findings(cases)
    unknown = (
        [] if options.codes else [unknown_class(f, claims, plan.catalogue.file) for f, claims in plan.unknown(kinds)]
    )
    name = base.name if base is not None else None
    return Run(
        plan.project.root,
        environment,
        adapters,
        tuple(replayed),
        (*loose, *unknown, *asking.silent),
        name,
        count,
        asked=asking.answers,
    )


def _kinds(plan: Plan, options: ReplayOptions, tool: str, environment: str | None) -> list[str]:
    """The adapters to go through for a tool. Raises BadInput where there is none."""
    configured = plan.settings.kinds(tool, environment)
    wanted = options.adapters or (LIVE if options.live else (IN_PROCESS,))
    leaving = [kind for kind in options.adapters if kind in LIVE]
    if leaving and not options.live and set(leaving) & set(configured):
        raise BadInput(Problem(f"{leaving[0]} leaves this process", fix="allow it: --live, or KNOWNBAD_LIVE=1"))
    found = [kind for kind in configured if kind in wanted]
    if not found:
        which_ones = " or ".join(f"[replay.{kind}]" for kind in wanted)
        fix = f"configure one: {which_ones}"
        if not options.live and not options.adapters and set(configured) & set(LIVE):
            fix = "--live goes through " + ", ".join(kind for kind in configured if kind in LIVE)
        raise BadInput(Problem(f"there is no way to {tool}", plan.settings.file, plan.settings.pointer, fix=fix))
    return found


def _baseline(plan: Plan, options: ReplayOptions, stack: ExitStack) -> Baseline | None:
    if options.baseline_run:
        tree = None
        if options.baseline is not None:
            tree = stack.enter_context(baselines.worktree(plan.project.root, options.baseline)).tree
        return Baseline(options.baseline or options.baseline_run[0], tree, options.baseline_run)
    if options.baseline is None:
        return None
    return stack.enter_context(baselines.worktree(plan.project.root, options.baseline))


@dataclass(slots=True)
class _Asking:
    """Asks the current build, again where that tells something, and the baseline."""

    plan: Plan
    options: ReplayOptions
    environment: str | None
    tools: _Tools
    base: Baseline | None
    _rows: Any = None
    silent: list[Finding] = field(default_factory=list)
    """What the baseline could not be asked for."""
    answers: int = 0
    """How many answers the baseline gave."""
    _twins: dict[tuple[str, str], tuple[int, list[str]]] = field(default_factory=dict)

    def replayed(self, kept: Kept, kind: str) -> Replayed:
        """One fixture through one adapter."""
        one = self._asked(kept, kind)
        others = () if self.options.documented else not_as_documented(kept)
        return replace(one, findings=(*one.findings, *others, *without_fixture(kept)))

    def _asked(self, kept: Kept, kind: str) -> Replayed:
        case = kept.case
        request = self._request(kept)
        if kind != IN_PROCESS and "error" in request:
            fix = "give the class a `trigger`: the arguments that provoke it"
            message = f"{case.name}: the class has no trigger, so the running tool cannot be made to fail so"
            if "error" not in case.request:
                fix = "bring it up to date: knownbad record, or knownbad generate where it was generated"
                message = f"{case.name}: the fixture's request is older than the row's `trigger` and provokes nothing"
            finding = Finding(NOT_REPLAYED, message, kept.file, subject=kind, fix=fix)
            return Replayed(kept, kind, unreached(case), None, (finding,))
        session = self.tools.session(adapter(self.plan.settings, kind, case.tool, environment=self.environment))
        answer = session.call(sent(kept, request))
        reply = read(answer, self.plan.look)
        judged = self._judged(self._case(kept), reply)
        findings = list(told(kept, reply, judged, self.plan))
        one = Replayed(kept, kind, judged, reply, tuple(findings))
        if any(f.code is UNREACHABLE for f in findings):
            return one
        again = self._again(session, kept, reply, judged, one.passes)
        findings += again
        seen = self._seen(one, kind, not any(f.weight is Level.ERROR for f in again))
        cause = which(seen)
        base = self.base.name if self.base is not None else "the last release"
        findings += why(kept, cause, seen, base, self.environment or kind)
        return replace(one, findings=tuple(findings), cause=cause)

    def _request(self, kept: Kept) -> Mapping[str, Any]:
        return documented_request(kept) if self.options.documented else kept.request

    def _case(self, kept: Kept) -> Case:
        return kept.case if self.options.documented else kept.expected

    def _judged(self, case: Case, reply: Reply) -> Judged:
        if reply.succeeded:
            return unreached(case)
        if not reply.copies:
            return unreached(case, reply.troubles[0].message if reply.troubles else "no envelope")
        found = self.plan.judge.judge(case, reply.copies[0].value)
        for copy in reply.copies[1:]:
            if list(differences(reply.copies[0].value, copy.value)):
                found = worst(found, self.plan.judge.judge(case, copy.value))
        return found

    def _again(self, session: Session, kept: Kept, reply: Reply, judged: Judged, passes: bool) -> list[Finding]:
        """The same request once more: does one build give one answer?"""
        for _ in range((self.options.repeat or self.plan.settings.repeat) - 1):
            if reply.troubles and not reply.copies and not reply.succeeded:
                return []  # a tool that gave no answer is not waited for again
            other = read(session.call(sent(kept, self._request(kept))), self.plan.look)
            apart = parts(reply, other, self.plan.settings.volatile)
            if not apart:
                continue
            second = self._judged(self._case(kept), other)
            alike = [a.verdict for a in second.assertions] == [a.verdict for a in judged.assertions]
            alike = alike and {t.code for t in other.troubles} == {t.code for t in reply.troubles}
            shown = f"first {shown_at(reply, apart[0])}, then {shown_at(other, apart[0])}"
            message = f"{kept.case.name}: two answers to one request differ at {', '.join(apart[:SHOWN])}: {shown}"
            fix = "name what may differ in `volatile` of [replay]" if alike else None
            level = Level.WARNING if alike else None
            return [
                Finding(
                    NONDETERMINISTIC,
                    message,
                    kept.file,
                    in_file(apart[0]),
                    subject=kept.case.name,
                    fix=fix,
                    level=level,
                )
            ]
        return []

    # ---- which of four

    def _seen(self, one: Replayed, kind: str, steady: bool) -> Seen:
        case = one.kept.case
        seen = Seen(one.passes, steady=steady)
        if self.base is not None:
            seen = self._with_baseline(seen, one, kind)
        if seen.current:
            return seen
        loose = bool(self._accepted(case)[1])
        return replace(seen, loose=loose, elsewhere=self._elsewhere(one.kept, kind))

    def _with_baseline(self, seen: Seen, one: Replayed, kind: str) -> Seen:
        assert self.base is not None
        kept = one.kept
        wanted = baselines.adapter_of(self.plan.settings, kind, kept.case.tool, self.base, self.environment)
        if wanted is None and (no_way := no_baseline(self.base.name, kept.case.tool, kind)) not in self.silent:
            self.silent.append(no_way)
        if wanted is None or one.reply is None:
            return seen
        reply = read(self.tools.session(wanted).call(sent(kept)), self.plan.look)
        if not reply.copies and not reply.succeeded and {t.code for t in reply.troubles} & _NO_EVIDENCE:
            assert self.base is not None
            self.silent.append(baseline_not_asked(self.base.name, kept, kind, reply))
            return seen
        self.answers += 1
        judged = self._judged(self._case(kept), reply)
        passes = Replayed(kept, kind, judged, reply, tuple(told(kept, reply, judged, self.plan))).passes
        same = not parts(one.reply, reply, self.plan.settings.volatile)
        return replace(seen, baseline=passes, same=same, row_changed=self._row_changed(kept.case))

    def _row_changed(self, case: Case) -> bool | None:
        """Whether the catalogue of the baseline documents the class otherwise; None where it cannot be read."""
        if self.base is None or self.base.tree is None:
            return None
        if self._rows is None:
            self._rows = _rows_of(self.plan, self.base)
        if self._rows is False:
            return None
        documented = {(c.tool, c.name): c for c in self._rows}
        before = documented.get((case.tool, case.name))
        return before is None or _documented(before) != _documented(case)

    def _elsewhere(self, kept: Kept, kind: str) -> bool | None:
        """Whether the same build passes in process; None where it is not configured or is where it failed."""
        settings, tool = self.plan.settings, kept.case.tool
        if kind == IN_PROCESS or IN_PROCESS not in settings.kinds(tool):
            return None
        try:
            session = self.tools.session(adapter(settings, IN_PROCESS, tool))
        except BadInput:
            return None
        reply = read(session.call(sent(kept)), self.plan.look)
        judged = self._judged(self._case(kept), reply)
        return Replayed(kept, IN_PROCESS, judged, reply, tuple(told(kept, reply, judged, self.plan))).passes

    def _accepted(self, case: Case) -> tuple[int, list[str]]:
        """How many known-bad twins of a class the validator should reject, and the files of those that it accepts."""
        key = (case.tool, case.name)
        if key not in self._twins:
            shape = list(self.plan.twins(case))
            accepted = [f for f, body in shape if self.plan.judge.judge(case, body).shape.verdict is Verdict.PASS]
            self._twins[key] = (len(shape), accepted)
        return self._twins[key]

    def loose_findings(self, cases: Sequence[Case]) -> tuple[list[Finding], int | None]:
        """The known-bad twins of what failed, run again."""
        found: list[Finding] = []
        for case in cases:
            for file in self._twins.get((case.tool, case.name), (0, []))[1]:
                message = f"{case.name}: the validator accepts this known-bad envelope, so the schema is too loose"
                fix = "tighten the envelope's schema"
                found.append(Finding(error_contracts.TOO_LOOSE, message, file, subject=case.name, fix=fix))
        counts = [count for count, _ in self._twins.values()]
        return found, sum(counts) if counts else None


def _documented(case: Case) -> tuple[Any, ...]:
    """What a row documents of a case, wherever it stands in the catalogue."""
    said = (case.code, case.hint, case.retryable, case.category, case.retry_after, case.status, case.message)
    return (*said, case.details, case.carrier, case.idempotent, dict(case.request))


def _rows_of(plan: Plan, base: Baseline) -> Any:
    """The cases of the baseline's catalogue, False where it has none that can be read."""
    from ..catalogue.reading import catalogue_of
    from ..config import project

    assert base.tree is not None
    try:
        found = catalogue_of(project(base.tree))
    except (BadInput, OSError):
        return False
    return False if found is None else found.cases()


def answered(answer: Answer, case: Case, plan: Plan) -> tuple[Reply, Judged]:
    """One answer, read and judged: for a reply that came on another way."""
    reply = read(answer, plan.look)
    asking = _Asking(plan, ReplayOptions(), None, _Tools(ExitStack()), None)
    return reply, asking._judged(case, reply)
