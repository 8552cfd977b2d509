"""The database: its tables, and the numbered steps that bring an older one up to date.

`STEPS` only grows: step n turns a database of version n-1 into version n. The tables below are those of the newest
version.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator

import sqlalchemy as sa

from cardtable.bots.levels import FORMER, LEVELS
from cardtable.server.store.codes import code_of

Step = Callable[[sa.Connection], object]
META = sa.MetaData()
MIGRATING = 0x0CA2D7AB  #: the key of PostgreSQL's advisory lock for the steps

#: One row for each table: the data for lists, available without reading the log.
TABLES = sa.Table(
    "tables",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("code", sa.String(8), nullable=False, unique=True),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("stage", sa.String(10), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),  # shown to everybody while it has a free seat
    sa.Column("created", sa.BigInteger, nullable=False),
    sa.Column("changed", sa.BigInteger, nullable=False, index=True),
    # the lease: which node may write the table's log, "" for none, and how often it has changed hands
    sa.Column("node", sa.String(32), nullable=False, server_default="", index=True),
    sa.Column("epoch", sa.Integer, nullable=False, server_default="0"),
)

#: The logs, from which everything follows. One row for each event, numbered from 1 for each table.
EVENTS = sa.Table(
    "events",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("line", sa.Text, nullable=False),
)

#: The current owners of seats, by the hash of a token.
SEATS = sa.Table(
    "seats",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
)

#: Finished matches. `number` is the match's number at its table; an uploaded record has a new id instead of a table's.
#: Matches that were uploaded, or that began in the middle of another, do not count in the statistics (`counts`).
MATCHES = sa.Table(
    "matches",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("game", sa.String(40), nullable=False),
    sa.Column("preset", sa.String(40), nullable=False),
    # the name under which it was opened, if that is not its preset's own
    sa.Column("title", sa.String(60), nullable=False, server_default=""),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("deals", sa.Integer, nullable=False),
    sa.Column("resigned", sa.Integer),
    sa.Column("undone", sa.Integer, nullable=False),
    sa.Column("record", sa.Text, nullable=False),
    sa.Column("counts", sa.Boolean, nullable=False, server_default=sa.true()),
    # a deal that can be shared: `#` and its number, or `daily` and the day; its seats and house rules as JSON
    sa.Column("deal", sa.String(60), nullable=False, server_default="", index=True),
    sa.Column("house", sa.Text, nullable=False, server_default=""),
    sa.UniqueConstraint("table_id", "number"),
)

#: The players of a match, with their results; `owner` is empty for a bot, `level` for a person.
PLAYERS = sa.Table(
    "players",
    META,
    sa.Column("match_id", sa.Integer, sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("score", sa.Integer, nullable=False),
    sa.Column("won", sa.Boolean, nullable=False),
    sa.Column("undone", sa.Integer, nullable=False, server_default="0"),
    sa.Column("hints", sa.Integer, nullable=False, server_default="0"),
    sa.Column("level", sa.String(16), nullable=False, server_default=""),
)

#: People who made a table or ever took a seat there, by the hash of a token.
PARTICIPANTS = sa.Table(
    "participants",
    META,
    sa.Column("table_id", sa.String(32), primary_key=True),
    sa.Column("owner", sa.String(64), primary_key=True, index=True),
)

#: Devices of people who have several, by the hash of the device's token: linked ones, and a person's first one once it
#: was seen again or signed out. Times are milliseconds since 1970.
DEVICES = sa.Table(
    "devices",
    META,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("at", sa.BigInteger, nullable=False),  # when it was linked; 0: the first device
    sa.Column("seen", sa.BigInteger, nullable=False, server_default="0"),  # the last day, its beginning; 0: not known
    sa.Column("signed_out", sa.BigInteger, nullable=False, server_default="0"),  # when; 0: it counts
)

#: Links with which a device can be linked to a person until some time, by the hash of the link's secret.
LINKS = sa.Table(
    "links",
    META,
    sa.Column("token", sa.String(64), primary_key=True),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)

#: The operator's decisions about a person or a network. `kind` is ban, mute (in the chat) or kick (from the table
#: `table_id`); `owner` is empty for a network, and `network` for a person.
RESTRICTIONS = sa.Table(
    "restrictions",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("network", sa.String(50), nullable=False),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),  # milliseconds since 1970; 0: for good
    sa.Column("reason", sa.Text, nullable=False),
)

#: The nodes: server processes that share this database, until when each one's leases hold (milliseconds since 1970, by
#: the database's clock), and where the others reach it: `path` on the same machine, `address` from another one.
NODES = sa.Table(
    "nodes",
    META,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("machine", sa.String(80), nullable=False),
    sa.Column("path", sa.String(120), nullable=False),
    sa.Column("address", sa.String(80), nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)

#: Connections to each node, with their table ("" for none yet).
CONNECTIONS = sa.Table(
    "connections",
    META,
    sa.Column("node", sa.String(32), primary_key=True),
    sa.Column("number", sa.BigInteger, primary_key=True, autoincrement=False),
    sa.Column("table_id", sa.String(32), nullable=False, index=True),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("address", sa.String(64), nullable=False),
    sa.Column("since", sa.BigInteger, nullable=False),
)

#: How much of each rate an address has used, over all nodes: `level` at a time (milliseconds since 1970).
RATES = sa.Table(
    "rates",
    META,
    sa.Column("kind", sa.String(20), primary_key=True),
    sa.Column("address", sa.String(64), primary_key=True),
    sa.Column("level", sa.Float, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

#: Secrets shared by all nodes.
SECRETS = sa.Table(
    "secrets",
    META,
    sa.Column("name", sa.String(20), primary_key=True),
    sa.Column("value", sa.String(64), nullable=False),
)

#: House rules that people save for themselves under names: `options` is JSON.
SAVED = sa.Table(
    "saved_rules",
    META,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("title", sa.String(60), nullable=False),  # the name under which the game is opened
    sa.Column("preset", sa.String(40), nullable=False),
    sa.Column("seats", sa.Integer, nullable=False),
    sa.Column("options", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

#: What reviews found about people's own decisions, one row for each: in deal `deal` of match `number` of a table, its
#: move number `act`. The labels are messages as JSON, "" where the notation of the move is enough; `loss`, `error` and
#: `scale` are as in `review.Decision`. `at` is when the review of the deal was kept, milliseconds since 1970.
DECISIONS = sa.Table(
    "decisions",
    META,
    sa.Column("owner", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(32), primary_key=True, index=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("deal", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("act", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("seat", sa.Integer, nullable=False),
    sa.Column("move", sa.Text, nullable=False),
    sa.Column("move_label", sa.Text, nullable=False),
    sa.Column("best", sa.Text, nullable=False),
    sa.Column("best_label", sa.Text, nullable=False),
    sa.Column("grade", sa.String(16), nullable=False),
    sa.Column("loss", sa.Float, nullable=False),
    sa.Column("error", sa.Float, nullable=False),
    sa.Column("scale", sa.Float, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)

#: Settings of the whole site, as JSON.
SITE = sa.Table(
    "site",
    META,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)

#: People besides the operator who may use the operator's tools, by the hash of each one's token.
MODERATORS = sa.Table(
    "moderators",
    META,
    sa.Column("name", sa.String(40), primary_key=True),
    sa.Column("token", sa.String(64), nullable=False, unique=True),
    sa.Column("at", sa.BigInteger, nullable=False),
)

#: Actions of the operator and the moderators: by whom, and what, in words.
ACTS = sa.Table(
    "acts",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("who", sa.String(40), nullable=False),
    sa.Column("what", sa.Text, nullable=False),
)

#: Reported names and lines of the chat: by whom (`owner`), about whom (`about`), and the text itself. `done` is the
#: moderator who handled it, "" for none yet.
REPORTS = sa.Table(
    "reports",
    META,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("table_id", sa.String(32), nullable=False),
    sa.Column("owner", sa.String(64), nullable=False, index=True),
    sa.Column("about", sa.String(64), nullable=False, index=True),
    sa.Column("kind", sa.String(8), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("done", sa.String(40), nullable=False, server_default=""),
)

#: One row for each step that has been done.
VERSION = sa.Table("schema_version", META, sa.Column("step", sa.Integer, primary_key=True, autoincrement=False))

NOT_OVER = TABLES.c.stage.in_(("lobby", "playing", "between"))  #: a table with an unfinished match


def named(name: str) -> sa.ColumnElement[bool]:
    """A table by its id or code."""
    return (TABLES.c.id == name) | (TABLES.c.code == code_of(name))


def beginning_with(owner: sa.ColumnElement[str], letters: str) -> sa.ColumnElement[bool]:
    """A person whose id begins with some letters."""
    return (owner >= letters) & (owner < letters + "g")


def in_lobby(since: int, most: int) -> sa.Select[str]:
    """The ids of the listed tables whose match has not begun, made since a time (milliseconds since 1970), newest
    first.
    """
    waiting = TABLES.c.listed, TABLES.c.stage == "lobby", TABLES.c.created >= since
    return sa.select(TABLES.c.id).where(*waiting).order_by(TABLES.c.created.desc()).limit(most)


def _create(*tables: sa.Table) -> Step:
    """The step that makes some tables."""
    return lambda connection: META.create_all(connection, tables=tables)


def _add(connection: sa.Connection, table: sa.Table, *columns: str) -> list[str]:
    """Add missing columns (`NAME TYPE ...`) to a table; return the names of those added."""
    there = {column["name"] for column in sa.inspect(connection).get_columns(table.name)}
    added = {name: column for column in columns if (name := column.partition(" ")[0]) not in there}
    for column in added.values():
        connection.execute(sa.text(f"ALTER TABLE {table.name} ADD COLUMN {column}"))
    return list(added)


def _help_taken(connection: sa.Connection) -> None:
    """How often each player took something back or asked for hints; for older matches it is only known that somebody
    took something back.
    """
    if "undone" in _add(connection, PLAYERS, "undone INTEGER NOT NULL DEFAULT 0", "hints INTEGER NOT NULL DEFAULT 0"):
        taken = sa.select(MATCHES.c.undone).where(MATCHES.c.id == PLAYERS.c.match_id).scalar_subquery()
        connection.execute(sa.update(PLAYERS).where(PLAYERS.c.owner != "").values(undone=taken))


def _what_counts(connection: sa.Connection) -> None:
    """Which matches count in the statistics; older ones do, unless they were uploaded."""
    if _add(connection, MATCHES, "counts BOOLEAN NOT NULL DEFAULT TRUE"):
        connection.execute(sa.update(MATCHES).where(MATCHES.c.number == 0).values(counts=False))


def _levels(connection: sa.Connection) -> None:
    """The levels of bots, which clients name; until now they were stored as names, such as `bot: simple`."""
    if _add(connection, PLAYERS, "level VARCHAR(16) NOT NULL DEFAULT ''"):
        for level in (*LEVELS, *FORMER):
            bots = (PLAYERS.c.owner == "") & (PLAYERS.c.name == f"bot: {level}")
            connection.execute(sa.update(PLAYERS).where(bots).values(level=level))


def _participants(connection: sa.Connection) -> None:
    """Who took part in which table; until now only the logs had that."""
    META.create_all(connection, tables=[PARTICIPANTS])
    telling = EVENTS.c.line.like('%"kind":"created"%') | EVENTS.c.line.like('%"kind":"sat"%')
    participants: set[tuple[str, str]] = set()
    query = sa.select(EVENTS.c.table_id, EVENTS.c.line).where(telling)
    for table, line in connection.execute(query, execution_options={"yield_per": 1000}):
        event = json.loads(line)["event"]
        if event["kind"] in ("created", "sat"):
            participants.add((table, event["host"] if event["kind"] == "created" else event["owner"]))
    participants -= {(row.table_id, row.owner) for row in connection.execute(sa.select(PARTICIPANTS))}
    if participants:
        rows = [{"table_id": table, "owner": owner} for table, owner in sorted(participants) if owner]
        connection.execute(sa.insert(PARTICIPANTS), rows)


def _leases(connection: sa.Connection) -> None:
    """Leases of tables, connections, and secrets shared by all nodes."""
    if _add(connection, TABLES, "node VARCHAR(32) NOT NULL DEFAULT ''", "epoch INTEGER NOT NULL DEFAULT 0"):
        connection.execute(sa.text("CREATE INDEX ix_tables_node ON tables (node)"))
    META.create_all(connection, tables=[NODES, CONNECTIONS, RATES, SECRETS])


def _deals(connection: sa.Connection) -> None:
    """Which matches were of a numbered deal or of a deal of the day; of older ones it is not known."""
    if _add(connection, MATCHES, "deal VARCHAR(60) NOT NULL DEFAULT ''", "house TEXT NOT NULL DEFAULT ''"):
        connection.execute(sa.text("CREATE INDEX ix_matches_deal ON matches (deal)"))


def _former_levels(connection: sa.Connection) -> None:
    """Levels of bots as they are called today."""
    for former, level in FORMER.items():
        connection.execute(sa.update(PLAYERS).where(PLAYERS.c.level == former).values(level=level))


STEPS: tuple[Step, ...] = (
    _create(TABLES, EVENTS, SEATS, MATCHES, PLAYERS),
    _help_taken,
    _what_counts,
    # older matches have their presets' titles
    lambda connection: _add(connection, MATCHES, "title VARCHAR(60) NOT NULL DEFAULT ''"),
    _levels,
    _create(RESTRICTIONS),
    _participants,
    _create(DEVICES, LINKS),
    _leases,
    lambda connection: _add(
        connection, DEVICES, "seen BIGINT NOT NULL DEFAULT 0", "signed_out BIGINT NOT NULL DEFAULT 0"
    ),
    _create(SAVED),
    _deals,
    _create(DECISIONS),
    _create(SITE, MODERATORS, ACTS, REPORTS),
    _former_levels,
)


def migrate(engine: sa.Engine) -> int:
    """Bring a database up to date, each step in a separate transaction; return its version.

    Raises RuntimeError for a database of a newer Cardtable.
    """
    with _one_at_a_time(engine):
        with engine.begin() as connection:
            VERSION.create(connection, checkfirst=True)
            done = connection.execute(sa.select(sa.func.max(VERSION.c.step))).scalar() or 0
        if done > len(STEPS):
            raise RuntimeError(
                f"the database is of version {done}, and this Cardtable knows up to {len(STEPS)}: use a newer one"
            )
        for number, step in enumerate(STEPS[done:], done + 1):
            with engine.begin() as connection:
                step(connection)
                connection.execute(sa.insert(VERSION).values(step=number))
    return len(STEPS)


@contextlib.contextmanager
def _one_at_a_time(engine: sa.Engine) -> Iterator[None]:
    """Servers that start at once wait for each other. An SQLite database has one server."""
    if engine.dialect.name != "postgresql":
        yield
        return
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(sa.select(sa.func.pg_advisory_lock(MIGRATING)))
        try:
            yield
        finally:
            connection.execute(sa.select(sa.func.pg_advisory_unlock(MIGRATING)))
