"""Finished matches, step by step; and records that people upload."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from cardtable.base.errors import RecordError, check_seat
from cardtable.base.message import Message, as_data
from cardtable.bots import LEVELS
from cardtable.match.history import PlayedMove
from cardtable.match.match import Match, Record
from cardtable.review.review import questions
from cardtable.server.clock import now
from cardtable.server.store.codes import new_id
from cardtable.server.store.writes import Finished, Player
from cardtable.table.projection import zone_seen
from cardtable.table.setup import LONGEST_NAME, Setup, checked, clean

FOR_PEOPLE = "search"  #: the level of the bots that take the seats of a match's people where it is played on


def parsed(text: str, most: int) -> Record:
    """A record of at most `most` moves. Raises RecordError, `record/size` for a longer one."""
    record = Record.parse(text)
    if record.length > most:
        why = Message("it has {length} moves, and at most {most} are replayed here", length=record.length, most=most)
        can = Message("read it on your own machine: cardtable replay FILE")
        raise RecordError(Message("this record"), why, can, code="record/size")
    return record


def frames(text: str, deal: int, seat: int | None, first: int, count: int, most: int) -> dict[str, Any]:
    """A portion of a deal of a match: a frame before its first move, and one after each chosen move; as a seat saw it,
    or with all cards open.

    first: the first frame wanted, from 0; count: how many at most; most: moves that the record may have. `numbers` has
    the number of the first move in each frame of the deal, 0 for the frame before it. Raises RecordError, OptionError.
    """
    record = parsed(text, most)
    whole = record.replay()
    if seat is not None:
        check_seat(seat, whole.seats)
    record.acts(deal)  # there is such a deal
    acts = whole.deals[deal - 1].acts
    numbers = [0, *(act.number for act in acts if act.number == 1 or not act.forced)]
    told: list[dict[str, Any]] = []
    if first < len(numbers):
        m = record.before(deal, max(1, numbers[first])).resumed(auto=False)
        for begin, end in list(pairwise([*numbers, len(acts) + 1]))[first : first + count]:
            told.append(frame(m, acts[begin - 1 : end - 1] if begin else [], seat))
    return {"deal": deal, "deals": len(whole.deals), "seat": seat, "first": first, "numbers": numbers, "frames": told}


def frame(m: Match, acts: Sequence[PlayedMove], seat: int | None) -> dict[str, Any]:
    """Play a chosen move and the automatic ones after it (none: the deal begins), and show the table: as a seat sees
    it, or (None) with all hands open.
    """
    act = acts[0] if acts else None
    label = act and next((move.label for move in m.view(act.seat).choices if move.text == act.move), None)
    events = [] if acts else list(m.events)
    for one in acts:
        m.repeat(one.move, one.seat)
        events += m.events
    seen = m.view(seat)
    view = seen.as_dict() | {"zones": [zone_seen(zone, seat) for zone in seen.zones]}
    view.pop("events")
    if seat is None:
        view["hands"] = [m.view(other).hand for other in range(m.seats)]
    return {
        "number": act.number if act else 0,
        "seat": act.seat if act else None,
        "move": act.move if act else "",
        "label": as_data(label) if label else None,
        "events": [event.seen_by(seat).as_dict() for event in events],
        "view": view,
    }


def questioned(text: str, deal: int, seat: int, first: int, count: int, most: int) -> dict[str, Any]:
    """A portion of a seat's decisions in a deal, as a review needs them; first, count and most: as in `frames`, of
    decisions. `of` is the number of all. Raises RecordError, OptionError.
    """
    m = parsed(text, most).replay()
    found = list(questions(m, seat, deal, open_cards=True))
    told = [
        {
            "act": one.act,
            "state": one.state.tobytes(),
            "past": one.past.packed() if one.past else b"",
            "whole": b"" if one.whole is None else one.whole.tobytes(),
        }
        for one in found[first : first + count]
    ]
    return {"game": m.game.name, "deals": len(m.deals), "of": len(found), "asked": told}


def retried(text: str, deal: int, number: int) -> Setup:
    """The setup of a table at which a finished match is played on from just before a move, by a person in the seat that
    made it, against bots.

    The bots are those of the match; hard ones take the seats of its other people. Raises RecordError,
    OptionError.
    """
    record = Record.parse(text)
    seat, _ = record.act(deal, number)
    cut = record.before(deal, number)
    names = record.keys.get("players")
    levels = [level_of(str(name)) for name in names] if isinstance(names, list) else []
    bots = [(levels[other] if other < len(levels) else "") or FOR_PEOPLE for other in range(cut.keys["seats"])]
    bots[seat] = ""
    return checked(Setup(cut.keys["game"], bots=tuple(bots), start=str(cut)))


def level_of(name: str) -> str:
    """The level of a bot, from its name in a record (`bot: simple`); empty for a person's name."""
    level = name.removeprefix("bot: ")
    return level if level != name and level in LEVELS else ""


def kept(text: str, owner: str, most: int) -> Finished:
    """An uploaded record of at most `most` moves as it is kept. It does not count in statistics, as it was not played
    here.

    Raises RecordError.
    """
    record = parsed(text, most)
    m = record.replay()
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
