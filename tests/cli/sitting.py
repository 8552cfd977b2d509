"""A person before the full screen of a match, played by keys."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

from textual.pilot import Pilot

from cardtable import Match
from cardtable.bots import bot
from cardtable.cli import saves
from cardtable.cli.terminal import tell
from cardtable.cli.terminal.field import Field
from cardtable.cli.terminal.full_screen import FullScreenFace
from cardtable.cli.terminal.screen import Look
from cardtable.cli.terminal.session import Session
from cardtable.cli.terminal.stage import Stage


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


@contextlib.asynccontextmanager
async def sitting(
    m: Match,
    size: tuple[int, int] = (80, 24),
    record: str | None = None,
    seat: int | None = 0,
    speed: float | None = None,
) -> AsyncIterator[Sat]:
    """Within the context, a person plays a match on a full screen of some size; if no clock runs, the person has been
    asked for the first time.
    """
    face = FullScreenFace(tell.names_for(m.seats, seat), Look(4))
    session = Session(m, saves.Sitting(seat, "medium"), record, face, speed=speed)
    session.pace = 1 / speed if speed else 0.001
    stage = face.open(session)
    async with stage.run_test(size=size) as pilot:
        sat = Sat(m, stage, pilot, session, face)
        if speed is None:
            await sat.asked()
        yield sat
        face.interrupt(KeyboardInterrupt)
        await pilot.pause()
    await asyncio.to_thread(face._thread.join, 60)


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
