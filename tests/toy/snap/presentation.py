"""Snap in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cardtable.base.cards import ALL_52, card_text
from cardtable.base.errors import NotationError, PositionError, Text, no_move
from cardtable.base.message import Message
from cardtable.rules import positions
from cardtable.rules.events import Told, reason
from cardtable.rules.moves import Move
from cardtable.rules.zones import Pile, Score, Stock, Zone, points

from .rules import PLAYERS, RESTED, SNAPPED, TOGETHER, TURN, WAIT, State

MOVES = ("wait", "turn", "snap")
EVENTS = {
    SNAPPED: Told("snap", Message("{source} {source:snaps|snap} {cards}"), beat="capture"),
    TOGETHER: Told(
        "together",
        Message("{source} and {target} snap at the same moment; {cards} {amount:is|are} thrown away"),
        beat="none",
    ),
    RESTED: Told("rest", Message("nobody has done anything for too long"), beat="none"),
}
REASONS = {"SN-04": reason("for cards snapped", "cards snapped")}
END_RULE, TURN_RULE = "SN-06", "SN-03"


def move_text(s: State, move: int) -> str:
    """`wait`, `turn` or `snap`."""
    return MOVES[move]


def parse_move(s: State, text: str) -> int:
    """The move that text names. Raises NotationError."""
    if text.strip().lower() in MOVES:
        return MOVES.index(text.strip().lower())
    raise NotationError(no_move(text), Message("a move is wait, turn or snap"), Message("write one of these"))


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """Why a seat that may act may not make a move: reason and rule."""
    if move == TURN:
        return Message("your stock is used up"), "SN-03"
    return Message("the two top cards of the pile are not alike"), "SN-04"


def automatic(s: State, seat: int, move: int) -> bool:
    """Who can do nothing waits."""
    return move == WAIT


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The pile, the stocks, the scores."""
    pile = tuple(card_text(s.pile[i]) for i in range(s.height))
    found: list[Zone] = [Pile("pile", (), pile, len(pile))]
    for seat in range(PLAYERS):
        found.append(Stock(f"stock-{seat}", (seat,), (None,) * int(s.counts[seat]), int(s.counts[seat])))
        found.append(Score(f"score-{seat}", (seat,), count=int(s.scores[seat]), facts=(points(int(s.scores[seat])),)))
    return found


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """The three words."""
    return [Move(MOVES[move], Message(MOVES[move]), button=move != WAIT) for move in legal]


def position(s: State) -> dict[str, Any]:
    """Everything a deal in play holds."""
    stocks = [" ".join(card_text(s.stocks[p, i]) for i in reversed(range(s.counts[p]))) for p in range(PLAYERS)]
    keys: dict[str, Any] = {
        "stocks": stocks,
        "pile": " ".join(card_text(s.pile[i]) for i in range(s.height)),
        "quiet": int(s.quiet),
    }
    pile = {int(s.pile[i]) for i in range(s.height)}
    gone = [card for card in range(52) if s.turned >> card & 1 and card not in pile]
    return keys | {"gone": " ".join(map(card_text, gone)), "scores": [int(s.scores[p]) for p in range(PLAYERS)]}


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if it cannot be."""
    cards = positions.Placing("", 0, ALL_52)
    pile, gone = (cards.cards(name, positions.text(keys, name)) for name in ("pile", "gone"))
    stocks = keys.pop("stocks", None)
    if not isinstance(stocks, (list, tuple)) or len(stocks) != PLAYERS:
        raise PositionError(
            Message("stocks"), Message("there are two"), Message("name the cards of each, the top card first")
        )
    for p, text in enumerate(stocks):
        stock = cards.cards("stocks", str(text))[::-1]
        s.stocks[p, : len(stock)], s.counts[p] = stock, len(stock)
    for i, card in enumerate(pile):
        s.pile[i] = card
    s.height = len(pile)
    s.turned = sum(1 << card for card in [*pile, *gone])
    s.quiet = positions.number(keys, "quiet", 0, 39, 0)
    for p, scored in enumerate(positions.numbers(keys, "scores", PLAYERS, [0] * PLAYERS)):
        s.scores[p] = s.gained[p] = scored
