"""A table at which people play at once: what they intend becomes ticks, by the game's arbiter and the server's time (PIL-1 to PIL-7).

Nothing here looks at a clock or changes the table: the caller stamps what arrives, writes each tick to the log, and lets
the table apply it. A `RealTime` is a step ahead of the log; if a tick could not be written it is thrown away, and with it
what was held: nothing of that was acknowledged.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from cardtable.errors import CardtableError
from cardtable.games.pirate.arbitration import STALL, Arbiter, Notice
from cardtable.games.pirate.state import WAIT
from cardtable.message import Message, Seat
from cardtable.table import events as ev
from cardtable.table.commands import Refusal
from cardtable.table.live import NOTHING, PLAYING, LiveTable


@dataclass(frozen=True)
class Intent:
    """What somebody wants to do: a person's command, or (without an owner) a bot's wish."""

    owner: str
    seq: int
    move: int


@dataclass(frozen=True)
class Dropped:
    """An intent that came to nothing, and why."""

    seat: int
    owner: str
    seq: int
    refusal: Refusal


Outcome = ev.Ticked | Dropped


class RealTime:
    """The arbiter of one match at a live table. Its answers come in the order in which they must be written and told."""

    def __init__(self, table: LiveTable, at: int) -> None:
        """at: now, in milliseconds; from here the stall clock runs."""
        assert table.match is not None
        self._match = table.match
        state = table.match._s.copy()
        state.chosen[:] = 0  # who can do nothing has "chosen" already; the arbiter makes whole ticks
        self._words = table.match.game.words
        self._pending: tuple[deque[Intent], ...] = tuple(deque() for _ in table.places)
        self._out: list[Outcome] = []
        self._arbiter = Arbiter(state, at, self._hear)

    def fits(self, table: LiveTable) -> bool:
        """Whether the table is where this arbiter left it."""
        m = table.match
        return m is self._match and table.stage == PLAYING and int(m._s.tick) == int(self._arbiter.state.tick)

    @property
    def due(self) -> int:
        """When, at the latest, to `advance`; 0: never."""
        return self._arbiter.due or 0

    def waits(self, seat: int) -> bool:
        """Whether an intent of a seat is held or queued."""
        return bool(self._pending[seat])

    def holds(self, owner: str, seq: int) -> bool:
        """Whether a person's command is held or queued."""
        return any(intent.owner == owner and intent.seq == seq for waiting in self._pending for intent in waiting)

    def intend(self, seat: int, owner: str, seq: int, move: str, at: int) -> list[Outcome]:
        """Somebody wants to make a move, in notation; what comes of it at once (perhaps nothing yet)."""
        try:
            code = self._words.parse_move(self._arbiter.state, move)
        except CardtableError as error:
            return [Dropped(seat, owner, seq, Refusal.of(error))]
        if code == WAIT:
            return [
                Dropped(seat, owner, seq, Refusal("move/illegal", Message("to wait"), Message("here people play at once"), Message("send nothing"), "PIL-1"))
            ]
        self._pending[seat].append(Intent(owner, seq, code))
        self._arbiter.intent(seat, code, at)
        return self._said()

    def advance(self, at: int) -> list[Outcome]:
        """Time has passed: holds end, queued intents have their moment, the stall clock runs out."""
        self._arbiter.advance(at)
        return self._said()

    def _said(self) -> list[Outcome]:
        said, self._out = self._out, []
        return said

    def _hear(self, notice: Notice) -> None:
        """The arbiter tells what became of an intent. Each seat's oldest is the one it decides first; a refused one is the newest."""
        if notice.kind in ("tick", "stall"):
            self._out.append(self._ticked(notice))
        elif notice.kind in ("refused", "dropped"):
            assert notice.seat is not None
            waiting = self._pending[notice.seat]
            intent = waiting.pop() if notice.kind == "refused" else waiting.popleft()
            state = self._arbiter.state
            what = Message("{seat} may not {value}", seat=Seat(int(notice.seat)), value=self._words.move_text(state, intent.move))
            self._out.append(Dropped(notice.seat, intent.owner, intent.seq, Refusal("move/illegal", what, notice.reason, Message("look again"), notice.rule)))

    def _ticked(self, notice: Notice) -> ev.Ticked:
        """The entry of a tick, with the commands that it answers."""
        if notice.tick is None or notice.tick == STALL:
            return ev.Ticked((NOTHING,) * len(self._pending), stalled=True)
        state = self._arbiter.state
        low = 1 - int(state.dealer)
        codes = notice.tick if low == 0 else notice.tick[::-1]
        made = [self._pending[seat].popleft() if code != WAIT else None for seat, code in enumerate(codes)]
        answers = tuple((intent.owner, intent.seq) for intent in made if intent and intent.owner)
        return ev.Ticked(tuple(self._words.move_text(state, code) for code in codes), answers)
