"""What of a game is timed: real time, in which seats act whenever they like, and windows, in which several seats answer at once.

A game's rules know no clock. In both forms several seats choose a move for the same moment, unseen; a game that has one of
them says in its `timing.py`, as `TIMING`, under which house rules it is so, and what a seat does that sends nothing. Whoever
runs a match with a clock does the rest: a live table (`cardtable.table`), or any program (`cardtable.realtime`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from cardtable.errors import RealTimeError, Text
from cardtable.message import Message, Rule
from cardtable.options import Options, as_given
from cardtable.types import MoveCode, MoveText, RuleID, SeatNumber


@dataclass(frozen=True)
class Timing:
    """What is timed, under which house rules, and the default answer."""

    house_rules: Mapping[str, str]  #: options and the values with which seats choose at the same time
    silence: MoveText  #: the default answer, in notation: the move of a seat that sends nothing in time; always legal then

    def applies(self, options: Options) -> bool:
        """Whether resolved options have these house rules."""
        values = options.as_dict()
        return all(values[name] == value for name, value in self.house_rules.items())


@dataclass(frozen=True)
class Window(Timing):
    """Moments in which several seats answer at the same time. A clock can close one: it gives the default answer for each seat that has not answered."""

    is_open: Callable[[Any], bool]  #: whether a window is open in a state; it must be public, for it is asked of redacted states


@dataclass(frozen=True)
class RealTime(Timing):
    """All the play of a deal: each seat sends an intent whenever it likes, and an arbiter makes moments of them.

    In the rules a moment is one move of every seat that may act. While no seat does anything but `silence`, the deal is over after
    a number of moments that the rules bound: so it ends when the arbiter says that it stalls.
    """

    instead: Mapping[str, str]  #: house rules with which the game is played move by move
    rule: RuleID  #: rule ID that says that seats act at once
    pace: Callable[[Options], int]  #: milliseconds, with resolved options: an intent that follows sooner on another of its seat is refused
    #: makes the arbiter of a deal, from a state that it may change, the time (ms), and what it shall call with each notice
    arbiter: Callable[[Any, int, Callable[[Notice], None]], Arbiter]


def refused(what: Text, timing: Timing | None, rules: RealTime | None, title: str) -> RealTimeError:
    """The error for what is done move by move in a match in real time (by `rules`), or moment by moment in one that is not."""
    if rules is not None:
        why = Message("in this match seats act whenever they like, and an arbiter makes moments of it ({rule})", rule=Rule(rules.rule))
        return RealTimeError(what, why, Message("call tick(), or set {house_rules}", house_rules=as_given(rules.instead)))
    can = Message("set {house_rules}", house_rules=as_given(timing.house_rules)) if isinstance(timing, RealTime) else Message("call play()")
    return RealTimeError(what, Message("this match of {title} is not played in real time", title=title), can)


@dataclass(frozen=True)
class Notice:
    """What became of an intent, or a moment of the match. An arbiter gives it while its state is as the notice says.

    Of each seat's intents the oldest is decided first. `refused` is always about the newest, `dropped` about the oldest.
    """

    kind: Literal["held", "queued", "refused", "dropped", "moment", "stalled"]
    at: int  #: milliseconds
    seat: SeatNumber | None = None  #: whose intent; None: it concerns all
    move: MoveCode | None = None
    reason: Text = ""  #: why it was refused, dropped or held; why the deal stalls
    rule: RuleID = ""
    moves: tuple[MoveCode | None, ...] = ()  #: of a moment: each seat's intent, as a move; None: it had none


class Arbiter(Protocol):
    """Decides which intents belong to the same moment. It looks at no clock: its caller tells it the time, in milliseconds."""

    state: Any  #: with all moments played that it gave notice of

    @property
    def due(self) -> int | None:
        """When `advance` has something to do next, if nothing arrives before; None: never."""

    def intent(self, seat: SeatNumber, move: MoveCode, at: int) -> None:
        """A seat's intent arrives: any move but silence, legal or not."""

    def advance(self, at: int) -> None:
        """Let time pass up to `at`. A time before the last one counts as the last one."""
