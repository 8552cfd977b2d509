"""How smoothly the table moves with a slow processor: frames that Chromium shows and drops, in each kind of beat.

Starts `cardtable serve` in a separate process, sits down at tables of several games in Chromium at normal speed, slows
the page's processor (four times by default), plays with the mouse, and reads Chromium's tracing. While something moves,
60 frames a second are expected, from the first frame that is shown to the last. `late` are those in which all that
flies has moved, but what the page itself draws comes a frame later. `starts` is the median time from the beginning of a
movement until its first frame is shown. Needs Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from first_page import serving

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

#: games and their seats: chips, captures, tricks, money cards, runs, ships
GAMES = {"fan-tan": 4, "scopa": 2, "oh-hell": 4, "michigan": 4, "i-doubt-it": 4, "spider": 1, "pirate": 2}
#: few kinds of trace events: more of them would slow what is measured
CATEGORIES = ["-*", "disabled-by-default-devtools.timeline.frame", "blink.user_timing", "blink.animations"]
#: what the page notes in the trace: each beat, when it begins
MARKS = """addEventListener('DOMContentLoaded', () => new MutationObserver((changes) => {
  for (const { target } of changes)
    if (target.matches('.live')) performance.mark(`beat:${target.dataset.beat}`);
}).observe(document, { subtree: true, attributeFilter: ['data-beat'] }));"""
FRAME = 1e6 / 60  #: microseconds
SHOWN = ("STATE_PRESENTED_ALL", "STATE_PRESENTED_PARTIAL")


@dataclass
class Frame:
    """One frame. at: when it began, in microseconds; states: what became of its parts, as Chromium calls it."""

    at: float
    moving: bool = False
    states: set[str] = field(default_factory=set)

    @property
    def shown(self) -> bool:
        """Whether it was shown, or had nothing new to show."""
        return any(state in SHOWN or state == "STATE_NO_UPDATE_DESIRED" for state in self.states)


@dataclass
class Count:
    """Frames while something moved. starts: milliseconds until the first frame of each movement."""

    expected: int = 0
    shown: int = 0
    late: int = 0
    starts: list[float] = field(default_factory=list)

    def add(self, other: Count) -> None:
        """Add the counts of another."""
        self.expected += other.expected
        self.shown += other.shown
        self.late += other.late
        self.starts += other.starts


def traced(browser: Any, url: str, game: str, slow: float, seconds: float) -> list[dict[str, Any]]:
    """The trace of the first seconds at a table, or until the end of its first deal."""
    from tests.support import browser as chrome

    one = chrome.visitor(browser, url, 1280, 800, {"speed": "normal"}, reduced_motion="no-preference")
    page, seats = one.page, GAMES[game]
    page.add_init_script(MARKS)
    page.goto(url + "/about")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slow})
    browser.start_tracing(page=page, categories=CATEGORIES)
    one.deal(game, seats=seats, bots=["", *["medium"] * (seats - 1)], number=f"{game} 1")
    until = time.monotonic() + seconds
    while time.monotonic() < until and not one.over:
        one.move()
        page.wait_for_timeout(100)
    trace: list[dict[str, Any]] = json.loads(browser.stop_tracing())["traceEvents"]
    page.context.close()
    return trace


def movements(events: Iterable[dict[str, Any]]) -> list[list[Frame]]:
    """The frames of the page, in order, as one list for each time in which something moved without a break."""
    every = list(events)
    pages = {one["pid"] for one in every if one["name"].startswith("beat:")}
    frames: dict[tuple[int, ...], Frame] = {}
    for one in every:
        if one["name"] != "PipelineReporter" or one["ph"] != "b" or one["pid"] not in pages:
            continue
        about = one["args"]["frame_reporter"]
        key = (one["pid"], about["layer_tree_host_id"], about["frame_source"], about["frame_sequence"])
        frame = frames.setdefault(key, Frame(one["ts"]))  # a frame's parts may be told one by one
        frame.at = min(frame.at, one["ts"])
        frame.moving |= about["has_compositor_animation"] or about["has_main_animation"]
        frame.states.add(about["state"])
    moved: list[list[Frame]] = [[]]
    for frame in sorted(frames.values(), key=lambda frame: frame.at):
        if frame.moving:
            moved[-1].append(frame)
        elif moved[-1]:
            moved.append([])
    return [one for one in moved if one]


def counted(movement: Sequence[Frame]) -> Count:
    """The frames of one movement, from the first that was shown to the last."""
    shown = [frame for frame in movement if frame.shown]
    if not shown:
        return Count()
    first, last = shown[0].at, shown[-1].at
    return Count(
        expected=max(len(shown), round((last - first) / FRAME) + 1),
        shown=len(shown),
        late=sum("STATE_PRESENTED_PARTIAL" in frame.states for frame in shown),
        starts=[(first - movement[0].at) / 1000],
    )


def by_beat(events: Sequence[dict[str, Any]]) -> dict[str, Count]:
    """The frames in each kind of beat: each movement counts for the beat in which it begins."""
    marks = sorted((one["ts"], one["name"].removeprefix("beat:")) for one in events if one["name"].startswith("beat:"))
    counts: dict[str, Count] = defaultdict(Count)
    for movement in movements(events):
        # a movement begins as soon as the page has drawn, which the mark follows at once
        name = next((name for at, name in reversed(marks) if at <= movement[0].at + FRAME), "")
        counts[name or "none"].add(counted(movement))
    return counts


def drawn_by_the_page(events: Iterable[dict[str, Any]]) -> list[str]:
    """The animations that the compositor refused: each of their frames waits for the page. With Chromium's reason."""
    names: dict[str, str] = {}
    refused = []
    for one in events:
        if one["name"] != "Animation":
            continue
        key, data = str(one.get("id2") or one.get("id")), one["args"].get("data", {})
        if "nodeName" in data:
            names[key] = f"{data['nodeName']} {data.get('displayName', '')}".strip()
        if data.get("compositeFailed"):
            refused.append(f"{names.get(key, '?')}: {data['compositeFailed']} {data.get('unsupportedProperties', '')}")
    return refused


def main() -> None:
    """Print the figures."""
    from tests.support import browser as chrome

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=list(GAMES), metavar="GAME", help=", ".join(GAMES))
    parser.add_argument("--slow", type=float, default=4.0, help="how many times slower the page's processor is")
    parser.add_argument("--seconds", type=float, default=30.0, help="at each table")
    given = parser.parse_args()
    total: dict[str, Count] = defaultdict(Count)
    print(f"{'':24}{'expected':>9}{'shown':>7}{'%':>7}{'late':>6}{'starts':>9}")

    def row(name: str, one: Count) -> None:
        part = 100 * one.shown / one.expected if one.expected else 100.0
        starts = statistics.median(one.starts or [0.0])
        print(f"{name:24}{one.expected:9}{one.shown:7}{part:7.1f}{one.late:6}{starts:6.0f} ms", flush=True)

    with serving() as url, chrome.opened() as browser:
        for game in given.games:
            events = traced(browser, url, game, given.slow, given.seconds)
            whole = Count()
            for name, one in by_beat(events).items():
                whole.add(one)
                total[name].add(one)
            row(game, whole)
            for what in sorted(set(drawn_by_the_page(events))):
                print(f"  drawn by the page: {what}")
    for name in sorted(total):
        row(f"  {name}", total[name])


if __name__ == "__main__":
    main()
