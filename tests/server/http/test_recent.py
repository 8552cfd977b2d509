"""A replay is worked out once, however often it is looked at; what is kept is bounded."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest

from cardtable import Match
from cardtable.server.http.answer_cache import Recent
from cardtable.server.thinking.workers import Workers
from tests.support.server.served import served


def test_what_was_not_asked_for_longest_goes_first() -> None:
    kept = Recent(100)
    for asked in "abcd":
        kept.put(asked, asked.encode() * 25)
    assert kept.get("a") == b"a" * 25
    kept.put("e", b"e" * 10)
    assert [asked for asked in "abcde" if kept.get(asked)] == ["a", "c", "d", "e"]
    kept.put("e", b"e" * 25)
    assert kept.get("e") == b"e" * 25
    kept.put("f", b"f" * 26)
    assert kept.get("f") is None
    assert sum(len(kept.get(asked) or b"") for asked in "abcdef") <= 100


def test_a_replay_is_worked_out_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """For each deal and seat; and only its owner gets it."""
    jobs: list[str] = []
    do = Workers.do

    async def counted(self: Workers, caller: str, name: str, *arguments: object) -> bytes:
        jobs.append(name)
        return await do(self, caller, name, *arguments)

    monkeypatch.setattr(Workers, "do", counted)
    m = Match("fan-tan", 3, seed=1, deals=1)
    m.resign(0)
    with served(tmp_path / "t.db") as server, httpx.Client(base_url=server.url) as ann:
        ann.get("/api/me")
        path = f"/api/matches/{ann.post('/api/records', content=str(m.record())).json()['id']}/frames"
        answers = [ann.get(f"{path}?deal=1{seat}").json() for seat in ("", "", "&seat=1", "&seat=1", "")]
        assert jobs == ["kept", "framed", "framed"]
        assert answers[0] == answers[1] == answers[4]
        assert answers[2] == answers[3] != answers[0]
        assert httpx.get(f"{server.url}{path}?deal=1").status_code == 404
