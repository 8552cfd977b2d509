"""Where a lost game was lost: the last position of a deal from which the game's solver finds a win, and the move there.

The positions of a deal that can be won are its first ones: whoever can win later could win before, by the moves that
were made. So the last of them is found by halving. A solver that looks at all cards, the hidden ones, too, may miss a
win; what it does not find within its limit is never called lost, only what it has proved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from cardtable.base.errors import NoSolver
from cardtable.base.message import Message, Moves, mark
from cardtable.base.types import JsonObject, MoveText, SeatNumber
from cardtable.match.match import Match
from cardtable.review.review import questions
from cardtable.rules import contract
from cardtable.rules.game import Game
from cardtable.rules.solver import SOLVED, UNWINNABLE, Limits
from cardtable.rules.solving import solution, solve

AT_ONCE = 4  #: positions that are solved in one portion
MAY, DID = (
    mark(
        "Move {n} ({move}) may have lost the game: before it a solution goes on with {best}, and after it none was "
        "found."
    ),
    mark("Move {n} ({move}) lost the game: before it a solution goes on with {best}, and after it nothing wins."),
)
UP = mark("From the last position the game could still be won, with {best} next.")
NOWHERE = mark("No solution was found from any position of the deal; there may be one.")
LOOKING = mark("Looking for the place where the game was lost …")


@dataclass(frozen=True)
class Loss:
    """Where a deal was lost, as far as it is known. Positions are numbered by the move before which they are, from 1;
    the last one may be that in which the deal was given up.
    """

    positions: int
    won: int  #: the last position from which the solver has found a win so far; 0: none
    open: int  #: the first later one from which it has found none, or the number after the last position
    proved: bool = False  #: from `open` on, nothing wins
    move: MoveText = ""  #: the one made at `won`; empty: it is the last position, and not over
    best: MoveText = ""  #: the first one of the solution from `won`

    @property
    def complete(self) -> bool:
        """Whether no position lies between the two."""
        return self.open - self.won <= 1

    @property
    def message(self) -> Message:
        """What is known, as a sentence."""
        if not self.complete:
            return Message(LOOKING)
        if not self.won:
            return Message(NOWHERE)
        if not self.move:
            return Message(UP, best=Moves(self.best))
        text = DID if self.proved else MAY
        return Message(text, n=self.won, move=Moves(self.move), best=Moves(self.best))

    def as_dict(self) -> JsonObject:
        """What is known as a JSON-able dict."""
        return asdict(self) | {"complete": self.complete}


def begun(m: Match, seat: SeatNumber, deal: int) -> Loss | None:
    """Before the first position of a deal is solved; None if the seat has won it, or the game has no solver.

    Raises OptionError (no such seat or deal).
    """
    questions(m, seat, deal)  # there are such
    won = any(result.deal == deal and result.winner == seat for result in m.results)
    if won or not m.game.solvable:
        return None
    count = len(_states(m, deal))
    return Loss(count, 0, count + 1, proved=count == len(m.deals[deal - 1].acts))


def narrowed(m: Match, deal: int, loss: Loss, states: int | None = None) -> Loss:
    """What is known after some more positions of a deal are solved, each by expanding so many positions at most, or
    as many as for a deal that can be won.

    Raises NoSolver.
    """
    game = m.game
    if game.solver_effort is None:
        raise NoSolver(Message(game.title))
    acts, each = m.deals[deal - 1].acts, _states(m, deal)
    for _ in range(AT_ONCE):
        if loss.complete:
            break
        middle = (loss.won + loss.open) // 2
        status, best = _solved(game, each[middle - 1], states or game.solver_effort.most)
        if status == SOLVED:
            move = acts[middle - 1].move if middle <= len(acts) else ""
            loss = replace(loss, won=middle, move=move, best=best)
        else:
            loss = replace(loss, open=middle, proved=status == UNWINNABLE)
    return loss


def lost(
    m: Match, seat: SeatNumber, deal: int, states: int | None = None, each: Callable[[Loss], object] = str
) -> Loss | None:
    """Where a seat lost a deal; None if it won it, or the game has no solver. each: is called with what is known after
    each portion. Raises OptionError.
    """
    loss = begun(m, seat, deal)
    while loss and not loss.complete:
        loss = narrowed(m, deal, loss, states)
        each(loss)
    return loss


def _states(m: Match, deal: int) -> list[contract.State]:
    """The positions of a deal: before each of its moves, and after the last one if it is not over then."""
    states = []
    last = None
    for s, seat, code in m.deals[deal - 1].turns():
        states.append(s.copy())
        last = seat, code
    end = states[-1].copy() if states else m.snapshot()
    if last is not None:
        contract.play(end, *last)
    return states if end.over else [*states, end]


def _solved(game: Game, s: contract.State, states: int) -> tuple[str, MoveText]:
    """What the solver finds, and the first move of a solution."""
    solved = solution(game, s, solve(game, s, Limits(None, states)))
    return solved.status, solved.moves[0] if solved.moves else ""
