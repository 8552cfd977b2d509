"""Scopa in words: moves, refusals, positions and the table as zones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cardtable import placing
from cardtable.cards import RANK, card_text, cards_in, rank_of, set_of, set_text
from cardtable.errors import NotationError, PositionError
from cardtable.game import Zone
from cardtable.games import capture_words as table
from cardtable.games import captures
from cardtable.games.scopa import rules
from cardtable.games.scopa.rules import State
from cardtable.games.scopa.values import ALL_40, VALUES
from cardtable.text import plural

REASONS = {
    "SC-06": "", "SC-07": "", "SC-09": "", "SC-10": "", "SC-11": "", "SC-13": "for a scopa", "SC-14": "", "SC-19": "", "SC-21": "",
    "SC-23": "for the primiera",
}  # fmt: skip
SAYS = {
    captures.TAKES: ("capture", "{source} takes {card}"),
    captures.SWEEPS: ("sweep", "Scopa! {source} clears the table with {card}"),
    captures.LEFT: ("left", "{source} captured last and gets the {amount} left on the table"),
    rules.MISDEAL: ("misdeal", "{amount} kings on the table: {source} deals again"),
    rules.MOST_CARDS: ("most cards", "the pile of {source} has most cards, {amount}"),
    rules.MOST_COINS: ("most diamonds", "the pile of {source} has most diamonds, {amount}"),
    rules.HAS_SETTE: ("sette bello", "the pile of {source} has the sette bello, {card}"),
    rules.HAS_PRIME: ("primiera", "the pile of {source} has the best primiera, {amount}"),
}
END_RULE = "SC-18"
TURN_RULE = "SC-08"
HELP = "write for instance 7C takes 7H, KS takes 6D 4C, QC trails"
_TAKES, _TRAILS = ("takes", "take", "x"), ("trails", "trail")


def move_text(s: State, move: int) -> str:
    """`7C takes 7H`, `KS takes 6D 4C`, `QC trails`."""
    taken = move & int(s.board)
    card = card_text(cards_in(move & ~taken)[0])
    return f"{card} takes {set_text(taken)}" if taken else f"{card} trails"


def parse_move(s: State, text: str) -> int:
    """The move that text names; a card alone if only one move can be meant. Raises NotationError, AmbiguousMove."""
    words = text.replace(",", " ").split()
    words = words[1:] if words and words[0].lower() == "play" else words
    if not words:
        raise NotationError("an empty move", "a move is a card and what it takes", HELP)
    card = table.card_list(words[:1], text, HELP)[0]
    if s.board >> card & 1:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", f"{card_text(card)} lies on the table: the card you play comes first", HELP)
    if len(words) == 1:
        found = table.only_one(text, card, _legal(s), lambda move: move_text(s, move))
        return 1 << card if found < 0 else found
    if words[1].lower() in _TRAILS and len(words) == 2:
        return 1 << card
    if words[1].lower() not in _TAKES or len(words) == 2:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", "a card takes cards, or trails", HELP)
    taken = table.card_list(words[2:], text, HELP)
    gone = [card_text(other) for other in taken if not s.board >> other & 1]
    if gone:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", f"{', '.join(gone)} {'is' if len(gone) == 1 else 'are'} not on the table", HELP)
    return 1 << card | set_of(taken)


def _legal(s: State) -> list[int]:
    moves = np.zeros(rules.MAX_MOVES, np.int64)
    return [int(move) for move in moves[: rules.legal(s, s.turn, moves)]]


def _ways(s: State, card: int) -> list[str]:
    """What a card can take, as texts of cards."""
    moves = np.zeros(rules.MAX_MOVES, np.int64)
    return [set_text(int(move) & int(s.board)) for move in moves[: rules.captures(s, card, moves, 0)]]


def why_not(s: State, seat: int, move: int) -> tuple[str, str]:
    """Why a seat that may act may not make a move: reason and rule."""
    taken = move & int(s.board)
    card = cards_in(move & ~taken)[0]
    text = card_text(card)
    if not s.hands[seat] >> card & 1:
        return f"you do not hold {text}", "SC-09"
    ways = _ways(s, card)
    pairs = set_text(int(s.board) & int(RANK) << rank_of(card))
    if not taken:
        return f"{text} can take {' or '.join(ways)}, so it may not be trailed", "SC-15"
    if pairs:
        if not taken & ~(int(RANK) << rank_of(card)):
            return f"{text} takes only one card of its rank", "SC-10"
        return f"{pairs} has the rank of {text}, and a card that can pair must pair", "SC-12"
    worth, total = int(VALUES[rank_of(card)]), sum(int(VALUES[rank_of(other)]) for other in cards_in(taken))
    if total != worth and total % worth == 0 and len(ways) > 1:
        return f"{text} counts {worth} and takes one set of that value, not several", "SC-Q4"
    return f"{text} counts {worth}, but {set_text(taken)} {'counts' if taken & (taken - 1) == 0 else 'add up to'} {total}", "SC-11"


def automatic(s: State, seat: int, move: int) -> bool:
    """Never: dealing new hands is part of the last card's play, and a pause before a card would tell something about it."""
    return False


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The table, the stock, the piles, hands and scores."""
    moves: dict[int, list[str]] = {}
    for move in legal:
        moves.setdefault(cards_in(move & ~int(s.board))[0], []).append(move_text(s, move))
    board = cards_in(s.board)
    found = [Zone("row", "board", "table", None, tuple(map(card_text, board)), len(board), notes={"values": [int(VALUES[rank_of(card)]) for card in board]})]
    return found + table.common_zones(s, viewer, moves)


def position(s: State) -> dict[str, Any]:
    """Everything a deal in play holds."""
    return table.common_position(s)


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if it cannot be."""
    s.direction = 1 if s.seats == 2 else -1
    table.set_common(s, keys, placing.Placing("", 0, ALL_40), ALL_40, 3, shuffle)
    board = cards_in(s.board)
    more = len(board) - len({rank_of(card) for card in board})
    if more > rules.SPREAD:
        raise PositionError(
            f"{plural(len(board), 'card')} on the table",
            "only the first four can be of one rank: a card that can pair may not be trailed (SC-15)",
            "take some of equal rank away",
        )
    _check_match(s)


def _check_match(s: State) -> None:
    if not s.rules.full_count and rules.reached(s):
        raise PositionError(f"scores = {[int(s.scores[p]) for p in range(s.seats)]}", f"{s.rules.target} points have won the match (SC-24)", "lower the scores")
