"""Codes of eval suites: admission, event logs, promotion (KB6xx)."""

from __future__ import annotations

from ..finding import Code, Level

# The documents.
SUITE_INVALID = Code("KB601", "suite-invalid", "The suite does not fit its contract")
CAPABILITIES_INVALID = Code("KB602", "capabilities-invalid", "The host's capabilities do not fit their contract")

# Admission: may this host run this suite?
EVAL_SUITE_UNADVERTISED = Code("KB603", "eval-suite-unadvertised", "The host does not say that it runs eval suites")
FIXTURE_ERRORS_UNADVERTISED = Code(
    "KB604",
    "fixture-errors-unadvertised",
    "The suite records a failed call, and the host does not promise to replay one",
)
SUITE_BEYOND_HOST = Code("KB605", "suite-beyond-host", "The suite asks for more than the host says it can do")
RAN_UNADMITTED = Code("KB606", "ran-unadmitted", "The host ran a suite that it had to refuse")
REFUSAL_INCOMPLETE = Code("KB607", "refusal-incomplete", "The host's answer is not the 400 that names every field")
SERVED_SILENTLY = Code(
    "KB608", "served-silently", "A host that does not promise to replay failures replayed one as a success"
)

# The event log: what happened to recorded calls.
ERROR_AS_SUCCESS = Code("KB610", "error-served-as-success", "A recorded failure was replayed as a success")
ERROR_AND_OUTCOME = Code("KB611", "error-and-outcome", "A call that returned has both an error and an outcome")
NEITHER = Code("KB612", "neither-error-nor-outcome", "A call that returned has neither an error nor an outcome")
EMPTY_CODE = Code("KB613", "error-code-empty", "The error of a call has no code")
EMPTY_MESSAGE = Code("KB614", "error-message-empty", "The error of a call has no message")
STATUS = Code("KB615", "status-not-error", "A failed call does not say `status: error` on a host with tool hooks")
MISS_COUNT = Code("KB616", "miss-count-wrong", "The summary counts misses that were none, or leaves some out")
SUCCESS_AS_ERROR = Code("KB617", "success-served-as-error", "A recorded success was replayed as a failure")
AGENT_SAW_OTHER = Code("KB618", "agent-saw-other", "The agent was given something else than the recorded failure")
RETRIED_LIVE = Code("KB619", "retried-live", "A call with a recorded failure was tried against the live tool")
PAYLOAD_ECHOED = Code("KB620", "payload-echoed", "The event repeats what the tool answered", Level.WARNING)

# The event log: is it one?
OUT_OF_ORDER = Code("KB621", "events-out-of-order", "Events do not stand in the order in which they happened")
NO_RETURN = Code("KB622", "call-without-return", "A call never returned")
NO_CALL = Code("KB623", "return-without-call", "Something returned that was never called")
LOG_CUT = Code("KB624", "log-cut", "The log ends in the middle of a line")
LINE_UNREADABLE = Code("KB625", "line-unreadable", "A line of the log is no JSON object")
EVENT_MALFORMED = Code("KB626", "event-malformed", "An event does not fit its contract")
REPLAY_DIFFERS = Code("KB627", "replay-differs", "A replay does not repeat the events that it was made from")
MISS_AS_SUCCESS = Code("KB628", "miss-answered-as-success", "A call that matches nothing recorded ended well")
SUMMARY_GREW = Code("KB629", "summary-grew", "A new field about recorded failures reached an `eval.*` event")
NOTHING_WITNESSED = Code("KB630", "nothing-witnessed", "The log shows no recorded failure, so nothing was proved")
CALLS_UNRESOLVED = Code(
    "KB631", "calls-unresolved", "The log does not say which recorded calls were served", Level.UNDECIDED
)
SUCCESS_ALTERED = Code("KB632", "success-altered", "The agent was given something else than the recorded success")

# Promotion: a recorded run becomes a task.
CALL_WITHOUT_PAYLOAD = Code("KB641", "call-without-payload", "The transcript does not hold a call of the log")
CALL_CONTRADICTS = Code("KB642", "call-contradicts", "Log and transcript tell a call differently")
SECRET_SUSPECTED = Code("KB643", "secret-suspected", "What would be promoted may still hold a credential")
