"""Shared deals over HTTP: the deals of the day, and those with a number."""

from __future__ import annotations

import json
from typing import Annotated, Any, ClassVar

import msgspec
from starlette.requests import Request

from cardtable.base.message import Message
from cardtable.review.winnable import Winnable
from cardtable.rules import catalog
from cardtable.rules.game import Game
from cardtable.server.http.answers import Made, OfGame
from cardtable.server.http.operations import operation
from cardtable.server.net.guard import owner_of
from cardtable.server.rooms.hall import Hall
from cardtable.server.store import shared_deals
from cardtable.server.store.database import in_database
from cardtable.server.store.shared_deals import FirstAttempt, OwnAttempt
from cardtable.table import Setup
from cardtable.table.setup import LONGEST_NAME


class NewDaily(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The player of a deal of the day."""

    what: ClassVar[Message] = Message("this deal of the day")
    #: the player's name; empty: `Player 1` and so on, by the seat
    name: Annotated[str, msgspec.Meta(max_length=4 * LONGEST_NAME)] = ""


class Daily(msgspec.Struct, frozen=True, kw_only=True):
    """A game's deal of the day, and its results."""

    day: str  #: the date (UTC): `2026-01-31`
    ends: int  #: when the next deal of the day begins, milliseconds since 1970
    game: str  #: the name of the game, for requests
    title: str  #: for people
    preset: str  #: the preset of the game
    seats: int  #: the number of players
    level: str  #: of the bots
    path: str  #: of your table; empty: you have not begun, or have finished
    lowest_wins: bool  #: the lowest score is the best
    winnable: bool  #: the cards were chosen because the game's solver, which sees all of them, wins
    difficulty: str  #: `easy`, `medium` or `hard`, by `effort`; empty: the game has no solver
    effort: int  #: the number of positions that the solver needed; 0: the game has no solver
    results: list[FirstAttempt]  #: everybody's first attempts, the best first
    own: OwnAttempt | None  #: more about yours; null: you have not finished one


class OfNumber(msgspec.Struct, frozen=True):
    """A numbered deal."""

    number: Annotated[str, msgspec.Meta(max_length=40)] = ""  #: the number of a deal


class DealTold(msgspec.Struct, frozen=True, kw_only=True):
    """A game that was played under a number, and its results."""

    game: str  #: the name of the game, for requests
    title: str  #: for people
    preset: str  #: the preset of the game
    seats: int  #: the number of players
    options: dict[str, Any]  #: the house rules
    bots: list[str]  #: the level of the bot at each seat; empty: a person
    lowest_wins: bool  #: the lowest score is the best
    results: list[FirstAttempt]  #: everybody's first attempts, the best first


class Deals(msgspec.Struct, frozen=True):
    """What was played under a number."""

    deals: list[DealTold]  #: one for each game, preset and house rules


class DealtApi:
    """The endpoints for deals that several people play, over a hall."""

    hall: Hall

    @operation("GET /api/daily/{name}", refusals=(404,))
    async def daily(self, request: Request, path: OfGame) -> Daily:
        """The deal of the day of a game: the same cards for everybody on this server, against the same bots.

        Its number follows from the day (UTC) and a secret of the server, so nobody can know tomorrow's cards; the
        shuffle has no proof. Until the day is over, nobody is shown cards that they have not seen in play: there are no
        records, replays or reviews of finished matches, and no answers of a solver. A person is a cookie, so somebody
        can play the cards twice, as two people.
        """
        game, owner, day = catalog.find(path.name), owner_of(request), shared_deals.today()
        store = self.hall.store
        setup, won = await self._of_day(game, day)
        asked = game, setup.preset, shared_deals.house_of(setup), owner
        results = await in_database(shared_deals.results, store, shared_deals.deal_of(setup), *asked)
        match = next((one.match for one in results if one.you), 0)
        own = await in_database(shared_deals.own_attempt, store, match, owner, day) if match else None
        return Daily(
            day=day,
            ends=shared_deals.ends(),
            game=game.name,
            title=setup.known_as,
            preset=setup.preset,
            seats=setup.seats or 0,
            level=shared_deals.LEVEL,
            path=await self._begun(owner, game.name, day),
            lowest_wins=game.lowest_wins,
            winnable=won is not None,
            difficulty=won.difficulty if won else "",
            effort=won.states if won else 0,
            results=results,
            own=own,
        )

    async def _of_day(self, game: Game, day: str) -> tuple[Setup, Winnable | None]:
        """The setup of a game's deal of the day; and for a game with a solver, the effort of winning it.

        Raises StoreError, NotReady, TooMany, Busy, WorkFault.
        """
        setup, numbers = await in_database(shared_deals.daily, self.hall.store, game, day)
        if not game.solvable:
            return setup, None
        won = await self.hall.thinking.winnable.of_day(setup, numbers)
        return msgspec.structs.replace(setup, number=won.number), won

    async def _begun(self, owner: str, game: str, day: str) -> str:
        """Where a person plays a deal of the day, if they have begun and not finished; else empty."""
        for table in await in_database(shared_deals.open_tables, self.hall.store, owner, game):
            glance = await self.hall.glance(table)
            if glance and glance.table.setup.daily == day:
                return f"/t/{table}"
        return ""

    @operation("POST /api/daily/{name}", status=201, refusals=(404,), rate="tables")
    async def play_daily(self, request: Request, path: OfGame, body: NewDaily) -> Made:
        """Make a table for the deal of the day, or find yours if you have begun.

        Your first attempt counts.
        """
        game, owner, day = catalog.find(path.name), owner_of(request), shared_deals.today()
        if begun := await self._begun(owner, game.name, day):
            return Made(begun.removeprefix("/t/"), "", begun)
        setup, _ = await self._of_day(game, day)
        table, code = await self.hall.create(setup, owner, sit=True, name=body.name)
        return Made(table, code, f"/t/{table}")

    @operation("GET /api/deals", refusals=(400,))
    async def deals(self, request: Request, query: OfNumber) -> Deals:
        """What was played under a number, with everybody's first attempts.

        At most 20 combinations of game, preset and house rules.
        """
        owner, store, deals = owner_of(request), self.hall.store, []
        for name, preset, title, house in await in_database(shared_deals.played, store, query.number):
            game = catalog.games().get(name)
            if game is None or preset not in game.presets:
                continue
            ladder = await in_database(shared_deals.results, store, f"#{query.number}", game, preset, house, owner)
            deals.append(
                DealTold(
                    game=name,
                    title=title or game.titles[preset],
                    preset=preset,
                    lowest_wins=game.lowest_wins,
                    results=ladder,
                    **json.loads(house),
                )
            )
        return Deals(deals)
