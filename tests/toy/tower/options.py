"""House rules of Tower."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardtable.rules.options import Options, number


@dataclass(frozen=True)
class TowerOptions(Options):
    """House rules of Tower."""

    hand: int = number(3, 9, 5, "TW-02", "cards for each player")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"tower": {}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"tower": (2, 4)}
