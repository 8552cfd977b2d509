"""The solver's functions for players: choosing winnable deals, and whether a game can still be won.

A winnable deal is the first of some numbers whose deal the solver wins. Its effort is limited in positions, not in
time, so every machine chooses the same deal with the same difficulty.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cardtable.base.errors import NoSolver, OptionError
from cardtable.base.message import Message, Moves, mark
from cardtable.match.match import Match
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset
from cardtable.rules.solver import SOLVED, DealEffort, Limits, Solution
from cardtable.rules.solving import solution, solve

TRIES = 5  #: most deals that are tried
YES = mark("Yes, it can still be won, with {move} next. (The hidden cards were looked at for this.)")
SECONDS = 5.0  #: of processor time for the question whether a game can still be won


@dataclass(frozen=True)
class Winnable:
    """A deal that the solver has won."""

    number: str  #: its seed
    states: int  #: positions expanded by the solver
    difficulty: str  #: how hard it was for the solver: `easy`, `medium` or `hard`


def difficulty(effort: DealEffort, states: int) -> str:
    """The difficulty of a deal that the solver wins after this number of positions."""
    return "easy" if states <= effort.easy else "medium" if states <= effort.medium else "hard"


def drawn(count: int = TRIES) -> list[str]:
    """Numbers drawn by chance, to try one after another."""
    return [str(secrets.randbelow(1 << 32)) for _ in range(count)]


def first(ruleset: Ruleset, numbers: Iterable[str], states: int | None = None) -> Winnable:
    """The first of some numbers whose deal the solver wins within a number of positions (None: the game's default).

    Raises NoSolver, OptionError (`solve/none`: it wins none of them).
    """
    game, house_rules = ruleset.game, dict[str, Any](ruleset.changed)
    effort = game.solver_effort
    if effort is None:
        raise NoSolver(Message(game.title))
    tried = 0
    for number in numbers:
        m = Match(game, ruleset.seats, ruleset.preset, number, **house_rules)
        answer = m.solve(seconds=None, states=states or effort.most)
        if answer.status == SOLVED:
            return Winnable(number, answer.states, difficulty(effort, answer.states))
        tried += 1
    why = Message("{n} deals were tried, and no solution was found", n=tried)
    can = Message("change the house rules, or take any deal")
    raise OptionError(Message("a deal that can be won"), why, can, code="solve/none")


def still(game: Game, s: State, seconds: float = SECONDS) -> Solution:
    """Whether a state can still be won, with a look at all hidden cards, within some seconds of processor time.

    Raises NoSolver, OptionError.
    """
    return solution(game, s, solve(game, s, Limits(seconds)))


def told(solution: Solution, step: Message | None = None) -> Message:
    """The answer of `still` as a sentence: the next move of a solution; proved lost; or not found.

    step: the next move in words, in the imperative; None: in notation.
    """
    if solution.status != SOLVED:
        return solution.message
    if step:
        return Message("Yes, it can still be won: {step}. (The hidden cards were looked at for this.)", step=step)
    return Message(YES, move=Moves(solution.moves[0]))
