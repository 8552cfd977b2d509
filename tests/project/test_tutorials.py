"""The tutorials are true: a reader who types what they say gets what they say.

The blocks of a page are run in order, in a separate folder:

* `console`: what follows `$` is run; what follows a prompt's `>` is typed. The other lines come in this order in what
  is printed, with anything between them (`…` says that there is something).
* `diff`: a change of a file, which is made.
* `python`: examples with their answers, which go on from one to the next.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_new import install
from tests.project.test_docs import Block, read_blocks, run_example
from tests.support.commands import ROOT, here, surroundings
from tests.support.effort import cases
from tests.support.programs import require

PROMPT = re.compile(r"^ ?your move[^>]*>")
ENDLESS = "\n" * 30  #: Enter, for the rest of a command that asks again and again


class Reader:
    """Who follows a tutorial."""

    def __init__(self, folder: Path) -> None:
        self.folder = self.place = folder
        self.more = {"COLUMNS": "120", "CARDTABLE_DATA": str(folder / "data"), "NO_COLOR": "1"}
        self.installed: dict[str, str] = {}  #: what the environment needs for a package that was installed
        self.names: dict[str, Any] = {}

    def follow(self, block: Block, prepares: bool = False) -> None:
        """Do what a block says. prepares: only what later ones build on."""
        if block.language == "console":
            for command in re.split(r"^(?=\$ )", block.text, flags=re.MULTILINE)[1:]:
                first, *lines = command.splitlines()
                self.run(first.removeprefix("$ "), lines, str(block), prepares)
        elif block.language == "diff":
            done = subprocess.run(
                ["git", "apply", "-"], cwd=self.place, input=block.text, text=True, capture_output=True, check=False
            )
            assert done.returncode == 0, f"{block}: {done.stderr}"
        elif block.language == "python":
            run_example(block, self.names)
        else:
            pytest.fail(f"{block}: what is to be done with {block.language}?")

    def run(self, command: str, lines: list[str], where: str, prepares: bool = False) -> None:
        """Run a command, and look for the lines in what it prints. prepares: only if others build on it."""
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
            self.installed = install(site, self.place)
            return
        assert words[0] in ("cardtable", "pytest"), f"{where}: {command}"
        if prepares and words[:2] != ["cardtable", "new"]:
            return
        typed = [PROMPT.sub("", line).strip() for line in lines if PROMPT.match(line)]
        given = "\n".join(typed) + ENDLESS
        if not self.installed and words[0] == "cardtable":
            with contextlib.chdir(self.place):
                done = here(*words[1:], given=given, code=None, **self.more)
        else:
            done = self.process(words, more, given)
        printed = done.stdout + done.stderr
        wrong = missing(lines, printed)
        assert wrong is None, f"{where}: {command}\nnot printed there: {wrong}\n{printed[-4000:]}"
        assert done.returncode == 0 or words[0] == "pytest", f"{where}: {command}\n{printed[-4000:]}"

    def process(self, words: list[str], more: dict[str, str], given: str) -> subprocess.CompletedProcess[str]:
        """Run a command in a process, as an installed package is found when it begins, and its sources are changed."""
        quiet = ["-p", "no:cacheprovider"] if words[0] == "pytest" else []
        if "--deals" in words:  # the figures are not compared, and rules that run as plain Python are slow
            words[words.index("--deals") + 1] = "40"
        return subprocess.run(
            [sys.executable, "-m", words[0], *quiet, *words[1:]],
            cwd=self.place,
            env=surroundings(**self.more | self.installed | more),
            input=given,
            text=True,
            capture_output=True,
            timeout=300,
            check=False,
        )


def missing(lines: list[str], printed: str) -> str | None:
    """The first line that is not printed after those before it; None: all are."""
    at = 0
    for line in lines:
        prompt = PROMPT.match(line)
        wanted = (prompt[0] if prompt else line).strip().rstrip("…").rstrip()
        place = printed.find(wanted, at)
        if place < 0:
            return line
        at = place + len(wanted)
    return None


#: pages, with the part of their blocks that is run: of one, a block a test, as it runs the tests of a game four times
PAGES = {"teacher": 1, "player": 1, "author": 11}
PARTS = [(name, part, parts) for name, parts in PAGES.items() for part in range(parts)]


@pytest.mark.parametrize(("name", "part", "parts"), cases(PARTS))
def test_a_tutorial_can_be_followed(
    name: str, part: int, parts: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if name == "author":
        require("git")
    monkeypatch.chdir(tmp_path)
    reader = Reader(tmp_path)
    page = ROOT / "docs" / "tutorials" / f"{name}.md"
    blocks = read_blocks(page.relative_to(ROOT).as_posix(), page.read_text("utf-8"))
    assert len(blocks) > 5
    for k, block in enumerate(blocks):
        reader.follow(block, prepares=k * parts // len(blocks) != part)


def test_a_line_that_is_not_printed_is_found() -> None:
    assert missing(["one", "…", " your move> 7H", "two …"], "one and\n your move> 7♥\ntwo and three") is None
    assert missing(["two", "one"], "one\ntwo\n") == "one"
    assert missing([" your move> 7H"], "no prompt") == " your move> 7H"


def test_all_but_that_of_the_browser() -> None:
    pages = {page.stem for page in (ROOT / "docs" / "tutorials").glob("*.md")}
    assert pages - {"browser"} == {name for name, _, _ in PARTS}
