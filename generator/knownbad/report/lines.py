"""Lines of a report for a person: styled where a terminal shows it, plain otherwise, no longer than the screen."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TextIO

from . import shown

PLAIN_WIDTH = 80


class Line(NamedTuple):
    """A line and the style that Rich gives it."""

    text: str
    style: str = ""


def write(lines: Callable[[int], Iterable[Line]], stream: TextIO) -> None:
    """Print what `lines` gives for a width: coloured where `stream` is a terminal, plain otherwise."""
    if not stream.isatty():
        stream.writelines(f"{line.text}\n" for line in lines(PLAIN_WIDTH))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=stream, highlight=False)
    for line in lines(max(PLAIN_WIDTH // 2, console.width)):
        console.print(Text(line.text, line.style), soft_wrap=True)


def prose(text: str, width: int, indent: int, style: str = "") -> Iterator[Line]:
    """Text that is wrapped; what a line continues with stands further in."""
    pad = " " * indent
    for number, line in enumerate(shown.printable(text).split("\n")):
        first = pad if number == 0 else f"{pad}  "
        filled = textwrap.wrap(
            line,
            max(width, indent + 20),
            initial_indent=first,
            subsequent_indent=f"{pad}  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        yield from (Line(part, style) for part in filled)
