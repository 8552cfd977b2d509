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
    """The report in an address."""

    what: ClassVar[Message] = Message("this report")
    id: Id  #: the id of a report


class OfModerator(msgspec.Struct, frozen=True):
    """The moderator in an address."""

    what: ClassVar[Message] = Message("this moderator")
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]  #: the name of a moderator


class NewModerator(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new moderator."""

    what: ClassVar[Message] = Message("this moderator")
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_NAME)]  #: of the moderator


class NewReport(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A report of the name at a seat, or of a line of chat from there."""

    what: ClassVar[Message] = Message("this report")
    seat: Annotated[int, msgspec.Meta(ge=0, le=99)]  #: whose name or line of chat it is
    #: when the line was said, as `at` in the `chat` of the table; 0: the name is reported
    at: Annotated[int, msgspec.Meta(ge=0)] = 0


class Reports(msgspec.Struct, frozen=True):
    """Reports by people."""

    reports: list[AbuseReport]  #: the latest first


class AdminActs(msgspec.Struct, frozen=True):
    """What the operator and the moderators did."""

    acts: list[AdminAct]  #: the latest first


class Named(msgspec.Struct, frozen=True):
    """The names of moderators."""

    moderators: list[str]  #: in alphabetical order


class TokenOf(msgspec.Struct, frozen=True):
    """A moderator's token."""

    name: str  #: of the moderator
    token: str  #: it is shown only once


class ModeratorsApi:
    """The endpoints about moderators, over a hall."""

    hall: Hall
    lookup: Lookup

    @operation("POST /api/tables/{id}/reports", status=201, refusals=(404,), rate="heavy")
    async def report(self, request: Request, path: OfTable, body: NewReport) -> Confirmation:
        """Report a name or a line of the chat to the operator.

        Only people at the table and its spectators can report. Nobody else learns about it. 400 `report/nothing`:
        nobody else has that name, or has said that.
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

        With `all=1`, including those that have been dealt with.
        """
        return Reports(await self.hall.moderators.reports(bool(query.all), SHORT))

    @operation("POST /api/admin/reports/{id}/done", refusals=(404,), rate="", operator=True)
    async def admin_settle(self, request: Request, path: OfReport) -> Confirmation:
        """For the operator: mark a report as dealt with."""
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
        """For the operator: the names of the moderators."""
        return Named(self.hall.moderators.names)

    @operation("POST /api/admin/moderators", status=201, rate="", operator=True, alone=True)
    async def admin_appoint(self, request: Request, body: NewModerator) -> TokenOf:
        """For the operator alone: make somebody a moderator, with a separate token.

        Moderators may use all of these requests except those for the operator alone: moderators, people's data, the end
        of the server, its clock. A moderator who has the name already gets another token. The token is shown once, and
        only its hash is kept.
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
        """For the operator alone: remove a moderator. The token is no longer valid."""
        if not await self.hall.moderators.remove(path.name):
            raise missing(path.what)
        await self.hall.moderators.did(request, f"{path.name} is no moderator any more")
        self.hall.cluster.tell("site")
        return Confirmation()


def sees(table: LiveTable, owner: str) -> bool:
    """Whether a person is at a table, or may watch it."""
    if not owner:
        return False
    here = table.seat_of(owner) is not None or table.lost_by(owner) is not None or owner == table.host
    return here or table.setup.watched
