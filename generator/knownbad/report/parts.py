"""What reports of any kind are made of: workflow commands, Markdown, JUnit and SARIF, each escaped in its own way."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from .. import __version__
from ..positions import Position
from . import shown

SUMMARY_BYTES = 900_000
"""GitHub drops a summary of more than 1 MiB a step, so entries that come after this much are only counted."""
SARIF = "https://json.schemastore.org/sarif-2.1.0.json"


# --- GitHub


def command(kind: str, message: str, **properties: str) -> str:
    """One workflow command: an annotation."""
    listed = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{kind} {listed}::{_data(message)}"


def _data(value: str) -> str:
    return shown.printable(value).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: str) -> str:
    return _data(value).replace(":", "%3A").replace(",", "%2C")


def append(path: Path, text: str) -> None:
    """Add to the file that `$GITHUB_STEP_SUMMARY` names."""
    with path.open("a", encoding="utf-8", newline="\n") as file:
        file.write(text)


# --- Markdown


def fenced(language: str, lines: list[str]) -> str:
    """A block of code."""
    body = shown.printable("\n".join(lines))
    longest = max((len(run) for run in re.findall("`+", body)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{body}\n{fence}\n"


def code(value: str) -> str:
    """A piece of code in a line, also in a table."""
    text = shown.one_line(value).replace("|", "\\|") or " "
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if text[0] == "`" or text[-1] == "`" else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def escaped(value: str) -> str:
    """Text that means itself."""
    return re.sub(r"([\\`*_{}\[\]<>#|~&])", r"\\\1", shown.one_line(value))


def marked(value: str) -> str:
    """Text that means itself, but for what it puts into backticks: that is code."""
    parts = re.split(r"`([^`\n]+)`", value)
    return "".join(code(part) if number % 2 else escaped(part) for number, part in enumerate(parts))


def folded(title: str, body: str) -> str:
    """What is shown once it is asked for."""
    return f"<details><summary>{title}</summary>\n\n{body}\n</details>\n"


def table(head: Iterable[str], rows: Iterable[Iterable[str]], words: int = 1) -> Iterator[str]:
    """The lines of a table: the first `words` columns are of words, the others of numbers."""
    columns = list(head)
    yield f"| {' | '.join(columns)} |\n|{'---|' * words}{'--:|' * (len(columns) - words)}\n"
    for row in rows:
        yield f"| {' | '.join(row)} |\n"


def capped(parts: list[str], entries: Iterable[str], most: int) -> str:
    """The parts, and as many of the entries as go into `most` bytes; the rest is counted."""
    size = sum(len(part.encode("utf-8", "replace")) for part in parts)
    kept, left = list(parts), 0
    for entry in entries:
        size += len(entry.encode("utf-8", "replace"))
        if size > most:
            left += 1
        else:
            kept.append(entry)
    return "".join([*kept, f"\nAnd {left} more.\n"] if left else kept)


# --- JUnit


def junit(root: ET.Element) -> str:
    """The document, with its totals.

    It is plain ASCII (other characters are references), so it is well-formed in whatever encoding it is written.
    """
    for name in ("tests", "failures", "errors", "skipped"):
        root.set(name, str(sum(int(suite.get(name, "0")) for suite in root)))
    ET.indent(root)
    body = ET.tostring(root, encoding="us-ascii", xml_declaration=False).decode()
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'


def outcome(case: ET.Element, tag: str, kind: str, message: str, body: str) -> None:
    """Say what became of a test case."""
    ET.SubElement(case, tag, type=kind, message=clean(message)).text = clean(body)


def clean(value: str) -> str:
    """Without the characters that XML 1.0 cannot hold."""
    return shown.printable(value)


# --- SARIF


def sarif(rules: list[dict[str, Any]], invocation: dict[str, Any], results: list[dict[str, Any]]) -> dict[str, Any]:
    """The log of one run."""
    run = {
        "tool": {"driver": {"name": "knownbad", "semanticVersion": __version__, "rules": rules}},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    return {"$schema": SARIF, "version": "2.1.0", "runs": [run]}


def physical(file: str, place: Position | None) -> dict[str, Any]:
    """A `physicalLocation`; `file` is relative to the root."""
    found: dict[str, Any] = {"artifactLocation": {"uri": uri(file)}}
    if place is not None:
        found["region"] = {
            "startLine": place.line,
            "startColumn": place.column,
            "endLine": place.end_line,
            "endColumn": place.end_column,
        }
    return found


def fingerprints(name: str, digest: str) -> dict[str, str]:
    """GitHub tells alerts apart by the first; several results may stand on one line, so it is not the line's hash."""
    return {"primaryLocationLineHash": f"{digest}:1", name: digest}


def plain(value: str) -> str:
    """Text of a message, in which `[...](...)` would be a link."""
    return re.sub(r"\[(?=[^\[\]]*\]\()", r"\\[", shown.printable(value))


def uri(path: str) -> str:
    """A relative path as a relative URI."""
    return quote(path, safe="/")
