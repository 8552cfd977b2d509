"""Weighted worlds of Crazy Eights: what a seat did not lay, and that it drew, says what it did not hold."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from typing import Any

import numpy as np
import oracle
import pytest
import test_chain
from effort import cases
from test_chain import ALIKE, KEY, PLAIN, counted, likelihood, past_of
from test_crazy_eights_worlds import late, redeals

from cardtable import catalog, contract
from cardtable.games.crazy_eights import rules
from cardtable.games.crazy_eights.state import DRAW
from cardtable.kernel import bits, prng
from cardtable.search.chain import Weighted
from cardtable.testing.houses import House, redacted

GAME = catalog.find("crazy-eights")
VARIED = {"jokers": (("jokers", "2"),), "short": (("hand_size", "3"), ("starter_wild", "free"))}


def told(begin: Any, acts: int, stray: float, dice: random.Random) -> oracle.Story:
    """A story in which all seats play the heuristic, but for a share of random moves; it ends before a reshuffle."""
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
    found: dict[tuple[int, ...], float] = defaultdict(float)
    moves = np.empty(rules.MAX_MOVES + 1, np.int64)
    for deal in redeals(begin, viewer, sure):
        end = oracle.replays(story, deal, viewer, moves)
        if end is not None:
            held = tuple(0 if p == viewer else int(end.hands[p, 0]) for p in range(int(end.seats)))
            found[held] += likelihood(GAME, deal, story.acts, viewer)
    total = sum(found.values())
    return {held: weight / total for held, weight in found.items()}


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


@pytest.mark.rules("CE-12", "CE-Q1")
@pytest.mark.parametrize("seats", cases([2, 4, 5]))
@pytest.mark.parametrize("name", cases(VARIED))
def test_no_weighted_world_contradicts_what_was_seen(seats: int, name: str) -> None:
    """With jokers, and after reshuffles, too."""
    test_chain.test_no_weighted_world_contradicts_what_was_seen(House("crazy-eights", "denexa", seats, VARIED[name]))
