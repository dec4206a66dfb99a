"""The emitted test of a contract, from a Jinja2 template that a project may replace."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urldefrag

from ..contract import Contract, Document
from ..errors import BadInput, Problem
from ..layout import Layout, relative
from ..pointers import get
from ..values import dump

if TYPE_CHECKING:
    import jinja2

TEMPLATE = "test_contract.py.j2"
TEMPLATES = (TEMPLATE, "test_errors.py.j2")
"""What a project may replace."""
_BUILT_IN = Path(__file__).parent / "templates"

_LIBRARY = {
    4: ("Draft4Validator", "DRAFT4"),
    6: ("Draft6Validator", "DRAFT6"),
    7: ("Draft7Validator", "DRAFT7"),
    19: ("Draft201909Validator", "DRAFT201909"),
    20: ("Draft202012Validator", "DRAFT202012"),
}
"""What `jsonschema` and `referencing` call each dialect."""


@dataclass(frozen=True, slots=True)
class Source:
    """Where the emitted test reads one document: a file of the project, or a copy that is written beside the test."""

    uri: str
    document: Document
    path: Path
    copy: bytes | None = None


def check_templates(folder: Path) -> None:
    """Raises BadInput where a folder of replacement templates holds a name that nothing is rendered from."""
    if not folder.is_dir():
        raise BadInput(Problem("`templates` names no folder", str(folder)))
    unknown = sorted(p.name for p in folder.iterdir() if p.is_file() and p.suffix == ".j2" and p.name not in TEMPLATES)
    if unknown:
        fix = "templates: " + ", ".join(TEMPLATES)
        raise BadInput([Problem("no template is called so", str(folder / n), fix=fix) for n in unknown])


def emit(contract: Contract, layout: Layout, root: Path, templates: Path | None = None) -> dict[Path, bytes]:
    """The emitted test and the copies of schemas that it reads, by path.

    `root` is the folder that the names of the contract's documents are relative to.
    """
    sources = _sources(contract, layout, root)
    metaschemas = any(_is_metaschema(uri) for uri in contract.documents)
    text = rendered(templates, TEMPLATE, _context(contract, layout, sources, metaschemas))
    files = {layout.test: text.encode()}
    files.update((source.path, source.copy) for source in sources if source.copy is not None)
    return files


def _sources(contract: Contract, layout: Layout, root: Path) -> list[Source]:
    tested = {uri: document.value for uri, document in contract.documents.items()}
    if contract.any_refs:
        from ..oracle import Oracle

        tested = dict(Oracle(contract).documents)
    sources: list[Source] = []
    copied: dict[str, Path] = {}
    for uri, document in contract.documents.items():
        if _is_metaschema(uri):
            continue
        path, copy = root / document.name, None
        if contract.translated or contract.any_refs:
            data = dump(tested[uri]).encode()
            if not _holds(path, tested[uri]):
                number = len(copied)
                place = Path(f"{layout.schema_stem}{f'-{number + 1}' if number else ''}.schema.json")
                path, copy = copied.setdefault(document.uri, place), data
        sources.append(Source(uri, document, path, copy))
    return sources


def _holds(path: Path, value: Any) -> bool:
    """Whether the file at `path` is this very JSON document."""
    try:
        return path.suffix == ".json" and dump(json.loads(path.read_bytes())) == dump(value)
    except (OSError, ValueError):
        return False


def _is_metaschema(uri: str) -> bool:
    from ..metaschemas import published

    return published(uri) is not None


def _context(contract: Contract, layout: Layout, sources: list[Source], metaschemas: bool) -> dict[str, Any]:
    validator, specification = _LIBRARY[contract.dialect.year]
    here = layout.test.parent
    own = contract.document
    schema = get(own.value, contract.root_pointer)
    uri = urldefrag(next(iter(contract.documents))).url
    return {
        "name": contract.name,
        "validator": validator,
        "specification": specification,
        "fixtures": relative(layout.fixtures, here),
        "negative": relative(layout.negative, here),
        "files": [(urldefrag(source.uri).url, relative(source.path, here)) for source in sources],
        "names": [(s.document.name, urldefrag(s.uri).url) for s in sources if s.document is not own],
        "aliases": len({source.path for source in sources}) < len(sources),
        "root": contract.root_pointer,
        "reference": f"{uri}#{quote(contract.root_pointer, safe='/~!$&()*+,;=:@')}",
        "declared": schema.get("$schema") if isinstance(schema, dict) else None,
        "formats": contract.formats,
        "metaschemas": metaschemas,
        "old_ref": contract.dialect.ref_hides_siblings,
        "old_bounds": contract.dialect.year == 4,
    }


def literal(value: str | bool | None) -> str:
    """A Python literal as a formatter would write it: double quotes unless that needs more escapes."""
    if not isinstance(value, str):
        return repr(value)
    text = json.dumps(value, ensure_ascii=False)
    if '"' in value and "'" not in value:
        return "'" + text[1:-1].replace('\\"', '"') + "'"
    return text


def rendered(templates: Path | None, template: str, context: dict[str, Any]) -> str:
    """The text that a template makes, a project's own before ours. Raises BadInput."""
    import jinja2

    environment = _environment(templates)
    try:
        return environment.get_template(template).render(context)
    except jinja2.TemplateError as error:
        line = getattr(error, "lineno", None)
        file = str(templates / template) if templates else template
        raise BadInput(Problem(f"the template fails: {error}", file, str(line) if line else None)) from error


@lru_cache(maxsize=4)
def _environment(templates: Path | None) -> jinja2.Environment:
    import jinja2

    folders = [str(folder) for folder in (templates, _BUILT_IN) if folder]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(folders),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # noqa: S701  what is rendered is Python, not HTML
    )
    environment.filters["py"] = literal
    return environment
