"""A person's own data over HTTP: all of it as a file, and deleting it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import IO, Annotated, ClassVar, cast

import msgspec
from starlette.requests import Request
from starlette.responses import StreamingResponse

from cardtable.base.message import Message
from cardtable.server.clock import now
from cardtable.server.http.operations import operation
from cardtable.server.http.problems import HttpProblem, answer, qr_code, site_of, too_many
from cardtable.server.net.guard import address_of, device_of, owner_of
from cardtable.server.net.guesses import Exhausted
from cardtable.server.people import personal_data
from cardtable.server.people.devices import SHORT, SIGNED_OUT, DeviceLink
from cardtable.server.people.personal_data import Deleted
from cardtable.server.rooms.deletion import delete_person
from cardtable.server.rooms.hall import Hall
from cardtable.server.rooms.lookup import Lookup
from cardtable.server.store.database import in_database
from cardtable.table.person_names import checked_name
from cardtable.table.setup import LONGEST_NAME

CHUNK = 1 << 16
Secret = Annotated[str, msgspec.Meta(min_length=1, max_length=64)]


class NewLink(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A link for another device that is to be made."""

    what: ClassVar[Message] = Message("this link")
    #: how the person is called on the page that asks for confirmation, if they have not played yet
    name: Annotated[str, msgspec.Meta(max_length=4 * LONGEST_NAME)] = ""


class LinkMade(msgspec.Struct, frozen=True):
    """A link for another device."""

    link: str  #: its secret is after the `#`
    seconds: float  #: for how long it is valid
    qr: str  #: the link as a QR code (SVG)


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The secret of a link."""

    what: ClassVar[Message] = Message("this link")
    token: Secret  #: the secret of a link: what comes after the `#`


class Identity(msgspec.Struct, frozen=True):
    """A person's name, and how much belongs to them."""

    name: str  #: which they used last; empty: none
    tables: int  #: the number of tables that they made or played at
    matches: int  #: the number of their finished matches


class LinkSeen(msgspec.Struct, frozen=True):
    """The identity that a link gives, and that of this device."""

    same: bool  #: both are the same person
    gives: Identity  #: whose identity the link gives
    has: Identity  #: whose identity this device has now


class DeviceSeen(msgspec.Struct, frozen=True):
    """One of your devices."""

    id: str  #: for requests
    this: bool  #: it is the device that asks
    linked: int  #: when it was linked, milliseconds since 1970; 0: your first device
    seen: int  #: the beginning of the day (UTC) on which it was last used, milliseconds since 1970; 0: not known


class DeviceList(msgspec.Struct, frozen=True):
    """Your devices."""

    devices: list[DeviceSeen]  #: your first device first


class OfDevice(msgspec.Struct, frozen=True):
    """The device in an address."""

    what: ClassVar[Message] = Message("this device")
    id: Annotated[str, msgspec.Meta(min_length=1, max_length=64)]  #: the id of a device, from `GET /api/me/devices`


class SignedOut(msgspec.Struct, frozen=True):
    """Devices that were signed out."""

    signed_out: list[str]  #: the ids of the devices that were signed out


class DataFile(StreamingResponse):
    """Everything about a person, as a file."""

    media_type = "application/json"


class PeopleApi:
    """The endpoints for people's own data, over a hall."""

    hall: Hall
    lookup: Lookup

    @operation("POST /api/me/link", status=201, rate="heavy")
    async def new_link(self, request: Request, body: NewLink) -> LinkMade:
        """Make a link that gives another device your identity.

        It is valid for some minutes (setting `link_valid`) and can be used once; a new link ends the previous one.
        """
        name = checked_name(body.name, NewLink.what)
        seconds = self.hall.settings.link_valid
        secret = await self.hall.devices.new_link(owner_of(request), name, seconds, device_of(request))
        if secret is None:
            raise signed_out()
        link = f"{site_of(request, self.hall.settings)}/link#{secret}"
        return LinkMade(link, seconds, qr_code(link, xmldecl=False).decode())

    @operation("POST /api/link", refusals=(404,), rate="heavy")
    async def see_link(self, request: Request, body: Token) -> LinkSeen:
        """Show whose identity a link gives, to ask the person for confirmation.

        The link stays valid. 404 `link/unknown`: it is too old, used or incomplete.
        """
        link = await self._link(request, body.token)
        mine = owner_of(request)
        return LinkSeen(mine == link.owner, await self._identity(link.owner, link.name), await self._identity(mine))

    @operation("POST /api/link/take", refusals=(404,), rate="heavy")
    async def take_link(self, request: Request, body: Token) -> Identity:
        """Take the identity that a link gives: the answer sets a new cookie, and the link is used up.

        What the device had before belongs to its old cookie, which is replaced.
        """
        link = await self._link(request, body.token)
        token = self.hall.identities.new()
        if not await self.hall.devices.take(body.token, device_of(request), token):
            raise no_link()
        identity = await self._identity(link.owner, link.name)
        return cast(Identity, answer(identity, set_cookie=self.hall.identities.cookie(token, request)))

    @operation("GET /api/me/devices")
    async def my_devices(self, request: Request) -> DeviceList:
        """Your devices: your first one, and those that were linked."""
        this = device_of(request)
        devices = await self.hall.devices.listed(owner_of(request))
        return DeviceList([DeviceSeen(one.id, one.token == this, one.linked, one.last_seen) for one in devices])

    @operation("DELETE /api/me/devices/{id}", refusals=(403, 404, 409), rate="heavy")
    async def sign_out(self, request: Request, path: OfDevice) -> SignedOut:
        """Sign out one of your other devices, such as one that you have lost.

        From then on its cookie is invalid, its connections are closed (`refused` with `device/signed-out`), and links
        that you or it made are no longer valid. 409 `device/this`: it is the device that asks.
        """
        if path.id == device_of(request)[:SHORT]:
            why, can = Message("you are using it"), Message("sign it out on another of your devices")
            raise HttpProblem(409, "device/this", OfDevice.what, why, can)
        ended = await self._sign_out(request, path.id)
        if not ended.signed_out:
            why, can = Message("you have no such device (any more)"), Message("look at the list of your devices")
            raise HttpProblem(404, "device/unknown", OfDevice.what, why, can)
        return ended

    @operation("DELETE /api/me/devices", refusals=(403,), rate="heavy")
    async def sign_out_others(self, request: Request) -> SignedOut:
        """Sign out all your devices except this one."""
        return await self._sign_out(request)

    async def _sign_out(self, request: Request, which: str = "") -> SignedOut:
        """Sign out one device, or all others. Raises HttpProblem, StoreError."""
        ended = await self.hall.devices.sign_out(owner_of(request), device_of(request), which)
        if ended is None:
            raise signed_out()
        return SignedOut(ended)

    async def _link(self, request: Request, secret: str) -> DeviceLink:
        """A valid link. Raises HttpProblem (404; 429 after too many wrong ones, also for a right one), StoreError."""
        address = address_of(request, self.hall.settings)
        try:
            link = await self.lookup.guesses.guess(address, lambda: self.hall.devices.link(secret))
        except Exhausted as error:
            self.hall.refused("guess", address)
            raise too_many(Token.what, Message("too many links were wrong"), error.seconds) from None
        if link is None:
            self.hall.refused("link", address)
            raise no_link()
        return link

    async def _identity(self, owner: str, name: str = "") -> Identity:
        names, tables, matches = await in_database(personal_data.known, self.hall.store, owner)
        return Identity(names[0] if names else name, tables, matches)

    @operation("GET /api/me/data", rate="data")
    async def my_data(self, request: Request) -> DataFile:
        """Everything that the server keeps about you, as a JSON file.

        `tables`: what you did at each table; `matches`: your finished matches with their records; `statistics`;
        `reviewed`: what reviews found of your own decisions; `restrictions`: bans, mutes and kicks; `saved_rules`:
        house rules that you keep; `reports`: what you reported; `devices`: when each was linked, last seen (a day) and
        signed out. Times are milliseconds since 1970. Addresses are not kept.
        """
        owner = owner_of(request)
        file = await in_database(self._written, owner)
        day = datetime.now(UTC).strftime("%Y-%m-%d")
        headers = {
            "content-disposition": f'attachment; filename="cardtable-data-{day}.json"',
            "cache-control": "no-store",
        }
        return DataFile(_chunks(file), headers=headers)

    def _written(self, owner: str) -> IO[bytes]:
        """A person's data in a file, so that a fault of the database comes before the answer begins.

        Raises StoreError.
        """
        with contextlib.ExitStack() as cleaning:
            file = cleaning.enter_context(tempfile.SpooledTemporaryFile(1 << 20))
            for part in personal_data.exported(self.hall.store, owner, now()):
                file.write(part.encode())
            file.seek(0)
            cleaning.pop_all()  # it is closed when it has been sent
            return cast(IO[bytes], file)

    @operation("DELETE /api/me/data", rate="data")
    async def delete_my_data(self, request: Request) -> Deleted:
        """Delete everything that the server keeps about you, and your identity: the answer clears the cookie.

        You leave your tables first. Tables and finished matches in which no other person took part are deleted. Those
        of other people stay: they keep your moves, without your name and what you said. Bans, mutes and kicks stay
        until they end.
        """
        deleted = await delete_person(self.hall, owner_of(request))
        return cast(Deleted, answer(deleted, set_cookie=self.hall.identities.no_cookie(request)))


def no_link() -> HttpProblem:
    """There is no such link any more."""
    why = Message("it is too old, was used already, or is not complete")
    return HttpProblem(404, "link/unknown", Token.what, why, Message("make a new one on the other device"))


def signed_out() -> HttpProblem:
    """The device that asks was signed out while it was asking."""
    return HttpProblem(403, SIGNED_OUT.code, SIGNED_OUT.what, SIGNED_OUT.why, SIGNED_OUT.can)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk
