"""Positions of Spider: columns with their face-down cards in brackets, the stock, the runs removed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from cardtable.base.cards import SUITS, rank_of, set_of
from cardtable.base.errors import PositionError
from cardtable.games.spider.moves import stuck
from cardtable.games.spider.state import COLUMNS, PER_RUN, POINTS, RUNS, STOCK, State
from cardtable.rules import positions

COLUMN = re.compile(r"((?:\s*\[[^\[\]]*\])*)\s*([^\[\]]*)")
STAR = re.compile(r"\*(\d{0,3})")


def position(s: State) -> dict[str, Any]:
    """A game in play as keys."""
    keys = {
        "columns": [_column_text(s, c) for c in range(COLUMNS)],
        "stock": positions.cards_text(positions.ints(s.stock, STOCK)[10 * int(s.dealt) :]),
        "runs": " ".join(SUITS[int(s.heap[i])] for i in range(s.removed)),
        "made": int(s.made),
    }
    points = {"points": int(s.scores[0])} if s.rules.scoring_points else {}
    return positions.brief(keys, "columns", "stock") | points


def _column_text(s: State, c: int) -> str:
    """`[8H 5C] KS QS`: from the bottom, those face down in brackets."""
    down, cards = int(s.down[c]), s.columns[c, : s.height[c]]
    text = positions.cards_text(cards[down:])
    return f"[{positions.cards_text(cards[:down])}] {text}" if down else text


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
        whole = stock is None or len(stock) == wanted
        have = "a stock is a multiple of ten up to 50" if whole else f"it has {len(stock or ())}"
        why = f"with {lying} in the columns and {s.removed} runs removed, {wanted} are left for the stock; {have}"
        raise PositionError("the cards do not add up to 104", why, "change columns, runs or stock (SP-04, SP-11)")
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
    gained = PER_RUN * int(s.removed)
    if s.rules.scoring_points:
        usual = max(0, POINTS - int(s.made)) + gained
        s.scores[0] = s.gained[0] = positions.number(keys, "points", 0, POINTS + gained, usual)
    elif "points" in keys:
        raise PositionError("points", "with scoring=none the score is the runs removed", "leave it out")
    else:
        s.scores[0] = s.gained[0] = s.removed
    if s.removed == RUNS or stuck(s):
        over = "all runs are removed (SP-14)" if s.removed == RUNS else "nothing can be moved or dealt (SP-Q10)"
        raise PositionError("this position", f"the game is over: {over}", "show one in which a move or a deal is left")


def _set_runs(s: State, keys: dict[str, Any], table: positions.Placing) -> None:
    """The runs removed, as the letters of their suits."""
    given = positions.text(keys, "runs")
    suits = positions.suits("runs", given)
    if len(suits) > RUNS:
        raise positions.unreadable(f"runs = {given[:40]!r}", f"there are at most {RUNS}", "write for instance S S H")
    for i, suit in enumerate(suits):
        table.cards("runs", " ".join(rank + SUITS[suit] for rank in "KQJT98765432A"))
        s.heap[i] = suit
    s.removed = len(suits)


def _columns(given: Any, table: positions.Placing) -> list[tuple[list[int], list[int]]]:
    """The cards face down and face up of each column."""
    write = 'write columns = ["[8H] KS QS", …], "" for an empty one'
    columns = []
    for c, text in enumerate(positions.texts(given, "columns", COLUMNS, f"there are {COLUMNS} columns", write), 1):
        parts = COLUMN.fullmatch(str(text))
        if not parts:
            why = "face-down cards stand in brackets at its beginning"
            raise positions.unreadable(f"column {c} = {str(text)[:60]!r}", why, "write for instance [8H 5C] KS QS")
        down = _cards(table, f"column {c}", parts[1].replace("[", " ").replace("]", " "), stars=True)
        columns.append((down, _cards(table, f"column {c}", parts[2], stars=False)))
    return columns


def _cards(table: positions.Placing, where: str, text: str, stars: bool) -> list[int]:
    """Cards in order; -1 for each that a star asks to be drawn (`*3`: three)."""
    cards: list[int] = []
    for word in text.replace(",", " ").split():
        star = STAR.fullmatch(word) if stars else None
        cards += [-1] * min(int(star[1] or 1), 104) if star else table.cards(where, word)
    return cards


def _check(s: State, c: int, down: list[int], up: list[int]) -> None:
    """Refuse a column that no game can produce."""
    where, below = f"column {c + 1}", 5 if c < 4 else 4
    most, rule = (below, "SP-04") if s.rules.face_down else (0, "SP-C2")
    if len(down) > most:
        what = f"{len(down)} face-down cards in {where}"
        raise PositionError(what, f"it begins with {most} ({rule})", "list fewer in brackets")
    if down and not up:
        what = f"{where} ends with a face-down card"
        raise PositionError(what, "an exposed card is turned up (SP-09)", "write its last card after the bracket")
    rows = 1 + sum(1 for card, on in zip(up[1:], up, strict=False) if rank_of(on) != rank_of(card) + 1)
    if rows > 1 + below - most + s.dealt:
        what = f"{where} has {rows} rows of cards in descending order"
        why = f"a new one begins only with a deal, and there were {s.dealt} (SP-05, SP-11)"
        raise PositionError(what, why, "change the column, or make the stock smaller")
    if any(up[i : i + 13] == list(range(up[i], up[i] - 13, -1)) for i in range(len(up) - 12) if rank_of(up[i]) == 12):
        what = f"{where} holds a complete run"
        raise PositionError(what, "it is removed as soon as it forms (SP-13)", "leave it out, and add its suit to runs")
