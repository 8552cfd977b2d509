"""Records of a simulation's matches, made from the notes taken during play; they can be replayed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cardtable.base.cards import card_text
from cardtable.base.errors import CardtableError, OptionError
from cardtable.base.types import JsonObject, MoveCode, SeatNumber, Seed
from cardtable.kernel import following, prng
from cardtable.lab.notes import Notes
from cardtable.lab.records.recheck import MOST_KNOWN, Touched, Untouchable
from cardtable.lab.simulate import BlockPlayer
from cardtable.match.record import FORMAT
from cardtable.rules import contract
from cardtable.rules.ruleset import Ruleset
from cardtable.search import playouts

if TYPE_CHECKING:
    from cardtable.rules.contract import State
    from cardtable.rules.game import Game


BLOCK = 500  #: matches of compiled players that `records` plays at once, at most
LONGEST = 170  #: letters of a seed: those of matches are longer, and a match takes 200


class Shuffles:
    """Notes the results of shuffles; used as a script (`kernel.switch`)."""

    def __init__(self) -> None:
        self.orders: list[list[int]] = []
        self._inside = False  #: one rule of chance may call another

    def below(self, chance: Callable[..., int], words: prng.Words, n: int) -> int:
        """A number, from chance."""
        return chance(words, n)

    def shuffle(self, chance: Callable[..., None], words: prng.Words, row: NDArray[np.int64], n: int) -> None:
        """Shuffle, and note the order, the top card first."""
        self._note(chance, words, row, n, 1)

    def shuffle_stock(self, chance: Callable[..., None], words: prng.Words, row: NDArray[np.int64], n: int) -> None:
        """The same for cards whose top card is the last entry."""
        self._note(chance, words, row, n, -1)

    def _note(self, chance: Callable[..., None], words: prng.Words, row: NDArray[np.int64], n: int, step: int) -> None:
        if self._inside:
            chance(words, row, n)
            return
        self._inside = True
        chance(words, row, n)
        self._inside = False
        self.orders.append([int(card) for card in row[:n]][::step])


class Texts(dict[tuple[SeatNumber, MoveCode], str]):
    """The moves of seats as records write them, `2 7H`, where that does not depend on the state of the deal.

    Asking for another one raises Touched.
    """

    def __init__(self, game: Game, start: State) -> None:
        """start: a state with the house rules, which a text may depend on."""
        super().__init__()
        self._text_of = game.presentation.move_text
        self._nothing: Any = Untouchable(rules=start.rules)
        self._touching: set[MoveCode] = set()

    def __missing__(self, key: tuple[SeatNumber, MoveCode]) -> str:
        seat, move = key
        if move in self._touching:
            raise Touched
        try:
            text = f"{seat} {self._text_of(self._nothing, move)}"
        except (Touched, CardtableError):
            if len(self._touching) < MOST_KNOWN:
                self._touching.add(move)
            raise Touched from None
        if len(self) < MOST_KNOWN:
            self[key] = text
        return text


class Recorder:
    """Makes the records of a simulation's matches. For use by one thread."""

    def __init__(self, ruleset: Ruleset, levels: Sequence[str], seed: Seed) -> None:
        """The table and the bots. levels: one for each seat.

        Raises OptionError for a seed that is empty or too long to derive those of matches.
        """
        if not str(seed).strip() or len(str(seed).strip()) > LONGEST:
            raise OptionError(
                f"records of seed {str(seed)[:40]!r}",
                f"each match has a seed such as {prng.match_seed('tea', 12)!r}",
                f"take a seed of 1 to {LONGEST} letters",
            )
        self.ruleset, self.game, self.seats = ruleset, ruleset.game, ruleset.seats
        self.seed, self.key = str(seed).strip(), prng.key_of(seed)
        self.tables = BlockPlayer(ruleset, levels, seed)
        self.start, self.changed = self.tables.start, ruleset.changed
        #: a compiled bot may use the random numbers of the deal: then shuffles do not follow from the seed alone, and
        #: are recorded
        self.shares_chance = self.tables.compiled is not None and set(levels) != {"medium"}
        self.texts = Texts(self.game, self.start)
        self.cards = np.empty(112, np.int64)

    def records(self, deals: int) -> Iterator[JsonObject]:
        """Play matches until they have this number of deals; the last one may be cut short (`unfinished`)."""
        size = BLOCK if self.tables.compiled else 1
        notes = Notes(0, min(size, deals), 0, 0)
        while deals > 0:
            self.tables.note(notes.first, len(notes.ends), deals, notes)
            yield from self.told(notes)
            deals -= notes.deals
            notes = notes.after(notes.first + notes.matches, min(size, max(1, deals)))

    def told(self, notes: Notes) -> Iterator[JsonObject]:
        """The records of matches that were played by these bots on this table and seed, and noted."""
        rows = notes.rows[: notes.deals]
        numbers = rows[:, playouts.MATCH].astype(np.int64) - notes.first
        first = np.searchsorted(numbers, np.arange(notes.matches + 1))
        moves = np.concatenate(([0], np.cumsum(rows[:, playouts.LENGTH].astype(np.int64))))
        for k in range(notes.matches):
            a, b = int(first[k]), int(first[k + 1])
            logs = [notes.log[moves[deal] : moves[deal + 1]] for deal in range(a, b)]
            yield self._match(notes.first + k, rows[a:b], logs, notes.ends[k])

    def _match(
        self, number: int, rows: NDArray[np.float64], logs: Sequence[NDArray[np.uint64]], end: NDArray[np.int64]
    ) -> JsonObject:
        s = self.start.copy()
        s.record_events = 1
        prng.derive(s.seed, self.key, number, prng.MATCH)
        contract.open_match(s)
        cuts = [f"{event.source} {event.card}" for event in self.game.events_of(s) if event.kind == "cut"]
        over = int(end[playouts.OVER])
        keys: JsonObject = {"cardtable": FORMAT, "game": self.game.name, "version": self.game.version}
        keys |= {"rules": self.ruleset.preset} | ({"title": alias} if (alias := self.ruleset.alias) else {})
        keys |= {"seats": self.seats, "seed": prng.match_seed(self.seed, number), "dealer": int(end[playouts.DEALER])}
        keys |= ({"cuts": cuts} if cuts else {}) | ({} if over else {"unfinished": True})
        keys |= {"options": dict(self.changed)} if self.changed else {}
        played = self._from_numbers(logs) or self._from_states(s, logs)
        deals = [table | self._ended(row) for table, row in zip(played, rows, strict=True)]
        return keys | {"deals": deals} | (self._result(over, end[playouts.SCORES :]) if over else {})

    def _ended(self, row: NDArray[np.float64]) -> JsonObject:
        """How a deal ended."""
        winner = int(row[playouts.WINNER])
        payoff = [int(x) for x in row[playouts.PAYOFF : playouts.PAYOFF + self.seats]]
        return ({"winner": winner} if winner >= 0 else {}) | {"payoff": payoff}

    def _result(self, over: int, scores: NDArray[np.int64]) -> JsonObject:
        totals = [int(x) for x in scores[: self.seats]]
        best = min(totals) if self.game.lowest_wins else max(totals)
        named = [p for p in range(self.seats) if over >> 1 >> p & 1]
        winners = named if over >> 1 else [p for p in range(self.seats) if totals[p] == best]
        return {"result": {"scores": totals, "winners": winners}}

    def _from_numbers(self, logs: Sequence[NDArray[np.uint64]]) -> list[JsonObject] | None:
        """The moves of each deal; None: they cannot be determined without the state."""
        if self.shares_chance and any(log[:, playouts.CHANCE].any() for log in logs):
            return None
        try:
            return [
                {"deal": k, "moves": [self.texts[seat, move] for seat, move in log[:, : playouts.CHANCE].tolist()]}
                for k, log in enumerate(logs, 1)
            ]
        except Touched:
            return None

    def _from_states(self, s: State, logs: Sequence[NDArray[np.uint64]]) -> list[JsonObject]:
        """Each deal's moves and the shuffles that do not follow from the seed, by replaying the match."""
        s.record_events, s.untracked = 0, 1
        deals: list[JsonObject] = []
        text_of = self.game.presentation.move_text
        for log in logs:
            contract.next_deal(s, self.cards)
            table: JsonObject = {"deal": int(s.deal_number)}
            texts: list[str] = []
            orders: list[list[int]] = []
            for seat, move, chance in log[:, : playouts.WORDS].tolist():
                texts.append(f"{seat} {text_of(s, move)}")
                if chance and self.shares_chance:
                    s.rng[:] = log[len(texts) - 1, playouts.WORDS :]
                    orders += self._orders(s.copy(), seat, move)
                contract.play(s, seat, move)
            if orders:
                table["reshuffles"] = [" ".join(card_text(card) for card in order) for order in orders]
            deals.append(table | {"moves": texts})
        return deals

    @staticmethod
    def _orders(s: State, seat: SeatNumber, move: MoveCode) -> list[list[int]]:
        """The orders of the cards that were shuffled by a move."""
        script = Shuffles()
        with following(script):
            contract.play(s, seat, move)
        return script.orders
