"""Pictures of matches: the table at any move, and all moves of a match, for one seat or with all hands open."""

from __future__ import annotations

from collections.abc import Iterator

from cardtable.base.errors import check_seat, no_such_deal, no_such_move
from cardtable.base.languages import current
from cardtable.base.message import Message, Reader, Seat
from cardtable.base.types import SeatNumber
from cardtable.match.history import Deal
from cardtable.match.playing import Playing
from cardtable.picture.scene import Scene, scene_of
from cardtable.picture.stepper import Step
from cardtable.rules import contract
from cardtable.rules.contract import State


def scene_at(m: Playing, deal: int, number: int | None = None, seat: SeatNumber | None = None) -> Scene:
    """The table before a move of a deal (both from 1), or after the last one (None), as a seat could know it then;
    seat=None: with all hands open.

    Raises RecordError (no such deal or move), OptionError (no such seat).
    """
    if seat is not None:
        check_seat(seat, m.seats)
    played = _deal(m, deal)
    count = len(played.acts)
    if number is not None and not 1 <= number <= count + 1:
        raise no_such_move(deal, number, count)
    wanted = count if number is None else number - 1
    state = next(state for k, (state, _) in enumerate(_states(m, played)) if k == wanted)
    return scene_of(m.game, m.title, state, seat)


def steps(m: Playing, deal: int | None = None, seat: SeatNumber | None = None) -> list[Step]:
    """Every moment of a match, or of one of its deals: before the first move of each deal, and after each move.

    seat: limited to what this seat could know; None: everything, with all hands open. Raises as `scene_at`.
    """
    if seat is not None:
        check_seat(seat, m.seats)
    deals = m.deals if deal is None else (_deal(m, deal),)
    return [
        Step(scene_of(m.game, m.title, state, seat), said)
        for played in deals
        for state, said in _states(m, played, seat)
    ]


def _deal(m: Playing, number: int) -> Deal:
    if not 1 <= number <= len(m.deals):
        raise no_such_deal(number, len(m.deals))
    return m.deals[number - 1]


def _states(m: Playing, deal: Deal, viewer: SeatNumber | None = None) -> Iterator[tuple[State, str]]:
    """The state before the first move of a deal and after each move, with the viewer's description of that move."""
    reader = Reader(you=viewer, language=current())
    state, said = deal.start, reader.plain(Message("The deal begins."))
    for state, seat, code in deal.turns():
        yield state, said
        shown = viewer is None or contract.observed(state, seat, code, viewer) == code
        move = m.game.presentation.move_text(state, code) if shown else "…"
        said = f"{reader.plain(Seat(seat), sentence=True)}: {move}"
    yield state, said  # played to the end of the deal, or as far as it was recorded
