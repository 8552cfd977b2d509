"""What one seat may know: events as told to people, and the view, built from a redacted state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from cardtable import contract
from cardtable.cards import card_text
from cardtable.game import Game, Zone
from cardtable.text import plural

#: kind -> its name and its sentence; a sentence with {card} is of a card
SAYS = {
    contract.DEAL: ("deal", "deal {amount}: {source} deals"),
    contract.CUT: ("cut", "{source} cuts {card}"),
    contract.LAY: ("lay", "{source} lays {card}"),
    contract.PASS: ("pass", "{source} passes"),
    contract.DRAW: ("draw", "{source} draws {card}"),
    contract.DONE: ("done", "{source} is done"),
    contract.PAY: ("pay", "{source} pays {chips} to {target}"),
    contract.TAKE: ("take", "{target} takes {chips} from the pot"),
    contract.WIN: ("win", "{source} wins the deal"),
    contract.VOID: ("void", "the deal is dead"),
    contract.SHOW: ("show", "{source} shows {card}"),
    contract.SCORE: ("score", "{source} scores {amount}"),
}


@dataclass(frozen=True)
class Event:
    """One thing that a move brought about, with the rule that says so."""

    deal: int
    kind: str  #: deal, cut, lay, pass, draw, done, pay, take, win, void, show, score, or one of the game's own
    source: int | None  #: seat, or None: the table
    target: int | None
    amount: int | None  #: chips; None for cards, and where the viewer may not know
    card: str | None
    rule: str
    reason: str  #: what a payment is for, in words
    viewer: int | None = None  #: the only seat that may know amount or card; None: everybody
    says: str = ""  #: the sentence, to be filled in

    def seen_by(self, seat: int | None) -> Event:
        """The event as a seat (None: a spectator) may know it."""
        if self.viewer is None or self.viewer == seat:
            return self
        return Event(self.deal, self.kind, self.source, self.target, None, None, self.rule, self.reason, self.viewer, self.says)

    def told(self, names: Sequence[str] | None = None) -> str:
        """The event as a sentence, with names for the seats."""

        def name(seat: int | None) -> str:
            return "the pot" if seat is None else names[seat] if names else f"seat {seat}"

        chips = "some chips" if self.amount is None else plural(self.amount, "chip")
        cards = "some cards" if self.amount is None else plural(self.amount, "card")
        line = self.says.format(source=name(self.source), target=name(self.target), amount=self.amount, card=self.card or "a card", chips=chips, cards=cards)
        if self.kind in ("pay", "take", "score") and self.reason:
            line += f" {self.reason}"
        return line + (f" ({self.rule})" if self.rule and self.kind not in ("lay", "deal") else "")

    @property
    def text(self) -> str:
        """The event as a sentence."""
        return self.told()

    def as_dict(self) -> dict[str, Any]:
        """The event as a JSON-able dict."""
        return {
            "deal": self.deal,
            "kind": self.kind,
            "source": self.source,
            "target": self.target,
            "amount": self.amount,
            "card": self.card,
            "rule": self.rule,
            "text": self.text,
        }


def events_of(s: Any, game: Game) -> list[Event]:
    """The events that the last act on a state told."""
    found = []
    words = game.words
    for i in range(int(s.told)):
        head, rule = int(s.events[i, 0]), contract.cited(s.events[i, 1])
        code, source, target, viewer, amount = head & 0xFF, head >> 8 & 0xFF, head >> 16 & 0xFF, head >> 24 & 0xFF, head >> 32
        kind, says = words.SAYS.get(code) or SAYS[code]
        hidden = amount < 0 and viewer != contract.EVERYBODY
        of_card = "{card}" in says
        found.append(
            Event(
                int(s.deal_number), kind, _seat(source), _seat(target), None if of_card or hidden else amount, card_text(amount) if of_card and not hidden else None,
                rule, words.REASONS.get(rule, ""), None if viewer == contract.EVERYBODY else viewer, says,
            )
        )  # fmt: skip
    return found


@dataclass(frozen=True)
class Counted:
    """What a seat has got (below 0: given) in a deal for one reason, all together."""

    seat: int
    why: str  #: in a few words: `most cards`, `passing`
    amount: int
    times: int  #: how often


def counted(events: Iterable[Event], gained: Sequence[int]) -> list[Counted]:
    """The events of a finished deal as sums that people can add up, for each seat the points or chips that it gained.

    An event of points is explained by its rule, or by the event of the same rule before it, which names what was counted.
    """
    sums: dict[tuple[int, str, bool], list[int]] = {}
    named: dict[str, str] = {}

    def add(seat: int | None, why: str, amount: int) -> None:
        if seat is not None and amount:
            found = sums.setdefault((seat, why, amount > 0), [0, 0])
            found[0] += amount
            found[1] += 1

    for event in events:
        why = event.reason or named.get(event.rule, "")
        for word in ("for ", "as ", "by ", "on ", "into ", "from "):
            why = why.removeprefix(word)
        if event.amount is None or event.kind not in ("pay", "take", "score"):
            named[event.rule] = event.kind
        elif event.kind == "score":
            add(event.source, why or "points", event.amount)
        else:
            add(event.source, why or "to the pot", -event.amount)
            add(event.target, why or ("the pot" if event.kind == "take" else "from another"), event.amount)
    for seat, amount in enumerate(gained):
        add(seat, "the deal", amount - sum(total for (whose, _, _), (total, _) in sums.items() if whose == seat))
    return [Counted(seat, why, total, times) for (seat, why, _), (total, times) in sorted(sums.items(), key=lambda item: item[0][0])]


def _seat(code: int) -> int | None:
    return None if code == contract.TABLE else code


@dataclass(frozen=True)
class View:
    """What one seat (None: a spectator) may know, and nothing else: it holds a redacted state."""

    game: Game
    rules: str  #: the preset
    seat: int | None
    state: Any  #: redacted for the seat
    moves: tuple[int, ...]  #: its legal moves, as codes
    actors: tuple[int, ...]
    scores: tuple[int, ...]
    events: tuple[Event, ...]
    title: str = ""  #: of the match; empty: its preset's

    @property
    def legal(self) -> list[str]:
        """The seat's legal moves in notation; empty unless it may act."""
        return [self.game.words.move_text(self.state, move) for move in self.moves]

    @cached_property
    def zones(self) -> list[Zone]:
        """What lies on the table, to be drawn."""
        return self.game.words.zones(self.state, -1 if self.seat is None else self.seat, self.moves)

    def zone(self, name: str) -> Zone:
        """The zone of that name (docs/api.md §3). Raises KeyError if there is none."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(f"no zone {name!r}: there are {', '.join(zone.name for zone in self.zones)}")

    @property
    def pot(self) -> int | None:
        """The chips on the table, those on money cards included; None if the game has no pot."""
        pots = [zone.count for zone in self.zones if zone.kind == "pot"]
        return sum(pots) if pots else None

    @property
    def hand(self) -> list[str]:
        """The seat's cards."""
        return [card for zone in self.zones if zone.kind == "hand" and zone.seat == self.seat for card in zone.cards if card]

    def text(self) -> str:
        """The view as plain text."""
        lines = [f"{self.title or self.game.titles[self.rules]}, deal {int(self.state.deal_number)}, seat {int(self.state.dealer)} deals"]
        for zone in self.zones:
            cards = (
                " ".join(card or "--" for card in zone.cards)
                if any(zone.cards) or zone.kind == "row"
                else f"{zone.count} cards" * (zone.kind in ("hand", "stock"))
            )
            notes = ", ".join(f"{key} {value}" for key, value in zone.notes.items() if key in ("chips", "won", "lacks"))
            lines.append(
                f"{zone.label:>10}: {zone.text or cards}" + (f"  [{notes}]" if notes else "") + (f"  {', '.join(zone.clicks)}" if zone.kind == "action" else "")
            )
        turn = "the deal is over" if not self.actors else "to act: " + ", ".join(f"seat {seat}" for seat in self.actors)
        return "\n".join([*lines, turn + (f"; you may: {', '.join(self.legal)}" if self.legal else "")])

    def as_dict(self) -> dict[str, Any]:
        """The view as a JSON-able dict."""
        return {"game": self.game.name, "rules": self.rules, "title": self.title or self.game.titles[self.rules], "seat": self.seat, "deal": int(self.state.deal_number), "dealer": int(self.state.dealer),
                "actors": list(self.actors), "hand": self.hand, "legal": self.legal, "zones": [zone.as_dict() for zone in self.zones],
                "scores": list(self.scores), "events": [event.as_dict() for event in self.events]}  # fmt: skip
