"""Deals that several people play: the deal of the day, and deals by their number; their ladders of results."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from cardtable import Match
from cardtable.client import Client
from cardtable.server.store import shared_deals
from cardtable.server.store.schema import DECISIONS, STEPS, migrate
from cardtable.server.store.store import Store
from cardtable.server.store.writes import Finished, FinishedPlayer
from cardtable.table import projection
from tests.support.server.live import Driven
from tests.support.server.served import Served

pytestmark = pytest.mark.server(fresh=True)


def played(setup: Any, owner: str, score: int, at: int, **more: Any) -> Finished:
    help_taken = {"undone": more.pop("undone", 0), "hints": more.pop("hints", 0)}
    people = (
        FinishedPlayer(0, owner, owner.title(), score, score > 0, **help_taken),
        FinishedPlayer(1, "", "", 0, False, 0, 0, "medium"),
    )
    deal, house = shared_deals.deal_of(setup), shared_deals.house_of(setup)
    told = {"resigned": None, "undone": 0, "record": "", "title": "", "deal": deal, "house": house} | more
    return Finished(f"{owner}{at}{setup.game}", 1, setup.game, setup.preset, at, 1, players=people, **told)


def test_the_cards_follow_from_the_day_and_a_secret(server: Served, tmp_path: Path) -> None:
    from cardtable.rules.catalog import games

    days = ("2026-11-24", "2026-11-25")
    setups = [shared_deals.daily(server.store, game, day)[0] for game in games().values() for day in days]
    numbers = {setup.number for setup in setups}
    assert len(numbers) == len(setups)
    assert shared_deals.daily(server.store, games()["scopa"], "2026-11-24")[0].number in numbers
    other = Store(f"sqlite:///{tmp_path / 'other.db'}")
    try:
        assert shared_deals.daily(other, games()["scopa"], "2026-11-24")[0].number not in numbers
    finally:
        other.close()


def test_the_ladder_has_first_attempts_the_best_first(server: Served) -> None:
    from cardtable.rules.catalog import games

    scopa, busca = games()["scopa"], games()["busca"]
    (setup, _), (low, _) = (shared_deals.daily(server.store, game, "2026-11-24") for game in (scopa, busca))
    for match in (
        played(setup, "ann", 5, 100),
        played(setup, "ben", 7, 200, undone=1),
        played(setup, "ann", 11, 300),
        played(setup, "cleo", 5, 90, hints=2),
        played(setup, "dora", 20, 95, resigned=0),
        played(low, "ann", 9, 100),
        played(low, "ben", 3, 200),
    ):
        server.store.keep(match)
    told = scopa, setup.preset, shared_deals.house_of(setup), "ann"
    found = shared_deals.results(server.store, shared_deals.deal_of(setup), *told)
    assert [(one.name, one.score, one.helped, one.resigned, one.you) for one in found] == [
        ("Ben", 7, True, False, False),
        ("Cleo", 5, True, False, False),
        ("Ann", 5, False, False, True),
        ("Dora", 20, False, True, False),
    ]
    assert [bool(one.match) for one in found] == [False, False, True, False]
    others = shared_deals.results(
        server.store, shared_deals.deal_of(low), busca, low.preset, shared_deals.house_of(low), ""
    )
    assert [one.name for one in others] == ["Ben", "Ann"], "the lowest score wins in Busca"


def test_more_is_told_of_the_own_attempt(server: Served) -> None:
    """Moves, mistakes as far as they are known, and the days in a row on which it was not given up."""
    from cardtable.rules.catalog import games

    scopa, store = games()["scopa"], server.store
    m = Match("scopa", 2, seed=1)
    for _ in range(7):
        m.play(m.legal(m.actors[0])[0])
    ids = {}
    for day, resigned in (("22", 0), ("23", None), ("24", None), ("25", None), ("27", None)):
        setup, _ = shared_deals.daily(store, scopa, f"2026-11-{day}")
        match = played(setup, "ann", 5, int(day), resigned=resigned, record=str(m.record()))
        ids[day] = store.keep(match)
        decision = {"seat": 0, "move": "", "move_label": "", "best": "", "best_label": "", "loss": 0.0, "error": 0.0}
        if day == "25":
            for act, grade in enumerate(("best", "inaccuracy", "mistake", "blunder")):
                key = {"owner": "ann", "table_id": match.table, "number": match.number, "deal": 1, "act": act}
                store.change(sa.insert(DECISIONS).values(scale=0.0, at=1, grade=grade, **key, **decision))
    own = {day: shared_deals.own_attempt(store, id, "ann", f"2026-11-{day}") for day, id in ids.items()}
    assert {day: one.streak for day, one in own.items()} == {"22": 0, "23": 1, "24": 2, "25": 3, "27": 1}
    assert {one.moves for one in own.values()} == {sum(act.seat == 0 for act in m.moves)}
    assert {day: one.mistakes for day, one in own.items() if one.mistakes is not None} == {"25": 2}


def test_a_deal_of_the_day_is_played(server: Served) -> None:
    async def play() -> dict[str, Any]:
        async with Client(server.url) as ann:
            headers = {"cookie": f"cardtable={ann.token}", "origin": server.url}
            async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=120) as http:
                made = (await http.post("/api/daily/cassino", json={"name": "Ann"})).json()
                again = (await http.post("/api/daily/cassino", json={"name": "Ann"})).json()
                assert again["path"] == made["path"], "it is found again"
                assert (await http.get("/api/daily/cassino")).json()["path"] == made["path"]
                refused = await http.post("/api/tables", json={"game": "cassino", "number": "1", "daily": "2026-11-24"})
                assert refused.status_code == 400
                async with ann.table(made["id"]) as table:
                    await table.until(lambda: table.stage == "playing")
                    assert (table.table["number"], table.table["daily"]) == ("", shared_deals.today())
                    data = (await http.get("/api/me/data")).json()
                    created = next(one for one in data["tables"][0]["done"] if one["kind"] == "created")
                    assert not created["setup"].get("number")
                    await table.command("resign")
                    await table.until(lambda: table.stage == "over")
                return dict((await http.get("/api/daily/cassino")).json())

    told = asyncio.run(play())
    assert told["path"] == ""
    assert [(one["name"], one["resigned"], one["you"]) for one in told["results"]] == [("Ann", True, True)]
    assert told["own"]["streak"] == 0


async def test_cards_that_can_still_be_played_are_not_shown(server: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A person who gives up can play them as somebody else: until the day is over, nothing tells the cards that they
    have not seen; afterwards everything does.
    """
    monkeypatch.setattr(shared_deals, "today", lambda: "2026-11-24")
    ways: dict[str, Any] = {
        "record": {},
        "frames?deal=1": {},
        "review?deal=1&seat=1": {},
        "lost?deal=1": {},
        "retry": {"deal": 1, "number": 1, "name": "Ann"},
    }

    async def asked(http: httpx.AsyncClient, match: int) -> dict[str, httpx.Response]:
        return {
            way: await (http.post(path, json=body) if body else http.get(path))
            for way, body in ways.items()
            for path in [f"/api/matches/{match}/{way}"]
        }

    async with Client(server.url) as ann, Client(server.url) as ben:
        headers = {"cookie": f"cardtable={ann.token}", "origin": server.url}
        async with httpx.AsyncClient(base_url=server.url, headers=headers, timeout=120) as http:
            made = (await http.post("/api/daily/fan-tan", json={"name": "Ann"})).json()
            async with ann.table(made["id"]) as table, ben.table(made["id"]) as beside:
                await table.until(lambda: bool(table.legal))
                await table.move(table.legal[0])
                await table.command("resign")
                for seen, own in ((table, 0), (beside, None)):
                    await seen.until(lambda seen=seen: seen.stage == "over")  # type: ignore[misc]
                    assert seen.view
                    hands = [zone for zone in seen.view["zones"] if zone["kind"] == "hand"]
                    hands = [zone for zone in hands if zone["name"] != f"hand-{own}"]
                    assert hands
                    assert not any(card for zone in hands for card in zone["cards"]), hands
            match = (await http.get("/api/matches")).json()["matches"][0]["id"]
            for way, answer in (await asked(http, match)).items():
                assert (answer.status_code, answer.json()["error"]["code"]) == (409, "daily/sealed"), way
            assert (await http.get(f"/api/matches/{match}")).status_code == 200, "its result is no secret"
            data = (await http.get("/api/me/data")).json()
            assert [one["record"] for one in data["matches"]] == [None]
            monkeypatch.setattr(shared_deals, "today", lambda: "2026-11-25")
            for way, answer in (await asked(http, match)).items():
                assert answer.status_code in (200, 201), (way, answer.text)
            assert (await http.get("/api/me/data")).json()["matches"][0]["record"].startswith("cardtable")


def test_no_solver_looks_at_cards_that_can_still_be_played() -> None:
    for day, may in (("", True), ("2026-11-24", False)):
        t = Driven("spider", "a", seats=1, bots=("",), number="7", daily=day)
        assert ("winnable" in projection.may(t.table, 0, False)) is may


def test_a_deal_is_found_by_its_number(server: Served) -> None:
    from cardtable.table import Setup
    from cardtable.table.setup import checked

    bots = ("", "medium")
    kinds: list[tuple[str, dict[str, Any]]] = [("scopa", {}), ("scopa", {"target": "21"}), ("cassino", {})]
    for name, options in kinds:
        setup = checked(Setup(name, seats=2, bots=bots, number="a deal/7", options=options))
        server.store.keep(played(setup, "ann", 1, len(name) + len(options)))
    deals = httpx.get(f"{server.url}/api/deals", params={"number": "a deal/7"}).json()
    assert len(deals["deals"]) == 3
    setup = checked(Setup("scopa", seats=2, bots=bots, number="77"))
    server.store.keep(played(setup, "ben", 3, 5))
    (found,) = httpx.get(f"{server.url}/api/deals?number=77").json()["deals"]
    assert (found["title"], found["seats"], found["bots"]) == ("Scopa", 2, list(bots))
    assert [one["name"] for one in found["results"]] == ["Ben"]


def test_an_older_database_gets_the_columns(tmp_path: Path) -> None:
    engine = sa.create_engine(f"sqlite:///{tmp_path / 'old.db'}")
    migrate(engine)
    with engine.begin() as connection:
        connection.execute(sa.text("DROP INDEX ix_matches_deal"))
        for column in ("deal", "house"):
            connection.execute(sa.text(f"ALTER TABLE matches DROP COLUMN {column}"))
        connection.execute(sa.text("DROP TABLE saved_rules"))
        step = 11  # that of saved rules
        connection.execute(sa.text(f"DELETE FROM schema_version WHERE step >= {step}"))
    assert migrate(engine) == len(STEPS)
    columns = {column["name"] for column in sa.inspect(engine).get_columns("matches")}
    assert {"deal", "house"} <= columns
    assert json.dumps(sa.inspect(engine).get_table_names()).count("saved_rules") == 1
    engine.dispose()
