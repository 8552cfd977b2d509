"""What was done in the deals of a match, and what they and the match came to."""

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
    """What a finished deal came to."""

    deal: int
    winner: SeatNumber | None
    payoff: tuple[int, ...]
    gained: tuple[int, ...] = ()  #: what it added to each seat's score: points, chips or deals won, as people count them
    scores: tuple[int, ...] = ()  #: the match's scores after it


@dataclass(frozen=True)
class Result:
    """What a finished match came to."""

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
    orders: list[list[int]] = field(default_factory=list)  #: what the deal's reshuffles bring, top card first, where chance does not say
    dealt: int = 0  #: how many of them were used while dealing
    used: int = 0  #: how many of them are used by now

    @property
    def number(self) -> int:
        """The number of the deal."""
        return int(self.start.deal_number)
