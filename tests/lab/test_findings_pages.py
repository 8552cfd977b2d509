"""The figures of the book of numbers make sense, and its tables can be read: each check is seen to find a fault."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from findings import command, pages, plan, results, strength

from cardtable.lab.intervals import share_interval
from cardtable.rules import catalog

GAMES = list(catalog.games())
FILES = [*sorted(plan.BOOK.rglob("*.md")), results.PAGE]
README = plan.ROOT / "README.md"
ANSWERED = {plan.BOOK / "spider.md": "its first sentence is the answer; the tables are records of the solver's runs"}
NUMBER = r"[+−]?\d+(?:,\d{3})*(?:\.\d+)?"


# What is kept


def figures(data: Any, path: str = "") -> Iterator[tuple[str, float, float, float]]:
    """All figures with an interval: where each is, and what it is."""
    if isinstance(data, Mapping):
        low, high = data.get("ci95") or (data.get("low"), data.get("high"))
        middle = next((data[name] for name in ("mean", "difference", "share") if name in data), None)
        if isinstance(middle, float) and isinstance(low, float) and isinstance(high, float):
            yield path, middle, low, high
        for name, each in data.items():
            yield from figures(each, f"{path}/{name}")
    elif isinstance(data, list):
        for k, each in enumerate(data):
            yield from figures(each, f"{path}/{k}")


def outside_their_intervals(data: Any) -> list[str]:
    """The figures that are not within their own intervals, up to the digits that are kept."""
    return [
        f"{path}: {middle:g} [{low:g}, {high:g}]"
        for path, middle, low, high in figures(data)
        if not low - 1e-4 * abs(low) <= middle <= high + 1e-4 * abs(high)
    ]


def impossible(data: Mapping[str, Any]) -> list[str]:
    """Parts that are larger than their wholes, and shares that cannot lie between 0 and 1."""
    wrong = []
    for rules, each in data["presets"].items():
        f, choice, paid = each["figures"], each["choices"], each["payoffs"]
        wholes = [("passes", f["passes"]["mean"], f["length"]["mean"]), ("choices", choice["deals"], each["deals"])]
        wholes += [("share with a choice", choice["share"], 1.0), ("above 0", paid["above"], 1.0)]
        wholes += [("nobody wins", f["void"]["mean"], 1.0)]
        quantiles = [paid["lowest"], *paid["shares"].values(), paid["highest"]]
        wholes += [("quantiles", low, high) for low, high in zip(quantiles, quantiles[1:], strict=False)]
        wrong += [f"{rules}: {name}, {part:g} of {whole:g}" for name, part, whole in wholes if part > whole]
    for rules, each in [*data["skill"].items(), ("stronger skill", data["stronger skill"])]:
        parts = {name: each[name] for name in ("cards", "seat", "player", "both")} if each else {}
        wrong += [
            f"{rules}: the share of {name} is {part['share']:g}"
            for name, part in parts.items()
            if (part["share"] if part["high"] is None else part["high"]) < -0.001
            or (part["share"] if part["low"] is None else part["low"]) > 1.001
        ]
        whole = sum(part["share"] for part in parts.values())
        wrong += [f"{rules}: the shares add up to {whole:g}"] if parts and each["deviation"] and whole > 1.03 else []
    return wrong


def looks_that_matter(game: str, data: Mapping[str, Any]) -> list[str]:
    """The options that are said to be only a matter of looks, and have an effect."""
    return [
        f"{option}={value}: {measure}"
        for option, each in data["rules"].items()
        if pages.of_looks(game, option)
        for value in each.get("values", {})
        for measure, effect in pages.effects_of(data, option, value).items()
        if effect["difference"] or effect["error"]
    ]


@pytest.mark.parametrize("game", GAMES)
def test_figures_that_are_kept_are_possible(game: str) -> None:
    data = command.read(game)
    assert outside_their_intervals(data) == []
    assert impossible(data) == []
    assert looks_that_matter(game, data) == []


def test_figures_of_strength_and_results_are_within_their_intervals() -> None:
    data = command.read(strength.NAME)
    assert outside_their_intervals({name: data[name] for name in ("ladder", "ceilings")}) == []
    for part in (data["solver"], data["study"]):
        assert 0.0 <= part["low"] <= part["solved"] / part["deals"] <= part["high"] <= 1.0
        assert len(part["open"]) == part["deals"] - part["solved"]
    assert all(0 <= each["won"] <= each["deals"] for each in data["player"])
    kept = command.quoted()
    assert [path for path, *_ in figures({name: kept[name] for name in ("winnable", "counted", "speed")})]
    assert outside_their_intervals(kept) == []


def test_impossible_figures_are_found() -> None:
    assert (
        len(outside_their_intervals({"a": [{"mean": 1.0, "low": 1.1, "high": 2.0}, {"mean": 1.5, "ci95": [1, 1]}]}))
        == 1
    )
    data = command.read("fan-tan")
    first = data["presets"]["denexa"]
    first["figures"]["passes"]["mean"] = 55.0
    first["choices"]["share"] = 1.02
    first["payoffs"]["shares"]["0.75"] = 27.0
    first["figures"]["void"]["mean"] = 1.5
    data["skill"]["stops"]["player"] = {"share": 1.2, "low": 1.1, "high": 1.3}
    data["skill"]["british"]["cards"] = {"share": -0.2, "low": -0.3, "high": -0.1}
    assert [line.split(",")[0] for line in impossible(data)] == [
        "denexa: passes",
        "denexa: share with a choice",
        "denexa: nobody wins",
        "denexa: quantiles",
        "stops: the share of player is 1.2",
        "stops: the shares add up to 2.08112",
        "british: the share of cards is -0.2",
    ]
    data["rules"]["layout_side"]["values"]["6l8r"]["length"]["difference"] = 0.5
    assert looks_that_matter("fan-tan", data) == ["layout_side=6l8r: length"]


# What pages say


@dataclass
class Table:
    """A table of a page, and the paragraphs of its section above it."""

    page: str
    section: str
    above: list[str]
    heads: list[str]
    rows: list[list[str]]

    def __str__(self) -> str:
        return f"{self.page}, {self.section}"


def tables(page: str, text: str) -> list[Table]:
    """The tables of a page."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    found: list[Table] = []
    section, above = "", list[str]()
    for block in re.split(r"\n\s*\n", text):
        block = block.strip()
        if block.startswith("#"):
            section, above = block.lstrip("# "), []
        elif block.startswith("|"):
            lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
            heads, _, *rows = ([plain(cell) for cell in line] for line in lines)
            found.append(Table(page, section, above, heads, rows))
            above = []
        elif block and not block.startswith("!["):
            above.append(block)
    return found


def plain(cell: str) -> str:
    """A cell without links and emphasis."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell).replace("*", "").replace("`", "")


def value(text: str) -> float:
    """The first number of a text."""
    return float(re.findall(NUMBER, text)[0].replace(",", "").replace("−", "-"))


def outside_shares(table: Table) -> list[str]:
    """The cells with a percentage outside 0 to 100%, and parts of a row that are larger than their whole."""
    wrong = [cell for row in table.rows for cell in row for x in re.findall(rf"({NUMBER})%", cell) if value(x) > 100]
    wrong += [cell for row in table.rows for cell in row if re.match(r"−[\d.,]+( ± [<\d.]+)?%", cell)]
    for part, whole in (("passes", "moves"), ("solved", "deals")):
        if part in table.heads and whole in table.heads and "from → to" not in table.heads:
            at = table.heads.index(part), table.heads.index(whole)
            given = [[row[k] for k in at] for row in table.rows]
            wrong += [a for a, b in given if re.search(r"\d", a) and re.search(r"\d", b) and value(a) > value(b)]
    return wrong


def uneven(text: str) -> list[str]:
    """Figures with an interval whose digits do not fit it: at most two digits of its half, as many as of the figure."""
    wrong = []
    for x, reach in re.findall(rf"({NUMBER}) ± ({NUMBER})", text):
        digits = reach.replace(",", "").lstrip("0.").replace(".", "")
        significant = digits.rstrip("0") if "." not in reach else digits
        if len(significant) > 2 or len(x.partition(".")[2]) != len(reach.partition(".")[2]):
            wrong.append(f"{x} ± {reach}")
    return wrong


def uneven_bars(svg: str) -> list[str]:
    """The figures of a picture, `0.5 [0.37, 0.62]`, with more digits than their intervals bear out, outside these,
    or with a hyphen for a minus.
    """
    wrong = re.findall(r">([^<>]*(?<![\w.])-[\d.][^<>]*)</text>", svg)
    for words in re.findall(rf">({NUMBER} \[{NUMBER}, {NUMBER}\])<", svg):
        middle, low, high = (value(x) for x in re.findall(NUMBER, words))
        digits = max(len(x.partition(".")[2]) for x in re.findall(NUMBER, words))
        if not low <= middle <= high or (high - low) / 2.0 * 10**digits >= 101.0 and digits:
            wrong.append(words)
    return wrong


def outside_of_pages(text: str) -> list[str]:
    """Shares that are given as counts with an interval, `94 of 600 = **15.7%** [12.8, 18.8]`, that do not fit them."""
    wrong = []
    number = r"([\d.]+)"
    for hits, n, share, low, high in re.findall(
        rf"(\d+) of (\d+) = \**{number}%\** \[{number}, {number}\]", text.replace(",", ", ").replace("  ", " ")
    ):
        ends = [100 * end for end in share_interval(int(hits), int(n))]
        if abs(100 * int(hits) / int(n) - float(share)) > 0.06 or not float(low) <= float(share) <= float(high):
            wrong.append(f"{hits} of {n} = {share}%")
        elif max(abs(float(low) - ends[0]), abs(float(high) - ends[1])) > 0.06:
            wrong.append(f"{hits} of {n}: [{low}, {high}]")
    return wrong


def without_points(text: str) -> list[str]:
    """Differences of shares in percent, which should be percentage points."""
    text = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return re.findall(rf"{NUMBER}%\*? (?:more|less|fewer|higher|lower|smaller|larger)\b", text) + [
        found[1] for found in re.finditer(r"(?:^|[ (|])([+−][\d.,]+(?: ± [\d.]+)?%)", text)
    ]


def empty_rows(table: Table) -> list[str]:
    """The rows whose cells are all dashes, or all zeros."""
    nothing = ("", "–", "0", "0%", "0.0%", "+0", "0 (0)", "not known", "none")
    return [row[0] for row in table.rows if all(cell in nothing for cell in row[1:])]


def equal_rows(table: Table) -> list[str]:
    """The rows that say the same of several rules, printed apart."""
    same = defaultdict(list)
    for row in table.rows:
        same[tuple(row[1:])].append(row[0])
    return [", ".join(names) for cells, names in same.items() if len(names) > 1 and len(cells) > 1]


def without_advice(table: Table) -> bool:
    """Whether no sentence above a table uses anything of it: a name, a figure, or the head of a column."""
    sentences = [line for block in table.above for line in block.splitlines() if re.search(r"\w+ \w+ .*[.:]", line)]
    words = plain(" ".join(sentences)).lower()
    cells = [cell for row in table.rows for cell in row] + table.heads
    used = [cell for cell in cells if len(cell) > 1 or cell.isdigit()]
    names = {part for cell in used for part in (cell, *cell.split(", "), cell.partition(" ± ")[0].lstrip("+−"))}
    return not any(re.search(rf"(?<!\w){re.escape(name.lower())}(?!\w)", words) for name in names if name)


#: columns that give the same quantity on every page of the book that has them
SAME = (
    *("moves", "passes", "nobody wins", "spread", "first player's advantage"),
    *("deals apart", "same cards", "difference", "cards", "seat", "player", "both"),
)


def two_values(every: list[Table]) -> list[str]:
    """The quantities with different values on different pages. Figures of other bots or numbers of players, and those
    of house rules, are others.
    """
    seen: dict[tuple[str, str, str], dict[str, str]] = defaultdict(dict)
    for table in every:
        if table.heads[0] != "rules" or "deals" in table.heads or table.page in ("questions.md", "strength.md"):
            continue
        for row in table.rows:
            cells = dict(zip(table.heads, row, strict=True))
            players = cells.get("players") or f"{'hard:1000' if 'Hard' in table.section else 'medium'} against "
            players = players.removesuffix("random").removesuffix("medium")
            for name in row[0].split(", "):
                for column in SAME:
                    if column in cells:
                        seen[name, column, players.split()[0]][str(table)] = cells[column]
    return [f"{key}: {found}" for key, found in seen.items() if len(set(found.values())) > 1]


TABLES = [table for path in FILES for table in tables(path.name, path.read_text("utf-8"))]


def test_tables_are_found() -> None:
    assert len(TABLES) > 100
    assert {table.page for table in TABLES} == {path.name for path in FILES}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_pages_have_possible_figures(path: Path) -> None:
    text = path.read_text("utf-8")
    own = tables(path.name, text)
    assert {str(table): wrong for table in own if (wrong := outside_shares(table))} == {}
    assert uneven(text) == []
    assert outside_of_pages(text) == []
    assert without_points(text) == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_tables_have_rows_that_say_something_and_advice(path: Path) -> None:
    own = tables(path.name, path.read_text("utf-8"))
    assert {str(table): wrong for table in own if (wrong := empty_rows(table))} == {}
    assert {str(table): wrong for table in own if (wrong := equal_rows(table))} == {}
    assert [str(table) for table in own if path not in ANSWERED and without_advice(table)] == []


@pytest.mark.parametrize("path", sorted(plan.BOOK.rglob("*.svg")), ids=lambda path: path.name)
def test_pictures_have_fitting_digits(path: Path) -> None:
    assert uneven_bars(path.read_text("utf-8")) == []


def test_faults_of_pictures_are_found() -> None:
    shown = ("0.5 [0.37, 0.62]", "0.4983 [0.3727, 0.6239]", "2 [3, 4]", "-0.1 [−0.2, 0.1]", "one-suit", "0.5 to -1")
    found = uneven_bars("".join(f"<text>{words}</text>" for words in shown))
    assert found == ["-0.1 [−0.2, 0.1]", "0.5 to -1", "0.4983 [0.3727, 0.6239]", "2 [3, 4]"]


def test_a_quantity_has_one_value_on_all_pages() -> None:
    assert two_values(TABLES) == []


def unlike_the_data(row: list[str]) -> list[str]:
    """What a row of the best numbers of players says that the game's figures do not."""
    game = next(game for game in GAMES if catalog.find(game).title == row[0])
    data = command.read(game)
    fair, skilled = pages.fairest(data)
    seats = data["seats"]["seats"]
    lead = f"{pages.lead(seats[fair]):+.2f}".replace("-", "−")
    rightly = {3: f"{fair} ({lead})", 4: f"{skilled} ({pages.tenth(seats[skilled]['skill']['player'])})"}
    return [row[k] for k, words in rightly.items() if row[k] != words]


def test_the_best_numbers_of_players_are_those_of_the_games() -> None:
    table = next(table for table in TABLES if table.page == "questions.md" and "fairest seats" in table.heads)
    assert {row[0]: wrong for row in table.rows if (wrong := unlike_the_data(row))} == {}
    broken = [*table.rows[0][:3], "4 (−0.16)", *table.rows[0][4:]]
    assert unlike_the_data(broken) == ["4 (−0.16)"]


def test_figures_of_the_readme_are_those_of_the_book() -> None:
    assert unknown_figures(README.read_text("utf-8")) == []


def unknown_figures(readme: str) -> list[str]:
    """The figures of "Did you know?" that the page they link to does not give, rounded or not."""
    wrong = []
    for line in readme.partition("## Did you know?")[2].partition("##")[0].splitlines():
        for words, page in re.findall(r"(.*?)\]\((docs/findings/\w+\.md)\)", line):
            given = [value(x) for x in re.findall(NUMBER, (plan.ROOT / page).read_text("utf-8"))]
            for x in re.findall(rf"(?<![\w-]){NUMBER}", words):
                digits = len(x.partition(".")[2])
                if not any(round(abs(each), digits) == abs(value(x)) for each in given):
                    wrong.append(x)
    return wrong


BROKEN = """\
# Games

## Skill

| rules | moves | passes | nobody wins | player |
| --- | --- | --- | --- | --- |
| Whist | 52 | 53 | 101% | −19.0 ± 19.4% |
| Loo, Bid Whist | 0 | – | 0% | – |
| Euchre | 20 | 3 | 1% | 12.0 ± 0.3% |
| Hearts | 20 | 3 | 1% | 12.0 ± 0.3% |
"""


def test_faults_of_a_table_are_found() -> None:
    (table,) = tables("a.md", BROKEN)
    assert outside_shares(table) == ["101%", "−19.0 ± 19.4%", "53"]
    assert empty_rows(table) == ["Loo, Bid Whist"]
    assert equal_rows(table) == ["Euchre, Hearts"]
    assert without_advice(table)
    (told,) = tables("a.md", BROKEN.replace("## Skill\n", "## Skill\n\nA deal of Whist takes long, as a rule.\n"))
    assert not without_advice(told)


def test_faults_of_sentences_are_found() -> None:
    assert uneven("1.234 ± 0.5, 1.23 ± 0.123, 54 ± 123, 1,740 ± 120, 2 ± 1, 0.75000 ± 0.00061") == [
        "1.234 ± 0.5",
        "1.23 ± 0.123",
        "54 ± 123",
    ]
    assert outside_of_pages("98 of 800 = 12.2% [10.1, 14.7], 94 of 600 = **15.7%** [12.8, 18.8]") == []
    assert len(outside_of_pages("98 of 800 = 12.2% [12.3, 14.7]; 94 of 600 = 16.7% [12.8, 18.8]")) == 2
    assert without_points("5.3% more of them, +1.0%, and 2% of them; a rise of 3 percentage points; | −2 ± 1% |") == [
        "5.3% more",
        "+1.0%",
        "−2 ± 1%",
    ]


def test_two_values_of_a_quantity_are_found() -> None:
    (one,), (other,) = tables("a.md", BROKEN), tables("b.md", BROKEN.replace("| Euchre | 20 |", "| Euchre | 21 |"))
    assert two_values([one, one]) == []
    assert two_values([one, other]) == ["('Euchre', 'moves', 'medium'): {'a.md, Skill': '20', 'b.md, Skill': '21'}"]


def test_figures_of_the_readme_that_are_not_in_the_book_are_found() -> None:
    line = "* the first player wins [38.9%](docs/findings/questions.md), a [quarter, 26.3%](docs/findings/questions.md)"
    assert unknown_figures("## Did you know?\n\n" + line) == ["26.3"]
