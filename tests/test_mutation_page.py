"""The page of a mutation check: it stands alone, and says in words what its colours say."""

from __future__ import annotations

from dataclasses import replace
from html.parser import HTMLParser

from conftest import ROOT
from knownbad.mutants import (
    Checked,
)
from knownbad.report import page
from reported import (
    ALL,
    DEAD,
    MUTANTS,
    checked,
    evil,
    read,
)

# --- the page


class Page(HTMLParser):
    """What the tests want to know of a page. Every element that is opened has to be closed."""

    VOID = ("meta", "link", "br", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.ids: list[str] = []
        self.words: list[str] = []
        self.lines: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        values = dict(attrs)
        self.ids += [str(values["id"])] if "id" in values else []
        kinds = str(values.get("class") or "").split()
        if kinds[:1] == ["line"]:
            self.lines.append(kinds[-1] if "has" in kinds else "")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["script"], ["style"]):
            self.words.append(data)

    @property
    def text(self) -> str:
        """All that can be read without JavaScript."""
        return "".join(self.words)


def test_each_line_has_the_state_of_its_worst_mutant() -> None:
    lines = Page(page.text(ALL, read)).lines
    assert dict(enumerate(lines, 1)) == {
        **dict.fromkeys(range(1, 14), ""),
        1: "killed",
        2: "equivalent",
        4: "killed",
        5: "survived",
        8: "undecided",
        9: "survived",
        10: "equivalent",
    }


def test_the_page_reaches_for_nothing_outside() -> None:
    found = Page(page.text(evil(), read))
    links = {value for _, name, value in found.attributes if name in ("href", "src", "action", "data", "srcset")}
    assert {link for link in links if not link.startswith("#")} == set()
    assert {link[1:] for link in links} <= set(found.ids)
    assert len(found.ids) == len(set(found.ids))
    handlers = [name for _, name, _ in found.attributes if name.startswith("on") or name == "style"]
    assert handlers == []
    assert "@import" not in page.text(ALL, read)
    assert "url(" not in page.text(ALL, read)


def test_all_that_the_page_says_can_be_read_without_a_script() -> None:
    found = Page(page.text(ALL, read))
    for words in (
        "required.remove[paid]",
        "a negative fixture without `paid`",
        '{"id": "a"}',
        "out of steps",
        "see issue 12",
    ):
        assert words in found.text
    assert "negative/pay/no.json" in found.text
    assert '"of": "negative/pay/no.json"' in found.text
    hidden = [tag for tag, name, _ in found.attributes if name == "hidden"]
    assert hidden == []


def test_names_from_outside_stay_text_in_the_page() -> None:
    text = page.text(evil(), read)
    found = Page(text)
    assert text.count("<script>") == text.count("</script>") == 1
    assert "<b>\"'&," in found.text
    assert "</pre><script>1</script>" in found.text


def test_a_fixture_that_kills_much_is_in_the_page_once() -> None:
    killed = [replace(MUTANTS[0], operator=f"required.remove[{n}]") for n in range(50)]
    text = page.text(checked(*killed), read)
    assert text.count("&#34;of&#34;") == 1


def test_a_fixture_that_cannot_be_read_is_named_without_a_link() -> None:
    found = Page(page.text(checked(replace(MUTANTS[0], killed_by=("nothing.json",))), read))
    assert "nothing.json" in found.text
    assert not any(value == "shows" for _, _, value in found.attributes)


def test_a_line_says_in_words_what_its_colour_says() -> None:
    found = Page(page.text(ALL, read))
    labels = [value for tag, name, value in found.attributes if tag == "a" and name == "aria-label"]
    assert "Line 9: 1 survived, 1 invalid" in labels


def test_a_file_of_two_contracts_is_shown_for_each() -> None:
    both = Checked((*ALL.checks, *checked(DEAD, name="other").checks), ROOT)
    assert len(Page(page.text(both, read)).lines) == 26
