"""A seat's mind in words, for its screen and for positions."""

from __future__ import annotations

from typing import Any

from cardtable.base.cards import card_text, cards_in
from cardtable.base.message import Cards, Message
from cardtable.games.i_doubt_it.state import PACKS, PUBLIC, State, whole
from cardtable.rules.zones import Fact


def text_of(row: Any) -> str:
    """The cards of two masks as text, `5H 5H 6C`, ascending."""
    return " ".join(card_text(card) for card in cards_in(row[0]) for _ in range(1 + (int(row[1]) >> card & 1)))


def narrow(s: State, viewer: int) -> list[tuple[int, int]]:
    """The cards that the viewer did not hold when the pile was last empty and that some hand cannot have held, as card
    and mask of hands.
    """
    row = PUBLIC if viewer < 0 else viewer
    others = ((1 << int(s.seats)) - 1) & ~(0 if viewer < 0 else 1 << viewer)
    cards = []
    for k in range(int(s.rules.decks)):
        may = [int(s.may[row, p, k]) for p in range(int(s.seats))]
        somewhere, everywhere = 0, whole(s, k)  # kinds whose card may be in another hand, and in any other
        for p in range(int(s.seats)):
            if others >> p & 1:
                somewhere |= may[p]
                everywhere &= may[p]
        for card in cards_in(somewhere & ~everywhere):
            cards.append((card, sum((mask >> card & 1) << p for p, mask in enumerate(may))))
    return sorted(cards)


HOLDS = {
    "holds": Message("holds {cards}"),
    "may still hold": Message("may still hold {cards}"),
    "may hold": Message("may hold {cards}"),
}


def remembered(s: State, viewer: int) -> list[tuple[Fact, ...]]:
    """The viewer's knowledge of each hand: cards certainly in it, at least before its sets were laid, and cards that
    may be in it.
    """
    row = PUBLIC if viewer < 0 else viewer
    n = int(s.seats)
    others = [p for p in range(n) if p != viewer]
    certain, possible = [[0] * PACKS for _ in range(n)], [[0] * PACKS for _ in range(n)]
    for k in range(int(s.rules.decks)):
        may = [int(s.may[row, p, k]) for p in range(n)]
        once = twice = 0
        everywhere = whole(s, k)
        for p in others:
            twice |= once & may[p]
            once |= may[p]
            everywhere &= may[p]
        for p in others:
            certain[p][k] = may[p] & ~twice
            possible[p][k] = may[p] & twice & ~everywhere
    laid = {int(s.set_by[i]) for i in range(s.sets)}
    facts = []
    for p in range(n):
        rows = {"may still hold" if p in laid else "holds": certain[p], "may hold": possible[p]}
        facts.append(tuple(_of_cards(name, low, high) for name, (low, high) in rows.items() if low | high))
    return facts


def _of_cards(name: str, low: int, high: int) -> Fact:
    cards = " ".join(card_text(card) for card in sorted(cards_in(low) + cards_in(high)))
    return Fact(Message(HOLDS[name].template, cards=Cards(cards)), name, cards, aid=True)
