"""The operator's part of the HTTP API: tables and their people, bans, mutes and kicks.

It answers only to the addresses of the setting `admin_from`, and only with the operator's token.
"""

from __future__ import annotations

import contextlib
import hmac
import logging
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from starlette.requests import Request

from cardtable.base.message import Message
from cardtable.server.cluster.alone import Connected
from cardtable.server.http.answers import Id, OfTable
from cardtable.server.http.operations import Operation, operation
from cardtable.server.http.problems import HttpProblem, missing, too_many
from cardtable.server.logs import shortened
from cardtable.server.net.guard import Rates, address_of, client_of, comes_from
from cardtable.server.people import personal_data
from cardtable.server.people.moderators import OPERATOR, WHO
from cardtable.server.people.personal_data import Deleted
from cardtable.server.people.restrictions import MUTE, Restriction, network_of
from cardtable.server.rooms import moderation
from cardtable.server.rooms.deletion import delete_person
from cardtable.server.rooms.hall import Hall
from cardtable.server.rooms.room import Room
from cardtable.server.store.database import in_database
from cardtable.table import projection
from cardtable.table.live import CLOSED, LiveTable, TableFault
from cardtable.table.projection import ChatSeen, HappeningSeen
from cardtable.table.setup import clean

log = logging.getLogger("cardtable.server")  #: for strangers; `operator` is for the operator's requests
SHORT = 12  #: letters of a person's id that the operator sees; all ids begin differently
SHORTEST = 8  #: letters by which the operator may name a person
LONGEST_BAN = 100 * 365 * 86_400  #: seconds
MOST = 500  #: tables in one answer
LONGEST_REASON = 200  #: letters
_PERSON = re.compile(rf"[0-9a-f]{{{SHORTEST},64}}")

Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_REASON)]
Seconds = Annotated[int, msgspec.Meta(ge=0, le=LONGEST_BAN)]
Person = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class OfRestriction(msgspec.Struct, frozen=True):
    """The ban, mute or kick in an address."""

    what: ClassVar[Message] = Message("this ban, mute or kick")
    id: Id  #: the id of a ban, a mute or a kick


class OfPerson(msgspec.Struct, frozen=True):
    """The person in an address."""

    what: ClassVar[Message] = Message("this person")
    person: Person  #: the id of a person, or at least its first 8 letters


class Whether(msgspec.Struct, frozen=True):
    """Whether a list is to be complete."""

    #: 1: also what the operator usually does not need: tables that are not in memory, reports that have been dealt with
    all: Annotated[int, msgspec.Meta(ge=0, le=1)] = 0


class GivenReason(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The reason for a measure."""

    what: ClassVar[Message] = Message("this request")
    reason: Reason  #: it is shown to everybody concerned


class Kick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A person to be removed from a table."""

    what: ClassVar[Message] = Message("this kick")
    person: Person  #: the id of a person, or at least its first 8 letters
    reason: Reason  #: it is shown to the person
    seconds: Seconds = 0  #: for how long they may not come back; 0: for good


class NewRestriction(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A ban of a person or a network, or a mute of a person."""

    what: ClassVar[Message] = Message("this ban or mute")
    kind: Literal["ban", "mute"]  #: a ban closes the connections; a mute takes away the chat
    reason: Reason  #: it is shown to everybody concerned
    #: the id of a person, or at least its first 8 letters; empty: `network` is given
    person: Annotated[str, msgspec.Meta(max_length=64)] = ""
    #: for a ban: `192.0.2.0/24` or `2001:db8::/32`; empty: `person` is given
    network: Annotated[str, msgspec.Meta(max_length=50)] = ""
    seconds: Seconds = 0  #: for how long; 0: for good


class OpenConnection(msgspec.Struct, frozen=True):
    """An open connection to a table."""

    person: str  #: the beginning of the person's id
    address: str  #: from which it comes
    since: int  #: when it was opened, milliseconds since 1970


class SeatTold(msgspec.Struct, frozen=True):
    """A seat, for the operator."""

    seat: int  #: from 0
    name: str  #: of the person or bot; empty: the table is not in memory, or the seat is free
    kind: str  #: person, bot or free
    level: str  #: of a bot; empty for a person
    person: str  #: the beginning of the person's id; empty: no person
    present: bool  #: the person has not left
    online: bool  #: the person is connected


class TableTold(msgspec.Struct, frozen=True):
    """A table, for the operator."""

    id: str  #: for requests
    code: str  #: the short code that people type
    game: str  #: the name of the game, for requests
    title: str  #: of the game, for people
    stage: str  #: as `stage` of the table (`TableSeen`)
    created: int  #: when it was made, milliseconds since 1970
    changed: int  #: when it last changed, milliseconds since 1970
    in_memory: bool  #: it is open in a process of this server
    seats: list[SeatTold]  #: in their order
    connections: list[OpenConnection]  #: open connections to the table


class TablesTold(msgspec.Struct, frozen=True):
    """Tables, for the operator."""

    tables: list[TableTold]  #: the latest change first


class WholeTable(msgspec.Struct, frozen=True):
    """A table with what happened there lately, for the operator."""

    table: TableTold  #: its setup, seats and connections
    deal: int  #: the number of the current deal, from 1; 0: no match has begun
    scores: list[int]  #: of each seat; empty: no match has begun
    happened: list[HappeningSeen]  #: the latest changes of the table, as a spectator sees them
    chat: list[ChatSeen]  #: the lines of the chat that the server still has, the oldest first


class RestrictionTold(msgspec.Struct, frozen=True):
    """A ban, mute or kick."""

    id: int  #: for requests
    kind: str  #: `ban`, `mute` or `kick`
    person: str  #: the beginning of the person's id; empty: it is about a network
    network: str  #: the banned network; empty: it is about a person
    table: str  #: the id of the table of a kick; empty otherwise
    at: int  #: when it began, milliseconds since 1970
    until: int  #: when it ends, milliseconds since 1970; 0: never
    reason: str  #: shown to the people concerned


class RestrictionsTold(msgspec.Struct, frozen=True):
    """The bans, mutes and kicks that are in force."""

    restrictions: list[RestrictionTold]  #: those in force


class PersonTold(msgspec.Struct, frozen=True):
    """A person, for the operator."""

    person: str  #: the beginning of their id
    names: list[str]  #: which they used lately
    tables: int  #: the number of tables that they made or played at
    matches: int  #: the number of their finished matches
    connected: bool  #: they have an open connection
    restrictions: list[RestrictionTold]  #: those in force about them


class Confirmation(msgspec.Struct, frozen=True):
    """A request that has been carried out."""

    ok: bool = True  #: it is done


class AdminApi:
    """The operator's endpoints, over a hall."""

    hall: Hall
    rates: Rates

    def authorize(self, request: Request, declared: Operation) -> None:
        """Raise HttpProblem unless the operator asks, or a moderator who may: 403 from a wrong address, 401 without a
        token, 429 after too many wrong ones. The caller is in the request's scope (`moderators.WHO`).
        """
        settings, what = self.hall.settings, Message("this request")
        if not self.hall.operator_token or not comes_from(request, settings, settings.admin_from):
            why = Message("it is for the operator of this server")
            can = Message("ask from an address in the setting admin_from")
            raise HttpProblem(403, "request/operator", what, why, can)
        kind, _, token = request.headers.get("authorization", "").partition(" ")
        right = hmac.compare_digest(token.strip().encode(), self.hall.operator_token.encode())
        who = OPERATOR if right else self.hall.moderators.name_of(token.strip())
        if kind.lower() != "bearer" or not who:
            log.warning("a request for the operator without the right token, from %s", client_of(request, settings))
            self.hall.metrics.refused.labels("operator").inc()
            if wait := self.rates.take("guess", address_of(request, settings), settings.guess_rate):
                raise too_many(what, Message("too many tokens were wrong"), wait)
            can = Message("send it as Authorization: Bearer; it is in the file admin-token of the data directory")
            problem = HttpProblem(401, "request/token", what, Message("the operator's token is missing or wrong"), can)
            problem.answer.headers["www-authenticate"] = "Bearer"
            raise problem
        if declared.alone and not right:
            why, can = Message("it is for the operator of this server"), Message("ask the operator to do it")
            raise HttpProblem(403, "request/operator", what, why, can)
        request.scope[WHO] = who

    async def _person(self, person: str) -> str:
        """A whole id, from its first letters. Raises HttpProblem (404, 400)."""
        if not _PERSON.fullmatch(person):
            why = Message("it is not the id of a person")
            can = Message("give at least its first {n} letters, as the lists show them", n=SHORTEST)
            raise HttpProblem(400, "person/id", Message("the person {id}", id=person), why, can)
        owners = {peer.owner for peer in self.hall.sockets if peer.owner.startswith(person)}
        owners |= {one.owner for one in await self.hall.cluster.connected(owner=person)}
        owners |= set(await in_database(self.hall.store.owners, person))
        owners |= {one.owner for one in self.hall.restrictions.all() if one.owner.startswith(person)}
        if len(owners) == 1:
            return owners.pop()
        if not owners:
            raise missing(Message("the person {id}", id=person))
        why, can = Message("several people's ids begin like this"), Message("give more letters")
        raise HttpProblem(400, "person/id", Message("the person {id}", id=person), why, can)

    async def _table(self, name: str) -> Room:
        """The room of a table, moved here if another process has it. Raises HttpProblem (404), Busy."""
        room = await self.hall.obtain(name) if name.isprintable() else None
        if room is None:
            raise missing(OfTable.what)
        return room

    @operation("GET /api/admin/tables", rate="", operator=True)
    async def admin_tables(self, request: Request, query: Whether) -> TablesTold:
        """For the operator: the tables in memory, of all processes, the latest change first.

        With `all=1`, including those that are not in memory; 500 at most.
        """
        hall = self.hall
        there = {*hall.rooms, *await hall.cluster.open_tables()}
        rows = await in_database(hall.store.latest_tables, MOST if query.all else 0, [*there])
        elsewhere: dict[str, list[Connected]] = {}
        for one in await hall.cluster.connected():
            elsewhere.setdefault(one.table_id, []).append(one)
        return TablesTold([await self._table_told(row, there, elsewhere.get(row["id"], [])) for row in rows])

    async def _table_told(self, row: dict[str, Any], there: set[str], elsewhere: list[Connected]) -> TableTold:
        """A table from its row; with its seats if it is open here or in another process. Raises StoreError."""
        room = self.hall.rooms.get(row["id"])
        if room is None and row["id"] in there:
            with contextlib.suppress(TableFault):
                if glance := await self.hall.glance(row["id"]):
                    return table_told(
                        row, glance.table, [OpenConnection(one.owner, one.address, one.since) for one in elsewhere]
                    )
        return table_told(row, room.table, connections_of(self.hall, room)) if room else table_told(row)

    @operation("GET /api/admin/tables/{id}", refusals=(404,), rate="", operator=True)
    async def admin_table(self, request: Request, path: OfTable) -> WholeTable:
        """For the operator: a table, who is there, and what happened lately.

        Of a match that is not over, it has only what a spectator sees: never hidden cards.
        """
        room = await self._table(path.id)
        table = room.table
        rows = await in_database(self.hall.store.latest_tables, 0, [table.id])
        if not rows:
            raise missing(OfTable.what)
        view = table.views[table.spectator] if table.views else None
        return WholeTable(
            table_told(rows[0], table, connections_of(self.hall, room)),
            deal=int(view.state.deal_number) if view else 0,
            scores=list(view.scores) if view else [],
            happened=[
                projection.happening_seen(table, one, table.spectator)
                for one in table.happenings
                if one.numbers[table.spectator]
            ],
            chat=[ChatSeen(line.at, line.seat, line.text) for line in table.chat],
        )

    @operation("POST /api/admin/tables/{id}/close", refusals=(404, 409), rate="", operator=True)
    async def admin_close(self, request: Request, path: OfTable, body: GivenReason) -> Confirmation:
        """For the operator: close a table.

        A match that is not over ends without a result. People at the table see the reason. 409 `table/stage`: it is
        closed already.
        """
        room = await self._table(path.id)
        reason = plain_reason(body.reason)
        if room.table.stage == CLOSED:
            raise HttpProblem(409, "table/stage", OfTable.what, Message("it is closed already"))
        await moderation.close_table(room, reason)
        await self.hall.moderators.did(request, f"closed table {room.log_name} ({reason})")
        return Confirmation()

    @operation("POST /api/admin/tables/{id}/kick", status=201, refusals=(404,), rate="", operator=True)
    async def admin_kick(self, request: Request, path: OfTable, body: Kick) -> RestrictionTold:
        """For the operator: remove a person from a table.

        They see the reason, and may not come back for `seconds`. Before the match their seat becomes free; later a bot
        plays for them.
        """
        room, owner = await self._table(path.id), await self._person(body.person)
        added = await moderation.kick(self.hall, room, owner, body.seconds, plain_reason(body.reason))
        await self.hall.moderators.did(request, described(added))
        return restriction_told(added)

    @operation("GET /api/admin/people/{person}", refusals=(400, 404), rate="", operator=True)
    async def admin_person(self, request: Request, path: OfPerson) -> PersonTold:
        """For the operator: how much the server keeps about a person, and the names that they used lately."""
        owner = await self._person(path.person)
        names, tables, matches = await in_database(personal_data.known, self.hall.store, owner)
        return PersonTold(
            person=owner[:SHORT],
            names=names,
            tables=tables,
            matches=matches,
            connected=any(peer.owner == owner for peer in self.hall.sockets)
            or bool(await self.hall.cluster.connected(owner=owner)),
            restrictions=[restriction_told(one) for one in self.hall.restrictions.all(owner)],
        )

    @operation("DELETE /api/admin/people/{person}", refusals=(400, 404), rate="", operator=True, alone=True)
    async def admin_delete(self, request: Request, path: OfPerson) -> Deleted:
        """For the operator alone: delete a person's data, as they can do themselves."""
        owner = await self._person(path.person)
        deleted = await delete_person(self.hall, owner)
        await self.hall.moderators.did(request, f"deleted the data of {owner[:SHORT]}")
        return deleted

    @operation("GET /api/admin/restrictions", rate="", operator=True)
    async def admin_restrictions(self, request: Request) -> RestrictionsTold:
        """For the operator: the bans, mutes and kicks that are in force."""
        return RestrictionsTold([restriction_told(one) for one in self.hall.restrictions.all()])

    @operation("POST /api/admin/restrictions", status=201, refusals=(404,), rate="", operator=True)
    async def admin_restrict(self, request: Request, body: NewRestriction) -> RestrictionTold:
        """For the operator: ban a person or a network, or mute a person.

        They see the reason. The connections of people who are banned are closed.
        """
        owner = network = ""
        if bool(body.person) == bool(body.network) or (body.kind == MUTE and body.network):
            why = Message("it names both a person and a network, or neither, or mutes a network")
            raise HttpProblem(400, "message/syntax", body.what, why, Message("name a person, or a network for a ban"))
        if body.network:
            try:
                network = network_of(body.network)
            except ValueError:
                why, can = Message("it is not a network"), Message("write it like 192.0.2.0/24 or 2001:db8::/32")
                raise HttpProblem(400, "network/syntax", Message("{network}", network=body.network), why, can) from None
        else:
            owner = await self._person(body.person)
        added = await moderation.restrict(
            self.hall, body.kind, body.seconds, plain_reason(body.reason), owner=owner, network=network
        )
        await self.hall.moderators.did(request, described(added))
        return restriction_told(added)

    @operation("DELETE /api/admin/restrictions/{id}", refusals=(404,), rate="", operator=True)
    async def admin_lift(self, request: Request, path: OfRestriction) -> RestrictionTold:
        """For the operator: lift a ban, a mute or a kick."""
        lifted = await self.hall.restrictions.lift(path.id)
        if lifted is None:
            raise missing(path.what)
        await self.hall.moderators.did(request, f"lifted: {described(lifted)}")
        return restriction_told(lifted)


def plain_reason(text: str) -> str:
    """A reason without what does not print. Raises HttpProblem (400) if nothing is left."""
    reason = clean(text, LONGEST_REASON)
    if not reason:
        raise HttpProblem(400, "message/syntax", Message("the reason"), Message("it is empty"), Message("give one"))
    return reason


def described(one: Restriction) -> str:
    """A ban, mute or kick, for the log."""
    about = one.network or one.owner[:SHORT]
    place = f" from table {shortened(one.table)}" if one.table else ""
    until = (
        datetime.fromtimestamp(one.until / 1000, UTC).strftime("until %Y-%m-%d %H:%M UTC") if one.until else "for good"
    )
    return f"{one.kind} {one.id} of {about}{place}, {until} ({one.reason})"


def restriction_told(one: Restriction) -> RestrictionTold:
    """A ban, mute or kick, with a short id of the person."""
    return RestrictionTold(one.id, one.kind, one.owner[:SHORT], one.network, one.table, one.at, one.until, one.reason)


def connections_of(hall: Hall, room: Room) -> list[OpenConnection]:
    """The connections to a room, with the whole ids of people."""
    here = sorted((peer for peer in hall.sockets if peer in room.peers), key=lambda peer: peer.since)
    return [OpenConnection(peer.owner, peer.client, peer.since) for peer in here]


def table_told(row: dict[str, Any], table: LiveTable | None = None, here: Sequence[OpenConnection] = ()) -> TableTold:
    """A table from its row, and from memory if it is open, with its connections. row: columns of TABLES, and `owners`
    by seat.
    """
    owners: dict[int, str] = row["owners"]
    shared = {name: row[name] for name in ("id", "code", "game", "stage", "created", "changed")}
    if table is None:
        seats = [SeatTold(seat, "", "person", "", owner[:SHORT], False, False) for seat, owner in owners.items()]
        return TableTold(title=row["game"], in_memory=False, seats=seats, connections=[], **shared)
    online = {one.person for one in here}
    seats = [
        SeatTold(shown.seat, shown.name, shown.kind, shown.level, place.owner[:SHORT], shown.present, shown.online)
        for seat, place in enumerate(table.places)
        for shown in [projection.seat_seen(table, seat, online)]
    ]
    connections = [OpenConnection(one.person[:SHORT], one.address, one.since) for one in here]
    return TableTold(title=table.setup.known_as, in_memory=True, seats=seats, connections=connections, **shared)
