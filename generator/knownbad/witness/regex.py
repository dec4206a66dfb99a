r"""Regular expressions of schemas (ECMA 262) in Python's own notation.

The differences that matter: `\d`, `\w`, `\s`, `\b` have their ECMA meaning, `$` is only the very end, `.` stops at the
four line terminators, `\/`, `\cX`, `\u{…}`, `\p{…}`, `[^]` and `(?<name>…)` are understood.
"""

from __future__ import annotations

import re
import unicodedata
import warnings
from functools import lru_cache
from itertools import groupby
from typing import Any

_DIGIT = "0-9"
_WORD = "0-9A-Za-z_"
_SPACE = "\\t-\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
# The complements are spelled out, so that they can stand inside a class as well.
_NOT_DIGIT = "\\x00-/:-\\U0010ffff"
_NOT_WORD = "\\x00-/:-@\\[-\\^`{-\\U0010ffff"
_NOT_SPACE = (
    "\\x00-\\x08\\x0e-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e"
    "\\u2030-\\u205e\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\U0010ffff"
)
_CLASSES = {"d": _DIGIT, "w": _WORD, "s": _SPACE, "D": _NOT_DIGIT, "W": _NOT_WORD, "S": _NOT_SPACE}
_DOT = "[^\\n\\r\\u2028\\u2029]"
_SAME_IN_BOTH = frozenset("tnrvf0123456789xAZ")
"""Letters whose escapes are taken over as they are (`\\A` and `\\Z` are no ECMA, but Python's)."""

_CATEGORIES = {
    "letter": "L", "cased_letter": "LC", "uppercase_letter": "Lu", "lowercase_letter": "Ll", "titlecase_letter": "Lt",
    "modifier_letter": "Lm", "other_letter": "Lo", "mark": "M", "combining_mark": "M", "nonspacing_mark": "Mn",
    "spacing_mark": "Mc", "enclosing_mark": "Me", "number": "N", "decimal_number": "Nd", "digit": "Nd",
    "letter_number": "Nl", "other_number": "No", "punctuation": "P", "punct": "P", "connector_punctuation": "Pc",
    "dash_punctuation": "Pd", "open_punctuation": "Ps", "close_punctuation": "Pe", "initial_punctuation": "Pi",
    "final_punctuation": "Pf", "other_punctuation": "Po", "symbol": "S", "math_symbol": "Sm", "currency_symbol": "Sc",
    "modifier_symbol": "Sk", "other_symbol": "So", "separator": "Z", "space_separator": "Zs", "line_separator": "Zl",
    "paragraph_separator": "Zp", "other": "C", "control": "Cc", "cntrl": "Cc", "format": "Cf", "private_use": "Co",
    "unassigned": "Cn", "alphabetic": "L", "alpha": "L", "uppercase": "Lu", "upper": "Lu", "lowercase": "Ll",
    "lower": "Ll", "white_space": "Z",
}  # fmt: skip
_SCRIPTS = {
    "latin": "LATIN", "latn": "LATIN", "greek": "GREEK", "grek": "GREEK", "cyrillic": "CYRILLIC", "cyrl": "CYRILLIC",
    "arabic": "ARABIC", "arab": "ARABIC", "hebrew": "HEBREW", "hebr": "HEBREW",
    "han": "CJK UNIFIED", "hani": "CJK UNIFIED",
    "hiragana": "HIRAGANA", "hira": "HIRAGANA", "katakana": "KATAKANA", "kana": "KATAKANA", "hangul": "HANGUL",
    "hang": "HANGUL", "thai": "THAI", "devanagari": "DEVANAGARI", "deva": "DEVANAGARI", "armenian": "ARMENIAN",
    "georgian": "GEORGIAN",
}  # fmt: skip
_SHORT = frozenset(_CATEGORIES.values()) | frozenset("LMNPSZC")


@lru_cache(maxsize=256)
def _property(name: str, negated: bool) -> str:
    """The characters of `\\p{name}` as the inside of a class. Only the basic plane is looked at. Raises re.error."""
    key, _, value = name.partition("=")
    wanted = (value or key).strip().lower().replace("-", "_")
    script = _SCRIPTS.get(wanted) if value and key in ("Script", "sc", "Script_Extensions", "scx") else None
    category = (value or key) if (value or key) in _SHORT else _CATEGORIES.get(wanted)
    if wanted == "any":
        return "^\\x00-\\U0010ffff" if negated else "\\x00-\\U0010ffff"
    if wanted == "ascii":
        member = str.isascii
    elif script is not None:
        member = _of_script(script)
    elif category is not None:
        member = _of_category(category)
    else:
        raise re.error(f"unknown property {name!r}")
    flags = groupby(range(0x10000), key=lambda code: member(chr(code)) != negated)
    ranges = [(codes[0], codes[-1]) for wanted_here, group in flags if wanted_here for codes in [list(group)]]
    if negated:
        ranges.append((0x10000, 0x10FFFF))
    return "".join(f"\\U{low:08x}-\\U{high:08x}" for low, high in ranges)


def _of_category(category: str) -> Any:
    if category == "LC":
        return lambda char: unicodedata.category(char) in ("Lu", "Ll", "Lt")
    return lambda char: unicodedata.category(char).startswith(category)


def _of_script(prefix: str) -> Any:
    return lambda char: unicodedata.name(char, "").startswith(prefix) and unicodedata.category(char)[0] in "LM"


@lru_cache(maxsize=4096)
def to_python(pattern: str) -> str:
    """An ECMA 262 pattern in Python's notation, to be used with `re.search` without flags. Raises re.error."""
    return _Translation(pattern).run()


class _Translation:
    """One pass over a pattern, left to right."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern
        self.at = 0
        # `(?m)` is no ECMA but is seen: `$` then keeps what Python makes of it.
        flags = re.match(r"\(\?([aimsux]+)\)", pattern)
        self.multiline = flags is not None and "m" in flags[1]

    def run(self) -> str:
        out: list[str] = []
        text = self.text
        while self.at < len(text):
            char = text[self.at]
            if char == "\\":
                out.append(self.escape(inside=False))
            elif char == "[":
                out.append(self.char_class())
            elif char == ".":
                out.append(_DOT)
                self.at += 1
            elif char == "$":
                out.append("$" if self.multiline else "\\Z")
                self.at += 1
            elif text.startswith("(?<", self.at) and text[self.at + 3 : self.at + 4] not in ("=", "!", ""):
                out.append("(?P<")
                self.at += 3
            else:
                out.append(char)
                self.at += 1
        return "".join(out)

    def char_class(self) -> str:
        text, start = self.text, self.at
        self.at += 1
        negated = text.startswith("^", self.at)
        self.at += negated
        if text.startswith("]", self.at):  # Python would take this bracket as a member
            self.at += 1
            return "[\\x00-\\U0010ffff]" if negated else "(?!)"
        out: list[str] = []
        while self.at < len(text) and text[self.at] != "]":
            char = text[self.at]
            if char == "\\":
                piece = self.escape(inside=True)
            else:
                piece = "\\" + char if char in "[&~|^" else char
                self.at += 1
            if char == "-" and out and text[self.at : self.at + 1] not in ("]", "") and self._class_beside(start, text):
                piece = "\\-"
            out.append(piece)
        if self.at >= len(text):
            raise re.error("unterminated character set", text, start)
        self.at += 1
        return "[" + "^" * negated + "".join(out) + "]"

    def _class_beside(self, start: int, text: str) -> bool:
        """Whether the hyphen just read stands beside `\\w` and the like, where it is only a hyphen."""
        before, after = text[max(start + 1, self.at - 3) : self.at - 1], text[self.at : self.at + 2]
        return any(len(part) == 2 and part[0] == "\\" and part[1] in "dwsDWSpP" for part in (before, after))

    def escape(self, inside: bool) -> str:
        text = self.text
        if self.at + 1 >= len(text):
            raise re.error("bad escape (end of pattern)", text, self.at)
        char = text[self.at + 1]
        rest = text[self.at + 2 :]
        self.at += 2
        if char in _CLASSES:
            return _CLASSES[char] if inside else f"[{_CLASSES[char]}]"
        if char in "bB" and not inside:
            return f"(?a:\\{char})"
        if char == "b":
            return "\\x08"
        if char == "c" and rest[:1].isascii() and rest[:1].isalpha():
            self.at += 1
            return f"\\x{ord(rest[0]) % 32:02x}"
        if char == "u":
            return self.unicode_escape(rest)
        if char in "pP" and (found := re.match(r"\{([^}]*)\}|[A-Z]", rest)):
            self.at += found.end()
            members = _property(found[1] or found[0], char == "P")
            return members if inside else f"[{members}]"
        if char == "k" and (found := re.match(r"<(\w+)>", rest)):
            self.at += found.end()
            return f"(?P={found[1]})"
        if char == "z" and not inside:
            return "\\Z"
        if char == "0" and not rest[:1].isdigit():
            return "\\x00"
        if char in _SAME_IN_BOTH or not char.isalnum():
            return "\\" + char if char.isascii() else char
        raise re.error(f"bad escape \\{char}", text, self.at - 2)

    def unicode_escape(self, rest: str) -> str:
        if found := re.match(r"\{([0-9a-fA-F]{1,8})\}", rest):
            code = int(found[1], 16)
        elif found := re.match(r"[dD]([89abAB][0-9a-fA-F]{2})\\u[dD]([c-fC-F][0-9a-fA-F]{2})", rest):
            code = 0x10000 + ((int(found[1], 16) & 0x3FF) << 10) + (int(found[2], 16) & 0x3FF)
        elif found := re.match(r"[0-9a-fA-F]{4}", rest):
            code = int(found[0], 16)
        else:
            raise re.error("incomplete escape \\u", self.text, self.at - 2)
        if code > 0x10FFFF:
            raise re.error("no such character", self.text, self.at - 2)
        self.at += found.end()
        return f"\\U{code:08x}"


@lru_cache(maxsize=4096)
def compiled(pattern: str) -> re.Pattern[str]:
    """The translated pattern, compiled. Raises re.error."""
    try:
        return re.compile(to_python(pattern))
    except (OverflowError, RecursionError) as error:
        raise re.error(str(error), pattern) from error


@lru_cache(maxsize=4096)
def as_written(pattern: str) -> re.Pattern[str] | None:
    """The pattern as a Python program takes it without translation; None where that does not compile."""
    try:
        with warnings.catch_warnings():  # `[[` and the like: a schema's author need not care what Python plans
            warnings.simplefilter("ignore")
            return re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return None


@lru_cache(maxsize=4096)
def compiles(pattern: str) -> str | None:
    """None for a valid regular expression, else what is wrong with it."""
    try:
        compiled(pattern)
    except re.error as error:
        return error.msg + (f" at position {error.pos}" if error.pos is not None else "")
    return None


def matches(pattern: str, text: str) -> bool | None:
    """Whether `pattern` is found in `text`; None where its ECMA and its Python reading differ on this text.

    A text of two verdicts is no witness of anything: one validator of the two would contradict it. None also for a
    pattern that does not compile.
    """
    try:
        found = compiled(pattern).search(text) is not None
    except re.error:
        return None
    plain = as_written(pattern)
    if plain is None or (plain.search(text) is not None) == found:
        return found
    return None


@lru_cache(maxsize=1024)
def parsed(pattern: str) -> Any:
    """The parse tree (`re`'s own) of the translated pattern. Raises re.error."""
    import re._parser as parser

    return parser.parse(to_python(pattern))
