"""What a screen reader says during a whole deal of every game: the files in docs/announcements are current, and their
words are those of the client.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support import node
from tests.support.programs import needs

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

import announcements  # the tools are scripts beside the package

from cardtable.kernel import Switch
from cardtable.rules.catalog import games
from cardtable.table.projection import table_seen

NAMED = announcements.named()


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules as plain Python: a deal of each preset takes less time than its rules' compilation."""
    monkeypatch.setattr(Switch, "plain", True)


def test_every_preset_has_a_file_and_no_other_is_there() -> None:
    assert {file.stem for file in announcements.PLACE.glob("*.txt")} == set(NAMED)


@pytest.mark.parametrize("name", sorted(NAMED))
def test_a_file_says_what_is_said_today(name: str, plain: None) -> None:
    assert (announcements.PLACE / f"{name}.txt").read_text("utf-8") == announcements.told(*NAMED[name])


def test_a_stale_file_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], plain: None
) -> None:
    monkeypatch.setattr(announcements, "PLACE", tmp_path / "announcements")
    name = "thirty-one-thirty-one"
    assert announcements.main(["check", name]) == 1
    assert announcements.main(["write", name]) == 0
    assert announcements.main(["check", name]) == 0
    (tmp_path / "announcements" / f"{name}.txt").write_text("You win.")
    capsys.readouterr()
    assert announcements.main(["check", name]) == 1
    assert f"{name}.txt is stale" in capsys.readouterr().out


def deal(name: str) -> dict[str, Any]:
    """The messages of a deal, and what Python says of each."""
    driven = announcements.driven(*NAMED[name])
    scenes = [
        {"happened": scene.happened, "view": scene.view, "news": scene.news} for scene in announcements.scenes(driven)
    ]
    return {"name": name, "scenes": scenes, "table": table_seen(driven.table, "a"), "names": list(driven.table.names)}


@needs("Node")
@pytest.mark.parametrize("game", sorted(games()))
def test_the_client_says_the_same(game: str, plain: None, tmp_path: Path) -> None:
    node.run("announcements", tmp_path, [deal(name) for name in NAMED if NAMED[name][0].name == game])
