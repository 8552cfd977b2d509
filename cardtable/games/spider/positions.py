"""Positions of Spider: columns with their face-down cards in brackets, the stock, the runs removed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from cardtable.base.cards import SUITS, card_text, rank_of, set_of
from cardtable.base.errors import PositionError
from cardtable.base.message import Message
from cardtable.games.spider.moves import stuck
from cardtable.games.spider.state import COLUMNS, PER_RUN, POINTS, RUNS, STOCK, State
from cardtable.rules import positions

COLUMN = re.compile(r"((?:\s*\[[^\[\]]*\])*)\s*([^\[\]]*)")
STAR = re.compile(r"\*(\d{0,3})")


def position(s: State) -> dict[str, Any]:
    """Everything a game in play holds."""
    keys: dict[str, Any] = {"columns": [_column_text(s, c) for c in range(COLUMNS)]}
    keys["stock"] = " ".join(card_text(int(s.stock[i])) for i in range(10 * int(s.dealt), STOCK))
    if s.removed:
        keys["runs"] = " ".join(SUITS[int(s.heap[i])] for i in range(s.removed))
    if s.made:
        keys["made"] = int(s.made)
    if s.rules.scoring_points:
        keys["points"] = int(s.scores[0])
    return keys


def _column_text(s: State, c: int) -> str:
    """`[8H 5C] KS QS`: from the bottom, those face down in brackets."""
    cards = [card_text(int(card)) for card in s.columns[c, : s.height[c]]]
    down = int(s.down[c])
    return " ".join(([f"[{' '.join(cards[:down])}]"] if down else []) + cards[down:])


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up.

    A star among face-down cards or in the stock is a card drawn from those not listed.
    """
    pack = set_of(range(13 * int(s.rules.suits)))
    table = positions.Placing("nowhere", 0, pack, 8 // int(s.rules.suits))
    _set_runs(s, keys, table)
    columns = _columns(keys.pop("columns", None), table)
    stock = _cards(table, "stock", positions.text(keys, "stock"), stars=True) if "stock" in keys else None
    lying = sum(len(down) + len(up) for down, up in columns)
    wanted = 104 - 13 * int(s.removed) - lying
    if wanted < 0 or wanted % 10 or wanted > STOCK or (stock is not None and len(stock) != wanted):
        lie, gone = (
            Message("{n} {n:card|cards} in the columns", n=lying),
            Message("{n} {n:run|runs} removed", n=int(s.removed)),
        )
        why = Message("{lie} and {gone} leave {wanted} for the stock", lie=lie, gone=gone, wanted=wanted)
        whole = stock is None or len(stock) == wanted
        have = Message("a stock is a multiple of ten up to 50") if whole else Message("it has {n}", n=len(stock or ()))
        raise PositionError(
            Message("the cards do not add up to 104"),
            Message("{why}; {have}", why=why, have=have),
            Message("change the columns, runs or stock (SP-04, SP-11)"),
        )
    stock = [-1] * wanted if stock is None else stock
    rest = table.rest_of([], shuffle)
    shuffle(rest)
    draw = iter(rest)
    columns = [([next(draw) if card < 0 else card for card in down], up) for down, up in columns]
    stock = [next(draw) if card < 0 else card for card in stock]
    s.dealt = (STOCK - wanted) // 10
    for i, card in enumerate(stock):
        s.stock[10 * s.dealt + i] = card
    for c, (down, up) in enumerate(columns):
        _check(s, c, down, up)
        s.down[c], s.height[c] = len(down), len(down) + len(up)
        for i, card in enumerate([*down, *up]):
            s.columns[c, i] = card
    s.made = positions.number(keys, "made", 0, int(s.rules.move_cap) - 1, 0)
    _set_score(s, keys)
    if s.removed == RUNS or stuck(s):
        over = "all runs are removed (SP-14)" if s.removed == RUNS else "nothing can be moved or dealt (SP-Q10)"
        raise PositionError(
            Message("this position"),
            Message("the game is over: {over}", over=over),
            Message("show one in which a move or a deal is left"),
        )


def _set_runs(s: State, keys: dict[str, Any], table: positions.Placing) -> None:
    """The runs removed, as the letters of their suits."""
    given = positions.text(keys, "runs")
    suits = positions.suits("runs", given)
    if len(suits) > RUNS:
        raise PositionError(
            Message("runs = {given}", given=repr(given[:40])),
            Message("it lists the suits of at most {runs} runs", runs=RUNS),
            Message("write for instance S S H"),
            code="position/syntax",
        )
    for i, suit in enumerate(suits):
        table.cards("runs", " ".join(rank + SUITS[suit] for rank in "KQJT98765432A"))
        s.heap[i] = suit
    s.removed = len(suits)


def _columns(given: Any, table: positions.Placing) -> list[tuple[list[int], list[int]]]:
    """The cards face down and face up of each column."""
    if not isinstance(given, (list, tuple)) or len(given) != COLUMNS:
        have = f"{len(given)} columns" if isinstance(given, (list, tuple)) else "no columns"
        raise PositionError(
            have,
            Message("there are {columns} columns", columns=COLUMNS),
            Message('write columns = ["[8H] KS QS", …], "" for an empty one'),
            code="position/syntax",
        )
    found = []
    for c, text in enumerate(given):
        parts = COLUMN.fullmatch(str(text))
        if not parts:
            raise PositionError(
                Message("column {value} = {text}", value=c + 1, text=repr(str(text)[:60])),
                Message("face-down cards stand in brackets at its beginning"),
                Message("write for instance [8H 5C] KS QS"),
                code="position/syntax",
            )
        down = _cards(table, f"column {c + 1}", parts[1].replace("[", " ").replace("]", " "), stars=True)
        found.append((down, _cards(table, f"column {c + 1}", parts[2], stars=False)))
    return found


def _cards(table: positions.Placing, where: str, text: str, stars: bool) -> list[int]:
    """Cards in order; -1 for each that a star asks to be drawn (`*3`: three)."""
    found: list[int] = []
    for word in text.replace(",", " ").split():
        star = STAR.fullmatch(word) if stars else None
        if star:
            found += [-1] * min(int(star[1] or 1), 104)
        else:
            found += table.cards(where, word)
    return found


def _check(s: State, c: int, down: list[int], up: list[int]) -> None:
    """Refuse a column that no game can produce."""
    where = f"column {c + 1}"
    most = 5 if c < 4 else 4
    if len(down) > most:
        raise PositionError(
            Message("{value} face-down cards in {where}", value=len(down), where=where),
            Message("it begins with {most} (SP-04)", most=most),
            Message("list fewer in brackets"),
        )
    if down and not up:
        raise PositionError(
            Message("{where} ends with a face-down card", where=where),
            Message("an exposed card is turned up (SP-09)"),
            Message("write its last card after the bracket"),
        )
    rows = 1 + sum(1 for card, on in zip(up[1:], up, strict=False) if rank_of(on) != rank_of(card) + 1)
    if rows > 1 + s.dealt:
        raise PositionError(
            Message("{where} has {rows} rows of cards in descending order", where=where, rows=rows),
            Message("a new one begins only with a deal, and there were {dealt} (SP-05, SP-11)", dealt=s.dealt),
            Message("change the column, or make the stock smaller"),
        )
    for i in range(len(up) - 12):
        if up[i : i + 13] == list(range(up[i], up[i] - 13, -1)) and rank_of(up[i]) == 12:
            raise PositionError(
                Message("{where} holds a complete run", where=where),
                Message("it is removed as soon as it forms (SP-13)"),
                Message("leave it out, and add its suit to runs"),
            )


def _set_score(s: State, keys: dict[str, Any]) -> None:
    """The score: points as given, or the runs removed."""
    if s.rules.scoring_points:
        points = positions.number(
            keys,
            "points",
            0,
            POINTS + PER_RUN * int(s.removed),
            max(0, POINTS - int(s.made)) + PER_RUN * int(s.removed),
        )
        s.scores[0] = s.gained[0] = points
    elif "points" in keys:
        raise PositionError(
            Message("points"), Message("with scoring=none the score is the runs removed"), Message("leave it out")
        )
    else:
        s.scores[0] = s.gained[0] = s.removed
