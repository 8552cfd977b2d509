"""Setting tables of I Doubt It up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardtable import Match


def table(hands: Sequence[str], laid: int = 0, pile: Sequence[str] = (), *, auto: bool = True, **keys: Any) -> Match:
    """A deal in which `laid` sets were laid and these lie in the pile, seat 0 being eldest."""
    position = {"game": "i-doubt-it", "hands": list(hands), "laid": laid, "pile": list(pile), **keys}
    return Match.from_position(position, seed=1, auto=auto)


def by_hand(hands: Sequence[str], laid: int = 0, pile: Sequence[str] = (), **keys: Any) -> Match:
    """The same, in which forced moves are not made by themselves."""
    return table(hands, laid, pile, auto=False, **keys)
