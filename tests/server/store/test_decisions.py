"""What reviews find about a person's own decisions is kept for their statistics on every device: nobody else's, within
bounds, as long as the match.
"""

from __future__ import annotations

import asyncio
import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest
import sqlalchemy as sa

from cardtable import Match, bot
from cardtable.client import Client, TableClient
from cardtable.server.app import described
from cardtable.server.store import decisions
from cardtable.server.store.decisions import keep_of_match, keep_of_table
from cardtable.server.store.schema import DECISIONS, STEPS, migrate
from cardtable.server.store.store import Store, StoreError, Write
from cardtable.table import Entry
from cardtable.table import events as ev
from tests.server.people.test_people import data, delete, mentions, owner
from tests.server.rooms.test_asking import CHOICES, asked, play_deal
from tests.support.server.live import Driven
from tests.support.server.served import Served, served
from tests.support.server.stores import done, first, match
from tests.support.waiting import eventually

pytestmark = [
    pytest.mark.usefixtures("fan_tan"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.server(review_wait=0.2, review_iterations=200),
]
MOST = 5000


def decided(number: int, grade: str = "good", loss: float = 0.0, scale: float = 2.0, **more: Any) -> dict[str, Any]:
    told = {"number": number, "move": f"{number}H", "best": "KS", "move_label": None, "best_label": None}
    return told | {"grade": grade, "loss": loss, "error": 0.1, "scale": scale} | more


def sheet(*found: dict[str, Any], deal: int = 1, seat: int = 0, complete: bool = True) -> dict[str, Any]:
    return {"deal": deal, "seat": seat, "complete": complete, "decisions": list(found)}


def acts(store: Store, owner: str = "ann") -> list[tuple[int, int]]:
    """The deals and numbers of a person's decisions that are kept."""
    return sorted((row["deal"], row["act"]) for row in decisions.exported(store, owner))


def test_a_review_is_kept_in_portions_and_its_worst_and_best_moves_are_told(store: Store) -> None:
    id = store.keep(match())
    label = {"says": "lay {card}", "card": {"card": 3}}
    found = [
        decided(1, "best", scale=2.0),
        decided(3, "mistake", 1.5, move_label=label),
        decided(4, "best", scale=6.0, move="9S"),
        decided(6, "blunder", 4.0, scale=6.0),
        decided(8, "best", scale=6.0),
    ]
    for n in (1, 3, 5, 5):
        kept = keep_of_match(store, "ann", id, sheet(*found[:n], complete=n == 5), n, MOST)
        assert acts(store) == [(1, one["number"]) for one in found[:n]]
    assert not kept, "nothing new"
    keep_of_match(store, "ann", id, sheet(decided(2, "best", scale=9.0), deal=2), 8, MOST)
    (game,) = decisions.statistics(store, "ann")
    assert (game["game"], game["preset"]) == ("busca", "busca")
    assert game["grades"] == {"best": 4, "good": 0, "inaccuracy": 0, "mistake": 1, "blunder": 1}
    assert game["loss"] == round(5.5 / 6, 3)
    assert [(one["deal"], one["act"]) for one in game["best"]] == [(2, 2), (1, 4)], "one of each deal"
    assert [(one["deal"], one["act"]) for one in game["worst"]] == [(1, 3), (1, 6)], "by what is sure of the scale"
    assert {one["match"] for one in game["best"] + game["worst"]} == {id}
    assert game["worst"][0]["move_label"] == label
    assert game["worst"][1]["best_label"] is None


def test_a_review_that_is_made_again_does_not_shrink_until_it_is_complete(store: Store) -> None:
    id = store.keep(match())
    keep_of_match(store, "ann", id, sheet(decided(1), decided(2)), 1, MOST)
    assert not keep_of_match(store, "ann", id, sheet(decided(1, "best"), complete=False), 2, MOST)
    assert acts(store) == [(1, 1), (1, 2)]
    assert keep_of_match(store, "ann", id, sheet(decided(1, "best"), decided(2)), 3, MOST)
    assert [row["grade"] for row in decisions.exported(store, "ann")] == ["best", "good"]


def test_only_a_persons_own_decisions_are_kept_in_matches_that_count(store: Store) -> None:
    id = store.keep(match())
    other = store.keep(replace(match(0, table="upload"), counts=False))
    for who, of, seat in (("ann", id, 1), ("eve", id, 0), ("ann", other, 0), ("ann", 999, 0)):
        assert not keep_of_match(store, who, of, sheet(decided(1), seat=seat), 1, MOST)
        assert not acts(store, who)


def test_each_game_and_preset_has_its_own_figures(store: Store) -> None:
    ids = [
        store.keep(replace(match(1, table=f"T{preset}"), game="fan-tan", preset=preset))
        for preset in ("british", "polynesian")
    ]
    for id, grade in zip(ids, ("best", "blunder"), strict=True):
        keep_of_match(store, "ann", id, sheet(decided(1, grade, 1.0)), id, MOST)
    found = decisions.statistics(store, "ann")
    assert [(one["preset"], one["grades"]["best"], len(one["worst"])) for one in found] == [
        ("british", 1, 0),
        ("polynesian", 0, 1),
    ]
    keep_of_match(store, "ann", ids[1], sheet(*(decided(n, "blunder", n) for n in range(1, 9))), 9, MOST)
    worst = decisions.statistics(store, "ann")[1]["worst"]
    assert [one["act"] for one in worst] == [8, 7, 6, 5, 4], "five at most"


def test_the_oldest_reviews_make_room(store: Store) -> None:
    ids = [store.keep(match(number)) for number in (1, 2, 3)]
    for id in ids:
        keep_of_match(store, "ann", id, sheet(decided(1), decided(2)), id, 5)
    assert sorted({row["number"] for row in decisions.exported(store, "ann")}) == [2, 3]
    keep_of_match(store, "ann", ids[0], sheet(*map(decided, range(1, 9))), 99, 5)
    assert {row["number"] for row in decisions.exported(store, "ann")} == {1}, "the newest one stays"


def seated(store: Store) -> None:
    """A table where Ann has a seat."""
    t = Driven("busca", "a", seats=3)
    done(store, first(t), Write("T1", Entry(2, 6, ev.Said(0, "x")), seats=["ann", "", "ben"]))


def test_what_is_found_between_deals_is_told_when_the_match_is_over(store: Store) -> None:
    seated(store)
    assert not keep_of_table(store, "ann", "T1", 1, sheet(decided(1), seat=2), 1, MOST), "Ben's seat"
    assert keep_of_table(store, "ann", "T1", 1, sheet(decided(1)), 1, MOST)
    assert decisions.statistics(store, "ann") == []
    id = store.keep(match())
    (game,) = decisions.statistics(store, "ann")
    assert game["grades"]["good"] == 1
    assert not keep_of_match(store, "ann", id, sheet(decided(1)), 5, MOST), "it is the same deal"


def test_what_is_taken_back_is_forgotten(store: Store) -> None:
    seated(store)
    for number, deal in ((1, 1), (1, 2), (2, 2)):
        keep_of_table(store, "ann", "T1", number, sheet(decided(1), deal=deal), 1, MOST)
    done(store, Write("T1", Entry(3, 9, ev.Undone(1)), taken_back=(1, 2)))
    assert [(row["number"], row["deal"]) for row in decisions.exported(store, "ann")] == [(1, 1), (2, 2)]


def test_decisions_go_with_their_match_and_those_without_one_with_their_table(store: Store) -> None:
    seated(store)
    store.keep(match())  # ended at 7
    store.keep(replace(match(1, table="T2"), at=100))
    for number in (1, 2):
        keep_of_table(store, "ann", "T1", number, sheet(decided(number)), 1, MOST)
    later = store.matches_of("ann")[0]["id"]
    keep_of_match(store, "ann", later, sheet(decided(7)), 1, MOST)
    store.delete_table("T1")
    assert acts(store) == [(1, 1), (1, 7)], "the match of the second never ended"
    store.delete_matches(50)
    assert acts(store) == [(1, 7)]


def test_an_older_database_gets_the_table(database: str) -> None:
    engine = sa.create_engine(database)
    migrate(engine)
    step = 13  # that of decisions
    with engine.begin() as connection:
        connection.execute(sa.text("DROP TABLE decisions"))
        connection.execute(sa.text(f"DELETE FROM schema_version WHERE step >= {step}"))
    assert migrate(engine) == len(STEPS)
    assert {column["name"] for column in sa.inspect(engine).get_columns("decisions")} == set(DECISIONS.columns.keys())
    engine.dispose()


def test_a_fault_of_the_database_harms_no_review(caplog: pytest.LogCaptureFixture) -> None:
    def broken(*_: Any) -> bool:
        raise StoreError("it is gone")

    decisions.quietly(broken)
    assert "what a review found is not kept: it is gone" in caplog.text


# At a server


ALONE: dict[str, Any] = {"seats": 3, "bots": ["", "medium", "medium"], "name": "Ann", "number": CHOICES}


async def reviewed(client: Client, match: int, deal: int = 1, seat: int = 0) -> dict[str, Any]:
    async with asyncio.timeout(300):
        while not (told := await client.get(f"/api/matches/{match}/review?deal={deal}&seat={seat}"))["complete"]:
            pass
    return dict(told)


async def over(table: TableClient) -> None:
    while table.table["stage"] != "over":
        await play_deal(table)
        if table.table["stage"] == "between":
            await table.command("ready")
        await table.until(lambda: bool(table.legal) or table.table["stage"] == "over")


def told_of(found: dict[str, Any], match: int) -> list[dict[str, Any]]:
    """The worst moves of a review as the statistics tell them."""
    names = ("deal", "number", "move", "move_label", "best", "best_label", "grade", "loss", "error", "scale")
    poor = [one for one in found["decisions"] if one["grade"] not in ("best", "good")]
    return [{"match": match} | {name: one[name] for name in names} for one in poor]


async def test_statistics_tell_on_another_device_what_a_review_found(server: Served) -> None:
    async with Client(server.url) as ann, Client(server.url) as eve:
        made = await ann.make("fan-tan", options={"deals": 1}, **ALONE)
        async with ann.table(made["id"]) as table:
            await over(table)
        (match,) = (await ann.get("/api/matches"))["matches"]
        await reviewed(ann, match["id"], seat=1)
        assert (await ann.get("/api/statistics"))["reviewed"] == [], "only their own"
        found = await reviewed(ann, match["id"])
        device = Client(server.url)
        async with device:
            await device.take(await ann.link())
            told = await device.get("/api/statistics")
        schema = {"$ref": "#/components/schemas/Statistics", "components": described()["components"]}
        jsonschema.validate(told, schema)
        (game,) = told["reviewed"]
        assert (game["game"], game["title"], game["preset"]) == ("fan-tan", match["title"], match["preset"])
        assert (game["grades"], game["loss"]) == (found["grades"], found["loss"])
        assert all(one in told_of(found, match["id"]) for one in game["worst"])
        assert len(game["worst"]) == min(5, len(told_of(found, match["id"])))
        assert (await eve.get("/api/statistics"))["reviewed"] == []


def kept_of(server: Served, client: Client) -> list[tuple[int, int]]:
    """The deals and numbers of what is kept of a person's decisions."""
    return acts(server.store, owner(client))


async def until_kept(server: Served, client: Client, expected: list[tuple[int, int]]) -> None:
    async def kept() -> bool:
        return await asyncio.to_thread(kept_of, server, client) == expected

    await eventually(kept)


def numbers(found: dict[str, Any]) -> list[tuple[int, int]]:
    """The deals and numbers of the decisions of a review."""
    return [(one["deal"], one["number"]) for one in found["decisions"]]


async def test_a_deal_that_is_taken_back_after_its_review_is_forgotten(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", options={"deals": 2}, **ALONE)
        async with ann.table(made["id"]) as table:
            await table.until(lambda: bool(table.legal))
            await play_deal(table)
            found = (await asked(server, ann, made["id"]))[-1]["review"]
            assert found["of"] > 0
            await until_kept(server, ann, numbers(found))
            assert (await ann.get("/api/statistics"))["reviewed"] == [], "the match continues"
            await table.command("undo")
            await table.until(lambda: bool(table.legal))
            assert await asyncio.to_thread(kept_of, server, ann) == []
            await over(table)
        (match,) = (await ann.get("/api/matches"))["matches"]
        second = await reviewed(ann, match["id"], deal=2)
        await until_kept(server, ann, numbers(second))


async def test_a_portion_that_comes_after_something_was_taken_back_is_not_kept(
    server: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask, begun, taken_back = server.reviews.ask, threading.Event(), threading.Event()

    async def late(*arguments: Any) -> dict[str, Any]:
        begun.set()
        found = await ask(*arguments)
        await asyncio.to_thread(taken_back.wait, 60)
        return found

    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", options={"deals": 2}, **ALONE)
        async with ann.table(made["id"]) as table:
            await table.until(lambda: bool(table.legal))
            await play_deal(table)
            monkeypatch.setattr(server.reviews, "ask", late)
            review = asyncio.create_task(asked(server, ann, made["id"]))
            assert await asyncio.to_thread(begun.wait, 60)
            await table.command("undo")
            await table.until(lambda: bool(table.legal))
            taken_back.set()
            assert (await review)[-1]["review"]["decisions"]
            await table.command("say", text="it is kept before this, if at all")
        assert await asyncio.to_thread(kept_of, server, ann) == []


async def test_a_match_that_is_played_on_does_not_count_here_either(server: Served) -> None:
    m, player = Match("fan-tan", 3, seed=9, deals=2), bot("random", 1)
    for _ in range(4):
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    async with Client(server.url) as ann:
        bots = ["" if seat == m.actors[0] else "medium" for seat in range(3)]
        made = await ann.make("fan-tan", start=str(m.record()), bots=bots, name="Ann")
        async with ann.table(made["id"]) as table:
            await table.until(lambda: bool(table.legal))
            await play_deal(table)
            (*_, last) = await asked(server, ann, made["id"])
            assert last["review"]["complete"]
            await table.command("say", text="it is kept before this, if at all")
        assert await asyncio.to_thread(kept_of, server, ann) == []


async def test_a_person_has_all_of_it_as_a_file_and_deletes_it(server: Served) -> None:
    async with Client(server.url) as ann:
        made = await ann.make("fan-tan", options={"deals": 1}, **ALONE)
        async with ann.table(made["id"]) as table:
            await over(table)
        (match,) = (await ann.get("/api/matches"))["matches"]
        found = await reviewed(ann, match["id"])
        told = (await data(ann))["reviewed"]
        assert [(one["deal"], one["act"]) for one in told] == numbers(found)
        assert [one["move_label"] for one in told] == [one["move_label"] for one in found["decisions"]]
        assert owner(ann) not in json.dumps(told)
        await delete(server, ann)
        assert "decisions" not in await asyncio.to_thread(mentions, server, owner(ann))
        assert not keep_of_match(server.store, owner(ann), match["id"], found, 1, MOST), "a late portion"


async def test_the_setting_bounds_what_is_kept_of_each_person(tmp_path: Path) -> None:
    with served(tmp_path / "t.db", decisions_kept=1, review_iterations=200) as server:
        async with Client(server.url) as ann:
            made = await ann.make("fan-tan", options={"deals": 2}, **ALONE)
            async with ann.table(made["id"]) as table:
                await over(table)
            (match,) = (await ann.get("/api/matches"))["matches"]
            sheets = [await reviewed(ann, match["id"], deal) for deal in (1, 2)]
            assert await asyncio.to_thread(kept_of, server, ann) == numbers(sheets[1])
