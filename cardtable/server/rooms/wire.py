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
    """The first message: the table, by id or code, and the version that the client has (0: none).

    sender: a random id of this client, for as long as it has the table open; its commands have numbers of their own.
    """

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    version: cm.Count = 0
    sender: Annotated[str, msgspec.Meta(pattern="^[0-9A-Za-z_-]{0,32}$")] = ""


class Hint(ClientMessage, frozen=True, tag="hint"):
    """Ask what a good player would do. Only the asker gets the answer; nobody else learns about it."""


class AskReview(ClientMessage, frozen=True, tag="review"):
    """Ask what your decisions in the deal that has just been played were worth. Only the asker gets the answer."""


class AskOutlook(ClientMessage, frozen=True, tag="outlook"):
    """Ask whether anything useful is left to do, from what you know. Only the asker gets the answer."""


class AskWinnable(ClientMessage, frozen=True, tag="winnable"):
    """Ask whether the game can still be won. The answer looks at hidden cards, so it counts as a hint. Only the asker
    gets it.
    """


class AskWhy(ClientMessage, frozen=True, tag="why"):
    """Ask why moves may not be played.

    The answer, `because`, has the refusals that the commands would get; nothing is done.
    """

    moves: Annotated[
        list[Annotated[str, msgspec.Meta(min_length=1, max_length=200)]], msgspec.Meta(max_length=MOST_ASKED)
    ]


class Pace(ClientMessage, frozen=True, tag="pace"):
    """How fast bots should move where you are the only person: they wait less, but think as long."""

    speed: Literal["slow", "normal", "fast", "instant"]


class Ping(ClientMessage, frozen=True, tag="ping"):
    """Ask whether the server is there. The answer is `pong` with the same number."""

    n: cm.Count = 0


Incoming = Hello | Hint | AskReview | AskOutlook | AskWinnable | AskWhy | Pace | Ping | cm.Command


class ServerMessage(msgspec.Struct, frozen=True, tag_field="type"):
    """The base of what the server sends."""


class State(ServerMessage, frozen=True, tag="table"):
    """The table now, as you may know it.

    `happened` has the changes since version `since`; if that is 0, forget what you knew.
    """

    version: int
    since: int
    happened: list[HappeningSeen]
    table: TableSeen
    view: ViewSeen | None


class CommandDone(ServerMessage, frozen=True, tag="done"):
    """Your command `seq` is in the log for good. again: it was there before this message."""

    seq: int
    again: bool = False


class RefusalSent(ServerMessage, frozen=True, tag="refused", omit_defaults=True):
    """Your command `seq` (0: a message without one) is refused: a stable code, what you did, why not, what you can
    do. next: the number with which it can be sent again.
    """

    seq: int
    code: str
    what: Any  #: a message (docs/server.md), as are why and can
    why: Any
    can: Any
    rule: str
    legal: tuple[str, ...]
    next: int = 0


class Advice(ServerMessage, frozen=True, tag="advice"):
    """The answer to `hint`: the move, all steps of it (the first is the move; several where cards are chosen together),
    and the payoff expected from each of your moves (empty if it used the heuristic).
    """

    version: int
    move: str
    steps: tuple[str, ...]
    values: dict[str, float]


class Reviewed(ServerMessage, frozen=True, tag="reviewed"):
    """The answer to `review`: your decisions, as far as they have been judged. More follow until it is complete."""

    review: ReviewSeen


class Foreseen(ServerMessage, frozen=True, tag="foreseen"):
    """The answer to `outlook`: yes (moves show it), no (proved) or null (not known), and a message that says so."""

    version: int
    useful: bool | None
    says: Any
    moves: tuple[str, ...]


class SolutionSent(ServerMessage, frozen=True, tag="solved"):
    """The answer to `winnable`: `solved` (the moves win), `unwinnable` (proved) or `not-found` (neither was found in
    time), and a message that says so.
    """

    version: int
    status: str
    says: Any
    moves: tuple[str, ...]


class MoveReason(msgspec.Struct, frozen=True):
    """Why a move may not be played: what it would do, why not, what can be done instead, the rule."""

    what: Any  #: a message, as are why and can
    why: Any
    can: Any
    rule: str


class Because(ServerMessage, frozen=True, tag="because"):
    """The answer to `why`: the reason for each of the moves that may not be played now. version: of the table, for
    which this holds.
    """

    version: int
    reasons: dict[str, MoveReason]


class PlayHeld(ServerMessage, frozen=True, tag="held"):
    """Play is held up, because nothing can be saved: why, as a message. null: it goes on."""

    why: Any


class Pong(ServerMessage, frozen=True, omit_defaults=True, tag="pong"):
    """The answer to `ping`; `at` is the server's clock, milliseconds since 1970. One with number 0 comes unasked, when
    what holds for the whole `site` changes.
    """

    n: int
    at: int
    site: SiteSeen | None = None


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
    """The JSON schemas of types, and the definitions to which they refer by the template."""
    schemas, definitions = msgspec.json.schema_components(kinds, ref_template=template)
    for definition in definitions.values():
        if "description" in definition:  # a docstring, whose indentation Python keeps before version 3.13
            definition["description"] = inspect.cleandoc(definition["description"])
    return schemas, definitions


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of the messages: `client` and `server`, over common definitions."""
    (incoming, outgoing), definitions = schemas_of([Incoming, Outgoing], "#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Cardtable's table socket",
        "protocol": PROTOCOL,
        "client": incoming,
        "server": outgoing,
        "$defs": definitions,
    }
