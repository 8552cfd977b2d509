"""The move of a hint in Spider: that of *medium* where it leads on, and none that goes to and fro.

Nobody who follows hints returns to an earlier position. Where a gain that lasts (a card turned up or uncovered, a
complete run) is known within reach, each hint reduces the number of moves to it, or improves the order at the same
distance. Elsewhere a hint improves the order, fills an empty column, or deals the next row. It empties a column only if
the next row may be dealt over it (SP-C1): otherwise the column would have to be filled again.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from cardtable.games.spider.moves import deals_over_gaps, may_deal
from cardtable.games.spider.outlook import LASTING, covered, useful
from cardtable.games.spider.policy import filling, heuristic, order_gained
from cardtable.games.spider.rules import legal
from cardtable.games.spider.state import COLUMNS, DEAL, DEALS, LONGEST, MAX_MOVES, way_of
from cardtable.rules import contract


def guide(s: Any, seat: int) -> int | None:
    """The move; None: nothing useful is left, as far as is known, and no stock can be dealt."""
    moves = np.empty(MAX_MOVES + 1, np.int64)
    n = int(legal(s, seat, moves))
    meant = int(heuristic(s, seat, moves, n))
    found = useful(s, least=LASTING)
    if found.line:
        source, many, to = found.line[0]
        near = meant != DEAL and _is_near(s, seat, meant, len(found.line))
        return meant if near else (source * LONGEST + many - 1) * COLUMNS + to
    better = meant != DEAL and order_gained(s, meant) > 0
    if s.dealt == DEALS:
        return meant if better and not found.proved else None
    if better and (deals_over_gaps(s) or not _empties(s, meant)):
        return meant
    if may_deal(s):
        useful(s)  # kept for the reason (`advice`), which a server looks up where nothing may take long
        return DEAL
    fill = int(filling(s, moves, n))
    return None if way_of(fill)[1] == s.height[way_of(fill)[0]] else fill


def _empties(s: Any, move: int) -> bool:
    """Whether there are more empty columns after a move."""
    source, many, to = way_of(move)
    return bool(many == s.height[source] and s.height[to])


def _is_near(s: Any, seat: int, move: int, distance: int) -> bool:
    """Whether a move brings a gain that lasts, or leaves one nearer than this; or as near, in a better order."""
    after = s.copy()
    contract.play(after, seat, move)
    if int(after.removed) > int(s.removed) or covered(after) < covered(s):
        return True
    line = useful(after, least=LASTING).line
    return 0 < len(line) < distance + bool(order_gained(s, move) > 0)
