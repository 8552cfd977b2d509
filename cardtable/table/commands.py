"""The commands of people at a table, and their refusals.

Every command has a sequence number, which ascends for each sender at a table: a command is never done twice (see
`senders`).
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Annotated

import msgspec

from cardtable.base.errors import AmbiguousMove, CardtableError, IllegalMove, Text
from cardtable.base.message import Message
from cardtable.table.setup import LONGEST_CHAT, LONGEST_NAME

REACTIONS = ("👍", "👏", "😀", "😮", "😢", "🤔")
Seat = Annotated[int, msgspec.Meta(ge=0, lt=12)]
Count = Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)]


class BaseCommand(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, omit_defaults=True):
    """The base of all commands."""

    seq: Annotated[int, msgspec.Meta(ge=1, lt=1 << 53)]  #: the sender's next number at this table, from 1

    @property
    def digest(self) -> str:
        """A digest that distinguishes this command from another one of the same number. A field added by a later
        version does not change it while the field has its default value.
        """
        return blake2b(msgspec.json.encode(self), digest_size=6).hexdigest()


class Sit(BaseCommand, frozen=True, tag="sit"):
    """Take a seat, or take back the seat that you lost in a shuffle."""

    seat: Annotated[int, msgspec.Meta(ge=-1, lt=12)] = -1  #: -1: any free seat
    #: the player's name; empty: `Player 1` and so on, by the seat
    name: Annotated[str, msgspec.Meta(max_length=4 * LONGEST_NAME)] = ""
    entropy: Annotated[str, msgspec.Meta(max_length=64)] = ""  #: clients of an older protocol send it; it has no effect


class PutBot(BaseCommand, frozen=True, tag="bot"):
    """The host gives an empty seat to a bot, or opens it again."""

    seat: Seat  #: an empty seat
    level: Annotated[str, msgspec.Meta(max_length=16)] = ""  #: of the bot; empty: open the seat again


class Start(BaseCommand, frozen=True, tag="start"):
    """The host begins the match; bots take the empty seats."""


class Commit(BaseCommand, frozen=True, tag="commit"):
    """Commit to your entropy for the shuffle of the next match."""

    #: the SHA-256 of your entropy, as 64 hexadecimal digits
    commitment: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]


class Reveal(BaseCommand, frozen=True, tag="reveal"):
    """Reveal the entropy to which you committed."""

    #: 16 to 64 ASCII characters without spaces, chosen at random
    entropy: Annotated[str, msgspec.Meta(pattern="^[!-~]{16,64}$")]


class PlayMove(BaseCommand, frozen=True, tag="move"):
    """Play a move."""

    move: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]  #: in notation
    at: Count  #: the version of the table that the player was looking at


class More(BaseCommand, frozen=True, tag="more"):
    """Take more time for this turn, where a clock runs: its full time again."""


class Undo(BaseCommand, frozen=True, tag="undo"):
    """Ask to take back your last move, or all of them."""

    all: bool = False  #: take back every move of yours in this deal; only where all others are bots


class AnswerUndo(BaseCommand, frozen=True, tag="answer"):
    """Agree to another player's request to take back, or not; the player who made it can withdraw it."""

    yes: bool  #: true: agree; false, from the player who asked: withdraw it


class GetReady(BaseCommand, frozen=True, tag="ready"):
    """Continue with the next deal or, after the match, with another match. Before a match that the host begins: show
    the others that you are ready.
    """


class Resign(BaseCommand, frozen=True, tag="resign"):
    """Give up the match."""


class Leave(BaseCommand, frozen=True, tag="leave"):
    """Leave the seat. During a match it is kept."""


class Choose(BaseCommand, frozen=True, tag="choose"):
    """Choose what to do about a seat whose owner has left."""

    about: Seat  #: a seat whose owner has left
    choice: Annotated[str, msgspec.Meta(max_length=8)]  #: `wait`, `bot` (a bot plays for them) or `end` (they resign)


class Say(BaseCommand, frozen=True, tag="say"):
    """A line of chat."""

    text: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_CHAT)]  #: the line


class Rename(BaseCommand, frozen=True, tag="rename"):
    """Take another name; your seat keeps everything else."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=4 * LONGEST_NAME)]  #: the new name


class React(BaseCommand, frozen=True, tag="react"):
    """A reaction, shown at your seat for a moment."""

    reaction: Annotated[str, msgspec.Meta(min_length=1, max_length=8)]  #: one of 👍 👏 😀 😮 😢 🤔


class Close(BaseCommand, frozen=True, tag="close"):
    """The host closes a table whose match has not begun."""


Command = (
    Sit
    | PutBot
    | Start
    | Commit
    | Reveal
    | PlayMove
    | More
    | Undo
    | AnswerUndo
    | GetReady
    | Resign
    | Leave
    | Choose
    | Say
    | Rename
    | React
    | Close
)


@dataclass(frozen=True)
class Refusal:
    """Why something is refused: a stable code, what was asked, why not, what is possible; and, for a move, the rule and
    the legal moves.
    """

    code: str
    what: Text
    why: Text = ""
    can: Text = ""
    rule: str = ""
    legal: tuple[str, ...] = ()
    next: int = 0  #: the number with which the sender can send it again; 0: another number does not help

    @classmethod
    def of(cls, error: CardtableError) -> Refusal:
        """An error as a refusal."""
        what, why, can = error.parts
        if isinstance(error, IllegalMove):
            return cls(error.code, what, error.because, can, error.rule, error.legal)
        if isinstance(error, NumberUsed):
            return cls(error.code, what, why, can, next=error.next)
        return cls(error.code, what, why, can, "", error.moves if isinstance(error, AmbiguousMove) else ())


class CommandRefused(CardtableError):
    """A command that cannot be done now."""

    code = "table/refused"


class NumberUsed(CommandRefused):
    """A command that was not done, because its number is not after that of the last command done."""

    code = "message/number"

    def __init__(self, seq: int, last: int) -> None:
        self.next = last + 1
        why = Message("its number, {seq}, does not come after {last}, the last one done", seq=seq, last=last)
        super().__init__(Message("this command"), why, Message("send it again as number {n}", n=self.next))
