"""The formats: in which dialects both validators assert them, examples of each, and near-misses.

Nothing is probed at run time; the tests hold every row against `jsonschema[format]` and `jsonschema-rs`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .dialects import Dialect

Standing = Literal["both", "one", "none"]


@dataclass(frozen=True, slots=True)
class Format:
    """What is known of one format.

    `both`: the first dialect year in which both validators assert it; `one`: the first in which at least one does.
    `valid` and `invalid`: examples that both accept and both reject, the simplest and the commonest faults first.
    `inner`: a pattern of which both accept every match up to `longest` characters; `outer`: both reject whatever does
    not match it. Between the two lies what is odd, or what the validators disagree on.
    `grow`: (head, repeated text, tail) of a valid string that can be made longer.
    """

    both: int
    one: int
    valid: tuple[str, ...]
    invalid: tuple[str, ...]
    inner: str
    outer: str
    grow: tuple[str, str, str] | None = None
    longest: int | None = None


_LETTERS = "abcdefghij"
_DATE = r"[1-9]\d{3}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))"
_TIME = r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)"
_ODD_TIME = r"\d{2}:[0-5]\d:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:[0-5]\d)"
_ODD_DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
# Two hyphens in the third and fourth place mark encoded names, which the validators do not read alike.
_LABEL = r"[a-z0-9]{1,20}(-[a-z0-9]{1,20}){0,2}"
_HOST = rf"{_LABEL}(\.{_LABEL})*"
_OCTET = r"(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)"
_IPV4 = rf"^{_OCTET}(\.{_OCTET}){{3}}$"
_HEX = "[0-9a-f]{1,4}"
_IPV6 = "|".join(
    ["^::$", f"^({_HEX}:){{7}}{_HEX}$", f"^::({_HEX}:){{0,5}}{_HEX}$", f"^({_HEX}:){{1,6}}:$"]
    + [f"^({_HEX}:){{{left}}}(:{_HEX}){{1,{7 - left}}}$" for left in range(1, 7)]
)
_PCHAR = r"([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-F]{2})"
_NO_COLON = r"([A-Za-z0-9._~!$&'()*+,;=@-]|%[0-9A-F]{2})"
_ABSOLUTE = rf"(//[a-z0-9.-]*(:\d{{1,4}})?(/{_PCHAR}*)*|/({_PCHAR}+(/{_PCHAR}*)*)?)"
_REST = rf"(\?({_PCHAR}|[/?])*)?(#({_PCHAR}|[/?])*)?$"
_URI = rf"^[A-Za-z][A-Za-z0-9+.-]*:({_ABSOLUTE}|{_PCHAR}+(/{_PCHAR}*)*)?{_REST}"
_URI_REFERENCE = rf"{_URI}|^({_ABSOLUTE}|{_NO_COLON}+(/{_PCHAR}*)*)?{_REST}"
# One validator takes a line feed at the end of a URI.
_URI_CHARS = r"[!#-;=?-\[\]_a-z~]"
_IRI_CHARS = r'[^\x00-\x20<>"{}|\\^`\x7f]'
_POINTER = r"(/([^/~]|~[01])*)*$"

FORMATS: dict[str, Format] = {
    "date-time": Format(
        4, 4,
        ("2024-01-31T12:00:00Z", "2024-01-31T12:00:00+02:00", "2024-01-31T12:00:00.123Z", "1999-12-31T23:59:59-08:00"),
        ("2024-01-31T12:00:00", "2024-01-31", "2024-01-31 12:00:00", "2024-02-30T12:00:00Z", "2024-01-31T25:00:00Z",
         "2024-01-31T12:00Z", "2024-13-01T12:00:00Z", "2024-01-31T12:00:00+0200", "Wed, 31 Jan 2024 12:00:00 GMT",
         "1706702400", "not a date", ""),
        f"^{_DATE}T{_TIME}$", f"^{_ODD_DATE}[Tt ]{_ODD_TIME}$",
        ("2024-01-31T12:00:00.", "0", "Z"),
    ),
    "date": Format(
        7, 4,
        ("2024-01-31", "1999-12-31", "2024-02-29"),
        ("2024-02-30", "2024-13-01", "31.01.2024", "01/31/2024", "2024-1-31", "20240131", "2024-01-31T12:00:00Z",
         "2023-02-29", "24-01-31", "not a date", ""),
        f"^{_DATE}$", f"^{_ODD_DATE}$",
    ),
    "time": Format(
        7, 4,
        ("12:00:00Z", "12:00:00+02:00", "23:59:59.123Z"),
        ("12:00:00", "12:00", "25:00:00Z", "12:60:00Z", "12:00Z", "12:00:00+0200", "12.00 Uhr", ""),
        f"^{_TIME}$", f"^{_ODD_TIME}$",
        ("12:00:00.", "0", "Z"),
    ),
    "duration": Format(
        19, 19,
        ("P1D", "PT1H", "P1Y2M3DT4H5M6S", "P4W"),
        ("1 day", "1D", "P", "PT", "P1", "P1H", "PT1D", "60", ""),
        r"^P([1-9]\d*[YMDW]|T[1-9]\d*[HMS])$", r"^[+-]?P[-+0-9YMWDTHS.,]+$",
        ("P1", "0", "D"),
    ),
    "email": Format(
        4, 4,
        ("jane@example.com", "jane.doe@example.com", "a@b.de", "first.last+tag@mail.example.org"),
        ("example.com", "jane", "jane(at)example.com", "jane.example.com", ""),
        rf"^[a-z0-9]{{1,20}}([.+_-][a-z0-9]{{1,20}}){{0,2}}@{_HOST}$", "@",
        ("jane@", "abcdefghi.", "example.com"), 255,
    ),
    "idn-email": Format(
        4, 4,
        ("jane@example.com", "a@b.de", "jürgen@example.com"),
        ("example.com", "jane", "jürgen(at)example.com", ""),
        rf"^[a-z0-9]{{1,20}}([.+_-][a-z0-9]{{1,20}}){{0,2}}@{_HOST}$", "@",
        ("jane@", "abcdefghi.", "example.com"), 255,
    ),
    "hostname": Format(
        4, 4,
        ("example.com", "localhost", "a.de", "a", "www.mail.example.org"),
        ("exa_mple.com", "-example.com", "example..com", "exam ple.com", "https://example.com", "example.com/",
         "bücher.example", ""),
        f"^{_HOST}$", r"^[A-Za-z0-9.-]{1,254}$",
        ("", _LETTERS, ".example.com"), 253,
    ),
    "idn-hostname": Format(
        7, 7,
        ("example.com", "bücher.example", "localhost", "a.de", "a"),
        ("exa_mple.com", "-example.com", "example..com", "exam ple.com", "https://example.com", ""),
        f"^{_HOST}$", r"^[^\x00-,/:-@\[-`{-\x7f]+$",
        ("", _LETTERS, ".example.com"), 253,
    ),
    "ipv4": Format(
        4, 4,
        ("192.0.2.1", "127.0.0.1", "1.1.1.1", "255.255.255.255", "10.0.0.1"),
        ("256.0.0.1", "192.0.2", "192.0.2.1.1", "192.0.2.01", "192.0.2.1/24", "localhost", "::1", ""),
        _IPV4, _IPV4,
    ),
    "ipv6": Format(
        4, 4,
        ("2001:db8::1", "::1", "::", "fe80::1", "2001:db8:0:0:0:0:0:1", "2001:0db8:0000:0000:0000:0000:0000:0001"),
        ("2001:db8::1::2", "2001:db8", "12345::1", "2001:db8::g", "[::1]", "::1/64", "fe80::1%eth0", "192.0.2.1", ""),
        _IPV6, r"^[0-9a-fA-F:.]{2,45}$",
    ),
    "uri": Format(
        4, 4,
        ("https://example.com", "https://example.com/a", "urn:a", "https://example.com/a?b=c#d", "a:b",
         "mailto:jane@example.com"),
        ("example.com", "/a", "https://example.com/a b", "//example.com/a", "https//example.com", "https://example.com/{a}",
         "://example.com", "a", ""),
        _URI, rf"^[A-Za-z][A-Za-z0-9+.-]*:{_URI_CHARS}*\n?$",
        ("https://example.com/", _LETTERS, ""),
    ),
    "uri-reference": Format(
        6, 6,
        ("/a", "https://example.com", "a", "#a", "../a?b=c", ""),
        ("/a b", "\\a", "https://example.com/a b", "{a}", "a|b", "<a>", " "),
        _URI_REFERENCE, rf"^{_URI_CHARS}*\n?$",
        ("/", _LETTERS, ""),
    ),
    "iri": Format(
        7, 7,
        ("https://example.com", "https://example.com/é", "urn:a", "a:b"),
        ("example.com", "/é", "https://example.com/é b", "//example.com/a", "https//example.com", "é", ""),
        _URI, rf"^[A-Za-z][A-Za-z0-9+.-]*:{_IRI_CHARS}*\n?$",
        ("https://example.com/", _LETTERS, ""),
    ),
    "iri-reference": Format(
        7, 7,
        ("/a", "https://example.com", "/é", "a", "#a", ""),
        ("/é b", "\\a", "https://example.com/a b", "{a}", "a|b", "<a>", " "),
        _URI_REFERENCE, rf"^{_IRI_CHARS}*\n?$",
        ("/", _LETTERS, ""),
    ),
    "uri-template": Format(
        6, 6,
        ("/a/{b}", "https://example.com/{a}", "{a}", "a", ""),
        ("/a/{b", "/a/{b c}", "https://example.com/{a", "{", "/a/{}", "}"),
        r"^([A-Za-z0-9:/.?&#_~-]|\{[a-z]+\})*$", r"^([^{}]|\{[^{}]+\})*$",
        ("/{a}/", _LETTERS, ""),
    ),
    "json-pointer": Format(
        6, 6,
        ("/a", "/a/b", "/a/0", ""),
        ("a", "a/b", "#/a", "/a~", "/~2", "$.a", "~"),
        f"^{_POINTER}", f"^{_POINTER}",
        ("/", _LETTERS, ""),
    ),
    "relative-json-pointer": Format(
        7, 7,
        ("0", "1/a", "0#", "2/a/b"),
        ("/a", "-1/a", "01/a", "a", "0/~2", "#", ""),
        rf"^(0|[1-9]+0?)(#$|{_POINTER})", rf"^(0|[1-9]\d*)(#$|{_POINTER})",
        ("0/", _LETTERS, ""),
    ),
    "regex": Format(
        4, 4,
        ("a", "^a+$", "^[a-z]{2,3}$", ""),
        ("(", "[a", "*a", "a)", "[z-a]", "a{2,1}", "^(abc"),
        "^[A-Za-z0-9_ /:@]*$", "",
        ("", _LETTERS, ""),
    ),
    "uuid": Format(
        19, 19,
        ("123e4567-e89b-12d3-a456-426614174000", "00000000-0000-0000-0000-000000000000"),
        ("123e4567-e89b-12d3-a456-42661417400", "123e4567e89b12d3a456426614174000",
         "{123e4567-e89b-12d3-a456-426614174000}",
         "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a456-4266141740000", "1", ""),
        "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$",
        r"^[\s\S]{8}-[\s\S]{4}-[\s\S]{4}-[\s\S]{4}-[\s\S]{12,}$",
    ),
}  # fmt: skip


def standing(name: str, dialect: Dialect) -> Standing:
    """Who asserts a format in a dialect: both validators, only one of them, or none (it is an annotation)."""
    row = FORMATS.get(name)
    if row is None or dialect.year < row.one:
        return "none"
    return "both" if dialect.year >= row.both else "one"


def asserted(name: str, dialect: Dialect) -> bool:
    """Whether both validators assert a format in a dialect, so that a fixture can rest on it."""
    return standing(name, dialect) == "both"
