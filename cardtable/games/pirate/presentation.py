"""Pirate in words: moves, refusals, notices, and the table as zones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from cardtable.base import card_names
from cardtable.base.cards import RANKS, SUIT, SUITS, card_text, suit_of
from cardtable.base.errors import NotationError, Text, no_move
from cardtable.base.message import Card, Cards, Message, Seat
from cardtable.games.pirate import rules, state
from cardtable.games.pirate.positions import MOVES
from cardtable.games.pirate.positions import position as position
from cardtable.games.pirate.positions import set_position as set_position
from cardtable.games.pirate.prompts import prompt as prompt
from cardtable.games.pirate.state import CLAIM, CLOSED, DRAW_CARD, PLAY, WAIT, State
from cardtable.rules.events import SUIT_PLACES, Told, reason
from cardtable.rules.moves import Move
from cardtable.rules.zones import NOTHING, Fact, Pile, Row, Score, Stock, Zone, row

REASONS = {"PI-02": reason("for a captured ship", "{n:a captured ship|@ captured ships}")}
EVENTS: Mapping[int, Told] = {
    rules.IS_LOW: Told("role", Message("{source} {source:is|are} LOW, to begin ships with aces"), beat="none"),
    rules.IS_HIGH: Told("role", Message("{source} {source:is|are} HIGH, to begin ships with kings"), beat="none"),
    rules.SHUFFLED: Told(
        "shuffle", Message("each player shuffles their own pack: a stock of {amount} cards"), beat="deal"
    ),
    rules.TURN: Told("turn", Message("{source} {source:turns|turn} {card}"), beat="flip"),
    rules.OVER_AGAIN: Told("over", Message("{source} {source:turns|turn} the waste over"), beat="none"),
    rules.BUILT: Told("build", Message("{source} {source:lays|lay} {card}"), beat="play"),
    rules.CLAIMED: Told(
        "claim", Message("{source} {source:claims|claim} {card} from {target}"), beat="draw", context="Pirate"
    ),
    rules.TWINS: Told(
        "twins", Message("{source} and {target} play {card} at the same moment; each keeps their own"), beat="none"
    ),
    rules.CONTESTED: Told(
        "contested",
        Message("{source} and {target} grasp {card} at the same moment: one to play it, one to claim it"),
        beat="none",
    ),
    rules.TARGET: Told("target", Message("a ship has sunk: from now on {amount} ships win"), beat="none"),
    rules.STALLED: Told("stall", Message("no card has been laid for {amount} moments"), beat="none"),
    rules.WON: Told("won", Message("{source} {source:wins|win} with {amount} ships"), beat="win"),
    rules.DRAWN: Told("drawn", Message("the game is drawn at {amount} ships each"), beat="none"),
    rules.CAPTURED: Told(
        "capture",
        Message("{source} {source:captures|capture} the ship of {place} with {card}"),
        SUIT_PLACES,
        context="Pirate",
    ),
    rules.SUNK: Told("sunk", Message("the ship of {place} is sunk, {amount} cards are thrown out"), SUIT_PLACES),
    rules.EXCHANGED: Told(
        "exchange",
        Message("the keels of {place} are exchanged: the ace is for {source} now, the king for {target} now"),
        SUIT_PLACES,
        beat="none",
        context="Pirate",
    ),
    rules.SHUT: Told("closed", Message("the lane of {place} is closed"), SUIT_PLACES, beat="none"),
}
END_RULE = "PI-21"
TURN_RULE = "PI-04"
_SHORT = {"w": WAIT, "d": DRAW_CARD, "p": PLAY, "c": CLAIM, "turn": DRAW_CARD}


def move_text(s: State, move: int) -> str:
    """`wait`, `draw`, `play` or `claim`: the card is the top one, and fixes lane and side."""
    return MOVES[move]


def parse_move(s: State, text: str) -> int:
    """Parse a move; its first letter is enough. Raises NotationError."""
    word = text.strip().lower()
    if word in MOVES:
        return MOVES.index(word)
    if word in _SHORT:
        return _SHORT[word]
    raise NotationError(
        no_move(text),
        Message("a move is wait, draw, play or claim; only the top card can be played"),
        Message("write one of these"),
    )


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    if move == DRAW_CARD:
        if s.held[seat]:
            return Message("all your cards are dead, so you are an observer: watch, and claim what you can"), "PI-Q8"
        return Message("you have neither stock nor waste left: watch, and claim what you can"), "PI-18"
    if move == CLAIM:
        return _why_no_claim(s, seat)
    card = int(state.top(s, seat))
    return (
        (Message("no card lies on your waste"), "PI-08")
        if card < 0
        else _unfit(s, seat, card, Message("the top of your waste"), "PI-12")
    )


def _why_no_claim(s: State, seat: int) -> tuple[Text, str]:
    if not state.exhausted(s, seat):
        return Message(
            "you still have cards of suits that are being built; only an observer, who has none, may claim"
        ), "PI-18"
    if not s.fresh[1 - seat]:
        return Message("only the card that the other has just turned may be claimed"), "PI-Q9" if s.turned[
            1 - seat
        ] else "PI-19"
    card = int(state.top(s, 1 - seat))
    suit = suit_of(card)
    if s.gone[suit] < CLOSED and not state.side(s, seat, suit):
        return Message(
            "you have no card on your side of {suit}, and a claim lays no keel", suit=card_names.SUITS[suit]
        ), "PI-Q9"
    return _unfit(s, seat, card, Message("the card just turned"), "PI-19")


def _unfit(s: State, seat: int, card: int, where: Message, rule: str) -> tuple[Text, str]:
    """The reason why a card does not fit on a seat's side."""
    suit = suit_of(card)
    needed = int(state.need(s, seat, suit))
    if needed < 0:
        return Message(
            "{where} is {card}, and both ships of {suit} are gone",
            where=where,
            card=Card(card_text(card)),
            suit=card_names.SUITS[suit],
        ), "PI-Q7"
    return Message(
        "{where} is {card}, and your side of {suit} takes {needed} next",
        where=where,
        card=Card(card_text(card)),
        suit=card_names.SUITS[suit],
        needed=Card(RANKS[needed] + SUITS[suit]),
    ), rule


def why_not_pack(s: State, pack: Sequence[int]) -> tuple[Text, Text]:
    """The first 52 cards are seat 0's pack, the other 52 seat 1's: each has all its cards once (PI-03, PI-07)."""
    for seat in range(state.PLAYERS):
        own = pack[seat * state.PACK : (seat + 1) * state.PACK]
        twice = sorted(card for card in set(own) if own.count(card) > 1)
        if twice:
            which = (
                Message("the first 52 cards are the pack of {seat}", seat=Seat(0)),
                Message("the last 52 cards are the pack of {seat}", seat=Seat(1)),
            )[seat]
            why = Message("{which}, and {card} is in it twice (PI-03)", which=which, card=Card(card_text(twice[0])))
            return why, Message(
                "name the whole pack of {low}, then the whole pack of {high}", low=Seat(0), high=Seat(1)
            )
    return "", ""


def automatic(s: State, seat: int, move: int) -> bool:
    """An observer who can claim nothing waits: all can see that nothing else can be done."""
    return move == WAIT


# The table


def role(s: State, seat: int) -> str:
    """`LOW` or `HIGH`."""
    return "HIGH" if seat == s.dealer else "LOW"


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The four lanes, each seat's stock, waste and captured ships, the sunk cards, the scores.

    Of a waste only the top card is shown, although every card has been seen: players may not look through it.
    """
    result: list[Zone] = [_lane(s, suit) for suit in range(state.SUITS)]
    roles = [role(s, seat) for seat in range(state.PLAYERS)]
    captured, target = [int(s.captured[seat]) for seat in range(state.PLAYERS)], int(state.target(s))
    for seat in range(state.PLAYERS):
        turned, under = int(s.turned[seat]), int(s.held[seat] - s.turned[seat])
        result.append(Stock(f"stock-{seat}", (seat,), (None,) * under, under))
        result.append(_waste(s, seat, turned))
        ships = captured[seat]
        result.append(
            Pile(
                f"ships-{seat}",
                (seat,),
                count=13 * ships,
                facts=(_captured(ships, target),),
                label=CAPTURED,
                won=True,
            )
        )
    sunk, thrown = int(s.sunk), int(s.sunk_cards)
    lost = Message("{n} {n:ship|ships}, {cards} {cards:card|cards}", n=sunk, cards=thrown)
    result.append(Pile("sunk", count=thrown, facts=(Fact(lost, "ships", sunk),), label=SUNK, won=True))
    for seat, part in enumerate(roles):
        wanted, observer = _wanted(s, seat), bool(state.exhausted(s, seat))
        facts = [ROLES[part], Fact(name="target", value=target)]
        facts.append(Fact(Message("next {cards}", cards=Cards(wanted)) if wanted else NOTHING, "next", wanted))
        facts.append(OBSERVER if observer and not s.over else Fact(name="observer", value=observer))
        result.append(Score(f"score-{seat}", (seat,), count=captured[seat], facts=tuple(facts)))
    return result


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """`wait`, and the moves of the stock and of the top cards of the wastes."""
    return [_choice(s, viewer, move) for move in legal]


def _choice(s: State, viewer: int, move: int) -> Move:
    if move == WAIT:
        return TO_WAIT
    if move == DRAW_CARD:
        return replace(TO_DRAW, source=f"stock-{viewer}")
    whose = viewer if move == PLAY else 1 - viewer
    top = (card_text(state.top(s, whose)),)
    return replace(TO_PLAY if move == PLAY else TO_CLAIM, cards=top, source=f"waste-{whose}")


TO_WAIT, TO_DRAW = (
    Move("wait", Message("wait", context="move")),
    Move("draw", Message("draw", context="move"), button=True),
)
TO_PLAY, TO_CLAIM = (
    Move("play", Message("play", context="move"), button=True),
    Move("claim", Message("claim", context="Pirate"), button=True),
)


WASTE, CAPTURED, SUNK = (
    Message("waste", context="zone"),
    Message("captured", context="zone"),
    Message("sunk", context="zone"),
)
ROLES = {"LOW": Fact(Message("LOW"), "role", "LOW"), "HIGH": Fact(Message("HIGH"), "role", "HIGH")}
OBSERVER = Fact(Message("observer"), "observer", True)
SHIPS = [Fact(Message("ship {n}", n=n), "ship", n) for n in (1, 2)]
CLOSED_LANE = Fact(Message("closed"), "ship", "closed")


@lru_cache(256)
def _captured(n: int, target: int) -> Fact:
    return Fact(Message("{n} of {target} {target:ship|ships}", n=n, target=target), "ships", n, figure=(n, target))


def _wanted(s: State, seat: int) -> str:
    """The cards that a seat's sides take next."""
    ranks = [int(state.need(s, seat, suit)) for suit in range(state.SUITS)]
    return " ".join(RANKS[rank] + SUITS[suit] for suit, rank in enumerate(ranks) if rank >= 0)


def _waste(s: State, seat: int, turned: int) -> Zone:
    """A waste with its top card."""
    cards: tuple[str | None, ...] = ()
    if turned:
        cards = (*(None,) * (turned - 1), card_text(state.top(s, seat)))
    return Pile(f"waste-{seat}", (seat,), cards, turned, (Fact(name="fresh", value=bool(s.fresh[seat])),), label=WASTE)


def _lane(s: State, suit: int) -> Zone:
    """A lane as a row from ace to king; which ship of the suit it is, and what each side takes next."""
    low, high, gone = int(s.rising[suit]), 13 - int(s.falling[suit]), int(s.gone[suit])
    closed = gone >= CLOSED
    facts = [CLOSED_LANE]
    cards: tuple[str | None, ...] = ()
    sides: tuple[int, ...] = ()
    due: tuple[str, ...] = ()
    if not closed:
        upward = int(s.dealer if gone else 1 - s.dealer)
        facts = [SHIPS[gone], Fact(name="up", value=upward), Fact(name="down", value=1 - upward)]
        cards = row(SUIT & ~((1 << high) - (1 << low)), suit)
        sides = (upward, 1 - upward)
        due = tuple(RANKS[rank] + SUITS[suit] for rank in dict.fromkeys((low, high - 1)))
    return Row(
        f"row-{SUITS[suit]}",
        (),
        cards,
        low + 13 - high,
        tuple(facts),
        label=card_names.SUITS[suit],
        suit=SUITS[suit],
        sides=sides,
        due=due,
    )
