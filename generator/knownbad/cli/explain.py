"""`knownbad explain KB204`: what a finding means, why it matters, an example, the way out."""

from __future__ import annotations

import sys

import click

from ..errors import BadInput, Problem


@click.command()
@click.argument("code", metavar="CODE", required=False)
def explain(code: str | None) -> None:
    """Tell what a finding means, by its code or its name; without one, list all codes."""
    from .. import codes
    from ..finding import nearest
    from ..rule_pages import page

    known = codes.every()
    if code is None:
        for one in known.values():
            click.echo(f"{one.code}  {one.name}: {one.summary}")
        return
    wanted = code.strip().lower()
    found = next((one for one in known.values() if wanted in (one.code.lower(), one.name)), None)
    if found is None:
        near = nearest(code, known.values())
        fix = f"{near.code} ({near.name})?" if near else "`knownbad explain` lists all codes"
        raise BadInput(Problem(f"there is no code {code!r}", fix=fix))
    text = page(found.code) or f"# {found.code} {found.name}\n\n{found.summary}\n"
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console().print(Markdown(text))
    else:
        click.echo(text, nl=False)
