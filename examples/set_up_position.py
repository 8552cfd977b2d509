"""Set up a position of Fan Tan by hand, ask what is allowed and why not, and what a search would play.

python examples/set_up_position.py [ITERATIONS]
"""

from __future__ import annotations

import sys

from cardtable import Match, bot
from cardtable.bots import analyse

POSITION = """
game = "fan-tan"
rules = "denexa"
turn = 1
hands = ["9S KS", "8S QD KD", "TS JS QS"]
rows = "S A-7  H A-K  D A-J  C A-K"
pot = 9
stacks = [20, 20, 20]
"""


def main(iterations: int = 2000) -> None:
    """iterations: how long the search thinks."""
    match = Match.from_position(POSITION, seed="example")
    print(f"seat {match.actors[0]} may play: {', '.join(match.legal())}")
    for move in ("QD", "KD", "pass"):
        refusal = match.why_not(move)
        print(f"{move}: {refusal.why} ({refusal.rule})" if refusal else f"{move}: allowed")
    view = match.view(match.actors[0])
    analysis = analyse(view.game, view.state, match.actors[0], f"search:{iterations}", past=view.past)
    for value in analysis.values:
        move = view.game.presentation.move_text(view.state, value.move)
        best = "  <- best" if value.move == analysis.best else ""
        print(f"{move}: {value.mean:+.2f} chips to be expected in this deal{best}")
    while not match.results:  # play the deal out as medium bots do
        seat = match.actors[0]
        match.play(bot("medium", seed=1).choose(match.view(seat)), seat)
    print(f"winner: seat {match.results[0].winner}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
