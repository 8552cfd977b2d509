"""Records of a simulation's matches: the same deals, move by move, which anybody can replay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cardtable import contract
from cardtable.bots import bot
from cardtable.cards import card_text
from cardtable.catalog import Variant
from cardtable.errors import OptionError
from cardtable.kernel import bits, following, prng
from cardtable.lab.simulate import COMPILED
from cardtable.message import Message
from cardtable.options import Options
from cardtable.record import FORMAT
from cardtable.search import playouts, softened
from cardtable.types import JsonObject, MoveCode, Seed

if TYPE_CHECKING:
    from cardtable.bots import Bot
    from cardtable.contract import State


LONGEST = 170  #: letters of a seed: those of matches are longer, and a match takes 200


class Shuffles:
    """Notes the orders that chance gives to shuffled cards; followed in place of a script (`kernel.switch`)."""

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


class Recorder:
    """Plays the matches of a simulation again, and writes them down. One thread uses it."""

    def __init__(
        self, variant: Variant, preset: str, seats: int, options: Options, levels: Sequence[str], seed: Seed
    ) -> None:
        """The table and the bots. levels: one for each seat; options: resolved.

        Raises OptionError for a seed from which those of matches cannot be made: it is empty or too long.
        """
        if not str(seed).strip() or len(str(seed).strip()) > LONGEST:
            raise OptionError(
                Message("records of seed {seed}", seed=repr(str(seed)[:40])),
                Message("each match has a seed such as {example}", example=repr(prng.match_seed("tea", 12))),
                Message("take a seed of 1 to {most} letters", most=LONGEST),
            )
        self.variant, self.game, self.preset, self.seats, self.options = variant, variant.game, preset, seats, options
        self.levels, self.seed, self.key = levels, str(seed).strip(), prng.key_of(seed)
        self.start = self.game.new_state(options, seats)
        self.changed = options.changed(preset, seats)
        self.bots: list[Bot | None] = [
            # As in `Tables`: if one bot of a table is not compiled, none is.
            None if set(levels) <= set(COMPILED) else bot(level, seed=f"{self.seed} {seat}")
            for seat, level in enumerate(levels)
        ]
        #: a compiled bot that moves or errs at random takes its chance from that of the deal: shuffles do not follow
        #: from the seed alone then, and are written down
        self.shares_chance = None in self.bots and not {"random", "soft"}.isdisjoint(levels)
        self.moves = np.empty(self.game.rules.MAX_MOVES + 1, np.int64)
        self.cards = np.empty(112, np.int64)

    def records(self, deals: int) -> Iterator[JsonObject]:
        """The records of as many matches as have so many deals; the last one may be cut short and is then marked as
        unfinished.
        """
        number = 0
        while deals > 0:
            record = self.match(number, deals)
            deals -= len(record["deals"])
            number += 1
            yield record

    def match(self, number: int, limit: int) -> JsonObject:
        """The record of match `number`, with at most so many deals."""
        s = self.start.copy()
        s.record_events = 1
        prng.derive(s.seed, self.key, number, prng.MATCH)
        contract.open_match(s)
        cuts = [f"{event.source} {event.card}" for event in self.game.events_of(s) if event.kind == "cut"]
        s.record_events, s.untracked = 0, 1
        scores = np.zeros(contract.MAX_SEATS, np.int64)
        deals: list[JsonObject] = []
        over = dealer = 0
        while len(deals) < limit and not over:
            contract.next_deal(s, self.cards)
            dealer = dealer if deals else int(s.dealer)
            deals.append(self._deal(s))
            over = int(contract.standing(s, scores))
        keys: JsonObject = {"cardtable": FORMAT, "game": self.game.name, "version": self.game.version}
        keys |= {"rules": self.preset} | ({"title": self.variant.alias} if self.variant.alias else {})
        keys |= {"seats": self.seats, "seed": prng.match_seed(self.seed, number), "dealer": dealer}
        keys |= ({"cuts": cuts} if cuts else {}) | ({} if over else {"unfinished": True})
        keys |= {"options": dict(self.changed)} if self.changed else {}
        return keys | {"deals": deals} | (self._result(over, scores) if over else {})

    def _result(self, over: int, scores: NDArray[np.int64]) -> JsonObject:
        told = [int(x) for x in scores[: self.seats]]
        best = min(told) if self.game.lowest_wins else max(told)
        named = [p for p in range(self.seats) if over >> 1 >> p & 1]
        winners = named if over >> 1 else [p for p in range(self.seats) if told[p] == best]
        return {"result": {"scores": told, "winners": winners}}

    def _deal(self, s: State) -> JsonObject:
        """Play a deal out; return its table of the record."""
        table: JsonObject = {"deal": int(s.deal_number)}
        texts: list[str] = []
        orders: list[list[int]] = []
        text_of = self.game.presentation.move_text
        while mask := int(contract.actors(s)):
            seat = bits.lowest(mask)
            n = int(contract.legal(s, seat, self.moves))
            move = int(self.moves[0]) if n == 1 else self._choice(s, seat, n)
            texts.append(f"{seat} {text_of(s, move)}")
            if not self.shares_chance:
                contract.play(s, seat, move)
                continue
            before, kept = s.rng.tobytes(), s.copy()
            contract.play(s, seat, move)
            if s.rng.tobytes() != before:
                orders += self._orders(kept, seat, move)
        if orders:
            table["reshuffles"] = [" ".join(card_text(card) for card in order) for order in orders]
        out = np.zeros(contract.MAX_SEATS)
        contract.payoff(s, out)
        table |= {"moves": texts} | ({"winner": int(s.winner)} if s.winner >= 0 else {})
        return table | {"payoff": [int(x) for x in out[: self.seats]]}

    def _choice(self, s: State, seat: int, n: int) -> MoveCode:
        """The move of a seat, as the simulation's player makes it."""
        player = self.bots[seat]
        if player is not None:
            seen = s.copy()
            contract.redact(seen, seat)
            return player.move(self.game, seen, seat)
        level = self.levels[seat]
        if COMPILED[level] == playouts.RANDOM:
            return int(self.moves[prng.below(s.rng, n)])
        return softened.choice(s, seat, self.moves, n, softened.SLIPS if level == "soft" else 0, s.rng)

    @staticmethod
    def _orders(s: State, seat: int, move: MoveCode) -> list[list[int]]:
        """The orders of the cards that were shuffled by a move."""
        script = Shuffles()
        with following(script):
            contract.play(s, seat, move)
        return script.orders
