"""The emitted test of a tool's errors, from a Jinja2 template that a project may replace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..catalogue.places import emitted
from ..layout import relative
from .emit import rendered

if TYPE_CHECKING:
    from ..twins.plan import Planned, Room

ERRORS_TEMPLATE = "test_errors.py.j2"


def render(room: Room, planned: Planned) -> bytes:
    """The text of the emitted test of one tool."""
    project = room.project
    here = emitted(project.tests, planned.tool).parent
    context = {
        "tool": planned.tool,
        "root": relative(project.root, here),
        "replay": "replay" in project.sections,
    }
    return rendered(project.templates, ERRORS_TEMPLATE, context).encode()
