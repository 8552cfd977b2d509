"""What is known in Michigan: the facts that acts prove leave open just those worlds in which the same acts would have
been seen.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from cardtable import CardtableError, Match
from cardtable.base.cards import parse_set
from cardtable.bots import bot
from cardtable.kernel import prng
from cardtable.rules import contract
from cardtable.rules.worlds import Work
from tests.games.michigan.michigan_tables import table
from tests.support.effort import cases

CARDS = "3S 4S 7S 9S 2H 3H 8H 5D 6D 4C KC"
RULES: list[tuple[str, dict[str, Any]]] = [
    ("michigan", {}),
    ("cross-color", {}),
    ("spinado", {}),
    ("michigan", {"enforce": "penalise"}),
    ("michigan", {"enforce": "penalise", "detect": "immediate"}),
]


def splits(cards: list[str]) -> Iterator[list[list[str]]]:
    """Every way to give three hands of three cards and a dead hand of two, seat 0's first three fixed."""
    own, rest = cards[:3], cards[3:]
    for one in itertools.combinations(rest, 3):
        others = [card for card in rest if card not in one]
        for two in itertools.combinations(others, 3):
            yield [own, list(one), list(two), [card for card in others if card not in two]]


def sit(world: list[list[str]], rules: str, options: dict[str, Any]) -> Match:
    """A deal of these hands, seat 1 to lead."""
    return table(
        [" ".join(hand) for hand in world[:3]], rules, auto=False, turn=1, dead=" ".join(world[3]), options=options
    )


def acts_of(m: Match, dice: np.random.RandomState, length: int) -> list[tuple[int, str]]:
    """Play at random, and return the moves."""
    done: list[tuple[int, str]] = []
    while m.actors and len(done) < length:
        legal = m.legal()
        done.append((m.actors[0], legal[int(dice.randint(len(legal)))]))
        m.play(done[-1][1])
        if not m.actors:
            m.undo()
            return done[:-1]
    return done


def same(world: list[list[str]], rules: str, options: dict[str, Any], acts: list[tuple[int, str]], end: bytes) -> bool:
    """Whether seat 0 would have seen just the same in this world."""
    m = sit(world, rules, options)
    for seat, move in acts:
        if m.actors != (seat,):
            return False
        try:
            m.play(move)
        except CardtableError:
            return False
    return known_at_end(m) == end


def known_at_end(m: Match) -> bytes:
    """The knowledge of seat 0 at the end, without that of earlier events."""
    s = m._s.copy()
    contract.clear_events(s)
    contract.redact(s, 0)
    return bytes(s.tobytes())


@pytest.mark.rules("MI-18", "MI-20", "MI-24", "MI-Q12", "MI-Q16", "MI-Q18")
@pytest.mark.parametrize(("rules", "options"), RULES)
@pytest.mark.parametrize("seed", cases(range(2)))
def test_facts_leave_open_the_worlds_that_agree(rules: str, options: dict[str, Any], seed: int) -> None:
    """Every split of the hidden cards is tried: `resample` may draw exactly those consistent with all acts."""
    dice = np.random.RandomState(seed + 10)
    cards = [str(card) for card in dice.permutation(CARDS.split())]
    if rules == "spinado":
        cards[5] = "AD"
    m = sit([cards[:3], cards[3:6], cards[6:9], cards[9:]], rules, options)
    acts = acts_of(m, dice, 7)
    end = known_at_end(m)
    gone = {move for _, move in acts if len(move) == 2}
    gone |= {"AD"} if any(move == "spin" for _, move in acts) else set()
    agree = set()
    for world in splits(cards):
        if same(world, rules, options, acts, end):
            agree.add(tuple(parse_set(" ".join(card for card in hand if card not in gone)) for hand in world[1:]))
    work, state = Work.new(), m._s.copy()
    contract.redact(state, 0)
    drawn = set()
    for k in range(60 + 12 * len(agree)):
        trial = state.copy()
        prng.derive(trial.rng, prng.key_of("worlds"), k, prng.BOT)
        contract.resample(trial, 0, work)
        drawn.add((int(trial.hands[1]), int(trial.hands[2]), int(trial.dead)))
    assert drawn == agree, f"{acts}: {len(drawn)} drawn, {len(agree)} agree"


@pytest.mark.rules("MI-13")
def test_after_a_deal_the_dead_hand_is_what_nobody_has_and_nobody_laid() -> None:
    """The hands left are shown, the dead hand is not; each world has the same one."""
    m = Match("michigan", 4, seed=5, deals=2, pause=True)
    player = bot("medium", 1)
    while not m._s.over:
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    world = m._s.copy()
    contract.redact(world, 0)
    assert world.dead == 0
    contract.resample(world, 0, Work.new())
    assert world.dead == m._s.dead
