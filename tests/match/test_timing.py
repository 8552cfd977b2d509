"""Matches in real time, and windows in which several answer at once, as a program plays them (docs/api.md §1)."""

from __future__ import annotations

import pytest

from cardtable import CardtableError, IllegalMove, Match, MatchOver, NotationError, RealTimeError, Record
from cardtable.match.real_time import Clockwork, Dropped, Stalled, Tick
from tests.games.pirate.sea import H, at_sea, lane

LIVE = {"form": "live"}
NEARLY = {H: "A2345789TJQK"}  #: the six is missing


def test_a_match_tells_whether_it_is_in_real_time() -> None:
    assert Match("pirate", form="live", seed=1).real_time
    assert not Match("pirate", seed=1).real_time
    assert not Match("i-doubt-it", seed=1, doubt_mode="simultaneous").real_time


def test_in_real_time_nothing_is_played_move_by_move() -> None:
    m = Match("pirate", form="live", seed=1)
    before = m._s.tobytes()
    with pytest.raises(RealTimeError, match=r"Call tick\(\), or set form=ticks") as no:
        m.play("draw", 0)
    assert no.value.code == "match/real-time"
    with pytest.raises(RealTimeError, match="undo: "):
        m.undo()
    assert m._s.tobytes() == before
    assert m.why_not("draw", 0) is None, "as part of a moment"
    with pytest.raises(RealTimeError, match="Set form=live"):
        Match("pirate", seed=1).tick(["draw", "draw"])
    with pytest.raises(RealTimeError, match=r"Call play\(\)"):
        Match("fan-tan", seed=1).tick(["7H"] * 4)
    with pytest.raises(RealTimeError):
        Clockwork(Match("i-doubt-it", seed=1), 0)


def test_a_moment_is_made_whole_or_not_at_all() -> None:
    m = at_sea(NEARLY, ("6H", "2S"), options=LIVE)
    before, acts = m._s.tobytes(), len(m.moves)
    for moves, error in (
        (["play", "play"], IllegalMove),
        (["play"], NotationError),
        ("play", NotationError),
        (["play", "swim"], NotationError),
    ):
        with pytest.raises(error):
            m.tick(moves)
        assert (m._s.tobytes(), len(m.moves)) == (before, acts)
    m.tick(["play", "draw"])
    assert [(act.seat, act.move) for act in m.moves[acts:]] == [(0, "play"), (1, "draw")]
    assert [event.kind for event in m.events][:2] == ["build", "capture"]
    assert str(Record.parse(str(m.record())).replay().record()) == str(m.record())
    m.stall()
    assert m.over
    assert m.events[-1].rule == "PI-Q11"
    with pytest.raises(MatchOver):
        m.tick(["wait", "wait"])


@pytest.mark.rules("PIL-2")
@pytest.mark.parametrize(("later", "at_once"), [(100, True), (200, False)])
def test_a_program_plays_before_the_arbiter(later: int, at_once: bool) -> None:
    m = at_sea(NEARLY, ("6H", "6H"), options=LIVE)
    clockwork = Clockwork(m, at=0)
    assert clockwork.intend(0, "play", at=1000, tag="first") == []
    assert clockwork.waits(0)
    assert clockwork.holds("first")
    assert clockwork.due is not None
    outcomes = clockwork.intend(1, "play", at=1000 + later, tag="second")
    assert not clockwork.holds("first")
    if at_once:
        assert outcomes == [Tick(("play", "play"), ("first", "second"))]
    else:
        assert outcomes[0] == Tick(("play", "wait"), ("first",))
        dropped = outcomes[1]
        assert isinstance(dropped, Dropped)
        assert (dropped.seat, dropped.tag, dropped.refusal.rule) == (1, "second", "PI-12")
        assert "wait" not in dropped.refusal.legal  # type: ignore[attr-defined]
    for outcome in outcomes:
        if isinstance(outcome, Tick):
            m.tick(outcome.moves)
    assert lane(m, H) == ""
    assert m.scores == ((0, 0) if at_once else (1, 0))


def test_what_is_no_intent_is_refused_at_once() -> None:
    clockwork = Clockwork(Match("pirate", form="live", seed=1), at=0)
    codes = []
    for move in ("wait", "swim", "claim"):
        (dropped,) = clockwork.intend(0, move, at=1000, tag=move)
        assert isinstance(dropped, Dropped)
        assert dropped.tag == move
        codes.append((dropped.refusal.code, dropped.refusal.rule))
    assert codes == [("move/illegal", "PIL-1"), ("move/syntax", ""), ("move/illegal", "PI-18")]
    assert not clockwork.waits(0)


def test_a_match_in_which_nothing_happens_stalls() -> None:
    m = Match("pirate", form="live", stall_seconds=30, seed=1)
    clockwork = Clockwork(m, at=0)
    assert clockwork.advance(30_000) == []
    assert clockwork.advance(30_001) == [Stalled()]
    m.stall()
    assert m.over
    assert clockwork.due is None


def test_a_window_tells_the_default_answer() -> None:
    """In turn nobody's answer has a default; all at once, a silent player accepts."""
    for mode, answer in (("sequential", None), ("simultaneous", "accept")):
        m = Match("i-doubt-it", 3, seed=1, doubt_mode=mode)
        assert m.window is None
        seat = m.actors[0]
        m.play(m.legal(seat)[0], seat)
        m.play("done", seat)
        assert m.window == answer
        assert len(m.actors) == (2 if answer else 1)
        for other in m.actors:
            m.play("accept", other)
    assert m.window is None


def test_every_answer_to_a_bad_call_is_an_error_of_ours() -> None:
    m = Match("pirate", form="live", seed=1)
    for moves in ([1, 2], [], ["draw"] * 3, [None, None]):
        with pytest.raises(CardtableError):
            m.tick(moves)  # type: ignore[arg-type]
