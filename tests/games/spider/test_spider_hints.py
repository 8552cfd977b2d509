"""Hints of Spider lead on: nobody who follows them comes back to an earlier position."""

from __future__ import annotations

from typing import Any

import pytest

from cardtable import Match, NoHint
from cardtable.base.message import Reader
from cardtable.bots import bot
from cardtable.games.spider.outlook import table_of
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import SearchPool
from tests.games.spider.spider_tables import lay
from tests.games.spider.test_spider_outlook import MANY, TO_AND_FRO
from tests.support.effort import cases
from tests.support.terminal import at


def place(m: Match) -> Any:
    """A position, whatever the order of its columns."""
    s = m._s
    return int(s.dealt), int(s.removed), int(s.down.sum()), tuple(sorted(table_of(s)))


def follow(m: Match, most: int) -> int:
    """Follow hints; return how many. None leads to an earlier position."""
    seen = {place(m)}
    for k in range(most):
        if m.over:
            return k
        try:
            m.play(m.view(0).guided())
        except NoHint:
            return k
        assert m.over or place(m) not in seen, f"after {k + 1} hints"
        seen.add(place(m))
    return most


@pytest.mark.parametrize(
    ("preset", "rules"),
    cases(
        [
            (preset, rules)
            for rules in ({}, {"deal_when_short": "any"}, {"face_down": "no"})
            for preset in ("four-suits", "two-suits", "one-suit")
        ]
    ),
)
def test_hints_never_lead_back(preset: str, rules: dict[str, Any]) -> None:
    """From the deal to the end, which *medium* reaches only after wandering about."""
    assert follow(Match("spider", rules=preset, seed="hints 0", **rules), 600) < 600


def test_hints_of_a_position_never_lead_back() -> None:
    many = {"game": "spider", "rules": "two-suits", "columns": MANY, "runs": "S", "stock": "*10"}
    for m in (
        Match.from_position(many),
        lay(["[] KS", "[] 5S", "[] 3S"], "S S S S S S S", 10, suits="1"),
        lay(["[] QS JS", "[] KS"], "S S S S S S S", 10, suits="1"),
        lay(["[] QS JS", "[] KS"], "S S S S S S S", 10, suits="1", deal_when_short="any"),
    ):
        follow(m, 20)


def test_the_next_row_is_dealt_when_nothing_useful_is_left() -> None:
    view = lay(TO_AND_FRO, "S", 40).view(0)
    assert view.guided() == "deal"
    said = Reader([], 0).plain(view.advice(["deal"]).says, sentence=True)
    assert said == "Deal 10 cards from the stock: no move does anything useful before it."


#: one suit, six runs removed, ten cards of stock: ends that fit nowhere, and cards that nothing frees
ENDS = ["[] AS KS", "[] AS KS", "[] 2S JS", "[] 2S JS", "[] 4S 9S", "[] 4S 9S"]


@pytest.mark.rules("SP-C1", "SP-S3")
@pytest.mark.parametrize(
    ("columns", "strict", "free"),
    [
        ([*ENDS, "[] 5S 7S", "[] 5S 7S"], "1-9", "deal"),
        ([*ENDS[:4], "[] TS", "[] 7S", "[] 7S", "[] 5S", "[] 5S", "[] 9S 9S 3S"], "deal", "5-3"),
        ([*ENDS[:5], "[* * *] 9S", "[] 5S 7S"], "6-8", "6-8"),
    ],
    ids=["gaps", "a gap to make", "a card to turn up"],
)
def test_gaps_before_a_deal(columns: list[str], strict: str, free: str) -> None:
    """Where stock may not be dealt over gaps, they are filled and not made. Where it may, they are made and not filled,
    except to turn up a card.
    """
    for rule, hint in (("strict", strict), ("any", free)):
        m = lay(columns, "S S S S S S", 10, suits="1", deal_when_short=rule)
        assert m.view(0).guided() == hint
        assert rule == "strict" or bot("medium").choose(m.view(0)) == hint


def test_without_stock_there_is_no_hint_when_nothing_useful_is_left() -> None:
    m = lay(TO_AND_FRO, "S H D C", 0)
    assert m.legal() == ["1-2"]
    with pytest.raises(NoHint, match="nothing useful is left to do"):
        m.view(0).guided()
    session, written = at(m)
    session._hint(m.view(0))
    assert "nothing useful is left to do" in written()
    assert "take moves back, or give up" in written().lower()


async def test_a_server_gives_these_hints() -> None:
    bots = SearchPool(Settings())
    try:
        advised = await bots.hint(lay(TO_AND_FRO, "S", 40).view(0), "seed", "192.0.2.1")
        assert (advised.move, advised.steps, advised.values) == ("deal", ("deal",), {})
        with pytest.raises(NoHint):
            await bots.hint(lay(TO_AND_FRO, "S H D C", 0).view(0), "seed", "192.0.2.1")
    finally:
        bots.close()
