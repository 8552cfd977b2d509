"""Third-party bots, named `package.module:Class` or by an entry point of the group `cardtable.bots`.

A bot is a class: `Class(seed)` creates a player (`OutsidePlayer`) for one seat of one match (of one deal, in a league),
and `choose(view)` returns its move in notation. Or it is a policy: a compiled function `policy(state, seat, moves, n)`
(`kernel.rule`), which studies inline in their playouts. See docs/adding-a-bot.md.
"""

from __future__ import annotations

import functools
import importlib
import threading
import traceback
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from cardtable.base.errors import BotError, NotationError, OptionError
from cardtable.base.message import Message
from cardtable.base.types import MoveCode, MoveText, SeatNumber, Seed
from cardtable.bots.players import Bot
from cardtable.bots.registry import called, is_outside
from cardtable.kernel import prng
from cardtable.kernel.policies import is_rule
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.views.view import View

if TYPE_CHECKING:
    from cardtable.views.observed import Past

Policy = Callable[[State, SeatNumber, Any, int], int]


class OutsidePlayer(Protocol):
    """A player for one seat, as created by a bot's class."""

    def choose(self, view: View) -> MoveText:
        """The move of the view's seat, one of `view.legal`, in notation. It is asked only if there is a choice, by one
        thread at a time.
        """


@functools.cache
def found(name: str) -> object:
    """Import the class or the policy with this name.

    Raises OptionError: `bot/module`, the module cannot be imported; `bot/class`, it has no such name; `bot/type`, it
    is not a bot.
    """
    path = called(name)
    module, _, attribute = path.partition(":")
    what = Message("bot {name}", name=name)
    try:
        home = importlib.import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise _unimportable(what, module, error) from error
        raise OptionError(
            what,
            Message("there is no module {module}", module=module),
            Message("install its package into this Python, or begin in the folder that holds it"),
            code="bot/module",
        ) from None
    except Exception as error:  # a module may raise anything
        raise _unimportable(what, module, error) from error
    thing = getattr(home, attribute.strip(), None)
    if thing is None:
        raise OptionError(
            what,
            Message("the module {module} has no {name}", module=module, name=attribute),
            Message("write module:Class with the name of a class in it"),
            code="bot/class",
        )
    if not is_rule(thing) and not (isinstance(thing, type) and callable(getattr(thing, "choose", None))):
        raise OptionError(
            what,
            Message("{name} is neither a class with a method choose(view) nor a compiled rule", name=attribute),
            Message("see docs/adding-a-bot.md"),
            code="bot/type",
        )
    return thing


def check_plays(name: str, game: str) -> None:
    """Refuse a bot whose `games` exclude this game ("": any). Raises OptionError."""
    games = getattr(found(name), "games", None)
    names = (games,) if isinstance(games, str) else tuple(games or ())
    if game and names and game not in names:
        raise OptionError(
            Message("bot {name} in {game}", name=name, game=game),
            Message("it plays only: {listed}", listed=", ".join(map(str, names))),
            Message("choose another bot, or one of its games"),
            code="bot/game",
        )


def _unimportable(what: Message, module: str, error: BaseException) -> OptionError:
    return OptionError(
        what,
        Message("importing {module} raises {error}", module=module, error=told(error)),
        Message("correct the module"),
        code="bot/module",
    )


def told(error: BaseException) -> str:
    """An error of another package in a few words: its class, its text, and where it was raised."""
    last = traceback.extract_tb(error.__traceback__)
    place = f" ({last[-1].filename}, line {last[-1].lineno})" if last else ""
    return f"{type(error).__name__}: {str(error)[:200]}".rstrip(": ") + place


def policy(name: str) -> Policy | None:
    """The compiled function of a bot from outside, if it is one; None for a class. Raises OptionError."""
    thing = found(name)
    return None if isinstance(thing, type) else cast(Policy, thing)


class Outside(Bot):
    """Adapter from a third-party bot to a player; it checks the returned moves.

    It has one seat's memory, so a second thread that asks it while it thinks is refused.
    """

    def __init__(self, name: str, seed: Seed, rules: str = "") -> None:
        """rules: the preset named in views that no match makes. Raises OptionError, BotError."""
        super().__init__(prng.key_of(seed))
        self.name, self.rules = name, rules
        made: Any = found(name)
        self.policy: Policy | None = policy(name)
        self._made: Any = made
        if self.policy is None:
            try:
                self._made = self._made(str(seed))
            except Exception as error:
                raise self._failed(Message("made with its seed, it raises {error}", error=told(error))) from error
        self.infers = bool(getattr(self._made, "infers", False)) and self.policy is None
        self._thinking = threading.Lock()

    def __getstate__(self) -> dict[str, object]:
        """The state without the lock and without a policy, which is found again by its name."""
        return {**self.__dict__, "_thinking": None, "policy": None, "_made": None if self.policy else self._made}

    def __setstate__(self, saved: dict[str, object]) -> None:
        self.__dict__.update(saved, _thinking=threading.Lock())
        self.policy = policy(self.name)
        self._made = self._made if self.policy is None else self.policy

    def move(self, game: Game, state: State, seat: SeatNumber, past: Past | None = None) -> MoveCode:
        check_plays(self.name, game.name)
        room = np.empty(game.rules.MAX_MOVES + 1, np.int64)
        n = int(contract.legal(state, seat, room))
        if n == 1:
            return int(room[0])
        if self.policy is not None:
            return self._decided(state, seat, room, n)
        scores = np.zeros(contract.MAX_SEATS, np.int64)
        contract.standing(state, scores)
        mask, seats = int(contract.actors(state)), int(state.seats)
        view = View(
            game,
            self.rules or game.presets[0],
            seat,
            state,
            tuple(room[:n].tolist()),
            tuple(p for p in range(seats) if mask >> p & 1),
            tuple(scores[:seats].tolist()),
            (),
            _recall=(lambda: past) if past is not None else None,
        )
        return self._chosen(view)

    def choose(self, view: View) -> MoveText:  # type: ignore[override]  # a whole view, not only what `Bot` needs
        if view.seat is None:
            raise ValueError("a bot needs a seat's view, not a spectator's")
        check_plays(self.name, view.game.name)
        if len(view.moves) == 1:
            return view.legal[0]
        if self.policy is None:
            return view.game.presentation.move_text(view.state, self._chosen(view))
        room = np.array([*view.moves, 0], np.int64)
        return view.game.presentation.move_text(view.state, self._decided(view.state, view.seat, room, len(view.moves)))

    def _decided(self, state: State, seat: SeatNumber, room: Any, n: int) -> MoveCode:
        """The move of a policy. Raises BotError."""
        assert self.policy is not None
        try:
            move = int(self.policy(state.copy(), seat, room[:n].copy(), n))
        except Exception as error:  # of the compiler, or of plain Python
            raise self._failed(Message("it raises {error}", error=told(error))) from error
        if move not in room[:n]:
            raise wrong_move(self.name, seat, move)
        return move

    def _chosen(self, view: View) -> MoveCode:
        """The move of a class. Raises BotError."""
        if not self._thinking.acquire(blocking=False):
            raise BotError(
                self.name,
                Message("bot {name}", name=self.name),
                Message("another thread is asking it just now, and it has the memory of one seat"),
                Message("make one bot for each thread"),
                code="bot/threads",
            )
        try:
            chosen = self._made.choose(view)
        except Exception as error:
            raise self._failed(Message("it raises {error}", error=told(error))) from error
        finally:
            self._thinking.release()
        words = view.game.presentation
        what = Message("bot {name} plays {move}", name=self.name, move=repr(chosen)[:60])
        can = Message("it may: {moves}", moves=", ".join(view.legal[:12]))
        try:
            move = words.parse_move(view.state, chosen if isinstance(chosen, str) else "")
        except NotationError as error:
            why = error.parts[1] if isinstance(chosen, str) else Message("a move is a text in notation")
            raise BotError(self.name, what, why, can, code="bot/move") from None
        if move not in view.moves:
            assert view.seat is not None
            raise BotError(self.name, what, words.why_not(view.state, view.seat, move)[0], can, code="bot/move")
        return move

    def _failed(self, why: Message) -> BotError:
        return BotError(self.name, Message("bot {name}", name=self.name), why, Message("mend it"))


def wrong_move(name: str, seat: SeatNumber, move: MoveCode) -> BotError:
    """The error for a policy that chose a code that is no legal move of a seat."""
    return BotError(
        name,
        Message("bot {name}", name=name),
        Message("its policy chose {move} for seat {seat}, which is not one of the n moves", move=move, seat=seat),
        Message("it must return one of moves[0] to moves[n - 1]"),
        code="bot/move",
    )


def policies(levels: Iterable[str]) -> dict[str, Policy]:
    """Those of the bots that are policies, by name, in order. Raises OptionError."""
    return {
        level: given for level in dict.fromkeys(levels) if is_outside(level) and (given := policy(level)) is not None
    }
