"""Pirate in real time: which intents share a tick, by each rule of the arbiter; and why the live game is the game in
ticks.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable import Match, Record
from cardtable.games.pirate import timing
from cardtable.games.pirate.state import CLAIM, DRAW_CARD, PLAY, WAIT, gap, target, top
from cardtable.games.pirate.timing import STALL, WAITING, PirateArbiter, Tick
from cardtable.rules import contract
from cardtable.rules.timing import Notice
from tests.games.pirate.sea import C, H, S, at_sea, lane, waste
from tests.support.commands import run

HEARTS = {H: "A2345" + "89TJQK"}  # 6 and 7 are missing
ONE_LEFT = {H: "A2345" + "789TJQK"}  # the 6 is missing
LATE: dict[str, Any] = {"gone": [2, 2, 2, 1], "captured": [4, 3]}
LOW, HIGH = 0, 1


class Live:
    """A live table with its arbiter, from a position; the game begins at 0 ms."""

    def __init__(self, *where: Any, options: dict[str, Any] | None = None, **keys: Any) -> None:
        self.m = at_sea(*where, options={"form": "live", **(options or {})}, **keys)
        self.begin = self.m._s.copy()
        self.notices: list[Notice] = []
        self.arbiter = PirateArbiter(self.m._s, 0, self.notices.append)

    def send(self, *intents: tuple[int, int, int]) -> list[str]:
        """Intents as (milliseconds, seat, move); what was noticed since, as `kind@at`."""
        before = len(self.notices)
        for at, seat, move in intents:
            self.arbiter.intent(seat, move, at)
        return [f"{notice.kind}@{notice.at}" for notice in self.notices[before:]]

    def wait(self, until: int) -> list[str]:
        """Let time pass."""
        before = len(self.notices)
        self.arbiter.advance(until)
        return [f"{notice.kind}@{notice.at}" for notice in self.notices[before:]]


# One rule after the other


@pytest.mark.rules("PIL-1")
def test_other_intents_run_at_once_in_order_of_arrival() -> None:
    t = Live({H: "A2"}, ("3H", "KS"))
    assert t.send((1000, HIGH, PLAY), (1000, LOW, PLAY), (1300, LOW, DRAW_CARD)) == [
        "moment@1000",
        "moment@1000",
        "moment@1300",
    ]
    assert t.arbiter.log == [(WAIT, PLAY), (PLAY, WAIT), (DRAW_CARD, WAIT)]
    assert (lane(t.m, H), lane(t.m, S)) == ("A23", "K")
    assert t.send((2000, HIGH, PLAY)) == ["refused@2000"]  # not legal
    assert (t.notices[-1].seat, t.notices[-1].rule) == (HIGH, "PI-08")


@pytest.mark.rules("PIL-2", "PI-E9", "PI-16")
@pytest.mark.parametrize(
    ("second", "notices", "scores"),
    [
        (1120, ["held@1000", "moment@1120"], (0, 0)),
        (1150, ["held@1000", "moment@1150"], (0, 0)),  # just W later is still in time
        (1151, ["held@1000", "moment@1150", "refused@1151"], (1, 0)),
        (1200, ["held@1000", "moment@1150", "refused@1200"], (1, 0)),
    ],
)
def test_the_tie_window(second: int, notices: list[str], scores: tuple[int, int]) -> None:
    t = Live(ONE_LEFT, ("6H", "6H"))
    assert t.send((1000, LOW, PLAY), (second, HIGH, PLAY)) == notices
    assert t.m.scores == scores
    assert int(t.m._s.sunk) == 1 - sum(scores)
    if sum(scores):
        assert "AH next" in str(t.notices[-1].reason)
        assert t.arbiter.log == [(PLAY, WAIT)]


@pytest.mark.rules("PIL-2")
def test_a_gap_of_two_is_held_and_a_gap_of_three_is_not() -> None:
    t = Live(HEARTS, ("6H", "7H"))
    assert t.send((1000, LOW, PLAY), (1100, HIGH, PLAY)) == ["held@1000", "moment@1100"]
    assert int(t.m._s.sunk) == 1
    t = Live({H: "A2345" + "9TJQK"}, ("6H", "8H"))
    assert t.send((1000, LOW, PLAY), (1000, HIGH, PLAY)) == ["moment@1000", "held@1000"]  # the gap is 2 for the second
    assert t.wait(1151) == ["moment@1150"]
    assert (lane(t.m, H), int(t.m._s.sunk)) == ("A23456" + "89TJQK", 0)


@pytest.mark.rules("PIL-2")
def test_a_held_intent_runs_alone_and_others_pass_it() -> None:
    """What the other does on another lane, or by drawing, does not meet it."""
    t = Live(ONE_LEFT, ("6H", "KS"))
    assert t.send((1000, LOW, PLAY), (1050, HIGH, PLAY)) == ["held@1000", "moment@1050"]
    assert lane(t.m, S) == "K"
    assert t.arbiter.due == 1151
    assert t.wait(1150) == []
    assert t.wait(1151) == ["moment@1150"]
    assert t.m.scores == (1, 0)
    t = Live({S: "A2345" + "789TJQK", **ONE_LEFT}, ("6H", "6S"))  # each on a different ship
    assert t.send((1000, LOW, PLAY), (1050, HIGH, PLAY)) == ["held@1000", "held@1050"]
    assert t.wait(2000) == ["moment@1150", "moment@1200"]
    assert t.m.scores == (1, 1)


@pytest.mark.rules("PIL-2", "PI-20")
def test_a_claim_and_a_play_of_one_card_within_the_window() -> None:
    last = {C: "A234" + "6789TJQK"}
    t = Live(last, ("", "5C"), fresh=[0, 1], **LATE)
    assert t.send((1000, LOW, CLAIM), (1100, HIGH, PLAY)) == ["held@1000", "moment@1100"]
    assert (t.m.scores, int(t.m._s.sunk)) == ((4, 3), 1)
    t = Live(last, ("", "5C"), fresh=[0, 1], **LATE)
    assert t.send((1000, LOW, CLAIM), (1151, HIGH, PLAY)) == ["held@1000", "moment@1150", "refused@1151"]
    assert t.m.scores == (5, 3)
    assert t.arbiter.due is None


def claimable(stock: str = "4C 5C 6C", **keys: Any) -> Live:
    """LOW is an observer; HIGH has just turned 7C at the beginning, which LOW may claim."""
    return Live({C: "A23" + "89TJQK"}, ("", "7C"), stocks=["", stock], fresh=[0, 1], **LATE, **keys)


@pytest.mark.rules("PIL-3", "PI-19")
def test_a_draw_that_would_cover_a_claimable_card_is_held() -> None:
    """Until R after the card was turned, and W after the draw arrived."""
    t = claimable()  # turned at 0
    assert t.send((100, HIGH, DRAW_CARD)) == ["held@100"]
    assert t.notices[-1].rule == "PIL-3"
    assert t.wait(600) == []
    assert t.wait(601) == ["moment@600"]  # R
    assert waste(t.m, HIGH) == ["7C", "4C"]
    t = claimable()
    assert t.send((550, HIGH, DRAW_CARD)) == ["held@550"]
    assert t.wait(800) == ["moment@700"]  # W
    t = claimable(options={"reveal_ms": 2000})
    assert t.send((550, HIGH, DRAW_CARD)) == ["held@550"]
    assert t.wait(3000) == ["moment@2000"]


@pytest.mark.rules("PIL-3", "PI-Q9")
@pytest.mark.parametrize("at", [101, 400, 600])
def test_a_claim_shares_the_tick_of_the_held_draw(at: int) -> None:
    t = claimable()
    assert t.send((100, HIGH, DRAW_CARD), (at, LOW, CLAIM)) == ["held@100", f"moment@{at}"]
    assert t.arbiter.log == [(CLAIM, DRAW_CARD)]
    assert (lane(t.m, C), waste(t.m, HIGH)) == ("A23" + "789TJQK", ["4C"])


@pytest.mark.rules("PIL-3")
def test_a_card_that_nobody_may_claim_is_covered_at_once() -> None:
    """And the clock of R starts with each card turned."""
    t = claimable("4C 6C 5C", options={"tie_window_ms": 100})
    assert t.send((10, HIGH, DRAW_CARD), (700, LOW, CLAIM)) == ["held@10", "moment@600", "refused@700"]  # too late
    assert t.send((710, HIGH, DRAW_CARD)) == ["moment@710"]  # 4C is HIGH's alone
    assert waste(t.m, HIGH)[-1] == "6C"  # LOW needs 7C
    assert t.send((900, HIGH, DRAW_CARD), (1100, HIGH, DRAW_CARD)) == ["moment@900", "moment@1100"]
    assert waste(t.m, HIGH) == ["7C"]  # again, turned at 1100
    assert t.send((1300, HIGH, DRAW_CARD)) == ["held@1300"]
    assert t.wait(5000) == ["moment@1700"]


@pytest.mark.rules("PI-Q16")
def test_a_draw_after_a_held_claim_shares_its_tick() -> None:
    last = {C: "A2345" + "89TJQK"}  # gap 2: a claim is held
    t = Live(last, ("", "7C"), stocks=["", "6C"], fresh=[0, 1], **LATE)
    assert t.send((1000, LOW, CLAIM), (1100, HIGH, DRAW_CARD)) == ["held@1000", "moment@1100"]
    assert t.arbiter.log == [(CLAIM, DRAW_CARD)]
    assert (lane(t.m, C), waste(t.m, HIGH)) == ("A2345" + "789TJQK", ["6C"])


@pytest.mark.rules("PIL-4")
def test_later_intents_queue_and_are_dropped_when_they_have_become_illegal() -> None:
    t = Live(ONE_LEFT, ("2S 6H", "6H"))
    assert t.send((1000, LOW, PLAY), (1040, LOW, DRAW_CARD), (1060, LOW, PLAY)) == [
        "held@1000",
        "queued@1040",
        "queued@1060",
    ]
    assert t.wait(1149) == []
    assert t.wait(1450) == ["moment@1150", "moment@1150", "dropped@1300"]  # the last card drawn does not fit
    assert t.arbiter.log == [(PLAY, WAIT), (DRAW_CARD, WAIT)]
    assert (t.notices[-1].seat, t.notices[-1].move) == (LOW, PLAY)
    assert t.notices[-1].rule


@pytest.mark.rules("PIL-4")
def test_a_queued_intent_may_meet_a_held_one() -> None:
    """HIGH's play on spades is held, their play on hearts queues behind it; LOW's on hearts is held when its moment
    comes.
    """
    t = Live({S: "A23456" + "89TJQK", H: "A2345" + "789TJQK"}, ("6H", "6H 7S"))
    assert t.send((1000, HIGH, PLAY), (1010, HIGH, PLAY), (1100, LOW, PLAY)) == [
        "held@1000",
        "queued@1010",
        "held@1100",
    ]
    assert t.wait(1150) == []
    assert t.wait(1151) == ["moment@1150", "moment@1150"]
    assert t.arbiter.log == [(WAIT, PLAY), (PLAY, PLAY)]
    assert (t.m.scores, int(t.m._s.sunk)) == ((0, 1), 1)


@pytest.mark.rules("PIL-4")
def test_a_held_draw_is_dropped_when_the_lane_of_the_last_live_cards_is_closed() -> None:
    """HIGH's last live card is 7C; LOW claims 7C at another moment: made by hand, for a claim would meet the draw."""
    t = claimable("4C 5C 6C")
    assert t.send((100, HIGH, DRAW_CARD)) == ["held@100"]
    for suit in range(4):
        t.m._s.left[HIGH, suit] = 0
    assert t.wait(700) == ["dropped@600"]
    assert t.arbiter.log == []


@pytest.mark.rules("PIL-5", "PI-Q17")
def test_the_pace() -> None:
    t = Live()
    assert t.send((1000, LOW, DRAW_CARD), (1149, LOW, DRAW_CARD), (1150, LOW, DRAW_CARD), (1151, HIGH, DRAW_CARD)) == [
        "moment@1000",
        "refused@1149",
        "moment@1150",
        "moment@1151",
    ]
    assert [notice.rule for notice in t.notices if notice.kind == "refused"] == ["PIL-5"]
    assert t.send((1170, HIGH, PLAY)) == ["refused@1170"]
    assert t.notices[-1].rule == "PIL-5"
    t = Live(options={"tie_window_ms": 0})  # no window, no pace
    assert t.send((5, LOW, DRAW_CARD), (5, LOW, DRAW_CARD)) == ["moment@5", "moment@5"]


@pytest.mark.rules("PI-Q17")
def test_an_illegal_intent_is_not_accepted_and_does_not_slow_down() -> None:
    t = Live({H: "A2"}, ("4H", ""))
    assert t.send((1000, LOW, PLAY), (1010, LOW, DRAW_CARD)) == ["refused@1000", "moment@1010"]


@pytest.mark.rules("PI-Q17")
def test_the_queue_is_short() -> None:
    t = claimable("4C 5C 6C")
    draws = [(101 + i, HIGH, DRAW_CARD) for i in range(WAITING + 1)]
    assert t.send((100, HIGH, DRAW_CARD), *draws) == [
        "held@100",
        *(f"queued@{at}" for at, _, _ in draws[:-1]),
        f"refused@{draws[-1][0]}",
    ]
    assert t.notices[-1].rule == "PI-Q17"
    # PIL-5 paces what has waited; then 7C is turned again
    assert t.wait(1000) == ["moment@600", "moment@600", "moment@750", "moment@900"]
    assert t.wait(1400) == ["held@1050"]
    assert t.wait(1600) == ["moment@1500"]


@pytest.mark.rules("PIL-7", "PI-Q11")
def test_the_stall_clock() -> None:
    t = Live({H: "A2"}, ("3H", ""), options={"stall_seconds": 30})
    assert t.send((10_000, LOW, PLAY), (39_000, HIGH, DRAW_CARD)) == ["moment@10000", "moment@39000"]
    assert t.arbiter.due == 40_001
    assert t.wait(40_000) == []
    assert t.wait(50_000) == ["stalled@40000"]
    assert t.arbiter.log == [(PLAY, WAIT), (WAIT, DRAW_CARD), STALL]
    assert (bool(t.m._s.over), int(t.m._s.winner), t.notices[-1].rule) == (True, -1, "PIL-7")
    assert t.send((60_000, LOW, DRAW_CARD)) == ["refused@60000"]


@pytest.mark.rules("PIL-6", "PIL-7")
@pytest.mark.parametrize("seat", [LOW, HIGH])
def test_no_choice_waits_after_a_stall(seat: int) -> None:
    """The clock ends a game in which one of them has chosen: that move is not made any more."""
    m = at_sea({H: "A2"}, ("3H", "KS"), captured=[0, 1], gone=[0, 0, 1, 0])
    m.play("play", seat)
    timing.replay(m._s, [STALL])
    s = m._s
    assert (s.over, s.winner, s.chosen.tolist(), s.tick) == (1, HIGH, [0, 0], 0)
    assert (lane(m, H), waste(m, seat)) == ("A2", [("3H", "KS")[seat]])


@pytest.mark.rules("PI-Q17", "PIL-7")
def test_a_stall_cuts_no_attempt_off() -> None:
    t = Live(HEARTS, ("6H", "7H"), options={"stall_seconds": 30})
    assert t.send((29_900, LOW, PLAY)) == ["held@29900"]
    assert t.wait(31_000) == ["moment@30050"]
    assert not t.m._s.over
    t = claimable(options={"stall_seconds": 30})  # a draw is no attempt
    t.arbiter._shown[HIGH] = 29_800
    assert t.send((29_900, HIGH, DRAW_CARD)) == ["held@29900"]
    assert t.wait(31_000) == ["stalled@30000", "dropped@30000"]


@pytest.mark.rules("PIL-7", "PI-Q15")
def test_the_clock_comes_before_the_count_of_ticks() -> None:
    """Two players who draw as fast as the pace allows for all the time that there is."""
    t = Live(options={"stall_seconds": 30, "tie_window_ms": 100})
    for at in range(0, 40_000, 100):
        for seat in (LOW, HIGH):
            if not t.m._s.over:
                t.send((at, seat, DRAW_CARD))
    assert t.notices[-2].kind == "stalled" or t.notices[-1].kind in ("stalled", "refused")
    assert STALL in t.arbiter.log
    assert len(t.arbiter.log) == 2 * 301 + 1


def test_what_is_no_intent_and_no_live_table() -> None:
    t = Live()
    with pytest.raises(ValueError, match="to wait is to send nothing"):
        t.send((0, LOW, WAIT))
    with pytest.raises(ValueError, match="form=live"):
        PirateArbiter(Match("pirate", seed=1)._s, 0, print)


def test_time_does_not_run_backwards() -> None:
    t = Live(options={"tie_window_ms": 0})
    assert t.send((500, LOW, DRAW_CARD), (400, HIGH, DRAW_CARD)) == ["moment@500", "moment@500"]


def test_a_held_intent_is_told_to_its_player_alone() -> None:
    """Notices of a seat are for that seat; ticks and stalls are for all, and only they show what was done."""
    t = Live(ONE_LEFT, ("6H", "6H"))
    t.send((1000, LOW, PLAY))
    assert [(notice.kind, notice.seat) for notice in t.notices] == [("held", LOW)]
    assert int(t.m._s.chosen[LOW]) == 0
    t.send((1001, HIGH, PLAY))
    assert (t.notices[-1].seat, t.notices[-1].moves) == (None, (PLAY, PLAY))


def test_when_the_game_is_over_what_waits_is_dropped() -> None:
    t = Live(HEARTS, ("6H", "7H"), gone=[2, 0, 2, 2], captured=[4, 2])
    assert t.send((1000, LOW, PLAY), (1010, LOW, DRAW_CARD), (1020, HIGH, PLAY)) == [
        "held@1000",
        "queued@1010",
        "moment@1020",
        "dropped@1020",
    ]


# Why both forms are the same game


def knowledge(s: Any) -> bytes:
    """A state without the count of ticks and the last notices."""
    t = s.copy()
    t.tick = t.last = t.event_count = 0
    t.events[:] = 0
    return bytes(t.tobytes())


def moves_of(s: Any, seat: int) -> list[int]:
    moves = np.zeros(8, np.int64)
    return [int(move) for move in moves[: int(contract.legal(s, seat, moves))]]


def together(s: Any, low: int, high: int) -> Any:
    """One tick on a copy, by seats 0 and 1."""
    t = s.copy()
    contract.play(t, 0, low)
    contract.play(t, 1, high)
    return t


def entry(s: Any, notice: Notice) -> Tick:
    """A moment, or the stall, as the log has it: the moves of LOW and of HIGH."""
    if notice.kind == "stalled":
        return STALL
    first, second = (WAIT if move is None else move for move in notice.moves)
    return (first, second) if s.dealer == 1 else (second, first)


def meets(s: Any, a: int, b: int) -> bool:
    """Whether it matters that two moves share a tick: on one lane with a gap of 2 or less; a claim and the draw on its
    card.
    """
    cards = [
        int(top(s, p if move == PLAY else 1 - p)) if move in (PLAY, CLAIM) else -1 for p, move in enumerate((a, b))
    ]
    if min(cards) >= 0:
        return cards[0] // 13 == cards[1] // 13 and bool(gap(s, cards[0] // 13) <= 2)
    return {a, b} == {CLAIM, DRAW_CARD}


@pytest.mark.rules("PIL-1", "PIL-6")
@pytest.mark.parametrize("seed", range(4))
def test_all_other_pairs_of_moves_commute(seed: int) -> None:
    """Together or one after the other, in either order: the same state, except for the two harmless exceptions."""
    s = Match("pirate", seed=seed, stall=1000, auto=False)._s
    dice = np.random.RandomState(seed)
    tried = 0
    while not s.over:
        for a in moves_of(s, 0)[1:]:
            for b in moves_of(s, 1)[1:]:
                if meets(s, a, b):
                    continue
                tried += 1
                end = together(s, a, b)
                for first, second in (((a, WAIT), (WAIT, b)), ((WAIT, b), (a, WAIT))):
                    half = together(s, *first)
                    seat = 0 if second[0] else 1
                    if half.over:
                        assert (end.over, end.winner) == (1, half.winner)
                    elif second[seat] not in moves_of(half, seat):  # a draw of a dead card
                        assert second[seat] == DRAW_CARD
                        assert int(sum(half.gone)) > int(sum(s.gone))
                    else:
                        assert knowledge(together(half, *second)) == knowledge(end)
        mine, theirs = (moves_of(s, p) for p in range(2))
        s = together(
            s, *(row[-1] if dice.random() < 0.6 else row[int(dice.randint(len(row)))] for row in (mine, theirs))
        )
    assert tried > 300
    assert max(int(x) for x in s.captured) >= target(s) or int(sum(s.gone)) == 8


@pytest.mark.rules("PIL-6")
@pytest.mark.parametrize("seed", range(3))
def test_the_log_gives_the_same_game_tick_by_tick(seed: int) -> None:
    """A whole live game of two restless players: its log, fed to the tick engine, ends in the same state, byte for
    byte.
    """
    s = Match("pirate", seed=seed, form="live", auto=False)._s
    begin = s.copy()
    notices: list[Notice] = []
    arbiter = PirateArbiter(s, 0, notices.append)
    dice = np.random.RandomState(seed)
    now = 0
    while not s.over:
        now += int(dice.randint(1, 120))
        seat = int(dice.randint(2))
        moves = moves_of(s, seat)[1:]
        arbiter.intent(seat, moves[-1] if moves and dice.random() < 0.8 else int(dice.randint(1, 4)), now)
    timing.replay(begin, arbiter.log)
    assert begin.tobytes() == s.tobytes()
    assert {notice.kind for notice in notices} >= {"moment", "held", "refused"}
    times = [notice.at for notice in notices]
    assert times == sorted(times)
    assert [entry(s, notice) for notice in notices if notice.kind in ("moment", "stalled")] == arbiter.log


@pytest.mark.rules("PI-04")
def test_the_terminal_plays_move_by_move(tmp_path: Path) -> None:
    """There one input after another is read: a new match is played in ticks, and one in real time cannot be
    continued.
    """
    saved, file = tmp_path / "ticks.toml", tmp_path / "live.toml"
    done = run(
        "play",
        "pirate",
        "--set",
        "form=live",
        "--bot",
        "medium",
        "--seed",
        "tea",
        "--record",
        str(saved),
        given="wait\nq\n",
    )
    output = " ".join(done.stderr.split())
    assert "form=live: in the terminal this is played with form=ticks" in output
    assert "In real time it is played in the browser: cardtable serve." in output
    assert not Record.load(saved).replay().real_time
    file.write_text(str(Match("pirate", form="live", seed="tea").record()))
    output = " ".join(run("play", "--resume", str(file), given="q\n", code=2).stderr.split())
    assert "with form=live it is played in real time, which a terminal cannot do" in output
    assert "Play in the browser: cardtable serve; or begin a match with form=ticks" in output
