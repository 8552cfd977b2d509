"""Thirty-One in words: moves, refusals and the table as zones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from cardtable.base.cards import card_text, cards_in, set_text
from cardtable.base.errors import Text
from cardtable.base.message import Card, Cards, Message, Seat, mark
from cardtable.games.thirty_one import state
from cardtable.games.thirty_one.positions import position as position
from cardtable.games.thirty_one.positions import set_position as set_position
from cardtable.games.thirty_one.prompts import counted
from cardtable.games.thirty_one.prompts import prompt as prompt
from cardtable.games.thirty_one.state import (
    BLITZ,
    FROM_PILE,
    KNOCK,
    MAX_LEVEL,
    MAX_TAKEN,
    STOCK,
    UPCARD,
    State,
    strength,
)
from cardtable.kernel.bits import count
from cardtable.rules import contract, moves
from cardtable.rules.events import MANY_PLACES, Told, reason
from cardtable.rules.moves import Move, card_named
from cardtable.rules.zones import ACE_HIGH, Actions, Fact, Hand, Pile, Pot, Score, Stock, Zone, cards_or_backs

REASONS = {
    "TO-16": reason("for the lowest hand", "the lowest hand"),
    "TO-17": reason("for knocking with the lowest hand, double", "knocking with the lowest hand, double"),
    "TO-Q10": reason("for not having 31", "not having 31"),
    "TO-C6": reason("for not having 31 after knocking, double", "not having 31 after knocking, double"),
    "TO-C8": reason("for knocking with a hand that is level with the lowest", "knocking while level with the lowest"),
}
MARKERS = Message("{source} {source:pays|pay} {amount} {amount:marker|markers}{source:|| each} into the middle")
EVENTS: Mapping[int, Told] = {
    contract.PAY: Told("pay", MARKERS, joins=True, beat="chips"),
    state.TAKEN: Told("take-upcard", Message("{source} {source:takes|take} the upcard {card}"), beat="draw"),
    state.DISCARD: Told("discard", Message("{source} {source:discards|discard} {card}"), beat="play"),
    state.KNOCKED: Told("knock", Message("{source} {source:knocks|knock}")),
    state.BLITZED: Told("blitz", Message("{source} {source:shows|show} 31: a blitz"), beat="reveal"),
    state.COUNTED: Told("count", Message("{source} {source:counts|count} {amount}"), beat="reveal"),
    state.THREES: Told(
        "threes", Message("{source} {source:counts|count} 30½ with three {place}"), MANY_PLACES, beat="reveal"
    ),
    state.LEVEL: Told("level", Message("nobody's hand is lower than another's: nobody loses"), beat="none"),
    state.OUT: Told("out", Message("{source} {source:is|are} out"), beat="none"),
    state.ENOUGH: Told("enough", Message("the stock has run out once more, and the hand ends"), beat="none"),
    state.NOTES: Told(
        "notes", Message("{source} {source:takes|take} banknotes from the middle: {amount}"), beat="chips"
    ),
    state.LEFT: Told(
        "left",
        Message("{source} {source:is|are} left and {source:wins|win} the match"),
        beat="win",
        context="Thirty-One",
    ),
    state.RESHUFFLE: Told(
        "restock", Message("the discards are shuffled into a new stock of {amount} cards"), beat="none"
    ),
    state.FOLDED: Told("score", Message("{source} {source:folds|fold} corners ({amount})"), beat="chips"),
}
END_RULE = "TO-13"
TURN_RULE = "TO-08"
_TEXT = {STOCK: "stock", UPCARD: "upcard", KNOCK: "knock", BLITZ: "blitz"}
_MOVE = {
    "stock": STOCK,
    "draw": STOCK,
    "draw stock": STOCK,
    "s": STOCK,
    "upcard": UPCARD,
    "take": UPCARD,
    "take upcard": UPCARD,
    "u": UPCARD,
    "knock": KNOCK,
    "k": KNOCK,
    "blitz": BLITZ,
    "31": BLITZ,
    "show": BLITZ,
}


def move_text(s: State, move: int) -> str:
    """`stock`, `upcard`, `knock`, `blitz`, or the card discarded."""
    return _TEXT.get(int(move)) or card_text(move)


def parse_move(s: State, text: str) -> int:
    """Parse a move. Raises NotationError."""
    plain = " ".join(text.lower().split())
    if plain in _MOVE:
        return _MOVE[plain]
    return card_named(
        plain.removeprefix("discard "),
        text,
        Message("a move is stock, upcard, knock or blitz, or a card to discard such as 7H"),
    )


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    if s.showing:
        return Message("you have 31 and show it; the hand is over"), "TO-10"
    if s.drawn:
        return _why_not_discard(s, seat, move)
    if move < 52:
        return Message("first take the upcard or the top card of the stock"), "TO-09"
    if move == UPCARD:
        return Message(
            "{n} upcards have been taken in this deal, and only the stock is left to draw from", n=MAX_TAKEN
        ), "TO-Q15"
    if move == BLITZ:
        return Message("your three cards count {value}, not 31", value=counted(s, s.hands[seat])), "TO-10"
    if s.knocker >= 0:
        return Message("{seat} {seat:has|have} knocked already", seat=Seat(int(s.knocker))), "TO-Q12"
    if s.rules.first_round_knock_forbidden and s.played < count(s.in_play):
        return Message("nobody may knock before all {value} have had a turn", value=count(s.in_play)), "TO-Q11"
    return Message(
        "knocking takes a count of {least}, and your hand counts {n}",
        least=int(s.rules.min_knock),
        n=counted(s, s.hands[seat]),
    ), "TO-C9"


def _why_not_discard(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason why a seat that has drawn may not make a move."""
    if move == KNOCK:
        return Message("you may knock only instead of drawing, and you have drawn"), "TO-11"
    if move == BLITZ:
        return Message("only a hand of three cards is a blitz: discard first"), "TO-Q3"
    if move >= 52:
        return Message("you have drawn, and one card a turn is all: discard one"), "TO-09"
    if s.drawn == FROM_PILE and move == s.taken:
        return Message("{card} is the upcard you have just taken", card=Card(card_text(move))), "TO-Q4"
    return Message("you do not hold {card}", card=Card(card_text(move))), "TO-09"


def automatic(s: State, seat: int, move: int) -> bool:
    """A blitz cannot be hidden (TO-Q3)."""
    return move == BLITZ


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The stock, the discards, the middle, the place to knock on, the hands."""
    n = int(s.stock_count)
    result: list[Zone] = [Stock("stock", (), (None,) * n, n)]
    pile = tuple(card_text(s.pile[i]) for i in range(s.pile_count))
    result.append(Pile("discards", (), pile[-1:], len(pile), label=TOP))
    if s.rules.stake_banknote:
        taken = s.over and (count(s.alive) == 1 or s.level == MAX_LEVEL)  # TO-20, TO-Q16
        lying = 0 if taken else int(s.seats - count(s.alive))
        result.append(
            Score(
                "middle",
                facts=(Fact(Message("{n} {n:banknote|banknotes}", n=lying), "banknotes", lying),),
                label=MIDDLE,
            )
        )
    else:
        result.append(Pot("pot", count=int(s.pot), facts=(_markers(int(s.pot)),), label=MIDDLE))
    if not s.over:
        result.append(KNOCKING_PLACE)
    for seat in range(s.seats):
        result.append(_hand(s, seat, viewer))
    return result


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """The stock and the upcard, a card to discard, `knock` and `blitz`."""
    upcard = (card_text(s.pile[s.pile_count - 1]),) if s.pile_count else ()
    acts = {STOCK: FROM_STOCK, UPCARD: replace(FROM_DISCARDS, cards=upcard), KNOCK: TO_KNOCK, BLITZ: TO_BLITZ}
    return [acts[move] if move in acts else moves.of_card(viewer, card_text(move)) for move in legal]


FROM_STOCK = Move("stock", Message("take a card of the stock"), source="stock")
FROM_DISCARDS = Move("upcard", Message("take the upcard"), source="discards")
KNOCKING_PLACE = Actions("knock", label=Message("knock", context="move"))
TO_KNOCK = Move("knock", Message("knock", context="move"), source=KNOCKING_PLACE.name, confirm=True)
TO_BLITZ = Move("blitz", Message("blitz", context="move"))


def _count(s: State, seat: int) -> int | str:
    """The count of a hand; of four cards, the best that a discard can leave."""
    hand = int(s.hands[seat])
    held = cards_in(hand)
    kept = [hand & ~(1 << card) for card in held if s.drawn != FROM_PILE or card != s.taken]
    return counted(s, max(kept if len(held) > 3 else [hand], key=lambda left: int(strength(s, left))))


TOP, MIDDLE = Message("upcard", context="zone"), Message("in the middle", context="zone")
OUT_OF_MATCH, HAS_KNOCKED = (
    Fact(Message("out of the match"), "out", "of the match"),
    Fact(Message("has knocked"), "has", "knocked"),
)


@lru_cache(1024)
def _markers(n: int) -> Fact:
    return Fact(Message("{n} {n:marker|markers}", n=n), mark("markers"), n, coins=True)


@lru_cache(1024)
def _corners(n: int) -> Fact:
    return Fact(Message("{n} {n:corner|corners}", n=n), mark("corners"), n, coins=True)


def _hand(s: State, seat: int, viewer: int) -> Zone:
    open_hand = seat == viewer or bool(s.over) or bool(s.showing)
    size = int(s.in_play >> seat & 1) * (3 + int(s.drawn > 0 and s.turn == seat))
    cards = cards_or_backs(s.hands[seat], open_hand, size)
    facts = (
        [(_corners if s.rules.stake_banknote else _markers)(int(s.scores[seat]))]
        if s.alive >> seat & 1
        else [OUT_OF_MATCH]
    )
    if s.knocker == seat:
        facts.append(HAS_KNOCKED)
    if s.known[seat] and not open_hand:
        took = set_text(s.known[seat])
        facts.append(Fact(Message("took {cards}", cards=Cards(took)), "took", took, aid=True))
    if open_hand and size:
        counts = _count(s, seat)
        facts.append(
            Fact(Message("counts {n}", n=counts), "count", counts, figure=(counts,) if isinstance(counts, int) else ())
        )
    return Hand(f"hand-{seat}", (seat,), cards, size, tuple(facts), order=ACE_HIGH)
