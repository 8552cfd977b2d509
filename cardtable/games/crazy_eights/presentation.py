"""Crazy Eights in words: moves, refusals and the table as zones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from cardtable.base import card_names
from cardtable.base.cards import SUIT_NAMES, SUITS, card_text, cards_in, parse_card, suit_of
from cardtable.base.errors import NotationError, Text, no_move
from cardtable.base.message import Card, Cards, Message, Moves, Seat, mark
from cardtable.games.crazy_eights import rules
from cardtable.games.crazy_eights.positions import position as position
from cardtable.games.crazy_eights.positions import set_position as set_position
from cardtable.games.crazy_eights.prompts import prompt as prompt
from cardtable.games.crazy_eights.state import (
    DRAW,
    EIGHTS,
    NAME,
    NAMED_8,
    PASS,
    State,
    can_draw,
    hand,
    of,
    playable,
    upcard,
)
from cardtable.rules import moves
from cardtable.rules.events import SUIT_PLACES, Told, reason
from cardtable.rules.moves import Move
from cardtable.rules.zones import NOTHING, Fact, Hand, HandOrder, Pile, Score, Stock, Zone, points, won

REASONS = {"CE-13": reason("for going out first", "going out first")}
EVENTS: Mapping[int, Told] = {
    rules.TURNED_UP: Told("upcard", Message("{card} is turned up"), beat="flip"),
    rules.BURIED: Told(
        "buried", Message("{card} is turned up, and put back into the middle of the stock"), beat="flip"
    ),
    rules.RESHUFFLED: Told(
        "reshuffle",
        Message("the upcard stays, and the other {amount} discards are shuffled into a new stock"),
        beat="none",
    ),
    rules.NAMED: Told("named", Message("{source} {source:names|name} {place}"), SUIT_PLACES, joins=True, beat="call"),
}
END_RULE = "CE-13"
TURN_RULE = "CE-06"


def move_text(s: State, move: int) -> str:
    """A card, `5S`; an eight with the suit it names, `8H clubs`; `draw`; `pass`; a suit, `clubs`."""
    if move < NAMED_8:
        return card_text(move)
    if move < DRAW:
        eight, suit = divmod(move - NAMED_8, 4)
        return f"{card_text(13 * eight + 7)} {SUIT_NAMES[suit]}"
    return "draw" if move == DRAW else "pass" if move == PASS else SUIT_NAMES[move - NAME]


def _suit(word: str) -> int:
    """The suit written as `clubs`, `club`, `c` or its sign; -1: none."""
    for suit, name in enumerate(SUIT_NAMES):
        if word in (name, name[:-1], name[0], "♠♥♦♣"[suit], "♤♡♢♧"[suit]):
            return suit
    return -1


def parse_move(s: State, text: str) -> int:
    """Parse a move, legal or not. Raises NotationError."""
    words = text.lower().replace("=", " ").split()
    if words and words[0] in ("play", "lay", "name"):
        words = words[1:]
    if words in (["draw"], ["pass"]):
        return DRAW if words == ["draw"] else PASS
    if len(words) == 1 and _suit(words[0]) >= 0:
        return NAME + _suit(words[0])
    try:
        if not 1 <= len(words) <= 2:
            raise NotationError("", "", "")
        card = parse_card(words[0])
    except NotationError:
        raise NotationError(
            no_move(text),
            Message("a move is a card, an eight with a suit, draw or pass"),
            Message("write for instance {moves}", moves=Moves("5S, 8H clubs, draw, pass")),
        ) from None
    if len(words) == 1:
        return card
    if _suit(words[1]) < 0 or not EIGHTS >> card & 1:
        why = (
            Message("only an eight names a suit")
            if _suit(words[1]) >= 0
            else Message("the suits are spades, hearts, diamonds and clubs")
        )
        raise NotationError(no_move(text), why, Message("write for instance {moves}", moves=Moves("5S, 8H clubs")))
    return NAMED_8 + suit_of(card) * 4 + _suit(words[1])


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    if s.naming:
        return Message("an eight was turned up: as the dealer you first name a suit"), "CE-Q1"
    if move >= NAME:
        return Message("a suit is named only with an eight: write for instance 8H clubs"), "CE-09"
    held, fits = int(hand(s, seat)), int(playable(s))
    able = [card_text(card) for card in range(54) if (held & fits) >> card & 1]
    if move == DRAW:
        if not can_draw(s):
            return Message("there is nothing left to draw: all cards but the upcard are in hands"), "CE-Q5"
        return Message("you can lay {cards}, so you must (draw_willing=no)", cards=Cards(" ".join(able))), "CE-Q3"
    if move == PASS:
        return (
            (Message("you can still draw"), "CE-Q2")
            if can_draw(s)
            else (Message("you can lay {cards}", cards=Cards(" ".join(able))), "CE-Q2")
        )
    card = move if move < NAMED_8 else 13 * ((move - NAMED_8) // 4) + 7
    if not held >> card & 1:
        return Message("you do not hold {card}", card=Card(card_text(card))), "CE-07"
    if fits >> card & 1:
        if move < NAMED_8:
            return Message(
                "with an eight you name a suit: write for instance {card} clubs", card=Card(card_text(card))
            ), "CE-09"
        return Message(
            "{card} is your last card: lay it alone, for no suit is named any more", card=Card(card_text(card))
        ), "CE-13"
    if s.named:
        return Message(
            "{suit} were named: lay one of them, an eight or a joker", suit=card_names.SUITS[s.named - 1]
        ), "CE-09"
    return Message(
        "{card} has neither the suit nor the rank of {card2}",
        card=Card(card_text(card)),
        card2=Card(card_text(upcard(s))),
    ), "CE-07"


def automatic(s: State, seat: int, move: int) -> bool:
    """A forced pass, which everybody will see at once. A forced draw is not: it would reveal that it was forced."""
    return move == PASS


# The table


def demand(s: State) -> Message:
    """What may be played, if the upcard does not show it."""
    if s.naming:
        return Message("{seat} {seat:names|name} a suit", seat=Seat(int(s.turn)))
    if s.free:
        return ANYTHING
    if s.named:
        next_one = mark("next: {suit}, an eight or a joker") if s.rules.jokers else mark("next: {suit} or an eight")
        return Message(next_one, suit=card_names.SUITS[s.named - 1])
    return NOTHING


ANYTHING = Message("anything goes")


def cards_of(low: int, high: int) -> list[str]:
    """The cards that a tally counts, ascending."""
    return [card_text(card) for card in cards_in(low | high) for _ in range(of(int(low), int(high), card))]


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The discards with the upcard, the stock, each seat's hand, the scores, and the moves without a card."""
    result: list[Zone] = [pile_zone(s)]
    down = [None if not s.sure[i] else card_text(s.sure[i] - 1) for i in range(s.stock_size - 1, -1, -1)]
    known = ((k, Card(card)) for k, card in enumerate(down) if card)
    buried = tuple(Fact(Message("{card} under {k}", card=card, k=k), aid=True) for k, card in known)
    result.append(Stock("stock", (), tuple(down), len(down), buried))
    for seat in range(s.seats):
        result.append(hand_zone(s, seat, viewer))
    for seat in range(s.seats):
        score = int(s.scores[seat])
        result.append(
            Score(
                f"score-{seat}", (seat,), count=score, facts=(points(score) if s.rules.scoring_points else won(score),)
            )
        )
    return result


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """Cards of the hand (an eight with each suit it may name), `draw`, `pass`, a suit."""
    return [_choice(viewer, move, legal) for move in legal]


def _choice(viewer: int, move: int, legal: Sequence[int]) -> Move:
    if move < NAMED_8:
        return moves.of_card(viewer, card_text(move))
    if move < DRAW:
        eight, suit = divmod(move - NAMED_8, 4)
        return _named_eight(viewer, card_text(13 * eight + 7), suit)
    return moves.DRAW if move == DRAW else moves.passing(legal, DRAW) if move == PASS else SUITS_NAMED[move - NAME]


SUITS_NAMED = [
    Move(name, Message("name {suit}", suit=card_names.SUITS[suit]), suit=SUITS[suit])
    for suit, name in enumerate(SUIT_NAMES)
]


@lru_cache(1024)
def _named_eight(seat: int, card: str, suit: int) -> Move:
    name = card_names.SUITS[suit]
    label = Message("{source} {suit}", source=Card(card), suit=name)
    return Move(f"{card} {SUIT_NAMES[suit]}", label, (card,), f"hand-{seat}", suit=SUITS[suit], then=name)


DISCARDS = Message("discards", context="zone")


def pile_zone(s: State) -> Zone:
    """The discards, which everybody has seen; the upcard is the last."""
    pile = [card_text(s.pile[i]) for i in range(s.pile_size)]
    if not pile:  # nothing is dealt yet
        return Pile("discards", label=DISCARDS)
    facts = (
        Fact(NOTHING if s.over else demand(s)),
        Fact(name="upcard", value=pile[-1]),
        Fact(name="named", value=SUIT_NAMES[s.named - 1] if s.named else None),
        Fact(name="free", value=bool(s.free)),
    )
    suit = SUITS[s.named - 1] if s.named and not s.over else ""
    return Pile("discards", (), tuple(pile), len(pile), facts, label=DISCARDS, suit=suit)


EIGHTS_APART = HandOrder(apart="8")


def hand_zone(s: State, seat: int, viewer: int) -> Zone:
    """A seat's hand: its cards if the viewer holds it or all hands are shown, otherwise their number and the public
    knowledge about them.
    """
    open_hand = seat == viewer or bool(rules.shown(s))
    cards: list[str | None] = list(
        cards_of(s.hands[seat, 0], s.hands[seat, 1]) if open_hand else cards_of(s.known[seat, 0], s.known[seat, 1])
    )
    cards += [None] * (int(s.counts[seat]) - len(cards))
    return Hand(f"hand-{seat}", (seat,), tuple(cards), int(s.counts[seat]), order=EIGHTS_APART)
