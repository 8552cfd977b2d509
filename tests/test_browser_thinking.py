"""When the browser makes a player's only legal move: others cannot tell from the time that there was no choice."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import browser as chrome
import pytest
from test_bot_times import FAR, apart

pytestmark = chrome.needed
QUICK, LONGEST = 1100, 10_000  # milliseconds

#: The delays of so many only moves, after decisions that took the given times; `seen`: other people see them.
DELAYS = """async ({ times, seen, many, seed }) => {
  const { Thinking } = await import("/static/thinking.js");
  let word = seed;
  const random = () => (word = (word * 48271) % 2147483647) / 2147483647;
  const found = [];
  for (let i = 0; i < many; i++) {
    const thinking = new Thinking(random);
    let now = 5;
    thinking.offered(0, now);
    for (const time of times) {
      thinking.offered(3, now);
      thinking.sent(now + time);
      now += time + 250;
      thinking.offered(0, now);
    }
    thinking.offered(1, now);
    const left = thinking.left(seen, now);
    if (thinking.left(seen, now + 100) !== Math.max(0, left - 100)) throw new Error("it is drawn once");
    if (thinking.left(false, now) !== 1100) throw new Error("alone it is always the same");
    found.push(left);
  }
  return found;
}"""
SEEN = """async (tables) => {
  const { seenByOthers } = await import("/static/thinking.js");
  return tables.map(seenByOthers);
}"""
#: what can be seen of how a player thinks: only moves, and moves that are not legal, are no decisions
KEPT = """async () => {
  const { Thinking } = await import("/static/thinking.js");
  const thinking = new Thinking(() => 0.5);
  thinking.offered(1, 0);
  thinking.sent(1000);
  thinking.offered(4, 2000);
  thinking.sent(3000); // refused: the same moves are legal
  thinking.sent(6000);
  thinking.offered(2, 7000);
  thinking.offered(0, 9000); // the clock has played
  for (let i = 0; i < 40; i++) {
    thinking.offered(2, 10_000);
    thinking.sent(12_000 + i);
  }
  const { times } = thinking;
  return [times[0], times.length];
}"""


def delays(one: chrome.Watched, times: list[float], many: int = 1000, seen: bool = True, seed: int = 1) -> list[float]:
    if not one.page.url.endswith("/about"):
        one.page.goto(f"{one.url}/about")
    found: list[float] = one.page.evaluate(DELAYS, {"times": times, "seen": seen, "many": many, "seed": seed})
    return found


def test_where_nobody_sees_it_the_only_move_is_made_soon(ann: chrome.Watched) -> None:
    assert set(delays(ann, [2000, 3000, 4000], 20, seen=False)) == {QUICK}


def test_a_player_of_whom_nothing_is_known_takes_any_time(ann: chrome.Watched) -> None:
    found = delays(ann, [2000, 3000])
    assert 1500 <= min(found) < 1700
    assert 4300 < max(found) <= 4500


def test_only_moves_take_as_long_as_the_players_decisions(ann: chrome.Watched) -> None:
    """Two samples of 1,000: the decisions of players, each of whom has made 16, and the delays of their only moves."""
    dice = random.Random(4)
    with_choice, without = [], []
    for player in range(1, 101):
        habit = dice.uniform(1.8, 4.0)
        times = [1000 * habit * dice.uniform(0.7, 2.0) for _ in range(26)]
        with_choice += times[16:]
        without += delays(ann, times[:16], 10, seed=player * 7919)
    assert len(with_choice) == len(without) == 1000
    assert apart(without, with_choice) < FAR
    assert apart([QUICK] * 1000, with_choice) > 10 * FAR, "what it was before"
    assert len(set(without)) > 990, "no time comes twice"


def test_only_moves_are_neither_at_once_nor_very_late(ann: chrome.Watched) -> None:
    for times in ([200.0] * 5, [60_000.0] * 5):
        found = delays(ann, times)
        assert min(found) >= QUICK
        assert max(found) <= LONGEST
        assert len(set(found)) > 990


def test_what_counts_as_a_decision(ann: chrome.Watched) -> None:
    ann.page.goto(f"{ann.url}/about")
    first, many = ann.page.evaluate(KEPT)
    assert many == 16
    assert first >= 2000


def test_who_sees_when_a_player_moves(ann: chrome.Watched) -> None:
    def table(you: int, *kinds: str, watching: bool = False) -> dict[str, Any]:
        return {"you": you, "watching": watching, "seats": [{"seat": k, "kind": kind} for k, kind in enumerate(kinds)]}

    ann.page.goto(f"{ann.url}/about")
    assert ann.page.evaluate(SEEN, [
        table(0, "person", "bot", "bot"),
        table(1, "bot", "person"),
        table(0, "person", "bot", watching=True),
        table(0, "person", "bot", "person"),
    ]) == [False, False, True, True]  # fmt: skip


@pytest.mark.parametrize("watched", [False, True])
def test_at_the_table_the_delay_depends_on_who_is_there(ann: chrome.Watched, browser: Any, watched: bool) -> None:
    page = ann.page
    page.add_init_script(  # no time passes between the offer of a move and its timer, however slow the machine is
        "Math.random = () => 0.999; performance.now = () => 5; window.timers = []; const timer = setTimeout;"
        "window.setTimeout = (does, ms, ...more) => { window.timers.push(ms); return timer(does, ms, ...more); };"
    )
    page.goto(f"{ann.url}/about")
    page.evaluate("localStorage.cardtable = JSON.stringify({...JSON.parse(localStorage.cardtable), auto: true})")
    told = watching(ann)
    ann.deal("fan-tan", seats=4, bots=["", "simple", "simple", "simple"], number="fan-tan 0")
    guest = chrome.visitor(browser, ann.url)
    if watched:
        guest.page.goto(page.url)
        guest.page.wait_for_selector(".live")
    until(ann, told, watched)
    end = time.monotonic() + 60
    found: list[float] = []
    while not found:  # moves at once, after which an only move is made after 1.1 s, and up to 30 % later if seen
        assert time.monotonic() < end
        assert not ann.over
        if "1 card can" not in page.locator(".message").inner_text():
            ann.move()
        found = [ms for ms in page.evaluate("window.timers") if ms and (1201 if watched else 1000) < ms < 1490]
    assert found[0] == pytest.approx(QUICK * 1.2997 if watched else QUICK)
    guest.page.context.close()


def watching(one: chrome.Watched) -> list[bool]:
    """What a page is told of spectators, latest last; it grows while the page is used."""
    told: list[bool] = []
    one.page.on("websocket", lambda line: line.on("framereceived", lambda frame: hear(str(frame), told)))
    return told


def hear(frame: str, told: list[bool]) -> None:
    """Note whether a message says that somebody looks on."""
    message = json.loads(frame)
    if message["type"] == "table":
        told.append(message["table"]["watching"])


def until(one: chrome.Watched, told: list[bool], expected: bool) -> None:
    """Wait until a page was told whether somebody looks on."""
    end = time.monotonic() + 60.0
    while not told or told[-1] is not expected:
        assert time.monotonic() < end, told
        one.page.evaluate("1")  # messages are heard while the page is asked something


def test_a_page_knows_whether_somebody_looks_on(ann: chrome.Watched, browser: Any) -> None:
    told = watching(ann)
    ann.deal("fan-tan", seats=3, bots=["", "simple", "simple"])
    until(ann, told, False)
    guests = [chrome.visitor(browser, ann.url) for _ in range(2)]
    for guest in guests:
        guest.page.goto(ann.page.url)
        guest.page.wait_for_selector(".live")
        until(ann, told, True)
    guests[0].page.context.close()
    guests[1].page.context.close()
    until(ann, told, False)
