"""What keeps the server safe: who a person is, where a request comes from, how many are allowed."""

from __future__ import annotations

import hashlib
import ipaddress
import re
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from itertools import islice
from typing import Any, TypeVar
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response

from cardtable.base.errors import CardtableError
from cardtable.base.message import as_data
from cardtable.server.net.networks import LOOPBACK, block_of, networks_of
from cardtable.server.settings import Settings

K = TypeVar("K")
V = TypeVar("V")
OWNER = "cardtable.owner"  #: the key of a connection's scope with the person who asks
DEVICE = "cardtable.device"  #: and with the hash of their device's token
TRIAL = "cardtable.trial"  #: in the state of a scope, if its connection came on trial: `Gate.admit` for it
_NO_ADDRESS = re.compile(r"[^A-Za-z0-9._:/\[\]-]")
CHANCES = 64  #: number of entries examined to forget the least important one


def owner_of(connection: HTTPConnection) -> str:
    """The person who asks, or "" if unknown: the one to whom their device was linked, or otherwise the device's own
    identity. A signed-out device has none.
    """
    return str(connection.scope.get(OWNER, ""))


def device_of(connection: HTTPConnection) -> str:
    """The hash of the token of the device that asks, or "" if unknown."""
    return str(connection.scope.get(DEVICE, ""))


def hashed(token: str) -> str:
    """The stored hash of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


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
    """The headers of a request that give its address, sanitised."""
    return {name: _NO_ADDRESS.sub("", connection.headers.get(name, ""))[:100] for name in headers}


def from_proxy(connection: HTTPConnection, settings: Settings) -> bool:
    """Whether a trusted proxy passed a request on."""
    return connection.client is not None and connection.client.host in settings.proxies


def client_of(connection: HTTPConnection, settings: Settings) -> str:
    """The IP address that sent a request; for a trusted proxy, the forwarded address."""
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
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(ip.ipv4_mapped or ip) if isinstance(ip, ipaddress.IPv6Address) else str(ip)


def comes_from(connection: HTTPConnection, settings: Settings, addresses: Collection[str]) -> bool:
    """Whether one of these addresses sent a request. One that a proxy passed on counts only if the proxy is trusted."""
    passed_on = "x-forwarded-for" in connection.headers or "forwarded" in connection.headers
    if passed_on and not from_proxy(connection, settings):
        return False
    return plain_address(client_of(connection, settings)) in {plain_address(one) for one in addresses}


def scheme_of(connection: HTTPConnection, settings: Settings) -> str:
    """The scheme of a request's address; for a trusted proxy, the forwarded one."""
    scheme = connection.headers.get("x-forwarded-proto", "").strip().lower()
    if scheme in ("http", "https") and from_proxy(connection, settings):
        return scheme
    return "https" if settings.secure else connection.url.scheme


class Bucket:
    """A rate: `most` at once, refilled within `seconds`."""

    __slots__ = ("at", "tokens")

    def __init__(self, most: float, now: float) -> None:
        self.tokens, self.at = most, now

    def take(self, most: float, seconds: float, now: float) -> float:
        """Take one; return 0.0, or the seconds until there is one again."""
        wait = self.wait(most, seconds, now)
        if not wait:
            self.tokens -= 1.0
        return wait

    def give_back(self, most: float) -> None:
        """Put one back that was taken."""
        self.tokens = min(most, self.tokens + 1.0)

    def wait(self, most: float, seconds: float, now: float) -> float:
        """The seconds until one can be taken; 0.0: now."""
        self.tokens = min(most, self.tokens + (now - self.at) * most / seconds)
        self.at = now
        return max(0.0, (1.0 - self.tokens) * seconds / most)


class Remembered(OrderedDict[K, V]):
    """Entries up to a limit. A new one replaces an empty one first, so that used-up rates cannot be flushed out by
    requests from many other addresses.
    """

    def __init__(self, most: int, used: Callable[[K, V], float]) -> None:
        """used: the part of its limit that a thing has used; 0.0: it need not be remembered."""
        super().__init__()
        self._most, self._used = most, used

    def of(self, key: K, new: Callable[[], V]) -> V:
        """The thing of a key, a new one if there is none."""
        thing = self.get(key)
        if thing is None:
            while len(self) >= self._most:
                self._forget()
            thing = self[key] = new()
        self.move_to_end(key)
        return thing

    def _forget(self) -> None:
        """Forget the first unused entry of those not seen for the longest time, or otherwise the least used of them.
        Kept entries are moved to the end.
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
        """Take a token of a kind for an address; return 0.0, or the seconds to wait. person: a person with a seat,
        whose rate counts instead of those of the larger networks.
        """
        wait = self.wait(kind, address, rate, person=person)
        if not wait:
            for key, bucket in self._limits(kind, address, rate, person):
                bucket.tokens -= 1.0
                self._changed(key, bucket, 1)
        return wait

    def wait(self, kind: str, address: str, rate: tuple[float, float], *, person: str = "") -> float:
        """The seconds until an address can take one of a kind; 0.0: now. Nothing is taken."""
        for key, bucket in self._limits(kind, address, rate, person):
            if wait := bucket.wait(*self._rates[key[0]], self._clock()):
                return wait  # no entry for another address
        return 0.0

    def give_back(self, kind: str, address: str, rate: tuple[float, float]) -> None:
        """Put one of a kind back that was taken for an address."""
        for key, bucket in self._limits(kind, address, rate, ""):
            bucket.give_back(self._rates[key[0]][0])
            self._changed(key, bucket, -1)

    def _changed(self, key: tuple[str, str], bucket: Bucket, taken: int) -> None:
        """Tokens were taken from a bucket."""

    def _limits(
        self, kind: str, address: str, rate: tuple[float, float], person: str
    ) -> Iterator[tuple[tuple[str, str], Bucket]]:
        """The buckets of an address for a kind, its largest network first; none if it is unlimited."""
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
        return 1.0 - bucket.tokens / most


def refusal(status: int, error: CardtableError, wait: float = 0.0) -> Response:
    """An answer with the reason: in plain English, and as a message for other languages. wait: seconds before trying
    again; 0: none.
    """
    headers = {"Retry-After": str(int(wait) + 1)} if wait else {}
    return JSONResponse(refused(error), status, headers)


def refused(error: CardtableError) -> dict[str, Any]:
    """The body of an answer with the reason."""
    body = {
        "code": error.code,
        "what": error.what,
        "why": error.why,
        "can": error.can,
        "message": as_data(error.message),
    }
    return {"error": body}
