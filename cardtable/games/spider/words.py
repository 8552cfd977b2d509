"""Spider in words: moves, refusals, the table as zones, whether anything useful is left. Positions are in `placing_words`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from cardtable.cards import SUIT_NAMES, card_name, card_text, rank_of, suit_of
from cardtable.errors import NotationError
from cardtable.game import Outlook, Zone
from cardtable.games.spider.moves import may_deal
from cardtable.games.spider.placing_words import position as position
from cardtable.games.spider.placing_words import set_position as set_position
from cardtable.games.spider.rules import CAPPED, DEALT, GO, GONE, STUCK, TURNED
from cardtable.games.spider.state import COLUMNS, DEAL, LONGEST, RUNS, STOCK, State, end_card, lying, run_length
from cardtable.games.spider.useful_words import useful
from cardtable.text import plural

REASONS = {"SP-13": "for a complete run", "SP-Q11": "by the points played for"}
SAYS: Mapping[int, tuple[str, str]] = {
    **{
        GO + COLUMNS * n + c: ("move", "{card} " + (f"and {n} more go" if n else "goes") + f" to column {c + 1}")
        for n in range(LONGEST)
        for c in range(COLUMNS)
    },
    DEALT: ("dealt", "the stock gives {card}"),
    **{TURNED + c: ("turn", f"{{card}} is turned up in column {c + 1}") for c in range(COLUMNS)},
    **{GONE + c: ("run", f"the run from {{card}} to the ace is removed from column {c + 1}") for c in range(COLUMNS)},
    STUCK: ("stuck", "nothing can be moved or dealt: the game is lost"),
    CAPPED: ("cap", "{amount} moves are made: the game is lost"),
}
END_RULE = "SP-15"
TURN_RULE = "SP-01"

MOVE = re.compile(r"(\d{1,2})\s*(?:-|–|>|→|to|\s)\s*(\d{1,2})(?:\s*[x×*]\s*(\d{1,2}))?")


def encode(source: int, n: int, to: int) -> int:
    """The move of n cards from a column (0..9) to another one."""
    return (source * LONGEST + n - 1) * COLUMNS + to


def decode(move: int) -> tuple[int, int, int]:
    """The column, the number of cards and the column of a move that is not DEAL."""
    return move // (LONGEST * COLUMNS), move // COLUMNS % LONGEST + 1, move % COLUMNS


def move_text(s: State, move: int) -> str:
    """`3-7` (one card from column 3 to column 7), `3-7x4` (four cards) or `deal`."""
    if move == DEAL:
        return "deal"
    return _way_text(*decode(move))


def spelled(s: State, move: int) -> str:
    """`7S 6S → 8H`: the cards that a move takes, and the card they go to, or `→ gap`."""
    if move == DEAL:
        return "10 cards"
    source, n, to = decode(move)
    height = int(s.height[source])
    cards = " ".join(card_text(int(card)) for card in s.columns[source, height - n : height])
    on = end_card(s, to)
    return f"{cards} → {card_text(on) if on >= 0 else 'gap'}"


def _way_text(source: int, n: int, to: int) -> str:
    return f"{source + 1}-{to + 1}x{n}" if n > 1 else f"{source + 1}-{to + 1}"


def parse_move(s: State, text: str) -> int:
    """The move that text names. `3-7` without a number of cards is as many as fit on the end card there. Raises NotationError."""
    plain = text.strip().lower()
    if plain in ("deal", "d", "stock"):
        return DEAL
    found = MOVE.fullmatch(plain)
    if not found:
        raise NotationError(f"{text.strip()[:40]!r} is not a move", "a move is 3-7, 3-7x4 or deal", "write 3-7x4 for four cards from column 3 to column 7")
    source, to = int(found[1]) - 1, int(found[2]) - 1
    if not (0 <= source < COLUMNS and 0 <= to < COLUMNS):
        raise NotationError(f"{text.strip()!r}", f"the columns are 1 to {COLUMNS}", "name two of them")
    n = int(found[3]) if found[3] else _fitting(s, source, to)
    if not 1 <= n <= LONGEST:
        raise NotationError(f"{text.strip()!r}", f"1 to {LONGEST} cards move together", "name such a number, or leave it out")
    return encode(source, n, to)


def _fitting(s: State, source: int, to: int) -> int:
    """How many cards of a column fit on another one's end card; 1 if none do, or if it is empty."""
    on, card = end_card(s, to), end_card(s, source)
    if on < 0 or card < 0 or source == to:
        return 1
    n = rank_of(on) - rank_of(card)
    return n if 1 <= n <= run_length(s, source) else 1


# Refusals


def why_not(s: State, seat: int, move: int) -> tuple[str, str]:
    """Why a move is not legal: reason and rule."""
    if move == DEAL:
        return _why_no_deal(s)
    source, n, to = decode(move)
    face_up = int(s.height[source] - s.down[source])
    if face_up == 0:
        return f"column {source + 1} is empty", "SP-05"
    if source == to:
        return f"the cards lie in column {to + 1} already", "SP-05"
    if n > face_up:
        return f"only {plural(face_up, 'card')} of column {source + 1} {'lies' if face_up == 1 else 'lie'} face up", "SP-06"
    cards = [int(card) for card in s.columns[source, s.height[source] - n : s.height[source]]]
    if n > run_length(s, source):
        named = " ".join(map(card_text, cards))
        together = all(rank_of(high) == rank_of(low) + 1 for high, low in zip(cards, cards[1:], strict=False))
        return f"{named} do not move together: they are {'not of one suit' if together else 'no descending run'}", "SP-06"
    return _why_not_on(cards[0], end_card(s, to), to)


def _why_no_deal(s: State) -> tuple[str, str]:
    if 10 * s.dealt == STOCK:
        return "the stock is used up", "SP-11"
    empty = [c + 1 for c in range(COLUMNS) if s.height[c] == 0]
    where = f"column {empty[0]} is empty" if len(empty) == 1 else f"columns {', '.join(map(str, empty[:-1]))} and {empty[-1]} are empty"
    if lying(s) < 10:
        return f"{where}, and the {plural(lying(s), 'card')} left cannot fill all columns; stock is dealt only when no column is empty", "SP-Q7"
    return f"{where}: stock is dealt only when no column is empty; put a card there first", "SP-12"


def _why_not_on(card: int, on: int, to: int) -> tuple[str, str]:
    """Why a card does not go on an end card."""
    if rank_of(card) == 12:
        return f"{card_text(card)} is a king: it goes only into an empty column", "SP-08"
    if rank_of(on) == 0:
        return f"column {to + 1} ends with {card_text(on)}, and nothing goes on an ace", "SP-07"
    wanted = card_name(card + 1).partition(" ")[0]
    return f"{card_text(card)} goes on {'an' if wanted in ('ace', 'eight') else 'a'} {wanted}; column {to + 1} ends with {card_text(on)}", (
        "SP-07" if rank_of(card) == 0 else "SP-05"
    )


def automatic(s: State, seat: int, move: int) -> bool:
    """Never: even the only move is chosen, for a player may rather resign (SP-15)."""
    return False


# The table


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """Ten columns, the stock, the runs removed, the score."""
    ways: list[list[tuple[int, int]]] = [[] for _ in range(COLUMNS)]
    for move in legal:
        if move != DEAL:
            source, n, to = decode(move)
            ways[source].append((n, to))
    ends = [int(end_card(s, c)) for c in range(COLUMNS)]
    found = [_column(s, c, ways[c], ends) for c in range(COLUMNS)]
    left = STOCK - 10 * int(s.dealt)
    deals = f"{left} cards, {plural(left // 10, 'deal')}" if left else "used up"
    found.append(Zone("stock", "stock", "stock", None, (), left, text=deals, clicks={"": "deal"} if DEAL in legal else {}))
    heap = [int(s.heap[i]) for i in range(s.removed)]
    text = f"{len(heap)} of {RUNS}" + (f": {', '.join(SUIT_NAMES[suit] for suit in heap)}" if heap else "")
    found.append(Zone("pile", "runs", "runs removed", None, tuple(card_text(13 * suit + 12) for suit in heap), 13 * len(heap), text=text))
    found.append(Zone("score", "moves", "moves made", None, (), int(s.made), text=f"{int(s.made)} of {int(s.rules.move_cap)}"))
    if s.rules.points:
        found.append(Zone("score", "points", "points", None, (), int(s.scores[0]), text=str(int(s.scores[0]))))
    if DEAL in legal:
        found.append(Zone("action", "actions", "actions", viewer, clicks={"deal": "deal"}))
    return found


def _column(s: State, c: int, ways: Sequence[tuple[int, int]], ends: Sequence[int]) -> Zone:
    """A column, with its moves: how many cards, and onto which column; `ends` are the columns' end cards.

    A click on a card makes its best move: onto the same suit, else onto another one, else into a gap; `notes["moves"]` has
    all of them. A card that may be moved is one of the run at the end; the same card higher up in the column is not meant.
    """
    height, down = int(s.height[c]), int(s.down[c])
    cards = s.columns[c, :height].tolist()
    moves: dict[str, list[tuple[int, int, str]]] = {}
    for n, to in ways:
        card = cards[height - n]
        clumsy = 2 if ends[to] < 0 else int(suit_of(ends[to]) != suit_of(card))
        moves.setdefault(card_text(card), []).append((clumsy, to, _way_text(c, n, to)))
    clicks = {card: min(each)[2] for card, each in moves.items()}
    notes: dict[str, Any] = {"moves": {card: [text for _, _, text in each] for card, each in moves.items()}} if moves else {}
    shown = (*(None,) * down, *map(card_text, cards[down:]))
    return Zone("column", f"column-{c + 1}", f"column {c + 1}", None, shown, height, text="" if height else "empty", notes=notes, clicks=clicks)


# The outlook


def outlook(s: State, seat: int) -> Outlook:
    """SP-Q13: whether anything useful can be done without turning a hidden card; from what is seen alone."""
    found = useful(s)
    if found.line:
        moves = tuple(move_text(s, encode(*step)) for step in found.line)
        line = ", ".join(moves[:-1]) + (", then " if moves[1:] else "") + moves[-1]
        return Outlook(True, f"Yes: {line} {found.why}.", moves)
    after = "; stock can be dealt" if may_deal(s) else "; a gap must be filled before stock can be dealt" if 10 * s.dealt < STOCK else ""
    if found.proved:
        looked = f"No: of the {plural(found.seen, 'position')} within reach"
        return Outlook(False, f"{looked} none turns up a card, completes a run, empties a column or joins more cards in suit{after}.")
    return Outlook(None, f"Not known: {found.seen} positions were looked at, and there are more{after}.")
