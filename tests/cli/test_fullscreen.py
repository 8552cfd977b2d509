"""The full screen: whole deals by keys, the mouse, typing, sizes, hints, refusals, leaving and coming back."""

from __future__ import annotations

import re
import threading
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from cardtable import Match, Record
from cardtable.base.message import Message, Moves
from cardtable.cli.terminal import tell
from cardtable.cli.terminal.field import Field
from cardtable.cli.terminal.full_screen import FullScreenFace
from cardtable.rules import catalog
from cardtable.testing.houses import brief
from tests.cli.sitting import Sat, key_of, near_the_end, of_tea, own, place, play_on, sitting
from tests.support import pseudo
from tests.support.effort import cases
from tests.support.terminal import POSITION

SYSTEMS = [(game.name, preset) for game in catalog.games().values() for preset in game.presets]


@pytest.fixture(autouse=True)
def _saved_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A match that is stopped is kept."""
    monkeypatch.setenv("CARDTABLE_DATA", str(tmp_path / "data"))


SIZES = ("60x20", "80x24", "120x40")
#: every game with each of its presets on a screen of one size, and most games on screens of several
SIZED = [(*system, SIZES[k % 3]) for k, system in enumerate(SYSTEMS)]


@pytest.mark.parametrize(
    ("name", "preset", "size"), cases(SIZED, lambda case: case[:2] in (("fan-tan", "denexa"), ("scopa", "denexa")))
)
async def test_a_deal_by_keys(name: str, preset: str, size: str) -> None:
    """Its first moves, and its last ones."""

    def begun(number: int) -> Match:
        return Match(name, rules=preset, seed=f"keys {number}", pause=True, **brief(catalog.find(name)))

    width, height = map(int, size.split("x"))
    for m, moves in ((begun(0), 3), (near_the_end(begun, 1), 1000)):
        async with sitting(m, (width, height)) as sat:
            await play_on(sat, moves)
            assert moves == 3 and own(m) >= 3 or m.results, sat.text
        assert isinstance(sat.face._ended, SystemExit | None)


async def test_the_mouse_plays_a_card_and_an_offer() -> None:
    m = of_tea()
    async with sitting(m) as sat:
        for key, move in ((key_of(m, "6S"), "6S"), (None, None)):
            if key is None:
                await sat.asked()
                move = m.legal(0)[-1]
                key = ("choice", move)  # type: ignore[assignment]
            part, x, y = place(sat, key)
            before = len(m.moves)
            await sat.pilot.click(part, offset=(x + 1, y))
            await sat.until(lambda before=before: len(m.moves) > before)  # type: ignore[misc]
            assert m.moves[before].move == move
        part, x, y = place(sat, ("key", "?"))
        await sat.pilot.click(part, offset=(x, y))
        await sat.until(lambda: sat.stage.opened == "help")


async def test_moves_that_are_called_alike_can_be_told_apart() -> None:
    m = Match("spider", seed="tea", pause=True)
    async with sitting(m) as sat:
        listed = sat.field("choice")
        assert "9-3 6♣ → 7♣" in listed  # to one of two sevens of clubs
        assert "9-7 6♣ → 7♣" in listed
        assert "1-9" not in listed


async def test_typing_is_as_in_line_mode() -> None:
    m = of_tea()
    async with sitting(m) as sat:
        await sat.type("6s")
        await sat.until(lambda: m.moves[1 + 3].move == "6S")
        await sat.asked()
        await sat.type(":? FT-25")
        await sat.until(lambda: sat.stage.opened == "clauses")
        await sat.asked()
        await sat.press("escape")
        await sat.type(":foo")
        await sat.until(lambda: "'foo' is not a move" in sat.field("notes"))
        made = len(m.moves)
        await sat.asked()
        await sat.type("1")
        await sat.until(lambda: len(m.moves) > made)


async def test_a_refusal_says_the_reason_and_the_rule_before_and_after() -> None:
    m = Match.from_position(POSITION)
    async with sitting(m) as sat:
        assert sat.stage.cursor == key_of(m, "8S")  # the first card that can be played
        await sat.press("right", "right")
        assert sat.stage.cursor == key_of(m, "KC")
        assert "The clubs row is not open: it begins with its 7 (FT-25)" in sat.field("notes")
        await sat.press("enter")
        await sat.until(lambda: "You may not play K♣" in sat.field("notes"))
        assert not m.moves
        await sat.asked()
        await sat.press("left", "enter")
        await sat.until(lambda: m.moves)
        assert m.moves[0].move == "5H"


async def test_undo_and_the_log() -> None:
    m = of_tea()
    async with sitting(m) as sat:
        before = m.position().text
        await sat.type("6S")
        await sat.until(lambda: len(m.moves) > 5 and sat.stage.question)
        await sat.press("u")
        await sat.until(lambda: "6♠ is taken back" in sat.field("notes"))
        await sat.asked()
        assert m.position().text == before
        await sat.press("l")
        await sat.until(lambda: sat.stage.opened == "log")
        assert "lays" in sat.text
        await sat.press("escape")
        await sat.until(lambda: not sat.stage.opened)


async def test_a_hint_is_worked_out_beside_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
    from cardtable import precompile
    from cardtable.cli.terminal import hint

    monkeypatch.setattr(precompile, "plain", lambda: False)
    monkeypatch.setattr(precompile, "ready", lambda game: True)
    thought = threading.Event()

    def slow(view: Any) -> Message:
        thought.wait(60)
        return Message("{move} looks best.", move=Moves("8S"))

    monkeypatch.setattr(hint, "hint", slow)
    m = Match.from_position(POSITION)
    async with sitting(m) as sat:
        await sat.press("h")
        await sat.until(lambda: "Thinking ..." in sat.field("notes"))
        await sat.asked()
        await sat.press("right")  # the screen is alive meanwhile
        assert sat.stage.cursor == key_of(m, "5H")
        thought.set()
        await sat.until(lambda: "8♠ looks best." in sat.field("notes"))
        assert "Thinking" not in sat.text


def told_beside(sat: Sat, beside: bool) -> bool:
    """Whether the log is next to the table, as expected."""
    return ("Cleo lays 9♠" in sat.text.partition("│")[2]) == beside


async def test_it_is_resized_while_it_runs() -> None:
    m = of_tea()
    async with sitting(m) as sat:
        for width, height in ((120, 40), (60, 20), (100, 20), (61, 50), (80, 24)):
            await sat.pilot.resize_terminal(width, height)
            await sat.until(lambda width=width: sat.stage.size.width == width)  # type: ignore[misc]
            card = "│6♠ │" if (width, height) == (120, 40) else "▴6♠"  # where there is room, cards are boxes
            await sat.until(lambda card=card: card in sat.text)  # type: ignore[misc]
            # from 100 columns on, the log stands next to the table
            await sat.until(partial(told_beside, sat, width >= 100))
            lines = sat.text.splitlines()
            assert len(lines) == height
            assert max(map(len, lines)) <= width
            assert "7♠" in sat.field("table")
        await sat.pilot.resize_terminal(59, 20)
        await sat.until(lambda: "The window is 59×20; the table needs 60×20." in sat.field("small"))
        assert "▴6♠" not in sat.text
        await sat.pilot.resize_terminal(60, 20)
        await sat.until(lambda: "▴6♠" in sat.text)


async def test_leaving_saves_and_says_how_to_continue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = str(tmp_path / "m.toml")
    m = of_tea()
    async with sitting(m, record=record) as sat:
        await sat.type("6S")
        await sat.until(lambda: len(m.moves) > 5)
        await sat.asked()
        await sat.type("q")
        await sat.until(lambda: sat.face._closed.is_set())
    face = sat.face
    face.close()
    assert f"The match is saved. Continue with:\n  cardtable play --resume {record}\n" in capsys.readouterr().out
    again = Record.load(record).resumed()
    assert again.moves == m.moves
    async with sitting(again) as sat:
        made = len(again.moves)
        await sat.press("enter")
        await sat.until(lambda: len(again.moves) > made)


@pytest.mark.parametrize(("key", "code", "why"), [("ctrl+c", 130, "Stopped."), ("ctrl+d", 0, "The input has ended")])
async def test_stopping_saves(
    key: str, code: int, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = str(tmp_path / "m.toml")
    async with sitting(of_tea(), record=record) as sat:
        await sat.press(key)
        await sat.until(lambda: sat.face._closed.is_set())
    face = sat.face
    with pytest.raises(SystemExit) as left:
        face.close()
    assert left.value.code == code
    assert why in capsys.readouterr().out
    assert not Record.load(record).replay().over


def last_card(**keys: Any) -> Match:
    """Fan Tan where your only card ends the deal."""
    text = POSITION.replace('"8S 5H KC"', '"8S"').replace("denexa", "british")
    for name, value in keys.items():
        text += f"{name} = {value}\n"
    return Match.from_position(text, seed=1, pause=True)


async def test_the_end_of_a_deal() -> None:
    m = last_card()
    async with sitting(m) as sat:
        await sat.press("enter")
        await sat.until(lambda: sat.stage.question and sat.stage.question.kind == "next")
        assert "You win deal" in sat.field("table")
        assert "this deal" in sat.field("table")
        deal = m.deal
        await sat.press("enter")
        await sat.until(lambda: m.deal > deal)
        await sat.until(lambda: "this deal" not in sat.field("table"))


async def test_the_end_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    m = last_card(deal=4)
    async with sitting(m) as sat:
        await sat.press("enter")
        await sat.until(lambda: sat.stage.question and sat.stage.question.kind == "over")
        assert "You win deal 4" in sat.field("table")
        assert "The match is over" in sat.field("table")
        assert "★ You" in sat.field("table")
        await sat.press("enter")
        await sat.until(lambda: sat.face._closed.is_set())
    face = sat.face
    face.close()
    assert "The match is over" in capsys.readouterr().out  # it stays in the terminal


async def test_cards_are_chosen_together_and_chips_are_spread() -> None:
    m = Match("michigan", rules="boodle", seed="tea", pause=True, auto=False)
    while m.actors != (0,):
        m.play(m.legal(m.actors[0])[0], m.actors[0])
    async with sitting(m) as sat:
        assert await sat.asked() == "move"
        first, second = sat.stage.picking.chips[:2]  # type: ignore[union-attr]
        for key in (("put", 0, -1), ("put", 1, 1)):
            part, x, y = place(sat, key)
            await sat.pilot.click(part, offset=(x + 1, y))
        assert sat.stage.picking.chips[:2] == [first - 1, second + 1]  # type: ignore[union-attr]
        made = len(m.moves)
        offer = ("choice", sat.stage.picking.offers()[0].text)  # type: ignore[union-attr]
        part, x, y = place(sat, offer)
        await sat.pilot.click(part, offset=(x, y))
        await sat.until(lambda: len(m.moves) > made)
        assert re.search(rf"KD{second + 1}", m.moves[made].move)


async def test_whoever_watches_sees_every_move() -> None:
    m = Match.from_position(POSITION.replace("turn = 0", "turn = 1") + "deal = 4\n", seed=1, pause=True)
    async with sitting(m, seat=None) as sat:
        await sat.until(lambda: sat.stage.question and sat.stage.question.kind == "over")
        assert "The match is over" in sat.field("table")


async def test_a_clock_that_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first ticks pass at once; the one in which a key is pressed lasts until then."""
    m = Match("pirate", seed="tea", pause=True)
    take = FullScreenFace._take

    def taken(face: FullScreenFace, seconds: float | None = None) -> str | None:
        return take(face, seconds if seconds != face.session.pace else 0.001 if len(m.moves) <= 6 else 60)

    monkeypatch.setattr(FullScreenFace, "_take", taken)
    async with sitting(m, speed=4) as sat:
        await sat.until(lambda: len(m.moves) > 6)  # nobody has pressed a key
        assert {each.move for each in m.moves if each.seat == 0 and not each.forced} == {"wait"}
        await sat.until(lambda: sat.stage.question)
        await sat.type("draw")
        await sat.until(lambda: any(each.seat == 0 and each.move == "draw" for each in m.moves))


async def test_a_line_that_is_sent_between_two_ticks_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    m = Match("pirate", seed="tea", pause=True)
    pausing, typed, pause = threading.Event(), threading.Event(), FullScreenFace.pause

    def paused(face: FullScreenFace, seconds: float) -> str:
        if len(m.moves) > 6 and not typed.is_set():
            pausing.set()
            assert typed.wait(60)
        return pause(face, seconds)

    monkeypatch.setattr(FullScreenFace, "pause", paused)
    async with sitting(m, speed=4) as sat:
        await sat.until(lambda: pausing.is_set() and not sat.stage.question)
        assert "draw" not in {each.move for each in m.moves if each.seat == 0}
        await sat.type("draw")
        made = len(m.moves)
        typed.set()
        await sat.until(lambda: [each.move for each in m.moves[made:] if each.seat == 0])
        assert next(each.move for each in m.moves[made:] if each.seat == 0) == "draw"


@pytest.mark.usefixtures("pseudo_language")
@pytest.mark.parametrize(("name", "preset"), cases(SYSTEMS, (("fan-tan", "denexa"),)))
async def test_no_text_of_the_full_screen_escapes_the_catalogue(name: str, preset: str) -> None:
    m = Match(name, rules=preset, seed=1, pause=True, **brief(catalog.find(name)))
    found: set[str] = set()
    async with sitting(m) as sat:
        page = m.game.help_here(m.options, m.seats)  # pages of the rulebook are translated as wholes
        known = {page, *tell.NAMES, "Enter Esc PgUp PgDn rules resign discard FILE"}
        for _ in range(4):
            kind = await sat.asked()
            if kind in ("", "over", "once"):
                break
            if sat.m.actors:
                known.update(m.legal(0) if 0 in m.actors else ())
            await sat.press("question_mark")
            await sat.until(lambda: sat.stage.opened == "help")
            for part in sat.stage.query(Field):
                found.update(line.plain for line in part.lines if pseudo.escaped(line.plain, known))
            panel = str(sat.stage.query_one("#panel", Static).render())
            found.update(line for line in panel.splitlines() if pseudo.escaped(line, known))
            await sat.press("escape", "enter")
            await sat.until(lambda: sat.stage.question or sat.face._closed.is_set())
            if sat.m.results:
                break
    assert not found, "\n".join(sorted(found)[:20])
