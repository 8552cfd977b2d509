"""First hands: every preset has one, and each can be played as it is told."""

from __future__ import annotations

from importlib.resources import files

import msgspec
import pytest

from cardtable.base.message import Card, Message, Reader, Seat
from cardtable.match.lesson import FOLDER, Lesson, file_of, lesson, message_of
from cardtable.match.match import Record
from cardtable.rules import catalog
from cardtable.rules.game import Game
from cardtable.server.http import lessons as served
from tests.support.commands import here

SYSTEMS = [(game, preset) for game in catalog.games().values() for preset in game.presets]
LONGEST = 170  # letters of a text in English
MOST = 18  # steps, so that a first hand takes two minutes at most

every_system = pytest.mark.parametrize(("game", "preset"), [pytest.param(g, p, id=f"{g.name}-{p}") for g, p in SYSTEMS])


def of(game: Game, preset: str) -> Lesson:
    made = lesson(game, preset)
    assert made, f"{game.name} {preset} has no first hand: write {FOLDER}/{file_of(game, preset)}"
    return made


@every_system
def test_a_first_hand_can_be_played_as_it_is_told(game: Game, preset: str) -> None:
    """Every step is legal; three or four moves are the learner's own, and five to eight steps wait for them, each with
    a sentence; the last one counts; no text is long.
    """
    first_hand = of(game, preset)
    assert 3 <= len(first_hand.own) <= 4
    assert 5 <= len(first_hand.read) <= 8
    assert all(step.says for step in first_hand.read)
    assert len(first_hand.steps) <= MOST
    m = first_hand.match()
    assert m.rules == preset
    for step in first_hand.steps:
        assert bool(step.move) == (step.seat is not None)
        if step.move:
            assert step.seat in m.actors
            m.play(step.move, step.seat)
    reader = Reader(first_hand.names("you"), first_hand.seat)
    for message in (first_hand.intro, first_hand.ends, *(step.says for step in first_hand.steps)):
        if message:
            text = reader.plain(message, sentence=True)
            assert 10 < len(text) <= LONGEST, f"{len(text)} letters: {text}"
            assert "@" not in text


@every_system
def test_the_card_to_play_is_named(game: Game, preset: str) -> None:
    first_hand = of(game, preset)
    m = first_hand.match()
    for step in first_hand.steps:
        if step.seat == first_hand.seat and step.says and len(step.move) == 2:
            named = {value.card for value in step.says.values.values() if isinstance(value, Card)}
            assert step.move in named, f"the sentence does not name {step.move}"
        if step.move:
            m.play(step.move, step.seat)


@every_system
def test_a_first_hand_is_sent_as_its_learner_sees_it(game: Game, preset: str) -> None:
    """A frame before each step and one at the end; the other hands stay face down; moves only where they are yours."""
    first_hand = of(game, preset)
    sent = msgspec.to_builtins(served.for_browser(first_hand))
    assert len(sent["frames"]) == len(first_hand.steps) + 1
    assert sent["own"] == len(first_hand.own)
    m = first_hand.match()
    for frame, step in zip(sent["frames"], first_hand.steps, strict=False):
        assert bool(frame["view"]["legal"]) == (step.seat == first_hand.seat)
        assert [tuple(zone["cards"]) for zone in frame["view"]["zones"]] == [
            tuple(zone.cards) for zone in m.view(first_hand.seat).zones
        ]
        assert not frame["reasons"].keys() & set(frame["view"]["legal"])
        if step.seat == first_hand.seat:
            assert frame["advice"].keys() >= {*frame["view"]["legal"], step.move}
        if step.move:
            m.play(step.move, step.seat)
    assert sent["read"] == len(first_hand.read)
    assert sent["ended"] == (not m.actors)


@every_system
def test_a_hand_can_be_played_on(game: Game, preset: str) -> None:
    """After the last step, or from the beginning if the deal is over then; the learner has their seat, and bots the
    others.
    """
    first_hand = of(game, preset)
    setup = served.played_on(first_hand)
    whole = first_hand.match(len(first_hand.steps))
    assert setup.start == str((whole if whole.actors else first_hand.match()).record())
    assert Record.parse(setup.start).resumed().actors
    assert [seat for seat, level in enumerate(setup.bots) if not level] == [first_hand.seat]


def test_the_liar_is_unmasked() -> None:
    """After a doubt the lesson stops: the card that is turned up, the claim, and who takes the pile."""
    game = catalog.find("i-doubt-it")
    sent = served.for_browser(of(game, "doubt"))
    pause = next(frame for frame in sent.frames if frame.seat is None)
    assert [event["kind"] for event in pause.events][:3] == ["doubt", "show", "liar"]
    assert pause.events[1]["card"] == "9D"
    assert pause.says


def test_no_first_hand_is_left_over() -> None:
    """Every file belongs to a game and preset that there is."""
    wanted = {(game.package, file_of(game, preset)) for game, preset in SYSTEMS}
    packages = {game.package for game, _ in SYSTEMS}
    there = {(package, file.name) for package in packages for file in (files(package) / FOLDER).iterdir()}
    assert there == wanted


def test_texts_have_fields_for_cards_and_seats() -> None:
    """A card and a player become fields, so that the text can be translated."""
    message = message_of("@2 lays 7H, and then 7H again.")
    assert message == Message(
        "{seat2} lays {card1}, and then {card2} again.", seat2=Seat(2), card1=Card("7H"), card2=Card("7H")
    )


def test_a_first_hand_in_the_terminal() -> None:
    """Enter makes the move proposed; another legal move, and one that is not, are answered."""
    output = here("learn", "scopa", given="7S\nKS trails\n\n\n\n\n").stdout
    assert "is allowed, but this hand continues with J♦ takes J♣" in " ".join(output.split())
    assert "you do not hold" in output
    assert output.rstrip().endswith("cardtable play scopa")


def test_a_game_without_that_preset_is_refused() -> None:
    assert "there is no such preset" in here("learn", "scopa", "--rules", "nonsense", code=2).stderr
