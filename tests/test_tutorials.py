"""The tutorials are true: a reader who types what they say gets what they say.

The blocks of a page are run in order, in a folder of their own:

* `console`: what follows `$` is run; what follows a prompt's `>` is typed. The other lines come in this order in what
  is printed, with anything between them (`…` says that there is something).
* `diff`: a change of a file, which is made.
* `python`: examples with their answers, which go on from one to the next.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from commands import ROOT, surroundings
from effort import cases
from test_docs import Block, read_blocks, run_example
from test_new import install

PAGES = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
PROMPT = re.compile(r"^ ?your move[^>]*>")
ENDLESS = "\n" * 30  #: Enter, for the rest of a command that asks again and again


class Reader:
    """Who follows a tutorial."""

    def __init__(self, folder: Path) -> None:
        self.folder = self.place = folder
        self.environment = surroundings(
            COLUMNS="120", CARDTABLE_DATA=str(folder / "data"), PYTHONPATH=str(ROOT), NO_COLOR="1"
        )
        self.names: dict[str, Any] = {}

    def follow(self, block: Block) -> None:
        """Do what a block says."""
        if block.language == "console":
            for command in re.split(r"^(?=\$ )", block.text, flags=re.MULTILINE)[1:]:
                first, *told = command.splitlines()
                self.run(first.removeprefix("$ "), told, str(block))
        elif block.language == "diff":
            done = subprocess.run(
                ["git", "apply", "-"], cwd=self.place, input=block.text, text=True, capture_output=True, check=False
            )
            assert done.returncode == 0, f"{block}: {done.stderr}"
        elif block.language == "python":
            run_example(block, self.names)
        else:
            pytest.fail(f"{block}: what is to be done with {block.language}?")

    def run(self, command: str, told: list[str], where: str) -> None:
        """Run a command, and look for the lines in what it prints."""
        words = shlex.split(command)
        more: dict[str, str] = {}
        while re.fullmatch(r"[A-Z_]+=\w*", words[0]):
            name, _, more[name] = words.pop(0).partition("=")
        if words[0] == "cd":
            self.place /= words[1]
            return
        if words[:2] == ["pip", "install"]:
            site = self.folder / "site"
            site.mkdir()
            self.environment |= install(site, self.place)
            return
        assert words[0] in ("cardtable", "pytest"), f"{where}: {command}"
        quiet = ["-p", "no:cacheprovider"] if words[0] == "pytest" else []
        typed = [PROMPT.sub("", line).strip() for line in told if PROMPT.match(line)]
        done = subprocess.run(
            [sys.executable, "-m", words[0], *quiet, *words[1:]],
            cwd=self.place,
            env=self.environment | more,
            input="\n".join(typed) + ENDLESS,
            text=True,
            capture_output=True,
            timeout=300,
            check=False,
        )
        printed = done.stdout + done.stderr
        wrong = missing(told, printed)
        assert wrong is None, f"{where}: {command}\nnot printed there: {wrong}\n{printed[-4000:]}"
        assert done.returncode == 0 or words[0] == "pytest", f"{where}: {command}\n{printed[-4000:]}"


def missing(told: list[str], printed: str) -> str | None:
    """The first line that is not printed after those before it; None: all are."""
    at = 0
    for line in told:
        found = PROMPT.match(line)
        wanted = (found[0] if found else line).strip().rstrip("…").rstrip()
        place = printed.find(wanted, at)
        if place < 0:
            return line
        at = place + len(wanted)
    return None


@pytest.mark.parametrize(
    "page", cases(PAGES, lambda page: page.stem not in ("author", "player")), ids=lambda page: page.stem
)
def test_a_tutorial_can_be_followed(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path)
    blocks = read_blocks(page.relative_to(ROOT).as_posix(), page.read_text("utf-8"))
    assert len(blocks) > 5
    for block in blocks:
        reader.follow(block)


def test_a_line_that_is_not_printed_is_found() -> None:
    assert missing(["one", "…", " your move> 7H", "two …"], "one and\n your move> 7♥\ntwo and three") is None
    assert missing(["two", "one"], "one\ntwo\n") == "one"
    assert missing([" your move> 7H"], "no prompt") == " your move> 7H"


def test_the_three_of_them() -> None:
    assert [page.stem for page in PAGES] == ["author", "player", "teacher"]
