"""What can happen at a table. A table is the fold of these events, numbered 1, 2, 3, ...; they are never shown as they
are.

Times are milliseconds since 1970, given by the program that keeps the log: nothing here looks at a clock. A person is
known by an `owner`, the hash of a secret token.
"""

from __future__ import annotations

import msgspec

from cardtable.bots.levels import FORMER
from cardtable.table.setup import Setup


class Happened(msgspec.Struct, frozen=True, tag_field="kind", omit_defaults=True):
    """The base of all events."""


class Created(Happened, frozen=True, tag="created"):
    """The table was made; `secret` is the last link of the chain that its shuffles come from (see `fair`).

    stepwise: forced moves are separate entries (`Moved`, by the rules); otherwise they are part of the entry before
    them.
    """

    table: str
    setup: Setup
    host: str
    secret: str
    version: int = 1  #: version of the game's rules for which the setup's house rules were made
    stepwise: bool = False


class Sat(Happened, frozen=True, tag="sat"):
    """A person took a seat: a free one before the first match, or after a match the one that they had lost by
    withholding their entropy. entropy: only in old logs, whose shuffles had no commitments of the seats."""

    seat: int
    owner: str
    name: str
    entropy: str = ""


class BotSat(Happened, frozen=True, tag="bot-sat"):
    """The host gave an empty seat to a bot; an empty level opens it again."""

    seat: int
    level: str

    def __post_init__(self) -> None:
        if self.level in FORMER:
            msgspec.structs.force_setattr(self, "level", FORMER[self.level])


class Shuffling(Happened, frozen=True, tag="shuffling"):
    """The next match is to begin: each person commits to entropy for its shuffle (see `shuffling`)."""


class Committed(Happened, frozen=True, tag="committed"):
    """A seat committed to its entropy: the SHA-256 of it, as 64 hexadecimal digits."""

    seat: int
    commitment: str


class Revealing(Happened, frozen=True, tag="revealing"):
    """No more commitments are taken: the seats that have committed reveal their entropy."""


class Revealed(Happened, frozen=True, tag="revealed"):
    """A seat revealed the entropy to which it had committed."""

    seat: int
    entropy: str


class Withheld(Happened, frozen=True, tag="withheld"):
    """A seat did not reveal its entropy in time. A bot takes the seat, and the shuffle does without this entropy."""

    seat: int


class Returning(Happened, frozen=True, tag="returning"):
    """Whoever withheld the entropy of a seat wants to have it again from the next match on."""

    seat: int


class Started(Happened, frozen=True, tag="started"):
    """The first match begins; bots take the empty seats."""


class Moved(Happened, frozen=True, tag="moved"):
    """A move, or the steps of one. `by` is person, bot, clock, or rules: a forced move."""

    seat: int
    move: str
    by: str = "person"


class Numbered(msgspec.Struct, frozen=True, array_like=True):
    """A command by its number: whose it was, the client that sent it and what it was (see `senders`)."""

    owner: str
    seq: int
    sender: str = ""
    digest: str = ""


class Ticked(Happened, frozen=True, tag="ticked"):
    """A moment of a game in real time: each seat's move, and the commands that it answers.

    `stalled`: nothing happened for too long, so the clock ended the deal.
    """

    moves: tuple[str, ...]
    answers: tuple[Numbered, ...] = ()
    stalled: bool = False


class MoreTime(Happened, frozen=True, tag="more-time"):
    """A seat to act takes more time: the clock of this turn is extended by its full time."""

    seat: int


class Hinted(Happened, frozen=True, tag="hinted"):
    """A seat asked what to play. The others do not see it; it is counted when the match is over."""

    seat: int


class UndoAsked(Happened, frozen=True, tag="undo-asked"):
    """A seat asks to take back its last move, that is, the last `steps` chosen moves."""

    seat: int
    steps: int


class UndoAnswered(Happened, frozen=True, tag="undo-answered"):
    """Another person's answer, or the seat that asked no longer wants it."""

    seat: int
    yes: bool


class Undone(Happened, frozen=True, tag="undone"):
    """All agreed: the moves are taken back."""

    steps: int


class Ready(Happened, frozen=True, tag="ready"):
    """A person is ready for the next deal or, after a match, for another; or for a match that the host begins."""

    seat: int


class NextDeal(Happened, frozen=True, tag="next-deal"):
    """The next deal is dealt."""


class Rematch(Happened, frozen=True, tag="rematch"):
    """Another match begins at the same table."""


class Left(Happened, frozen=True, tag="left"):
    """A person left; `gone`: their connection was lost for too long; `removed`: the operator removed them.

    Before the match, the seat is free again. If they had lost the seat by withholding their entropy, they cannot have
    it again.
    """

    seat: int
    gone: bool = False
    removed: bool = False


class Returned(Happened, frozen=True, tag="returned"):
    """A person who had left is back in their seat."""

    seat: int


class Chosen(Happened, frozen=True, tag="chosen"):
    """A person's choice about a player who left: wait, bot, end."""

    seat: int
    about: int
    choice: str


class StoodIn(Happened, frozen=True, tag="stood-in"):
    """A bot plays for a player who left, until they are back."""

    seat: int


class Hosted(Happened, frozen=True, tag="hosted"):
    """Before the match, a person became the host, because the host had been away for too long."""

    seat: int


class Resumed(Happened, frozen=True, tag="resumed"):
    """The table was asleep, and its clocks stood still; they run again from here."""


class Resigned(Happened, frozen=True, tag="resigned"):
    """A seat gave up the match; `left`: the others ended it because the seat's owner had left."""

    seat: int
    left: bool = False


class Said(Happened, frozen=True, tag="said"):
    """A line of chat."""

    seat: int
    text: str


class Renamed(Happened, frozen=True, tag="renamed"):
    """A person took another name."""

    seat: int
    name: str


class Reacted(Happened, frozen=True, tag="reacted"):
    """A reaction of a person, shown at their seat for a moment."""

    seat: int
    reaction: str


class Ended(Happened, frozen=True, tag="ended"):
    """The match is over, and its secret may be shown."""


class Closed(Happened, frozen=True, tag="closed"):
    """The host closed the table before its match began, or the operator closed it at any time and gave a reason."""

    reason: str = ""


Event = (
    Created
    | Sat
    | BotSat
    | Shuffling
    | Committed
    | Revealing
    | Revealed
    | Withheld
    | Returning
    | Started
    | Moved
    | Ticked
    | MoreTime
    | Hinted
    | UndoAsked
    | UndoAnswered
    | Undone
    | Ready
    | NextDeal
    | Rematch
    | Left
    | Returned
    | Chosen
    | StoodIn
    | Hosted
    | Resumed
    | Resigned
    | Said
    | Renamed
    | Reacted
    | Ended
    | Closed
)


class Entry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the log: its number, time and event; and the command that it answers, if any, as in `Numbered`."""

    version: int
    at: int
    event: Event
    owner: str = ""
    seq: int = 0
    sender: str = ""
    digest: str = ""


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Entry)


def encode(entry: Entry) -> bytes:
    """An entry as it is stored; the inverse of `decode`."""
    return _encoder.encode(entry)


def decode(line: bytes | str) -> Entry:
    """A stored entry. Raises msgspec.DecodeError."""
    return _decoder.decode(line)
