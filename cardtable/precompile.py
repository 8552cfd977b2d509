"""Compiling a game before it is needed: once for each version of the sources, in several processes if that is faster.

A game's rules are compiled first, then study and search, so that a program that only plays waits only for the rules.
All games of a rules module share their compiled code.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from cardtable.base.message import Message, mark
from cardtable.kernel import Switch, cache, prng
from cardtable.kernel.bits import lowest
from cardtable.kernel.outside import digest, is_outside
from cardtable.rules.game import Game

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from cardtable.rules.contract import State

RULES, SEARCH, SOLVER, STUDY = "rules", "search", "solver", "study"
ENVIRONMENTS, OPEN_CARDS = "environments", "open-cards"
WORDS = {
    RULES: mark("Compiling the rules of {game} (once, a few seconds) ..."),
    SEARCH: mark("Compiling search for {game} (once, about ten seconds) ..."),
    SOLVER: mark("Compiling the solver of {game} (once, about ten seconds) ..."),
    STUDY: mark("Compiling simulation for {game} (once, a few seconds) ..."),
    OPEN_CARDS: mark("Compiling search for {game} (once, about ten seconds) ..."),
    ENVIRONMENTS: mark("Compiling environments of {game} (once, a few seconds) ..."),
}


def ready(
    game: Game, search: bool = True, study: bool = False, environments: bool = False, open_cards: bool = False
) -> bool:
    """Whether a game's rules, and its search (with its solver, if it has one), study, environments and what sees all
    cards (`ending`) if asked for, are compiled or need not be.
    """
    return all(cache.ready(_name(game, part)) for part in _parts(game, search, study, environments, open_cards))


def _parts(game: Game, search: bool, study: bool, environments: bool, open_cards: bool) -> list[str]:
    """The parts that are asked for, in the order in which they are compiled."""
    asked = {
        RULES: True,
        STUDY: study,
        ENVIRONMENTS: environments,
        SEARCH: search,
        SOLVER: search and game.solvable,
        OPEN_CARDS: open_cards and not game.solvable,  # a solver gives more detail
    }
    return [part for part, wanted in asked.items() if wanted]


def plain() -> bool:
    """Whether the rules run as plain Python just now, because they are being compiled or never will be."""
    return Switch.plain or bool(cache.config.DISABLE_JIT)


def warm(
    game: Game,
    search: bool = True,
    study: bool = False,
    say: Callable[[Message], object] = str,
    *,
    environments: bool = False,
    open_cards: bool = False,
) -> None:
    """Compile the requested parts of a game that are not compiled yet; `say` is called with a message before each
    part.

    If there is more than one core, another process compiles search at the same time; the two share compiled rules.
    """
    wanted = _parts(game, search, study, environments, open_cards)
    missing = [part for part in wanted if not cache.ready(_name(game, part))]
    beside = _beside(game) if {RULES, SEARCH} <= set(missing) and (os.cpu_count() or 1) > 1 else None
    try:
        for part in missing:
            say(Message(WORDS[part], game=Message(game.title)))
            if part == SEARCH and beside is not None:
                beside.wait()
            if not cache.ready(_name(game, part)):
                compile_part(game, part)
    finally:
        if beside is not None:
            beside.terminate()
            beside.communicate()


def _beside(game: Game) -> subprocess.Popen[bytes] | None:
    """Start a process that compiles a game's search; None if that fails. The caller compiles the rest."""
    command = [sys.executable, "-m", "cardtable.precompile", game.name, SEARCH]
    environment = os.environ | {"CARDTABLE_CACHE": str(cache.ROOT)}
    with contextlib.suppress(OSError):
        return subprocess.Popen(
            command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    return None


def compile_part(game: Game, part: str) -> None:
    """Compile a part of a game in this process. Raises OptionError as `opening`."""
    collecting = gc.isenabled()
    gc.disable()  # collecting the compiler's garbage takes a twentieth of the time
    try:
        EXERCISES[part](game)
    finally:
        if collecting:
            gc.enable()
    cache.done(_name(game, part))


def _name(game: Game, part: str) -> str:
    """The cache's name for a part of a game; for a third-party game it includes the sources of its rules."""
    family = game.package.rpartition(".")[2]
    own = f"{family if game.module == 'rules' else game.module}-{part}"
    return f"{game.package}-{digest(f'{game.package}.{game.module}')}-{own}" if is_outside(game.package) else own


def opening(game: Game) -> tuple[State, NDArray[np.int64]]:
    """A first deal with the default rules, dealt in plain Python, and room for moves: arguments for trial calls.

    Raises OptionError (`game/moves`) if a game from another package has more moves than there would be room for.
    """
    from cardtable.rules import contract, first_deals
    from cardtable.rules.ruleset import Ruleset

    s = first_deals.checked(Ruleset.parse(game))
    plainly, Switch.plain = Switch.plain, True
    try:
        s.seed[:] = prng.key_of("warm")
        s.record_events = 1
        contract.open_match(s)
        contract.next_deal(s, np.empty(112, np.int64))
    finally:
        Switch.plain = plainly
    return s, np.empty(game.rules.MAX_MOVES + 1, np.int64)


def _exercise_rules(game: Game) -> None:
    """Call each function of the contract that a match needs, as plain Python calls it; search's come first."""
    from cardtable.rules import contract
    from cardtable.search import softened

    s, moves = opening(game)
    seat = lowest(contract.actors(s))
    n = contract.legal(s, seat, moves)
    contract.play(s.copy(), seat, int(moves[0]))
    contract.heuristic(s, seat, moves, n)
    softened.choice(s, seat, moves, n, 100, s.rng)
    contract.redact(s.copy(), seat)
    contract.payoff(s, np.zeros(contract.MAX_SEATS))
    contract.bounds(s, np.zeros(3))
    contract.observed(s, seat, int(moves[0]), seat)
    contract.is_pass(s, int(moves[0]))
    contract.pack(s, np.empty(112, np.int64))
    contract.next_deal(s.copy(), np.empty(112, np.int64))
    contract.open_match(s)
    contract.standing(s, np.zeros(contract.MAX_SEATS, np.int64))
    prng.below(s.rng, 2)


def _exercise_search(game: Game) -> None:
    from cardtable.bots.searcher import Searcher
    from cardtable.rules import contract, worlds
    from cardtable.views.observed import redacted

    s, moves = opening(game)
    key = prng.key_of("warm")
    seat = lowest(contract.actors(s))
    contract.legal(s, seat, moves)
    known = redacted(s, seat)
    Searcher(game, 64)(known, seat, key, iterations=64)
    known.rng[:] = key  # redacted words are all zero
    contract.resample(known, seat, worlds.Work.new())
    if game.player is not None:
        game.player().move(redacted(s, seat), key, 10_000, 0.0)
    if game.weighs:
        _exercise_weights(game, s, key)


def _exercise_weights(game: Game, s: State, key: prng.Words) -> None:
    """Weight worlds once, as soon as others have done something."""
    from cardtable.rules import contract
    from cardtable.search import chain
    from cardtable.views.observed import Past, redacted

    moves = np.empty(game.rules.MAX_MOVES + 1, np.int64)
    weigher = (
        game.weigher(chain.CHAINS, chain.POOL)
        if game.weigher
        else chain.Weighted(game.rules.State, game.rules.MAX_MOVES)
    )
    seats = int(s.seats)
    pasts = [Past(game.rules.State, seat) for seat in range(seats)]
    for _ in range(4 * seats):
        seat = lowest(contract.actors(s))
        n = contract.legal(s, seat, moves)
        move = contract.heuristic(s, seat, moves, n) if n > 1 else moves[0]
        for past in pasts:
            past.saw(s, seat, int(move))
        contract.play(s, seat, move)
        if not contract.actors(s):
            return
        viewer = lowest(contract.actors(s))
        if weigher.begin(redacted(s, viewer), pasts[viewer], key):
            weigher.draw()
            return


def _exercise_solver(game: Game) -> None:
    """Solve a deal for one position: everything is compiled before that."""
    from cardtable.rules.solver import Limits

    s, _ = opening(game)
    if game.solver is not None:
        game.solver(s, Limits(None, 1))


def _exercise_open_cards(game: Game) -> None:
    """Begin to look for the best move with all cards seen."""
    from cardtable.analysis.endgame import OpenCards
    from cardtable.rules import contract
    from cardtable.rules.solver import Limits

    s, _ = opening(game)
    cards = OpenCards(game, 16)
    cards.start(s)
    cards.find(lowest(contract.actors(s)), Limits(None, 1))


def _exercise_study(game: Game) -> None:
    from cardtable.rules import contract
    from cardtable.search import playouts

    s, moves = opening(game)
    players = np.zeros(contract.MAX_SEATS, np.int64)
    total = playouts.Totals.new()
    playouts.played(s.copy(), players, moves, total, playouts.NO_LOG)
    playouts.replayed(s.copy(), np.zeros(0, np.int64), np.zeros(0, np.int64), moves)
    rows = np.zeros((1, playouts.COLUMNS))
    log, ends = np.zeros((1, playouts.LOGGED), np.uint64), np.zeros((1, playouts.ENDED), np.int64)
    room = playouts.Workspace(moves, np.empty(112, np.int64), rows, log, ends)
    playouts.simulate(s, prng.key_of("warm"), 0, 1, 1, players, total, room)


def _exercise_environments(game: Game) -> None:
    from cardtable.rules import contract
    from cardtable.search.tables import Tables

    s, _ = opening(game)
    tables = Tables(game, [s], 1)
    tables.begin(prng.key_of("warm"))
    tables.run(tables.all, 0, 1)
    tables.pick(0, 1, tables.chosen)
    tables.choose(0, 1, tables.chosen)
    tables.redact(0, 1, game.rules.State.row(1))
    tables.features(0, 1, np.empty((1, tables.width), np.uint8))
    tables.features_of(s, 0)
    action = int(contract.action_of(s, int(tables.moves[0, 0])))
    contract.move_of(s, action)


EXERCISES = {
    RULES: _exercise_rules,
    SEARCH: _exercise_search,
    SOLVER: _exercise_solver,
    OPEN_CARDS: _exercise_open_cards,
    STUDY: _exercise_study,
    ENVIRONMENTS: _exercise_environments,
}


class Behind:
    """A game being compiled by another process, while this one runs its rules as plain Python.

    When the other process is done, `Switch.plain` is turned off and compiled rules are used. If it fails, play
    continues in plain Python, and `error` gives the reason.
    """

    def __init__(self, game: Game, command: Sequence[str]) -> None:
        self.game = game
        self.error = ""
        Switch.plain = True
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            self.error = str(error)
            self._watcher = None
            return
        atexit.register(self.close)
        self._watcher = threading.Thread(target=self._watch, name=f"compiling {game.name}", daemon=True)
        self._watcher.start()

    def _watch(self) -> None:
        """Wait for the process to end (which also reaps it), then switch over."""
        _, output = self._process.communicate()
        if ready(self.game):
            Switch.plain = False
        else:
            lines = output.decode(errors="replace").strip().splitlines()
            self.error = lines[-1] if lines else f"exit code {self._process.returncode}"
        atexit.unregister(self.close)

    @property
    def running(self) -> bool:
        """Whether it is still compiling."""
        return self._watcher is not None and self._watcher.is_alive()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, for at most `seconds`; return whether everything is compiled."""
        if self._watcher is not None:
            self._watcher.join(seconds)
        return ready(self.game)

    def close(self) -> None:
        """Stop compiling; finished parts stay in the cache."""
        if self._watcher is not None and self._watcher.is_alive():
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            self._watcher.join(5.0)


def warm_behind(game: Game, command: Sequence[str] | None = None) -> Behind | None:
    """Compile a game in another process, while this one continues in plain Python; None if it is compiled already.

    command: the command that compiles it; default: `cardtable warm NAME --no-study` with this Python.
    """
    if ready(game):
        return None
    return Behind(game, command or (sys.executable, "-m", "cardtable", "warm", game.name, "--no-study"))


def _end_with_whoever_began() -> None:
    """Wait until standard input is closed at its other end, then exit at once."""
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    from cardtable.rules import catalog

    threading.Thread(target=_end_with_whoever_began, daemon=True).start()
    compile_part(catalog.find(sys.argv[1]), sys.argv[2])
    os._exit(0)
