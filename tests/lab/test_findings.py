"""The book of numbers: its pages are those of the figures that are kept, and a few deals of another seed agree."""

from __future__ import annotations

import copy
import csv
import re
from pathlib import Path
from typing import Any

import pytest
from findings import command, measure, pages, plan, quick, results, strength, surprises, tables

from cardtable.rules import catalog
from tests.conftest import PLAIN

GAMES = list(catalog.games())
SOME = "fan-tan"


@pytest.mark.parametrize("game", GAMES)
def test_every_preset_and_every_house_rule_is_measured_or_has_a_reason(game: str) -> None:
    figures = command.read(game)
    assert list(figures["presets"]) == plan.presets(game)
    assert set(figures["rules"]) == set(catalog.find(game).options.kinds())
    for option, each in figures["rules"].items():
        assert each.get("values") or each.get("left out") or each.get("refused"), option
        skill = figures["skill of rules"].get(option, {"values": {}})
        assert set(skill["values"]) == set(each.get("values", {})), option


def test_pages_and_pictures_are_those_of_the_figures() -> None:
    for path, text in command.written().items():
        assert path.read_text("utf-8") == text, f"write {path.name} anew: python tools/findings.py --pages"


def test_headlines_say_what_the_figures_say() -> None:
    """Those with places for figures are checked as surprises; the others quote the page of questions."""
    whole = {name: command.read(name) for name in (*catalog.games(), strength.NAME)}
    assert surprises.untrue("book", whole) == []
    first, questions = (
        (plan.BOOK / name).read_text("utf-8").partition("## All games")[0] for name in ("README.md", "questions.md")
    )
    quoted = [line for line in first.splitlines() if "(questions.md)" in line]
    figures = [x.lstrip("+−") for line in quoted for x in re.findall(r"[+−]?\d+\.\d+%?(?: ± \d+\.\d+)?", line)]
    assert len(figures) == 7
    assert [x for x in figures if x not in questions] == []


@pytest.mark.parametrize("game", GAMES)
def test_three_surprises_are_true(game: str) -> None:
    assert len(surprises.SURPRISES[game]) == 3
    assert surprises.untrue(game, command.read(game)) == []


def test_a_surprise_that_the_figures_do_not_bear_out_is_found() -> None:
    kept = {"a": {"mean": 1.0, "low": -0.1, "high": 2.1}, "b": {"difference": 0.0, "low": 0.0, "high": 0.0}}
    figures = {"a": "a", "less": "-a", "b": "b"}
    assert surprises.holds(surprises.Surprise("", figures, ("b = 0", "a > -1", "less < 1")), kept) == []
    assert len(surprises.holds(surprises.Surprise("", figures, ("a > 0", "a = 1", "b > 0")), kept)) == 3
    assert surprises.sentence(surprises.Surprise("{less:.1f}", figures, ()), kept) == "−1.0"


def test_results_to_quote_are_true_and_have_fitting_digits() -> None:
    kept = command.quoted()
    assert results.untrue(kept) == []
    every = [each for entries in results.RESULTS.values() for each in entries]
    assert [line for each in every for line in results.vague(each.quote, kept)] == []


def test_every_number_of_a_result_is_a_figure_that_is_kept() -> None:
    """A sentence has no digits but those filled in, and all that are filled in are named."""
    for each in (each for entries in results.RESULTS.values() for each in entries):
        words = each.quote.text
        named = {name for name, _, _ in results.FIGURE.findall(words)}
        assert named == set(each.quote.figures), words
        assert not re.search(r"\d", results.FIGURE.sub("", words.replace("95% interval", ""))), words


def test_the_interval_of_a_result_has_the_digits_of_its_figure() -> None:
    kept = {"a": {"mean": -0.0154, "low": -0.0441, "high": 0.0141}, "b": {"mean": 0.5, "low": 0.4, "high": 0.6}, "c": 3}
    quote = surprises.Surprise("{a:+.3f} {b:.0%} {c:.0f} {b:.1f}%", {"a": "a", "b": "b", "c": "c"}, ())
    assert results.ranges(quote, kept) == ["−0.044 to +0.014", "40 to 60%", "0.4 to 0.6%"]
    assert results.vague(quote, kept) == []
    assert len(results.vague(surprises.Surprise("{a:.5f} {a:.0f}", {"a": "a"}, ()), kept)) == 2


def test_shares_are_read_from_counts() -> None:
    counted = results.counted("won 94 of 600 = **15.7%**, and 3 of 7 deals")
    assert list(counted) == ["94 of 600"]
    assert 0.12 < counted["94 of 600"]["low"] < counted["94 of 600"]["mean"] == 94 / 600


def test_tables_have_the_figures_that_are_kept(tmp_path: Path) -> None:
    tables.write(tmp_path, command.csv_tables())
    assert {path.stem for path in tmp_path.iterdir()} == set(tables.TABLES)
    read = {}
    for path in tmp_path.iterdir():
        with path.open(encoding="utf-8", newline="") as file:
            read[path.stem] = list(csv.DictReader(file))
    data = command.read("scopa")
    row = next(x for x in read["presets"] if x["rules"] == "scopa" and x["figure"] == "place 0")
    assert float(row["mean"]) == data["presets"]["scopa"]["places"][0]["mean"]
    row = next(x for x in read["house_rules"] if (x["to"], x["figure"]) == ("full_deal", "spread"))
    assert float(row["low"]) == data["rules"]["counting"]["values"]["full_deal"]["spread"]["low"]
    for name, rows in read.items():
        for row in rows:
            assert None not in row, name
            assert None not in row.values(), name
            middle, low, high = (row.get("mean") or row["difference"], row.get("low"), row.get("high"))
            if low and high and "difference_low" not in row:
                assert float(low) <= float(middle) <= float(high), row


def test_the_site_links_to_the_tables() -> None:
    page = tables.linked(results.PAGE.read_text("utf-8"), "../data/")
    assert all(f'href="../data/{name}.csv"' in page for name in tables.TABLES)


@pytest.mark.parametrize("part", range(3))
@pytest.mark.parametrize("game", [SOME, *(pytest.param(g, marks=pytest.mark.exhaustive) for g in GAMES if g != SOME)])
@pytest.mark.skipif(PLAIN, reason="thousands of deals")
def test_few_deals_of_another_seed_agree_with_the_figures(game: str, part: int) -> None:
    assert quick.differences(command.read(game), part=part, parts=3) == []


@pytest.mark.skipif(PLAIN, reason="thousands of deals")
def test_figures_that_are_wrong_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    figures: Any = copy.deepcopy(command.read(SOME))
    figures["presets"]["denexa"]["figures"]["length"]["mean"] += 3.0
    figures["rules"]["plays_per_turn"]["values"]["any"]["passes"]["difference"] += 2.0
    figures["skill of rules"]["plays_per_turn"]["values"]["group"]["difference"] += 40.0
    monkeypatch.setattr(plan, "presets", lambda game: ["denexa"])
    every = plan.comparisons(SOME, 1.0)
    monkeypatch.setattr(plan, "comparisons", lambda game, size: {"plays_per_turn": every["plays_per_turn"]})
    wrong = quick.differences(figures)
    assert [line.split(":")[0] for line in wrong] == [
        "fan-tan, denexa, length",
        "fan-tan, plays_per_turn=any, passes",
        "fan-tan, plays_per_turn=group, skill",
    ]


def test_figures_of_other_rules_are_not_compared() -> None:
    figures = command.read(SOME) | {"version": 99}
    assert quick.differences(figures) == ["fan-tan: kept of version 99 of the rules: measure anew"]


def test_new_rows_replace_those_of_the_same_rules_and_levels() -> None:
    old = [{"game": "fan-tan", "rules": "denexa", "mean": 1}, {"game": "scopa", "rules": "scopa", "mean": 2}]
    new = [{"game": "scopa", "rules": "scopa", "mean": 3}, {"game": "cassino", "rules": "cassino", "mean": 4}]
    found = {(row["game"], row["mean"]) for row in strength.merged(old, new)}
    assert found == {("fan-tan", 1), ("scopa", 3), ("cassino", 4)}
    rungs = [{"game": "scopa", "rules": "scopa", "lower": "soft", "upper": "medium"}]
    assert len(strength.merged(rungs, [{**rungs[0], "lower": "random", "upper": "soft"}])) == 2


def test_numbers_are_short() -> None:
    assert [pages.number(x) for x in (0.0, 0.01234, 27.34, 1234.5, None)] == ["0", "0.0123", "27.3", "1,234", "–"]
    assert pages.about({"mean": 1.2345, "low": 1.0, "high": 1.5, "error": 0.1}) == "1.23 ± 0.25"
    assert pages.about({"difference": 0.0, "low": 0.0, "high": 0.0, "error": 0.0}, True) == "0"


def test_shares_have_a_tenth_of_a_per_cent() -> None:
    shares = (0.0, 0.00005, 0.00123, 0.0123, 0.12, 1.0, None)
    assert [pages.percent(x) for x in shares] == ["0%", "<0.01%", "0.12%", "1.2%", "12%", "100%", "–"]


def test_rows_that_say_the_same_are_one() -> None:
    rows = [["a", "1", "2"], ["b", "1", "3"], ["c", "1", "2"]]
    assert pages.joined(rows) == [["a, c", "1", "2"], ["b", "1", "3"]]


def test_who_has_the_advantage_is_said_only_if_it_is_clear() -> None:
    def place(mean: float, reach: float) -> dict[str, float]:
        return {"mean": mean, "low": mean - reach, "high": mean + reach}

    each = {"title": "Busca", "places": [place(-4.0, 0.25), place(-2.0, 0.25), place(-3.0, 0.25)]}
    said = "In Busca place 2 gets 1.00 ± 0.25 more than the average seat and the first player gets 1.00 ± 0.25 less"
    assert pages._place_advice(each).startswith(said)
    each["places"] = [place(0.1, 0.25), place(-0.1, 0.25)]
    assert pages._place_advice(each) == "In Busca no place has a clear advantage."


def test_a_figure_without_an_interval_keeps_its_digits() -> None:
    assert pages.about({"mean": 0.75, "low": 0.75, "high": 0.75}, True) == "+0.75"
    assert pages.about({"mean": 0.75, "low": None, "high": None, "error": 0.0}, True) == "+0.75"
    assert pages.share({"share": 0.6, "low": None, "high": None}) == "60.0%"
    whole = "".join(pages.page(command.read(game)) for game in GAMES)
    assert not re.search(r"± 0(\.0+)?[ *)]", whole)


@pytest.mark.parametrize("game", GAMES)
def test_a_share_of_the_moves_has_a_choice(game: str) -> None:
    for each in command.read(game)["presets"].values():
        assert 0.0 < each["choices"]["share"] <= 1.0
        assert each["choices"]["deals"] <= each["deals"]


@pytest.mark.exhaustive
@pytest.mark.skipif(PLAIN, reason="hundreds of deals")
def test_choices_are_counted_in_the_deals_of_the_study() -> None:
    """Oh Hell!'s hands grow and shrink in a match, so the first deals of matches would be others."""
    few = measure.choices("oh-hell", "oh-hell", 40)
    assert few["moves"] == int(plan.Plan("oh-hell", 40, "oh-hell").study(save=False).run("length").sums.totals[0, 0])
