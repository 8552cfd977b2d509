"""A lesson (`cardtable.match.lesson`) for the browser: the learner's view at each step."""

from __future__ import annotations

from typing import Any

import msgspec

from cardtable.base.errors import IllegalMove
from cardtable.base.message import Message, as_data
from cardtable.base.types import JsonObject
from cardtable.match.lesson import Lesson
from cardtable.match.match import Match
from cardtable.rules.ruleset import FacesSeen
from cardtable.rules.zones import ZoneSeen
from cardtable.table.setup import Setup, checked

BOT = "medium"  #: the level of the others where a lesson's hand is played on


class NotNow(msgspec.Struct, frozen=True):
    """Why a card cannot be played now."""

    why: Any  #: a message
    rule: str  #: the ID of the rule


class LessonFrame(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a first hand, before its move is made. A pause has no move, and neither has the last frame."""

    seat: int | None  #: who makes the move; null: nobody, in a pause and in the last frame
    move: str  #: in notation; empty: none
    label: Any  #: the move's name, as a message; null: its notation
    says: Any  #: a message; null: nothing
    events: list[JsonObject]  #: of the move before
    view: dict[str, Any]  #: what the learner sees (docs/api.md §3)
    reasons: dict[str, NotNow]  #: of the learner's cards that may not be played now, before the learner's own moves
    #: before the learner's own moves: each legal move, and the frame's own, as a sentence with its reason, a message
    advice: dict[str, Any]


class LessonTold(msgspec.Struct, frozen=True, kw_only=True):
    """A first hand, step by step, as its learner sees it."""

    game: str  #: the name of the game, for requests
    preset: str  #: the preset of the game
    title: str  #: for people
    faces: FacesSeen  #: of the cards
    seat: int  #: the learner's seat
    names: list[str]  #: of the seats; the learner's is empty
    intro: Any  #: the introduction, a message
    own: int  #: the number of the learner's moves
    read: int  #: the number of the steps that wait for the learner: the own moves, and pauses
    ended: bool  #: whether the deal is over after all steps, so that there is nothing to play on
    frames: list[LessonFrame]  #: one for each step, and the end


def for_browser(lesson: Lesson) -> LessonTold:
    """A whole first hand. Raises CardtableError if it cannot be played."""
    m = lesson.match()
    frames = []
    events: list[JsonObject] = []
    for step in lesson.steps:
        yours = step.seat == lesson.seat
        frames.append(
            LessonFrame(
                seat=step.seat,
                move=step.move,
                label=None if step.seat is None else label_of(m, step.seat, step.move),
                says=as_data(step.says) if step.says else None,
                events=events,
                view=view_of(m, lesson.seat, yours),
                reasons=_reasons(m, lesson.seat) if yours else {},
                advice=_advice(m, lesson, step.move) if yours else {},
            )
        )
        if step.move:
            m.play(step.move, step.seat)
            events = [event.seen_by(lesson.seat).as_dict() for event in m.events]
        else:  # what has happened was shown in the pause
            events = []
    frames.append(
        LessonFrame(
            seat=None,
            move="",
            label=None,
            says=as_data(lesson.ends),
            events=events,
            view=view_of(m, lesson.seat, False),
            reasons={},
            advice={},
        )
    )
    return LessonTold(
        game=lesson.game.name,
        preset=lesson.preset,
        title=lesson.title,
        faces=m.ruleset.faces_seen,
        seat=lesson.seat,
        names=lesson.names(""),
        intro=as_data(lesson.intro),
        own=len(lesson.own),
        read=len(lesson.read),
        ended=not m.actors,
        frames=frames,
    )


def label_of(m: Match, seat: int, move: str) -> Any:
    """The name of a move, if it has one besides its notation."""
    label: Message | None = next((one.label for one in m.view(seat).choices if one.text == move), None)
    return as_data(label) if label else None


def view_of(m: Match, seat: int, chooses: bool) -> dict[str, Any]:
    """What the learner sees; moves are offered only where the learner makes one."""
    view = m.view(seat)
    zones: list[ZoneSeen] = [zone.seen_by(seat, chooses) for zone in view.zones]
    fields = view.as_dict() | {"zones": zones}
    fields.pop("events")
    asked = view.prompt if chooses else None
    fields["prompt"] = {"ask": as_data(asked.ask), "rule": asked.rule} if asked else None
    return fields if chooses else fields | {"legal": [], "choices": [], "refused": []}


def _reasons(m: Match, seat: int) -> dict[str, NotNow]:
    """Why the learner's other cards may not be played."""
    view = m.view(seat)
    begun = {move.cards[0] for move in view.choices if move.cards}
    reasons = {}
    for card in dict.fromkeys(view.hand):
        refusal = m.why_not(card, seat) if card not in begun else None
        if isinstance(refusal, IllegalMove):
            reasons[card] = NotNow(as_data(refusal.because), refusal.rule)
    return reasons


def _advice(m: Match, lesson: Lesson, move: str) -> dict[str, Any]:
    """What each move of the learner's would be good for, and the lesson's own."""
    return {text: as_data(lesson.advice(m, text).says) for text in dict.fromkeys([*m.view(lesson.seat).legal, move])}


def played_on(lesson: Lesson) -> Setup:
    """The setup of a table at which the learner plays the hand of a lesson on, against bots. Raises CardtableError."""
    m = lesson.left_to_play()
    bots = tuple("" if seat == lesson.seat else BOT for seat in range(m.seats))
    return checked(Setup(lesson.game.name, bots=bots, start=str(m.record())))
