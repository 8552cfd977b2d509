"""Search values of a position, for programs: `Match.analyse` and `Match.analysis`, from one seat's view."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.base.types import JsonObject, MoveText, SeatNumber, Seed
from cardtable.bots import MOST_ITERATIONS, UNIFORM
from cardtable.bots.levels import level_called
from cardtable.bots.searcher import Searcher, SearchResult
from cardtable.kernel import bits, prng
from cardtable.rules import contract
from cardtable.views.view import View

FIRST = 1_000  #: iterations of the first of several
LONGEST_LINE = 8  #: moves
SEARCH, FLAT = "search", "flat"


@dataclass(frozen=True)
class Estimate:
    """The value of one legal move. `mean`: the payoff of the deal to the seat if it makes the move (nan: never
    tried); `error`: the standard error of that; `visits`: deals played out after it.

    All moves are tried in the same worlds, so the difference of two means is more exact than their errors say.
    """

    move: MoveText
    mean: float
    error: float
    visits: int


@dataclass(frozen=True)
class Analysis:
    """The values of a seat's legal moves. `found["7H"]` is the estimate of a move."""

    seat: SeatNumber
    best: MoveText  #: the move to make
    moves: tuple[Estimate, ...]  #: of every legal move, in the order of `View.legal`
    line: tuple[MoveText, ...]  #: the best move and a possible continuation: in one world, by the heuristic
    worlds: int  #: in which moves were measured
    iterations: int  #: deals played out, those to learn from included
    seconds: float
    decided: bool  #: whether the search stopped because only one move was left to consider: more time changes nothing

    def __getitem__(self, move: MoveText) -> Estimate:
        """The estimate of a move, in the notation of `View.legal`. Raises KeyError."""
        for one in self.moves:
            if one.move == move:
                return one
        raise KeyError(f"no move {move!r}: there are {', '.join(one.move for one in self.moves)}")

    def as_dict(self) -> JsonObject:
        """The analysis as a JSON-able dict; a mean or an error that is not known is None."""
        return {
            "seat": self.seat,
            "best": self.best,
            "moves": [
                {"move": one.move, "mean": _known(one.mean), "error": _known(one.error), "visits": one.visits}
                for one in self.moves
            ],
            "line": list(self.line),
            "worlds": self.worlds,
            "iterations": self.iterations,
            "seconds": round(self.seconds, 4),
            "decided": self.decided,
        }


def _known(number: float) -> float | None:
    return number if math.isfinite(number) else None


def analyse(
    view: View, *, iterations: int = 10_000, seconds: float | None = None, seed: Seed = 0, bot: str = SEARCH
) -> Analysis:
    """Evaluate the moves of a view's seat, which may act, by search. seconds: the thinking time instead of a number
    of iterations; the result is then not reproducible.

    bot: `search`, `search:uniform` (worlds are not weighted by what the others did) or `flat`. Raises OptionError.
    """
    if seconds is not None:
        if not 0.0 < seconds < math.inf:
            raise OptionError(
                Message("{seconds} seconds", seconds=str(seconds)),
                Message("it takes some time to think"),
                Message("give more than 0"),
                code="options/range",
            )
        return next(_grown(view, [0], seconds, seed, bot))
    return next(_grown(view, [iterations], 0.0, seed, bot))


def analysis(
    view: View, *, iterations: Iterable[int] | None = None, seed: Seed = 0, bot: str = SEARCH
) -> Iterator[Analysis]:
    """Yield an analysis after each of these numbers of iterations, in ascending order (None: after 1,000, 2,000, 4,000
    and so on, without end). It ends when the choice is decided.

    Closing the iterator stops it. The last result equals that of `analyse` with the same number of iterations. Raises
    OptionError.
    """
    endless = (FIRST << k for k in range((MOST_ITERATIONS // FIRST).bit_length()))
    return _grown(view, endless if iterations is None else iterations, 0.0, seed, bot)


def _grown(view: View, limits: Iterable[int], seconds: float, seed: Seed, bot: str) -> Iterator[Analysis]:
    """Check the arguments, then start."""
    level, _, way = level_called(bot).partition(":")
    if level not in (SEARCH, FLAT) or way and (level != SEARCH or f":{way}" != UNIFORM):
        raise OptionError(
            Message("analyse with {name}", name=repr(bot[:60])),
            Message("it must be one that weighs the moves, without a budget"),
            Message("take search, search:uniform or flat"),
        )
    asked = limits
    if not seconds:
        asked = _checked(iter(limits))
        # Refuse at once what can be refused. A list also limits the size of the tree.
        asked = list(asked) if isinstance(limits, Sequence) else itertools.chain(itertools.islice(asked, 1), asked)
    past = view.past if level == SEARCH and not way else None

    def grow() -> Iterator[Analysis]:
        assert view.seat is not None
        thinking = Searcher(view.game).grow(
            view.state, view.seat, prng.key_of(seed), asked, seconds=seconds, flat=level == FLAT, past=past
        )
        for result in thinking:
            yield _analysis_of(view, result, seed)
            if result.decided:
                return

    return grow()


def _checked(limits: Iterator[int]) -> Iterator[int]:
    """Numbers of iterations, each checked when it is asked for."""
    before = 0
    for limit in limits:
        if not before < limit <= MOST_ITERATIONS:
            raise OptionError(
                Message("{n} iterations", n=str(limit)),
                Message("they ascend from {low} to {high}", low=before + 1, high=MOST_ITERATIONS),
                Message("give another number"),
                code="options/range",
            )
        yield limit
        before = limit


def _analysis_of(view: View, result: SearchResult, seed: Seed) -> Analysis:
    """Return the result in notation."""
    text = view.game.presentation.move_text
    estimates = tuple(
        Estimate(
            text(view.state, value.move),
            value.mean,
            result.spread / math.sqrt(value.visits) if value.visits else math.nan,
            value.visits,
        )
        for value in result.values
    )
    best = text(view.state, result.best)
    line = _line(view, result.best, seed)
    effort = result.worlds, result.iterations, result.seconds
    return Analysis(result.seat, best, estimates, line, *effort, result.decided)


def _line(view: View, move: int, seed: Seed) -> tuple[MoveText, ...]:
    """A move and its possible continuation."""
    game = view.game
    assert view.seat is not None
    s = view.worlds(1, seed)[0].state
    room = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    line: list[MoveText] = []
    mover = view.seat
    while True:
        line.append(game.presentation.move_text(s, move))
        contract.play(s, mover, move)
        mask = int(contract.actors(s))
        if not mask or len(line) == LONGEST_LINE:
            return tuple(line)
        mover = bits.lowest(mask)
        n = int(contract.legal(s, mover, room))
        move = int(contract.heuristic(s, mover, room, n)) if n > 1 else int(room[0])
