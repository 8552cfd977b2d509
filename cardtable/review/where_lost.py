"""Where a lost game was lost: the last position of a deal that the game's solver wins, and the move there.

The winnable positions of a deal are its first ones: a later win implies an earlier one, by the moves that were made.
So the last of them is found by bisection. The solver uses all cards, including hidden ones, and may miss a win; only
proved losses are called lost, never failures within the limit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace

from cardtable.base.errors import NoSolver
from cardtable.base.message import Message, Moves, Value, as_data, from_data, mark
from cardtable.base.types import Json, JsonObject, MoveText, SeatNumber
from cardtable.match.match import Match
from cardtable.review.review import questions
from cardtable.rules import contract
from cardtable.rules.game import Game
from cardtable.rules.solver import SOLVED, UNWINNABLE, Limits
from cardtable.rules.solving import solution, solve

AT_ONCE = 4  #: positions that are solved in one portion
MAY, DID = (
    mark(
        "Move {n} ({move}) may have lost the game: before it a solution continues with {best}, and after it none was "
        "found."
    ),
    mark("Move {n} ({move}) lost the game: before it a solution continues with {best}, and after it nothing wins."),
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
    move: MoveText = ""  #: the move made at `won`; empty: it is the last position, and not over
    best: MoveText = ""  #: the first one of the solution from `won`
    names: tuple[Json, ...] = ()  #: of these two for people, messages as JSON; of the last alone if the first is empty

    @property
    def complete(self) -> bool:
        """Whether no position lies between the two."""
        return self.open - self.won <= 1

    @property
    def message(self) -> Message:
        """The result as a sentence."""
        if not self.complete:
            return Message(LOOKING)
        if not self.won:
            return Message(NOWHERE)
        if not self.move:
            return Message(UP, best=self._name(-1, self.best))
        text = DID if self.proved else MAY
        return Message(text, n=self.won, move=self._name(0, self.move), best=self._name(-1, self.best))

    def _name(self, which: int, move: MoveText) -> Value:
        return from_data(self.names[which]) if self.names else Moves(move)

    def as_dict(self) -> JsonObject:
        """The result as a JSON-able dict."""
        told = asdict(self) | {"complete": self.complete}
        del told["names"]
        return told


def begun(m: Match, seat: SeatNumber, deal: int) -> Loss | None:
    """The result before the first position of a deal is solved; None if the seat has won it, or the game has no
    solver.

    Raises OptionError (no such seat or deal).
    """
    questions(m, seat, deal)  # it exists
    won = any(result.deal == deal and result.winner == seat for result in m.results)
    if won or not m.game.solvable:
        return None
    count = len(_states(m, deal))
    return Loss(count, 0, count + 1, proved=count == len(m.deals[deal - 1].acts))


def narrowed(m: Match, deal: int, loss: Loss, states: int | None = None) -> Loss:
    """The result after solving some more positions of a deal, with at most this number of expanded positions each, or
    as many as for a winnable deal.

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
    """Where a seat lost a deal; None if it won it, or the game has no solver. each: called with the result after each
    portion. Raises OptionError.
    """
    loss = begun(m, seat, deal)
    while loss and not loss.complete:
        loss = narrowed(m, deal, loss, states)
        each(loss)
    return loss


def named(m: Match, deal: int, loss: Loss) -> Loss:
    """A result with the names of its moves for people, to whom their notation means nothing."""
    if not loss.complete or not loss.won:
        return loss
    s, words = _states(m, deal)[loss.won - 1], m.game.presentation
    seat = int(contract.actors(s)).bit_length() - 1
    codes = [words.parse_move(s, text) for text in (loss.move, loss.best) if text]
    return replace(loss, names=tuple(as_data(words.choices(s, seat, [code])[0].told) for code in codes))


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
    """The solver's result, and the first move of a solution."""
    solved = solution(game, s, solve(game, s, Limits(None, states)))
    return solved.status, solved.moves[0] if solved.moves else ""
