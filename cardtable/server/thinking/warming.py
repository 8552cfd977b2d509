"""If games are not compiled yet, the server starts at once, in plain Python, while another process compiles all
games.
"""

from __future__ import annotations

import contextlib
import contextvars
import subprocess
import sys
import threading

from cardtable.base.message import Message
from cardtable.kernel import Switch
from cardtable.match.match import Match
from cardtable.precompile import OPEN_CARDS, ready
from cardtable.rules.catalog import games
from cardtable.rules.game import Game

NOTHING = Message("")


class Warming:
    """The games being compiled in the background; rules run as plain Python until all are compiled."""

    def __init__(
        self, command: tuple[str, ...] = (sys.executable, "-m", "cardtable", "warm", "--all", "--no-study")
    ) -> None:
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._loaded: set[str] = set()
        self._closed = False
        #: why the games are not being compiled; a string is a text of the operating system
        self.error: Message | str = ""

    def start(self) -> None:
        """Begin to compile; if everything is compiled, begin to load a game."""
        if all(ready(game) for game in games().values()):
            # so that the first table does not have to wait for it
            here = contextvars.copy_context()
            threading.Thread(
                target=here.run, args=(self.load, next(iter(games().values()))), name="loading", daemon=True
            ).start()
            self._begin_rest()
            return
        Switch.plain = True
        try:
            self._process = subprocess.Popen(
                self._command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
        except OSError as error:
            self.error = str(error)
            return
        threading.Thread(target=self._watch, name="warming", daemon=True).start()

    def _watch(self) -> None:
        assert self._process is not None
        code = self._process.wait()
        if all(ready(game) for game in games().values()):
            Switch.plain = False
            self._begin_rest()
        elif code > 0:
            self.error = Message("compiling ended with exit code {code}", code=code)

    def _begin_rest(self) -> None:
        """Start compiling the parts that only reviews use, which give less detail until then."""
        threading.Thread(target=self._compile_rest, name="compiling", daemon=True).start()

    def _compile_rest(self) -> None:
        """Compile it for one game after another, each in a process that ends with this one."""
        for game in games().values():
            if self._closed or ready(game, search=False, open_cards=True):
                continue
            command = (sys.executable, "-m", "cardtable.precompile", game.name, OPEN_CARDS)
            with contextlib.suppress(OSError):
                self._process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
                )
                self._process.wait()

    @property
    def message(self) -> Message:
        """The current activity, for people; empty if there is nothing to wait for."""
        if not Switch.plain:
            return NOTHING
        waiting = [game.title for game in games().values() if not ready(game)]
        if self.error:
            return Message("The games run slowly: {error}.", error=self.error)
        if not waiting:
            return NOTHING
        return Message(
            "Compiling {game} ({n} to go, once): you can play; until then the bots play at medium level.",
            game=Message(waiting[0]),
            n=len(waiting),
        )

    def close(self) -> None:
        """Stop compiling; finished parts stay in the cache."""
        self._closed = True
        if self._process is not None and self._process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self._process.terminate()
            self._process.wait(5.0)

    def load(self, game: Game) -> None:
        """Load a game's rules into this process (in a thread: it can take half a second), once."""
        if game.name not in self._loaded:
            m = Match(game, pause=True)
            if m.actors and not m.real_time:
                m.view(m.actors[0]).as_dict()
                m.play(m.legal(m.actors[0])[0], m.actors[0])
            m.view(None)
            self._loaded.add(game.name)
