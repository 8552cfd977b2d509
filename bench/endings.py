"""Whether search gains from exact endings: alpha-beta in sampled worlds, where it can finish, in place of playouts.

    python bench/endings.py domino-fan-tan --deals 40
    python bench/endings.py scopa --deals 40

Two seats. Both use search; one of them, near the end of a deal, also solves worlds drawn from what it knows, the same
for each of its moves, and takes another move than search if that is better by 1.5 standard errors. Each deal is played
twice, with that player in each seat. The figure is its payoff less the other's, with a 95 % interval.
"""

from __future__ import annotations

import argparse
import math

import numpy as np

from cardtable.analysis.endgame import BEST, OpenCards
from cardtable.bots.searcher import Searcher
from cardtable.kernel import bits, prng
from cardtable.lab.ceiling import Gauge
from cardtable.lab.intervals import mean_of
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.solver import Limits
from cardtable.rules.worlds import Work
from cardtable.views.observed import Past

GATE = 1.5  #: standard errors


class Player:
    """Search that knows exact endings."""

    def __init__(self, gauge: Gauge, worlds: int, states: int) -> None:
        """worlds: for a decision; states: of alpha-beta for a move in a world, with which an ending counts as near."""
        self.search, self.cards = Searcher(gauge.game), OpenCards(gauge.game, 1 << 12)
        self.worlds, self.states = worlds, states
        self.near = self.changed = 0
        self._work = Work.new()

    def move(self, seen: State, seat: int, key: prng.Words, iterations: int, past: Past | None, exact: bool) -> int:
        """The move of a seat in a state redacted for it. exact: use exact endings."""
        found = self.search(seen, seat, key, iterations=iterations, past=past)
        if not exact or found.decided and len(found.values) < 2:
            return int(found.best)
        moves = [value.move for value in found.values]
        gains = self.gains(seen, seat, key, moves)
        if gains is None:
            return int(found.best)
        self.near += 1
        more = gains - gains[:, [moves.index(found.best)]]
        means, errors = more.mean(axis=0), more.std(axis=0, ddof=1) / math.sqrt(len(more))
        best = int(np.argmax(means))
        if means[best] <= GATE * errors[best]:
            return int(found.best)
        self.changed += 1
        return moves[best]

    def gains(self, seen: State, seat: int, key: prng.Words, moves: list[int]) -> np.ndarray[tuple[int, int]] | None:
        """What each move brings in each world, or None if an ending is too far away."""
        found = np.zeros((self.worlds, len(moves)))
        for k in range(self.worlds):
            world = seen.copy()
            prng.derive(world.rng, key, k, prng.BOT)
            contract.resample(world, seat, self._work)
            self.cards.start(world)
            for i, move in enumerate(moves):
                one = self.cards.find(seat, Limits(None, self.states), BEST, only=[move], foresee=True)
                if not one.exact:
                    return None
                found[k, i] = one.value / 2
        return found


def deal(gauge: Gauge, player: Player, number: int, exact: int, iterations: int) -> float:
    """The payoff of the seat `exact` less the other's."""
    s = gauge.deal(number)
    moves, out = np.empty(gauge.game.rules.MAX_MOVES + 1, np.int64), np.zeros(contract.MAX_SEATS)
    weighs = contract.makes_sets(gauge.game.rules.State)
    pasts = [Past(gauge.game.rules.State, seat) for seat in (0, 1)]
    key = prng.key_of(f"endings {number}")
    while mask := int(contract.actors(s)):
        seat = bits.lowest(mask)
        n = int(contract.legal(s, seat, moves))
        move = int(moves[0])
        if n > 1:
            seen = s.copy()
            contract.redact(seen, seat)
            move = player.move(seen, seat, key, iterations, pasts[seat] if weighs else None, seat == exact)
        for past in pasts:
            past.saw(s, seat, move)
        contract.play(s, seat, move)
    contract.payoff(s, out)
    return float(out[exact] - out[1 - exact])


def main() -> None:
    """Play, and print the figure; Ctrl-C prints what was played so far."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--rules")
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--worlds", type=int, default=24)
    parser.add_argument("--states", type=int, default=500)
    asked = parser.parse_args()
    gauge = Gauge(asked.game, asked.rules, seed="endings", iterations=asked.iterations)
    if gauge.seats != 2:
        parser.error(f"{asked.game} is not for two seats")
    player, found = Player(gauge, asked.worlds, asked.states), []
    try:
        for number in range(asked.deals):
            found.append(sum(deal(gauge, player, number, seat, asked.iterations) for seat in (0, 1)) / 2)
    except KeyboardInterrupt:
        pass
    more = mean_of(found)
    print(f"{asked.game}: {more.mean:+.3f} ± {more.high - more.mean:.3f} a deal, {len(found)} deals played twice")
    print(f"{player.near} decisions near the end, {player.changed} of them decided otherwise than by search")


if __name__ == "__main__":
    main()
