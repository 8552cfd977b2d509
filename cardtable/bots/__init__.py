"""Bots: players of several levels that use only what a seat may know, and their analysis of positions."""

from __future__ import annotations

import difflib
import re
import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cardtable.base.errors import OptionError, meant
from cardtable.base.message import Message
from cardtable.base.types import SeatNumber, Seed
from cardtable.bots.levels import LEVELS as LEVELS
from cardtable.bots.levels import WORDS, level_called
from cardtable.bots.registry import installed as installed
from cardtable.bots.registry import is_outside as is_outside

if TYPE_CHECKING:
    from cardtable.bots.players import Bot as Bot
    from cardtable.bots.searcher import SearchResult as SearchResult
    from cardtable.rules.contract import State
    from cardtable.rules.game import Game
    from cardtable.views.observed import Past

ITERATIONS = 2000  #: of a search without a number
EXPERT = 20_000, 1.0  #: iterations of an expert without a number, and the most seconds that it takes for them
THINKING = ("flat", "search", "expert")  #: the levels that have a budget
MOST_ITERATIONS = 100_000_000
UNIFORM = ":uniform"  #: after a budget: worlds are not weighted
#: What may follow `search` or `expert` and a budget: UNIFORM, and in how many threads it thinks (1 to 64).
_MANNERS = re.compile(r"(?::uniform|:threads=(?:[1-9]|[1-5][0-9]|6[0-4]))+$")
MOST_SECONDS = 3600.0


def bot(level: str, seed: Seed | None = None) -> Bot:
    """Make a player of a level: `random`, `soft`, `medium`, `search`, `expert`, or `flat`; `search:20000` sets the
    iterations for each decision, `search:0.5s` the time. The words for people (`easy`, `hard:0.5s`) also work.
    `expert` is a search of 20,000 iterations, or of one second, whichever ends first. `search:20000:uniform`
    does not weight worlds by the others' moves; `search:20000:threads=2` thinks in two threads. Third-party bots are
    given by their installed name or as `package.module:Class` (docs/adding-a-bot.md); the module is imported.

    Without a seed, a random one is used. A bot with a seed and a number of iterations is reproducible. Raises
    OptionError, and BotError if a third-party bot cannot be created.
    """
    from cardtable.bots import players  # imported late: it needs Numba
    from cardtable.kernel import prng

    name, iterations, seconds = parse_level(level)
    seed = secrets.token_hex(16) if seed is None else seed
    if name not in LEVELS:
        from cardtable.bots.third_party import Outside

        return Outside(name, seed)
    key = prng.key_of(seed)
    if name == "random":
        return players.Random(key)
    if name == "medium":
        return players.Medium(key)
    if name == "soft":
        return players.Soft(key)
    uniform, threads = manner(level)
    return players.SearchBot(
        key, iterations=iterations, seconds=seconds, flat=name == "flat", uniform=uniform, threads=threads, called=name
    )


def manner(level: str) -> tuple[bool, int]:
    """Whether a level's worlds are uniform, and in how many threads it thinks (0: in the one that asks)."""
    words = level.strip().lower().split(":")[1:]
    threads = [int(word[len("threads=") :]) for word in words if word.startswith("threads=")]
    return "uniform" in words, threads[-1] if threads else 0


def parse_level(level: str, game: str = "") -> tuple[str, int, float]:
    """A level's name, iterations (0: by time) and seconds (0: any time); a bot from another package's name, 0 and 0.0,
    after its module was imported. game: which it is to play, if that is known. Raises OptionError.
    """
    level = str(level)
    called = level_called(level)
    if is_outside(called):
        from cardtable.bots import third_party

        third_party.check_plays(called, game)
        return called, 0, 0.0
    name, colon, budget = called.partition(":")
    if name in ("search", "expert"):
        name, colon, budget = _MANNERS.sub("", called).partition(":")
    if name not in LEVELS:
        close = difflib.get_close_matches(name, [*LEVELS, *WORDS.values(), *installed()], 1)
        raise OptionError(
            Message("bot {level}", level=repr(level[:60])),
            Message("there is no such level"),
            meant(close, list(WORDS.values())),
        )
    if not colon:
        return (name, *EXPERT) if name == "expert" else (name, ITERATIONS if name in THINKING else 0, 0.0)
    if name not in THINKING:
        raise OptionError(
            Message("bot {level}", level=repr(level[:60])),
            Message("{name} has no budget", name=name),
            Message("write {name}", name=name),
        )
    if re.fullmatch(r"[0-9]{1,12}", budget) and 1 <= int(budget) <= MOST_ITERATIONS:
        return name, int(budget), 0.0
    if re.fullmatch(r"[0-9]{0,6}\.?[0-9]{1,6}s", budget) and 0.0 < float(budget[:-1]) <= MOST_SECONDS:
        return name, 0, float(budget[:-1])
    can = Message(
        "write {name}:20000 for iterations (1 to {most_iterations}) or {name}:0.5s for a time (to {most_seconds} "
        "seconds)",
        name=name,
        most_iterations=MOST_ITERATIONS,
        most_seconds=format(MOST_SECONDS, "g"),
    )
    raise OptionError(
        Message("bot {level}", level=repr(level[:60])),
        Message("{budget} is not a budget", budget=repr(budget[:40])),
        can,
    )


def levels_of(bots: str | Sequence[str], seats: int, *, game: str = "", others: bool = False) -> tuple[str, ...]:
    """The level of each seat, from one for all or one for each (a sequence, or words joined by commas).

    game: which they are to play, if that is known; others: these are the seats that somebody else leaves. Raises
    OptionError.
    """
    words = bots.replace(",", " ").split() if isinstance(bots, str) else bots
    levels = tuple(level_called(level) for level in words)
    levels = levels * seats if len(levels) == 1 else levels
    if len(levels) != seats:
        raise OptionError(
            Message("{value} bots", value=len(levels)),
            Message("there are {n} other seats", n=seats) if others else Message("there are {n} seats", n=seats),
            Message("name one bot for all of them, or one for each"),
        )
    for level in levels:
        parse_level(level, game)
    return levels


def analyse(
    game: Game, state: State, seat: SeatNumber, level: str = "search", seed: Seed = 0, past: Past | None = None
) -> SearchResult:
    """Values of a `flat` or `search` level for each legal move of `seat`, which may act, in a state redacted for it,
    as for hints. past: `View.past`.

    Raises OptionError, also for a level that does not search.
    """
    player = bot(level, seed)
    from cardtable.bots.players import SearchBot

    if not isinstance(player, SearchBot):
        raise OptionError(
            Message("analyse with {name}", name=player.name),
            Message("it chooses without weighing the moves"),
            Message("take search or flat"),
        )
    return player.analyse(game, state, seat, past)
