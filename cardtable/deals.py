"""The moves made in the deals of a match, and the results of the deals and the match."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardtable.types import MoveCode, MoveText, SeatNumber

if TYPE_CHECKING:
    from cardtable.contract import State


@dataclass(frozen=True)
class Act:
    """One move as it was made: `number` counts from 1 in each deal."""

    deal: int
    number: int
    seat: SeatNumber
    move: MoveText
    forced: bool  #: Match made it, because the rules left no choice
    code: MoveCode


@dataclass(frozen=True)
class DealResult:
    """The result of a finished deal."""

    deal: int
    winner: SeatNumber | None
    payoff: tuple[int, ...]
    gained: tuple[
        int, ...
    ] = ()  #: what it added to each seat's score: points, chips or deals won, as people count them
    scores: tuple[int, ...] = ()  #: the match's scores after it


@dataclass(frozen=True)
class Result:
    """The result of a finished match."""

    scores: tuple[int, ...]
    winners: tuple[SeatNumber, ...]
    deals: int
    resigned: SeatNumber | None = None


@dataclass
class Deal:
    """One deal of the match: its start and what was done in it."""

    start: State
    pack: list[int] | None  #: only if it does not follow from the seed
    acts: list[Act] = field(default_factory=list)
    result: DealResult | None = None
    orders: list[list[int]] = field(
        default_factory=list
    )  #: the cards after each reshuffle, top card first, where chance does not decide
    dealt: int = 0  #: how many of these orders were used while dealing
    used: int = 0  #: how many of them have been used so far

    @property
    def number(self) -> int:
        """The number of the deal."""
        return int(self.start.deal_number)
