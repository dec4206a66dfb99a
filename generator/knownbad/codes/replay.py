"""Codes of replaying, recording and deploying error contracts (KB35x to KB39x)."""

from __future__ import annotations

from ..finding import Code, Level

TIME_OUT = Code("KB350", "time-out", "The tool did not answer in time")
DIED = Code("KB351", "died", "The tool ended, or its reply was cut off, before it had answered")
NOT_JSON = Code("KB352", "not-json", "What the tool answered is not JSON")
NO_ENVELOPE = Code("KB353", "no-envelope", "The tool failed without an envelope")
UNEXPECTED_SUCCESS = Code("KB354", "unexpected-success", "A request that has to fail was answered as a success")
FLAGGED_SUCCESS = Code("KB355", "flagged-as-success", "An error envelope was returned as a success")
CARRIERS_DISAGREE = Code("KB356", "carriers-disagree", "One reply carries two envelopes that differ")
TOO_LARGE = Code("KB357", "reply-too-large", "The reply is larger than any error has to be")
NOT_UTF8 = Code("KB358", "not-utf8", "The reply holds bytes that are not UTF-8")
WRONG_CONTENT_TYPE = Code("KB359", "wrong-content-type", "The envelope came under a type that is not JSON")
UNREACHABLE = Code("KB360", "unreachable", "The tool could not be reached or started")
RAISED = Code("KB361", "raised", "The function raised something that carries no envelope")
REPLY_DIFFERS = Code(
    "KB362", "reply-differs", "Beside the three assertions the reply is not the recorded one", Level.WARNING
)
NONDETERMINISTIC = Code("KB363", "nondeterministic", "The same build gave two answers to one request")
BASELINE_NOT_ASKED = Code(
    "KB367", "baseline-not-asked", "The last release could not be asked, so it says nothing", Level.UNDECIDED
)
DRIFT = Code("KB364", "drift", "The tool changed by accident: the last release still passes")
DECLARED_CHANGE = Code("KB365", "declared-change", "The catalogue's row changed, and the fixture did not follow")
STALE_FIXTURE = Code("KB366", "stale-fixture", "The last release fails the fixture, too")
ENVIRONMENT_DIFFERS = Code("KB368", "environment-differs", "The same build passes elsewhere")
FIXTURE_AHEAD = Code(
    "KB369", "fixture-ahead", "Only the last release fails the fixture: it has yet to be shipped", Level.NOTE
)
STATUS_DIFFERS = Code("KB370", "status-differs", "The status of HTTP is not the one of the catalogue", Level.WARNING)
CARRIER_DIFFERS = Code("KB371", "carrier-differs", "The envelope came in another carrier than the catalogue says")
NOT_REPLAYED = Code("KB372", "not-replayed", "A fixture could not be replayed", Level.UNDECIDED)
CONTRADICTS_ROW = Code(
    "KB373", "contradicts-row", "Beside the three assertions the reply says something else than its row", Level.WARNING
)
CREDENTIAL = Code("KB380", "credential-in-reply", "A reply still looks as if it held a credential")
NOT_RECORDED = Code("KB381", "not-recorded", "A reply is not what its class documents, so it is no fixture")
NOT_VERIFIED = Code("KB390", "not-verified", "No record says that this build passed this fixture", Level.UNDECIDED)
VERIFIED_AS_FAILED = Code("KB391", "verified-as-failed", "A record says that this build failed this fixture")
RECORDS_UNREACHABLE = Code("KB392", "records-unreachable", "The records of verifications could not be reached")
