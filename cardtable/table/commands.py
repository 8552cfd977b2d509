"""What a person at a table can ask for, and the refusal that answers what cannot be.

Every command carries a sequence number, ascending for each person and table: what was answered once is not done again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import msgspec

from cardtable.errors import AmbiguousMove, CardtableError, IllegalMove, Text
from cardtable.table.setup import LONGEST_CHAT, LONGEST_NAME

Seat = Annotated[int, msgspec.Meta(ge=0, lt=12)]
Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]


class Asked(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of all commands. seq: this person's next number at this table, from 1."""

    seq: Annotated[int, msgspec.Meta(ge=1, lt=1 << 53)]


class Sit(Asked, frozen=True, tag="sit"):
    """Take a seat (or, with -1, any that is free). entropy: chance for the shuffle, of the player's own choosing."""

    seat: Annotated[int, msgspec.Meta(ge=-1, lt=12)] = -1
    name: Annotated[str, msgspec.Meta(max_length=4 * LONGEST_NAME)] = ""
    entropy: Annotated[str, msgspec.Meta(max_length=64)] = ""


class PutBot(Asked, frozen=True, tag="bot"):
    """The host gives an empty seat to a bot of a level, or with an empty level opens it again."""

    seat: Seat
    level: Annotated[str, msgspec.Meta(max_length=16)] = ""


class Start(Asked, frozen=True, tag="start"):
    """The host begins; bots take the empty seats."""


class Move(Asked, frozen=True, tag="move"):
    """Play a move in notation. at: the version of the table the player was looking at."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    at: Count


class More(Asked, frozen=True, tag="more"):
    """Take more time for this turn, where a clock runs: as long again, once."""


class Undo(Asked, frozen=True, tag="undo"):
    """Ask to take back one's last move."""


class Answer(Asked, frozen=True, tag="answer"):
    """Agree to another's wish to take back, or not."""

    yes: bool


class GetReady(Asked, frozen=True, tag="ready"):
    """Go on: to the next deal, or after the match to another."""


class Resign(Asked, frozen=True, tag="resign"):
    """Give the match up."""


class Leave(Asked, frozen=True, tag="leave"):
    """Get up. In a match the seat is kept."""


class Choose(Asked, frozen=True, tag="choose"):
    """What to do about a seat whose owner left: wait, bot, end."""

    about: Seat
    choice: Annotated[str, msgspec.Meta(max_length=8)]


class Say(Asked, frozen=True, tag="say"):
    """A line of chat."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_CHAT)]


class Close(Asked, frozen=True, tag="close"):
    """The host closes a table whose match has not begun."""


Command = Sit | PutBot | Start | Move | More | Undo | Answer | GetReady | Resign | Leave | Choose | Say | Close


@dataclass(frozen=True)
class Refusal:
    """Why something is not done: a stable code, what was asked, why not, what is possible; the rule and the legal moves of a move."""

    code: str
    what: Text
    why: Text = ""
    can: Text = ""
    rule: str = ""
    legal: tuple[str, ...] = ()

    @classmethod
    def of(cls, error: CardtableError) -> Refusal:
        """The refusal that tells of an error."""
        what, why, can = error.parts
        if isinstance(error, IllegalMove):
            return cls(error.code, what, error.because, can, error.rule, error.legal)
        return cls(error.code, what, why, can, "", error.moves if isinstance(error, AmbiguousMove) else ())


class Refused(CardtableError):
    """A command that cannot be done now."""

    code = "table/refused"
