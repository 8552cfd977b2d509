"""Playing in the terminal and through a pipe: prompts, matches put aside and resumed, Ctrl-C, full disks."""

from __future__ import annotations

import errno
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from commands import ROOT, run, surroundings
from effort import cases
from houses import brief
from terminal import POSITION, at

from cardtable import Match, Record, SaveError, catalog
from cardtable.cli import kept
from cardtable.cli.table import Left

# Through a pipe

QUICK = ("--bot", "simple", "--seed", "7")


@pytest.mark.parametrize("name", cases(catalog.games(), ("busca", "fan-tan", "spider")))
def test_yes_1_finishes_a_match(name: str, tmp_path: Path) -> None:
    record = tmp_path / "m.toml"
    short = [f"--set={option}={value}" for option, value in brief(catalog.find(name)).items()]
    done = run("play", name, *QUICK, *short, "--record", str(record), given="1\n" * 20_000)
    assert "The match is over" in done.stdout
    assert done.stderr == ""
    m = Record.load(record).replay()
    assert m.over
    assert ("★" in done.stdout) == bool(m.result and m.result.winners)
    told = run("replay", str(record))
    assert told.stdout.splitlines()[-1].startswith("result: scores")


def test_a_real_pipe(tmp_path: Path) -> None:
    command = f"yes 1 | '{sys.executable}' -m cardtable play fan-tan --bot simple; echo ${{PIPESTATUS[1]}}"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, env=surroundings(), capture_output=True, text=True, timeout=120)
    assert done.stdout.endswith("\n0\n")
    assert "The match is over" in done.stdout


@pytest.mark.parametrize("seats", [3, 8])
@pytest.mark.parametrize("seat", ["0", "2", "none"])
def test_any_seat_and_none(seats: int, seat: str) -> None:
    done = run("play", "fan-tan", "--seats", str(seats), "--seat", seat, "--set", "deals=1", *QUICK, given="1\n" * 200)
    assert ("your move>" in done.stdout) == (seat != "none")
    assert done.stdout.count("The match is over") == 1


def test_the_same_seed_is_the_same_match() -> None:
    one, other, third = (run("play", "fan-tan", "--bot", "random", "--seed", seed, given="1\n" * 500).stdout for seed in ("word", "word", "other"))
    assert one == other != third


def test_commands_at_the_prompt() -> None:
    """Seed 5, 4 seats: your first turn with 7S and 7H to choose from."""
    said = run(
        "play",
        "fan-tan",
        "--bot",
        "simple",
        "--seed",
        "5",
        "--set",
        "first_dealer=seat 2",
        "--seat",
        "1",
        given="?\n? FT-25\n? rules\n? xyzzy\nh\nt\nl\n99\nKS\nfoo\n\n\xb2\nu\nq\n",
        code=None,
    ).stdout
    assert "? rules         the rules at this table; ? FT-20 one clause of them" in said
    assert "8S              lay the eight of spades." in said
    assert "FT-25 · Cards that fit after the opening" in said
    assert "House rules at this table:\n\n- `first_dealer`: **seat 2** instead of random" in said
    assert "The page of Fan Tan has no xyzzy, nor is it a move." in said
    assert "There is no move 99: choose 1 to" in said
    assert "'foo' is not a move" in said
    assert "undo: you have made no move yet" in said


def test_refusals_name_the_rule() -> None:
    m = Match.from_position(POSITION)
    table, written = at(m)
    assert table._answer("KC", m.view(0)) is False
    assert " You may not play K♣: the clubs row is not open: it begins with its 7 (FT-25). You may: 8♠, 5♥\n" in written()
    assert table._answer("? pass", m.view(0)) is False
    assert "(FT-32)" in written()
    assert table._answer("? 8S", m.view(0)) is False
    assert "You may play 8♠." in written()
    assert table._answer("8♠", m.view(0)) is True
    assert m.moves[0].move == "8S"


@pytest.mark.parametrize("text", ["0", "3", "-1", "9" * 5000, "²", "٣", "1 1", "8S KC", "\x00", "?" * 3000, "u", "💥", "play 8S"])
def test_odd_input_changes_nothing(text: str) -> None:
    m = Match.from_position(POSITION)
    before = m.position().text
    table, written = at(m)
    assert table._answer(text, m.view(0)) is False
    assert m.position().text == before
    assert len(written()) < 2000


def test_bytes_that_are_no_text_are_refused() -> None:
    done = run("play", "fan-tan", *QUICK, given=b"\xff\xfe\x00\n" + os.urandom(2000) + b"\n")
    assert "is not a move" in done.stdout


def test_undo_takes_back_your_move_and_what_followed() -> None:
    m = Match("fan-tan", 4, seed=5, dealer=3)
    table, written = at(m)
    before = [m.position().text]
    while len(before) < 4:
        if m.actors == (0,):
            assert table._play(m.legal()[0])
            before.append("")
        else:
            table._bot(m.actors[0])
        if m.actors == (0,):
            before[-1] = m.position().text
    for text in reversed(before[:-1]):
        assert table._answer("u", m.view(0)) is True
        assert m.position().text == text
    assert "is taken back" in written()
    assert table._answer("u", m.view(0)) is False
    assert "you have made no move yet" in written()


def test_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable import warm
    from cardtable.cli import table as module

    monkeypatch.setattr(module, "HINT", "search:40")
    monkeypatch.setattr(warm, "plain", lambda: False)
    m = Match.from_position(POSITION)
    table, written = at(m)
    table._hint(m.view(0))
    assert re.search(r"(8♠|5♥) looks best\. What this deal should bring you: \1 [+-]\d+\.\d, (8♠|5♥) [+-]", written())
    monkeypatch.setattr(warm, "plain", lambda: True)
    table._hint(m.view(0))
    assert re.search(r"By rule of thumb: (8♠|5♥) \(search is not compiled\)", written())
    table.behind = object()
    table._hint(m.view(0))
    assert "(search is still being compiled)" in written()


# Kept matches


def test_the_end_of_the_input_keeps_the_match_if_a_file_is_named(tmp_path: Path) -> None:
    record = tmp_path / "m.toml"
    done = run("play", "fan-tan", *QUICK, "--record", str(record), given="1\n1\n")
    assert f"The input has ended before the match. The match is kept. Go on with it:\n  cardtable play --resume {record}\n" in done.stdout
    assert not Record.load(record).replay().over


def test_the_end_of_the_input_puts_the_match_aside(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    done = run("play", "fan-tan", *QUICK, given="1\n1\n", CARDTABLE_DATA=data)
    assert done.stdout.endswith(f"Go on with it:\n  cardtable play --resume {data}/fan-tan.toml\n")
    done = run("play", "fan-tan", *QUICK, given="", CARDTABLE_DATA=data)
    assert "Nothing was played, so nothing is kept." in done.stdout
    assert [path.name for path in Path(data).iterdir()] == ["fan-tan.toml"]


def test_seat_and_bots_are_restored(tmp_path: Path) -> None:
    record = str(tmp_path / "m.toml")
    done = run("play", "fan-tan", "--bot", "random", "--seed", "7", "--seat", "2", "--record", record, given="1\n")
    assert Record.load(record).keys["table"] == {"seat": 2, "bot": "random"}
    hand = done.stdout.rstrip().splitlines()[-6:]
    again = run("play", "--resume", record, given="")
    assert [line for line in hand if "▴" in line][0] in again.stdout
    assert "▸ You" in again.stdout
    Path(record).write_text(Path(record).read_text().replace("seat = 2", "seat = 9"))
    assert "the seats are 0 to 3" in run("play", "--resume", record, code=1).stderr


@pytest.mark.parametrize("words", [("--resume", "{}"), ("fan-tan", "--resume", "{}")])
@pytest.mark.parametrize(("data", "says"), [(b"\xff\xfe", "cannot be read"), (b"[[[", "no record"), (b"a = 1\n", "no record"), (b"", "no record")])
def test_a_garbled_save_is_refused(words: tuple[str, ...], data: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_bytes(data)
    done = run("play", *(word.format(tmp_path / "m.toml") for word in words), code=None)
    assert done.returncode in (1, 3)
    assert done.stdout == ""
    assert says in done.stderr
    assert (tmp_path / "m.toml").read_bytes() == data


def test_garbled_files_among_those_put_aside_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "fan-tan.toml").write_bytes(b"\xff garbled")
    (tmp_path / "fan-tan-2.toml").mkdir()
    done = run("play", "fan-tan", *QUICK, given="1\nq\n", CARDTABLE_DATA=str(tmp_path))
    assert f"--resume {tmp_path}/fan-tan-3.toml" in done.stdout
    assert (tmp_path / "fan-tan.toml").read_bytes() == b"\xff garbled"
    assert "no match of Scopa was put aside" in run("play", "scopa", "--resume", code=2, CARDTABLE_DATA=str(tmp_path)).stderr


def test_a_directory_that_cannot_be_had(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    data = str(tmp_path / "file" / "below")  # no directory can be made there, not even by root
    done = run("play", "fan-tan", *QUICK, given="1\nq\n1\n", code=3, CARDTABLE_DATA=data)
    assert " ".join(done.stdout.split()).count("Not a directory") == 2
    assert "name a file with --record" in " ".join(done.stdout.lower().split())
    assert "The match is not kept" in done.stdout


def test_put_aside_and_resumed_to_the_end(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    done = run("play", "fan-tan", *QUICK, given="1\n1\nq\n", CARDTABLE_DATA=data)
    assert f"cardtable play --resume {data}/fan-tan.toml\n" in done.stdout
    kept_moves = [act.move for act in Record.load(f"{data}/fan-tan.toml").replay().moves]
    run("play", "fan-tan", *QUICK, given="1\nq\n", CARDTABLE_DATA=data)  # another one does not take its place
    assert sorted(path.name for path in Path(data).iterdir()) == ["fan-tan-2.toml", "fan-tan.toml"]
    run("play", "--resume", f"{data}/fan-tan.toml", "--bot", "simple", given="1\n" * 2000, CARDTABLE_DATA=data)
    m = Record.load(f"{data}/fan-tan.toml").replay()
    assert m.over
    assert [act.move for act in m.moves][: len(kept_moves)] == kept_moves
    done = run("play", "fan-tan", "--resume", "--bot", "simple", given="1\n" * 2000, CARDTABLE_DATA=data)
    assert "The match is over" in done.stdout
    run("play", "--resume", given="", code=2, CARDTABLE_DATA=data)  # none is left


def test_a_resumed_match_is_the_match_that_went_on(tmp_path: Path) -> None:
    whole = run("play", "scopa", *QUICK, "--record", str(tmp_path / "a.toml"), given="1\n" * 5000)
    run("play", "scopa", *QUICK, "--record", str(tmp_path / "b.toml"), given="1\n" * 7)
    run("play", "--resume", str(tmp_path / "b.toml"), given="1\n" * 5000)
    assert (tmp_path / "a.toml").read_text() == (tmp_path / "b.toml").read_text()
    assert "The match is over" in whole.stdout


def test_resuming_takes_no_other_rules(tmp_path: Path) -> None:
    record = str(tmp_path / "m.toml")
    run("play", "fan-tan", *QUICK, "--record", record, given="1\n")
    assert "a match goes on as it began" in run("play", "--resume", record, "--seed", "4", code=2).stderr
    assert "the file is a match of another game: fan-tan" in run("play", "scopa", "--resume", record, code=2).stderr
    assert "there is no such file" in run("play", "--resume", record + "x", code=3).stderr


def test_a_file_is_claimed_with_care(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary\n")
    with pytest.raises(SaveError, match="it is no record of a match"):
        kept.claim(tmp_path / "diary.txt")
    assert (tmp_path / "diary.txt").read_text() == "dear diary\n"
    for path, why in ((tmp_path, "it is a directory"), (tmp_path / "no" / "m.toml", "there is no such directory")):
        with pytest.raises(SaveError, match=why):
            kept.claim(path)
    assert kept.claim(tmp_path / "new.toml") == ""
    Match("fan-tan", seed=1).record().save(tmp_path / "m.toml")
    text = (tmp_path / "m.toml").read_text()
    assert "held an unfinished match" in kept.claim(tmp_path / "m.toml")
    assert (tmp_path / "m.toml~").read_text() == text
    done = run("play", "fan-tan", "--record", str(tmp_path / "diary.txt"), code=3)
    assert done.stdout == ""


def test_a_full_disk_ends_no_match(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    m = Match("fan-tan", 4, seed=5, dealer=3)
    table, written = at(m, record=str(tmp_path / "m.toml"))
    assert table._save()
    text = (tmp_path / "m.toml").read_text()

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    while m.actors != (0,):
        table._bot(m.actors[0])
    move = m.legal()[0]
    assert table._play(move)  # the match goes on
    assert "No space left on device" in " ".join(written().split())
    assert (tmp_path / "m.toml").read_text() == text  # and the old file is whole
    assert [path.name for path in tmp_path.iterdir()] == ["m.toml"]
    table._quit()  # q stays, rather than losing the match
    monkeypatch.undo()
    with pytest.raises(Left):
        table._quit()
    assert Record.load(tmp_path / "m.toml").replay().moves == m.moves


def attentive() -> None:
    """Hear Ctrl-C, also when the tests run in the background of a shell, where it is ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_ctrl_c_keeps_the_match(tmp_path: Path) -> None:
    record = tmp_path / "m.toml"
    command = [sys.executable, "-m", "cardtable", "play", "fan-tan", *QUICK, "--record", str(record)]
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=surroundings(PYTHONUNBUFFERED="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        preexec_fn=attentive,
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(b"1\n")
        process.stdin.flush()
        told = b""
        while told.count(b"your move>") < 2:
            more = os.read(process.stdout.fileno(), 4096)
            assert more, told.decode()
            told += more
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read().decode()
        assert process.wait(30) == 130
    assert "Stopped. The match is kept." in rest
    assert "Traceback" not in rest
    assert len([act for act in Record.load(record).replay().moves if act.seat == 0 and not act.forced]) == 1


def test_ctrl_c_at_any_moment_leaves_a_whole_record(tmp_path: Path) -> None:
    """Interrupted again and again, in the middle of whatever it does, the match is still finished in the end."""
    record = tmp_path / "m.toml"
    resume: list[str] = ["fan-tan", "--seed", "7", "--record", str(record)]
    for pause in (0.45, 0.6, 0.75, 0.9, 1.05):
        process = subprocess.Popen(
            [sys.executable, "-m", "cardtable", "play", *resume, "--bot", "simple"],
            cwd=ROOT,
            env=surroundings(),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            preexec_fn=attentive,
        )
        assert process.stdin
        process.stdin.write(b"1\n" * 5)
        process.stdin.flush()
        time.sleep(pause)
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=30)
        if process.returncode == 130:  # else it came before Python could hear it
            assert b"Traceback" not in told
        if record.exists():
            Record.load(record).replay()
            resume = ["--resume", str(record)]
    run("play", *resume, "--bot", "simple", given="1\n" * 5000)
    assert Record.load(record).replay().over


# At a terminal


class Terminal:
    """A command that believes a person sits before it."""

    def __init__(self, *words: str, python: Sequence[str] = ("-m", "cardtable"), **more: str) -> None:
        self.master, slave = pty.openpty()
        command = [sys.executable, *python, *words]
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=surroundings(NO_COLOR="1", **more),
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=attentive,
        )
        os.close(slave)
        self.told = ""

    def until(self, words: str) -> str:
        """Read until some words appear; what was told since the last ones."""
        began, end = len(self.told), time.monotonic() + 60
        while words not in self.told[began:]:
            assert time.monotonic() < end, self.told
            if select.select([self.master], [], [], 1.0)[0]:
                try:
                    data = os.read(self.master, 65536)
                except OSError:  # it has left
                    data = b""
                assert data, self.told
                self.told += data.decode(errors="replace").replace("\r\n", "\n")
        return self.told[began:]

    def type(self, text: str) -> None:
        """Type some text."""
        os.write(self.master, text.encode())

    def close(self) -> int:
        """Wait for its end; the exit code."""
        code = self.process.wait(30)
        os.close(self.master)
        return code


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A directory for matches put aside."""
    return str(tmp_path / "data")


def test_a_person_leaves_and_comes_back(data: str) -> None:
    first = Terminal("play", "fan-tan", *QUICK, CARDTABLE_DATA=data)
    first.until("your move>")
    first.type("1\n")
    first.until("your move>")
    first.type("\x04")  # Ctrl-D
    first.until("--resume")
    assert first.close() == 0
    again = Terminal("play", "fan-tan", "--bot", "simple", CARDTABLE_DATA=data)
    assert "You put a match of Fan Tan aside on" in again.until("begin a new one >")
    again.type("\n")
    assert "seed 7" in again.until("your move>")
    again.type("q\n")
    again.until("Put aside.")
    assert again.close() == 0
    new = Terminal("play", "fan-tan", "--bot", "simple", CARDTABLE_DATA=data)
    new.until("begin a new one >")
    new.type("n\n")
    assert "seed 7." not in new.until("your move>")
    new.process.send_signal(signal.SIGINT)
    new.until("Stopped.")
    assert new.close() == 130


def test_ctrl_c_is_heard_however_soon_it_comes_after_the_prompt() -> None:
    for _ in range(12):
        waiting = Terminal(python=("-c", "import readline; from cardtable.cli import keys; keys.line('a line> ')"))
        waiting.until("a line>")
        waiting.process.send_signal(signal.SIGINT)
        waiting.until("KeyboardInterrupt")
        assert waiting.close() != 0


def test_the_next_deal_waits_for_enter(data: str) -> None:
    table = Terminal("play", "fan-tan", "--seat", "none", "--seats", "3", "--set", "deals=2", *QUICK, CARDTABLE_DATA=data)
    told = table.until("Enter: the next deal")
    assert told.count("Fan Tan · denexa · deal 1 of 2") > 3  # whoever watches sees the table now and then
    table.type("q\n")
    table.until("--resume")
    assert table.close() == 0
