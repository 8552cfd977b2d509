"""The memory of many tables that are played at once (`steps`), as NumPy arrays that are written in place."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from cardtable.base.types import SeatNumber
from cardtable.kernel import prng
from cardtable.kernel.record import words
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.features import everything, program
from cardtable.rules.game import Game
from cardtable.search import steps
from cardtable.search.encoding import write_features

MAX_PACK = 112  #: the most cards of a deal


class Tables:
    """The arrays, and the compiled functions on a part of them: tables first to last - 1.

    Parts that do not overlap can be played by several threads at once, each with its own slot.
    """

    def __init__(self, game: Game, starts: Sequence[State], n: int, slots: int = 1) -> None:
        """starts: states set up with house rules; table i uses those of starts[i % len(starts)]."""
        kind, rules = game.rules.State, game.rules
        self.game, self.seats = game, int(starts[0].seats)
        self.plan = plan = steps.Plan.new()
        actions = int(getattr(rules, "ACTIONS", 0))
        plan.tables, plan.actions, plan.indexed = n, actions or rules.MAX_MOVES, not actions
        plan.sign = -1 if game.lowest_wins else 1
        self.states, self.ended = kind.row(n), kind.row(n)
        set_up = kind.row(len(starts))
        for k, start in enumerate(starts):
            set_up[k] = start
        self.states[:] = set_up[np.arange(n) % len(starts)]
        self.starts = words(set_up)
        self.words, self.ended_words = words(self.states), words(self.ended)
        plan.first = kind.dtype.fields["seats"][1] // 8
        self.desks = steps.Desk.row(n)
        self.players = np.full((n, contract.MAX_SEATS), steps.LEARNER, np.int64)
        self.all = np.arange(n)
        self.chosen = np.full(n, steps.BEGIN, np.int64)
        self.moves = np.empty((slots if actions else n, rules.MAX_MOVES + 1), np.int64)
        self.seat, self.count = np.zeros(n, np.int64), np.zeros(n, np.int64)
        self.mask = np.zeros((n, int(plan.actions)), np.int8)
        self.reward, self.done = np.zeros((n, self.seats), np.float32), np.zeros(n, np.bool_)
        self.cards, self.out = np.empty((slots, MAX_PACK), np.int64), np.zeros((slots, contract.MAX_SEATS))
        self.luck = np.zeros((n, 4), np.uint64)
        named = game.features or (everything(kind.dtype),)
        self.program, self.where = program(named, kind.dtype, self.seats)
        self.width = max(each.stop for each in self.where.values())
        self.glance = kind.row(slots)  #: a state for each thread, redacted to read its features
        self.nothing = np.empty((0, 0, 7), np.int64), np.empty((n, 0), np.uint8)

    def begin(self, key: prng.Words) -> None:
        """Prepare every table for its first match. key: the words of the seed."""
        self.plan.key[:] = key
        self.desks["match"] = self.all
        self.chosen[:] = steps.BEGIN
        for i in range(len(self.luck)):
            prng.derive(self.luck[i], key, i, prng.BOT)

    def choose(self, first: int, last: int, actions: NDArray[np.int64]) -> int:
        """The first table whose action is not allowed, or -1; then the moves are in `chosen`."""
        return int(steps.choose(self.states, self.plan, first, last, actions, self.moves, self.mask, self.chosen))

    def run(self, which: NDArray[np.int64], first: int, last: int, slot: int = 0, anew: bool = True) -> int:
        """Play the chosen moves at the tables which[first:last], up to their next decisions; return the number of
        moves played, or -1 - i for a table without a further decision. anew: a step begins with them.
        """
        return int(
            steps.run(
                self.states,
                self.desks,
                self.plan,
                self.players,
                which,
                first,
                last,
                int(anew),
                self.chosen,
                self.moves,
                slot,
                self.seat,
                self.count,
                self.mask,
                self.words,
                self.starts,
                self.ended_words,
                self.reward,
                self.done,
                self.cards[slot],
                self.out[slot],
            )
        )

    def pick(self, first: int, last: int, out: NDArray[np.int64]) -> None:
        """Write an allowed action of each table, with equal chance."""
        steps.pick(self.luck, self.count, self.mask, int(self.plan.indexed), first, last, out)

    def redact(self, first: int, last: int, rows: NDArray[np.void]) -> None:
        """Write the redacted states of the seats to act into a row of states."""
        nothing, none = self.nothing
        self._see(rows, first, last, -1, nothing, none)

    def features(self, first: int, last: int, out: NDArray[np.uint8], slot: int = 0) -> None:
        """Write the features of the seats to act, as bytes."""
        self._see(self.glance, first, last, slot, self.program, out)

    def _see(
        self,
        rows: NDArray[np.void],
        first: int,
        last: int,
        slot: int,
        program: NDArray[np.int64],
        out: NDArray[np.uint8],
    ) -> None:
        octets = rows.view(np.uint8).reshape(len(rows), -1)
        steps.see(self.words, rows, words(rows), self.seat, self.plan, first, last, slot, program, octets, out)

    def features_of(self, s: State, seat: SeatNumber) -> NDArray[np.uint8]:
        """A seat's features of any state of the game at a table of this number of seats, as bytes. -1: a spectator,
        who looks from seat 0.
        """
        row = self.game.rules.State.row(1)
        row[0] = s
        contract.redact(row[0], seat)
        out = np.zeros(self.width, np.uint8)
        viewer = max(seat, 0)
        write_features(self.program[viewer], words(row)[0], row.view(np.uint8), viewer, out)
        return out
