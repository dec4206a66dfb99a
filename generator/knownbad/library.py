"""Finding the documents that URIs name: beside each other, in schema folders, by prefix, or published; all offline."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from . import documents, metaschemas, openapi, uris
from .contract import Document
from .dialects import DRAFT_2020_12, Dialect, declared
from .errors import BadInput, Problem
from .keywords.places import subschemas

_SUFFIXES = ("", ".json", ".schema.json")
_READ_SUFFIXES = (".json", *documents.YAML_SUFFIXES)


class Climbs(Exception):
    """A relative reference leads out of the project's folder; the library needs so many more levels above it."""

    def __init__(self, levels: int) -> None:
        super().__init__(levels)
        self.levels = levels


@dataclass(slots=True)
class Library:
    """The documents within reach of one contract.

    Names of files are relative to `root`, the project's folder. Where references climb out of it, `lift` is how many
    levels: a URI cannot climb above its host, so that many levels of no name (`_`) stand before the project's.
    """

    root: Path
    resolve: Mapping[str, Path]
    folders: tuple[Path, ...]
    lift: int = 0
    openapi_3_0: bool = False
    translated: bool = False
    _by_path: dict[Path, Document] = field(default_factory=dict)
    _paths: dict[str, Path] = field(default_factory=dict)
    _identified: dict[str, list[Path]] | None = None

    def name_of(self, path: Path) -> str:
        """What a file is called: its path from the project's folder."""
        return Path(os.path.relpath(path, self.root)).as_posix()

    def uri_of(self, path: Path) -> str:
        """The URI under which a file is found by relative references."""
        parts = self.name_of(path).split("/")
        climbed = parts.count("..")
        return uris.file_uri("/".join(["_"] * (self.lift - climbed) + parts[climbed:]))

    def _path_of(self, name: str) -> Path:
        """The file that the name in a URI of the project stands for."""
        parts = name.split("/")
        level = 0
        while level < self.lift and parts[level : level + 1] == ["_"]:
            level += 1
        return self.root.joinpath(*[".."] * (self.lift - level), *parts[level:])

    def adopt(self, document: Document, path: Path) -> None:
        """Remember which file a document came from."""
        self._by_path[path] = document
        self._paths[document.uri] = path

    def fetch(self, uri: str, reference: str, source: Document, base: str) -> Document | None:
        """The document that `uri` (no fragment) names, wanted by `reference` in `source`, whose base there is `base`.

        None when nothing here has that name. Raises BadInput when its file cannot be read.
        """
        found = metaschemas.published(uri)
        if found is not None:
            return Document(uri, uri, found[1], found[0])
        path = self._path(uri, reference, source, base)
        if path is None:
            return None
        path = path.resolve()
        return self._by_path.get(path) or self._read(path, uri, source.dialect)

    def _path(self, uri: str, reference: str, source: Document, base: str) -> Path | None:
        name = uris.file_name(uri)
        if name is not None:
            self._check_climb(reference, base)
            return _file(Path(os.path.normpath(self._path_of(name))))
        for prefix in sorted(self.resolve, key=len, reverse=True):
            if uri.startswith(prefix):
                path = _below(self.resolve[prefix], uri[len(prefix) :])
                if path is not None:
                    return path
        if self._identified is None:
            self._identified = _identifiers(self.folders)
        known = self._identified.get(uri, [])
        if len(known) > 1:
            names = " and ".join(map(self.name_of, known))
            raise BadInput(Problem(f"{uri} is the identifier of two files: {names}", source.name))
        if known:
            return known[0]
        # A file that names itself by an absolute `$id` is still looked for beside the file that refers to it.
        beside = self._paths.get(source.uri)
        if beside is not None and base == source.uri and not uris.is_absolute(reference):
            return _below(beside.parent, reference.partition("#")[0])
        return None

    @staticmethod
    def _check_climb(reference: str, base: str) -> None:
        """Raise Climbs where a relative path leads out of what the host of `base` stands for."""
        within = uris.file_name(base)
        if within is None or uris.is_absolute(reference) or reference.startswith("/"):
            return
        path = reference.partition("#")[0].partition("?")[0]
        parts = PurePosixPath(os.path.normpath("/".join([*within.split("/")[:-1], path]))).parts
        if ".." in parts:
            raise Climbs(parts.count(".."))

    def _read(self, path: Path, uri: str, default: Dialect) -> Document:
        name = self.name_of(path)
        value = documents.read(path, name)
        document = self.document(value, name, uri, default)
        self.adopt(document, path)
        return document

    def document(self, value: Any, name: str, uri: str, default: Dialect) -> Document:
        """A document from what a file holds: its dialect, its own `$id`, OpenAPI 3.0 translated. Raises BadInput."""
        if documents.is_yaml(name):
            self.translated = True
        number = openapi.version(value)
        if number is not None:
            plain = openapi.plain_dialects(value)
        elif self.openapi_3_0 and not (isinstance(value, dict) and "$schema" in value):
            plain = openapi.translated(value)
        else:
            plain = value
        if openapi.is_3_0(value):
            self.openapi_3_0 = True
            plain = openapi.translated(value)
        self.translated |= plain is not value
        try:
            dialect = openapi.dialect(value) if number is not None else declared(value) or default
        except KeyError:
            dialect = default  # the walk over the schemas names unknown dialects, with their places
        whole = number is None and isinstance(value, (dict, bool))
        return Document(identifier(plain, dialect) or uri if whole else uri, name, plain, dialect, whole)


def identifier(value: Any, dialect: Dialect) -> str | None:
    """The absolute URI (no fragment) that a schema gives itself, None when it gives itself none."""
    found = value.get(dialect.id_keyword) if isinstance(value, dict) else None
    if not isinstance(found, str) or not uris.is_absolute(found) or not uris.is_reference(found):
        return None
    return None if "$ref" in value and dialect.ref_hides_siblings else uris.split(found)[0]


def _file(path: Path) -> Path | None:
    for suffix in _SUFFIXES:
        candidate = path.with_name(path.name + suffix) if path.name else path
        if candidate.is_file():
            return candidate
    return None


def _below(folder: Path, rest: str) -> Path | None:
    """The file that the rest of a URI names below a folder (or the file itself, which a whole URI is mapped to)."""
    if not rest:
        return folder if folder.is_file() else None
    return _file(Path(os.path.normpath(folder / uris.split(rest)[0].lstrip("/"))))


_SEEN: dict[tuple[str, int, int], tuple[str, ...]] = {}
"""The identifiers in a file, by its path, time and size: one project's contracts share one look at each file."""


def _identifiers(folders: tuple[Path, ...]) -> dict[str, list[Path]]:
    """The files of schema folders by the absolute identifiers of the schema resources in them."""
    found: dict[str, list[Path]] = {}
    for path in sorted({path for folder in folders for path in _files(folder)}):
        status = path.stat()
        key = (str(path), status.st_mtime_ns, status.st_size)
        if key not in _SEEN:
            _SEEN[key] = tuple(_resources(path))
        for uri in _SEEN[key]:
            found.setdefault(uri, []).append(path)
    return found


def _files(folder: Path) -> Iterator[Path]:
    for parent, below, names in os.walk(folder):
        below[:] = sorted(name for name in below if not name.startswith(".") and name != "node_modules")
        for name in names:
            if name.lower().endswith(_READ_SUFFIXES):
                yield Path(os.path.normpath(Path(parent, name)))


def _resources(path: Path) -> Iterator[str]:
    """The absolute identifiers in a file; a file that cannot be read has none here, and is told of when it is used."""
    try:
        value = documents.read(path, path.name)
        dialect = declared(value) or DRAFT_2020_12
    except (BadInput, KeyError):
        return
    told: dict[str, None] = {}
    stack: list[tuple[Any, str]] = [(value, "")]
    while stack:
        schema, base = stack.pop()
        found = schema.get(dialect.id_keyword) if isinstance(schema, dict) else None
        if isinstance(found, str) and uris.is_reference(found) and not found.startswith("#"):
            base = uris.split(uris.join_uri(base, found))[0]
            if uris.is_absolute(base):
                told[base] = None
        stack += [(item, base) for _, item in subschemas(schema, dialect)]
    yield from told
