"""Review answers for the rest of the server and for clients, over HTTP and at a table."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Annotated, Any, Literal

import msgspec

from cardtable.review import review

Grade = Annotated[str, msgspec.Meta(extra_json_schema={"enum": list(review.GRADES)})]


class AllCardsSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What was best with all cards seen."""

    best: str  #: the best move with all cards seen, in notation
    loss: Annotated[float, msgspec.Meta(ge=0)]  #: by how many points of the deal the move made was worse
    #: how the others were assumed to play: their best moves, or those of the `medium` bot
    opponents: Literal["best", "medium"]
    best_label: Any  #: the name of the best move, a message; null: its notation


class DecisionSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What a decision was worth."""

    deal: int  #: the number of the deal, from 1
    number: int  #: of the move in its deal, from 1
    seat: int  #: from 0
    move: str  #: the move made, in notation
    best: str  #: the search's move, in notation
    estimate: float  #: the expected result of the deal after the move made, in chips or points
    best_estimate: float  #: the same after the best move
    loss: Annotated[float, msgspec.Meta(ge=0)]  #: by how much the move made was worse than the best
    error: float  #: the standard error of the loss; 0: the best move was made
    scale: float  #: the standard deviation of the deal's result, to compare losses of different deals
    grade: Grade  #: of the move
    worst: bool  #: one of the worst moves of the deal
    move_label: Any  #: the name of the move made, a message; null: its notation
    best_label: Any  #: the name of the best move, a message; null: its notation
    seen: AllCardsSeen | None  #: what was best with all cards seen; null: it was not found in time


class ReviewSeen(msgspec.Struct, frozen=True, kw_only=True):
    """What a seat's decisions in a deal were worth, as far as they have been judged."""

    deal: int  #: the number of the deal, from 1
    deals: int  #: the number of deals in the match
    seat: int  #: from 0
    iterations: int  #: deals played out for a decision, at most
    complete: bool  #: every decision has been judged; false: ask again
    of: int  #: the number of decisions of the seat in the deal
    lowest: float  #: no result of the deal is below it; 0 or −1 with a `highest` of 1: the deal is won or lost
    highest: float  #: no result of the deal is above it
    decisions: list[DecisionSeen]  #: those judged so far, in their order
    loss: float  #: the average loss of a decision, in points of the deal
    grades: dict[Grade, int]  #: the number of decisions with each grade, the best grade first


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
