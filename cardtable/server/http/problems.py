"""Requests over HTTP that are refused with a status."""

from __future__ import annotations

from cardtable.base.errors import CardtableError, Text
from cardtable.base.message import Message
from cardtable.server.net.guard import refusal


class HttpProblem(Exception):
    """A request that is refused: status, code, what was asked, why not, what to do instead."""

    def __init__(self, status: int, code: str, what: Text, why: Text = "", can: Text = "", wait: float = 0.0) -> None:
        self.answer = refusal(status, CardtableError(what, why, can, code=code), wait)


def missing(what: Message) -> HttpProblem:
    """There is nothing of that name, or it is not for this person: the answer does not say which."""
    return HttpProblem(404, "http/missing", what, Message("there is no such thing here"), Message("check the address"))
