"""What a player of Spider is asked."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.message import Message
from cardtable.games.spider.state import COLUMNS, DEAL, STOCK, State
from cardtable.rules.moves import Prompt


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """What a seat that may act is asked, from a state redacted for it."""
    left = STOCK // 10 - int(s.dealt)
    gaps = sum(1 for c in range(COLUMNS) if s.height[c] == 0)
    does = {DEAL: Message("one card on each column; {n} {n:deal|deals} left", n=left)} if DEAL in legal else {}
    return Prompt(
        _asked(legal, left, gaps), "SP-10" if gaps else "SP-05", does, [DEAL] if left and DEAL not in legal else []
    )


def _asked(legal: Sequence[int], left: int, gaps: int) -> Message:
    if legal[0] == DEAL:
        return Message("No card can be moved: deal 10 cards from the stock.")
    if gaps and left:
        return Message("An empty column takes any card. Fill {n:it|them} before you deal from the stock.", n=gaps)
    if gaps:
        return Message("Put a card on one a rank higher, or any card into an empty column.")
    if left:
        return Message("Put a card on one a rank higher, in its own suit if you can, or deal from the stock.")
    return Message("Put a card on one a rank higher, in its own suit if you can. The stock is used up.")
