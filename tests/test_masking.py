"""Credentials in what is recorded: masked where they are known, told where something only looks like one."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knownbad.errors import BadInput
from knownbad.masking import MASK, Masking, configured

DRAWN = "q7Rk2vXw9LpTz4Nc8YbHd3Mf6Gs1JaUe"
"""Drawn by chance, with no known shape."""
HEXED = "9f86d081884c7d659a2feaa0c55ad015"
SIGNED = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
BASIC = base64.b64encode(b"someone:opensesame").decode()

HOLDS = [
    ("a header by its name", {"headers": {"Authorization": "Token abc"}}),
    ("a header in other case", {"PROXY-AUTHORIZATION": "x"}),
    ("a header in a list of pairs", [["content-type", "text/plain"], ["Set-Cookie", "a=b; Path=/"]]),
    ("a header of a recorded archive", {"headers": [{"name": "Cookie", "value": "a=b"}]}),
    ("a key by its name", {"x-api-key": "abc"}),
    ("a key in camel case", {"providerApiKey": "abc"}),
    ("a token by its name", {"access_token": "abc", "expires_in": 3600}),
    ("tokens in a list", {"tokens": ["abc", "def"]}),
    ("a number that opens", {"otp": 123456}),
    ("everything below a name", {"credentials": {"user": "u", "inner": [{"v": "w"}]}}),
    ("a bearer in a sentence", "sent Bearer abc123.def was refused"),
    ("a basic in a sentence", f"sent Basic {BASIC} was refused"),
    ("a header in a sentence", "curl -H 'Authorization: Token 12 34' failed"),
    ("a web token anywhere", f"jwt was {SIGNED}"),
    ("a password in an address", "could not reach postgres://app:hunter2@db:5432/x"),
    ("a token in a query", "GET /v1/x?page=2&access_token=abcdef HTTP/1.1"),
    ("a signature in a query", "https://example.org/f?sig=abc%2Fdef123&x=1"),
    ("a private key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----"),
    ("half a private key", "-----BEGIN PRIVATE KEY-----\nMIIE"),
    ("a service's key", {"message": "Incorrect key provided: " + "sk" + "_live_" + "abcdEFGH1234abcdEFGH"}),
    ("a cloud key", "AKIA" + "IOSFODNN7EXAMPLE"),
    ("a password in a sentence", "login with password=hunter22 failed"),
    ("a carrier's text that is JSON itself", {"content": [{"type": "text", "text": '{"error": {"token": "abc"}}'}]}),
    ("a name that is a key", {"AKIA" + "IOSFODNN7EXAMPLE": 1}),
]


@pytest.mark.parametrize("value", [value for _, value in HOLDS], ids=[name for name, _ in HOLDS])
def test_a_known_credential_is_masked(value: Any) -> None:
    masked = Masking().mask(value)
    text = json.dumps(masked.value)
    secrets = ("abc", "hunter", "a=b", "MIIE", "IOSF", "123456", "12 34", BASIC, '"w"', "def")
    assert masked.masked
    assert [s for s in secrets if s in text] == []


@pytest.mark.parametrize("value", [value for _, value in HOLDS], ids=[name for name, _ in HOLDS])
def test_masking_twice_changes_nothing_more_and_leaves_no_suspect(value: Any) -> None:
    once = Masking().mask(value)
    again = Masking().mask(once.value)
    assert (again.value, again.masked) == (once.value, ())
    assert Masking().suspects(once.value) == ()


HOLDS_NONE = [
    ("the envelope", {"error": {"code": "TOKEN_EXPIRED", "hint": "TOKEN_EXPIRED", "message": "m", "retryable": False}}),
    ("amounts of tokens", {"max_tokens": 512, "usage": {"prompt_tokens": 12}, "tokens": 7, "token": None}),
    ("the name of a variable", {"token": "${SHOP_TOKEN}", "headers": {"Authorization": "${SHOP_AUTH}"}}),
    ("switches and nothings", {"password": None, "authorization": False, "secret": ""}),
    ("a page's token", {"nextPageToken": "page-2"}),
    ("words about credentials", "Basic authentication and Bearer tokens are refused; the token: expected a string"),
    ("a key that is only a name", {"key": "country", "value": "FR"}),
    ("an address", "https://example.org/v1/charges/long-name-of-something?page=2#part"),
    ("a time", "2026-12-01T03:02:28.123456Z"),
    ("a model's name", "some-model-4o-2024-08-06-preview-large-v2"),
    ("an identifier", {"id": "ch_3MqLiJLkdIwHu7ix0snN0B15", "requestId": HEXED, "trace_id": HEXED, "etag": HEXED}),
    ("a uuid", {"about": "0b9e1d3c-7a44-4f7e-9d55-3f6a1c2b7e10"}),
    ("a long path", "generator/knownbad/report/templates/page2/test_contract_v2.py"),
    ("a name in camel case", "ProviderRateLimitExceededForThisAccountException"),
]


@pytest.mark.parametrize("value", [value for _, value in HOLDS_NONE], ids=[name for name, _ in HOLDS_NONE])
def test_what_is_no_credential_stays_as_it_is(value: Any) -> None:
    assert Masking().mask(value) == (value, ())
    assert Masking().suspects(value) == ()


@pytest.mark.parametrize(
    "value",
    [
        {"message": f"sent {DRAWN}"},
        {"note": HEXED},
        {"blob": "kd83jf92lam4s7dh2k5gq0zx"},
        {"path": f"/reset/{DRAWN}/now"},
        {"text": json.dumps({"inner": DRAWN})},
        {DRAWN: 1},
    ],
)
def test_what_nobody_foresaw_is_told_without_showing_it(value: Any) -> None:
    suspects = Masking().suspects(Masking().mask(value).value)
    assert suspects
    assert DRAWN not in " ".join(s.why for s in suspects)


def test_a_pointer_says_where_something_was_masked() -> None:
    masked = Masking().mask({"a": [{"x-api-key": "v"}], "b": "Bearer abcdef123"})
    assert [(s.location, s.why) for s in masked.masked] == [
        ("/a/0/x-api-key", "its name"),
        ("/b", "credentials of a scheme"),
    ]


def test_a_team_adds_names_and_patterns_and_says_what_holds_none() -> None:
    config = {"replay": {"mask": {"names": ["X-Tenant"], "patterns": ["acct-[0-9]+"], "keep": ["auth", "blob"]}}}
    masking = configured(config, "knownbad.toml", "")
    value = {"x_tenant": "t", "about": "of acct-42", "auth": "none", "blob": DRAWN}
    assert masking.mask(value).value == {"x_tenant": MASK, "about": f"of {MASK}", "auth": "none", "blob": DRAWN}
    assert masking.suspects(masking.mask(value).value) == ()


def test_every_mistake_of_the_list_is_told_at_once() -> None:
    config = {"replay": {"mask": {"nams": [], "names": [1], "patterns": ["(", "x*"]}}}
    with pytest.raises(BadInput) as caught:
        configured(config, "knownbad.toml", "")
    assert [p.location for p in caught.value.problems] == [
        "/replay/mask/nams",
        "/replay/mask/names/0",
        "/replay/mask/patterns/0",
        "/replay/mask/patterns/1",
    ]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text() | st.sampled_from([SIGNED, DRAWN, "Bearer abc123"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.text() | st.sampled_from(["Cookie", "token", "auth", "name", "value"]), inner, max_size=3
            )
        ),
        max_leaves=12,
    )
)
def test_masking_is_done_once_and_for_all(value: Any) -> None:
    once = Masking().mask(value)
    assert Masking().mask(once.value).value == once.value
    assert SIGNED not in json.dumps(once.value)
    assert all(s.why and DRAWN not in s.why for s in Masking().suspects(once.value))
