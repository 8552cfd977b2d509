"""Games of OpenSpiel and Cardtable with the same rules, and duels between their players. Needs OpenSpiel."""

from __future__ import annotations

import math
import random
from typing import Any, cast

import numpy as np
import pytest
from openspiel import FLAT, IS_MCTS, Ours, SpielDuel, Theirs, pairings, spiel_duel
from spiel_games import COURSES, CrazyEights, OhHell, made, move_for, names_suit

from cardtable.bots.searcher import Searcher
from cardtable.kernel import bits, prng
from cardtable.lab.rivals import openspiel
from cardtable.rules import contract
from cardtable.rules.worlds import Work
from cardtable.views.observed import Past
from tests.support.programs import needs

pytestmark = [pytest.mark.exhaustive, needs("OpenSpiel")]
KEY = prng.key_of("spiel")


def legal_of(course: Any, s: Any) -> list[int]:
    moves = np.empty(course.game.rules.MAX_MOVES + 1, np.int64)
    return [int(move) for move in moves[: int(contract.legal(s, bits.lowest(int(contract.actors(s))), moves))]]


@pytest.mark.parametrize("name", COURSES)
def test_both_systems_play_the_same_game(name: str) -> None:
    """At random: the same moves are legal all the way, and the payoffs are the same at the end."""
    course: Any = COURSES[name](openspiel())
    chance, shuffled, ended = random.Random(1), 0, 0
    for number in range(12):
        s, t = course.deal(KEY, number)
        while not course.over(s, t):
            legal = legal_of(course, s)
            ours = {tuple(course.actions(s, move)[:1]) for move in legal}
            assert ours == {(action,) for action in t.legal_actions()}
            move = chance.choice(legal)
            chosen = course.actions(s, move)
            chosen = chosen[:1] if chosen[0] == CrazyEights.draw else chosen
            if course.name == "crazy-eights" and chosen[0] < CrazyEights.draw:
                assert names_suit(course, t, chosen[0]) == (len(chosen) == 2)
            assert move_for(course, s, legal, chosen) == move
            stock = int(s.stock_size) if course.name == "crazy-eights" else 0
            made(course, s, t, move)
            shuffled += course.name == "crazy-eights" and int(s.stock_size) > stock
        if t.is_terminal():
            ended += 1
            assert course.paid(s) == course.values(t)
    assert ended > 6
    assert shuffled or course.name == "oh-hell"


def differ(course: Any, s: Any, t: Any, chance: random.Random) -> bool:
    """Whether some worlds of the seat that is to act differ; all of them are as the seat has seen it."""
    seat = t.current_player()
    draw = course.worlds(t, seat, chance)
    worlds = [draw() for _ in range(4)]
    for world in worlds:
        assert world.legal_actions() == t.legal_actions()
        assert world.current_player() == seat
        if course.name == "crazy-eights":
            assert world.observation_string(seat) == t.observation_string(seat)
        else:
            assert world.information_state_string(seat) == t.information_state_string(seat)
    return len({str(world) for world in worlds}) > 1


@pytest.mark.parametrize("name", COURSES)
def test_worlds_agree_with_what_a_seat_has_seen(name: str) -> None:
    """The seat sees the same in them, the others hold as many cards, and not always the same. A deal of Crazy Eights at
    random takes hundreds of moves, and each world replays all before it: of the later ones, every 16th is looked at.
    """
    course: Any = COURSES[name](openspiel())
    chance = random.Random(2)
    looked = 0
    for number in range(4):
        s, t = course.deal(KEY, number)
        turn = 0
        while not course.over(s, t):
            if turn <= 40 or turn % 16 == 0:
                looked += differ(course, s, t, chance)
            made(course, s, t, chance.choice(legal_of(course, s)))
            turn += 1
    assert looked > 40


def test_both_know_which_cards_are_not_dealt_in_oh_hell() -> None:
    """OpenSpiel's worlds hold the cards of the deal and no others, so ours must, too."""
    course, work, chance = OhHell(openspiel()), Work.new(), random.Random(4)
    for number in range(4):
        s, t = course.deal(KEY, number)
        held = sum(int(hand) for hand in cast(Any, s).hands)
        assert held.bit_count() == 40
        seat = t.current_player()
        for _ in range(20):
            world = course.worlds(t, seat, chance)()
            cards = [entry.action for entry in world.full_history() if entry.action < course.bid][-41:-1]
            assert sum(1 << course._move[action] for action in cards) == held
            seen: Any = s.copy()
            contract.redact(seen, seat)
            seen.rng[:] = prng.key_of(str(chance.random()))
            contract.resample(seen, seat, work)
            assert sum(int(hand) for hand in seen.hands) == held


@pytest.fixture(scope="module", params=COURSES)
def game(request: pytest.FixtureRequest) -> str:
    """A game whose duels have run once: all is compiled and loaded."""
    spiel_duel(request.param, FLAT, budget=0.002, deals=2, seed="compiled")
    return str(request.param)


@pytest.mark.parametrize("rival", [IS_MCTS, FLAT])
def test_a_duel(game: str, rival: str) -> None:
    assert (game, rival) in pairings()
    told: list[SpielDuel] = []
    found = spiel_duel(game, rival, budget=0.002, deals=2, seed="test", progress=told.append)
    assert told == [found]
    assert found.low <= found.difference <= found.high
    assert (found.game, found.rival, found.deals) == (game, rival, 2)
    assert found.our_simulations >= 2
    assert found.their_simulations >= 2
    assert found.our_seconds > 0.0
    assert game in found.text()
    assert found.as_dict()["seed"] == "test"


def test_uniform_worlds_know_no_past(monkeypatch: pytest.MonkeyPatch) -> None:
    course, pasts, grow = OhHell(openspiel()), [], Searcher.grow

    def seen(self: Searcher, *args: Any, past: Past | None, **more: Any) -> Any:
        pasts.append(past)
        return grow(self, *args, past=past, **more)

    monkeypatch.setattr(Searcher, "grow", seen)
    s, t = course.deal(KEY, 0)
    for uniform in (True, False):
        found = Ours(course, 0.001, 1, uniform).decide(s, t.current_player(), Past(course.game.rules.State, 0))
        assert found[0] in legal_of(course, s)
    assert [past is None for past in pasts] == [True, False]


def test_the_difference_is_ours_less_theirs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where our seats get 3 and theirs 1, it is 2."""

    def played(course: Any, ours: Any, theirs: Any, clocks: Any, way: tuple[int, ...], *_: Any) -> Any:
        return [3.0 if seat in way else 1.0 for seat in range(4)], True

    monkeypatch.setattr("openspiel._play", played)
    found = spiel_duel("crazy-eights", FLAT, deals=3)
    assert (found.low, found.difference, found.high, found.void) == (-math.inf, 2.0, math.inf, 0)  # few, and all equal


def test_their_search_finds_what_wins_at_once() -> None:
    """The last card is laid by each of them."""
    course = CrazyEights(openspiel())
    chance = random.Random(3)
    for rival in (IS_MCTS, FLAT):
        theirs, found = Theirs(course, rival, 0.05, 1), 0
        for number in range(8):
            s, t = course.deal(KEY, number)
            while not course.over(s, t) and found < 2:
                seat, legal = t.current_player(), legal_of(course, s)
                able: Any = s
                if int(able.counts[seat]) == 1 and len(legal) > 1:
                    actions, _ = theirs.decide(s, t, seat)
                    assert actions[0] < CrazyEights.draw
                    found += 1
                    break
                made(course, s, t, legal[0] if legal[0] < 70 else chance.choice(legal))
        assert found


def test_a_bid_that_is_made_pays_more_there() -> None:
    """And one of none does not: OpenSpiel's points."""
    course = OhHell(openspiel())
    s: Any = course.deal(KEY, 0)[0]
    s.bids[:4], s.tricks[:4], s.gained[:4] = [0, 2, 3, 1], [0, 2, 4, 4], [10, 20, -10, -30]
    assert course.paid(s) == [10.0, 30.0, -10.0, -30.0]
