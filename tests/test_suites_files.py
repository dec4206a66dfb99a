"""What the suite commands read and write: no output destroys an input, and a pipe is as good as a file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from knownbad.cli import main
from knownbad.errors import BadInput
from knownbad.suites.events import JsonLines
from knownbad.suites.lines import MAX_LINE, lines
from knownbad.suites.outputs import written
from suitekit import ARGS, CONFORMANCE, HOST, TOOL, conformance, ran

TWICE = [(TOOL, ARGS), (TOOL, ARGS)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite, a host, and the log, transcript and summary of a run, with a link to each kind of file."""
    ran(conformance(), tmp_path, TWICE)
    shutil.copy(CONFORMANCE, tmp_path / "suite.json")
    shutil.copy(HOST, tmp_path / "host.json")
    (tmp_path / "link").symlink_to(tmp_path / "events.jsonl")
    os.link(tmp_path / "suite.json", tmp_path / "hard.json")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def knownbad(line: str, given: bytes | None = None) -> tuple[int, str]:
    if given is None:
        result = CliRunner().invoke(main, ["suite", *line.split()])
        return result.exit_code, result.output
    done = subprocess.run(
        [sys.executable, "-m", "knownbad", "suite", *line.split()], input=given, capture_output=True, check=False
    )
    return done.returncode, (done.stdout + done.stderr).decode()


@pytest.mark.parametrize(
    "line",
    [
        "serve suite.json --log suite.json",
        "serve suite.json --summary suite.json",
        "serve suite.json --calls ./suite.json",
        "serve suite.json --calls hard.json",
        "serve suite.json --log new.jsonl --summary new.jsonl",
        "serve suite.json --log new.jsonl --calls x/../new.jsonl",
        "serve --replay events.jsonl --log events.jsonl",
        "serve --replay events.jsonl --log link",
        "serve --replay events.jsonl --log new.jsonl --summary events.jsonl",
        "promote events.jsonl --calls calls.jsonl --out events.jsonl",
        "promote events.jsonl --calls calls.jsonl --out calls.jsonl",
        "promote events.jsonl --calls calls.jsonl --out link",
        "check suite.json --report json=suite.json",
        "check suite.json --capabilities host.json --report sarif=host.json",
        "check suite.json --report json=new.json --report sarif=new.json",
        "conform --suite suite.json --log events.jsonl --capabilities host.json --report json=events.jsonl",
        "conform --suite suite.json --log events.jsonl --capabilities host.json --calls calls.jsonl --report json=link",
    ],
)
def test_an_output_that_is_an_input_or_another_output_is_refused_and_nothing_is_written(
    line: str, folder: Path
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    code, told = knownbad(line)
    assert code == 2
    assert "would overwrite what is read" in told or "would write the same file" in told
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_known_bad_logs_do_not_overwrite_the_log_that_they_are_made_from(folder: Path) -> None:
    log = (folder / "events.jsonl").rename(folder / "miss-counted.jsonl")
    before = log.read_bytes()
    code, told = knownbad(f"conform --suite suite.json --capabilities host.json --log {log.name} --write-bad .")
    assert (code, log.read_bytes()) == (2, before)
    assert "would overwrite what is read" in told


def test_a_link_stays_one_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_text("old")
    (tmp_path / "link.json").symlink_to("real.json")
    written(tmp_path / "link.json", {"new": 1})
    assert (tmp_path / "link.json").is_symlink()
    assert json.loads((tmp_path / "real.json").read_text()) == {"new": 1}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    written(Path("/dev/null"), {})
    with JsonLines(Path("/dev/null")) as log:
        log.write({})
    assert Path("/dev/null").is_char_device()
    with pytest.raises(BadInput, match=r"^/dev/full: cannot be written: No space left"):
        written(Path("/dev/full"), {})
    (tmp_path / "full.json").symlink_to("/dev/full")
    with pytest.raises(BadInput, match=r"full.json: cannot be written: No space left"):
        written(tmp_path / "full.json", {})


def test_a_file_that_cannot_be_written_is_called_by_its_own_name(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput) as bad:
        written(tmp_path / "file" / "x.json", {})
    assert ".new" not in str(bad.value)
    assert "x.json" in str(bad.value)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["/dev/stdin", "-"])
def test_a_log_from_a_pipe_is_judged_as_the_file_is(name: str, folder: Path) -> None:
    line = "conform --suite suite.json --capabilities host.json --log "
    whole = (folder / "events.jsonl").read_bytes()
    bad = whole.replace(b'"fixtureMissCount":0', b'"fixtureMissCount":1')
    (folder / "bad.jsonl").write_bytes(bad)
    for log, text in (("events.jsonl", whole), ("bad.jsonl", bad)):
        code, told = knownbad(line + log)
        assert knownbad(line + name, text) == (code, told.replace(log, "/dev/stdin"))


@pytest.mark.slow
def test_a_replay_reads_a_pipe(folder: Path) -> None:
    whole = (folder / "events.jsonl").read_bytes()
    code, _ = knownbad("serve --replay - --log again.jsonl", whole)
    assert (code, (folder / "again.jsonl").read_bytes()) == (0, whole)


@pytest.mark.parametrize(
    "line, told",
    [
        ("serve suite.json --log -", "no file to write to"),
        ("promote events.jsonl --calls calls.jsonl --out -", "no file to write to"),
        ("serve suite.json --host ::1", "--host has no effect"),
        ("serve suite.json --upstream true", "passes no call to a live tool"),
        ("serve --replay events.jsonl", "name --log"),
        ("serve --replay events.jsonl --log new.jsonl --calls c", "--calls has no effect"),
        ("serve suite.json --replay events.jsonl --log new.jsonl", "the suite has no effect"),
    ],
)
def test_what_would_have_no_effect_is_refused(line: str, told: str, folder: Path) -> None:
    code, output = knownbad(line)
    assert code == 2
    assert told in output
    assert not (folder / "new.jsonl").exists()


def test_a_line_that_is_too_long_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_bytes(b"x" * (2 * MAX_LINE + 5) + b"\n{}\n")
    first, second = lines(path)
    assert (first.number, first.value, second.number, second.value) == (1, None, 2, {})
    assert second.offset == 2 * MAX_LINE + 6
