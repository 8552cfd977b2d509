"""Jobs of the worker processes (`cardtable.server.thinking.worker`): they replay, judge and solve records from
strangers, and fold long logs.

A job's result is bytes, or becomes JSON.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np

from cardtable.base.errors import CardtableError, RecordError, check_seat
from cardtable.base.message import Message, as_data
from cardtable.bots.levels import FORMER, LEVELS
from cardtable.match.history import PlayedMove
from cardtable.match.match import Match, Record
from cardtable.precompile import plain
from cardtable.review import winnable as deals
from cardtable.review.review import questions
from cardtable.review.where_lost import Loss, begun, named, narrowed
from cardtable.rules import catalog, contract
from cardtable.rules.ruleset import Ruleset
from cardtable.server.clock import now
from cardtable.server.store.codes import new_id
from cardtable.server.store.writes import Finished, FinishedPlayer
from cardtable.server.thinking.protocol import TimedOutlook, not_ready
from cardtable.table import LiveTable, events, fair
from cardtable.table import setup as setups
from cardtable.table.live import TableFault
from cardtable.table.setup import LONGEST_NAME, Setup, clean

FOR_PEOPLE = "search"  #: the level of the bots that replace people when a match is played on


def parsed(text: str, most: int) -> Record:
    """A record of at most `most` moves. Raises RecordError, `record/size` for a longer one."""
    record = Record.parse(text)
    if record.length > most:
        why = Message("it has {length} moves, and at most {most} are replayed here", length=record.length, most=most)
        can = Message("read it on your own machine: cardtable replay FILE")
        raise RecordError(Message("this record"), why, can, code="record/size")
    return record


def framed(text: str, deal: int, seat: int | None, first: int, count: int, most: int) -> dict[str, Any]:
    """A portion of a deal of a match: a frame before its first move, and one after each move; as a seat saw it, or with
    all cards open.

    first: the first requested frame, from 0; count: the maximum number; most: the maximum number of moves in the
    record. Raises RecordError, OptionError.
    """
    record = parsed(text, most)
    whole = record.replay()
    if seat is not None:
        check_seat(seat, whole.seats)
    record.acts(deal)  # the deal exists
    acts = whole.deals[deal - 1].acts
    portion: list[dict[str, Any]] = []
    if first <= len(acts):
        m = record.before(deal, max(1, first)).resumed(auto=False)
        numbers = range(first, min(first + count, len(acts) + 1))
        portion = [frame(m, acts[number - 1] if number else None, seat) for number in numbers]
    return {
        "deal": deal,
        "deals": len(whole.deals),
        "faces": msgspec.to_builtins(whole.ruleset.faces_seen),
        "seat": seat,
        "first": first,
        "moves": len(acts),
        "frames": portion,
    }


def frame(m: Match, act: PlayedMove | None, seat: int | None) -> dict[str, Any]:
    """Play a move (None: the deal begins), and show the table: as a seat sees it, or (None) with all hands open."""
    label = act and next((move.label for move in m.view(act.seat).choices if move.text == act.move), None)
    if act:
        m.repeat(act.move, act.seat)
    events = list(m.events)
    view = m.view(seat)
    shown = view.as_dict() | {"zones": [zone.seen_by(seat) for zone in view.zones]}
    shown.pop("events")
    if seat is None:
        shown["hands"] = [m.view(other).hand for other in range(m.seats)]
        shown["choices"] = [move.data | {"seat": other} for other in m.actors for move in m.view(other).choices]
    return {
        "number": act.number if act else 0,
        "seat": act.seat if act else None,
        "move": act.move if act else "",
        "label": as_data(label) if label else None,
        "forced": act is not None and act.forced,
        "events": [event.seen_by(seat).as_dict() for event in events],
        "view": shown,
    }


def questioned(text: str, deal: int, seat: int, first: int, count: int, most: int) -> dict[str, Any]:
    """A portion of a seat's decisions in a deal, as a review needs them; first, count and most: as in `frames`, of
    decisions. `of` is the number of all; `lowest` and `highest` bound the result of a deal. Raises RecordError,
    OptionError.
    """
    m = parsed(text, most).replay()
    bounds = np.zeros(3)
    contract.bounds(m.snapshot(), bounds)
    decisions = list(questions(m, seat, deal, open_cards=True))
    portion = [
        {
            "act": one.act,
            "state": one.state.tobytes(),
            "past": one.past.packed() if one.past else b"",
            "whole": b"" if one.whole is None else one.whole.tobytes(),
        }
        for one in decisions[first : first + count]
    ]
    return {
        "game": m.game.name,
        "deals": len(m.deals),
        "of": len(decisions),
        "lowest": float(bounds[1]),
        "highest": float(bounds[2]),
        "asked": portion,
    }


def retried(text: str, deal: int, number: int, running: bool = False) -> Setup:
    """The setup of a table that continues a match from just before a move, by a person in the seat that made it,
    against bots.

    The bots are those of the match; hard ones take the seats of its other people. running: the match is not over, so
    the setup, whose record is that person's later, tells nothing of the seed. Raises RecordError, OptionError.
    """
    record = Record.parse(text)
    seat, _ = record.act(deal, number)
    cut = record.before(deal, number)
    if running:
        cut = cut.scripted()
    names = record.keys.get("players")
    levels = [level_of(str(name)) for name in names] if isinstance(names, list) else []
    bots = [(levels[other] if other < len(levels) else "") or FOR_PEOPLE for other in range(cut.keys["seats"])]
    bots[seat] = ""
    return setups.checked(Setup(cut.keys["game"], bots=tuple(bots), start=str(cut)))


def level_of(name: str) -> str:
    """The level of a bot, from its name in a record (`bot: medium`); empty for a person's name."""
    level = name.removeprefix("bot: ")
    level = FORMER.get(level, level) if level != name else ""
    return level if level in LEVELS else ""


def kept(text: str, owner: str, most: int) -> Finished:
    """An uploaded record of at most `most` moves as it is kept. It does not count in statistics, as it was not played
    here.

    Raises RecordError.
    """
    record = parsed(text, most)
    m = record.replay()
    names = record.keys.get("players")
    if isinstance(names, list) and len(names) == m.seats:
        names = [clean(str(name), LONGEST_NAME) for name in names]
    else:
        names = [""] * m.seats
    winners = m.result.winners if m.result else ()
    players = tuple(
        FinishedPlayer(
            seat, owner if seat == 0 else "", names[seat], m.scores[seat], seat in winners, level=level_of(names[seat])
        )
        for seat in range(m.seats)
    )
    resigned = m.result.resigned if m.result else None
    at, title = now(), m.variant.alias
    return Finished(
        new_id(), 0, m.game.name, m.rules, at, len(m.deals), resigned, 0, text, players, counts=False, title=title
    )


def verified(text: str, most: int) -> dict[str, Any]:
    """The proof of the shuffle of a record of at most `most` moves. Raises RecordError."""
    return fair.verify(parsed(text, most))


def checked(setup: dict[str, Any]) -> Setup:
    """A checked setup with the record of a continued match. Raises UnknownGame, OptionError, RecordError."""
    return setups.checked(msgspec.convert(setup, Setup))


def folded(lines: list[str]) -> bytes:
    """The table of a log, pickled. Raises CardtableError if it cannot be folded."""
    try:
        table = LiveTable.fold(map(events.decode, lines))
    except TableFault as fault:
        raise CardtableError(Message("this table"), str(fault), Message("report it")) from None
    return pickle.dumps(table, pickle.HIGHEST_PROTOCOL)


def winnable(game: str, preset: str, seats: int, options: dict[str, Any], numbers: list[str]) -> Any:
    """The first of some numbers whose deal the solver wins. Raises NotReady, NoSolver, OptionError."""
    _solvers_ready()
    return deals.first(Ruleset.parse(game, preset, seats, options), numbers)


def solved(text: str, seconds: float, most: int) -> dict[str, Any]:
    """What solving the position at the end of an unfinished record of at most `most` moves finds within some seconds of
    processor time (`cardtable.rules.solver.Solution`). Raises NotReady, NoSolver, RecordError.
    """
    _solvers_ready()
    m = parsed(text, most).resumed()
    return deals.still(m.game, m.snapshot(), seconds).as_dict()


def lost(text: str, deal: int, seat: int, so_far: dict[str, Any] | None, most: int) -> Any:
    """Where a seat lost a deal of a record, after another portion (`cardtable.review.where_lost.Loss`); None if it
    was not lost.

    so_far: the result of the previous portion. Raises NotReady, OptionError, RecordError.
    """
    m = parsed(text, most).replay()
    loss = msgspec.convert(so_far, Loss) if so_far else begun(m, seat, deal)
    if loss is None:
        return None
    _solvers_ready()
    return named(m, deal, narrowed(m, deal, loss))


def foreseen(game: str, state: bytes, seat: int) -> TimedOutlook:
    """Whether any useful move is left in a state redacted for a seat."""
    began, known = time.process_time(), catalog.find(game)
    assert known.outlook is not None
    outlook = known.outlook(known.rules.State.of_bytes(state), seat)
    return TimedOutlook(outlook.useful, as_data(outlook.message), [*outlook.moves], time.process_time() - began)


def _solvers_ready() -> None:
    """Refuse to solve in plain Python, which would take minutes. Raises NotReady."""
    if plain():
        raise not_ready(Message("solving"))


JOBS: dict[str, Callable[..., Any]] = {
    job.__name__: job
    for job in (verified, kept, framed, questioned, checked, retried, folded, winnable, solved, foreseen, lost)
}
