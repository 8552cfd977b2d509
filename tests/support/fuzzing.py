"""What reads text from outside, each as a function of bytes: it answers or refuses clearly, and anything else is a
fault.

`tests/corpora/NAME/` has the inputs worth keeping for each of `TARGETS`, one a file. `tests/match/test_fuzz.py` replays
them and tries mutations of them; `make fuzz` continues for longer and adds what it finds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from cardtable import CardtableError, Match, Record
from cardtable.rules import catalog
from cardtable.server.rooms import wire
from cardtable.table import Refusal, decide
from cardtable.table import commands as cm
from tests.support.server import live

CORPORA = Path(__file__).parents[1] / "corpora"
LONGEST = 2000  #: letters of an error
MOVES = 40  #: that a position accepted is played on for


def clear(error: CardtableError) -> str:
    """The code of an error that says what was wrong, in a line that a screen can hold.

    Raises AssertionError for another.
    """
    assert error.what
    assert len(str(error)) < LONGEST
    assert error.code.count("/") <= 1
    return error.code


def positions(data: bytes) -> str:
    """A position is refused, or it round-trips and plays on."""
    try:
        m = Match.from_position(data.decode("utf-8", "replace"))
    except CardtableError as error:
        return clear(error)
    text = m.position().text
    assert Match.from_position(text).position().text == text
    dice = random.Random(len(data))
    for _ in range(MOVES):
        if not m.actors:
            break
        m.play(dice.choice(m.legal(m.actors[0])), m.actors[0])
    return "taken"


def records(data: bytes) -> str:
    """A record is refused, or its match is replayed and written down the same."""
    try:
        record = Record.parse(data.decode("utf-8", "replace"))
        m = record.replay()
    except CardtableError as error:
        return clear(error)
    text = str(m.record())
    assert str(Match.from_record(text).record()) == text
    return "taken"


@cache
def in_mid_deal(game: str, preset: str, moves: int = 12, **options: Any) -> Match:
    """A match in its first deal, after a number of moves."""
    m = Match(game, None, preset, "fuzz", auto=False, **options)
    for k in range(moves):
        legal = m.legal(m.actors[0])
        m.play(legal[k % len(legal)], m.actors[0])
        if not m.actors:  # a short deal
            m.undo()
            break
    return m


def moves(data: bytes) -> str:
    """`game preset`, and in the next line a move: it is played, or refused and nothing has changed."""
    head, _, text = data.decode("utf-8", "replace").partition("\n")
    game, _, preset = head.partition(" ")
    try:
        entry = catalog.find(game)
        m = in_mid_deal(entry.name, preset if preset in entry.presets else entry.presets[0])
    except CardtableError as error:
        return clear(error)
    before = m._s.tobytes(), m.moves
    for seat in m.actors:
        try:
            m.why_not(text, seat)
        except CardtableError as error:
            clear(error)
    try:
        m.play(text)
    except CardtableError as error:
        assert (m._s.tobytes(), m.moves) == before
        return f"{m.game.name} {clear(error)}"
    while len(m.moves) > len(before[1]):
        m.undo()
    assert m.moves == before[1]
    return f"{m.game.name} played"


def options(data: bytes) -> str:
    """`game preset seats`, and in each further line `option=value`: refused, or what differs from the preset gives the
    same again.
    """
    head, *lines = data.decode("utf-8", "replace").split("\n")
    game, preset, seats, *_ = [*head.split(" "), "", "", ""]
    try:
        entry = catalog.find(game)
        kind = entry.options
        given = dict(line.partition("=")[::2] for line in lines if line)
        name, number, made = kind.make(
            preset or None, int(seats) if seats.isascii() and seats.isdigit() and len(seats) < 9 else None, given
        )
    except CardtableError as error:
        return clear(error)
    assert kind.make(name, number, made.changed(name, number)) == (name, number, made)
    return f"{entry.name} taken"


@cache
def _table() -> live.Driven:
    """A table at which `a` and `b` play, and nobody else."""
    table = live.Driven("domino-fan-tan", "ab")
    table.ask("a", cm.Start)
    return table


def frames(data: bytes) -> str:
    """A frame of the table's socket: refused, or a message; a command is decided upon, for one with a seat, a guest and
    a stranger.
    """
    message = wire.parse(data)
    if isinstance(message, wire.RefusalSent):
        assert message.code == "message/syntax"
        wire.text(message)
        return message.code
    if not isinstance(message, cm.BaseCommand):
        return type(message).__name__
    names = []
    for owner in ("a", "b", "stranger"):
        answer = decide(_table().table, owner, message)
        names.append(answer.code if isinstance(answer, Refusal) else type(answer).__name__)
        if isinstance(answer, Refusal):
            wire.text(wire.refused(message.seq, answer))
    return f"{type(message).__name__} {' '.join(names)}"


#: name -> what tries an input, and says in a word or two what became of it
TARGETS: dict[str, Callable[[bytes], str]] = {
    "positions": positions,
    "records": records,
    "moves": moves,
    "options": options,
    "wire": frames,
}


def corpus(name: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((CORPORA / name).iterdir())}


PIECES = (
    b"",
    b"\0",
    b"\n",
    b" ",
    b"=",
    b"[",
    b"]",
    b'"',
    b"0",
    b"-1",
    b"99999999999999999999",
    b"AH",
    b"pass",
    b"\xff",
    b"\xc3\xa9",
    b"{}",
    b"1e999",
    b"null",
)


def mutated(data: bytes, other: bytes, dice: random.Random) -> bytes:
    """An input with something cut, doubled, changed, put in, or taken from another input."""
    for _ in range(1 << dice.randrange(3)):
        i, j = sorted(dice.randrange(len(data) + 1) for _ in range(2))
        match dice.randrange(6):
            case 0:
                data = data[:i] + data[j:]
            case 1:
                data = data[:j] + data[i : i + 200] + data[j:]
            case 2:
                data = data[:i] + dice.choice(PIECES) + data[i:]
            case 3:
                data = data[:i] + dice.choice(PIECES) + data[i + 1 :]
            case 4:
                data = data[:i] + bytes([dice.randrange(256)]) + data[i + 1 :]
            case _:
                lines, more = data.split(b"\n"), other.split(b"\n")
                lines[dice.randrange(len(lines))] = dice.choice(more)
                data = b"\n".join(lines)
    return data[:4000]
