"""Golden deals: one seeded deal of every preset, told so that a card player can follow it.

    python tests/golden.py            write tests/golden/<game>-<preset>.txt anew (after a change of rules or of words)

The players lay by the game's rule of thumb. A golden deal that is missing, or tells another story, fails.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from cardtable import Match, catalog, contract
from cardtable.game import Game
from cardtable.view import Event

HOME = Path(__file__).parent / "golden"
SEED = "golden"
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")


def deals() -> list[tuple[Game, str]]:
    """Every game and preset."""
    return [(game, preset) for game in catalog.games().values() for preset in game.presets]


def path(game: Game, preset: str) -> Path:
    """Where its golden deal is kept."""
    return HOME / f"{game.name}-{preset}.txt"


def told(game: Game, preset: str) -> str:
    """The deal as text: hands, each move and why chips moved, what the table looks like now and then, the settlement."""
    m = Match(game.name, None, preset, SEED, auto=False)
    names = NAMES[: m.seats]
    lines = [f"{game.title}, {preset}: {m.seats} players, seed {SEED!r}", ""]
    lines += sentences(m.events, m)
    lines += ["", "Hands, from eldest:"]
    order = [(m.dealer + 1 + i) % m.seats for i in range(m.seats)]
    lines += [f"  {names[seat]:<5} {' '.join(m.view(seat).hand)}" for seat in order]
    lines += [f"  {zone.label}: {zone.count} cards" for zone in m.view().zones if zone.kind == "stock"]
    lines += ["", "Play:"]
    number = 0
    while m.actors:
        seat = m.actors[0]
        state = m._s
        moves = np.array(m._codes(seat), np.int64)
        move = game.words.move_text(state, int(contract.advise(state, seat, moves, len(moves))))
        choice = f"{len(moves)} to choose from" if len(moves) > 1 else "the only move"
        number += 1
        m.play(move, seat)
        lines.append(f"{number:>3}. {names[seat]:<5} {move:<5} {choice}")
        lines += [f"            {line}" for line in sentences([event for event in m.events if event.kind not in ("lay", "pass", "draw", "done", "accept")], m)]
    result = m.results[-1]
    lines += ["", "Settlement:"]
    lines += [f"  {name:<5} {gain:+d}, now {score}" for name, gain, score in zip(names, result.payoff, m.scores, strict=True)]
    lines += ["", f"{'Nobody' if result.winner is None else names[result.winner]} wins the deal in {number} moves."]
    return "\n".join(lines) + "\n"


def sentences(events: list[Event] | tuple[Event, ...], m: Match) -> list[str]:
    """Events as a reader wants them, each with its rule."""
    return [event.told(NAMES) + "." for event in events]


def main() -> None:
    """Write all golden deals."""
    HOME.mkdir(exist_ok=True)
    for game, preset in deals():
        path(game, preset).write_text(told(game, preset), "utf-8")


if __name__ == "__main__":
    main()
