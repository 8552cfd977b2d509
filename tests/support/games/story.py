"""Signatures of every game's behaviour: seeded games told as text and hashed, and what its states hold.

    python -m tests.support.games.story --write   write tests/signatures.toml again, after a change of rules (which
comes
    with a new `version` of the game) python -m tests.support.games.story           print the signatures as TOML;
    `NUMBA_DISABLE_JIT=1` plain, `NUMBA_BOUNDSCHECK=1` checked

A story holds two deals at random and, where those do not reach what a house rule changes, what it is aimed at
(aims.py): what was dealt, every legal move, the move made, every event, scores, payoff, whether the match is over and
the heuristic's choice. So it does not change with the layout of states or the speed of anything. A change that is
"no change in rules" leaves it alone.

A second hash is of the states on the way, field by field, those that a viewer may know and the worlds drawn from them
included. It notices what no story tells: a card that is not erased, a counter that begins too high. A field that is
added, renamed or dropped changes it. Both must agree compiled, plain and bounds-checked.
"""

from __future__ import annotations

import functools
import hashlib
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np

from cardtable.rules import contract, worlds
from cardtable.testing.houses import (
    House,
    deal_out,
    great_houses,
    moments,
    payoff_of,
    redacted,
    scores_of,
    single_houses,
)
from tests.support.games.aims import Aim, aimed_at

HOME = Path(__file__).parents[2] / "signatures.toml"
DEALS = 2


def story(house: House) -> tuple[str, str]:
    """The hashes of a house's seeded deals: of what happened, and of the states on the way."""
    events, states = hashlib.sha256(), hashlib.sha256()
    s = house.open("signature")
    work = worlds.Work.new()
    for deal in range(DEALS):
        deal_out(s)
        events.update(f"{s.deal_number} {s.dealer} {events_text(house, s)}".encode())
        for number, seat, moves in moments(
            house.entry, s, f"signature {deal}", "mostly last" if deal % 2 else "random"
        ):
            advice = int(contract.heuristic(s, seat, np.array(moves, np.int64), len(moves)))
            events.update(f"\n{number} {seat} {moves} {advice} {events_text(house, s)} {scores_of(s)}".encode())
            if number % 16 == 5:
                states.update(held_text(house, s))
                for viewer in (seat, (seat + 1) % house.seats, -1):
                    states.update(held_text(house, redacted(s, viewer)))
                world = redacted(s, seat)
                world.rng[:] = s.rng
                contract.resample(world, seat, work)
                states.update(held_text(house, world))
        events.update(f"\n{events_text(house, s)} {scores_of(s)} {payoff_of(s)} {s.winner}".encode())
        states.update(held_text(house, s))
        if contract.standing(s, np.zeros(contract.MAX_SEATS, np.int64)):
            break
    for aim in aimed_at(house):
        tell_aim(house, aim, events, states)
    return events.hexdigest()[:16], states.hexdigest()[:16]


def tell_aim(house: House, aim: Aim, events: Any, states: Any) -> None:
    """Play on from where an aim begins, to the end of its deals or of the match."""
    s = aim.begin(house, "aim")
    for deal in range(aim.deals):
        events.update(f"\naimed {s.dealer} {events_text(house, s)}".encode())
        for number, seat, moves in moments(house.entry, s, f"aim {deal}", aim.policy):
            if number > aim.moves:
                break
            events.update(f"\n{number} {seat} {moves} {events_text(house, s)}".encode())
        over = int(contract.standing(s, np.zeros(contract.MAX_SEATS, np.int64)))
        events.update(f"\n{events_text(house, s)} {scores_of(s)} {over}".encode())
        states.update(held_text(house, s))
        if over or contract.actors(s):
            return
        if deal + 1 < aim.deals:
            deal_out(s)


def held_text(house: House, s: Any) -> bytes:
    """What a state holds, except the house rules: its fields by name, whatever their sizes and places; of events, what
    they tell.
    """
    held = [
        f"{name} {np.asarray(s[name]).tolist()}"
        for name in sorted(house.entry.rules.State.fields)
        if name not in ("rules", "events")
    ]
    return "\n".join([*held, events_text(house, s)]).encode()


def events_text(house: House, s: Any) -> str:
    events = house.entry.events_of(s)
    return str(
        [(one.kind, one.source, one.target, one.amount, one.card, one.place, one.rule, one.viewer) for one in events]
    )


def stories(part: int = 0, parts: int = 1, game: str = "") -> dict[str, tuple[str, str]]:
    """The stories of every game, preset, number of seats and house rule that the contract suite plays. game: only of
    this one.
    """
    houses = [house for house in dict.fromkeys([*great_houses(), *single_houses()]) if game in ("", house.game)]
    return {str(house): story(house) for house in houses[part::parts]}


def signatures(hashes: dict[str, tuple[str, str]]) -> dict[str, str]:
    """One signature for each game: the hash of its houses' stories."""
    games: dict[str, list[str]] = {}
    names = sorted({house.game for house in great_houses()}, key=len, reverse=True)
    for name, (events, _) in sorted(hashes.items()):
        games.setdefault(next(game for game in names if name.startswith(game + "-")), []).append(f"{name} {events}")
    return {game: hashlib.sha256("\n".join(lines).encode()).hexdigest() for game, lines in sorted(games.items())}


def text(hashes: dict[str, tuple[str, str]]) -> str:
    """What tests/signatures.toml holds: a line a game, and the stories by which to find what changed."""
    lines = [
        "# What every game does, as hashes (python -m tests.support.games.story --write). A "
        "change that is no change in rules leaves this alone.",
        "",
        "[games]",
    ]
    lines += [f'{game} = "{value}"' for game, value in signatures(hashes).items()]
    lines += ["", "[houses]", *(f'"{name}" = "{events}"' for name, (events, _) in sorted(hashes.items()))]
    lines += ["", "# What the states hold on the way: a field that is added, renamed or dropped changes these, too."]
    lines += ["[states]", *(f'"{name}" = "{states}"' for name, (_, states) in sorted(hashes.items()))]
    return "\n".join(lines) + "\n"


@functools.cache
def kept() -> dict[str, dict[str, str]]:
    """The signatures that the repository keeps."""
    return tomllib.loads(HOME.read_text("utf-8"))


def kept_stories() -> dict[str, tuple[str, str]]:
    """The stories that the repository keeps."""
    return {name: (events, kept()["states"][name]) for name, events in kept()["houses"].items()}


def main(arguments: list[str]) -> None:
    """Print the hashes of all houses (`--some N`: of each N-th), or write the file (`--write GAME`: only what a game
    does; the other games stay as they are).
    """
    if "--write" in arguments:
        game = "".join(arguments[arguments.index("--write") + 1 :][:1])
        others = [house for house in kept_stories() if game and not house.startswith(f"{game}-")]
        HOME.write_text(text({name: kept_stories()[name] for name in others} | stories(game=game)), "utf-8")
        return
    parts = int(arguments[arguments.index("--some") + 1]) if "--some" in arguments else 1
    for name, (events, states) in stories(0, parts).items():
        sys.stdout.write(f'"{name}" = "{events} {states}"\n')


if __name__ == "__main__":
    main(sys.argv[1:])
