"""The reports of a mutation check: every format says the same, safely, and the same to the byte each time."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from conftest import ROOT
from knownbad.errors import BadInput
from knownbad.mutants import (
    Checked,
)
from knownbad.report import github, junit, mutants_json, sarif
from knownbad.report.mutants import FORMATS, write
from reported import (
    ALL,
    MUTANTS,
    WRONG,
    checked,
    evil,
    printed,
)


@pytest.mark.parametrize("format_", FORMATS)
def test_a_report_is_the_same_to_the_byte_and_holds_no_path_of_this_machine(format_: str) -> None:
    for result in (ALL, WRONG, evil(), checked()):
        text = printed(result, format_)
        assert text == printed(result, format_)
        assert str(ROOT) not in text
        assert text.endswith("\n")


def test_a_report_does_not_depend_on_hash_order(tmp_path: Path) -> None:
    code = f"import sys; sys.path[:0] = [{str(ROOT / 'tests')!r}, {str(ROOT / 'generator')!r}]\n"
    code += "import test_mutation_reports as t\nfor f in t.FORMATS: sys.stdout.write(t.printed(t.ALL, f))"
    command = [sys.executable, "-X", "utf8", "-c", code]
    outputs = {
        subprocess.run(command, capture_output=True, check=True, cwd=tmp_path, env={"PYTHONHASHSEED": seed}).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1


def test_an_unknown_format_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(BadInput, match="text, json, junit, github, sarif, stryker, html"):
        write(ALL, "pdf", io.StringIO())


def test_fixtures_are_read_below_the_root_unless_a_reader_is_given(tmp_path: Path) -> None:
    (tmp_path / "negative").mkdir()
    (tmp_path / "negative/no.json").write_text('"what the fixture says"', encoding="utf-8")
    result = replace(checked(replace(MUTANTS[0], killed_by=("negative/no.json", "gone.json"))), root=tmp_path)
    stream = io.StringIO()
    write(result, "html", stream)
    assert stream.getvalue().count("what the fixture says") == 1


@pytest.mark.parametrize("make", [mutants_json.text, junit.text, github.text, github.summary, sarif.text])
def test_a_result_without_contracts_has_a_report(make: Callable[[Checked], str]) -> None:
    assert make(Checked((), ROOT))


def test_importing_the_formats_imports_nothing_heavy() -> None:
    code = "import sys, knownbad.report.mutants as m, io, knownbad.mutants as k, pathlib\n"
    code += "[m.write(k.Checked((), pathlib.Path('.')), f, io.StringIO()) for f in m.FORMATS if f != 'html']\n"
    code += "print([n for n in ('rich', 'jinja2', 'yaml', 'jsonschema', 'hypothesis') if n in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
