"""The full screen: whole deals by keys, the mouse, typing, sizes, hints, refusals, leaving and coming back."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Static

from cardtable import Match, Record
from cardtable.base.message import Message, Moves
from cardtable.bots import bot
from cardtable.cli import saves
from cardtable.cli.terminal import tell
from cardtable.cli.terminal.field import Field
from cardtable.cli.terminal.full_screen import FullScreenFace
from cardtable.cli.terminal.session import Session
from cardtable.cli.terminal.stage import Stage
from cardtable.rules import catalog
from cardtable.testing.houses import brief
from tests.support import pseudo
from tests.support.effort import cases
from tests.support.terminal import POSITION

SYSTEMS = [(game.name, preset) for game in catalog.games().values() for preset in game.presets]


@pytest.fixture(autouse=True)
def _saved_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A match that is stopped is kept."""
    monkeypatch.setenv("CARDTABLE_DATA", str(tmp_path / "data"))


class Sat:
    """A person before the full screen of a match."""

    def __init__(self, m: Match, stage: Stage, pilot: Pilot[None], session: Session, face: FullScreenFace) -> None:
        self.m, self.stage, self.pilot, self.session, self.face = m, stage, pilot, session, face

    async def until(self, true: Callable[[], object]) -> None:
        end = time.monotonic() + 60
        while not true():
            assert time.monotonic() < end, self.text
            assert self.face._ended is None or isinstance(self.face._ended, SystemExit), self.face._ended
            await self.pilot.pause(0.005)
        await self.pilot.pause()

    async def asked(self) -> str:
        """Wait until the person is asked; for what."""
        await self.until(lambda: self.stage.question or self.face._closed.is_set())
        if self.face._ended is not None:
            raise self.face._ended
        return self.stage.question.kind if self.stage.question else ""

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        names = {" ": "space", "?": "question_mark", "-": "minus", ":": "colon", "/": "slash", ".": "full_stop"}
        await self.pilot.press(*(names.get(letter, letter) for letter in text), "enter")

    def field(self, name: str) -> str:
        """What a part of the screen says."""
        return "\n".join(line.plain for line in self.stage.query_one(f"#{name}", Field).lines)

    @property
    def text(self) -> str:
        strips = self.stage.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in strips)


def sit(
    m: Match,
    act: Callable[[Sat], Awaitable[None]],
    size: tuple[int, int] = (80, 24),
    record: str | None = None,
    seat: int | None = 0,
    speed: float | None = None,
) -> FullScreenFace:
    """Play a match on a full screen of some size; what the face is at the end."""
    face = FullScreenFace(tell.names_for(m.seats, seat), 4)
    session = Session(m, saves.Sitting(seat, "medium"), record, face, speed=speed)
    session.pace = 1 / speed if speed else 0.001

    async def run() -> None:
        stage = face.open(session)
        async with stage.run_test(size=size) as pilot:
            await act(Sat(m, stage, pilot, session, face))
            face.interrupt(KeyboardInterrupt)
            await pilot.pause()

    asyncio.run(run())
    face._thread.join(60)
    return face


def own(m: Match) -> int:
    """How many moves the person has chosen."""
    return sum(act.seat == 0 and not act.forced for act in m.moves)


async def play_on(sat: Sat, moves: int) -> None:
    """Make some moves by keys, or play to the end of the deal: first what the cursor is at, then the first offer."""
    tried, before, last = 0, -1, own(sat.m) + moves
    while await sat.asked() not in ("", "over", "once", "next") and not sat.m.results and own(sat.m) < last:
        made = len(sat.m.moves)
        tried = tried + 1 if made == before else 0
        before = made
        assert tried < 12, sat.text
        if tried > 1 or sat.stage.cursor is None:  # what the cursor was at made no move: take what is offered
            offers = sat.stage.query_one("#choice", Field).places
            key = next((place.key for place in offers if place.key[0] == "choice"), None)  # type: ignore[index]
            if key is not None:
                sat.stage.cursor = key
        await sat.press("enter")


def near_the_end(begun: Callable[[int], Match], left: int) -> Match:
    """A match at one of the person's last choices of its first deal, if all play by the heuristic: the first of these
    in which the person has a choice.
    """
    player, number, mine = bot("medium", seed=0), 0, list[int]()
    while not mine:
        m, number = begun(number), number + 1
        while not m.results:
            m.play(player.choose(m.view(m.actors[0])), m.actors[0])
        chosen = [act for act in m.moves if not act.forced]
        mine = [k for k, act in enumerate(chosen) if act.seat == 0]
    m.undo(len(chosen) - mine[-left:][0])
    return m


SIZES = ("60x20", "80x24", "120x40")
#: every game with each of its presets on a screen of one size, and most games on screens of several
SIZED = [(*system, SIZES[k % 3]) for k, system in enumerate(SYSTEMS)]


@pytest.mark.parametrize(
    ("name", "preset", "size"), cases(SIZED, lambda case: case[:2] in (("fan-tan", "denexa"), ("scopa", "denexa")))
)
def test_a_deal_by_keys(name: str, preset: str, size: str) -> None:
    """Its first moves, and its last ones."""

    def begun(number: int) -> Match:
        return Match(name, rules=preset, seed=f"keys {number}", pause=True, **brief(catalog.find(name)))

    async def begin(sat: Sat) -> None:
        await play_on(sat, 3)
        assert own(first) >= 3 or first.results, sat.text

    async def end(sat: Sat) -> None:
        await play_on(sat, 1000)
        assert last.results, sat.text

    width, height = map(int, size.split("x"))
    first, last = begun(0), near_the_end(begun, 2)
    for m, act in ((first, begin), (last, end)):
        face = sit(m, act, (width, height))
        assert isinstance(face._ended, SystemExit | None)


def of_tea(**how: Any) -> Match:
    """Fan Tan at your first turn with a choice."""
    m = Match("fan-tan", 4, seed="tea", pause=True, **how)
    m.play("7S")
    while m.actors != (0,):
        m.play(m.legal()[0])
    return m


def place(sat: Sat, key: object) -> tuple[Field, int, int]:
    """Where something can be chosen: the part of the screen, the column and the line in it."""
    for part in sat.stage.query(Field):
        for each in part.places:
            if each.key == key:
                return part, each.left, each.line
    raise AssertionError(f"{key} is not on the screen:\n{sat.text}")


def key_of(m: Match, card: str) -> tuple[str, int]:
    return "hand-0", m.view(0).zone("hand-0").cards.index(card)


def test_the_mouse_plays_a_card_and_an_offer() -> None:
    m = of_tea()

    async def act(sat: Sat) -> None:
        await sat.asked()
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

    sit(m, act)


def test_moves_that_are_called_alike_can_be_told_apart() -> None:
    m = Match("spider", seed="tea", pause=True)

    async def act(sat: Sat) -> None:
        await sat.asked()
        listed = sat.field("choice")
        assert "9-3 6♣ → 7♣" in listed  # to one of two sevens of clubs
        assert "9-7 6♣ → 7♣" in listed
        assert "1-9" not in listed

    sit(m, act)


def test_typing_is_as_in_line_mode() -> None:
    m = of_tea()

    async def act(sat: Sat) -> None:
        await sat.asked()
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

    sit(m, act)


def test_a_refusal_says_the_reason_and_the_rule_before_and_after() -> None:
    m = Match.from_position(POSITION)

    async def act(sat: Sat) -> None:
        await sat.asked()
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

    sit(m, act)


def test_undo_and_the_log() -> None:
    m = of_tea()

    async def act(sat: Sat) -> None:
        await sat.asked()
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

    sit(m, act)


def test_a_hint_is_worked_out_beside_the_match(monkeypatch: pytest.MonkeyPatch) -> None:
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

    async def act(sat: Sat) -> None:
        await sat.asked()
        await sat.press("h")
        await sat.until(lambda: "Thinking ..." in sat.field("notes"))
        await sat.asked()
        await sat.press("right")  # the screen is alive meanwhile
        assert sat.stage.cursor == key_of(m, "5H")
        thought.set()
        await sat.until(lambda: "8♠ looks best." in sat.field("notes"))
        assert "Thinking" not in sat.text

    sit(m, act)


def told_beside(sat: Sat, beside: bool) -> bool:
    """Whether the log stands beside the table, or does not, as it should."""
    return ("Cleo lays 9♠" in sat.text.partition("│")[2]) == beside


def test_it_is_resized_while_it_runs() -> None:
    m = of_tea()

    async def act(sat: Sat) -> None:
        await sat.asked()
        for width, height in ((120, 40), (60, 20), (100, 20), (61, 50), (80, 24)):
            await sat.pilot.resize_terminal(width, height)
            await sat.until(lambda width=width: sat.stage.size.width == width)  # type: ignore[misc]
            card = "│6♠ │" if (width, height) == (120, 40) else "▴6♠"  # where there is room, cards are boxes
            await sat.until(lambda card=card: card in sat.text)  # type: ignore[misc]
            # from 100 columns on, the log stands beside the table
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

    sit(m, act)


def test_leaving_saves_and_says_how_to_continue(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = str(tmp_path / "m.toml")
    m = of_tea()

    async def act(sat: Sat) -> None:
        await sat.asked()
        await sat.type("6S")
        await sat.until(lambda: len(m.moves) > 5)
        await sat.asked()
        await sat.type("q")
        await sat.until(lambda: sat.face._closed.is_set())

    face = sit(m, act, record=record)
    face.close()
    assert f"The match is saved. Continue with:\n  cardtable play --resume {record}\n" in capsys.readouterr().out
    again = Record.load(record).resumed()
    assert again.moves == m.moves

    async def back(sat: Sat) -> None:
        await sat.asked()
        made = len(again.moves)
        await sat.press("enter")
        await sat.until(lambda: len(again.moves) > made)

    sit(again, back)


@pytest.mark.parametrize(("key", "code", "why"), [("ctrl+c", 130, "Stopped."), ("ctrl+d", 0, "The input has ended")])
def test_stopping_saves(key: str, code: int, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = str(tmp_path / "m.toml")

    async def act(sat: Sat) -> None:
        await sat.asked()
        await sat.press(key)
        await sat.until(lambda: sat.face._closed.is_set())

    face = sit(of_tea(), act, record=record)
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


def test_the_end_of_a_deal() -> None:
    m = last_card()

    async def act(sat: Sat) -> None:
        await sat.asked()
        await sat.press("enter")
        await sat.until(lambda: sat.stage.question and sat.stage.question.kind == "next")
        assert "You win deal" in sat.field("table")
        assert "this deal" in sat.field("table")
        deal = m.deal
        await sat.press("enter")
        await sat.until(lambda: m.deal > deal)
        await sat.until(lambda: "this deal" not in sat.field("table"))

    sit(m, act)


def test_the_end_of_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    m = last_card(deal=4)

    async def act(sat: Sat) -> None:
        await sat.asked()
        await sat.press("enter")
        await sat.until(lambda: sat.stage.question and sat.stage.question.kind == "over")
        assert "You win deal 4" in sat.field("table")
        assert "The match is over" in sat.field("table")
        assert "★ You" in sat.field("table")
        await sat.press("enter")
        await sat.until(lambda: sat.face._closed.is_set())

    face = sit(m, act)
    face.close()
    assert "The match is over" in capsys.readouterr().out  # it stays in the terminal


def test_cards_are_chosen_together_and_chips_are_spread() -> None:
    m = Match("michigan", rules="boodle", seed="tea", pause=True, auto=False)

    async def act(sat: Sat) -> None:
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

    if m.actors == (0,):
        sit(m, act)
    else:
        while m.actors != (0,):
            m.play(m.legal(m.actors[0])[0], m.actors[0])
        sit(m, act)


def test_whoever_watches_sees_every_move() -> None:
    m = Match.from_position(POSITION.replace("turn = 0", "turn = 1") + "deal = 4\n", seed=1, pause=True)

    async def act(sat: Sat) -> None:
        await sat.until(lambda: sat.stage.question and sat.stage.question.kind == "over")
        assert "The match is over" in sat.field("table")

    sit(m, act, seat=None)


def test_a_clock_that_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its first ticks pass at once; the one in which a key is pressed lasts until then."""
    m = Match("pirate", seed="tea", pause=True)
    take = FullScreenFace._take

    def taken(face: FullScreenFace, seconds: float | None = None) -> str | None:
        return take(face, seconds if seconds != face.session.pace else 0.001 if len(m.moves) <= 6 else 60)

    monkeypatch.setattr(FullScreenFace, "_take", taken)

    async def act(sat: Sat) -> None:
        await sat.until(lambda: len(m.moves) > 6)  # nobody has pressed a key
        assert {each.move for each in m.moves if each.seat == 0 and not each.forced} == {"wait"}
        await sat.until(lambda: sat.stage.question)
        await sat.type("draw")
        await sat.until(lambda: any(each.seat == 0 and each.move == "draw" for each in m.moves))

    sit(m, act, speed=4)


def test_a_line_that_is_sent_between_two_ticks_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    m = Match("pirate", seed="tea", pause=True)
    pausing, typed, pause = threading.Event(), threading.Event(), FullScreenFace.pause

    def paused(face: FullScreenFace, seconds: float) -> str:
        if len(m.moves) > 6 and not typed.is_set():
            pausing.set()
            assert typed.wait(60)
        return pause(face, seconds)

    async def act(sat: Sat) -> None:
        await sat.until(lambda: pausing.is_set() and not sat.stage.question)
        assert "draw" not in {each.move for each in m.moves if each.seat == 0}
        await sat.type("draw")
        made = len(m.moves)
        typed.set()
        await sat.until(lambda: [each.move for each in m.moves[made:] if each.seat == 0])
        assert next(each.move for each in m.moves[made:] if each.seat == 0) == "draw"

    monkeypatch.setattr(FullScreenFace, "pause", paused)
    sit(m, act, speed=4)


@pytest.mark.usefixtures("pseudo_language")
@pytest.mark.parametrize(("name", "preset"), cases(SYSTEMS, (("fan-tan", "denexa"),)))
def test_no_text_of_the_full_screen_escapes_the_catalogue(name: str, preset: str) -> None:
    m = Match(name, rules=preset, seed=1, pause=True, **brief(catalog.find(name)))
    found: set[str] = set()

    async def act(sat: Sat) -> None:
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

    sit(m, act)
    assert not found, "\n".join(sorted(found)[:20])
