"""What answers over HTTP share: JSON, pictures of links, requests that are refused with a status."""

from __future__ import annotations

import io
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from cardtable.base.errors import CardtableError, Text
from cardtable.base.message import Message
from cardtable.server.net.guard import refusal, scheme_of
from cardtable.server.settings import Settings


class HttpProblem(Exception):
    """A refused request: status, code, what was asked, why not, what to do instead."""

    def __init__(self, status: int, code: str, what: Text, why: Text = "", can: Text = "", wait: float = 0.0) -> None:
        self.answer = refusal(status, CardtableError(what, why, can, code=code), wait)


def answer(thing: Any, status: int = 200, **headers: str) -> Response:
    """An answer as JSON."""
    headers = {"cache-control": "no-store"} | {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(msgspec.json.encode(thing), status, media_type="application/json", headers=headers)


def too_many(what: Message, why: Message, wait: float) -> HttpProblem:
    """Something was asked or guessed too often; it can be tried again after some seconds."""
    return HttpProblem(429, "http/rate", what, why, Message("try again in {n} s", n=int(wait) + 1), wait)


def site_of(request: Request, settings: Settings) -> str:
    """The address of the site, as the caller has reached it."""
    return f"{scheme_of(request, settings)}://{request.headers.get('host', '')[:200]}{settings.prefix}"


def qr_code(link: str, *, xmldecl: bool = True) -> bytes:
    """A link as a QR code (SVG). xmldecl: it begins as a file of XML does."""
    import segno

    picture = io.BytesIO()
    code = segno.make(link, error="m", micro=False)
    code.save(picture, kind="svg", scale=6, border=3, light="#fff", xmldecl=xmldecl)
    return picture.getvalue()


def not_yours(what: Message) -> HttpProblem:
    """A match that is not there, or that this person has not played: the answer does not distinguish the two."""
    why = Message("only its players can see a match here")
    return HttpProblem(404, "http/missing", what, why, Message("ask one of them for its record"))


def missing(what: Message) -> HttpProblem:
    """Not found, or not for this person: the answer does not distinguish the two."""
    return HttpProblem(404, "http/missing", what, Message("there is no such thing here"), Message("check the address"))
