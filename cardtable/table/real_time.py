"""A real-time table: the game's arbiter turns intents into entries of the log, by the server's time.

This module reads no clock and does not change the table: the caller stamps intents when they arrive, writes each tick
to the log, and lets the table apply it. A `TableClock` is a step ahead of the log; if a tick could not be written, the
clock is discarded together with its intents, which have not been acknowledged.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardtable.match import real_time
from cardtable.table import events as ev
from cardtable.table.commands import Refusal
from cardtable.table.live import PLAYING, LiveTable


@dataclass(frozen=True)
class DroppedIntent:
    """An intent without effect, and the reason. command: None for a bot's."""

    seat: int
    command: ev.Numbered | None
    refusal: Refusal


Outcome = ev.Ticked | DroppedIntent


class TableClock:
    """The arbiter of one match at a live table. Its answers are in the order in which they must be written and sent."""

    def __init__(self, table: LiveTable, at: int) -> None:
        """at: now, in milliseconds; the arbiter's clocks start here."""
        self._clockwork = real_time.Clockwork(table.current_match, at)
        self._ticks = table.ticks

    def fits(self, table: LiveTable) -> bool:
        """Whether the table is where this arbiter left it."""
        return table.match is self._clockwork.match and table.stage == PLAYING and table.ticks == self._ticks

    @property
    def due(self) -> int:
        """The latest time for the next call of `advance`; 0: there is none."""
        return self._clockwork.due or 0

    def waits(self, seat: int) -> bool:
        """Whether an intent of a seat is held or queued."""
        return self._clockwork.waits(seat)

    def holds(self, command: ev.Numbered) -> bool:
        """Whether a person's command is held or queued."""
        return self._clockwork.holds(command)

    def intend(self, seat: int, command: ev.Numbered | None, move: str, at: int) -> list[Outcome]:
        """Submit a move, in notation; return the immediate results (perhaps none).

        command: None for a bot.
        """
        return self._entries(self._clockwork.intend(seat, move, at, command))

    def advance(self, at: int) -> list[Outcome]:
        """Advance the time; return the results."""
        return self._entries(self._clockwork.advance(at))

    def _entries(self, outcomes: list[real_time.Outcome]) -> list[Outcome]:
        return [self._entry(outcome) for outcome in outcomes]

    def _entry(self, outcome: real_time.Outcome) -> Outcome:
        if isinstance(outcome, real_time.Dropped):
            return DroppedIntent(outcome.seat, outcome.tag, Refusal.of(outcome.refusal))
        self._ticks += 1
        if isinstance(outcome, real_time.Stalled):
            return ev.Ticked((self._clockwork.rules.silence,) * self._clockwork.match.seats, stalled=True)
        return ev.Ticked(outcome.moves, outcome.tags)
