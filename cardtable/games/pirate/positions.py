"""Positions of Pirate as text: everything on the table, with checks against the impossible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from cardtable.base import card_names
from cardtable.base.cards import SUIT_NAMES, SUITS, card_text, parse_cards, suit_of
from cardtable.base.errors import NotationError, PositionError
from cardtable.base.message import Card, Message, Seat
from cardtable.games.pirate import state
from cardtable.games.pirate.state import CLOSED, PLAYERS, State
from cardtable.rules import contract, positions

MOVES = ("wait", "draw", "play", "claim")


def position(s: State) -> dict[str, Any]:
    """Everything a game in play holds; what is as at the start is left out."""
    row = [[int(card) for card in s.cards[p, : s.held[p]]] for p in range(PLAYERS)]
    keys: dict[str, Any] = {
        "stocks": [_text(row[p][int(s.turned[p]) :]) for p in range(PLAYERS)],
        "wastes": [_text(row[p][: int(s.turned[p])]) for p in range(PLAYERS)],
    }
    lanes = [
        _text(range(13 * i, 13 * i + int(s.rising[i])))
        + " "
        + _text(range(13 * i + 12, 13 * i + 12 - int(s.falling[i]), -1))
        for i in range(4)
    ]
    if any(lane.strip() for lane in lanes):
        keys["ships"] = [lane.strip() for lane in lanes]
    again = [int(s.held[p] > s.turned[p] and not s.unseen[p]) for p in range(PLAYERS)]
    chosen = [MOVES[int(s.chosen[p]) - 1] if s.chosen[p] else "" for p in range(PLAYERS)]
    for name, value in (
        ("turned_over", again),
        ("fresh", _ints(s.fresh, PLAYERS)),
        ("chosen", chosen),
        ("gone", _ints(s.gone, 4)),
    ):
        if any(value):
            keys[name] = value
    if s.captured[0] or s.captured[1]:
        keys["captured"] = _ints(s.captured, PLAYERS)
    for name, number in (("sunk", s.sunk), ("sunk_cards", s.sunk_cards), ("tick", s.tick), ("quiet", s.tick - s.last)):
        if number:
            keys[name] = int(number)
    return keys


def _text(cards: Any) -> str:
    return " ".join(card_text(card) for card in cards)


def _ints(row: Any, n: int) -> list[int]:
    return [int(row[i]) for i in range(n)]


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if that is impossible."""
    if s.deal_number != 1:
        raise PositionError(
            Message("deal {deal_number}", deal_number=s.deal_number),
            Message("one deal is a whole match"),
            Message("leave deal out"),
        )
    what = Message("cards that are not named lie at the bottom of the stocks, at random")
    positions.one_of(keys, "unlisted", ("stock",), "stock", what, Message('leave it out, or write unlisted = "stock"'))
    stocks, wastes = (_rows(keys, name) for name in ("stocks", "wastes"))
    _set_gone(s, keys)
    _set_lanes(s, keys)
    rest = _unlisted(s, [stocks[p] + wastes[p] for p in range(PLAYERS)], shuffle)
    fresh, again = _flags(keys, "fresh"), _flags(keys, "turned_over")
    for p in range(PLAYERS):
        shuffle(rest[p])
        stock = stocks[p] + rest[p]
        row = wastes[p] + stock
        s.held[p], s.turned[p], s.fresh[p] = len(row), len(wastes[p]), fresh[p]
        if fresh[p] and not wastes[p]:
            raise PositionError(
                Message("fresh, {seat}", seat=Seat(p)),
                Message("the card turned last lies on the waste, and there is none"),
                Message("write 0"),
            )
        s.unseen[p] = 0 if again[p] else sum(1 << card for card in stock)
        for i, card in enumerate(row):
            s.cards[p, i] = card
            s.left[p, suit_of(card)] += 1
        dead = [card_text(card) for card in stock if s.gone[suit_of(card)] >= CLOSED and not again[p]]
        if dead:
            raise PositionError(
                Message("{dead} in the stock of {seat}, not turned over yet", dead=dead[0], seat=Seat(p)),
                Message(
                    "both ships of {suit} are gone, so it has been turned",
                    suit=card_names.SUITS[SUITS.index(dead[0][1])],
                ),
                Message("put it on a waste, or write turned_over"),
            )
    s.tick = positions.number(keys, "tick", 0, 10**7, positions.number({**keys}, "quiet", 0, 10**7, 0))
    s.last = s.tick - positions.number(keys, "quiet", 0, int(s.tick), 0)
    _check_not_over(s)
    _set_chosen(s, keys)


def _rows(keys: dict[str, Any], name: str) -> list[list[int]]:
    """Cards of each player, in order."""
    what = Message("{name} is a list of {players} texts of cards", name=name, players=PLAYERS)
    given = positions.texts(keys.pop(name, [""] * PLAYERS), name, PLAYERS, what, Message('write "" for none'))
    return [_cards(f"{name}, seat {p}", str(text)) for p, text in enumerate(given)]


def _cards(where: str, text: str) -> list[int]:
    try:
        found = parse_cards(text)
    except NotationError as error:
        raise positions.unreadable(Message("{where}: {text}", where=where, text=repr(text[:60])), error) from None
    if any(card >= 52 for card in found):
        raise PositionError(
            Message("{where}: {text}", where=where, text=repr(text[:60])),
            Message("the packs have no jokers (PI-03)"),
            Message("leave them out"),
        )
    return found


def _flags(keys: dict[str, Any], name: str) -> list[int]:
    """0 or 1 for each player."""
    found = positions.numbers(keys, name, PLAYERS, [0] * PLAYERS)
    if not set(found) <= {0, 1}:
        raise PositionError(
            Message("{name} = {found}", name=name, found=found),
            Message("{name} is 0 or 1 for each player", name=name),
            Message("write for instance [1, 0]"),
        )
    return found


def _set_gone(s: State, keys: dict[str, Any]) -> None:
    """The ships that are gone: of each suit, captured by each player, sunk."""
    gone = positions.numbers(keys, "gone", 4, [0] * 4)
    captured = positions.numbers(keys, "captured", PLAYERS, [0] * PLAYERS)
    sunk = positions.number(keys, "sunk", 0, state.MOST_SHIPS, 0)
    if min(gone) < 0 or max(gone) > CLOSED or min(captured) < 0 or sum(gone) != sum(captured) + sunk:
        raise PositionError(
            Message("gone = {gone}, captured = {captured}, sunk = {sunk}", gone=gone, captured=captured, sunk=sunk),
            Message("a suit has two ships, and each that is gone was captured or sunk (PI-Q7)"),
            Message("write 0, 1 or 2 for each suit S H D C, and numbers that come to as many"),
        )
    s.sunk_cards = positions.number(keys, "sunk_cards", 12 * sunk, 13 * sunk, 13 * sunk)
    s.sunk = sunk
    for i in range(4):
        s.gone[i] = gone[i]
    for p in range(PLAYERS):
        s.captured[p] = captured[p]


def _set_lanes(s: State, keys: dict[str, Any]) -> None:
    """The ships being built: a run from the ace, and one down from the king."""
    given = keys.pop("ships", [""] * 4)
    if not isinstance(given, (list, tuple)) or len(given) != 4:
        raise PositionError(
            Message("ships = {value}", value=str(given)[:60]),
            Message("ships is a list of 4 texts of cards: S H D C"),
            Message('write "" for none'),
            code="position/syntax",
        )
    for suit, text in enumerate(given):
        ranks = {card - 13 * suit for card in _cards(f"ships, {SUIT_NAMES[suit]}", str(text))}
        low = next((rank for rank in range(13) if rank not in ranks), 13)
        high = next((n for n in range(13) if 12 - n not in ranks), 13)
        if low == 13 or low + high != len(ranks) or (ranks and s.gone[suit] >= CLOSED):
            raise PositionError(
                Message("the ship {text}", text=repr(str(text)[:60])),
                Message(
                    "a ship of {suit} grows up from the ace and down from the king, is not complete, and there are two "
                    "of a suit (PI-12, PI-Q7)",
                    suit=card_names.SUITS[suit],
                ),
                Message("write for instance A{suits} 2{suits} K{suits}", suits=SUITS[suit]),
            )
        s.rising[suit], s.falling[suit] = low, high


def _unlisted(s: State, listed: list[list[int]], shuffle: Callable[[list[int]], None]) -> list[list[int]]:
    """The cards of each player that are named nowhere, counting that every card is there twice.

    If one copy of a card is gone, nobody can tell whose it was, so its owner is drawn by lot. Each ship sunk by twins
    lacks a card.
    """
    rest: list[list[int]] = [[] for _ in range(PLAYERS)]
    twins: Counter[int] = Counter()
    over: list[str] = []
    for p in range(PLAYERS):
        if doubled := [card for card, n in Counter(listed[p]).items() if n > 1]:
            raise PositionError(
                Message("{card} of {seat}", card=Card(card_text(doubled[0])), seat=Seat(p)),
                Message("it stands twice, and a pack has one of each card (PI-03)"),
                Message("name it once"),
            )
    for card in range(52):
        suit, rank = divmod(card, 13)
        out = (
            sum(card in row for row in listed)
            + int(s.gone[suit])
            + int(rank < s.rising[suit] or rank >= 13 - s.falling[suit])
        )
        open_to = [p for p in range(PLAYERS) if card not in listed[p]]
        shuffle(open_to)
        for p in open_to[: max(2 - out, 0)]:
            rest[p].append(card)
        if out > 2:
            twins[suit] += out - 2
            over.append(card_text(card))
    lacking = 13 * int(s.sunk) - int(s.sunk_cards)
    if twins.total() != lacking or any(n > s.gone[suit] for suit, n in twins.items()):
        raise PositionError(
            Message("too many of {listed}", listed=" ".join(over[:6]))
            if over
            else Message("sunk_cards = {sunk_cards}", sunk_cards=s.sunk_cards),
            Message(
                "there are two of each card, counting the ships that are gone; twins that sank a ship left {lacking} "
                "over (PI-03, PI-Q5)",
                lacking=lacking,
            ),
            Message("change stocks, wastes, ships, gone or sunk_cards"),
        )
    return rest


def _check_not_over(s: State) -> None:
    if (
        max(int(s.captured[p]) for p in range(PLAYERS)) >= state.target(s)
        or sum(int(s.gone[i]) for i in range(4)) == state.MOST_SHIPS
    ):
        raise PositionError(
            Message("captured = {value}", value=_ints(s.captured, PLAYERS)),
            Message("the game is over: {value} ships win (PI-21)", value=state.target(s)),
            Message("change captured, sunk or gone"),
        )
    if s.tick - s.last >= s.rules.stall:
        raise PositionError(
            Message("quiet = {value}", value=s.tick - s.last),
            Message("after {stall} quiet ticks the game is over (PI-Q11)", stall=s.rules.stall),
            Message("write a smaller number"),
        )


def _set_chosen(s: State, keys: dict[str, Any]) -> None:
    """The move that one seat has already chosen for the next tick."""
    given = keys.pop("chosen", [""] * PLAYERS)
    if (
        not isinstance(given, (list, tuple))
        or len(given) != PLAYERS
        or not all(text in ("", *MOVES) for text in given)
        or all(given)
    ):
        raise PositionError(
            Message("chosen = {value}", value=str(given)[:60]),
            Message("one of the two has chosen a move at most; with both the tick is over"),
            Message('write for instance ["draw", ""]'),
        )
    moves = np.zeros(state.CLAIM + 2, np.int64)
    for p, text in enumerate(given):
        if text:
            move = MOVES.index(text)
            if move not in moves[: int(contract.legal(s, p, moves))].tolist():
                raise PositionError(
                    Message("{seat} {seat:has|have} chosen {text}", seat=Seat(p), text=text),
                    Message("that is not legal in this position"),
                    Message("change chosen"),
                )
            s.chosen[p] = move + 1
