"""Pirate in real time: decides which of the two players' intents are simultaneous, and so share a tick (PIL-1 to
PIL-7).

Plain Python, without a clock: the owner of a live table stamps each intent with its time of arrival in milliseconds,
passes it to `PirateArbiter.intent`, and calls `advance` when `due` is reached. The tick engine decides everything that
the rules of the game cover.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from cardtable.base.cards import suit_of
from cardtable.base.errors import Text
from cardtable.base.message import Message
from cardtable.games.pirate import rules
from cardtable.games.pirate.positions import MOVES
from cardtable.games.pirate.presentation import why_not
from cardtable.games.pirate.state import CLAIM, DRAW_CARD, PLAY, PLAYERS, WAIT, State, gap, may_claim, top
from cardtable.rules import contract
from cardtable.rules.options import Options
from cardtable.rules.timing import Notice, RealTime

NARROW = 2  #: the most cards a ship may lack when an attempt on it is held (PIL-2)
WAITING = 4  #: intents of one player that may queue behind a held one (PI-Q17)

Tick = tuple[int, int]  #: the moves of LOW and of HIGH
STALL: Tick = (-1, -1)  #: in a log: the clock ended the game (PIL-7)


@dataclass(frozen=True)
class HeldIntent:
    """An intent that waits to see whether the other player acts at the same moment."""

    move: int
    at: int  #: when it was accepted
    until: int  #: when it runs alone; an intent that arrives at this very time is still simultaneous
    lane: int  #: the suit of the ship it would lay on; -1 for a draw


class PirateArbiter:
    """Runs the ticks of one live game. `tell` gets each notice at once, while the state still matches it."""

    def __init__(self, s: State, at: int, tell: Callable[[Notice], None]) -> None:
        if not s.rules.form_live:
            raise ValueError("this table is played in ticks: only one of form=live needs an arbiter")
        self.state, self._tell = s, tell
        self.log: list[Tick] = []  #: PIL-6
        self._window, self._reveal = int(s.rules.tie_window_ms), int(s.rules.reveal_ms)
        self._stall = 1000 * int(s.rules.stall_seconds)
        self._now = self._laid = at
        self._held: list[HeldIntent | None] = [None] * PLAYERS
        self._queue: list[deque[int]] = [deque() for _ in range(PLAYERS)]
        self._accepted = [at - self._window] * PLAYERS
        self._shown = [at] * PLAYERS  #: when each turned the top card of their waste

    # Called by the table's owner

    def intent(self, seat: int, move: int, at: int) -> None:
        """A player's DRAW_CARD, PLAY or CLAIM arrives."""
        if move not in (DRAW_CARD, PLAY, CLAIM):
            raise ValueError(f"{move} is no intent: to wait is to send nothing")
        self.advance(at)
        if self.state.over:
            self._say("refused", seat, move, "the game is over", "PI-21")
        elif self._held[seat] or self._queue[seat]:  # PIL-4
            if len(self._queue[seat]) == WAITING:
                self._say("refused", seat, move, f"{WAITING} intents of yours wait already", "PI-Q17")
            else:
                self._queue[seat].append(move)
                self._say("queued", seat, move, "an earlier intent of yours is held", "PIL-4")
        elif self._now < self._next_pace(seat):
            self._say("refused", seat, move, f"less than {self._window} ms after your last one", "PIL-5")
        else:
            self._consider(seat, move, "refused")

    def advance(self, at: int) -> None:
        """Advance the time to `at`: holds end, queued intents fall due, the stall clock runs out."""
        at = max(at, self._now)  # a clock set back stands still
        while not self.state.over:
            soon = [step for step in self._steps() if step[0] < at + (step[1] == 1)]
            if not soon:
                break
            time, kind, _, seat = min(soon)
            self._now = max(self._now, time)
            if kind == 0:
                self._release(seat)
            elif kind == 1:
                self._consider(seat, self._queue[seat].popleft(), "dropped")
            else:
                self._stop()
        self._now = at

    @property
    def due(self) -> int | None:
        """When `advance` has something to do next, if nothing arrives before; None: never again."""
        return None if self.state.over else min(time + (kind != 1) for time, kind, _, _ in self._steps())

    # What happens when

    def _steps(self) -> list[tuple[int, int, int, int]]:
        """What comes next, as (time, kind, order, seat); kind 0: a hold ends, 1: a queued intent is due, 2: the game
        stalls.
        """
        steps = []
        for seat, held in enumerate(self._held):
            if held:
                steps.append((held.until, 0, held.at, seat))
            elif self._queue[seat]:
                steps.append((max(self._now, self._next_pace(seat)), 1, 0, seat))
        if not any(held and held.lane >= 0 for held in self._held):  # a stall cuts no attempt off (PI-Q17)
            steps.append((self._laid + self._stall, 2, 0, -1))
        return steps

    def _next_pace(self, seat: int) -> int:
        """When a player may act again (PIL-5)."""
        return self._accepted[seat] + self._window

    def _consider(self, seat: int, move: int, otherwise: Literal["refused", "dropped"]) -> None:
        """Process an intent that is due: it meets the other player's held one, is held itself, or runs at once
        (PIL-1).
        """
        if not self._legal(seat, move):
            self._say(otherwise, seat, move, *why_not(self.state, seat, move))
            return
        self._accepted[seat] = self._now
        lane = self._lane(seat, move)
        theirs = self._held[1 - seat]
        if theirs and self._together(move, lane, theirs) and self._legal(1 - seat, theirs.move):
            self._held[1 - seat] = None
            self._run(seat, move, theirs.move)
        elif lane >= 0 and gap(self.state, lane) <= NARROW:  # PIL-2
            held = HeldIntent(move, self._now, self._now + self._window, lane)
            self._hold(seat, held, Message("the ship is nearly complete"), "PIL-2")
        elif move == DRAW_CARD and may_claim(self.state, 1 - seat):  # PIL-3
            until = max(self._shown[seat] + self._reveal, self._now + self._window)
            held = HeldIntent(move, self._now, until, -1)
            self._hold(seat, held, Message("the other may claim the card that it covers"), "PIL-3")
        else:
            self._run(seat, move, WAIT)

    def _together(self, move: int, lane: int, theirs: HeldIntent) -> bool:
        """Whether an intent and the other player's held one are simultaneous."""
        if lane >= 0 and theirs.lane >= 0:
            return lane == theirs.lane  # PIL-2
        return {move, theirs.move} == {CLAIM, DRAW_CARD}  # PIL-3, and the other way round PI-Q16

    def _hold(self, seat: int, held: HeldIntent, reason: Text, rule: str) -> None:
        self._held[seat] = held
        self._say("held", seat, held.move, reason, rule)

    def _release(self, seat: int) -> None:
        """A hold ends without being met."""
        held = self._held[seat]
        assert held
        self._held[seat] = None
        if self._legal(seat, held.move):
            self._run(seat, held.move, WAIT)
        else:
            self._say("dropped", seat, held.move, *why_not(self.state, seat, held.move))

    def _run(self, seat: int, move: int, other: int) -> None:
        """One tick: a seat's move, and the other's."""
        s = self.state
        moves = [other, other]
        moves[seat] = move
        low = 1 - int(s.dealer)
        tick = (moves[low], moves[1 - low])
        run(s, tick)
        self.log.append(tick)
        if s.last == s.tick:
            self._laid = self._now
        for p in range(PLAYERS):
            if moves[p] == DRAW_CARD:
                self._shown[p] = self._now
        self._tell(Notice("moment", self._now, moves=tuple(None if each == WAIT else each for each in moves)))
        self._drop_all()

    def _stop(self) -> None:
        """No card has been laid for too long (PIL-7)."""
        run(self.state, STALL)
        self.log.append(STALL)
        why = Message("no card was laid for {n} seconds", n=self._stall // 1000)
        self._tell(Notice("stalled", self._now, reason=why, rule="PIL-7"))
        self._drop_all()

    def _drop_all(self) -> None:
        """Drop all waiting intents when the game is over."""
        if self.state.over:
            for seat, held in enumerate(self._held):
                waiting = [held.move] if held else []
                for move in [*waiting, *self._queue[seat]]:
                    self._say("dropped", seat, move, "the game is over", "PI-21")
                self._held[seat] = None
                self._queue[seat].clear()

    def _lane(self, seat: int, move: int) -> int:
        """The suit on which a legal move lays; -1: it draws."""
        return -1 if move == DRAW_CARD else suit_of(int(top(self.state, seat if move == PLAY else 1 - seat)))

    def _legal(self, seat: int, move: int) -> bool:
        moves = np.zeros(rules.MAX_MOVES, np.int64)
        return move in moves[: int(contract.legal(self.state, seat, moves))].tolist()

    def _say(
        self, kind: Literal["held", "queued", "refused", "dropped"], seat: int, move: int, reason: Text, rule: str
    ) -> None:
        self._tell(Notice(kind, self._now, seat, move, reason, rule))


def run(s: State, tick: Tick) -> None:
    """Play one entry of a log on a state (PIL-6)."""
    if tick == STALL:
        contract.clear_events(s)
        rules.stall(s)
    else:
        low = 1 - int(s.dealer)
        contract.play(s, low, tick[0])
        contract.play(s, 1 - low, tick[1])


def replay(s: State, log: Iterable[Tick]) -> None:
    """Play a whole log on the state with which its game began: it ends as the live game did (PIL-6)."""
    for tick in log:
        run(s, tick)


def pace(options: Options) -> int:
    """W, the tie window (PIL-5)."""
    return int(options.as_dict()["tie_window_ms"])


def arbiter(s: Any, at: int, tell: Callable[[Notice], None]) -> PirateArbiter:
    """The arbiter of a deal.

    An observer without a move has "chosen" to wait in the match; the arbiter makes whole ticks.
    """
    s.chosen[:] = 0
    return PirateArbiter(s, at, tell)


TIMING = RealTime({"form": "live"}, MOVES[WAIT], {"form": "ticks"}, "PIL-1", pace, arbiter)
