"""Errors for people: what you did, why not, what you can do; each class with a stable code and an exit code."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Self

from cardtable.base.message import Either, Message, Moves, Reader, Rule, Seat, Sentence, plain
from cardtable.base.types import MoveText, RuleID, SeatNumber

#: part of an error; a string only where it cannot be translated, such as a text of the operating system
Text = Message | str

MOST_SHOWN = 12  #: a refusal lists up to this many legal moves, and only some of them if there are more


class CardtableError(Exception):
    """The base of every error that a user or a caller can cause.

    `code` is stable and used unchanged on the wire; `exit_code` is the command line's.
    `what` failed, `why`, and what the user `can` do instead, in plain English; the last two may be empty.
    `rule` is the ID of the rule that forbids it, or "". `message` is the whole error and `parts` its three parts, as
    messages for any reader; in English, players are `seat 0`, `seat 1`, ...; `told` inserts their names.
    """

    code = "error"
    exit_code = 1
    rule = ""

    def __init__(self, what: Text, why: Text = "", can: Text = "", *, code: str = "") -> None:
        self.parts = (what, why, can)
        if code:
            self.code = code
        super().__init__(str(self.message))

    @property
    def what(self) -> str:
        """What failed."""
        return plain(self.parts[0])

    @property
    def why(self) -> str:
        """Why that is not possible."""
        return plain(self.parts[1])

    @property
    def can(self) -> str:
        """What one can do instead."""
        return plain(self.parts[2])

    @property
    def message(self) -> Message:
        """The whole error."""
        what, why, can = self.parts
        fault = Message("{what}: {why}", what=what, why=why) if why else Message("{what}", what=what)
        return Message("{told}. {can}", told=fault, can=Sentence(can)) if can else fault

    def as_value(self) -> Self:
        """The error as a value to return, without where it was raised: that refers to the frames of all callers, and so
        back to the error itself, a circle that only garbage collection frees.
        """
        self.__context__ = self.__cause__ = None
        return self.with_traceback(None)

    def of(self, file: str | os.PathLike[str]) -> Self:
        """Return the same error with the name of the file."""
        if os.fspath(file) not in str(self):
            self.parts = (Message("{file}: {what}", file=os.fspath(file), what=self.parts[0]), *self.parts[1:])
            self.args = (str(self.message),)
        return self

    def told(self, names: Sequence[str]) -> str:
        """The error as a sentence, with names for the seats."""
        return Reader(names).plain(self.message)

    def as_dict(self) -> dict[str, str]:
        """The error for `--json` and the wire."""
        return {"code": self.code, "what": self.what, "why": self.why, "can": self.can}


class UnknownGame(CardtableError):
    """There is no game of that name."""

    code, exit_code = "game/unknown", 2


class OptionError(CardtableError):
    """House rules, a preset or a number of seats that the game does not have."""

    code, exit_code = "options/value", 2


def no_seat(what: Text, seats: int, code: str = "options/seats") -> OptionError:
    """The error for a seat that a table does not have."""
    return OptionError(
        what, Message("the seats are 0 to {most}", most=seats - 1), Message("name one of them"), code=code
    )


def check_seat(seat: SeatNumber, seats: int) -> None:
    """Raise OptionError if a table with this number of seats has no such seat."""
    if isinstance(seat, bool) or not 0 <= seat < seats:
        raise no_seat(Message("{seat}", seat=Seat(seat)), seats)


class NotationError(CardtableError):
    """Text that is not a card, a move or a seed."""

    code, exit_code = "move/syntax", 2


class AmbiguousMove(CardtableError):
    """Text that fits several moves; they are in `moves`."""

    code, exit_code = "move/ambiguous", 2

    def __init__(self, what: Text, why: Text, can: Text, moves: Sequence[str]) -> None:
        self.moves = tuple(moves)
        super().__init__(what, why, can)


class IllegalMove(CardtableError):
    """A move that was understood, but that the rules do not allow now."""

    code = "move/illegal"

    def __init__(
        self,
        seat: SeatNumber,
        move: MoveText,
        why: Text,
        rule: RuleID,
        legal: Sequence[MoveText],
        verb: Message | None = None,
        name: Message | None = None,
    ) -> None:
        """verb: what the seat tried to do; None: to play the move. name: what people call that; None: it is a card."""
        self.seat, self.move, self.because, self.rule, self.legal = seat, move, why, rule, tuple(legal)
        wanted = Message("{seat} may not play {move}", seat=Seat(seat), move=name or Moves(move))
        what = Message("{seat} cannot {verb}", seat=Seat(seat), verb=verb) if verb else wanted
        super().__init__(what, Message("{why} ({rule})", why=why, rule=Rule(rule)) if rule else why, may_play(legal))

    @property
    def reason(self) -> str:
        """Why not, without the rule."""
        return str(self.because)

    def as_dict(self) -> dict[str, str]:
        return super().as_dict() | {"rule": self.rule}


class NotYourTurn(CardtableError):
    """A seat that may not act now; `seat` is None if none was named and several may act, or none may."""

    code = "move/turn"

    def __init__(self, seat: SeatNumber | None, actors: Sequence[SeatNumber], over: bool = False) -> None:
        """over: the deal is over, and the next one is still to be dealt."""
        self.seat, self.actors = seat, tuple(actors)
        who = [Seat(actor) for actor in actors]
        what = Message("a move") if seat is None else Message("{seat} may not act", seat=Seat(seat))
        wait = Message("wait for your turn")
        if over:
            super().__init__(what, Message("the deal is over"), Message("call next_deal()"))
        elif not actors:
            super().__init__(what, Message("nobody may act now"), wait)
        elif seat is None:
            super().__init__(what, Message("{seats} may act now", seats=who), Message("name the seat"))
        else:
            super().__init__(what, Message("it is {seats:@'s turn|your turn|the turn of @}", seats=who), wait)


def may_play(legal: Sequence[MoveText], most: int = MOST_SHOWN) -> Text:
    """`You may: 7H, pass`; if there are many moves, some of them and how many more there are."""
    if len(legal) <= most:
        return Message("you may: {moves}", moves=Moves(", ".join(legal))) if legal else ""
    return Message("you may: {moves}, {n} more", moves=Moves(", ".join(legal[: most - 4])), n=len(legal) - most + 4)


def no_move(text: str) -> Message:
    """`'7Q' is not a move`."""
    return Message("{text} is not a move", text=repr(text.strip()[:60]))


def meant(close: Sequence[str], known: Sequence[str]) -> Message:
    """`did you mean fan-tan?`, or all that there are."""
    return (
        Message("did you mean {names}?", names=Either(close))
        if close
        else Message("there are {names}", names=", ".join(known))
    )


class MatchOver(CardtableError):
    """The match is over; with code `match/deal`, the deal is not at a point where this can be done."""

    code = "match/over"


class NoSolver(CardtableError):
    """A game that cannot be solved, because it has no solver."""

    code = "solve/game"

    def __init__(self, title: Text) -> None:
        super().__init__(
            Message("solving"), Message("{game} has no solver", game=title), Message("play it, or choose a patience")
        )


class NoHint(CardtableError):
    """A position in which no move is worth a hint."""

    code = "hint/none"

    def __init__(self) -> None:
        super().__init__(
            Message("a hint now"),
            Message("nothing useful is left to do"),
            Message("take moves back, or give up"),
        )


class NothingToUndo(CardtableError):
    """No chosen move is left to take back."""

    code = "match/undo"


class BotError(CardtableError):
    """A third-party bot failed during play. `bot` is its name; `bot/raised`: it raised an error, which is the
    cause of this one; `bot/move`: what it returned is not a legal move.
    """

    code = "bot/raised"

    def __init__(self, bot: str, what: Text, why: Text = "", can: Text = "", *, code: str = "") -> None:
        self.bot = bot
        super().__init__(what, why, can, code=code)

    def within(self, where: Text) -> BotError:
        """Return the same error with the deal of a league in which it happened."""
        what, why, can = self.parts
        return BotError(self.bot, Message("{what}, in {where}", what=what, where=where), why, can, code=self.code)


class RealTimeError(CardtableError):
    """A single move in a match that is played in real time, or a moment of real time in one that is not."""

    code, exit_code = "match/real-time", 2


class PositionError(CardtableError):
    """Text that is no position (`position/syntax`), or a position that is not possible (`position/impossible`)."""

    code = "position/impossible"


class RecordError(CardtableError):
    """A record that cannot be read or replayed; `deal`, `number` (of the move) and `rule` give the place and the
    reason."""

    code = "record/syntax"

    def __init__(
        self,
        what: Text,
        why: Text = "",
        can: Text = "",
        *,
        code: str = "",
        deal: int = 0,
        number: int = 0,
        rule: RuleID = "",
    ) -> None:
        self.deal, self.number, self.rule = deal, number, rule
        super().__init__(what, why, can, code=code)


def no_such_deal(deal: int, count: int) -> RecordError:
    """The error for a deal number (from 1) beyond the end of a record."""
    return RecordError(
        Message("deal {deal}", deal=deal),
        Message("the record has {count} deals", count=count),
        Message("name one of them"),
        code="record/deal",
    )


def no_such_move(deal: int, number: int, count: int) -> RecordError:
    """The error for a move number (from 1) beyond the end of a deal."""
    return RecordError(
        Message("move {number} of deal {deal}", number=number, deal=deal),
        Message("the deal has {count} moves", count=count),
        Message("name one of them"),
        code="record/move",
        deal=deal,
    )


class SaveError(CardtableError):
    """A file could not be written; its previous content is unchanged."""

    code, exit_code = "file/save", 3
