"""Solving a game with all cards known: the moves that win, the proof that none do, or that neither was found.

A solver looks at the cards that are hidden from the players. It belongs to its game (`Game.solvable`; the module
`solver` of the game's package); here is what all solvers have in common: limits, answers, and that each solution is
replayed by the rules of the game before anybody sees it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from cardtable.base.errors import NoSolver, OptionError
from cardtable.base.languages import figure
from cardtable.base.message import Message
from cardtable.base.types import JsonObject, MoveCode, MoveText, Seed
from cardtable.rules import contract

if TYPE_CHECKING:
    from cardtable.rules.contract import State
    from cardtable.rules.game import Game

SOLVED, UNWINNABLE, NOT_FOUND = "solved", "unwinnable", "not-found"
SECONDS = 10.0  #: default limit


@dataclass(frozen=True)
class Limits:
    """What a solver may spend on a position; without limits it stops after all that it tries once."""

    seconds: float | None = SECONDS  #: of processor time
    states: int | None = None  #: positions expanded; with this limit alone, an answer can be repeated exactly
    seed: Seed = 0  #: of the solver's own chance


@dataclass(frozen=True)
class Answer:
    """What a game's solver found; `moves` win if `status` is SOLVED."""

    status: str
    moves: tuple[MoveCode, ...]
    states: int
    seconds: float


@dataclass(frozen=True)
class Solution:
    """What solving a position found.

    `status` is "solved" (`moves` win), "unwinnable" (proved: no moves win under these house rules) or "not-found"
    (neither was found within the limits, which says nothing about the position).
    """

    status: str
    moves: tuple[MoveText, ...]  #: in notation
    states: int  #: positions expanded: what it took
    seconds: float  #: processor time

    @property
    def message(self) -> Message:
        """The answer as a sentence."""
        seconds = figure(self.seconds, ".2f")
        if self.status == SOLVED:
            won = Message("Solved in {n} {n:move|moves}; that took {seconds} s.", n=len(self.moves), seconds=seconds)
            return won
        if self.status == UNWINNABLE:
            return Message("Unwinnable: all positions that can be reached were tried, {n}.", n=figure(self.states))
        return Message("No solution was found within {seconds} s; there may be one.", seconds=seconds)

    def as_dict(self) -> JsonObject:
        """The answer as a JSON-able dict."""
        return {"status": self.status, "moves": list(self.moves), "states": self.states, "seconds": self.seconds}


def checked(limits: Limits) -> Limits:
    """The limits. Raises OptionError if one is not above 0."""
    for name, value in (("seconds", limits.seconds), ("states", limits.states)):
        if value is not None and not value > 0:
            raise OptionError(
                Message("{name} = {value}", name=name, value=str(value)),
                Message("a limit is a number above 0"),
                Message("give more, or None for no limit"),
                code="options/range",
            )
    return limits


def solve(game: Game, s: State, limits: Limits) -> Answer:
    """Solve a state of a game, in which a move is to be made; nothing of it is hidden from the solver.

    Raises NoSolver, OptionError.
    """
    if game.solver is None:
        raise NoSolver(Message(game.title))
    answer = game.solver(s, checked(limits))
    if answer.status == SOLVED:
        replay(game, s, answer.moves)
    return answer


def replay(game: Game, s: State, moves: tuple[MoveCode, ...]) -> None:
    """Play a solution by the rules of the game. Raises RuntimeError, a fault of the solver, if it does not win."""
    s = s.copy()
    legal, seat = np.empty(game.rules.MAX_MOVES + 1, np.int64), 0
    for k, move in enumerate(moves):
        if move not in legal[: contract.legal(s, seat, legal)]:
            raise RuntimeError(f"move {k + 1} of a solution of {game.title} is not legal")
        contract.play(s, seat, move)
    if not s.over or s.winner != seat:
        raise RuntimeError(f"a solution of {game.title} does not win")


def texts(game: Game, s: State, moves: tuple[MoveCode, ...]) -> tuple[MoveText, ...]:
    """Moves in notation, from a state on."""
    s, found = s.copy(), []
    for move in moves:
        found.append(game.presentation.move_text(s, move))
        contract.play(s, 0, move)
    return tuple(found)


def solution(game: Game, s: State, answer: Answer) -> Solution:
    """An answer about a state, in notation."""
    return Solution(answer.status, texts(game, s, answer.moves), answer.states, answer.seconds)
