"""`init --ci`: the job that runs the gate on every pull request, and the one that asks the running tools.

Each is written once and never over a file that is there.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from . import __version__
from .errors import BadInput
from .git import Repository
from .layout import relative

SYSTEMS = ("github", "gitlab")
GITHUB, GITLAB, GITLAB_PART = ".github/workflows/knownbad.yml", ".gitlab-ci.yml", ".gitlab/knownbad.yml"
GITHUB_LIVE = ".github/workflows/knownbad-live.yml"

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

_GITHUB_LIVE = """\
# Written by `knownbad init --ci github`, and yours to change: the running tools fail as documented, on a schedule and
# before a deploy. A workflow that deploys calls it first:
#
#   jobs:
#     failures:
#       uses: ./{workflow}
#       with: {{environment: production}}
#       secrets: inherit
#     deploy:
#       needs: failures
name: knownbad-live

on:
  schedule:
    - cron: "17 4 * * *"
  workflow_dispatch:
  workflow_call:
    inputs:
      environment:
        description: Where the build is to go
        type: string
        default: production

permissions:
  contents: read

jobs:
  live:
    runs-on: ubuntu-latest
    env:
      BUILD: ${{{{ github.sha }}}}
      ENVIRONMENT: ${{{{ inputs.environment }}}}
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: python -m pip install "knownbad[http,mcp]=={version}"
      # A tool that is started here has to be installed here:
      # - run: python -m pip install .
      - name: Replay through the running tools
        if: hashFiles({guard}) != ''
        run: >-
          knownbad replay{root} --live --record --build "$BUILD" ${{ENVIRONMENT:+--environment "$ENVIRONMENT"}}
          --format github --report junit=knownbad-live.xml
      - name: Deployable?
        if: inputs.environment != '' && hashFiles({guard}) != ''
        run: >-
          knownbad can-deploy{root} --to "$ENVIRONMENT" --build "$BUILD"
          --retry-while-unknown 3 --retry-interval 20
      - uses: actions/upload-artifact@v4
        if: always()
        with:
          name: knownbad-live
          path: |
            {verifications}
            knownbad-live.xml
          if-no-files-found: ignore
"""
_GITLAB_LIVE = """\

# The running tools fail as documented: on a schedule, and before a tag is deployed.
knownbad-live:
  stage: test
  image: python:3.12
  rules:
    - if: $CI_PIPELINE_SOURCE == "schedule"
      exists: [{exists}]
    - if: $CI_COMMIT_TAG
      exists: [{exists}]
  variables:
    ENVIRONMENT: production
  script:
    # A tool that is started here has to be installed here: python -m pip install .
    - python -m pip install "knownbad[http,mcp]=={version}"
    - >-
      knownbad replay{root} --live --record --build "$CI_COMMIT_SHA" ${{ENVIRONMENT:+--environment "$ENVIRONMENT"}}
      --report junit=knownbad-live.xml
    - >-
      if [ -n "$CI_COMMIT_TAG" ]; then knownbad can-deploy{root} --to "$ENVIRONMENT" --build "$CI_COMMIT_SHA"
      --retry-while-unknown 3 --retry-interval 20; fi
  artifacts:
    when: always
    paths: [{verifications}]
    reports:
      junit: knownbad-live.xml
"""


@dataclass(frozen=True, slots=True)
class Job:
    """The file of a job and its text. `note`: what a person has to do so that it runs."""

    path: Path
    text: str
    note: str | None = None


def jobs(root: Path, system: str) -> list[Job]:
    """The jobs of a CI system for the project in a folder; they go to the top of the repository."""
    try:
        top = Repository.around(root).top
    except BadInput:
        top = root
    inside = relative(root.resolve(), top.resolve())
    option = "" if inside == "." else f" --root {_quoted(inside)}"
    text = (_GITHUB if system == "github" else _GITLAB).format(package=f"knownbad=={__version__}", root=option)
    live = _live(root, system, "" if inside == "." else f"{inside}/", option)
    if system == "github":
        return [Job(top / GITHUB, text), Job(top / GITHUB_LIVE, live)]
    if not (top / GITLAB).exists():
        return [Job(top / GITLAB, text + live)]
    note = f"{GITLAB} is there already: add `include: {{local: {GITLAB_PART}}}` to it"
    return [Job(top / GITLAB_PART, text + live, note)]


def _live(root: Path, system: str, prefix: str, option: str) -> str:
    """The job that asks the running tools. It does nothing as long as there is no catalogue of errors."""
    catalogue, verifications = _places(root)
    return (_GITHUB_LIVE if system == "github" else _GITLAB_LIVE).format(
        workflow=GITHUB_LIVE,
        version=__version__,
        root=option,
        guard="'" + (prefix + catalogue).replace("'", "''") + "'",
        exists=json.dumps(prefix + catalogue, ensure_ascii=False),
        verifications=json.dumps(prefix + verifications, ensure_ascii=False)
        if system == "gitlab"
        else prefix + verifications,
    )


def _places(root: Path) -> tuple[str, str]:
    """Where the catalogue of errors stands or will stand, as a pattern, and the folder of records."""
    from .config import find

    found = find(root)
    table = found[1] if found is not None and found[0].parent == root else {}
    errors, replay = table.get("errors", {}), table.get("replay", {})
    catalogue = errors.get("catalogue") if isinstance(errors, dict) else None
    folder = replay.get("verifications") if isinstance(replay, dict) else None
    return str(catalogue or f"{table.get('schemas', 'schemas')}/errors.*"), str(folder or "verifications")


def _quoted(path: str) -> str:
    """A path in a command in a YAML scalar; one that a shell would read otherwise is quoted."""
    import shlex

    return shlex.quote(path)
