"""Rulebook pages as the browser shows them: HTML with the rules' IDs as anchors, and nothing that a page could smuggle
in.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from cardtable.rules.catalog import games
from cardtable.server.http.pages import html_of

ELEMENTS = {
    "h1",
    "h2",
    "h3",
    "h4",
    "p",
    "ul",
    "ol",
    "li",
    "strong",
    "em",
    "code",
    "pre",
    "span",
    "div",
    "table",
    "thead",
    "tbody",
    "tr",
    "th",
    "td",
}
ATTRIBUTES = {"id", "class", "aria-hidden", "tabindex", "role", "aria-label", "scope", "start"}


class Outline(HTMLParser):
    """The elements of a page, each with its attributes, and whether all are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    @property
    def ids(self) -> list[str | None]:
        return [attributes["id"] for _, attributes in self.found if "id" in attributes]


@pytest.mark.parametrize("game", sorted(games()))
def test_every_page_is_shown_whole(game: str) -> None:
    """Each rule, question and example is an anchor, once; only harmless elements are used, all of them closed."""
    page = games()[game].rulebook
    outline = Outline(html_of(page, "A title"))
    laid_down = re.findall(r"(?m)^(?:\| |- \*\*|### )([A-Z][A-Z0-9]{1,3}-[QES]?\d+)\b", page)
    assert set(outline.ids) == set(laid_down)
    assert len(outline.ids) == len(set(outline.ids))
    assert outline.open == []
    assert {tag for tag, _ in outline.found} <= ELEMENTS
    assert {name for _, attributes in outline.found for name in attributes} <= ATTRIBUTES
    assert [tag for tag, _ in outline.found].count("h1") == 1


def test_cards_are_shown_as_cards() -> None:
    page = html_of("Lay TH, or the X1, not `TH` nor THE.", "A title")
    sign = '<span aria-hidden="true">10♥\ufe0e</span>'
    ten = f'<span class="in suit-H">{sign}<span class="sr">ten of hearts</span></span>'
    joker = '<span class="in suit-1"><span aria-hidden="true">Joker</span><span class="sr">joker</span></span>'
    assert page == f"<h1>A title</h1>\n<p>Lay {ten}, or the {joker}, not <code>TH</code> nor THE.</p>\n"


def test_the_title_takes_the_place_of_the_pages_own() -> None:
    assert html_of("# Michigan\n\n## Aim\n", "Pope <Joan>") == "<h1>Pope &lt;Joan&gt;</h1>\n<h2>Aim</h2>\n"


@pytest.mark.parametrize(
    "evil",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[here](javascript:alert(1))",
        "![](https://example.org/x.png)",
        "<https://example.org>",
        "| a |\n|--:|\n| <b>x</b> |",
        "```<b>\n<script>\n```",
        "<!-- <b> -->",
        "&lt;script&gt;",
        "[a]: javascript:x\n\n[a]",
        "## <b>x</b>",
    ],
)
def test_a_page_holds_text_only(evil: str) -> None:
    outline = Outline(html_of(evil, "A title"))
    assert {tag for tag, _ in outline.found} <= ELEMENTS
    assert {name for _, attributes in outline.found for name in attributes} <= ATTRIBUTES
