"""The values of Scopa's forty cards, for capturing and for the primiera (SC-03, SC-04, SC-11, SC-23)."""

from __future__ import annotations

import numpy as np

from cardtable.base.cards import RANK, SUIT_40

KINGS = RANK << 12
COINS = SUIT_40 << 26  #: diamonds
SETTE_BELLO, RE_BELLO = 32, 38  #: the 7 and the king of diamonds
FIFTEEN = 15  #: what a card and the cards that it takes make in Escoba
NAPOLA = 0b111 << 26  #: the ace, 2 and 3 of diamonds
VALUES = np.array([1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 8, 9, 10], np.int64)  #: of each rank, for capturing
PRIME = np.array([16, 12, 13, 14, 15, 18, 21, 0, 0, 0, 10, 10, 10], np.int64)  #: of each rank, for the primiera
#: the ranks by which sevens decide the primiera, the first one first
BY_SEVENS = np.array([6, 5, 0, 4, 3, 2, 1], np.int64)
