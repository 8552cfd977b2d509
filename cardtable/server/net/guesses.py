"""Limits on an address's wrong guesses of secret names."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from cardtable.server.net.guard import Rates
from cardtable.server.settings import Settings

T = TypeVar("T")


class Exhausted(Exception):
    """An address has guessed wrong too often."""

    def __init__(self, seconds: float) -> None:
        """seconds: until it may try again."""
        super().__init__(seconds)
        self.seconds = seconds


class Guesses:
    """Tries to name something that is secret. An address takes one of its rate (`guess_rate`) for each before it is
    known whether it is right, and gets it back if it is.
    """

    def __init__(self, settings: Settings, rates: Rates) -> None:
        self._rate = settings.guess_rate
        self._rates = rates
        self._open: dict[str, set[asyncio.Future[None]]] = {}  #: tries of each address whose outcome is not known yet

    async def guess(self, address: str, find: Callable[[], Awaitable[T | None]]) -> T | None:
        """The result of a guess. Raises Exhausted after too many wrong ones, also for a right one.

        Many people may come from one address at once, so a guess waits for pending ones before it is refused.
        """
        while wait := self._rates.wait("guess", address, self._rate):
            if not (others := self._open.get(address)):
                raise Exhausted(wait)
            await asyncio.wait(others, return_when=asyncio.FIRST_COMPLETED)
        self._rates.take("guess", address, self._rate)
        known = asyncio.get_running_loop().create_future()
        self._open.setdefault(address, set()).add(known)
        wrong = True
        try:
            thing = await find()
            wrong = thing is None
            return thing
        except Exception:
            wrong = False  # nothing was learnt
            raise
        finally:
            if not wrong:
                self._rates.give_back("guess", address, self._rate)
            self._open[address].discard(known)
            if not self._open[address]:
                del self._open[address]
            known.set_result(None)
