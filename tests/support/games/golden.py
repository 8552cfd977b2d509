"""Golden deals: one seeded deal of every preset, told so that a card player can follow it.

    python tests/golden.py            write tests/golden/<game>-<preset>.txt again (after a change of rules or of
words)

The players lay by the game's heuristic. A golden deal that is missing, or tells another story, fails.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from cardtable import Match
from cardtable.rules import catalog, contract
from cardtable.rules.events import Event
from cardtable.rules.game import Game
from cardtable.rules.zones import Column, labelled

HOME = Path(__file__).parents[2] / "golden"
SEED = "golden"
#: Kinds of events that the move itself tells, or that the table shows that is drawn after them.
UNTOLD = ("lay", "pass", "draw", "done", "dealt", "accept")
SHORT = {"move_cap": 120}  #: where a deal could go on without end
NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal")


def deals() -> list[tuple[Game, str]]:
    return [(game, preset) for game in catalog.games().values() for preset in game.presets]


def path(game: Game, preset: str) -> Path:
    return HOME / f"{game.name}-{preset}.txt"


def told(game: Game, preset: str) -> str:
    """The deal as text: hands, each move and why chips moved, what the table looks like now and then, the settlement.

    Who can tell that nothing useful is left, and has no stock, gives the deal up.
    """
    short: dict[str, Any] = {name: value for name, value in SHORT.items() if name in game.options.kinds()}
    m = Match(game.name, None, preset, SEED, auto=False, **short)
    names = NAMES[: m.seats]
    lines = [
        f"{game.title}, {preset}: {m.seats} player{'s' * (m.seats > 1)}, seed "
        f"{SEED!r}{''.join(f', {name} {value}' for name, value in short.items())}",
        "",
    ]
    lines += sentences(m.events, m)
    dealt = bool(hands(m))  # chips may be placed before the cards are dealt
    lines += ["", *opening(m), "", "Play:"]
    number = 0
    while m.actors:
        seat = m.actors[0]
        state = m._s
        moves = np.array(m._codes(seat), np.int64)
        move = game.presentation.move_text(state, int(contract.heuristic(state, seat, moves, len(moves))))
        choice = f"{len(moves)} to choose from" if len(moves) > 1 else "the only move"
        if game.outlook and not stock(m) and m.outlook().useful is False:
            lines.append(f"     {names[seat]:<5} resigns: nothing useful is left, and no stock.")
            m.resign(seat)
            break
        number += 1
        held = stock(m)
        m.play(move, seat)
        lines.append(f"{number:>3}. {names[seat]:<5} {move:<5} {choice}")
        lines += [
            f"            {line}" for line in sentences([event for event in m.events if event.kind not in UNTOLD], m)
        ]
        lines += columns(m) if stock(m) < held else []
        if not dealt and hands(m):
            dealt = True
            lines += ["", *hands(m), ""]
    if m.result and m.result.resigned is not None:
        return "\n".join([*lines, "", f"{names[seat]} has {m.scores[seat]} after {number} moves."]) + "\n"
    result = m.results[-1]
    lines += ["", "Settlement:"]
    lines += [
        f"  {name:<5} {gain:+d}, now {score}" for name, gain, score in zip(names, result.payoff, m.scores, strict=True)
    ]
    lines += ["", f"{'Nobody' if result.winner is None else names[result.winner]} wins the deal in {number} moves."]
    return "\n".join(lines) + "\n"


def opening(m: Match) -> list[str]:
    """What lies on the table when play begins: hands or columns, and the stock."""
    return (columns(m) or hands(m)) + [
        f"  {labelled(zone)}: {zone.count} cards" for zone in m.view().zones if zone.kind == "stock"
    ]


def hands(m: Match) -> list[str]:
    order = [(m.dealer + 1 + i) % m.seats for i in range(m.seats)]
    held = [(NAMES[seat], " ".join(m.view(seat).hand)) for seat in order]
    return (
        ["Hands, from eldest:", *(f"  {name:<5} {cards}".rstrip() for name, cards in held)]
        if any(cards for _, cards in held)
        else []
    )


def columns(m: Match) -> list[str]:
    """The columns, where a game has them: `*` for each card face down, the card on which nothing lies last."""
    zones = [zone for zone in m.view().zones if isinstance(zone, Column)]
    return ["Columns:"] * bool(zones) + [
        f"  {i:>2}  {' '.join(card or '*' for card in zone.cards)}".rstrip() for i, zone in enumerate(zones, 1)
    ]


def stock(m: Match) -> int:
    return sum(zone.count for zone in m.view().zones if zone.kind == "stock")


def sentences(events: list[Event] | tuple[Event, ...], m: Match) -> list[str]:
    """Events as a reader wants them, each with its rule."""
    return [event.told(NAMES) + "." for event in events]


def main() -> None:
    HOME.mkdir(exist_ok=True)
    for game, preset in deals():
        path(game, preset).write_text(told(game, preset), "utf-8")


if __name__ == "__main__":
    main()
