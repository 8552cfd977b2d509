"""Spider in words: moves, refusals, the table as zones, whether anything useful is left.

Positions are in `positions`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from cardtable.base import card_names
from cardtable.base.cards import card_text, rank_of, suit_of
from cardtable.base.errors import NotationError, Text, no_move
from cardtable.base.message import Card, Cards, Message, mark
from cardtable.games.spider.guide import guide as guide
from cardtable.games.spider.moves import may_deal
from cardtable.games.spider.outlook import in_words, useful
from cardtable.games.spider.positions import position as position
from cardtable.games.spider.positions import set_position as set_position
from cardtable.games.spider.prompts import prompt as prompt
from cardtable.games.spider.rules import CAPPED, DEALT, GO, GOES, GONE, STUCK, TURNED
from cardtable.games.spider.state import COLUMNS, DEAL, DEALS, LONGEST, RUNS, State, end_card, lying, run_length
from cardtable.rules import contract
from cardtable.rules.events import Places, Told, reason
from cardtable.rules.game import Outlook
from cardtable.rules.moves import Move
from cardtable.rules.zones import Column, Fact, Pile, Score, Stock, Zone

REASONS = {
    "SP-13": reason("for a complete run", "{n:a complete run|@ complete runs}"),
    "SP-Q11": reason("by the points played for", "the points played for"),
}
COLUMN_NAMES = tuple(Message("column {n}", n=c + 1) for c in range(COLUMNS))
COLUMN_PLACES = Places(range(1, COLUMNS + 1), COLUMN_NAMES)
EVENTS: Mapping[int, Told] = {
    contract.DEAL: Told("deal", Message("deal {amount}")),  # no other seat could deal
    GOES: Told("move", Message("{card} goes to {place}"), COLUMN_PLACES, beat="play"),
    GO: Told("move", Message("{card} and {amount} more go to {place}"), COLUMN_PLACES, beat="play"),
    DEALT: Told(
        "dealt",
        Message("{card} is dealt to {place}"),
        COLUMN_PLACES,
        spread=Message("the stock gives {card}"),
        beat="deal",
    ),
    TURNED: Told("turn", Message("{card} is turned up in {place}"), COLUMN_PLACES, beat="flip"),
    GONE: Told("run", Message("the run from {card} to the ace is removed from {place}"), COLUMN_PLACES, beat="removed"),
    STUCK: Told("stuck", Message("nothing can be moved or dealt: the game is lost"), beat="none"),
    CAPPED: Told("cap", Message("{amount} moves are made: the game is lost"), beat="none"),
}
END_RULE = "SP-15"
TURN_RULE = "SP-01"

MOVE = re.compile(r"(\d{1,2})\s*(?:-|–|>|→|to|\s)\s*(\d{1,2})(?:\s*[x×*]\s*(\d{1,2}))?")
#: sent by the browser for a card dragged to an illegal place
GESTURE = re.compile(r"column-(\d\d?) ([a-z0-9]+) column-(\d\d?)")


def encode(source: int, n: int, to: int) -> int:
    """The move of n cards from a column (0..9) to another one."""
    return (source * LONGEST + n - 1) * COLUMNS + to


def decode(move: int) -> tuple[int, int, int]:
    """The column, the number of cards and the column of a move that is not DEAL."""
    return move // (LONGEST * COLUMNS), move // COLUMNS % LONGEST + 1, move % COLUMNS


def move_text(s: State, move: int) -> str:
    """`3-7` (one card from column 3 to column 7), `3-7x4` (four cards) or `deal`."""
    return "deal" if move == DEAL else _way_text(*decode(move))


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """Cards from a column to another one, and a deal from the stock.

    Of the moves of a card the best come first: onto the same suit, then onto another one, then into a gap.
    """
    return [
        FROM_STOCK if move == DEAL else _shift(s, *decode(move))
        for move in sorted(legal, key=lambda move: _clumsy(s, move))
    ]


FROM_STOCK = Move("deal", Message("deal 10 cards"), source="stock", button=True)


def _clumsy(s: State, move: int) -> int:
    if move == DEAL:
        return 3
    source, n, to = decode(move)
    on = int(end_card(s, to))
    return 2 if on < 0 else int(suit_of(on) != suit_of(s.columns[source, s.height[source] - n]))


def _shift(s: State, source: int, n: int, to: int) -> Move:
    """`7S 6S → 8H`: the cards that go, and the card they go to, or `→ gap`."""
    height = int(s.height[source])
    return _shifted(source, n, to, tuple(s.columns[source, max(0, height - n) : height].tolist()), int(end_card(s, to)))


@lru_cache(8192)
def _shifted(source: int, n: int, to: int, codes: tuple[int, ...], on: int) -> Move:
    cards = tuple(map(card_text, codes))
    goal = Message("{cards} → gap", cards=Cards(" ".join(cards)))
    if on >= 0:
        goal = Message("{cards} → {card}", cards=Cards(" ".join(cards)), card=Card(card_text(on)))
    return Move(_way_text(source, n, to), goal, cards, f"column-{source + 1}", f"column-{to + 1}")


def _way_text(source: int, n: int, to: int) -> str:
    return f"{source + 1}-{to + 1}x{n}" if n > 1 else f"{source + 1}-{to + 1}"


def parse_move(s: State, text: str) -> int:
    """Parse a move. `3-7` without a number moves all cards that fit on the end card there.

    Raises NotationError.
    """
    plain = text.strip().lower()
    if plain in ("deal", "d", "stock"):
        return DEAL
    if gesture := GESTURE.fullmatch(plain):
        return _gesture(s, text, int(gesture[1]) - 1, gesture[2].upper(), int(gesture[3]) - 1)
    match = MOVE.fullmatch(plain)
    if not match:
        raise NotationError(
            no_move(text),
            Message("a move is 3-7, 3-7x4 or deal"),
            Message("write 3-7x4 for four cards from column 3 to column 7"),
        )
    source, to = int(match[1]) - 1, int(match[2]) - 1
    if not (0 <= source < COLUMNS and 0 <= to < COLUMNS):
        raise NotationError(
            Message("{text}", text=repr(text.strip())),
            Message("the columns are 1 to {n}", n=COLUMNS),
            Message("name two of them"),
        )
    n = int(match[3]) if match[3] else _fitting(s, source, to)
    if not 1 <= n <= LONGEST:
        raise NotationError(
            Message("{text}", text=repr(text.strip())),
            Message("1 to {n} cards move together", n=LONGEST),
            Message("give a number in that range, or leave it out"),
        )
    return encode(source, n, to)


def _gesture(s: State, text: str, source: int, card: str, to: int) -> int:
    """A card and those on it, put onto another column, as sent by a client without notation.

    Raises NotationError.
    """
    known = 0 <= source < COLUMNS and 0 <= to < COLUMNS
    shown = list(map(card_text, s.columns[source, s.down[source] : s.height[source]].tolist())) if known else []
    if card not in shown:
        raise NotationError(
            no_move(text),
            Message("no such card lies open there"),
            Message("name a card of a column, and another column"),
        )
    return encode(source, min(LONGEST, shown[::-1].index(card) + 1), to)


def _fitting(s: State, source: int, to: int) -> int:
    """How many cards of a column fit on another one's end card; 1 if none do, or if it is empty."""
    on, card = end_card(s, to), end_card(s, source)
    if on < 0 or card < 0 or source == to:
        return 1
    n = rank_of(on) - rank_of(card)
    return n if 1 <= n <= run_length(s, source) else 1


# Refusals


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """Why a move is not legal: reason and rule."""
    if move == DEAL:
        return _why_no_deal(s)
    source, n, to = decode(move)
    face_up = int(s.height[source] - s.down[source])
    if face_up == 0:
        return Message("column {column} is empty", column=source + 1), "SP-05"
    if source == to:
        return Message("the cards lie in column {column} already", column=to + 1), "SP-05"
    if n > face_up:
        few = Message("only {n} {n:card|cards} of column {column} {n:lies|lie} face up", n=face_up, column=source + 1)
        return few, "SP-06"
    cards = s.columns[source, s.height[source] - n : s.height[source]].tolist()
    if n > run_length(s, source):
        together = all(rank_of(high) == rank_of(low) + 1 for high, low in pairwise(cards))
        suits, ranks = (
            mark("{cards} do not move together: they are not of one suit"),
            mark("{cards} do not move together: they are no descending run"),
        )
        return Message(suits if together else ranks, cards=Cards(" ".join(map(card_text, cards)))), "SP-06"
    return _why_not_on(cards[0], end_card(s, to), to)


def _why_no_deal(s: State) -> tuple[Text, str]:
    if s.dealt == DEALS:
        return Message("the stock is used up"), "SP-11"
    empty = [c + 1 for c in range(COLUMNS) if s.height[c] == 0]
    where = Message("{n:column|columns} {columns} {n:is|are} empty", n=len(empty), columns=empty)
    if lying(s) < 10:
        return Message(
            "{where}, and the {n} {n:card|cards} left cannot fill all columns; stock is dealt only when no column is "
            "empty",
            where=where,
            n=int(lying(s)),
        ), "SP-Q7"
    return Message("{where}: stock is dealt only when no column is empty; put a card there first", where=where), "SP-12"


def _why_not_on(card: int, on: int, to: int) -> tuple[Text, str]:
    """The reason why a card does not go on an end card."""
    if rank_of(card) == 12:
        return Message("{card} is a king: it goes only into an empty column", card=Card(card_text(card))), "SP-08"
    if rank_of(on) == 0:
        return Message(
            "column {column} ends with {card}, and nothing goes on an ace", column=to + 1, card=Card(card_text(on))
        ), "SP-07"
    return Message(
        "{card} goes on {wanted}; column {column} ends with {end}",
        card=Card(card_text(card)),
        wanted=card_names.ANY[rank_of(card) + 1],
        column=to + 1,
        end=Card(card_text(on)),
    ), ("SP-07" if rank_of(card) == 0 else "SP-05")


def automatic(s: State, seat: int, move: int) -> bool:
    """False: the player also makes an only move, since they may prefer to resign (SP-15)."""
    return False


# The table


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """Ten columns, the stock, the runs removed, the score."""
    deals = DEALS - int(s.dealt)
    kings = tuple(card_text(13 * int(s.heap[i]) + 12) for i in range(s.removed))
    runs, made, cap = len(kings), int(s.made), int(s.rules.move_cap)
    # The limit prevents endless games; it is not shown before its last tenth.
    facts = (_share(made, cap),) if 10 * made >= 9 * cap else ()
    return [
        *(_column(s, c) for c in range(COLUMNS)),
        Stock("stock", count=10 * deals, facts=(_deals(deals),)),
        Pile("runs", (), kings, 13 * runs, (_share(runs, RUNS),), label=RUNS_REMOVED, side_by_side=True),
        Score("moves", count=made, facts=facts, label=MOVES_MADE),
        *([Score("points", count=int(s.scores[0]), label=POINTS)] if s.rules.scoring_points else []),
    ]


RUNS_REMOVED, MOVES_MADE, POINTS = (
    Message("runs removed", context="zone"),
    Message("moves made", context="zone"),
    Message("points", context="zone"),
)
USED_UP = Fact(Message("used up"))


@lru_cache(8)
def _deals(n: int) -> Fact:
    """How many more times the stock can be dealt."""
    return Fact(Message("{n} {n:deal|deals}", n=n)) if n else USED_UP


@lru_cache(1024)
def _share(n: int, whole: int) -> Fact:
    return Fact(Message("{n} of {whole}", n=n, whole=whole))


def _column(s: State, c: int) -> Zone:
    height, down = int(s.height[c]), int(s.down[c])
    shown = (*(None,) * down, *map(card_text, s.columns[c, down:height].tolist()))
    return Column(f"column-{c + 1}", (), shown, height, label=COLUMN_NAMES[c])


# The outlook


NOTHING_USEFUL, NOTHING_USEFUL_OPEN = (
    mark(
        "of the {n} {n:position|positions} within reach none turns up a card, completes a run, empties a column or "
        "joins more cards in suit"
    ),
    mark(
        "of the {n} {n:position|positions} within reach none frees a card, completes a run, empties a column or joins "
        "more cards in suit"
    ),
)


def outlook(s: State, seat: int) -> Outlook:
    """SP-Q13: whether anything useful can be done without turning a hidden card; from visible cards only."""
    answer = useful(s)
    if answer.line:
        moves = tuple(_way_text(*step) for step in answer.line)
        *first, last = in_words(s, answer.line)
        line = Message("{moves}, then {last}", moves=first, last=last) if first else last
        return Outlook(True, Message("Yes: {line} {why}.", line=line, why=answer.why), moves)
    none = Message(NOTHING_USEFUL if s.rules.face_down else NOTHING_USEFUL_OPEN, n=answer.searched)
    message = (
        Message("No: {none}", none=none)
        if answer.proved
        else Message("Not known: {n} positions were looked at, and there are more", n=answer.searched)
    )
    if may_deal(s):
        message = Message("{told}; stock can be dealt", told=message)
    elif s.dealt < DEALS:
        message = Message("{told}; a gap must be filled before stock can be dealt", told=message)
    return Outlook(False if answer.proved else None, Message("{told}.", told=message))
