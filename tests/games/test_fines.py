"""Fines as in the books, by one choice: in the library, at the command line, at a live table and in the browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match, OptionError
from cardtable.base.cards import card_text
from cardtable.match.match import Record
from cardtable.rules import catalog
from cardtable.table import Setup
from cardtable.table.setup import checked
from tests.games.michigan.michigan_tables import PRESETS as MICHIGAN
from tests.games.michigan.michigan_tables import stacked
from tests.support.commands import call
from tests.support.games.tables import paid, pot, sit, told

FINED = [game for game in catalog.games().values() if game.options.fines]
HANDS = ["7H 2H AH KH", "6H 9H TH JH QH", "8H 3H 4H 5H"]  # every other suit is complete


def settled(m: Match) -> list[tuple[int | None, int | None, int | None, str]]:
    """Play a deal of Fan Tan to its end, after seat 0 has passed wrongly; what the offence cost."""
    m.play("pass")
    assert told(m, "pay") == [event for event in told(m, "pay") if event.rule == "FT-22"], "nobody knows of it yet"
    while m.actors:
        m.play(next((move for move in m.legal() if move != "pass"), "pass"))
    return [payment for payment in paid(m.events) if payment[3].startswith("FT-3")]


@pytest.mark.rules("FT-Q15", "FT-34", "FT-40")
@pytest.mark.parametrize(
    ("preset", "why"), [("denexa", "FT-35"), ("stops", "FT-37"), ("british", "FT-38"), ("ultimate", "FT-39")]
)
def test_each_source_of_fan_tan_has_its_fines(preset: str, why: str) -> None:
    """Who passes with a 7 in hand pays 3 to the pot and 5 to each neighbour's holder, when the hands are shown."""
    m = sit(
        "fan-tan",
        preset,
        HANDS,
        "S A-K  D A-K  C A-K",
        stacks=[30, 30, 30],
        options={"fines": True, "deals": 2},
        auto=False,
    )
    assert settled(m) == [(0, None, 3, "FT-34"), (0, 1, 5, why), (0, 2, 5, why)]
    strict = sit("fan-tan", preset, HANDS, "S A-K  D A-K  C A-K", stacks=[30, 30, 30], auto=False)
    assert strict.legal() == ["7H"], "without the choice the mistake cannot be made"


@pytest.mark.rules("FT-Q15", "FT-24", "FT-Q1")
def test_with_fines_a_hand_can_be_dead() -> None:
    """Ultimate: all pass their only 7 wrongly; nobody wins, everybody pays a chip, and the pot waits."""
    m = Match.from_pack(" ".join(map(card_text, range(52))), "fan-tan", 4, "ultimate", dealer=0, fines=True)
    for _ in range(4):
        m.play("pass")
    assert [event.rule for event in told(m, "void")] == ["FT-24"]
    assert (m.results[0].winner, m.scores, m.deal, m.dealer) == (None, (20 - 1, 20 - 1, 20 - 1, 20 - 1), 2, 1)
    assert pot(m) == 20 + 4, "with the next antes in it"


@pytest.mark.rules("FT-Q15", "PP-Q6", "PP-01")
@pytest.mark.parametrize("preset", ["stops", "original"])
def test_play_or_pay_has_the_fine_to_the_pot(preset: str) -> None:
    m = Match("play-or-pay", 3, preset, seed="fines", fines="yes", auto=False)
    m.play(m.legal()[0])
    while m.legal() == ["pass"]:
        m.play("pass")
    offender = m.actors[0]  # who holds the next card
    m.play("pass")
    assert [payment[3] for payment in paid(m.events)] == ["PP-06"], "nobody knows of it yet"
    while m.deal == 1 and m.actors:
        m.play(m.legal()[0])
    assert [payment for payment in paid(m.events) if payment[3] == "PP-Q6"] == [(offender, None, 3, "PP-Q6")]


@pytest.mark.rules("MI-31", "MI-32", "FT-Q15")
@pytest.mark.parametrize("preset", MICHIGAN)
def test_each_game_of_michigan_has_its_fines(preset: str) -> None:
    """Who withholds the next card pays a chip to each of the others, and makes the boodle lost by it good."""
    money = catalog.find("michigan").options.presets[preset].get("money", "AH KC QD JS").split()
    goal = next(card for card in money if card[0] in "QK")  # two below it is led, one below it is withheld
    below = {"K": ("J", "Q"), "Q": ("T", "J")}[goal[0]]
    hands = [below[0] + goal[1] + " 3H", below[1] + goal[1] + " 2D", goal + " 5C"]
    m = stacked(hands, preset, on={goal: 6}, fines="yes")
    assert m.record().keys["options"]["enforce"] == "penalise"
    m.play(hands[0].split()[0])
    done: list[Any] = []
    withheld = False
    while m.deal == 1 and m.actors:
        legal = m.legal()
        fitting = [move for move in legal if move == hands[1].split()[0]]
        move = "pass" if fitting and not withheld else next((one for one in legal if one != "pass"), "pass")
        withheld = withheld or bool(fitting)
        m.play(move)
        done += paid(m.events)
    assert withheld
    assert [(p[0], p[2]) for p in done if p[3] == "MI-31"] == [(1, 1), (1, 1)]
    assert [p for p in done if p[3] == "MI-32"] == [(1, 2, 6, "MI-32")]


@pytest.mark.rules("FT-Q15")
@pytest.mark.parametrize("game", FINED, ids=lambda game: game.name)
def test_fines_are_ordinary_house_rules(game: Any) -> None:
    """What is recorded are the options that they turn on; a record or a position needs nothing new."""
    for preset in game.presets:
        m = Match(game.name, None, preset, "fines", fines=True)
        assert {name: m.options.as_dict()[name] for name in game.options.fines} == dict(game.options.fines)
        assert m.record().keys["options"] == {"enforce": "penalise"}
        assert Match.from_record(str(m.record())).options == m.options
        assert Match(game.name, None, preset, "fines", enforce="penalise").options == m.options
        assert (
            Match(game.name, None, preset, "fines", fines=True, detect="immediate").options.as_dict()["detect"]
            == "immediate"
        )
        assert (
            Match(game.name, None, preset, "fines", fines=False).options
            == Match(game.name, None, preset, "fines").options
        )


def test_fines_that_cannot_be_are_refused() -> None:
    for game, given, why in (
        ("spider", {"fines": True}, "these rules know no fines"),
        ("fan-tan", {"fines": True, "enforce": "strict"}, "a mistake that is refused costs nothing"),
        ("fan-tan", {"fines": True, "stakes": "none"}, "a fine needs chips"),
        ("fan-tan", {"fines": "maybe"}, "fines is one of no / yes"),
    ):
        with pytest.raises(OptionError, match=why):
            Match(game, None, None, "fines", **given)
    assert Match("spider", seed="fines", fines=False).options.changed("four-suits", 1) == {}


def test_the_command_line_offers_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Fines, as in the book: --fines" in call(capsys, "rules", "michigan")[1]
    assert "--fines" not in call(capsys, "rules", "spider")[1]
    assert json.loads(call(capsys, "rules", "fan-tan", "--json")[1])["fines"] == {
        "enforce": "penalise",
        "detect": "end",
    }
    for command in ("play", "simulate", "league"):
        assert "--fines" in call(capsys, command, "--help")[1]
    code, _, err = call(capsys, "play", "scopa", "--fines")
    assert (code, "these rules know no fines" in err) == (2, True)
    code, _, err = call(capsys, "play", "--resume", str(tmp_path / "a.toml"), "--fines")
    assert (code, "a match continues as it began" in err) == (2, True)
    report = json.loads(
        call(capsys, "simulate", "fan-tan", "--fines", "--set", "detect=immediate", "--deals", "1", "--json")[1]
    )
    assert (report["options"]["enforce"], report["options"]["detect"]) == ("penalise", "immediate")


def test_a_live_table_takes_them() -> None:
    setup = checked(Setup("michigan", "pope-joan", options={"fines": True}))
    assert setup.options == {"enforce": "penalise"}
    assert (
        Record.parse(str(Match("michigan", 4, "pope-joan", "1", **dict[str, Any](setup.options)).record()))
        .replay()
        .options.as_dict()["enforce"]
        == "penalise"
    )
