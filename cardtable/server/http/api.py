"""The HTTP part: games, tables from outside, a person's matches, records, proofs.

The site's page of requests is generated from here (docs/reference/requests.md).
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from hashlib import blake2b
from typing import Any, TypeVar, cast

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from cardtable.base import languages, platform
from cardtable.base.errors import CardtableError, MatchOver, OptionError, UnknownGame
from cardtable.base.message import Message, as_data
from cardtable.base.types import SeatNumber
from cardtable.rules import catalog
from cardtable.rules.game import FAMILIES
from cardtable.rules.ruleset import Ruleset
from cardtable.server.clock import now
from cardtable.server.http import answers
from cardtable.server.http.admin_api import AdminApi
from cardtable.server.http.answer_cache import Recent
from cardtable.server.http.client_files import COMPRESSED, has_it, tag_of
from cardtable.server.http.descriptions import (
    by_title,
    game_told,
    invite_of,
    language_of,
    lesson_setup,
    lesson_told,
    match_told,
    reviewed_told,
    rulebook_html,
    rules_in,
    rules_told,
    ruleset_of,
    whole_game,
)
from cardtable.server.http.lessons import LessonTold
from cardtable.server.http.moderators_api import ModeratorsApi
from cardtable.server.http.operating_api import OperatingApi
from cardtable.server.http.operations import Operation, QueryFault, operation, operations_of, read_path, read_query
from cardtable.server.http.people_api import PeopleApi
from cardtable.server.http.problems import HttpProblem, answer, missing, not_yours, qr_code, site_of, too_many
from cardtable.server.http.saved_api import SavedApi
from cardtable.server.http.shared_deals_api import DealtApi
from cardtable.server.http.teaching_api import TeachingApi
from cardtable.server.net.fair_queue import Busy, TooMany
from cardtable.server.net.guard import Rates, address_of, comes_from, owner_of, refusal
from cardtable.server.people.site import SiteSeen
from cardtable.server.rooms.hall import Glance, Hall
from cardtable.server.rooms.lookup import Lookup
from cardtable.server.rooms.questions import no_review
from cardtable.server.rooms.wire import UNREAD, why_unread
from cardtable.server.store import decisions, shared_deals
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import SILENT, UNKNOWN, Fault, StoreError, storage_refusal
from cardtable.server.store.writes import Finished
from cardtable.server.thinking.protocol import NotReady, WorkFault
from cardtable.server.thinking.review_answers import ReviewSeen
from cardtable.table import LiveTable, Setup
from cardtable.table.archive import record_so_far
from cardtable.table.live import LOBBY, TableFault
from cardtable.table.setup import checked

Endpoint = Callable[[Request], Awaitable[Response]]
Body = TypeVar("Body")
HOUR = 3_600_000  #: milliseconds
#: the status of errors for which it is not 400
STATUS: dict[type[Exception], int] = {
    UnknownGame: 404,
    MatchOver: 409,
    TooMany: 429,
    Busy: 503,
    NotReady: 503,
    WorkFault: 500,
}


class Unwell(HttpProblem):
    """The server cannot write now."""

    def __init__(self, fault: Fault) -> None:
        self.answer = answer(answers.Health(False, str(fault.why)), 503)


def endpoint(api: Api, declared: Operation) -> Endpoint:
    """The endpoint of an operation: limits the caller's rate, validates the request, and answers errors as in
    docs/server.md.
    """

    async def run(request: Request) -> Response:
        try:
            if declared.rate:
                await api.hold(declared.rate, request)
            if declared.operator:
                api.authorize(request, declared)
            given = await api.asked(declared, request)
            result = await declared.handler(api, request, **given)
            done = result if isinstance(result, Response) else answer(result, declared.status)
            return tagged(done, request) if declared.shared else done
        except HttpProblem as problem:
            return problem.answer
        except CardtableError as error:
            by_name = isinstance(error, UnknownGame) and request.method == "POST"
            status = 400 if by_name else next((code for kind, code in STATUS.items() if isinstance(error, kind)), 400)
            return refusal(status, error, error.seconds if isinstance(error, TooMany) else 0.0)
        except ClientDisconnect:
            return Response(status_code=400)  # the client is gone
        except (StoreError, TableFault) as error:
            fault = error.fault if isinstance(error, StoreError) else UNKNOWN
            return refusal(503, storage_refusal(None if fault is UNKNOWN else fault))

    return run


def tagged(done: Response, request: Request) -> Response:
    """An answer that is the same for everybody, with its version (ETag), or the answer that it has not changed
    (304).
    """
    tag = tag_of(bytes(done.body))
    if has_it(request, tag):
        done = Response(status_code=304)
    done.headers.update({"etag": tag, "cache-control": "no-cache"})
    return done


class Api(PeopleApi, SavedApi, DealtApi, TeachingApi, AdminApi, OperatingApi, ModeratorsApi):
    """The endpoints, over a hall."""

    def __init__(self, hall: Hall, rates: Rates, lookup: Lookup) -> None:
        self.hall = hall
        self.rates = rates
        self.lookup = lookup
        self.recent = Recent(hall.settings.replays_kept)
        self._most = hall.settings.most_moves

    def routes(self) -> list[Route]:
        """Every operation of OPERATIONS at its address."""
        paths: dict[str, list[Operation]] = {}
        for declared in OPERATIONS:
            paths.setdefault(declared.path, []).append(declared)
        return [self._route(path, operations) for path, operations in paths.items()]

    def _route(self, path: str, operations: list[Operation]) -> Route:
        endpoints = {declared.method: endpoint(self, declared) for declared in operations}

        async def handle(request: Request) -> Response:
            return await (endpoints.get(request.method) or endpoints["GET"])(request)  # HEAD is a GET without its body

        shared = all(operation.shared for operation in operations)
        return Route(path, handle, methods=list(endpoints), middleware=[COMPRESSED] if shared else [])

    async def asked(self, declared: Operation, request: Request) -> dict[str, Any]:
        """The checked arguments of an operation: its `path`, `query` and `body`. Raises HttpProblem (400, 404, 413)."""
        given: dict[str, Any] = {}
        if declared.path_type is not None:
            try:
                given["path"] = read_path(declared.path_type, request.path_params)
            except msgspec.ValidationError:
                raise missing(declared.path_type.what) from None
        if declared.query_type is not None:
            try:
                given["query"] = read_query(declared.query_type, request.query_params)
            except QueryFault as fault:
                why, can = Message("it should be {what}", what=fault.should_be), Message("leave it out, or correct it")
                raise HttpProblem(400, "http/query", fault.word, why, can) from None
        if declared.body_type is str:
            given["body"] = await self.text(request)
        elif declared.body_type is not None:
            given["body"] = await self.decoded(request, declared.body_type, declared.body_type.what)
        return given

    async def hold(self, kind: str, request: Request) -> None:
        """Raise HttpProblem (429) if an address sends too many requests. kind: of a rate in the settings."""
        address, rate = address_of(request, self.hall.settings), getattr(self.hall.settings, f"{kind}_rate")
        wait = self.rates.take(kind, address, rate)
        if wait and kind == "request" and await self.hall.seated.has(person := owner_of(request), address):
            wait = self.rates.take(kind, address, rate, person=person)
        if wait:
            self.hall.refused(kind, address)
            raise too_many(Message("this request"), Message("too many came from your address"), wait)

    async def body(self, request: Request, most: int) -> bytes:
        """The body of a request. Raises HttpProblem (413) if it is longer than `most` bytes."""
        content = bytearray()
        async for chunk in request.stream():
            content += chunk
            if len(content) > most:
                why = Message("its body is longer than {n} bytes", n=most)
                raise HttpProblem(413, "http/size", Message("this request"), why, Message("send less"))
        return bytes(content)

    async def decoded(self, request: Request, kind: type[Body], what: Message) -> Body:
        """The body of a request, read as a structure. Raises HttpProblem (400, 413)."""
        try:
            return msgspec.json.decode(await self.body(request, self.hall.settings.longest_body), type=kind)
        except UNREAD as error:
            raise HttpProblem(
                400, "message/syntax", what, why_unread(error), Message("send what docs/server.md lists")
            ) from None

    async def text(self, request: Request) -> str:
        """The body of a request, as the text of a record. Raises HttpProblem (400, 413)."""
        try:
            return platform.text_of(await self.body(request, self.hall.settings.longest_record))
        except UnicodeDecodeError:
            why = Message("it is not UTF-8 text")
            raise HttpProblem(
                400, "record/syntax", Message("this record"), why, Message("send the TOML file as it is")
            ) from None

    async def work(self, request: Request, kind: type[Body], name: str, *arguments: Any) -> Body:
        """The result of a job of a process for records. If the client goes away, the job is dropped.

        Raises CardtableError.
        """
        job = asyncio.create_task(
            self.hall.thinking.workers.do(address_of(request, self.hall.settings), name, *arguments)
        )
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

    async def glance(self, request: Request, name: str) -> Glance:
        """A glance at a table. Raises HttpProblem (404), TooMany."""
        glance = await self.lookup.glance(name, address_of(request, self.hall.settings), owner_of(request))
        if glance is None:
            raise missing(answers.OfTable.what)
        return glance

    # Languages

    @operation("GET /api/languages", shared=True)
    async def languages(self, request: Request) -> answers.Languages:
        """The languages of the browser client, English first."""
        return answers.Languages(
            [answers.LanguageName(code, languages.catalogue(code).name) for code in languages.codes()]
        )

    @operation("GET /api/language", shared=True)
    async def language(self, request: Request, query: answers.Wanted) -> answers.LanguageMessages:
        """The messages of a language.

        It is the first of the languages in `of` that is available, or else English. The answer has an ETag.
        """
        return answers.LanguageMessages(**languages.catalogue(languages.best(query.of.split(":"))).as_dict())

    # Games

    @operation("GET /api/games", shared=True)
    async def games(self, request: Request) -> answers.Games:
        """All games.

        The answer has an ETag. A game with `ready` false is still being compiled: it can be played, but its bots think
        less.
        """
        warming = self.hall.warming.message
        families = [answers.FamilyName(name, title) for name, title in FAMILIES.items()]
        return answers.Games(
            [game_told(game) for game in catalog.games().values()], families, str(warming), as_data(warming)
        )

    @operation("GET /api/games/{name}", refusals=(404,), shared=True)
    async def game(self, request: Request, path: answers.OfGame) -> answers.WholeGame:
        """A game: its options, presets and rulebook page.

        Any of its names will do; `opens` has what the requested name opens.
        """
        return whole_game(Ruleset.parse(path.name))

    @operation("GET /api/games/{name}/rules", refusals=(400, 404), shared=True)
    async def rules(self, request: Request, path: answers.OfGame, query: answers.RulesQuery) -> answers.TableRules:
        """The rules at a table.

        All other parameters of the query are house rules: `?ante=2`. `page` has the rules for the preset, the number of
        players and the house rules; rules that differ from the preset's are at the top. In `language`, if they are
        translated, are the head of the page and *How to play*; the rest is in English.
        """
        return rules_told(path.name, query, request.query_params)

    @operation("GET /api/games/{name}/rules.html", refusals=(400, 404), shared=True)
    async def rules_html(self, request: Request, path: answers.OfGame, query: answers.RulesPageQuery) -> answers.Html:
        """The rules at a table as HTML without a frame, for a browser.

        The page's title is in `h1`. Each rule, question and example is an element whose `id` is the rule's ID. The
        translated part comes first, in an element with its language (`lang`).
        """
        if query.whole:
            asked = Ruleset.parse(path.name)
            own, rest = "", asked.game.rulebook
        else:
            asked, _ = ruleset_of(path.name, query, request.query_params)
            own, rest = rules_in(asked, query.seats, language_of(query))
        html = await asyncio.to_thread(rulebook_html, rest, asked.title, own, language_of(query))
        return answers.Html(html, headers={"cache-control": "no-store"})

    @operation("GET /api/games/{name}/lesson", refusals=(400, 404), shared=True)
    async def lesson(self, request: Request, path: answers.OfGame, query: answers.OfPreset) -> LessonTold:
        """A first hand: a real position, and the few moves with which somebody learns the game, step by step.

        404 `http/missing` if the preset has none.
        """
        asked = Ruleset.parse(path.name, query.preset or None)
        lesson = await asyncio.to_thread(lesson_told, asked.game.name, asked.preset)
        if lesson is None:
            raise missing(Message("a first hand"))
        return lesson

    @operation("POST /api/games/{name}/lesson", status=201, refusals=(400, 404), rate="tables")
    async def play_on(self, request: Request, path: answers.OfGame, body: answers.PlayOn) -> answers.Made:
        """Play the hand of a lesson on.

        Makes a table at which the match of a first hand continues after its last step, against bots; if the deal is
        over then, it begins again at the lesson's position. None of this counts in the statistics.
        """
        asked = Ruleset.parse(path.name, body.preset or None)
        setup = await asyncio.to_thread(lesson_setup, asked.game.name, asked.preset)
        if setup is None:
            raise missing(Message("a first hand"))
        return await self._made(request, setup, True, body.name)

    # Tables

    @operation("POST /api/tables", status=201, rate="tables")
    async def make(self, request: Request, body: answers.NewTable) -> answers.Made:
        """Make a table.

        The body is a **setup**, with the maker's `name` and `sit`. With `winnable`, the server draws numbers until the
        game's solver wins the deal of one, which becomes the table's `number`; until then the answer waits.
        """
        if body.daily:
            why, can = Message("the server draws it"), Message("ask for it: POST /api/daily/NAME")
            raise HttpProblem(400, "setup/daily", Message("a deal of the day"), why, can)
        given = Setup(**{name: getattr(body, name) for name in Setup.__struct_fields__})
        setup = (
            await self.work(request, Setup, "checked", msgspec.to_builtins(given)) if given.start else checked(given)
        )
        if setup.winnable:
            setup = await self._winnable(request, setup)
        return await self._made(request, setup, body.sit, body.name)

    async def _winnable(self, request: Request, setup: Setup) -> Setup:
        """A setup with the number of a deal that can be won. Raises OptionError, NotReady, TooMany, Busy, WorkFault."""
        if setup.number:
            what, why = Message("a deal that can be won"), Message("it has its own number")
            raise OptionError(what, why, Message("leave the number out"), code="options/combination")
        won = await self.hall.thinking.winnable.any(address_of(request, self.hall.settings), setup)
        return msgspec.structs.replace(setup, number=won.number)

    async def _made(self, request: Request, setup: Setup, sit: bool, name: str) -> answers.Made:
        """Make a table; its maker may sit down at it."""
        table, code = await self.hall.create(setup, owner_of(request), sit=sit, name=name)
        return answers.Made(table, code, f"/t/{table}")

    @operation("GET /api/site")
    async def site(self, request: Request) -> SiteSeen:
        """The state of the whole site: the operator's notice, the chat, a planned restart, room for new tables.

        At a table, a `pong` with number 0 comes when it changes.
        """
        return self.hall.site.public

    @operation("GET /api/tables")
    async def tables(self, request: Request) -> answers.Listed:
        """Listed tables with a free seat, the newest first."""
        glances = await self.hall.lobby()
        free = [one for one in glances if one.stage == LOBBY and any(place.free for place in one.table.places)]
        site = self.hall.site.public
        return answers.Listed([invite_of(one) for one in free], site if site != SiteSeen() else None)

    @operation("GET /api/tables/{id}", refusals=(404,))
    async def invite(self, request: Request, path: answers.OfTable) -> answers.Invite:
        """The **invite** of a table: what people may know before they sit down."""
        return invite_of(await self.glance(request, path.id))

    @operation("GET /api/tables/{id}/qr.svg", refusals=(404,))
    async def qr(self, request: Request, path: answers.OfTable) -> answers.Svg:
        """The invite link as a QR code (SVG)."""
        table = (await self.glance(request, path.id)).table
        return answers.Svg(qr_code(f"{site_of(request, self.hall.settings)}/t/{table.id}"))

    # The person's own

    @operation("GET /api/me")
    async def me(self, request: Request) -> answers.Invites:
        """The tables at which you have a seat and the match is not over, the latest first."""
        ids = await in_database(self.hall.store.tables_of, owner_of(request))
        return answers.Invites([invite_of(glance) for id in ids if (glance := await self.hall.glance(id))])

    @operation("GET /api/matches", refusals=(400,))
    async def matches(self, request: Request, query: answers.Before) -> answers.Matches:
        """Your finished matches, the latest first, 50 at a time.

        With `before`, those older than the match with that id.
        """
        owner = owner_of(request)
        return answers.Matches(
            [match_told(match, owner) for match in await in_database(self.hall.store.matches_of, owner, query.before)]
        )

    @operation("GET /api/matches/{id}", refusals=(404,))
    async def match(self, request: Request, path: answers.OfMatch) -> answers.MatchTold:
        """One of your finished matches."""
        owner = owner_of(request)
        matches = await in_database(self.hall.store.matches_of, owner, only=path.id)
        if not matches:
            raise not_yours(path.what)
        return match_told(matches[0], owner)

    async def _record(self, request: Request, match: answers.OfMatch) -> str:
        """The record of one of the caller's matches. Raises HttpProblem (404; 409 for today's deal)."""
        saved = await in_database(self.hall.store.record_of, owner_of(request), match.id)
        if saved is None:
            raise not_yours(match.what)
        record, deal = saved
        check_sealed(deal)
        return record

    @operation("GET /api/matches/{id}/record", refusals=(404, 409))
    async def record(self, request: Request, path: answers.OfMatch) -> answers.Toml:
        """The record of one of your matches as a TOML file (docs/api.md §5), with the proof of its shuffle.

        409 `daily/sealed`: the match was a deal of the day, whose cards are shown when the day (UTC) is over.
        """
        name = f'attachment; filename="cardtable-{path.id}.toml"'
        return answers.Toml(await self._record(request, path), headers={"content-disposition": name})

    @operation("GET /api/matches/{id}/frames", refusals=(400, 404, 409), rate="replay")
    async def frames(self, request: Request, path: answers.OfMatch, query: answers.DealPortion) -> answers.Frames:
        """The replay of a deal of one of your matches, in portions.

        The first frame is before the first move, each other frame after a move. 409 `daily/sealed`: as for the record.
        """
        return await self._framed(request, await self._record(request, path), query, query.seat)

    async def _framed(
        self, request: Request, record: str, part: answers.DealPart, seat: SeatNumber | None
    ) -> answers.Frames:
        """A portion of the replay of a deal of a record, as a seat sees it; None: with all hands. Raises RecordError,
        OptionError.
        """
        asked = part.deal, seat, part.first, part.count
        key = blake2b(record.encode()).digest(), asked  # ids of deleted matches come again
        frames = self.recent.get(key)
        if frames is None:
            frames = bytes(await self.work(request, msgspec.Raw, "framed", record, *asked, self._most))
            self.recent.put(key, frames)
        return cast(answers.Frames, msgspec.Raw(frames))  # passed on as the job wrote it, because it is long

    @operation("GET /api/matches/{id}/review", refusals=(400, 404, 409), rate="review")
    async def review(self, request: Request, path: answers.OfMatch, query: answers.DealOfSeat) -> ReviewSeen:
        """What a seat's decisions in a deal of one of your matches were worth, judged by what the seat knew.

        docs/api.md §7 explains reviews. Any seat can be reviewed. A decision is judged by deals played out: 10,000
        `iterations` at most, fewer if deals are long. This may take a while, because bots that play go first: after 3 s
        the answer has the decisions judged so far, with `complete` false; ask again for more. You can have one review
        in progress; asking for another one interrupts it.

        400 `record/size`: the seat has more than 1,000 decisions in the deal. 409 `daily/sealed`: as for the record.
        503 `server/warming`: the game is being compiled. The results for your own seat are kept for your statistics, if
        the match counts there.
        """
        record = await self._record(request, path)
        owner, settings = owner_of(request), self.hall.settings
        sheet = await self.hall.thinking.reviews.ask(
            owner, address_of(request, settings), record, query.deal, query.seat
        )
        place = self.hall.store, owner, path.id
        await in_database(decisions.quietly, decisions.keep_of_match, *place, sheet, now(), settings.decisions_kept)
        return ReviewSeen(**sheet)

    @operation("GET /api/matches/{id}/lost", refusals=(400, 404, 409), rate="review")
    async def lost(self, request: Request, path: answers.OfMatch, query: answers.DealOfSeat) -> answers.LostDeal:
        """Where a deal of one of your matches was lost, in games with a solver (Spider).

        The solver sees all cards. Positions are numbered by the move before which they are, from 1. Each answer solves
        a few more positions; ask again until `complete`. 409 `daily/sealed`: as for the record.
        """
        record, address = await self._record(request, path), address_of(request, self.hall.settings)
        loss = await self.hall.thinking.losses.ask(address, record, query.deal, query.seat, self._most)
        if loss is None:
            return answers.LostDeal(lost=False, complete=True)
        return answers.LostDeal(lost=True, says=as_data(loss.message), **loss.as_dict())

    @operation("POST /api/matches/{id}/retry", status=201, refusals=(404, 409), rate="tables")
    async def retry(self, request: Request, path: answers.OfMatch, body: answers.Retry) -> answers.Made:
        """Try again from a move.

        Makes a table at which one of your finished matches continues from just before a move. You have the seat that
        made the move; the others are the match's bots, and a `search` bot for each other person. "Play again" begins at
        the same move. None of this counts in the statistics. 409 `daily/sealed`: as for the record.
        """
        setup = await self.work(request, Setup, "retried", await self._record(request, path), body.deal, body.number)
        return await self._made(request, setup, True, body.name)

    # The deals of a match that is not over

    @operation("GET /api/tables/{id}/frames", refusals=(400, 404, 409), rate="replay")
    async def deal_frames(self, request: Request, path: answers.OfTable, query: answers.DealPart) -> answers.Frames:
        """The replay of a deal that is over, as you saw it at your seat, in portions.

        As `GET /api/matches/ID/frames`, while the match is not over. 409 `table/review`: you have no seat, a deal is
        being played, or at this table there are no hints.
        """
        table, seat = await self._between_deals(request, path)
        record = await asyncio.to_thread(lambda: str(record_so_far(table)))
        return await self._framed(request, record, query, seat)

    @operation("POST /api/tables/{id}/retry", status=201, refusals=(404, 409), rate="tables")
    async def retry_deal(self, request: Request, path: answers.OfTable, body: answers.Retry) -> answers.Made:
        """Try again from one of your moves in a deal that is over, while the match is not.

        As `POST /api/matches/ID/retry`. The new table has the cards of the deal as they lay; its later shuffles are
        its own. Nothing is done at this table. 409 `table/review`: as for the frames, and for the moves of others;
        `daily/sealed`: it is the deal of the day, whose cards are shown when the day (UTC) is over.
        """
        table, seat = await self._between_deals(request, path)
        check_sealed(shared_deals.deal_of(table.setup))
        record = await asyncio.to_thread(record_so_far, table)
        if record.act(body.deal, body.number)[0] != seat:
            why = Message("somebody else made this move")
            raise HttpProblem(409, "table/review", answers.Retry.what, why, Message("name a move that you made"))
        setup = await self.work(request, Setup, "retried", str(record), body.deal, body.number, True)
        return await self._made(request, setup, True, body.name)

    async def _between_deals(self, request: Request, path: answers.OfTable) -> tuple[LiveTable, int]:
        """The table whose deals are over, and the seat at which the caller may look back. Raises HttpProblem."""
        table = (await self.glance(request, path.id)).table
        if table.match is None:  # it is not open here
            table = await self.hall.logs.folded(table.id)
        seat = table.viewer_of(owner_of(request))
        if refused := no_review(table, seat):
            raise HttpProblem(409, refused.code, refused.what, refused.why, refused.can)
        return table, seat

    @operation("POST /api/records", status=201, rate="heavy")
    async def upload(self, request: Request, body: str) -> answers.Kept:
        """Keep an uploaded record.

        The body is the record as TOML: 512 KiB and 20,000 moves at most. It is replayed and checked. An address can
        upload 100 records a day.
        """
        await self.hall.site.check_room(Message("this record"))
        match = await self.work(request, Finished, "kept", body, owner_of(request), self._most)
        await self.hold("records", request)
        return answers.Kept(await in_database(self.hall.store.keep, match))

    @operation("POST /api/verify", rate="heavy")
    async def verify(self, request: Request, body: str) -> answers.ShuffleProof:
        """Check the proof of a record's shuffle.

        The body is the record as TOML: 512 KiB and 20,000 moves at most. 400 `record/fair`: the proof is not valid.
        """
        return await self.work(request, answers.ShuffleProof, "verified", body, self._most)

    @operation("GET /api/statistics")
    async def statistics(self, request: Request) -> answers.Statistics:
        """Your matches, by title, and what reviews of them found.

        Only your own decisions count that you have had reviewed, on any of your devices, in matches that are over: the
        latest 5,000 decisions at most (setting `decisions_kept`). `match`, `deal` and `number` of a move lead to it in
        `GET /api/matches/ID/frames`.
        """
        store, owner, known = self.hall.store, owner_of(request), catalog.games()
        rows = await in_database(store.statistics, owner)
        reviewed = await in_database(decisions.statistics, store, owner)
        games = by_title([row for row in rows if row["game"] in known])
        return answers.Statistics(games, [reviewed_told(one) for one in reviewed if one["game"] in known])

    # The server itself

    @operation("GET /healthz", rate="")
    async def health(self, request: Request) -> answers.Health:
        """Whether the server works.

        200 if the store has written something in the last second, or can write now. 503 otherwise, and for 10 s after
        an entry could not be written.
        """
        try:
            await asyncio.wait_for(asyncio.wrap_future(self.hall.store.check()), self.hall.settings.health_within)
        except StoreError as error:
            raise Unwell(error.fault) from None
        except TimeoutError:
            raise Unwell(self.hall.store.fault or SILENT) from None
        return answers.Health(True)

    @operation("GET /metrics", rate="", refusals=(403,))
    async def figures(self, request: Request) -> answers.PrometheusText:
        """Figures for Prometheus.

        Only for addresses in the setting `metrics_to`: by default, this machine.
        """
        if not comes_from(request, self.hall.settings, self.hall.settings.metrics_to):
            why = Message("they are for the operator of this server")
            raise HttpProblem(403, "request/operator", Message("the figures"), why)
        return answers.PrometheusText(self.hall.metrics.text())


OPERATIONS = [declared for kind in (Api, *Api.__bases__) for declared in operations_of(kind)]


def check_sealed(deal: str) -> None:
    """Raise HttpProblem (409) for a deal of the day that is not over. deal: as `shared_deals.deal_of`."""
    if shared_deals.sealed(deal):
        n = 1 + (shared_deals.ends() - now()) // HOUR
        why = Message("others can still play them today")
        can = Message("come back in {n} {n:hour|hours}, when the day is over", n=n)
        raise HttpProblem(409, "daily/sealed", Message("the cards of the deal of the day"), why, can)


async def gone(request: Request) -> None:
    """Wait until the client has gone away."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def not_found(request: Request, _: Exception) -> Response:
    """The answer for an unknown address."""
    return JSONResponse(
        {
            "error": {
                "code": "http/missing",
                "what": "this address",
                "why": "there is nothing here",
                "can": "see /api/schema",
            }
        },
        404,
    )
