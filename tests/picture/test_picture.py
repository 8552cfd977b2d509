"""Pictures: every game's tables as SVG with all that a viewer may know and nothing else; matches move by move."""

from __future__ import annotations

import json
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest

from cardtable import Match
from cardtable.base import languages
from cardtable.base.errors import OptionError, RecordError
from cardtable.base.message import Message
from cardtable.match.match import Position, Record
from cardtable.picture import shapes, stepper
from cardtable.picture.scene import Scene, scene_of
from cardtable.picture.table import cards_of, svg
from cardtable.review.review import Review, review
from cardtable.rules import catalog, contract
from cardtable.rules.worlds import Work
from cardtable.rules.zones import Hand, Pile, Pot, Score, Stock
from cardtable.testing.houses import House, deal_out, moments, play_on, typical_houses, view_of
from tests.support.commands import call

HOUSES = typical_houses()
SVG = "{http://www.w3.org/2000/svg}"


def drawn_cards(text: str) -> list[str]:
    """The cards of a picture, in the order in which they are drawn; `back` for those face down."""
    root = ET.fromstring(text)
    drawing = root.findall(f"{SVG}g")[-1]
    uses = (use.get("href", "") for use in drawing.iter(f"{SVG}use"))
    return [href.removeprefix("#ct-") for href in uses if not href.startswith("#ct-suit-")]


def words_of(text: str) -> str:
    """The texts of a picture, without its description for people who cannot see it."""
    return "\n".join(each.text or "" for each in ET.fromstring(text).iter(f"{SVG}text"))


def played(name: str, moves: int = 12, seed: int = 3) -> Match:
    m, dice = Match(name, seed=seed), random.Random(seed)
    for _ in range(moves):
        if not m.over:
            play_on(m, lambda seat: dice.choice(m.legal(seat)))
    return m


@pytest.fixture(scope="module")
def record() -> Record:
    """A record of two deals and a bit."""
    return played("fan-tan", 90).record()


# What is in a picture


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_every_table_has_its_picture(house: House) -> None:
    """Valid XML with every open card that the viewer sees, at several moments, and its end."""
    s = house.open(1)
    deal_out(s)
    for number, seat, _ in moments(house.entry, s, 1):
        if number % 9 == 1:
            for viewer in (seat, -1):
                view = view_of(house, s, viewer)
                lying = [
                    card
                    for zone in view.zones
                    for card in (zone.cards if not isinstance(zone, (Pile, Stock)) else zone.cards[-1:])
                    if card
                ]
                on = [card for zone in view.zones if isinstance(zone, Pot) for card in zone.on]
                drawn = drawn_cards(view.svg())
                for card in {*lying, *on}:
                    assert drawn.count(card) >= lying.count(card) + on.count(card), card
                assert {card for card in drawn if card != "back"} <= {
                    card for card in cards_of_view(view.zones) if card
                }
        if number > 60:
            break
    assert "<svg" in svg(scene_of(house.entry, house.preset, s, None))


def cards_of_view(zones: object) -> set[str | None]:
    """The cards that a picture of these zones may have."""
    return cards_of(Scene("", 1, 1, 0, (), zones))  # type: ignore[arg-type]


@pytest.mark.usefixtures("plainly")
@pytest.mark.parametrize("name", list(catalog.games()))
def test_worlds_that_a_seat_cannot_tell_apart_give_it_the_same_picture(name: str) -> None:
    m = played(name, 8)
    seat = m.actors[0] if m.actors else 0
    before = m.view(seat).svg()
    other = m.snapshot()
    contract.redact(other, seat)
    contract.resample(other, seat, Work.new())
    assert other.tobytes() != m.snapshot().tobytes()
    assert svg(scene_of(m.game, m.title, other, seat)) == before == svg(scene_of(m.game, m.title, m.snapshot(), seat))


def test_open_hands_are_those_that_each_seat_sees() -> None:
    m = played("fan-tan")
    drawn = drawn_cards(svg(scene_of(m.game, m.title, m.snapshot(), None)))
    for seat in range(m.seats):
        assert set(m.view(seat).hand) <= set(drawn)
        assert set(m.view(seat).hand).isdisjoint(drawn_cards(m.view().svg()))
    assert "back" not in drawn


def test_texts_are_in_the_language_of_the_process() -> None:
    m = played("fan-tan", 0)
    english = m.view(0).svg()
    languages.use("de")
    try:
        words = words_of(m.view(0).svg())
        assert languages.tr("deal {n}", n=1).capitalize() in words
        assert languages.tr("{n} {n:card|cards}", n=13) in words
        assert words != words_of(english)
    finally:
        languages.use("en")
    assert m.view(0).svg() == english
    assert "You" in words_of(english)


def test_names_are_no_markup() -> None:
    zone = Score("note", label=Message("<b>&\"'</b>"))
    ET.fromstring(drawn := svg(Scene("<title>&", 1, 1, 0, (0,), [zone])))
    assert "<b>&\"'</b>" in words_of(drawn)


def test_suits_differ_in_shape_and_ranks_in_letters() -> None:
    symbols = ET.fromstring(
        f"<svg xmlns='http://www.w3.org/2000/svg'>{shapes.symbols(['7H', '7S', 'TD', None, 'X1'])}</svg>"
    )
    assert len({path.get("d") for path in symbols.findall(f"{SVG}path")}) == 4
    faces = {each.get("id"): [text.text for text in each.iter(f"{SVG}text")] for each in symbols.findall(f"{SVG}g")}
    assert faces == {"ct-back": [], "ct-7H": ["7"], "ct-7S": ["7"], "ct-TD": ["10"], "ct-X1": ["★", "1", "★"]}
    sizes = [float(text.get("font-size", "0")) for text in symbols.iter(f"{SVG}text")]
    assert min(sizes) >= 12


def test_a_card_that_stands_out_is_higher() -> None:
    hand = Hand("hand-0", (0,), ("5H", "6H", "7H"), 3, chosen=("6H",))
    text = svg(Scene("x", 1, 1, 0, (0,), [hand], 0))
    heights = {use.get("href"): float(use.get("y", "0")) for use in ET.fromstring(text).iter(f"{SVG}use")}
    assert heights["#ct-6H"] < heights["#ct-5H"] == heights["#ct-7H"]


@pytest.mark.parametrize("drawing", [shapes.fan, lambda cards, most: shapes.column(cards)])
def test_a_covered_card_shows_its_index(drawing: Callable[..., shapes.Piece]) -> None:
    """Its rank is as wide as `10` at most; what lies on it begins beyond that, or below the rank and the suit."""
    piece = drawing(("TD", "9S", "8S", None, "7S", "6H"), 120)
    placed = [
        (float(use.get("x", "0")), float(use.get("y", "0")))
        for use in ET.fromstring(f"<svg>{piece.drawn}</svg>").iter("use")
    ]
    assert len(placed) == 6
    for k, (x, y) in enumerate(placed):
        for later_x, later_y in placed[k + 1 :]:
            beside = later_x >= x + 3 + shapes.width("10", 15, bold=True) - 5 or later_x <= x - shapes.WIDE
            below = later_y >= y + (20 if k != 3 else 5)
            assert beside or below
    assert max(x for x, _ in placed) + shapes.WIDE <= piece.wide + 0.01
    assert max(y for _, y in placed) + shapes.TALL <= piece.tall + 0.01


# Records


def test_a_record_at_any_move_is_what_the_seat_saw() -> None:
    m, dice = Match("i-doubt-it", seed=4, auto=False), random.Random(4)
    seen: list[tuple[int, str, str]] = []
    for _ in range(25):
        number = len(m.deals[-1].acts) + 1
        seen.append((number, m.view(1).svg(), svg(scene_of(m.game, m.title, m.snapshot(), None))))
        if m.forced:
            m.force()
        else:
            play_on(m, lambda seat: dice.choice(m.legal(seat)))
    record = m.record()
    for number, mine, everything in seen[::3]:
        assert record.svg(1, number, seat=1) == mine
        assert record.svg(1, number) == everything
    assert record.svg(seat=1) == m.view(1).svg()


def test_what_is_not_in_the_record_is_refused(record: Record) -> None:
    for deal, number, seat in ((9, None, None), (0, None, None), (1, 0, None), (1, 999, None)):
        with pytest.raises(RecordError):
            record.svg(deal, number, seat=seat)
    for wrong in (4, -1, True):
        with pytest.raises(OptionError):
            record.svg(seat=wrong)
        with pytest.raises(OptionError):
            record.html(seat=wrong)
    with pytest.raises(RecordError):
        record.html(7)


def test_a_position_has_a_picture() -> None:
    m = played("fan-tan")
    position = Position.parse(str(m.position()))
    assert drawn_cards(position.svg()) == drawn_cards(svg(scene_of(m.game, m.title, m.snapshot(), None)))
    assert position._repr_svg_() == position.svg()
    assert set(m.view(2).hand) <= set(drawn_cards(position.svg(2)))
    assert set(m.view(1).hand).isdisjoint(drawn_cards(position.svg(2)))


# The stepper


def data_of(page: str) -> dict[str, list[object]]:
    """What the script of a stepper is given."""
    match = re.search(r'getElementById\("[^"]+"\),(.*)\)</script>', page, re.DOTALL)
    assert match
    data: dict[str, list[object]] = json.loads(match[1])
    return data


def test_a_stepper_has_every_moment(record: Record) -> None:
    m = record.replay()
    data = data_of(record.html())
    assert len(data["frames"]) == len(data["said"]) == len(m.moves) + len(m.deals)
    assert data["said"][0] == "The deal begins."
    first = m.moves[0]
    assert data["said"][1] == f"seat {first.seat}: {first.move}"
    parts = data["parts"]
    assert all(0 <= part < len(parts) for frame in data["frames"] for _, _, part in frame)  # type: ignore[attr-defined]
    for part in parts:
        ET.fromstring(f"<svg>{part}</svg>")
    assert len(parts) == len(set(map(str, parts)))
    assert len(data_of(record.html(1))["frames"]) == len(m.deals[0].acts) + 1


def test_a_stepper_loads_nothing(record: Record) -> None:
    page = record.html()
    assert re.findall(r'(?:src|href)="(?!#ct-)', page) == []
    assert set(re.findall(r"https?://[^\"' ]+", page)) == {"http://www.w3.org/2000/svg"}
    assert record._repr_html_() in page


def test_a_stepper_of_a_seat_has_nothing_that_the_seat_never_saw() -> None:
    m = played("i-doubt-it", 14)
    page = m.record().html(seat=2)
    known = {card for k in range(1, len(m.moves) + 2) for card in drawn_cards(m.record().svg(1, k, seat=2))}
    assert set(re.findall(r"#ct-(\w\w|back)\"", page)) == known
    hidden = set(m.view(0).hand) - known
    assert hidden
    assert not any(f"{card}" in word for card in hidden for word in re.findall(r"\b[A2-9TJQK][SHDC]\b", page))
    said = data_of(page)["said"]
    assert any("…" in str(each) for each in said), "the others lay their cards face down"


def test_a_stepper_stays_small(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = len(record.html())
    monkeypatch.setattr(stepper, "MOST", 30_000)
    page = record.html()
    assert len(page) < 70_000 < whole
    match = re.search(r"<p>(\d+) more moves left out</p>", page)
    assert match
    assert int(match[1]) + len(data_of(page)["frames"]) == record.length + len(record.keys["deals"])


def test_no_text_ends_the_script() -> None:
    step = stepper.Step(Scene("</script><b>", 1, 1, 0, (0,), []), "</script>")
    page = stepper.page([step, step], "x")
    assert page.count("</script>") == 1


# The command


def test_the_command_draws_records_and_positions(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "match.toml", tmp_path / "x.svg"
    record.save(file)
    assert call(capsys, "picture", str(file), "-o", str(out), "--deal", "1", "--move", "5", "--seat", "1")[0] == 0
    assert out.read_text("utf-8") == record.svg(1, 5, seat=1)
    code, output, _ = call(capsys, "picture", str(file), "--out", str(tmp_path / "x.html"), "--json")
    assert code == 0
    assert json.loads(output) == {"file": str(tmp_path / "x.html"), "characters": len(record.html())}
    assert (tmp_path / "x.html").read_text("utf-8") == record.html()
    position = tmp_path / "position.toml"
    position.write_text(str(played("fan-tan").position()), "utf-8")
    assert call(capsys, "picture", str(position), "-o", str(out), "--seat", "0")[0] == 0
    assert out.read_text("utf-8") == Position.parse(position.read_text("utf-8")).svg(0)


def test_the_command_refuses_what_it_cannot_draw(
    record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, position, out = tmp_path / "match.toml", tmp_path / "position.toml", str(tmp_path / "x.svg")
    record.save(file)
    position.write_text(str(played("fan-tan").position()), "utf-8")
    page = str(tmp_path / "x.html")
    for words, code in (
        ((str(file), "-o", "x.png"), 2),
        ((str(file), "-o", page, "--move", "1"), 2),
        ((str(position), "-o", page), 2),
        ((str(position), "-o", out, "--move", "1"), 2),
        ((str(file), "-o", out, "--move", "999"), 1),
        ((str(file), "-o", out, "--seat", "9"), 2),
        ((str(tmp_path / "none.toml"), "-o", out), 3),
    ):
        told = call(capsys, "picture", *words)
        assert told[0] == code, told
    assert not Path(out).exists()
    assert not Path(page).exists()


# Reviews


def test_a_review_shows_its_worst_decisions() -> None:
    m = played("fan-tan", 40)
    result = review(m, seat=0, iterations=200)
    shown = result._repr_html_()
    root = ET.fromstring(shown)
    assert len(root.findall("table/tbody/tr")) == len(result.decisions) > 3
    worst = [one for one in result.decisions if one.worst]
    pictures = root.findall(f"details/{SVG}svg")
    assert len(pictures) == len(worst) > 0
    assert ET.tostring(pictures[0]) == ET.tostring(
        ET.fromstring(m.record().svg(worst[0].deal, worst[0].number, seat=0))
    )
    none = Review(m, 1, 100, ())._repr_html_()
    assert "seat 1 had nothing to decide." in none
