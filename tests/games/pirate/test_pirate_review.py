"""What a review and a hint say in Pirate: chances, although nothing is hidden once both packs are known."""

from __future__ import annotations

from functools import lru_cache

from cardtable import Match, bot
from cardtable.analysis.analyse import analyse
from cardtable.bots.searcher import Searcher
from cardtable.games.pirate.policy import SLIPS, slipped
from cardtable.games.pirate.state import DRAW_CARD, WAIT
from cardtable.kernel import prng
from cardtable.review.decisions import Decision
from cardtable.review.review import GRADES, judge, questions
from tests.games.pirate.sea import at_sea

ITERATIONS = 800
EVERY = 12  #: which of the decisions are judged
DEALS = ("grades 0", "grades 1", "grades 2")


def played(deal: str, level: str, moves: int = 10_000) -> Match:
    """A deal of a bot against *medium*, up to a number of moves."""
    m, players = Match("pirate", seed=deal), [bot(level, 1), bot("medium", 2)]
    while not m.over and len(m.moves) < moves:
        m.play(players[m.actors[0]].choose(m.view(m.actors[0])), m.actors[0])
    return m


@lru_cache
def judged(deal: str, level: str) -> tuple[Decision, ...]:
    """Decisions of the bot."""
    m = played(deal, level, 400)
    think = Searcher(m.game)
    return tuple(judge(think, one, ITERATIONS) for one in list(questions(m, 0))[::EVERY])


def chance(payoff: float) -> float:
    """The chance to win, from what is expected of a deal in which a win is 1 and a loss −1."""
    return (payoff + 1) / 2


def test_nobody_is_sure_of_the_end_from_the_beginning() -> None:
    """A deal is won little by little: both packs are known from its first third on."""
    chances = [chance(one.best_estimate) for one in judged(DEALS[0], "medium")]
    assert all(0.02 < each < 0.98 for each in chances[: len(chances) // 2]), chances
    assert chances[0] < 0.6 < chances[len(chances) // 2] < chances[-1]
    assert len({round(each, 1) for each in chances}) >= 6


def test_moves_differ_by_degrees() -> None:
    view = played(DEALS[0], "medium", 184).view(0)
    assert not view.state.unseen.any(), "nothing is hidden"
    chances = {one.move: chance(one.mean) for one in analyse(view, iterations=2000).moves}
    assert 0.4 < chances["draw"] < chances["wait"] < chances["play"] < 0.9, chances
    assert chances["draw"] + 0.1 < chances["play"]


def test_better_players_have_better_grades() -> None:
    """The mean grade: 0 for the best, 4 for a blunder."""
    grades = {
        level: [GRADES.index(one.grade) for deal in DEALS for one in judged(deal, level)]
        for level in ("random", "medium")
    }
    mean = {level: sum(found) / len(found) for level, found in grades.items()}
    assert mean["medium"] < 0.8 * mean["random"], mean
    assert grades["medium"].count(0) > 0.9 * len(grades["medium"])


def test_players_in_a_deal_played_out_let_moments_pass() -> None:
    s = at_sea({}, ("6H", "7H"))._s
    prng.derive(s.rng, prng.key_of("slips"), 0, prng.BOT)
    moves = [int(slipped(s, 0, DRAW_CARD)) for _ in range(1000)]
    assert set(moves) == {DRAW_CARD, WAIT}
    assert abs(moves.count(WAIT) / 10 - SLIPS) < 8  # six standard deviations
