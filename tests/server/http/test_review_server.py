"""Reviews over HTTP: whole and in parts, of one's own matches only, one at a time for each person."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from cardtable import Match, bot
from cardtable.client import Client
from cardtable.kernel import Switch
from cardtable.review.review import Question, Review, review
from cardtable.review.review import judge as judged_by
from cardtable.server.app import described
from cardtable.server.thinking import reviews
from tests.support.server.clients import refused
from tests.support.server.served import Served, served

pytestmark = pytest.mark.server(review_iterations=200)


@pytest.fixture(scope="module")
def m() -> Match:
    m, player = Match("fan-tan", 4, "british", seed=9, deals=2), bot("random", 1)
    while not m.over:
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    return m


async def kept(client: Client, m: Match) -> str:
    """The path of a match that somebody has brought along."""
    return f"/api/matches/{(await client.post('/api/records', str(m.record())))['id']}/review"


async def whole(client: Client, path: str) -> dict[str, Any]:
    async with asyncio.timeout(300.0):
        while not (told := await client.get(path))["complete"]:
            pass  # the server has waited for it
    return dict(told)


def same(told: list[dict[str, Any]], ours: Review) -> None:
    """The decisions are the library's; what is best with all cards seen may be missing while that is compiled."""
    for each, decision in zip(told, ours.decisions, strict=True):
        expected = decision.as_dict()
        assert each in (expected, expected | {"seen": None})


async def test_a_deal_is_reviewed_as_the_library_does_it(server: Served, m: Match) -> None:
    async with Client(server.url) as ann:
        path = await kept(ann, m)
        for deal, seat in ((1, 0), (2, 3)):
            told = await whole(ann, f"{path}?deal={deal}&seat={seat}")
            ours = review(m, seat, 200, deal=deal, open_cards=True)
            same(told["decisions"], ours)
            assert (told["deal"], told["deals"], told["seat"], told["of"]) == (deal, 2, seat, len(ours.decisions))
            assert told["iterations"] == 200
            assert told["lowest"] < min(one.estimate for one in ours.decisions)
            assert told["highest"] > max(one.estimate for one in ours.decisions)
            assert (told["loss"], told["grades"]) == (round(ours.loss, 3), ours.grades)
            jsonschema.validate(
                told, {"$ref": "#/components/schemas/ReviewSeen", "components": described()["components"]}
            )


async def test_what_is_no_review_is_refused(server: Served, m: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    async with Client(server.url) as ann, Client(server.url) as eve:
        path = await kept(ann, m)
        for query, code in (
            ("?deal=3", "record/deal"),
            ("?deal=0", "record/deal"),
            ("?seat=4", "options/seats"),
            ("?seat=-1", "http/query"),
            ("?deal=x", "http/query"),
        ):
            assert await refused(ann.get(path + query)) == code
        await whole(ann, path)
        assert await refused(eve.get(path)) == "http/missing", "it is kept, and still not hers"
        monkeypatch.setattr(Switch, "plain", True)
        assert await refused(ann.get(path + "?seat=1")) == "server/warming"


class Held:
    """Decisions of which those after the first `free` ones of a seat are judged when `go` is set."""

    def __init__(self, patch: pytest.MonkeyPatch, free: int) -> None:
        self.go = threading.Event()
        self._reached: defaultdict[int, threading.Event] = defaultdict(threading.Event)  # by seat
        judged: Counter[int] = Counter()
        plainly = judged_by

        def judge(think: Any, question: Question, *more: Any) -> Any:
            seat = question.act.seat
            if judged[seat] == free:
                self._reached[seat].set()
                assert self.go.wait(300.0)
            judged[seat] += 1
            return plainly(think, question, *more)

        patch.setattr(reviews, "judge", judge)

    async def reached(self, seat: int) -> None:
        """A seat's first decision that is held is being judged."""
        assert await asyncio.to_thread(self._reached[seat].wait, 300.0)


async def test_a_long_review_comes_in_parts_and_the_next_one_stops_it(
    tmp_path: Path, m: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    held = Held(monkeypatch, 2)

    with served(tmp_path / "tables.db", review_iterations=200, review_think=1e6, review_wait=0.01) as server:
        async with Client(server.url) as ann, Client(server.url) as ben:
            path, other = await kept(ann, m), await kept(ben, m)
            await ann.get(path + "?deal=1&seat=0")
            await held.reached(0)
            first = await ann.get(path + "?deal=1&seat=0")
            assert not first["complete"]
            assert len(first["decisions"]) == 2 < first["of"]
            await ann.get(path + "?deal=1&seat=1")
            going = server.reviews
            assert [sheet.seat for sheet in going._wanted.values()] == [1], "one at a time"
            await ben.get(other + "?deal=1&seat=2")
            assert len(going._wanted) == 2, "one for each person"
            held.go.set()
            again = await whole(ann, path + "?deal=1&seat=0")
            assert again["decisions"][:2] == [
                x | {"worst": y["worst"]} for x, y in zip(first["decisions"], again["decisions"], strict=False)
            ]
            same(again["decisions"], review(m, 0, 200, deal=1, open_cards=True))
            assert not any(sheet.seat == 0 for sheet in going._wanted.values())


async def test_a_review_that_nobody_asks_for_any_more_is_left(
    tmp_path: Path, m: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, now = Held(monkeypatch, 1), 100.0
    monkeypatch.setattr(reviews, "time", SimpleNamespace(monotonic=lambda: now))

    with served(tmp_path / "tables.db", review_iterations=200, review_think=1e6, review_wait=0.01) as server:
        async with Client(server.url) as ann:
            await ann.get(await kept(ann, m))
            await held.reached(0)
            (sheet,) = server.reviews._sheets.values()
            assert sheet.task
            now += server.settings.review_patience
            held.go.set()
            left = asyncio.run_coroutine_threadsafe(asyncio.wait({sheet.task}, timeout=300.0), server.loop)
            await asyncio.wrap_future(left)
            assert sheet.task.done()
            assert len(sheet.decisions) == 2 < sheet.of
            assert not server.reviews._wanted


async def test_who_asks_too_often_waits(tmp_path: Path, m: Match) -> None:
    with served(
        tmp_path / "tables.db",
        compile_behind=False,
        review_iterations=100,
        review_rate=(2, 60.0),
        loopback_is_free=False,
    ) as server:
        async with Client(server.url) as ann:
            path = await kept(ann, m)
            for _ in range(2):
                await ann.get(path)
            assert await refused(ann.get(path)) == "http/rate"
