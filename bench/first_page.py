"""The time until play is possible: on a slow connection, and until the first card is on the screen.

    python bench/first_page.py               # 150 ms and 1.6 Mbit/s: until something can be clicked, and cards dealt
    python bench/first_page.py card          # on this machine: until the first card, three starts of the server
    python bench/first_page.py card --cold   # the same with an empty cache: the rules are compiled first

Starts `cardtable serve` in a separate process, and opens pages in Chromium. On a slow connection these have the
latency and the rate of a mobile one, with an empty HTTP cache, and again with what the first visit left in it. For the
first card, "Play now" is clicked; the size of the browser client is also printed. Needs Chromium and Playwright.
"""

from __future__ import annotations

import argparse
import gzip
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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


@contextmanager
def serving(**settings: str) -> Iterator[str]:
    """`cardtable serve` at its usual pace; its address when it answers. settings: variables of its environment."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as place:
        command = [sys.executable, "-m", "cardtable", "serve", "--no-browser", "--port", str(port)]
        command += ["--database", f"sqlite:///{place}/tables.db"]
        around = os.environ | {"PYTHONPATH": str(ROOT)} | settings
        server = subprocess.Popen(command, cwd=ROOT, env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        url = f"http://127.0.0.1:{port}"
        try:
            while True:
                try:
                    urllib.request.urlopen(f"{url}/healthz", timeout=1).close()
                    break
                except OSError:
                    time.sleep(0.02)
            yield url
        finally:
            server.terminate()
            server.wait()


def visit(context: Any, address: str, latency: float, rate: float) -> dict[str, float]:
    """Open a page on a slow connection in a new tab, and close it when everything has come."""
    page = context.new_page()
    page.add_init_script(WATCHED)
    came = {"requests": 0, "kB": 0.0}

    def answered(event: dict[str, Any]) -> None:
        answer = event["response"]
        came["requests"] += not answer.get("fromDiskCache") and not answer.get("fromPrefetchCache")

    def finished(event: dict[str, Any]) -> None:
        came["kB"] += event["encodedDataLength"] / 1000

    network = page.context.new_cdp_session(page)
    network.on("Network.responseReceived", answered)
    network.on("Network.loadingFinished", finished)
    network.send("Network.enable")
    limits = {"latency": latency, "downloadThroughput": rate / 8, "uploadThroughput": rate / 8}
    network.send("Network.emulateNetworkConditions", {"offline": False, **limits})
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => performance.getEntriesByName('ready').length")
    times: dict[str, float] = page.evaluate(NOTED)
    page.wait_for_load_state("networkidle")
    page.close()
    return times | came


def slow(given: argparse.Namespace) -> None:
    """Print the medians on a slow connection."""
    from tests.support import browser as chrome

    screen: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": given.language}
    visits = dict[str, list[dict[str, float]]]()
    with serving() as url, chrome.opened() as browser:
        for _ in range(given.times or 5):
            context = browser.new_context(**screen)
            setup = {"game": "fan-tan", "seats": 4, "bots": ["", "medium", "medium", "medium"]}
            table = url + context.request.post(f"{url}/api/tables", data=setup).json()["path"]
            for what, address in {"first page": f"{url}/", "a table": table}.items():
                other = browser.new_context(storage_state=context.storage_state(), **screen)
                other.set_default_timeout(60_000)
                for when in ("first visit", "later visit"):
                    visits.setdefault(f"{what}, {when}", []).append(visit(other, address, given.latency, given.rate))
                other.close()
            context.close()
    print("medians: seconds to the first control, and until cards can be dealt or are in the hand; requests; kB")
    for what, all_of in visits.items():
        medians = {name: statistics.median(one[name] for one in all_of) for name in all_of[0]}
        worst = max(one["control"] for one in all_of)
        figures = f"{medians['ready']:6.2f} {medians['requests']:5.0f} {medians['kB']:7.1f}"
        print(f"{what:26} {medians['control']:6.2f} (at most {worst:.2f}) {figures}")


def card(given: argparse.Namespace) -> None:
    """Print the size of the client, and the times until the first card."""
    from tests.support import browser as chrome

    sizes = {"assets": 0, "courts": 0}
    for path in (ROOT / "cardtable" / "web").rglob("*"):
        if path.is_file():
            sizes["courts" if path.parent.name == "cards" else "assets"] += len(gzip.compress(path.read_bytes(), 6))
    print(", ".join(f"{name} {size / 1000:.1f} kB gzipped" for name, size in sizes.items()))
    with chrome.opened() as browser:
        for _ in range(given.times or 3):
            with tempfile.TemporaryDirectory() as empty:
                times = seconds(browser, given.game, {"CARDTABLE_CACHE": empty} if given.cold else {})
            print(", ".join(f"{name} {took:.2f} s" for name, took in times.items()), flush=True)


def seconds(browser: Any, game: str, settings: dict[str, str]) -> dict[str, float]:
    """The times of one start, in seconds."""
    from tests.support import browser as chrome

    begun = time.perf_counter()
    with serving(**settings) as url:
        times = {"server answers": time.perf_counter() - begun}
        page = chrome.visitor(browser, url).page
        begun = time.perf_counter()
        page.goto(f"{url}/", wait_until="commit")
        page.get_by_role("button", name=f"Play now: {game}", exact=True).click()
        times["first page, clicked"] = time.perf_counter() - begun
        for what, selector in {"first card": ".hand button.card", "our turn": ".live.turn"}.items():
            page.wait_for_selector(selector)
            times[what] = time.perf_counter() - begun
        page.context.close()
    return times


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("slow", "card"), default="slow")
    parser.add_argument("--times", type=int, help="5 visits of each kind, or 3 starts")
    parser.add_argument("--latency", type=float, default=LATENCY, help="milliseconds")
    parser.add_argument("--rate", type=float, default=RATE, help="bits a second")
    parser.add_argument("--language", default="en-GB")
    parser.add_argument("--game", default="Fan Tan", help="its title, for the first card")
    parser.add_argument("--cold", action="store_true", help="with an empty cache of compiled rules")
    given = parser.parse_args()
    card(given) if given.what == "card" else slow(given)


if __name__ == "__main__":
    main()
