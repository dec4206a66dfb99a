"""`init --ci`: the job that runs the gate on every pull request, written once and never over a file that is there."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import __version__
from .errors import BadInput
from .git import Repository
from .layout import relative

SYSTEMS = ("github", "gitlab")
GITHUB, GITLAB, GITLAB_PART = ".github/workflows/knownbad.yml", ".gitlab-ci.yml", ".gitlab/knownbad.yml"

_GITHUB = """\
# Written by `knownbad init --ci github`, and yours to change.
name: knownbad

on:
  pull_request:

permissions:
  contents: read

jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          fetch-depth: 0  # the gate reads the commit that the branch came from
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: python -m pip install {package}
      - name: Gate
        env:
          TARGET: ${{{{ github.base_ref }}}}
        run: knownbad gate{root} --against "origin/$TARGET" --format github --report sarif=knownbad.sarif
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: knownbad
          path: knownbad.sarif
          if-no-files-found: ignore
"""
_GITLAB = """\
# Written by `knownbad init --ci gitlab`, and yours to change.
knownbad:
  stage: test
  image: python:3.12
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  variables:
    GIT_DEPTH: "0"  # the gate reads the commit that the branch came from
    TARGET: $CI_MERGE_REQUEST_TARGET_BRANCH_NAME
  script:
    - python -m pip install {package}
    - git fetch --no-tags origin "+refs/heads/$TARGET:refs/remotes/origin/$TARGET"
    - >-
      knownbad gate{root} --against "origin/$TARGET"
      --report gitlab=gl-code-quality-report.json --report junit=knownbad.xml
  artifacts:
    when: always
    reports:
      codequality: gl-code-quality-report.json
      junit: knownbad.xml
"""


@dataclass(frozen=True, slots=True)
class Job:
    """The file of a job and its text. `note`: what a person has to do so that it runs."""

    path: Path
    text: str
    note: str | None = None


def job(root: Path, system: str) -> Job:
    """The job of a CI system for the project in a folder; it goes to the top of the repository."""
    try:
        top = Repository.around(root).top
    except BadInput:
        top = root
    inside = relative(root.resolve(), top.resolve())
    option = "" if inside == "." else f" --root {_quoted(inside)}"
    text = (_GITHUB if system == "github" else _GITLAB).format(package=f"knownbad=={__version__}", root=option)
    if system == "github":
        return Job(top / GITHUB, text)
    if not (top / GITLAB).exists():
        return Job(top / GITLAB, text)
    note = f"{GITLAB} is there already: add `include: {{local: {GITLAB_PART}}}` to it"
    return Job(top / GITLAB_PART, text, note)


def _quoted(path: str) -> str:
    """A path in a command in a YAML scalar; one that a shell would read otherwise is quoted."""
    import shlex

    return shlex.quote(path)
