"""Try again from here: a match that is played on from before one of its moves, at a separate table, which counts
nowhere.
"""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match, Record, RecordError, bot
from cardtable.base.errors import OptionError
from cardtable.client import Client
from cardtable.rules import catalog
from cardtable.server.thinking.jobs import retried
from cardtable.table import LiveTable, Setup
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.archive import record_of
from cardtable.table.projection import table_seen, view_seen
from cardtable.table.setup import LONGEST_START, checked
from cardtable.testing.houses import play_on
from tests.server.test_server import play
from tests.support.commands import run as cardtable
from tests.support.server.clients import refused
from tests.support.server.live import Driven
from tests.support.server.served import served

GAMES = sorted(catalog.games())


@cache
def played(game: str, most: int = 150, seed: int | str = 5, **options: Any) -> Match:
    """A match as far as a number of random moves, so that it may have been broken off."""
    m, players = Match(game, seed=seed, **options), [bot("random", seat) for seat in range(12)]
    for _ in range(most):
        if m.over:
            break
        play_on(m, lambda seat: players[seat].choose(m.view(seat)))
    return m


def decisions(m: Match) -> list[tuple[int, int, int]]:
    """Deal, number and seat of each move that was chosen."""
    return [(deal, act.number, act.seat) for deal, one in enumerate(m.deals, 1) for act in one.acts if not act.forced]


def knows(m: Match, seat: int) -> tuple[bytes, Any, Any]:
    """What a seat knows and may do."""
    view = m.view(seat)
    return view.state.tobytes(), view.legal, view.scores


# The record


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_cut_before_any_of_its_moves(game: str) -> None:
    """Its match is the one that was played, up to there; the move that came then leads to the next cut."""
    m = played(game)
    record = m.record()
    for deal, number, seat in random.Random(1).sample(decisions(m), 12):
        cut = record.before(deal, number)
        assert Record.parse(str(cut)).keys == cut.keys
        again = cut.resumed()
        assert seat in again.actors
        assert record.act(deal, number) == (seat, m.deals[deal - 1].acts[number - 1].move)
        assert [act.move for act in again.moves] == [
            act.move for act in m.moves if (act.deal, act.number) < (m.deals[deal - 1].number, number)
        ]
        again.play(record.act(deal, number)[1], seat)
        rest = record.acts(deal)[number:]
        assert [(act.seat, act.move) for act in again.deals[-1].acts[number:]] == rest[
            : len(again.deals[-1].acts) - number
        ]


@pytest.mark.parametrize(
    ("deal", "number", "code"),
    [(0, 1, "record/deal"), (99, 1, "record/deal"), (1, 0, "record/move"), (1, 999, "record/move")],
)
def test_a_move_that_there_is_not(deal: int, number: int, code: str) -> None:
    for asked in (Record.before, Record.act):
        with pytest.raises(RecordError) as no:
            asked(played("fan-tan").record(), deal, number)
        assert no.value.code == code
    with pytest.raises(RecordError, match="it has no moves"):
        Record({"deals": [{}]}).before(1)
    with pytest.raises(RecordError, match="a move is written"):
        Record({"deals": [{"moves": [7]}]}).act(1, 1)


# The record without what is to come


def at_each_move(record: Record) -> list[bytes]:
    """The state of every deal when it begins and after each of its moves, and the scores, without chance to come."""
    m, found = record.replay(), []
    for deal in m.deals:
        states = [deal.start, *(state.copy() for state, _, _ in deal.turns())]
        for state in [*states, m.snapshot()] if deal is m.deals[-1] else states:
            state.seed[:], state.rng[:] = 0, 0
            found.append(state.tobytes())
    return [*found, repr((m.scores, [one.result for one in m.deals])).encode()]


@pytest.mark.parametrize("game", GAMES)
def test_a_record_is_told_without_its_seed(game: str) -> None:
    """Every position is as it was, for each seat, and what comes later has nothing to do with the match's seed."""
    m = played(game, seed="never told")
    whole = Record({**m.record().keys, "fair": {"secret": "never told"}, "players": ["Ann"]})
    for deal, number, seat in random.Random(3).sample(decisions(m), 3):
        cut = whole.before(deal, number)
        told = cut.scripted()
        assert "never told" not in str(told)
        assert told.keys["players"] == ["Ann"]
        assert Record.parse(str(told)).keys == told.keys
        assert at_each_move(told) == at_each_move(cut)
        ours, theirs = told.resumed(), cut.resumed()
        assert [knows(ours, one) for one in range(m.seats)] == [knows(theirs, one) for one in range(m.seats)]
        assert seat in ours.actors
        assert ours.seed != told.scripted().keys["seed"], "another seed each time"


@pytest.mark.parametrize(
    ("game", "seats", "seed"),
    [("crazy-eights", 8, 5), ("thirty-one", 7, 5), ("scopa", 4, 416)],
    ids=("discards become the stock", "so they do where nobody knocks", "the deal is given up for its three kings"),
)
def test_reshuffles_are_told_as_far_as_they_have_come(game: str, seats: int, seed: int) -> None:
    """Those of the moves that are taken back are not: another move may bring about others."""
    lots = random.Random(6)

    def play(m: Match, most: int) -> Match:
        while m.actors and len(m.moves) < most:
            m.play(lots.choice([move for move in m.legal(m.actors[0]) if move != "knock"]))
        return m

    m = play(Match(game, seats, seed=seed, pause=True), 300)
    record = m.record()
    (orders,) = (deal["reshuffles"] for deal in record.scripted().keys["deals"])
    for number in (1, len(m.moves) // 2, len(m.moves)):
        cut = record.before(1, number)
        told = cut.scripted()
        assert at_each_move(told) == at_each_move(cut)
        known = told.keys["deals"][0].get("reshuffles", [])
        assert known == orders[: len(known)]
        again = play(told.resumed(), 400).record()
        assert again.scripted("x").before(1, number).scripted("y").keys == told.scripted("y").keys


def test_a_match_from_a_position_is_told_without_its_seed() -> None:
    """The cards that its position did not name were dealt by chance; they lie where they lay."""
    m = Match.from_position({"game": "fan-tan", "seats": 3, "hands": ["7S 7H", "8S", "9S"]}, seed="never told")
    m.play(m.legal()[0])
    told = m.record().scripted()
    assert "never told" not in str(told)
    assert at_each_move(told) == at_each_move(m.record())


def test_what_comes_after_the_record_is_another_shuffle() -> None:
    """The next deal, and the rest of this one's chance, cannot be looked up by playing the deal to its end."""
    record, packs = played("fan-tan", deals=9).record().before(1, 1), set()
    for one in (record, *(record.scripted() for _ in range(3))):
        again = one.resumed()
        while again.actors:
            again.play(again.legal(again.actors[0])[0], again.actors[0])
        again.next_deal()
        packs.add(again.deals[-1].start.tobytes())
    assert len(packs) == 4


# The table


@pytest.mark.parametrize("game", GAMES)
def test_a_table_goes_on_from_a_decision_as_the_seat_knew_it(game: str) -> None:
    """The seat knows exactly what it knew, and nobody at the table learns more than that; then the deal can be played
    to its end.
    """
    m = played(game)
    deal, number, seat = random.Random(2).choice(decisions(m))
    setup = retried(str(m.record()), deal, number)
    bots = tuple(level and "medium" for level in setup.bots)
    t = Driven(game, people="a", bots=bots, start=setup.start)
    assert t.table.stage == "playing"
    assert t.table.seat_of("a") == seat
    assert t.table.match is not None
    assert knows(t.table.match, seat) == knows(m.record().before(deal, number).resumed(), seat)
    shown = view_seen(t.table, seat)
    assert shown is not None
    assert shown.legal or t.table.real_time
    assert [event.kind for event in shown.sheet].count("win") == 0, "only what happened before"
    assert not table_seen(t.table, "a").fair.commitment, "the cards are known to who looks them up"
    before = t.table.happenings[-1].events
    assert {event.deal for event in before} <= {0, m.deals[deal - 1].number}, (
        "and the cards that were cut for the first dealer"
    )
    for _ in range(60):
        if t.table.stage == "over":
            break
        t.step()
    folded = LiveTable.fold(t.log)
    assert folded.match is not None
    assert str(folded.match.record()) == str(t.table.match.record())


def test_the_table_tells_the_deal_so_far() -> None:
    """Its log has what the moves of the deal brought about, and its sheet the payments, as at the table where they were
    made.
    """
    m = played("fan-tan", ante=2)
    deal, number, _ = [one for one in decisions(m) if one[0] == 2][9]
    t = Driven(
        "fan-tan",
        people="a",
        bots=retried(str(m.record()), deal, number).bots,
        start=str(m.record().before(deal, number)),
    )
    events = t.table.happenings[-1].events
    laid = [event.card for event in events if event.kind == "lay"]
    assert laid == [move for seat, move in m.record().acts(deal)[: number - 1] if move != "pass"]
    shown = view_seen(t.table, 0)
    assert shown is not None
    assert (
        sum(event.amount or 0 for event in shown.sheet if event.kind == "pay")
        == sum(event.amount or 0 for event in events if event.kind == "pay")
        >= 8
    )


def test_it_is_tried_again_and_again() -> None:
    """Another match at that table begins at the same decision, not with new cards; taken back is what was done there,
    and more.
    """
    m = played("oh-hell")
    deal, number, seat = decisions(m)[20]
    setup = retried(str(m.record()), deal, number)
    t = Driven("oh-hell", people="a", bots=tuple(level and "medium" for level in setup.bots), start=setup.start)
    assert t.table.match is not None
    at_first = knows(t.table.match, seat)
    assert t.move("a", t.advised(seat)) is None
    assert t.ask("a", cm.Undo) is None
    assert knows(t.table.match, seat) == at_first
    assert t.ask("a", cm.Resign) is None
    assert t.table.stage == "over"
    record = record_of(t.table)
    assert "fair" not in record.keys
    assert record.replay().result == t.table.match.result
    assert t.ask("a", cm.GetReady) is None
    assert (t.table.stage, t.table.number) == ("playing", 2)
    assert knows(t.table.match, seat) == at_first


def test_real_time_begins_at_a_decision_too() -> None:
    """Pirate's live form: the match stands as it stood, and continues before the arbiter."""
    m = played("pirate", form="live")
    deal, number, seat = decisions(m)[40]
    setup = retried(str(m.record()), deal, number)
    t = Driven("pirate", people="a", bots=setup.bots, start=setup.start)
    assert t.table.real_time
    assert t.table.match is not None
    assert seat in t.table.match.actors
    t.happen(ev.Ticked(tuple("wait" for _ in range(t.table.match.seats))))
    assert t.table.stage == "playing"


def test_who_sits_at_such_a_table() -> None:
    """The match's bots, and hard ones for its people; one person, for more could know what others hold."""
    m = played("fan-tan")
    deal, number, seat = decisions(m)[7]
    text = str(Record({**m.record().keys, "players": ["Ann", "bot: medium", "bot: flat", "Dan"]}))
    levels = ["search", "medium", "flat", "search"]
    levels[seat] = ""
    assert retried(text, deal, number).bots == tuple(levels)
    start = str(m.record().before(deal, number))
    for bots in ((), ("", "", "medium", "medium")):
        with pytest.raises(OptionError, match="anybody who knows where it comes from"):
            checked(Setup("fan-tan", start=start, bots=bots))
    t = Driven("fan-tan", bots=tuple(levels), start=start)
    no = t.ask("a", cm.PutBot, seat=(seat + 1) % 4, level="")
    assert no is not None
    assert str(no.why) == "the person who made this table can know its cards"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"number": "7"}, "a match that is continued has its cards"),
        ({"seats": 5}, "in the match to continue it is 4"),
        ({"preset": "british"}, "denexa"),
        ({"options": {"ante": 3}}, "in the match to continue it is {}"),
        ({"game": "scopa"}, "the match to continue is one of fan-tan"),
        ({"start": "x"}, "record"),
    ],
)
def test_a_setup_that_contradicts_the_match(wrong: dict[str, Any], why: str) -> None:
    start = str(played("fan-tan").record().before(1, 3))
    given: dict[str, Any] = {"game": "fan-tan", "bots": ("", "medium", "medium", "medium"), "start": start}
    with pytest.raises((OptionError, RecordError), match=why):
        checked(Setup(**given | wrong))
    setup = checked(Setup(**given))
    assert (setup.preset, setup.seats, setup.options) == ("denexa", 4, {})
    assert checked(setup) == setup


def test_a_setup_that_names_the_matchs_own_rows_agrees_with_it() -> None:
    start = str(played("fan-tan", stack=(20, 21, 22, 23)).record().before(1, 3))
    setup = checked(Setup("fan-tan", bots=("", "medium", "medium", "medium"), start=start))
    assert setup.options == {"stack": [20, 21, 22, 23]}
    assert checked(setup) == setup


def test_what_is_over_is_not_played_on() -> None:
    m = played("fan-tan", 4000, deals=1)
    assert m.over
    with pytest.raises(OptionError) as no:
        checked(Setup("fan-tan", bots=("", "medium", "medium", "medium"), start=str(m.record())))
    assert no.value.code == "match/over"


def test_a_long_match_is_left_to_the_terminal() -> None:
    keys = played("fan-tan").record().before(1, 3).as_dict()
    start = str(Record(keys | {"deals": [{"deal": 1, "moves": ["0 pass"] * (LONGEST_START + 1)}]}))
    with pytest.raises(OptionError, match="cardtable play --resume") as no:
        checked(Setup("fan-tan", bots=("", "medium", "medium", "medium"), start=start))
    assert no.value.code == "record/size"
    for keys in ({}, {"deals": 7}, {"deals": [7, {"moves": 7}]}):
        assert Record(keys).length == 0


# The server and the command line


async def test_over_http_and_counted_nowhere(tmp_path: Path) -> None:
    m = played("fan-tan", 4000, deals=1)
    deal, number, seat = decisions(m)[-3]
    with served(tmp_path / "tables.db", compile_behind=False) as server:
        async with Client(server.url) as ann, Client(server.url) as eve:
            kept = (await ann.post("/api/records", str(m.record())))["id"]
            path = f"/api/matches/{kept}/retry"
            for at, code in (((9, 1), "record/deal"), ((1, 999), "record/move"), ((0, 1), "message/syntax")):
                assert await refused(ann.post(path, dict(zip(("deal", "number"), at, strict=True)))) == code
            assert await refused(eve.post(path, {"deal": 1, "number": 2})) == "http/missing"
            made = await ann.post(path, {"deal": deal, "number": number, "name": "Ann"})
            async with ann.table(made["id"]) as table:
                await table.until(lambda: table.legal)
                assert table.seat == seat
                assert table.table["played_on"]
                assert table.table["fair"] == {"commitment": "", "secret": ""}
                await play(table)
                assert table.stage == "over"
            listed = (await ann.get("/api/matches"))["matches"]
            assert [one["counts"] for one in listed] == [False, False]
            assert (await ann.get("/api/statistics"))["games"] == []


@pytest.mark.exhaustive
def test_in_the_terminal(tmp_path: Path) -> None:
    """--at plays a record on from before a move, finished or not, in the seat that made it; the file stays as it is."""
    m = played("fan-tan", 4000, deals=1)
    file = tmp_path / "match.toml"
    text = str(m.record())
    file.write_text(text)
    _, number, seat = decisions(m)[-4]
    done = cardtable(
        "play",
        "--resume",
        str(file),
        "--at",
        f"1.{number}",
        "--bot",
        "medium",
        given="1\n" * 100,
        CARDTABLE_DATA=str(tmp_path),
    )
    assert "The match is over" in done.stdout, done.stdout[-800:]
    assert file.read_text() == text
    kept = cardtable("play", "--resume", str(file), "--at", f"1.{number}", given="q\n", CARDTABLE_DATA=str(tmp_path))
    assert "Continue with:" in kept.stdout
    (saved,) = tmp_path.glob("fan-tan-*.toml")
    assert Record.load(saved).keys["table"]["seat"] == seat
    for at, code, why in (
        ("7", 2, "it is a deal and a move"),
        ("2.1", 1, "the record has 1 deals"),
        ("1.999", 1, "the deal has"),
    ):
        assert why in cardtable("play", "--resume", str(file), "--at", at, code=code).stderr
    assert "it names a move of a record" in cardtable("play", "fan-tan", "--at", "1.1", code=2).stderr
