"""What moves on the table is moved by the browser's compositor, whatever the page is doing; and how frames are counted.

How many frames are dropped is measured by bench/frames.py; no speed is asserted here.
"""

from __future__ import annotations

from typing import Any

import browser as chrome
import frames
import pytest
from served import Served

pytestmark = pytest.mark.server(bot_pace=0.2, beat=0.1)

PAGE = 7  #: the process of the page


def begun(n: int, state: str, moving: bool = True, pid: int = PAGE) -> dict[str, Any]:
    """A part of frame number n as Chromium tells of it."""
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
    told = [
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
    found = frames.by_beat(told)
    assert found == {
        "deal": frames.Count(expected=5, shown=3, late=1, starts=[frames.FRAME / 1000]),
        "chips": frames.Count(expected=2, shown=2, late=0, starts=[0.0]),
    }


def test_animations_that_the_page_must_draw_are_told() -> None:
    told = [
        {"name": "Animation", "id2": {"local": "0x1"}, "args": {"data": {"nodeName": "BUTTON class='card'"}}},
        {
            "name": "Animation",
            "id2": {"local": "0x1"},
            "args": {"data": {"compositeFailed": 8192, "unsupportedProperties": ["box-shadow"]}},
        },
        {"name": "Animation", "id2": {"local": "0x2"}, "args": {"data": {"nodeName": "SPAN"}}},
        {"name": "Animation", "id2": {"local": "0x2"}, "args": {"data": {"compositeFailed": 0}}},
    ]
    assert frames.drawn_by_the_page(told) == ["BUTTON class='card': 8192 ['box-shadow']"]


@chrome.needed
@pytest.mark.parametrize("game", ["fan-tan", "scopa"])
def test_nothing_that_moves_waits_for_the_page(browser: Any, server: Served, game: str) -> None:
    events = frames.traced(browser, server.url, game, slow=1.0, seconds=8.0)
    names = {one["name"] for one in events}
    assert {"beat:play", "Animation"} <= names
    assert frames.drawn_by_the_page(events) == []
    assert sum(one.expected for one in frames.by_beat(events).values()) > 0
