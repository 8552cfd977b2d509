"""What everybody knows about the hidden cards of Crazy Eights, against a ledger that never forgets anything.

Cards are dealt, drawn, laid, shown to be lacking and reshuffled in any order, whether or not a match would come to it.
The ledger keeps every act, and goes through all placements of the hidden cards that agree with all of them.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import pytest
from test_crazy_eights_worlds import allowed, empty, numbers

from cardtable.cards import parse_cards, set_of
from cardtable.games.crazy_eights import knowledge
from cardtable.games.crazy_eights.knowledge import add_token, give, leave, open_pool, prove
from cardtable.kernel import Switch

SEATS = 3
VIEWER = 2  #: has no cards
KINDS = parse_cards("5S 6H 7D 9C JS QH KD 2C 8S")
#: pools, hands (seats 0 and 1), and the number of orders in which the cards may have come so
Cards = tuple[int, ...]  #: how many of each of KINDS
World = tuple[tuple[Cards, ...], tuple[Cards, ...]]  #: what is left of each pool; the hands


def plus(cards: Cards, kind: int, number: int) -> Cards:
    """Cards with some more of a kind (its number in KINDS)."""
    return (*cards[:kind], cards[kind] + number, *cards[kind + 1 :])


def put(row: tuple[Cards, ...], place: int, kind: int, number: int) -> tuple[Cards, ...]:
    """The same in one place of a row."""
    return (*row[:place], plus(row[place], kind, number), *row[place + 1 :])


class Table:
    """A table on which anything happens; `worlds` are all that agree with it, and `s` is what the rules keep."""

    def __init__(self, decks: int, cards: Sequence[int]) -> None:
        self.s: Any = empty(SEATS, {"decks": str(decks), "draw_willing": "no"})
        self.s.pile[0], self.s.pile_size = parse_cards("4S")[0], 1
        self.pools = 0
        self.hands = [Counter[int]() for _ in range(SEATS)]
        nothing = (0,) * len(KINDS)
        self.worlds: Counter[World] = Counter({((), (nothing, nothing)): 1})
        self.fits = 0
        self.unseen = parse_cards("8S") if decks == 1 else parse_cards("8S 5S")  #: cards that everybody has seen
        self.shuffle_in(list(cards))

    def shuffle_in(self, cards: list[int]) -> None:
        """A new stock."""
        e = int(open_pool(self.s))
        for card in cards:
            add_token(self.s, e, card, 1)
        self.stock = cards
        content = tuple(cards.count(kind) for kind in KINDS)
        self.worlds = Counter({((*pools, content), hands): n for (pools, hands), n in self.worlds.items()})

    def take(self, seat: int) -> None:
        """A seat gets a card of the stock."""
        card = self.stock.pop()
        self.hands[seat][card] += 1
        give(self.s, seat, card, 0)
        after: Counter[World] = Counter()
        for (pools, hands), n in self.worlds.items():
            for kind, left in enumerate(pools[-1]):
                if left:
                    after[put(pools, len(pools) - 1, kind, -1), put(hands, seat, kind, 1)] += n * left
        self.worlds = after

    def take_seen(self, seat: int, card: int) -> None:
        """A seat gets a card that lay where everybody had seen it."""
        self.hands[seat][card] += 1
        give(self.s, seat, card, 1)
        kind = KINDS.index(card)
        self.worlds = Counter({(pools, put(hands, seat, kind, 1)): n for (pools, hands), n in self.worlds.items()})

    def lay(self, seat: int, card: int) -> None:
        """A seat lays a card."""
        self.hands[seat] -= Counter([card])
        leave(self.s, seat, card)
        self.s.pile[self.s.pile_size] = card
        self.s.pile_size += 1
        kind = KINDS.index(card)
        self.worlds = Counter(
            {(pools, put(hands, seat, kind, -1)): n for (pools, hands), n in self.worlds.items() if hands[seat][kind]}
        )

    def lack(self, seat: int, cards: Sequence[int]) -> None:
        """A seat shows that it has none of these kinds."""
        self.fits = set_of(cards)
        prove(self.s, seat)
        kinds = [KINDS.index(card) for card in cards]
        self.worlds = Counter({w: n for w, n in self.worlds.items() if not any(w[1][seat][kind] for kind in kinds)})

    def reshuffle(self, dice: random.Random) -> None:
        """The discards but the upcard become the stock."""
        pile = [int(card) for card in self.s.pile[: self.s.pile_size]]
        cards = [card for card in pile[:-1] if card in KINDS]
        dice.shuffle(cards)
        self.s.pile[0], self.s.pile_size = pile[-1], 1
        self.shuffle_in(cards)

    def judge(self) -> None:
        """The worlds that the rules think possible are these, and their odds are the same, for a seat and for one
        without cards.
        """
        s = self.s.copy()
        s.stock_size = len(self.stock)
        for p in range(SEATS):
            assert numbers(s.hands[p]) == self.hands[p]
            assert s.counts[p] == self.hands[p].total()
        true: Counter[Hashable] = Counter()
        mine: Counter[Hashable] = Counter()
        own = tuple(sorted(self.hands[0].elements()))
        for (pools, hands), n in self.worlds.items():
            rows = [
                tuple(sorted(Counter(dict(zip(KINDS, cards, strict=True))).elements())) for cards in (*hands, pools[-1])
            ]
            true[(*rows[:2], ()), rows[2]] += n
            if rows[0] == own:
                mine[(*rows[:2], ()), rows[2]] += n
        for viewer, worlds in ((VIEWER, true), (0, mine)):
            told = allowed(s, viewer)
            assert set(told) == set(worlds)
            assert len({Fraction(n, worlds[world]) for world, n in told.items()}) == 1


def act(table: Table, dice: random.Random) -> str:
    """Something happens; return what."""
    seat = dice.randrange(2)
    held = sorted(table.hands[seat])
    lacked = [kind for kind in KINDS if kind not in held]
    roll = dice.random()
    if not table.stock and table.s.pile_size > 2 and roll < 0.5:
        table.reshuffle(dice)
        return "reshuffle"
    if table.unseen and roll < 0.06:
        card = table.unseen.pop()
        table.take_seen(seat, card)
        return f"{seat} is seen to take {card}"
    if table.stock and roll < 0.4:
        table.take(seat)
        return f"{seat} takes"
    if held and roll < 0.7:
        card = dice.choice(held)
        table.lay(seat, card)
        return f"{seat} lays {card}"
    cards = dice.sample(lacked, min(len(lacked), dice.randint(1, 3)))
    table.lack(seat, cards)
    return f"{seat} lacks {cards}"


@pytest.mark.rules("CE-11", "CE-12", "CE-Q3")
@pytest.mark.parametrize("decks", [1, 2])
def test_what_all_know_is_what_a_ledger_of_everything_says(decks: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Judged after every act."""
    monkeypatch.setattr(Switch, "plain", True)
    for number in range(60):
        dice = random.Random(f"{decks} {number}")
        cards = KINDS[: dice.randint(5, 8)] if decks == 1 else KINDS[: dice.randint(2, 4)] * 2
        dice.shuffle(cards)
        table = Table(decks, cards)
        monkeypatch.setattr(knowledge, "playable", lambda s, table=table: table.fits)
        for seat in (0, 1):
            for _ in range(dice.randint(1, 3)):
                if table.stock:
                    table.take(seat)
        acts = []
        for _ in range(dice.randint(4, 20)):
            acts.append(act(table, dice))
            table.judge()
