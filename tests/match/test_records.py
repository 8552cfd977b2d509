"""Records: written, read, replayed and checked; broken, truncated, foreign ones are refused with the place and the
rule.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cardtable import CardtableError, Match, Record, RecordError, SaveError
from cardtable.base import toml
from cardtable.base.message import Message
from tests.support.games.tables import sit


def finished(**options: Any) -> Match:
    """A whole match of four deals with a cut for the first dealer."""
    m = Match("fan-tan", 4, "british", seed="7", **options)
    while not m.over:
        m.play(m.legal()[0])
    return m


@pytest.fixture(scope="module")
def text() -> str:
    return str(finished().record())


def refusal(text: str) -> RecordError:
    with pytest.raises(RecordError) as caught:
        Record.parse(text).replay()
    return caught.value


def test_a_record_reads_as_the_api_page_says(text: str) -> None:
    """The keys of docs/api.md §5, in that order."""
    assert re.findall(r"^(\w+) =", text, re.M)[:7] == [
        "cardtable",
        "game",
        "version",
        "rules",
        "seats",
        "seed",
        "dealer",
    ]
    keys = Record.parse(text).as_dict()
    assert keys["cuts"]
    assert all(re.fullmatch(r"\d [A23456789TJQK][SHDC]", cut) for cut in keys["cuts"])
    assert [sorted(deal) for deal in keys["deals"]] == [["deal", "moves", "payoff", "winner"]] * 4
    assert re.fullmatch(r"\d (7[SHDC]|pass)", keys["deals"][0]["moves"][0])
    assert sum(keys["result"]["scores"]) == 100
    assert "unfinished" not in keys
    assert "options" not in keys


def test_round_trip_and_replay(text: str) -> None:
    """Written, read and replayed it is the same match."""
    m = Match.from_record(text)
    assert str(m.record()) == text
    assert m.over
    assert str(Match.from_record(Record.parse(text).as_dict()).record()) == text
    assert str(Match.from_record(m.record()).record()) == text


def test_an_unfinished_match_is_resumed() -> None:
    """`unfinished = true`: replayed, it plays on to the same end."""
    whole = finished(ante=2)
    m = Match("fan-tan", 4, "british", seed="7", ante=2)
    for _ in range(50):
        m.play(m.legal()[0])
    again = Match.from_record(str(m.record()))
    assert "unfinished = true" in str(m.record())
    assert "[options]\nante = 2" in str(m.record())
    while not again.over:
        again.play(again.legal()[0])
    assert str(again.record()) == str(whole.record())


def test_records_from_packs_positions_and_named_dealers() -> None:
    """What does not follow from the seed is in the record."""
    pack = " ".join(rank + suit for suit in "SHDC" for rank in "A23456789TJQK")
    dealt = Match.from_pack(pack, "fan-tan", 3, deals=1, seed=4)
    placed = sit(
        "fan-tan", "stops", ["8S 2H", "9S 6S", "TS 3H"], "S 7", options={"deals": 2}, pot=4, stacks=[20, 20, 20]
    )
    named = Match("fan-tan", seed=3, dealer=2)
    for m in (dealt, placed, named):
        for _ in range(4):
            m.play(m.legal()[0])
        text = str(m.record())
        again = Match.from_record(text)
        assert str(again.record()) == text
        assert again.actors == m.actors
        assert again.scores == m.scores
    assert "pack = " in str(dealt.record())
    assert "[position]" in str(placed.record())


def test_a_resigned_match() -> None:
    m = Match("fan-tan", seed=3)
    m.play(m.legal()[0])
    m.resign(1)
    again = Match.from_record(str(m.record()))
    assert again.over
    assert again.result == m.result


def change(old: str, new: str, count: int = 1) -> Callable[[str], str]:
    """An edit of a record's text."""
    return lambda text: re.sub(old, new, text, count=count, flags=re.M)


@pytest.mark.parametrize(
    ("edit", "code"),
    [
        (change(r"^cardtable = 1", "cardtable = 2"), "record/version"),
        (change(r"^version = \d+", "version = 99"), "record/version"),
        (change(r"^version = \d+\n", ""), "record/syntax"),
        (change(r"^version = \d+", 'version = "one"'), "record/syntax"),
        (change(r"^version = \d+", "version = true"), "record/syntax"),
        (change(r"^seats = 4", "seats = 9"), "record/syntax"),
        (change(r"^rules = .*", 'rules = "brutish"'), "record/syntax"),
        (change(r"^seats = 4", "seats = 4\nfoo = [[[["), "record/syntax"),
        (change(r"^moves = \[", 'moves = ["9 7H", '), "record/syntax"),
        (change(r"^moves = \[", 'moves = ["1 8X", '), "record/syntax"),
        (change(r"^moves = \[", 'moves = ["x", '), "record/syntax"),
        (change(r"^moves = \[", "moves = [7, "), "record/syntax"),
        (change(r"^deal = 2", "deal = 3"), "record/syntax"),
        (change(r"^winner = \d", "winner = 9"), "record/result"),
        (change(r"^payoff = \[", "payoff = [0, "), "record/result"),
        (change(r"^scores = \[", "scores = [0, "), "record/result"),
        (change(r"^winners = \[", "winners = [0, 1, 2, 3, "), "record/result"),
        (change(r"^\[\[deals\]\](.|\n)*", ""), "record/syntax"),
        (change(r"^\[\[deals\]\]\ndeal = 4(.|\n)*", ""), "record/truncated"),
        (lambda text: "", "record/syntax"),
        (lambda text: "hello\n", "record/syntax"),
        (lambda text: "[" * 5000, "record/syntax"),
    ],
)
def test_broken_records(text: str, edit: Callable[[str], str], code: str) -> None:
    """Each has its code, says what and why, and is no traceback."""
    broken = edit(text)
    assert broken != text
    error = refusal(broken)
    assert error.code == code
    assert error.what


def test_an_unknown_game_in_a_record(text: str) -> None:
    with pytest.raises(CardtableError) as caught:
        Record.parse(text.replace('"fan-tan"', '"fan-tin"')).replay()
    assert caught.value.code == "game/unknown"


def test_an_illegal_move_is_told_with_deal_number_and_rule(text: str) -> None:
    """A card that does not fit, a wrong seat, a move after the end: deal, move number, rule."""
    keys = Record.parse(text).as_dict()
    moves = [list(deal["moves"]) for deal in keys["deals"]]

    def replayed(deal: int, changed: list[str]) -> RecordError:
        deals = [dict(d, moves=changed) if d["deal"] == deal else d for d in keys["deals"]]
        with pytest.raises(RecordError) as caught:
            Match.from_record(keys | {"deals": deals})
        return caught.value

    seat, card = moves[1][5].split()
    error = replayed(2, [*moves[1][:5], f"{seat} {'AS' if card != 'AS' else 'KS'}", *moves[1][6:]])
    assert (error.code, error.deal, error.number) == ("record/illegal", 2, 6)
    assert error.rule.startswith("FT-")
    assert "deal 2, move 6" in str(error)
    other = (int(moves[0][0].split()[0]) + 1) % 4
    error = replayed(1, [f"{other} pass", *moves[0][1:]])
    assert (error.code, error.deal, error.number, error.rule) == ("record/illegal", 1, 1, "FT-20")
    error = replayed(3, [*moves[2], "0 pass"])
    assert (error.code, error.deal, error.number, error.rule) == ("record/illegal", 3, len(moves[2]) + 1, "FT-41")
    error = replayed(4, moves[3][:-1])
    assert (error.code, error.deal, error.number, error.rule) == ("record/truncated", 4, len(moves[3]), "FT-41")


def test_a_file_that_just_stops(text: str) -> None:
    """Cut at any place, a record is refused; within the moves it says so and how far it goes."""
    truncated = 0
    for at in range(0, len(text) - 1, 97):
        error = refusal(text[:at])
        assert error.code.startswith("record/")
        assert error.code == "record/truncated" or text[at - 1] == "\n" or at < 40, text[at - 40 : at]
        truncated += error.deal > 1
    assert truncated > 5


# Files


def test_save_and_load(tmp_path: Path, text: str) -> None:
    """Written next to its place and renamed there; nothing else is left."""
    path = tmp_path / "match.toml"
    record = Record.parse(text)
    record.save(path)
    record.save(path)
    assert path.read_text("utf-8") == text
    assert str(Record.load(path)) == text
    assert os.listdir(tmp_path) == ["match.toml"]


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "noise").write_bytes(b"\x00\x80\xff")
    for name in ("nothing", ".", "noise"):
        with pytest.raises(RecordError) as caught:
            Record.load(tmp_path / name)
        assert caught.value.code == "record/file"
        assert all(caught.value.as_dict().values())


@pytest.mark.parametrize(
    ("failing", "fault"),
    [
        ("fsync", OSError(errno.ENOSPC, "No space left on device")),
        ("replace", OSError(errno.ENOSPC, "No space left on device")),
        ("fsync", KeyboardInterrupt()),
    ],
)
def test_a_full_disk_or_ctrl_c_leaves_the_old_file_whole(
    tmp_path: Path, text: str, failing: str, fault: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was there is as it was, and no half file is left next to it; a full disk is a SaveError."""
    path = tmp_path / "match.toml"
    path.write_text("the old one", "utf-8")

    def fails(*_: object) -> None:
        raise fault

    monkeypatch.setattr(os, failing, fails)
    with pytest.raises((SaveError, KeyboardInterrupt)) as caught:
        Record.parse(text).save(path)
    if isinstance(fault, OSError):
        assert isinstance(caught.value, SaveError)
        assert (caught.value.code, caught.value.exit_code) == ("file/save", 3)
        assert "No space left" in str(caught.value)
    assert path.read_text("utf-8") == "the old one"
    assert os.listdir(tmp_path) == ["match.toml"]


# How files are laid out


def test_a_document_reads_as_a_person_would_write_it() -> None:
    """Plain keys, tables, lists of tables, in this order; tables in one another on one line; long lists on several
    lines.
    """
    moves = [f"{number % 4} {number}H" for number in range(10, 40)]
    keys = {
        "deals": [{"deal": 1, "moves": moves}, {"deal": 2, "moves": []}],
        "options": {"ante": 2, "at": {"seat": 1}},
        "game": "fan-tan",
        "scores": (1, -2),
    }
    text = toml.dumps(keys)
    lines = text.splitlines()
    assert lines[:9] == [
        'game = "fan-tan"',
        "scores = [1, -2]",
        "",
        "[options]",
        "ante = 2",
        "at = {seat = 1}",
        "",
        "[[deals]]",
        "deal = 1",
    ]
    assert lines[9] == "moves = ["
    assert lines[10].startswith('    "2 10H", "3 11H", ')
    assert lines[10].endswith(",")
    assert max(map(len, lines)) <= toml.WIDTH
    assert lines[-5:] == ["]", "", "[[deals]]", "deal = 2", "moves = []"]
    assert toml.loads(text) == keys | {"scores": [1, -2]}


def test_tables_alone_do_not_begin_with_an_empty_line() -> None:
    assert toml.dumps({"options": {"ante": 2}}) == "[options]\nante = 2\n"


@pytest.mark.parametrize("words", ["\x7f\0\t", "a\nb", '"\\', "é 7♥", "# no comment", "'''", "", "x" * 200])
def test_any_text_is_kept(words: str) -> None:
    keys = {
        "text": words,
        "list": [words] * 3,
        "table": {"text": words, "inner": {"list": [words, [words]]}},
        "tables": [{"text": words}],
    }
    assert toml.loads(toml.dumps(keys)) == keys
    assert toml.loads(toml.dumps({words[:90]: 1})) == {words[:90]: 1}


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (None, "options is not a table"),
        (["ante"], "options is not a table"),
        ({"seats": 3}, "there is no such option"),
        ({"seed": "7"}, "there is no such option"),
        ({"auto": True}, "there is no such option"),
        ({"pause": True}, "there is no such option"),
        ({"game": "fan-tan"}, "there is no such option"),
        ({"dealer": 1}, "there is no such option"),
    ],
    ids=str,
)
def test_only_house_rules_are_options_of_a_record(text: str, options: Any, why: str) -> None:
    """Not what else a match is made from, and in words of our own, not Python's."""
    with pytest.raises(RecordError, match=why) as caught:
        Record(Record.parse(text).as_dict() | {"options": options}).replay()
    assert "argument" not in str(caught.value)
    assert "mapping" not in str(caught.value)


@pytest.mark.parametrize("pack", [7, True, ["AS"]])
def test_the_pack_of_a_later_deal_is_a_text(text: str, pack: Any) -> None:
    keys = Record.parse(text).as_dict()
    keys["deals"][1]["pack"] = pack
    with pytest.raises(RecordError, match="deal 2 of the record: pack is not text"):
        Record(keys).replay()


def test_a_reason_within_a_refusal_can_be_translated(text: str) -> None:
    for changed in ({"seats": 1}, {"options": {"ante": "x"}}, {"title": "x"}):
        with pytest.raises(RecordError) as caught:
            Record(Record.parse(text).as_dict() | changed).replay()
        assert isinstance(caught.value.parts[1], Message)
