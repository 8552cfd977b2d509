"""Drawing the table in the terminal, from zones alone: no game is known here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from cardtable.cards import SUITS, card_symbol, parse_card

if TYPE_CHECKING:
    from cardtable.game import Zone
    from cardtable.match import DealResult, Match
    from cardtable.view import Event, View

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jo", "Kim", "Lou")
COLOURS = {2: ("default", "red", "red", "default"), 4: ("default", "red", "blue", "green")}
YOU = "You"


def names_for(seats: int, me: int | None) -> list[str]:
    """A name for each seat; yours is You."""
    others = iter(NAMES)
    return [YOU if seat == me else next(others) for seat in range(seats)]


def told(event: Event, names: Sequence[str]) -> str:
    """An event as a sentence, in the second person where it is about you."""
    line = event.told(names)
    first, _, rest = line.partition(" ")
    if first == YOU:
        verb, _, rest = rest.partition(" ")
        verb = {"is": "are", "has": "have"}.get(verb) or (verb[:-2] if verb.endswith("sses") else verb[:-1] if verb.endswith("s") else verb)
        line = f"{YOU} {verb} {rest}".rstrip()
    return line[0].upper() + line[1:].replace(f" {YOU} ", " you ")


class Screen:
    """Writes views, events and sheets on a console."""

    def __init__(self, console: Console, names: Sequence[str], colours: int) -> None:
        self.console = console
        self.names = list(names)
        self._suit = dict(zip(SUITS, COLOURS[colours], strict=True))

    def say(self, text: str | Text = "", style: str = "") -> None:
        """A line."""
        self.console.print(text, style=style or None, highlight=False, markup=False)

    def card(self, text: str, *, strong: bool = False, dim: bool = False) -> Text:
        """A card as symbol, in its suit's colour."""
        colour = self._suit.get(text[-1], "magenta")
        return Text(card_symbol(parse_card(text)), style=f"{'bold ' if strong else ''}{'dim ' if dim else ''}{colour}")

    def table(self, m: Match, view: View) -> None:
        """The whole table as a seat sees it."""
        self.say()
        deals = getattr(m.options, "deals", None)
        self.console.rule(
            Text(f"{m.game.title} · {m.rules} · deal {m.deal}" + (f" of {deals}" if deals else "") + f" · dealer: {self.names[m.dealer]}"), style="dim"
        )
        hands = [zone for zone in view.zones if zone.kind == "hand"]
        for zone in view.zones:
            if zone.kind == "row":
                self._row(zone)
            elif zone.kind not in ("hand", "action"):
                self._other(zone)
        for zone in hands:
            if zone.seat != view.seat:
                self._opponent(zone, view)
        for zone in hands:
            if zone.seat == view.seat:
                self._mine(zone)

    def _row(self, zone: Zone) -> None:
        line = Text(f" {zone.notes.get('symbol', zone.label[:1])} ", style=self._suit.get(zone.name[-1], ""))
        cells = list(zone.cards)
        founders = set(zone.notes.get("founders", ()))
        places = [f"{'A23456789TJQK'[i]}{zone.name[-1]}" for i in range(len(cells))] if len(cells) == 13 else [""] * len(cells)
        pairs = list(zip(cells, places, strict=True))
        for card, place in reversed(pairs) if zone.notes.get("side") == "8L6R" else pairs:
            cell = (
                self.card(card, strong=True)
                if card
                else Text(card_symbol(parse_card(place))[:-1] if place in founders and zone.count == 0 else "·", style="dim")
            )
            line.append(" " * (4 - len(cell.plain)))
            line.append_text(cell)
        self.say(line)

    def _other(self, zone: Zone) -> None:
        line = Text(f" {zone.label}: ")
        shown = [card for card in zone.cards if card]
        if shown:
            for card in shown:
                line.append_text(self.card(card, strong=True)).append(" ")
        else:
            line.append(zone.text or f"{zone.count} cards")
        self.say(line)

    def _notes(self, zone: Zone, skip: Sequence[str] = ()) -> str:
        parts = []
        for key, value in zone.notes.items():
            if key == "chips":
                parts.append(f"{value} chip{'s' * (value != 1)}")
            elif key == "lacks" and key not in skip:
                parts.append("passed: no " + " ".join(card_symbol(parse_card(card)) for card in str(value).split()))
            elif key not in skip:
                parts.append(f"{key} {value}")
        return ", ".join(parts)

    def _opponent(self, zone: Zone, view: View) -> None:
        turn = zone.seat in view.actors
        assert zone.seat is not None
        line = Text(f" {'▸' if turn else ' '} {self.names[zone.seat]:<5}", style="bold" if turn else "")
        line.append(f" {zone.count:>2} card{'s' * (zone.count != 1):<1}  {self._notes(zone)}", style="not bold")
        if any(zone.cards):
            line.append("  ")
            for card in zone.cards:
                line.append_text(self.card(card or "", dim=True)).append(" ")
        self.say(line)

    def _mine(self, zone: Zone) -> None:
        self.say(Text(f" {YOU}: {self._notes(zone, ('lacks',))}"))
        line = Text("   ")
        suit = ""
        for card in zone.cards:
            if card and suit and card[-1] != suit:
                line.append("  ")
            suit = card[-1] if card else suit
            playable = card in zone.clicks
            line.append("▴" if playable else " ")
            line.append_text(self.card(card or "", strong=playable)).append(" ")
        self.say(line)

    def moves(self, legal: Sequence[str]) -> None:
        """The legal moves, numbered."""
        line = Text(" ")
        for number, move in enumerate(legal, 1):
            line.append(f" {number}", style="dim").append(" ")
            line.append_text(self.card(move) if _is_card(move) else Text(move))
            line.append("  ")
        self.say(line)

    def events(self, events: Sequence[Event]) -> None:
        """What happened, a line for each act with its chip movements behind it."""
        lines: list[str] = []
        for event in events:
            sentence = told(event, self.names)
            if event.card:
                sentence = sentence.replace(event.card, card_symbol(parse_card(event.card)), 1)
            antes = event.kind == "pay" and lines and event.source is not None and "ante" in event.reason
            if event.kind == "pay" and lines and lines[-1].startswith(self.names[event.source or 0]) and not antes:
                lines[-1] = lines[-1].removesuffix(f" ({event.rule})") + ", " + sentence.partition(" ")[2]
            else:
                lines.append(sentence)
        for line in lines:
            self.say(f"   {line}", style="dim" if "passes" not in line else "")

    def sheet(self, result: DealResult, view: View) -> None:
        """The end of a deal: cards left, chips won."""
        self.say()
        title = (
            "Nobody wins the deal"
            if result.winner is None
            else f"{self.names[result.winner]} {'win' if self.names[result.winner] == YOU else 'wins'} deal {result.deal}"
        )
        self.console.rule(Text(title, style="bold"), style="dim")
        for zone in view.zones:
            if zone.kind == "hand" and zone.seat is not None:
                line = Text(f"   {self.names[zone.seat]:<5} {result.payoff[zone.seat]:>+5}   now {view.scores[zone.seat]:>4}   ")
                for card in zone.cards:
                    line.append_text(self.card(card or "")).append(" ")
                self.say(line)

    def summary(self, m: Match) -> None:
        """The end of the match."""
        assert m.result
        self.say()
        self.console.rule(Text("The match is over", style="bold"), style="dim")
        for seat in sorted(range(m.seats), key=lambda seat: -m.scores[seat]):
            crown = "★" if seat in m.result.winners else " "
            self.say(f" {crown} {self.names[seat]:<5} {m.scores[seat]:>5}")


def _is_card(move: str) -> bool:
    return len(move) == 2 and move[-1] in SUITS + "12" and move[0] in "A23456789TJQKX"


def console(**how: Any) -> Console:
    """The console of the game: width from the terminal, no colour where NO_COLOR asks for none or nobody looks."""
    return Console(highlight=False, soft_wrap=False, **how)
