"""Refusals of a room because of the table or the server, independent of the game's rules."""

from __future__ import annotations

from cardtable.base.message import Message
from cardtable.server.store.faults import Fault
from cardtable.table import Refusal

FAULT = Refusal("server/fault", Message("this"), Message("a fault in Cardtable itself"), Message("please report it"))
PRIVATE = Refusal(
    "table/private",
    Message("looking on"),
    Message("this table is among its players only"),
    Message("ask for a seat before a match begins"),
)
NO_SEAT = Refusal("table/seat", Message("playing"), Message("you have no seat at this table"), Message("watch"))
AWAY = Refusal(
    "table/away",
    Message("playing"),
    Message("a player is away, and the game stands still"),
    Message("wait, or choose what happens to the seat"),
)


def not_saved(fault: Fault) -> Refusal:
    """The refusal of what could not be saved."""
    why = Message("it could not be saved: {reason}", reason=fault.why)
    return Refusal("server/storage", Message("this"), why, Message("send it again; play resumes when this is over"))
