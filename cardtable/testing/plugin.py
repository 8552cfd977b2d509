"""The plugin of pytest: `pytest --cardtable-game NAME` runs the contract's tests for a game, in addition to the
folder's own.

It imports nothing else of Cardtable unless a game is named.
"""

from __future__ import annotations

from pathlib import Path

import pytest

SUITE = Path(__file__).with_name("contract.py")
pytest.register_assert_rewrite("cardtable.testing.contract", "cardtable.testing.drawn", "cardtable.testing.houses")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The option."""
    parser.getgroup("cardtable").addoption(
        "--cardtable-game",
        action="append",
        default=[],
        metavar="NAME",
        help="Run the tests of Cardtable's contract for this game; may be repeated.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Also run the contract's tests if a game is named."""
    names = config.getoption("cardtable_game")
    if not names:
        return
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        raise pytest.UsageError("--cardtable-game needs Hypothesis: pip install hypothesis") from None
    from cardtable.base.errors import CardtableError
    from cardtable.rules import catalog

    try:
        for name in names:
            catalog.find(name)
    except CardtableError as error:
        raise pytest.UsageError(f"--cardtable-game: {error}") from None
    if str(SUITE) not in config.args:  # a worker of pytest-xdist has it already
        config.args.append(str(SUITE))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The houses of the named games, each as a separate case, for each test of the contract."""
    names = metafunc.config.getoption("cardtable_game")
    if not names or Path(str(metafunc.module.__file__)) != SUITE:
        return
    from cardtable.rules import catalog
    from cardtable.testing.houses import Houses, covering_houses, lengthy_houses

    games = [catalog.find(name) for name in names]
    if "houses" in metafunc.fixturenames:
        houses = covering_houses(games)
        if hasattr(metafunc.function, "lengthy"):
            houses += lengthy_houses(games)
        metafunc.parametrize("houses", [Houses(house.game, str(house), (house,)) for house in houses], ids=str)
    elif "game" in metafunc.fixturenames:
        metafunc.parametrize("game", [game.name for game in games])
