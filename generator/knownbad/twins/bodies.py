"""The envelope of a documented case: the smallest instance of the envelope's schema that says what is documented."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..bundled import bundled
from ..catalogue.model import Case, Catalogue
from ..catalogue.places import readable
from ..catalogue.reading import OWN_SCHEMA
from ..catalogue.settings import ENVELOPE
from ..compiled import reference_to
from ..contract import Contract, Document
from ..distinguish import Engine
from ..errors import NO_VALUE, BadInput, Problem, shorten
from ..judged.assertions import Judge
from ..pointers import join, steps
from ..varied import contract_of
from ..violations import told, violations
from ..witness.instance import NO_HINT

_WRAPPER = "urn:knownbad:documented"


class Bodies:
    """Makes the envelopes of one catalogue."""

    def __init__(self, catalogue: Catalogue, contract: Contract, judge: Judge) -> None:
        self.catalogue = catalogue
        self.contract = contract
        self.judge = judge
        self._smallest: Any = None

    def of(self, case: Case) -> Any:
        """The envelope of a case. Raises BadInput where the schema rejects what the catalogue documents."""
        said = dict(self._said(case))
        rejected = None
        for left_out in self._left_out(case, said):
            body, other = self._made({place: value for place, value in said.items() if place not in left_out})
            if body is not NO_VALUE:
                return body
            rejected = rejected if rejected is not None else other
        raise BadInput(self._problem(case, rejected))

    def _made(self, said: Mapping[str, Any]) -> tuple[Any, Any]:
        """An envelope that says this, `NO_VALUE` for none; and the first that is rejected."""
        rejected = None
        for body in self._candidates(said):
            if self.judge.oracle.accepts(body) is True:
                return body, rejected
            rejected = rejected if rejected is not None else body
        return NO_VALUE, rejected

    def _left_out(self, case: Case, said: Mapping[str, Any]) -> Iterator[list[str]]:
        """What an envelope may do without, the least first: a message that nobody documented; and whatever a team's own
        envelope does not have, as long as the catalogue does not say that it stands there."""
        layout = self.catalogue.envelope
        yield []
        if case.message is None and layout.message in said:
            yield [str(layout.message)]
        if self.catalogue.own_layout:
            return
        places = (layout.category, layout.retry_after, layout.status, layout.details, layout.message)
        optional = [place for place in places if place is not None and place in said]
        least = {place: value for place, value in said.items() if place not in optional}
        yield [place for place in optional if self._made({**least, place: said[place]})[0] is NO_VALUE]
        yield optional

    def _said(self, case: Case) -> Iterator[tuple[str, Any]]:
        """What the catalogue says of the envelope, by place."""
        layout = self.catalogue.envelope
        message = case.message if case.message is not None else readable(case.class_)
        yield layout.code, case.code
        yield layout.hint, case.hint
        for place, value in (
            (layout.message, message),
            (layout.category, case.category),
            (layout.retry_after, case.retry_after),
            (layout.status, case.status),
            (layout.details, None if case.details is None else self._details(case)),
        ):
            if place is not None and value is not None:
                yield place, value
        yield layout.retryable, case.retryable

    def _details(self, case: Case) -> Any:
        found = Engine(contract_of(case.details, "details")).smallest()
        if found is NO_HINT:
            place = join(case.location, "details")
            raise BadInput(Problem("nothing satisfies the schema of the details", self.catalogue.file, place))
        return found

    def _candidates(self, said: Mapping[str, Any]) -> Iterator[Any]:
        """The smallest instance with what is said put in place; where that will not do, one that is walked for it."""
        if self._smallest is None:
            self._smallest = Engine(self.contract).smallest()
        if self._smallest is not NO_HINT:
            body = self._smallest
            for place, value in said.items():
                body = _put(body, steps(place), value)
            yield body
        found = Engine(self._saying(said)).smallest()
        if found is not NO_HINT:
            yield found

    def _saying(self, said: Mapping[str, Any]) -> Contract:
        """The envelope's contract and beside it what is said, as one contract."""
        root = self.contract.root
        asserted: dict[str, Any] = {}
        for place, value in said.items():
            asserted = _asserting(asserted, steps(place), value)
        value = {"allOf": [{"$ref": reference_to(root)}, asserted]}
        document = Document(_WRAPPER, "documented", value, root.dialect)
        documents = {_WRAPPER: document, **self.contract.documents}
        return Contract("documented", "documented", documents, formats=self.contract.formats)

    def _problem(self, case: Case, body: Any) -> Problem:
        message = f"the envelope's schema rejects the class {case.name}"
        fix = f"correct the row, the schema {self.contract.schema}, or the pointers in [envelope]"
        if self.contract is bundled(ENVELOPE):
            fix = f"correct the row; or, where your tool answers so, {OWN_SCHEMA}"
        found = violations(self.judge.oracle, body) if body is not None else []
        if found:
            message += f": {told(self.judge.oracle, found[0], body)} (violated: {found[0].keyword_location})"
        value = NO_VALUE if body is None else shorten(body)
        return Problem(message, self.catalogue.file, case.location, value, fix)


def _put(body: Any, path: list[str], value: Any) -> Any:
    if not path:
        return value
    first, *rest = path
    if isinstance(body, list):
        index = int(first) if first.isdigit() and int(first) < len(body) else len(body)
        return [*body[:index], _put(body[index] if index < len(body) else {}, rest, value), *body[index + 1 :]]
    known = body if isinstance(body, dict) else {}
    return {**known, first: _put(known.get(first), rest, value)}


def _asserting(schema: dict[str, Any], path: list[str], value: Any) -> dict[str, Any]:
    """A schema that holds for an object with this value at the end of the path as well."""
    if not path:
        return {"enum": [value]}
    first, *rest = path
    if first == "0":  # the first item of a list of errors
        return {
            "type": "array",
            "minItems": 1,
            "maxItems": 1,
            "items": _asserting(schema.get("items", {}), rest, value),
        }
    known = schema.get("properties", {})
    return {
        "type": "object",
        "required": list(dict.fromkeys([*schema.get("required", []), first])),
        "properties": {**known, first: _asserting(known.get(first, {}), rest, value)},
    }
