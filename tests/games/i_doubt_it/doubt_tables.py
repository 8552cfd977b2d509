"""Setting tables of I Doubt It up, and sharing cards out in every way."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from cardtable import Match


def table(hands: Sequence[str], laid: int = 0, pile: Sequence[str] = (), *, auto: bool = True, **keys: Any) -> Match:
    """A deal in which `laid` sets were laid and these lie in the pile, seat 0 being eldest."""
    position = {"game": "i-doubt-it", "hands": list(hands), "laid": laid, "pile": list(pile), **keys}
    return Match.from_position(position, seed=1, auto=auto)


def by_hand(hands: Sequence[str], laid: int = 0, pile: Sequence[str] = (), **keys: Any) -> Match:
    """The same, without automatic forced moves."""
    return table(hands, laid, pile, auto=False, **keys)


def shared_out(
    cards: frozenset[int], sizes: Mapping[int, int], may: Callable[[int, int], bool] = lambda *_: True
) -> Iterator[dict[int, tuple[int, ...]]]:
    """Every way to share cards out to takers of these sizes. may: whether a taker may get a card."""
    if not sizes:
        yield {}
        return
    first, *others = sizes
    for chosen in itertools.combinations(sorted(card for card in cards if may(first, card)), sizes[first]):
        for rest in shared_out(cards - set(chosen), {taker: sizes[taker] for taker in others}, may):
            yield {first: chosen, **rest}
