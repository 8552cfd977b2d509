"""A scene: what one viewer may see of a table at one moment, to be drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cardtable.base.types import SeatNumber
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.zones import Zone


@dataclass(frozen=True)
class Scene:
    """What lies on a table, for a viewer who may see these zones and no others."""

    title: str  #: of the match
    seats: int
    deal: int
    dealer: SeatNumber
    actors: tuple[SeatNumber, ...]  #: the seats that may act, as far as the viewer knows
    zones: Sequence[Zone]
    viewer: SeatNumber | None = None  #: None: a spectator, or somebody who sees all hands
    open: bool = False  #: the hands of all seats are shown


def scene_of(game: Game, title: str, state: State, viewer: SeatNumber | None) -> Scene:
    """The scene of a whole state, as a seat may know it; None: with the hands of all seats, each as its own seat sees
    it. Cards unknown to all seats stay hidden. The state is not changed.
    """
    seats = int(state.seats)
    redacted = _redacted(state, -1 if viewer is None else viewer)
    zones = _zones(game, state, redacted, viewer)
    if viewer is None:
        own = {
            zone.name: zone
            for seat in range(seats)
            for zone in _zones(game, state, _redacted(state, seat), seat)
            if zone.seats == (seat,) and zone.kind != "action"
        }
        zones = [own.get(zone.name, zone) for zone in zones]
    return Scene(
        title, seats, int(state.deal_number), int(state.dealer), _actors(redacted), zones, viewer, open=viewer is None
    )


def _redacted(state: State, seat: int) -> State:
    redacted: State = state.copy()
    contract.redact(redacted, seat)
    return redacted


def _actors(state: State) -> tuple[SeatNumber, ...]:
    mask = int(contract.actors(state))
    return tuple(seat for seat in range(int(state.seats)) if mask >> seat & 1)


def _zones(game: Game, whole: State, redacted: State, seat: SeatNumber | None) -> list[Zone]:
    """The zones of a redacted state. whole: the same state unredacted, for the legal moves."""
    if seat is None or seat not in _actors(redacted):
        return game.presentation.zones(redacted, -1 if seat is None else seat, ())
    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    count = contract.legal(whole, seat, moves)
    return game.presentation.zones(redacted, seat, tuple(moves[:count].tolist()))
