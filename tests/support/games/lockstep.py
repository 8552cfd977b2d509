"""One deal on two tables in lockstep: ours, and that of a second model of the rules, or of OpenSpiel, software that
nobody here wrote.
"""

from __future__ import annotations

import os
import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from cardtable.base.cards import RANKS, SUITS, card_text
from cardtable.rules import contract

SLOW = any(os.environ.get(name, "0") not in ("", "0") for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"))
THEIR_RANKS = "23456789TJQKA"


def deals_to_compare(slow: int) -> int:
    """How many deals are compared; slow: where rules run slowly.

    Of 2,500 deals, a difference that one deal in 800 shows is found in 19 of 20 runs.
    """
    return int(os.environ.get("CARDTABLE_DIFFERENTIAL_DEALS", str(slow) if SLOW else "2500"))


def codes_of(suits: str) -> list[int]:
    """OpenSpiel's code of each card of ours, in a game where it has the suits in this order."""
    return [THEIR_RANKS.index(RANKS[card % 13]) * 4 + suits.index(SUITS[card // 13]) for card in range(52)]


def shuffled(s: Any, dice: random.Random) -> tuple[Any, list[str]]:
    """A random pack to deal from, and its cards from the top."""
    cards = np.zeros(112, np.int64)
    order = cards[: int(contract.pack(s, cards))].tolist()
    dice.shuffle(order)
    cards[: len(order)] = order
    return cards, [card_text(card) for card in order]


@dataclass
class Tables(ABC):
    ours: Any
    theirs: Any
    moves: Any
    seats: int

    def __post_init__(self) -> None:
        self.hands = self.ours.hands[: self.seats]  # a view: read at every move
        self.codes: list[int] = []  #: our legal moves when the tables were compared last

    @abstractmethod
    def legal(self) -> list[int]:
        """Our legal moves in OpenSpiel's codes, ascending."""

    def their_legal(self) -> list[int]:
        return list(self.theirs.legal_actions())

    @abstractmethod
    def compare_tables(self) -> str:
        """What differs of what lies on the tables; "" if nothing does."""

    def compare(self) -> str:
        """What differs now; "" if nothing does."""
        if different := self.compare_tables():
            return different
        if self.ours.over or self.theirs.is_terminal():
            return "" if self.ours.over and self.theirs.is_terminal() else "only one deal is over"
        if self.theirs.current_player() != self.ours.turn:
            return f"turn: ours {self.ours.turn}, theirs {self.theirs.current_player()}"
        self.codes, theirs = self.legal(), self.their_legal()
        return "" if theirs == self.codes else f"legal: ours {self.codes}, theirs {theirs}"
