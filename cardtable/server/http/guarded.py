"""The outermost layer of the server: identity, early refusals, security headers."""

from __future__ import annotations

import base64
import hashlib
import re

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message as Told
from cardtable.server.net.fair_queue import Busy
from cardtable.server.net.guard import (
    DEVICE,
    OWNER,
    TRIAL,
    address_of,
    client_of,
    from_elsewhere,
    from_proxy,
    hashed,
    named,
    refusal,
)
from cardtable.server.net.host_names import Hosts, is_address
from cardtable.server.rooms.hall import Hall
from cardtable.server.settings import Settings

#: requests to the API that are answered even for a banned person or network: the operator's own, the texts of the page
#: that shows the ban, and the person's data
FOR_THE_BANNED = ("/api/admin/", "/api/site", "/api/language", "/api/me/data", "/api/me/devices")
AT_ONCE = ("/healthz", "/metrics", "/api/admin/")  #: requests that wait for no others
WITHOUT_COOKIE = ("/healthz", "/metrics", "/static/", "/api/admin/")  #: requests without a person
MOST_STRANGE = 5  #: addresses that are remembered because they pass requests on and are not trusted


def _hides_cookies(connection: HTTPConnection) -> bool:
    """Whether a browser keeps its cookies back, because a link on another site led here. It gets no other one: its page
    asks again from here, with the one that it has.
    """
    return connection.headers.get("sec-fetch-site") == "cross-site"


def policy(page: str) -> str:
    """The content security policy of a page: everything from here, and no inline script except the page's own, by their
    hashes.
    """
    scripts = re.findall(r'<script(?: type="importmap")?>(.*?)</script>', page, re.DOTALL)
    hashes = "".join(
        f" 'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts
    )
    parts = {
        "default-src": "'none'",
        "script-src": "'self'" + hashes,
        "style-src": "'self'",
        "img-src": "'self' data:",
        "font-src": "'self'",
        "connect-src": "'self'",
        "media-src": "'self'",
        "manifest-src": "'self'",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in parts.items())


class Guarded:
    """The outermost layer: only requests that name this server, headers on every answer, a cookie for a person without
    one, no changes from pages of another origin.
    """

    def __init__(self, app: ASGIApp, settings: Settings, page: str, hall: Hall) -> None:
        """hall: has identities, devices and bans, and is notified of refusals."""
        self._app = app
        self._hall = hall
        self._settings = settings
        self._hosts = Hosts(settings.allowed_hosts)
        self._headers = {
            "content-security-policy": policy(page),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
            "permissions-policy": "camera=(), microphone=(), geolocation=()",
        }

    def _refused(self, why: str, connection: HTTPConnection, *headers: str) -> None:
        self._hall.refused(why, address_of(connection, self._settings), **named(connection, *headers))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add our headers to the answer."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        if admit := scope.get("state", {}).get(TRIAL):  # people known to have a seat do not wait
            owner = self._hall.devices.owner(self._hall.identities.signed(connection))
            if self._hall.seated.here(owner):
                admit(owner)

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        async def refuse(answer: ASGIApp) -> None:
            # a socket is not accepted yet, so its client gets HTTP 403
            await (answer if scope["type"] == "http" else WebSocketClose())(scope, receive, headed)

        if not self._hosts.allows(connection.headers.get("host")):
            await refuse(self._misled(connection))
            return
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:  # PostgreSQL takes no text with one
            why, can = Told("it contains a NUL character"), Told("leave it out")
            await refuse(refusal(400, CardtableError(Told("this address"), why, can, code="http/address")))
            return
        if (prefix := self._settings.prefix) and not scope["path"].startswith(f"{prefix}/"):
            await refuse(self._outside(scope))
            return
        if scope["path"].removeprefix(prefix).startswith(AT_ONCE):
            await self._answer(connection, scope, receive, headed)
            return
        strange = self._hall.strange_proxies
        if "x-forwarded-for" in connection.headers and len(strange) < MOST_STRANGE:
            address = connection.client.host if connection.client else ""
            if is_address(address) and not from_proxy(connection, self._settings):
                strange.add(address)
        answering = self._answer(connection, scope, receive, headed)
        try:
            await self._hall.admission.through(address_of(connection, self._settings), answering)
        except Busy as error:
            await refuse(refusal(503, error))

    async def _answer(self, connection: HTTPConnection, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an admitted request."""
        prefix = self._settings.prefix
        path = scope["path"].removeprefix(prefix)
        anybody = path.startswith(WITHOUT_COOKIE)
        identities = self._hall.identities
        admit = scope.get("state", {}).get(TRIAL)
        device, again, unknown = ("", "", None) if anybody and not admit else await identities.settled(connection)
        owner = self._hall.devices.owner(device)
        address = address_of(connection, self._settings)
        if admit and not (admit("") or (await self._hall.seated.has(owner, address) and admit(owner))):
            self._refused("connections", connection)
            await self._crowded(scope)(scope, receive, send)
            return
        self._hall.devices.saw(device, owner)
        scope = dict(scope, **{OWNER: owner, DEVICE: device, "root_path": prefix})
        if scope["type"] == "websocket":
            await self._app(scope, receive, send)
            return
        ban = self._hall.restrictions.ban_of(owner, client_of(connection, self._settings))
        token = "" if owner or ban or unknown or anybody else identities.new()
        if token:  # a new person has an identity from the first request on
            scope[OWNER] = scope[DEVICE] = hashed(token)

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                named = "set-cookie" in headers or _hides_cookies(connection)
                if (token or again) and not named:
                    headers.append("set-cookie", identities.cookie(token or again, connection))
            await send(message)

        if ban and path.startswith("/api/") and not path.startswith(FOR_THE_BANNED):
            await refusal(403, ban.error)(scope, receive, guarded)
            return
        if unknown and path.startswith("/api/"):
            await unknown(scope, receive, guarded)
            return
        if scope["method"] not in ("GET", "HEAD", "OPTIONS") and from_elsewhere(HTTPConnection(scope), self._settings):
            await self._foreign(connection)(scope, receive, guarded)
            return
        await self._app(scope, receive, guarded)

    def _crowded(self, scope: Scope) -> ASGIApp:
        """The answer to a request on one connection too many from its network, by somebody without a seat."""
        if scope["type"] == "websocket":
            return WebSocketClose()
        wait = self._settings.keep_alive
        why, can = Told("too many connections are open from your network"), Told("try again in {n} s", n=wait + 1)
        answer = refusal(429, CardtableError(Told("this request"), why, can, code="http/rate"), wait)
        answer.headers["connection"] = "close"
        return answer

    def _outside(self, scope: Scope) -> ASGIApp:
        """The answer to a request for an address that is not below the prefix."""
        prefix = self._settings.prefix
        if scope["path"] == prefix:
            return RedirectResponse(f"{prefix}/", 308)
        why, can = Told("there is nothing here"), Told("the first page is {path}", path=f"{prefix}/")
        return refusal(404, CardtableError(Told("this address"), why, can, code="http/missing"))

    def _foreign(self, connection: HTTPConnection) -> ASGIApp:
        """The answer to a request from another origin. Often it is our own page, and a proxy has changed `Host`."""
        self._refused("origin", connection, "origin", "host")
        called = named(connection, "origin", "host")
        why = Told("it comes from a page of {origin}, and this server is called {host}", **called)
        can = Told(
            "use the page of this server; if this is its page, let the proxy in front of it pass Host on unchanged, or "
            "ask the operator to add that address to the setting origins"
        )
        return refusal(403, CardtableError(Told("this request"), why, can, code="request/origin"))

    def _misled(self, connection: HTTPConnection) -> ASGIApp:
        """The answer to a request for another host: the reason, as plain text for a person who opens a page."""
        self._refused("host", connection, "host")
        host = named(connection, "host")["host"]
        error = CardtableError(
            Told("this request"),
            Told("this server does not know that it is called {host}", host=host),
            Told("use its IP address, or ask its operator to add that name to the setting allowed_hosts"),
            code="request/host",
        )
        if "text/html" in connection.headers.get("accept", ""):
            return PlainTextResponse(f"{error}\n", 403, {"x-content-type-options": "nosniff"})
        return refusal(403, error)
