"""What RFC 0245 asks of a host, one row a MUST, MUST NOT or SHOULD: where, what shows it, and the codes it fails by.

Identifiers that begin with `openwop.` are the RFC's own; it gives the same to several rows, so each has a name of ours.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..codes import suites as codes
from ..finding import Code

REPLAYED = "openwop.requirement.0245.fixture-error-replayed"
REFUSED = "openwop.requirement.0245.unadvertised-refused"
_OURS = "knownbad.requirement.0245."


@dataclass(frozen=True, slots=True)
class Requirement:
    """One row. `rules`: the codes that it fails by. `seam`: the RFC itself says that an outside party cannot see it
    without a part that most hosts do not have; the row says which.
    """

    check: str
    identifier: str
    section: str
    force: str
    asks: str
    observable: str
    rules: tuple[Code, ...]
    seam: str | None = None


SCHEMA = Requirement(
    "schema",
    REPLAYED,
    "§A",
    "MUST",
    "`isError` is a boolean and may be left out; the recorded call has no other members than the known ones",
    'a suite with `isError: true` fits the contract, one with `isError: "true"` does not',
    (codes.SUITE_INVALID,),
)
RECORDED = Requirement(
    "recorded-as-error",
    REPLAYED,
    "§B",
    "MUST",
    "a served failure is logged with `error`, whose code and message are not empty, without `outcome`, and with "
    "`status: error` under tool hooks",
    "the `agent.tool-returned` of the call",
    (
        codes.ERROR_AS_SUCCESS,
        codes.ERROR_AND_OUTCOME,
        codes.NEITHER,
        codes.EMPTY_CODE,
        codes.EMPTY_MESSAGE,
        codes.STATUS,
    ),
    "the scripted agent",
)
NEVER_SUCCESS = Requirement(
    "never-served-as-success",
    REPLAYED,
    "§B",
    "MUST NOT",
    "a recorded failure is served as a success",
    "the `agent.tool-returned` of the call has an `outcome`",
    (codes.ERROR_AS_SUCCESS,),
    "the scripted agent",
)
NOT_A_MISS = Requirement(
    "not-a-miss",
    REPLAYED,
    "§B",
    "MUST NOT",
    "a served failure is counted as a miss",
    "`fixtureMissCount` of the summary",
    (codes.MISS_COUNT,),
    "the scripted agent",
)
RECEIVED = Requirement(
    "agent-receives-error",
    _OURS + "agent-receives-error",
    "§B",
    "MUST",
    "the agent is given the failure as a tool error",
    "what the agent was given, and the branch that it took: in a transcript, not on the log",
    (codes.AGENT_SAW_OTHER,),
    "G1: an agent that reads tool results and shows its branch",
)
NOT_RETRIED = Requirement(
    "never-retried-live",
    _OURS + "never-retried-live",
    "§B",
    "MUST NOT",
    "a call that matched a recorded failure is tried against the live tool",
    "how often the live tool ran",
    (codes.RETRIED_LIVE,),
    "G2: a tool with an effect counter",
)
SAME_AS_BEFORE = Requirement(
    "served-as-before",
    REPLAYED,
    "§A",
    "MUST",
    "where `isError` is absent or `false`, the recorded call is served as a success, as ever",
    "the `agent.tool-returned` of the call has an `outcome`",
    (codes.SUCCESS_AS_ERROR, codes.MISS_AS_SUCCESS, codes.SUCCESS_ALTERED),
    "the scripted agent",
)
CALLS = Requirement(
    "calls-and-returns",
    REPLAYED,
    "§B",
    "MUST",
    "a call that is answered with a failure is still a call: it is logged when it begins and when it returns",
    "an `agent.tool-called` and then an `agent.tool-returned` for each call",
    (codes.OUT_OF_ORDER, codes.NO_RETURN, codes.NO_CALL),
    "the scripted agent",
)
ADVERTISED = Requirement(
    "advertised-only-if-implemented",
    _OURS + "advertised-only-if-implemented",
    "§C",
    "MUST",
    "a host advertises `fixtureErrors` only if it does all of §B",
    "a host that advertises it passes the rows of §B",
    (),
)
UNADVERTISED = Requirement(
    "unadvertised-refused",
    REFUSED,
    "§C",
    "MUST",
    "a suite with a recorded failure is refused with `400 validation_error` by a host that does not advertise "
    "`fixtureErrors`, naming the field",
    "the answer to the creation of the run; and no event of it on the log",
    (codes.RAN_UNADMITTED, codes.REFUSAL_INCOMPLETE),
)
NOT_SILENTLY = Requirement(
    "never-served-silently",
    _OURS + "never-served-silently",
    "§C",
    "MUST NOT",
    "a host that does not advertise `fixtureErrors` silently serves a recorded failure as a success",
    "the `agent.tool-returned` of the call has an `outcome`, on a host without the promise",
    (codes.SERVED_SILENTLY,),
)
UNALTERED = Requirement(
    "live-flag-unaltered",
    _OURS + "live-flag-unaltered",
    "Motivation",
    "MUST",
    "`isError` of a live tool's result passes through unaltered (`host-services.md`, which the RFC builds on)",
    "what the live tool answered beside what the agent was given",
    (),
    "a live tool whose answers are known",
)
UNTRUSTED = Requirement(
    "untrusted-output",
    _OURS + "untrusted-output",
    "§D",
    "MUST",
    "an error payload is handled as untrusted tool output",
    "how the model is shown it: nothing that a log, an answer or a summary tells",
    (),
    "what the model saw",
)
SUMMARY = Requirement(
    "summary-unchanged",
    _OURS + "summary-unchanged",
    "§D",
    "MUST NOT",
    "a new field reaches the summary or an `eval.*` event",
    "the members of the summary and of `eval.*` events",
    (codes.SUMMARY_GREW,),
)
FIXED_MESSAGE = Requirement(
    "fixed-message",
    _OURS + "fixed-message",
    "§D",
    "SHOULD",
    "`error.message` is a short, fixed text and not the payload",
    "`error.message` beside the recorded response",
    (codes.PAYLOAD_ECHOED,),
)
REPLAY = Requirement(
    "replay-rereads",
    _OURS + "replay-rereads",
    "§D",
    "MUST NOT",
    "a replay or fork serves or judges a recorded failure again",
    "the tool events of the replay are those of the log that it was made from",
    (codes.REPLAY_DIFFERS,),
)
LOG = Requirement(
    "log",
    _OURS + "log",
    "ours",
    "MUST",
    "the log can be read, each event on it fits its contract, and a transcript tells the same calls",
    "the lines of the log",
    (codes.LOG_CUT, codes.LINE_UNREADABLE, codes.EVENT_MALFORMED, codes.CALL_CONTRADICTS),
)

REQUIREMENTS = (
    SCHEMA,
    SAME_AS_BEFORE,
    RECORDED,
    NEVER_SUCCESS,
    NOT_A_MISS,
    CALLS,
    RECEIVED,
    NOT_RETRIED,
    ADVERTISED,
    UNADVERTISED,
    NOT_SILENTLY,
    UNALTERED,
    UNTRUSTED,
    FIXED_MESSAGE,
    SUMMARY,
    REPLAY,
    LOG,
)
SECTION_B = (RECORDED, NEVER_SUCCESS, NOT_A_MISS, RECEIVED, NOT_RETRIED)
"""What a host promises that advertises `fixtureErrors`."""
