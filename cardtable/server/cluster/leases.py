"""Leases: the node that may write the log of a table.

A node is a server process that shares a PostgreSQL database with others. A table's row names the node that has its
lease, and an epoch, which grows each time the lease changes hands. The expiry of a node's leases is stored once, in
its row among the nodes, which it keeps extending; so a node with thousands of tables extends one row. Every write
checks node and epoch in the same transaction (`store.writes.held`), with a lock that a claim waits for: a node that
has lost a lease writes nothing more, however long it was delayed, and a node that has claimed one reads everything
written before.

Times are milliseconds since 1970 by the database's clock, so the clocks of the nodes do not matter.
"""

from __future__ import annotations

from collections.abc import Collection

import sqlalchemy as sa

from cardtable.server.cluster.alone import Connected, ServerNode
from cardtable.server.store.schema import CONNECTIONS, NODES, TABLES, beginning_with, in_lobby, named

FORGOTTEN = 3_600_000  #: milliseconds after which the row of a node that vanished is deleted
NOW = sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * 1000, sa.BigInteger)


#: as text, because it is part of what each process does every second
_EXTEND = sa.text(
    "UPDATE nodes SET until = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint) + :until WHERE id = :node"
)
_LIVES = sa.exists().where(NODES.c.id == TABLES.c.node, NODES.c.until > NOW)
_NODE = (NODES.c.id, NODES.c.machine, NODES.c.path, NODES.c.address)


def extend(connection: sa.Connection, node: ServerNode, milliseconds: int) -> bool:
    """Extend a node's leases by some time from now; return whether the node was listed, even if they had ended."""
    if connection.execute(_EXTEND, {"node": node.id, "until": milliseconds}).rowcount:
        return True
    until = NOW + milliseconds
    connection.execute(sa.insert(NODES).values(**vars(node), until=until))
    connection.execute(sa.delete(NODES).where(NODES.c.until < NOW - FORGOTTEN))
    return False


def leave(connection: sa.Connection, node: str) -> None:
    """End a node: it gives up everything."""
    connection.execute(sa.update(TABLES).where(TABLES.c.node == node).values(node=""))
    connection.execute(sa.delete(NODES).where(NODES.c.id == node))
    connection.execute(sa.delete(CONNECTIONS).where(CONNECTIONS.c.node == node))


def claim(connection: sa.Connection, table: str, node: str) -> int | ServerNode:
    """Take the lease of a table, unless a live node has it: return the new epoch, or that node.

    0: there is no such table.
    """
    free = sa.or_(TABLES.c.node == node, ~_LIVES)
    claiming = sa.update(TABLES).where(TABLES.c.id == table, free).values(node=node, epoch=TABLES.c.epoch + 1)
    epoch = connection.execute(claiming.returning(TABLES.c.epoch)).scalar()
    if epoch is not None:
        return int(epoch)
    other = connection.execute(sa.select(*_NODE).join(TABLES, TABLES.c.node == NODES.c.id).where(TABLES.c.id == table))
    row = other.first()
    return ServerNode(*row) if row else 0


def owner(connection: sa.Connection, name: str, node: str) -> tuple[ServerNode, int] | None:
    """The other node that has the lease of a table, by id or code, and lives; and until when its leases hold."""
    query = sa.select(*_NODE, NODES.c.until).join(TABLES, TABLES.c.node == NODES.c.id)
    row = connection.execute(query.where(named(name), NODES.c.id != node, NODES.c.until > NOW)).first()
    return (ServerNode(*row[:4]), int(row[4])) if row else None


def release(connection: sa.Connection, table: str, node: str, epoch: int, to: str = "") -> None:
    """Give the lease of a table back, or to another node. epoch: 0 means any."""
    mine = sa.and_(TABLES.c.id == table, TABLES.c.node == node)
    mine = mine if epoch == 0 else sa.and_(mine, TABLES.c.epoch == epoch)
    connection.execute(sa.update(TABLES).where(mine).values(node=to, epoch=TABLES.c.epoch + 1))


def leased(connection: sa.Connection, node: str) -> dict[str, int]:
    """All tables of which a node has the lease, with their epochs."""
    query = sa.select(TABLES.c.id, TABLES.c.epoch).where(TABLES.c.node == node)
    return {row.id: row.epoch for row in connection.execute(query)}


def open_tables(connection: sa.Connection) -> list[str]:
    """The tables that some node has open."""
    return list(connection.execute(sa.select(TABLES.c.id).where(_LIVES)).scalars())


def games(connection: sa.Connection) -> list[str]:
    """The games of the tables that some node has open."""
    return list(connection.execute(sa.select(TABLES.c.game).where(_LIVES).distinct()).scalars())


# Connections


def write_connections(
    connection: sa.Connection, node: str, there: Collection[Connected], ended: Collection[int]
) -> None:
    """Write down which connections of a node are there, and which have ended."""
    changed = [one.number for one in there] + list(ended)
    mine = CONNECTIONS.c.node == node
    connection.execute(sa.delete(CONNECTIONS).where(mine, CONNECTIONS.c.number.in_(changed)))
    if there:
        connection.execute(sa.insert(CONNECTIONS), [{"node": node} | vars(one) for one in there])


def connected(
    connection: sa.Connection, node: str, *, table: str = "", owner: str = "", most: int = 10_000
) -> list[Connected]:
    """The connections of all other live nodes. table: only those to this table; owner: only those of people whose ids
    have this prefix.
    """
    columns = (CONNECTIONS.c.number, CONNECTIONS.c.table_id, CONNECTIONS.c.owner, CONNECTIONS.c.address)
    query = sa.select(*columns, CONNECTIONS.c.since).join(NODES, NODES.c.id == CONNECTIONS.c.node)
    query = query.where(NODES.c.until > NOW, NODES.c.id != node).limit(most)
    query = query.where(CONNECTIONS.c.table_id == table) if table else query
    query = query.where(beginning_with(CONNECTIONS.c.owner, owner)) if owner else query
    return [Connected(*row) for row in connection.execute(query)]


def addresses(connection: sa.Connection, node: str) -> dict[str, int]:
    """How many connections all other nodes that live have, by address."""
    query = sa.select(CONNECTIONS.c.address, sa.func.count()).join(NODES, NODES.c.id == CONNECTIONS.c.node)
    query = query.where(NODES.c.until > NOW, NODES.c.id != node).group_by(CONNECTIONS.c.address)
    return {row[0]: row[1] for row in connection.execute(query)}


def lobby(connection: sa.Connection, since: int, most: int) -> list[str]:
    """The ids of the tables in the lobby (`schema.in_lobby`) where somebody is connected to any node."""
    there = sa.select(CONNECTIONS.c.table_id).join(NODES, NODES.c.id == CONNECTIONS.c.node).where(NODES.c.until > NOW)
    return list(connection.execute(in_lobby(since, most).where(TABLES.c.id.in_(there))).scalars())
