"""Peers of rooms without a socket."""

from __future__ import annotations

from cardtable.server.net.budgets import Charge
from cardtable.server.rooms.broadcast import Sheet


class Ear:
    """A peer that keeps what it is sent."""

    def __init__(self, owner: str = "nobody") -> None:
        self.owner, self.address, self.version, self.sender = owner, "", 0, ""
        self.charge: Charge | None = None
        self.sheet: Sheet | None = None
        self.heard: list[str] = []

    def send(self, message: str) -> None:
        self.heard.append(message)

    def owes(self, seconds: float) -> None:
        """It owes nothing."""

    def close(self, code: int) -> None:
        self.heard.append(f"closed {code}")
