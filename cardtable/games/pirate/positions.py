"""Positions of Pirate as text: everything on the table, with checks against the impossible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from cardtable.base.cards import SUIT_NAMES, SUITS, card_text, parse_cards, set_of, suit_of
from cardtable.base.errors import NotationError, PositionError
from cardtable.games.pirate import state
from cardtable.games.pirate.state import CLOSED, PLAYERS, State
from cardtable.rules import contract, positions

MOVES = ("wait", "draw", "play", "claim")


def position(s: State) -> dict[str, Any]:
    """A game in play as keys, without initial values."""
    players = range(PLAYERS)
    keys: dict[str, Any] = {
        "stocks": [positions.cards_text(s.cards[p, s.turned[p] : s.held[p]]) for p in players],
        "wastes": [positions.cards_text(s.cards[p, : s.turned[p]]) for p in players],
        "ships": [
            positions.cards_text(
                [*range(13 * i, 13 * i + int(s.rising[i])), *range(13 * i + 12, 13 * i + 12 - int(s.falling[i]), -1)]
            )
            for i in range(4)
        ],
        "turned_over": [int(s.held[p] > s.turned[p] and not s.unseen[p]) for p in players],
        "fresh": positions.ints(s.fresh, PLAYERS),
        "chosen": [MOVES[int(s.chosen[p]) - 1] if s.chosen[p] else "" for p in players],
        "gone": positions.ints(s.gone, 4),
        "captured": positions.ints(s.captured, PLAYERS),
        "sunk": int(s.sunk),
        "sunk_cards": int(s.sunk_cards),
        "tick": int(s.tick),
        "quiet": int(s.tick - s.last),
    }
    return positions.brief(keys, "stocks", "wastes")


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if that is impossible."""
    if s.deal_number != 1:
        raise PositionError(f"deal {s.deal_number}", "one deal is a whole match", "leave deal out")
    what = "cards that are not named lie at the bottom of the stocks, at random"
    positions.one_of(keys, "unlisted", ("stock",), "stock", what, 'leave it out, or write unlisted = "stock"')
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
            raise PositionError(f"fresh, seat {p}", "the card turned last lies on the waste: there is none", "write 0")
        s.unseen[p] = 0 if again[p] else set_of(stock)
        for i, card in enumerate(row):
            s.cards[p, i] = card
            s.left[p, suit_of(card)] += 1
        dead = [card_text(card) for card in stock if s.gone[suit_of(card)] >= CLOSED and not again[p]]
        if dead:
            what = f"{dead[0]} in the stock of seat {p}, not turned over yet"
            why = "both ships of its suit are gone, so it has been turned"
            raise PositionError(what, why, "put it on a waste, or write turned_over")
    s.tick = positions.number(keys, "tick", 0, 10**7, positions.number({**keys}, "quiet", 0, 10**7, 0))
    s.last = s.tick - positions.number(keys, "quiet", 0, int(s.tick), 0)
    _check_not_over(s)
    _set_chosen(s, keys)


def _rows(keys: dict[str, Any], name: str) -> list[list[int]]:
    """Cards of each player, in order."""
    given = positions.rows(keys, name, PLAYERS, 'write cards, or "" for none')
    return [_cards(f"{name}, seat {p}", text) for p, text in enumerate(given)]


def _cards(where: str, text: str) -> list[int]:
    try:
        cards = parse_cards(text)
    except NotationError as error:
        raise positions.misread(f"{where}: {text[:60]!r}", error) from None
    if any(card >= 52 for card in cards):
        raise PositionError(f"{where}: {text[:60]!r}", "the packs have no jokers (PI-03)", "leave them out")
    return cards


def _flags(keys: dict[str, Any], name: str) -> list[int]:
    """0 or 1 for each player."""
    flags = positions.numbers(keys, name, PLAYERS, [0] * PLAYERS)
    if not set(flags) <= {0, 1}:
        raise PositionError(f"{name} = {flags}", f"{name} is 0 or 1 for each player", "write for instance [1, 0]")
    return flags


def _set_gone(s: State, keys: dict[str, Any]) -> None:
    """The ships that are gone: of each suit, captured by each player, sunk."""
    gone = positions.numbers(keys, "gone", 4, [0] * 4, low=0)
    captured = positions.numbers(keys, "captured", PLAYERS, [0] * PLAYERS, low=0)
    sunk = positions.number(keys, "sunk", 0, state.MOST_SHIPS, 0)
    if max(gone) > CLOSED or sum(gone) != sum(captured) + sunk:
        what = f"gone = {gone}, captured = {captured}, sunk = {sunk}"
        why = "a suit has two ships, and each that is gone was captured or sunk (PI-Q7)"
        raise PositionError(what, why, "write 0, 1 or 2 for each suit S H D C, and numbers that add up to as many")
    s.sunk_cards = positions.number(keys, "sunk_cards", 12 * sunk, 13 * sunk, 13 * sunk)
    s.sunk = sunk
    s.gone[:4], s.captured[:PLAYERS] = gone, captured


def _set_lanes(s: State, keys: dict[str, Any]) -> None:
    """The ships being built: a run from the ace, and one down from the king."""
    for suit, text in enumerate(positions.rows(keys, "ships", 4, 'write cards of S, H, D and C, or "" for none')):
        ranks = {card - 13 * suit for card in _cards(f"ships, {SUIT_NAMES[suit]}", text)}
        low = next((rank for rank in range(13) if rank not in ranks), 13)
        high = next((n for n in range(13) if 12 - n not in ranks), 13)
        if low == 13 or low + high != len(ranks) or (ranks and s.gone[suit] >= CLOSED):
            why = (
                "a ship grows up from the ace and down from the king, is not complete, and there are two of a suit "
                "(PI-12, PI-Q7)"
            )
            letter = SUITS[suit]
            raise PositionError(f"the ship {text[:60]!r}", why, f"write for instance A{letter} 2{letter} K{letter}")
        s.rising[suit], s.falling[suit] = low, high


def _unlisted(s: State, listed: list[list[int]], shuffle: Callable[[list[int]], None]) -> list[list[int]]:
    """The cards of each player that no key mentions; every card exists twice.

    If one copy of a card is gone, its owner is unknown and drawn by lot. Each ship sunk by twins lacks a card.
    """
    rest: list[list[int]] = [[] for _ in range(PLAYERS)]
    twins: Counter[int] = Counter()
    over: list[str] = []
    for p in range(PLAYERS):
        if doubled := [card for card, n in Counter(listed[p]).items() if n > 1]:
            why = "it stands twice, and a pack has one of each card (PI-03)"
            raise PositionError(f"{card_text(doubled[0])} of seat {p}", why, "name it once")
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
        what = f"too many of {' '.join(over[:6])}" if over else f"sunk_cards = {s.sunk_cards}"
        why = f"there are two of each card, and twins that sank a ship left {lacking} over (PI-03, PI-Q5)"
        raise PositionError(what, why, "change stocks, wastes, ships, gone or sunk_cards")
    return rest


def _check_not_over(s: State) -> None:
    captured = positions.ints(s.captured, PLAYERS)
    if max(captured) >= state.target(s) or sum(positions.ints(s.gone, 4)) == state.MOST_SHIPS:
        why = f"the game is over: {state.target(s)} ships win (PI-21)"
        raise PositionError(f"captured = {captured}", why, "change captured, sunk or gone")
    if s.tick - s.last >= s.rules.stall:
        why = f"after {s.rules.stall} quiet ticks the game is over (PI-Q11)"
        raise PositionError(f"quiet = {s.tick - s.last}", why, "write a smaller number")


def _set_chosen(s: State, keys: dict[str, Any]) -> None:
    """The move that one seat has already chosen for the next tick."""
    write = 'write for instance ["draw", ""]'
    given = positions.rows(keys, "chosen", PLAYERS, write)
    if not set(given) <= {"", *MOVES} or all(given):
        raise PositionError(f"chosen = {given}", "one of the two has chosen a move; with both the tick is over", write)
    moves = np.zeros(state.CLAIM + 2, np.int64)
    for p, text in enumerate(given):
        if text:
            move = MOVES.index(text)
            if move not in moves[: int(contract.legal(s, p, moves))].tolist():
                raise PositionError(f"seat {p} has chosen {text}", "that is not legal here", "change chosen")
            s.chosen[p] = move + 1
