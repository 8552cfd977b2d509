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
from cardtable.server.http.problems import HttpProblem, answer, missing, qr_code, site_of, too_many
from cardtable.server.http.saved_api import SavedApi
from cardtable.server.http.shared_deals_api import DealtApi
from cardtable.server.http.teaching_api import TeachingApi
from cardtable.server.net.fair_queue import Busy, TooMany
from cardtable.server.net.guard import Rates, address_of, comes_from, owner_of, refusal
from cardtable.server.people.site import SiteSeen
from cardtable.server.rooms.hall import Glance, Hall
from cardtable.server.rooms.lookup import Lookup
from cardtable.server.rooms.wire import UNREAD, why_unread
from cardtable.server.store import decisions, shared_deals
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import SILENT, UNKNOWN, Fault, StoreError, storage_refusal
from cardtable.server.store.writes import Finished
from cardtable.server.thinking.protocol import NotReady, WorkFault
from cardtable.server.thinking.review_answers import ReviewSeen
from cardtable.table import Setup
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
                why, can = Message("it should be {what}", what=fault.should_be), Message("leave it out, or mend it")
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
            why = Message("it is no UTF-8 text")
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
        """The messages of the first of some languages that is available, or else of English.

        `of` names them by their codes, separated by colons (`pl:en-GB`). `messages` has the template in this language
        for each English one, and is empty for English. The answer has an ETag.
        """
        return answers.LanguageMessages(**languages.catalogue(languages.best(query.of.split(":"))).as_dict())

    # Games

    @operation("GET /api/games", shared=True)
    async def games(self, request: Request) -> answers.Games:
        """All games.

        `seats` and `best` (the best number of players) are `[min, max]`; `titles` are by preset. `ready` is false while
        the game is still being compiled (it can be played, but the bots think less). `minutes` is how long a match
        against bots usually takes, `effort` how much there is to learn, from 1 to 3 (0: not known), `preset_levels`
        the levels of bots that are offered under each preset (those that were measured to be better than the one
        below), `levels` those of the first preset, `starts` the preset for somebody new to the game, `picture` cards in
        an arrangement that is typical of it. `fines` are the options that "mistakes are possible and cost chips, as in
        the book" sets, empty if the rules have no fines.
        `warming` says what the server is doing, or is empty; `warming_message` is the same as a message.
        """
        warming = self.hall.warming.message
        families = [answers.FamilyName(name, title) for name, title in FAMILIES.items()]
        return answers.Games(
            [game_told(game) for game in catalog.games().values()], families, str(warming), as_data(warming)
        )

    @operation("GET /api/games/{name}", refusals=(404,), shared=True)
    async def game(self, request: Request, path: answers.OfGame) -> answers.WholeGame:
        """A game: its options, presets and rulebook page.

        Any of its names will do, and `opens` is what that name opens. In an option, `also` describes what may be
        written besides its `values`. `values` are the options of each preset; `seat_range`, `best_seats` and
        `phrases` (what it is called in a sentence) are by preset. `label` and `words` (messages) say what people read
        for an option and its values; it has an effect only if the other options in `only` have one of these
        values. `page` is the whole rulebook page (Markdown), with the rules of all presets.
        """
        return whole_game(Ruleset.parse(path.name))

    @operation("GET /api/games/{name}/rules", refusals=(400, 404), shared=True)
    async def rules(self, request: Request, path: answers.OfGame, query: answers.RulesQuery) -> answers.TableRules:
        """The rules at a table.

        `page` is the rulebook page (Markdown) for the preset, the number of players and the house rules; all other
        parameters of the query are house rules. The default `preset` is the one that the name opens; without `seats`
        the page is for any number. House rules that differ from the preset's are at the top of the page. With
        `language` (a code, or several with colons between them) the head of the page and *How to play* are in that
        language, if they are translated.
        """
        return rules_told(path.name, query, request.query_params)

    @operation("GET /api/games/{name}/rules.html", refusals=(400, 404), shared=True)
    async def rules_html(self, request: Request, path: answers.OfGame, query: answers.RulesPageQuery) -> answers.Html:
        """The rules at a table as HTML without a frame, for a browser.

        The page's title is in `h1`, and each rule, question and example is an element whose `id` is the rule's ID. With
        `whole=1` the page has the rules of all presets, in English. What is in the `language` of the query stands in
        an element that says so (`lang`), before the rest in English.
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
        """A first hand: a real position and the few moves by which somebody learns the game, step by step."""
        asked = Ruleset.parse(path.name, query.preset or None)
        lesson = await asyncio.to_thread(lesson_told, asked.game.name, asked.preset)
        if lesson is None:
            raise missing(Message("a first hand"))
        return lesson

    # Tables

    @operation("POST /api/tables", status=201, rate="tables")
    async def make(self, request: Request, body: answers.NewTable) -> answers.Made:
        """Make a table.

        The body is a **setup** (below) with `name` and `sit` (default true: take the first free seat). With `winnable`
        the server draws numbers until the game's solver wins the deal of one, which becomes the table's `number`.
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
        """What holds for the whole site: a notice of the operator, whether there is a chat (`chat`), when the server
        restarts at the latest (`restart`, milliseconds since 1970; 0: it does not), and whether new tables can be made
        (`tables`).

        At a table a `pong` with number 0 tells when it changes.
        """
        return self.hall.site.public

    @operation("GET /api/tables")
    async def tables(self, request: Request) -> answers.Listed:
        """Listed tables with a free seat, newest first; `site` as in `GET /api/site`, if it is not as usual."""
        glances = await self.hall.lobby()
        free = [one for one in glances if one.stage == LOBBY and any(place.free for place in one.table.places)]
        site = self.hall.site.public
        return answers.Listed([invite_of(one) for one in free], site if site != SiteSeen() else None)

    @operation("GET /api/tables/{id}", refusals=(404,))
    async def invite(self, request: Request, path: answers.OfTable) -> answers.Invite:
        """The **invite** of a table, by id or code: what people may know before they sit down."""
        return invite_of(await self.glance(request, path.id))

    @operation("GET /api/tables/{id}/qr.svg", refusals=(404,))
    async def qr(self, request: Request, path: answers.OfTable) -> answers.Svg:
        """The invite link as a QR code."""
        table = (await self.glance(request, path.id)).table
        return answers.Svg(qr_code(f"{site_of(request, self.hall.settings)}/t/{table.id}"))

    # The person's own

    @operation("GET /api/me")
    async def me(self, request: Request) -> answers.Invites:
        """The tables where you have a seat and the match is not over, latest first."""
        ids = await in_database(self.hall.store.tables_of, owner_of(request))
        return answers.Invites([invite_of(glance) for id in ids if (glance := await self.hall.glance(id))])

    @operation("GET /api/matches", refusals=(400,))
    async def matches(self, request: Request, query: answers.Before) -> answers.Matches:
        """Your finished matches, latest first, 50 at a time; with `before`, those older than the match with that id."""
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
            raise missing(path.what)
        return match_told(matches[0], owner)

    async def _record(self, request: Request, match: answers.OfMatch) -> str:
        """The record of one of the caller's matches. Raises HttpProblem (404; 409 for today's deal)."""
        saved = await in_database(self.hall.store.record_of, owner_of(request), match.id)
        if saved is None:
            raise missing(match.what)
        record, deal = saved
        if shared_deals.sealed(deal):
            why = Message("others can still play them today")
            can = Message(
                "come back in {n} {n:hour|hours}, when the day is over", n=1 + (shared_deals.ends() - now()) // HOUR
            )
            raise HttpProblem(409, "daily/sealed", Message("the cards of the deal of the day"), why, can)
        return record

    @operation("GET /api/matches/{id}/record", refusals=(404, 409))
    async def record(self, request: Request, path: answers.OfMatch) -> answers.Toml:
        """Its record as a TOML file (docs/api.md §5), with the proof of its shuffle.

        `daily/sealed`, here and below: the cards of a deal of the day are shown when the day (UTC) is over.
        """
        name = f'attachment; filename="cardtable-{path.id}.toml"'
        return answers.Toml(await self._record(request, path), headers={"content-disposition": name})

    @operation("GET /api/matches/{id}/frames", refusals=(400, 404, 409), rate="replay")
    async def frames(self, request: Request, path: answers.OfMatch, query: answers.DealPortion) -> answers.Frames:
        """The replay of one of its deals, in portions.

        The first frame is before the first move; each other frame is after a chosen move and the automatic ones that
        follow it. The answer has `count` frames at most (1 to 100) from number `first` on (from 0), and in `numbers`
        the number of the chosen move of every frame of the deal. `label` is the name of the move, a message or null;
        `view` is as in docs/api.md §3. Without `seat` it is a spectator's view, with all `hands`.
        """
        record = await self._record(request, path)
        key = blake2b(record.encode()).digest(), query  # ids of deleted matches come again
        frames = self.recent.get(key)
        if frames is None:
            part = query.deal, query.seat, query.first, query.count
            frames = bytes(await self.work(request, msgspec.Raw, "framed", record, *part, self._most))
            self.recent.put(key, frames)
        return cast(answers.Frames, msgspec.Raw(frames))  # passed on as the job wrote it, because it is long

    @operation("GET /api/matches/{id}/review", refusals=(400, 404, 409), rate="review")
    async def review(self, request: Request, path: answers.OfMatch, query: answers.DealOfSeat) -> ReviewSeen:
        """What a seat's decisions in one of its deals were worth, judged by what the seat knew (docs/api.md §7).

        Any seat, yours or not; default: deal 1, seat 0. `iterations`: deals played out for a decision, at most 10,000,
        and fewer if deals are long. Bots that play go first, so it may take a while: after 3 s the answer has the
        decisions judged so far, with `complete` false; ask again for more (`of` is the number of all decisions). You
        have one review in progress at a time; asking for another one interrupts the first. `record/size` if the seat
        has more than 1,000 decisions in the deal. 503 `server/warming` while
        the game is being compiled. What is found of your own seat is kept for your statistics, if the match counts
        there.
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
        """Where one of its deals was lost, in games with a solver (Spider), which looks at all cards.

        `lost` is false if the seat won the deal, or the game has no solver. `won` is the last position from which the
        solver wins, by the number of the move made there (`move`; empty: the deal was given up there; 0: none), and
        `best` the first move of its solution; `open` is the first later one from which it does not, within a fixed
        number of positions: that is only `proved` if nothing wins there. An answer takes a few positions further; ask
        again until `complete`. `positions` is the number of all, and `says` tells it in a sentence.
        """
        record, address = await self._record(request, path), address_of(request, self.hall.settings)
        loss = await self.hall.thinking.losses.ask(address, record, query.deal, query.seat, self._most)
        if loss is None:
            return answers.LostDeal(lost=False, complete=True)
        return answers.LostDeal(lost=True, says=as_data(loss.message), **loss.as_dict())

    @operation("POST /api/matches/{id}/retry", status=201, refusals=(404, 409), rate="tables")
    async def retry(self, request: Request, path: answers.OfMatch, body: answers.Retry) -> answers.Made:
        """Try again from a move.

        Makes a table at which one of your finished matches is played on from just before a move: you have the seat that
        made it, against the match's bots (`search` in place of its other people). `deal` and `number` (of the move)
        count from 1. "Play again" begins at the same move. None of this counts in the statistics.
        """
        setup = await self.work(request, Setup, "retried", await self._record(request, path), body.deal, body.number)
        return await self._made(request, setup, True, body.name)

    @operation("POST /api/records", status=201, rate="heavy")
    async def upload(self, request: Request, body: str) -> answers.Kept:
        """Keep an uploaded record.

        It may have at most 512 KiB and 20,000 moves, and is replayed and checked. 100 a day from one address.
        """
        await self.hall.site.check_room(Message("this record"))
        match = await self.work(request, Finished, "kept", body, owner_of(request), self._most)
        await self.hold("records", request)
        return answers.Kept(await in_database(self.hall.store.keep, match))

    @operation("POST /api/verify", rate="heavy")
    async def verify(self, request: Request, body: str) -> answers.ShuffleProof:
        """Check the proof of a record's shuffle; a proof that is not valid is an error.

        The record may have at most 512 KiB and 20,000 moves.
        """
        return await self.work(request, answers.ShuffleProof, "verified", body, self._most)

    @operation("GET /api/statistics")
    async def statistics(self, request: Request) -> answers.Statistics:
        """Your matches, by title, and what reviews of them found.

        Among the `won` ones, `clean` are those without help, `undone` those in which you took something back, `hinted`
        those with hints. `reviewed` has, by game and preset, how many of your judged decisions got each grade, their
        average loss, your best moves where the most was at stake (one of each deal), and the worst, five of each at
        most. `match`, `deal` and `number` say where each was made (`GET /api/matches/ID/frames`). Only your own
        decisions count that you have had reviewed, on any of your devices, in matches that are over: of the latest
        reviews, 5,000 decisions at most (`decisions_kept`).
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

        `ok` is true if the store has written something in the last second, or can write now; otherwise, and for 10 s
        after an entry could not be written, the answer is 503 with `{"ok": false, "why"}`, in English.
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
        """Figures for Prometheus, for the addresses of the setting `metrics_to`: at first this machine alone."""
        if not comes_from(request, self.hall.settings, self.hall.settings.metrics_to):
            why = Message("they are for the operator of this server")
            raise HttpProblem(403, "request/operator", Message("the figures"), why)
        return answers.PrometheusText(self.hall.metrics.text())


OPERATIONS = [declared for kind in (Api, *Api.__bases__) for declared in operations_of(kind)]


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
