"""The options that commands share: which contracts to work on, and how they are read."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ..errors import BadInput, Problem

if TYPE_CHECKING:
    from ..config import Project

F = TypeVar("F", bound=Callable[..., Any])

_OUT = click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of one schema's files.")
_OPTIONS = (
    click.option("--schema", metavar="FILE[#/POINTER]", help="One schema; no project needed."),
    _OUT,
    click.option("--contract", "names", multiple=True, metavar="NAME", help="Only this contract; may be repeated."),
    click.option(
        "--root",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Where to look for the config; here.",
    ),
    click.option(
        "--unresolved", type=click.Choice(["error", "any"]), default="error", help="References that lead nowhere."
    ),
    click.option("--dialect", help="Of a schema that declares none."),
    click.option("--formats/--no-formats", default=None, help="Whether `format` is asserted."),
)


def contracts(command: F) -> F:
    """The options that say which contracts a command works on; `work_of` makes use of them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def schemas(command: F) -> F:
    """The same for a command that looks at schemas alone, and so at no folder of files."""
    for option in reversed([option for option in _OPTIONS if option is not _OUT]):
        command = option(command)
    return command


def work_of(
    which: Mapping[str, Any], *, fixtures: Path | None = None, negative: Path | None = None
) -> tuple[Project, list[Any]]:
    """The project and the contracts to work on; `fixtures` and `negative` stand in for the folders of one schema."""
    from ..config import Entry, default_name, project
    from ..produce import single, tasks

    schema, out, names = which["schema"], which.get("out"), which["names"]
    if out is not None and schema is None:
        raise click.UsageError("--out needs --schema")
    if schema is not None and names:
        raise click.UsageError("--schema and --contract exclude each other")
    if (fixtures or negative) and (out or schema is None):
        raise click.UsageError("--fixtures and --negative go with --schema and without --out")
    found = project((which["root"] or Path.cwd()).resolve(), discover=out is None)
    if schema is None:
        return found, tasks(found, names)
    path, hash_, fragment = schema.partition("#")
    spec = str(_resolved(path)) + hash_ + fragment
    task = single(found, Entry(default_name(spec), spec), None if out is None else out.resolve())
    return found, [_with_folders(task, fixtures, negative) if fixtures or negative else task]


def nothing_found(root: Path) -> BadInput:
    """That there is no contract, with the folders below that have a config."""
    from ..config import find

    homes = set()
    for depth in range(1, 4):
        for name in ("knownbad.toml", "pyproject.toml"):
            for path in root.glob("/".join([*["*"] * depth, name])):
                found = find(path.parent)
                if found is not None and found[0].parent == path.parent:
                    homes.add(path.parent)
    ways = " or ".join(f"--root {path.relative_to(root).as_posix()}" for path in sorted(homes)[:8])
    fix = f"pass {ways}" if ways else "put schemas into the schema folder, or pass --root"
    return BadInput(Problem("no contracts are here, so nothing is checked", str(root), fix=fix))


def whole(which: Mapping[str, Any]) -> bool:
    """Whether the command works on the whole project, and so on what is not a contract, too."""
    return which["schema"] is None and not which["names"]


def _resolved(path: str) -> Path:
    """Where a file is. Raises BadInput for a name that cannot be written down, and for links that go round."""
    try:
        path.encode()
        return Path(path).resolve()
    except UnicodeEncodeError:
        problem = Problem("the file's name is not UTF-8", path.encode(errors="backslashreplace").decode())
    except (RuntimeError, OSError):
        problem = Problem("symbolic links lead back to themselves", path)
    raise BadInput(problem)


def _with_folders(task: Any, fixtures: Path | None, negative: Path | None) -> Any:
    """The task with other folders; where one is missing, it is a sibling of the other."""
    from dataclasses import replace

    from ..layout import Layout

    accepted = fixtures.resolve() if fixtures else (negative or Path()).resolve().parent / "fixtures"
    rejected = negative.resolve() if negative else accepted.parent / "negative"
    root = Path(os.path.commonpath([accepted, rejected]))
    root = root if root not in (accepted, rejected) else root.parent
    return replace(task, layout=Layout(root, accepted, rejected, root / "test_none.py"))


def dialect_named(name: str | None) -> Any:
    """The dialect of a name, None for none. Raises BadParameter."""
    from .. import dialects

    if name is None:
        return None
    try:
        return dialects.named(name)
    except KeyError:
        known = ", ".join(dialect.name for dialect in dialects.DIALECTS)
        raise click.BadParameter(f"{name!r} is none of {known}", param_hint="--dialect") from None
