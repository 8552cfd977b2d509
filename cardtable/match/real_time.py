"""A match in real time: the game's arbiter turns the seats' intents into moments of the match (docs/api.md §1).

This module reads no clock and does not change the match. The caller passes the arrival time of each intent, and plays
the returned moments in order: `Match.tick`, `Match.stall`. So a program can log each moment before it happens.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardtable.base.errors import CardtableError, IllegalMove
from cardtable.base.message import Message
from cardtable.base.types import MoveCode, MoveText, SeatNumber
from cardtable.match.match import Match
from cardtable.rules import contract
from cardtable.rules.timing import Notice, RealTime, refused


@dataclass(frozen=True)
class Tick:
    """A moment, for `Match.tick`: a move of each seat, and the tags of the intents that it answers."""

    moves: tuple[MoveText, ...]
    tags: tuple[Any, ...]


@dataclass(frozen=True)
class Stalled:
    """For `Match.stall`: the deal is over, because nothing has happened for too long."""


@dataclass(frozen=True)
class Dropped:
    """An intent without effect, and the reason."""

    seat: SeatNumber
    tag: Any
    refusal: CardtableError


Outcome = Tick | Stalled | Dropped


class Clockwork:
    """The arbiter of a match's deal.

    Its answers are in the order in which the caller must act on them: it is ahead of the match.
    """

    def __init__(self, m: Match, at: int) -> None:
        """at: now, in milliseconds from any zero that the caller chooses; the arbiter's clocks start here.

        Raises RealTimeError.
        """
        rules = m.ruleset.real_time
        if rules is None:
            raise refused(Message("real time"), m.game.timing, None, m.title)
        self.match = m
        self.rules: RealTime = rules
        self._words = m.game.presentation
        self._pending: tuple[deque[tuple[MoveCode, Any]], ...] = tuple(deque() for _ in range(m.seats))
        self._out: list[Outcome] = []
        self._arbiter = rules.arbiter(m._s.copy(), at, self._hear)

    @property
    def due(self) -> int | None:
        """The latest time for the next call of `advance`; None: there is none."""
        return self._arbiter.due

    def waits(self, seat: SeatNumber) -> bool:
        """Whether an intent of a seat is held or queued."""
        return bool(self._pending[seat])

    def holds(self, tag: Any) -> bool:
        """Whether an intent with this tag is held or queued."""
        return any(tag == other for waiting in self._pending for _, other in waiting)

    def intend(self, seat: SeatNumber, move: MoveText, at: int, tag: Any = None) -> list[Outcome]:
        """Submit a seat's move, in notation; return the immediate moments (perhaps none). tag: the caller's mark for
        the intent.
        """
        try:
            code = self._words.parse_move(self._arbiter.state, move)
            if self._words.move_text(self._arbiter.state, code) == self.rules.silence:
                why = Message("in real time a seat that does nothing sends nothing")
                raise IllegalMove(seat, self.rules.silence, why, self.rules.rule, self._legal(seat))
        except CardtableError as error:
            return [Dropped(seat, tag, error)]
        self._pending[seat].append((code, tag))
        self._arbiter.intent(seat, code, at)
        return self._said()

    def advance(self, at: int) -> list[Outcome]:
        """Let time pass: an intent that was held or queued may get its moment, and a deal without events may end."""
        self._arbiter.advance(at)
        return self._said()

    def _said(self) -> list[Outcome]:
        said, self._out = self._out, []
        return said

    def _hear(self, notice: Notice) -> None:
        """Take the arbiter's notice of what became of an intent."""
        if notice.kind == "moment":
            tags = [
                None if move is None else self._pending[seat].popleft()[1] for seat, move in enumerate(notice.moves)
            ]
            self._out.append(
                Tick(tuple(map(self._text_of, notice.moves)), tuple(tag for tag in tags if tag is not None))
            )
        elif notice.kind == "stalled":
            self._out.append(Stalled())
        elif notice.kind in ("refused", "dropped"):
            assert notice.seat is not None
            waiting = self._pending[notice.seat]
            code, tag = waiting.pop() if notice.kind == "refused" else waiting.popleft()
            self._out.append(Dropped(notice.seat, tag, self._refusal(notice.seat, code, notice)))

    def _text_of(self, move: MoveCode | None) -> MoveText:
        return self.rules.silence if move is None else self._words.move_text(self._arbiter.state, move)

    def _refusal(self, seat: SeatNumber, code: MoveCode, notice: Notice) -> IllegalMove:
        wanted = self._words.choices(self._arbiter.state, seat, [code])[0]
        why = notice.reason, notice.rule
        return IllegalMove(seat, wanted.text, *why, self._legal(seat), wanted.verb, wanted.label)

    def _legal(self, seat: SeatNumber) -> list[MoveText]:
        """The moves that a seat may intend now."""
        state, codes = self._arbiter.state, np.zeros(self.match.game.rules.MAX_MOVES, np.int64)
        if not contract.actors(state):
            return []
        moves = [self._words.move_text(state, int(code)) for code in codes[: contract.legal(state, seat, codes)]]
        return [move for move in moves if move != self.rules.silence]
