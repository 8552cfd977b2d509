"""A game in a separate package, which no other file knows: found by its entry point, dealt, and played in terminal
and browser.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cardtable import Match, RealTimeError, Record
from cardtable.bots import bot
from cardtable.client import Client, ServerError
from cardtable.match.real_time import Clockwork, Stalled, Tick
from cardtable.rules import contract, worlds
from cardtable.table import LiveTable, Refusal
from cardtable.table import events as ev
from cardtable.table.archive import record_of
from cardtable.table.real_time import TableClock
from tests.support import browser as chrome
from tests.support.commands import ROOT, here, installed, run
from tests.support.server.live import Driven
from tests.support.server.served import free_port, start

TOY = ROOT / "tests" / "toy"
PATH: Any = {"PYTHONPATH": os.pathsep.join(filter(None, [str(TOY), os.environ.get("PYTHONPATH", "")]))}


@pytest.fixture
def toys() -> Iterator[None]:
    """The toy packages are installed in this process."""
    with installed(TOY):
        yield


def test_a_process_finds_what_is_installed_there() -> None:
    assert "Tower" not in here("games").stdout
    assert "lay cards on the tower" in run("games", **PATH).stdout


@pytest.mark.usefixtures("toys", "plainly")
def test_the_game_keeps_the_contract() -> None:
    work = worlds.Work.new()
    for seats in (2, 3, 4):
        for number in range(12):
            m = Match("tower", seats, seed=number, hand=3 + number % 5)
            player = bot("random" if number % 2 else "medium", seed=number)
            while m.actors:
                seat = m.actors[0]
                view = m.view(seat)
                zones = {zone.name: zone for zone in view.zones}
                assert [move.text for move in view.choices] == view.legal
                assert all(not move.source or move.cards[0] in zones[move.source].cards for move in view.choices)
                assert Match.from_position(m.position()).view(seat).text() == view.text()
                for other in range(seats):
                    world: Any = m.view(other).state.copy()
                    world.rng[:] = np.array([number + 1, 2, 3, 4], np.uint64)
                    contract.resample(world, other, work)
                    assert [int(n).bit_count() for n in world.hands[:seats]] == [int(n) for n in world.counts[:seats]]
                    contract.redact(world, other)
                    hidden: Any = m.view(other).state
                    world.rng[:] = hidden.rng
                    assert world.tobytes() == hidden.tobytes()
                m.play(player.choose(view), seat)
            assert sum(m.scores) > 0
            assert m.record().replay().scores == m.scores
    assert "tower" in here("simulate", "tower", "--deals", "20").stdout.lower()


@pytest.mark.usefixtures("toys")
def test_it_is_played_in_the_terminal() -> None:
    output = here("play", "tower", "--bot", "medium", "--seed", "3", given="1\nrest\nKC\n? rest\n" + "1\n" * 40).stdout
    for said in (
        "You rest (TW-04)",
        "Ben takes the tower (12 cards) (TW-05)",
        "Ben scores 12 for the tower (TW-05)",
        "The match is over",
    ):
        assert said in output, output
    for shown in (
        " tower: A♠ 2♣   Cleo has laid the top card\n",
        " not dealt: 32 cards\n",
        "   Ann    5 cards · 0 points\n",
    ):
        assert shown in output, output
    assert "You may not play K♣: you do not hold K♣ (TW-03). You may: J♣, rest" in output


def test_it_brings_its_own_texts(request: pytest.FixtureRequest) -> None:
    assert here("games", CARDTABLE_LANGUAGE="pl").stdout == here("games").stdout, "Polish comes with the package alone"
    request.getfixturevalue("toys")
    play = ("play", "tower", "--bot", "medium", "--seed", "3")
    output = here(*play, given="1\nrest\nq\n", CARDTABLE_LANGUAGE="pl").stdout
    assert "Ty odpoczywasz (TW-04)" in output, output


@pytest.mark.usefixtures("toys")
def test_its_own_verb_is_refused_by_its_own_rule() -> None:
    output = here("play", "tower", "--seed", "2", given="rest\nq\n").stdout
    assert " You cannot rest: there is no tower yet, and who begins one lays a card (TW-04).\n" in output, output


@pytest.mark.usefixtures("toys", "plainly")
def test_a_game_in_real_time_is_played_by_its_own_arbiter() -> None:
    """No other file knows it: a program plays it before its arbiter."""
    m = Match("snap", seed=3)
    assert m.real_time
    with pytest.raises(RealTimeError, match="set pace=moments"):
        m.play("turn", 0)
    clockwork, dice, now, dropped, together = Clockwork(m, at=0), random.Random(5), 0, 0, 0
    while not m.over:
        now += dice.choice((10, 60, 300))
        outcomes = clockwork.advance(now)
        seat = dice.randrange(2)
        outcomes += clockwork.intend(
            seat, bot("medium").choose(m.view(seat)) if "turn" in m.legal(seat) else "snap", now
        )
        for outcome in outcomes:
            if isinstance(outcome, Tick):
                m.tick(outcome.moves)
                if len(m.actors) == 2:
                    assert Match.from_position(m.position()).view(seat).text() == m.view(seat).text()
                together += "wait" not in outcome.moves
            elif isinstance(outcome, Stalled):
                m.stall()
            else:
                dropped += 1
    assert min(together, dropped, sum(m.scores)) > 0
    assert Record.parse(str(m.record())).replay().scores == m.scores
    output = " ".join(here("play", "snap", given="q\n").stderr.split())
    assert "pace=at_once: in the terminal this is played with pace=moments" in output
    played = here("play", "snap", "--set", "pace=moments", "--seed", "3", given="turn\nturn\nq\n")
    assert "You draw 4♥ (SN-03)" in played.stdout


@pytest.mark.usefixtures("toys", "plainly")
def test_a_live_table_without_a_network_plays_it() -> None:
    t = Driven("snap", "ab", options={"rest_ms": 500})
    assert t.table.real_time
    clock = TableClock(t.table, t.now)
    refused = t.move("a", "turn")
    assert isinstance(refused, Refusal)
    assert refused.code == "table/live"
    for number in range(20):
        for outcome in clock.intend(number % 2, ev.Numbered("ab"[number % 2], 100 + number), "turn", t.now):
            assert isinstance(outcome, ev.Ticked), outcome
            t.happen(outcome)
    assert clock.fits(t.table)
    assert (t.table.done.last("a"), t.table.done.last("b")) == (118, 119)
    (stalled,) = clock.advance(t.now + 500)
    assert isinstance(stalled, ev.Ticked)
    assert stalled.stalled
    t.happen(stalled)
    assert t.table.stage == "over"
    assert LiveTable.fold(t.log).numbers == t.table.numbers
    assert record_of(t.table).replay().over


async def played_at_once(address: str) -> list[str]:
    """A deal of Snap against a bot, over the wire; the kinds of what happened."""
    async with Client(address) as ann:
        made = await ann.make(
            "snap", name="Ann", bots=["", "medium"], options={"hand": 6, "rest_ms": 500, "tie_ms": 20}
        )
        async with ann.table(made["id"]) as table:
            async for _ in table.states():
                if table.stage == "over":
                    break
                if table.legal:
                    with contextlib.suppress(ServerError):  # somebody was faster
                        await table.move(table.legal[-1])
            assert table.table["live"]
            return [happening["kind"] for happening in table.log]


def test_a_game_in_real_time_is_played_over_the_wire(tmp_path: Path) -> None:
    """A server in a process, whose rules run as plain Python: no other test needs Snap compiled."""
    port = free_port()
    with start(port, tmp_path / "tables.db", **PATH) as server:
        kinds = asyncio.run(asyncio.wait_for(played_at_once(f"http://127.0.0.1:{port}"), 100))
        server.terminate()
    assert "ended" in kinds
    assert "ticked" in kinds
    assert "moved" not in kinds


@chrome.needed
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_it_is_played_in_the_browser(tmp_path: Path) -> None:
    port = free_port()
    with start(port, tmp_path / "tables.db", **PATH) as server, chrome.opened() as browser:
        one = chrome.visitor(browser, f"http://127.0.0.1:{port}")
        one.deal("tower", seats=3, bots=["", "medium", "medium"], number="tower 1", undo="never")
        asked = False
        while not one.over:
            one.page.wait_for_selector(".live.turn, .ending")
            rest = one.page.get_by_role("button", name="Rest", exact=False)
            if not asked and rest.count() and one.page.locator(".hand .can").count():
                rest.first.click()  # though a card could be played: asked once more
                one.page.get_by_role("button", name="Really rest?").wait_for()
                one.page.keyboard.press("Escape")
                asked = True
            one.move()
        assert asked
        assert "takes the tower" in one.page.locator(".log").first.inner_text()
        assert one.page.locator(".ending").inner_text().count("the tower")
        assert one.complaints == []
        server.terminate()
