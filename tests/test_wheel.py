"""The built wheel is what people get: it works without the checkout and carries the product's own schemas."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from conftest import ROOT

pytestmark = pytest.mark.slow

SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["isError"],
    "properties": {"isError": {"type": "boolean"}},
    "additionalProperties": False,
}


def call(*command: str, cwd: Path, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a command away from the checkout; `path` goes before everything that is installed."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        environment["PYTHONPATH"] = str(path)
    done = subprocess.run([*command], cwd=cwd, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a source distribution, as an index would build it."""
    out = tmp_path_factory.mktemp("dist")
    call(sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT), cwd=out)
    (found,) = out.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    call(*pip, "--disable-pip-version-check", str(wheel), cwd=target)
    return target


def test_the_wheel_carries_every_schema_of_ours_and_every_module(wheel: Path) -> None:
    inside = set(zipfile.ZipFile(wheel).namelist())
    schemas = {f"knownbad/schemas/{path.name}" for path in (ROOT / "schemas").glob("*.schema.json")}
    package = ROOT / "generator"
    code = {p.relative_to(package).as_posix() for p in (package / "knownbad").rglob("*") if p.suffix in {".py", ".j2"}}
    pages = {f"knownbad/rule_pages/{path.name}" for path in (ROOT / "docs/rules").glob("*.md")}
    assert len(schemas) >= 4
    assert len(pages) >= 30
    assert (schemas | pages | code | {"knownbad/py.typed"}) - inside == set()


def test_the_wheel_carries_nothing_but_the_package(wheel: Path) -> None:
    tops = {name.partition("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"knownbad"}


def test_the_command_of_the_wheel_generates(installed: Path, tmp_path: Path) -> None:
    origin = call(sys.executable, "-c", "import knownbad; print(knownbad.__file__)", cwd=tmp_path, path=installed)
    assert Path(origin.stdout.strip()).is_relative_to(installed)
    version = call(sys.executable, str(installed / "bin/knownbad"), "--version", cwd=tmp_path, path=installed)
    assert version.stdout.split()[-1] == "0.1.0"
    page = call(sys.executable, str(installed / "bin/knownbad"), "explain", "KB109", cwd=tmp_path, path=installed)
    assert page.stdout == (ROOT / "docs/rules/KB109.md").read_text(encoding="utf-8")

    (tmp_path / "result.schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    command = [sys.executable, "-m", "knownbad", "generate", "--schema", "result.schema.json", "--out", "out"]
    call(*command, cwd=tmp_path, path=installed)
    negatives = [json.loads(path.read_text("utf-8")) for path in (tmp_path / "out/negative").glob("*.json")]
    assert {"isError": "true"} in negatives
    call(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "out", cwd=tmp_path)
