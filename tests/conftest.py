"""What all tests share: how the rules run (compiled, plain, bounds-checked), compiled before they start."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import effort
import httpx
import pytest
from hypothesis import HealthCheck, settings

from cardtable import catalog

os.environ.pop(
    "PYTHONDONTWRITEBYTECODE", None
)  # processes that tests start shall not each compile Numba's modules from their source

# A server may need longer than the 5 s that httpx waits while other tests keep the machine busy. One object is the
# default of all of its functions.
patience: httpx.Timeout = inspect.signature(httpx.Client).parameters["timeout"].default
patience.connect = patience.read = patience.write = patience.pool = 60.0

pytest.register_assert_rewrite("cardtable.testing.contract", "cardtable.testing.houses")
ROOT = Path(__file__).resolve().parent.parent
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")

# Compiled, many examples; plain and checked, where each takes long, fewer. In CI the same ones every time.
settings.register_profile(
    "compiled", deadline=None, derandomize="CI" in os.environ, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("slow", settings.get_profile("compiled"), max_examples=10)
settings.load_profile("slow" if PLAIN or CHECKED else "compiled")


def pytest_configure(config: pytest.Config) -> None:
    """`make test` wants quick cases only."""
    effort.QUICK = config.option.markexpr == "not exhaustive"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The contract's tests are known by their files; those on PostgreSQL by what their module uses, or a parameter.

    If only a part of the exhaustive tests shall run, the others are left out.
    """
    for item in items:
        if "contract" in item.path.relative_to(ROOT).as_posix():
            item.add_marker("contract")
        module = getattr(item, "module", None)
        if hasattr(module, "empty_database") or hasattr(module, "POSTGRES") or "postgresql" in item.name:
            item.add_marker("postgresql")
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        wanted = item.get_closest_marker("exhaustive") is None or effort.chosen(item.nodeid)
        (kept if wanted else left).append(item)
    if left:
        items[:] = kept
        config.hook.pytest_deselected(items=left)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before the workers start, compile what most tests need: a game on each core at a time.

    The contract's tests, which run bounds-checked, need the rules alone; so does most of `make test`, whose few tests
    of search and studies compile these when they come to them.
    """
    if PLAIN:
        return
    parts = ["--no-search", "--no-study"] if CHECKED or effort.QUICK else []
    one_of_each = {
        (game.package, game.module): game.name for game in catalog.games().values()
    }  # that share compiled rules

    def compile_game(name: str) -> None:
        subprocess.run(
            [sys.executable, "-m", "cardtable", "warm", name, *parts], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
        )

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_game, one_of_each.values()))


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A real browser, for all tests of a module."""
    import browser as chrome

    with chrome.opened() as running:
        yield running


@pytest.fixture
def ann(browser: Any, server: Any) -> Iterator[Any]:
    """A person at a desk, at the module's own server. No page may complain in the console."""
    import browser as chrome

    page = chrome.visitor(browser, server.url, 1100, 700)
    yield page
    page.page.context.close()
    assert page.complaints == []
