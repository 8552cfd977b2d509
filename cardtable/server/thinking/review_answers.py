"""What a review has found, as clients are sent it: over HTTP, and at a table."""

from __future__ import annotations

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
