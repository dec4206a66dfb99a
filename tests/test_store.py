"""The corpus on disk: what is whose, what is written, and that it is all or nothing."""

from __future__ import annotations

import difflib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from knownbad import journal
from knownbad.corpus import RECORDED, WRITTEN, Corpus, Fixture
from knownbad.errors import BadInput
from knownbad.layout import Layout, in_out
from knownbad.store import Changes, Stored, changes, plan, read

HEADER = {"contract": "flag", "schema": "../flag.schema.json", "version": "0"}
SMALL = Fixture("minimal", True, {"isError": True}, "/required")
TEXT = Fixture(
    "is-error-text",
    False,
    {"isError": "true"},
    "/properties/isError/type",
    fault="string that looks like the boolean",
    keyword_location="/properties/isError/type",
    instance_location="/isError",
    base="minimal",
    patch=({"op": "replace", "path": "/isError", "value": "true"},),
)
EXTRA = Fixture("extra", False, {"isError": True, "x": 1}, "/additionalProperties", base="minimal", covers=("a", "b"))


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    return in_out(tmp_path / "out", "flag")


def write(layout: Layout, *fixtures: Fixture) -> tuple[Stored, Changes]:
    """One run of the store: read, plan around what is adopted, commit."""
    with journal.locked(layout.root):
        stored = read(layout)
        planned = plan(layout, HEADER, Corpus((*fixtures, *stored.adopted)), stored)
        difference = changes(planned, stored)
        targets = (*difference.added, *difference.changed)
        journal.commit(layout.root, {path: planned[path] for path in targets}, difference.stale)
    return stored, difference


def tree(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def row(layout: Layout, name: str, *, positive: bool = False) -> dict[str, object]:
    rows = json.loads((layout.folder(positive) / "corpus.json").read_text())["fixtures"]
    return next(r for r in rows if r["file"] == name)


def test_a_row_says_everything_that_is_known_of_its_file(layout: Layout) -> None:
    write(layout, SMALL, TEXT)
    assert row(layout, "is-error-text.json") == {
        "file": "is-error-text.json",
        "sha256": journal.sha256((layout.negative / "is-error-text.json").read_bytes()),
        "class": "/properties/isError/type",
        "fault": "string that looks like the boolean",
        "keywordLocation": "/properties/isError/type",
        "member": None,
        "instanceLocation": "/isError",
        "base": "../fixtures/minimal.json",
        "patch": [{"op": "replace", "path": "/isError", "value": "true"}],
        "origin": "generated",
    }
    header = json.loads((layout.fixtures / "corpus.json").read_text())
    assert list(header) == [*HEADER, "fixtures"]


def test_in_a_project_the_base_is_found_from_the_negative_folder(tmp_path: Path) -> None:
    layout = Layout(tmp_path, tmp_path / "fixtures/flag", tmp_path / "negative/flag", tmp_path / "tests/test_flag.py")
    write(layout, SMALL, TEXT)
    base = row(layout, "is-error-text.json")["base"]
    assert base == "../../fixtures/flag/minimal.json"
    assert (layout.negative / str(base)).is_file()


def test_the_same_corpus_again_touches_no_file(layout: Layout) -> None:
    write(layout, SMALL, TEXT)
    before = {p: p.stat().st_mtime_ns for p in layout.root.rglob("*")}
    _, difference = write(layout, SMALL, TEXT)
    assert not difference
    assert {p: p.stat().st_mtime_ns for p in layout.root.rglob("*")} == before


def test_a_new_class_changes_its_own_file_and_its_own_lines_only(layout: Layout) -> None:
    write(layout, SMALL, TEXT)
    before = (layout.negative / "corpus.json").read_text().splitlines()
    _, difference = write(layout, SMALL, TEXT, EXTRA)
    assert [p.name for p in difference.added] == ["extra.json"]
    assert [p.name for p in difference.changed] == ["corpus.json"]
    after = (layout.negative / "corpus.json").read_text().splitlines()
    assert not [line for line in difflib.ndiff(before, after) if line.startswith("- ")]
    assert row(layout, "extra.json")["covers"] == ["a", "b"]


def test_a_generated_file_whose_class_is_gone_is_removed_and_nothing_else(layout: Layout) -> None:
    write(layout, SMALL, TEXT, EXTRA)
    (layout.negative / "mine.json").write_text("[]")
    (layout.negative / "notes.txt").write_text("mine")
    _, difference = write(layout, SMALL, TEXT)
    assert [p.name for p in difference.stale] == ["extra.json"]
    names = sorted(p.name for p in layout.negative.iterdir())
    assert names == ["corpus.json", "is-error-text.json", "mine.json", "notes.txt"]


def test_a_written_fixture_is_adopted_and_keeps_its_bytes(layout: Layout) -> None:
    layout.negative.mkdir(parents=True)
    text = '{"isError":    null}'
    (layout.negative / "by-hand.json").write_text(text)
    stored, _ = write(layout, SMALL, TEXT)
    assert [(f.slug, f.positive, f.origin, f.instance) for f in stored.adopted] == [
        ("by-hand", False, WRITTEN, {"isError": None})
    ]
    assert (layout.negative / "by-hand.json").read_text() == text
    assert row(layout, "by-hand.json")["origin"] == WRITTEN
    write(layout)
    assert (layout.negative / "by-hand.json").read_text() == text


def test_a_generated_file_that_a_person_edits_becomes_theirs(layout: Layout) -> None:
    write(layout, SMALL, TEXT)
    path = layout.negative / "is-error-text.json"
    path.write_text('{"isError": "yes"}')
    stored, _ = write(layout, SMALL)
    assert stored.edited == (path,)
    assert path.read_text() == '{"isError": "yes"}'
    assert row(layout, path.name)["origin"] == WRITTEN
    stored, _ = write(layout, SMALL)
    assert stored.edited == ()
    assert [held.fixture.slug for held in stored.held] == ["is-error-text"]


def test_a_recorded_fixture_stays_recorded_and_so_does_the_part_that_is_validated(layout: Layout) -> None:
    layout.fixtures.mkdir(parents=True)
    (layout.fixtures / "real.json").write_text('{"response": {"isError": false}}')
    rows = [{"file": "real.json", "origin": RECORDED, "class": "recorded/real", "instance": "/response"}]
    (layout.fixtures / "corpus.json").write_text(json.dumps({**HEADER, "fixtures": rows}))
    stored, _ = write(layout)
    assert stored.adopted[0].instance == {"isError": False}
    kept = row(layout, "real.json", positive=True)
    assert (kept["origin"], kept["instance"]) == (RECORDED, "/response")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("broken.json", "{", "negative/broken.json"),
        ("corpus.json", "<<<<<<< ours", "negative/corpus.json"),
        ("corpus.json", '{"fixtures": [{}]}', "no corpus"),
        ("corpus.json", "[]", "no corpus"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_file(layout: Layout, name: str, text: str, says: str) -> None:
    layout.negative.mkdir(parents=True)
    (layout.negative / name).write_text(text)
    with pytest.raises(BadInput) as caught:
        read(layout)
    assert says in str(caught.value)


@pytest.mark.parametrize("slugs", [("a", "A"), ("corpus",), ("a" * 96,), ("é",), ("../x",)])
def test_a_file_name_that_is_unsafe_is_a_fault_of_ours(layout: Layout, slugs: tuple[str, ...]) -> None:
    fixtures = tuple(Fixture(slug, True, 1, slug) for slug in slugs)
    with pytest.raises(AssertionError):
        plan(layout, HEADER, Corpus(fixtures), Stored())


# ---- All or nothing

_KILLED_RUN = """
import os, signal, sys
from pathlib import Path
from knownbad import journal

root, die_at = Path(sys.argv[1]), int(sys.argv[2])
count = 0

def step(name):
    global count
    count += 1
    if count == die_at:
        os.kill(os.getpid(), signal.SIGKILL)

journal.step = step
with journal.locked(root):
    writes = {root / "fixtures/a.json": b"new a", root / "negative/b.json": b"new b", root / "test_x.py": b"new test"}
    journal.commit(root, writes, [root / "fixtures/gone.json"])
print(count)
"""


def old_tree(root: Path) -> dict[str, bytes]:
    old = {"fixtures/a.json": b"old a", "fixtures/gone.json": b"old", "fixtures/mine.json": b"mine"}
    for name, data in old.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)
    return old


NEW = {
    "fixtures/a.json": b"new a",
    "fixtures/mine.json": b"mine",
    "negative/b.json": b"new b",
    "test_x.py": b"new test",
}


def killed_run(root: Path, step: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _KILLED_RUN, str(root), str(step)]
    path = str(Path(journal.__file__).parents[1])
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PYTHONPATH": path})


def test_a_run_that_is_killed_at_any_step_leaves_the_old_files_or_the_new_ones(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    old_tree(whole)
    done = killed_run(whole, 0)
    assert done.returncode == 0, done.stderr
    assert tree(whole) == NEW
    steps = int(done.stdout)
    assert steps > 10
    seen = set()
    for step in range(1, steps + 1):
        root = tmp_path / str(step)
        old = old_tree(root)
        assert killed_run(root, step).returncode == -signal.SIGKILL
        committed = (root / journal.STAGING / "commit.json").exists()
        journal.recover(root)
        after = tree(root)
        assert after in (old, NEW), f"step {step}"
        assert not committed or after == NEW
        assert not (root / journal.STAGING).exists()
        seen.add(after == old)
    assert seen == {True, False}


def test_before_the_commit_no_file_has_changed(tmp_path: Path) -> None:
    for step in range(1, 7):
        root = tmp_path / str(step)
        old = old_tree(root)
        killed_run(root, step)
        if not (root / journal.STAGING / "commit.json").exists():
            left = {k: v for k, v in tree(root).items() if not k.startswith(journal.STAGING)}
            assert left == old


def test_what_a_person_changed_after_the_kill_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old_tree(tmp_path)

    class Died(BaseException):
        pass

    def die(step: str) -> None:
        if step == "move":
            raise Died

    monkeypatch.setattr(journal, "step", die)
    with journal.locked(tmp_path), pytest.raises(Died):
        journal.commit(tmp_path, {tmp_path / "fixtures/a.json": b"new a", tmp_path / "b": b"new b"}, [])
    monkeypatch.undo()
    (tmp_path / "fixtures/a.json").write_bytes(b"a person's")
    journal.recover(tmp_path)
    assert (tmp_path / "fixtures/a.json").read_bytes() == b"a person's"
    assert (tmp_path / "b").read_bytes() == b"new b"


def test_two_runs_do_not_write_at_the_same_time(tmp_path: Path) -> None:
    with journal.locked(tmp_path), pytest.raises(BadInput, match="another run"), journal.locked(tmp_path):
        pass
    with journal.locked(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_target_that_cannot_be_written_leaves_everything_as_it_was(tmp_path: Path) -> None:
    old = old_tree(tmp_path)
    (tmp_path / "taken").mkdir()
    with journal.locked(tmp_path), pytest.raises(BadInput, match="cannot be written"):
        journal.commit(tmp_path, {tmp_path / "fixtures/a.json": b"new", tmp_path / "taken": b"x"}, [])
    assert tree(tmp_path) == old
