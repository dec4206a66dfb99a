"""Credentials in recorded data: masked before anything is written, and what still looks like one is told.

Two passes. `Masking.mask` takes out what is known to be a credential: by the name of its member or header, and by its
shape. `Masking.suspects` then looks for what nobody foresaw: long texts that look drawn by chance.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple
from urllib.parse import quote, quote_plus

from .errors import BadInput, Problem
from .keys import check_keys
from .pointers import join

MASK = "[masked]"
"""What stands in the place of a credential."""

_NAMES = re.compile(  # of a name in small letters without separators
    r"(?:.*(?:authorization|cookie|password|passwd|passphrase|secret|credentials?|apikey|accesskey|accesskeyid|secretkey"
    r"|privatekey|signingkey|encryptionkey|authkey|subscriptionkey|clientkey|functionskey|connectionstring"
    r"|(?:access|refresh|id|auth|bearer|session|security|csrf|xsrf|api|user|device|bot|personal|private|client|x)token"
    r"|sessionid|sessionkey|csrf|xsrf|signature(?:256)?|hmac)"
    r"|tokens?|sig|auth|jwt|bearer|pwd|sid|sessid|phpsessid|jsessionid|otp|mfacode|cvv|cvc)\Z"
)
_SHAPES: tuple[tuple[str, str], ...] = (
    (
        "a private key",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----(?:.*?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|.*)",
    ),
    ("a web token", r"\beyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{5,}(?:\.[A-Za-z0-9_-]*){0,3}"),
    (
        "a header with credentials",
        (
            r"(?i:\b(?:proxy-)?authorization|\bset-cookie|\bcookie|\bx-(?:api-key|auth-token|amz-security-token|goog-api-key)"
            r"|\bapi-key)[\"']?(?:\s*[:=]\s*)[\"']?(?P<secret>[^\r\n\"']+)"
        ),
    ),
    (
        "credentials of a scheme",
        (
            r"\b(?i:bearer)(?:\s+|%20|\+)(?P<secret>(?=\S*[\d.]|\S{16})[A-Za-z0-9._~+/%=-]{6,})"
            r"|\b(?i:basic)(?:\s+|%20|\+)(?P<basic>[A-Za-z0-9+/]{6,}={0,2})"
        ),
    ),
    ("a password in an address", r"\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s/?#@:\"']*:(?P<secret>[^\s/?#@\"']+)@"),
    (
        "a named secret in a text",
        (
            r"(?i:\b(?:[a-z0-9]+[_-])*(?:api[_-]?key|(?:access|refresh|id|auth|session|security)[_-]?token|client[_-]?secret"
            r"|secret(?:[_-]?(?:access)?[_-]?key)?|password|passwd|private[_-]?key|session[_-]?id|x-amz-signature"
            r"|x-amz-credential|access[_-]?key(?:[_-]?id)?)"
            r"[\"']?\s*[=:]\s*[\"']?)(?P<secret>[^\s&\"',;)}\]]{4,})"
            r"|(?i:\b(?:token|sig|signature|pwd|key)[\"']?(?:=|:\s*(?=\S*\d))[\"']?)(?P<weak>[^\s&\"',;)}\]]{8,})"
            r"|(?i:[?&;](?:[a-z0-9]+[_.-])*(?:sig|signature|hmac|token|csrf|xsrf|pwd|secret|auth|key)=)"
            r"(?P<query>[^\s&#\"']+)"
            r"|(?i:\b(?:[a-z0-9]+[_-])*(?:password|passwd|passphrase|passcode|pwd|secret|token"
            r"|api[_ -]?key|access[_ -]?key|secret[_ -]?key|credentials?|csrf|signature)"
            r"(?:\s+(?:is|was|of|value))?\s+[\"'`]?)"
            r"(?P<spoken>(?=[^\s\"'`]*\d)(?=[^\s\"'`]*[A-Za-z])[^\s\"'`,;)}\]]{4,})"
        ),
    ),
    ("a cloud key", r"\b(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}\b|\bAIza[A-Za-z0-9_-]{30,}"),
    (
        "a service's key",
        (
            r"\b(?:sk|pk|rk|whsec)[_-](?:live[_-]|test[_-]|proj-|ant-|or-)?[A-Za-z0-9_-]{16,}"
            r"|\b(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|dop_v1_|shpat_|xox[abeprs]-|xapp-|SG\.|lin_api_|figd_"
            r"|ya29\.|AccountKey=)[A-Za-z0-9._=+/-]{10,}"
        ),
    ),
)
_WHOLE, _SURE = 3, 8
"""The value of a variable that is shorter than the first is masked as a whole text only, below the second as a word."""
_TEXT = re.compile(r"[A-Za-z0-9+/_~.=-]{24,}")
_IDENTIFIES = re.compile(
    r"(?:.*(?:[_\-.]|(?<=[a-z])(?=[A-Z])))?"
    r"(?i:ids?|uuid|guid|trace|span|request|correlation|etag|hash|digest|sha\d*|md5|checksum|commit|revision|fingerprint"
    r"|cursor|nonce|idempotency-?_?key|ref|reference)\Z"
)
"""Names of what identifies and opens nothing."""
_VARIABLE = re.compile(r"\$\{[A-Za-z_][A-Za-z0-9_]*\}\Z")
"""The name of a variable of the environment, which is where a credential belongs."""
_UUID = re.compile(r"(?i)[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")
_HEX = re.compile(r"(?i)[0-9a-f]{32,}\Z")
_CHANGES = 0.15
"""Changes between small letters, capitals and digits, a character. Words, dates and paths have less; drawn texts have

0.3 (one case and few digits) to 0.6 (all kinds).
"""


class Suspect(NamedTuple):
    """A text that looks like a credential: where it stands, and why it looks so. Never the text itself."""

    location: str
    why: str


class Masked(NamedTuple):
    """A value without its credentials, and the pointers to what was masked, with what it was."""

    value: Any
    masked: tuple[Suspect, ...]


_KEYS: dict[str, tuple[type, str]] = {
    "names": (list, "a list of names of members and headers"),
    "patterns": (list, "a list of regular expressions"),
    "keep": (list, "a list of names that hold no credentials, however they look"),
}


@dataclass(frozen=True)
class Masking:
    """What counts as a credential: what is known here, and what a team adds."""

    names: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    keep: tuple[str, ...] = ()
    values: dict[str, str] = field(default_factory=dict, compare=False)
    """What variables held that were put in, by their names: each is a credential wherever it stands."""

    def know(self, values: Mapping[str, str]) -> None:
        """Take note of what was put in for variables."""
        self.values.update({name: value for name, value in values.items() if value.strip() and value != MASK})

    def _known(self, text: str, at: str, found: list[Suspect]) -> str:
        """The text without what was put in for variables, as it is, as in an address or in JSON."""
        for name, value in sorted(self.values.items(), key=lambda item: -len(item[1])):
            for form in dict.fromkeys((value, quote(value, safe=""), quote_plus(value), json.dumps(value)[1:-1])):
                if form not in text or len(form) < _WHOLE and form != text:
                    continue
                edges = (r"(?<!\w)", r"(?!\w)") if len(form) < _SURE else ("", "")
                replaced = re.sub(f"{edges[0]}{re.escape(form)}{edges[1]}", MASK, text)
                if replaced != text:
                    found.append(Suspect(at, f"the value of ${{{name}}}"))
                    text = replaced
        return text

    @cached_property
    def _shapes(self) -> list[tuple[str, re.Pattern[str]]]:
        own = [("a pattern of the config", pattern) for pattern in self.patterns]
        return [(what, re.compile(pattern, re.DOTALL)) for what, pattern in (*own, *_SHAPES)]

    @cached_property
    def _own(self) -> frozenset[str]:
        return frozenset(map(_plain, self.names))

    @cached_property
    def _kept(self) -> frozenset[str]:
        return frozenset(map(_plain, self.keep))

    def named(self, name: str) -> bool:
        """Whether a member or header of this name holds a credential."""
        plain = _plain(name)
        return plain not in self._kept and (plain in self._own or _NAMES.match(plain) is not None)

    def mask(self, value: Any) -> Masked:
        """The value with every credential that is known as one replaced by `MASK`; the rest as it was."""
        found: list[Suspect] = []
        return Masked(self._walk(value, "", found, None), tuple(found))

    def suspects(self, value: Any) -> tuple[Suspect, ...]:
        """What still looks like a credential. Meant for what `mask` gave back."""
        return tuple(self._left(value, "", ""))

    def text(self, text: str) -> str:
        """A text for a report, without what is known as a credential."""
        return self._string(text, "", [])

    def _walk(self, value: Any, at: str, found: list[Suspect], secret: str | None) -> Any:
        """`secret`: the name that says that everything in here is a credential."""
        if isinstance(value, dict):
            pair = _pair(value)
            masked: dict[str, Any] = {}
            for name, item in value.items():
                hides = secret or (name if self.named(name) else None)
                if hides is None and pair is not None and name == pair[1] and self.named(pair[0]):
                    hides = pair[0]
                masked[self._string(name, join(at, name), found)] = self._walk(item, join(at, name), found, hides)
            return masked
        if isinstance(value, list):
            header = len(value) == 2 and isinstance(value[0], str) and self.named(value[0])
            return [
                self._walk(item, join(at, number), found, secret or (value[0] if header and number == 1 else None))
                for number, item in enumerate(value)
            ]
        if secret is None:
            if isinstance(value, str):
                return self._string(value, at, found)
            if isinstance(value, int | float) and not isinstance(value, bool) and self._is_known(value):
                found.append(Suspect(at, "the value of a variable"))
                return 0
            return value
        if value in ("", MASK, 0) or isinstance(value, str) and _VARIABLE.match(value):
            return value
        if isinstance(value, str):
            found.append(Suspect(at, "its name"))
            return MASK
        if isinstance(value, bool) or value is None or _plain(secret).endswith("tokens"):
            return value  # a switch, nothing, an amount of tokens
        found.append(Suspect(at, "its name"))
        return 0

    def _is_known(self, number: float) -> bool:
        return any(len(value) >= _WHOLE and value == str(number) for value in self.values.values())

    def _string(self, text: str, at: str, found: list[Suspect]) -> str:
        if (inside := _json_in(text)) is not None:
            before = len(found)
            masked = self._walk(inside, at, found, None)
            return json.dumps(masked, ensure_ascii=False) if len(found) > before else text
        if self.values:
            text = self._known(text, at, found)
        for what, shape in self._shapes:
            replaced = shape.sub(_put, text)
            if replaced != text:
                found.append(Suspect(at, what))
                text = replaced
        return text

    def _left(self, value: Any, at: str, name: str) -> Iterator[Suspect]:
        if isinstance(value, dict):
            for member, item in value.items():
                yield from self._left(member, join(at, member), "")
                yield from self._left(item, join(at, member), member)
        elif isinstance(value, list):
            for number, item in enumerate(value):
                yield from self._left(item, join(at, number), name)
        elif isinstance(value, str):
            if (inside := _json_in(value)) is not None:
                yield from self._left(inside, at, name)
            elif _plain(name) not in self._kept:
                why = next(filter(None, (_drawn(word[0], name) for word in _TEXT.finditer(value))), None)
                if why:
                    yield Suspect(at, why)


def masking(table: Mapping[str, Any], file: str, pointer: str) -> Masking:
    """The masking that a table of the config describes: `names`, `patterns`, `keep`. Raises BadInput."""
    problems = list(check_keys(table, _KEYS, file, pointer))
    for key in _KEYS:
        for number, item in enumerate(table.get(key, ()) if isinstance(table.get(key), list) else ()):
            where = join(pointer, key, number)
            if not isinstance(item, str) or not item:
                problems.append(Problem("must be a text", file, where, item))
            elif key == "patterns":
                problems.extend(_pattern_problem(item, file, where))
    if problems:
        raise BadInput(problems)
    names, patterns, keep = (tuple(table.get(key, ())) for key in ("names", "patterns", "keep"))
    return Masking(names, patterns, keep)


def configured(sections: Mapping[str, Any], file: str, pointer: str) -> Masking:
    """The masking of a project: `[replay.mask]` of its config, which everything that is recorded goes by."""
    replay = sections.get("replay", {})
    table = replay.get("mask", {}) if isinstance(replay, dict) else {}
    where = join(pointer, "replay", "mask")
    if not isinstance(table, dict):
        raise BadInput(Problem("must be a table", file, where, table))
    return masking(table, file, where)


def _pattern_problem(pattern: str, file: str, where: str) -> Iterable[Problem]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        return (Problem(f"is no regular expression: {error}", file, where, pattern),)
    if compiled.match(""):
        return (Problem("matches the empty text, so everything would be masked", file, where, pattern),)
    return ()


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _pair(value: Mapping[str, Any]) -> tuple[str, str] | None:
    """The header or variable that an object like `{"name": "Cookie", "value": "..."}` holds, and where its value is."""
    for named in ("name", "key", "header"):
        if isinstance(value.get(named), str) and "value" in value:
            return value[named], "value"
    return None


def _put(match: re.Match[str]) -> str:
    """The match with its secret part masked, or masked as a whole."""
    for group, text in match.groupdict().items():
        if text is not None:
            if text.startswith(MASK[:-1]) or group == "basic" and not _is_basic(text):
                return match[0]
            start, end = match.start(group) - match.start(), match.end(group) - match.start()
            return match[0][:start] + MASK + match[0][end:]
    return MASK


def _is_basic(text: str) -> bool:
    """Whether it is a name and a password in base64."""
    try:
        return b":" in base64.b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return False


def _json_in(text: str) -> Any:
    """The object or array that a text holds, None for other texts."""
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def _drawn(word: str, name: str) -> str | None:
    """Why a word looks drawn by chance; None where it does not, or where its name says that it only identifies."""
    if _UUID.fullmatch(word) or _IDENTIFIES.match(name):
        return None
    for part in (word, *re.split(r"[/.=~]", word)):
        if _HEX.match(part):
            return f"{len(part)} hexadecimal digits"
        if len(part) >= 24 and len(set(part)) >= 10 and _changes(part) >= _CHANGES * len(part):
            return f"{len(part)} characters that look drawn by chance"
    return None


def _changes(word: str) -> int:
    """How often the kind of character changes inside its parts; a capital that begins a word is no change."""
    kinds = re.sub(r"[A-Z](?=[a-z]{2})", "a", word)
    kinds = re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"[0-9]", "0", kinds)))
    return sum(left != right and left in "aA0" and right in "aA0" for left, right in pairwise(kinds))
