"""What a seat keeps in mind, in words: for its screen, and for positions."""

from __future__ import annotations

from typing import Any

from cardtable.cards import card_text, cards_in
from cardtable.games.i_doubt_it.state import PUBLIC, State, whole


def text_of(row: Any) -> str:
    """A set of cards of two masks, `5H 5H 6C`, ascending."""
    return " ".join(card_text(card) for card in cards_in(row[0]) for _ in range(1 + (int(row[1]) >> card & 1)))


def narrow(s: State, viewer: int) -> list[tuple[int, int]]:
    """Of the cards that a viewer did not hold when the pile was last empty, those that were not just anywhere: card, mask of hands."""
    row = PUBLIC if viewer < 0 else viewer
    others = ((1 << int(s.seats)) - 1) & ~(0 if viewer < 0 else 1 << viewer)
    found = []
    for k in range(s.rules.packs):
        for card in cards_in(whole(s, k)):
            where = sum(1 << p for p in range(s.seats) if int(s.may[row, p, k]) >> card & 1)
            if where & others and where != others:
                found.append((card, where))
    return sorted(found)


def remembered(s: State, seat: int, viewer: int) -> dict[str, str]:
    """What a viewer can say of another hand: cards that are there, or were before its sets in the pile; and cards that may be."""
    certain, possible = [], []
    for card, where in narrow(s, viewer):
        if where == 1 << seat:
            certain.append(card_text(card))
        elif where >> seat & 1:
            possible.append(card_text(card))
    laid = any(s.set_by[i] == seat for i in range(s.sets))
    found = {}
    if certain:
        found["here or in the pile" if laid else "known here"] = " ".join(certain)
    if possible:
        found["perhaps here"] = " ".join(possible)
    return found
