"""Worlds of Domino Fan-Tan where offences are fined: what is known of each card, and in how many ways they may lie."""

from __future__ import annotations

import itertools
import random
from functools import partial
from typing import Any

import numpy as np
import pytest

from cardtable.base.cards import parse_cards, set_of
from cardtable.games.fan_tan.rules import may_hold
from cardtable.games.fan_tan.stock import CLASSES, intervals, merge, recount, weigh
from cardtable.games.shared.stock import unseen
from cardtable.rules import worlds
from cardtable.rules.worlds import Work
from tests.support.games import tables
from tests.support.games.tables import FINED

GAME = "domino-fan-tan"
sit = partial(tables.sit, GAME, GAME)
pytestmark = pytest.mark.usefixtures("plainly")


def test_the_ways_are_as_many_as_enumeration_finds() -> None:
    """Each card may come in an interval of classes: dealt, drawn first, second and so on, or in the stock at last."""
    dice = random.Random(1)
    several = 0
    for _ in range(60):
        k, r = dice.randint(0, 3), dice.randint(0, 2)
        places = [0] * dice.randint(1, 3) + list(range(1, k + 1)) + [k + 1] * r
        first = [dice.randint(0, c) if dice.random() < 0.6 else 0 for c in places]
        last = [dice.randint(c, k + 1) if dice.random() < 0.6 else k + 1 for c in places]
        group, reach, weight = np.zeros((3, CLASSES + 1), np.int64)
        for card, (begin, end) in enumerate(zip(first, last, strict=True)):
            group[begin] |= 1 << card
            reach[: end + 1] |= 1 << card
        work = Work.new()
        recount(k, r, group, reach, work)
        weight[:] = 1
        weigh(k, group, weight)
        begin = int(weight[1 : k + 2].sum())
        ways = sum(
            all(a <= c <= b for a, c, b in zip(first, order, last, strict=True))
            for order in set(itertools.permutations(places))
        )
        assert work.ways[begin : begin + weight[k + 1]].sum() == ways
        several += ways > 3
    assert several > 20


def grouped(*cards: str) -> Any:
    """The groups of the classes 0, 1 and so on."""
    group = np.zeros(CLASSES + 1, np.int64)
    group[: len(cards)] = [set_of(parse_cards(some)) for some in cards]
    return group


def test_the_table_of_ways_has_a_layer_for_each_class_and_the_last_twice() -> None:
    weight = np.zeros(CLASSES + 1, np.int64)
    assert weigh(2, grouped("AS", "2S 3S", "4S"), weight) == 1 + 3 + 6 + 6
    assert weight[1:4].tolist() == [1, 3, 6]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("AS", "2S", "", "3S"), ("AS 2S", "", "", "3S")),
        (("AS", "", "2S", "3S"), ("AS", "", "2S 3S", "")),
        (("AS", "", "", "2S 3S"), ("AS 2S 3S", "", "", "")),
    ],
)
def test_the_group_that_is_nearest_to_the_one_before_joins_it(before: tuple[str, ...], after: tuple[str, ...]) -> None:
    group = grouped(*before)
    merge(3, group)
    assert group.tolist() == grouped(*after).tolist()


def test_groups_are_joined_until_there_is_room_for_their_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    group, reach, work = grouped("AS", "2S 3S", "4S"), grouped("AS 2S 3S 4S", "2S 3S 4S", "4S"), Work.new()
    monkeypatch.setattr(worlds, "LIMIT", 15)  # 1 + 3 + 6 + 6 entries are one too many
    recount(2, 1, group, reach, work)
    cards: Any = work.cards
    assert cards[:CLASSES].tolist() == group[:CLASSES].tolist()
    assert cards[2 * CLASSES : 2 * CLASSES + 3].tolist() == grouped("AS 2S 3S", "", "4S")[:3].tolist()


def test_what_is_counted_is_counted_again_only_for_other_cards() -> None:
    group, reach, work = grouped("AS", "2S"), grouped("AS 2S", "AS 2S"), Work.new()
    recount(1, 1, group, reach, work)
    work.ways[0] = 7  # instead of 1
    recount(1, 1, group, reach, work)
    assert work.ways[0] == 7
    recount(1, 1, group, grouped("AS 2S", "2S"), work)
    assert work.ways[0] == 1.0


def test_a_card_that_must_have_been_held_was_not_drawn_later() -> None:
    """Seat 1 draws though it could play, lays 8D, and passes because it cannot play: it held none of the other cards
    that it could have played at first, so it held 8D already.
    """
    m = sit(["TD TC", "8D KS AS"], "D 7  C 7", turn=1, stock="AH", unlisted="played", options=FINED)
    m.play("draw")
    m.play("8D")
    m.play("pass")
    m.play("pass")
    assert set_of(parse_cards("6D 6C 8C")) & ~int(m._s.lacks[1]) == 0
    group, reach = np.zeros((2, CLASSES), np.int64)
    others = set_of(parse_cards("6D 6C 8C KS AS AH"))
    view: Any = m.view(0).state
    assert intervals(view.copy(), 0, others, group, reach) == 1
    assert not set_of(parse_cards("8D")) & int(reach[1])


@pytest.mark.contract
def test_a_hand_has_what_was_shown_and_nothing_that_was_lacked() -> None:
    """And the stock may have any card."""
    s = sit(["2H", "6S 8S KH"], "S 7", stock="AC", unlisted="played", options=FINED)._s.copy()
    s.lacks[1], s.shows[1], s.one_of[1] = (set_of(parse_cards(cards)) for cards in ("7H", "KH", "6S 8S"))
    for held in ("6S KH", "8S KH 2C", "6S 8S KH"):
        assert may_hold(s, 1, 1, set_of(parse_cards(held)))
    for held in ("6S KH 7H", "6S 8S", "KH 2C", "7H 2C"):
        assert not may_hold(s, 1, 1, set_of(parse_cards(held)))
    assert may_hold(s, 1, s.seats, set_of(parse_cards("7H 2C")))


def test_unseen_are_the_other_hand_and_what_is_left_of_the_stock() -> None:
    m = sit(["2H", "6S 8S"], "S 7", stock="AC 7D 4H KD", unlisted="played")
    m.play("draw")
    sets = np.zeros(3, np.int64)
    assert unseen(m._s, 0, sets) == 3
    assert sets.tolist() == [0, *(set_of(parse_cards(cards)) for cards in ("6S 8S", "4H KD"))]
