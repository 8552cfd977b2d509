"""The table socket: one connection of a client, from its hello to its end."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import Counter, deque
from functools import partial

from starlette.types import Receive, Send
from starlette.websockets import WebSocket

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.clock import now
from cardtable.server.cluster.alone import Elsewhere
from cardtable.server.net.access_log import ACCEPTED
from cardtable.server.net.budgets import Budget, Budgets, Charge
from cardtable.server.net.connections import LATER, LINE, POLICY, RESTART, Socket
from cardtable.server.net.costs import Account
from cardtable.server.net.fair_queue import Busy
from cardtable.server.net.guard import Bucket, Rates, address_of, client_of, device_of, from_elsewhere, named, owner_of
from cardtable.server.net.networks import FOR_SEATS, LOOPBACK, OF_ONE, networks_of
from cardtable.server.net.passed_on import MOST_HOPS, Passed
from cardtable.server.people.devices import SIGNED_OUT
from cardtable.server.people.site import SiteSeen
from cardtable.server.rooms import questions, wire
from cardtable.server.rooms.broadcast import Sheet, dismiss, refuse
from cardtable.server.rooms.hall import Hall
from cardtable.server.rooms.lookup import Lookup
from cardtable.server.rooms.room import Room
from cardtable.server.settings import Settings
from cardtable.server.store.faults import BROKEN, Fault, StoreError
from cardtable.table.commands import Refusal
from cardtable.table.live import TableFault

FEW = 1 / 8  #: the part of an address's connections that a process takes without asking how many the others have
SOON = 0.1  #: seconds until a process that could not be reached is tried again
QUESTIONS = (wire.Hint, wire.AskReview, wire.AskOutlook, wire.AskWinnable, wire.AskWhy)
NO_TABLE = Refusal(
    "table/unknown", Message("this table"), Message("there is no such table"), Message("check the link or the code")
)
NO_HELLO = Refusal(
    "message/hello", Message("this message"), Message("no table was named yet"), Message("say hello first")
)
TOO_MANY_REVIEWS = Refusal("message/rate", questions.WHAT, Message("you ask too often"), Message("wait a moment"))
TOO_OFTEN = Refusal("message/rate", Message("this question"), Message("you ask too often"), Message("wait a moment"))


def _most(all_together: int, seated: bool) -> int:
    """How many of some connections people may have, with a seat or without one."""
    return all_together if seated else all_together - all_together // FOR_SEATS


def unread(fault: Fault) -> Refusal:
    """The refusal of a table that cannot be read."""
    why = Message("the server cannot read it: {reason}", reason=fault.why)
    return Refusal("server/storage", Message("this table"), why, Message("try again in a moment"))


class SocketPeer:
    """A client as a room sees it. A message is written at once, or goes into a bounded outbox while the client reads
    too slowly for that; one that does not catch up is dropped.
    """

    __slots__ = (
        "_closing",
        "_ended",
        "_line",
        "_most",
        "_outbox",
        "_paused",
        "_send",
        "_slowest",
        "_writer",
        "account",
        "address",
        "asked",
        "asking",
        "budget",
        "charge",
        "client",
        "device",
        "owner",
        "sender",
        "sheet",
        "since",
        "version",
        "whys",
    )

    def __init__(
        self,
        send: Send,
        owner: str,
        address: str,
        settings: Settings,
        client: str = "",
        line: Socket | None = None,
        device: str = "",
    ) -> None:
        """send: of ASGI; address: the unit of counting; client: the IP address itself; line: the connection, if it is
        local to this process, for writing without a task; device: the hash of its token.
        """
        self.owner = owner
        self.device = device
        self.address = address
        self.client = client
        self.since = now()  #: when it connected (milliseconds since 1970)
        self.sender = ""
        self.version = 0
        self.sheet: Sheet | None = None
        self.charge: Charge | None = None  #: of the last message; None if its address may use any amount of time
        self.budget: Budget | None = None  #: of its address, for questions
        self.account: Account | None = None  #: counts what its address uses
        self.whys = Bucket(settings.why_rate[0], time.monotonic())
        self.asked: deque[tuple[Room, wire.Incoming]] = deque()  #: questions that wait
        self.asking: asyncio.Task[None] | None = None  #: while they are answered, one after another
        self._send, self._line = send, line
        self._slowest = settings.slowest_send
        self._most = settings.outbox
        self._outbox: list[str | int] = []
        self._ended = False
        self._paused: asyncio.Future[None] | None = None  #: while its next message waits
        self._closing: asyncio.TimerHandle | None = None  #: when the connection must be closed
        self._writer: asyncio.Task[None] | None = None  #: while something waits in the outbox

    def send(self, message: str) -> None:
        """Take a message for the client; it never waits."""
        if self.charge:
            self.charge.sent(len(message))
        if self._ended or (not self._outbox and self._line is not None and self._line.tell(message)):
            return
        if len(self._outbox) < self._most:
            self._put(message)
        else:
            self.close(POLICY)

    def owes(self, seconds: float) -> None:
        """A process has worked so long on a question of this client's."""
        for one in (self.budget, self.account):
            if one:
                one.worked(seconds)

    def _put(self, item: str | int) -> None:
        """Put a message, or the code of a close, into the outbox."""
        self._outbox.append(item)
        if self._writer is None:
            self._writer = asyncio.create_task(self._write())

    def close(self, code: int) -> None:
        """End the connection; waiting messages are sent first, unless the outbox is full, which means that the client
        is too slow.
        """
        if self._ended:
            return
        self._ended = True
        self._go_on()
        if len(self._outbox) >= self._most:
            del self._outbox[1:]  # the first one is being sent
        self._put(code)
        assert self._writer is not None
        self._closing = asyncio.get_running_loop().call_later(self._slowest, self._writer.cancel)

    async def pause(self, seconds: float) -> None:
        """Wait for some time, or until the connection is ended from here."""
        self._paused = asyncio.get_running_loop().create_future()
        timer = asyncio.get_running_loop().call_later(seconds, self._go_on)
        try:
            if not self._ended:
                await self._paused
        finally:
            timer.cancel()
            self._paused = None

    def _go_on(self) -> None:
        if self._paused and not self._paused.done():
            self._paused.set_result(None)

    @property
    def ended(self) -> bool:
        """Whether the connection has ended, or will end after its remaining data."""
        return self._ended

    async def _write(self) -> None:
        """The writer's task: send the waiting messages, one after another, and at last the close."""
        with contextlib.suppress(RuntimeError, OSError, TimeoutError):
            code: int | None = None
            try:
                while self._outbox and code is None:
                    item = self._outbox[0]  # it stays there until it is sent, so that no other one overtakes it
                    if isinstance(item, int):
                        code = item
                    else:
                        await self._send({"type": "websocket.send", "text": item})
                    self._outbox.pop(0)
            except asyncio.CancelledError:
                if not self._closing:
                    raise
                code = POLICY  # even pending data could not be sent in time
            if code is not None:
                async with asyncio.timeout(self._slowest):
                    await self._send({"type": "websocket.close", "code": code, "reason": ""})
        self._outbox.clear()  # the client may have gone
        self._writer = None

    async def end(self) -> None:
        """The connection has ended: stop writing."""
        self._ended = True
        if self.asking:
            self.asking.cancel()
        if self._closing:
            self._closing.cancel()
            self._closing = None
        if self._writer:
            self._writer.cancel()
            await asyncio.gather(self._writer, return_exceptions=True)


class Sockets:
    """The endpoint of all sockets: it counts them, and refuses too many. Accepted ones are served when all layers
    around it have returned (`access_log.ACCEPTED`).
    """

    def __init__(self, hall: Hall, rates: Rates, lookup: Lookup) -> None:
        self._hall = hall
        self._rates = rates
        self._lookup = lookup
        #: for commands, and for questions, so that a person's moves do not wait for their own questions
        self._for_commands, self._for_questions = Budgets(hall.settings), Budgets(hall.settings)
        self._by_address: Counter[str] = Counter()  #: and by larger networks, and by people
        self._open = 0

    async def serve(self, socket: WebSocket) -> None:
        """The handshake of a connection."""
        settings = self._hall.settings
        owner, address, client = owner_of(socket), address_of(socket, settings), client_of(socket, settings)
        line: Socket | None = socket.scope.pop(LINE, None)
        device = device_of(socket)
        passed_on = line is not None and line.hops > 0
        why = self._why_not(socket, owner or device)  # a signed-out one is notified later
        if not why and (why := await self._no_room(address, passed_on)) and await self._hall.seated.has(owner, address):
            why = await self._no_room(address, passed_on, owner)
        if why:
            self._hall.refused(why, address, **(named(socket, "origin", "host") if why == "origin" else {}))
            await socket.close(POLICY)  # not accepted yet, so this is HTTP 403
            return
        name = socket.path_params.get("id", "")
        if name and line and self._hall.cluster.shared and await self._leads_elsewhere(socket, name, line):
            return
        await socket.accept()
        serve = partial(self._serve, owner=owner, address=address, client=client, line=line, device=device)
        socket.scope[ACCEPTED].append(serve)

    async def _leads_elsewhere(self, socket: WebSocket, name: str, line: Socket) -> bool:
        """If another process has the table, pass the connection on to it; return whether it is no longer ours.

        A process that cannot be reached keeps its tables until its lease ends.
        """
        hall = self._hall
        until = time.monotonic() + hall.settings.lease + 1.0
        while node := await hall.elsewhere(name):
            pass_on = partial(hall.cluster.pass_on, node)
            passed = await line.hand_over(pass_on) if line.hops < MOST_HOPS else Passed.FAILED
            if passed is Passed.DONE:
                return True
            if passed is Passed.GONE:
                with contextlib.suppress(StoreError):
                    await hall.cluster.bury(node)
            elif line.hops >= MOST_HOPS or time.monotonic() > until or line.transport.is_closing():
                await socket.close(LATER)
                return True
            await asyncio.sleep(SOON)
        return False

    async def _serve(
        self, receive: Receive, send: Send, owner: str, address: str, client: str, line: Socket | None, device: str
    ) -> None:
        """One connection, from the handshake to the end."""
        settings, metrics = self._hall.settings, self._hall.metrics
        self._open += 1
        counted = [one for one, _ in self._limits(address, owner)]
        self._by_address.update(counted)
        metrics.sockets.set(self._open)
        peer = SocketPeer(send, owner, address, settings, client, line, device)
        peer.account = self._hall.costs.of(address)
        self._hall.sockets.add(peer)
        self._hall.cluster.note(peer, "")
        try:
            if ban := self._hall.restrictions.ban_of(owner, client):
                dismiss(peer, ban.refusal)
            elif self._hall.devices.is_out(device):
                dismiss(peer, SIGNED_OUT)
            await self._read(receive, peer)
        finally:
            self._hall.sockets.discard(peer)
            self._hall.cluster.note(peer, None)
            self._open -= 1
            metrics.sockets.set(self._open)
            for one in counted:
                self._by_address[one] -= 1
                if not self._by_address[one]:
                    del self._by_address[one]
            await peer.end()

    def _why_not(self, socket: WebSocket, owner: str) -> str:
        """The reason for refusing a connection apart from room, or ""."""
        if from_elsewhere(socket, self._hall.settings):
            return "origin"
        if not owner:
            return "cookie"
        if owner in self._hall.deleting:
            return "deleted"
        return "halting" if self._hall.halting else ""

    async def _no_room(self, address: str, passed_on: bool, person: str = "") -> str:
        """The reason why there is no room for a connection, or "".

        passed_on: by another process, which has counted it in its rate. person: a person with a seat; the rate of
        their network does not apply to them.
        """
        settings = self._hall.settings
        if self._open >= _most(settings.most_sockets, bool(person)):
            return "full"
        for one, most in self._limits(address, person):
            here = self._by_address[one]
            # with few here, others are not counted
            if here >= most or (here >= most * FEW and here + await self._hall.cluster.connections_of(one) >= most):
                return "address"
        if not passed_on and self._rates.take("socket", address, settings.connection_rate, person=person):
            return "rate"
        return ""

    def _limits(self, address: str, person: str) -> list[tuple[str, int]]:
        """The units for which a connection from an address counts, and their limits: the address, its larger
        networks, and, where there is room only for people with a seat, the person.
        """
        settings = self._hall.settings
        if settings.loopback_is_free and address in LOOPBACK:
            return []
        most = settings.sockets_per_address
        larger = [(one, _most(most * times, bool(person))) for one, times in networks_of(address)]
        return [(address, most), *larger, *([(person, OF_ONE)] if person else [])]

    async def _read(self, receive: Receive, peer: SocketPeer) -> None:
        """Read messages until the client goes away; then notify the room."""
        settings = self._hall.settings
        (most, seconds), first = settings.socket_rate, settings.first_message
        bucket = Bucket(most, time.monotonic())
        room: Room | None = None
        try:
            while True:
                frame = await (receive() if room else asyncio.wait_for(receive(), first))
                if frame["type"] != "websocket.receive":
                    return
                if not peer.ended and bucket.take(most, seconds, time.monotonic()):
                    self._hall.refused("messages", peer.address)
                    peer.close(POLICY)
                message = wire.parse(frame.get("text") or frame.get("bytes") or b"")
                if room is not None and isinstance(message, QUESTIONS) and not peer.ended:
                    self._ask(peer, room, message)
                    continue
                if not peer.ended and not isinstance(message, wire.Ping):
                    try:
                        await self._afford(peer, isinstance(message, wire.Hello))
                    except Busy as error:
                        refuse(peer, Refusal.of(error), getattr(message, "seq", 0))
                        continue
                if peer.ended:  # messages after a dismissal are ignored
                    return await self._drain(receive)
                room = await self._handle(peer, room, message)
        except TimeoutError:
            peer.close(POLICY)
            await self._drain(receive)
        except (RuntimeError, OSError):
            pass
        finally:
            if room is not None:
                room.bye(peer)

    async def _afford(self, peer: SocketPeer, question: bool) -> None:
        """Wait until a message may be handled, and charge its address. Raises Busy."""
        budget = (self._for_questions if question else self._for_commands).of(peer.address)
        wait, charge = budget.reserve(time.monotonic()) if budget else (0.0, None)
        if wait:
            self._hall.metrics.delayed.inc()
            await peer.pause(wait)
        if peer.ended:
            return
        if question:
            peer.budget = budget
            shared = await self._hall.admission.question(peer.address)
            charge = charge + shared if charge else shared
        else:
            await self._hall.admission.command(peer.address)
        counted = Charge((peer.account, 0.0)) if peer.account else None
        peer.charge = charge + counted if charge and counted else charge or counted

    def _ask(self, peer: SocketPeer, room: Room, message: wire.Incoming) -> None:
        """Queue a question behind earlier ones; moves overtake it."""
        if len(peer.asked) >= self._hall.settings.why_rate[0]:
            refuse(peer, TOO_OFTEN)
            return
        peer.asked.append((room, message))
        if peer.asking is None:
            peer.asking = asyncio.create_task(self._answer(peer))

    async def _answer(self, peer: SocketPeer) -> None:
        """Answer the questions of a client, one after another."""
        try:
            while peer.asked and not peer.ended:
                room, message = peer.asked.popleft()
                try:
                    await self._afford(peer, True)
                    if peer in room.callers and not peer.ended:  # it may have gone to another table
                        await self._handle(peer, room, message)
                except Busy as error:
                    refuse(peer, Refusal.of(error))
        finally:
            peer.asking = None

    async def _drain(self, receive: Receive) -> None:
        """Wait until the close has gone through."""
        with contextlib.suppress(TimeoutError, RuntimeError, OSError):
            while (await asyncio.wait_for(receive(), 2.0))["type"] != "websocket.disconnect":
                pass

    async def _handle(
        self, peer: SocketPeer, room: Room | None, message: wire.Incoming | wire.RefusalSent
    ) -> Room | None:
        """Handle a message; return the client's room afterwards."""
        if isinstance(message, wire.RefusalSent):
            peer.send(wire.text(message))
        elif isinstance(message, wire.Ping):
            peer.send(wire.text(wire.Pong(message.n, now())))
        elif isinstance(message, wire.Hello):
            return await self._hello(peer, room, message)
        elif room is None:
            refuse(peer, NO_HELLO, getattr(message, "seq", 0))
        elif isinstance(message, wire.Hint):
            room.post(partial(questions.hint, room, peer, message.unasked), peer)
        elif isinstance(message, wire.AskReview):
            if self._rates.take("review", peer.address, self._hall.settings.review_rate):
                refuse(peer, TOO_MANY_REVIEWS)
            else:
                room.post(lambda: questions.review(room, peer), peer)
        elif isinstance(message, wire.Pace):
            room.pace(peer, message.speed)
        elif isinstance(message, wire.AskWhy | wire.AskOutlook | wire.AskWinnable):
            rate = self._hall.settings.why_rate
            if peer.whys.take(*rate, time.monotonic()):
                refuse(peer, TOO_OFTEN)
            elif isinstance(message, wire.AskWhy):
                room.why(peer, message.moves)
            else:
                ask = questions.outlook if isinstance(message, wire.AskOutlook) else questions.winnable
                room.post(lambda: ask(room, peer), peer)
        else:
            room.command(peer, message)
        return room

    async def _hello(self, peer: SocketPeer, room: Room | None, message: wire.Hello) -> Room | None:
        try:
            entered = await self._lookup.find(message.table, peer.address, peer.owner)
        except (StoreError, TableFault) as error:
            fault = error.fault if isinstance(error, StoreError) else BROKEN
            refuse(peer, unread(fault))
            return room
        except Elsewhere as error:  # a client that named the table in its address is led there when it comes back
            refuse(peer, Refusal.of(error))
            peer.close(RESTART)
            return room
        except CardtableError as error:
            refuse(peer, Refusal.of(error))
            return room
        if entered is None:
            refuse(peer, NO_TABLE)
            return room
        if room is not None and room is not entered:
            room.bye(peer)
        if (site := self._hall.site.public) != SiteSeen():
            peer.send(wire.text(wire.Pong(0, now(), site)))
        entered.hello(peer, message.version, message.sender)
        self._hall.seated.note(peer.owner, entered.table.id)
        self._hall.cluster.note(peer, entered.table.id)
        return entered
