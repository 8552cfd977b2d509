"""Golden deals: each preset has one, and it is told as it was."""

from __future__ import annotations

import pytest

from cardtable.rules.game import Game
from tests.support.games import golden


@pytest.mark.parametrize(
    ("game", "preset"), [pytest.param(game, preset, id=f"{game.name}-{preset}") for game, preset in golden.deals()]
)
def test_the_golden_deal_is_told_as_it_was(game: Game, preset: str) -> None:
    """A missing one fails; one that differs shows where (python -m tests.support.games.golden writes them anew)."""
    file = golden.path(game, preset)
    assert file.exists(), f"no golden deal of {game.name} {preset}: run python -m tests.support.games.golden"
    assert golden.told(game, preset).splitlines() == file.read_text("utf-8").splitlines()


def test_no_golden_deal_is_left_over() -> None:
    """Every file belongs to a preset that there is."""
    assert {file.name for file in golden.HOME.iterdir()} == {
        golden.path(game, preset).name for game, preset in golden.deals()
    }
