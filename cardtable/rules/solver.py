"""Solving a game with all cards known: the moves that win, the proof that none do, or that neither was found.

A solver looks at the cards that are hidden from the players. It is the module `solver` of its game's package.
Here is what all solvers have in common: limits and answers. `solving` replays each solution by the rules of the game
before anybody sees it.
"""

from __future__ import annotations

from dataclasses import dataclass

from cardtable.base.errors import OptionError
from cardtable.base.languages import figure
from cardtable.base.message import Message
from cardtable.base.types import JsonObject, MoveCode, MoveText, Seed

SOLVED, UNWINNABLE, NOT_FOUND = "solved", "unwinnable", "not-found"
SECONDS = 10.0  #: default limit


@dataclass(frozen=True)
class Limits:
    """A solver's limits for a position; without limits it stops after trying everything once."""

    seconds: float | None = SECONDS  #: of processor time
    states: int | None = None  #: positions expanded; with this limit alone, an answer can be repeated exactly
    seed: Seed = 0  #: of the solver's own chance


@dataclass(frozen=True)
class DealEffort:
    """How many positions a game's solver expands, at most, for a deal that can be won."""

    easy: int  #: for an easy deal
    medium: int  #: for one of medium difficulty
    most: int  #: before another deal is tried


@dataclass(frozen=True)
class Answer:
    """The result of a game's solver; `moves` win if `status` is SOLVED."""

    status: str
    moves: tuple[MoveCode, ...]
    states: int
    seconds: float


@dataclass(frozen=True)
class Solution:
    """The result of solving a position.

    `status` is "solved" (`moves` win), "unwinnable" (proved: no moves win under these house rules) or "not-found"
    (neither was found within the limits).
    """

    status: str
    moves: tuple[MoveText, ...]  #: in notation
    states: int  #: number of positions expanded
    seconds: float  #: processor time

    @property
    def message(self) -> Message:
        """The answer as a sentence."""
        seconds = figure(self.seconds, ".2f")
        if self.status == SOLVED:
            won = Message("Solved in {n} {n:move|moves}; that took {seconds} s.", n=len(self.moves), seconds=seconds)
            return won
        if self.status == UNWINNABLE:
            return Message("Unwinnable: all positions that can be reached were tried, {n}.", n=figure(self.states))
        return Message("No solution was found within {seconds} s; there may be one.", seconds=seconds)

    def as_dict(self) -> JsonObject:
        """The answer as a JSON-able dict."""
        return {"status": self.status, "moves": list(self.moves), "states": self.states, "seconds": self.seconds}


def checked(limits: Limits) -> Limits:
    """The limits. Raises OptionError if one is not above 0."""
    for name, value in (("seconds", limits.seconds), ("states", limits.states)):
        if value is not None and not value > 0:
            raise OptionError(
                Message("{name} = {value}", name=name, value=str(value)),
                Message("a limit is a number above 0"),
                Message("give more, or None for no limit"),
                code="options/range",
            )
    return limits
