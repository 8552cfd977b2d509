"""Cards that move on the drawn table: in a replay, with the animations of a step stopped where they begin."""

from __future__ import annotations

from typing import Any

from cardtable import Match, Record, bot
from tests.browser.pages.test_browser_replay import BEATS, MOVING, replayed
from tests.support import browser as chrome
from tests.support.server.served import Served

pytestmark = chrome.needed


def until(game: str, seats: int, beat: str, preset: str | None = None) -> str:
    """The record of a match that was broken off after the first move with such a beat."""
    for seed in range(1, 40):
        m = Match(game, seats, preset, seed=seed)
        player = bot("medium", 1)
        for _ in range(900):
            if m.over:
                break
            seat = m.actors[0]
            m.play(player.choose(m.view(seat)), seat)
            if any(event.beat == beat for event in m.events):
                return str(Record(m.record().keys))
    raise AssertionError(f"{game} has no {beat}")


def last_step(page: Any, after: int = 0) -> None:
    """after: how many moves there are after that step, which show nothing."""
    for name in ("To the end", *["One move back"] * (after + 1)):
        page.get_by_role("button", name=name).click()
    page.wait_for_function(
        "(left) => { const [at, last] = document.querySelector('.controls output').value.split(' / ').map(Number);"
        "return at === last - left && document.querySelector('.feltbox[aria-busy=false]'); }",
        arg=after + 1,
    )
    page.evaluate(
        "() => { const { animate } = Element.prototype; Element.prototype.animate = function (...all) {"
        "const one = animate.apply(this, all); one.pause(); return one; }; }"
    )
    page.get_by_role("button", name="One move on").click()
    page.wait_for_function("() => document.querySelector('.feltbox').dataset.beat")


#: where the flying cards come from and go to: the zone in which their last frame has its middle
FLIGHTS = """(zone) => {
  const box = document.querySelector(`[data-zone="${zone}"]`).getBoundingClientRect();
  return [...document.querySelectorAll('.flights .flight')].map((el) => {
    const [flight] = el.getAnimations();
    const card = el.querySelector('.card').getAttribute('aria-label');
    flight.currentTime = flight.effect.getComputedTiming().endTime - 1;
    const end = el.getBoundingClientRect();
    const [x, y] = [end.left + end.width / 2, end.top + end.height / 2];
    return [card, x > box.left && x < box.right && y > box.top - 20 && y < box.bottom + 20];
  });
}"""


def test_cards_move_from_where_they_lay(browser: Any, server: Served) -> None:
    """To another place of the table, by the last move of a record; with one suit there are eight cards of each kind, so
    that none of them is known by its face.
    """
    one = chrome.visitor(browser, server.url, **MOVING)
    a_complete_run_gathers_and_goes_to_the_others(one)
    cards_of_which_there_are_several_move_from_column_to_column(one)
    a_ship_goes_down_to_those_that_have_sunk(one)


def a_complete_run_gathers_and_goes_to_the_others(one: chrome.Watched) -> None:
    page = replayed(one, until("spider", 1, "removed", "one-suit"))
    last_step(page)
    assert page.evaluate(BEATS) == ["removed", "score"], "the card that completes the run, and the run, are one beat"
    flights = page.evaluate(FLIGHTS, "runs")
    ranks = ["king", "queen", "jack", "ten", "nine", "eight", "seven", "six", "five", "four", "three", "two", "ace"]
    assert [card.split()[0] for card, _ in flights] == ranks, "the king at the bottom, the ace last"
    assert all(there for _, there in flights)


def cards_of_which_there_are_several_move_from_column_to_column(one: chrome.Watched) -> None:
    m = Match("spider", 1, "one-suit", seed=1)
    player = bot("medium", 1)
    while not any(event.beat == "play" and event.card for event in m.events):
        m.play(player.choose(m.view(0)))
    (moved,) = {event.place for event in m.events if event.beat == "play"}
    assert isinstance(moved, int)
    page = replayed(one, str(Record(m.record().keys)))
    last_step(page)
    sliding = page.evaluate(
        "() => [...document.querySelectorAll('.column')].map((column) => [...column.querySelectorAll('[data-card]')]"
        ".filter((el) => el.getAnimations().length).length)"
    )
    assert sliding[moved - 1] >= 1
    assert sum(sliding) - sliding[moved - 1] <= 1, "besides at most a card that is turned up"


def a_ship_goes_down_to_those_that_have_sunk(one: chrome.Watched) -> None:
    page = replayed(one, until("pirate", 2, "sunk"))
    last_step(page, after=1)  # the other seat waits
    assert "sunk" in page.evaluate(BEATS)
    flights = page.evaluate(FLIGHTS, "sunk")
    assert 11 <= len(flights) <= 13
    assert len({card for card, _ in flights}) == len(flights)
    assert all(there for _, there in flights)
