"""Updates of the database's lists, written together with an entry of a log."""

from __future__ import annotations

from cardtable.server.store import shared_deals
from cardtable.server.store.writes import Finished, FinishedPlayer
from cardtable.table import LiveTable
from cardtable.table import events as ev
from cardtable.table.archive import record_of
from cardtable.table.live import BETWEEN, CLOSED, LOBBY, OVER, PLAYING, SHUFFLING


def stage_after(table: LiveTable, event: ev.Event) -> str:
    """The stage of a table for lists: it is played from the shuffle on, also between deals."""
    if isinstance(event, (ev.Shuffling, ev.Started, ev.Rematch)):
        return PLAYING
    now_at = PLAYING if table.stage == SHUFFLING else table.stage
    return OVER if isinstance(event, ev.Ended) else CLOSED if isinstance(event, ev.Closed) else now_at


def row_of(table: LiveTable, event: ev.Event, at: int) -> dict[str, object]:
    """The columns that an event changes; none for an ordinary move."""
    listing = (ev.Shuffling, ev.Withheld, ev.Started, ev.Rematch, ev.Ended, ev.Closed, ev.Sat, ev.Left, ev.Returned)
    return {"stage": stage_after(table, event), "changed": at} if isinstance(event, listing) else {}


def seats_of(table: LiveTable, event: ev.Event) -> list[str] | None:
    """The owner of every seat after an event; None if it does not change them."""
    owners = [place.owner for place in table.places]
    if isinstance(event, ev.Sat):
        owners[event.seat] = event.owner
        return owners
    if isinstance(event, ev.Withheld) or (isinstance(event, ev.Left) and table.stage == LOBBY):
        owners[event.seat] = ""
        return owners
    return None


def taken_back_of(table: LiveTable, event: ev.Event) -> tuple[int, int] | None:
    """The match and the deal (numbers) that was over and resumes after an event; None: no such effect."""
    if isinstance(event, ev.Undone) and table.stage == BETWEEN and table.match is not None:
        return table.number, len(table.match.deals)
    return None


def finished_of(table: LiveTable, at: int) -> Finished:
    """A match as it is kept, when it is about to end."""
    m = table.match
    assert m is not None
    assert m.result is not None
    result, setup = m.result, table.setup
    players = []
    for seat, place in enumerate(table.places):
        score, won, level = result.scores[seat], seat in result.winners, "" if place.owner else place.level
        players.append(FinishedPlayer(seat, place.owner, place.name, score, won, place.undone, place.hints, level))
    return Finished(
        table=table.id,
        number=table.number,
        game=setup.game,
        preset=setup.preset,
        at=at,
        deals=result.deals,
        resigned=result.resigned,
        undone=table.undone,
        record=str(record_of(table)),
        players=tuple(players),
        counts=not setup.start,
        title=setup.title,
        deal=shared_deals.deal_of(setup),
        house=shared_deals.house_of(setup),
    )
