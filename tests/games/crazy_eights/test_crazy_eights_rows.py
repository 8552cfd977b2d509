"""Rows of batches in Crazy Eights against plain lists, where the ledger of test_crazy_eights_facts sees too little."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from cardtable.base.cards import parse_cards
from cardtable.games.crazy_eights import knowledge, possible
from cardtable.games.crazy_eights.state import BATCHES, KINDS
from cardtable.kernel import Switch, prng
from cardtable.rules import contract
from tests.games.crazy_eights.test_crazy_eights_worlds import empty, numbers
from tests.support.effort import cases
from tests.support.games import oracle

SEATS = 3
SEAT = 1
SOME = parse_cards("5S QH 8S")
ROUNDS = 200


@dataclass
class Batch:
    """A batch, and what was shown before the next one came."""

    origin: int
    room: int = 1
    has: Counter[int] = field(default_factory=Counter)
    least: Counter[int] = field(default_factory=Counter)
    most: Counter[int] = field(default_factory=Counter)


Row = list[Batch]


def masks(cards: Counter[int]) -> list[int]:
    return [sum((number >> x & 1) << kind for kind, number in cards.items()) for x in range(2)]


def lay_out(row: Row, decks: int = 2) -> Any:
    """A state with a row of one seat."""
    s = empty(SEATS, {"decks": str(decks)})
    put(s, SEAT, row)
    s.pools = 1 + max((batch.origin for batch in row), default=0)
    return s


def put(s: Any, seat: int, row: Row) -> None:
    """Give a seat a row."""
    s.batches[seat] = len(row)
    for b, batch in enumerate(row):
        s.origin[seat, b], s.room[seat, b] = batch.origin, batch.room
        s.has[seat, b], s.least[seat, b], s.most[seat, b] = masks(batch.has), masks(batch.least), masks(batch.most)


def row_of(s: Any) -> Row:
    """The row of that seat; there is nothing beyond it."""
    n = int(s.batches[SEAT])
    for facts in (s.origin, s.room, s.has, s.least, s.most):
        assert not facts[SEAT, n:].any()
        assert not facts[[p for p in range(SEATS) if p != SEAT]].any()
    return [
        Batch(
            int(s.origin[SEAT, b]),
            int(s.room[SEAT, b]),
            *(numbers(facts[SEAT, b]) for facts in (s.has, s.least, s.most)),
        )
        for b in range(n)
    ]


def rows(decks: int) -> Iterator[tuple[random.Random, Row]]:
    """Rows of every length; numbers shown later are not smaller, and with one pack each is shown once in its pool."""
    for number in range(ROUNDS):
        dice = random.Random(f"{decks} {number}")
        row: Row = []
        origin = 0
        shown = dict.fromkeys(SOME, 0)
        for _ in range(BATCHES if number % 4 == 0 else dice.randint(1, BATCHES)):
            if row and dice.random() < 0.4:
                origin = min(origin + 1, 3)
                if decks == 1:
                    shown = dict.fromkeys(SOME, 0)
            batch = Batch(origin, dice.randint(1, 3))
            for kind in SOME:
                batch.has[kind] = dice.randint(0, decks)
                if shown[kind] < (1 if decks == 1 else 3) and dice.random() < 0.3:
                    shown[kind] += 1
                    batch.least[kind] = shown[kind]
                elif dice.random() < 0.2:
                    batch.most[kind] = 1 if decks == 1 else min(shown[kind] + 1, 3)
            row.append(Batch(origin, batch.room, +batch.has, +batch.least, +batch.most))
        yield dice, row


@pytest.fixture(autouse=True)
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Switch, "plain", True)


def joined(row: Row, b: int) -> Row:
    """A row in which batch b and the next are one."""
    first, second = row[b], row[b + 1]
    both = Batch(second.origin, first.room + second.room, first.has + second.has, second.least, second.most)
    return [*row[:b], both, *row[b + 2 :]]


@pytest.mark.parametrize("decks", [1, 2])
def test_what_was_shown_after_an_empty_batch_moves_back(decks: int) -> None:
    """The later of two numbers that came, and the earlier of two bounds."""
    for dice, row in rows(decks):
        if len(row) > 1:
            s, b = lay_out(row, decks), dice.randrange(1, len(row))
            knowledge.move_back(s, SEAT, b)
            row[b - 1].least |= row[b].least
            row[b - 1].most = Counter({**row[b].most, **row[b - 1].most})
            assert row_of(s) == row


@pytest.mark.parametrize("decks", [1, 2])
def test_a_full_row_is_blurred(decks: int) -> None:
    """The first two batches of a pool are joined between which no lack was shown."""
    done = 0
    for _, row in rows(decks):
        for batch in row:
            batch.has = Counter({kind: min(number, 1) for kind, number in batch.has.items()})
        s = lay_out(row, decks)
        firsts = [b for b in range(len(row) - 1) if row[b].origin == row[b + 1].origin and not row[b].most]
        assert knowledge.blur(s, SEAT) == bool(firsts)
        if firsts:
            b = firsts[0]
            row[b + 1].least |= row[b].least
            row = joined(row, b)
            done += 1
        assert row_of(s) == row
    assert done > ROUNDS / 2


def test_tallies_are_added_to() -> None:
    """Of every kind, without a change to others."""
    s = empty(SEATS, {"decks": "2"})
    for kind in range(KINDS):
        others = [masks(Counter({k: 3 for k in range(KINDS) if k != kind})) for _ in range(4)]
        s.hands[SEAT], s.known[SEAT], s.has[SEAT, 2], s.tokens[2] = others
        for number in (1, 1, 1, -2):
            knowledge.add(s, SEAT, kind, number)
            knowledge.add_known(s, SEAT, kind, number)
            knowledge.add_has(s, SEAT, 2, kind, number)
            knowledge.add_token(s, 2, kind, number)
        for tally in (s.hands[SEAT], s.known[SEAT], s.has[SEAT, 2], s.tokens[2]):
            assert numbers(tally) == {k: 1 if k == kind else 3 for k in range(KINDS)}


@pytest.mark.parametrize("decks", [1, 2])
def test_the_newest_batch_that_may_have_held_a_card_laid(decks: int) -> None:
    """Of two packs the numbers laid so far are shown, of one pack a card for each of its pools."""
    for _, row in rows(decks):
        s = lay_out(row, decks)
        for kind in SOME:
            laid = [0]
            for batch in row:
                laid.append(laid[-1] + batch.least[kind] if decks == 1 else max(laid[-1], batch.least[kind]))
            for number in range(1, 4):
                shown = [b for b in range(len(row)) if laid[b + 1] >= number]
                assert possible.latest(s, SEAT, kind, number) == (shown[0] if shown else len(row) - 1)


@pytest.mark.parametrize("decks", cases([1, 2]))
@pytest.mark.parametrize(("one", "other"), cases([(BATCHES, 0), (9, 9)]))
def test_worlds_fill_long_rows(one: int, other: int, decks: int) -> None:
    """Seats have drawn a card at a time, each after they had shown that they lacked it; with two long rows and one pack
    there is too much to count.
    """
    s = empty(SEATS, {"decks": str(decks)})
    s.pools = 1
    drawn, rest = list(range(one + other)), [20, 21, 22, 23]
    s.tokens[0] = masks(Counter(drawn + rest))
    hands = {1: drawn[:one], 2: drawn[one:]}
    for seat, hand in hands.items():
        lacked = [*hand, 23][1:]
        row = [Batch(0, has=Counter([kind]), most=Counter([lack])) for kind, lack in zip(hand, lacked, strict=True)]
        put(s, seat, row)
        s.hands[seat], s.counts[seat] = masks(Counter(hand)), len(hand)
    s.stock[: len(rest)], s.stock_size = rest, len(rest)
    contract.redact(s, 0)
    for world in oracle.worlds_for(s, 0, 5, prng.key_of("long rows")):
        cards = [int(card) for card in world.stock[: len(rest)]]
        for seat, hand in hands.items():
            came = [numbers(world.has[seat, b]) for b in range(len(hand))]
            assert {batch.total() for batch in came} <= {1}
            assert not any(came[b][lacked] for k, lacked in enumerate(hand) for b in range(k))
            assert numbers(world.hands[seat]) == sum(came, Counter())
            cards += numbers(world.hands[seat]).elements()
        assert sorted(cards) == drawn + rest


@pytest.mark.parametrize("decks", [1, 2])
def test_a_hand_is_what_came_and_is_not_laid(decks: int) -> None:
    """In a world, for any previous hand."""
    for number in range(ROUNDS):
        dice = random.Random(f"{decks} {number}")
        row = [Batch(b) for b in range(dice.randint(1, 3))]
        gone, known, hand = Counter[int](), Counter[int](), Counter[int]()
        for kind in SOME:
            came = dice.sample(row, dice.randint(0, len(row)))
            for batch in came:
                batch.has[kind] += 1
            left = dice.randint(0, min(len(came), decks))
            gone[kind] = len(came) - left
            known[kind] = dice.randint(0, decks - left)
            hand[kind] = left + known[kind]
        s = lay_out(row, decks)
        s.gone[SEAT], s.known[SEAT] = masks(gone), masks(known)
        s.hands[SEAT] = masks(Counter({kind: dice.randint(0, 3) for kind in SOME}))
        possible.settle_hand(s, SEAT)
        assert numbers(s.hands[SEAT]) == +hand


def test_an_ace_laid_is_not_in_the_hand() -> None:
    """The ace of spades is kind 0, so a mask of it alone is 1."""
    ace, king = parse_cards("AS KS")
    s = lay_out([Batch(0, room=2, has=Counter([ace, king]))], 1)
    s.gone[SEAT] = masks(Counter([ace]))
    possible.settle_hand(s, SEAT)
    assert numbers(s.hands[SEAT]) == Counter([king])
