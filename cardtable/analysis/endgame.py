"""The exact best move near the end of a deal, with all cards open, or a report that the limits were too low.

It uses cards that are hidden from the players, as a solver does (`solve`); bots and hints never use it. Two
questions have an exact answer:

* **BEST**: two seats are left in the deal, and both play their best with all cards open (alpha-beta). The value is
* the difference of their payoffs.
* **MEDIUM**: the other seats play the heuristic, whatever the cards are; what is the best that a seat can get? It is
* an upper bound for any player against these opponents, because it knows the cards and their replies.

If a move would draw random numbers (a pile is reshuffled), no value is exact, unless chance is `foreseen`.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from cardtable.base.errors import OptionError
from cardtable.base.message import Message
from cardtable.base.types import JsonObject, MoveCode, MoveText, SeatNumber
from cardtable.bots.levels import FORMER
from cardtable.kernel import words
from cardtable.kernel.bits import lowest
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.solver import Limits, checked
from cardtable.search import alpha_beta as search

BEST, MEDIUM = "best", "medium"  #: how the others play
ENTRIES = 1 << 16  #: of the table: 40 bytes each
PORTION = 2_000  #: states between two looks at the clock
WHY = ("", "", "states", "deep", "chance", "together")


@dataclass(frozen=True)
class Found:
    """The result of a search. If `exact`, the move `best` has this `value`, and `paid` is the seat's own payoff."""

    exact: bool
    best: MoveCode
    value: float
    paid: float
    states: int  #: searched
    why: str  #: not exact: "states" or "seconds" (a limit), "deep", "chance", "together" (two seats choose at once)


class OpenCards:
    """The buffers of a search, allocated once and used for many positions of one game, by one thread at a time."""

    def __init__(self, game: Game, entries: int = ENTRIES) -> None:
        """entries: of the table of states; a power of two."""
        self.game = game
        kind = game.rules.State
        self._box = kind.row(search.LEVELS + 1)
        known = words(self._box).view(np.uint64)[:, kind.dtype.fields["rng"][1] // 8 :]
        self._head = search.AlphaBeta.new()
        self._levels = search.Level.row(search.LEVELS)
        self._moves = np.empty((search.LEVELS + 1, game.rules.MAX_MOVES + 1), np.int64)
        self._entries = search.Transposition.row(entries)
        self._room = search.AlphaBetaBuffers(
            self._box, known, self._head, self._levels, self._moves, self._entries, np.zeros(contract.MAX_SEATS)
        )
        self._asked: tuple[bool, bool, SeatNumber] | None = None

    def start(self, s: State) -> None:
        """Set the position, in which a seat may act, and discard earlier results."""
        self._box[0] = s
        self._box["record_events"], self._box["untracked"] = 0, 1
        self._box[0]["event_count"] = 0
        self._asked = None

    def find(
        self,
        seat: SeatNumber,
        limits: Limits,
        opponents: str = MEDIUM,
        *,
        only: Sequence[MoveCode] | None = None,
        foresee: bool = False,
    ) -> Found:
        """The best move of a seat that may act in the position taken up, among all or `only` these.

        opponents: MEDIUM, or BEST where two seats are left (`two_left`). foresee: chance is known as well. Results
        are kept for the next call for this position.
        """
        head, level = self._head, self._levels[0]
        root = self._box[0]
        asked = opponents == BEST, foresee, seat
        if self._asked != asked:
            self._entries[:] = 0
            self._asked = asked
        rival = search.NOBODY
        if opponents == BEST:
            rival = lowest(int(root.in_play) & ~(1 << seat))
            if int(contract.actors(root)) != 1 << seat:
                return Found(False, -1, 0.0, 0.0, 0, WHY[search.TOGETHER])
        moves = self.legal(seat) if only is None else list(only)
        self._moves[0, : len(moves)] = moves
        head.seat, head.rival, head.foresee, head.states = seat, rival, int(foresee), 0
        head.limit = limits.states or 1 << 62
        level.seat = seat
        search.begin(self._room, len(moves))
        search.search(self._room, 0)  # the first call compiles, which is not a matter of the position
        began, late = time.thread_time(), False
        while head.stopped == search.GOING and not late:
            search.search(self._room, min(int(head.states) + PORTION, int(head.limit)))
            late = limits.seconds is not None and time.thread_time() - began > limits.seconds
        done = int(head.stopped) == search.DONE
        why = "" if done else WHY[head.stopped] or "seconds"
        return Found(done, int(head.best), float(head.value), float(head.paid), int(head.states), why)

    def legal(self, seat: SeatNumber) -> list[MoveCode]:
        """The legal moves of a seat in the position taken up, the heuristic's first."""
        room = self._moves[1]
        n = int(contract.legal(self._box[0], seat, room))
        legal = [int(move) for move in room[:n]]
        if n > 1:
            first = int(contract.heuristic(self._box[0], seat, room, n))
            legal.sort(key=lambda move: move != first)
        return legal


def two_left(s: State) -> bool:
    """Whether two seats are left in a deal, so that both can be taken to play their best."""
    return int(s.in_play).bit_count() == 2


@dataclass(frozen=True)
class Ending:
    """The best move with all cards open, including those hidden from the seat.

    If not `exact`, the limits were too low, and `why` is the reason: "seconds", "states", "deep" (too many decisions
    one after another), "chance" (a random number would be drawn) or "together" (two seats choose at the same time).
    """

    seat: SeatNumber
    exact: bool
    opponents: str  #: "best": the other seat also plays its best move; "medium": the others play the heuristic
    best: MoveText  #: empty if not exact
    code: MoveCode  #: the same, as rules have it; -1 if not exact
    payoff: float  #: the seat's payoff for the deal
    loss: Mapping[MoveText, float]  #: how much worse each requested move is, of those found
    states: int
    seconds: float  #: processor time
    why: str = ""

    def as_dict(self) -> JsonObject:
        """The answer as a JSON-able dict."""
        data = asdict(self) | {"loss": dict(self.loss)}
        del data["code"]
        return data


def ending(
    game: Game,
    s: State,
    seat: SeatNumber,
    limits: Limits,
    *,
    opponents: str | None = None,
    moves: Sequence[MoveCode] | None = None,
    cards: OpenCards | None = None,
) -> Ending:
    """The best move of a seat that may act, in a state of which nothing is hidden, within limits for the whole answer.

    opponents: None: BEST where two seats are left and it is found, else MEDIUM. moves: whose losses are wanted; None:
    all that are legal. cards: buffers to use. Raises OptionError.
    """
    checked(limits)
    opponents = FORMER.get(opponents or "", opponents)
    if opponents not in (None, MEDIUM, BEST) or (opponents == BEST and not two_left(s)):
        raise OptionError(
            Message("opponents {name}", name=repr(str(opponents)[:40])),
            Message("only two seats that are left can both play their best"),
            Message("take {one} or {half}", one=MEDIUM, half="None"),
        )
    cards = OpenCards(game) if cards is None else cards
    cards.start(s)
    began, spent = time.thread_time(), 0
    each = (BEST, MEDIUM) if opponents is None and two_left(s) else (opponents or MEDIUM,)
    solved, way = Found(False, -1, 0.0, 0.0, 0, ""), each[0]
    for k, way in enumerate(each):
        solved = cards.find(seat, _part(limits, k, len(each), spent, began), way)
        spent += solved.states
        if solved.exact:
            break
    text = game.presentation.move_text
    loss = {}
    if solved.exact:
        for move in cards.legal(seat) if moves is None else moves:
            other = solved
            if move != solved.best:
                other = cards.find(seat, _part(limits, 1, 2, spent, began), way, only=[move])
                spent += other.states
            if other.exact:
                loss[text(s, move)] = max(0.0, solved.value - other.value) / (2 if way == BEST else 1)
    best, code = (text(s, solved.best), solved.best) if solved.exact else ("", -1)
    return Ending(seat, solved.exact, way, best, code, solved.paid, loss, spent, time.thread_time() - began, solved.why)


def _part(limits: Limits, k: int, n: int, spent: int, began: float) -> Limits:
    """The share of the remaining limit for the k-th of n searches: of two, the first gets half."""
    share = 1.0 if k == n - 1 else 0.5
    seconds = limits.seconds and max(1e-6, limits.seconds - (time.thread_time() - began)) * share
    states = limits.states and max(1, int((limits.states - spent) * share))
    return Limits(seconds, states, limits.seed)
