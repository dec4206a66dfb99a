"""The gate in repositories of every odd shape, and changes of what surrounds the schemas."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from knownbad.cli import main
from knownbad.config import project
from knownbad.errors import BadInput, Exit
from knownbad.finding import Findings, Level
from knownbad.gate import GateOptions, gate
from knownbad.produce import Options, produce, tasks
from repository import Repository

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SHORT, LONG = ({"$schema": DIALECT, "type": "string", "maxLength": most} for most in (3, 4))
SCHEMA = "schemas/word.schema.json"


def regenerate(folder: Path) -> None:
    found = project(folder)
    produce(found, tasks(found), Options())


def judged(folder: Path, against: str = "main") -> Findings:
    return gate(project(folder), GateOptions(against))


def named(result: Findings, level: Level = Level.ERROR) -> list[str]:
    return sorted(f"{f.contract or ''}:{f.code.name}" for f in result.findings if f.weight is level)


def run(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["gate", "--root", str(folder), *arguments])


@pytest.fixture
def made(tmp_path: Path) -> Repository:
    """On `main` a text has at most three characters; on `topic`, which is checked out, four."""
    one = Repository.new(tmp_path / "made")
    one.put("knownbad.toml", "formats = true\n")
    one.put(SCHEMA, SHORT)
    regenerate(one.folder)
    one.commit("base")
    one.git("switch", "--quiet", "--create", "topic")
    one.put(SCHEMA, LONG)
    regenerate(one.folder)
    one.commit("longer words")
    return one


STOPPED = ["word:widened"]


def test_a_worktree_is_judged_as_a_clone_is(made: Repository, tmp_path: Path) -> None:
    made.git("worktree", "add", "--quiet", "--detach", str(tmp_path / "ein anderer Ort ü"), "topic")
    assert named(judged(tmp_path / "ein anderer Ort ü")) == STOPPED


def test_a_detached_head_is_judged_and_what_is_not_committed_counts(made: Repository) -> None:
    made.git("switch", "--quiet", "--detach", "main")
    assert judged(made.folder).findings == ()
    made.put(SCHEMA, LONG)
    assert "word:widened" in named(judged(made.folder))


def test_what_the_target_branch_did_meanwhile_is_no_part_of_the_change(made: Repository) -> None:
    made.git("switch", "--quiet", "main")
    made.put("schemas/other.schema.json", {"$schema": DIALECT, "type": "null"})
    regenerate(made.folder)
    made.commit("main has one more")
    made.git("switch", "--quiet", "topic")
    result = judged(made.folder)
    assert (named(result), dict(result.contracts)) == (STOPPED, {"word": "widened"})


def test_a_submodule_is_judged_by_its_own_history(made: Repository, tmp_path: Path) -> None:
    outer = Repository.new(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", "-b", "topic", made.folder.as_uri(), "libs/made")
    outer.commit("with a submodule")
    assert named(judged(outer.folder / "libs/made", "origin/main")) == STOPPED


def test_a_contract_inside_a_submodule_is_the_one_that_the_commit_named(made: Repository, tmp_path: Path) -> None:
    outer = Repository.new(tmp_path / "outer")
    outer.git("submodule", "--quiet", "add", "-b", "main", made.folder.as_uri(), "libs/made")
    outer.put("knownbad.toml", f'[[contract]]\nschema = "libs/made/{SCHEMA}"\nname = "word"\n')
    regenerate(outer.folder)
    outer.commit("the submodule at main")
    outer.git("switch", "--quiet", "--create", "topic")
    Repository(outer.folder / "libs/made").git("switch", "--quiet", "--detach", "origin/topic")
    regenerate(outer.folder)
    assert named(judged(outer.folder)) == STOPPED


def test_a_shallow_clone_is_told_the_fetch_to_run_and_passes_on_after_it(made: Repository, tmp_path: Path) -> None:
    clone = made.clone(tmp_path / "a clone", "--depth=1", "--branch=topic", "--single-branch")
    result = run(clone.folder, "--against", "origin/main")
    assert result.exit_code == Exit.BAD_INPUT
    line = next(line for line in result.stderr.splitlines() if "git fetch" in line)
    clone.git(*shlex.split(line[line.index("git fetch") :])[1:])
    assert named(judged(clone.folder, "origin/main")) == STOPPED


def test_the_target_branch_of_a_ci_job_needs_no_option(
    made: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME"):
        monkeypatch.delenv(name, raising=False)
    clone = made.clone(tmp_path / "clone", "--branch=topic")
    assert run(clone.folder).exit_code == Exit.BAD_INPUT
    monkeypatch.setenv("CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")
    assert run(clone.folder).exit_code == Exit.FINDINGS


def test_a_project_in_a_folder_with_blanks_and_umlauts_reaches_schemas_outside_of_it(tmp_path: Path) -> None:
    one = Repository.new(tmp_path / "mono repo")
    home = "dienste/zahlung für alle"
    one.put(f"{home}/knownbad.toml", '[resolve]\n"https://example.org/" = "../gemein sam"\n')
    one.put(f"{home}/schemas/a.schema.json", {"$schema": DIALECT, "$ref": "https://example.org/wort.json"})
    one.put(f"{home}/schemas/b.schema.json", {"$schema": DIALECT, "items": {"$ref": "../../gemein%20sam/wort.json"}})
    one.put("dienste/gemein sam/wort.json", SHORT)
    regenerate(one.folder / home)
    one.commit("all of it")
    one.git("switch", "--quiet", "--create", "topic")
    assert judged(one.folder / home).findings == ()
    one.put("dienste/gemein sam/wort.json", LONG)
    regenerate(one.folder / home)
    result = judged(one.folder / home)
    assert named(result) == ["a:widened", "b:widened"]


def test_a_schema_whose_name_says_nothing_is_found_on_both_sides(tmp_path: Path) -> None:
    one = Repository.new(tmp_path / "one")
    one.put("knownbad.toml", '[[contract]]\nschema = "contract.def"\n')
    one.put("contract.def", SHORT)
    regenerate(one.folder)
    one.commit("base")
    assert judged(one.folder).findings == ()


# --- what surrounds a schema


def test_a_project_that_adopts_knownbad_is_compared_with_the_schema_that_was_there(tmp_path: Path) -> None:
    one = Repository.new(tmp_path / "one")
    one.put("api/word.json", SHORT)
    one.commit("long before")
    one.put("knownbad.toml", '[[contract]]\nschema = "api/word.json"\n')
    one.put("api/word.json", LONG)
    regenerate(one.folder)
    assert named(judged(one.folder)) == STOPPED


def test_a_base_whose_config_is_broken_is_read_with_the_config_of_today(made: Repository) -> None:
    made.git("switch", "--quiet", "main")
    made.put("knownbad.toml", "formats = 3\n")
    made.commit("broken")
    made.git("switch", "--quiet", "--create", "repair")
    made.put("knownbad.toml", "formats = true\n")
    result = judged(made.folder)
    assert named(result) == []
    assert "config of the base cannot be read" in "".join(result.notes)


def test_a_base_that_cannot_be_read_is_undecided_and_never_good(made: Repository) -> None:
    made.git("switch", "--quiet", "main")
    made.put(SCHEMA, "{")
    made.commit("broken")
    made.git("switch", "--quiet", "--create", "repair")
    made.put(SCHEMA, SHORT)
    result = judged(made.folder)
    assert (result.exit, named(result), named(result, Level.UNDECIDED)) == (
        Exit.UNDECIDED,
        [],
        ["word:unreadable-base"],
    )


def test_a_schema_that_is_broken_now_is_bad_input(made: Repository) -> None:
    made.put(SCHEMA, "{")
    with pytest.raises(BadInput, match="is not JSON"):
        judged(made.folder)


def test_a_contract_that_never_had_a_corpus_is_a_warning_until_it_changes(tmp_path: Path) -> None:
    one = Repository.new(tmp_path / "one")
    one.put("knownbad.toml", "formats = true\n")
    one.put(SCHEMA, SHORT)
    one.commit("schemas alone")
    result = judged(one.folder)
    assert (result.exit, named(result, Level.WARNING)) == (Exit.GOOD, ["word:stray-file"])
    one.put(SCHEMA, LONG)
    assert named(judged(one.folder)) == ["word:corpus-not-regenerated", "word:widened"]


def test_an_edit_of_many_places_is_one_break_with_one_approval(tmp_path: Path) -> None:
    def words(most: int) -> Any:
        return {"$schema": DIALECT, "properties": {f"w{n}": {"type": "string", "maxLength": most} for n in range(12)}}

    one = Repository.new(tmp_path / "one")
    one.put("knownbad.toml", "formats = true\n")
    one.put(SCHEMA, words(4))
    regenerate(one.folder)
    one.commit("base")
    one.put(SCHEMA, words(3))
    regenerate(one.folder)
    result = judged(one.folder)
    assert named(result) == ["word:narrowed"]
    (told,) = (f for f in result.findings if f.code.name == "narrowed")
    assert "at 12 places" in told.message
    assert sum(line.startswith("also at /properties/w") for line in told.detail) == 11
    one.put("knownbad.toml", f'[[accept]]\nfinding = "{told.fingerprint}"\nreason = "shorter words everywhere"\n')
    assert judged(one.folder).exit is Exit.GOOD


def with_validators(folder: Path, version: str) -> None:
    """The corpora of a folder as if an older validator had made them."""
    for file in folder.glob("*/word/corpus.json"):
        corpus = json.loads(file.read_text(encoding="utf-8"))
        corpus["validators"]["jsonschema"]["version"] = version
        file.write_text(json.dumps(corpus, indent=2), encoding="utf-8")


def test_a_flip_that_comes_with_other_validators_is_named_as_that(made: Repository) -> None:
    """On the base an older version had called this file known-bad; today both validators accept it."""
    made.git("switch", "--quiet", "main")
    made.put("negative/word/mine.json", "abc")
    made.put("negative/word/mine.json", '"abc"\n')
    regenerate(made.folder)
    with_validators(made.folder, "1.0")
    made.commit("written long ago")
    made.git("switch", "--quiet", "--create", "upgrade")
    (made.folder / "negative/word/mine.json").unlink()
    regenerate(made.folder)
    result = judged(made.folder)
    assert (result.exit, named(result), named(result, Level.WARNING)) == (Exit.GOOD, [], ["word:other-validators"])
    (told,) = (f for f in result.findings if f.code.name == "other-validators")
    assert "jsonschema was 1.0, now" in told.message
    assert told.detail == ("negative/word/mine.json",)


def test_a_flip_that_comes_from_an_option_is_named_as_that(tmp_path: Path) -> None:
    one = Repository.new(tmp_path / "one")
    one.put("knownbad.toml", "formats = true\n")
    one.put("schemas/day.schema.json", {"$schema": DIALECT, "type": "string", "format": "date"})
    regenerate(one.folder)
    one.commit("base")
    one.put("knownbad.toml", "formats = false\n")
    regenerate(one.folder)
    result = judged(one.folder)
    (told,) = (f for f in result.findings if f.code.name == "other-validators")
    assert "comes from the option `formats`" in told.message
    assert "day:widened" in named(result)


def test_a_change_that_nothing_decides_is_undecided_and_can_be_approved(
    made: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    from knownbad.differ import results

    unknown = results.Shift(results.UNKNOWN, reason="out of steps")
    proved = results.Shift(results.NO, reason="proved")

    def nothing(*_: Any, **__: Any) -> results.Comparison:
        return results.Comparison("word", "word", proved, unknown)

    monkeypatch.setattr("knownbad.differ.compare", nothing)
    result = judged(made.folder)
    assert (result.exit, named(result), named(result, Level.UNDECIDED)) == (
        Exit.UNDECIDED,
        [],
        ["word:undecided-change"],
    )
    (told,) = (f for f in result.findings if f.code.name == "undecided-change")
    made.put("knownbad.toml", f'[[accept]]\nfinding = "{told.fingerprint}"\nreason = "looked at by hand"\n')
    assert judged(made.folder).exit is Exit.GOOD


def test_every_report_of_a_run_is_written_at_once(made: Repository, tmp_path: Path) -> None:
    out = tmp_path / "out"
    formats = ("json", "junit", "sarif", "gitlab", "github")
    result = run(made.folder, "--against", "main", *(f"--report={name}={out / name}" for name in formats))
    assert result.exit_code == Exit.FINDINGS
    assert sorted(path.name for path in out.iterdir()) == sorted(formats)
    assert all("KB402" in (out / name).read_text(encoding="utf-8") for name in formats)
    assert run(made.folder, "--against", "main", "--report", "pdf=x").exit_code == Exit.BAD_INPUT
