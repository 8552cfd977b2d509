"""Given chance: the cards that were cut and the orders after shuffling, in a match played with real cards."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cardtable.base.cards import card_text, parse_card, parse_cards
from cardtable.base.errors import NotationError, PositionError
from cardtable.base.types import SeatNumber

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from cardtable.kernel import prng

PACK = 52  #: cards are cut from one pack


def parse_cuts(cuts: Sequence[str]) -> list[tuple[SeatNumber, int]]:
    """The cards cut, `["0 7H", "1 2S"]`: seat and card, in order. Raises PositionError."""
    parsed = []
    for text in [cuts] if isinstance(cuts, str) else cuts:
        match = re.fullmatch(r"\s*(\d{1,2})\s+(\S+)\s*", text) if isinstance(text, str) else None
        try:
            card = parse_card(match[2]) if match else PACK
        except NotationError:
            card = PACK
        if match is None or card >= PACK:
            what = f"cuts: {str(text)[:40]!r}"
            why = "a cut is a seat and the card that it cut"
            raise PositionError(what, why, 'write for instance cuts=["0 7H", "1 2S"]', code="position/syntax")
        parsed.append((int(match[1]), card))
    return parsed


def parse_orders(orders: Sequence[str]) -> list[list[int]]:
    """The orders of the cards after reshuffles, given as text, the top card first.

    Raises NotationError, PositionError.
    """
    if isinstance(orders, str) or not all(isinstance(text, str) for text in orders):
        what = f"reshuffles: {str(orders)[:40]!r}"
        why = "they are a list of texts, one for each reshuffle"
        raise PositionError(what, why, 'write for instance reshuffles=["7H 2S"]', code="position/syntax")
    return [parse_cards(text, 2) for text in orders]


def parse_pack(text: str, cards: Sequence[int]) -> list[int]:
    """A whole pack of these cards as text, the top card first. Raises NotationError, PositionError."""
    whole = Counter(cards)
    pack = parse_cards(text, max(whole.values()))
    if Counter(pack) != whole:
        missing = [card_text(card) for card in (whole - Counter(pack)).elements()]
        more = [card_text(card) for card in (Counter(pack) - whole).elements()]
        why = f"it lacks {' '.join(missing[:8])}" if missing else f"too many: {' '.join(more[:8])}"
        raise PositionError(f"a pack of {len(pack)} cards", why, f"name all {len(cards)} cards, the top card first")
    return pack


class Script:
    """Takes the place of the rules of chance (`kernel.prng`) while it is followed; where it has no answer, chance
    decides.

    cuts: seat and card of every cut to come, in order. orders: the order of every shuffle to come, the top card first.
    """

    def __init__(self, cuts: Sequence[tuple[SeatNumber, int]] = (), orders: Sequence[Sequence[int]] = ()) -> None:
        self._cuts, self._orders, self._cutting = list(cuts), orders, bool(cuts)
        self.used = 0  #: orders followed so far

    # Called by the kernel instead of the rules of these names

    def below(self, chance: Callable[..., int], words: prng.Words, n: int) -> int:
        """The next card cut, if a card is to be cut by its number; other numbers are left to chance."""
        return self._next_cut()[1] if self._cutting and n == PACK else chance(words, n)

    def shuffle(self, chance: Callable[..., None], words: prng.Words, row: NDArray[np.int64], n: int) -> None:
        """Order a pack to cut from, so that each seat finds the card that it cut; or follow an order of a reshuffle."""
        if self._cutting:
            self._cutting = False  # the numbers that shuffle the other cards are left to chance
            chance(words, row, n)
            self._cutting = True
            last = -1
            # a seat that is not after the last one cuts in the next round
            while last < 0 or self._cuts and self._cuts[0][0] > last:
                last, card = self._next_cut()
                at = next(i for i in range(n) if int(row[i]) == card)
                row[last], row[at] = int(row[at]), int(row[last])
        elif self.used < len(self._orders):
            self._lay(row, n, [int(card) for card in self._order(row, n)])
        else:
            chance(words, row, n)

    def shuffle_stock(self, chance: Callable[..., None], words: prng.Words, row: NDArray[np.int64], n: int) -> None:
        """Follow an order of a reshuffle of cards whose top card is the last entry."""
        if self.used < len(self._orders):
            self._lay(row, n, self._order(row, n)[::-1])
        else:
            chance(words, row, n)

    def _next_cut(self) -> tuple[int, int]:
        if not self._cuts:
            why = "the ranks are level, so those who tied cut again"
            raise PositionError("cuts", why, "name the cards of the next cut too")
        return self._cuts.pop(0)

    def _order(self, row: NDArray[np.int64], n: int) -> list[int]:
        """The next order, which is used up. Raises PositionError if it does not have these cards."""
        order = list(self._orders[self.used])
        there, named = Counter(int(row[i]) for i in range(n)), Counter(order)
        if there != named:
            lacking = " ".join(card_text(card) for card in sorted((there - named).elements()))
            more = " ".join(card_text(card) for card in sorted((named - there).elements()))
            wrong = [f"it lacks {lacking}"] * bool(lacking)
            wrong += [f"{more} {'is' if len(more.split()) == 1 else 'are'} not among the cards shuffled"] * bool(more)
            why = "; ".join(wrong)
            what = f"a reshuffle of {len(order)} cards"
            raise PositionError(what, why, f"name the {n} cards that are shuffled, the top card first")
        self.used += 1
        return order

    def _lay(self, row: NDArray[np.int64], n: int, order: Sequence[int]) -> None:
        for i in range(n):
            row[i] = order[i]


class Noted:
    """Lets chance decide, and notes the order after each shuffle, the top card first."""

    def __init__(self) -> None:
        self.orders: list[list[int]] = []
        self.first: NDArray[np.int64] | None = None  #: the cards of the first shuffle, as the rules have left them

    # Called by the kernel instead of the rules of these names

    def below(self, chance: Callable[..., int], words: prng.Words, n: int) -> int:
        """A number drawn."""
        return chance(words, n)

    def shuffle(self, chance: Callable[..., None], words: prng.Words, row: NDArray[np.int64], n: int) -> None:
        """Note the order of shuffled cards."""
        chance(words, row, n)
        if self.first is None:
            self.first = row[:n]
        self.orders.append(row[:n].tolist())

    def shuffle_stock(self, chance: Callable[..., None], words: prng.Words, row: NDArray[np.int64], n: int) -> None:
        """Note the order of a reshuffle whose top card is the last entry."""
        chance(words, row, n)  # it has been noted as a shuffle, from the other end
        self.orders[-1].reverse()
