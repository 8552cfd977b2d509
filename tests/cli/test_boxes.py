"""Cards as boxes on a large full screen, and aids to the memory, which are shown only if they are switched on."""

from __future__ import annotations

import pytest
from rich.text import Text

from cardtable import Match
from cardtable.cli.terminal.boxes import Box, rows
from cardtable.cli.terminal.field import Field
from cardtable.rules.zones import Trick
from tests.cli.sitting import key_of, of_tea, place, sitting
from tests.support.terminal import POSITION, at

FACES = [f"{rank}♠" for rank in ("A", *map(str, range(2, 11)), "J", "Q", "K")]


def drawn(count: int, width: int) -> list[str] | None:
    """The lines of a number of cards."""
    lines = rows([Box(Text(FACES[i % 13]), ready=i == 0) for i in range(count)], width)
    return None if lines is None else [line.plain for line in lines]


def test_cards_lie_side_by_side_or_cover_each_other() -> None:
    assert drawn(3, 15) == ["╭─▴─╮╭───╮╭───╮", "│A♠ ││2♠ ││3♠ │", "╰───╯╰───╯╰───╯"]
    assert drawn(3, 14) == ["╭─▴─╭───╭───╮", "│A♠ │2♠ │3♠ │", "╰───╰───╰───╯"]
    assert drawn(10, 41) == [
        "╭─▴─" + "╭───" * 8 + "╭───╮",
        "│" + "│".join(f"{face:<3}" for face in FACES[:10]) + "│",
        "╰───" * 10 + "╯",
    ]
    assert drawn(0, 80) == []


def test_more_cards_than_one_row_holds_are_divided_evenly_and_too_many_are_not_drawn() -> None:
    lines = drawn(14, 41)
    assert lines is not None
    assert [line.count("│") - 1 for line in lines[1::3]] == [7, 7]
    assert drawn(20, 41) is not None
    assert drawn(21, 41) is None
    assert drawn(1, 4) is None


def test_a_name_below_a_card_widens_its_place() -> None:
    lines = rows([Box(Text("7♥"), under="Bartholomew"), Box(Text("8♥"), under="Jo")], 40)
    assert lines
    assert [line.plain for line in lines][1:] == [
        "│7♥ │       │8♥ │",
        "╰───╯       ╰───╯",
        "Bartholomew Jo   ",
    ]


@pytest.mark.parametrize(("size", "boxes"), [((120, 40), True), ((119, 40), False), ((120, 39), False)])
async def test_a_large_screen_draws_the_hand_as_boxes(size: tuple[int, int], boxes: bool) -> None:
    m = of_tea()
    async with sitting(m, size) as sat:
        assert ("╭" in sat.field("hand")) == boxes
        key = key_of(m, "6S")
        places = [each for each in sat.stage.query_one("#hand", Field).places if each.key == key]
        assert len(places) == (3 if boxes else 1)
        assert [each.line - places[0].line for each in places] == list(range(len(places)))


@pytest.mark.parametrize("down", range(3))
async def test_a_box_is_clicked_on_each_of_its_lines_and_the_arrows_pass_it_once(down: int) -> None:
    m = of_tea()
    async with sitting(m, (120, 40)) as sat:
        key = key_of(m, "6S")
        part, x, y = place(sat, key)
        rows_there = part.rows(lambda key: True)
        assert [each.key for row in rows_there for each in row].count(key) == 1
        before = len(m.moves)
        await sat.pilot.click(f"#{part.id}", offset=(x + 1, y + down))
        await sat.until(lambda: len(m.moves) > before)
        assert m.moves[before].move == "6S"


async def test_a_trick_has_the_names_of_the_players_below_its_cards() -> None:
    m = Match("oh-hell", 4, seed="boxes", pause=True)
    while not any(zone.kind == "trick" and len(zone.cards) > 1 for zone in m.view(0).zones) or m.actors != (0,):
        m.play(m.legal()[0])
    async with sitting(m, (120, 40)) as sat:
        lines = sat.field("table").splitlines()
        bottom = max(number for number, line in enumerate(lines) if "╰───╯" in line)
        trick = next(zone for zone in m.view(0).zones if isinstance(zone, Trick))
        assert lines[bottom + 1].split() == [sat.stage.names[seat] for seat in trick.by or ()]


def with_something_known() -> Match:
    """Fan Tan at your turn, after somebody has passed: so everybody knows cards that they do not hold."""
    m = Match.from_position(POSITION)
    assert m.actors == (0,)
    return m


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_memory_aids_are_shown_when_they_are_switched_on_and_marked_as_a_help(size: tuple[int, int]) -> None:
    async with sitting(with_something_known(), size) as sat:
        assert "has no" not in sat.field("table")
        await sat.press("i")
        await sat.until(lambda: "(help: has no 8♠)" in sat.field("table"))
        await sat.asked()
        assert "Memory aids are shown" in sat.field("notes")
        await sat.press("i")
        await sat.until(lambda: "has no" not in sat.field("table"))


def test_in_lines_memory_aids_are_a_command() -> None:
    session, written = at(with_something_known())
    view = session.m.view(0)
    session.face.table(view)
    assert "has no" not in written()
    assert session.answer("aids", view) is False
    assert "(help: has no 8♠)" in written()
    assert "Memory aids are shown, which are a help." in written()
    session.answer("i", view)
    assert written().rstrip().endswith("Memory aids are not shown.")
