"""Timing in a game: real time, in which seats act at any time, and windows, in which several seats answer at once.

A game's rules have no clock. In both forms several seats choose a move for the same moment, hidden from each other. A
game with one of them declares in its `timing.py`, as `TIMING`, the house rules under which this applies, and the
default move of a silent seat. The rest is up to the program that has the clock: a live table (`cardtable.table`), or
any other (`cardtable.match.real_time`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from cardtable.base.errors import RealTimeError, Text
from cardtable.base.message import Message, Rule
from cardtable.base.types import MoveCode, MoveText, RuleID, SeatNumber
from cardtable.rules.options import Options, as_given


@dataclass(frozen=True)
class Timing:
    """The kind of timing, its house rules, and the default answer."""

    house_rules: Mapping[str, str]  #: options and the values under which seats choose at the same time
    silence: (
        MoveText  #: the default answer, in notation: the move of a seat that sends nothing in time; always legal then
    )

    def applies(self, options: Options) -> bool:
        """Whether resolved options have these house rules."""
        values = options.as_dict()
        return all(values[name] == value for name, value in self.house_rules.items())


@dataclass(frozen=True)
class Window(Timing):
    """Moments in which several seats answer at the same time.

    A clock can close one: it gives the default answer for each seat that has not answered.
    """

    #: whether a window is open in a state; it must be public, as the state may be redacted
    is_open: Callable[[Any], bool]


@dataclass(frozen=True)
class RealTime(Timing):
    """All play of a deal is timed: each seat sends intents at any time, and an arbiter turns them into moments.

    In the rules, a moment is one move of every seat that may act. If all seats only choose `silence`, the rules end
    the deal after a limited number of moments; a deal also ends like this when the arbiter reports a stall.
    """

    instead: Mapping[str, str]  #: house rules with which the game is played move by move
    rule: RuleID  #: ID of the rule by which seats act at once
    #: milliseconds, for resolved options: an intent that follows another of its seat sooner is refused
    pace: Callable[[Options], int]
    #: creates the arbiter of a deal from a state that it may change, the time (ms), and a function called with each
    #: notice
    arbiter: Callable[[Any, int, Callable[[Notice], None]], Arbiter]


def refused(what: Text, timing: Timing | None, rules: RealTime | None, title: str) -> RealTimeError:
    """The error for acting move by move in a match in real time (by `rules`), or moment by moment in one that is
    not.
    """
    if rules is not None:
        why = Message(
            "in this match seats act whenever they like, and an arbiter makes moments of it ({rule})",
            rule=Rule(rules.rule),
        )
        return RealTimeError(
            what, why, Message("call tick(), or set {house_rules}", house_rules=as_given(rules.instead))
        )
    can = (
        Message("set {house_rules}", house_rules=as_given(timing.house_rules))
        if isinstance(timing, RealTime)
        else Message("call play()")
    )
    return RealTimeError(what, Message("this match of {title} is not played in real time", title=title), can)


@dataclass(frozen=True)
class Notice:
    """What became of an intent, or a moment of the match. The arbiter's state is up to date when it gives a notice.

    Each seat's oldest intent is decided first. `refused` always concerns the seat's newest intent, `dropped` its
    oldest.
    """

    kind: Literal["held", "queued", "refused", "dropped", "moment", "stalled"]
    at: int  #: milliseconds
    seat: SeatNumber | None = None  #: whose intent; None: it concerns all
    move: MoveCode | None = None
    reason: Text = ""  #: why it was refused, dropped or held; why the deal stalls
    rule: RuleID = ""
    moves: tuple[MoveCode | None, ...] = ()  #: of a moment: each seat's intent, as a move; None: it had none


class Arbiter(Protocol):
    """Decides which intents belong to the same moment.

    It never looks at a clock: the caller gives it the time, in milliseconds.
    """

    state: Any  #: the state after all moments of which it has given notice

    @property
    def due(self) -> int | None:
        """When `advance` next has something to do, if nothing arrives earlier; None: never."""

    def intent(self, seat: SeatNumber, move: MoveCode, at: int) -> None:
        """A seat's intent arrives: any move but silence, legal or not."""

    def advance(self, at: int) -> None:
        """Advance the time to `at`. A time before the last one counts as the last one."""
