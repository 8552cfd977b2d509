"""Setting tables of Spider up as the rulebook's examples do, and reading them."""

from __future__ import annotations

from typing import Any

from cardtable import IllegalMove, Match
from cardtable.rules.zones import Zone

KING_TO_TWO = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S"
OTHERS = ["5D", "5C", "7D", "7C", "9D", "9C", "JD", "JC", "3D"]  #: end cards that fit nowhere


def lay(
    columns: list[str], runs: str = "", stock: int | str = 0, *, suits: str = "4", made: int = 0, **options: Any
) -> Match:
    """A game in which these cards lie face up; columns not named are empty. stock: its cards, or how many, whatever
    they are.

    The cards that lie nowhere lie face down under the columns, from the last one on, as many as began there; not under
    a column that names its own in brackets (`[]`: none).
    """
    table = columns + [""] * (10 - len(columns))
    waiting = stock if isinstance(stock, str) else f"*{stock}" if stock else ""
    listed = sum(len(text.replace("[", " ").replace("]", " ").split()) for text in table)
    held = sum(int(word[1:]) if word.startswith("*") else 1 for word in waiting.split())
    rest = 104 - listed - 13 * len(runs.split()) - held
    for c in reversed(range(10)):
        if table[c] and "[" not in table[c]:
            below = min(rest, 5 if c < 4 else 4)
            table[c] = f"[*{below}] {table[c]}"
            rest -= below
    assert rest == 0, f"{rest} cards find no place"
    keys = {"columns": table, "runs": runs, "stock": waiting, "made": made, "options": {"suits": suits, **options}}
    return Match.from_position({"game": "spider", **keys}, seed="table")


def column(m: Match, number: int) -> list[str]:
    """The cards of a column that lie face up, from below to its end."""
    return [card for card in zone(m, f"column-{number}").cards if card]


def down(m: Match, number: int) -> int:
    """How many cards lie face down in a column."""
    return sum(card is None for card in zone(m, f"column-{number}").cards)


def zone(m: Match, name: str) -> Zone:
    return next(zone for zone in m.view(0).zones if zone.name == name)


def lying(m: Match) -> int:
    return sum(zone.count for zone in m.view(0).zones if zone.kind == "column")


def refusal(m: Match, move: str) -> tuple[str, str]:
    """Why a move is refused, and by which rule."""
    refused = m.why_not(move)
    assert isinstance(refused, IllegalMove), f"{move} is allowed, or is no move"
    assert refused.move not in m.legal()
    return refused.reason, refused.rule


def happened(m: Match) -> list[str]:
    """What the last move brought about, as sentences."""
    return [event.text for event in m.events]
