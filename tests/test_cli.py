"""The command line, in process and in a few real processes: what it writes, prints and exits with."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import knownbad
from knownbad.cli import main
from knownbad.config import project
from knownbad.errors import Exit
from knownbad.produce import Options, produce, tasks
from knownbad.report import terminal

FLAG = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "properties": {"isError": {"type": "boolean"}},
    "required": ["isError"],
    "additionalProperties": False,
}
COUNT = {"$schema": "http://json-schema.org/draft-07/schema#", "type": "integer", "minimum": 1}


def tree(root: Path) -> dict[str, bytes]:
    return {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()}


def run(*args: object) -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args])


def process(*args: object, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    path = str(Path(knownbad.__file__).parents[1])
    command = [sys.executable, *map(str, args)]
    everything = {**os.environ, "PYTHONPATH": path, **env}
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=everything)


@pytest.fixture
def schema(tmp_path: Path) -> Path:
    path = tmp_path / "flag.schema.json"
    path.write_text(json.dumps(FLAG))
    return path


@pytest.fixture
def two(tmp_path: Path) -> Path:
    """A project of two contracts."""
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/flag.schema.json").write_text(json.dumps(FLAG))
    (tmp_path / "schemas/count.json").write_text(json.dumps(COUNT))
    (tmp_path / "knownbad.toml").write_text("")
    return tmp_path


def test_one_schema_needs_no_project(schema: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = run("generate", "--schema", schema, "--out", out)
    assert result.exit_code == Exit.GOOD, result.output
    names = set(tree(out))
    assert {"fixtures/corpus.json", "fixtures/minimal.json", "negative/corpus.json", "test_flag.py"} <= names
    assert not [name for name in names if name.startswith(".")]
    rows = json.loads((out / "negative/corpus.json").read_text())
    assert (rows["contract"], rows["schema"], rows["dialect"]) == ("flag", "../flag.schema.json", "2020-12")
    assert {row["keywordLocation"] for row in rows["fixtures"]} >= {"/required", "/additionalProperties"}
    head, values = result.output.splitlines()[:2]
    assert head.split()[:3] == ["contract", "positive", "negative"]
    assert values.split()[0] == "flag"
    assert run("verify", "--out", out).exit_code == Exit.GOOD


def test_a_project_gets_a_folder_for_each_contract(two: Path) -> None:
    result = run("generate", "--root", two)
    assert result.exit_code == Exit.GOOD, result.output
    for name in ("flag", "count"):
        assert (two / "fixtures" / name / "corpus.json").is_file()
        assert (two / "negative" / name / "corpus.json").is_file()
        assert (two / "tests/contracts" / f"test_{name}.py").is_file()
    assert json.loads((two / "fixtures/count/corpus.json").read_text())["schema"] == "schemas/count.json"
    assert run("verify", "--root", two).exit_code == Exit.GOOD
    done = process("-m", "pytest", "-q", "-p", "no:cacheprovider", two / "tests/contracts", cwd=two)
    assert done.returncode == 0, done.stdout


def test_a_corpus_file_is_as_its_own_schema_says(two: Path, root: Path) -> None:
    from jsonschema import Draft202012Validator

    (two / "negative/flag").mkdir(parents=True)
    (two / "negative/flag/mine.json").write_text("[]")
    assert run("generate", "--root", two).exit_code == Exit.GOOD
    validator = Draft202012Validator(json.loads((root / "schemas/corpus.schema.json").read_text()))
    found = sorted(two.rglob("corpus.json"))
    assert len(found) == 4
    for path in found:
        assert [error.message for error in validator.iter_errors(json.loads(path.read_text()))] == []


def test_one_contract_may_be_chosen(two: Path) -> None:
    assert run("generate", "--root", two, "--contract", "count").exit_code == Exit.GOOD
    assert [p.name for p in (two / "fixtures").iterdir()] == ["count"]
    result = run("generate", "--root", two, "--contract", "cuont")
    assert result.exit_code == Exit.BAD_INPUT
    assert "'cuont'" in result.output
    assert "contracts: count, flag" in result.output


def test_the_json_report_has_every_file_and_class(two: Path) -> None:
    first = json.loads(run("generate", "--root", two, "--format", "json").output)
    assert list(first) == ["version", "checked", "contracts", "errors", "notes", "exit"]
    flag = next(c for c in first["contracts"] if c["contract"] == "flag")
    assert list(flag) == ["contract", "schema", "positive", "negative", "written", "files", "classes", "notes"]
    assert "fixtures/flag/minimal.json" in flag["files"]["added"]
    assert {"class", "state", "positive", "keywordLocation", "reason", "file"} == set(flag["classes"][0])
    again = json.loads(run("generate", "--root", two, "--format", "json").output)
    flag = next(c for c in again["contracts"] if c["contract"] == "flag")
    assert (flag["files"]["added"], flag["files"]["changed"], flag["files"]["removed"]) == ([], [], [])
    assert "fixtures/flag/minimal.json" in flag["files"]["unchanged"]


@pytest.mark.parametrize("how", ["schema", "file removed", "file edited", "file added", "test edited", "stale"])
def test_a_check_finds_every_difference_and_writes_nothing(two: Path, how: str) -> None:
    run("generate", "--root", two)
    assert run("generate", "--root", two, "--check").exit_code == Exit.GOOD
    if how == "schema":
        (two / "schemas/count.json").write_text(json.dumps({**COUNT, "maximum": 5}))
    elif how == "file removed":
        (two / "fixtures/flag/minimal.json").unlink()
    elif how == "file edited":
        (two / "fixtures/flag/minimal.json").write_text('{"isError": true}')
    elif how == "file added":
        (two / "negative/flag/mine.json").write_text("{}")
    elif how == "test edited":
        (two / "tests/contracts/test_flag.py").write_text("# knownbad")
    elif how == "stale":
        (two / "schemas/count.json").write_text(json.dumps({**COUNT, "minimum": 0}))
        run("generate", "--root", two)
        (two / "schemas/count.json").write_text(json.dumps({"$schema": COUNT["$schema"], "type": "integer"}))
    before = tree(two)
    result = run("generate", "--root", two, "--check")
    assert result.exit_code == Exit.FINDINGS, result.output
    assert tree(two) == before


def test_a_title_changes_no_file(two: Path) -> None:
    run("generate", "--root", two)
    before = tree(two)
    path = two / "schemas/flag.schema.json"
    path.write_text(json.dumps({"title": "Flag", **FLAG}))
    assert run("generate", "--root", two).exit_code == Exit.GOOD
    after = tree(two)
    assert {name for name in after if after[name] != before.get(name)} == {"schemas/flag.schema.json"}


def test_what_a_person_wrote_is_adopted_and_named_where_it_has_several_reasons(two: Path) -> None:
    run("generate", "--root", two)
    one, several = two / "negative/flag/one-reason.json", two / "negative/flag/two-reasons.json"
    one.write_text('{"isError":   "no"}')
    several.write_text('{"isError": 1, "more": 2}')
    result = run("generate", "--root", two)
    assert "flag: rejected for several reasons, so only the rejection is asserted: two-reasons.json" in result.output
    rows = json.loads((two / "negative/flag/corpus.json").read_text())["fixtures"]
    found = {r["file"]: (r["origin"], r["keywordLocation"]) for r in rows if r["origin"] == "written"}
    assert found == {
        "one-reason.json": ("written", "/properties/isError/type"),
        "two-reasons.json": ("written", None),
    }
    assert one.read_text() == '{"isError":   "no"}'
    assert run("verify", "--root", two).exit_code == Exit.GOOD


def test_the_bytes_depend_neither_on_processes_nor_on_hash_seeds(two: Path, tmp_path: Path) -> None:
    trees = []
    for seed, jobs in (("1", "1"), ("2", "2")):
        done = process("-m", "knownbad", "generate", "--jobs", jobs, cwd=two, PYTHONHASHSEED=seed, LC_ALL="C")
        assert done.returncode == 0, done.stdout + done.stderr
        written = {n: d for n, d in tree(two).items() if n.startswith(("fixtures", "negative", "tests"))}
        trees.append(written)
        for name in written:
            (two / name).unlink()
    assert trees[0] == trees[1]
    assert trees[0]


def test_bad_input_exits_with_2_tells_every_problem_and_writes_nothing(two: Path) -> None:
    (two / "schemas/flag.schema.json").write_text('{"type": "objet"}')
    (two / "schemas/count.json").write_text(json.dumps({**COUNT, "allOf": [{"$ref": "gone.json"}]}))
    before = tree(two)
    result = run("generate", "--root", two)
    assert result.exit_code == Exit.BAD_INPUT
    assert "schemas/flag.schema.json: /type" in result.stderr
    assert "gone.json" in result.stderr
    assert tree(two) == before


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "--out", "x"),
        ("generate", "--schema", "x", "--contract", "y"),
        ("generate", "--schema", "nowhere.json", "--out", "x"),
        ("generate", "--dialect", "draft-05"),
        ("generate", "--faults", "some"),
        ("generate", "--nothing"),
        ("verify", "--out", "nowhere"),
        ("verify", "--schema", "nowhere.json"),
    ],
)
def test_bad_usage_exits_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...]) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == Exit.BAD_INPUT
    assert result.stderr
    assert tree(tmp_path) == {}


def test_a_file_that_is_in_the_way_of_the_emitted_test_is_left_alone(two: Path) -> None:
    (two / "tests/contracts").mkdir(parents=True)
    mine = two / "tests/contracts/test_flag.py"
    mine.write_text("def test_mine(): pass\n")
    result = run("generate", "--root", two)
    assert result.exit_code == Exit.BAD_INPUT
    assert "in the way" in result.stderr
    assert mine.read_text() == "def test_mine(): pass\n"
    assert not (two / "fixtures").exists()


def test_a_template_of_another_name_is_a_mistake(two: Path) -> None:
    (two / "knownbad.toml").write_text('templates = "t"\n')
    (two / "t").mkdir()
    (two / "t/test.py.j2").write_text("")
    result = run("generate", "--root", two)
    assert result.exit_code == Exit.BAD_INPUT
    assert "templates: test_contract.py.j2, " in result.stderr


def test_a_fault_of_ours_exits_with_70_and_shows_where_on_request(
    schema: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("oh")

    monkeypatch.setattr("knownbad.produce.make", broken)
    out = tmp_path / "out"
    result = run("generate", "--schema", schema, "--out", out)
    assert result.exit_code == Exit.BUG
    assert "please report" in result.stderr
    assert "Traceback" not in result.stderr
    assert "Traceback" in run("--traceback", "generate", "--schema", schema, "--out", out).stderr
    assert tree(out) == {}


def test_an_interrupt_exits_with_130(schema: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("knownbad.produce.make", interrupted)
    assert run("generate", "--schema", schema, "--out", tmp_path / "out").exit_code == 130


def test_an_undecided_class_exits_with_3_and_is_named(
    schema: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from knownbad import generate
    from knownbad.corpus import UNDECIDED, Corpus, Outcome

    hard = Corpus(outcomes=(Outcome("/x: y", UNDECIDED, False, "/x", "no walk found it"),))
    monkeypatch.setattr(generate, "generate", lambda *_: hard)
    result = run("generate", "--schema", schema, "--out", tmp_path / "out")
    assert result.exit_code == Exit.UNDECIDED
    assert "undecided: /x: y: no walk found it" in result.output


def test_a_corpus_without_a_contract_is_told(two: Path) -> None:
    run("generate", "--root", two)
    (two / "schemas/count.json").unlink()
    (two / "fixtures/errors").mkdir()
    (two / "fixtures/errors/corpus.json").write_text("{}")
    result = run("generate", "--root", two)
    assert "fixtures/count: no contract is called so" in result.output
    assert "errors" not in result.output
    assert (two / "fixtures/count/corpus.json").is_file()


def test_verify_exits_with_1_where_a_verdict_is_wrong(two: Path) -> None:
    run("generate", "--root", two)
    (two / "schemas/count.json").write_text(json.dumps({**COUNT, "minimum": 3}))
    result = run("verify", "--root", two, "--format", "json")
    assert result.exit_code == Exit.FINDINGS
    report = json.loads(result.output)
    assert list(report) == ["version", "corpora", "positive", "negative", "findings", "errors", "notes", "exit"]
    kinds = {finding["kind"] for finding in report["findings"]}
    assert {"verdict", "stale"} <= kinds
    assert all(finding["file"].split("/")[1] == "count" for finding in report["findings"])
    assert run("verify", "--root", two).exit_code == Exit.FINDINGS


def test_verify_of_an_out_folder_takes_the_recorded_dialect_and_formats(tmp_path: Path) -> None:
    (tmp_path / "e.schema.json").write_text('{"properties": {"d": {"format": "date"}, "n": {"minimum": 1}}}')
    out = tmp_path / "out"
    run("generate", "--schema", tmp_path / "e.schema.json", "--out", out, "--dialect", "draft-07", "--no-formats")
    header = json.loads((out / "fixtures/corpus.json").read_text())
    assert (header["dialect"], header["formats"]) == ("draft-07", False)
    result = run("verify", "--out", out)
    assert result.exit_code == Exit.GOOD, result.output
    assert run("verify", "--out", out, "--formats").exit_code == Exit.FINDINGS


def test_a_written_fixture_in_the_wrong_folder_is_told(two: Path) -> None:
    run("generate", "--root", two)
    (two / "fixtures/flag/bad.json").write_text("1")
    (two / "negative/count/good.json").write_text("7")
    output = run("generate", "--root", two).output
    assert "fixtures/flag/bad.json (written) is in the wrong folder: the contract rejects it" in output
    assert "negative/count/good.json (written) is in the wrong folder: the contract accepts it" in output
    assert run("verify", "--root", two).exit_code == Exit.FINDINGS


def test_the_reason_of_a_written_negative_follows_the_schema(two: Path) -> None:
    (two / "negative/flag").mkdir(parents=True)
    (two / "negative/flag/mine.json").write_text('{"isError": "no"}')
    run("generate", "--root", two)
    path = two / "schemas/flag.schema.json"
    path.write_text(json.dumps({**FLAG, "maxProperties": 0}))
    run("generate", "--root", two)
    rows = json.loads((two / "negative/flag/corpus.json").read_text())["fixtures"]
    assert next(r["keywordLocation"] for r in rows if r["file"] == "mine.json") is None


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("colours", [True, False])
def test_a_terminal_gets_a_table_and_no_colour_is_respected(
    two: Path, monkeypatch: pytest.MonkeyPatch, colours: bool
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")
    found = project(two)
    stream, bar = Terminal(), Terminal()
    with terminal.Progress(bar) as told:
        result = produce(found, tasks(found), Options(), told=told)
    terminal.run(result, stream)
    text = stream.getvalue()
    assert "contract" in text
    assert "total" in text
    assert "removed" not in text
    assert "flag" in bar.getvalue()
    assert any(f"\x1b[{colour}m" in bar.getvalue() for colour in (90, 91, 92, 33)) is colours


@pytest.mark.parametrize("term", ["xterm-256color", "dumb"])
def test_a_narrow_terminal_cuts_neither_names_nor_numbers(
    two: Path, monkeypatch: pytest.MonkeyPatch, term: str
) -> None:
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", "20")
    long = "a-name-that-is-longer-than-a-table-has-room-for-on-any-terminal-of-a-person"
    (two / f"schemas/{long}.json").write_text(json.dumps(COUNT))
    found = project(two)
    stream = Terminal()
    terminal.run(produce(found, tasks(found), Options()), stream)
    head, *lines = re.sub(r"\x1b\[\d*m", "", stream.getvalue()).splitlines()
    assert head.split() == ["contract", "positive", "negative", "undecided", "added"]
    assert {len(line.split()) for line in lines} <= {1, 5}
    names = "".join(line.partition(" ")[0] for line in lines)
    assert names == f"{long}countflagtotal"


# ---- init


def test_init_names_what_it_finds_and_generate_takes_it_from_there(tmp_path: Path) -> None:
    (tmp_path / "schemas").mkdir()
    (tmp_path / "schemas/flag.schema.json").write_text(json.dumps(FLAG))
    (tmp_path / "api").mkdir()
    (tmp_path / "api/openapi.yaml").write_text(
        "openapi: 3.1.0\ninfo: {}\ncomponents: {schemas: {Error: {type: object, required: [a]}}}\n"
    )
    tools = {"tools": [{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": FLAG}]}
    (tmp_path / "tools.json").write_text(json.dumps(tools))
    for hidden in (".git", "node_modules", "venv"):
        (tmp_path / hidden).mkdir()
        (tmp_path / hidden / "x.schema.json").write_text("{}")
    (tmp_path / "broken.json").write_text('{"openapi"')
    result = run("init", "--root", tmp_path)
    assert result.exit_code == Exit.GOOD, result.output
    assert "Next: knownbad generate" in result.output
    assert "broken.json is skipped" in result.output
    specs = {entry.schema for entry in project(tmp_path).contracts}
    assert specs == {
        "schemas/flag.schema.json",
        "api/openapi.yaml#/components/schemas/Error",
        "tools.json#/tools/0/inputSchema",
        "tools.json#/tools/0/outputSchema",
    }
    assert run("generate", "--root", tmp_path).exit_code in (Exit.GOOD, Exit.UNDECIDED)
    assert run("verify", "--root", tmp_path).exit_code == Exit.GOOD


def test_init_appends_to_a_pyproject_and_never_overwrites(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    (tmp_path / "a.schema.json").write_text("{}")
    assert run("init", "--root", tmp_path).exit_code == Exit.GOOD
    text = (tmp_path / "pyproject.toml").read_text()
    assert text.startswith('[project]\nname = "x"\n\n[tool.knownbad]\n')
    assert [entry.schema for entry in project(tmp_path).contracts] == ["a.schema.json"]
    again = run("init", "--root", tmp_path)
    assert again.exit_code == Exit.BAD_INPUT
    assert "already" in again.stderr
    assert (tmp_path / "pyproject.toml").read_text() == text


def test_init_of_an_empty_folder_says_what_to_do(tmp_path: Path) -> None:
    result = run("init", "--root", tmp_path, "--format", "json")
    assert json.loads(result.output)["written"] == ["knownbad.toml", "schemas"]
    assert run("generate", "--root", tmp_path).exit_code == Exit.GOOD
    assert "no contracts" in run("generate", "--root", tmp_path).output


# ---- real processes


def test_the_help_and_a_run_import_nothing_that_they_do_not_need(schema: Path, tmp_path: Path) -> None:
    heavy = ("hypothesis", "joblib", "rich", "yaml", "pytest")
    for arguments, more in (
        (("--help",), ("jsonschema", "jsonschema_rs", "jinja2")),
        (("generate", "--schema", schema, "--out", tmp_path / "out"), ()),
    ):
        words = [*map(str, arguments)]
        body = f"try: main({words!r})\nfinally: print(*sys.modules, file=sys.stderr)"
        code = f"import sys; from knownbad.cli import main\n{body}"
        done = process("-c", code, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        loaded = set(done.stderr.split())
        assert "knownbad.cli" in loaded
        assert loaded.isdisjoint((*heavy, *more))


def test_a_killed_run_is_finished_or_dropped_by_the_next_command(two: Path) -> None:
    run("generate", "--root", two)
    old = tree(two)
    (two / "schemas/count.json").write_text(json.dumps({**COUNT, "maximum": 5}))
    code = (
        "import os, signal\nfrom knownbad import journal\nfrom knownbad.cli import main\n"
        "def step(name):\n if name == {!r}: os.kill(os.getpid(), signal.SIGKILL)\n"
        "journal.step = step\nmain(['generate'])"
    )
    assert process("-c", code.format("commit"), cwd=two).returncode == -9
    run("verify", "--root", two)
    changed = {name for name in tree(two) if tree(two)[name] != old.get(name)}
    assert changed == {"schemas/count.json"}
    assert process("-c", code.format("remove"), cwd=two).returncode in (0, -9)
    assert process("-c", code.format("clear"), cwd=two).returncode in (0, -9)
    assert run("generate", "--root", two, "--check").exit_code == Exit.GOOD
    assert run("verify", "--root", two).exit_code == Exit.GOOD
    assert not list(two.glob(".knownbad*"))
