"""The commands of studies: `study` and `skill`, as a person and a script meet them."""

from __future__ import annotations

import io
import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cardtable import cli
from cardtable.base import digits
from cardtable.cli.commands.study import factors
from cardtable.lab.intervals import quantile
from cardtable.lab.study.cells import text_of
from cardtable.picture.figures import SHAPES, Bar, curve, intervals, marks, ticks
from tests.support.commands import call, run

GRID = ("study", "fan-tan", "--grid", "ante=1,2", "--seats", "4", "--deals", "40", "--seed", "tea")


def test_a_grid_is_told_to_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, *GRID, "--measure", "eldest,length")
    assert code == 0
    assert "Fan Tan, 2 cells on the same deals, seed tea" in out
    assert "eldest: ante=1 → ante=2" in out
    assert "length: ante=1 → ante=2         0  the same in every match" in out
    code, out, _ = call(capsys, *GRID, "--measure", "eldest", "--measure", "length", "--json")
    data = json.loads(out)
    assert [cell["cell"] for cell in data["cells"]] == ["ante=1", "ante=2"]
    assert {each["measure"] for each in data["measures"]} == {"eldest", "length"}
    assert data["effects"][0]["a"] == "ante=1"
    assert data["deals"] == 80
    assert len(data["digest"]) == 64


def test_two_values_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("study", "fan-tan", "--compare", "ante=1,3", "--deals", "40", "--seats", "4", "--measure", "eldest")
    code, out, _ = call(capsys, *words)
    assert code == 0
    assert "eldest: ante=1 → ante=3" in out
    assert "the same cards are worth" in out
    code, _, err = call(capsys, "study", "fan-tan", "--compare", "ante=1,2,3")
    assert code == 2
    assert "two values" in err


def test_comparisons_in_several_measures_hold_together(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two comparisons have the intervals of one family, at 97.5% each; a single one has 95%. The effects of another
    factor are neither shown nor counted.
    """
    monkeypatch.setattr(digits, "decimals", lambda reach: 6)  # all digits, to compare the two
    words = ("study", "fan-tan", "--compare", "ante=1,3", "--deals", "40", "--seats", "4", "--measure")
    spans = {}
    for measures in ("eldest", "eldest,spread"):
        _, out, _ = call(capsys, *words, measures, "--grid", "dead_hand=yes,no")
        assert ("The intervals hold all together at 95%." in out) == ("spread" in measures)
        assert ("95% interval" in out) == ("spread" not in measures)
        low, high = re.findall(r"interval +(\S+) to +(\S+),", out.replace("−", "-"))[0]
        spans[measures] = float(high) - float(low)
    wider = quantile(0.975, 10) / quantile(0.95, 10)
    assert spans["eldest,spread"] / spans["eldest"] == pytest.approx(wider, rel=1e-3)


def test_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, report, save = tmp_path / "rows.csv", tmp_path / "report.html", tmp_path / "ante.study"
    files = ("--out", str(rows), "--report", str(report), "--save", str(save), "--set", "deals=2")
    code, _, err = call(capsys, *GRID, *files)
    assert code == 0
    assert f"{rows}: 80 rows" in err
    assert len(rows.read_text().splitlines()) == 81
    page = report.read_text("utf-8")
    root = ET.fromstring(
        page.partition("\n")[2]
        .replace('<meta charset="utf-8">', "")
        .replace('<meta name="viewport" content="width=device-width">', "")
    )
    assert len(root.findall(".//{http://www.w3.org/2000/svg}svg")) == 4, "a picture of means and one of differences"
    for said in ("How it was made", "digest", "ante=1 → ante=2", "&quot;seed&quot;: &quot;tea&quot;"):
        assert said in page, said
    assert "http" not in page.replace("http://www.w3.org/2000/svg", ""), "it loads nothing"
    assert call(capsys, *GRID, *files)[0] == 0
    code, _, err = call(capsys, *GRID, "--save", str(save))
    assert code == 2
    assert "not" in err


def test_refused_cells_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = call(capsys, "study", "fan-tan", "--grid", "seats=4,99", "--deals", "8")
    assert code == 0
    assert "left out: seats=99: 99 seats" in out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("study", "fan-tan", "--grid", "ante"), 2),
        (("study", "fan-tan", "--grid", "ante=1", "--grid", "ante=2"), 2),
        (("study", "fan-tan", "--measure", "beauty"), 2),
        (("study", "fan-tan", "--out", "rows.xls"), 2),
        (("study", "whist"), 2),
        (("study", "fan-tan", "--out", "none/rows.csv"), 3),
        (("study", "fan-tan", "--report", "none/page.html"), 3),
        (("study", "fan-tan", "--until", "0"), 2),
        (("study", "fan-tan", "--executor", "ray:here", "--deals", "8"), 2),
        (("skill", "fan-tan", "--deals", "3"), 2),
        (("skill", "fan-tan", "--strong", "genius"), 2),
    ],
)
def test_wrong_use_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int) -> None:
    assert call(capsys, *words)[0] == code
    exit_code, _, err = call(capsys, *words, "--json")
    assert exit_code == code
    assert json.loads(err.strip().splitlines()[-1])["error"]["what"]


def test_parquet_without_the_extra(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, _, err = call(capsys, *GRID, "--out", "rows.parquet")
    assert code == 2
    assert "pip install '.[frames]'" in err


def test_bots_of_several_seats_are_joined() -> None:
    assert factors(("bots=easy,random+easy", "dead-hand=no"), "--grid") == {
        "bots": ["easy", "random easy"],
        "dead_hand": ["no"],
    }


def test_a_label_keeps_the_letters_of_a_class() -> None:
    assert text_of("EASY, mine:Last") == text_of(["Easy", "mine:Last"]) == "easy mine:Last"
    assert text_of("AH KC QD JS") == "ah kc qd js"


def test_skill_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("skill", "fan-tan", "--strong", "easy", "--weak", "random", "--deals", "40", "--seats", "3")
    code, out, _ = call(capsys, *words)
    assert code == 0
    for said in ("cards", "player with these cards", "Deals that distinguish the two at 95%"):
        assert said in out
    data = json.loads(call(capsys, *words, "--json")[1])
    assert sum(data[part]["share"] for part in ("cards", "seat", "player", "both")) == pytest.approx(1.0)


def test_pictures_are_well_formed_and_named() -> None:
    drawn = intervals([Bar("a < b", 1.0, 0.5, 1.5), Bar("c", 0.0, -1.0, 1.0, True)], 'a "picture" & more')
    root = ET.fromstring(drawn)
    assert root.get("aria-label") == 'a "picture" & more'
    kinds = [each.get("class") for each in root.iter("{http://www.w3.org/2000/svg}circle")]
    assert kinds == ["dot", "ring"]
    ET.fromstring(intervals([Bar("one", 3.0, 3.0, 3.0)], "one", zero=False))
    ET.fromstring(intervals([Bar("one", 3.0, float("-inf"), float("inf"))], "one"))


SHARES = ("study", "fan-tan", "--grid", "ante=1,3", "--deals", "400", "--seats", "4")


def test_figures_have_the_digits_of_their_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, *GRID, "--measure", "eldest")
    rows = re.findall(r"^  ante=\d +(\S+) +(\S+) to +(\S+)$", out, re.M)
    assert len(rows) == 2
    assert all(re.fullmatch(r"[+−]\d\.\d", figure) for row in rows for figure in row), rows
    assert "−" in out
    assert "-" not in out


def test_shares_are_percent_and_their_differences_points(capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, *SHARES, "--measure", "won_0,length")
    assert re.search(r"ante=1 +\d+\.\d% +\d+\.\d% to +\d+\.\d%\n", out), out
    assert re.search(r"won_0: ante=1 → ante=3 +0  the same in every match\n", out), out
    assert re.search(r"length: ante=1 → ante=3 +0  the same in every match\n", out), out
    words = ("study", "fan-tan", "--grid", "seats=3,4", "--deals", "60", "--measure", "won_0")
    _, out, _ = call(capsys, *words)
    assert re.search(r"seats=3 → seats=4 +[+−]\d+ +[+−]\d+ to +[+−]\d+ percentage points  p 0", out), out
    words = ("study", "fan-tan", "--compare", "seats=3,4", "--deals", "60", "--measure", "won_0")
    _, out, _ = call(capsys, *words)
    assert re.search(r"difference [+−]\d+ percentage points, 95% interval [+−]\d+ to [+−]\d+, standard err", out), out


def test_programs_get_all_digits(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    _, out, _ = call(capsys, *GRID, "--measure", "eldest", "--json", "--out", str(file))
    assert "−" not in out + file.read_text("utf-8")
    assert len(repr(json.loads(out)["effects"][0]["error"])) > 10


@pytest.mark.parametrize(
    ("words", "row"),
    [
        (("simulate", "fan-tan"), r"eldest +[+−]\d\.\d +[+−]\d\.\d to +[+−]\d\.\d\n"),
        (("skill", "fan-tan", "--strong", "easy", "--weak", "random"), r"player +−?\d\.\d% +−?\d\.\d% to +\d\.\d%\n"),
        (
            ("league", "fan-tan", "random", "easy"),
            r"easy − random +[+−]\d\.\d  \[[+−]\d\.\d, [+−]\d\.\d\]  p <0\.0001 ",
        ),
    ],
)
def test_other_tables_have_fitting_digits(words: tuple[str, ...], row: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = call(capsys, *words, "--deals", "60")
    assert re.search(row, out), out


def test_a_terminal_without_the_signs_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "cp1252", write_through=True))
    with pytest.raises(SystemExit) as ended:
        cli.main([*GRID, "--measure", "eldest", "--deals", "8"])
    assert ended.value.code == 0
    out = written.getvalue().decode("cp1252")
    assert "eldest: ante=1 -> ante=2" in out
    assert re.search(r"ante=1 +-\d", out)


SVG = "{http://www.w3.org/2000/svg}"


def test_a_picture_has_the_digits_of_its_intervals_and_minus_signs() -> None:
    drawn = intervals([Bar("a", -0.4983, -0.6239, -0.3727), Bar("b", 12345.6, 12000.0, 13000.0)], "two")
    texts = [each.text for each in ET.fromstring(drawn).iter(SVG + "text")]
    assert "−0.5 [−0.62, −0.37]" in texts
    assert "12,350 [12,000; 13,000]" in texts
    assert not any("-" in (text or "") for text in texts)


def test_marks_have_a_shape_for_each_column_and_none_where_there_is_no_value() -> None:
    root = ET.fromstring(marks([("a & b", [1.0, 2.0, None, 3.0, 4.0]), ("c", [1.5] * 5)], "vwxyz", "five"))
    shapes = [each for kind in ("circle", "polygon") for each in root.iter(SVG + kind)]
    assert len(shapes) == len(SHAPES) + 4 + 5  # the first row names them
    texts = [each.text for each in root.iter(SVG + "text")]
    assert {"a & b", "c", *"vwxyz"} <= set(texts)
    ET.fromstring(marks([("one", [3.0])], ["x"], "one"))


def test_a_curve_rises_to_the_right_and_names_its_points() -> None:
    root = ET.fromstring(curve([(0.1, 50.0), (1.0, 75.0), (10.0, 99.5)], "solved", "seconds", "%"))
    dots = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in root.iter(SVG + "circle")]
    assert dots == sorted(dots)
    assert [y for _, y in dots] == sorted((y for _, y in dots), reverse=True)
    assert dots[1][0] - dots[0][0] == pytest.approx(dots[2][0] - dots[1][0], abs=0.2)
    assert {"0.1", "1", "10", "50", "75", "99.5"} <= {each.text for each in root.iter(SVG + "text")}


@pytest.mark.parametrize(
    ("ends", "told"),
    [((0.0, 1.0), [0, 0.2, 0.4, 0.6, 0.8, 1.0]), ((-0.03, 0.04), [-0.02, 0, 0.02, 0.04]), ((5.0, 5.0), [5.0])],
)
def test_ticks_are_round(ends: tuple[float, float], told: list[float]) -> None:
    assert ticks(*ends) == pytest.approx(told)


@pytest.mark.exhaustive
def test_a_process_of_its_own() -> None:
    done = run("study", "fan-tan", "--grid", "ante=1,2", "--deals", "8", "--threads", "2")
    assert "differences" in done.stdout
