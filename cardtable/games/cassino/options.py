"""House rules of Cassino."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from cardtable.games.shared.table_options import dealer_option
from cardtable.rules.options import Options, choice


@dataclass(frozen=True)
class CassinoOptions(Options):
    """House rules of Cassino, for two."""

    target: str = choice(("11", "21"), "21", "CA-26", "points that win the match")
    build_obligation: str = choice(
        ("on", "off"),
        "off",
        "CA-06, CA-07, CA-19",
        "on: the owner of a build may not trail and keeps a card that takes it, as most books have it; off: the owner "
        "is free to do both",
    )
    raise_builds: str = choice(
        ("never", "single"),
        "never",
        "CA-18, CA-22",
        "a build keeps its value; or an addition build of one group may be raised",
    )
    face_builds: str = choice(("on", "off"), "on", "CA-16", "jacks, queens and kings may be built in pairs, or not")
    sweeps: str = choice(
        ("on", "off"), "on", "CA-13, CA-C1", "clearing the table in one play scores a point, or nothing"
    )
    first_dealer: str = dealer_option(2, "CA-Q16")

    presets: ClassVar[Mapping[str, Mapping[str, Any]]] = {"cassino": {}, "classic": {"build_obligation": "on"}}
    seat_range: ClassVar[Mapping[str, tuple[int, int]]] = {"cassino": (2, 2), "classic": (2, 2)}
    former: ClassVar[Mapping[int, Mapping[str, Mapping[str, Any]]]] = {1: {"cassino": {"build_obligation": "on"}}}
