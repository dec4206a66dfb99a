"""What runs the gate elsewhere: the jobs that `init --ci` writes, the action, and the hooks of pre-commit."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from conftest import ROOT
from knownbad import __version__
from knownbad.cli import main
from repository import Repository

WORKFLOW, PIPELINE = ".github/workflows/knownbad.yml", ".gitlab-ci.yml"


def init(folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["init", "--root", str(folder), *arguments])


def read(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def commands(job: Any) -> str:
    return "\n".join(step.get("run", "") for step in job["steps"])


def test_the_job_of_github_has_the_history_the_package_and_the_gate(tmp_path: Path) -> None:
    result = init(tmp_path, "--ci", "github")
    assert result.exit_code == 0
    assert f"wrote    {WORKFLOW}" in result.stdout
    workflow = read(tmp_path / WORKFLOW)
    job = workflow["jobs"]["gate"]
    assert "pull_request" in workflow[True]  # YAML 1.1 reads `on` as true
    assert job["steps"][0]["with"]["fetch-depth"] == 0
    assert f"pip install knownbad=={__version__}" in commands(job)
    assert 'knownbad gate --against "origin/$TARGET" --format github' in commands(job)


def test_the_job_of_gitlab_has_code_quality_as_an_artifact(tmp_path: Path) -> None:
    assert init(tmp_path, "--ci", "gitlab").exit_code == 0
    job = read(tmp_path / PIPELINE)["knownbad"]
    assert job["variables"]["GIT_DEPTH"] == "0"
    assert job["artifacts"]["reports"]["codequality"] == "gl-code-quality-report.json"
    assert any("gate --against" in line and "gitlab=gl-code-quality-report.json" in line for line in job["script"])


LIVE = ".github/workflows/knownbad-live.yml"
REPLAY = 'knownbad replay --live --record --build "$BUILD"'


def test_the_live_job_of_github_runs_on_a_schedule_and_before_a_deploy(tmp_path: Path) -> None:
    assert f"wrote    {LIVE}" in init(tmp_path, "--ci", "github").stdout
    workflow = read(tmp_path / LIVE)
    assert set(workflow[True]) == {"schedule", "workflow_dispatch", "workflow_call"}
    job = workflow["jobs"]["live"]
    assert REPLAY in commands(job)
    assert 'knownbad can-deploy --to "$ENVIRONMENT" --build "$BUILD"' in commands(job)
    (deploy,) = (step for step in job["steps"] if step.get("name") == "Deployable?")
    assert deploy["if"].startswith("inputs.environment != ''")
    guarded = [step["if"] for step in job["steps"] if "hashFiles('schemas/errors.*')" in step.get("if", "")]
    assert len(guarded) == 2


def test_the_live_job_of_gitlab_runs_on_a_schedule_and_before_a_deploy(tmp_path: Path) -> None:
    init(tmp_path, "--ci", "gitlab")
    job = read(tmp_path / PIPELINE)["knownbad-live"]
    assert [rule["if"] for rule in job["rules"]] == ['$CI_PIPELINE_SOURCE == "schedule"', "$CI_COMMIT_TAG"]
    assert all(rule["exists"] == ["schemas/errors.*"] for rule in job["rules"])
    (replay,) = (line for line in job["script"] if line.startswith("knownbad replay --live --record"))
    assert '--environment "$ENVIRONMENT"' in replay
    assert any("knownbad can-deploy --to" in line for line in job["script"])
    assert job["artifacts"]["paths"] == ["verifications"]


@pytest.mark.parametrize("system, file", [("github", LIVE), ("gitlab", PIPELINE)])
def test_the_live_job_knows_where_the_project_keeps_its_catalogue_and_its_records(
    tmp_path: Path, system: str, file: str
) -> None:
    config = '[errors]\ncatalogue = "docs/failures.toml"\n[replay]\nverifications = "kept"\n'
    (tmp_path / "knownbad.toml").write_text(config, encoding="utf-8")
    init(tmp_path, "--ci", system)
    text = (tmp_path / file).read_text(encoding="utf-8")
    assert ("docs/failures.toml" in text, "kept" in text, "schemas/errors" in text) == (True, True, False)


@pytest.mark.parametrize("line", ["replay", "can-deploy"])
def test_every_option_that_the_live_job_uses_is_one(tmp_path: Path, line: str) -> None:
    """The jobs cannot be run here, so at least their commands have to be right."""
    init(tmp_path, "--ci", "github")
    steps = [step["run"] for step in read(tmp_path / LIVE)["jobs"]["live"]["steps"] if "run" in step]
    (command,) = (step for step in steps if step.startswith(f"knownbad {line}"))
    known = {option for param in main.commands[line].params for option in param.opts}
    assert {word for word in shlex.split(command) if word.startswith("--")} <= known


@pytest.mark.parametrize("system, file", [("github", WORKFLOW), ("gitlab", PIPELINE)])
def test_a_file_that_is_there_is_never_overwritten(tmp_path: Path, system: str, file: str) -> None:
    (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / file).write_text("mine: true\n", encoding="utf-8")
    result = init(tmp_path, "--ci", system)
    assert result.exit_code == 0
    assert (tmp_path / file).read_text(encoding="utf-8") == "mine: true\n"
    if system == "gitlab":
        assert "include: {local: .gitlab/knownbad.yml}" in result.stdout
        assert "knownbad" in read(tmp_path / ".gitlab/knownbad.yml")
    else:
        assert f"kept     {file}" in result.stdout
    again = init(tmp_path, "--ci", system)
    assert (again.exit_code, (tmp_path / file).read_text(encoding="utf-8")) == (0, "mine: true\n")


def test_a_configured_project_gets_the_job_alone(tmp_path: Path) -> None:
    (tmp_path / "knownbad.toml").write_text('faults = "all"\n', encoding="utf-8")
    assert init(tmp_path).exit_code == 2
    assert init(tmp_path, "--ci", "github").exit_code == 0
    assert (tmp_path / "knownbad.toml").read_text(encoding="utf-8") == 'faults = "all"\n'
    assert (tmp_path / WORKFLOW).is_file()


def test_the_job_of_a_project_inside_a_repository_stands_at_the_top_and_names_it(tmp_path: Path) -> None:
    repository = Repository.new(tmp_path / "mono")
    home = repository.folder / "services/zahlung für alle"
    home.mkdir(parents=True)
    assert init(home, "--ci", "github").exit_code == 0
    line = next(
        line for line in commands(read(repository.folder / WORKFLOW)["jobs"]["gate"]).splitlines() if "gate" in line
    )
    assert shlex.split(line)[:4] == ["knownbad", "gate", "--root", "services/zahlung für alle"]


# --- the action

ACTION = read(ROOT / "action.yml")


def test_every_input_of_the_action_is_used_and_none_is_put_into_a_script() -> None:
    """What a person writes reaches a shell by the environment alone, so it is never read as a command."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    used = set(re.findall(r"inputs\.([\w-]+)", text))
    assert used == set(ACTION["inputs"])
    assert [step["name"] for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")] == []


def in_bash(script: str, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """A step of the action, with this Python as `python`."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "python").unlink(missing_ok=True)
    (tools / "python").symlink_to(sys.executable)
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "GITHUB_", "CI"))}
    path = f"{tools}{os.pathsep}{plain['PATH']}"
    packages = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**plain, "PATH": path, "PYTHONPATH": packages, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def step(name: str) -> str:
    return next(str(one["run"]) for one in ACTION["runs"]["steps"] if one.get("name") == name)


@pytest.mark.slow
def test_the_action_fetches_what_a_shallow_checkout_lacks_and_runs_the_gate(tmp_path: Path) -> None:
    origin = Repository.new(tmp_path / "origin")
    origin.put("a project/schemas/flag.schema.json", {"type": "string", "maxLength": 3})
    origin.commit("base")
    origin.git("switch", "--quiet", "--create", "topic")
    origin.put("a project/schemas/flag.schema.json", {"type": "string", "maxLength": 2})
    origin.commit("change")
    clone = origin.clone(tmp_path / "clone", "--depth=1", "--branch=topic", "--single-branch")
    fetched = in_bash(step("Fetch the target branch"), clone.folder, ROOT="a project", BASE="main")
    assert fetched.returncode == 0, fetched.stderr
    summary = tmp_path / "summary.md"
    done = in_bash(
        step("Gate"),
        clone.folder,
        ROOT="a project",
        AGAINST="",
        REPORT="sarif=out/x.sarif\njson=out/y.json\n",
        GITHUB_BASE_REF="main",
        GITHUB_WORKSPACE=str(clone.folder),
        GITHUB_STEP_SUMMARY=str(summary),
    )
    assert done.returncode == 1, done.stderr
    assert "::error file=a project/schemas/flag.schema.json,line=3,title=KB401 narrowed (flag)::" in done.stdout
    assert "KB401" in summary.read_text(encoding="utf-8")
    assert (clone.folder / "out/x.sarif").is_file()


# --- pre-commit


def test_every_hook_is_a_command_that_there_is() -> None:
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for hook in hooks:
        program, command, *options = [*shlex.split(hook["entry"]), *hook.get("args", [])]
        assert program == "knownbad"
        known = {option for param in main.commands[command].params for option in param.opts}
        assert {option for option in options if option.startswith("--")} <= known
        assert hook["pass_filenames"] is False
    assert len({hook["id"] for hook in hooks}) == len(hooks) == 4
