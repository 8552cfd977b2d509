"""A lesson (`cardtable.match.lesson`) for the browser: the learner's view at each step."""

from __future__ import annotations

from typing import Any

import msgspec

from cardtable.base.errors import IllegalMove
from cardtable.base.message import Message, as_data
from cardtable.base.types import JsonObject
from cardtable.match.lesson import Lesson
from cardtable.match.match import Match
from cardtable.rules.zones import ZoneSeen


class NotNow(msgspec.Struct, frozen=True):
    """Why a card cannot be played now."""

    why: Any  #: a message
    rule: str  #: the ID of the rule


class LessonFrame(msgspec.Struct, frozen=True, kw_only=True):
    """A step of a first hand, before its move is made. The last frame has no move."""

    seat: int | None  #: who makes the move; null: the last frame
    move: str  #: in notation; empty in the last frame
    label: Any  #: the move's name, as a message; null: its notation
    says: Any  #: a message; null: nothing
    events: list[JsonObject]  #: of the move before
    view: dict[str, Any]  #: what the learner sees (docs/api.md §3)
    reasons: dict[str, NotNow]  #: of the learner's cards that may not be played now, before the learner's own moves


class LessonTold(msgspec.Struct, frozen=True, kw_only=True):
    """A first hand, step by step, as its learner sees it."""

    game: str  #: the name of the game, for requests
    preset: str  #: the preset of the game
    title: str  #: for people
    seat: int  #: the learner's seat
    names: list[str]  #: of the seats; the learner's is empty
    intro: Any  #: the introduction, a message
    own: int  #: the number of the learner's moves
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
                label=label_of(m, step.seat, step.move),
                says=as_data(step.says) if step.says else None,
                events=events,
                view=view_of(m, lesson.seat, yours),
                reasons=_reasons(m, lesson.seat) if yours else {},
            )
        )
        m.play(step.move, step.seat)
        events = [event.seen_by(lesson.seat).as_dict() for event in m.events]
    frames.append(
        LessonFrame(
            seat=None,
            move="",
            label=None,
            says=as_data(lesson.ends),
            events=events,
            view=view_of(m, lesson.seat, False),
            reasons={},
        )
    )
    return LessonTold(
        game=lesson.game.name,
        preset=lesson.preset,
        title=lesson.title,
        seat=lesson.seat,
        names=lesson.names(""),
        intro=as_data(lesson.intro),
        own=len(lesson.own),
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
