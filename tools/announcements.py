"""What a screen reader says in the browser during a whole deal of every game: writes docs/announcements/.

    python tools/announcements.py write [NAME ...]   write the files, or those that are named
    python tools/announcements.py check              write nothing; name the files that are stale

The person has seat 0 and moves by the game's rule of thumb, as the bots do. The deals are numbered, so they are the
same every time. Each message of the server is worded as the client does it (`web/table/voice.js`, `web/table/log.js`,
`web/text/events.js`); tests/web/test_announcements.py compares the two in Node.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

from cardtable.base import card_names  # noqa: E402
from cardtable.base.message import Card, Message, Reader, Seat, Value, from_data  # noqa: E402
from cardtable.rules.catalog import games  # noqa: E402
from cardtable.rules.game import Game  # noqa: E402
from cardtable.table.live import Happening  # noqa: E402
from cardtable.table.projection import happening_seen, view_seen  # noqa: E402
from tests.support.server.live import Driven  # noqa: E402 - a script beside the package, which uses the tests' table

PLACE = ROOT / "docs" / "announcements"
LONGEST = 150  #: lines after which a deal is cut
PAID = ("pay", "take", "score")  #: kinds of events that are added up if they are alike
SAID = {"started": "The match begins", "ended": "The match ends"}  #: what is said of a happening
TURN = "Your turn"
RANKS = dict(zip("A23456789TJQK", map(str, card_names.RANKS), strict=True))
SIGN = re.compile(r"(?<!\S)-(?=\d)")  #: of a number below zero
SUITS = dict(zip("SHDC", map(str, card_names.SUITS), strict=True))


@dataclass(frozen=True)
class Scene:
    """One message of the server."""

    happened: list[Any]  #: the happenings, as structures for JSON
    view: Any  #: the match, as a structure for JSON
    news: list[str]  #: what a screen reader reads when there is time
    asked: str  #: what it reads at once; empty: it is somebody else's turn


def spoken(card: str) -> str:
    """A card in words: `seven of hearts`."""
    return "joker" if card[0] == "X" else f"{RANKS[card[0]]} of {SUITS[card[1]]}"


def aloud(message: Value, reader: Reader) -> str:
    """A message as it is read aloud, as a sentence: cards and the signs of numbers in words."""
    parts = reader.parts(message, sentence=True)
    cards = [isinstance(part.is_a, Card) for part in parts]
    told = ""
    for i, part in enumerate(parts):
        if cards[i]:
            told += spoken(part.text)
        elif part.text == " " and cards[i - 1 : i + 2 : 2] == [True] * 2:
            told += ", "
        else:
            told += SIGN.sub("minus ", part.text) if part.is_a is None else part.text
    return told


def sentences(happened: Sequence[Any], unnamed: Sequence[Any], reader: Reader) -> list[str]:
    """What is said of happenings: payments that are alike are added up, and nothing is said twice."""
    told: dict[Any, list[Any]] = {}  # the messages that are added up, by what they have in common
    for one in happened:
        said = SAID.get(one["kind"], "")
        if said and one["kind"] == "started":
            told[said] = [{"says": said}]
        for event in one.get("events", ()):
            told.setdefault(_alike(event) or len(told), []).append(event)
        if said and one["kind"] != "started":
            told[said] = [{"says": said}]
    whole = [*(_summed(group) for group in told.values()), *unnamed]
    return list(dict.fromkeys(aloud(from_data(message), reader) for message in whole))


def _alike(event: Any) -> str:
    """What events have in common that are added up; empty: none are."""
    if event["kind"] not in PAID or event["amount"] is None:
        return ""
    return repr([event["says"]["says"], *(event[name] for name in ("source", "target", "card", "place", "rule"))])


def _summed(events: Sequence[Any]) -> Any:
    first = events[0]
    if "kind" not in first:
        return first
    says = dict(first["says"])
    amount = sum(event["amount"] or 0 for event in events)
    if len(events) > 1 and "amount" in says:
        says["amount"] = amount
    if len(events) > 1 and "chips" in says:
        says["chips"] = {**says["chips"], "n": amount}
    return {"says": "{told} {reason}", "told": says, "reason": first["reason"]} if first["reason"] else says


def unnamed(before: Any, now: Any, happened: Sequence[Any]) -> list[Any]:
    """Cards that have come to a place without an event that names them, as messages."""
    named = Counter(event["card"] for one in happened for event in one.get("events", ()))
    same = before is not None and before["deal"] == now["deal"]
    old = {zone["name"]: zone["cards"] for zone in before["zones"]} if same else {}
    found: list[Any] = []
    for zone in now["zones"]:
        come = [card for card in zone["cards"] if card]
        if not old or zone["name"] in old:  # all cards of a place that was not there, such as a build, are told
            for others in (Counter(old.get(zone["name"], ())), Counter(named)):
                come = [card for card in come if not _taken(others, card)]
        label = zone["label"]
        if zone["seats"]:
            seats = [{"seat": seat} for seat in zone["seats"]]
            label = {"says": "{label} ({seats})", "label": label, "seats": seats}
        if come and not zone.get("won"):  # what was captured has been told when it was
            found.append({"says": "{label}: {cards}", "label": label, "cards": {"cards": " ".join(come)}})
    return found


def _taken(counted: Counter[str], card: str) -> bool:
    """Take a card from those counted, if it is among them."""
    found = counted[card] > 0
    counted[card] -= found
    return found


def driven(game: Game, preset: str) -> Driven:
    """A table of one person and bots, with the number of seats that suits the game best."""
    low, high = game.options.seat_range[preset]
    seats = min(max(low, game.as_dict()["best"][0]), high)
    bots = ("", *["simple"] * (seats - 1))
    return Driven(game.name, people="a", preset=preset, seats=seats, bots=bots, number=f"{game.name} 0")


def scenes(table: Driven) -> Iterator[Scene]:
    """The messages of a deal, for the person at seat 0, until it is over or `LONGEST` lines are said."""
    seen, view, lines = 0, None, 0
    while lines < LONGEST:
        fresh = [one for one in table.table.happenings if one.numbers[0] > seen]
        if view is None:  # what came before the match is not read
            fresh = [one for one in fresh if one.kind not in ("sat", "bot-sat")]
        if fresh:
            scene = _scene(table, fresh, view)
            yield scene
            seen, view = fresh[-1].numbers[0], scene.view
            lines += len(scene.news) + bool(scene.asked)
        if table.table.stage in ("between", "over"):
            return
        table.step()


def _scene(table: Driven, fresh: Sequence[Happening], before: Any) -> Scene:
    reader = Reader(table.table.names, 0)
    happened = [msgspec.to_builtins(happening_seen(table.table, one, 0)) for one in fresh]
    view = msgspec.to_builtins(view_seen(table.table, 0))
    asked = ""
    if view["legal"]:
        ask = view["prompt"]["ask"] if view["prompt"] else {"says": "Choose"}
        asked = f"{TURN}. {aloud(from_data(ask), reader)}"
    return Scene(happened, view, sentences(happened, unnamed(before, view, happened), reader), asked)


def outcome(table: Driven, view: Any) -> str:
    """What is said when a deal or a match is over."""
    over = table.table.stage == "over"
    last = view["results"][-1] if view["results"] else {"deal": 0, "winner": None}
    winner = last["winner"] if last["deal"] == view["deal"] else None
    seats = [Seat(seat) for seat in (view["winners"] if over else [] if winner is None else [winner])]
    if over:
        won = Message("{source} {source:wins|win} the match", source=seats) if seats else Message("The match is over")
    elif seats:
        won = Message("{source} {source:wins|win} deal {n}", source=seats, n=view["deal"])
    else:
        won = Message("Deal {n} is over", n=view["deal"])
    return f"{aloud(won, Reader(table.table.names, 0))}."


def told(game: Game, preset: str) -> str:
    """The announcements of a deal, as the text of a file."""
    table = driven(game, preset)
    lines: list[str] = []
    view: Any = None
    for scene in scenes(table):
        lines += [*scene.news, *([f"    {scene.asked}"] if scene.asked else [])]
        view = scene.view
    names = table.table.names
    whole = table.table.stage in ("between", "over")
    head = [f"{game.titles[preset]}: what a screen reader says during a deal"]
    head.append(f"You sit with {', '.join(names[1:])}." if len(names) > 1 else "You sit alone.")
    head += ["Indented: what is read at once, before anything else.", ""]
    end = f"    {outcome(table, view)}" if whole else f"(Cut here, after {len(lines)} lines.)"
    return "\n".join([*head, *lines, end]) + "\n"


def named() -> dict[str, tuple[Game, str]]:
    """The files: the game and the preset of each."""
    return {f"{game.name}-{preset}": (game, preset) for game in games().values() for preset in game.presets}


def main(words: Sequence[str]) -> int:
    """Write or check the files."""
    if not words or words[0] not in ("write", "check"):
        print(__doc__)
        return 2
    stale = []
    for name, (game, preset) in named().items():
        if words[1:] and name not in words[1:]:
            continue
        file, text = PLACE / f"{name}.txt", told(game, preset)
        if words[0] == "write":
            PLACE.mkdir(exist_ok=True)
            file.write_text(text, "utf-8")
        elif not file.exists() or file.read_text("utf-8") != text:
            stale.append(name)
    for name in stale:
        print(f"docs/announcements/{name}.txt is stale: run tools/announcements.py write")
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
