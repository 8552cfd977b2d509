"""A review: the value of each decision of a seat, judged only by what that seat knew at the time.

For each decision the search finds its best move in the state redacted for the seat, and then compares the move made
with that one in new worlds, the same for both. The **estimate** of a move is the payoff of the deal that the seat could
expect from it; the **loss** is the best move's estimate minus that of the move made. A loss has a standard error, so
the **grade** depends on its statistically certain part, compared with the standard deviation of the deal's payoff.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from cardtable.base.errors import OptionError, check_seat
from cardtable.base.message import Cards, Message
from cardtable.base.types import Json, JsonObject, MoveCode, MoveText, SeatNumber
from cardtable.kernel import prng
from cardtable.match.history import PlayedMove
from cardtable.match.match import Match, Record
from cardtable.review.decisions import Decision, Part, Seen
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.solver import Limits
from cardtable.rules.zones import Hand
from cardtable.views.observed import Past, redacted

if TYPE_CHECKING:
    from cardtable.analysis.endgame import OpenCards
    from cardtable.bots.searcher import Searcher

ITERATIONS = 10_000  #: default number of deals played out for a decision
LEAST_ITERATIONS, MOST_ITERATIONS = 100, 10_000_000
EQUAL = 1e-9  #: payoffs that differ by less are the same
BEST, GOOD = "best", "good"
#: grades below good, the worst first, each with the least sure loss, as a share of the scale
WORSE = (("blunder", 0.5), ("mistake", 0.2), ("inaccuracy", 0.05))
GRADES = (BEST, GOOD, *(name for name, _ in reversed(WORSE)))
MARKED = 3  #: how many of the worst decisions are marked
SEEN_STATES = 20_000  #: searched for the best move with all cards seen: a tenth of a second


@dataclass(frozen=True)
class Question:
    """A decision as its seat faced it: a chosen move, and the state just before it, redacted for the seat."""

    act: PlayedMove
    state: State
    past: Past | None = None  #: the others' moves that the seat has seen, if worlds can be weighted by them
    whole: State | None = None  #: the state with nothing hidden, where all cards are to be seen


@dataclass(frozen=True)
class Review:
    """All decisions of a seat in a match, or in one deal of it, in order."""

    match: Match
    seat: SeatNumber
    iterations: int
    decisions: tuple[Decision, ...]

    @property
    def loss(self) -> float:
        """The average loss for each decision, to three places; 0 if there were no decisions."""
        return average(self.decisions)

    @property
    def grades(self) -> dict[str, int]:
        """How many decisions got each grade, the best grade first."""
        return counted(self.decisions)

    def _repr_html_(self) -> str:
        """The decisions as a table, with pictures of the worst ones, for notebooks."""
        from cardtable.review.page import part

        return part(self.match, self.seat, self.decisions)

    def as_dict(self) -> JsonObject:
        """The review as a JSON-able dict."""
        m = self.match
        data: JsonObject = {
            "game": m.game.name,
            "rules": m.rules,
            "title": m.title,
            "seats": m.seats,
            "seat": self.seat,
            "iterations": self.iterations,
        }
        data |= {
            "decisions": [decision.as_dict() for decision in self.decisions],
            "loss": self.loss,
            "grades": self.grades,
        }
        return data


def review(
    played: Match | Record | str | Mapping[str, Json],
    seat: SeatNumber = 0,
    iterations: int = ITERATIONS,
    *,
    deal: int | None = None,
    each: Callable[[Decision], object] | None = None,
    open_cards: bool = False,
) -> Review:
    """Review the decisions of a seat in a match or a record, finished or not: in one deal of it (from 1), or in all.

    iterations: most deals played out for a decision, half of them to find the best move, half to measure the loss. The
    same record and iterations give the same review. each: called with every decision as soon as it is judged, with a
    set step by step. open_cards: also find the best move with all cards open (`Decision.seen`). Raises RecordError,
    OptionError (no such seat or deal, iterations out of range).
    """
    from cardtable.analysis.endgame import OpenCards
    from cardtable.bots.searcher import Searcher  # imported when it is used: a server only needs the grades

    m = played if isinstance(played, Match) else Record.parse(played).replay()
    if isinstance(iterations, bool) or not LEAST_ITERATIONS <= iterations <= MOST_ITERATIONS:
        why = Message("a review takes {low} to {high} for a decision", low=LEAST_ITERATIONS, high=MOST_ITERATIONS)
        raise OptionError(
            Message("{n} iterations", n=iterations), why, Message("give a number in that range"), code="options/range"
        )
    asked = questions(m, seat, deal, open_cards)
    think, cards = Searcher(m.game), OpenCards(m.game) if open_cards else None
    decisions: list[Decision] = []
    for question in asked:
        decisions.append(judge(think, question, iterations, scale_after(decisions, question), cards))
        if each:
            each(decisions[-1])
    return Review(m, seat, iterations, marked(whole(decisions)))


def questions(m: Match, seat: SeatNumber, deal: int | None = None, open_cards: bool = False) -> Iterator[Question]:
    """The decisions of a seat in a match, or in one of its deals (from 1), in order, without forced moves.

    open_cards: each with the whole state. Raises OptionError, at once.
    """
    check_seat(seat, m.seats)
    if deal is not None and not 1 <= deal <= len(m.deals):
        raise OptionError(
            Message("deal {deal}", deal=deal),
            Message("the match has {value} deals", value=len(m.deals)),
            Message("name one of them"),
            code="record/deal",
        )
    return _questions(m, seat, range(len(m.deals)) if deal is None else (deal - 1,), open_cards)


def _questions(m: Match, seat: SeatNumber, deals: Iterable[int], open_cards: bool) -> Iterator[Question]:
    moves = np.empty(m.game.rules.MAX_MOVES + 1, np.int64)
    weighs = m.game.weighs
    for k in deals:
        past = Past(m.game.rules.State, seat)
        for act, (s, _, _) in zip(m.deals[k].acts, m.deals[k].turns(), strict=True):
            if act.seat == seat and not act.forced and contract.legal(s, seat, moves) > 1:
                whole = s.copy() if open_cards else None
                yield Question(act, redacted(s, seat), past.until_now() if weighs else None, whole)
            elif weighs:
                past.saw(s, act.seat, act.code)


def judge(
    think: Searcher, question: Question, iterations: int, scale: float = 0.0, cards: OpenCards | None = None
) -> Decision:
    """Judge one decision. think: a searcher for the question's game; scale: that of the seat's previous decision in
    the deal, or 0; cards: a searcher with all cards open, if requested.
    """
    act, state, game = question.act, question.state, think.game
    result = think(state, act.seat, prng.key_of("review"), iterations=max(1, iterations // 2), past=question.past)
    scale = max(scale, result.spread)
    best = result.best
    mean = next(value.mean for value in result.values if value.move == best)
    ours, theirs, loss, error = mean, mean, 0.0, 0.0
    if act.code != best:
        pair = think.pair(best, act.code, iterations // 2)
        ours, theirs, loss, error = pair.second, pair.first, pair.more, pair.error
        if loss <= 0.0:  # in the new worlds the move made is at least as good
            best, theirs, loss, error = act.code, ours, 0.0, 0.0
    made, better = (
        game.presentation.choices(state, act.seat, [act.code])[0],
        game.presentation.choices(state, act.seat, [best])[0],
    )
    decision = Decision(
        act.deal,
        act.number,
        act.seat,
        act.move,
        better.text,
        ours,
        theirs,
        loss,
        error,
        scale,
        GOOD,
        move_label=made.label,
        best_label=better.label,
        seen=seen_by(cards, question) if cards else None,
        part=_part(game, state, act.seat, [value.move for value in result.values]),
    )
    return replace(decision, grade=BEST if act.code == best else grade_of(decision.sure, scale))


def _part(game: Game, s: State, seat: SeatNumber, legal: list[MoveCode]) -> Part | None:
    """The set of which a seat's next move is a step; None: the move is whole."""
    zones = game.presentation.zones(s, seat, legal)
    sets = [(zone.chosen, zone.together) for zone in zones if isinstance(zone, Hand) and zone.together]
    return next((Part(chosen, together.done) for chosen, together in sets if together), None)


def seen_by(cards: OpenCards, question: Question) -> Seen | None:
    """The best move with all cards open; None if not found within SEEN_STATES, or if the question hides cards."""
    from cardtable.analysis.endgame import ending  # as above

    act, s, game = question.act, question.whole, cards.game
    if s is None or game.solvable:  # a solver gives more detail (`lost`)
        return None
    best_play = ending(game, s, act.seat, Limits(None, SEEN_STATES), moves=[act.code], cards=cards)
    if not best_play.loss:
        return None
    (loss,) = best_play.loss.values()
    code = act.code if loss <= EQUAL else best_play.code
    best = game.presentation.choices(s, act.seat, [code])[0]
    return Seen(best.text, loss, best_play.opponents, best.label)


def affordable(think: Searcher, question: Question, seconds: float, most: int = ITERATIONS) -> int:
    """The number of iterations for a decision that take about `seconds` here (LEAST_ITERATIONS to `most`), judging by
    one decision.

    Deals of one game can be a thousand times as long as those of another.
    """
    judge(think, question, LEAST_ITERATIONS)  # the first call also loads compiled code
    began = time.perf_counter()
    judge(think, question, LEAST_ITERATIONS)
    return max(LEAST_ITERATIONS, min(most, int(LEAST_ITERATIONS * seconds / (time.perf_counter() - began))))


def grade_of(sure: float, scale: float) -> str:
    """The grade of a move that is not the best. sure: the sure part of its loss; scale: as in `Decision`."""
    return next((name for name, share in WORSE if sure > 0 and sure >= share * scale), GOOD)


def scale_after(decisions: list[Decision], question: Question) -> float:
    """The initial scale for a question: that of the previous decision in the same deal, or 0."""
    return decisions[-1].scale if decisions and decisions[-1].deal == question.act.deal else 0.0


def whole(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """The decisions with the steps of a set put together, because players choose its cards at once."""
    sets: list[list[Decision]] = []
    for one in decisions:
        last = sets[-1][-1] if sets else None
        if last and last.part and one.part and len(one.part.chosen) > len(last.part.chosen) and one.deal == last.deal:
            sets[-1].append(one)
        else:
            sets.append([one])
    return tuple(_one_of(steps) if steps[0].part else steps[0] for steps in sets)


def _one_of(steps: list[Decision]) -> Decision:
    """A set as one decision: its loss is that of all steps, and the best one differs at the first step that is not the
    best.
    """
    last = steps[-1]
    other = next((one for one in steps if one.grade != BEST), None)
    loss, error = sum(one.loss for one in steps), sum(one.error**2 for one in steps) ** 0.5
    move, move_label = _laid(last, last.move)
    best, best_label = _laid(other, other.best) if other else (move, move_label)
    one = replace(
        last,
        number=steps[0].number,
        move=move,
        best=best,
        best_estimate=last.estimate + loss,
        loss=loss,
        error=error,
        move_label=move_label,
        best_label=best_label,
        seen=None,
    )
    return replace(one, grade=grade_of(one.sure, one.scale) if other else BEST)


def _laid(step: Decision, move: MoveText) -> tuple[MoveText, Message]:
    """The cards of a set up to a step, in notation and for people; more may follow unless it is the last one."""
    part = step.part
    ends = part is None or move == part.done
    cards = " ".join((*(part.chosen if part else ()), *(() if ends else (move,))))
    more = not ends and move != step.move
    return cards, Message("{cards} …" if more else "{cards}", cards=Cards(cards))


def marked(decisions: Iterable[Decision]) -> tuple[Decision, ...]:
    """The decisions, with the MARKED worst marked, by the sure part of their loss; good ones are never marked."""
    judged = list(decisions)
    wrong = [k for k, decision in enumerate(judged) if decision.grade not in (BEST, GOOD)]
    worst = set(sorted(wrong, key=lambda k: -judged[k].sure)[:MARKED])
    return tuple(replace(decision, worst=k in worst) for k, decision in enumerate(judged))


def average(decisions: Iterable[Decision]) -> float:
    """The average loss of decisions to three places, rounded as in `as_dict`; 0 if there are none."""
    losses = [round(decision.loss, 3) for decision in decisions]
    return mean_loss(sum(losses), len(losses))


def mean_loss(total: float, n: int) -> float:
    """The mean of n losses of three places to three places; their sum may have been added up in any order."""
    return round(round(total, 3) / n, 3) if n else 0.0


def counted(decisions: Iterable[Decision]) -> dict[str, int]:
    """How many decisions got each grade, the best grade first."""
    grades = [decision.grade for decision in decisions]
    return {grade: grades.count(grade) for grade in GRADES}
