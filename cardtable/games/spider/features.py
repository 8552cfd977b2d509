"""Features of Spider for machine learning."""

from __future__ import annotations

from cardtable.games.spider.state import COLUMNS, HEIGHT
from cardtable.rules.features import number, octets

FEATURES = (
    octets("columns", COLUMNS * HEIGHT),
    number("height", by_seat=False),
    number("down", by_seat=False),
    number("dealt"),
    number("removed"),
    number("heap", by_seat=False, length="removed"),
    number("made"),
)
