"""Many records in one file: what is put in comes out, damage is reported, a simulation's records are its matches."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable import Match, OptionError, Record, RecordError, SaveError
from cardtable.base.errors import CardtableError
from cardtable.kernel import prng
from cardtable.lab import notes
from cardtable.lab.notes import FEWEST, Notes
from cardtable.lab.records.recheck import Checker, Codes
from cardtable.lab.records.recorded import Recorder
from cardtable.lab.records.tally import tally
from cardtable.lab.simulate import BlockPlayer, simulate
from cardtable.lab.study.study_file import Saved
from cardtable.match.record_file import Collection, no_base, of_arrow, read, to_arrow, write_lines
from cardtable.rules import catalog
from cardtable.rules.ruleset import Ruleset
from cardtable.testing.houses import brief
from tests.support.commands import call
from tests.support.databases import sqlite
from tests.support.effort import cases
from tests.support.programs import needs


def recorder(game: str, bots: str, seed: str = "tea", seats: int | None = None, **options: Any) -> Recorder:
    ruleset = Ruleset.parse(game, None, seats, options)
    levels = bots.split(",")
    return Recorder(ruleset, levels * ruleset.seats if len(levels) == 1 else levels, seed)


def made(count: int, **options: Any) -> list[dict[str, Any]]:
    return list(recorder("fan-tan", "medium", seats=3, deals=1, **options).records(count))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "deals.cards"


@pytest.fixture
def collection(file: Path) -> Iterator[Collection]:
    """Twenty records in several blocks."""
    with Collection(file, create=True) as collected:
        collected.add(made(12))
        collected.add(map(Record, made(20)[12:]))
        yield collected


def test_what_is_put_in_comes_out(collection: Collection, file: Path) -> None:
    records = made(20)
    assert len(collection) == 20
    assert [record.keys for record in collection] == records
    assert collection[3].keys == records[3]
    assert collection[-1].keys == records[19]
    assert [record.keys for record in collection[5:14:4]] == records[5:14:4]
    with pytest.raises(IndexError):
        collection[20]
    assert [keys["seed"] for keys in read(file)] == [f"tea, match {k}" for k in range(20)]


def test_blocks_are_small(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import cardtable.match.record_file as module

    monkeypatch.setattr(module, "BLOCK", 1000)
    monkeypatch.setattr(module, "ROWS", 2)
    with Collection(file, create=True) as collected:
        assert collected.add(made(30)) == 30
        assert [record.keys for record in collected] == made(30)
        assert collected[17].keys == made(30)[17]
    with sqlite(file) as base:
        assert base.execute("SELECT count(*) FROM blocks").fetchone()[0] > 5


def test_records_are_found_by_what_they_are_of(collection: Collection) -> None:
    collection.add(recorder("fan-tan", "medium", seats=4, deals=1).records(2))
    assert collection.where(seats=4) == [20, 21]
    assert collection.where(seats=3, seed="tea, match 7") == [7]
    assert collection.where(game="spider") == []
    assert len(collection.where()) == 22
    assert collection.values("seats") == [3, 4]
    with pytest.raises(OptionError):
        collection.where(colour="red")


def test_an_error_leaves_the_file_as_it_was(collection: Collection) -> None:
    def broken() -> Iterator[dict[str, Any]]:
        yield from made(3)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        collection.add(broken())
    with pytest.raises(RecordError):
        collection.add([*made(2), {"game": "fan-tan"}])
    assert len(collection) == 20
    assert collection.add(made(1)) == 1


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"cardtable": 9, "game": "fan-tan", "deals": []},
        {"cardtable": 1, "deals": []},
        {"cardtable": 1, "game": "fan-tan", "deals": [{}]},
        {"cardtable": 1, "game": "fan-tan", "deals": [3]},
        {"cardtable": 1, "game": "fan-tan", "deals": [], "seats": "four"},
    ],
)
def test_what_is_no_record_is_refused(collection: Collection, keys: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        collection.add([keys])


def test_strange_and_damaged_files_are_told(tmp_path: Path, file: Path) -> None:
    with pytest.raises(RecordError, match="no such file"):
        Collection(tmp_path / "none.cards")
    strange = tmp_path / "strange.cards"
    strange.write_bytes(b"neither here nor there" * 100)
    with pytest.raises(RecordError):
        Collection(strange)
    strange.write_bytes(b"")
    with pytest.raises(RecordError, match="empty"):
        Collection(strange)
    with sqlite(tmp_path / "other.db") as base:
        base.execute("CREATE TABLE t (x)")
    with pytest.raises(RecordError, match="no collection"):
        Collection(tmp_path / "other.db")
    with pytest.raises(SaveError, match="the file cannot be opened"):
        Collection(tmp_path / "none" / "new.cards", create=True)
    with Collection(file, create=True) as collected:
        collected.add(made(5))
    with sqlite(file) as base:
        base.execute("UPDATE blocks SET records = x'00112233'")
    with Collection(file) as collected, pytest.raises(RecordError, match="damaged"):
        list(collected)
    with sqlite(file) as base:
        base.execute("DELETE FROM blocks")
    with Collection(file) as collected, pytest.raises(RecordError, match="damaged"):
        collected[2]
    file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(RecordError), Collection(file) as collected:
        list(collected)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("SQLITE_FULL", "the disk is full"),
        ("SQLITE_BUSY_SNAPSHOT", "another program keeps the file locked"),
        ("SQLITE_READONLY", "the file cannot be written to"),
        ("SQLITE_CANTOPEN_ISDIR", "the file cannot be opened"),
        ("SQLITE_IOERR_READ", "the disk cannot be read or written"),
        ("SQLITE_NOTADB", "the file is damaged, or was made by another program"),
        ("SQLITE_ERROR", "the file is damaged, or was made by another program"),
    ],
)
def test_what_sqlite_cannot_do_is_said_in_words_of_our_own(code: str, why: str) -> None:
    error = sqlite3.OperationalError("SQL logic error")
    error.sqlite_errorname = code
    assert str(no_base(error)) == why


def test_a_collection_says_what_is_wrong_with_its_file(file: Path) -> None:
    with Collection(file, create=True) as collected:
        collected.add(made(1))
    with pytest.raises(RecordError, match=f"{file}: the file has been closed"):
        len(collected)
    with sqlite(file) as base:
        base.execute("DROP TABLE matches")
    with Collection(file) as collected, pytest.raises(RecordError, match="the file is damaged, or was made by another"):
        len(collected)


def test_other_kinds_of_files_are_read(tmp_path: Path) -> None:
    lines, one = tmp_path / "deals.jsonl", tmp_path / "one.toml"
    assert write_lines(lines, made(4)) == 4
    assert list(read(lines)) == made(4)
    Record(made(1)[0]).save(one)
    assert list(read(one)) == made(1)
    lines.write_text(json.dumps(made(1)[0]) + "\n{broken\n")
    with pytest.raises(RecordError, match="line 2"):
        list(read(lines))
    with pytest.raises(RecordError):
        list(read(tmp_path / "none.jsonl"))
    with pytest.raises(SaveError):
        write_lines(tmp_path / "none" / "x.jsonl", made(1))


@needs("pyarrow")
def test_arrow_and_back(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    played = Match("fan-tan", 4, seed=3, ante=2)
    collection.add([played.record()])
    position = Match.from_position(played.position(), seed=1).record()
    collection.add([position, {**made(1)[0], "note": "from a friend", "proof": {"a": 1}}])
    table = collection.arrow()
    assert table.num_rows == 23
    assert [record.keys for record in of_arrow(table)] == [dict(record.keys) for record in collection]
    assert table.column("game").to_pylist() == ["fan-tan"] * 23
    with pytest.raises(RecordError):
        to_arrow([{**made(1)[0], "seats": "four"}])
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(OptionError, match="frames"):
        collection.arrow()


# A simulation's records


@pytest.mark.parametrize("bots", ["medium", "random", "random,medium,random,medium", "flat:4,medium,medium,medium"])
def test_the_records_of_a_simulation_are_its_matches(bots: str) -> None:
    deals = 10 if "flat" not in bots else 4
    result = simulate("fan-tan", deals, seats=4, bots=bots.split(","), seed="tea")
    records = list(recorder("fan-tan", bots, seats=4).records(deals))
    (told,) = tally(records)
    assert (told.deals, told.matches, told.moves) == (result.deals, result.matches, result.moves)
    assert told.won == list(result.wins)
    assert [x / deals for x in told.paid] == pytest.approx([x.mean for x in result.payoff])
    assert told.unfinished == (deals % 4 > 0)


@pytest.mark.parametrize("bots", ["random", "medium"])
@pytest.mark.parametrize("name", cases(catalog.games(), ("fan-tan",)))
def test_records_replay_and_are_the_matches_own(name: str, bots: str) -> None:
    """Every game's records pass the full check, and are, key by key, what the match replayed writes down."""
    game = catalog.find(name)
    for keys in recorder(name, bots, seed="every game", **brief(game)).records(3):
        m = Record.parse(json.loads(json.dumps(keys))).replay()
        assert dict(m.record().keys) == keys
        assert Checker().check(keys) == sum(len(deal["moves"]) for deal in keys["deals"])


@pytest.mark.parametrize("seed", ["", "  ", "x" * 171])
def test_a_seed_must_leave_room_for_the_number(seed: str) -> None:
    with pytest.raises(OptionError, match="each match has a seed"):
        recorder("fan-tan", "medium", seed=seed)


def test_the_longest_seed_replays() -> None:
    keys = next(recorder("fan-tan", "medium", seed="x" * 170, seats=3).records(1))
    assert Record.parse(keys).replay().seed == keys["seed"]


def test_a_match_of_a_study_is_opened_by_its_seed() -> None:
    m = Match("fan-tan", 4, seed=prng.match_seed("tea", 2), auto=False)
    assert m.seed == "tea, match 2"
    record = Record(list(recorder("fan-tan", "medium", seats=4).records(12))[2])
    for seat, move in record.acts(1):
        m.play(move, seat)
    assert m.results[0].payoff == tuple(record.keys["deals"][0]["payoff"])
    key = np.zeros(4, np.uint64)
    prng.derive(key, prng.key_of("tea"), 2, prng.MATCH)
    assert (prng.key_of("tea, match 2") == key).all()
    assert (prng.key_of("tea, match") != prng.key_of("tea")).any()


# Checking


def wrong(keys: dict[str, Any], change: Any) -> dict[str, Any]:
    copied: dict[str, Any] = json.loads(json.dumps(keys))
    change(copied)
    return copied


@pytest.mark.parametrize(
    "change",
    [
        lambda keys: keys["deals"][0]["moves"].pop(),
        lambda keys: keys["deals"][0]["moves"].append("0 7H"),
        lambda keys: keys["deals"][0]["moves"].reverse(),
        lambda keys: keys["deals"][0]["moves"].__setitem__(3, "9 7H"),
        lambda keys: keys["deals"][0]["moves"].__setitem__(3, "no move"),
        lambda keys: keys["deals"][0]["moves"].__setitem__(3, 7),
        lambda keys: keys["deals"][0]["payoff"].reverse(),
        lambda keys: keys["deals"][0].__setitem__("winner", 3 - keys["deals"][0]["winner"]),
        lambda keys: keys["result"].__setitem__("scores", [0, 0, 0, 0]),
        lambda keys: keys.__setitem__("dealer", 77),
        lambda keys: keys.__setitem__("seed", 4),
        lambda keys: keys.__setitem__("game", "whist"),
        lambda keys: keys.pop("version"),
    ],
)
def test_the_fast_check_finds_what_the_slow_one_does(change: Any) -> None:
    keys = next(recorder("fan-tan", "medium", seats=4).records(4))
    assert Checker().check(keys) > 100
    broken = wrong(keys, change)
    with pytest.raises(Exception, match=".") as slow:
        Record.parse(broken).replay()
    with pytest.raises(type(slow.value)) as fast:
        Checker().check(broken)
    assert str(fast.value) == str(slow.value)


def test_a_text_that_depends_on_the_state_has_no_code() -> None:
    spider = Codes(catalog.find("spider"))
    assert spider("3-7") is None
    assert spider("deal") is not None
    assert Codes(catalog.find("fan-tan"))("7H") is not None
    assert Codes(catalog.find("fan-tan"))("nonsense") is None


# The command


def test_records_from_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "deals.cards")
    words = ("simulate", "fan-tan", "--seats", "3", "--set", "deals=1", "--deals", "5", "--bot", "easy")
    code, _, err = call(capsys, *words, "--records", file)
    assert code == 0
    assert f"{file}: 5 records" in err
    assert call(capsys, *words, "--seats", "4", "--records", file)[0] == 0
    code, out, _ = call(capsys, "records", "stats", file, "--json")
    data = json.loads(out)
    assert [(each["seats"], each["matches"], each["deals"]) for each in data] == [(3, 5, 5), (4, 5, 5)]
    assert "5 matches (0 unfinished)" in call(capsys, "records", "stats", file)[1]
    code, out, _ = call(capsys, "records", "check", file, "--json")
    assert (code, json.loads(out)["records"], json.loads(out)["failed"]) == (0, 10, 0)

    three = str(tmp_path / "three.jsonl")
    code, out, _ = call(
        capsys, "records", "filter", file, "--seats", "3", "--game", "Fan Tan", "--out", three, "--json"
    )
    assert json.loads(out) == {"file": three, "records": 5}
    code, out, _ = call(capsys, "records", "split", file, "--by", "seats", "--to", str(tmp_path), "--json")
    assert [each["records"] for each in json.loads(out)] == [5, 5]
    code, out, _ = call(capsys, "records", "split", file, "--every", "4", "--to", str(tmp_path / "new"))
    assert code == 0
    parts = sorted((tmp_path / "new").iterdir())
    assert [path.name for path in parts] == ["deals-1.cards", "deals-2.cards", "deals-3.cards"]
    whole = str(tmp_path / "whole.cards")
    assert call(capsys, "records", "merge", *map(str, parts), "--out", whole)[0] == 0
    assert list(read(whole)) == list(read(file))
    code, _, err = call(capsys, "records", "merge", file, "--out", whole)
    assert code == 2
    assert "there already" in err


def test_a_wrong_record_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = str(tmp_path / "deals.jsonl")
    records = made(3)
    records[1] = wrong(records[1], lambda keys: keys["deals"][0]["payoff"].reverse())
    write_lines(file, records)
    code, out, err = call(capsys, "records", "check", file)
    assert code == 1
    assert "record 1: deal 1" in err
    assert "1 failed" in out
    code, out, _ = call(capsys, "records", "check", file, "--json")
    assert json.loads(out)["failures"][0]["number"] == 1
    code, _, err = call(capsys, "records", "stats", str(tmp_path / "none.cards"))
    assert code == 3
    (tmp_path / "strange.jsonl").write_text(json.dumps(records[0]) + '\n{"a": 1}\n')
    code, _, err = call(capsys, "records", "stats", str(tmp_path / "strange.jsonl"))
    assert code == 1
    assert "strange.jsonl, record 1: it does not say which game" in err
    code, _, err = call(capsys, "records", "split", file)
    assert code == 2
    code, _, err = call(capsys, "records", "filter", file, "--game", "whist", "--out", str(tmp_path / "x.jsonl"))
    assert code == 2


@pytest.mark.parametrize(
    ("game", "seats", "bots", "deals"),
    [
        ("fan-tan", 4, "medium", 90),
        ("fan-tan", 3, "medium,search:20,medium", 3),
        *cases([("scopa", 2, "soft", 20), ("thirty-one", 2, "random", 60), ("crazy-eights", 2, "medium,soft", 60)], 0),
    ],
)
def test_a_simulation_is_the_same_with_records_and_they_add_up_to_it(
    game: str,
    seats: int,
    bots: str,
    deals: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(notes, "FEWEST", 1)  # so that they must get more room
    file = tmp_path / "deals.cards"
    words = ("simulate", game, "--seats", str(seats), "--deals", str(deals), "--bot", bots, "--seed", "a", "--json")
    data = [json.loads(call(capsys, *words, *more)[1]) for more in ((), ("--records", str(file)))]
    plain, collected = ({k: v for k, v in one.items() if not k.endswith(("seconds", "second"))} for one in data)
    assert plain == collected
    with Collection(file) as collection:
        records = list(collection)
    played = [deal for record in records for deal in record.keys["deals"]]
    assert (len(records), len(played)) == (collected["matches"], collected["deals"])
    assert sum(len(deal["moves"]) for deal in played) == collected["moves"]
    for seat, paid in enumerate(collected["payoff"]):
        assert sum(deal["payoff"][seat] for deal in played) / len(played) == pytest.approx(paid["mean"])
        assert sum(deal.get("winner", -1) == seat for deal in played) == collected["wins"][seat]
    for record in records:
        assert dict(record.replay().record().keys) == record.keys


def test_a_bot_with_a_time_is_recorded_as_it_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It never plays twice alike."""
    file = tmp_path / "x.cards"
    words = ("simulate", "fan-tan", "--seats", "3", "--bot", "hard:0.001s", "--deals", "2", "--records", str(file))
    code, out, _ = call(capsys, *words, "--json")
    assert code == 0
    with Collection(file) as collected:
        (record,) = collected
    moves = [move for deal in record.keys["deals"] for move in deal["moves"]]
    assert len(moves) == json.loads(out)["moves"]
    assert len(record.replay().results) == 2
    assert record.keys.get("unfinished")


def test_what_was_played_until_ctrl_c_is_recorded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    played = BlockPlayer.note

    def stopped(self: BlockPlayer, first: int, *rest: Any) -> Any:
        if first:
            raise KeyboardInterrupt
        return played(self, first, *rest)

    monkeypatch.setattr(BlockPlayer, "note", stopped)
    file = tmp_path / "deals.cards"
    words = ("simulate", "fan-tan", "--seats", "3", "--set", "deals=2", "--deals", "20000", "--bot", "medium")
    code, out, err = call(capsys, *words, "--records", str(file), "--json")
    assert (code, json.loads(out)["partial"]) == (130, True)
    with Collection(file) as collected:
        assert len(collected) == json.loads(out)["matches"] > 1000
    assert f"{file}: {json.loads(out)['matches']} records" in err


def test_notes_have_room_for_all_that_is_played() -> None:
    """The first block needs more than there is, and is played again; the next ones have enough."""
    made = recorder("fan-tan", "medium", seats=4)
    small = Notes(0, 40, 0, 0)
    total = made.tables.note(0, 40, 150, small)
    assert small.moves == total.moves > FEWEST
    assert (small.deals, small.matches) == (150, 38)
    assert len(small.log) >= small.moves
    assert len(small.rows) >= small.deals
    again = small.after(0, 40)
    log, rows = again.log, again.rows
    made.tables.note(0, 40, 150, again)
    assert again.log is log
    assert again.rows is rows
    assert list(made.told(small)) == list(made.told(again))


@pytest.mark.parametrize("make", [lambda file: Collection(file), lambda file: Saved(file, {})])
def test_a_file_that_is_refused_is_not_left_open(
    make: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.13 warns of connections that are left open, and Windows cannot remove the file."""
    opened: list[sqlite3.Connection] = []
    connect = sqlite3.connect

    def noting(*given: Any, **how: Any) -> sqlite3.Connection:
        opened.append(connect(*given, **how))
        return opened[-1]

    monkeypatch.setattr(sqlite3, "connect", noting)
    strange = tmp_path / "strange.db"
    strange.write_bytes(b"no database at all" * 100)
    with pytest.raises(CardtableError):
        make(strange)
    assert len(opened) == 1
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")
