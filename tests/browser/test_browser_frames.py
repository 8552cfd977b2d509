"""Movements on the table are made by the browser's compositor, even while the page is busy; and frames are counted.

How many frames are dropped is measured by bench/frames.py; no speed is asserted here.
"""

from __future__ import annotations

from typing import Any

import frames
import pytest

from tests.support import browser as chrome
from tests.support.server.prepared import bots
from tests.support.server.served import Served

PAGE = 7  #: the process of the page
#: what the compositor moves without the page; a card that moves lies above the others all the time
MOVED = {"translate", "scale", "rotate", "transform", "opacity", "zIndex"}
#: the next beat comes when `beat` is called, and what moves stops where it begins. `note` notes what is animated, in
#: which beat, and what is animated twice at a time
NOTED = """() => {
  const { director } = cardtable;
  director.skip();
  Object.assign(director.stage, { later: (act) => (window.next = act, 1), cancel: () => (window.next = null) });
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...all) {
    const one = animate.apply(this, all);
    one.pause();
    return one;
  };
  const about = (one) => one.effect.getKeyframes().flatMap((frame) => Object.keys(frame));
  window.found = { beats: {}, moved: [], twice: [] };
  window.note = () => {
    const { found } = window;
    const { beat } = document.querySelector('.live').dataset;
    const all = document.getAnimations().filter((one) => one.effect.target.closest('.live, .flights'));
    for (const one of all) {
      const others = all.filter((each) => each !== one && each.effect.target === one.effect.target);
      const own = about(one).filter((name) => !['offset', 'computedOffset', 'easing', 'composite'].includes(name));
      found.moved.push(...own);
      found.twice.push(...own.filter((name) => name !== 'zIndex' && others.some((each) => about(each).includes(name))));
    }
    found.beats[beat] = (found.beats[beat] ?? 0) + all.length;
  };
  window.beat = () => { const act = window.next; window.next = null; act(); };
}"""

#: what moves is just before its end, so that it hides nothing
ALMOST_THERE = """() => document.getAnimations().forEach((one) => {
  const { endTime } = one.effect.getComputedTiming();
  if (endTime !== Infinity) one.currentTime = endTime - 1;
})"""


#: what would cut cards that fly from the layout, if there is one
CLIPPED = """() => {
  const found = [];
  for (let el = document.querySelector('.spreads .card')?.parentElement; el?.matches('.live *'); el = el.parentElement)
    if (getComputedStyle(el).overflow !== 'visible') found.push(el.className);
  return found;
}"""


def begun(n: int, state: str, moving: bool = True, pid: int = PAGE) -> dict[str, Any]:
    """A part of frame number n as reported by Chromium."""
    about = {
        "layer_tree_host_id": 1,
        "frame_source": 2,
        "frame_sequence": n,
        "state": f"STATE_{state}",
        "has_compositor_animation": moving,
        "has_main_animation": False,
    }
    return {
        "name": "PipelineReporter",
        "ph": "b",
        "pid": pid,
        "ts": n * frames.FRAME,
        "args": {"frame_reporter": about},
    }


def mark(n: int, beat: str) -> dict[str, Any]:
    """The beginning of a beat, just after frame number n has begun."""
    return {"name": f"beat:{beat}", "ph": "R", "pid": PAGE, "ts": n * frames.FRAME + 1, "args": {}}


def test_frames_are_counted_while_something_moves() -> None:
    events = [
        mark(0, "deal"),
        begun(1, "DROPPED"),  # nothing has moved yet
        begun(2, "PRESENTED_ALL"),
        begun(3, "DROPPED"),  # its part by the page, which came late
        begun(3, "PRESENTED_PARTIAL"),
        begun(4, "DROPPED"),
        begun(4, "PRESENTED_ALL", pid=8),  # of another page
        begun(6, "PRESENTED_ALL"),  # number 5 was not even begun
        begun(7, "DROPPED", moving=False),
        mark(8, "chips"),
        begun(9, "PRESENTED_ALL"),
        begun(10, "NO_UPDATE_DESIRED"),
    ]
    counts = frames.by_beat(events)
    assert counts == {
        "deal": frames.Count(expected=5, shown=3, late=1, starts=[frames.FRAME / 1000]),
        "chips": frames.Count(expected=2, shown=2, late=0, starts=[0.0]),
    }


def test_animations_that_the_page_must_draw_are_told() -> None:
    events = [
        {"name": "Animation", "id2": {"local": "0x1"}, "args": {"data": {"nodeName": "BUTTON class='card'"}}},
        {
            "name": "Animation",
            "id2": {"local": "0x1"},
            "args": {"data": {"compositeFailed": 8192, "unsupportedProperties": ["box-shadow"]}},
        },
        {"name": "Animation", "id2": {"local": "0x2"}, "args": {"data": {"nodeName": "SPAN"}}},
        {"name": "Animation", "id2": {"local": "0x2"}, "args": {"data": {"compositeFailed": 0}}},
    ]
    assert frames.drawn_by_the_page(events) == ["BUTTON class='card': 8192 ['box-shadow']"]


@chrome.needed
@pytest.mark.parametrize(
    ("game", "seats", "kinds"),
    [("fan-tan", 4, ["play", "chips"]), ("scopa", 2, ["play", "capture"])],
    ids=["fan-tan", "scopa"],
)
def test_nothing_that_moves_waits_for_the_page(
    browser: Any, server: Served, game: str, seats: int, kinds: list[str]
) -> None:
    """Only what the compositor can move is animated, and nothing twice at a time, which it leaves to the page."""
    one = chrome.visitor(browser, server.url, chosen={"speed": "normal"}, reduced_motion="no-preference")
    page = one.page
    one.deal(game, **bots(seats), number=f"{game} 1")
    page.wait_for_selector(".live.turn .spreads .card" if game == "scopa" else ".live.turn")
    assert page.evaluate(CLIPPED) == []
    page.evaluate(NOTED)
    mine = 0  # moves of one's own: after the first one, cards of the hand move again
    noted: dict[str, Any] = {"beats": {}}
    while mine < 2 or not all(noted["beats"].get(kind) for kind in kinds):
        assert mine < 200, noted
        page.wait_for_function("() => window.next || document.querySelector('.live.turn')")
        if page.evaluate("() => Boolean(window.next)"):
            noted = page.evaluate("() => { window.note(); window.beat(); return window.found; }")
        else:
            page.evaluate(ALMOST_THERE)
            one.move()
            mine += 1
    assert set(noted["moved"]) <= MOVED
    assert noted["twice"] == []
