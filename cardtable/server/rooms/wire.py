"""The messages between server and clients: typed structures as JSON, one message in each frame. docs/server.md explains
them.

A client's message is decoded into `Incoming` or refused; a message of the server is one of `Outgoing`. Both sides' JSON
schema is made from these types (`schema`).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from cardtable.base.message import Message, as_data
from cardtable.server.field_comments import meanings_of
from cardtable.server.people.site import SiteSeen
from cardtable.server.store.faults import Fault
from cardtable.server.thinking.review_answers import ReviewSeen
from cardtable.table import commands as cm
from cardtable.table.commands import Refusal
from cardtable.table.projection import HappeningSeen, TableSeen, ViewSeen

PROTOCOL = 2
MOST_ASKED = 40  #: moves that one `why` may ask about


class ClientMessage(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of what clients send besides commands."""


class Hello(ClientMessage, frozen=True, tag="hello"):
    """The first message: open a table."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]  #: its id or code
    version: cm.Count = 0  #: of the table that the client has; 0: none
    #: a random id of this client, the same while it has the table open; each sender numbers its own commands
    sender: Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z_-]{0,32}$")] = ""


class Hint(ClientMessage, frozen=True, tag="hint"):
    """Ask what a good player would do. Only the asker gets the answer; nobody else learns about it."""

    #: the program asks, not the player: the hint is not counted as help. A table gives a player few of these, against
    #: bots only, and none in a deal of the day; where it gives none, it refuses the question
    unasked: bool = False


class AskReview(ClientMessage, frozen=True, tag="review"):
    """Ask what your decisions in the deal that has just been played were worth. Only the asker gets the answer."""


class AskOutlook(ClientMessage, frozen=True, tag="outlook"):
    """Ask whether anything useful is left to do, from what you know. Only the asker gets the answer."""


class AskWinnable(ClientMessage, frozen=True, tag="winnable"):
    """Ask whether the game can still be won. The answer looks at hidden cards, so it counts as a hint. Only the asker
    gets it.
    """


class AskWhy(ClientMessage, frozen=True, tag="why"):
    """Ask why moves may not be played. The answer has the refusals that the commands would get; nothing is done."""

    #: in notation
    moves: Annotated[
        list[Annotated[str, msgspec.Meta(min_length=1, max_length=200)]], msgspec.Meta(max_length=MOST_ASKED)
    ]


class Pace(ClientMessage, frozen=True, tag="pace"):
    """How fast bots move at this table where you are the only person. They wait less, but think as long."""

    speed: Literal["slow", "normal", "fast", "instant"]  #: for this table, until it is changed


class Ping(ClientMessage, frozen=True, tag="ping"):
    """Ask whether the server is there. The answer is `pong` with the same number."""

    n: cm.Count = 0  #: a number that the answer repeats


Incoming = Hello | Hint | AskReview | AskOutlook | AskWinnable | AskWhy | Pace | Ping | cm.Command


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type"):
    """The base of what the server sends."""


class State(ServerMessage, frozen=True, tag="table"):
    """The table now, as you may know it, and what has changed."""

    version: int  #: of the table, for this viewer
    since: int  #: the version before the first of `happened`; 0: forget what you knew
    happened: list[HappeningSeen]  #: the changes after `since`
    table: TableSeen  #: seats, stage, clock, chat: all except the cards
    view: ViewSeen | None  #: the match; null: none has begun


class CommandDone(ServerMessage, frozen=True, tag="done"):
    """Your command has been done, and saved."""

    seq: int  #: the number of the command
    again: bool = False  #: it had been done before this message came


class RefusalSent(ServerMessage, frozen=True, tag="refused", omit_defaults=True):
    """Your command, or another message of yours, is refused."""

    seq: int  #: the number of the command; 0: the message had none
    code: str  #: a stable code for programs
    what: Any  #: what was asked, a message (docs/server.md)
    why: Any  #: why it is refused, a message
    can: Any  #: what can be done instead, a message
    rule: str  #: the ID of the rule behind it; empty: none
    legal: tuple[str, ...]  #: the legal moves, in notation, if a move was refused
    next: int = 0  #: the number with which the command can be sent again; omitted: another number does not help


class Advice(ServerMessage, frozen=True, tag="advice"):
    """The answer to `hint`: a good move."""

    version: int  #: of the table for which it holds
    move: str  #: the first of `steps`, in notation
    steps: tuple[str, ...]  #: all steps of the move; several where cards are chosen together
    #: the expected result of the deal after each of your moves, in chips or points; empty: no search was used
    values: dict[str, float]
    says: Any  #: the move as advice with its reason, a message: `Lay 9♥: you hold 10♥, which can follow it.`


class Reviewed(ServerMessage, frozen=True, tag="reviewed"):
    """The answer to `review`: your decisions, as far as they have been judged. More messages follow until all are."""

    review: ReviewSeen  #: complete only if its `complete` is true; more messages follow otherwise


class Foreseen(ServerMessage, frozen=True, tag="foreseen"):
    """The answer to `outlook`: whether anything useful is left to do."""

    version: int  #: of the table for which it holds
    useful: bool | None  #: true: `moves` show it; false: it is proved that nothing is left; null: not known
    says: Any  #: the same in a sentence, a message
    moves: tuple[str, ...]  #: in notation


class SolutionSent(ServerMessage, frozen=True, tag="solved"):
    """The answer to `winnable`: whether the game can still be won."""

    version: int  #: of the table for which it holds
    status: str  #: `solved` (`moves` win), `unwinnable` (proved) or `not-found` (neither was found in time)
    says: Any  #: the same in a sentence, a message
    moves: tuple[str, ...]  #: in notation


class MoveReason(msgspec.Struct, frozen=True):
    """Why a move may not be played."""

    what: Any  #: what the move would do, a message
    why: Any  #: why it may not be played, a message
    can: Any  #: what can be done instead, a message
    rule: str  #: the ID of the rule behind it; empty: none


class Because(ServerMessage, frozen=True, tag="because"):
    """The answer to `why`: the moves that may not be played now, with the reasons."""

    version: int  #: of the table for which it holds
    reasons: dict[str, MoveReason]  #: for each of the moves that may not be played now


class PlayHeld(ServerMessage, frozen=True, tag="held"):
    """Play stops because nothing can be saved, or continues."""

    why: Any  #: the fault, a message; null: play continues


class Pong(ServerMessage, frozen=True, omit_defaults=True, tag="pong"):
    """The answer to `ping`. With number 0, it was not asked for: the state of the whole site has changed."""

    n: int  #: the number of the `ping`; 0: the message was not asked for
    at: int  #: the server's clock, milliseconds since 1970
    site: SiteSeen | None = None  #: as in `GET /api/site`; omitted if nothing is out of the ordinary


Outgoing = State | CommandDone | RefusalSent | Advice | Reviewed | Foreseen | SolutionSent | Because | PlayHeld | Pong

_decoder: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
_encoder = msgspec.json.Encoder()


class _Unread(msgspec.Struct):
    """The readable part of an invalid command."""

    seq: Annotated[int, msgspec.Meta(ge=0, lt=1 << 53)] = 0


_unread = msgspec.json.Decoder(_Unread)

#: What decoding raises; lists that are nested in each other by the thousand exhaust the stack.
UNREAD = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


#: msgspec's English messages for invalid JSON: a missing field, an unknown one, the place.
_MISSING = re.compile("missing required field `(.*?)`", re.DOTALL)
_UNKNOWN = re.compile("unknown field `(.*?)`", re.DOTALL)
_PLACE = re.compile(r" - at `\$\.(.*)`$", re.DOTALL)
LONGEST_PLACE = 60


def why_unread(error: Exception) -> Message:
    """Why JSON from outside could not be decoded, from one of `UNREAD`."""
    if isinstance(error, RecursionError):
        return Message("it is nested too deep")
    if not isinstance(error, msgspec.ValidationError):
        return Message("it is not JSON")
    text = str(error)
    if match := _MISSING.search(text):
        return Message('the field "{field}" is missing', field=match[1])
    if match := _UNKNOWN.search(text):
        return Message('there is no field "{field}"', field=match[1][:LONGEST_PLACE])
    if match := _PLACE.search(text):
        return Message('the value of "{field}" is not as described', field=match[1][:LONGEST_PLACE])
    return Message("it is not as described")


def parse(frame: str | bytes) -> Incoming | RefusalSent:
    """A client's message, or the refusal if it cannot be read."""
    try:
        return _decoder.decode(frame)
    except UNREAD as error:
        can = Message("send one of the commands in docs/server.md")
        return refused(_seq_in(frame), Refusal("message/syntax", Message("this message"), why_unread(error), can))


def _seq_in(frame: str | bytes) -> int:
    """The number of a command that cannot be read, so that its sender does not wait for an answer; 0: it has none."""
    try:
        return _unread.decode(frame).seq
    except UNREAD:
        return 0


def text(message: Outgoing) -> str:
    """A message as the text of a frame."""
    return _encoder.encode(message).decode()


def refused(seq: int, refusal: Refusal) -> RefusalSent:
    """A refusal as a message."""
    return RefusalSent(
        seq,
        refusal.code,
        as_data(refusal.what),
        as_data(refusal.why),
        as_data(refusal.can),
        refusal.rule,
        refusal.legal,
        refusal.next,
    )


def held(fault: Fault | None) -> PlayHeld:
    """The message for a fault of the database."""
    return PlayHeld(as_data(fault.why) if fault else None)


def schemas_of(kinds: Sequence[Any], template: str) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """The JSON schemas of types, and the definitions to which they refer by the template. Docstrings and the comments
    on fields are the descriptions.
    """
    schemas, definitions = msgspec.json.schema_components(kinds, ref_template=template)
    meanings = meanings_of(*kinds)
    for name, definition in definitions.items():
        # Before version 3.13, Python keeps the indentation of a docstring.
        if "description" in definition:
            definition["description"] = inspect.cleandoc(definition["description"])
        for field, meaning in meanings.get(name, {}).items():
            if field in definition.get("properties", {}):
                definition["properties"][field]["description"] = meaning
    return schemas, definitions


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of the messages: `client` and `server`, over shared definitions."""
    (incoming, outgoing), definitions = schemas_of([Incoming, Outgoing], "#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Cardtable's table socket",
        "protocol": PROTOCOL,
        "client": incoming,
        "server": outgoing,
        "$defs": definitions,
    }
