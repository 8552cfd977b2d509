"""What keeps the server safe: who a person is, where a request comes from, how many are allowed, what a page may
load.
"""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message as Told
from cardtable.base.message import as_data
from cardtable.server.net.fair_queue import Busy
from cardtable.server.net.host_names import Hosts, is_address
from cardtable.server.net.networks import LOOPBACK, block_of, networks_of
from cardtable.server.settings import Settings

K = TypeVar("K")
V = TypeVar("V")
OWNER = "cardtable.owner"  #: the key of a connection's scope with the person who asks
DEVICE = "cardtable.device"  #: and with the hash of their device's token
TRIAL = "cardtable.trial"  #: in the state of a scope, if its connection came on trial: `Gate.admit` for it
#: requests to the API that are answered although the person or the network is banned: the operator's own, and the
#: texts of the page that tells people of the ban, and their own data
FOR_THE_BANNED = ("/api/admin/", "/api/site", "/api/language", "/api/me/data", "/api/me/devices")
AT_ONCE = ("/healthz", "/metrics", "/api/admin/")  #: requests that wait for no others
WITHOUT_COOKIE = ("/healthz", "/metrics", "/static/", "/api/admin/")  #: requests of nobody in particular
_NO_ADDRESS = re.compile(r"[^A-Za-z0-9._:/\[\]-]")
MOST_STRANGE = 5  #: addresses that are remembered because they pass requests on and are not trusted
CHANCES = 64  #: how many of what is remembered are looked at to forget the one that matters least


def owner_of(connection: HTTPConnection) -> str:
    """The person who asks, or "" for nobody known: the one to whom their device was linked, or else the device's own
    identity. A device that was signed out is nobody.
    """
    return str(connection.scope.get(OWNER, ""))


def device_of(connection: HTTPConnection) -> str:
    """The hash of the token of the device that asks, or "" for nobody known."""
    return str(connection.scope.get(DEVICE, ""))


def hashed(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _hides_cookies(connection: HTTPConnection) -> bool:
    """Whether a browser keeps its cookies back, because a link on another site led here. It gets no other one: its page
    asks again from here, with the one that it has.
    """
    return connection.headers.get("sec-fetch-site") == "cross-site"


def from_elsewhere(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether a browser sent this from another site's page. Programs other than browsers send no Origin."""
    origin = connection.headers.get("origin")
    if origin is None or origin in settings.origins:
        return False
    try:
        place = urlsplit(origin).netloc.lower()
    except ValueError:
        return True
    return place != connection.headers.get("host", "").lower() or not origin.startswith(("http://", "https://"))


def named(connection: HTTPConnection, *headers: str) -> dict[str, str]:
    """What headers of a request say, as far as it can be part of an address."""
    return {name: _NO_ADDRESS.sub("", connection.headers.get(name, ""))[:100] for name in headers}


def from_proxy(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether a trusted proxy passed a request on."""
    return connection.client is not None and connection.client.host in settings.proxies


def client_of(connection: HTTPConnection, settings: Settings) -> str:
    """The IP address that sent a request; for a trusted proxy, the address that it names."""
    address = connection.client.host if connection.client else ""
    if from_proxy(connection, settings):
        return connection.headers.get("x-forwarded-for", address).rpartition(",")[2].strip()
    return address


def address_of(connection: HTTPConnection, settings: Settings) -> str:
    """The address that sent a request, as `block_of`."""
    return block_of(client_of(connection, settings))


def plain_address(address: str) -> str:
    """An IP address as it is usually written, and an IPv4 address in IPv6 as itself; other text as it is."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(found.ipv4_mapped or found) if isinstance(found, ipaddress.IPv6Address) else str(found)


def comes_from(connection: HTTPConnection, settings: Settings, addresses: Collection[str]) -> bool:
    """Whether one of these addresses sent a request. One that a proxy passed on counts only if the proxy is trusted."""
    told = "x-forwarded-for" in connection.headers or "forwarded" in connection.headers
    if told and not from_proxy(connection, settings):
        return False
    return plain_address(client_of(connection, settings)) in {plain_address(one) for one in addresses}


def scheme_of(connection: HTTPConnection, settings: Settings) -> str:
    """The scheme of a request's address; for a trusted proxy, the one that it names."""
    told = connection.headers.get("x-forwarded-proto", "").strip().lower()
    if told in ("http", "https") and from_proxy(connection, settings):
        return told
    return "https" if settings.secure else connection.url.scheme


class Bucket:
    """A rate: `most` at once, refilled within `seconds`."""

    __slots__ = ("at", "left")

    def __init__(self, most: float, now: float) -> None:
        self.left, self.at = most, now

    def take(self, most: float, seconds: float, now: float) -> float:
        """Take one; return 0.0, or the seconds until there is one again."""
        wait = self.wait(most, seconds, now)
        if not wait:
            self.left -= 1.0
        return wait

    def give_back(self, most: float) -> None:
        """Put one back that was taken."""
        self.left = min(most, self.left + 1.0)

    def wait(self, most: float, seconds: float, now: float) -> float:
        """The seconds until one can be taken; 0.0: now."""
        self.left = min(most, self.left + (now - self.at) * most / seconds)
        self.at = now
        return max(0.0, (1.0 - self.left) * seconds / most)


class Remembered(OrderedDict[K, V]):
    """Things of which only so many are kept. For a new one, one that has nothing to remember is forgotten. So what
    somebody has used up cannot be got forgotten by coming from many other addresses.
    """

    def __init__(self, most: int, used: Callable[[K, V], float]) -> None:
        """used: the part of its limit that a thing has used; 0.0: it need not be remembered."""
        super().__init__()
        self._most, self._used = most, used

    def of(self, key: K, new: Callable[[], V]) -> V:
        """The thing of a key, a new one if there is none."""
        found = self.get(key)
        if found is None:
            while len(self) >= self._most:
                self._forget()
            found = self[key] = new()
        self.move_to_end(key)
        return found

    def _forget(self) -> None:
        """Forget the first that has used nothing, of those not seen for the longest time, or else the one of them that
        has used the least. Those that are kept are looked at again after all others.
        """
        least = 0.0
        for number, key in enumerate(tuple(islice(self, CHANCES))):
            used = self._used(key, self[key])
            if not number or used < least:
                least, forgotten = used, key
            self.move_to_end(key)
            if used <= 0.0:
                break
        del self[forgotten]


class Rates:
    """Rates by address, and by larger networks (`networks_of`), for a limited number of them."""

    MOST = 20_000

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings = settings
        self._clock = clock
        self._rates: dict[str, tuple[float, float]] = {}  #: by kind
        self._buckets: Remembered[tuple[str, str], Bucket] = Remembered(self.MOST, self._used)

    def take(self, kind: str, address: str, rate: tuple[float, float], *, person: str = "") -> float:
        """Take one of a kind for an address; return 0.0, or the seconds to wait. person: somebody who has a seat, for
        whom the rate of the person counts in place of those of the larger networks.
        """
        wait = self.wait(kind, address, rate, person=person)
        if not wait:
            for key, bucket in self._limits(kind, address, rate, person):
                bucket.left -= 1.0
                self._changed(key, bucket, 1)
        return wait

    def wait(self, kind: str, address: str, rate: tuple[float, float], *, person: str = "") -> float:
        """The seconds until an address can take one of a kind; 0.0: now. Nothing is taken."""
        for key, bucket in self._limits(kind, address, rate, person):
            if wait := bucket.wait(*self._rates[key[0]], self._clock()):
                return wait  # nothing is remembered of one more address
        return 0.0

    def give_back(self, kind: str, address: str, rate: tuple[float, float]) -> None:
        """Put one of a kind back that was taken for an address."""
        for key, bucket in self._limits(kind, address, rate, ""):
            bucket.give_back(self._rates[key[0]][0])
            self._changed(key, bucket, -1)

    def _changed(self, key: tuple[str, str], bucket: Bucket, taken: int) -> None:
        """So many were taken from a bucket."""

    def _limits(
        self, kind: str, address: str, rate: tuple[float, float], person: str
    ) -> Iterator[tuple[tuple[str, str], Bucket]]:
        """The buckets of an address for a kind, that of its largest network first; none if it has no limits."""
        if self._settings.loopback_is_free and address in LOOPBACK:
            return
        most, seconds = rate
        if person:
            yield self._bucket(f"{kind}/person", person, rate)
        for network, times in () if person else networks_of(address):
            named = f"{kind}{network[network.rindex('/') :]}"
            yield self._bucket(named, network, (most * times, seconds))
        yield self._bucket(kind, address, rate)

    def _bucket(self, kind: str, address: str, rate: tuple[float, float]) -> tuple[tuple[str, str], Bucket]:
        self._rates[kind] = rate
        key = kind, address
        return key, self._buckets.of(key, lambda: Bucket(rate[0], self._clock()))

    def _used(self, key: tuple[str, str], bucket: Bucket) -> float:
        most, seconds = self._rates[key[0]]
        bucket.wait(most, seconds, self._clock())
        return 1.0 - bucket.left / most


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

    def __init__(self, app: ASGIApp, settings: Settings, page: str, hall: Any) -> None:
        """hall: knows identities, devices and bans, and is told about refusals."""
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
        if admit := scope.get("state", {}).get(TRIAL):  # who is known to have a seat waits for nothing
            owner = self._hall.devices.owner(self._hall.identities.signed(connection))
            if self._hall.seated.here(owner):
                admit(owner)

        async def headed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        if not self._hosts.allows(connection.headers.get("host")):
            await self._misled(connection)(scope, receive, headed)
            return
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:  # PostgreSQL takes no text with one
            await self._unreadable(scope)(scope, receive, headed)
            return
        if (prefix := self._settings.prefix) and not scope["path"].startswith(f"{prefix}/"):
            await self._outside(scope)(scope, receive, headed)
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
            busy = refusal(503, error) if scope["type"] == "http" else WebSocketClose()
            await busy(scope, receive, headed)

    async def _answer(self, connection: HTTPConnection, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request that was let in."""
        prefix = self._settings.prefix
        path = scope["path"].removeprefix(prefix)
        anybody = path.startswith(WITHOUT_COOKIE)
        identities = self._hall.identities
        admit = scope.get("state", {}).get(TRIAL)
        device, again, unknown = ("", "", None) if anybody and not admit else await identities.settled(connection)
        owner = self._hall.devices.owner(device)
        if admit and not (admit("") or (await self._has_seat(owner, connection) and admit(owner))):
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

    async def _has_seat(self, owner: str, connection: HTTPConnection) -> bool:
        return bool(await self._hall.seated.has(owner, address_of(connection, self._settings)))

    def _crowded(self, scope: Scope) -> ASGIApp:
        """The answer to a request on one connection too many from its network, by somebody without a seat."""
        if scope["type"] == "websocket":
            return WebSocketClose()
        wait = self._settings.keep_alive
        why, can = Told("too many connections are open from your network"), Told("try again in {n} s", n=wait + 1)
        answer = refusal(429, CardtableError(Told("this request"), why, can, code="http/rate"), wait)
        answer.headers["connection"] = "close"
        return answer

    def _unreadable(self, scope: Scope) -> ASGIApp:
        """The answer to a request for an address with a NUL."""
        if scope["type"] == "websocket":
            return WebSocketClose()
        why, can = Told("it contains a NUL character"), Told("leave it out")
        return refusal(400, CardtableError(Told("this address"), why, can, code="http/address"))

    def _outside(self, scope: Scope) -> ASGIApp:
        """The answer to a request for an address that is not below the prefix."""
        prefix = self._settings.prefix
        if scope["type"] == "websocket":
            return WebSocketClose()
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
        """The answer to a request that names another host: to a person who opens a page, the reason as plain text."""
        self._refused("host", connection, "host")
        if connection.scope["type"] == "websocket":
            return WebSocketClose()  # not accepted yet, so this is HTTP 403
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


def refusal(status: int, error: CardtableError, wait: float = 0.0) -> Response:
    """An answer that says why not: in plain English, and as a message for other languages. wait: seconds before trying
    again; 0: none.
    """
    headers = {"Retry-After": str(int(wait) + 1)} if wait else {}
    return JSONResponse(refused(error), status, headers)


def refused(error: CardtableError) -> dict[str, Any]:
    """The body of an answer that says why not."""
    told = {
        "code": error.code,
        "what": error.what,
        "why": error.why,
        "can": error.can,
        "message": as_data(error.message),
    }
    return {"error": told}
