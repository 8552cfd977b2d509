"""Review answers for the rest of the server and for clients, over HTTP and at a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any, Literal

import msgspec

from cardtable.review import review

Grade = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(review.GRADES)})]


class AllCardsSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What was best with all cards seen."""

    best: str
    loss: Annotated[float, msgspec.Meta(ge=0)]
    opponents: Literal["best", "medium"]
    best_label: Any


class DecisionSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision was worth."""

    deal: int
    number: int
    seat: int
    move: str
    best: str
    estimate: float
    best_estimate: float
    loss: Annotated[float, msgspec.Meta(ge=0)]
    error: float
    scale: float
    grade: Grade
    worst: bool
    move_label: Any
    best_label: Any
    seen: AllCardsSeen | None


class ReviewSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat's decisions in a deal were worth, as far as they have been judged."""

    deal: int
    deals: int
    seat: int
    iterations: int
    complete: bool
    of: int
    decisions: list[DecisionSeen]
    loss: float
    grades: dict[Grade, int]


class Reviews(ABC):
    """The reviews of a server."""

    @abstractmethod
    async def ask(self, owner: str, address: str, text: str, deal: int, seat: int) -> dict[str, Any]:
        """The review of a deal of a record, for a person at an address who may read it: complete, or what there is
        after `review_wait`. Asking again gives more. Raises RecordError, OptionError, NotReady, TooMany, Busy.
        """

    @abstractmethod
    async def close(self) -> None:
        """Stop judging."""
