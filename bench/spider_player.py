"""How often Spider is won by the player that knows no hidden cards (`cardtable.games.spider.player`).

    python bench/spider_player.py --rules four-suits --deals 300 --iterations 0        # no playouts: seconds
    python bench/spider_player.py --rules four-suits --deals 600 --iterations 20000    # 16, 32 and 64 worlds: minutes
    python bench/spider_player.py --rules one-suit --deals 300 --iterations 2000       # the same; coarser playouts
    python bench/spider_player.py --rules one-suit --deals 300 --iterations 20000 --keep one.jsonl    # hours

Processor time is that of the player. A game ends when the player finds no line any more, since what the heuristic could
still do is little. Ctrl-C prints what was played so far. With a file, deals that are in it already count and are not
played again.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from pathlib import Path

from cardtable import Match
from cardtable.games.spider.player import Player
from cardtable.games.spider.state import RUNS
from cardtable.kernel import prng
from cardtable.lab.intervals import share_interval
from cardtable.lab.json_lines import Lines
from cardtable.rules import contract


def play(player: Player, rules: str, seed: str, iterations: int) -> tuple[int, float]:
    """The runs removed in a deal, and the seconds that it took."""
    s = Match("spider", rules=rules, seed=seed).snapshot()
    key, began = prng.key_of(seed), time.thread_time()
    while not s.over:
        seen = s.copy()
        contract.redact(seen, 0)
        move = player.move(seen, key, iterations or 1, 0.0)
        if player.at_a_loss:
            break
        contract.play(s, 0, move)
    return int(s.removed), time.thread_time() - began


def main() -> None:
    """Play, and print the share of games won with its 95 % interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rules", default="four-suits")
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--first", type=int, default=0, help="number of the first deal")
    parser.add_argument("--iterations", type=int, default=20_000, help="a decision's budget; 0: no playouts")
    parser.add_argument("--keep", type=Path, help="a file of deals, for these rules and this budget")
    asked = parser.parse_args()
    kept, player = Lines(asked.keep), Player()
    found = {told["deal"]: (told["runs"], told["seconds"]) for told in kept.read}
    play(player, asked.rules, "another", asked.iterations)  # compiles
    with contextlib.suppress(KeyboardInterrupt):
        for number in range(asked.first, asked.first + asked.deals):
            if number not in found:
                runs, seconds = found[number] = play(player, asked.rules, f"closed-{number}", asked.iterations)
                kept.add({"deal": number, "runs": runs, "seconds": seconds})
    won, n = sum(runs == RUNS for runs, _ in found.values()), len(found)
    low, high = share_interval(won, n)
    runs, seconds = sum(runs for runs, _ in found.values()) / n, sum(each for _, each in found.values()) / n
    print(f"{asked.rules}: won {won} of {n} = {100 * won / n:.1f} % [{100 * low:.1f}, {100 * high:.1f}]")
    print(f"{runs:.2f} runs and {seconds:.2f} s a game")


if __name__ == "__main__":
    main()
