"""The values of Scopa's forty cards, for capturing and for the primiera (SC-03, SC-04, SC-11, SC-23)."""

from __future__ import annotations

import numpy as np

from cardtable.base.cards import RANK, SUIT_40

KINGS = RANK << 12
COINS = SUIT_40 << 26  #: diamonds
SETTE_BELLO = 32  #: the 7 of diamonds
VALUES = np.array([1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 8, 9, 10], np.int64)  #: of each rank, for capturing
PRIME = np.array([16, 12, 13, 14, 15, 18, 21, 0, 0, 0, 10, 10, 10], np.int64)  #: of each rank, for the primiera
