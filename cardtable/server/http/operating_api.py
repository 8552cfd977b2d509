"""The operator's part of the HTTP API that is about the server itself, as `admin_api` is about people and tables."""

from __future__ import annotations

from typing import Annotated, ClassVar

import msgspec
from starlette.requests import Request

from cardtable.base.message import Message
from cardtable.server.clock import now
from cardtable.server.http import checks
from cardtable.server.http.admin_api import Confirmation
from cardtable.server.http.checks import Checks
from cardtable.server.http.operations import operation
from cardtable.server.net.load import Load, load_of, together
from cardtable.server.people.site import SiteSeen
from cardtable.server.rooms import drain, retention
from cardtable.server.rooms.hall import Hall
from cardtable.table.setup import clean

LONGEST_NOTICE = 300  #: letters
LONGEST_DRAIN = 86_400  #: seconds


class Drain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The end of the server, to be planned."""

    what: ClassVar[Message] = Message("this request")
    seconds: Annotated[int, msgspec.Meta(ge=0, le=LONGEST_DRAIN)]  #: from now until the server ends at the latest


class NewNotice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A notice to everybody."""

    what: ClassVar[Message] = Message("this notice")
    text: Annotated[str, msgspec.Meta(max_length=LONGEST_NOTICE)]  #: what everybody sees; empty: no notice


class Chat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The switch of the chat."""

    what: ClassVar[Message] = Message("this request")
    on: bool  #: people can use the chat


class Draining(msgspec.Struct, frozen=True):
    """The planned end of the server."""

    until: int  #: when the server ends at the latest, milliseconds since 1970; 0: it does not end
    matches: int  #: the number of matches for which this process waits


class OperatingApi:
    """The endpoints about the server, over a hall."""

    hall: Hall

    @operation("GET /api/admin/load", rate="", operator=True)
    async def admin_load(self, request: Request) -> Load:
        """For the operator: what waits in each queue, and which addresses use the processor.

        Measured in all processes, over the last minute.
        """
        hall = self.hall
        return together([load_of(hall.waits, hall.costs), *await hall.cluster.loads()])

    @operation("GET /api/admin/check", rate="", operator=True)
    async def admin_check(self, request: Request) -> Checks:
        """For the operator: check the version, database, disk, clock, limit of files and proxy."""
        return await checks.of(self.hall, request)

    @operation("POST /api/admin/clock", rate="", operator=True, alone=True)
    async def admin_clock(self, request: Request) -> Confirmation:
        """For the operator alone: accept the clock.

        For a clock that is right although it is far from the latest time in the database.
        """
        await retention.trust_clock(self.hall)
        await self.hall.moderators.did(request, "the clock is right")
        return Confirmation()

    @operation("POST /api/admin/drain", rate="", operator=True, alone=True)
    async def admin_drain(self, request: Request, body: Drain) -> Draining:
        """For the operator alone: end the server when its last match is over.

        It ends after `seconds` at the latest. Meanwhile no new table is made and no new match begins, and everybody
        sees when the server ends. Of several processes, those of this machine end. A match at which nobody is connected
        is not waited for.
        """
        until, matches = now() + 1000 * body.seconds, drain.matches_under_way(self.hall)
        self.hall.cluster.tell("drain", until=until, machine=self.hall.cluster.node.machine)
        drain.begin(self.hall, until)
        await self.hall.moderators.did(request, f"the server ends within {body.seconds} s")
        return Draining(until, matches)

    @operation("DELETE /api/admin/drain", rate="", operator=True, alone=True)
    async def admin_go_on(self, request: Request) -> Confirmation:
        """For the operator alone: cancel the planned end of the server."""
        self.hall.cluster.tell("drain", until=0, machine=self.hall.cluster.node.machine)
        drain.cancel(self.hall)
        await self.hall.moderators.did(request, "the server does not end")
        return Confirmation()

    @operation("POST /api/admin/notice", rate="", operator=True)
    async def admin_notice(self, request: Request, body: NewNotice) -> SiteSeen:
        """For the operator: show everybody a notice.

        It stays until there is another one, or an empty `text`.
        """
        text = clean(body.text, LONGEST_NOTICE)
        await self.hall.site.say(text)
        self.hall.cluster.tell("site")
        await self.hall.moderators.did(request, f"notice to everybody: {text or 'none'}")
        return self.hall.site.public

    @operation("POST /api/admin/chat", rate="", operator=True)
    async def admin_chat(self, request: Request, body: Chat) -> SiteSeen:
        """For the operator: switch the chat of all tables on or off."""
        await self.hall.site.let_chat(body.on)
        self.hall.cluster.tell("site")
        await self.hall.moderators.did(request, f"the chat is {'on' if body.on else 'off'}")
        return self.hall.site.public
