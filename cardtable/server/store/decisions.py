"""Review results of people's own decisions, stored for their statistics on every device.

Only decisions at a person's own seat are stored, in matches that count in the statistics; a review is only made of a
deal that is over. The statistics include only finished matches, because only these can be replayed.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from typing import Any

import sqlalchemy as sa

from cardtable.review.decisions import SURE
from cardtable.review.review import BEST, GRADES, WORSE, mean_loss
from cardtable.server.store.schema import DECISIONS, MATCHES, PLAYERS, SEATS
from cardtable.server.store.store import Store, StoreError

log = logging.getLogger("cardtable.server")
SHOWN = 5  #: best and worst moves listed for each game and preset
POOR = tuple(name for name, _ in WORSE)
Sheet = Mapping[str, Any]  #: a review as a client is sent it (`review_answers.ReviewSeen`), complete or not


def keep_of_match(store: Store, owner: str, match: int, sheet: Sheet, at: int, most: int) -> bool:
    """Store the result of a review of a finished match, if the match counts and the seat is this person's; return
    whether it was stored.

    match: its id; at: milliseconds since 1970; most: limit for a person's stored decisions, those of the latest
    reviews. Raises StoreError.
    """
    theirs = (PLAYERS.c.match_id == match) & (PLAYERS.c.seat == sheet["seat"]) & (PLAYERS.c.owner == owner)
    of_match = sa.select(MATCHES.c.table_id, MATCHES.c.number).where(MATCHES.c.id == match, MATCHES.c.counts)

    def write(connection: sa.Connection) -> bool:
        row = connection.execute(of_match).first() if _claimed(connection, PLAYERS, theirs) else None
        return row is not None and _keep(connection, (owner, row.table_id, row.number), sheet, at, most)

    return store.run(write)


def keep_of_table(store: Store, owner: str, table: str, number: int, sheet: Sheet, at: int, most: int) -> bool:
    """Store the result of a review after a deal of a match that may continue: number is the match's at its table.
    Otherwise as `keep_of_match`; the caller checks whether the match counts. Raises StoreError.
    """
    theirs = (SEATS.c.table_id == table) & (SEATS.c.seat == sheet["seat"]) & (SEATS.c.owner == owner)

    def write(connection: sa.Connection) -> bool:
        return _claimed(connection, SEATS, theirs) and _keep(connection, (owner, table, number), sheet, at, most)

    return store.run(write)


def quietly(keep: Callable[..., bool], *arguments: Any) -> None:
    """Store a result; a fault of the database is only logged, because the review itself has been sent."""
    try:
        keep(*arguments)
    except StoreError as error:
        log.error("what a review found is not kept: %s", error)


def _claimed(connection: sa.Connection, table: sa.Table, theirs: sa.ColumnElement[bool]) -> bool:
    """Whether a seat is a person's; it stays so until the end of the transaction. The update changes nothing: it
    locks the row, so that a deletion of the person's data waits, and then finds the new rows.
    """
    return bool(connection.execute(sa.update(table).where(theirs).values(owner=table.c.owner)).rowcount)


def _keep(connection: sa.Connection, place: tuple[str, str, int], sheet: Sheet, at: int, most: int) -> bool:
    """Replace the stored decisions of a deal, unless the new ones have no more information."""
    key = dict(zip(("owner", "table_id", "number", "deal"), (*place, sheet["deal"]), strict=True))
    here = sa.and_(*(DECISIONS.c[name] == value for name, value in key.items()))
    known = connection.execute(sa.select(DECISIONS).where(here).order_by(DECISIONS.c.act)).mappings().all()
    rows = [key | _row(decision, sheet["seat"], at) for decision in sheet["decisions"]]
    fewer = len(rows) < len(known) and not sheet["complete"]  # a repeated review
    if not rows or fewer or [_without_time(row) for row in known] == [_without_time(row) for row in rows]:
        return False
    connection.execute(sa.delete(DECISIONS).where(here))
    connection.execute(sa.insert(DECISIONS), rows)
    _bound(connection, place[0], at, most)
    return True


def _row(decision: Mapping[str, Any], seat: int, at: int) -> dict[str, Any]:
    """The columns of a decision, except its key."""
    labels = {name: json.dumps(label) if (label := decision[name]) else "" for name in ("move_label", "best_label")}
    values = {name: decision[name] for name in ("move", "best", "grade", "loss", "error", "scale")}
    return {"act": decision["number"], "seat": seat, "at": at} | values | labels


def _without_time(row: Mapping[Any, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "at"}


def _bound(connection: sa.Connection, owner: str, at: int, most: int) -> None:
    """Delete a person's oldest reviews if there are too many decisions; the one that was kept `at` this time stays."""
    mine = DECISIONS.c.owner == owner
    times = sa.select(DECISIONS.c.at).where(mine).order_by(DECISIONS.c.at.desc())
    oldest = connection.execute(times.offset(most).limit(1)).scalar()
    if oldest is not None:
        connection.execute(sa.delete(DECISIONS).where(mine, DECISIONS.c.at <= oldest, DECISIONS.c.at < at))


def forget(store: Store, owner: str) -> None:
    """Delete everything that reviews found about a person. Raises StoreError."""
    store.change(sa.delete(DECISIONS).where(DECISIONS.c.owner == owner))


def exported(store: Store, owner: str) -> list[dict[str, Any]]:
    """Everything that reviews found about a person, the latest reviews first. Raises StoreError."""
    columns = [column for column in DECISIONS.c if column.name != "owner"]
    query = sa.select(*columns).where(DECISIONS.c.owner == owner)
    query = query.order_by(DECISIONS.c.at.desc(), DECISIONS.c.table_id, DECISIONS.c.number, DECISIONS.c.act)
    return [_labelled(row) for row in store.dicts(query)]


def _labelled(row: Mapping[Any, Any]) -> dict[str, Any]:
    """A row with its labels as messages, None where there is none."""
    labels = ("move_label", "best_label")
    return {name: (json.loads(value) if value else None) if name in labels else value for name, value in row.items()}


def statistics(store: Store, owner: str) -> list[dict[str, Any]]:
    """What reviews found in a person's finished matches, by game and preset: how many decisions got each grade
    (`grades`), their average loss (`loss`), and the `best` moves and the `worst`, SHOWN of each. Raises StoreError.
    """
    games: dict[tuple[str, str], dict[str, Any]] = {}

    def read(connection: sa.Connection) -> None:
        for row in connection.execute(_counted(owner)):
            game = games.setdefault((row.game, row.preset), {"grades": dict.fromkeys(GRADES, 0), "loss": 0.0})
            game["grades"][row.grade] = row.n
            game["loss"] += row.lost
        for move in connection.execute(_outstanding(owner)).mappings():
            games[move["game"], move["preset"]].setdefault(move["kind"], []).append(_labelled(move))

    store.run(read)
    return [
        {"game": game, "preset": preset, "best": [], "worst": []}
        | one
        | {"loss": mean_loss(one["loss"], sum(one["grades"].values()))}
        for (game, preset), one in sorted(games.items())
    ]


def _of_finished(owner: str, *columns: Any) -> sa.Select[Any]:
    """Columns of a person's decisions and of their finished matches."""
    same = (MATCHES.c.table_id == DECISIONS.c.table_id) & (MATCHES.c.number == DECISIONS.c.number)
    query = sa.select(*columns, MATCHES.c.game, MATCHES.c.preset)
    return query.select_from(DECISIONS).join(MATCHES, same).where(DECISIONS.c.owner == owner)


def _counted(owner: str) -> sa.Select[Any]:
    """How many decisions got each grade (`n`), and the sum of their losses (`lost`), by game and preset."""
    sums = sa.func.count().label("n"), sa.func.sum(DECISIONS.c.loss).label("lost")
    return _of_finished(owner, DECISIONS.c.grade, *sums).group_by(MATCHES.c.game, MATCHES.c.preset, DECISIONS.c.grade)


def _outstanding(owner: str) -> sa.Select[Any]:
    """The worst moves and the best ones of each game and preset (`kind`), SHOWN of each, the most outstanding first.

    The best are those where the most was at stake: one of each deal, because the scale never shrinks in a deal. The
    worst are those whose sure loss is the largest share of the scale, so that games can be compared.
    """
    d = DECISIONS.c
    best = d.grade == BEST
    kind = sa.case((best, "best"), else_="worst").label("kind")
    worth = sa.case((best, d.scale), else_=(d.loss - SURE * d.error) / d.scale).label("worth")
    place = sa.func.row_number().over(partition_by=(d.table_id, d.number, d.deal, kind), order_by=(worth.desc(), d.act))
    joined = _of_finished(owner, DECISIONS, MATCHES.c.id.label("match"), kind, worth, place.label("in_deal"))
    one = joined.where(d.grade.in_((BEST, *POOR)), d.scale > 0.0).subquery().c
    order = one.worth.desc(), one.at.desc(), one.table_id, one.number, one.deal, one.act
    rank = sa.func.row_number().over(partition_by=(one.game, one.preset, one.kind), order_by=order)
    ranked = sa.select(*one, rank.label("rank")).where((one.kind == "worst") | (one.in_deal == 1)).subquery()
    return sa.select(ranked).where(ranked.c.rank <= SHOWN).order_by(ranked.c.rank)
