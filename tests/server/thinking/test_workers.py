"""What strangers send is bounded before it is parsed, and worked through in processes that can be ended, one caller's
work in one caller's queue.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable import CardtableError, Match, Record
from cardtable.base import toml
from cardtable.client import Client, ServerError
from cardtable.match.match import Position
from cardtable.server.net.fair_queue import Busy, TooMany, Turns
from cardtable.server.settings import Settings
from cardtable.server.thinking import worker
from cardtable.server.thinking.jobs import JOBS
from cardtable.server.thinking.protocol import Job, WorkFault, framed
from cardtable.server.thinking.workers import Workers
from cardtable.table import commands as cm
from cardtable.table import fair
from cardtable.table.archive import record_of
from tests.support.commands import call
from tests.support.server.live import Driven
from tests.support.server.served import Served
from tests.support.waiting import LOOK, eventually, run

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
BOMB = "a." * 200_000 + "a=1"
BOMBS = {
    "dots": BOMB,
    "dots in a heading": f"[{BOMB}",
    "dots and blanks": "a . " * 100_000 + "a=1",
    "dots and quotes": '"a".' * 100_000 + "a=1",
    "lists": "a=" + "[" * 200_000,
    "tables": "a=" + "{a=" * 130_000,
    "digits": "a=" + "1" * 5_000,
    "hexadecimal digits": "a=0x" + "f" * 500_000,
    "a key": f'"{"a" * 500_000}"=1',
    "fractions": "a=1." + "1" * 200_000,
    "all": "a=1\n" * 1_200_000,
}


# The shape of a text


@pytest.fixture
def no_parser(monkeypatch: pytest.MonkeyPatch) -> None:
    """No text gets so far that it is parsed, which takes more than linear time."""
    monkeypatch.setattr(toml, "tomllib", None)


@pytest.mark.parametrize("bomb", BOMBS)
@pytest.mark.parametrize("read", [Record.parse, Position.parse])
def test_a_text_of_a_shape_that_nobody_needs_is_refused_at_once(bomb: str, read: Any, no_parser: None) -> None:
    with pytest.raises(CardtableError) as error:
        read(BOMBS[bomb])
    assert error.value.code.endswith("/syntax")
    assert len(str(error.value)) < 300


def test_the_terminal_refuses_it_too(tmp_path: Path, capsys: pytest.CaptureFixture[str], no_parser: None) -> None:
    file = tmp_path / "bomb.toml"
    file.write_text("cardtable = 1\n" + BOMB)
    code, _, err = call(capsys, "replay", str(file))
    assert code == 1
    assert "longer than 100 letters" in err


@given(
    st.text(
        st.sampled_from("[]{}.,=#'\"\\\n\t a1") | st.characters(exclude_categories=["Cs"]), min_size=0, max_size=60
    ),
    st.integers(1, 40),
)
def test_what_stands_in_strings_and_comments_does_not_count(text: str, times: int) -> None:
    keys = {"say": text * times, "list": [text * times] * 2, "inner": {"say": text * times}}
    comment = "# " + "".join(letter for letter in text * times if letter.isprintable() or letter == " ")
    assert toml.loads(f"{comment}\n{toml.dumps(keys)}{comment}") == keys


@pytest.mark.parametrize("quotes", ['"""', "'''"])
def test_long_strings_may_hold_quotes(quotes: str) -> None:
    inner = quotes[0]
    text = (
        f"a = {quotes}[[[ {inner}{inner} . # {'.' * 300}\n{inner}{quotes}\nb = {quotes}{quotes}\nc = "
        f"[{inner}{inner}, 1.5]"
    )
    assert toml.loads(text) == {"a": f"[[[ {inner}{inner} . # {'.' * 300}\n{inner}", "b": "", "c": ["", 1.5]}


def test_whatever_toml_holds_is_written_as_it_was_read() -> None:
    text = (
        'a = [1979-05-27T07:32:00-08:00, 1979-05-27, 07:32:00]\n"b c" = inf\n\n["d.e"]\n"" = { "f\\"" = [] '
        '}\n\n[["g h"]]\ni = 1.5\n'
    )
    assert toml.loads(toml.dumps(toml.loads(text))) == toml.loads(text)


def test_nothing_of_a_proof_goes_back_that_no_proof_has() -> None:
    """A number that JSON cannot hold, a separate entry: told again, they would be our fault."""
    t = Driven("busca", "a", seats=3, bots=("", "medium", "medium"))
    assert t.ask("a", cm.Resign) is None
    record = record_of(t.table)
    told = dict(record.keys["fair"])
    more = Record(dict(record.keys) | {"fair": told | {"extra": 2**70}})
    assert "extra" not in fair.verify(str(more))
    secret, table, entropy = told["secret"], told["table"], told["entropy"]
    huge = dict(record.keys) | {"fair": told | {"match": 2**70}, "seed": fair.seed(secret, table, 2**70, entropy)}
    with pytest.raises(CardtableError, match="no match of that number"):
        fair.verify(huge)


LITERALS = [
    "inf",
    "nan",
    "-1",
    "1e400",
    "0.5",
    "true",
    "[]",
    "{}",
    "[[[[1]]]]",
    "{a = {b = [1]}}",
    '""',
    '"\\u0000"',
    '"é"',
    '"[["',
    "9" * 99,
    "-" + "9" * 40,
    "2147483648",
    "1979-05-27T07:32:00-08:00",
    "1979-05-27",
    "07:32:00",
    '["1 2"]',
    "[nan]",
    '{game = "busca"}',
    '"-1"',
    "[1979-05-27]",
]
TASKS: list[tuple[str, tuple[Any, ...]]] = [
    ("verified", (1000,)),
    ("kept", ("me", 1000)),
    ("framed", (1, None, 0, 100, 1000)),
    ("framed", (1, 0, 0, 100, 1000)),
    ("retried", (1, 1)),
    ("framed", (10**9, 10**9, 0, 100, 1000)),
    ("questioned", (1, 0, 0, 50, 1000)),
]


@pytest.mark.parametrize("part", range(2))
@pytest.mark.parametrize("kind", ["fair", "position"])
def test_a_record_with_another_kind_of_value_is_done_or_refused(kind: str, part: int) -> None:
    """Every value of a record, replaced by each of these: what comes of it can be sent, or is a CardtableError."""
    if kind == "fair":
        t = Driven("busca", "a", seats=3, bots=("", "medium", "medium"))
        assert t.ask("a", cm.Resign) is None
        record = record_of(t.table)
    else:
        m = Match.from_position(
            {"game": "fan-tan", "rules": "denexa", "hands": ["8S", "9S", "TS"], "rows": "S 7", "turn": 0}, seed="x"
        )
        m.play("8S")
        record = Record(dict(m.record().keys) | {"players": ["Ann", "Ben", "Cat"]})
    rows = str(record).splitlines()
    seen = 0
    for number, row in enumerate(rows):
        name, equals, _ = row.partition(" = ")
        for k, literal in list(enumerate(LITERALS if equals and not row.startswith(" ") else ()))[part::2]:
            text = "\n".join(
                [*rows[:number], f"{name} = {literal}", "more = 1979-05-27", '"a b" = nan', *rows[number + 1 :]]
            )
            job, arguments = TASKS[(number + k) % len(TASKS)]
            try:
                if job == "retried":  # only what was kept is played on
                    JOBS["kept"](text, "me", 1000)
                msgspec.json.encode(JOBS[job](text, *arguments))
            except CardtableError:
                seen += 1
            except Exception as error:
                raise AssertionError((job, arguments, name, literal)) from error
    assert seen > 100


# Turns


def test_one_callers_work_waits_in_that_callers_queue() -> None:
    async def work() -> list[str]:
        turns, order, go = Turns(2, 4, 8), list[str](), asyncio.Event()

        async def one(caller: str) -> None:
            async with turns.turn(caller):
                order.append(caller)
                await go.wait()

        tasks = [asyncio.create_task(one("mallory")) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(TooMany):
            await one("mallory")
        tasks += [asyncio.create_task(one(name)) for name in ("ann", "ben", "cat", "dan", "eve")]
        await asyncio.sleep(0)
        assert order == ["mallory", "ann"]
        assert turns.waiting == 8
        with pytest.raises(Busy):
            await one("fay")
        go.set()
        await asyncio.gather(*tasks)
        return order

    order = run(work())
    assert sorted(order[:8]) == ["ann", "ben", "cat", "dan", "eve", "mallory", "mallory", "mallory"], (
        "nobody waits for all of another's"
    )


async def test_who_stops_waiting_takes_no_turn() -> None:
    turns, go = Turns(1, 4, 9), asyncio.Event()

    async def one(caller: str) -> str:
        async with turns.turn(caller):
            await go.wait()
        return caller

    first, second, third = (asyncio.create_task(one(name)) for name in ("ann", "ben", "cat"))
    await asyncio.sleep(0)
    second.cancel()
    await asyncio.sleep(0)
    go.set()
    assert [await first, await third] == ["ann", "cat"]
    given_up = asyncio.create_task(one("dan"))
    await asyncio.sleep(0)
    given_up.cancel()
    assert turns.waiting == 0
    assert await one("eve") == "eve"


# Processes

SCRIPT = """
import os, sys, time, types
from cardtable.base.errors import CardtableError
sys.modules["cardtable.server.thinking.jobs"] = types.SimpleNamespace(JOBS={})  # its imports take long
from cardtable.server.thinking import worker
def hog(): return len(bytearray(8 << 30))
def no(): raise CardtableError("this", "no", "ask again", code="test/no")
def huge(): return "x" * (1 << 20)
worker.JOBS = {"sleep": time.sleep, "die": os._exit, "hog": hog, "no": no, "fault": lambda: 1 / 0, "who": os.getpid,
               "huge": huge,
               "verified": lambda text, most: (open(text, "w").write(str(os.getpid())), time.sleep(600)),
               "note": lambda path: (open(path, "w").write(str(os.getpid())), time.sleep(600))}
worker.prepare, worker.run_plain = lambda: None, lambda plain: None
worker.LATE = 0.1
worker.main()
"""
COMMAND = (sys.executable, "-c", SCRIPT)


async def refused(work: Awaitable[Any]) -> CardtableError:
    with pytest.raises(CardtableError) as error:
        await work
    return error.value


async def test_a_job_may_be_anything_and_the_next_is_done(caplog: pytest.LogCaptureFixture) -> None:
    """Too long, too much memory, an end without a word, too long an answer, an error, a fault: each is told, and costs
    at most its process.
    """
    settings = Settings(work_seconds=300.0, longest_answer=1 << 16)
    workers = Workers(settings, COMMAND)
    pid = await workers.do("a", "who")
    assert (await refused(workers.do("a", "no"))).as_dict() == {
        "code": "test/no",
        "what": "this",
        "why": "no",
        "can": "ask again",
    }
    assert isinstance(await refused(workers.do("a", "fault")), WorkFault)
    assert "ZeroDivisionError" in caplog.text
    assert await workers.do("a", "who") == pid, "errors cost nothing"
    for job, *arguments in (("sleep", 600), ("hog",), ("die", 1), ("huge",)):
        object.__setattr__(settings, "work_seconds", 0.1 if job == "sleep" else 300.0)
        assert (await refused(workers.do("a", job, *arguments))).code == "record/limit", job
        object.__setattr__(settings, "work_seconds", 300.0)
        other = await workers.do("a", "who")
        assert other != pid, job
        pid = other
    await workers.close()
    assert isinstance(await refused(workers.do("a", "who")), Busy)
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid), 0)


def gone(pid: int) -> bool:
    """Whether a process has ended."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


async def test_a_job_that_nobody_waits_for_is_ended(tmp_path: Path) -> None:
    workers, note = Workers(Settings(work_seconds=600.0), COMMAND), tmp_path / "pid"
    task = asyncio.create_task(workers.do("a", "note", str(note)))
    await eventually(lambda: note.exists() and note.read_text())
    task.cancel()
    await eventually(lambda: gone(int(note.read_text())))
    assert int(await workers.do("a", "who")) > 0, "the slot is free"
    await workers.close()


async def test_processes_that_nobody_needs_are_ended() -> None:
    workers = Workers(Settings(work_idle=0.05), COMMAND)
    pid = int(await workers.do("a", "who"))
    await eventually(lambda: gone(pid))
    await workers.close()


async def test_a_process_that_cannot_be_had_is_told() -> None:
    for command in (("/no/such/program",), (sys.executable, "-c", "pass")):
        workers = Workers(Settings(), command)
        assert (await refused(workers.do("a", "who"))).code == "server/fault"
        await workers.close()


def test_a_process_whose_server_is_gone_ends_by_itself() -> None:
    """In the middle of a job it hears nothing of that: it has a clock."""
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert worker.read(process.stdout)
        message = framed(Job("sleep", [600], 0.1, 1 << 30))
        process.stdin.write(message)
        process.stdin.close()
        assert process.wait(300) == -signal.SIGALRM
    with subprocess.Popen(COMMAND, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as process:
        assert process.wait(300) == 0


# At a server


async def test_six_requests_do_not_stop_the_server(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server reads none of the texts itself, so its loop has turns for others meanwhile."""
    read: list[str] = []

    def noted(text: str) -> None:
        read.append(text)

    monkeypatch.setattr(toml, "check_shape", noted)

    async with httpx.AsyncClient(base_url=server.url, timeout=300) as http:
        setup = {"game": "busca", "start": BOMB[-60_000:]}
        posts = [http.post("/api/verify", content=BOMB) for _ in range(6)]
        posts += [
            http.post("/api/records", content=BOMB),
            http.post("/api/records", content="cardtable = " + "1" * 5000),
            http.post("/api/tables", json=setup),
        ]
        attacks = [asyncio.create_task(post) for post in posts]
        while not all(task.done() for task in attacks):
            assert (await http.get("/healthz")).json() == {"ok": True}
            await asyncio.sleep(LOOK)
        assert {(await task).status_code for task in attacks} == {400}
        assert {(await task).json()["error"]["code"] for task in attacks} == {"record/syntax"}
    assert read == []


@pytest.mark.parametrize("leaving", [False, True])
async def test_work_ends_with_its_client_and_with_the_server(tmp_path: Path, leaving: bool) -> None:
    """One job is being done, another of the same address waits."""
    notes = [tmp_path / "first", tmp_path / "second"]

    # only who asked, or the server's end, ends a job
    server = Served(tmp_path / "t.db", work_seconds=600.0)
    server.start()
    try:
        workers = server.app.hall.thinking.workers = Workers(server.settings, COMMAND)
        server.halt(workers.close)
        async with httpx.AsyncClient(base_url=server.url, timeout=300) as http:
            jobs = []
            for note in notes:
                jobs.append(asyncio.create_task(http.post("/api/verify", content=str(note))))
                await eventually(lambda: notes[0].exists() and notes[0].read_text())
            pid = int(notes[0].read_text())
            await eventually(lambda: workers._turns.waiting == 1)
            assert (await http.get("/healthz")).json() == {"ok": True}
            if leaving:
                jobs[0].cancel()
                await eventually(lambda: gone(pid))
                await eventually(lambda: notes[1].exists() and notes[1].read_text())
                pid = int(notes[1].read_text())
            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            told = [await job for job in jobs[leaving:]]
            assert [(answer.status_code, answer.json()["error"]["code"]) for answer in told] == [
                (503, "server/busy")
            ] * len(told)
            await stopping
            await eventually(lambda: gone(pid))
    finally:
        server.stop()


async def test_a_record_that_takes_too_long_is_refused(server: Served) -> None:
    t = Driven("busca", "a", seats=3, bots=("", "medium", "medium"))
    assert t.ask("a", cm.Resign) is None
    record = str(record_of(t.table))

    async with Client(server.url) as client:
        assert (await client.post("/api/verify", record))["ok"]
        object.__setattr__(server.settings, "work_seconds", 0.0)
        try:
            with pytest.raises(ServerError, match="longer than 0 s") as error:
                await client.post("/api/verify", record)
        finally:
            object.__setattr__(server.settings, "work_seconds", 20.0)
        assert error.value.code == "record/limit"
