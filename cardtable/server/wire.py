"""The messages between server and clients: typed structures as JSON, one message a frame. docs/server.md explains them.

What comes in is decoded into `Incoming` or refused; what goes out is one of `Outgoing`. Both sides' JSON schema is made
from these types (`schema`).
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from cardtable.message import Message, as_data
from cardtable.table import commands as cm
from cardtable.table.commands import Refusal
from cardtable.table.projection import HappeningSeen, TableSeen, ViewSeen

PROTOCOL = 2
MOST_ASKED = 40  #: moves that one `why` may ask about


class Sent(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The base of what clients send beside commands."""


class Hello(Sent, frozen=True, tag="hello"):
    """The first message: which table, by id or code, and up to which version it is known (0: not at all)."""

    table: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]
    version: cm.Count = 0


class Hint(Sent, frozen=True, tag="hint"):
    """What would a good player do? Answered to the asker only; nobody else learns of it."""


class Why(Sent, frozen=True, tag="why"):
    """Why may I not play these? Answered by `because`, as the commands would be refused; nothing is done."""

    moves: Annotated[list[Annotated[str, msgspec.Meta(min_length=1, max_length=200)]], msgspec.Meta(max_length=MOST_ASKED)]


class Pace(Sent, frozen=True, tag="pace"):
    """How fast bots shall move where you are the only person: their thinking is not shortened, their waiting is."""

    speed: Literal["normal", "fast", "instant"]


class Ping(Sent, frozen=True, tag="ping"):
    """Is anybody there? Answered by `pong` with the same number."""

    n: cm.Count = 0


Incoming = Hello | Hint | Why | Pace | Ping | cm.Command


class Told(msgspec.Struct, frozen=True, tag_field="type"):
    """The base of what the server sends."""


class State(Told, frozen=True, tag="table"):
    """The table as you may know it, now. `happened` is what led there since version `since`; with since 0 forget what you knew."""

    version: int
    since: int
    happened: list[HappeningSeen]
    table: TableSeen
    view: ViewSeen | None


class Done(Told, frozen=True, tag="done"):
    """Your command `seq` is in the log for good. again: it was so before this message."""

    seq: int
    again: bool = False


class Refused(Told, frozen=True, tag="refused"):
    """Your command `seq` (0: a message without one) is not done: a stable code, what you did, why not, what you can do."""

    seq: int
    code: str
    what: Any  #: a message (docs/server.md), as are why and can
    why: Any
    can: Any
    rule: str
    legal: tuple[str, ...]


class Advice(Told, frozen=True, tag="advice"):
    """The answer to `hint`: the move, and what it expects each of your moves to bring (empty if it went by rule of thumb)."""

    version: int
    move: str
    values: dict[str, float]


class Reason(msgspec.Struct, frozen=True):
    """Why one move may not be played: what it would do, why not, what can be done instead, the rule."""

    what: Any  #: a message, as are why and can
    why: Any
    can: Any
    rule: str


class Because(Told, frozen=True, tag="because"):
    """The answer to `why`: the reason for each of the moves that may not be played now. version: of the table it holds for."""

    version: int
    reasons: dict[str, Reason]


class Pong(Told, frozen=True, tag="pong"):
    """The answer to `ping`; `at` is the server's clock, milliseconds since 1970."""

    n: int
    at: int


Outgoing = State | Done | Refused | Advice | Because | Pong

_decoder: msgspec.json.Decoder[Incoming] = msgspec.json.Decoder(Incoming)
_encoder = msgspec.json.Encoder()


def parse(frame: str | bytes) -> Incoming | Refused:
    """A client's message, or the refusal that answers what is none."""
    try:
        return _decoder.decode(frame)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        can = Message("send one of those that docs/server.md lists")
        return refused(0, Refusal("message/syntax", Message("this message"), str(error)[:300], can))


def text(message: Outgoing) -> str:
    """A message as the text of a frame."""
    return _encoder.encode(message).decode()


def refused(seq: int, refusal: Refusal) -> Refused:
    """The message of a refusal."""
    return Refused(seq, refusal.code, as_data(refusal.what), as_data(refusal.why), as_data(refusal.can), refusal.rule, refusal.legal)


def schema() -> dict[str, Any]:
    """The JSON schema (2020-12) of the messages: `client` and `server`, over common definitions."""
    (incoming, outgoing), definitions = msgspec.json.schema_components([Incoming, Outgoing], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Cardtable's table socket",
        "protocol": PROTOCOL,
        "client": incoming,
        "server": outgoing,
        "$defs": definitions,
    }
