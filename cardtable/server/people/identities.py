"""Identities of browsers and programs: a token in a cookie, issued only by this server.

A token is random and signed with a key that is kept in the database, so invented tokens are invalid. Over https its
cookie has the prefix `__Host-`: browsers take such a cookie from this host alone, and not from another name of the same
domain, so other sites cannot plant one.

Tokens of versions before these signatures are random only. One is still an identity if something in the database
belongs to it. So is a token in a cookie without the prefix over https, but only if it belongs to something older than
the first request over https: then it was given before there was a prefix, or before the server had https.
"""

from __future__ import annotations

import base64
import hmac
import logging
import re
import secrets
from collections.abc import Callable
from typing import NamedTuple

import sqlalchemy as sa
from starlette.requests import HTTPConnection
from starlette.responses import Response

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.server.clock import now
from cardtable.server.net.guard import address_of, hashed, refusal, scheme_of
from cardtable.server.net.guesses import Exhausted, Guesses
from cardtable.server.settings import Settings
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import StoreError, storage_refusal
from cardtable.server.store.schema import DEVICES, MATCHES, PARTICIPANTS, PLAYERS, SAVED, TABLES
from cardtable.server.store.store import Store

log = logging.getLogger("cardtable.server")
COOKIE = "cardtable"
LIFE = 400 * 86_400  #: seconds that a cookie is kept: the maximum in browsers
RANDOM, PROOF = 20, 12  #: bytes of a token
MOST = 10_000  #: former tokens that are remembered
FOREVER = 1 << 62
_TOKEN = re.compile(r"[A-Za-z0-9_-]{43}")


class KnownDevice(NamedTuple):
    """The asking device: the hash of its token, "" if unknown. again: the token, if it is to be reissued as a current
    cookie.
    """

    device: str = ""
    again: str = ""


class Identities:
    """The tokens of people's devices."""

    def __init__(self, store: Store, settings: Settings, guesses: Guesses, wrong: Callable[[str], object]) -> None:
        """guesses: limits an address's unknown tokens; wrong: called with the address of each."""
        self._store = store
        self._settings = settings
        self._guesses = guesses
        self._wrong = wrong
        self._key = b""
        self._secure_since = 0  #: when the first request came over https, milliseconds since 1970; 0: not read yet
        self._former: dict[tuple[str, bool], None] = {}  #: former tokens that are identities; and whether over https

    async def load(self) -> None:
        """Read the key, if that has not been done. Raises StoreError."""
        if not self._key:
            read = in_database(self._store.secret, "identities", lambda: secrets.token_hex(32))
            self._key = bytes.fromhex(await read)

    def new(self) -> str:
        """A new, unused token. The key must have been read."""
        random = secrets.token_bytes(RANDOM)
        return base64.urlsafe_b64encode(random + self._proof(random)).decode().rstrip("=")

    def gave(self, token: str) -> bool:
        """Whether this server issued a token. The key must have been read."""
        if not _TOKEN.fullmatch(token):
            return False
        data = base64.urlsafe_b64decode(f"{token}=")
        same = base64.urlsafe_b64encode(data).decode().rstrip("=") == token  # the last letter has bits to spare
        return same and hmac.compare_digest(self._proof(data[:RANDOM]), data[RANDOM:])

    def _proof(self, random: bytes) -> bytes:
        return hmac.digest(self._key, random, "sha256")[:PROOF]

    async def settled(self, connection: HTTPConnection) -> tuple[str, str, Response | None]:
        """The result of `find`; and the refusal, if the server cannot decide now whether the device is known."""
        try:
            return *await self.find(connection), None
        except Exhausted as error:
            self._wrong(address := address_of(connection, self._settings))
            log.warning("too many tokens that this server did not give, from %s", address)
            why = Message("too many cookies from your address were not given by this server")
            can = Message("try again in {n} s", n=int(error.seconds) + 1)
            refused = CardtableError(Message("this request"), why, can, code="http/rate")
            return "", "", refusal(429, refused, error.seconds)
        except StoreError as error:
            return "", "", refusal(503, storage_refusal(error.fault))

    async def find(self, connection: HTTPConnection) -> KnownDevice:
        """The device that asks. Raises StoreError; Exhausted if too many unknown tokens came from its address."""
        await self.load()
        secure = self._is_secure(connection)
        if secure and not self._secure_since:
            read = in_database(self._store.secret, "https", lambda: str(now()))
            self._secure_since = int(await read)
        if device := self.signed(connection):
            return KnownDevice(device)
        prefixed, plain = self._tokens(connection)
        address = address_of(connection, self._settings)
        if await self._is_former(prefixed, False, address):
            return KnownDevice(hashed(prefixed))
        if await self._is_former(plain, secure, address):
            return KnownDevice(hashed(plain), plain if secure else "")
        return KnownDevice()

    def signed(self, connection: HTTPConnection) -> str:
        """The asking device, by a token of this server; "" if it has none, or the key was not read yet."""
        prefixed, plain = self._tokens(connection)
        if self._key and self.gave(prefixed):
            return hashed(prefixed)
        return hashed(plain) if self._key and self.gave(plain) and not self._is_secure(connection) else ""

    def _tokens(self, connection: HTTPConnection) -> tuple[str, str]:
        """The values of the cookies with and without the prefix."""
        return connection.cookies.get(self._prefixed, ""), connection.cookies.get(COOKIE, "")

    async def _is_former(self, token: str, secure: bool, address: str) -> bool:
        """Whether a token was given by an earlier version; secure: or before the server had https.

        Raises StoreError, Exhausted.
        """
        key = hashed(token), secure
        if not token or key in self._former:
            return bool(token)

        async def belongs() -> bool | None:
            if not _TOKEN.fullmatch(token) or (secure and now() > self._secure_since + 1000 * LIFE):
                return None
            before = self._secure_since if secure else FOREVER
            return (await in_database(self._store.column, sa.select(_belonging(key[0], before))))[0] or None

        if not await self._guesses.guess(address, belongs):
            self._wrong(address)
            return False
        self._former[key] = None
        if len(self._former) > MOST:
            del self._former[next(iter(self._former))]
        return True

    # Cookies

    @property
    def _prefixed(self) -> str:
        """The name of the cookie over https. It is for the whole host, as the prefix requires, so the path below which
        the site is must be in its name.
        """
        return f"__Host-{COOKIE}{self._settings.prefix.replace('/', '.')}"

    def _is_secure(self, connection: HTTPConnection) -> bool:
        return self._settings.secure or scheme_of(connection, self._settings) in ("https", "wss")

    def cookie(self, token: str, connection: HTTPConnection, life: int = LIFE) -> str:
        """The header that gives a device a token for some seconds, for the whole site and nothing besides it."""
        shared = f"Max-Age={life}; HttpOnly; SameSite=Strict"
        if self._is_secure(connection):
            return f"{self._prefixed}={token}; Path=/; {shared}; Secure"
        return f"{COOKIE}={token}; Path={self._settings.prefix or '/'}; {shared}"

    def no_cookie(self, connection: HTTPConnection) -> str:
        """The header that takes a device's token away."""
        return self.cookie("", connection, 0)


def _belonging(owner: str, before: int) -> sa.ColumnElement[bool]:
    """Whether something older than a time (milliseconds since 1970) belongs to a person, or a device is a linked one of
    theirs.
    """
    at_tables = sa.select(TABLES.c.id).join(PARTICIPANTS, PARTICIPANTS.c.table_id == TABLES.c.id)
    in_matches = sa.select(MATCHES.c.id).join(PLAYERS, PLAYERS.c.match_id == MATCHES.c.id)
    return sa.or_(
        sa.exists(at_tables.where(PARTICIPANTS.c.owner == owner, TABLES.c.created < before)),
        sa.exists(in_matches.where(PLAYERS.c.owner == owner, MATCHES.c.at < before)),
        sa.exists().where(SAVED.c.owner == owner, SAVED.c.at < before),
        sa.exists().where(DEVICES.c.token == owner, DEVICES.c.at > 0, DEVICES.c.at < before),
    )
