"""What can be wrong with the database, in words for the people at the tables, and the errors of the store."""

from __future__ import annotations

import errno
from dataclasses import dataclass

import sqlalchemy as sa

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message


@dataclass(frozen=True)
class Fault:
    """The reason why something could not be saved.

    kind: one word, for metrics; why: a clause for people; shared: it affects the whole database, not only one write;
    reopen: connections opened before it may stay useless after its end.
    """

    kind: str
    why: Message
    shared: bool = True
    reopen: bool = False


FULL = Fault("full", Message("the disk is full"))
LOCKED = Fault("locked", Message("another program keeps the database locked"))
READ_ONLY = Fault("read-only", Message("the database is read-only"), reopen=True)
REPLACED = Fault("replaced", Message("the database's file was removed or replaced"))
SCHEMA = Fault("schema", Message("the database belongs to another version of Cardtable"), reopen=True)
SILENT = Fault("silent", Message("the database does not answer"), reopen=True)
UNREACHABLE = Fault("unreachable", Message("the server cannot reach its database"), reopen=True)
BROKEN = Fault("broken", Message("the database cannot be read or written"), reopen=True)
OLDER = Fault("older", Message("the database lacks what was saved here before; it may be an older copy"), shared=False)
MOVED = Fault("moved", Message("another process of this server has the table now"), shared=False)
UNKNOWN = Fault("unknown", Message("the server could not save it"), shared=False)
FAULTS = (FULL, LOCKED, READ_ONLY, REPLACED, SCHEMA, SILENT, UNREACHABLE, BROKEN, OLDER, MOVED, UNKNOWN)

#: names of SQLite's error codes, by prefix
SQLITE = {
    "SQLITE_FULL": FULL,
    "SQLITE_BUSY": LOCKED,
    "SQLITE_LOCKED": LOCKED,
    "SQLITE_READONLY": READ_ONLY,
    "SQLITE_IOERR": BROKEN,
    "SQLITE_CORRUPT": BROKEN,
    "SQLITE_NOTADB": BROKEN,
    "SQLITE_CANTOPEN": BROKEN,
}
#: PostgreSQL's error codes (SQLSTATE), by how they begin
POSTGRESQL = {
    "53100": FULL,
    "53300": UNREACHABLE,  # it has too many connections
    "55P03": LOCKED,
    "57014": SILENT,  # a statement took too long
    "25P03": SILENT,  # a transaction was idle for too long
    "25006": READ_ONLY,
    "3D000": UNREACHABLE,  # the database does not exist
    "3F000": SCHEMA,
    "42P01": SCHEMA,  # the table does not exist
    "42703": SCHEMA,  # the column does not exist
    "57P": UNREACHABLE,  # it shuts down, starts, or ended the connection
    "08": UNREACHABLE,
    "58": BROKEN,
    "XX": BROKEN,
}


class StoreError(Exception):
    """The database failed, and nothing was acknowledged. The text is for the log, `fault.why` for people."""

    def __init__(self, text: str, fault: Fault = UNKNOWN) -> None:
        super().__init__(text)
        self.fault = fault


class Outdated(StoreError):
    """The table in memory is no longer the one in the database."""


class Fenced(Outdated):
    """Another process has the lease of this table."""


class Overtaken(Outdated):
    """This version of the table is in the database already: another process wrote it, or this one did and did not
    learn of it. The log must be read again.
    """


def storage_refusal(fault: Fault | None) -> CardtableError:
    """The refusal when data cannot be read or saved now; None: without a reason."""
    why = Message("the server cannot read or save it")
    if fault:
        why = Message("the server cannot read or save it: {reason}", reason=fault.why)
    return CardtableError(Message("this"), why, Message("try again in a moment"), code="server/storage")


def fault_of(error: BaseException) -> Fault:
    """The fault behind an error of the store, of SQLAlchemy or of the system."""
    if isinstance(error, StoreError):
        return error.fault
    if isinstance(error, sa.exc.TimeoutError):  # no connection became free
        return SILENT
    if isinstance(error, OSError):
        return FULL if error.errno in (errno.ENOSPC, errno.EDQUOT) else BROKEN
    if not isinstance(error, sa.exc.DBAPIError) or isinstance(error, sa.exc.IntegrityError):
        return UNKNOWN
    cause = error.orig
    if isinstance(known := getattr(cause, "fault", None), Fault):
        return known
    name, text = getattr(cause, "sqlite_errorname", None) or "", str(cause)
    if name == "SQLITE_ERROR" and ("no such" in text or "has no column" in text):
        return SCHEMA
    code = getattr(cause, "sqlstate", None) or ""
    for codes, given in ((SQLITE, name), (POSTGRESQL, code)):
        for start, fault in codes.items():
            if given.startswith(start):
                return fault
    lost = error.connection_invalidated or (isinstance(error, sa.exc.OperationalError) and not name and not code)
    return UNREACHABLE if lost else UNKNOWN


def store_error(error: Exception) -> StoreError:
    """An error as the store's own, with the first line of its text and without the statement that failed."""
    if isinstance(error, StoreError):
        return error
    cause = error.orig if isinstance(error, sa.exc.DBAPIError) and error.orig else error
    text = (str(cause).splitlines() or [type(cause).__name__])[0]
    if isinstance(error, sa.exc.IntegrityError):
        return Overtaken(text)
    return StoreError(text, fault_of(error))
