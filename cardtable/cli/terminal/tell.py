"""What happened, in sentences for the person at the table: "You pass and pay 1 chip to the pot for passing", and the
rule ID.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardtable.base.faces import FRENCH, Faces
from cardtable.base.languages import current, tr
from cardtable.base.message import Continued, Message, Reader, Seat, mark
from cardtable.rules.zones import NOTHING, Actions

if TYPE_CHECKING:
    from cardtable.match.match import Match, Record
    from cardtable.rules.events import Event
    from cardtable.views.view import View

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jo", "Kim", "Lou", "Max")
YOU = mark("You")
ACTS = ("pass", "draw", "lay")  #: kinds of events that share a line with what follows from them


def names_for(seats: int, me: int | None, name: str = "") -> list[str]:
    """A name for each seat; yours is You, unless you gave one, and the others' follow it round the table."""
    first = 0 if me is None else me + 1
    others = (other for other in NAMES if other.lower() != name.lower())
    names = {seat % seats: next(others) for seat in range(first, first + seats) if seat % seats != me}
    return [name or YOU if seat == me else names[seat] for seat in range(seats)]


def names_in(record: Record) -> list[str]:
    """A name for each seat of a record, as at the table in the terminal where it was played: the person at that table
    is You.
    """
    seats, table = record.keys.get("seats"), record.keys.get("table")
    me = table.get("seat") if isinstance(table, dict) else None
    count = seats if isinstance(seats, int) and 0 < seats <= len(NAMES) else 0
    return names_for(count, me if isinstance(me, int) and not isinstance(me, bool) and 0 <= me < count else None)


def reader(names: Sequence[str], faces: Faces = FRENCH) -> Reader:
    """The reader at this table: the player called You, if there is one; with the words of some faces."""
    shown = [tr(YOU) if name == YOU else name for name in names]
    return Reader(shown, names.index(YOU) if YOU in names else None, faces.called(current()))


def greeting(m: Match) -> Message:
    """The name of the game, as a greeting."""
    title, summary = Message(m.title), Message(m.game.summary)
    whole = mark("{title}: {summary}. {n} {n:seat|seats}, seed {seed}.")
    return Message(whole, title=title, summary=summary, n=m.seats, seed=m.seed)


def how(view: View) -> Message:
    """The notation of a move of a series, if the table has one."""
    messages = (fact.message for zone in view.zones if isinstance(zone, Actions) for fact in zone.told(view.seat))
    return next(messages, NOTHING)


def wins(seat: int | None) -> Message:
    """`Ann wins`, `You win`, `nobody wins`."""
    return Message("nobody wins") if seat is None else Message("{source} {source:wins|win}", source=Seat(seat))


def lines(events: Sequence[Event]) -> list[Message]:
    """Events as lines: equal payments of several seats are joined, as are cards taken together; what an act costs or
    takes follows it.
    """
    from cardtable.rules.events import message_of, with_rule

    written: list[tuple[Event, Message]] = []
    acted: Event | None = None  # the act in the last line
    for group in _groups(events):
        event, message = group[0], message_of(group)
        alone = all(other.source == event.source for other in group)
        if acted and event.told_as.joins and alone and event.source == acted.source:
            written[-1] = event, Message("{first} and {then}", first=written[-1][1], then=Continued(message))
            acted = None
        else:
            written.append((event, message))
            acted = event if event.kind in ACTS else None
    return [with_rule(message, event) for event, message in written]


def _groups(events: Sequence[Event]) -> list[list[Event]]:
    """Group consecutive events that are alike: the same payment of several seats, or several cards of one seat."""
    groups: list[list[Event]] = []
    for event in events:
        last = groups[-1] if groups else None
        if last and _alike(event, last[0]) and (_pays_alike(event, last) or _of_several_cards(event, last)):
            last.append(event)
        else:
            groups.append([event])
    return groups


def _alike(a: Event, b: Event) -> bool:
    same = a.told_as is b.told_as and (a.target, a.rule, a.deal) == (b.target, b.rule, b.deal)
    return same and (a.place == b.place or a.told_as.spread is not None)


def _pays_alike(event: Event, group: Sequence[Event]) -> bool:
    same = event.kind == "pay" and (event.amount, event.card) == (group[0].amount, group[0].card)
    return same and event.source is not None and all(event.source != other.source for other in group)


def _of_several_cards(event: Event, group: Sequence[Event]) -> bool:
    same = all(event.source == other.source and other.card for other in group) and event.card is not None
    return same and (event.told_as.item is not None or "amount" not in event.told_as.fields)
