"""Tables of Michigan as its rulebook's examples set them up: packs, positions, chips on money cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardtable.base.cards import card_text, parse_cards
from cardtable.base.errors import IllegalMove
from cardtable.match.match import Match

GAME = "michigan"
E7 = ["9C 3H", "8S TC JC 2D", "QC KC 5D"]  #: the hands of worked example MI-E7
PRESETS = ("michigan", "cross-color", "sequence", "jackpot", "boodle", "spinado", "pope-joan")


def pack_for(hands: Mapping[int | str, str], seats: int, dealer: int, each: int = 0) -> str:
    """A pack that gives these seats, and the "widow", these cards among what is left; each: the size of equal hands, 0:
    an extra hand.
    """
    order: list[int | str] = [(dealer + 1 + i) % seats for i in range(seats)]
    order = [*(order * each), *["widow"] * (52 - seats * each)] if each else (["widow", *order] * 52)[:52]
    given = {place: parse_cards(text) for place, text in hands.items()}
    named = {card for cards in given.values() for card in cards}
    rest = iter(card for card in range(52) if card not in named)
    return " ".join(card_text(given[place].pop(0) if given.get(place) else next(rest)) for place in order)


def place(keys: dict[str, Any], auto: bool = True) -> Match:
    """A position, with 30 chips each and the dealer seat 0 unless the keys say otherwise."""
    keys = {"game": GAME, "rules": "michigan", "dealer": 0, "stacks": [30] * len(keys["hands"])} | keys
    return Match.from_position(keys, seed="table", auto=auto)


def table(
    hands: Sequence[str],
    rules: str = "michigan",
    *,
    on: Mapping[str, int] | None = None,
    auto: bool = True,
    **keys: Any,
) -> Match:
    """A deal in play: `on` are the chips on the table by place."""
    chips = ", ".join(f"{name} {amount}" for name, amount in (on or {}).items())
    return place({"rules": rules, "hands": list(hands), "on": chips, **keys}, auto)


def stacked(
    hands: Sequence[str], rules: str = "michigan", *, on: Mapping[str, int] | None = None, turn: int = 0, **options: Any
) -> Match:
    """The same with house rules as keywords, a match of two deals (so that chips on the table stay), and without
    automatic moves.
    """
    return table(hands, rules, on=on, turn=turn, auto=False, options={"deals": 2} | options)


def lay(m: Match, moves: str) -> None:
    for move in moves.split():
        m.play(move)


def lying(m: Match) -> dict[str, int]:
    """The chips on the table: by money card, sequence and jackpot."""
    return {zone.name.removeprefix("money-"): zone.count for zone in m.view().zones if zone.kind == "pot"}


def piles(m: Match) -> dict[int, tuple[str | None, ...]]:
    """The cards of each pile, as everybody sees them."""
    return {zone.seat: zone.cards for zone in m.view().zones if zone.kind == "pile" and zone.seat is not None}


def won_from(m: Match) -> list[tuple[int | None, int | None, str]]:
    """What the last move took from the table: seat, chips, rule."""
    return [(event.target, event.amount, event.rule) for event in m.events if event.kind == "take"]


def rule_against(m: Match, move: str) -> str:
    refusal = m.why_not(move)
    assert isinstance(refusal, IllegalMove)
    return refusal.rule
