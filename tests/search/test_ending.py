"""The end of a deal with all cards seen: alpha-beta and best responses, against plain search of every line."""

from __future__ import annotations

import json
import random
from collections.abc import Callable

import numpy as np
import pytest

from cardtable import Match, OptionError
from cardtable.analysis.endgame import BEST, MEDIUM, Found, OpenCards, two_left
from cardtable.kernel.bits import lowest
from cardtable.rules import catalog, contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.solver import Limits
from tests.support.effort import cases

FEW = 3_000  #: states of a search that plain Python can repeat
Worth = Callable[[State], float]


class TooMany(Exception):
    """Plain search gives up."""


def payoff(s: State, seat: int) -> float:
    out = np.zeros(contract.MAX_SEATS)
    contract.payoff(s, out)
    return float(out[seat])


def plain(game: Game, s: State, seat: int, rival: int, room: list[int], chance: bytes) -> float:
    """The value of a state by searching every line to its end, with nothing remembered. room: moves still allowed."""
    mask = int(contract.actors(s))
    if not mask:
        return payoff(s, seat) - (payoff(s, rival) if rival >= 0 else 0.0)
    mover = lowest(mask)
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    n = int(contract.legal(s, mover, moves))
    legal = [int(move) for move in moves[:n]]
    if rival < 0 and mover != seat and n > 1:
        legal = [int(contract.heuristic(s, mover, moves, n))]
    values = []
    for move in legal:
        room[0] -= 1
        t = s.copy()
        contract.play(t, mover, move)
        if room[0] < 0 or t.rng.tobytes() != chance:
            raise TooMany
        values.append(plain(game, t, seat, rival, room, chance))
    return max(values) if mover == seat else min(values)


def choices(name: str, seats: int | None, seed: int) -> list[tuple[State, int]]:
    """The decisions of a deal played at random, the last one first."""
    m, rng = Match(name, seats, seed=seed), random.Random(seed)
    decisions, deal = [], m.deal
    while not m.over and m.deal == deal:
        seat = m.actors[0]
        if len(m.legal(seat)) > 1:
            decisions.append((m.snapshot(), seat))
        m.play(rng.choice(m.legal(seat)), seat)
    return decisions[::-1]


def agree(end: OpenCards, s: State, seat: int, rival: int) -> Found | None:
    """What is found in a position, which plain search finds, too; None if that gives up."""
    s = s.copy()
    s.record_events, s.untracked = 0, 1
    end.start(s)
    result = end.find(seat, Limits(None, 200_000), BEST if rival >= 0 else MEDIUM)
    try:
        expected = plain(end.game, s, seat, rival, [FEW], s.rng.tobytes())
    except TooMany:
        return None
    assert result.exact, result.why
    assert result.value == pytest.approx(expected)
    after = s.copy()
    contract.play(after, seat, result.best)  # the move named brings that, too
    assert plain(end.game, after, seat, rival, [10 * FEW], s.rng.tobytes()) == pytest.approx(expected)
    return result


# Not in Crazy Eights, where drawing continues without end and shuffles: neither search comes to an end.
TWO = ["domino-fan-tan", "thirty-one", "scopa", "cassino"]
MORE = [*TWO, "fan-tan", "michigan", "oh-hell", "busca", "play-or-pay"]


@pytest.mark.parametrize("name", cases(TWO))
def test_two_seats_at_their_best_as_minimax_finds_it(name: str) -> None:
    end, compared = OpenCards(catalog.find(name)), 0
    for seed in range(6):
        for s, seat in choices(name, 2, seed):
            if int(contract.actors(s)) != 1 << seat:
                continue
            assert two_left(s)
            if agree(end, s, seat, 1 - seat) is None:
                break
            compared += 1
    assert compared >= 6


@pytest.mark.parametrize("name", cases(MORE))
def test_the_best_response_to_the_heuristic_as_plain_search_finds_it(name: str) -> None:
    end, compared = OpenCards(catalog.find(name)), 0
    for seed in range(4):
        for s, seat in choices(name, None, seed)[:12]:
            if agree(end, s, seat, -1) is None:
                break
            compared += 1
    assert compared >= 4


def test_a_match_is_asked() -> None:
    """Domino: the same answer again, all losses known, the best move's none, and no card moved."""
    m = Match("domino-fan-tan", seed=3)
    while len(m.legal()) < 2:
        m.play(m.legal()[0])
    before = m.snapshot().tobytes()
    result = m.ending(seconds=None, states=2_000_000, opponents="medium")
    assert (result.exact, result.opponents, result.why) == (True, "medium", "")
    assert set(result.loss) == set(m.legal())
    assert result.loss[result.best] == 0.0 == min(result.loss.values())
    assert m.snapshot().tobytes() == before
    assert json.loads(json.dumps(result.as_dict()))["best"] == result.best
    again = m.ending(seconds=None, states=2_000_000, opponents="medium")
    for name in ("best", "payoff", "loss", "states"):
        assert getattr(again, name) == getattr(result, name)
    m.play(result.best)
    while m.deal == 1:  # the payoff is that of the best response
        medium = contract.heuristic(m.snapshot(), m.actors[0], *legal(m)) if len(m.legal()) > 1 else None
        if m.actors[0] != result.seat or medium is None:
            m.play(m.legal()[0] if medium is None else m.game.presentation.move_text(m.snapshot(), int(medium)))
            continue
        m.play(m.ending(seconds=None, states=2_000_000, opponents="medium").best)
    assert m.results[0].payoff[result.seat] == result.payoff


def legal(m: Match) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], int]:
    """The legal moves as the contract writes them."""
    room = np.empty(m.game.rules.MAX_MOVES + 1, np.int64)
    return room, int(contract.legal(m.snapshot(), m.actors[0], room))


def test_too_small_a_limit_is_told() -> None:
    m = Match("domino-fan-tan", seed=3)
    while len(m.legal()) < 2:
        m.play(m.legal()[0])
    result = m.ending(seconds=None, states=2, opponents="best")
    assert (result.exact, result.best, result.why, dict(result.loss)) == (False, "", "states", {})
    with pytest.raises(OptionError):
        m.ending(states=0)


def test_more_than_two_seats_do_not_all_play_their_best() -> None:
    m = Match("fan-tan", 4, seed=1)
    with pytest.raises(OptionError, match="only two seats"):
        m.ending(opponents="best")
    with pytest.raises(OptionError):
        m.ending(opponents="perfect")


@pytest.mark.exhaustive
def test_chance_is_not_seen() -> None:
    """Crazy Eights shuffles its stock again: then no move is called the best, unless chance is foreseen."""
    reasons = set()
    for seed in range(4):
        m = Match("crazy-eights", 4, seed=seed)
        while len(m.legal()) < 2:
            m.play(m.legal()[0])
        reasons.add(m.ending(seconds=None, states=5_000).why)
    assert reasons <= {"", "chance", "states", "deep"}
    assert reasons - {""}
