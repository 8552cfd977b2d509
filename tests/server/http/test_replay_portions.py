"""Replays and reviews come in portions, and records are bounded in moves, so no request takes long or answers much."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from cardtable import Match, Record, bot
from cardtable.base.errors import RecordError
from cardtable.server.settings import Settings
from cardtable.server.thinking import jobs
from tests.support.server.costly import moves_of
from tests.support.server.served import Served, served

MOST = Settings().most_moves


def played(game: str, seats: int | None = None, moves: int = 80, level: str = "random", **options: Any) -> Match:
    """A match with a number of moves at least, or to its end."""
    m, player = Match(game, seats, seed=4, **options), bot(level, 1)
    while not m.over and moves_of(m) < moves:
        m.play(player.choose(m.view(m.actors[0])), m.actors[0])
    return m


def portions(text: str, deal: int, seat: int | None, count: int) -> dict[str, Any]:
    told = jobs.framed(text, deal, seat, 0, count, MOST)
    while len(told["frames"]) <= told["moves"]:
        more = jobs.framed(text, deal, seat, len(told["frames"]), count, MOST)
        assert 0 < len(more["frames"]) <= count
        assert (more["first"], more["moves"]) == (len(told["frames"]), told["moves"])
        told["frames"] += more["frames"]
    return told


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [("fan-tan", 4, {}), ("i-doubt-it", 3, {}), ("cassino", 2, {}), ("play-or-pay", 3, {}), ("pirate", 2, {})],
)
def test_portions_together_are_the_deal(game: str, seats: int, options: dict[str, Any]) -> None:
    """Each frame shows what a match shows after its moves, whichever portion it is in."""
    m = played(game, seats, **options)
    text, deal = str(m.record()), min(2, len(m.deals))
    acts = m.deals[deal - 1].acts
    for seat in (None, 1):
        told = portions(text, deal, seat, 7)
        assert told == portions(text, deal, seat, 100)
        assert told["moves"] == len(acts), "forced moves are steps, too"
        assert [frame["number"] for frame in told["frames"]] == list(range(len(acts) + 1))
        assert [frame["forced"] for frame in told["frames"][1:]] == [act.forced for act in acts]
        for frame in told["frames"][::9]:
            before = m.record().before(deal, frame["number"] + 1).resumed(auto=False)
            view = before.view(seat)
            seen = (frame["view"]["hand"], frame["view"]["actors"], frame["view"]["scores"])
            assert seen == (view.hand, list(view.actors), list(view.scores))
        events = [event for frame in told["frames"][1:] for event in frame["events"]]
        expected = []
        again = m.record().before(deal).resumed(auto=False)
        for act in acts:
            again.repeat(act.move, act.seat)
            expected += [event.seen_by(seat).as_dict() for event in again.events]
        assert events == expected


def test_nothing_lies_behind_the_last_frame() -> None:
    text = str(played("fan-tan", 4, 30).record())
    told = jobs.framed(text, 1, None, 0, 100, MOST)
    beyond = jobs.framed(text, 1, None, told["moves"] + 1, 100, MOST)
    assert beyond["frames"] == []
    assert beyond["moves"] == told["moves"]


def test_a_long_deal_is_shown_in_portions(server: Served) -> None:
    """A record of 50 KB used to be answered with 25 MB."""
    m = played("i-doubt-it", 10, 3000)
    with httpx.Client(base_url=server.url, timeout=60) as ann:
        path = f"/api/matches/{ann.post('/api/records', content=str(m.record())).json()['id']}/frames"
        answer = ann.get(f"{path}?first=2400")
        assert len(answer.content) < 1_500_000
        told = answer.json()
        assert len(told["frames"]) == 100
        assert told["frames"][0]["number"] == 2400
        for query in ("count=101", "count=0", "first=-1"):
            assert ann.get(f"{path}?{query}").json()["error"]["code"] == "http/query"


def test_a_record_of_too_many_moves_is_refused(tmp_path: Path) -> None:
    m = played("fan-tan", 4, 60)
    text = str(Record({**m.record().keys, "players": ["Ann"] * 4}))
    with pytest.raises(RecordError) as error:
        jobs.parsed(text, m.record().length - 1)
    assert error.value.code == "record/size"
    assert jobs.parsed(text, m.record().length).length == m.record().length
    with served(tmp_path / "t.db", most_moves=20) as server, httpx.Client(base_url=server.url) as ann:
        for path in ("/api/records", "/api/verify"):
            told = ann.post(path, content=text).json()["error"]
            assert told["code"] == "record/size"
            assert "at most 20" in told["why"]


def test_a_review_of_too_many_decisions_is_refused(tmp_path: Path) -> None:
    m = played("fan-tan", 4, 60)
    with (
        served(tmp_path / "t.db", review_decisions=3, review_iterations=100) as server,
        httpx.Client(base_url=server.url, timeout=60) as ann,
    ):
        made = ann.post("/api/records", content=str(m.record())).json()["id"]
        told = ann.get(f"/api/matches/{made}/review?deal=1").json()["error"]
        assert told["code"] == "record/size"
        assert "at most 3" in told["why"]


def test_decisions_of_a_review_come_in_portions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same review, however many decisions are fetched at a time."""
    m = played("fan-tan", 4, 60)
    told = []
    with (
        served(tmp_path / "t.db", review_iterations=100, review_think=1e6) as server,
        httpx.Client(base_url=server.url, timeout=60) as ann,
    ):
        for size in (2, 50):
            monkeypatch.setattr("cardtable.server.thinking.reviews.PORTION", size)
            path = f"/api/matches/{ann.post('/api/records', content=str(m.record())).json()['id']}/review?deal=1"
            while not (found := ann.get(path).json())["complete"]:
                pass
            _, sheet = server.reviews._sheets.popitem()  # or the second would be the same one
            assert not sheet.text
            told.append(found)
    assert told[0] == told[1]
    assert told[0]["of"] > 4
