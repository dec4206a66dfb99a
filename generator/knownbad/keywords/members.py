"""Ways that an object looks: with a member, without one."""

from __future__ import annotations

from .shape import OBJECT, Alternative, Expansion, Ob


def having(name: str, *obs: Ob) -> Alternative:
    """The member `name` is there and these hold for it."""

    def narrow(x: Expansion) -> None:
        x.shape.require(name)
        x.shape.properties.setdefault(name, []).extend(obs)

    return narrow


def lacking(name: str) -> Alternative:
    """An object without the member `name`."""

    def narrow(x: Expansion) -> None:
        x.shape.only(OBJECT)
        x.shape.forbid(name)

    return narrow
