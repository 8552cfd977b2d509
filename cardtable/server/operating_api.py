"""The operator's part of the HTTP API that is about the server itself, as `admin_api` is about people and tables."""

from __future__ import annotations

from starlette.requests import Request

from cardtable.server import load
from cardtable.server.hall import Hall
from cardtable.server.load import Load
from cardtable.server.operations import operation


class OperatingApi:
    """The endpoints about the server, over a hall."""

    hall: Hall

    @operation("GET /api/admin/load", rate="", operator=True)
    async def admin_load(self, request: Request) -> Load:
        """For the operator: what waits in each queue, and who uses the processor.

        The addresses are those that have used the most of the processor in the last minute, of all processes; an
        IPv6 address is its /64. `share` is of one processor. `""` are those that are not counted each by itself.
        """
        return await load.of_all(self.hall)
