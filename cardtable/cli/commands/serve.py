"""`serve` and `verify`: serve live tables on this machine, and check the proof of a record's shuffle."""

from __future__ import annotations

import contextlib
import errno
import os
import socket
import sys
import threading
import webbrowser
from pathlib import Path

import click

from cardtable.base import platform
from cardtable.base.errors import CardtableError
from cardtable.base.languages import tr
from cardtable.base.message import Message, mark
from cardtable.cli.common import as_json, at_terminal, reading, tell, tell_beside
from cardtable.cli.saves import directory

NEXT = 20  #: ports that are tried after the usual one, before any free one is taken


class ServeError(CardtableError):
    """The server could not start."""

    code, exit_code = "server/start", 3


@click.command()
@click.option(
    "--host",
    help="Address to listen at; 0.0.0.0 lets friends in the same network join; /PATH is a Unix socket. "
    "Default: 127.0.0.1.",
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="This port and no other; 0: any free one. Default: 8517, or the next free one.",
)
@click.option(
    "--database",
    metavar="URL",
    help="Where tables are kept, for instance postgresql+psycopg://...; default: a SQLite file in your data directory.",
)
@click.option(
    "--processes",
    type=click.IntRange(1, 64),
    help="Serve with this number of processes, over one PostgreSQL database (docs/operating.md). Default: 1.",
)
@click.option(
    "--config",
    type=click.Path(dir_okay=False, path_type=Path),
    help="A TOML file with settings, which docs/server.md lists. CARDTABLE_SERVER_... in the environment override it.",
)
@click.option("--uds", metavar="PATH", help="Listen at this Unix socket instead of a host and a port.")
@click.option("--browser/--no-browser", default=False, help="Open a browser, if there is a terminal and a display.")
def serve(
    host: str | None,
    port: int | None,
    database: str | None,
    processes: int | None,
    config: Path | None,
    uds: str | None,
    browser: bool,
) -> None:
    """Serve live tables: for your browser, your friends, and programs (docs/server.md).

    The address is printed once the server answers. Without --port, if a Cardtable is already running here, its address
    is printed instead. A socket that systemd has opened for the server (LISTEN_FDS) comes before all that is said of
    host and port. Ctrl-C ends the server (exit code 130), and so does SIGTERM (exit code 0); tables are kept.
    """
    from cardtable.server.net import listening

    if uds is not None and host is not None:
        raise click.UsageError(tr("--uds and --host each say where to listen: give one of them."))
    if "" in (uds, host) or host == listening.UNIX:
        raise click.UsageError(tr("The name of the place to listen at is empty."))
    if port is not None and (uds is not None or listening.path_of(host or "")):
        raise click.UsageError(tr("A Unix socket has no port: leave out --port."))
    run(host if uds is None else f"{listening.UNIX}{uds}", port, database, browser, config, processes)


def run(
    host: str | None,
    port: int | None,
    database: str | None,
    browser: bool,
    config: Path | None = None,
    processes: int | None = None,
) -> None:
    """Serve until Ctrl-C or SIGTERM. Raises ServeError, SettingsError, and the errors of `self_test.check`.

    host: or the path of a Unix socket (`/PATH` or `unix:PATH`); browser: open one if `may_open`; config: a file with
    settings; processes: how many serve together. Without a port, the server uses the first free one from the default
    upwards. If Cardtable is already running there, with the default host and database, its address is printed
    instead.
    """
    try:
        from cardtable.server import one_process, self_test
        from cardtable.server.configuration import load
        from cardtable.server.net import listening
        from cardtable.server.net.host_names import is_address
        from cardtable.server.store.database import name_of
        from cardtable.server.store.faults import UNKNOWN
        from cardtable.server.store.store import StoreError
        from cardtable.server.supervisor import ServingPlan, supervise
    except ImportError as error:
        raise ServeError(
            Message("serving"),
            Message("{name} is not installed", name=str(error.name)),
            Message("install Cardtable with its dependencies"),
        ) from None

    self_test.check()
    given = load(config, os.environ)
    host, database = host or given.host or listening.HOST, database or given.database
    named = not is_address(host) and not listening.path_of(host)
    settings = given.settings.also_at(host) if named else given.settings
    port = given.port if port is None else port
    processes = processes or given.processes or 1
    if not platform.POSIX and (processes > 1 or settings.pool or (database or "").startswith("postgresql")):
        raise ServeError(
            Message("serving with PostgreSQL, several processes or a pool"),
            Message("this system has no Unix sockets, by which processes reach each other"),
            Message("serve with one process and SQLite, without a pool"),
        )
    if processes > 1 and not (database or "").startswith("postgresql"):
        raise ServeError(
            Message("serving with {n} processes", n=processes),
            Message("they need a PostgreSQL database, and SQLite has one process"),
            Message("name one with --database postgresql+psycopg://..., or leave out --processes"),
        )
    browser = browser and may_open()
    first = _usual(listening.PORT) if port is None else port
    place = contextlib.ExitStack()
    bound: socket.socket | str
    if passed := listening.passed_on(os.environ, os.getpid()):
        bound = passed
    elif path := listening.path_of(host):
        bound = place.enter_context(listening.at_path(path))
    elif port is not None:
        bound = _bound(host, first)
    else:
        bound = _first_free(host, first, settings.prefix, shown=host == listening.HOST and not database)
    if isinstance(bound, str):
        tell(Message("Cardtable is at {address}  (it was running already)", address=bound))
        if browser:
            webbrowser.open(bound)
        return
    addresses = listening.addresses(bound, settings.prefix)
    chosen = passed is None and not platform.is_unix(bound)
    taken = chosen and bool(first) and bound.getsockname()[1] != first

    def answering() -> None:
        tell(Message("Cardtable is at {address}  (Ctrl-C stops it; tables are kept)", address=addresses[0]))
        if len(addresses) > 1:
            tell(
                Message(
                    "Friends in your network can open that address; on this machine {address} works too.",
                    address=addresses[1],
                )
            )
        if taken:
            tell(Message("Port {port} is taken by another program: this is the next free one.", port=first))
        sys.stdout.flush()
        if browser and not platform.is_unix(bound):
            threading.Thread(target=webbrowser.open, args=(addresses[0],), daemon=True).start()

    try:
        tables = database or _own_database()
        if processes > 1:
            supervise(ServingPlan(tables, settings, _operator_token(), processes), bound, answering)
        else:
            one_process.serve(bound, tables, answering, settings, _operator_token())
    except StoreError as error:
        why = str(error).splitlines()[0][:200] if error.fault is UNKNOWN else error.fault.why
        can = (
            Message("check --database")
            if database
            else Message("it is kept in {place}: name another directory with CARDTABLE_DATA", place=str(directory()))
        )
        raise ServeError(Message("the database {name}", name=name_of(tables)), why, can) from None
    finally:
        bound.close()
        place.close()


def may_open() -> bool:
    """Whether a browser may be opened: a person is at a terminal, and there is a display here or BROWSER is set."""
    if not at_terminal():
        return False
    names = ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")
    far = any(os.environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY"))
    return any(os.environ.get(name) for name in names) or (sys.platform in ("darwin", "win32") and not far)


def _usual(port: int) -> int:
    """The first port to try if none is given: CARDTABLE_PORT, or the usual one. Raises ServeError."""
    given = os.environ.get("CARDTABLE_PORT", "").strip()
    if given and not (given.isascii() and given.isdecimal() and int(given) < 65536):
        what = Message("CARDTABLE_PORT={given}", given=given[:20])
        raise ServeError(
            what, Message("it is not a port"), Message("set it to a number from 0 to 65535, or do not set it")
        )
    return int(given) if given else port


def _bound(host: str, port: int) -> socket.socket:
    """A socket at this host and port. Raises ServeError."""
    from cardtable.server.net import listening

    try:
        return listening.listen(host, port)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            can = Message("name another --port, or leave it out for the next free one")
            raise ServeError(Message("port {port}", port=port), Message("another program uses it"), can) from None
        can = (
            Message("name another --host")
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
            else Message("name another --port or --host")
        )
        raise ServeError(
            Message("listening at {address}", address=f"{host}:{port}"), error.strerror or str(error), can
        ) from None
    except UnicodeError:
        raise ServeError(
            Message("--host {host}", host=host[:60]),
            Message("it is not the name of a host"),
            Message("name another --host"),
        ) from None


def _first_free(host: str, first: int, prefix: str, shown: bool) -> socket.socket | str:
    """A socket at the first free port; or, if `shown`, the address of a Cardtable before it. Raises ServeError."""
    from cardtable.server.net import listening

    for port in range(first, min(first + NEXT, 65535) + 1):
        try:
            return listening.listen(host, port)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                break
        except UnicodeError:
            break
        if shown and listening.is_cardtable(address := f"http://{host}:{port}{prefix}/"):
            return address
    return _bound(host, 0)


def _own_database() -> str:
    """The database in the data directory. Raises ServeError."""
    from cardtable.server.store.database import database_in

    try:
        return database_in(directory())
    except OSError as error:
        what = Message("keeping tables in {place}", place=str(directory()))
        raise ServeError(
            what, error.strerror or str(error), Message("name another directory with CARDTABLE_DATA")
        ) from None


def _operator_token() -> str:
    """The operator's token in the data directory; "", with a note, if there cannot be one."""
    from cardtable.server.people import admin_token
    from cardtable.server.store.database import make_private

    try:
        make_private(directory())
        return admin_token.made_in(directory())
    except (OSError, admin_token.BadToken) as error:
        why = error.why if isinstance(error, admin_token.BadToken) else error.strerror or str(error)
        template = mark("Note: `cardtable admin` does not work on this server: {file}: {why}")
        tell_beside(Message(template, file=str(admin_token.path_in(directory())), why=why))
        return ""


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "in_json", is_flag=True, help="Print the proof as JSON.")
def verify(file: Path, in_json: bool) -> None:
    """Check the shuffle of a live table's record: the promised secret, the seed that follows from it, and every
    move.
    """
    from cardtable.match.match import Record
    from cardtable.table.fair import verify as checked

    with reading(file):
        checked_table = checked(Record.load(file))
    if in_json:
        as_json(checked_table)
        return
    fair = mark("The shuffle was fair: table {table}, match {match}, {n} {n:move|moves} replayed.")
    tell(Message(fair, table=str(checked_table["table"]), match=checked_table["match"], n=checked_table["moves"]))
    tell(Message("Promised before the first card: {commitment}", commitment=checked_table["commitment"]))
    tell(Message("The secret, shown afterwards:   {secret}", secret=checked_table["secret"]))
    tell(Message("Compare the promise with the one that your table showed."))
