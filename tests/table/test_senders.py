"""Commands that a person sends from several places: what is acknowledged is in the log, and nothing is there twice."""

from __future__ import annotations

import asyncio
import json
import random
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from cardtable.base.message import plain
from cardtable.client import Client
from cardtable.table import LiveTable, Refusal, decide, projection
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.senders import KEPT
from tests.support.effort import cases
from tests.support.server.live import Driven
from tests.support.server.served import Served

OWNER = "a"
TABS = ("tab1", "tab2")


def alone() -> Driven:
    """A person at a table with a bot."""
    return Driven("fan-tan", OWNER, shuffles="", seats=2, preset="british", bots=["", "medium"])


def done(t: Driven, command: cm.Command, sender: str) -> str:
    """A command is decided on and written, as a room does it: done, again, or the code of its refusal."""
    answer = decide(t.table, OWNER, command, sender)
    if isinstance(answer, Refusal):
        return answer.code
    if answer is None:
        return "again"
    entry = ev.Entry(t.table.version + 1, t.now, answer, OWNER, command.seq, sender, command.digest)
    t.log.append(entry)
    t.table.apply(entry)
    return "done"


def test_one_tabs_number_takes_nothing_from_another_tab() -> None:
    t = alone()
    first, second = cm.Say(1, "from one"), cm.Say(1, "from the other")
    assert [done(t, first, "tab1"), done(t, second, "tab2")] == ["done", "done"]
    assert [line.text for line in t.table.chat] == ["from one", "from the other"]
    assert [done(t, first, "tab1"), done(t, second, "tab2")] == ["again", "again"]


def test_a_number_belongs_to_one_command() -> None:
    """What is refused has not been done, and the refusal says with which number it can be."""
    t = alone()
    assert done(t, cm.Say(3, "one"), "") == "done"
    for seq in (1, 2, 3):
        refusal = decide(t.table, OWNER, cm.Say(seq, "another"))
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.next) == ("message/number", 4)
        said = [plain(part) for part in (refusal.what, refusal.why, refusal.can) if part]
        assert f"number, {seq}," in said[1]
        assert said[2].endswith("4")
    assert done(t, cm.React(3, "👍"), "") == "message/number", "nor to one of another kind"
    assert done(t, cm.Say(4, "another"), "") == "done"
    assert [line.text for line in t.table.chat] == ["one", "another"]


def test_a_restart_forgets_no_number() -> None:
    t = alone()
    commands = [cm.Say(number, f"line {number}") for number in range(1, 9, 2)]
    assert {done(t, command, "tab1") for command in commands} == {"done"}
    t.table = LiveTable.fold(ev.decode(ev.encode(entry)) for entry in t.log)
    assert [done(t, command, "tab1") for command in commands] == ["again"] * 4
    assert done(t, cm.Say(7, "another"), "tab1") == "message/number"
    assert projection.table_seen(t.table, OWNER, sender="tab1").seq == 7
    assert projection.table_seen(t.table, OWNER, sender="tab2").seq == 0


def test_nobody_says_of_a_forgotten_number_that_it_was_not_done() -> None:
    """It may have been done, so the client must not send it again as another one."""
    t = alone()
    for number in range(1, KEPT + 2):
        assert done(t, cm.Say(number, "line"), "tab1") == "done"
    refusal = decide(t.table, OWNER, cm.Say(1, "line"), "tab1")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.next) == ("message/number", 0)
    assert done(t, cm.Say(2, "line"), "tab1") == "again"


def test_logs_of_earlier_versions_go_on() -> None:
    """They have no senders and no digests: the number alone decides, as it did then."""
    t = alone()
    t.happen(ev.Said(0, "before"), OWNER, 5)
    line = ev.encode(t.log[-1])
    assert b"sender" not in line
    assert b"digest" not in line
    assert decide(t.table, OWNER, cm.Say(5, "before")) is None
    assert done(t, cm.Say(6, "after"), "") == "done"
    old = msgspec.json.decode(b'{"kind":"ticked","moves":["play","wait"],"answers":[["a",5]]}', type=ev.Ticked)
    assert old.answers == (ev.Numbered("a", 5),)


def test_the_digest_of_a_command_is_that_of_what_it_says() -> None:
    assert cm.Undo(3).digest == cm.Undo(3, all=False).digest
    assert len({command.digest for command in (cm.Undo(3), cm.Undo(3, all=True), cm.Undo(4), cm.GetReady(3))}) == 4


@dataclass
class Tab:
    """A client: it numbers its commands, and keeps the ones that have no answer yet."""

    sender: str
    seq: int = 0
    waiting: list[cm.Command] = field(default_factory=list)

    def new(self, kind: type[Any], *fields: Any) -> None:
        self.seq += 1
        self.waiting.append(kind(self.seq, *fields))


@pytest.mark.parametrize("seed", cases(range(5)))
@pytest.mark.parametrize("senders", [TABS, ("", "")], ids=["named", "nameless"])
def test_what_is_acknowledged_is_in_the_log_once(seed: int, senders: tuple[str, str]) -> None:
    """Two clients of one person act at random: answers get lost, commands are sent again and in other orders, and the
    server is killed and reads its log. 1,000 commands a case, 10,000 in all.
    """
    dice = random.Random(f"{seed} {senders}")
    t = alone()
    tabs = [Tab(sender) for sender in senders]
    acknowledged: list[tuple[str, int, str]] = []
    for number in range(1000):
        t.wait(60)
        while seats := t.table.bot_seats():
            t.happen(ev.Moved(seats[0], t.advised(seats[0]), "bot"))
        tab = tabs[dice.randrange(2)]
        if dice.random() < 0.7 or not tab.waiting:
            act(t, tab, number, dice)
        dice.shuffle(tab.waiting)
        for command in tab.waiting[: dice.randint(1, 3)]:
            before = len(t.log)
            answer = done(t, command, tab.sender)
            assert (len(t.log) > before) == (answer == "done")
            if dice.random() < 0.2:  # the answer is lost
                continue
            tab.waiting.remove(command)
            if answer in ("done", "again"):
                acknowledged.append((tab.sender, command.seq, command.digest))
            elif answer == "message/number":
                refusal = decide(t.table, OWNER, command, tab.sender)
                assert isinstance(refusal, Refusal)
                if refusal.next:
                    tab.seq = max(tab.seq + 1, refusal.next)
                    tab.waiting.append(msgspec.structs.replace(command, seq=tab.seq))
        if dice.random() < 0.02:
            t.table = LiveTable.fold(ev.decode(ev.encode(entry)) for entry in t.log)
    written = [(entry.sender, entry.seq, entry.digest) for entry in t.log if entry.digest]
    assert len(set(written)) == len(written), "nothing was done twice"
    assert {*acknowledged} <= {*written}, "what was acknowledged was done"
    assert len(acknowledged) > 100


def act(t: Driven, tab: Tab, number: int, dice: random.Random) -> None:
    view = t.table.views[0] if t.table.match else None
    if view is not None and view.legal and dice.random() < 0.8:
        tab.new(cm.PlayMove, dice.choice(view.legal), t.table.numbers[0])
    elif t.table.stage in ("between", "over"):
        tab.new(cm.GetReady)
    else:
        tab.new(cm.Say, f"line {number}")


# At a server


async def test_two_clients_of_one_person_at_once(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("busca", name="Ann", bots=["", "medium", "medium"], seats=3)
        async with ann.table(made["id"]) as one, ann.table(made["id"]) as other:
            said = [f"{number} from {name}" for number in range(12) for name in ("one", "other")]
            for k in range(0, len(said), 2):
                await asyncio.gather(one.command("say", text=said[k]), other.command("say", text=said[k + 1]))
            await one.until(lambda: len(one.table["chat"]) == len(said))
            assert sorted(line["text"] for line in one.table["chat"]) == sorted(said)


async def answer(socket: ClientConnection, message: dict[str, Any]) -> dict[str, Any]:
    await socket.send(json.dumps(message))
    while True:
        data: dict[str, Any] = json.loads(await asyncio.wait_for(socket.recv(), 60.0))
        if data["type"] in (("table",) if message["type"] == "hello" else ("done", "refused")):
            return data


async def test_clients_that_name_no_sender_are_told_the_next_number(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("busca", name="Ann", bots=["", "medium", "medium"], seats=3)
        url, headers = server.url.replace("http", "ws") + "/ws", {"Cookie": f"cardtable={ann.token}"}
        async with (
            connect(url, additional_headers=headers) as one,
            connect(url, additional_headers=headers) as other,
        ):
            for socket in (one, other):
                await answer(socket, {"type": "hello", "table": made["id"]})
            said = [{"type": "say", "seq": 1, "text": text} for text in ("one", "other")]
            assert (await answer(one, said[0]))["type"] == "done"
            refusal = await answer(other, said[1])
            assert (refusal["type"], refusal["code"], refusal["next"]) == ("refused", "message/number", 2)
            assert (await answer(one, said[0]))["again"]
            assert not (await answer(other, said[1] | {"seq": 2}))["again"]
