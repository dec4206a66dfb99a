"""Results of a mutation check that its reports are tried on; some have names with what any format could trip over."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from typing import Any

from conftest import ROOT
from knownbad.mutants import (
    EQUIVALENT,
    IGNORED,
    INVALID,
    KILLED,
    OTHER,
    STRONGER,
    SURVIVED,
    UNDECIDED,
    UNREACHABLE,
    WEAKER,
    Check,
    Checked,
    Mutant,
)
from knownbad.pointers import get
from knownbad.report.mutants import write

TEXT = """\
{
  "type": "object",
  "required": [
    "id",
    "paid"
  ],
  "properties": {
    "id": { "type": "string", "minLength": 1 },
    "paid": { "type": "boolean" },
    "kind": { "enum": ["a", "b"] }
  },
  "additionalProperties": false
}
"""
SCHEMA = json.loads(TEXT)
NASTY = "a\x00\x1b[31m\x9b\u202e</script><b>\"'&,:%\r\n`|]]>\ufffe"
"""A name with what any of the formats could trip over."""


def mutant(operator: str, location: str, after: Any, state: str, **more: Any) -> Mutant:
    """A mutant of SCHEMA; the site is what holds the last step of `location`."""
    site = more.pop("site", location.rpartition("/")[0])
    expected = more.pop("expected", WEAKER)
    return Mutant(operator, location, site, get(SCHEMA, site), after, expected, state, **more)


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: member for name, member in value.items() if name not in names}


ID, PAID, KIND = (SCHEMA["properties"][name] for name in ("id", "paid", "kind"))
LOST = mutant(
    "required.remove[paid]",
    "/required",
    {**SCHEMA, "required": ["id"]},
    SURVIVED,
    observed=WEAKER,
    witness={"id": "a"},
    accepted=False,
    missing="a negative fixture without `paid`",
    written="negative/pay/without-paid.json",
)
NULL = mutant(
    "type.add[null]",
    "/properties/paid/type",
    {"type": ["boolean", "null"]},
    SURVIVED,
    witness=None,
    accepted=False,
)
DEAD = mutant("type.drop", "/type", without(SCHEMA, "type"), EQUIVALENT, reason="the algebra leaves nothing over")
MUTANTS = (
    mutant(
        "required.remove[id]",
        "/required",
        {**SCHEMA, "required": ["paid"]},
        KILLED,
        killed_by=("negative/pay/no.json",),
    ),
    LOST,
    DEAD,
    mutant("minLength.lower", "/properties/id/minLength", {**ID, "minLength": 0}, UNDECIDED, reason="out of steps"),
    NULL,
    mutant("enum.remove[b]", "/properties/kind/enum", {"enum": ["a"]}, EQUIVALENT, expected=STRONGER, reason="proved"),
    mutant("enum.add", "/properties/kind/enum", {"enum": ["a", "b", "A"]}, IGNORED, reason="see issue 12"),
    mutant("type.swap", "/properties/paid/type", {"type": 1}, INVALID, expected=OTHER, reason="1 is no type"),
    mutant("properties.open[id]", "/properties/id", {"id": True}, UNREACHABLE, reason="nothing gets there"),
    mutant("minProperties.add", "/minProperties", {**SCHEMA, "minProperties": 3}, KILLED, expected=STRONGER),
)


def checked(*mutants: Mutant, name: str = "pay", **more: Any) -> Checked:
    """A check of one contract."""
    fields = {name: more.pop(name) for name in ("wrong", "notes", "corpus", "inside") if name in more}
    texts = more.pop("texts", {None: TEXT})
    file = more.pop("file", ROOT / "schemas/pay.schema.json")
    return Checked((Check(name, file, mutants, texts, (3, 9), **fields),), ROOT, **more)


ALL = checked(*MUTANTS, corpus=("fixtures/pay/minimal.json", "negative/pay/no.json"))
WRONG = checked(wrong=("negative/pay/accepted.json: the schema accepts it",))


def evil() -> Checked:
    """The same result with nasty names wherever a schema, a config or a file name can bring one in."""
    nasty = Mutant(
        f"required.remove[{NASTY}]",
        "/required",
        "",
        {"required": [NASTY], NASTY: {"x": NASTY}},
        {NASTY: {}},
        WEAKER,
        SURVIVED,
        witness={NASTY: [NASTY]},
        accepted=True,
        missing=NASTY,
        written=NASTY,
    )
    return checked(
        nasty,
        replace(nasty, operator=f"enum.remove[{NASTY}]", state=UNDECIDED, reason=NASTY),
        replace(nasty, operator=f"enum.open[{NASTY}]", state=EQUIVALENT, reason=NASTY),
        replace(nasty, operator=f"enum.add[{NASTY}]", state=IGNORED, reason=NASTY),
        replace(nasty, operator=f"enum.cut[{NASTY}]", state=KILLED, killed_by=(NASTY, "negative/b.json")),
        name=NASTY,
        notes=(NASTY,),
        texts={None: json.dumps({"required": [NASTY], NASTY: {"x": NASTY}}, ensure_ascii=False, indent=2)},
        file=ROOT / "sch emas" / "a,b:c%20`é.json",
    )


def read(path: str) -> str | None:
    """What the files of fixtures hold, in these tests."""
    return None if "nothing" in path else f'{{"of": {json.dumps(path)}, "x": "</pre><script>1</script>"}}\n'


def printed(result: Checked, format_: str = "text") -> str:
    stream = io.StringIO()
    write(result, format_, stream, read=read)
    return stream.getvalue()
