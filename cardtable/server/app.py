"""The server, put together: HTTP, the socket, the browser client's files, health and figures."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp

from cardtable.bots.registry import allow
from cardtable.server.cluster.cluster import cluster_of
from cardtable.server.http.api import OPERATIONS, Api, not_found
from cardtable.server.http.client_files import ASKED, COMPRESSED, ClientFiles, has_it, tag_of
from cardtable.server.http.guarded import Guarded
from cardtable.server.http.openapi import document
from cardtable.server.http.pages import html_of
from cardtable.server.net.access_log import Logged
from cardtable.server.people.identities import Identities
from cardtable.server.rooms import upkeep
from cardtable.server.rooms.hall import Hall
from cardtable.server.rooms.lookup import Lookup
from cardtable.server.rooms.sockets import Sockets
from cardtable.server.settings import Settings
from cardtable.server.store.store import Store

WEB = Path(__file__).parents[1] / "web"
#: addresses of pages of the browser client, which chooses the page itself, and what each loads: modules, and
#: what they ask of the API at once
PAGES: dict[str, tuple[str, ...]] = {
    "/": ("main.js", "pages/home.js", "/api/games", "/api/me", "/api/tables"),
    "/t/{id}": ("main.js", "pages/table.js"),
    "/new": ("main.js", "pages/setup.js"),
    "/rules/{name}": ("main.js", "windows/rules.js"),
    "/learn/{name}": ("main.js", "pages/learn.js"),
    "/glossary": ("main.js", "windows/glossary.js", "/api/glossary"),
    "/teach": ("main.js", "pages/teach.js", "/api/tasks"),
    "/teach/{name}": ("main.js", "pages/teach.js"),
    "/finished": ("main.js", "replay/finished.js"),
    "/matches": ("main.js", "replay/finished.js"),
    "/replay/{id}": ("main.js", "replay/replay.js"),
    "/match/{id}": ("main.js", "replay/replay.js"),
    "/statistics": ("main.js", "replay/statistics.js"),
    "/daily": ("main.js", "pages/dealt.js"),
    "/daily/{name}": ("main.js", "pages/dealt.js"),
    "/deal/{number:path}": ("main.js", "pages/dealt.js"),
    "/settings": ("main.js", "windows/settings.js"),
    "/you": ("main.js", "pages/you.js"),
    "/link": ("main.js", "pages/link.js"),
    "/verify": ("main.js", "replay/verify.js"),
    "/about": ("main.js", "pages/about.js"),
}


@cache
def site() -> ClientFiles:
    """The browser client."""
    return ClientFiles(WEB)


def page(prefix: str = "") -> str:
    """The browser client's page, without preloads. prefix: the path below which the site is."""
    return site().page(prefix)


async def show_page(loads: tuple[str, ...], request: Request) -> Response:
    """The browser client, or the answer that it has not changed; it chooses the page by the address."""
    text = site().page(request.scope["root_path"], *loads)
    headers = {**ASKED, "etag": tag_of(text.encode())}
    return Response(None, 304, headers) if has_it(request, headers["etag"]) else HTMLResponse(text, headers=headers)


async def show_file(request: Request) -> Response:
    """A file of the browser client."""
    answer = site().file(request.path_params["path"], request)
    if not answer:
        answer = not_found(request, LookupError())
        answer.headers["cache-control"] = "no-store"  # another process may have it, of another version
    return answer


def missing(prefix: str, request: Request, error: Exception) -> Response:
    """The answer for an unknown address: with a superfluous slash, a redirect to the address without it. prefix: the
    path below which the site is.
    """
    bare = "/" + request.scope["path"].removeprefix(prefix).strip("/")
    routes = [route for route in request.app.routes if isinstance(route, Route)]
    if not request.scope["path"].endswith("/") or not any(route.path_regex.match(bare) for route in routes):
        return not_found(request, error)
    query = f"?{request.url.query}" if request.url.query else ""
    return RedirectResponse(f"{prefix}{bare}{query}", 307)


@cache
def described(prefix: str = "") -> dict[str, Any]:
    """The description of the whole API, for machines. prefix: the path below which the site is."""
    return document(OPERATIONS, prefix)


async def schema(request: Request) -> Response:
    """The description of the whole API, for machines."""
    return JSONResponse(described(request.scope["root_path"]))


class App(Logged):
    """The application. hall: for programs that run it and look inside."""

    def __init__(self, app: ASGIApp, settings: Settings, hall: Hall) -> None:
        super().__init__(app, settings)
        self.hall = hall


def build(store: Store, settings: Settings | None = None, operator_token: str = "") -> App:
    """The application for a store. Its hall is `app.hall`; closing it leaves the store open.

    operator_token: for the operator's API; without one that API is off. Raises OptionError if a bot that the settings
    name is not installed.
    """
    settings = settings or Settings()
    allow(settings.outside_bots)
    hall = Hall(store, settings, cluster_of(store, settings))
    hall.operator_token = operator_token
    rates = hall.cluster.rates(settings)
    lookup = Lookup(hall, rates)
    sockets = Sockets(hall, rates, lookup)
    hall.identities = Identities(store, settings, lookup.guesses, partial(hall.refused, "token"))

    @contextlib.asynccontextmanager
    async def life(_: Starlette) -> AsyncIterator[None]:
        await upkeep.begin(hall)
        hall.spawn(asyncio.to_thread(html_of, "", ""))  # so that no request waits for the parser to be set up
        yield
        await hall.close()

    routes = [
        *Api(hall, rates, lookup).routes(),
        Route("/api/schema", schema, middleware=[COMPRESSED]),
        *(WebSocketRoute(path, sockets.serve) for path in ("/ws", "/ws/{id}")),
        Route("/static/{path:path}", show_file),
        *(Route(path, partial(show_page, loads), middleware=[COMPRESSED]) for path, loads in PAGES.items()),
    ]
    inner = Starlette(routes=routes, lifespan=life, exception_handlers={404: partial(missing, settings.prefix)})
    # Starlette would name the scheme that it sees, which is not the browser's behind a proxy that speaks https.
    inner.router.redirect_slashes = False
    return App(Guarded(inner, settings, page(settings.prefix), hall), settings, hall)
