"""A hint in the terminal: the move that search would play, and how much less the others are expected to bring."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from cardtable.base.languages import figure, translated
from cardtable.base.message import Message, Moves, Sentence, mark

if TYPE_CHECKING:
    from cardtable.base.types import MoveText
    from cardtable.bots.searcher import Pair, Searcher
    from cardtable.views.view import View

ITERATIONS = 5000  #: deals played out to choose a move
COMPARED = 1000  #: deals played out to compare two moves
OTHERS = 3  #: how many other moves are compared with the best
SEED = "hint"


def hint(view: View, searcher: Searcher | None = None) -> Message:
    """What search thinks of the moves of a view's seat, which may act and has a choice.

    Moves are compared two at a time, in the same new worlds, so that the advice and its figures agree: if another move
    does better there than the one that looked best, it takes its place.
    """
    from cardtable.bots import bot
    from cardtable.bots.searcher import Searcher
    from cardtable.kernel import prng

    assert view.seat is not None
    words = view.game.presentation

    def name(move: int) -> str:
        return words.move_text(view.state, move)

    searcher = searcher or Searcher(view.game)
    judged = searcher(view.state, view.seat, prng.key_of(SEED), iterations=ITERATIONS, past=view.past)
    tried = sorted(
        (value for value in judged.values if value.visits and math.isfinite(value.mean)), key=lambda value: -value.mean
    )
    # all moves that were tried are equal
    if max(value.mean for value in tried) - min(value.mean for value in tried) < 0.005:
        advised = bot("medium", seed=0).choose(view)
        same = mark(
            "A medium bot's move: {move}. Search finds no difference: all {n} moves had the same result in {deals} "
            "deals played out."
        )
        found = Message(same, move=Moves(advised), n=len(tried), deals=figure(judged.iterations))
        return with_reason(view, advised, found)
    rivals = [value.move for value in tried if value.move != judged.best][:OTHERS]
    best = judged.best
    pairs: dict[int, Pair] = {}
    for rival in rivals:
        pairs[rival] = pair = searcher.pair(best, rival, COMPARED)
        if pair.more < -pair.error:
            best = rival
    if best != judged.best:
        pairs = {move: searcher.pair(best, move, COMPARED) for move in [judged.best, *rivals] if move != best}
    return with_reason(view, name(best), _advice_of(name(best), {name(move): pair for move, pair in pairs.items()}))


def with_reason(view: View, move: MoveText, found: Message) -> Message:
    """A move as advice in words with its reason, and then what was found out about it."""
    return Message("{advice} {found}", advice=Sentence(view.advice([move]).says), found=found)


def _advice_of(best: str, pairs: dict[str, Pair]) -> Message:
    """The advice, then the other moves, the nearest first."""
    if not pairs:
        return Message("{move} looks best.", move=Moves(best))
    expected = sum(pair.first for pair in pairs.values()) / len(pairs)
    near = sorted(pairs.items(), key=lambda item: item[1].more)
    others = Moves("; ".join(translated(_less(Moves(move), pair)) for move, pair in near))
    whole = mark("{move} looks best. Expected result of this deal: {expected}. Others, compared with it: {others}.")
    return Message(whole, move=Moves(best), expected=figure(expected, "+.1f"), others=others)


def _less(move: Moves, pair: Pair) -> Message:
    """How much worse a move is."""
    if pair.more <= 2 * pair.error:
        return Message("{move} about as good", move=move)
    return Message("{move} {points} less", move=move, points=figure(pair.more, ".1f"))
