"""What a change of the code's shape must leave as it is: play, the live table, the server's API, the public names.

    python -m tests.support.frozen                 write tests/frozen/ again (after a change that is meant to show)
    python -m tests.support.frozen play [SEED]     print what is played on other deals, to compare two versions of the
    code

Each file has a line for each thing. Where a line would be long, it has a digest: `play SEED --whole` at both versions
prints the texts.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import inspect
import itertools
import json
import random
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from cardtable import CardtableError, Match
from cardtable.rules import catalog
from cardtable.server.app import described
from cardtable.table import Setup
from cardtable.table import events as ev
from cardtable.table.projection import table_seen, view_seen
from cardtable.table.setup import checked
from cardtable.testing.houses import House, covering_houses, play_on
from tests.support.server.live import Driven

HOME = Path(__file__).parents[1] / "frozen"
PAGES = Path(__file__).parents[2] / "docs" / "reference"
SEED = "frozen"
MOVES = 50  #: of a match, at most
ODD = ("pass", "7H", "AS KD", "draw", "1", "nonsense")  #: moves that somebody might type at any time


def digest(lines: Iterable[str]) -> str:
    digested = hashlib.sha256()
    for line in lines:
        digested.update(line.encode() + b"\n")
    return digested.hexdigest()[:20]


# Play


@functools.cache
def houses(name: str) -> list[House]:
    """A game's houses in which any two of its rules meet."""
    return covering_houses([catalog.find(name)])


def played(house: House, seed: str = SEED) -> Iterator[str]:
    """A match played at random, as text: what everybody sees, may do and is refused; events, positions, the record."""
    dice = random.Random(f"{seed} {house}")
    auto = dice.random() < 0.5
    m = Match(house.game, house.seats, house.preset, digest([f"{seed} {house}"]), auto=auto, **house.options)
    real = m.game.real_time(m.options) is not None
    for number in range(MOVES):
        if not m.actors:
            break
        yield f"{number} {m.deal} {m.dealer} {m.actors} {m.scores} {m.window}"
        yield from (f"{event.told()} {event.rule}" for event in m.events)
        for seat in range(m.seats):
            yield f"{seat} {m.legal(seat)}"
        seat = dice.randrange(m.seats)
        yield str(refusal(m, dice.choice(ODD), seat))
        if number % 8 == 0:
            for viewer in (None, *range(m.seats)):
                yield json.dumps(m.view(viewer).as_dict())
            yield m.view(seat).text()
            yield m.position().text
        play_on(m, lambda actor: dice.choice(m.legal(actor)), 0 if real else dice.randrange(12))
    yield from (f"{event.told()} {event.rule}" for event in m.events)
    yield str(m.result)
    yield str(m.record())


def refusal(m: Match, move: str, seat: int) -> tuple[str, str, str] | None:
    """How a move is refused: the code, the rule, the words."""
    error = m.why_not(move, seat)
    return (error.code, error.rule, str(error)) if error else None


def play(name: str, preset: str = "", seed: str = SEED, rendered: Callable[[Iterable[str]], str] = digest) -> list[str]:
    """A line for each house of a game, or of one of its presets. rendered: what is made of a match's lines."""
    chosen = [house for house in houses(name) if preset in ("", house.preset)]
    return [f"{house} {rendered(played(house, seed))}" for house in chosen]


# The live table


def driven(name: str) -> Iterator[str]:
    """A match at a live table, as text: the log, and what everybody is sent."""
    seats = checked(Setup(name)).seats or 2
    people = "ab"[:seats]
    t = Driven(name, people, bots=("",) * len(people) + ("soft",) * (seats - len(people)))
    logged = 0
    for _ in range(60):
        for entry in t.log[logged:]:
            yield ev.encode(entry).decode()
        logged = len(t.log)
        for viewer in range(t.table.spectator + 1):
            yield msgspec.json.encode(view_seen(t.table, viewer)).decode()
        for owner in (*people, "stranger"):
            yield msgspec.json.encode(table_seen(t.table, owner, people)).decode()
        if t.table.stage == "playing":
            yield str(t.move(people[0], "nonsense"))
        if t.table.stage == "over":
            break
        t.step()


def live() -> list[str]:
    return [f"{name} {digest(driven(name))}" for name in catalog.games()]


# The API, the names


def api() -> list[str]:
    """A line for each operation and each schema of the server's API, with its digest."""
    document = dict(described())
    answers = {
        f"{method.upper()} {path}": one
        for path, methods in document.pop("paths").items()
        for method, one in methods.items()
    }
    for kind, parts in document.pop("components").items():
        answers |= {f"{kind} {name}": one for name, one in parts.items()}
    answers["the rest"] = document
    return [f"{name}  {digest([json.dumps(one, sort_keys=True)])}" for name, one in sorted(answers.items())]


def names() -> list[str]:
    """Everything that the reference documents: classes, their public members, functions, with their parameters."""
    lines: list[str] = []
    for module in documented():
        home = importlib.import_module(module)
        for name, one in vars(home).items():
            if name.startswith("_") or getattr(one, "__module__", None) != module:
                continue
            if inspect.isclass(one):
                lines += members(name, one)
            elif callable(one):
                lines.append(f"{name}{parameters(one)}")
    return sorted(lines)


def documented() -> list[str]:
    return sorted(set(re.findall(r"automodule:: ([\w.]+)", "".join(map(_text, PAGES.glob("*.md"))))))


def members(name: str, owner: type) -> Iterator[str]:
    """A class, and what is public of it and of those that it extends and that no page documents."""
    made_by_others = not issubclass(owner, CardtableError) and not getattr(owner, "_is_protocol", False)
    yield f"{name}{parameters(owner) if made_by_others else ''}"
    classes = {owner} | {each for each in owner.__mro__ if each.__module__ not in {*documented(), "builtins"}}
    own = {member: one for each in reversed(owner.__mro__) if each in classes for member, one in vars(each).items()}
    for member, one in own.items():
        if member.startswith("_"):
            continue
        function = getattr(one, "__func__", one)
        if inspect.isfunction(function):
            yield f"{name}.{member}{parameters(function)}"
        else:
            yield f"{name}.{member}"


def parameters(one: Callable[..., Any]) -> str:
    try:
        signature = inspect.signature(one)
    except (TypeError, ValueError):
        return ""
    return re.sub(r" at 0x[0-9a-f]+|<factory>", "", str(untyped(signature)))


def untyped(signature: inspect.Signature) -> inspect.Signature:
    plainly = [p.replace(annotation=inspect.Parameter.empty) for p in signature.parameters.values()]
    return signature.replace(parameters=plainly, return_annotation=inspect.Signature.empty)


def _text(path: Path) -> str:
    return path.read_text("utf-8")


FILES: dict[str, Callable[[], list[str]]] = {
    "play": lambda: list(itertools.chain.from_iterable(play(name) for name in catalog.games())),
    "live": live,
    "api": api,
    "names": names,
}


def kept(name: str) -> list[str]:
    """The lines of a file."""
    return _text(HOME / f"{name}.txt").splitlines()


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["play"]:
        whole = "--whole" in arguments
        seed = next((word for word in arguments[1:] if word != "--whole"), SEED)
        for name in catalog.games():
            for line in play(name, "", seed, "\n".join if whole else digest):
                sys.stdout.write(line + "\n")
        return
    HOME.mkdir(exist_ok=True)
    for name, make in FILES.items():
        (HOME / f"{name}.txt").write_text("\n".join(make()) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
