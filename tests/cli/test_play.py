"""Playing in the terminal and through a pipe: prompts, matches saved and resumed, Ctrl-C, full disks."""

from __future__ import annotations

import errno
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType

import pytest

from cardtable import Match, Record, SaveError, cli
from cardtable.base.message import Message
from cardtable.cli import saves
from cardtable.cli.commands import play
from cardtable.cli.terminal.session import PersonLeft
from cardtable.rules import catalog
from cardtable.testing.houses import brief
from tests.support.commands import ROOT, attentive, here, surroundings
from tests.support.effort import cases
from tests.support.programs import needs
from tests.support.terminal import POSITION, Terminal, at

SOURCES = str(Path(cli.__file__).parent.parent)  #: Cardtable's own

# Through a pipe

QUICK = ("--bot", "medium", "--seed", "7")
#: where a number is a bid, a bid of 1 is not always allowed; one of these is
BIDS = "".join(f"{n}\n" for n in range(1, 11))


@pytest.mark.parametrize("name", cases(catalog.games(), ("fan-tan",)))
def test_yes_1_finishes_a_match(name: str, tmp_path: Path) -> None:
    record = tmp_path / "m.toml"
    short = [f"--set={option}={value}" for option, value in brief(catalog.find(name)).items()]
    done = here(
        "play",
        name,
        *QUICK,
        *short,
        "--record",
        str(record),
        given="1\n" * 20_000 if name != "oh-hell" else BIDS * 2000,
    )
    assert "The match is over" in done.stdout
    assert done.stderr == ""
    m = Record.load(record).replay()
    assert m.over
    assert ("★" in done.stdout) == bool(m.result and m.result.winners)
    told = here("replay", str(record))
    assert told.stdout.splitlines()[-1].startswith("result: scores")


@needs("bash")
def test_a_real_pipe() -> None:
    """Processes, as their streams are a pipe and the first of them never ends on its own."""
    command = f"yes 1 | '{sys.executable}' -m cardtable play fan-tan --bot medium; echo ${{PIPESTATUS[1]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=surroundings(), capture_output=True, text=True, timeout=120
    )
    assert done.stdout.endswith("\n0\n")
    assert "The match is over" in done.stdout


@pytest.mark.parametrize(("seats", "seat"), [(3, "none"), (8, "none"), (3, "2"), (8, "0")])
def test_any_seat_and_none(seats: int, seat: str) -> None:
    done = here("play", "fan-tan", "--seats", str(seats), "--seat", seat, "--set", "deals=1", *QUICK, given="1\n" * 200)
    assert ("your move>" in done.stdout) == (seat != "none")
    assert done.stdout.count("The match is over") == 1


def test_the_same_seed_is_the_same_match() -> None:
    one, other, third = (
        here("play", "fan-tan", "--bot", "random", "--seed", seed, "--set", "deals=1", given="1\n" * 500).stdout
        for seed in ("word", "word", "other")
    )
    assert one == other != third


def test_commands_at_the_prompt() -> None:
    """Seed 5, 4 seats: your first turn with 7S and 7H to choose from."""
    said = here(
        "play",
        "fan-tan",
        "--bot",
        "medium",
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
    assert "Nothing to undo yet." in said


def test_refusals_name_the_rule() -> None:
    m = Match.from_position(POSITION)
    table, written = at(m)
    assert table.answer("KC", m.view(0)) is False
    assert (
        " You may not play K♣: the clubs row is not open: it begins with its 7 (FT-25). You may: 8♠, 5♥\n" in written()
    )
    assert table.answer("? pass", m.view(0)) is False
    assert "You cannot pass: " in written()
    assert "(FT-32)" in written()
    assert table.answer("? 8S", m.view(0)) is False
    assert "You may play 8♠." in written()
    assert table.answer("8♠", m.view(0)) is True
    assert m.moves[0].move == "8S"


@pytest.mark.parametrize(
    "text", ["0", "3", "-1", "9" * 5000, "²", "٣", "1 1", "8S KC", "\x00", "?" * 3000, "u", "💥", "play 8S"]
)
def test_odd_input_changes_nothing(text: str) -> None:
    m = Match.from_position(POSITION)
    before = m.position().text
    table, written = at(m)
    assert table.answer(text, m.view(0)) is False
    assert m.position().text == before
    assert len(written()) < 2000


def test_bytes_that_are_no_text_are_refused() -> None:
    done = here("play", "fan-tan", *QUICK, given=b"\xff\xfe\x00\n" + os.urandom(2000) + b"\n")
    assert "is not a move" in done.stdout


def test_undo_takes_back_your_move_and_what_followed() -> None:
    m = Match("fan-tan", 4, seed=5, dealer=3)
    table, written = at(m)
    before = [m.position().text]
    while len(before) < 4:
        if m.actors == (0,):
            assert table.play(m.legal()[0])
            before.append("")
        else:
            table._bot(m.actors[0])
        if m.actors == (0,):
            before[-1] = m.position().text
    for text in reversed(before[:-1]):
        assert table.answer("u", m.view(0)) is True
        assert m.position().text == text
    assert "is taken back" in written()
    assert table.answer("u", m.view(0)) is False
    assert "Nothing to undo yet." in written()


@pytest.mark.usefixtures("plainly")
def test_hints(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable import precompile
    from cardtable.cli.terminal import hint

    monkeypatch.setattr(hint, "ITERATIONS", 40)
    monkeypatch.setattr(hint, "COMPARED", 40)
    monkeypatch.setattr(precompile, "plain", lambda: False)
    monkeypatch.setattr(precompile, "ready", lambda game: True)
    m = Match.from_position(POSITION)
    table, written = at(m)
    table._hint(m.view(0))
    said = " ".join(written().split())
    assert re.search(
        r"(8♠|5♥) looks best\. Expected result of this deal: [+−]\d+\.\d\. Others, compared with it: (?!\1)(8♠|5♥) "
        r"(about as good|\d+\.\d less)\.",
        said,
    )
    monkeypatch.setattr(precompile, "plain", lambda: True)
    table._hint(m.view(0))
    assert re.search(r"A medium bot's move: (8♠|5♥) \(search is not compiled\)", " ".join(written().split()))
    table.behind = object()
    table._hint(m.view(0))
    assert "(search is still being compiled)" in " ".join(written().split())


# Kept matches


def test_the_end_of_the_input_keeps_the_match_if_a_file_is_named(tmp_path: Path) -> None:
    record = tmp_path / "m.toml"
    done = here("play", "fan-tan", *QUICK, "--record", str(record), given="1\n1\n")
    assert (
        "The input has ended before the match. The match is saved. Continue with:\n  cardtable play --resume "
        f"{record}\n" in done.stdout
    )
    assert not Record.load(record).replay().over


def test_the_end_of_the_input_puts_the_match_aside(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    done = here("play", "fan-tan", *QUICK, given="1\n1\n", CARDTABLE_DATA=data)
    (saved,) = Path(data).iterdir()
    assert re.fullmatch(r"fan-tan-\d{4}-\d\d-\d\d-\d{6}\.toml", saved.name)  # after the game and the time
    assert done.stdout.endswith(f"Continue with:\n  cardtable play --resume {saved}\n")
    done = here("play", "fan-tan", *QUICK, given="", CARDTABLE_DATA=data)
    assert "Nothing was played, so nothing is kept." in done.stdout
    assert list(Path(data).iterdir()) == [saved]


def test_seat_and_bots_are_restored(tmp_path: Path) -> None:
    record = str(tmp_path / "m.toml")
    done = here("play", "fan-tan", "--bot", "random", "--seed", "7", "--seat", "2", "--record", record, given="1\n")
    assert Record.load(record).keys["table"] == {"seat": 2, "bot": "random"}
    hand = done.stdout.rstrip().splitlines()[-10:]
    again = here("play", "--resume", record, given="")
    assert [line for line in hand if "▴" in line][0] in again.stdout
    assert "▸ You" in again.stdout
    Path(record).write_text(Path(record).read_text().replace("seat = 2", "seat = 9"))
    assert "the seats are 0 to 3" in here("play", "--resume", record, code=1).stderr


@pytest.mark.parametrize("words", [("--resume", "{}"), ("fan-tan", "--resume", "{}")])
@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\xff\xff", "is not UTF-8 text"),
        (b"[[[", "not a record"),
        (b"a = 1\n", "not the record"),
        (b"", "the file is empty"),
    ],
)
def test_a_garbled_save_is_refused(words: tuple[str, ...], data: bytes, says: str, tmp_path: Path) -> None:
    (tmp_path / "m.toml").write_bytes(data)
    done = here("play", *(word.format(tmp_path / "m.toml") for word in words), code=None)
    assert done.returncode in (1, 3)
    assert done.stdout == ""
    assert says in done.stderr
    assert (tmp_path / "m.toml").read_bytes() == data


def test_garbled_files_among_those_put_aside_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "fan-tan.toml").write_bytes(b"\xff garbled")
    (tmp_path / "fan-tan-2.toml").mkdir()
    done = here("play", "fan-tan", *QUICK, given="1\nq\n", CARDTABLE_DATA=str(tmp_path))
    assert f"--resume {tmp_path}/fan-tan-2" in done.stdout
    assert here("matches", CARDTABLE_DATA=str(tmp_path)).stdout.count("cardtable play --resume") == 1
    assert (tmp_path / "fan-tan.toml").read_bytes() == b"\xff garbled"
    assert (
        "no match of Scopa is saved" in here("play", "scopa", "--resume", code=2, CARDTABLE_DATA=str(tmp_path)).stderr
    )


def test_a_directory_that_cannot_be_had(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    data = str(tmp_path / "file" / "below")  # no directory can be made there, not even by root
    done = here("play", "fan-tan", *QUICK, given="1\nq\n1\n", code=3, CARDTABLE_DATA=data, TMPDIR=str(tmp_path))
    output = " ".join(done.stdout.split())
    assert output.count("Not a directory") == 2
    assert "The match continues. q FILE saves it in another file and leaves; discard leaves without saving." in output
    (saved,) = tmp_path.glob("fan-tan-*.toml")  # the end of the input loses no match
    assert f"The match is saved in another place instead. Continue with: cardtable play --resume {saved}" in output
    assert len([act for act in Record.load(saved).replay().moves if act.seat == 0 and not act.forced]) == 2


def test_what_can_be_done_where_nothing_can_be_saved(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("dear diary")
    data = str(tmp_path / "file" / "below")
    other = tmp_path / "other.toml"
    done = here(
        "play",
        "fan-tan",
        *QUICK,
        given=f"1\nq\nq {tmp_path}/file\nq {tmp_path}/no/m.toml\nq {other}\n",
        CARDTABLE_DATA=data,
    )
    assert "it is not the record of a match. Name another file." in " ".join(done.stdout.split())
    assert "there is no such directory. Name another file." in " ".join(done.stdout.split())
    assert done.stdout.endswith(f"The match is saved. Continue with:\n  cardtable play --resume {other}\n")
    assert not Record.load(other).replay().over
    assert (tmp_path / "file").read_text() == "dear diary"
    done = here("play", "fan-tan", *QUICK, given="1\nq\ndiscard\n", CARDTABLE_DATA=data)
    assert "saved in another place" not in done.stdout


def test_a_match_that_can_be_saved_nowhere_is_no_success(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = tmp_path / "place" / "m.toml"
    record.parent.mkdir()
    m = Match("fan-tan", 4, seed=5, dealer=3)
    table, written = at(m, record=str(record))
    while m.actors != (0,):
        table._bot(m.actors[0])
    table.record = str(tmp_path / "gone" / "m.toml")
    monkeypatch.setattr(saves, "rescue", lambda m, sitting: "")
    with pytest.raises(SystemExit) as left:
        table._leave(Message("The input has ended before the match."), 0)
    assert left.value.code == 3
    assert "The match is lost." in written()


def test_each_saved_file_is_listed_by_itself(tmp_path: Path) -> None:
    """A dead link, a pipe and a directory among them hide none, and hold nothing up; a match that cannot be continued
    says why.
    """
    for name in ("good", "moved", "strange"):
        here("play", "fan-tan", *QUICK, "--record", str(tmp_path / f"{name}.toml"), given="1\nq\n")
    (tmp_path / "dead.toml").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "directory.toml").mkdir()
    for name, old, new in (
        ("moved", "cardtable = 1", "cardtable = 99"),
        ("strange", 'rules = "denexa"', 'rules = "x"'),
    ):
        file = tmp_path / f"{name}.toml"
        assert old in (text := file.read_text("utf-8"))
        file.write_text(text.replace(old, new), "utf-8")
    done = here("matches", CARDTABLE_DATA=str(tmp_path)).stdout
    assert done.count("Fan Tan, ") == 3
    assert done.count("play --resume") == 1
    assert f"cardtable play --resume {tmp_path}/good.toml" in done
    assert f"{tmp_path}/moved.toml cannot be continued: " in done
    assert "its format is 99" in done
    assert f"{tmp_path}/strange.toml cannot be continued: " in done
    rows = json.loads(here("matches", "--json", CARDTABLE_DATA=str(tmp_path)).stdout)
    assert {Path(row["file"]).stem: bool(row["fault"]) for row in rows} == {"good": 0, "moved": 1, "strange": 1}
    done = here("play", "fan-tan", "--resume", given="1\nq\n", CARDTABLE_DATA=str(tmp_path)).stdout
    assert f"--resume {tmp_path}/good.toml" in done


@pytest.mark.exhaustive
def test_put_aside_and_resumed_to_the_end(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    done = here("play", "fan-tan", *QUICK, given="1\n1\nq\n", CARDTABLE_DATA=data)
    (file,) = Path(data).iterdir()
    assert f"cardtable play --resume {file}\n" in done.stdout
    kept_moves = [act.move for act in Record.load(file).replay().moves]
    here("play", "fan-tan", *QUICK, given="1\nq\n", CARDTABLE_DATA=data)  # another one does not take its place
    assert len(list(Path(data).iterdir())) == 2
    here("play", "--resume", str(file), "--bot", "medium", given="1\n" * 2000, CARDTABLE_DATA=data)
    m = Record.load(file).replay()
    assert m.over
    assert [act.move for act in m.moves][: len(kept_moves)] == kept_moves
    done = here("play", "fan-tan", "--resume", "--bot", "medium", given="1\n" * 2000, CARDTABLE_DATA=data)
    assert "The match is over" in done.stdout
    here("play", "--resume", given="", code=2, CARDTABLE_DATA=data)  # none is left
    rows = json.loads(here("matches", "--json", CARDTABLE_DATA=data).stdout)
    assert [(row["game"], row["unfinished"]) for row in rows] == [("fan-tan", False)] * 2  # finished matches are kept
    listed = here("matches", "fan-tan", CARDTABLE_DATA=data).stdout
    assert "Fan Tan, denexa rules, 4 seats: over, scores " in listed
    assert f"  cardtable replay {file}\n" in listed
    assert (
        here("matches", "scopa", CARDTABLE_DATA=data).stdout
        == f"No match is saved in {data}. In a match, q saves it.\n"
    )


@pytest.mark.exhaustive
def test_a_resumed_match_is_the_match_that_went_on(tmp_path: Path) -> None:
    whole = here("play", "scopa", *QUICK, "--record", str(tmp_path / "a.toml"), given="1\n" * 5000)
    here("play", "scopa", *QUICK, "--record", str(tmp_path / "b.toml"), given="1\n" * 7)
    here("play", "--resume", str(tmp_path / "b.toml"), given="1\n" * 5000)
    assert (tmp_path / "a.toml").read_text() == (tmp_path / "b.toml").read_text()
    assert "The match is over" in whole.stdout


def test_resuming_takes_no_other_rules(tmp_path: Path) -> None:
    record = str(tmp_path / "m.toml")
    here("play", "fan-tan", *QUICK, "--record", record, given="1\n")
    assert "a match continues as it began" in here("play", "--resume", record, "--seed", "4", code=2).stderr
    assert "the file is a match of another game: Fan Tan" in here("play", "scopa", "--resume", record, code=2).stderr
    assert "there is no such file" in here("play", "--resume", record + "x", code=3).stderr


def test_a_file_is_claimed_with_care(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear diary\n")
    with pytest.raises(SaveError, match="it is not the record of a match"):
        saves.claim(tmp_path / "diary.txt")
    assert (tmp_path / "diary.txt").read_text() == "dear diary\n"
    for path, why in ((tmp_path, "it is a directory"), (tmp_path / "no" / "m.toml", "there is no such directory")):
        with pytest.raises(SaveError, match=why):
            saves.claim(path)
    saves.claim(tmp_path / "new.toml")
    Match("fan-tan", seed=1).record().save(tmp_path / "m.toml")
    text = (tmp_path / "m.toml").read_text()
    asked: list[str] = []

    def no(question: Message) -> bool:
        asked.append(str(question))
        return False

    with pytest.raises(
        SaveError, match="it holds an unfinished match, which would be lost. Continue that match with --resume"
    ):
        saves.claim(tmp_path / "m.toml", no)
    assert asked == [f"{tmp_path}/m.toml holds an unfinished match. Write over it?"]
    saves.claim(tmp_path / "m.toml", lambda question: True)
    done = here("play", "fan-tan", "--record", str(tmp_path / "diary.txt"), code=3)
    assert done.stdout == ""
    finished = Match("fan-tan", 3, "british", seed="over", deals=1)
    while not finished.over:
        finished.play(finished.legal()[0])
    finished.record().save(tmp_path / "over.toml")
    for name, what in (("m.toml", "an unfinished"), ("over.toml", "a finished")):
        before = (tmp_path / name).read_text()
        # nobody is there to be asked
        done = here("play", "fan-tan", "--record", str(tmp_path / name), given="1\nq\n", code=3)
        assert f"it holds {what} match, which would be lost" in done.stderr
        assert (tmp_path / name).read_text() == before
    assert text


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
    assert table.play(move)  # the match continues
    assert "No space left on device" in " ".join(written().split())
    assert (tmp_path / "m.toml").read_text() == text  # and the old file is whole
    assert [path.name for path in tmp_path.iterdir()] == ["m.toml"]
    table._quit()  # q stays, rather than losing the match
    monkeypatch.undo()
    with pytest.raises(PersonLeft):
        table._quit()
    assert Record.load(tmp_path / "m.toml").replay().moves == m.moves


def test_ctrl_c_keeps_the_match(tmp_path: Path) -> None:
    """A process, as it is sent the signal of Ctrl-C while it waits for a line."""
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
        output = b""
        while output.count(b"your move>") < 2:
            more = os.read(process.stdout.fileno(), 4096)
            assert more, output.decode()
            output += more
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read().decode()
        assert process.wait(60) == 130
    assert "Stopped. The match is saved." in rest
    assert "Traceback" not in rest
    assert len([act for act in Record.load(record).replay().moves if act.seat == 0 and not act.forced]) == 1


def interrupted(words: Sequence[str], at: int) -> tuple[subprocess.CompletedProcess[str], int]:
    """A match with five moves of the person, stopped by Ctrl-C at the call of a function with that number; its
    output, and the number of functions called.

    Python drops an interrupt within a generator that is being closed; it comes again at the next call.
    """
    called = dropped = 0

    def again(_: object) -> None:
        nonlocal dropped
        dropped += 1
        sys.setprofile(count)

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal called
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(SOURCES):
            called += bool(called) or (code.co_name, code.co_filename) == ("play", play.__file__)
            if called and called == at + dropped:
                raise KeyboardInterrupt

    hook, sys.unraisablehook = sys.unraisablehook, again
    sys.setprofile(count)
    try:
        return here("play", *words, "--bot", "medium", given="1\n" * 5, code=None), called - dropped
    finally:
        sys.setprofile(None)
        sys.unraisablehook = hook


@pytest.mark.exhaustive
def test_ctrl_c_at_any_moment_leaves_a_whole_record(tmp_path: Path) -> None:
    """Interrupted again and again, at any point, the match is still finished in the end."""
    record = tmp_path / "m.toml"
    begin = ["fan-tan", "--seed", "7", "--record"]
    _, calls = interrupted([*begin, str(tmp_path / "whole.toml")], 0)
    assert calls > 1000
    words = [*begin, str(record)]
    for part in range(10):
        at = calls * part // 10 + 1
        done, called = interrupted(words, at)
        assert done.returncode == (130 if called == at else 0), "another match may take fewer calls"
        assert "Traceback" not in done.stderr
        if record.exists():
            Record.load(record).replay()
            words = ["--resume", str(record)]
    here("play", *words, "--bot", "medium", given="1\n" * 5000)
    assert Record.load(record).replay().over


def test_a_name_at_the_table(tmp_path: Path) -> None:
    record = str(tmp_path / "m.toml")
    done = here("play", "fan-tan", *QUICK, "--name", "Ann", "--record", record, given="1\n")
    assert "▸ Ann" in done.stdout
    assert "   Ann lays " in done.stdout
    output = done.stdout.split("? for help")[1]
    assert not re.search(r"▸ You|   You (lay|pass|pay)", output), "the game speaks of Ann, though it asks *you*"
    # another player who would have been called so has another name
    assert done.stdout.count("\n   Max ") + done.stdout.count("Dan ") > 0
    assert "▸ Ann" in here("play", "--resume", record, given="").stdout


def test_play_that_begins_at_a_forced_move_says_where(tmp_path: Path) -> None:
    m = Match("fan-tan", 4, seed="tea")
    while not any(act.forced for act in m.moves):
        m.play(m.legal()[0])
    forced = next(act for act in m.moves if act.forced)
    assert m.actors
    m.record().save(tmp_path / "m.toml")
    there = f"{forced.deal}.{forced.number}"
    output = here("play", "--resume", str(tmp_path / "m.toml"), "--at", there, "--bot", "medium", given="").stdout
    assert f"Move {there} ({forced.move}) is forced" in output
    assert re.search(rf": you continue from {forced.deal}\.(\d+)\.", " ".join(output.split()))
    output = here("play", "--resume", str(tmp_path / "m.toml"), "--at", "1.1", "--bot", "medium", given="").stdout
    assert "is forced" not in output


# At a terminal


@pytest.fixture
def data(tmp_path: Path) -> str:
    """A directory for saved matches."""
    return str(tmp_path / "data")


def test_a_person_leaves_and_comes_back(data: str) -> None:
    first = Terminal("play", "fan-tan", *QUICK, CARDTABLE_DATA=data)
    first.until("your move>")
    first.type("1\n")
    first.until("your move>")
    first.type("\x04")  # Ctrl-D
    first.until("--resume")
    assert first.close() == 0
    again = Terminal("play", "fan-tan", "--bot", "medium", CARDTABLE_DATA=data)
    assert "You saved a match of Fan Tan on" in again.until("begin a new one >")
    again.type("\n")
    assert "seed 7" in again.until("your move>")
    again.type("q\n")
    again.until("The match is saved.")
    assert again.close() == 0
    new = Terminal("play", "fan-tan", "--bot", "medium", CARDTABLE_DATA=data)
    new.until("begin a new one >")
    new.type("n\n")
    assert "seed 7." not in new.until("your move>")
    new.process.send_signal(signal.SIGINT)
    new.until("Stopped.")
    assert new.close() == 130


def test_a_person_is_asked_before_a_record_is_written_over(data: str, tmp_path: Path) -> None:
    record = tmp_path / "m.toml"
    Match("fan-tan", seed=1).record().save(record)
    before = record.read_text()
    asked = Terminal("play", "fan-tan", *QUICK, "--record", str(record), CARDTABLE_DATA=data)
    asked.until("holds an unfinished match. Write over it? yes or no >")
    asked.type("\n")
    asked.until("name another file")
    assert asked.close() == 3
    assert record.read_text() == before


def test_the_pager_is_told_of_colours(tmp_path: Path) -> None:
    pager = tmp_path / "less"
    pager.write_text(f'#!/bin/sh\necho "LESS=$LESS" > {tmp_path}/told\ncat > {tmp_path}/page\n')
    pager.chmod(0o755)
    for less, raw in (("", True), ("-X", False)):  # what a person has set is not changed: then there are no colours
        more = {"PAGER": str(pager), "LESS": less, "NO_COLOR": "", "TERM": "xterm"}
        page = Terminal("rules", "scopa", **more)
        assert page.close() == 0
        assert (tmp_path / "told").read_text() == ("LESS=-R\n" if raw else "LESS=-X\n")
        assert ("\x1b[" in (tmp_path / "page").read_text()) == raw
        assert "Scopa" in (tmp_path / "page").read_text()


def test_a_hint_shows_that_it_is_thought_about(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table, written = at(Match.from_position(POSITION))
    monkeypatch.setenv("TERM", "xterm")
    table.face.think(lambda: Message("an answer"))
    assert "An answer" in written()
    assert capsys.readouterr().out == ""  # through a pipe nobody waits
    table.face.live = True
    seen: list[str] = []
    table.face.think(lambda: seen.append(capsys.readouterr().out) or Message(""))  # type: ignore[func-returns-value]
    assert seen == [" Thinking ..."]  # while it is thought about
    assert capsys.readouterr().out == "\r\x1b[K"  # and gone then


def test_leaving_without_saving_is_asked_about(data: str) -> None:
    table = Terminal("play", "fan-tan", *QUICK, CARDTABLE_DATA=data)
    table.until("your move>")
    table.type("discard\n")
    table.until("Leave, and lose the match? yes or no >")
    table.type("no\ndiscard\n")
    table.until("Leave, and lose the match? yes or no >")
    table.type("y\n")
    assert table.close() == 0
    assert not Path(data).exists()


@pytest.mark.exhaustive
def test_ctrl_c_is_heard_however_soon_it_comes_after_the_prompt() -> None:
    for _ in range(8):
        waiting = Terminal(
            python=("-c", "import readline; from cardtable.cli.terminal import keys; keys.line('a line> ')")
        )
        waiting.until("a line>")
        waiting.process.send_signal(signal.SIGINT)
        waiting.until("KeyboardInterrupt")
        assert waiting.close() != 0


@pytest.mark.exhaustive
def test_the_next_deal_waits_for_enter(data: str) -> None:
    table = Terminal(
        "play",
        "fan-tan",
        "--seat",
        "none",
        "--seats",
        "3",
        "--set",
        "deals=2",
        "--speed",
        "50",
        *QUICK,
        CARDTABLE_DATA=data,
    )
    output = table.until("Enter: the next deal")
    assert output.count("Fan Tan · deal 1 of 2") > 3  # a spectator sees the table now and then
    table.type("q\n")
    table.until("--resume")
    assert table.close() == 0
