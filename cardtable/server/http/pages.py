"""Rulebook pages as HTML, for the browser: cards in colour, and each clause with its rule's ID as its anchor."""

from __future__ import annotations

import re
from collections.abc import MutableMapping, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from cardtable.base.cards import card_name, card_symbol, parse_card

_CARD = re.compile(r"\b([A2-9TJQK][SHDC]|X[12])\b")
_CARDS = re.compile(rf"{_CARD.pattern}(?: {_CARD.pattern})*")
#: the beginning of a table's row, a list's item, a heading or a paragraph on a rule
_CLAUSE = re.compile(r"\**([A-Z][A-Z0-9]{1,3}-[QES]?\d+)\b")
_BLOCKS = ("tr_open", "list_item_open", "heading_open", "paragraph_open")


def html_of(page: str, title: str, own: str = "", code: str = "") -> str:
    """A rulebook page as HTML, with another title. own: its beginning in the language with that code; "": none.

    The result never has a script, a picture or a link, whatever the page contains.
    """
    title = f"<h1>{escapeHtml(title)}</h1>\n"
    if not own:
        return title + _body(page)
    return f'{title}<div lang="{escapeHtml(code)}">\n{_body(own)}</div>\n<div lang="en">\n{_body(page)}</div>\n'


def _body(page: str) -> str:
    """A page as HTML without its title."""
    return str(_reader().render(re.sub(r"\A# .*\n", "", page)))


@cache
def _reader() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "autolink"])
    reader.core.ruler.push("anchors", _anchors)
    reader.core.ruler.push("cards", _cards)
    for kind, rule in _RENDERED.items():
        reader.add_render_rule(kind, rule)
    return reader


def _anchors(state: StateCore) -> None:
    """Give each clause its rule's ID, once on a page."""
    anchored: set[str] = set()
    opened: Token | None = None  # the outermost block whose text comes next
    for token in state.tokens:
        if token.type in _BLOCKS and opened is None:
            opened = token
        elif token.type == "inline":
            clause = _CLAUSE.match(token.content)
            if opened is not None and clause and clause[1] not in anchored:
                anchored.add(clause[1])
                opened.attrSet("id", clause[1])
            opened = None


Tokens = Sequence[Token]
Env = MutableMapping[str, Any]


def _text(renderer: RendererHTML, tokens: Tokens, at: int, options: OptionsDict, env: Env) -> str:
    """Text, with cards marked up as `web/text/message.js` does in a sentence."""
    parts = _CARD.split(tokens[at].content)
    return "".join(_card(part) if odd % 2 else escapeHtml(part) for odd, part in enumerate(parts))


def _card(text: str) -> str:
    card = parse_card(text)
    short = "Joker" if text[0] == "X" else f"{card_symbol(card)}\ufe0e"  # some browsers draw pictures
    return (
        f'<span class="in suit-{text[-1]}"><span aria-hidden="true">{short}</span><span '
        f'class="sr">{card_name(card)}</span></span>'
    )


def _cell(renderer: RendererHTML, tokens: Tokens, at: int, options: OptionsDict, env: Env) -> str:
    """A table's cell, without alignment: that needs a `style`, which the security policy forbids."""
    return '<th scope="col">' if tokens[at].type == "th_open" else "<td>"


def _fence(renderer: RendererHTML, tokens: Tokens, at: int, options: OptionsDict, env: Env) -> str:
    return f'<pre tabindex="0"><code>{escapeHtml(tokens[at].content)}</code></pre>\n'


def _table(renderer: RendererHTML, tokens: Tokens, at: int, options: OptionsDict, env: Env) -> str:
    """The start of a table, in a region that scrolls by keys and is named after its section."""
    head = max((k for k in range(at) if tokens[k].type == "heading_open"), default=None)
    name = tokens[head + 1].content if head is not None else "table"
    before = sum(token.type == "table_open" for token in tokens[head or 0 : at])
    label = escapeHtml(f"{name} ({before + 1})" if before else name)
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>\n'


def _table_end(renderer: RendererHTML, tokens: Tokens, at: int, options: OptionsDict, env: Env) -> str:
    return "</table></div>\n"


def _no_link(renderer: RendererHTML, tokens: Tokens, at: int, options: OptionsDict, env: Env) -> str:
    """Links go to other files of the repository, which a server does not have; only their text is shown."""
    return ""


def _cards(state: StateCore) -> None:
    """Show cards in notation as cards in tables and clauses, which also stand alone at the table; other text explains
    the notation.
    """
    opened = ""
    for token in state.tokens:
        if token.type == "inline" and (opened == "td_open" or _CLAUSE.match(token.content)):
            for part in token.children or []:
                if part.type == "code_inline" and _CARDS.fullmatch(part.content):
                    part.type = "text"
        opened = token.type


_RENDERED = {
    "text": _text,
    "fence": _fence,
    "code_block": _fence,
    "table_open": _table,
    "table_close": _table_end,
    "th_open": _cell,
    "td_open": _cell,
    "link_open": _no_link,
    "link_close": _no_link,
}
