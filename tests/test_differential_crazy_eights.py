"""Crazy Eights against OpenSpiel's `crazy_eights`, deal by deal in lockstep: software that nobody here wrote.

Both sides are set to the rules that they share (docs/differential.md says what those are and what remains different), get the same
cards, in the deal, from the stock and after each reshuffle, and play the same random moves. Before every move they must agree on
whose turn it is, what is legal, every hand, the upcard, the suit named and the size of the stock, and at the end on the winner and,
by a map, on the points. CARDTABLE_DIFFERENTIAL_DEALS sets the number of deals.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from cardtable import catalog, contract
from cardtable.cards import RANKS, SUITS, cards_in
from cardtable.games.crazy_eights import rules
from cardtable.games.crazy_eights.knowledge import add_token, clear, give
from cardtable.games.crazy_eights.state import DRAW, NAMED_8, PASS
from cardtable.kernel import luck

pyspiel = pytest.importorskip("pyspiel", reason="NOT COMPARED WITH OPENSPIEL: install the extra `bench` (open_spiel) to run the differential test of Crazy Eights!")

SLOW = any(os.environ.get(name, "0") not in ("", "0") for name in ("NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK"))
DEALS = int(os.environ.get("CARDTABLE_DIFFERENTIAL_DEALS", "60" if SLOW else "10000"))
THEIR_SUITS, THEIR_RANKS = "CDHS", "23456789TJQKA"
THEIRS = [THEIR_RANKS.index(RANKS[card % 13]) * 4 + THEIR_SUITS.index(SUITS[card // 13]) for card in range(52)]
OURS = [THEIRS.index(code) for code in range(52)]
THEIR_DRAW, THEIR_PASS, THEIR_NAME = 52, 53, 54
EIGHT = 7
