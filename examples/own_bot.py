"""Write a bot and let it play Fan Tan against medium bots, on the same deals from every seat.

python examples/own_bot.py [MATCHES]
"""

from __future__ import annotations

import sys
from statistics import mean

from cardtable import Match, bot
from cardtable.views.view import View


def far_from_seven(view: View) -> str:
    """The legal card that is farthest from the seven of its suit; a pass if there is none.

    A view holds only what its seat may know, so a bot cannot look into another hand.
    """
    cards = [move for move in view.legal if move != "pass"]
    return max(cards, key=lambda card: abs("A23456789TJQK".index(card[0]) - 6), default="pass")


def chips_won(seed: int, mine: int) -> int:
    """The chips that `far_from_seven` wins or loses in a match from one seat, against three medium bots."""
    match = Match("fan-tan", seats=4, seed=seed)
    before = match.options.as_dict()["stack"]
    medium = bot("medium", seed=1)
    while not match.over:
        seat = match.actors[0]
        view = match.view(seat)
        match.play(far_from_seven(view) if seat == mine else medium.choose(view), seat)
    return int(match.scores[mine] - before)


def main(matches: int = 10) -> None:
    """Each match is played from all four seats, so that the luck of the deal is the same for everybody."""
    won = [mean(chips_won(seed, seat) for seat in range(4)) for seed in range(matches)]
    print(f"{matches} matches from each seat: {mean(won):+.2f} chips a match compared with medium bots")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
