"""The parts of the browser client that need no browser, in Node: tests/client. What they are told of matches is made
here, as the server sends it, so that it is never out of date.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from cardtable import Match
from cardtable.base.faces import FACES
from cardtable.base.message import Reader, as_data
from cardtable.kernel import Switch
from cardtable.rules.catalog import games
from cardtable.table.projection import view_seen
from cardtable.table.setup import Setup, checked
from tests.base.test_message import SHAPES
from tests.support import node
from tests.support.programs import needs
from tests.support.server.live import Driven

pytestmark = needs("Node")

ELSEWHERE = {"announcements", "listening"}  #: run by test_announcements.py


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules as plain Python: a few moves of a game take less time than its rules' compilation."""
    monkeypatch.setattr(Switch, "plain", True)


# Data


def until(m: Match, ends: Callable[[Match], bool], wanted: str = "") -> Match:
    """A match after the first move with which something is so. wanted: what is played where a move contains it; else
    the first legal move.
    """
    for _ in range(400):
        if ends(m):
            return m
        view = m.view(m.actors[0])
        m.play(next((move for move in view.legal if wanted and wanted in move), view.legal[0]), view.seat)
    raise AssertionError(f"{m.game.name} does not reach it")


def beat(kind: str) -> Callable[[Match], bool]:
    """Whether the last move has an event with such a beat."""
    return lambda m: any(event.beat == kind for event in m.events)


def counted(m: Match) -> bool:
    return bool(m.results)


def passed(m: Match) -> bool:
    return any(event.kind == "pass" for event in m.events)


def dealt(game: str, seats: int | None, preset: str | None = None, *moves: str) -> Match:
    m = Match(game, seats, preset, seed=1, dealer=0, auto=False)
    for move in moves:
        m.play(move)
    return m


def beats() -> dict[str, Any]:
    matches = {
        "capture": until(dealt("cassino", 2), beat("capture")),
        "trick": until(dealt("oh-hell", 3), beat("trick")),
        "doubt": until(dealt("i-doubt-it", 3), beat("doubt"), "doubt"),
        "pass": until(dealt("play-or-pay", 4), passed),
        "play": until(dealt("fan-tan", 3), beat("play")),
        "scored": until(dealt("cassino", 2), counted),
        "stakes": dealt("michigan", 4, "boodle", "stake KD1 QS3"),
        "each": dealt("michigan", 4, "boodle", "stake AH1 KD1 QS1 JC1"),
        "antes": dealt("fan-tan", 4, "denexa"),
        "row": dealt("spider", None, "four-suits", "deal"),
        "fan-tan": until(dealt("fan-tan", 4), counted),
        "thirty-one": until(dealt("thirty-one", 3), counted, "knock"),
    }
    left_out = {"stakes": {"cut", "deal"}, "each": {"cut", "deal"}, "antes": {"cut", "deal"}, "row": {"cut", "deal"}}
    return {
        name: {
            "seats": m.seats,
            "events": [event.seen_by(None).data for event in m.events if event.kind not in left_out.get(name, ())],
        }
        for name, m in matches.items()
    }


def message() -> list[dict[str, Any]]:
    """Messages of every shape, and how Python fills them in."""
    messages = []
    readers: list[tuple[list[str], int | None]] = [([], None), (["KC", "<b>", "seat 3"], 1), (["You", "Ann"], 0)]
    for names, you in readers:
        for sentence in (False, True):
            for one in SHAPES:
                parts = Reader(names, you).parts(one, sentence=sentence)
                filled = [{"text": part.text} | (as_data(part.is_a) if part.is_a else {}) for part in parts]
                reader = {"names": names, "you": you, "sentence": sentence}
                messages.append({"message": as_data(one), "filled": filled} | reader)
    return messages


def coach() -> list[Any]:
    """Views in which somebody has a move to choose, of every game."""
    views = []
    for game in games():
        seats = checked(Setup(game)).seats or 2
        t = Driven(game, "a", bots=("", *["medium"] * (seats - 1)), number=f"{game} 0")
        for _ in range(60):
            view = view_seen(t.table, 0)
            if view and view.legal and t.table.stage == "playing":
                views.append(view)
            if t.table.stage == "over":
                break
            t.step()
    return views


DATA: dict[str, Callable[[], Any]] = {
    "beats": beats,
    "coach": lambda: list(coach()),
    "faces": lambda: {name: asdict(faces) for name, faces in FACES.items()},
    "message": lambda: list(message()),
}


@pytest.mark.parametrize("name", sorted({*node.FILES} - ELSEWHERE))
def test_in_node(name: str, tmp_path: Path) -> None:
    node.run(name, tmp_path, DATA[name]() if name in DATA else None)


def test_what_fails_in_node_fails_here(tmp_path: Path) -> None:
    data = beats()
    data["capture"] = data["trick"]
    with pytest.raises(pytest.fail.Exception, match="a capture is one beat with the card that captures"):
        node.run("beats", tmp_path, data)
    with pytest.raises(pytest.fail.Exception, match="pytest makes its data"):
        node.run("beats", tmp_path)
