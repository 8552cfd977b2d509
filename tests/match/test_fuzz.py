"""Whatever text comes in as a card, a move, a position or a record: only CardtableErrors come out."""

from __future__ import annotations

import random
import sys
import tomllib
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardtable import CardtableError, Match, Record
from cardtable.base import toml
from cardtable.match.match import Position
from cardtable.rules import catalog
from tests.support import fuzzing
from tests.support.effort import cases
from tests.support.games.tables import sit

many = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
WORDS = st.text("A23456789TJQKSHDCX7♥ ,.-*passdrawone0\n\"'[]=#\x00é", max_size=40) | st.text(max_size=40)
PLAIN = st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | WORDS
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(WORDS, inner, max_size=3), max_leaves=6
)


# What was found worth keeping, and mutations of it


@pytest.mark.parametrize("name", fuzzing.TARGETS)
def test_the_corpora_are_read_or_refused(name: str) -> None:
    """Each input kept, in tests/corpora; some are read and some refused, so that mutations begin on both sides."""
    answers = {file: fuzzing.TARGETS[name](data) for file, data in fuzzing.corpus(name).items()}
    assert len(set(answers.values())) > 1, answers


MUTATIONS = 60  #: of each seed


@pytest.mark.parametrize("seed", cases(range(6)))
@pytest.mark.parametrize("name", fuzzing.TARGETS)
def test_mutations_of_the_corpora_are_read_or_refused(name: str, seed: int) -> None:
    """Cut, doubled and mixed inputs; the one that is a fault is shown, to be kept in tests/corpora."""
    inputs = list(fuzzing.corpus(name).values())
    dice = random.Random(f"{name} {seed}")
    for _ in range(MUTATIONS):
        data = fuzzing.mutated(dice.choice(inputs), dice.choice(inputs), dice)
        try:
            fuzzing.TARGETS[name](data)
        except Exception as error:
            error.add_note(f"{name}: {data!r}")
            raise


# Generated texts


def told(error: CardtableError) -> None:
    """An error says what was wrong, in a line that a screen can hold."""
    assert error.what
    assert len(str(error)) < 2000


@cache
def matches() -> list[Match]:
    """One match in mid-deal of every game and preset, strict and penalised."""
    made = []
    for game in catalog.games().values():
        for preset in game.presets:
            options: dict[str, Any]
            for options in ({}, {"enforce": "penalise", "detect": "immediate"}):
                if options.keys() <= game.options.kinds().keys():
                    made.append(fuzzing.in_mid_deal(game.name, preset, 25, **options))
    return made


@many
@given(WORDS, st.integers(0, 10**6))
def test_moves(text: str, pick: int) -> None:
    """A move's text is played, or refused and nothing has changed."""
    m = matches()[pick % len(matches())]
    before = m._s.tobytes(), m.moves
    try:
        m.play(text)
    except CardtableError as error:
        told(error)
        assert (m._s.tobytes(), m.moves) == before
    else:
        m.undo()


SINGLE = "[]{}.=1_\"'\\#\n\té"
PIECES = [*SINGLE, "a.", "a=", "1.", "0x", '"""', "'''", "[[a]]\n", "[a.b]\n", "a=1\n", "{},", "1,", "\\u0041"]


def lines_run(work: Callable[[], object]) -> int:
    """How many lines of Python are run by some work that may raise a CardtableError."""
    count = 0

    def line(frame: FrameType, what: str, _: object) -> Any:
        nonlocal count
        count += what == "line"
        return line

    before = sys.gettrace()
    sys.settrace(line)
    try:
        work()
    except CardtableError as error:
        sys.settrace(before)
        told(error)
    finally:
        sys.settrace(before)
    return count


@settings(many, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 2000)), min_size=1, max_size=5), st.booleans())
def test_pieces_repeated_take_no_time(pieces: list[tuple[str, int]], value: bool) -> None:
    """A text of a piece many times over, and another: read or refused, in as many steps as its length explains."""
    text = "a=" * value + "".join(piece * times for piece, times in pieces)
    assert lines_run(lambda: Record.parse(text)) < 2000 + 60 * len(text)


@pytest.mark.parametrize(
    "text",
    [
        "a." * 9 + "a=1",
        '"a".' * 20_000 + "a=1",
        "a . " * 20_000 + "a=1",
        "[" + "a." * 9 + "a]",
        "a=" + "[" * 17,
        "[" * 20_000,
        "a={" * 17,
        "a" * 101 + "=1",
        "a=" + "1" * 101,
        "a=" + "1_" * 51,
        " " * (toml.LONGEST_TEXT + 1),
    ],
    ids=lambda text: f"{len(text)} {text[:4]}",
)
def test_shapes_that_would_take_a_parser_long_do_not_reach_it(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes time that grows with the square of the parts of a key, or the digits of a number."""
    monkeypatch.setattr(toml, "tomllib", None)
    with pytest.raises(ValueError, match=r"longer than|more than|nested"):
        toml.loads(text)


def mutated(keys: dict[str, Any], dice: random.Random, value: object) -> dict[str, Any]:
    """The same with something dropped, replaced, doubled or put elsewhere, somewhere within."""
    keys = tomllib.loads(toml.dumps(keys))
    spot: Any = keys
    while True:
        places = list(spot) if isinstance(spot, dict) else list(range(len(spot)))
        if not places:
            return keys
        place = dice.choice(places)
        inner = spot[place]
        if isinstance(inner, (dict, list)) and inner and dice.random() < 0.7:
            spot = inner
            continue
        what = dice.randrange(5)
        if what == 0:
            del spot[place]
        elif what == 1:
            spot[place] = value
        elif what == 2 and isinstance(inner, int):
            spot[place] = inner + dice.choice([-1, 1, 100, 10**9, 2**63, -(2**63)])
        elif what == 3 and isinstance(inner, str):
            words = inner.split(" ")
            dice.shuffle(words)
            spot[place] = " ".join(words[: dice.randrange(len(words) + 1)])
        else:
            spot[dice.choice(places)] = inner
        return keys


@many
@given(VALUES, st.integers(0, 10**9))
def test_mutated_positions(value: object, seed: int) -> None:
    """A true position with something changed is taken (and plays on to its end) or refused."""
    dice = random.Random(seed)
    keys = matches()[seed % len(matches())].position().as_dict()
    for _ in range(dice.randrange(1, 4)):
        keys = mutated(keys, dice, value if toml_can(value) else 0)
    try:
        m = Match.from_position(keys)
    except CardtableError as error:
        told(error)
        return
    assert Match.from_position(m.position().text).position().text == m.position().text
    for _ in range(400):
        if m.over or m.deal > 1 + int(keys.get("deal", 1)):
            break
        m.play(dice.choice(m.legal(m.actors[0])), m.actors[0])


@many
@given(VALUES, st.integers(0, 10**9))
def test_mutated_records(value: object, seed: int) -> None:
    """A true record with something changed is replayed or refused."""
    dice = random.Random(seed)
    keys = matches()[seed % len(matches())].record().as_dict()
    for _ in range(dice.randrange(1, 3)):
        keys = mutated(keys, dice, value if toml_can(value) else 0)
    try:
        Match.from_record(keys)
    except CardtableError as error:
        told(error)


def toml_can(value: object) -> bool:
    """Whether TOML can say it."""
    if isinstance(value, dict):
        return False
    return (
        all(toml_can(x) for x in value)
        if isinstance(value, list)
        else value is not None and not isinstance(value, float)
    )


@pytest.mark.parametrize("given", [None, 7, [], object(), b"game"])
def test_things_that_are_no_text(given: Any) -> None:
    """A position or record that is neither text nor a dict is refused, too."""
    for read in (Match.from_position, Match.from_record, Position.parse, Record.parse):
        with pytest.raises(CardtableError):
            read(given)


def test_a_position_of_huge_numbers() -> None:
    """Numbers that no int64 holds."""
    with pytest.raises(CardtableError):
        sit("fan-tan", "denexa", ["8S", "9S", "TS"], "S 7", stacks=[2**70, 1, 1])
    with pytest.raises(CardtableError):
        sit("fan-tan", "denexa", ["8S", "9S", "TS"], "S 7", won=[2**70, 1, 1])
