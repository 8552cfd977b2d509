"""`cardtable learn`: a first hand of a game, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from cardtable.base.errors import CardtableError, IllegalMove
from cardtable.base.languages import tr
from cardtable.base.message import Message, Moves, Sentence, mark
from cardtable.cli.terminal import keys

if TYPE_CHECKING:
    from cardtable.cli.terminal.screen import Screen
    from cardtable.match.lesson import Lesson, LessonStep
    from cardtable.match.match import Match


@click.command()
@click.argument("game")
@click.option("--rules", "preset", help="The preset (set of rules); `cardtable rules GAME` lists them.")
def learn(game: str, preset: str | None) -> None:
    """Play a first hand of GAME: a few moves of a real deal, each with a sentence.

    It takes about half a minute. Enter makes the move that is proposed; q leaves.
    """
    from cardtable.cli.common import tell as say
    from cardtable.cli.terminal import screen, tell
    from cardtable.kernel import Switch
    from cardtable.match.lesson import lesson
    from cardtable.rules.ruleset import Ruleset

    asked = Ruleset.parse(game, preset)
    first_hand = lesson(asked.game, asked.preset)
    if first_hand is None:
        say(Message("{game} has no first hand.", game=Message(asked.game.title)))
        raise SystemExit(1)
    Switch.plain = True  # a few moves: not worth waiting for compilation
    shown = screen.Screen(screen.console(), first_hand.names(tell.YOU), screen.Look(faces=asked.faces()))
    try:
        Learning(first_hand, shown).run()
    except (EOFError, KeyboardInterrupt):
        shown.say()


class Learning:
    """A first hand at the terminal."""

    def __init__(self, lesson: Lesson, screen: Screen) -> None:
        self.lesson, self.screen = lesson, screen
        self.m: Match = lesson.match()

    def run(self) -> None:
        """All steps, unless the learner leaves."""
        self.screen.say(self.lesson.intro)
        for step in self.lesson.steps:
            if step.seat == self.lesson.seat:
                if not self._ask(step):
                    return
            elif not step.move:
                self.screen.say(step.says or "", "bold", indent=1)
            else:
                if step.says:
                    self.screen.say(step.says, indent=1, hang=2)
                self._make(step)
        self.screen.say()
        self.screen.say(self.lesson.ends)
        name = self.lesson.game.name
        preset = "" if self.lesson.preset == self.lesson.game.presets[0] else f" --rules {self.lesson.preset}"
        self.screen.say(Message("Play it:"))
        self.screen.whole(f"  cardtable play {name}{preset}")

    def _make(self, step: LessonStep) -> None:
        self.m.play(step.move, step.seat)
        self.screen.events([event.seen_by(self.lesson.seat) for event in self.m.events])

    def _ask(self, step: LessonStep) -> bool:
        """Let the learner make a move; False: they leave."""
        self.screen.table(self.m, self.m.view(self.lesson.seat))
        if step.says:
            self.screen.say(step.says, "bold", indent=1)
        while True:
            text = keys.line(f" {tr('your move (Enter: {move})>', move=Moves(step.move))} ").strip()
            if text.lower() in ("q", "quit", "exit"):
                return False
            if not text or self._means(text, step):
                self._make(step)
                return True
            self.screen.say(self._answer(text, step), "yellow", indent=1)

    def _means(self, text: str, step: LessonStep) -> bool:
        """Whether a text means the move of the step."""
        trial: list[Any] = []
        for move in (text, step.move):
            m = self._again(step)
            try:
                m.play(move, step.seat)
            except CardtableError:
                return False
            trial.append(m.snapshot().tobytes())
        return bool(trial[0] == trial[1])

    def _again(self, step: LessonStep) -> Match:
        return self.lesson.match(self.lesson.steps.index(step))

    def _answer(self, text: str, step: LessonStep) -> Message:
        """Explain why another move is not made here."""
        refusal = self.m.why_not(text, step.seat)
        if isinstance(refusal, IllegalMove):
            return Message("{what}: {why}.", what=refusal.parts[0], why=refusal.because)
        if refusal:
            return Message("{error}", error=Sentence(refusal.message))
        allowed = mark("{move} is allowed, but this hand continues with {other}.")
        told = Message(allowed, move=Moves(text[:40]), other=Moves(step.move))
        return Message("{told} {advice}", told=told, advice=Sentence(self.lesson.advice(self.m, step.move).says))
