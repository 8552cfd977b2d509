"""The documentation is true: its Python examples run, its commands exist, its links lead somewhere."""

from __future__ import annotations

import doctest
import json
import re
import shlex
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from cardtable.kernel import cache as cache_of_rules
from cardtable.rules import catalog
from cardtable.rules.game import FAMILIES
from tests.support.commands import call, here
from tests.support.effort import cases

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(ROOT.glob("docs/**/*.md")),
    ROOT / "examples/README.md",
    *sorted(ROOT.glob("cardtable/games/*/*.md")),
]

DIFFICULTY = {1: "easy", 2: "medium", 3: "demanding"}  #: words for `Game.effort`


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int  #: of its first line of text, from 1
    language: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def read_blocks(page: str, text: str) -> list[Block]:
    """The fenced blocks of a page."""
    blocks: list[Block] = []
    language, start, inside = "", 0, list[str]()
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```") and not start:
            language, start = line[3:].strip(), number + 1
        elif line.startswith("```"):
            blocks.append(Block(page, start, language, "\n".join(inside) + "\n"))
            start, inside = 0, []
        elif start:
            inside.append(line)
    assert not start, f"{page}:{start}: this block is not closed"
    return blocks


BLOCKS = [block for path in PAGES for block in read_blocks(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))]
COMMANDS = [
    (block, line[2:])
    for block in BLOCKS
    if block.language == "console"
    for line in block.text.splitlines()
    if line.startswith("$ ")
]
FOLLOWED = (
    "docs/tutorials/"  #: pages that are followed from their first line to the last (tests/project/test_tutorials.py)
)


EXAMPLES = [
    block for block in BLOCKS if block.language == "python" and ">>>" in block.text and FOLLOWED not in block.page
]
TUTORIALS = ("docs/studies.md",)  #: pages whose examples go on from one to the next


def run_example(block: Block, names: dict[str, Any]) -> None:
    """Run an example with these names, and add its own to them."""
    test = doctest.DocTestParser().get_doctest(block.text, names, str(block), block.page, block.line - 1)
    output: list[str] = []
    failed = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=output.append, clear_globs=False).failed
    names |= test.globs
    assert not failed, "".join(output)


@pytest.mark.parametrize(
    "block",
    cases([block for block in EXAMPLES if block.page not in TUTORIALS], lambda block: ".solve(" not in block.text),
    ids=str,
)
def test_python_examples(block: Block) -> None:
    run_example(block, {})


@pytest.mark.parametrize("page", TUTORIALS)
def test_tutorials(page: str) -> None:
    names: dict[str, Any] = {}
    blocks = [block for block in EXAMPLES if block.page == page]
    assert len(blocks) > 3
    for block in blocks:
        run_example(block, names)


@cache
def run(command: str) -> subprocess.CompletedProcess[str]:
    """A `cardtable ...` command, with what it printed."""
    name, *words = shlex.split(command, comments=True)
    assert name == "cardtable"
    return here(*words, code=None, COLUMNS="160")


#: each command that a page names, with the first block that does
NAMED = {c: b for b, c in reversed(COMMANDS) if re.search(r"\bcardtable [a-z]", c)}


@pytest.mark.parametrize("page", sorted({block.page for block in NAMED.values()}))
def test_commands_and_their_options_exist(page: str) -> None:
    """Checked by the help of the command, which costs nothing: examples that deal a million deals are not run."""
    for command, block in NAMED.items():
        if block.page == page:
            options_exist(block, command)


def options_exist(block: Block, command: str) -> None:
    words = shlex.split(command, comments=True)
    words = words[words.index(next(word for word in words if word.endswith("cardtable"))) + 1 :]
    answer = run(f"cardtable {words[0]} --help")
    assert answer.returncode == 0, answer.stderr
    helped = answer.stdout
    parts = [word for word in words[1:] if re.search(rf"^  {re.escape(word)}  ", helped, re.MULTILINE)]
    for part in parts[:1]:  # a command of a group has its own options
        answer = run(f"cardtable {words[0]} {part} --help")
        assert answer.returncode == 0, answer.stderr
        helped += answer.stdout
    for word in words[1:]:
        if word.startswith("--"):
            assert re.search(rf"{re.escape(word.partition('=')[0])}\b", helped), (
                f"{block}: {words[0]} has no option {word}"
            )


@pytest.mark.parametrize(
    ("block", "command"),
    [(b, c) for b, c in COMMANDS if c.startswith(("cardtable games", "cardtable rules")) and FOLLOWED not in b.page],
    ids=str,
)
def test_cheap_commands_run(block: Block, command: str) -> None:
    done = run(command)
    assert done.returncode == 0, f"{block}: {done.stderr}"
    assert done.stdout


#: commands of studies below which a page shows what they print, with that
PRINTED = [
    (block, command, output)
    for block in BLOCKS
    if block.language == "console" and FOLLOWED not in block.page
    for command, _, output in (part.partition("\n") for part in block.text.split("$ ")[1:])
    if re.match("cardtable (simulate|study|league|skill) ", command) and output.strip()
]
TIMES = re.compile(r" in [\d.,]+ s(: [\d,]+ moves a second)?$", re.MULTILINE)


@pytest.mark.skipif(bool(cache_of_rules.config.DISABLE_JIT), reason="thousands of deals")
@pytest.mark.parametrize(("block", "command", "output"), PRINTED, ids=str)
def test_studies_print_what_pages_say(
    block: Block, command: str, output: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """But for times, which pages have from a machine that does nothing else."""
    code, out, _ = call(capsys, *shlex.split(command)[1:])
    assert code == 0
    assert TIMES.sub("", out).strip() == TIMES.sub("", output).strip(), str(block)


def test_some_pages_say_what_studies_print() -> None:
    assert {"README.md", "docs/studies.md"} <= {block.page for block, _, _ in PRINTED}


@pytest.mark.skipif(bool(cache_of_rules.config.DISABLE_JIT), reason="thousands of deals")
def test_both_halves_of_the_tutorial_on_studies_give_the_same_digest(capsys: pytest.CaptureFixture[str]) -> None:
    """The command, and the first example in Python: neither names the bots."""
    command = next(command for block, command, _ in PRINTED if block.page == "docs/studies.md")
    names: dict[str, Any] = {}
    run_example(next(block for block in EXAMPLES if block.page == "docs/studies.md"), names)
    assert "bots" not in command
    _, out, _ = call(capsys, *shlex.split(command)[1:], "--json")
    assert json.loads(out)["digest"] == names["found"].digest


@pytest.mark.parametrize(("block", "command"), [(b, c) for b, c in COMMANDS if c.startswith("make ")], ids=str)
def test_targets_of_make_exist(block: Block, command: str) -> None:
    target = shlex.split(command, comments=True)[1]
    assert re.search(rf"^{target}:.*  ## ", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE), (
        f"{block}: make has no {target}"
    )


@cache
def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as hosts of repositories and Sphinx make them."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)
    titles = re.findall(r"^#+ (.*)$", text.lower(), re.M)
    return {re.sub(r"[^\w -]", "", title).replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(path: Path) -> None:
    """Each leads to a file of the repository and, where it names one, to a heading of that page."""
    for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        page = path.parent / file if file else path
        assert page.exists(), f"{path.name}: {target} is not there"
        assert not anchor or page.suffix != ".md" or anchor in anchors(page), f"{path.name}: no heading {target}"


def test_links_of_the_readme_lead_to_files_of_this_repository() -> None:
    """Its pictures are shown and its links work wherever the repository lies."""
    links = re.findall(r"(!?)\[[^\]]*\]\(([^)\s]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert {picture for picture, _ in links} == {"", "!"}
    for _, target in links:
        assert (ROOT / (target.partition("#")[0] or "README.md")).is_file(), target


def test_the_readme_describes_every_game() -> None:
    """Its table says of each game what the catalog says."""

    def span(seats: tuple[int, int]) -> str:
        return "–".join(str(n) for n in dict.fromkeys(seats))

    pages = {page.stem: page.relative_to(ROOT) for page in ROOT.glob("cardtable/games/*/*.md")}
    rows = [
        f"| **{game.title}** | {span(game.seats)} | {span(game.best)} | {game.minutes} | {DIFFICULTY[game.effort]} | "
        f"{FAMILIES[game.family].lower()} | [rules]({pages[game.name]}) |"
        for game in sorted(catalog.games().values(), key=lambda game: game.title)
    ]
    assert "\n".join(rows) + "\n\n" in (ROOT / "README.md").read_text("utf-8")


def test_the_page_of_games_says_how_many_can_play() -> None:
    """A row for each game, easy and quick ones first: ● where it is best, ○ where it is possible."""
    rows = []
    for game in sorted(catalog.games().values(), key=lambda game: (game.effort, game.minutes, game.title)):
        (fewest, most), (from_, to) = game.seats, game.best
        marks = ("●" if from_ <= n <= to else "○" if fewest <= n <= most else "" for n in range(1, 9))
        page = next(ROOT.glob(f"cardtable/games/*/{game.name}.md")).relative_to(ROOT)
        rows.append(
            f"| [{game.title}](../{page}) | {' | '.join(marks)} | {game.minutes} | {DIFFICULTY[game.effort]} |\n"
        )
    assert "".join(rows) + "\n" in (ROOT / "docs/choosing.md").read_text("utf-8")


def test_no_address_or_package_is_named_that_is_not_ours() -> None:
    """Nothing is published yet: the package index has no Cardtable, and a stranger's could be installed."""
    ours = [path for folder in ("cardtable", "deploy", "docs", "examples") for path in (ROOT / folder).rglob("*")]
    for path in [*ours, ROOT / "README.md", ROOT / "pyproject.toml"]:
        if path.suffix in (".md", ".py", ".txt", ".toml", ".service", ".po", ".js", ".html", ".ipynb"):
            text = path.read_text("utf-8")
            assert "github.com/cardtable" not in text, path
            assert not re.search(r"pip install (-\S+ )*[\"'\\]*cardtable", text), path


def test_blocks_are_read_with_their_lines() -> None:
    text = "# A\n\n```python\n>>> 1 + 1\n2\n```\n\n```console\n$ make test\n```\n"
    first, second = read_blocks("a.md", text)
    assert (first.language, first.line, first.text) == ("python", 4, ">>> 1 + 1\n2\n")
    assert (str(second), second.text) == ("a.md:9", "$ make test\n")
    with pytest.raises(AssertionError, match="not closed"):
        read_blocks("a.md", "```python\n")


def test_a_false_example_is_found() -> None:
    with pytest.raises(AssertionError, match="Expected"):
        test_python_examples(Block("a.md", 1, "python", ">>> 1 + 1\n3\n"))


def test_the_guide_to_the_terminal_is_whole() -> None:
    """It names every variable that is read, every option of `play`, every key that `?` lists, every exit code, and how
    to ask for help.
    """
    from cardtable.cli.commands import play
    from cardtable.cli.common import FAULT, FILE, INTERRUPTED
    from cardtable.cli.terminal.table_help import COMMANDS

    guide = (ROOT / "docs/terminal.md").read_text("utf-8")
    sources = "".join(path.read_text("utf-8") for path in ROOT.glob("cardtable/**/*.py"))
    for name in sorted(set(re.findall(r'"(CARDTABLE_[A-Z]+)"', sources))):
        assert f"| `{name}` |" in guide
    for param in play.play.params:
        if param.opts[0] not in ("game", "--speed"):
            assert param.opts[0] in guide, param.opts[0]
    for command, _ in COMMANDS[1:]:
        assert f"| `{command.split()[0]}` |" in guide or command.startswith("? "), command
    for code in (0, 1, 2, FILE, FAULT, INTERRUPTED):
        assert f"\n| {code} | " in guide, code
    for asked in ("--help", "--version"):
        assert f"`cardtable {asked}`" in guide
