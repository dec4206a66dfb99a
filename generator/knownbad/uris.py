"""URI references: how they are joined, and the URIs that stand for files of the project."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote, urldefrag, urljoin

PROJECT = "https://knownbad.invalid/"
"""The URI of the project's folder. The host is reserved (RFC 2606), so no machine and no network is ever meant; the
scheme is one that every library knows how to resolve relative references against."""

_PLAIN = r"(?:[A-Za-z0-9._~:/?@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*"
_REFERENCE = re.compile(rf"(?:(?:[A-Za-z][A-Za-z0-9+.-]*:)?//\[[0-9A-Fa-f:.]+\])?{_PLAIN}(?:#{_PLAIN})?\Z")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def is_reference(text: str) -> bool:
    """Whether a text is a URI reference (RFC 3986): ASCII, with everything else percent-encoded."""
    return _REFERENCE.match(text) is not None


def is_absolute(uri: str) -> bool:
    """Whether a URI reference has a scheme."""
    return _SCHEME.match(uri) is not None


def join_uri(base: str, reference: str) -> str:
    """`reference` resolved against `base`, also where `base` is no hierarchical URI (`urn:`). Raises ValueError."""
    if not reference or reference.startswith("#"):
        return urldefrag(base).url + reference
    return urljoin(base, reference)


def split(uri: str) -> tuple[str, str]:
    """A URI without its fragment, and the fragment without its percent-encoding."""
    found = urldefrag(uri)
    return found.url, unquote(found.fragment)


def file_uri(name: str) -> str:
    """The URI of the file with this name (relative to the project's folder, with `/`)."""
    return PROJECT + quote(name)


def file_name(uri: str) -> str | None:
    """The name of the file that a URI stands for; None when it stands for none."""
    if not uri.startswith(PROJECT):
        return None
    return unquote(uri[len(PROJECT) :].partition("?")[0])
