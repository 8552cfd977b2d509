"""The HTTP part: games, tables before one sits down, one's matches, records, proofs. docs/server.md lists it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache, wraps
from typing import Annotated, Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from cardtable import catalog, languages
from cardtable.errors import CardtableError, MatchOver, Text, UnknownGame
from cardtable.game import Game
from cardtable.message import Message, as_data
from cardtable.options import Kind, Options
from cardtable.server.guard import Rates, address_of, owner_of, refusal
from cardtable.server.hall import Busy, Hall
from cardtable.server.reviews import NotReady
from cardtable.server.rooms import Room, now
from cardtable.server.store import Finished, StoreError
from cardtable.server.texts import send
from cardtable.server.workers import TooMany, WorkFault
from cardtable.table import Setup, seen
from cardtable.table.live import LOBBY, TableFault
from cardtable.table.setup import LONGEST_NAME, checked
from cardtable.text import slug
from cardtable.warm import ready

Handler = Callable[["Api", Request], Awaitable[Response]]
Told = TypeVar("Told")
BIGGEST_ID = 1 << 31
#: the status of errors that are not 400
STATUS: dict[type[Exception], int] = {UnknownGame: 404, MatchOver: 409, TooMany: 429, Busy: 503, NotReady: 503, WorkFault: 500}


class NewTable(Setup, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The body of `POST /api/tables`: a setup, and how the maker sits down."""

    name: str = ""
    entropy: str = ""
    sit: bool = True


class Retry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of `POST /api/matches/ID/retry`: before which move (both from 1) one sits down again, and by what name."""

    deal: Annotated[int, msgspec.Meta(ge=1, lt=BIGGEST_ID)]
    number: Annotated[int, msgspec.Meta(ge=1, lt=BIGGEST_ID)]
    name: str = ""


class Problem(Exception):
    """A request that is refused: status, code, what, why, what one can do."""

    def __init__(self, status: int, code: str, what: Text, why: Text = "", can: Text = "", wait: float = 0.0) -> None:
        self.answer = refusal(status, CardtableError(what, why, can, code=code), wait)


def missing(what: Message) -> Problem:
    """Nothing of that name, or nothing for you: which of the two is not told."""
    return Problem(404, "http/missing", what, Message("there is no such thing here"), Message("check the address"))


def endpoint(kind: str = "request") -> Callable[[Handler], Handler]:
    """Answer errors as docs/server.md says, and hold an address to its rate of a kind."""

    def around(handler: Handler) -> Handler:
        @wraps(handler)
        async def run(api: Api, request: Request) -> Response:
            try:
                api.hold(kind, request)
                return await handler(api, request)
            except Problem as problem:
                return problem.answer
            except CardtableError as error:
                found = isinstance(error, UnknownGame) and request.method != "GET"
                status = 400 if found else next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
                return refusal(status, error)
            except ClientDisconnect:
                return Response(status_code=400)  # nobody reads it
            except (StoreError, TableFault):
                why = Message("the server cannot read or save it")
                return refusal(503, CardtableError(Message("this"), why, Message("try again in a moment"), code="server/storage"))

        return run

    return around


def answer(thing: Any, status: int = 200) -> Response:
    """A thing as JSON."""
    return Response(msgspec.json.encode(thing), status, media_type="application/json", headers={"cache-control": "no-store"})


class Api:
    """The endpoints, over a hall."""

    def __init__(self, hall: Hall, rates: Rates) -> None:
        self.hall = hall
        self.rates = rates

    def routes(self) -> list[Route]:
        """Every endpoint below /api."""
        paths: list[tuple[str, str, Any]] = [
            ("GET", "/api/languages", self.languages), ("GET", "/api/language", self.language),
            ("GET", "/api/games", self.games), ("GET", "/api/games/{name}", self.game),
            ("GET", "/api/games/{name}/rules", self.rules),
            ("POST", "/api/tables", self.make), ("GET", "/api/tables", self.tables),
            ("GET", "/api/tables/{id}", self.invite), ("GET", "/api/tables/{id}/qr.svg", self.qr),
            ("GET", "/api/me", self.me), ("GET", "/api/matches", self.matches), ("GET", "/api/matches/{id}", self.match),
            ("GET", "/api/matches/{id}/record", self.record), ("GET", "/api/matches/{id}/frames", self.frames),
            ("GET", "/api/matches/{id}/review", self.review), ("POST", "/api/matches/{id}/retry", self.retry), ("POST", "/api/records", self.upload), ("POST", "/api/verify", self.verify), ("GET", "/api/statistics", self.statistics),
        ]  # fmt: skip
        methods: dict[str, list[tuple[str, Any]]] = {}
        for method, path, handler in paths:
            methods.setdefault(path, []).append((method, handler))
        return [Route(path, _by_method(dict(found)), methods=[method for method, _ in found]) for path, found in methods.items()]

    def hold(self, kind: str, request: Request) -> None:
        """Raise Problem (429) if an address asks too much."""
        settings = self.hall.settings
        address = address_of(request, settings)
        rates = {"request": settings.request_rate, "tables": settings.tables_rate, "heavy": settings.heavy_rate, "review": settings.review_rate}
        if wait := self.rates.take(kind, address, rates[kind]):
            self.hall.metrics.refused.labels(kind).inc()
            can = Message("try again in {n} s", n=int(wait) + 1)
            raise Problem(429, "http/rate", Message("this request"), Message("too many came from your address"), can, wait)

    async def body(self, request: Request, most: int) -> bytes:
        """The body of a request. Raises Problem (413) if it is longer than `most` bytes."""
        found = bytearray()
        async for chunk in request.stream():
            found += chunk
            if len(found) > most:
                raise Problem(413, "http/size", Message("this request"), Message("its body is longer than {n} bytes", n=most), Message("send less"))
        return bytes(found)

    async def told(self, request: Request, kind: type[Told], what: Message) -> Told:
        """The body of a request, read as a structure. Raises Problem (400, 413)."""
        try:
            return msgspec.json.decode(await self.body(request, self.hall.settings.longest_body), type=kind)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Problem(400, "message/syntax", what, str(error)[:300], Message("send what docs/server.md lists")) from None

    async def text(self, request: Request) -> str:
        """The body of a request, a record's text."""
        try:
            return (await self.body(request, self.hall.settings.longest_record)).decode()
        except UnicodeDecodeError:
            why = Message("it is no UTF-8 text")
            raise Problem(400, "record/syntax", Message("this record"), why, Message("send the TOML file as it is")) from None

    async def work(self, request: Request, kind: type[Told], name: str, *arguments: Any) -> Told:
        """What a job of a process for records comes to. If the client goes, the job is dropped. Raises CardtableError."""
        job = asyncio.create_task(self.hall.workers.do(address_of(request, self.hall.settings), name, *arguments))
        leaving = asyncio.create_task(gone(request))
        try:
            await asyncio.wait({job, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if not job.done():
                raise ClientDisconnect
            return msgspec.json.decode(job.result(), type=kind)
        finally:
            job.cancel()
            leaving.cancel()
            await asyncio.gather(job, leaving, return_exceptions=True)

    async def room(self, request: Request) -> Room:
        """The room that a request names. Raises Problem (404)."""
        name = request.path_params["id"]
        room = await self.hall.find(name) if len(name) <= 64 and name.isprintable() else None
        if room is None:
            raise missing(Message("this table"))
        return room

    # Languages

    @endpoint()
    async def languages(self, request: Request) -> Response:
        """The languages that there are, English first."""
        return answer({"languages": [{"code": code, "name": languages.catalogue(code).name} for code in languages.codes()]})

    @endpoint()
    async def language(self, request: Request) -> Response:
        """The catalogue of the first of some languages that there is, or else English."""
        return send(languages.best(request.query_params.get("of", "").split(":")), request)

    # Games

    @endpoint()
    async def games(self, request: Request) -> Response:
        """All games, and whether each is compiled."""
        warming = self.hall.warming.message
        told = {"games": [game.as_dict() | {"ready": ready(game)} for game in catalog.games().values()]}
        return answer(told | {"warming": str(warming), "warming_message": as_data(warming)})

    @endpoint()
    async def game(self, request: Request) -> Response:
        """One game with its options, presets and page, and what its name opens."""
        asked = catalog.variant(request.path_params["name"])
        return answer(game_told(asked.game) | {"opens": {"name": slug(asked.title), "title": asked.title, "preset": asked.preset}})

    @endpoint()
    async def rules(self, request: Request) -> Response:
        """The rulebook page of a game as a preset, a number of players and house rules make it."""
        return answer(rules_told(request.path_params["name"], request))

    # Tables

    @endpoint("tables")
    async def make(self, request: Request) -> Response:
        """Make a table."""
        wish = await self.told(request, NewTable, Message("this setup"))
        given = Setup(**{name: getattr(wish, name) for name in Setup.__struct_fields__})
        setup = await self.work(request, Setup, "checked", msgspec.to_builtins(given)) if given.start else checked(given)
        return await self._made(request, setup, wish.sit, wish.name, wish.entropy[:64])

    async def _made(self, request: Request, setup: Setup, sit: bool, name: str, entropy: str = "") -> Response:
        """A new table, at which its maker sits down or not."""
        table, code = await self.hall.create(setup, owner_of(request), sit=sit, name=name[: 4 * LONGEST_NAME], entropy=entropy)
        return answer({"id": table, "code": code, "path": f"/t/{table}"}, 201)

    @endpoint()
    async def tables(self, request: Request) -> Response:
        """The listed tables that wait for somebody."""
        ids = await asyncio.to_thread(self.hall.store.open_tables, now() - int(1000 * self.hall.settings.stale_lobby))
        rooms = [room for id in ids if (room := await self.hall.find(id)) and room.peers]
        return answer({"tables": [invite_of(room) for room in rooms if room.table.stage == LOBBY and any(p.free for p in room.table.places)]})

    @endpoint()
    async def invite(self, request: Request) -> Response:
        """What one may know of a table before sitting down."""
        return answer(invite_of(await self.room(request)))

    @endpoint()
    async def qr(self, request: Request) -> Response:
        """The invite link as a picture."""
        import io

        import segno

        room = await self.room(request)
        link = f"{request.url.scheme}://{request.headers.get('host', '')[:200]}/t/{room.table.id}"
        picture = io.BytesIO()
        segno.make(link, error="m", micro=False).save(picture, kind="svg", scale=6, border=3, light="#fff")
        return Response(picture.getvalue(), media_type="image/svg+xml")

    # One's own

    @endpoint()
    async def me(self, request: Request) -> Response:
        """The tables where one has a seat."""
        ids = await asyncio.to_thread(self.hall.store.tables_of, owner_of(request))
        return answer({"tables": [invite_of(room) for id in ids if (room := await self.hall.find(id))]})

    @endpoint()
    async def matches(self, request: Request) -> Response:
        """One's finished matches."""
        owner = owner_of(request)
        found = await asyncio.to_thread(self.hall.store.matches_of, owner, number(request, "before", 0))
        return answer({"matches": [match_told(match, owner) for match in found]})

    def _id(self, request: Request) -> int:
        text = request.path_params["id"]
        if not text.isascii() or not text.isdecimal() or len(text) > 10 or not 0 < int(text) < BIGGEST_ID:
            raise missing(Message("this match"))
        return int(text)

    @endpoint()
    async def match(self, request: Request) -> Response:
        """One finished match."""
        owner = owner_of(request)
        found = await asyncio.to_thread(self.hall.store.matches_of, owner, only=self._id(request))
        if not found:
            raise missing(Message("this match"))
        return answer(match_told(found[0], owner))

    async def _record(self, request: Request) -> str:
        found = await asyncio.to_thread(self.hall.store.record_of, owner_of(request), self._id(request))
        if found is None:
            raise missing(Message("this match"))
        return found

    @endpoint()
    async def record(self, request: Request) -> Response:
        """A finished match's record."""
        name = f'attachment; filename="cardtable-{self._id(request)}.toml"'
        return Response(await self._record(request), media_type="application/toml", headers={"content-disposition": name})

    @endpoint("heavy")
    async def frames(self, request: Request) -> Response:
        """A finished match's deal, step by step."""
        record, deal, seat = await self._record(request), number(request, "deal", 1), number(request, "seat", -1)
        return answer(await self.work(request, msgspec.Raw, "framed", record, deal, None if seat < 0 else seat))

    @endpoint("review")
    async def review(self, request: Request) -> Response:
        """What the decisions of a seat in a finished match's deal were worth, as far as they are judged."""
        record, deal, seat = await self._record(request), number(request, "deal", 1), number(request, "seat", 0)
        return answer(await self.hall.reviews.ask(owner_of(request), self._id(request), record, deal, seat))

    @endpoint("tables")
    async def retry(self, request: Request) -> Response:
        """Make a table at which a finished match is played on from before one of its moves."""
        record, wish = await self._record(request), await self.told(request, Retry, Message("this move"))
        setup = await self.work(request, Setup, "retried", record, wish.deal, wish.number)
        return await self._made(request, setup, True, wish.name)

    @endpoint("heavy")
    async def upload(self, request: Request) -> Response:
        """Keep a record."""
        match = await self.work(request, Finished, "kept", await self.text(request), owner_of(request))
        return answer({"id": await asyncio.to_thread(self.hall.store.keep, match)}, 201)

    @endpoint("heavy")
    async def verify(self, request: Request) -> Response:
        """Check a record's proof."""
        return answer({"ok": True} | await self.work(request, dict[str, Any], "verified", await self.text(request)))

    @endpoint()
    async def statistics(self, request: Request) -> Response:
        """One's matches, by what they were called."""
        rows = await asyncio.to_thread(self.hall.store.statistics, owner_of(request))
        known = catalog.games()
        return answer({"games": by_title([row for row in rows if row["game"] in known])})


async def gone(request: Request) -> None:
    """Wait until the client has gone."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _by_method(handlers: dict[str, Any]) -> Any:
    """One endpoint for the methods of a path."""

    async def handle(request: Request) -> Response:
        found: Response = await (handlers.get(request.method) or handlers["GET"])(request)  # HEAD is a GET without its body
        return found

    return handle


def number(request: Request, name: str, default: int) -> int:
    """A whole number of the query. Raises Problem (400)."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        what, why = Message("{name}={value}", name=name, value=text[:20]), Message("{name} is a whole number", name=name)
        raise Problem(400, "http/query", what, why, Message("leave it out, or write one"))
    return int(text)


def game_told(game: Game) -> dict[str, Any]:
    """A game with its options, presets and rulebook page."""
    options = [option_told(name, kind) for name, kind in game.options.kinds().items()]
    values = {preset: game.options.make(preset, None, {})[2].as_dict() for preset in game.presets}
    ranges = {preset: list(span) for preset, span in game.options.seat_range.items()}
    best = {preset: list(game.best_for(preset)) for preset in game.presets}
    told = {"ready": ready(game), "options": options, "values": values, "seat_range": ranges, "best_seats": best, "page": game.rulebook}
    return game.as_dict() | told


def rules_told(called: str, request: Request) -> dict[str, Any]:
    """A game's rules as the query asks for them: `preset`, `seats`, and every other word is a house rule. Raises UnknownGame, OptionError, Problem."""
    house = dict(request.query_params)
    asked, seats = catalog.variant(called, house.pop("preset", None) or None), number(request, "seats", 0) if house.pop("seats", None) else None
    game = asked.game
    name, _, options = game.options.make(asked.preset, seats, house)
    changed = {key: house[key] for key in options.as_dict() if key in house}
    return {"name": game.name, "title": asked.title, "presets": list(game.presets), "titles": game.titles, "preset": name, "seats": seats, "options": changed,
            "page": _page(game.name, name, options, seats)}  # fmt: skip


@lru_cache(256)
def _page(game: str, preset: str, options: Options, seats: int | None) -> str:
    return catalog.games()[game].rules_here(preset, options, seats)


def option_told(name: str, kind: Kind) -> dict[str, Any]:
    """An option: its name, and all of its kind that can be written down."""
    return {"name": name} | {key: value for key, value in asdict(kind).items() if key != "read"}


def invite_of(room: Room) -> dict[str, Any]:
    """What one may know of a table before sitting down."""
    table, setup = room.table, room.table.setup
    seats = [seen.seat_seen(table, seat, ()) for seat in range(len(table.places))]
    told: dict[str, Any] = {"id": table.id, "code": room.code, "path": f"/t/{table.id}", "title": setup.known_as, "stage": table.stage}
    told |= {name: getattr(setup, name) for name in ("game", "preset", "options", "clock", "window", "undo", "watched")}
    told["seats"] = [{"seat": place.seat, "name": place.name, "kind": place.kind, "level": place.level} for place in seats]
    told["free"] = sum(place.kind == "free" for place in seats)
    return told


def match_told(match: dict[str, Any], owner: str) -> dict[str, Any]:
    """A finished match, without anybody's secret."""
    told = {name: match[name] for name in ("id", "game", "preset", "at", "deals", "resigned", "counts")}
    players = [{"name": p["name"], "score": p["score"], "won": p["won"], "you": p["owner"] == owner} for p in match["players"]]
    return told | {"title": title_of(match), "players": players}


def title_of(match: Mapping[str, Any]) -> str:
    """What a match that is kept was called; one of a game or preset that is known no more, by that game's name."""
    game = catalog.games().get(match["game"])
    return str(match["title"] or (game.titles.get(match["preset"], game.title) if game else match["game"]))


def by_title(rows: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of statistics, with those put together that are called the same."""
    found: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        sums = found.setdefault((row["game"], title_of(row)), Counter())
        sums.update({name: value for name, value in row.items() if isinstance(value, int)})
    return [{"game": game, "title": title} | sums for (game, title), sums in found.items()]


def not_found(request: Request, _: Exception) -> Response:
    """The answer for an address that is none."""
    return refusal(404, CardtableError(Message("this address"), Message("there is nothing here"), Message("see /api/schema"), code="http/missing"))
