"""Loading a contract: a file (or a place in one) with its dialect and everything that its references reach."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from . import documents, openapi, uris
from .contract import Contract, Document
from .dialects import DRAFT_2020_12, Dialect, declared
from .errors import BadInput, Problem
from .library import Climbs, Library, identifier
from .pointers import get, steps
from .references import Closure

_SCHEMA_SUFFIXES = (".schema.json", ".schema.yaml", ".schema.yml", ".json", *documents.YAML_SUFFIXES)
_CONTAINERS = frozenset(("components", "schemas", "definitions", "$defs", "properties"))


@dataclass(frozen=True, slots=True)
class LoadOptions:
    """How contracts are loaded.

    `root` is the project's folder: paths in a spec are relative to it, and so are the names of documents.
    `dialect` holds for schemas that declare none, `formats`: are formats asserted? `resolve` maps the beginnings of
    URIs to folders (or whole URIs to files); the `$id`s of the files in `folders` are known.
    `unresolved`: `error`, or `any` to let a reference that points at nothing accept anything.
    """

    dialect: Dialect = DRAFT_2020_12
    formats: bool = True
    resolve: Mapping[str, Path] = field(default_factory=dict)
    folders: tuple[Path, ...] = ()
    unresolved: str = "error"
    root: Path = field(default_factory=Path.cwd)


def load(spec: str, name: str | None = None, options: LoadOptions | None = None) -> Contract:
    """The contract at `spec`: the path of a schema file, or `path#/pointer` into any JSON or YAML document.

    Raises BadInput with every problem that was found.
    """
    options = options or LoadOptions()
    path, pointer = _split(spec, options.root)
    root = options.root.resolve()
    path = path.resolve()
    if not path.is_relative_to(root):
        root = path.parent  # a file from elsewhere: no part of its path on this machine may show
    value = documents.read(path, path.relative_to(root).as_posix())
    resolve = {prefix: (options.root / place).resolve() for prefix, place in options.resolve.items()}
    folders = tuple((options.root / folder).resolve() for folder in options.folders)
    lift = 0
    while True:
        library = Library(root, resolve, folders, lift)
        try:
            closure, place = _reached(library, value, path, pointer, options)
            break
        except Climbs as climbs:
            lift += climbs.levels
    if closure.problems:
        raise BadInput(closure.problems)
    return Contract(
        name=name or contract_name(spec),
        schema=closure.own.name + (f"#{place}" if place else ""),
        documents=_ordered(closure),
        root_pointer=place,
        formats=options.formats,
        any_refs=frozenset(closure.any_refs),
        translated=library.translated or closure.own.name != library.name_of(path),
    )


def _reached(
    library: Library, value: Any, path: Path, pointer: str | None, options: LoadOptions
) -> tuple[Closure, str]:
    """What the schema at a pointer of a file reaches, and its pointer in the contract's own document."""
    name = library.name_of(path)
    own = library.document(value, name, library.uri_of(path), options.dialect)
    library.adopt(own, path)
    if pointer is not None:
        return _pointed(library, own, pointer, path, options)
    _refuse_other_documents(value, name)
    return _closed(library, own, "", options), ""


def contract_name(spec: str) -> str:
    """The name of a contract that is given none: of its file, and of its place in it."""
    file, _, pointer = spec.partition("#")
    stem = re.split(r"[/\\]", file)[-1]
    for suffix in _SCHEMA_SUFFIXES:
        if stem.lower().endswith(suffix):
            stem = stem[: -len(suffix)]
            break
    taken = [stem, *(step for step in steps(pointer) if step not in _CONTAINERS)]
    if len(taken) > 1 and taken[1] == stem:
        del taken[1]
    text = unicodedata.normalize("NFKD", "-".join(taken)).encode("ascii", "ignore").decode()
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text).strip("-.") or "contract"


def registry(contract: Contract) -> Any:
    """A `referencing` registry of the contract's documents and the published metaschemas.

    References that are taken as anything are in it, as schemas that accept everything.
    """
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]
    from referencing import Registry
    from referencing.jsonschema import specification_with

    resources = {}
    for uri, document in contract.documents.items():
        specification = specification_with(document.dialect.uri)
        resources[uri] = specification.create_resource(document.value)
    for uri in sorted(contract.any_refs):
        resource = uris.split(uri)[0]
        if resource not in resources:
            resources[resource] = specification_with(contract.dialect.uri).create_resource({})
    found: Any = Registry().with_resources(resources.items()).combine(REGISTRY)
    return found


def _split(spec: str, root: Path) -> tuple[Path, str | None]:
    """The file of a spec and the pointer into it (None: the file as a whole)."""
    if (root / spec).is_file():
        return root / spec, None
    file, mark, pointer = spec.partition("#")
    if pointer and not pointer.startswith("/"):
        fix = "give a JSON Pointer, such as openapi.yaml#/components/schemas/Error"
        raise BadInput(Problem("what follows # is no JSON Pointer", file, pointer, fix=fix))
    path = root / file
    if not path.exists() and Path(file).exists():
        path = Path(file)
    if not path.exists():
        raise BadInput(Problem("there is no such file", file))
    return path, pointer if mark and pointer else None


def _refuse_other_documents(value: Any, name: str) -> None:
    """A schema file is an object or a boolean, and an OpenAPI document is no schema."""
    if not isinstance(value, (dict, bool)):
        raise BadInput(Problem("is no schema: a schema is an object, true or false", name, value=value))
    number = openapi.version(value)
    if number is not None:
        fix = (
            f"name one of its schemas: {name}#/"
            + ("definitions" if number[0] == "2" else "components/schemas")
            + "/..."
        )
        raise BadInput(Problem(f"is an OpenAPI {number} document, not a schema", name, fix=fix))


def _closed(library: Library, own: Document, pointer: str, options: LoadOptions) -> Closure:
    closure = Closure(library, own, options.unresolved == "any")
    closure.run(pointer)
    return closure


def _pointed(library: Library, own: Document, pointer: str, path: Path, options: LoadOptions) -> tuple[Closure, str]:
    """The schema at a pointer of a document, and its pointer in the document that is then the contract's own.

    `#` in a reference means the whole document in a schema file and in OpenAPI, but the schema itself where it only is
    carried by other data, as in a list of MCP tools. Where one reading leaves references open, the other is tried.
    """
    pointer, value = _find(own, pointer)
    whole = (
        own if own.whole and _is_schema_file(own.value) else Document(own.uri, own.name, own.value, own.dialect, False)
    )
    try:
        dialect = declared(value) or own.dialect
    except KeyError:
        dialect = own.dialect
    uri = identifier(value, dialect) or f"{library.uri_of(path)}?{quote(pointer, safe='/~')}"
    alone = Document(uri, f"{own.name}#{pointer}", value, dialect)
    readings = [(whole, pointer), (alone, "")]
    if not (whole.whole or _is_described(own.value)):
        readings.reverse()
    tried = []
    for document, place in readings:
        library.adopt(document, path)
        closure = _closed(library, document, place, options)
        if not closure.unresolved:
            return closure, place
        tried.append((closure, place))
    return tried[0]


def _find(document: Document, pointer: str) -> tuple[str, Any]:
    """The value at a pointer, as given or percent-encoded as in a URI; and the pointer that found it."""
    for candidate in (pointer, unquote(pointer)):
        try:
            value = get(document.value, candidate)
        except LookupError:
            continue
        if not isinstance(value, (dict, bool)):
            problem = Problem("is no schema: a schema is an object, true or false", document.name, candidate, value)
            raise BadInput(problem)
        return candidate, value
    raise BadInput(Problem("there is nothing at this place", document.name, pointer, fix=_nearest(document, pointer)))


def _nearest(document: Document, pointer: str) -> str | None:
    """What stands where a pointer first goes wrong."""
    from difflib import get_close_matches

    at = document.value
    for step in steps(pointer):
        if not isinstance(at, dict) or step not in at:
            names = list(at) if isinstance(at, dict) else []
            near = get_close_matches(step, names, 1) or names[:8]
            return f"there is {', '.join(map(repr, near))}" if near else None
        at = at[step]
    return None


def _is_schema_file(value: Any) -> bool:
    return isinstance(value, dict) and any(
        isinstance(value.get(keyword), kind)
        for keyword, kind in (("$schema", str), ("$id", str), ("$defs", dict), ("definitions", dict))
    )


def _is_described(value: Any) -> bool:
    """Whether a document is of a kind whose schemas refer to each other from the document's root."""
    return openapi.version(value) is not None or isinstance(value, dict) and "asyncapi" in value


def _ordered(closure: Closure) -> dict[str, Document]:
    """The contract's documents that are reached, its own first, the others by URI."""
    reached = {uri for uri, _ in closure.reached}
    others = {u: d for u, d in sorted(closure.documents.items()) if d is not closure.own and d.uri in reached}
    aliases = {u: d for u, d in sorted(closure.documents.items()) if d is closure.own}
    return {closure.own.uri: closure.own, **aliases, **others}
