"""Weighted worlds of Crazy Eights: what a seat did not lay, and that it drew, says what it did not hold."""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest

from cardtable.base.cards import parse_cards, set_of
from cardtable.games.crazy_eights import places, rules
from cardtable.games.crazy_eights.knowledge import give
from cardtable.games.crazy_eights.state import DRAW
from cardtable.kernel import bits, prng
from cardtable.rules import catalog, contract
from cardtable.search.chain import Weighted
from cardtable.testing.houses import House, redacted
from tests.conftest import PLAIN
from tests.games.crazy_eights.test_crazy_eights_worlds import late, redeals, unlucky
from tests.rules import test_chain
from tests.rules.test_chain import ALIKE, KEY, counted, likelihood, past_of
from tests.support.games import oracle

GAME = catalog.find("crazy-eights")
VARIED = {"jokers": (("jokers", "2"),), "short": (("hand_size", "3"), ("starter_wild", "free"))}


def told(begin: Any, acts: int, stray: float, dice: random.Random) -> oracle.Story:
    """A story in which all seats play the heuristic, except for a share of random moves; it ends before a reshuffle."""
    s, opening = begin.copy(), list[int]()
    moves = np.empty(rules.MAX_MOVES + 1, np.int64)
    while (mask := int(contract.actors(s))) and len(opening) < acts:
        seat = bits.lowest(mask)
        n = int(contract.legal(s, seat, moves))
        move = int(contract.heuristic(s, seat, moves, n)) if dice.random() >= stray else int(moves[dice.randrange(n)])
        if move == DRAW and not s.stock_size:
            break
        opening.append(move)
        contract.play(s, seat, move)
    return oracle.tell(begin, len(opening), prng.key_of("none"), rules.MAX_MOVES, opening)


def exact(begin: Any, sure: int, story: oracle.Story, viewer: int) -> dict[tuple[int, ...], float]:
    """The chance of all hands that the viewer may think possible, by enumeration."""
    weights: dict[tuple[int, ...], float] = defaultdict(float)
    moves = np.empty(rules.MAX_MOVES + 1, np.int64)
    for deal in redeals(begin, viewer, sure):
        end = oracle.replays(story, deal, viewer, moves)
        if end is not None:
            held = tuple(0 if p == viewer else int(end.hands[p, 0]) for p in range(int(end.seats)))
            weights[held] += likelihood(GAME, deal, story.acts, viewer)
    total = sum(weights.values())
    return {held: weight / total for held, weight in weights.items()}


@pytest.mark.exhaustive
@pytest.mark.rules("CE-11")
@pytest.mark.parametrize("stray", [0.0, 0.3])
def test_the_chain_draws_hands_in_proportion_to_the_exact_posterior(stray: float) -> None:
    """Seeded (KEY, and by `stray`); other keys would fail with a chance of 1e-7 (ALIKE)."""
    dice = random.Random(f"weights {stray}")
    tried = drew = 0
    while tried < (1 if PLAIN else 12):
        begin, sure = late(3, {}, dice)
        viewer = dice.randrange(3)
        story = told(begin, dice.randint(2, 7), stray, dice)
        chances = exact(begin, sure, story, viewer) if not story.end.over else {}
        weigher = Weighted(GAME.rules.State, GAME.rules.MAX_MOVES)
        root = redacted(story.end, viewer)
        if len(chances) < 3 or not weigher.begin(root, past_of(GAME, begin, story.acts, viewer), KEY):
            continue
        drawn: Counter[tuple[int, ...]] = Counter()
        for _ in range(2 if PLAIN else 40):
            for world, number in counted(weigher.draw(thinning=60)):
                drawn[tuple(int(held) for held in world[:3])] += number
        assert set(drawn) <= set(chances), "an impossible world"
        apart = sum(abs(drawn[held] / drawn.total() - chance) for held, chance in chances.items()) / 2
        assert apart < (0.1 if PLAIN else ALIKE), (story.acts, viewer, apart)
        drew += any(seat != viewer and move == DRAW for seat, move in story.acts)
        tried += 1
    assert PLAIN or drew > 3, "a draw tells something"


@pytest.mark.exhaustive
@pytest.mark.rules("CE-12", "CE-Q1")
@pytest.mark.parametrize("seats", [2, 4, 5])
@pytest.mark.parametrize("name", VARIED)
def test_no_weighted_world_contradicts_what_was_seen(seats: int, name: str) -> None:
    """With jokers, and also after reshuffles."""
    test_chain.test_no_weighted_world_contradicts_what_was_seen(House("crazy-eights", "denexa", seats, VARIED[name]))


@pytest.mark.rules("CE-11")
@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("hand", ["JH 7D", "JH 9S 7D", "JH 9S", "9S 2S JH", "9S", "TH 9S JH 6D 7D"])
def test_a_draw_taken_back_may_be_of_each_card_alike(hand: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On 5S. Where one card fits it is taken back more often than others, and weighs less for that."""
    begin, cards, lots = unlucky({}, hand, "2C 3C"), parse_cards(hand), oracle.Lots()
    monkeypatch.setattr(places, "prng", lots)
    after = set_of(cards)
    chances = lots.outcomes(lambda: int(places.held_before(begin, 1, DRAW, after, None)))
    assert set(chances) == {after & ~(1 << card) for card in cards}
    for before, chance in chances.items():
        odds = math.exp(places.odds_before(begin, 1, DRAW, before, after))
        assert float(chance) * odds == pytest.approx(1 / len(cards))


@pytest.mark.rules("CE-Q1")
@pytest.mark.usefixtures("plainly")
def test_a_hand_holds_what_all_saw_and_as_many_other_cards() -> None:
    """Seat 1 has drawn a buried eight, and holds two cards of the pack."""
    s = unlucky({}, "JH 7D", "2C 3C")
    give(s, 1, parse_cards("8C")[0], 1)
    for held in ("8C JH 7D", "8C 2C 4D"):
        assert places.may_hold(s, 1, 1, set_of(parse_cards(held)))
    for held in ("JH 7D 2C", "JH 7D", "8C JH", "8C JH 7D 2C", "8C JH 5S"):
        assert not places.may_hold(s, 1, 1, set_of(parse_cards(held)))
