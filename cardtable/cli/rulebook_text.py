"""The rulebook in the terminal: pages and single clauses, with a note where they are in another language."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from cardtable.base import languages
from cardtable.base.languages import tr
from cardtable.base.message import ENGLISH, Message

if TYPE_CHECKING:
    from cardtable.rules.game import Game

ID = re.compile(r"[A-Z]{2}-[A-Z]?\d{1,3}[a-z]?", re.IGNORECASE)


def in_english() -> str:
    """A note that the rulebook is in English, for readers of other languages; "" in English."""
    return "" if languages.current() is ENGLISH else tr("The rulebook is in English.")


def noted(page: str, game: Game, whole: bool = False) -> str:
    """A page of the rulebook with a line below its title that says that it is in English, where that is needed.

    whole: the page with the rules of all presets, of which nothing is translated.
    """
    if not whole and game.pages.translated(languages.current().code):
        return page
    return below_title(page, note) if (note := in_english()) else page


def below_title(page: str, line: str) -> str:
    """A page with a line below its title."""
    title, _, rest = page.partition("\n")
    return f"{title}\n\n*{line}*\n{rest}"


def markdown(page: str, below: str = "") -> Any:
    """A page, and the text of house rules below it, to be printed by Rich."""
    from rich.console import Group
    from rich.markdown import Markdown
    from rich.text import Text

    text = Text(below)
    text.highlight_regex(r"(?m)^\w+(?= = )", "bold")
    text.highlight_regex(rf"(?m)^{re.escape(tr('House rules (--set option=value)'))}$", "bold")
    return Group(Markdown(page), text) if below else Markdown(page)


def clauses(game: Game, wanted: str, here: str | None = None) -> list[str]:
    """The rulebook's text for a rule ID, with a note that it is in English where needed; games that share rules share
    their pages. Empty if nothing is found.

    here: the page with a table's rules; a clause that is only on the whole page is marked as not applying.
    """
    lines = _clauses(game, wanted, here)
    return [note, *lines] if lines and (note := in_english()) else lines


def _clauses(game: Game, wanted: str, here: str | None) -> list[str]:
    from cardtable.rules import catalog

    if not ID.fullmatch(wanted):
        return []
    if here and (lines := _clause(here, wanted.upper())):
        return lines
    pages = [
        game,
        *(other for other in catalog.games().values() if other.package == game.package and other is not game),
    ]
    pages += [other for other in catalog.games().values() if other.package != game.package]
    for other in pages:
        if lines := _clause(other.rulebook, wanted.upper()):
            if other is not game:
                return [tr("(from the page of {game})", game=Message(other.title)), *lines]
            return [tr("(does not apply under these house rules)"), *lines] if here else lines
    return []


def _clause(page: str, wanted: str) -> list[str]:
    """A table's row, a list's item or a whole section of a page that begins with an ID."""
    lines: list[str] = []
    section = False
    for line in page.splitlines():
        plain = re.sub(r"\*\*|`", "", line).strip()
        if section:
            if plain.startswith("#"):
                break
            if plain and not re.fullmatch(r"[|:\- ]+", plain):
                lines.append(_cells(plain))
        elif re.match(rf"(\| *|[-*] +|#+ +){re.escape(wanted)}\b(?!-)", plain, re.IGNORECASE):
            lines.append(_cells(plain.lstrip("#-* ")))
            section = plain.startswith("#")
            if not section:
                break
    return lines


def _cells(line: str) -> str:
    return " · ".join(cell.strip() for cell in line.strip("|").split("|") if cell.strip())
