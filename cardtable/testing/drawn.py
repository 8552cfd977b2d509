"""Worlds that a game draws (`resample`): whether they can have come about, and how evenly they are drawn."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from cardtable.base.cards import parse_card
from cardtable.base.errors import PositionError
from cardtable.kernel import prng
from cardtable.match.match import Match
from cardtable.rules import contract, worlds
from cardtable.testing.houses import House, deal_out, redacted, view_of

DRAWS = 60  #: worlds of a house
CHANCE = 1e-8  #: of the same or greater imbalance, among this number of worlds


def check_possible(m: Match, s: Any, seat: int, work: worlds.Work) -> None:
    """A world for a seat contradicts nothing that was proved: it is a position, which the match `m` writes, and
    setting that up is not refused.
    """
    m._s = drawn(s, seat, "possible", work)
    text = m.position().text
    try:
        Match.from_position(text, auto=False)
    except PositionError as error:
        raise AssertionError(f"resample draws for seat {seat} what cannot be: {error}\n{text}") from error


def check_even(house: House, seat: int) -> None:
    """Before the first move of a deal, the first and the last card of the stock come in either order, and a hidden
    card lies at a place as often as the place has room. With fair draws, this fails with CHANCE for each count.
    """
    s = house.open("even")
    deal_out(s)
    work = worlds.Work.new()
    rising, there = 0, 0
    for number in range(DRAWS):
        keys = house.entry.presentation.position(drawn(s, seat, str(number), work))
        places = [text.split() for p, text in enumerate(keys.get("hands", ())) if p != seat]
        stock = str(keys.get("stock", "")).split()
        cards = sorted(parse_card(word) for place in [*places, stock] for word in place)
        if len(set(cards)) < max(len(cards), 2):
            return  # two packs: cards look the same
        rising += len(stock) > 1 and parse_card(stock[0]) < parse_card(stock[-1])
        first = next(place for place in [*places, stock] if place)
        there += cards[0] in map(parse_card, first)
    if len(stock) > 1:
        assert rare(rising, 0.5) > CHANCE, f"the first card of the stock is the lower one in {rising} of {DRAWS} worlds"
    share = len(first) / len(cards)
    assert rare(there, share) > CHANCE, f"a card is in a place for {share:.2f} of them in {there} of {DRAWS} worlds"


def drawn(s: Any, seat: int, word: str, work: worlds.Work) -> Any:
    """A world for a seat, the same for the same word."""
    world = redacted(s, seat)
    world.rng[:] = prng.key_of(f"drawn {word}")
    contract.resample(world, seat, work)
    assert not worlds.clash(work), worlds.clash(work)
    return world


def rare(count: int, share: float) -> float:
    """The probability of at least this number, or of at most this number, among DRAWS: the smaller one."""
    chances = [comb(DRAWS, k) * share**k * (1 - share) ** (DRAWS - k) for k in range(DRAWS + 1)]
    return min(sum(chances[: count + 1]), sum(chances[count:]))


def same_view(house: House, s: Any, t: Any, seat: int, texts: bool = True) -> None:
    """Two worlds look the same to a seat, bit for bit. texts: also compare their texts, which derive from the data
    compared before.
    """
    a, b = view_of(house, s, seat), view_of(house, t, seat)
    assert a.state.tobytes() == b.state.tobytes(), differing(a.state, b.state)
    assert (a.moves, a.actors, a.scores, a.events) == (b.moves, b.actors, b.scores, b.events)
    if texts:
        assert a.as_dict() == b.as_dict()
        assert a.text() == b.text()
    words = house.entry.presentation
    assert [words.automatic(s, seat, move) for move in a.moves] == [words.automatic(t, seat, move) for move in b.moves]


def differing(a: Any, b: Any) -> str:
    """The fields in which two states differ."""
    return ", ".join(name for name in a.dtype.names if np.any(a[name] != b[name]))
