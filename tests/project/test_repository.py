"""The repository keeps its promises: one version, light imports, rooms of a size, option tables that agree with the
code.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import cardtable
from cardtable.rules.catalog import games
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset

ROOT = Path(__file__).resolve().parents[2]
SOURCES = sorted(
    path for place in ("cardtable", "tests", "tools", "bench", "examples") for path in (ROOT / place).rglob("*.py")
)
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
ID = re.compile(r"\b[A-Z]{2}-[QES]?\d{1,2}\b")
WEB = ROOT / "cardtable" / "web"
CLIENT = sorted([*WEB.glob("*.js"), *WEB.glob("*/*.js"), *WEB.glob("*.html"), *WEB.glob("style/*.css")])
#: the folders of the client's modules: each imports from those before it
FOLDERS = ("browser", "text", "net", "cards", "faces", "motion", "hand", "table", "replay", "windows", "pages")
FULL = 24  #: modules in a folder, at most
LONGEST = 700  #: lines; a file has under about 600
WIDEST = 120  #: characters of a line
LONGEST_FUNCTION = 80  #: lines, in the client
#: what begins at the margin of a script, or inside a class, as the formatter lays it out: `}` and comments do not
BEGINS = re.compile(r"(?:  )?[#\w]")
COMMENT = re.compile(r"\s*(?:/?\*|//|$)")


def relative(path: Path) -> str:
    """A path below the repository."""
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("files", [SOURCES, CLIENT], ids=["python", "client"])
def test_no_file_is_too_long_to_read(files: list[Path]) -> None:
    assert len(files) > 40
    assert [relative(path) for path in files if len(path.read_text("utf-8").splitlines()) > LONGEST] == []


def test_no_line_of_the_client_is_too_wide_to_read() -> None:
    wide = [
        f"{relative(path)}:{number}"
        for path in CLIENT
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > WIDEST
    ]
    assert wide == []


def functions(script: str) -> dict[int, int]:
    """Lengths of a script's functions and methods by their first lines; those inside others belong to these. A table
    of constants is none.
    """
    lines = script.splitlines()
    starts: list[int] = []
    inside = False  # a class
    for number, line in enumerate(lines):
        if BEGINS.match(line) and (inside or line[0] != " "):
            starts.append(number)
            inside = line.startswith(("class ", "export class ")) or (inside and line[0] == " ")
    lengths = {}
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        while COMMENT.match(lines[end - 1]):
            end -= 1
        if re.search(r"=>|\bfunction\b|^  ", "\n".join(lines[start:end])):
            lengths[start + 1] = end - start
    return lengths


def test_functions_of_the_client_are_short() -> None:
    body = "".join(f"  line({n});\n" for n in range(LONGEST_FUNCTION - 2))
    least = f"/** A comment. */\nfunction f() {{\n{body}}}\n\n// another\nconst g = () => {{\n{body}  more();\n}};\n"
    assert list(functions(least).values()) == [LONGEST_FUNCTION, LONGEST_FUNCTION + 1]
    assert functions("export class A {\n  f() {\n    a();\n  }\n\n  #g() {}\n}\n") == {2: 3, 6: 2}
    assert [
        f"{relative(path)}:{line}: {length} lines"
        for path in CLIENT
        if path.suffix == ".js"
        for line, length in functions(path.read_text("utf-8")).items()
        if length > LONGEST_FUNCTION
    ] == []


def test_folders_of_the_client_import_one_way() -> None:
    upward = []
    for number, folder in enumerate(FOLDERS):
        modules = sorted((WEB / folder).glob("*.js"))
        assert 0 < len(modules) <= FULL, folder
        for path in modules:
            text = path.read_text("utf-8")
            taken = re.findall(r'^(?:import|export|\}) .*?"\.\./(\w+)/\w+\.js";$', text, re.MULTILINE)
            upward += [(relative(path), other) for other in taken if FOLDERS.index(other) > number]
    assert upward == []
    assert {path.parent.name for path in WEB.glob("*/*.js")} == {*FOLDERS}


def test_the_formatter_formats_everything() -> None:
    """No line is exempt from it, and no comment behind a statement's end makes it tear the statement apart."""
    torn = re.compile(r"\s*[)\]}]+(\s*->.*)?:?,?\s+#(?!\s*(type:|noqa|pragma))")
    exempt = re.compile(r"#\s*fmt" r":")
    assert [
        f"{relative(path)}:{number}"
        for path in SOURCES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if torn.match(line) or exempt.search(line)
    ] == []


def test_the_changelog_tells_this_version() -> None:
    assert f"## {cardtable.__version__}" in (ROOT / "CHANGELOG.md").read_text("utf-8")


def test_the_citation_is_of_this_version() -> None:
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"^version: (.+)$", citation, re.MULTILINE) == [cardtable.__version__]
    assert f"\nlicense: {PROJECT['project']['license']}\n" in citation
    assert [{"name": name} for name in re.findall(r"^  - name: (.+)$", citation, re.MULTILINE)] == PROJECT["project"][
        "authors"
    ]


def test_dependencies_are_few_and_explained() -> None:
    names = {re.split(r"[<>=!~ ]", dependency)[0] for dependency in PROJECT["project"]["dependencies"]}
    live_table = {
        "starlette",
        "uvicorn",
        "websockets",
        "msgspec",
        "sqlalchemy",
        "prometheus-client",
        "segno",
        "markdown-it-py",
        "confusable-homoglyphs",
    }
    assert names == {"numpy", "numba", "click", "rich", "textual", "tomlkit", "filelock", "platformdirs"} | live_table
    architecture = (ROOT / "docs" / "architecture.md").read_text("utf-8").lower()
    assert all(f"**{name}**" in architecture for name in names)


@pytest.mark.parametrize(
    "statement",
    ["import cardtable", "from cardtable.rules.catalog import games; games()", "from cardtable import IllegalMove"],
)
def test_looking_around_compiles_nothing(statement: str) -> None:
    """`cardtable --help` and `cardtable games` are quick because nothing heavy is imported for them."""
    code = (
        f"{statement}; import sys; print(*sorted({{'numba', 'numpy', 'rich', 'textual', 'click', 'starlette', "
        f"'sqlalchemy', 'msgspec', 'websockets', 'tomlkit', 'markdown_it'}} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == ""


def test_sources_name_no_place_of_one_machine() -> None:
    pattern = re.compile(r"(?<![\w.~$}/-])/(?:home|root|Users|opt|work)/\w")
    for path in [*SOURCES, ROOT / "Makefile", ROOT / ".ci" / "run", *ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]:
        place = pattern.search(path.read_text("utf-8"))
        assert not place, f"{relative(path)}: {place[0] if place else ''}"


def test_pages_wait_for_functions() -> None:
    """An expression is evaluated again each time, which the policy for scripts forbids once the first answer was no."""
    waited = {
        f"{relative(path)}:{call.lineno}": ast.unparse(call.args[0])
        for path in sorted((ROOT / "tests").rglob("*.py"))
        if "wait_for_function" in (text := path.read_text("utf-8"))
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if call.func.attr == "wait_for_function" and not isinstance(call.args[0], ast.Name | ast.Attribute)
    }
    assert len(waited) > 40
    assert {where: said for where, said in waited.items() if "=>" not in said} == {}


def test_rules_that_the_code_cites_are_on_a_page() -> None:
    pages = "".join(game.rulebook for game in games().values())
    known = set(ID.findall(pages))
    prefixes = {rule.partition("-")[0] for rule in known}
    for path in sorted((ROOT / "cardtable").rglob("*.py")):
        cited = {rule for rule in ID.findall(path.read_text("utf-8")) if rule.partition("-")[0] in prefixes}
        assert cited <= known, f"{relative(path)} cites {', '.join(sorted(cited - known))}"


# A page's table of house rules and the options in the code tell the same.


def table(page: str) -> dict[str, dict[str, str]]:
    """What the tables under "House rules" tell: option -> head of the column -> cell."""
    lines = page.partition("\n## House rules\n")[2].partition("\n## ")[0].splitlines()
    cells_of: dict[str, dict[str, str]] = {}
    head: list[str] = []
    for line in lines:
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            head = []
        elif not head:
            head = cells
        elif set(cells[0]) != {"-"}:
            cells_of.setdefault(cells[0], {}).update(zip(head, cells, strict=True))
    return cells_of


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_the_page_lists_the_options_of_the_code(game: Game) -> None:
    rows = table(game.rulebook)
    assert set(rows) == set(game.options.kinds())
    for name, cells in rows.items():
        assert set(cells) == {"option", "values", "what it settles", "rules", *game.presets}, name


@pytest.mark.parametrize(
    ("game", "preset"),
    [(game, preset) for game in games().values() for preset in game.presets],
    ids=lambda x: getattr(x, "name", x),
)
def test_the_page_tells_the_values_of_each_preset(game: Game, preset: str) -> None:
    rows = table(game.rulebook)
    ruleset = Ruleset.parse(game, preset)
    for name, value in ruleset.options.as_dict().items():
        cell = rows[name][preset]
        assert value == ruleset.seats if cell == "one for each seat" else cell == str(value), name


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.name)
def test_the_page_tells_what_values_an_option_may_have(game: Game) -> None:
    rows = table(game.rulebook)
    for name, kind in game.options.kinds().items():
        values = rows[name]["values"]
        for value in kind.values:
            assert value in values or re.match(r"seat \d+$", value), f"{name}: {value}"
        if kind.values[-1:] and kind.values[-1].startswith("seat "):
            assert re.search(rf"{kind.values[-1]}\b", values), f"{name}: {kind.values[-1]}"
        if kind.high:
            assert str(kind.low) in values, name
            assert str(kind.high) in values, name


# A fresh machine.


def refused_set_up(directory: Path, old: str, new: str) -> str:
    """What `setup_venv.py` says where it makes no virtual environment, with `old` in its text replaced by `new`."""
    script = (ROOT / "tools" / "setup_venv.py").read_text("utf-8")
    assert old in script
    changed = directory / "setup_venv.py"
    changed.write_text(script.replace(old, new), "utf-8")
    done = subprocess.run([sys.executable, str(changed), str(directory / "venv")], capture_output=True, text=True)
    assert done.returncode == 2
    assert not (directory / "venv").exists()
    return done.stderr


def test_an_old_python_is_told_so(tmp_path: Path) -> None:
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert "needs Python 9.9 or newer" in refused_set_up(tmp_path, "OLDEST = (3, 11)", "OLDEST = (9, 9)")


def test_a_python_without_pip_is_told_what_to_install(tmp_path: Path) -> None:
    assert "apt-get install python3-venv" in refused_set_up(
        tmp_path, '"import " + module', '"import no_such_" + module'
    )


def test_make_lists_its_commands() -> None:
    done = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    assert {"play", "test", "test-all", "coverage", "check", "conformance", "bench", "docs", "release", "clean"} <= {
        line.split()[1] for line in done.stdout.splitlines()
    }
