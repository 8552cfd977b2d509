"""Cards that a position names nowhere are dealt so that they agree with all that is known, or refused in words."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable
from typing import Any

import pytest

from cardtable.base.errors import PositionError
from cardtable.match.match import Match
from cardtable.rules.unlisted import Held, deal, lacks, some_of, wrong
from tests.support.games import oracle

#: A trick has shown that seat 2 has no hearts.
SHOWN: dict[str, Any] = {
    "game": "oh-hell",
    "hands": ["AH 3H", "*1", "*1"],
    "upcard": "9S",
    "turn": 0,
    "trick": "7H 5S",
    "bids": [1, 1, 2],
    "tricks": [1, 0, 0],
    "dealer": 2,
    "deal": 8,
}
PENALISED = {"enforce": "penalise", "detect": "immediate"}
#: Games with facts about hidden cards, and options under which there are most.
FACTS = [
    ("oh-hell", {}),
    ("busca", {}),
    ("fan-tan", {}),
    ("fan-tan", PENALISED),
    ("domino-fan-tan", {}),
    ("michigan", {}),
    ("michigan", PENALISED),
    ("play-or-pay", PENALISED),
    ("cassino", {}),
    ("thirty-one", {}),
    ("crazy-eights", {}),
    ("i-doubt-it", {}),
]


def test_a_void_that_the_trick_has_shown_is_heeded() -> None:
    for seed in range(100):
        hands = Match.from_position(SHOWN, seed=seed, auto=False)._s.hands
        assert not hands[2] >> 13 & 0x1FFF


def test_a_position_is_refused_only_if_no_deal_agrees() -> None:
    few = SHOWN | {"trick": "", "tricks": [0, 0, 0], "bids": [2, 2, 2], "deal": 7, "hands": ["KS *3", "2S *3", "*4"]}
    m = Match.from_position(few | {"voids": ["", "", "H D C"]}, seed=0, auto=False)
    assert not int(m._s.hands[2]) >> 13
    with pytest.raises(PositionError, match="no way was found") as caught:
        Match.from_position(few | {"voids": ["", "", "S H D C"]}, seed=0)
    assert caught.value.code == "position/impossible"


def starred(m: Match, way: int) -> dict[str, Any]:
    """The position with stars for cards of the hands: of those who are not to act, of all, or for every second card."""
    keys = m.position().as_dict()
    hands = [text.split() for text in keys["hands"]]
    named = [cards if way == 0 and p in m.actors else cards[::2] * (way == 2) for p, cards in enumerate(hands)]
    stars = [len(cards) - len(left) for cards, left in zip(hands, named, strict=True)]
    return keys | {"hands": [" ".join(cards + [f"*{n}"] * (n > 0)) for cards, n in zip(named, stars, strict=True)]}


@pytest.mark.parametrize(("game", "options"), FACTS)
def test_stars_stand_for_any_cards_that_agree(game: str, options: dict[str, Any]) -> None:
    """Positions from play, in which hands become stars, can be set up with any seed."""
    m = Match(game, rules=None, seed="stars", auto=False, **options)
    chance = random.Random(game)
    number = looked = 0
    while m.actors and m.deal == 1 and looked < 8:
        if number % 11 == 7:
            looked += 1
            again = Match.from_position(starred(m, looked % 3), seed=number, auto=False)
            assert [len(again.view(p).hand) for p in range(m.seats)] == [len(m.view(p).hand) for p in range(m.seats)]
        seat = chance.choice(m.actors)
        m.play(chance.choice(m.legal(seat)), seat)
        number += 1
    assert looked


@pytest.mark.parametrize(
    ("rooms", "facts"),
    [
        ([2, 2, 2], [[lacks(0b11)], [lacks(0b110)], []]),
        ([2, 2, 2], [[some_of(0b11)], [Held(0b111000, 1, 1)], [lacks(1)]]),
        ([1, 1, 4], [[lacks(0b1110)], [], [some_of(0b11)]]),
    ],
)
@pytest.mark.parametrize("kind", ["counted", "swapped"])
def test_each_way_to_deal_has_the_same_chance(
    rooms: list[int], facts: list[list[Held]], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeded; another seed would fail with the chance `oracle.CHANCE`."""
    if kind == "swapped":
        monkeypatch.setattr("cardtable.rules.unlisted.STEPS", 0)
        monkeypatch.setattr("cardtable.rules.unlisted.SWAPS", 60)
    chance = random.Random("deal")
    cards = list(range(6))
    ways: dict[Hashable, float] = {
        hands: 1.0
        for hands in oracle.placements(0b111111, [0, 0, 0], rooms)
        if not any(wrong([k for k in cards if hand >> k & 1], row) for hand, row in zip(hands, facts, strict=True))
    }
    drawn: Counter[Any] = Counter()
    for _ in range(oracle.enough(ways)):
        chance.shuffle(cards)
        dealt = deal(list(cards), rooms, facts, chance.shuffle)
        drawn[tuple(sum(1 << card for card in hand) for hand in dealt)] += 1
    assert set(drawn) <= set(ways)
    oracle.check_deviates([oracle.chi_square(drawn, ways)])
