"""House rules that people keep, over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
from starlette.requests import Request

from cardtable.base.message import Message
from cardtable.rules import catalog
from cardtable.rules.ruleset import Ruleset
from cardtable.server.clock import now
from cardtable.server.http.operations import operation
from cardtable.server.http.problems import HttpProblem, missing
from cardtable.server.net.guard import owner_of
from cardtable.server.rooms.hall import Hall
from cardtable.server.store import saved_rules
from cardtable.server.store.database import in_database
from cardtable.server.store.saved_rules import SavedRules
from cardtable.table.person_names import checked_name
from cardtable.table.setup import OptionValue

LONGEST = 40  #: letters of a name


class NewRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """House rules to keep."""

    what: ClassVar[Message] = Message("these house rules")
    #: how you call them; house rules with this name are replaced
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=4 * LONGEST)]
    game: Annotated[str, msgspec.Meta(min_length=1, max_length=60)]  #: any of its names
    #: a preset of the game; empty: the one that the name opens
    preset: Annotated[str, msgspec.Meta(max_length=60)] = ""
    seats: Annotated[int, msgspec.Meta(ge=1, le=99)] | None = None  #: the number of players; null: the usual one
    options: dict[str, OptionValue] = {}  #: house rules that differ from the preset's


class SavedList(msgspec.Struct, frozen=True):
    """The house rules that you keep."""

    rules: list[SavedRules]  #: in the order of their names


class OfRules(msgspec.Struct, frozen=True):
    """The house rules in an address."""

    what: ClassVar[Message] = Message("these house rules")
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=4 * LONGEST)]  #: the name of the house rules


class SavedApi:
    """The endpoints for house rules that people keep, over a hall."""

    hall: Hall

    @operation("GET /api/me/rules")
    async def my_rules(self, request: Request) -> SavedList:
        """The house rules that you keep, in the order of their names."""
        rows = await in_database(saved_rules.listed, self.hall.store, owner_of(request))
        return SavedList([_saved(row) for row in rows if row["title"] in _titles()])

    @operation("POST /api/me/rules", status=201, refusals=(404, 409), rate="heavy")
    async def keep_rules(self, request: Request, body: NewRules) -> SavedRules:
        """Keep house rules under a name that you choose.

        House rules that have this name are replaced. 409 `rules/many`: you keep 50 already.
        """
        name = checked_name(body.name, NewRules.what, LONGEST, reserved=False)
        if not name:
            why, can = Message("their name has no letters"), Message("give them a name")
            raise HttpProblem(400, "rules/name", NewRules.what, why, can)
        asked = Ruleset.parse(body.game, body.preset or None, body.seats, body.options)
        rules = SavedRules(name, asked.game.name, asked.title, asked.preset, asked.seats, asked.changed)
        if not await in_database(saved_rules.keep, self.hall.store, owner_of(request), rules, now()):
            why, can = Message("you keep {n} already", n=saved_rules.MOST), Message("delete some of them")
            raise HttpProblem(409, "rules/many", NewRules.what, why, can)
        return rules

    @operation("DELETE /api/me/rules/{name}", refusals=(404,), rate="heavy")
    async def drop_rules(self, request: Request, path: OfRules) -> SavedList:
        """Delete house rules that you keep. The answer has the remaining ones."""
        if not await in_database(saved_rules.drop, self.hall.store, owner_of(request), path.name):
            raise missing(path.what)
        return await self.my_rules(request)


def _titles() -> set[str]:
    return {name.title for game in catalog.games().values() for name in game.names}


def _saved(row: dict[str, Any]) -> SavedRules:
    game = catalog.find(row["title"]).name
    return SavedRules(row["name"], game, row["title"], row["preset"], row["seats"], row["options"])
