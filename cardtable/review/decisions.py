"""Decisions of a match, and what each was worth."""

from __future__ import annotations

from dataclasses import dataclass, fields

from cardtable.base.message import Message, as_data
from cardtable.base.types import CardText, JsonObject, MoveText, SeatNumber

SURE = 2.0  #: standard errors that are subtracted from a loss: the rest is sure


@dataclass(frozen=True)
class Seen:
    """The best move with all cards open, including the cards that the seat did not know (`endgame.ending`). It does not
    affect the grade.
    """

    best: MoveText  #: the move made, if no move was better
    loss: float  #: by how much the move made was worse
    opponents: str  #: how the others play then: "best" (a seat of two) or "medium"
    best_label: Message | None = None

    def as_dict(self) -> JsonObject:
        """The answer as a JSON-able dict."""
        label = None if self.best_label is None else as_data(self.best_label)
        return {"best": self.best, "loss": self.loss, "opponents": self.opponents, "best_label": label}


@dataclass(frozen=True)
class Part:
    """A step of a move that is a set of cards: one decision of a player, although the rules take it in steps."""

    chosen: tuple[CardText, ...]  #: cards of the set that were chosen before
    done: MoveText  #: the last step


@dataclass(frozen=True)
class Decision:
    """A decision and its value. Payoffs are those of the deal, in the game's chips or points."""

    deal: int
    number: int  #: of the act in its deal, from 1
    seat: SeatNumber
    move: MoveText
    best: MoveText  #: the search's move
    estimate: float  #: expected payoff of the move made
    best_estimate: float  #: expected payoff of the best move
    loss: float  #: by how much the move made is worse, in the same worlds; never negative
    error: float  #: standard error of the loss; 0 where the best move was made
    scale: float  #: standard deviation of the deal's payoff, the largest that the seat has faced in the deal so far
    grade: str  #: one of GRADES
    worst: bool = False  #: one of the MARKED worst
    move_label: Message | None = None  #: the name of the move made, if its notation is not enough
    best_label: Message | None = None
    seen: Seen | None = None  #: None: not asked for, or not found within SEEN_STATES
    part: Part | None = None  #: of a set, until its steps are put together (`review.whole`)

    @property
    def sure(self) -> float:
        """The part of the loss that is sure: the loss less two standard errors."""
        return max(0.0, self.loss - SURE * self.error)

    def as_dict(self) -> JsonObject:
        """The decision as a JSON-able dict; payoffs to three places."""
        data = {field.name: getattr(self, field.name) for field in fields(self) if field.name != "part"}
        return {
            name: round(value, 3)
            if isinstance(value, float)
            else as_data(value)
            if isinstance(value, Message)
            else value.as_dict()
            if isinstance(value, Seen)
            else value
            for name, value in data.items()
        }
