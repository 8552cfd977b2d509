"""Setting tables of Pirate up and reading them: seat 0 is LOW, seat 1 HIGH, unless a position says otherwise."""

from __future__ import annotations

from collections import Counter
from typing import Any

from cardtable import Match
from cardtable.base.cards import RANKS, SUITS, card_text
from tests.support.games.tables import zone as zone

S, H, D, C = range(4)
BOTH = RANKS  #: the ranks of a whole ship


def run_of(suit: str, ranks: str) -> str:
    """`AH 2H 3H` of H and A23."""
    return " ".join(rank + suit for rank in ranks)


def at_sea(
    lanes: dict[int, str] | None = None,
    wastes: tuple[str, str] = ("", ""),
    *,
    options: dict[str, Any] | None = None,
    **keys: Any,
) -> Match:
    """A match in mid-game; `lanes` maps a suit to the ranks on its lane (`A2345KQ`)."""
    ships = [run_of(SUITS[suit], (lanes or {}).get(suit, "")) for suit in range(4)]
    position = {"game": "pirate", "ships": ships, "wastes": list(wastes), "options": options or {}, **keys}
    return Match.from_position(position, seed="sea", auto=False)


def tick(m: Match, low: str, high: str) -> None:
    """One tick: seat 0's move and seat 1's."""
    if m.real_time:
        m.tick([low, high])
    else:
        m.play(low, 0)
        m.play(high, 1)


def lane(m: Match, suit: int) -> str:
    """The ranks on a lane, from the ace upwards."""
    return "".join(card[0] for card in zone(m, f"row-{SUITS[suit]}").cards if card)


def waste(m: Match, seat: int) -> list[str]:
    """The waste from the bottom."""
    s = m._s
    return [card_text(int(card)) for card in s.cards[seat, : s.turned[seat]]]


def stock(m: Match, seat: int) -> list[str]:
    """The stock from the top."""
    s = m._s
    return [card_text(int(card)) for card in s.cards[seat, s.turned[seat] : s.held[seat]]]


def told(m: Match) -> list[tuple[str, str]]:
    """Kind and rule of each event of the last tick."""
    return [(event.kind, event.rule) for event in m.events]


def whole_table(s: Any) -> Counter[int]:
    """Every card in stocks, wastes, lanes and captured ships, with how often: what lacks of two lies in the sunk
    heap.
    """
    cards: Counter[int] = Counter()
    for p in range(2):
        cards.update(int(card) for card in s.cards[p, : s.held[p]])
    for suit in range(4):
        low, high = int(s.rising[suit]), int(s.falling[suit])
        cards.update(13 * suit + rank for rank in [*range(low), *range(13 - high, 13)])
    return cards
