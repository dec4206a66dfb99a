"""A file that a revision does not have is never read from the working tree."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from knownbad.differ import specs
from knownbad.errors import BadInput


def test_a_file_that_the_revision_does_not_have_is_told(tmp_path: Path) -> None:
    (tmp_path / "knownbad.toml").write_text('schemas = "s"\n')
    deep = tmp_path / "s" / "sub" / "deep"
    deep.mkdir(parents=True)
    (deep / "b.json").write_text('{"$schema": "https://json-schema.org/draft/2020-12/schema"}')
    who = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
    for command in (["init", "-q", "-b", "main"], ["add", "."], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    (deep / "new.json").write_text("{}")
    for path, fix in (("deep/b.json", "did you mean main:./deep/b.json?"), ("s/sub/deep/new.json", None)):
        with pytest.raises(BadInput) as raised:
            specs.read(f"main:{path}", specs.Reading(), deep.parent)
        (problem,) = raised.value.problems
        assert (problem.message, problem.fix) == (f"main has no {path}", fix)
