"""The glossary: one source for the browser and the page."""

from __future__ import annotations

import glossary as page

from cardtable.rules import catalog
from cardtable.rules.glossary import glossary


def test_every_term_has_words_of_its_own() -> None:
    words = [word.strip() for term in glossary() for word in term.words.split(",")]
    assert all(words)
    assert len(words) == len(set(words)) > 80


def test_the_terms_name_games_that_exist() -> None:
    assert {name for term in glossary() for name in term.games} <= set(catalog.games())


def test_the_page_has_the_terms() -> None:
    match = page.TABLE.search(page.PAGE.read_text("utf-8"))
    assert match is not None
    assert match.group() == page.table(), "run: python tools/glossary.py --write"
