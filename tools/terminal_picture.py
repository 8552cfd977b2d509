"""A picture of a match in the terminal: docs/screenshots/terminal.webp.

Plays some moves of Fan Tan in a separate terminal and draws the last screen. Needs Chromium and Playwright.
"""

from __future__ import annotations

import base64
import os
import pty
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]

WIDTH = 84
MOVES = 6
COMMAND = ("play", "fan-tan", "--seed", "tea", "--bot", "medium")


def played() -> str:
    """What the terminal shows after some moves, each the first on its list, with escape codes."""
    ours, theirs = pty.openpty()
    with tempfile.TemporaryDirectory() as place:
        screen = {"TERM": "xterm-256color", "COLUMNS": str(WIDTH), "LINES": "40"}
        surroundings = os.environ | screen | {"CARDTABLE_DATA": place}
        command = [sys.executable, "-m", "cardtable", *COMMAND]
        process = subprocess.Popen(command, cwd=ROOT, env=surroundings, stdin=theirs, stdout=theirs, stderr=theirs)
        output = until_prompt(ours)
        for _ in range(MOVES):
            os.write(ours, b"1\n")
            output += until_prompt(ours)
        process.kill()
        process.wait()
    return output.replace("\r\n", "\n")


def until_prompt(terminal: int) -> str:
    """What the terminal says until it waits for a move."""
    output = b""
    while not output.rstrip(b" ").endswith(b">"):
        output += os.read(terminal, 1 << 16)
    return output.decode()


def main() -> int:
    """Write the picture to the file that is named, or to its place in the documentation."""
    from tests.support import browser as chrome

    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "screenshots" / "terminal.webp"
    lines = played().splitlines()
    last = max(k for k, line in enumerate(lines) if "─── " in line)
    before = max(k for k in range(last) if "─── " in lines[k])
    nowhere = open(os.devnull, "w")  # noqa: SIM115 (as long as the process)
    console = Console(record=True, width=WIDTH, file=nowhere, force_terminal=True)
    console.print(Text.from_ansi("\n".join([f"$ cardtable {' '.join(COMMAND)}", "", *lines[before:]])))
    svg = console.export_svg(title="cardtable", theme=MONOKAI)
    with chrome.opened() as browser:
        page = browser.new_page(viewport={"width": 1100, "height": 900})
        page.set_content(f"<style>body{{margin:0}} svg{{display:block;width:1100px}}</style>{svg}")
        page.evaluate("document.fonts.ready")
        page.set_viewport_size({"width": 1100, "height": round(page.locator("svg").bounding_box()["height"])})
        devtools = page.context.new_cdp_session(page)
        taken = devtools.send("Page.captureScreenshot", {"format": "webp", "quality": 80})
        target.write_bytes(base64.b64decode(taken["data"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
