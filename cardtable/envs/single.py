"""One table of a game, played action by action: shared by the adapters to other libraries' interfaces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from cardtable.base.types import MoveCode, SeatNumber, Seed
from cardtable.kernel import prng
from cardtable.kernel.bits import lowest
from cardtable.precompile import warm
from cardtable.rules import contract, first_deals
from cardtable.rules.contract import State
from cardtable.rules.ruleset import Ruleset
from cardtable.search.tables import MAX_PACK, Tables
from cardtable.views.observed import redacted
from cardtable.views.view import View

TEXTS = 32  #: views that are kept as text


class Shared:
    """What all tables of a ruleset share: its actions and features, and buffers. Raises OptionError."""

    def __init__(self, ruleset: Ruleset, auto: bool) -> None:
        self.ruleset, self.auto = ruleset, auto
        self.game, self.seats = ruleset.game, ruleset.seats
        warm(self.game, search=False, environments=True)
        self.start: State = first_deals.checked(ruleset)
        self.tables = Tables(self.game, [self.start], 1)
        self.actions, self.indexed = int(self.tables.plan.actions), bool(self.tables.plan.indexed)
        self.width = self.tables.width  #: bytes of features
        self.moves = np.empty(self.game.rules.MAX_MOVES + 1, np.int64)
        self.cards = np.empty(MAX_PACK, np.int64)
        self.texts: dict[object, str] = {}  #: of views, the latest last

    def __deepcopy__(self, _: object) -> Shared:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return Shared, (self.ruleset, self.auto)


class SingleTable:
    """A deal: the first of a match with a choice.

    key, number: the words of a seed, and the number of the match; the deal is that of table `number` of a `VectorTable`
    with this seed. The match ends after the deal.
    """

    def __init__(self, shared: Shared, seed: Seed, number: int = 0) -> None:
        self.shared = shared
        self.state: State = shared.start.copy()
        self.legal: tuple[MoveCode, ...] = ()  #: the legal moves of the seat that is to act, ascending
        self.seat: SeatNumber = -1  #: the seat to act; -1: the deal is over
        prng.derive(self.state.seed, prng.key_of(seed), number, prng.MATCH)
        contract.open_match(self.state)
        while self.seat < 0:
            contract.next_deal(self.state, shared.cards)
            self._go_on()

    def refresh(self) -> None:
        """Update the derived fields after the state has changed."""
        self._go_on()

    def _go_on(self) -> None:
        """Make the moves without a choice, and find the next seat to act."""
        s, shared = self.state, self.shared
        while True:
            mask = int(contract.actors(s))
            self.seat = lowest(mask) if mask else -1
            k = int(contract.legal(s, self.seat, shared.moves)) if mask else 0
            self.legal = tuple(shared.moves[:k].tolist())
            if k != 1 or not shared.auto:
                return
            contract.play(s, self.seat, self.legal[0])

    def __deepcopy__(self, _: object) -> SingleTable:
        table: SingleTable = SingleTable.__new__(SingleTable)
        table.shared, table.state, table.legal, table.seat = self.shared, self.state.copy(), self.legal, self.seat
        return table

    def actions(self) -> list[int]:
        """The actions that the seat that is to act may take, ascending."""
        if self.shared.indexed:
            return list(range(len(self.legal)))
        return sorted(int(contract.action_of(self.state, move)) for move in self.legal)

    def move(self, action: int) -> MoveCode:
        """The move of an action that may be taken."""
        return self.legal[action] if self.shared.indexed else int(contract.move_of(self.state, action))

    def play(self, action: int) -> None:
        """Take an action, which is one of `actions`."""
        contract.play(self.state, self.seat, self.move(action))
        self._go_on()

    def text(self, action: int) -> str:
        """The move of an action that may be taken, in notation."""
        return self.shared.game.presentation.move_text(self.state, self.move(action))

    def payoff(self) -> list[float]:
        """What each seat has won in the deal, when it is over."""
        out = np.zeros(contract.MAX_SEATS)
        contract.payoff(self.state, out)
        payoffs: list[float] = out[: self.shared.seats].tolist()
        return payoffs

    def view(self, seat: SeatNumber | None) -> View:
        """The view of a seat (None: a spectator), for display as text."""
        s, shared = redacted(self.state, seat), self.shared
        mask, scores = int(contract.actors(s)), np.zeros(contract.MAX_SEATS, np.int64)
        contract.standing(self.state, scores)
        actors = tuple(p for p in range(shared.seats) if mask >> p & 1)
        legal = self.legal if seat == self.seat else ()
        rules, standing = shared.ruleset, tuple(scores[: shared.seats].tolist())
        return View(rules.game, rules.preset, seat, s, legal, actors, standing, (), rules.title)

    def told(self, seat: SeatNumber | None) -> str:
        """A view as text. The last ones are kept: OpenSpiel asks for them again and again, also of copies."""
        view, texts = self.view(seat), self.shared.texts
        key = seat, view.moves, view.actors, view.scores, view.state.tobytes()
        if key not in texts:
            if len(texts) >= TEXTS:
                del texts[next(iter(texts))]
            texts[key] = view.text()
        return texts[key]

    def mask(self, seat: SeatNumber) -> NDArray[np.int8]:
        """[A], 1 for each action that a seat may take now, when it is its turn."""
        allowed = np.zeros(self.shared.actions, np.int8)
        if seat == self.seat:
            allowed[self.actions()] = 1
        return allowed

    def asked(self) -> list[SeatNumber]:
        """The seats that may act now, ascending: several, where they choose at the same time."""
        mask = int(contract.actors(self.state)) if self.seat >= 0 else 0
        return [seat for seat in range(self.shared.seats) if mask >> seat & 1]

    def turned_to(self, seat: SeatNumber) -> SingleTable:
        """This table, seen by one of the seats that may act now: it shares the state."""
        table: SingleTable = SingleTable.__new__(SingleTable)
        table.shared, table.state, table.seat = self.shared, self.state, seat
        table.legal = tuple(self.shared.moves[: int(contract.legal(self.state, seat, self.shared.moves))].tolist())
        return table

    def features(self, seat: SeatNumber) -> NDArray[np.uint8]:
        """[F], what a seat (-1: a spectator) may know, as bytes."""
        return self.shared.tables.features_of(self.state, seat)
