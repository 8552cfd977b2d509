"""How long a page takes on a slow connection: until something on it can be clicked, and until cards can be dealt.

Starts `cardtable serve` in a process of its own, and opens pages in Chromium with the latency and the rate of a mobile
connection: with an empty HTTP cache, and again with what the first visit left in it. Needs Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from pathlib import Path
from typing import Any

from serving import serving

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

LATENCY = 150  #: milliseconds from each request to the beginning of its answer
RATE = 1_600_000  #: bits a second
#: notes when something that can be clicked is drawn first, and when what matters on a page can be
WATCHED = """(() => {
  const wanted = { control: "#app button:enabled, #app a[href]:not(.skip)",
    ready: ".playnow button.primary:enabled, .live .hand .card" };
  const look = () => {
    for (const [name, selector] of Object.entries(wanted))
      if (![...document.querySelectorAll(selector)].some((el) => el.getClientRects().length)) continue;
      else { performance.mark(name); delete wanted[name]; }
    if (Object.keys(wanted).length) requestAnimationFrame(look);
  };
  look();
})()"""
#: when what was noted happened, in seconds since the page was asked for
NOTED = """() => Object.fromEntries(["control", "ready"].map((name) =>
  [name, performance.getEntriesByName(name)[0].startTime / 1000]))"""


class Line:
    """A page's slow connection, and what went over it."""

    def __init__(self, page: Any, latency: float, rate: float) -> None:
        self.asked = 0
        self.bytes = 0.0
        network = page.context.new_cdp_session(page)
        network.on("Network.responseReceived", self._answered)
        network.on("Network.loadingFinished", self._finished)
        network.send("Network.enable")
        speed = rate / 8
        limits = {"latency": latency, "downloadThroughput": speed, "uploadThroughput": speed}
        network.send("Network.emulateNetworkConditions", {"offline": False, **limits})

    def _answered(self, told: dict[str, Any]) -> None:
        answer = told["response"]
        self.asked += not answer.get("fromDiskCache") and not answer.get("fromPrefetchCache")

    def _finished(self, told: dict[str, Any]) -> None:
        self.bytes += told["encodedDataLength"]


def visit(context: Any, address: str, latency: float, rate: float) -> dict[str, float]:
    """Open a page in a new tab, and close it when everything has come."""
    page = context.new_page()
    page.add_init_script(WATCHED)
    line = Line(page, latency, rate)
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => performance.getEntriesByName('ready').length")
    found: dict[str, float] = page.evaluate(NOTED)
    page.wait_for_load_state("networkidle")
    page.close()
    return {**found, "requests": line.asked, "kB": line.bytes / 1000}


def main() -> None:
    """Print the figures."""
    from tests.support import browser as chrome

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--latency", type=float, default=LATENCY, help="milliseconds")
    parser.add_argument("--rate", type=float, default=RATE, help="bits a second")
    parser.add_argument("--language", default="en-GB")
    given = parser.parse_args()
    visits = dict[str, list[dict[str, float]]]()
    with serving() as url, chrome.opened() as browser:
        for _ in range(given.times):
            context = browser.new_context(viewport={"width": 1280, "height": 800}, locale=given.language)
            context.set_default_timeout(60_000)
            setup = {"game": "fan-tan", "seats": 4, "bots": ["", "simple", "simple", "simple"]}
            table = url + context.request.post(f"{url}/api/tables", data=setup).json()["path"]
            for what, address in {"first page": f"{url}/", "a table": table}.items():
                other = browser.new_context(
                    storage_state=context.storage_state(),
                    viewport={"width": 1280, "height": 800},
                    locale=given.language,
                )
                for when in ("first visit", "later visit"):
                    visits.setdefault(f"{what}, {when}", []).append(visit(other, address, given.latency, given.rate))
                other.close()
            context.close()
    print("medians: seconds to the first control, and until cards can be dealt or are in the hand; requests; kB")
    for what, all_of in visits.items():
        found = {name: statistics.median(one[name] for one in all_of) for name in all_of[0]}
        worst = max(one["control"] for one in all_of)
        print(
            f"{what:26} {found['control']:6.2f} (at most {worst:.2f}) {found['ready']:6.2f} {found['requests']:5.0f} "
            f"{found['kB']:7.1f}"
        )


if __name__ == "__main__":
    main()
