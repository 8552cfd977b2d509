"""`serve` and `verify`: the live table on this machine, and the proof of a record's shuffle."""

from __future__ import annotations

import errno
import sys
import webbrowser
from pathlib import Path

import click

from cardtable.cli import as_json
from cardtable.cli.kept import directory
from cardtable.errors import CardtableError


class ServeError(CardtableError):
    """The server could not begin."""

    code, exit_code = "server/start", 3


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 lets friends in the same network come too.")
@click.option("--port", type=click.IntRange(0, 65535), help="0: any that is free; default: 8517.")
@click.option("--database", metavar="URL", help="Where tables are kept, for instance postgresql+psycopg://...; default: a SQLite file in your data directory.")
@click.option("--browser/--no-browser", default=False, help="Open a browser.")
def serve(host: str, port: int | None, database: str | None, browser: bool) -> None:
    """Serve live tables: for your browser, your friends, and programs (docs/server.md)."""
    run(host, port, database, browser)


def run(host: str, port: int | None, database: str | None, browser: bool) -> None:
    """Serve until Ctrl-C; says the address. Raises ServeError.

    Without a port, and with a browser, a port that is taken is no hindrance: a Cardtable that is there already is
    shown, and otherwise any port that is free will do.
    """
    try:
        from cardtable import server
        from cardtable.server.store import StoreError
    except ImportError as error:
        raise ServeError("serving", f"{error.name} is not installed", "install Cardtable with its dependencies") from None

    def say(address: str) -> None:
        click.echo(f"Cardtable is at {address}  (Ctrl-C stops it; tables are kept)")
        sys.stdout.flush()

    chosen = server.PORT if port is None else port
    try:
        try:
            server.serve(host, chosen, database or server.database_in(directory()), browser, say)
        except OSError as error:
            if not browser or port is not None or error.errno != errno.EADDRINUSE:
                raise
            address = f"http://{host}:{chosen}/"
            if server.is_cardtable(address):
                click.echo(f"Cardtable is at {address} already.")
                webbrowser.open(address)
                return
            server.serve(host, 0, database or server.database_in(directory()), browser, say)
    except StoreError as error:
        raise ServeError("the database", str(error).splitlines()[0][:200], "check --database") from None
    except OSError as error:
        raise ServeError(f"listening at {host}:{chosen}", error.strerror or str(error), "name another --port, or 0 for any that is free") from None


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--json", "in_json", is_flag=True, help="Print the proof as JSON.")
def verify(file: Path, in_json: bool) -> None:
    """Check the shuffle of a live table's record: the promised secret, the seed that follows from it, and every move."""
    from cardtable.record import Record
    from cardtable.table.fair import verify as checked

    told = checked(Record.load(file))
    if in_json:
        as_json(told)
        return
    click.echo(f"The shuffle was fair: table {told['table']}, match {told['match']}, {told['moves']} moves replayed.")
    click.echo(f"Promised before the first card: {told['commitment']}")
    click.echo(f"The secret, shown afterwards:   {told['secret']}")
    click.echo("Compare the promise with the one that your table showed.")
