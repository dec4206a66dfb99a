"""What a command writes: never over what it reads, never twice into one file, and as a whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..errors import BadInput, Problem
from ..values import dump

Named = Iterable[tuple[str, Path | None]]
"""Files with what the command calls each: the option or the argument."""


def guard(read: Named, write: Named) -> None:
    """Nothing where every output is a file of its own. Raises BadInput with all that are not, before anything is
    written.

    What is no regular file, such as `/dev/null`, may be named as often as one likes.
    """
    taken = [(name, path, "read") for name, path in read if path is not None]
    problems = []
    for name, path in write:
        if path is None or path.exists() and not path.is_file():
            continue
        for other, file, how in taken:
            if same(path, file):
                what = f"{name} would overwrite what is read ({other})" if how == "read" else f"{other} and {name}"
                message = what if how == "read" else f"{what} would write the same file"
                problems.append(Problem(message, str(path), fix="name another file"))
                break
        else:
            taken.append((name, path, "written"))
    if problems:
        raise BadInput(problems)


def same(left: Path, right: Path) -> bool:
    """Whether two paths lead to one file, through links and other spellings, whether it is there or not."""
    try:
        if left.samefile(right):
            return True
    except OSError:
        pass
    return left.resolve() == right.resolve()


def written(path: Path, value: Any) -> None:
    """A JSON file that is there as a whole or not at all; what is no regular file is written to. Raises BadInput."""
    target = path.resolve()
    beside = target.with_name(f".{target.name}.new")
    try:
        if target.exists() and not target.is_file():
            path.write_text(dump(value), encoding="utf-8", newline="\n")
            return
        target.parent.mkdir(parents=True, exist_ok=True)
        beside.write_text(dump(value), encoding="utf-8", newline="\n")
        if target.exists():
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except OSError as error:
        if beside.is_file():
            beside.unlink()
        raise BadInput(Problem(f"cannot be written: {error.strerror or error}", str(path))) from None
