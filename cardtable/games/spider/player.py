"""A player of Spider that does not know the hidden cards.

It plans up to the next card turned up (`player_plans`), chooses among such ends by playouts (`player_playouts`), and
makes the moves of its line one after another. Once no card is hidden, the solver takes over: then it knows no more than
the player.
"""

from __future__ import annotations

import math
import time
from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

from cardtable import contract
from cardtable.contract import State
from cardtable.games.spider import player_plans, player_playouts, solver, solver_piles
from cardtable.games.spider.player_playouts import CHOICE, LINE, OPEN, Chooser
from cardtable.games.spider.solver_piles import Weights
from cardtable.games.spider.state import ACTIONS, COLUMNS, STOCK
from cardtable.kernel import prng
from cardtable.solve import Limits
from cardtable.types import MoveCode

PILES = 1 << 16
WIDTH, STEPS = 60, 25
ROUNDS = 3  #: of comparing candidates: each in twice as many worlds as the one before, with half of the candidates
FEWEST = 8  #: worlds of the first round; with a smaller budget there are no playouts, since luck would decide
WORLDS = 16  #: worlds of the first round if there is a time limit alone
OPEN_STATES = 200_000  #: most tables that the solver expands once no card is hidden
#: bench/spider_tuning.py finds such weights; that of `END_RANK` counts where a card is turned up
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
    patience: int  #: a plan of it is made after so many moves without a cheaper end
    gate: float  #: standard errors by which a candidate must be better than the cheapest to be taken instead
    sure: int  #: the cheapest is taken at once if it wins its playouts in so many worlds; 0: never
    ranks: bool  #: whether the ranks at the ends of the columns count


#: By the number of suits, the least care first. With much care, playouts go on to the end of the game, nearly as well
#: as the player plays without any; with less, they are coarse and end early, so that a small budget pays for as many
#: worlds as a choice needs. With four suits, the ranks at the ends gain nothing (docs/findings/spider.md).
CARES = {
    4: (Care(1250, 6, 6000, 1, 8, 5, 5, 0.0, 0, False),),
    2: (Care(2500, 6, 6000, STOCK // COLUMNS, 30, 25, 3, 1.0, 8, True),),
    1: (Care(125, 6, 6000, 0, 4, 4, 4, 0.0, 0, True), Care(2500, 6, 6000, STOCK // COLUMNS, 16, 25, 3, 0.0, 8, True)),
}


def care_of(suits: int, iterations: int) -> Care:
    """The most care that a budget pays for. No iterations: a time limit alone."""
    cares = CARES[suits]
    return next((care for care in cares[::-1] if not iterations or iterations // care.per_world >= FEWEST), cares[0])


class Player:
    """A player; its buffers serve one decision at a time.

    It remembers the moves that it has chosen for the positions of its lines, so that it follows a line to its end.
    """

    def __init__(self) -> None:
        self.at_a_loss = False  #: whether no line was found for the last move, which the heuristic chose
        self._chooser = room()
        self._ahead: OrderedDict[bytes, MoveCode] = OrderedDict()
        self._given_up: OrderedDict[bytes, None] = OrderedDict()
        self._moves = np.empty(ACTIONS + 1, np.int64)

    def use(self, weights: Weights) -> None:
        """Play with other weights than those of `player_weights.json`, in thousandths, in the order of that file."""
        self._chooser.wide.beam.piles.weights[:] = weights
        self._ahead.clear()
        self._given_up.clear()

    def move(self, s: State, key: prng.Words, iterations: int, seconds: float) -> MoveCode:
        """The move in a redacted state (`game.OwnPlayer`)."""
        at = _position(s)
        if at not in self._ahead and at not in self._given_up:
            self._follow(s, self._line(s, at, key, iterations, seconds))
        move = self._ahead.get(at)
        self.at_a_loss = move is None
        if move is None:  # no line turns up a card, and none can be dealt
            move = int(contract.heuristic(s, 0, self._moves, int(contract.legal(s, 0, self._moves))))
            self._give_up(s, move)
        return move

    def _line(self, s: State, at: bytes, key: prng.Words, iterations: int, seconds: float) -> list[MoveCode]:
        """The moves up to the next card turned up, the next deal or the end; none: it knows of no useful move."""
        began = time.perf_counter()
        c, care = self._chooser, care_of(int(s.rules.suits), iterations)
        take_care(c, care)
        status = player_playouts.begin(c, s)
        if status == OPEN:
            return list(solver.solve(s.copy(), Limits(None, OPEN_STATES)).moves)
        if status == CHOICE:
            rng = np.zeros(4, np.uint64)
            prng.derive(rng, key, int(prng.key_of(at)[0] >> np.uint64(1)), prng.BOT)
            worlds = iterations // care.per_world if iterations else WORLDS
            if worlds >= FEWEST:
                self._choose(care.sure, worlds, rng, began + seconds if seconds else math.inf)
            status = player_playouts.conclude(c)
        return c.wide.beam.line[: int(c.wide.beam.head.length)].tolist() if status == LINE else []

    def _choose(self, sure: int, worlds: int, rng: prng.Words, until: float) -> None:
        """Compare the candidates by playouts, until a time on the clock.

        sure: as in `Care`. worlds: of the first round; each further one has twice as many, for half of the candidates.
        """
        c, n = self._chooser, int(self._chooser.choice.left)
        if sure and n > 1:
            player_playouts.start(c, 1)
            self._play_out(sure, rng, until, lossless=True)
            if c.choice.worlds == sure == c.wins[c.ends[0]]:
                return
            player_playouts.start(c, n)
        for k in range(ROUNDS):
            if c.choice.left > 1:
                self._play_out(worlds << k, rng, until)
                if k < ROUNDS - 1:
                    player_playouts.halve(c)

    def _play_out(self, worlds: int, rng: prng.Words, until: float, lossless: bool = False) -> None:
        """Play the candidates that are left on in so many worlds. lossless: until the first loss of the cheapest."""
        c = self._chooser
        for played in range(worlds):
            if time.perf_counter() >= until or (lossless and c.wins[c.ends[0]] < played):
                break
            player_playouts.compare(c, 1, rng)

    def _follow(self, s: State, line: list[MoveCode]) -> None:
        """Remember the moves of a line. The card that its last move turns up is not known yet."""
        seen = s.copy()
        for move in line:
            _remember(self._ahead, _position(seen), move)
            contract.play(seen, 0, move)

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
    """What the player sees of a position, but for the moves made so far."""
    return bytes([int(s.dealt), *s.down, *s.height]) + s.columns.tobytes()


def _stage(s: State) -> bytes:
    """What changes when a card is turned up, a row is dealt or a run is complete."""
    return bytes([int(s.dealt), int(s.removed), *s.down])


def room() -> Chooser:
    """Room for choices, which are made as with four suits until `take_care` says otherwise."""
    piles = solver_piles.room(PILES, WEIGHTS.copy())
    every = [care for cares in CARES.values() for care in cares]
    narrow = player_plans.room(max(care.width for care in every), max(care.steps for care in every), piles)
    chooser = player_playouts.room(player_plans.room(WIDTH, STEPS, piles), narrow)
    chooser.choice.steps = STEPS
    take_care(chooser, CARES[4][0])
    return chooser


def take_care(c: Chooser, care: Care) -> None:
    """Compare candidates like this from now on."""
    c.choice.candidates, c.choice.margin, c.choice.deals = care.candidates, care.margin, care.deals
    c.choice.gate, c.choice.narrow_steps = care.gate, care.steps
    c.narrow.beam.head.width, c.narrow.beam.head.patience = care.width, care.patience
    c.wide.rank[0] = c.wide.beam.piles.weights[solver_piles.END_RANK] if care.ranks else 0
