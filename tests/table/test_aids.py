"""Aids to the memory: facts that everybody could have known who kept count. A table can do without them."""

from __future__ import annotations

from cardtable.base.message import Message
from cardtable.rules.zones import Fact, Hand, Pot, chips, lacks
from cardtable.table.projection import unaided


def test_what_a_seat_is_known_to_lack_is_an_aid() -> None:
    hand = Hand("hand-1", (1,), (None,) * 3, 3, (chips(5), lacks("7S")))
    shown = hand.seen_by(0)
    assert [fact.get("aid", False) for fact in shown.facts] == [False, True]
    assert [fact["coins"] for fact in unaided(shown).facts] == [5]
    assert len(hand.seen_by(0).facts) == 2, "the zone that other tables share is as it was"


def test_a_zone_without_aids_stays_the_same_object() -> None:
    shown = Pot("pot", count=2, facts=(Fact(Message("two chips")),)).seen_by(None)
    assert unaided(shown) is shown
