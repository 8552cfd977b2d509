"""Study a house rule of Fan Tan: what does it change if several cards may be played in one turn?

python examples/house_rule.py [DEALS]
"""

from __future__ import annotations

import sys

from cardtable.lab.simulate import simulate


def main(deals: int = 100_000) -> None:
    """Deal the same cards under each value of the rule; the same seed gives the same figures on any number of
    threads.
    """
    print("cards a turn   payoff of eldest, 95% interval   passes a deal")
    for cards in ("one", "group", "any"):
        study = simulate(
            "fan-tan", deals, seats=4, bots=["medium"], options={"plays_per_turn": cards}, seed="turns", threads=2
        )
        eldest = study.eldest
        print(f"{cards:>12}   {eldest.mean:+.3f}, {eldest.low:+.3f} to {eldest.high:+.3f}{study.passes:>23.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
