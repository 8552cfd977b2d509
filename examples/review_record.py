"""Save a match as a record, read it again, look at its moves, and have one player's decisions reviewed.

python examples/review_record.py [ITERATIONS]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from cardtable import Match, Record, bot
from cardtable.review.review import review


def one_deal() -> Match:
    """A match of Fan Tan that was broken off after its first deal."""
    match = Match("fan-tan", seats=4, seed="review", pause=True)
    player = bot("random", seed=3)
    while match.actors:
        seat = match.actors[0]
        match.play(player.choose(match.view(seat)), seat)
    return match


def main(iterations: int = 2000) -> None:
    """iterations: how long the search thinks about each decision."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "match.toml"
        one_deal().record().save(path)
        record = Record.load(path)  # refused if the file is no record, or was cut short
    match = record.replay()  # every move and result is checked
    print(f"{match.title}: {record.length} moves, scores {match.scores}")
    reviewed = review(record, seat=0, iterations=iterations)
    for decision in reviewed.decisions:
        better = "" if decision.grade in ("best", "good") else f", better {decision.best} ({decision.loss:.2f} chips)"
        print(f"move {decision.number}: {decision.move} is {decision.grade}{better}")
    print(f"average loss a decision: {reviewed.loss:.2f} chips")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
