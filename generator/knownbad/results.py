"""What was found out before: answers by content, kept in a file between runs.

Nothing in here is needed: without it the same is worked out again. An answer is known by everything that it depends on,
so an edit of one line of a schema leaves alone what that line cannot change.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .values import compact

if TYPE_CHECKING:
    import sqlite3

FOLDER = ".knownbad_cache"
_TAG = """Signature: 8a477f597d28d172789f06886806bc55
# What knownbad can work out again; this folder may be removed.
"""


class Store:
    """Answers by key, in one file that several processes may use at once. A file that is unusable is as none."""

    def __init__(self, folder: Path) -> None:
        self._database: sqlite3.Connection | None = None
        self._path = folder / "answers.sqlite"
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / "CACHEDIR.TAG").exists():
                (folder / "CACHEDIR.TAG").write_text(_TAG, encoding="utf-8")
                (folder / ".gitignore").write_text("*\n", encoding="utf-8")

    def get(self, key: bytes) -> Any:
        """The JSON value that was put under a key; None when there is none."""
        import sqlite3

        with suppress(sqlite3.Error, OSError, ValueError):
            found = self._open().execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
            return None if found is None else json.loads(found[0])
        return None

    def put(self, key: bytes, answer: Any) -> None:
        """Keep a JSON value."""
        import sqlite3

        with suppress(sqlite3.Error, OSError):
            database = self._open()
            database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?)", (key, json.dumps(answer)))
            database.commit()

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            import sqlite3

            self._database = sqlite3.connect(self._path, timeout=5)
            self._database.execute("PRAGMA journal_mode=WAL")
            self._database.execute("PRAGMA synchronous=OFF")
            self._database.execute("CREATE TABLE IF NOT EXISTS answers (key BLOB PRIMARY KEY, answer TEXT)")
        return self._database


def key_of(*parts: Any) -> bytes:
    """A key for everything that an answer depends on, the versions of what gives it included."""
    return hashlib.sha256(compact([*_versions(), *parts]).encode("utf-8", "surrogatepass")).digest()


@cache
def _versions() -> tuple[str, ...]:
    from importlib.metadata import version

    return tuple(version(name) for name in ("knownbad", "jsonschema", "jsonschema_rs"))
