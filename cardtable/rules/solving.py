"""Solve a state of a game with its solver (`cardtable.rules.solver`), and replay the result."""

from __future__ import annotations

import numpy as np

from cardtable.base.errors import NoSolver
from cardtable.base.message import Message
from cardtable.base.types import MoveCode, MoveText
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.solver import SOLVED, Answer, Limits, Solution, checked


def solve(game: Game, s: State, limits: Limits) -> Answer:
    """Solve a state of a game, in which a move is to be made; the solver sees all cards.

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
    s, words = s.copy(), []
    for move in moves:
        words.append(game.presentation.move_text(s, move))
        contract.play(s, 0, move)
    return tuple(words)


def solution(game: Game, s: State, answer: Answer) -> Solution:
    """An answer about a state, in notation."""
    return Solution(answer.status, texts(game, s, answer.moves), answer.states, answer.seconds)
