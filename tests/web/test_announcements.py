"""What a screen reader says during a whole deal of every game: the files in docs/announcements are current."""

from __future__ import annotations

from pathlib import Path

import announcements  # the tools are scripts next to the package
import pytest

from cardtable.rules.catalog import games
from tests.support import node
from tests.support.programs import needs

PRESETS = announcements.presets()


def test_every_preset_has_a_file_and_no_other_is_there() -> None:
    assert {file.stem for file in announcements.PLACE.glob("*.txt")} == set(PRESETS)


@needs("Node")
@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_file_says_what_is_said_today(name: str, tmp_path: Path) -> None:
    node.run("announcements", tmp_path, [announcements.deal(name)])


@needs("Node")
@pytest.mark.parametrize("game", sorted(games()))
def test_who_only_listens_to_a_match_misses_nothing(game: str, tmp_path: Path) -> None:
    node.run("listening", tmp_path, [announcements.match(games()[game])])


@needs("Node")
def test_a_stale_file_is_named_and_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "stale.txt"
    file.write_text("You win.")
    deal = announcements.deal("thirty-one-thirty-one") | {"file": str(file)}
    with pytest.raises(pytest.fail.Exception, match="writes it again"):
        node.run("announcements", tmp_path, [deal])
    monkeypatch.setenv("CLIENT_WRITE", "1")
    node.run("announcements", tmp_path, [deal])
    assert file.read_text("utf-8") == (announcements.PLACE / "thirty-one-thirty-one.txt").read_text("utf-8")
