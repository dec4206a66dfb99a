"""The story of the gate: pull requests against a real git repository, each stopped or let through for its reason."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conftest import ROOT
from knownbad.cli import main
from knownbad.config import project
from knownbad.errors import BadInput, Exit
from knownbad.finding import Finding, Findings, Level
from knownbad.gate import GateOptions, gate
from knownbad.oracle import Oracle
from knownbad.produce import Options, load_contract, produce, tasks
from repository import Repository

CONFIG = """\
[[contract]]
schema = "schemas/error-envelope.schema.json"
direction = "output"

[[contract]]
schema = "schemas/eval-suite.schema.json"
direction = "input"
"""
ENVELOPE, SUITE = "schemas/error-envelope.schema.json", "schemas/eval-suite.schema.json"
Edit = Callable[[Any], None]


def published(name: str) -> Any:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two contracts and their corpora on `main`; tool responses have no `isError` yet."""
    one = Repository.new(tmp_path_factory.mktemp("story") / "base")
    suite = published(SUITE)
    del suite["$defs"]["toolResponse"]["properties"]["isError"]
    one.put("knownbad.toml", CONFIG)
    one.put(ENVELOPE, published(ENVELOPE))
    one.put(SUITE, suite)
    regenerate(one)
    one.put(".gitignore", ".knownbad_cache/\n")
    one.commit("contracts and their corpora")
    return one.folder


@pytest.fixture
def repository(started: Path, tmp_path: Path) -> Repository:
    """A copy of it, on the branch of a pull request."""
    one = Repository(shutil.copytree(started, tmp_path / "repository"))
    one.git("switch", "--quiet", "--create", "topic")
    return one


def regenerate(repository: Repository, *names: str) -> None:
    """What `knownbad generate` does, for all contracts or those named."""
    found = project(repository.folder)
    produce(found, tasks(found, names), Options())


def edit(repository: Repository, path: str, change: Edit) -> None:
    value = json.loads((repository.folder / path).read_text(encoding="utf-8"))
    change(value)
    repository.put(path, value)


def judged(repository: Repository, against: str = "main", **more: Any) -> Findings:
    return gate(project(repository.folder), GateOptions(against, **more))


def codes(result: Findings, level: Level = Level.ERROR) -> list[str]:
    return sorted({f"{f.contract or ''}:{f.code.name}" for f in result.findings if f.weight is level})


def finding(result: Findings, name: str) -> Finding:
    return next(f for f in result.findings if f.code.name == name)


def run(repository: Repository, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["gate", "--root", str(repository.folder), "--against", "main", *arguments])


def accept(repository: Repository, *entries: str) -> None:
    tables = "".join(f"\n[[accept]]\n{entry}\n" for entry in entries)
    repository.put("knownbad.toml", CONFIG + tables)


# --- the edits of the story


def open_envelope(schema: Any) -> None:
    del schema["$defs"]["error"]["additionalProperties"]


def add_is_error(schema: Any) -> None:
    schema["$defs"]["toolResponse"]["properties"]["isError"] = {"type": "boolean"}


def refactor(schema: Any) -> None:
    """The definition gets another name, `allOf` is split off, an enum is reordered, and annotations change."""
    text = (
        json.dumps(schema).replace("#/$defs/toolResponse", "#/$defs/recorded").replace('"toolResponse":', '"recorded":')
    )
    schema.clear()
    schema.update(json.loads(text))
    schema["title"] = "Suites of an agent"
    modes = schema["properties"]["modes"]["items"]["enum"]
    modes.reverse()
    schema["allOf"] = [{"required": schema.pop("required")}]


# --- what becomes of them


def test_a_branch_that_changes_nothing_passes(repository: Repository) -> None:
    repository.put("readme.md", "more words\n")
    repository.commit("docs")
    result = run(repository)
    assert (result.exit_code, result.stdout) == (0, "knownbad gate: nothing to report in 2 contracts\n")


def test_an_envelope_that_is_no_longer_closed_is_stopped_with_the_instance_that_leaks(repository: Repository) -> None:
    edit(repository, ENVELOPE, open_envelope)
    regenerate(repository, "error-envelope")
    repository.commit("the envelope takes anything")
    result = judged(repository)
    assert result.exit is Exit.FINDINGS
    assert codes(result) == ["error-envelope:widened"]
    leak = finding(result, "widened")
    assert (leak.file, leak.contract) == (ENVELOPE, "error-envelope")
    closed = set(published(ENVELOPE)["$defs"]["error"]["properties"])
    assert set(leak.witness["error"]) - closed, "it shows no member that was forbidden"
    assert accepted(repository, "error-envelope", leak.witness)
    lines = run(repository).stdout.splitlines()
    assert lines[0] == "error-envelope: widened"
    assert "KB402" in lines[1]
    assert lines[1].strip().startswith(ENVELOPE)
    assert "this document was rejected before and is accepted now:" in "".join(lines[:4])


def test_a_stopped_change_names_the_place_of_the_schema(repository: Repository) -> None:
    edit(repository, ENVELOPE, open_envelope)
    result = judged(repository)
    assert finding(result, "widened").location == "/$defs/error/additionalProperties"


def test_without_its_fixtures_it_is_stopped_for_those_too(repository: Repository) -> None:
    edit(repository, ENVELOPE, open_envelope)
    result = judged(repository)
    assert codes(result) == [
        "error-envelope:corpus-not-regenerated",
        "error-envelope:flipped-fixtures",
        "error-envelope:widened",
    ]
    assert finding(result, "flipped-fixtures").detail == ("negative/error-envelope/error-extra-member.json",)


def test_a_new_optional_member_of_an_input_passes_with_its_fixtures(repository: Repository) -> None:
    edit(repository, SUITE, add_is_error)
    regenerate(repository, "eval-suite")
    repository.commit("responses say whether they failed")
    result = judged(repository)
    assert (result.exit, codes(result)) == (Exit.GOOD, [])
    assert result.contracts == {"error-envelope": "unchanged", "eval-suite": "widened"}
    note = finding(result, "widened")
    assert note.weight is Level.NOTE
    assert "isError" in json.dumps(note.witness)
    assert note.location == "/$defs/toolResponse/properties/isError"


def test_a_new_optional_member_of_an_input_is_stopped_without_its_fixtures(repository: Repository) -> None:
    edit(repository, SUITE, add_is_error)
    repository.commit("responses say whether they failed")
    result = judged(repository)
    assert result.exit is Exit.FINDINGS
    assert codes(result) == ["eval-suite:corpus-not-regenerated"]
    assert "knownbad generate --contract eval-suite" in (finding(result, "corpus-not-regenerated").fix or "")


def test_fixtures_without_those_of_the_change_are_not_enough(repository: Repository) -> None:
    """One file of the regenerated corpus is left out of the commit."""
    edit(repository, SUITE, add_is_error)
    regenerate(repository, "eval-suite")
    new = repository.git("ls-files", "--others", "--exclude-standard").splitlines()
    (repository.folder / new[0]).unlink()
    assert "eval-suite:corpus-not-regenerated" in codes(judged(repository))


def test_a_pure_refactoring_passes_silently(repository: Repository) -> None:
    edit(repository, SUITE, refactor)
    regenerate(repository, "eval-suite")
    repository.commit("tidier")
    result = judged(repository)
    assert (result.exit, result.findings, result.notes) == (Exit.GOOD, (), ())
    assert result.contracts["eval-suite"] == "equivalent"
    assert run(repository).stdout == "knownbad gate: nothing to report in 2 contracts\n"


def test_a_refactoring_without_its_corpus_passes_with_a_note(repository: Repository) -> None:
    """No verdict can have changed, which is proved; but the rows name places of before."""
    edit(repository, SUITE, refactor)
    result = judged(repository)
    assert (result.exit, codes(result)) == (Exit.GOOD, [])
    assert codes(result, Level.NOTE) == ["eval-suite:corpus-not-regenerated"]


def test_annotations_alone_change_no_contract(repository: Repository) -> None:
    edit(repository, SUITE, lambda schema: schema.update(description="Other words.", title="Another title"))
    result = judged(repository)
    assert (result.findings, result.contracts["eval-suite"]) == ((), "unchanged")


@pytest.mark.parametrize("schema, name", [(ENVELOPE, "error-envelope"), (SUITE, "eval-suite")])
def test_a_schema_that_is_emptied_is_stopped_whatever_its_direction(
    repository: Repository, schema: str, name: str
) -> None:
    repository.put(schema, {"$schema": "https://json-schema.org/draft/2020-12/schema"})
    regenerate(repository)
    repository.commit("simpler")
    result = judged(repository)
    assert result.exit is Exit.FINDINGS
    assert f"{name}:guards-nothing" in codes(result)


# --- approvals


@pytest.fixture(scope="module")
def opened(started: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The envelope is opened with its fixtures, not committed; the fingerprint of the break."""
    one = Repository(shutil.copytree(started, tmp_path_factory.mktemp("opened") / "repository"))
    one.git("switch", "--quiet", "--create", "topic")
    edit(one, ENVELOPE, open_envelope)
    regenerate(one, "error-envelope")
    told = finding(judged(one), "widened")
    assert told.fingerprint in (told.fix or "")
    return one.folder, told.fingerprint


@pytest.fixture
def broken(opened: tuple[Path, str], tmp_path: Path) -> tuple[Repository, str]:
    """A copy of it."""
    return Repository(shutil.copytree(opened[0], tmp_path / "broken")), opened[1]


def test_an_approved_break_passes_and_is_still_told(broken: tuple[Repository, str]) -> None:
    repository, mark = broken
    accept(repository, f'finding = "{mark}"\nreason = "details move into the envelope"')
    repository.commit("approved")
    result = judged(repository)
    assert (result.exit, codes(result)) == (Exit.GOOD, [])
    told = finding(result, "widened")
    assert told.weight is Level.NOTE
    assert "approved: details move into the envelope" in told.detail


def test_the_approval_holds_after_a_rebase_onto_a_branch_that_went_on(broken: tuple[Repository, str]) -> None:
    repository, mark = broken
    accept(repository, f'finding = "{mark}"\nreason = "meant"')
    repository.commit("approved")
    repository.git("switch", "--quiet", "main")
    edit(repository, SUITE, add_is_error)
    edit(repository, ENVELOPE, lambda schema: schema.update(title="Another title"))
    regenerate(repository)
    repository.commit("main goes on")
    repository.git("switch", "--quiet", "topic")
    repository.git("rebase", "--quiet", "main")
    result = judged(repository)
    assert (result.exit, codes(result)) == (Exit.GOOD, [])


def test_an_approval_is_of_one_edit_and_not_of_the_next_at_the_same_place(broken: tuple[Repository, str]) -> None:
    repository, mark = broken
    accept(repository, f'finding = "{mark}"\nreason = "meant"')

    def loosen(schema: Any) -> None:
        schema["$defs"]["error"]["additionalProperties"] = {"type": "string"}

    edit(repository, ENVELOPE, loosen)
    regenerate(repository, "error-envelope")
    assert codes(judged(repository)) == [":accept-unused", "error-envelope:widened"]


@pytest.mark.parametrize(
    "entry, name",
    [
        ('finding = "{}"', "accept-without-reason"),
        ('finding = "{}"\nreason = "  "', "accept-without-reason"),
        ('finding = "{}"\nreason = "for a while"\nexpires = 2026-01-31', "accept-expired"),
        ('finding = "0000000000000000"\nreason = "copied wrongly"', "accept-unused"),
    ],
)
def test_an_approval_that_does_not_count_is_a_finding_itself(
    broken: tuple[Repository, str], entry: str, name: str
) -> None:
    repository, mark = broken
    accept(repository, entry.format(mark))
    result = judged(repository, today=date(2026, 2, 1))
    assert codes(result) == [f":{name}", "error-envelope:widened"]
    about = finding(result, name)
    assert (about.file, about.location) == ("knownbad.toml", "/accept/0")


def test_an_approval_counts_on_its_last_day(broken: tuple[Repository, str]) -> None:
    repository, mark = broken
    accept(repository, f'finding = "{mark}"\nreason = "for a while"\nexpires = 2026-02-01')
    assert judged(repository, today=date(2026, 2, 1)).exit is Exit.GOOD


def test_what_must_be_put_right_cannot_be_approved(repository: Repository) -> None:
    edit(repository, SUITE, add_is_error)
    mark = finding(judged(repository), "corpus-not-regenerated").fingerprint
    accept(repository, f'finding = "{mark}"\nreason = "later"')
    result = judged(repository)
    assert codes(result) == [":accept-unused", "eval-suite:corpus-not-regenerated"]
    assert "cannot be approved" in finding(result, "accept-unused").message


def test_an_approval_that_was_merged_is_a_warning_in_the_next_change(broken: tuple[Repository, str]) -> None:
    repository, mark = broken
    accept(repository, f'finding = "{mark}"\nreason = "meant"')
    repository.commit("approved")
    repository.git("branch", "--force", "main", "topic")
    result = judged(repository)
    assert (result.exit, codes(result, Level.WARNING)) == (Exit.GOOD, [":accept-unused"])


def test_a_broken_approval_is_bad_input(repository: Repository) -> None:
    accept(repository, 'finding = 3\nreason = "x"', 'reason = "x"', 'finding = "x"\nwhy = "y"')
    with pytest.raises(BadInput) as caught:
        judged(repository)
    assert len(caught.value.problems) == 3


def test_the_witness_of_an_approved_break_becomes_a_fixture(repository: Repository) -> None:
    def longer(schema: Any) -> None:
        schema["$defs"]["identifier"]["maxLength"] = 70

    edit(repository, ENVELOPE, longer)
    mark = finding(judged(repository), "widened").fingerprint
    accept(repository, f'finding = "{mark}"\nreason = "longer names"')
    result = judged(repository, write=True)
    assert (result.exit, codes(result)) == (Exit.GOOD, [])
    assert codes(result, Level.WARNING) == []
    rewritten = judged(repository, write=True)
    assert rewritten.findings == result.findings, "nothing is left to write"
    shown = [f for f in result.findings if f.code.name == "flipped-fixtures"]
    assert any(file.startswith("fixtures/error-envelope/") for f in shown for file in f.detail)


def test_an_approved_break_that_no_fixture_shows_is_a_warning_until_its_witness_is_one(repository: Repository) -> None:
    """`generate` makes no instance with null at that place."""

    def wider(schema: Any) -> None:
        schema["properties"]["thresholds"]["properties"]["passRate"] = {"type": ["number", "null"]}

    repository.put("knownbad.toml", CONFIG.replace('"input"', '"both"'))
    regenerate(repository)
    repository.commit("readers count, too")
    repository.git("branch", "--force", "main", "topic")
    edit(repository, SUITE, wider)
    regenerate(repository, "eval-suite")
    marks = [f.fingerprint for f in judged(repository).findings if f.weight is Level.ERROR]
    tables = "".join(f'\n[[accept]]\nfinding = "{mark}"\nreason = "meant"\n' for mark in marks)
    repository.put("knownbad.toml", CONFIG.replace('"input"', '"both"') + tables)
    before = codes(judged(repository), Level.WARNING)
    result = judged(repository, write=True)
    assert (result.exit, codes(result, Level.WARNING)) == (Exit.GOOD, [])
    written = [path.name for path in (repository.folder / "fixtures/eval-suite").glob("approved-*.json")]
    assert bool(written) is bool(before)
    assert written, "generate showed every break by itself: choose another edit for this test"


# --- the rest of a project's standing


def test_a_contract_that_is_gone_is_stopped_and_can_be_approved(repository: Repository) -> None:
    repository.put("knownbad.toml", CONFIG.split("\n\n", maxsplit=1)[0] + "\n")
    (repository.folder / SUITE).unlink()
    for folder in ("fixtures/eval-suite", "negative/eval-suite"):
        shutil.rmtree(repository.folder / folder)
    left = judged(repository)
    assert codes(left) == ["eval-suite:contract-removed", "eval-suite:left-behind"]
    assert finding(left, "left-behind").detail == ("tests/contracts/test_eval_suite.py",)
    (repository.folder / "tests/contracts/test_eval_suite.py").unlink()
    result = judged(repository)
    assert codes(result) == ["eval-suite:contract-removed"]
    assert result.contracts["eval-suite"] == "removed"
    mark = finding(result, "contract-removed").fingerprint
    tables = f'\n[[accept]]\nfinding = "{mark}"\nreason = "nobody runs suites any more"\n'
    repository.put("knownbad.toml", CONFIG.split("\n\n", maxsplit=1)[0] + "\n" + tables)
    assert judged(repository).exit is Exit.GOOD


def test_a_contract_that_is_renamed_is_the_same_contract(repository: Repository) -> None:
    repository.put("knownbad.toml", CONFIG.replace('direction = "input"', 'direction = "input"\nname = "suites"'))
    regenerate(repository)
    result = judged(repository)
    assert result.contracts == {"error-envelope": "unchanged", "suites": "unchanged"}
    assert codes(result) == []


def test_a_schema_whose_file_is_renamed_is_the_same_contract(repository: Repository) -> None:
    repository.git("mv", SUITE, "schemas/suite-of-tasks.schema.json")
    for kind in ("fixtures", "negative"):
        repository.git("mv", f"{kind}/eval-suite", f"{kind}/suite-of-tasks")
    repository.put("knownbad.toml", CONFIG.replace(SUITE, "schemas/suite-of-tasks.schema.json"))
    (repository.folder / "tests/contracts/test_eval_suite.py").unlink()
    regenerate(repository, "suite-of-tasks")
    result = judged(repository)
    assert result.contracts == {"error-envelope": "unchanged", "suite-of-tasks": "unchanged"}
    assert codes(result) == []


def test_a_change_cannot_also_change_the_direction_that_it_is_judged_by(repository: Repository) -> None:
    edit(repository, ENVELOPE, open_envelope)
    repository.put("knownbad.toml", CONFIG.replace('"output"', '"input"'))
    regenerate(repository)
    assert codes(judged(repository)) == ["error-envelope:widened"]


def test_a_new_contract_needs_its_corpus(repository: Repository) -> None:
    repository.put("schemas/flag.schema.json", {"$schema": published(SUITE)["$schema"], "type": "boolean"})
    assert codes(judged(repository)) == ["flag:corpus-not-regenerated"]
    regenerate(repository)
    result = judged(repository)
    assert (result.exit, result.contracts["flag"]) == (Exit.GOOD, "new")


def test_a_known_bad_fixture_that_passes_stops_a_change_that_brings_it(repository: Repository) -> None:
    good = next((repository.folder / "fixtures/error-envelope").glob("error-*.json"))
    shutil.copy(good, repository.folder / "negative/error-envelope/mine.json")
    result = judged(repository)
    assert "error-envelope:wrong-verdict" in codes(result)
    assert result.exit is Exit.FINDINGS


def test_a_corpus_that_was_wrong_before_is_no_fault_of_the_change(repository: Repository) -> None:
    good = next((repository.folder / "fixtures/error-envelope").glob("error-*.json"))
    bad = repository.folder / "negative/error-envelope/mine.json"
    shutil.copy(good, bad)
    regenerate(repository)
    repository.commit("a fixture in the wrong folder")
    repository.git("branch", "--force", "main", "topic")
    repository.put("readme.md", "words\n")
    result = judged(repository)
    assert result.exit is Exit.WRONG_START == run(repository).exit_code
    assert finding(result, "wrong-before").file == "negative/error-envelope/mine.json"
    bad.unlink()
    regenerate(repository)
    repaired = judged(repository)
    assert repaired.exit is Exit.GOOD


def test_a_fault_of_lint_that_the_change_brings_is_found_and_an_old_one_is_not(repository: Repository) -> None:
    edit(repository, SUITE, lambda schema: schema["$defs"]["task"].update(additionnalProperties=False))
    regenerate(repository, "eval-suite")
    result = judged(repository)
    assert any(f.code.name == "unknown-keyword" for f in result.findings)
    repository.commit("with a slip of the pen")
    repository.git("branch", "--force", "main", "topic")
    edit(repository, SUITE, add_is_error)
    regenerate(repository, "eval-suite")
    assert not any(f.code.name == "unknown-keyword" for f in judged(repository).findings)


def test_a_mutant_of_the_change_that_no_fixture_kills_is_found(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where `generate` makes no fixture of it: here its check is left out, and the fixtures are taken away."""
    edit(repository, SUITE, add_is_error)
    regenerate(repository, "eval-suite")
    take_away(repository, "isError")
    monkeypatch.setattr("knownbad.gate.job.regenerated", lambda *_: {})
    result = judged(repository)
    survivors = [f for f in result.findings if f.code.name == "survivor"]
    assert survivors
    assert {f.contract for f in survivors} == {"eval-suite"}
    assert all((f.location or "").startswith("/$defs/toolResponse") for f in survivors)
    assert any("isError" in (f.location or "") for f in survivors)


def take_away(repository: Repository, about: str) -> None:
    """Remove the negatives whose keyword is about something, each with its row."""
    folder = repository.folder / "negative/eval-suite"
    corpus = json.loads((folder / "corpus.json").read_text(encoding="utf-8"))
    gone = [row for row in corpus["fixtures"] if about in (row["keywordLocation"] or "")]
    assert gone
    for row in gone:
        corpus["fixtures"].remove(row)
        (folder / row["file"]).unlink()
    (folder / "corpus.json").write_text(json.dumps(corpus), encoding="utf-8")


def test_a_fixture_that_goes_with_its_row_is_missed_although_no_schema_changed(repository: Repository) -> None:
    take_away(repository, "/$defs/toolResponse/required")
    result = judged(repository)
    assert codes(result) == ["eval-suite:corpus-not-regenerated"]
    assert result.contracts["eval-suite"] == "unchanged"


def test_an_emitted_test_that_skips_something_is_missed_although_no_schema_changed(repository: Repository) -> None:
    test = repository.folder / "tests/contracts/test_eval_suite.py"
    test.write_text(test.read_text(encoding="utf-8") + "\n\ndel test_rejected\n", encoding="utf-8")
    assert codes(judged(repository)) == ["eval-suite:corpus-not-regenerated"]


# --- contracts that reach a change through a reference


@pytest.fixture
def shared(tmp_path: Path) -> Repository:
    """Two contracts that refer to a third file, and one that does not, in a folder that no ASCII name has."""
    one = Repository.new(tmp_path / "mono repo")
    here = "dienste/zahlung für alle"
    dialect = published(SUITE)["$schema"]
    one.put(f"{here}/knownbad.toml", '[[contract]]\nschema = "schemas/a.schema.json"\n')
    one.put(f"{here}/schemas/a.schema.json", {"$schema": dialect, "$ref": "%C3%A4%20%C3%B6.schema.json#/$defs/id"})
    one.put(f"{here}/schemas/b.schema.json", {"$schema": dialect, "items": {"$ref": "../../gemeinsam/id.json"}})
    one.put(f"{here}/schemas/c.schema.json", {"$schema": dialect, "type": "null"})
    one.put(f"{here}/schemas/ä ö.schema.json", {"$schema": dialect, "$defs": {"id": {"type": "string"}}})
    one.put("dienste/gemeinsam/id.json", {"$schema": dialect, "type": "integer"})
    regenerate(Repository(one.folder / here))
    one.commit("all of it")
    one.git("switch", "--quiet", "--create", "topic")
    return one


def test_what_reaches_a_change_through_a_reference_has_changed(shared: Repository) -> None:
    home = Repository(shared.folder / "dienste/zahlung für alle")
    home.put("schemas/ä ö.schema.json", {"$schema": published(SUITE)["$schema"], "$defs": {"id": {"type": "boolean"}}})
    shared.put("dienste/gemeinsam/id.json", {"$schema": published(SUITE)["$schema"], "type": "number"})
    regenerate(home)
    result = judged(home)
    assert {name: word for name, word in result.contracts.items() if name in "abc"} == {
        "a": "both",
        "b": "widened",
        "c": "unchanged",
    }
    assert isinstance(finding(result, "narrowed").witness, str)


def accepted(repository: Repository, name: str, instance: Any) -> bool | None:
    found = project(repository.folder)
    (task,) = tasks(found, [name])
    return Oracle(load_contract(found, task, Options())).accepts(instance)
