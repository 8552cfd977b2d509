"""Tower in words."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cardtable.base.cards import ALL_52, card_text, cards_in, rank_of, set_text
from cardtable.base.errors import PositionError, Text
from cardtable.base.message import Card, Message, Seat
from cardtable.rules import moves, positions
from cardtable.rules.events import Told, reason
from cardtable.rules.moves import Move, card_named
from cardtable.rules.zones import Fact, Hand, Pile, Score, Stock, Zone, points

from .rules import CLEARED, REST, RESTED, State

EVENTS = {
    RESTED: Told("rest", Message("{source} {source:rests|rest}"), beat="pass"),
    CLEARED: Told("clear", Message("{source} {source:takes|take} the tower ({cards})"), beat="capture"),
}
REASONS = {"TW-05": reason("for the tower", "the tower")}
END_RULE, TURN_RULE = "TW-06", "TW-03"
TOWER, UNDEALT = Message("tower"), Message("not dealt")
TO_REST = Move("rest", Message("rest"))
TO_REST_ANYWAY = Move("rest", Message("rest"), confirm=True)


def move_text(s: State, move: int) -> str:
    """`7H` or `rest`."""
    return "rest" if move == REST else card_text(move)


def parse_move(s: State, text: str) -> int:
    """The move that text names. Raises NotationError."""
    if text.strip().lower() == "rest":
        return REST
    return card_named(text, text, Message("a move is a card such as 7H, or rest"))


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """Why a seat that may act may not make a move: reason and rule."""
    if move == REST:
        return Message("there is no tower yet, and who begins one lays a card"), "TW-04"
    if move >= 52 or not s.hands[seat] >> move & 1:
        return Message("you do not hold {card}", card=Card(card_text(move))), "TW-03"
    return Message("{top} lies on top, and no card may be lower", top=Card(card_text(s.tower[s.height - 1]))), "TW-03"


def automatic(s: State, seat: int, move: int) -> bool:
    """Never: a pause would tell nothing, but nobody is in a hurry."""
    return False


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The tower, the cards not dealt, the hands, the scores."""
    tower = tuple(card_text(s.tower[i]) for i in range(s.height))
    builder = (
        (Fact(Message("{seat:@ has|you have} laid the top card", seat=Seat(int(s.last))), "last", int(s.last)),)
        if tower
        else ()
    )
    left = 52 - int(s.rules.hand) * int(s.seats)
    found: list[Zone] = [
        Pile("tower", (), tower, len(tower), builder, label=TOWER),
        Stock("stock", (), (None,) * left, left, label=UNDEALT),
    ]
    for seat in range(s.seats):
        cards = tuple(map(card_text, cards_in(s.hands[seat]))) if seat == viewer else (None,) * int(s.counts[seat])
        found.append(Hand(f"hand-{seat}", (seat,), cards, int(s.counts[seat])))
        found.append(Score(f"score-{seat}", (seat,), count=int(s.scores[seat]), facts=(points(int(s.scores[seat])),)))
    return found


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """Cards of the hand, and `rest`."""
    rest = TO_REST_ANYWAY if any(move < REST for move in legal) else TO_REST
    return [rest if move == REST else moves.of_card(viewer, card_text(move)) for move in legal]


def position(s: State) -> dict[str, Any]:
    """Everything a deal in play holds."""
    n = int(s.seats)
    tower = [int(s.tower[i]) for i in range(s.height)]
    keys: dict[str, Any] = {"turn": int(s.turn), "hands": [set_text(s.hands[p]) for p in range(n)]}
    if gone := int(s.laid) & ~sum(1 << card for card in tower):
        keys["played"] = set_text(gone)
    if tower:
        keys |= {"tower": " ".join(map(card_text, tower)), "last": int(s.last)}
    if any(s.scores[p] for p in range(n)):
        keys["scores"] = [int(s.scores[p]) for p in range(n)]
    return keys


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if it cannot be."""
    n = int(s.seats)
    s.direction = 1
    cards = positions.Placing("", 0, ALL_52)
    tower = cards.cards("tower", positions.text(keys, "tower"))
    played = cards.cards("played", positions.text(keys, "played"))
    hands = cards.hands(keys.pop("hands", None), n)
    if any(rank_of(low) > rank_of(high) for low, high in zip(tower, tower[1:], strict=False)):
        raise PositionError(
            Message("tower"),
            Message("no card on it is lower than the one below it (TW-03)"),
            Message("put them in order"),
        )
    for p, hand in enumerate(hands):
        s.hands[p], s.counts[p] = hand, hand.bit_count()
    if not all(s.counts[p] for p in range(n)):
        raise PositionError(
            Message("hands"), Message("a deal is over when a hand is empty (TW-06)"), Message("give every seat a card")
        )
    for i, card in enumerate(tower):
        s.tower[i] = card
    s.height = len(tower)
    s.laid = sum(1 << card for card in [*tower, *played])
    s.turn = positions.number(keys, "turn", 0, n - 1, 0)
    s.last = positions.number(keys, "last", 0, n - 1, int((s.turn + n - 1) % n))
    for p, scored in enumerate(positions.numbers(keys, "scores", n, [0] * n)):
        s.scores[p] = s.gained[p] = scored
