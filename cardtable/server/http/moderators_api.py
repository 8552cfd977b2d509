"""The part of the HTTP API about moderators: what people report to them, what they did, and who they are."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from starlette.requests import Request

from cardtable.base.message import Message
from cardtable.server.http.admin_api import SHORT, Confirmation, Whether
from cardtable.server.http.answers import Id, OfTable
from cardtable.server.http.operations import operation
from cardtable.server.http.problems import HttpProblem, missing
from cardtable.server.net.guard import owner_of
from cardtable.server.people.moderators import LINE, NAME, OPERATOR, WHO, AbuseReport, AdminAct
from cardtable.server.rooms.hall import Hall
from cardtable.server.rooms.lookup import Lookup
from cardtable.table import LiveTable
from cardtable.table.setup import clean

LONGEST_NAME = 40  #: letters


class OfReport(msgspec.Struct, frozen=True):
    """A report, by its id."""

    what: ClassVar[Message] = Message("this report")
    id: Id


class OfModerator(msgspec.Struct, frozen=True):
    """A moderator, by name."""

    what: ClassVar[Message] = Message("this moderator")
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]


class NewModerator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a moderator."""

    what: ClassVar[Message] = Message("this moderator")
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]


class NewReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is reported: the name at a seat, or what was said from there at a time (milliseconds since 1970)."""

    what: ClassVar[Message] = Message("this report")
    seat: Annotated[int, msgspec.Meta(ge=0, le=99)]
    at: Annotated[int, msgspec.Meta(ge=0)] = 0


class Reports(msgspec.Struct, frozen=True):
    """Reports, the latest first."""

    reports: list[AbuseReport]


class AdminActs(msgspec.Struct, frozen=True):
    """What was done, the latest first."""

    acts: list[AdminAct]


class Named(msgspec.Struct, frozen=True):
    """The names of moderators."""

    moderators: list[str]


class TokenOf(msgspec.Struct, frozen=True):
    """A moderator's token, which is told once."""

    name: str
    token: str


class ModeratorsApi:
    """The endpoints about moderators, over a hall."""

    hall: Hall
    lookup: Lookup

    @operation("POST /api/tables/{id}/reports", status=201, refusals=(404,), rate="heavy")
    async def report(self, request: Request, path: OfTable, body: NewReport) -> Confirmation:
        """Report a name or a line of the chat to the operator.

        `seat` is whose name it is. With `at`, it is what was said from that seat at that time, as in the table's
        `chat`. Only those who are at the table, or may look on, can do so; nobody else is told.
        """
        owner = owner_of(request)
        row = await self.hall.store_row(path.id)
        room = self.hall.rooms.get(row["id"]) if row else None
        if row is None:
            raise missing(path.what)
        table = room.table if room else await self.hall.logs.folded(row["id"])
        if not sees(table, owner) or body.seat >= len(table.places):
            raise missing(path.what)
        place = table.places[body.seat]
        said = [line.text for line in table.chat if line.seat == body.seat and line.at == body.at]
        text = said[0] if body.at and said else "" if body.at else place.name
        if not text or not place.owner or place.owner == owner:
            why = Message("nobody else has said that, or has that name")
            raise HttpProblem(400, "report/nothing", body.what, why)
        kind = LINE if body.at else NAME
        about = {"table_id": table.id, "owner": owner, "about": place.owner, "kind": kind, "text": text}
        await self.hall.moderators.report(about)
        self.hall.cluster.tell("site")
        return Confirmation()

    @operation("GET /api/admin/reports", rate="", operator=True)
    async def admin_reports(self, request: Request, query: Whether) -> Reports:
        """For the operator: names and lines of the chat that people have reported, the latest first.

        With `all=1` also those that somebody has dealt with, `done`. `about` and `by` are the beginnings of people's
        ids.
        """
        return Reports(await self.hall.moderators.reports(bool(query.all), SHORT))

    @operation("POST /api/admin/reports/{id}/done", refusals=(404,), rate="", operator=True)
    async def admin_settle(self, request: Request, path: OfReport) -> Confirmation:
        """For the operator: a report is dealt with."""
        if not await self.hall.moderators.settle(path.id, str(request.scope[WHO])):
            raise missing(path.what)
        await self.hall.moderators.did(request, f"report {path.id} is dealt with")
        self.hall.cluster.tell("site")
        return Confirmation()

    @operation("GET /api/admin/acts", rate="", operator=True)
    async def admin_acts(self, request: Request) -> AdminActs:
        """For the operator: what the operator and the moderators did lately, the latest first."""
        return AdminActs(await self.hall.moderators.acts())

    @operation("GET /api/admin/moderators", rate="", operator=True)
    async def admin_moderators(self, request: Request) -> Named:
        """For the operator: who may use the operator's tools besides."""
        return Named(self.hall.moderators.names)

    @operation("POST /api/admin/moderators", status=201, rate="", operator=True, alone=True)
    async def admin_appoint(self, request: Request, body: NewModerator) -> TokenOf:
        """For the operator alone: let somebody use the operator's tools, with a token of their own.

        They may do all but name moderators, delete people's data, drain the server and judge its clock. Who has the
        name already gets another token. The token is told once, and only its hash is kept.
        """
        name = clean(body.name, LONGEST_NAME)
        if not name or name == OPERATOR:
            why, can = Message("it is empty, or means the operator"), Message("give another name")
            raise HttpProblem(400, "message/syntax", body.what, why, can)
        token = await self.hall.moderators.add(name)
        await self.hall.moderators.did(request, f"{name} is a moderator")
        self.hall.cluster.tell("site")
        return TokenOf(name, token)

    @operation("DELETE /api/admin/moderators/{name}", refusals=(404,), rate="", operator=True, alone=True)
    async def admin_discharge(self, request: Request, path: OfModerator) -> Confirmation:
        """For the operator alone: a moderator is one no longer."""
        if not await self.hall.moderators.remove(path.name):
            raise missing(path.what)
        await self.hall.moderators.did(request, f"{path.name} is no moderator any more")
        self.hall.cluster.tell("site")
        return Confirmation()


def sees(table: LiveTable, owner: str) -> bool:
    """Whether a person is at a table, or may look on."""
    if not owner:
        return False
    here = table.seat_of(owner) is not None or table.lost_by(owner) is not None or owner == table.host
    return here or table.setup.watched
