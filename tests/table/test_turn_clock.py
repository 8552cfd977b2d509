"""The clock of a turn while somebody wishes to take back: nobody gains or loses time by it."""

from __future__ import annotations

import pytest

from cardtable.table import LiveTable, projection
from cardtable.table import commands as cm
from tests.support.server.live import Driven
from tests.table.tables import turn_of, two


def asked() -> Driven:
    """Three at a table with 15 s a turn: `a` has moved, and `b` has used 5 s of the turn."""
    t = Driven(people="abc", seats=3, clock="brisk")
    turn_of(t, 0)
    assert t.move("a", t.advised(0)) is None
    assert t.table.match is not None
    assert t.table.match.actors == (1,)
    t.wait(5)
    return t


def left(t: Driven) -> float:
    return (t.table.deadline - t.now) / 1000


@pytest.mark.parametrize("how", ["no", "too late", "away", "asker leaves"])
def test_after_a_refused_wish_the_clock_goes_on_where_it_stood(how: str) -> None:
    t = asked()
    assert left(t) == 10
    assert t.ask("a", cm.Undo) is None
    assert left(t) == 15, "for the answers"
    if how == "no":
        t.wait(7)
        assert t.ask("c", cm.AnswerUndo, yes=True) is None
        t.wait(7)
        assert t.ask("b", cm.AnswerUndo, yes=False) is None
    elif how == "too late":
        t.wait(15.1)
    else:
        t.wait(7)
        assert t.ask("c" if how == "away" else "a", cm.Leave) is None
    assert t.table.ask is None
    assert left(t) == 10
    assert LiveTable.fold(t.log).deadline == t.table.deadline
    t.runs_out(10)


def test_a_refused_wish_is_not_repeated_in_the_same_turn() -> None:
    t = asked()
    assert "undo" in projection.may(t.table, 0, True)
    assert t.ask("a", cm.Undo) is None
    assert t.ask("b", cm.AnswerUndo, yes=False) is None
    assert t.ask("b", cm.Say, text="no") is None
    assert "undo" not in projection.may(t.table, 0, True)
    again = t.ask("a", cm.Undo)
    assert again is not None
    assert (again.code, str(again.why)) == ("table/undo", "it was refused in this turn")
    assert t.ask("a", cm.Leave) is None
    t.returns("a")
    assert t.ask("a", cm.Undo) is not None, "nor after one has gone and come"
    assert left(t) == 10
    assert t.move("b", t.advised(1)) is None
    assert left(t) == 15
    assert t.ask("a", cm.Undo) is None, "the next turn is another one"


def test_without_a_clock_one_may_ask_again() -> None:
    """It costs nobody time, and people change their minds."""
    t = two()
    turn_of(t, 0)
    assert t.move("a", t.advised(0)) is None
    assert t.ask("a", cm.Undo) is None
    assert t.ask("b", cm.AnswerUndo, yes=False) is None
    assert t.ask("a", cm.Undo) is None


def test_what_all_agree_to_begins_a_turn() -> None:
    t = asked()
    assert t.ask("a", cm.Undo) is None
    t.wait(3)
    for owner in "bc":
        assert t.ask(owner, cm.AnswerUndo, yes=True) is None
    assert t.table.match is not None
    assert t.table.match.actors == (0,)
    assert left(t) == 15


def test_more_time_is_taken_once_a_turn_whoever_wishes_to_take_back() -> None:
    t = asked()
    assert t.ask("b", cm.More) is None
    assert left(t) == 25
    assert t.ask("a", cm.Undo) is None
    assert t.ask("b", cm.AnswerUndo, yes=False) is None
    assert left(t) == 25
    again = t.ask("b", cm.More)
    assert again is not None
    assert again.code == "table/clock"
