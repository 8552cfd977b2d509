"""A live table: the fold of its log, commands and refusals, leaving and coming back, taking back, clocks, proof of the
shuffle.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from cardtable import Match
from cardtable.base.errors import CardtableError, MatchOver, RecordError
from cardtable.match.match import Record
from cardtable.rules.catalog import games
from cardtable.server.http.descriptions import invite_of
from cardtable.server.rooms.hall import Glance, Hall
from cardtable.table import Entry, LiveTable, Setup, decide, fair, projection
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.archive import record_of
from cardtable.table.decide import next_time
from cardtable.table.live import KEPT, TableFault
from cardtable.table.setup import checked, clean
from tests.support.server.live import Driven
from tests.support.server.served import served
from tests.table.tables import acting, moved, picture, refused, turn_of, two

GAMES = list(games())


def short(game: str) -> dict[str, Any]:
    """House rules that make a match of a game short enough to be played here."""
    kinds = games()[game].options.kinds()
    return {"deals": 2} if "deals" in kinds and kinds["deals"].low <= 2 else {}


@pytest.mark.parametrize("game", GAMES)
def test_a_table_is_the_fold_of_its_log(game: str) -> None:
    """Every prefix of a log, stored and read again, gives the table as it was: a restart loses nothing."""
    t = Driven(game, "ab", bots=("", "", *["medium"] * 6)[: checked(Setup(game)).seats or 2])
    assert t.table.stage == "playing"
    pictures = {}
    for _ in range(60):
        if t.table.stage == "over":
            break
        t.step()
        pictures[len(t.log)] = picture(t.table)
    log = [ev.decode(ev.encode(entry)) for entry in t.log]
    assert log == t.log
    for length in [*pictures][::7]:
        assert picture(LiveTable.fold(log[:length])) == pictures[length]


@pytest.mark.parametrize("game", GAMES)
def test_a_match_of_every_game_ends_and_its_record_proves_itself(game: str) -> None:
    t = Driven(game, "a", bots=("", *["medium"] * 7)[: checked(Setup(game)).seats or 2])
    if game not in ("fan-tan", "play-or-pay", "scopa", "spider"):  # the long matches are for the server's tests
        t.play()
    else:
        for _ in range(80):
            if t.table.stage != "over":
                t.step()
        assert t.table.stage == "over" or t.ask("a", cm.Resign) is None
    assert t.log[-1].event == ev.Ended()
    record = record_of(t.table)
    proof = fair.verify(str(record))
    assert proof["commitment"] == t.table.commitment
    assert Match.from_record(record).result == t.table.match.result if t.table.match else None
    wrong = str(record).replace(proof["secret"], "00" * 32)
    with pytest.raises(RecordError, match="was promised"):
        fair.verify(wrong)


def test_a_log_with_a_hole_is_refused() -> None:
    t = Driven(people="a", bots=("", "medium"), seats=2, preset="british")
    t.step()
    with pytest.raises(TableFault):
        LiveTable.fold([t.log[0], t.log[2]])
    with pytest.raises(TableFault):
        t.table.apply(Entry(t.table.version + 1, 0, ev.Moved(0, "no move")))


# Sitting down


def test_sitting_down_and_beginning() -> None:
    t = Driven(seats=4, bots=("", "", "", "random"))
    assert [place.level for place in t.table.places] == ["", "", "", "random"]
    assert t.ask("a", cm.Sit, seat=2, name="  An\tna ", entropy="x") is None
    assert t.table.places[2].name == "An na"
    assert refused(t.ask("b", cm.Sit, seat=2)) == "table/taken"
    assert refused(t.ask("a", cm.Sit)) == "table/seat"
    assert t.ask("b", cm.Sit, name="an NA") is None
    assert t.table.places[0].name == "an NA 2"
    assert refused(t.ask("b", cm.Start)) == "table/host"
    assert refused(t.ask("b", cm.PlayMove, move="7H", at=0)) == "table/stage"
    assert t.ask("b", cm.Leave) is None
    assert t.table.places[0].free
    assert t.ask("a", cm.PutBot, seat=0, level="medium") is None
    assert refused(t.ask("a", cm.PutBot, seat=2, level="medium")) == "table/taken"
    assert refused(t.ask("a", cm.PutBot, seat=1, level="clever")) == "options/value"
    assert t.ask("a", cm.Start) is None
    assert t.table.stage == "playing"
    assert t.table.places[1].level == "medium"
    assert refused(t.ask("c", cm.Sit)) == "table/stage"


def test_the_match_begins_when_the_last_seat_is_taken() -> None:
    t = Driven(people="a", seats=3, bots=("", "medium", ""))
    assert t.table.stage == "lobby"
    assert t.ask("b", cm.Sit) is None
    assert t.table.stage == "playing"


def test_a_table_may_be_closed_before_it_begins() -> None:
    t = Driven(people="a", seats=3)
    assert t.ask("a", cm.Close) is None
    assert t.table.stage == "closed"
    assert refused(t.ask("b", cm.Sit)) == "table/stage"


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": "chess"},
        {"seats": 40},
        {"bots": ("medium",) * 9},
        {"bots": ("clever",)},
        {"clock": "hourglass"},
        {"undo": "always"},
        {"fill": ""},
        {"options": {"ante": 10**9}},
        {"number": "7", "seats": 3},
        {"number": "x" * 50, "bots": ("", "medium", "medium", "medium")},
    ],
)
def test_a_setup_is_checked(wrong: dict[str, Any]) -> None:
    with pytest.raises(CardtableError):
        checked(Setup(**{"game": "fan-tan"} | wrong))


def test_what_people_write_is_cleaned() -> None:
    assert clean("", 24) == ""
    assert clean("a\u0000b\u202e\nc  d", 24) == "a b c d"
    assert clean("<b>" * 100, 24) == ("<b>" * 8)


def test_joiners_stay_where_they_can_be_seen() -> None:
    """In Persian words and in pictures made of several; not in Latin words, which would only look alike."""
    for name in (
        "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
        "\U0001f468\u200d\U0001f469\u200d\U0001f467",
        "\U0001f469\U0001f3fd\u200d\U0001f680",
        "\U0001f3f3\ufe0f\u200d\U0001f308",
        "\u0915\u094d\u200d\u0937",
    ):
        assert clean(name, 24) == name
    assert clean("A\u200dlice", 24) == "A lice"
    assert clean("\u0645\u200c", 24) == "\u0645"


# Commands


def test_a_command_done_once_is_not_done_again() -> None:
    t = two()
    me, _ = acting(t)
    seat = t.table.seat_of(me) or 0
    command = cm.PlayMove(seq=t.seqs[me] + 1, move=t.advised(seat), at=t.table.numbers[seat])
    event = decide(t.table, me, command)
    assert isinstance(event, ev.Moved)
    t.happen(event, me, command.seq)
    assert decide(t.table, me, command) is None
    again = LiveTable.fold(t.log)
    assert decide(again, me, command) is None, "also after a restart"


def test_refusals_say_why_and_change_nothing() -> None:
    t = two()
    me, other = acting(t)
    seat = t.table.seat_of(me) or 0
    before = picture(t.table)
    assert refused(t.move(other, "7H")) == "move/turn"
    assert refused(t.move(me, "nonsense")) == "move/syntax"
    assert refused(t.ask(me, cm.PlayMove, move=t.advised(seat), at=t.table.turns[seat] - 1)) == "move/stale"
    assert refused(t.move("c", "7H")) == "table/seat"
    legal = t.table.views[seat].legal
    illegal = next(card for card in ("AS", "AH", "AD", "AC", "KS", "KH", "KD", "KC") if card not in legal)
    refusal = t.move(me, illegal)
    assert refusal is not None
    assert (refusal.code, refusal.legal) == ("move/illegal", tuple(legal))
    assert refusal.rule.startswith("FT-")
    assert refused(t.ask(me, cm.GetReady)) == "match/deal"
    assert refused(t.ask(me, cm.AnswerUndo, yes=True)) == "table/undo"
    assert refused(t.ask(me, cm.Choose, about=1, choice="end")) == "table/seat"
    assert refused(t.ask(me, cm.Say, text="\u0000")) == "table/chat"
    assert picture(t.table) == before


def test_a_line_of_chat_does_not_make_a_move_stale() -> None:
    t = two()
    me, other = acting(t)
    seat = t.table.seat_of(me) or 0
    at = t.table.numbers[seat]
    assert t.ask(other, cm.Say, text="good luck") is None
    assert t.ask(me, cm.PlayMove, move=t.advised(seat), at=at) is None


# Leaving


def test_a_leavers_seat_is_kept_and_a_bot_stands_in_until_the_owner_is_back() -> None:
    t = Driven(people="abc", seats=3)
    assert t.ask("b", cm.Leave) is None
    assert t.table.stage == "playing"
    assert t.ask("a", cm.Choose, about=1, choice="bot") is None
    assert not t.table.places[1].stood_in, "one of two is not more than half"
    assert t.ask("c", cm.Choose, about=1, choice="bot") is None
    assert t.table.places[1].stood_in
    for _ in range(9):
        t.step()
    assert any(
        isinstance(entry.event, ev.Moved) and entry.event.seat == 1 and entry.event.by == "bot" for entry in t.log
    )
    t.returns("b")
    assert t.table.places[1].here
    assert t.table.bot_seats() == []
    t.play("between")


def test_the_others_may_wait_or_end() -> None:
    t = two()
    assert t.ask("b", cm.Leave) is None
    assert t.ask("a", cm.Choose, about=1, choice="wait") is None
    assert t.table.stage == "playing"
    assert refused(t.ask("a", cm.Choose, about=0, choice="end")) == "table/seat"
    assert refused(t.ask("a", cm.Choose, about=1, choice="dance")) == "options/value"
    t.wait(5)
    assert t.ask("a", cm.Choose, about=1, choice="end") is None
    ends = projection.table_seen(t.table, "a", {"a"}).seats[1].ends
    assert ends == t.table.places[1].left_at + 120_000
    t.wait((ends - t.now) / 1000 - 0.1)
    assert t.table.stage == "playing"
    assert next_time(t.table) == ends
    t.wait(0.1)
    assert t.table.stage == "over"
    assert t.table.match is not None
    assert t.table.match.result is not None
    assert t.table.match.result.resigned == 1


def test_a_match_is_not_ended_for_one_who_comes_back_or_if_the_others_change_their_minds() -> None:
    for changed in (False, True):
        t = two()
        assert t.ask("b", cm.Leave) is None
        assert t.ask("a", cm.Choose, about=1, choice="end") is None
        t.wait(60)
        if changed:
            assert t.ask("a", cm.Choose, about=1, choice="wait") is None
        else:
            t.returns("b")
        assert projection.table_seen(t.table, "a", {"a"}).seats[1].ends == 0
        assert next_time(t.table) == 0
        t.wait(600)
        assert t.table.stage == "playing"


def test_one_who_left_does_not_hold_up_the_next_deal() -> None:
    t = Driven(people="abc", seats=3)
    t.play("between")
    assert t.ask("a", cm.GetReady) is None
    assert t.ask("b", cm.GetReady) is None
    assert t.table.stage == "between"
    assert t.ask("c", cm.Leave) is None
    assert t.table.stage == "playing"


# Taking back


def test_against_bots_a_move_is_taken_back_at_once() -> None:
    t = Driven(people="a", seats=3, bots=("", "medium", "medium"), preset="denexa")
    turn_of(t, 0)
    assert t.table.match is not None
    before = [(act.seat, act.move) for act in t.table.match.moves], t.table.views[0].hand
    assert t.move("a", t.advised(0)) is None
    t.step()
    t.step()
    assert t.ask("a", cm.Undo) is None
    assert ([(act.seat, act.move) for act in t.table.match.moves], t.table.views[0].hand) == before
    assert t.table.undone >= 1
    assert refused(t.ask("a", cm.Undo)) in ("match/undo", "") or t.table.match is not None
    assert picture(LiveTable.fold(t.log)) == picture(t.table)
    t.play("between")


def test_between_people_taking_back_needs_consent() -> None:
    t = two()
    assert refused(t.ask("a", cm.Undo)) == "match/undo"
    me, other = moved(t)
    assert t.table.match is not None
    made = len(t.table.match.moves)
    assert t.ask(me, cm.Undo) is None
    assert refused(t.ask(me, cm.AnswerUndo, yes=True)) == "table/undo"
    assert t.ask(me, cm.AnswerUndo, yes=False) is None
    assert (t.table.ask, len(t.table.match.moves), t.table.happenings[-1].by) == (None, made, "withdrawn")
    assert t.ask(me, cm.Undo) is None
    assert all("answer" in projection.may(t.table, seat, False) for seat in (0, 1))
    assert t.ask(other, cm.AnswerUndo, yes=False) is None
    assert (t.table.ask, len(t.table.match.moves)) == (None, made)
    assert t.ask(me, cm.Undo) is None
    assert t.ask(other, cm.AnswerUndo, yes=True) is None
    assert len(t.table.match.moves) < made
    assert t.table.undone == 1


def test_alone_the_whole_deal_is_taken_back_at_once() -> None:
    t = Driven("spider", "a", seats=1)
    assert t.table.match is not None
    before = t.table.match.view(0).state.tobytes()
    assert refused(t.ask("a", cm.Undo, all=True)) == "match/undo"
    for _ in range(3):
        assert t.move("a", t.advised(0)) is None
    assert t.ask("a", cm.Undo, all=True) is None
    assert t.table.match.view(0).state.tobytes() == before
    assert "undo" not in projection.may(t.table, 0, True)


def test_among_people_only_one_move_is_taken_back_at_a_time() -> None:
    t = two()
    me, _ = moved(t)
    assert refused(t.ask(me, cm.Undo, all=True)) == "table/undo"


@pytest.mark.parametrize("stood_in", [False, True])
def test_without_the_consent_of_one_who_is_away_nothing_is_taken_back(stood_in: bool) -> None:
    t = Driven(people="abc", seats=3)
    turn_of(t, 0)
    assert t.move("a", t.advised(0)) is None
    assert "undo" in projection.may(t.table, 0, True)
    assert t.ask("b", cm.Leave) is None
    if stood_in:
        for owner in "ac":
            assert t.ask(owner, cm.Choose, about=1, choice="bot") is None
        assert t.table.places[1].stood_in
    assert t.table.match is not None
    made = len(t.table.match.moves)
    assert "undo" not in projection.may(t.table, 0, True)
    answer = t.ask("a", cm.Undo)
    assert refused(answer) == "table/undo"
    assert answer is not None
    assert str(answer.why) == "seat 1 has to agree, and is away"
    assert len(t.table.match.moves) == made
    t.returns("b")
    assert t.ask("a", cm.Undo) is None


def test_one_who_leaves_has_not_agreed_to_take_back() -> None:
    t = Driven(people="abc", seats=3)
    turn_of(t, 0)
    assert t.move("a", t.advised(0)) is None
    assert t.table.match is not None
    made = len(t.table.match.moves)
    assert t.ask("a", cm.Undo) is None
    assert t.ask("c", cm.AnswerUndo, yes=True) is None
    assert t.ask("b", cm.Leave) is None
    assert t.table.ask is None
    assert len(t.table.match.moves) == made
    assert picture(LiveTable.fold(t.log)) == picture(t.table)


def test_at_a_strict_table_nothing_is_taken_back() -> None:
    t = two(undo="never")
    me, _ = moved(t)
    assert refused(t.ask(me, cm.Undo)) == "table/undo"


# Clocks, deals, matches


def test_when_time_runs_out_a_sensible_move_is_played() -> None:
    t = two(clock="brisk")
    t.runs_out(15)
    assert t.table.deadline == t.now + 15_000


def test_without_a_clock_nobody_is_hurried() -> None:
    t = two()
    version = t.table.version
    t.wait(10**6)
    assert t.table.version == version


def test_deals_go_on_when_all_are_ready_or_with_a_clock_by_themselves() -> None:
    t = two(clock="brisk")
    t.play("between")
    assert t.ask("a", cm.GetReady) is None
    assert refused(t.ask("a", cm.GetReady)) == "table/ready"
    assert t.table.stage == "between"
    t.wait(21)
    assert t.table.stage == "playing"
    assert t.table.match is not None
    assert t.table.match.deal == 2


def test_bots_among_themselves_need_nobody() -> None:
    t = Driven(seats=3, bots=("medium", "random", "medium"))
    t.play("between")
    t.wait(4)
    assert t.table.stage == "playing"


def test_another_match_has_another_deal_and_the_next_link_of_the_chain() -> None:
    t = two()
    first = t.table.match
    assert t.ask("a", cm.Resign) is None
    secret = projection.table_seen(t.table, "a").fair.secret
    assert fair.commitment(secret) == t.table.commitment
    assert t.ask("a", cm.GetReady) is None
    assert t.table.number == 1
    assert t.ask("b", cm.GetReady) is None
    assert (t.table.number, t.table.stage) == (2, "playing")
    assert t.table.commitment == secret, "the first secret binds to the second"
    assert projection.table_seen(t.table, "a").fair.secret == ""
    assert first is not None
    assert t.table.match is not None
    assert t.table.match.seed != first.seed


def test_the_record_waits_for_the_end() -> None:
    t = two()
    with pytest.raises(MatchOver):
        record_of(t.table)


def test_a_numbered_deal_is_the_one_of_its_number() -> None:
    t = Driven("oh-hell", people="a", seats=3, bots=("", "medium", "medium"), number="1234")
    assert t.table.match is not None
    assert t.table.match.seed == "1234"
    assert t.ask("a", cm.Resign) is None
    with pytest.raises(RecordError, match="no proof"):
        fair.verify(record_of(t.table))


def test_a_proof_binds_to_every_word_of_chance() -> None:
    t = two()
    assert t.ask("a", cm.Resign) is None
    keys = dict(record_of(t.table).keys)
    fair.verify(keys)
    proof = keys["fair"]
    for change in (
        {"entropy": ["chance of a", "other"]},
        {"table": "T2"},
        {"match": 2},
        {"secret": "zz"},
        {"secret": "00"},
        {"secret": 7},
    ):
        with pytest.raises(RecordError) as error:
            fair.verify(Record(keys | {"fair": proof | change}))
        assert error.value.code == "record/fair"


# What viewers see


def test_who_was_away_is_told_what_was_missed() -> None:
    t = two()
    number = t.table.numbers[0]
    assert projection.gap(t.table, 0, number) == []
    for _ in range(5):
        t.step()
    missed = projection.gap(t.table, 0, number)
    assert missed is not None
    assert [happening.number for happening in missed] == list(range(number + 1, t.table.numbers[0] + 1))
    assert projection.gap(t.table, 0, 10**6) is None
    assert projection.gap(t.table, 0, 0) is None
    for k in range(KEPT):
        assert t.ask("a", cm.Say, text=f"{k}") is None
    assert projection.gap(t.table, 0, number) is None


def chosen_unseen(t: Driven) -> set[int]:
    """The seats whose choices of this moment nobody else has seen yet."""
    seats = set()
    for happening in reversed(t.table.happenings):
        if happening.kind != "moved" or not happening.private or happening.events:
            break
        seats.add(happening.seat)
    return {seat for seat in seats if seat is not None}


@pytest.mark.parametrize("game", GAMES)
def test_those_to_act_can_be_told_from_what_everybody_knows(game: str) -> None:
    """Everybody sees who is to act; but a player who has chosen in secret is, to the others, still to choose."""
    t = Driven(game, "a", bots=("", *["random"] * 7)[: checked(Setup(game)).seats or 2])
    for _ in range(80):
        if t.table.stage != "playing":
            break
        assert t.table.match is not None
        actors, unseen = set(t.table.match.actors), chosen_unseen(t)
        assert not actors & unseen
        for viewer in range(len(t.table.places) + 1):
            assert set(t.table.actors_seen(viewer)) == actors | unseen - {viewer}
        t.step()


# Friends: the lobby, names, reactions


def test_the_host_begins_when_everybody_sits() -> None:
    """Where the setup says so; the others say that they are ready, and nobody has to be."""
    t = Driven(people="a", seats=3, bots=("", "", ""), begins="host")
    assert t.ask("b", cm.Sit) is None
    assert t.ask("c", cm.Sit) is None
    assert t.table.stage == "lobby"
    assert "ready" in projection.may(t.table, 1, host=False)
    assert "ready" not in projection.may(t.table, 0, host=True)
    assert t.ask("b", cm.GetReady) is None
    assert refused(t.ask("b", cm.GetReady)) == "table/ready"
    assert [place.ready for place in t.table.places][1:] == [True, False]
    assert "ready" not in projection.may(t.table, 1, host=False)
    assert refused(t.ask("b", cm.Start)) == "table/host"
    assert t.ask("b", cm.Leave) is None
    assert t.ask("b", cm.Sit) is None
    assert not t.table.places[1].ready
    assert t.ask("a", cm.Start) is None
    assert t.table.stage == "playing"


def test_alone_against_bots_it_begins_at_once() -> None:
    assert Driven(people="a", seats=3, bots=("", "medium", "medium"), begins="host").table.stage == "playing"


def test_a_name_may_be_changed_at_any_time() -> None:
    t = Driven(people="ab", seats=2, bots=("", ""))
    assert t.table.stage == "playing"
    assert t.ask("a", cm.Rename, name="  Zo\te ") is None
    assert t.table.places[0].name == "Zo e"
    assert refused(t.ask("a", cm.Rename, name="Zo e")) == "table/name"
    assert refused(t.ask("a", cm.Rename, name="\u2800")) == "table/name"
    assert t.ask("b", cm.Rename, name="zo E") is None
    assert t.table.places[1].name == "zo E 2"
    assert refused(t.ask("c", cm.Rename, name="Carl")) == "table/seat"
    assert LiveTable.fold(t.log).names == LiveTable.outline(t.log).names == ("Zo e", "zo E 2")


def test_reactions() -> None:
    t = Driven(people="ab", seats=2, bots=("", ""))
    before = t.table.since
    assert t.ask("a", cm.React, reaction=cm.REACTIONS[0]) is None
    last = t.table.happenings[-1]
    assert (last.kind, last.seat, last.by) == ("reacted", 0, cm.REACTIONS[0])
    assert t.table.since == before, "a reaction gains no time"
    assert refused(t.ask("a", cm.React, reaction="<b>")) == "table/reaction"
    assert refused(t.ask("c", cm.React, reaction=cm.REACTIONS[0])) == "table/seat"


# Its outline


def agrees(t: Driven) -> None:
    """The outline of a log says the same as the table."""
    table = LiveTable.outline(t.log)
    assert invite_of(Glance(table, "CODE", t.table.stage)) == invite_of(Glance(t.table, "CODE", t.table.stage))
    assert table.match is None


def test_the_outline_of_a_table_is_what_its_invite_says() -> None:
    t = Driven("fan-tan", "ab", seats=4, bots=("", "", "", "medium"), fill="random")
    agrees(t)
    t.ask("b", cm.Leave)
    agrees(t)
    t.ask("a", cm.PutBot, seat=2, level="search")
    t.ask("c", cm.Sit, name="C")
    agrees(t)
    t.ask("a", cm.Start)
    t.play("between")
    agrees(t)
    t.ask("c", cm.Leave)
    agrees(t)
    t.ask("a", cm.Choose, about=t.table.seat_of("c"), choice="bot")
    agrees(t)
    t.returns("c")
    t.play("over")
    agrees(t)


def test_invites_open_no_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does the list of a person's tables: folding long logs would take seconds."""
    with served(tmp_path / "t.db") as server, httpx.Client(base_url=server.url) as ann:
        hall: Hall = server.app.hall
        made = [ann.post("/api/tables", json={"game": "busca", "name": f"{k}"}).json() for k in range(3)]
        path = f"/api/tables/{made[0]['id']}"
        while len(ann.get("/api/me").json()["tables"]) < len(made):  # their host sits down a moment after they are made
            pass
        before = ann.get(path).json(), ann.get("/api/me").json()

        async def forget() -> None:
            for room in tuple(hall.rooms.values()):
                hall.forget(room)

        asyncio.run_coroutine_threadsafe(forget(), server.loop).result(90)
        assert (ann.get(path).json(), ann.get("/api/me").json()) == before
        assert ann.get(f"/api/tables/{made[1]['code']}").json()["id"] == made[1]["id"]
        assert ann.get(f"{path}/qr.svg").status_code == 200
        assert ann.get("/api/tables/nothing").status_code == 404
        assert not hall.rooms
