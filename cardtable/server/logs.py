"""The server's log on standard error: faults, events and requests, one line each, as text or as JSON.

Faults are always written; events (`cardtable.events`: tables, matches, refusals) and requests (`cardtable.requests`)
if the settings say so. A line never has a cookie, a token, a query or the whole name of a table, because knowing that
name is enough to watch. The number of lines is limited, so that strangers cannot fill the disk.
"""

from __future__ import annotations

import json
import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, TextIO
from urllib.parse import quote

from cardtable.server.settings import Settings

#: the operator's actions; all of them are written
operator = logging.getLogger("cardtable.operator")
operator.setLevel(logging.INFO)
EVENTS = logging.getLogger("cardtable.events")
REQUESTS = logging.getLogger("cardtable.requests")
OWN = logging.getLogger("cardtable.log")
SPAN = 60.0  #: seconds
KINDS = 2000  #: kinds of lines that are counted
LONGEST = 200  #: characters of a path


@dataclass(frozen=True)
class Limit:
    """How many lines may be written within `SPAN`: of one kind, and in total."""

    each: int
    total: int


FAULTS = Limit(10, 200)
LIMITS = {EVENTS.name: Limit(30, 600), REQUESTS.name: Limit(120, 1200)}


def event(name: str, **fields: Any) -> None:
    """Log what happened."""
    if EVENTS.isEnabledFor(logging.INFO):
        EVENTS.info(name, extra={"fields": fields})


def request(name: str, **fields: Any) -> None:
    """Log a request or a socket."""
    REQUESTS.info(name, extra={"fields": fields})


def shortened(name: str) -> str:
    """The beginning of a table's id or code: enough to find the table in the database, not enough to open it."""
    return f"{name[:6] if len(name) > 12 else name[:2]}*"


def path_shown(path: str, known: bool) -> str:
    """A request's path with table names shortened. known: the address exists."""
    shown, secret = [], False
    for part in path.split("/"):
        whole = part == "qr.svg" or (not secret and (known or len(part) < 8))
        shown.append(part if whole or not part else shortened(part))
        secret = secret or part in ("t", "tables", "ws")
    return quote("/".join(shown)[:LONGEST], safe="/*")


@dataclass
class _Group:
    """The lines of a group within a span."""

    limit: Limit
    lines: int = 0
    left_out: int = 0
    kinds: Counter[str] = field(default_factory=Counter)


class Limiter:
    """Lets a limited number of lines through in each span of time: of each kind, and of each group in total.

    Groups are events, requests, and other lines. The kind of an event or a request is its name and its address, that
    of another line its logger and the beginning of its text before values are filled in.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = clock()
        self._groups: OrderedDict[str, _Group] = OrderedDict()

    def over(self) -> bool:
        """Whether a span has ended; `left_out` then has its counts."""
        return self._clock() - self._began >= SPAN

    def left_out(self) -> dict[str, int]:
        """How many lines were left out, by group; a new span begins."""
        left_out = {name: group.left_out for name, group in self._groups.items() if group.left_out}
        self._began = self._clock()
        self._groups.clear()
        return left_out

    def allows(self, record: logging.LogRecord) -> bool:
        """Whether to write a line."""
        if record.name == operator.name:
            return True
        fields: dict[str, Any] | None = getattr(record, "fields", None)
        if fields is None:
            name, kind = "faults", f"{record.name} {str(record.msg).partition(chr(10))[0][:60]}"
        else:
            name, kind = record.name.rpartition(".")[2], f"{record.msg} {fields.get('address', '')}"
        group = self._groups.setdefault(name, _Group(LIMITS.get(record.name, FAULTS)))
        known = kind in group.kinds or len(group.kinds) < KINDS
        if not known or group.lines >= group.limit.total or group.kinds[kind] >= group.limit.each:
            group.left_out += 1
            return False
        group.kinds[kind] += 1
        group.lines += 1
        return True


class Handler(logging.StreamHandler[TextIO]):
    """Writes a limited number of lines; omitted lines are counted in one line."""

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(stream)
        self._limiter = Limiter(clock)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, unless there are too many like it."""
        if self._limiter.over():
            self._tell()
        if self._limiter.allows(record):
            super().emit(record)

    def close(self) -> None:
        """The process ends."""
        self._tell()
        super().close()

    def _tell(self) -> None:
        if left_out := self._limiter.left_out():
            record = OWN.makeRecord(
                OWN.name, logging.WARNING, "", 0, "log.left-out", (), None, extra={"fields": left_out}
            )
            super().emit(record)


class Plain(logging.Formatter):
    """A line as text: time, level, logger, and a message or a name with its fields."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as text."""
        head = f"{_time(record)} {record.levelname} {record.name}: "
        if (fields := getattr(record, "fields", None)) is not None:
            return head + " ".join([str(record.msg), *(f"{name}={_word(value)}" for name, value in fields.items())])
        trace = f"\n{self.formatException(record.exc_info)}" if record.exc_info else ""
        return head + _line(record.getMessage()) + trace


class Json(logging.Formatter):
    """A line as a JSON object."""

    def format(self, record: logging.LogRecord) -> str:
        """A record as JSON."""
        line: dict[str, Any] = {"time": _time(record), "level": record.levelname.lower(), "logger": record.name}
        if (fields := getattr(record, "fields", None)) is not None:
            line |= {"event": record.msg} | fields
        else:
            line["message"] = record.getMessage()
            if record.exc_info:
                line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def _time(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _word(value: Any) -> str:
    """A value as one word."""
    text = str(value)
    return text if text.isprintable() and text and not set(' "=') & set(text) else json.dumps(text)


def _line(text: str) -> str:
    """A text on one line, so that nothing that comes from outside looks like another line."""
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def set_up(settings: Settings) -> None:
    """Set up this log for the process, unless it has one already."""
    # psycopg warns about errors that it does not raise because an earlier one is already on its way to us
    logging.getLogger("psycopg").setLevel(logging.ERROR)
    EVENTS.setLevel(logging.INFO if settings.log_events else logging.WARNING)
    REQUESTS.setLevel(logging.INFO if settings.log_requests else logging.WARNING)
    if logging.getLogger().handlers:
        return
    handler = Handler()
    handler.setFormatter(Json() if settings.log_json else Plain())
    logging.getLogger().addHandler(handler)
