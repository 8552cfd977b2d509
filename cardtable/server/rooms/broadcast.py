"""Peers, which are the connections to a table, and broadcasts to them: each is sent its missing updates, and peers
with the same view are sent the same text.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Mapping
from typing import Protocol

import msgspec

from cardtable.rules.events import EventSeen
from cardtable.server.net.budgets import Charge
from cardtable.server.net.connections import POLICY
from cardtable.server.rooms import wire
from cardtable.table import LiveTable, Refusal, projection

#: seconds, or bytes, of broadcasting before other tasks have a turn
BREATH, GULP = 0.01, 250_000

Sheet = tuple[list[EventSeen], int]  #: the list, and how many of its events were sent


class Peer(Protocol):
    """A connection to a table: a socket, or anything else that takes messages."""

    owner: str
    address: str  #: what counts as one address
    sender: str  #: the sender id of its commands, from its hello; "": they use the person's numbers
    version: int  #: the last version of the table that this peer was sent
    sheet: Sheet | None  #: the deal's sheet as it was sent
    charge: Charge | None  #: pays for the processor time of its last message

    def send(self, message: str) -> None:
        """Take a message; it never waits."""

    def owes(self, seconds: float) -> None:
        """A process has worked so long on a question of this peer's."""

    def close(self, code: int) -> None:
        """End the connection, with a code for the reason."""


class Caller(Peer, Protocol):
    """A connection of a person: a socket."""

    client: str  #: the IP address
    device: str  #: the hash of the token of the person's device
    since: int  #: when it connected (milliseconds since 1970)

    @property
    def ended(self) -> bool:
        """Whether the connection has ended, or will end after its remaining data."""


def refuse(peer: Peer, why: Refusal, seq: int = 0) -> None:
    """Send a refusal to a peer: of its command `seq`, or (0) of a message without a number."""
    peer.send(wire.text(wire.refused(seq, why)))


def dismiss(caller: Caller, why: Refusal) -> None:
    """Close a connection with a reason."""
    refuse(caller, why)
    caller.close(POLICY)


class Telling:
    """A table as it is now, for its peers."""

    def __init__(self, table: LiveTable, online: set[str], leaves: Mapping[str, int]) -> None:
        """online, leaves: as for `projection.seat_seen`."""
        self._table, self._online, self._leaves = table, online, leaves
        self._places: list[projection.SeatSeen] | None = None  #: created for the first peer
        self._texts: dict[tuple[object, ...], str] = {}

    async def all(self, peers: Collection[Peer]) -> None:
        """Send to all peers; other tasks have their turn in between."""
        began, size = time.perf_counter(), 0
        for peer in tuple(peers):
            size += self.one(peer)
            if size > GULP or time.perf_counter() - began > BREATH:
                await asyncio.sleep(0.0)
                began, size = time.perf_counter(), 0

    def one(self, peer: Peer) -> int:
        """Send to one peer; return the length of the text."""
        table, owner = self._table, peer.owner
        viewer = table.viewer_of(owner)
        number = table.numbers[viewer]
        missed = projection.gap(table, viewer, peer.version)
        since = peer.version if missed is not None else 0
        sheet_since = self._sheet_since(peer, viewer)
        peer.version = number
        # the only differences between peers who see the same cards
        seq = table.done.last(owner, peer.sender)
        same = viewer, since, sheet_since, owner == table.host, table.lost_by(owner), seq
        if same not in self._texts:
            if missed is None:
                missed = [projection.happening_seen(table, h, viewer) for h in table.happenings if h.numbers[viewer]]
            if self._places is None:
                self._places = projection.places_seen(table, self._online, self._leaves)
            about = projection.table_seen(table, owner, self._online, self._leaves, self._places, peer.sender)
            view = projection.view_seen(table, viewer)
            if view and sheet_since:
                view = msgspec.structs.replace(view, sheet=view.sheet[sheet_since:], sheet_since=sheet_since)
            self._texts[same] = wire.text(wire.State(number, since, missed, about, view))
        peer.send(self._texts[same])
        return len(self._texts[same])

    def _sheet_since(self, peer: Peer, viewer: int) -> int:
        """How many events of the sheet a peer has; it is sent the others now."""
        if self._table.match is None:
            return 0
        sheet = projection.sheet_seen(self._table, None if viewer == self._table.spectator else viewer)
        known = peer.sheet[1] if peer.sheet and peer.sheet[0] is sheet else 0
        peer.sheet = sheet, len(sheet)
        return known
