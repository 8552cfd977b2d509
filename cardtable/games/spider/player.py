"""A player of Spider that does not know the hidden cards.

It plans up to the next card turned up (`player_plans`), chooses among these ends by playouts (`player_playouts`), and
makes the moves of its line one after another. Once no card is hidden, the solver takes over, which then knows no more
than the player.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

from cardtable.base.types import MoveCode
from cardtable.games.spider import player_plans, player_playouts, solver, solver_piles
from cardtable.games.spider.player_playouts import CHOICE, LINE, OPEN, PlayoutChooser, PlayoutState
from cardtable.games.spider.state import ACTIONS
from cardtable.kernel import prng
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.solver import Limits

PILES = 1 << 16
WIDTH, STEPS = 60, 25
NARROW_WIDTH, NARROW_STEPS = 8, 5  #: at most, for playouts
ROUNDS = 3  #: of comparing candidates: each in twice as many worlds as the one before, with half of the candidates
FEWEST = 8  #: worlds of the first round; with a smaller budget there are no playouts, since luck would decide
WORLDS = 16  #: worlds of the first round if there is a time limit alone
PORTION = 4  #: worlds between two looks at the clock
OPEN_STATES = 200_000  #: most tables that the solver expands once no card is hidden
#: found by bench/spider_tuning.py at 8bb0574e; `END_RANK` counts where a card is turned up
WEIGHTS = solver_piles.read_weights("player_weights.json")
REMEMBERED = 1 << 14  #: positions whose moves are remembered


class Care(NamedTuple):
    """How candidates are compared."""

    per_world: int  #: iterations of a budget for each world of the first round
    candidates: int  #: most that are compared
    margin: int  #: most that a candidate may cost above the cheapest
    deals: int  #: rows that a playout deals at most
    width: int  #: of its beam
    steps: int  #: most moves of its plans
    ranks: bool  #: whether the ranks at the ends of the columns count


#: By the number of suits. With one suit, playouts are coarser and end where the next row would be dealt, so that a
#: small budget pays for as many worlds as a choice needs. With four, the ranks at the ends gain nothing
#: (docs/findings/spider.md).
CARE = {
    4: Care(1250, 6, 6000, 1, NARROW_WIDTH, NARROW_STEPS, False),
    2: Care(1250, 6, 6000, 1, NARROW_WIDTH, NARROW_STEPS, True),
    1: Care(125, 6, 6000, 0, 4, 4, True),
}


class GamePlayer:
    """A player; its buffers serve one decision at a time.

    It remembers the moves that it has chosen for the positions of its lines, so that it follows a line to its end.
    """

    def __init__(self) -> None:
        self._chooser = room()
        self._ahead: OrderedDict[bytes, MoveCode] = OrderedDict()
        self._given_up: OrderedDict[bytes, None] = OrderedDict()
        self._moves = np.empty(ACTIONS + 1, np.int64)

    def move(self, s: State, key: prng.Words, iterations: int, seconds: float) -> MoveCode:
        """The move in a redacted state (`game.OwnPlayer`)."""
        at = _position(s)
        if at not in self._ahead and at not in self._given_up:
            self._follow(s, self._line(s, at, key, iterations, seconds))
        move = self._ahead.get(at)
        if move is None:  # no line turns up a card, and none can be dealt
            move = int(contract.heuristic(s, 0, self._moves, int(contract.legal(s, 0, self._moves))))
            self._give_up(s, move)
        return move

    def _line(self, s: State, at: bytes, key: prng.Words, iterations: int, seconds: float) -> list[MoveCode]:
        """The moves up to the next card turned up, the next deal or the end; empty: no useful move is known."""
        began = time.perf_counter()
        c, care = self._chooser, CARE[int(s.rules.suits)]
        take_care(c, care)
        status = player_playouts.begin(c, s)
        if status == OPEN:
            return list(solver.solve(s.copy(), Limits(None, OPEN_STATES)).moves)
        if status == CHOICE:
            rng = np.zeros(4, np.uint64)
            prng.derive(rng, key, int(prng.key_of(at)[0] >> np.uint64(1)), prng.BOT)
            worlds = iterations // care.per_world if iterations else WORLDS
            for more in (worlds << k for k in range(ROUNDS) if worlds >= FEWEST):
                while c.choice.remaining > 1 and more and not (seconds and time.perf_counter() - began >= seconds):
                    player_playouts.compare(c, min(more, PORTION), rng)
                    more -= min(more, PORTION)
                c.choice.remaining = (c.choice.remaining + 1) // 2  # the better half
            status = player_playouts.conclude(c)
        return c.wide.beam.line[: int(c.wide.beam.head.length)].tolist() if status == LINE else []

    def _follow(self, s: State, line: list[MoveCode]) -> None:
        """Remember the moves of a line. The card that its last move turns up is not known yet."""
        after = s.copy()
        for move in line:
            _remember(self._ahead, _position(after), move)
            contract.play(after, 0, move)

    def _give_up(self, s: State, move: MoveCode) -> None:
        """Look for no line after a move either, unless it changes more than the order of the cards."""
        after = s.copy()
        contract.play(after, 0, move)
        if _stage(after) == _stage(s):
            _remember(self._given_up, _position(after), None)


def _remember(memory: OrderedDict[bytes, Any], at: bytes, what: Any) -> None:
    """Note something, and forget the oldest if there is too much."""
    memory[at] = what
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)


def _position(s: State) -> bytes:
    """The visible part of a position, without the moves made so far."""
    return bytes([int(s.dealt), *s.down, *s.height]) + s.columns.tobytes()


def _stage(s: State) -> bytes:
    """What changes when a card is turned up, a row is dealt or a run is complete."""
    return bytes([int(s.dealt), int(s.removed), *s.down])


def room() -> PlayoutChooser:
    """Buffers for choices, which are made as with four suits until `take_care` changes that."""
    piles = solver_piles.room(PILES, WEIGHTS.copy())
    wide = player_plans.room(WIDTH, STEPS, piles)
    small = player_plans.room(NARROW_WIDTH, NARROW_STEPS, piles)
    choice = PlayoutState.new()
    choice.steps = STEPS
    choice.to_deal, choice.stuck, choice.prior = 4000, 20000, 8
    chooser = PlayoutChooser(
        choice,
        wide,
        small._replace(expected=wide.expected, unseen=wide.unseen, rank=wide.rank),
        np.zeros(player_plans.SLOTS, np.int64),
        np.zeros(player_plans.SLOTS, np.int64),
        np.zeros(104, np.int64),
        np.zeros(104, np.int64),
    )
    take_care(chooser, CARE[4])
    return chooser


def take_care(c: PlayoutChooser, care: Care) -> None:
    """Compare candidates like this from now on."""
    c.choice.candidates, c.choice.margin, c.choice.deals = care.candidates, care.margin, care.deals
    c.choice.narrow_steps, c.narrow.beam.head.width = care.steps, care.width
    c.wide.rank[0] = c.wide.beam.piles.weights[solver_piles.END_RANK] if care.ranks else 0
