"""A person's own data over HTTP: all of it as a file, and deleting it."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import IO, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from cardtable.server import people
from cardtable.server.clock import now
from cardtable.server.deletion import delete_person
from cardtable.server.guard import forget_cookie, owner_of
from cardtable.server.hall import Hall
from cardtable.server.operations import operation
from cardtable.server.people import Deleted

CHUNK = 1 << 16


class DataFile(StreamingResponse):
    """Everything about a person, as a file."""

    media_type = "application/json"


class PeopleApi:
    """The endpoints for people's own data, over a hall."""

    hall: Hall

    @operation("GET /api/me/data", rate="heavy")
    async def my_data(self, request: Request) -> DataFile:
        """Everything that the server keeps about you, as a file (JSON).

        `tables`: what you did at each table; `matches`: your finished matches with their records; `statistics`;
        `restrictions`: bans, mutes and kicks. Times are milliseconds since 1970. Addresses are not kept.
        """
        owner = owner_of(request)
        file = await asyncio.to_thread(self._written, owner)
        day = datetime.now(UTC).strftime("%Y-%m-%d")
        headers = {
            "content-disposition": f'attachment; filename="cardtable-data-{day}.json"',
            "cache-control": "no-store",
        }
        return DataFile(_chunks(file), headers=headers)

    def _written(self, owner: str) -> IO[bytes]:
        """A person's data in a file, so that a fault of the database comes before the answer begins.

        Raises StoreError.
        """
        with contextlib.ExitStack() as cleaning:
            file = cleaning.enter_context(tempfile.SpooledTemporaryFile(1 << 20))
            for part in people.exported(self.hall.store, owner, now()):
                file.write(part.encode())
            file.seek(0)
            cleaning.pop_all()  # it is closed when it has been sent
            return cast(IO[bytes], file)

    @operation("DELETE /api/me/data", rate="heavy")
    async def delete_my_data(self, request: Request) -> Deleted:
        """Delete everything that the server keeps about you, and your identity: the answer clears the cookie.

        You leave your tables first. Tables and finished matches in which no other person took part are deleted
        (`tables`, `matches`). Those of other people stay (`kept_tables`, `kept_matches`): your moves too, without your
        name and what you said. Bans, mutes and kicks stay until their time is over.
        """
        deleted = await delete_person(self.hall, owner_of(request))
        answer = Response(msgspec.json.encode(deleted), media_type="application/json")
        answer.headers["cache-control"] = "no-store"
        answer.headers["set-cookie"] = forget_cookie(self.hall.settings.secure)
        return cast(Deleted, answer)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk
