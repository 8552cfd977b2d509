"""The connections of people, as the hall and moderators see them, whether they have named a table or not."""

from __future__ import annotations

from typing import Protocol

from cardtable.server.rooms import wire
from cardtable.server.rooms.broadcast import Peer
from cardtable.table.commands import Refusal

DISMISSED = 1008  #: the code with which a socket is closed


class Caller(Peer, Protocol):
    """A connection of a person: a socket."""

    client: str  #: the IP address
    device: str  #: the hash of the token of the person's device
    since: int  #: when it connected (milliseconds since 1970)

    @property
    def ended(self) -> bool:
        """Whether the connection has ended, or ends after what is still to be sent."""


def dismiss(caller: Caller, why: Refusal) -> None:
    """Tell a connection why it ends, and end it."""
    caller.send(wire.text(wire.refused(0, why)))
    caller.close(DISMISSED)
