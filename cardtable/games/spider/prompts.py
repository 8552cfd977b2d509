"""Prompts of Spider."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base.message import Message
from cardtable.games.spider.state import COLUMNS, DEAL, DEALS, State
from cardtable.rules.moves import Prompt


def prompt(s: State, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    deals = DEALS - int(s.dealt)
    empty = sum(1 for c in range(COLUMNS) if s.height[c] == 0)
    does = {DEAL: Message("one card on each column; {n} {n:deal|deals} left", n=deals)} if DEAL in legal else {}
    if legal[0] == DEAL:
        ask = Message("No card can be moved: deal 10 cards from the stock.")
    elif empty and DEAL in legal:
        ask = Message("Put any card or run into an empty column, or deal: each column gets a card, empty ones too.")
    elif empty and deals:
        ask = Message("An empty column takes any card. Fill {n:it|them} before you deal from the stock.", n=empty)
    elif empty:
        ask = Message("Put a card on one a rank higher, or any card into an empty column.")
    elif deals:
        ask = Message("Put a card on one a rank higher, in its own suit if you can, or deal from the stock.")
    else:
        ask = Message("Put a card on one a rank higher, in its own suit if you can. The stock is used up.")
    return Prompt(ask, "SP-10" if empty else "SP-05", does, [DEAL] if deals and DEAL not in legal else [])
