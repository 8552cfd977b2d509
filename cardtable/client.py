"""A Python client of a live table (docs/server.md): for bots, tools and tests::

    async with Client("http://127.0.0.1:8517/") as client:
        made = await client.make("fan-tan", seats=3, bots=["", "medium", "medium"])
        async with client.table(made["id"]) as table:
            async for _ in table.states():
                if table.legal:
                    await table.move(table.legal[0])

It reconnects automatically, reports what it has seen, and resends commands that were not answered or could not be
saved. It also takes part in shuffles, and checks that the server uses its entropy (docs/server.md §4).
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import http.client
import json
import secrets
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from types import TracebackType
from typing import Self, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message, from_data, plain
from cardtable.base.types import Json, JsonObject, MoveText, SeatNumber

PATIENCE = 30.0  #: seconds in which a request over HTTP must be answered
RESEND = 3.0  #: seconds after which a command without an answer is sent again
#: seconds of silence after which the server is asked for news; after three times that the connection is taken for dead
QUIET = 8.0
BACKOFF = (0.0, 0.1, 0.3, 0.7, 1.0)  #: seconds before each try to connect again; the last for all further ones
#: refusals of a whole table, after which it is no use to try again
FINAL = ("table/unknown", "table/private", "http/rate", "person/banned", "person/kicked", "device/signed-out")
ANSWERS = {"advice": "hint", "reviewed": "review", "foreseen": "outlook", "solved": "winnable"}  #: to which question
UNSAVED = "server/storage"  #: the code of a refusal because nothing can be saved now


class ServerError(CardtableError):
    """The server refused something; `rule` and `legal` are set for a move."""

    def __init__(self, data: JsonObject) -> None:
        self.rule, self.legal = str(data.get("rule", "")), tuple(data.get("legal", ()))
        # messages over the socket, strings over HTTP
        what, why, can = (from_data(data.get(part, "")) for part in ("what", "why", "can"))
        parts = [Message("{part}", part=part) if part else "" for part in (what, why, can)]
        super().__init__(*parts, code=str(data.get("code", "")))


class UnfairShuffle(CardtableError):
    """The server did not use this client's committed entropy, or changed its own commitment."""

    code = "client/shuffle"

    def __init__(self, why: Message) -> None:
        super().__init__(Message("the shuffle of this match"), why, Message("do not trust this deal"), code=self.code)


@dataclass
class ShufflePart:
    """A person's part in the shuffle of one match."""

    match: int
    promised: str  #: the server's commitment, when this person committed
    entropy: str = field(default_factory=lambda: secrets.token_hex(16))
    shown: list[str] = field(default_factory=list)  #: the seats' commitments, as they were shown last
    commitments: list[str] = field(default_factory=list)  #: of all seats, when this client revealed; empty: it did not

    @property
    def commitment(self) -> str:
        """The SHA-256 of the entropy."""
        return hashlib.sha256(self.entropy.encode()).hexdigest()

    def see(self, promised: str, commitments: list[str]) -> None:
        """Compare commitments with those shown before: they are added one by one, and never changed. Raises
        UnfairShuffle.
        """
        if promised != self.promised:
            raise UnfairShuffle(Message("the server's commitment was another one when you committed"))
        if any(old not in ("", new) for old, new in zip(self.shown, commitments, strict=False)):
            raise UnfairShuffle(Message("the server changed a commitment that it had shown"))
        self.shown = commitments

    def check(self, promised: str, seat: SeatNumber | None, commitments: list[str], entropy: list[str]) -> None:
        """Compare with the data that the server reveals: its commitment, and the seats' commitments and entropy. Only
        after this client's own reveal. Raises UnfairShuffle.
        """
        self.see(promised, commitments)
        if commitments != self.commitments:
            raise UnfairShuffle(Message("the commitments were others when you revealed your entropy"))
        if seat is None or entropy[seat] != self.entropy:
            raise UnfairShuffle(Message("your entropy is not in it, although your commitment is"))


class Client:
    """One person at a server: a cookie, and requests over HTTP."""

    def __init__(self, url: str, token: str = "") -> None:
        """url: of the server; token: the cookie of a person who was here before."""
        self.url = url.rstrip("/")
        self.token = token

    async def __aenter__(self) -> Self:
        if not self.token:
            await self.get("/api/me")
        return self

    async def __aexit__(self, *_: object) -> None:
        pass

    async def get(self, path: str) -> Json:
        """GET a path of the server. Raises ServerError."""
        return await asyncio.to_thread(self._request, path, None)

    async def post(self, path: str, body: Json) -> Json:
        """Send a body: JSON, or text as it is. Raises ServerError."""
        return await asyncio.to_thread(
            self._request, path, body.encode() if isinstance(body, str) else json.dumps(body).encode()
        )

    async def delete(self, path: str) -> Json:
        """DELETE a path of the server. Raises ServerError."""
        return await asyncio.to_thread(self._request, path, None, "DELETE")

    def _request(self, path: str, body: bytes | None, method: str | None = None) -> Json:
        headers = self.headers if self.token else {}
        request = urllib.request.Request(self.url + urllib.parse.quote(path, "/?&=%"), body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                self._remember(answer.headers.get_all("Set-Cookie") or [])
                content, kind = answer.read().decode(), answer.headers.get_content_type()
        except http.client.HTTPException as error:  # the server went away in the middle of its answer
            raise ConnectionError(str(error)) from error
        except urllib.error.HTTPError as error:
            with error:
                text = error.read().decode(errors="replace")
            try:
                data = json.loads(text)["error"]
            except (ValueError, KeyError, TypeError):
                data = {"code": f"http/{error.code}", "what": path, "why": text[:200]}
            raise ServerError(data) from None
        return json.loads(content) if kind == "application/json" else content

    def _remember(self, cookies: list[str]) -> None:
        for name, cookie in ((name, cookie) for line in cookies for name, cookie in SimpleCookie(line).items()):
            if name in self._cookies and cookie.value:
                self.token = cookie.value

    @property
    def _cookies(self) -> tuple[str, str]:
        """The names of the cookie: over http, and over https (docs/server.md §1)."""
        return "cardtable", "__Host-cardtable" + urllib.parse.urlsplit(self.url).path.replace("/", ".")

    @property
    def headers(self) -> dict[str, str]:
        """The headers that identify the client; the server reads one of the names."""
        return {"Cookie": "; ".join(f"{name}={self.token}" for name in self._cookies)}

    async def make(self, game: str, *, name: str = "", sit: bool = True, **setup: Json) -> JsonObject:
        """Create a table and (with sit) take its first free seat: {id, code, path}. Raises ServerError."""
        made: JsonObject = await self.post("/api/tables", {"game": game, "name": name, "sit": sit} | setup)
        return made

    async def link(self) -> str:
        """A link that gives another device this person's identity; it is valid for some minutes and once.

        Raises ServerError.
        """
        return str((await self.post("/api/me/link", {}))["link"])

    async def take(self, link: str) -> None:
        """Take on the identity of the person who made a link; `token` is then a new one of theirs. Raises
        ServerError."""
        await self.post("/api/link/take", {"token": link.rpartition("#")[2]})

    async def devices(self) -> list[JsonObject]:
        """This person's devices: {id, this, linked, seen} (docs/server.md §2). Raises ServerError."""
        devices: list[JsonObject] = (await self.get("/api/me/devices"))["devices"]
        return devices

    async def sign_out(self, device: str) -> None:
        """Sign out another device of this person, by its id. Raises ServerError."""
        await self.delete(f"/api/me/devices/{device}")

    async def sign_out_others(self) -> int:
        """Sign out all other devices of this person; return how many. Raises ServerError."""
        return len((await self.delete("/api/me/devices"))["signed_out"])

    def table(self, name: str) -> TableClient:
        """A table, by id or code; use it with `async with`."""
        return TableClient(self, name)


class TableClient:
    """A table as seen by one person: `table`, `view` and `version` as last sent by the server, `log` all events so
    far, `held` the reason why nothing can be saved at the moment ("": saving works).
    """

    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.name = name
        self.version = 0
        self._sheet: list[JsonObject] = []  # of the deal
        self.table: JsonObject = {}
        self.view: JsonObject | None = None
        self.log: list[JsonObject] = []
        self.held = ""
        self.connections = 0
        self.part: ShufflePart | None = (
            None  #: in the shuffle of the current match, or of the last that this person had a part in
        )
        self._doing: set[asyncio.Task[None]] = set()  #: background tasks of the client
        self._heard = 0  #: messages received
        self._states = 0  #: states received
        self._sender = secrets.token_hex(8)  #: this client's commands are numbered apart from others of the same person
        self._seq = 0
        self._pending: dict[int, tuple[str, asyncio.Future[None]]] = {}
        self._asked: dict[str, asyncio.Future[JsonObject]] = {}  #: questions that have no answer yet, by kind
        self._news = asyncio.Condition()
        self._fault: Exception | None = None
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._keep_connected())
        try:
            await self.until(lambda: bool(self.table))
        except BaseException:
            await self._leave()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._leave()

    async def _leave(self) -> None:
        """End the background tasks and the connection."""
        if self._task:
            tasks = [self._task, *self._doing]
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    # Reading

    @property
    def seat(self) -> SeatNumber | None:
        """This person's seat; None: they have none."""
        seat: SeatNumber | None = self.table.get("you")
        return seat

    @property
    def in_shuffle(self) -> bool:
        """Whether this person's entropy is part of the current match's shuffle: not if the commitment came too late, or
        the server did not wait for it.
        """
        return self.seat is not None and bool(self.table["seats"][self.seat]["entropy"])

    @property
    def other_device(self) -> bool:
        """Whether the server reports that another device of this person committed to entropy instead of this client,
        whose entropy is then not in the shuffle. If there is no other device, do not trust the deal.
        """
        if self.part is None or self.seat is None or self.part.match != self._shuffled:
            return False
        return self.table["seats"][self.seat]["commitment"] not in ("", self.part.commitment)

    @property
    def _shuffled(self) -> int:
        """The number of the match whose shuffle the table shows: the current one, or the next one before it begins."""
        return int(self.table["match"]) + (self.stage in ("lobby", "shuffling"))

    @property
    def legal(self) -> list[MoveText]:
        """This person's legal moves now."""
        return list(self.view["legal"]) if self.view else []

    @property
    def stage(self) -> str:
        """lobby, playing, between, over, closed."""
        return str(self.table.get("stage", ""))

    async def until(self, true: Callable[[], object]) -> None:
        """Wait until `true()` is true. Raises ServerError if the server refuses the table."""
        async with self._news:
            await self._news.wait_for(lambda: self._fault or true())
        if self._fault:
            raise self._fault

    async def states(self) -> AsyncIterator[JsonObject]:
        """Yield the table now and after each change, until its match is over; a slow reader sees only the latest."""
        last = [-1]  # in a list, so that the test below sees it change
        while True:
            await self.until(lambda: self._states != last[0])
            last[0] = self._states
            yield self.table
            if self.stage in ("over", "closed"):
                return

    # Doing

    async def move(self, move: MoveText) -> None:
        """Play a move. Raises ServerError if it is refused."""
        await self.command("move", move=move, at=self.version)

    async def sit(self, name: str = "", seat: int = -1) -> None:
        """Take a seat."""
        await self.command("sit", seat=seat, name=name)

    async def command(self, kind: str, **fields: Json) -> None:
        """Send a command of docs/server.md §3; return when it is done for good and the table shows it. While the server
        cannot save anything, it is sent again until it can.

        Raises ServerError if it is refused.
        """
        await self.until(lambda: bool(self.table) and not self._pending)
        self._seq = seq = self._seq + 1
        text = json.dumps({"type": kind, "seq": seq} | fields)
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._pending[seq] = text, future
        try:
            while not future.done():
                await self._send(text)
                await asyncio.wait([future], timeout=RESEND)
            future.result()
            await self.until(lambda: int(self.table["seq"]) >= seq)
        finally:
            self._pending.pop(seq, None)
            async with self._news:
                self._news.notify_all()

    async def hint(self) -> JsonObject:
        """The move of a good player: {move, values}. Raises ServerError if the table gives no hint now."""
        return await self._answer("hint")

    async def outlook(self) -> JsonObject:
        """Whether any useful move is left: {useful, says, moves}. Raises ServerError if the table cannot determine
        it."""
        return await self._answer("outlook")

    async def winnable(self) -> JsonObject:
        """Whether the game can still be won, using hidden cards: {status, says, moves}. It counts as a hint.

        Raises ServerError if the table cannot determine it.
        """
        return await self._answer("winnable")

    async def review(self) -> JsonObject:
        """What your decisions in the deal that has just been played were worth, once all are judged: what `GET
        /api/matches/ID/review` answers (docs/server.md). Raises ServerError if the table gives none now.
        """
        return cast(JsonObject, (await self._answer("review"))["review"])

    async def _answer(self, kind: str) -> JsonObject:
        """The answer to a question that is no command; asked again after a reconnection."""
        if kind not in self._asked or self._asked[kind].done():
            self._asked[kind] = asyncio.get_running_loop().create_future()
            await self._send(json.dumps({"type": kind}))
        return await self._asked[kind]

    def _waiting(self, kind: str) -> asyncio.Future[JsonObject] | None:
        """Remove and return the future that waits for an answer of a kind, if it still does."""
        future = self._asked.pop(kind, None)
        return future if future and not future.done() else None

    async def _send(self, text: str) -> None:
        if self._socket is not None:
            with contextlib.suppress(WebSocketException, OSError):
                await self._socket.send(text)

    # The connection

    async def _keep_connected(self) -> None:
        try:
            await self._run()
        except Exception as error:
            await self._fail(error)

    async def _fail(self, error: Exception) -> None:
        """Report to all waiting callers that the connection has ended for good."""
        self._fault = error
        commands = [future for _, future in self._pending.values() if not future.done()]
        for command in commands:
            command.set_exception(error)
        for question in [future for future in self._asked.values() if not future.done()]:
            question.set_exception(error)
        async with self._news:
            self._news.notify_all()

    async def _run(self) -> None:
        tries = 0
        while self._fault is None:
            await asyncio.sleep(BACKOFF[min(tries, len(BACKOFF) - 1)])
            heard = self._heard
            with contextlib.suppress(WebSocketException, OSError, TimeoutError, EOFError, ServerError):
                try:
                    await self._connect()
                except InvalidStatus as error:
                    if error.response.status_code == 403:
                        await self.client.get("/api/me")  # a token that the server has not given is replaced
                    raise
            tries = 0 if self._heard > heard else tries + 1

    async def _connect(self) -> None:
        """One connection, until it ends."""
        url = "ws" + self.client.url.removeprefix("http") + "/ws/" + urllib.parse.quote(self.name, "")
        headers = self.client.headers
        try:
            async with connect(
                url,
                additional_headers=headers,
                compression=None,
                max_size=None,
                open_timeout=10.0,
                close_timeout=1.0,
            ) as socket:
                self._socket = socket
                self.connections += 1
                self.held = ""
                await self._hello()
                waiting = [json.dumps({"type": kind}) for kind in self._asked]
                for text in [*(text for text, _ in self._pending.values()), *waiting]:
                    await socket.send(text)
                alive = asyncio.create_task(self._keep_alive(socket))
                try:
                    async for frame in socket:
                        self._heard += 1
                        await self._take(json.loads(frame))
                finally:
                    alive.cancel()
        finally:
            if self._socket is not None:
                # it may have been cancelled while it took leave of the server
                self._socket.transport.abort()
            self._socket = None

    async def _hello(self) -> None:
        """Ask for news; the answer is the table."""
        hello = {"type": "hello", "table": self.name, "version": self.version, "sender": self._sender}
        await self._send(json.dumps(hello))

    async def _keep_alive(self, socket: ClientConnection) -> None:
        """Ask for news when nothing comes: a message may be lost, or the connection dead without having been closed."""
        heard, asked = self._heard, 0
        while asked < 3:
            await asyncio.sleep(QUIET)
            heard, asked = self._heard, asked + 1 if heard == self._heard else 1
            await self._hello()
        socket.transport.abort()

    async def _take(self, message: JsonObject) -> None:
        kind, seq = message["type"], message.get("seq", 0)
        if kind == "table":
            if message["since"] > self.version:  # the changes before it were lost on the way
                await self._hello()
            else:
                self._state(message)
        elif kind == "done" and seq in self._pending:
            if not (future := self._pending[seq][1]).done():
                future.set_result(None)
        # our hello was lost; the command is sent again after it
        elif kind == "refused" and message["code"] == "message/hello":
            await self._hello()
        elif kind == "refused" and message["code"] in FINAL:
            await self._fail(ServerError(message))
        elif kind == "held":
            await self._hold(message["why"])
        elif kind == "refused" and message["code"] == UNSAVED and seq:
            pass  # it is sent again
        elif kind == "refused" and seq in self._pending:
            if not (future := self._pending[seq][1]).done():
                future.set_exception(ServerError(message))
        elif kind in ANSWERS and (kind != "reviewed" or message["review"]["complete"]):
            if question := self._waiting(ANSWERS[kind]):
                question.set_result(message)
        elif kind == "refused" and not seq and self._asked:
            if first := self._waiting(next(iter(self._asked))):
                first.set_exception(ServerError(message))
        async with self._news:
            self._news.notify_all()

    async def _hold(self, why: Json) -> None:
        """Nothing can be saved (why), or it can again: then what waits is sent at once."""
        self.held = plain(from_data(why)) if why else ""
        for text, _ in () if why else tuple(self._pending.values()):
            await self._send(text)

    def _state(self, message: JsonObject) -> None:
        """Take the table's state from the server, unless a newer one has come already."""
        if view := message["view"]:
            view["sheet"] = self._sheet = self._sheet[: view["sheet_since"]] + view["sheet"]
        if message["since"] and message["version"] < self.version:
            return
        self.log = self.log if message["since"] else []
        known = self.log[-1]["number"] if self.log else -1
        self.log += [happening for happening in message["happened"] if happening["number"] > known]
        self.version, self.table, self.view = message["version"], message["table"], message["view"]
        self._states += 1
        self._take_part()

    # The shuffle

    def _take_part(self) -> None:
        """Commit and reveal when the table waits for it; check the shuffle when the match has begun.

        Raises UnfairShuffle.
        """
        may, part = self.table["may"], self.part
        seats, promised = self.table["seats"], self.table["fair"]["commitment"]
        commitments = [seat["commitment"] for seat in seats]
        if "commit" in may and (part is None or part.match != self._shuffled):
            self.part = part = ShufflePart(self._shuffled, promised)
            self._do("commit", commitment=part.commitment)
        elif part is None or part.match != self._shuffled or self.stage == "lobby":
            return
        elif part.commitments and self.stage != "shuffling":
            withheld = any(happening["kind"] == "withheld" for happening in self.log)
            if self.seat is not None or not withheld:
                part.check(promised, self.seat, commitments, [seat["entropy"] for seat in seats])
        else:
            part.see(promised, commitments)
            mine = self.seat is not None and commitments[self.seat] == part.commitment
            if mine and seats[self.seat]["entropy"] not in ("", part.entropy):
                raise UnfairShuffle(Message("your entropy is not in it, although your commitment is"))
            if "reveal" in may and mine and not part.commitments:
                part.commitments = commitments
                self._do("reveal", entropy=part.entropy)

    def _do(self, kind: str, **fields: Json) -> None:
        """Send a command in the background. A refusal means that it came too late, and is ignored."""

        async def do() -> None:
            with contextlib.suppress(ServerError):
                await self.command(kind, **fields)

        task = asyncio.create_task(do())
        self._doing.add(task)
        task.add_done_callback(self._doing.discard)

    def verify(self, record: str) -> JsonObject:
        """Check the record of the match that was played last: its proof (`cardtable.table.fair.verify`), and that this
        client's part in the shuffle is in it. Return the proof. Raises RecordError, UnfairShuffle.
        """
        from cardtable.table import fair

        proof = fair.verify(record)
        if self.part is not None and self.part.match == proof["match"]:
            if self.part.commitments:
                self.part.check(proof["commitment"], self.seat, proof["commitments"], proof["entropy"])
            else:
                self.part.see(proof["commitment"], proof["commitments"])
        return proof


Table = TableClient  #: its former name
