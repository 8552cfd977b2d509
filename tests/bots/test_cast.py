"""The people of the house: bots with names and tempers."""

from __future__ import annotations

from cardtable.bots import LEVELS, cast
from cardtable.table.setup import LONGEST_NAME


def test_every_level_has_a_dozen_people_and_no_name_belongs_to_two() -> None:
    assert tuple(cast.CAST) == LEVELS
    assert {len(people) for people in cast.CAST.values()} == {12}
    everybody = [one for people in cast.CAST.values() for one in people]
    assert len({one.name.casefold() for one in everybody}) == len(everybody)
    assert all(cast.named(one.name) is one and 0 < len(one.name) <= LONGEST_NAME for one in everybody)
    assert all({one.temper for one in people} == set(cast.TEMPERS) for people in cast.CAST.values())
    assert cast.named("Ann") is None


def test_a_seat_is_taken_by_the_same_one_unless_the_name_is_at_the_table_already() -> None:
    at_table = [cast.of_seat("medium", seat) for seat in range(12)]
    assert len({one.name for one in at_table}) == 12
    assert cast.of_seat("medium", 1).name == "Hugo"
    assert cast.of_seat("medium", 1, ["hugo", "Ann"]) == cast.of_seat("medium", 2)
    assert cast.of_seat("search", 0).pace == cast.TEMPERS["quick"]
