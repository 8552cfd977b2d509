"""Finished matches, step by step; and records that people upload."""

from __future__ import annotations

from typing import Any

from cardtable.bots import LEVELS
from cardtable.deals import Act
from cardtable.errors import RecordError, no_seat
from cardtable.match import Match
from cardtable.message import Message, Seat, as_data
from cardtable.record import Record
from cardtable.server.clock import now
from cardtable.server.store import Finished, Player, new_id
from cardtable.table.projection import zone_seen
from cardtable.table.setup import LONGEST_NAME, Setup, checked, clean

MOST_MOVES = 20_000  #: in a record that is replayed here


def loaded(text: str) -> tuple[Record, Match]:
    """A record, and its match at the end. Raises RecordError, also for a record too long to be replayed here."""
    record = Record.parse(text)
    if record.length > MOST_MOVES:
        can = Message("at most {most_moves} are replayed here; cardtable replay takes any", most_moves=MOST_MOVES)
        raise RecordError(
            Message("this record"), Message("it has {length} moves", length=record.length), can, code="record/size"
        )
    return record, record.replay()


def frames(text: str, deal: int, seat: int | None) -> dict[str, Any]:
    """One deal of a finished match, a frame for each move: as a seat saw it, or with all cards open.

    Raises RecordError, OptionError.
    """
    record, whole = loaded(text)
    if seat is not None and seat >= whole.seats:
        raise no_seat(Message("{seat}", seat=Seat(seat)), whole.seats)
    m = record.before(deal).replay()
    m.pause = True
    acts = whole.deals[deal - 1].acts
    told, done = [frame(m, None, seat)], 0
    while done < len(acts):
        act = acts[done]
        label = next((move.label for move in m.view(act.seat).choices if move.text == act.move), None)
        m.repeat(act.move, act.seat)  # plays the automatic moves after it, too
        told.append(frame(m, act, seat, label))
        done = len(m.deals[-1].acts)
    return {"deal": deal, "deals": len(whole.deals), "seat": seat, "frames": told}


def frame(m: Match, act: Act | None, seat: int | None, label: Message | None = None) -> dict[str, Any]:
    """The table after an act: as a seat saw it, or (None) with all hands open. label: the name of the act's move."""
    seen = m.view(seat)
    view = seen.as_dict() | {"zones": [zone_seen(zone, seat) for zone in seen.zones]}
    if seat is None:
        view["hands"] = [m.view(other).hand for other in range(m.seats)]
    told = {
        "number": act.number if act else 0,
        "seat": act.seat if act else None,
        "move": act.move if act else "",
        "label": as_data(label) if label else None,
    }
    return told | {"events": view.pop("events"), "view": view}


def retried(text: str, deal: int, number: int) -> Setup:
    """The setup of a table at which a finished match is played on from just before a move, by a person in the seat that
    made it, against bots.

    The bots are those of the match; the strongest bots take the seats of its other people. Raises RecordError,
    OptionError.
    """
    record = Record.parse(text)
    seat, _ = record.act(deal, number)
    cut = record.before(deal, number)
    names = record.keys.get("players")
    levels = [level_of(str(name)) for name in names] if isinstance(names, list) else []
    bots = [(levels[other] if other < len(levels) else "") or LEVELS[-1] for other in range(cut.keys["seats"])]
    bots[seat] = ""
    return checked(Setup(cut.keys["game"], bots=tuple(bots), start=str(cut)))


def level_of(name: str) -> str:
    """The level of a bot, from its name in a record (`bot: simple`); empty for a person's name."""
    level = name.removeprefix("bot: ")
    return level if level != name and level in LEVELS else ""


def kept(text: str, owner: str) -> Finished:
    """An uploaded record as it is kept. It does not count in statistics, as it was not played here.

    Raises RecordError.
    """
    record, m = loaded(text)
    names = record.keys.get("players")
    told = (
        [clean(str(name), LONGEST_NAME) for name in names] if isinstance(names, list) and len(names) == m.seats else []
    )
    names = told or [""] * m.seats
    winners = m.result.winners if m.result else ()
    players = tuple(
        Player(
            seat, owner if seat == 0 else "", names[seat], m.scores[seat], seat in winners, level=level_of(names[seat])
        )
        for seat in range(m.seats)
    )
    resigned = m.result.resigned if m.result else None
    at, title = now(), m.variant.alias
    return Finished(
        new_id(), 0, m.game.name, m.rules, at, len(m.deals), resigned, 0, text, players, counts=False, title=title
    )
