"""What happened, in sentences for the person at the table: "You pass and pay 1 chip to the pot for passing (FT-22)"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cardtable.text import plural

if TYPE_CHECKING:
    from cardtable.record import Record
    from cardtable.view import Event

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jo", "Kim", "Lou", "Max")
YOU = "You"
_SUBJECT = "\x01"  # stands in for the subject until its number is known
_IRREGULAR = {"is": "are", "was": "were", "has": "have", "does": "do", "goes": "go"}
_SECOND = re.compile(r"\band (gets|takes|wins|pays|lays|draws|builds|raises|names)\b")
_JOINS = re.compile(r"\{source\} (takes|builds|raises|names|pays)\b")  # what is told in one breath with the card laid for it


def names_for(seats: int, me: int | None, name: str = "") -> list[str]:
    """A name for each seat; yours is You, unless you gave one, and the others' follow it round the table."""
    first = 0 if me is None else me + 1
    others = (other for other in NAMES if other.lower() != name.lower())
    names = {seat % seats: next(others) for seat in range(first, first + seats) if seat % seats != me}
    return [name or YOU if seat == me else names[seat] for seat in range(seats)]


def names_in(record: Record) -> list[str]:
    """A name for each seat of a record, as at the table where it was played in the terminal: the person of that table is You."""
    seats, table = record.keys.get("seats"), record.keys.get("table")
    me = table.get("seat") if isinstance(table, dict) else None
    count = seats if isinstance(seats, int) and 0 < seats <= len(NAMES) else 0
    return names_for(count, me if isinstance(me, int) and not isinstance(me, bool) and 0 <= me < count else None)


def does(name: str, verb: str) -> str:
    """`Ann wins`, `You win`."""
    return f"{name} {base(verb) if name == YOU else verb}"


def refusal(text: str, names: Sequence[str]) -> str:
    """A refusal with names for its seats: `It is the turn of Ben`, `Ben has knocked already`."""
    text = named(text, names)
    return text[:1].upper() + text[1:]


def base(verb: str) -> str:
    """The verb as it goes with `you` and `they`: passes, pass; has, have; lay, lay."""
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes")):
        return verb[:-2]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb


def sentence(text: str, subject: str, several: bool = False) -> str:
    """Put a subject where the stand-in is; the verb after it follows."""
    if several or subject == YOU:
        head, _, rest = text.partition(_SUBJECT + " ")
        verb, blank, rest = rest.partition(" ")
        if not head.endswith("of ") and _SUBJECT + " " in text:
            rest = _SECOND.sub(lambda found: f"and {base(found[1])}", rest)
            text = f"{head}{_SUBJECT} {base(verb)}{blank}{rest}"
    elif subject:
        text = re.sub(rf"\bthe (\w+) of {_SUBJECT}", rf"{subject}'s \1", text)
    text = text.replace(_SUBJECT, subject)
    text = re.sub(rf"\bthe (\w+) of {YOU}\b", r"your \1", text)
    text = text[0] + re.sub(rf"\b{YOU}\b", "you", text[1:])
    return text[0].upper() + text[1:]


def named(text: str, names: Sequence[str]) -> str:
    """A text of a zone with names for its seats: `seat 3 leads` becomes `Cleo leads`, or `you lead`; `pile of seat 0` is `your pile`."""

    def name(found: re.Match[str]) -> str:
        seat = int(found[1])
        who = names[seat] if seat < len(names) else found[0]
        return f"you{found[2]}{base(found[3])}" if who == YOU else who + found[2] + found[3]

    if YOU in names:
        text = re.sub(rf"\b(?:the )?(\w+) of seat {names.index(YOU)}\b", r"your \1", text)
    text = re.sub(r"\b(?:the )?(\w+) of seat (\d+)\b", lambda found: f"{names[int(found[2])]}'s {found[1]}" if int(found[2]) < len(names) else found[0], text)
    return re.sub(r"\bseat (\d+)\b( ?)(\w*)", name, text)


def joined(names: Sequence[str]) -> str:
    """`Ben`, `Ben and Cleo`, `Ben, Cleo and you`."""
    later = [name.replace(YOU, "you") if i else name for i, name in enumerate(names)]
    return later[0] if len(later) == 1 else ", ".join(later[:-1]) + " and " + later[-1]


def told(event: Event, names: Sequence[str], sources: Sequence[int] = ()) -> str:
    """An event as a sentence; `sources`: all who did the same."""
    stand_ins = list(names)
    who = event.target if event.source is None else event.source  # the table gives nothing: somebody takes
    if who is None:
        return sentence(event.told(stand_ins), "")
    stand_ins[who] = _SUBJECT
    text = event.told(stand_ins)
    if len(sources) > 1:
        text = re.sub(r"\b(chips?)\b", r"\1 each", text, count=1)
        return sentence(text, joined([names[seat] for seat in sources]), several=True)
    if event.target is not None and event.target != who and names[event.target] != YOU:
        text = re.sub(rf"\bthe (\w+) of {re.escape(names[event.target])}\b", rf"{names[event.target]}'s \1", text)  # Ann's claim
    return sentence(text, names[who])


def lines(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """Events as lines: equal payments of several seats are one, so are cards taken together; what an act costs or takes stands behind it."""
    groups: list[tuple[Event, list[int]]] = []
    for event in _together(events):
        last = groups[-1][0] if groups else None
        if last and event.kind == last.kind == "pay" and _same(event, last) and event.source is not None:
            groups[-1][1].append(event.source)
        else:
            groups.append((event, [] if event.source is None else [event.source]))
    found: list[str] = []
    acted: tuple[int, str] | None = None  # who acted in the last line, by which rule
    for event, sources in groups:
        line = told(event, names, sources)
        if _JOINS.match(event.says) and acted and len(sources) == 1 and sources[0] == acted[0]:
            subject = names[sources[0]]
            found[-1] = found[-1].removesuffix(f" ({event.rule})") + " and " + line.removeprefix(subject + " ")
            acted = None
        else:
            found.append(line)
            acted = (sources[0], event.rule) if event.kind in ("pass", "draw", "lay") and sources else None
    return found


def _together(events: Sequence[Event]) -> list[Event]:
    """Events of which those that differ by their card alone are one: `Ann takes 4S` and `Ann takes 5H`."""
    found: list[Event] = []
    cards: list[list[str]] = []
    for event in events:
        last = found[-1] if found else None
        if last and event.card and cards[-1] and _same(event, last) and (event.kind, event.source, event.says) == (last.kind, last.source, last.says):
            cards[-1].append(event.card)
        else:
            found.append(event)
            cards.append([event.card] if event.card else [])
    return [_several(event, row) if len(row) > 1 else event for event, row in zip(found, cards, strict=True)]


def _several(event: Event, cards: Sequence[str]) -> Event:
    """One event for several cards. What lies on a card is counted: `puts 3 chips on JC`, `puts 1 chip on AH and 2 chips on KD`."""
    if "a chip on {card}" not in event.says:
        return replace(event, card=joined(cards))
    counted = [f"{plural(n, 'chip')} on {card}" for card, n in Counter(cards).items()]
    return replace(event, card=joined(counted), says=event.says.replace("a chip on {card}", "{card}"))


def _same(a: Event, b: Event) -> bool:
    return (a.target, a.amount, a.rule, a.deal) == (b.target, b.amount, b.rule, b.deal)
