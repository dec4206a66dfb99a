"""A real git repository for tests, in a folder of its own and untouched by the settings of whoever runs them."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SETTINGS = {
    "GIT_AUTHOR_NAME": "somebody",
    "GIT_AUTHOR_EMAIL": "somebody@example.org",
    "GIT_COMMITTER_NAME": "somebody",
    "GIT_COMMITTER_EMAIL": "somebody@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
}


@dataclass(frozen=True)
class Repository:
    """A work tree; `folder` is its top."""

    folder: Path

    @classmethod
    def new(cls, folder: Path) -> Repository:
        """An empty repository on the branch `main`."""
        folder.mkdir(parents=True, exist_ok=True)
        made = cls(folder)
        made.git("init", "--quiet", "--initial-branch=main")
        return made

    def git(self, *arguments: str) -> str:
        """What a git command prints; a failure is one of the test."""
        plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        command = ["git", "-c", "protocol.file.allow=always", "-C", str(self.folder), *arguments]
        done = subprocess.run(command, env=plain | SETTINGS, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{arguments}: {done.stderr}"
        return done.stdout.strip()

    def put(self, path: str, value: Any) -> Path:
        """Write a file: texts as they are, other values as JSON."""
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        text = value if isinstance(value, str) else json.dumps(value, indent=2, ensure_ascii=False) + "\n"
        place.write_text(text, encoding="utf-8", newline="\n")
        return place

    def commit(self, message: str = "a change") -> str:
        """Commit everything that is there; the name of the commit."""
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", message)
        return self.git("rev-parse", "HEAD")

    def clone(self, folder: Path, *options: str) -> Repository:
        """A clone through the transport that fetches from elsewhere use."""
        self.git("clone", "--quiet", *options, self.folder.as_uri(), str(folder))
        return Repository(folder)
