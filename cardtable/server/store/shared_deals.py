"""Shared deals, which several people play, each alone against bots: the deals of the day, and those with a number."""

from __future__ import annotations

import hmac
import json
import secrets
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa

from cardtable.match.match import Record
from cardtable.review.winnable import TRIES
from cardtable.rules.game import Game
from cardtable.server.store.schema import DECISIONS, MATCHES, NOT_OVER, PARTICIPANTS, PLAYERS, TABLES
from cardtable.server.store.store import Store
from cardtable.table import Setup
from cardtable.table.setup import checked

DAILY = "daily "  #: the key prefix for matches of a deal of the day
SECRET = "daily"  #: the name of the secret from which the deals of the day follow
LEVEL = "medium"  #: of the bots: the same moves on every machine
MOST = 100  #: results that are shown
WRONG = ("mistake", "blunder")  #: the grades of mistakes


def deal_of(setup: Setup) -> str:
    """The key of a match for others who play its cards; empty if none can."""
    if setup.daily:
        return f"{DAILY}{setup.daily}"
    return f"#{setup.number}" if setup.number and not setup.start else ""


def sealed(deal: str) -> bool:
    """Whether the cards of a match are secret: they are those of a day that is not over. deal: as `deal_of`."""
    return deal.startswith(DAILY) and deal.removeprefix(DAILY) >= today()


def house_of(setup: Setup) -> str:
    """The seats and house rules of such a match, in canonical form."""
    house = {"seats": setup.seats, "options": setup.options, "bots": setup.bots}
    return json.dumps(house, sort_keys=True) if deal_of(setup) else ""


def today() -> str:
    """The day of the deals of the day (UTC): `2026-11-24`."""
    return datetime.now(UTC).strftime("%Y-%m-%d")


def ends() -> int:
    """When the next deals of the day begin, in milliseconds since 1970."""
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
    return int(tomorrow.timestamp() * 1000)


def daily(store: Store, game: Game, day: str) -> tuple[Setup, list[str]]:
    """The setup of a game's deal of the day, and its candidate numbers: their cards are unknown without the server's
    secret. The setup has the first one; in a game with a solver, the first winnable one is played
    (`cardtable.server.thinking.solving`). Raises StoreError.
    """
    preset = game.starts or game.presets[0]
    low, high = game.options.seat_range[preset]
    seats = max(low, min(game.best_for(preset)[0], high))
    key = bytes.fromhex(store.secret(SECRET, lambda: secrets.token_hex(32)))
    message = f"{day} {game.name} {preset} {seats}"
    each = [message, *(f"{message} {k}" for k in range(2, TRIES + 1))] if game.solvable else [message]
    numbers = [hmac.digest(key, one.encode(), "sha256").hex()[:40] for one in each]
    bots = tuple(LEVEL if seat else "" for seat in range(seats))
    setup = Setup(game.name, preset=preset, seats=seats, bots=bots, fill=LEVEL, number=numbers[0], daily=day)
    return checked(setup), numbers


def open_tables(store: Store, owner: str, game: str) -> list[str]:
    """The tables of a game at which a person takes part in a match that is not over. Raises StoreError."""
    query = (
        sa.select(TABLES.c.id)
        .join(PARTICIPANTS, PARTICIPANTS.c.table_id == TABLES.c.id)
        .where(PARTICIPANTS.c.owner == owner, TABLES.c.game == game)
        .where(NOT_OVER)
        .order_by(TABLES.c.changed.desc())
        .limit(50)
    )
    return store.column(query)


class FirstAttempt(msgspec.Struct, frozen=True):
    """A person's first attempt at a deal."""

    name: str  #: of the person
    score: int  #: at the end of the match
    won: bool  #: the person won the match
    at: int  #: when the match ended, milliseconds since 1970
    helped: bool  #: with moves taken back, or with hints
    resigned: bool  #: the person gave up
    you: bool  #: it is yours
    match: int  #: the id of your match; 0 for other people's


def results(store: Store, deal: str, game: Game, preset: str, house: str, owner: str) -> list[FirstAttempt]:
    """The first attempts of all people at a deal, the best first. Raises StoreError."""
    here = (MATCHES.c.deal == deal) & (MATCHES.c.game == game.name) & (MATCHES.c.preset == preset)
    query = (
        sa.select(MATCHES.c.id, MATCHES.c.at, MATCHES.c.resigned, PLAYERS)
        .join(PLAYERS, PLAYERS.c.match_id == MATCHES.c.id)
        .where(here, MATCHES.c.house == house, PLAYERS.c.owner != "")
        .order_by(MATCHES.c.id)
    )
    first: dict[str, Any] = {}
    for row in store.dicts(query):
        first.setdefault(row["owner"], row)
    sign = 1 if game.lowest_wins else -1
    rows = sorted(first.values(), key=lambda row: (row["resigned"] is not None, sign * row["score"], row["at"]))
    return [
        FirstAttempt(
            **{name: row[name] for name in ("name", "score", "won", "at")},
            helped=bool(row["undone"] or row["hints"]),
            resigned=row["resigned"] is not None,
            you=row["owner"] == owner,
            match=row["match_id"] if row["owner"] == owner else 0,
        )
        for row in rows[:MOST]
    ]


class OwnAttempt(msgspec.Struct, frozen=True):
    """What else is known of a person's first attempt at a deal of the day."""

    moves: int  #: the person's own, in the whole match
    mistakes: int | None  #: mistakes and blunders, as far as they have been reviewed; null: nothing has been
    streak: int  #: days in a row, up to this one, on which the person has finished the game's deal of the day


def own_attempt(store: Store, match: int, owner: str, day: str) -> OwnAttempt:
    """More about a person's attempt at the deal of a day. match: its ID. Raises StoreError."""
    query = sa.select(MATCHES, PLAYERS.c.seat).join(PLAYERS, PLAYERS.c.match_id == MATCHES.c.id)
    (row,) = store.dicts(query.where(MATCHES.c.id == match, PLAYERS.c.owner == owner).limit(1))
    deals = Record.parse(row["record"]).keys.get("deals", []) if row["record"] else []
    mine = f"{row['seat']} "
    grades = sa.select(DECISIONS.c.grade).where(
        DECISIONS.c.owner == owner, DECISIONS.c.table_id == row["table_id"], DECISIONS.c.number == row["number"]
    )
    found = store.column(grades)
    query = sa.select(MATCHES.c.deal).join(PLAYERS, PLAYERS.c.match_id == MATCHES.c.id)
    here = (MATCHES.c.game == row["game"]) & MATCHES.c.deal.startswith(DAILY) & MATCHES.c.resigned.is_(None)
    days = {deal.removeprefix(DAILY) for deal in store.column(query.where(here, PLAYERS.c.owner == owner))}
    return OwnAttempt(
        sum(text.startswith(mine) for deal in deals for text in deal.get("moves", [])),
        sum(grade in WRONG for grade in found) if found else None,
        next(n for n in range(len(days) + 1) if _before(day, n) not in days),
    )


def _before(day: str, n: int) -> str:
    """The day that is n days before another."""
    return (datetime.fromisoformat(day) - timedelta(days=n)).strftime("%Y-%m-%d")


def played(store: Store, number: str) -> list[tuple[str, str, str, str]]:
    """The deal of a number: game, preset, title, and its seats and house rules. Raises StoreError."""
    kinds = (MATCHES.c.game, MATCHES.c.preset, MATCHES.c.title, MATCHES.c.house)
    query = sa.select(*kinds).where(MATCHES.c.deal == f"#{number}").group_by(*kinds).order_by(*kinds).limit(20)
    return [tuple(row) for row in store.rows(query)]
