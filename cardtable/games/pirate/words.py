"""Pirate in words: moves, refusals, what was told, and the table as zones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardtable import card_words
from cardtable.cards import RANKS, SUIT, SUIT_NAMES, SUITS, SYMBOLS, card_text, suit_of
from cardtable.errors import NotationError, Text, no_move
from cardtable.events import SUIT_PLACES, Told, reason
from cardtable.game import Zone, row
from cardtable.games.pirate import rules, state
from cardtable.games.pirate.placing_words import MOVES, position, set_position
from cardtable.games.pirate.state import CLAIM, CLOSED, DRAW_CARD, PLAY, WAIT, State
from cardtable.message import Card, Message, Seat
from cardtable.text import plural

__all__ = ["END_RULE", "EVENTS", "REASONS", "TURN_RULE", "automatic", "move_text", "parse_move", "position", "set_position", "why_not", "why_not_pack", "zones"]

REASONS = {"PI-02": reason("for a captured ship", "{n:a captured ship|@ captured ships}")}
EVENTS: Mapping[int, Told] = {
    rules.IS_LOW: Told("role", Message("{source} {source:is|are} LOW, to begin ships with aces")),
    rules.IS_HIGH: Told("role", Message("{source} {source:is|are} HIGH, to begin ships with kings")),
    rules.SHUFFLED: Told("shuffle", Message("each player shuffles their own pack: a stock of {amount} cards")),
    rules.TURN: Told("turn", Message("{source} {source:turns|turn} {card}")),
    rules.OVER_AGAIN: Told("over", Message("{source} {source:turns|turn} the waste over")),
    rules.BUILT: Told("build", Message("{source} {source:lays|lay} {card}")),
    rules.CLAIMED: Told("claim", Message("{source} {source:claims|claim} {card} from {target}")),
    rules.TWINS: Told("twins", Message("{source} and {target} play {card} at the same moment; each keeps their own")),
    rules.CONTESTED: Told("contested", Message("{source} and {target} grasp {card} at the same moment: one to play it, one to claim it")),
    rules.TARGET: Told("target", Message("a ship has sunk: from now on {amount} ships win")),
    rules.STALLED: Told("stall", Message("no card has been laid for {amount} ticks")),
    rules.WON: Told("won", Message("{source} {source:wins|win} with {amount} ships")),
    rules.DRAWN: Told("drawn", Message("the game is drawn at {amount} ships each")),
    rules.CAPTURED: Told("capture", Message("{source} {source:captures|capture} the ship of {place} with {card}"), SUIT_PLACES),
    rules.SUNK: Told("sunk", Message("the ship of {place} is sunk, {amount} cards are thrown out"), SUIT_PLACES),
    rules.EXCHANGED: Told("exchange", Message("the keels of {place} are exchanged: the ace is for {source} now, the king for {target} now"), SUIT_PLACES),
    rules.SHUT: Told("closed", Message("the lane of {place} is closed"), SUIT_PLACES),
}
END_RULE = "PI-21"
TURN_RULE = "PI-04"
_SHORT = {"w": WAIT, "d": DRAW_CARD, "p": PLAY, "c": CLAIM, "turn": DRAW_CARD}


def move_text(s: State, move: int) -> str:
    """`wait`, `draw`, `play` or `claim`: the card is the top one, and fixes lane and side."""
    return MOVES[move]


def parse_move(s: State, text: str) -> int:
    """The move that text names; its first letter will do. Raises NotationError."""
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
    """Why a seat that may act may not make a move: reason and rule."""
    if move == DRAW_CARD:
        if s.held[seat]:
            return Message("all your cards are dead, so you are an observer: watch, and claim what you can"), "PI-Q8"
        return Message("you have neither stock nor waste left: watch, and claim what you can"), "PI-18"
    if move == CLAIM:
        return _why_no_claim(s, seat)
    card = int(state.top(s, seat))
    return (Message("no card lies on your waste"), "PI-08") if card < 0 else _unfit(s, seat, card, Message("the top of your waste"), "PI-12")


def _why_no_claim(s: State, seat: int) -> tuple[Text, str]:
    if not state.exhausted(s, seat):
        return Message("you still have cards of suits that are being built; only an observer, who has none, may claim"), "PI-18"
    if not s.fresh[1 - seat]:
        return Message("only the card that the other has just turned may be claimed"), "PI-Q9" if s.turned[1 - seat] else "PI-19"
    card = int(state.top(s, 1 - seat))
    suit = suit_of(card)
    if s.gone[suit] < CLOSED and not state.side(s, seat, suit):
        return Message("you have no card on your side of {suit}, and a claim lays no keel", suit=card_words.SUITS[suit]), "PI-Q9"
    return _unfit(s, seat, card, Message("the card just turned"), "PI-19")


def _unfit(s: State, seat: int, card: int, where: Message, rule: str) -> tuple[Text, str]:
    """Why a card does not go on a seat's side."""
    suit = suit_of(card)
    needed = int(state.need(s, seat, suit))
    if needed < 0:
        return Message("{where} is {card}, and both ships of {suit} are gone", where=where, card=Card(card_text(card)), suit=card_words.SUITS[suit]), "PI-Q7"
    return Message(
        "{where} is {card}, and your side of {suit} takes {needed} next",
        where=where,
        card=Card(card_text(card)),
        suit=card_words.SUITS[suit],
        needed=Card(RANKS[needed] + SUITS[suit]),
    ), rule


def why_not_pack(s: State, pack: Sequence[int]) -> tuple[Text, Text]:
    """The first 52 cards are seat 0's pack, the other 52 seat 1's: each has all its cards once (PI-03, PI-07)."""
    for seat in range(state.PLAYERS):
        own = pack[seat * state.PACK : (seat + 1) * state.PACK]
        twice = sorted(card for card in set(own) if own.count(card) > 1)
        if twice:
            which = (Message("the first 52 cards are the pack of {seat}", seat=Seat(0)), Message("the last 52 cards are the pack of {seat}", seat=Seat(1)))[
                seat
            ]
            why = Message("{which}, and {card} is in it twice (PI-03)", which=which, card=Card(card_text(twice[0])))
            return why, Message("name the whole pack of {low}, then the whole pack of {high}", low=Seat(0), high=Seat(1))
    return "", ""


def automatic(s: State, seat: int, move: int) -> bool:
    """An observer who can claim nothing waits: all can see that he can do nothing else."""
    return move == WAIT


# The table


def role(s: State, seat: int) -> str:
    """`LOW` or `HIGH`."""
    return "HIGH" if seat == s.dealer else "LOW"


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The four lanes, each seat's stock, waste and captured ships, the sunk cards, the scores.

    Of a waste only the top card is shown, though every card has been seen: nobody looks through it.
    """
    found = [_lane(s, suit) for suit in range(state.SUITS)]
    roles = [role(s, seat) for seat in range(state.PLAYERS)]
    captured, target = [int(s.captured[seat]) for seat in range(state.PLAYERS)], int(state.target(s))
    for seat, part in enumerate(roles):
        turned, under = int(s.turned[seat]), int(s.held[seat] - s.turned[seat])
        draw = {"": MOVES[DRAW_CARD]} if seat == viewer and DRAW_CARD in legal else {}
        who = f"seat {seat}, {part}"
        found.append(Zone("stock", f"stock-{seat}", f"{who}: stock", seat, (None,) * under, under, text=plural(under, "card"), clicks=draw))
        found.append(_waste(s, seat, viewer, legal, f"{who}: waste", turned))
        ships = captured[seat]
        found.append(Zone("pile", f"ships-{seat}", f"{who}: captured", seat, (), 13 * ships, text=plural(ships, "ship"), notes={"ships": ships}))
    sunk, thrown = int(s.sunk), int(s.sunk_cards)
    found.append(Zone("pile", "sunk", "sunk", None, (), thrown, text=plural(sunk, "ship") + f", {thrown} cards", notes={"ships": sunk}))
    for seat, part in enumerate(roles):
        wanted, observer = _wanted(s, seat), bool(state.exhausted(s, seat))
        text = f"{part}, {captured[seat]} of {target} ships, next {wanted}" + (", observer" if observer else "")
        notes = {"role": part, "target": target, "observer": observer, "next": wanted}
        found.append(Zone("score", f"score-{seat}", f"seat {seat}", seat, (), captured[seat], text=text, notes=notes))
    if legal:
        found.append(Zone("action", "actions", f"tick {s.tick + 1}", viewer, clicks={MOVES[move]: MOVES[move] for move in legal}))
    return found


def _wanted(s: State, seat: int) -> str:
    """The cards that a seat's sides take next."""
    ranks = [int(state.need(s, seat, suit)) for suit in range(state.SUITS)]
    return " ".join(RANKS[rank] + SUITS[suit] for suit, rank in enumerate(ranks) if rank >= 0)


def _waste(s: State, seat: int, viewer: int, legal: Sequence[int], label: str, turned: int) -> Zone:
    """A waste with its top card; its owner may play that, an observer claim it."""
    cards: tuple[str | None, ...] = ()
    clicks = {}
    if turned:
        top = card_text(state.top(s, seat))
        cards = (*(None,) * (turned - 1), top)
        move = PLAY if seat == viewer else CLAIM
        clicks = {top: MOVES[move]} if viewer >= 0 and move in legal else {}
    text = "" if turned else "empty"
    return Zone("pile", f"waste-{seat}", label, seat, cards, turned, text=text, notes={"fresh": bool(s.fresh[seat])}, clicks=clicks)


def _lane(s: State, suit: int) -> Zone:
    """A lane as a row from ace to king; which ship of the suit it is, and what each side takes next."""
    low, high, gone = int(s.rising[suit]), 13 - int(s.falling[suit]), int(s.gone[suit])
    closed = gone >= CLOSED
    notes: dict[str, Any] = {"symbol": SYMBOLS[suit], "ship": "closed" if closed else gone + 1}
    text = "closed"
    cards: tuple[str | None, ...] = ()
    if not closed:
        upward = int(s.dealer if gone else 1 - s.dealer)
        notes |= {"up": upward, "down": 1 - upward}
        cards = row(SUIT & ~((1 << high) - (1 << low)), suit)
        shown = " ".join(card or "--" for card in cards)
        text = f"{shown}  (ship {gone + 1}: {role(s, upward)} from the ace, {role(s, 1 - upward)} from the king)"
    return Zone("row", f"row-{SUITS[suit]}", SUIT_NAMES[suit], None, cards, low + 13 - high, text=text, notes=notes)
