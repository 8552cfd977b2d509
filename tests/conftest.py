"""What all tests share: how the rules run (compiled, plain, bounds-checked), compiled before they start."""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, settings

from cardtable import client
from cardtable.kernel import Switch, cache
from cardtable.rules import catalog
from tests.support import effort, processor_time, programs
from tests.support.databases import empty_database
from tests.support.server.served import Served, served
from tests.support.waiting import LIMIT

# processes that tests start must not each compile Numba's modules from their source
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Tests, and the processes that they start, speak English to a screen 80 columns wide, whatever the settings are of
# whoever runs them.
for name in ("LANGUAGE", "LC_MESSAGES", "LANG", "COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
    os.environ.pop(name, None)
    os.environ.pop(f"CARDTABLE_{name}", None)
for name in ("LINE", "NAME", "DATA", "LOCALES", "DEBUG", "PORT"):
    os.environ.pop(f"CARDTABLE_{name}", None)
for name in [name for name in os.environ if name.startswith("CARDTABLE_SERVER_")]:
    del os.environ[name]
os.environ["LC_ALL"] = "C.UTF-8"

# A server may need longer than the 5 s that httpx waits while other tests keep the machine busy. One object is the
# default of all of its functions.
patience: httpx.Timeout = inspect.signature(httpx.Client).parameters["timeout"].default
patience.connect = patience.read = patience.write = patience.pool = 60.0
# A table is made when its game is loaded, which waits for Numba's one lock while another thread compiles.
client.PATIENCE = 300.0

pytest.register_assert_rewrite("cardtable.testing.contract", "cardtable.testing.drawn", "cardtable.testing.houses")
ROOT = Path(__file__).resolve().parent.parent
ROOM = 500  #: MB of the temporary folder that the tests need, with room to spare
PLAIN = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")
CHECKED = os.environ.get("NUMBA_BOUNDSCHECK", "0") not in ("", "0")
compiled = pytest.mark.skipif(PLAIN or CHECKED, reason="what is compiled, compiled")
both_ways = pytest.mark.parametrize("way", ["", "ordinary"])  # of compiling: CARDTABLE_NUMBA

# Compiled, many examples; plain and checked, where each takes long, fewer. The same ones every time, on every machine:
# `make fuzz` looks for others.
settings.register_profile("compiled", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("slow", settings.get_profile("compiled"), max_examples=10)
settings.load_profile("slow" if PLAIN or CHECKED else "compiled")


def pytest_addoption(parser: pytest.Parser) -> None:
    """The bounds of what tests may cost."""
    processor_time.options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """`make test` wants quick cases only. What the tests write to, and what they must have, is looked at first."""
    effort.QUICK = config.option.markexpr == "not exhaustive"
    config.pluginmanager.register(processor_time.ProcessorTime(), processor_time.NAME)
    if hasattr(config, "workerinput"):
        return
    try:
        folder = Path(tempfile.gettempdir())
    except OSError as error:
        raise pytest.UsageError(f"No temporary folder can be written: {error.strerror}; name one: TMPDIR=...") from None
    free = shutil.disk_usage(folder).free >> 20
    if free < ROOM:
        raise pytest.UsageError(
            f"The temporary folder {folder} has only {free} MB left, and tests need {ROOM}; name another: TMPDIR=..."
        )
    if lacking := programs.missing():
        raise pytest.UsageError("\n".join(["CARDTABLE_REQUIRED asks for what cannot be used here:", *lacking]))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The contract's tests are known by their files."""
    for item in items:
        if "contract" in item.path.relative_to(ROOT).as_posix():
            item.add_marker("contract")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for each thing that this machine lacks or that other ways of running the rules are for, with the number
    of tests that were left out.
    """
    lines = programs.left_out(report.longrepr[2] for report in terminalreporter.getreports("skipped"))
    if lines:
        terminalreporter.section("left out")
    for line in lines:
        terminalreporter.line(line)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before the workers start, compile what most tests need: a game on each core at a time.

    The contract's tests, which run bounds-checked, need the rules alone; so does most of `make test`, whose tests of
    search and studies are about Fan Tan, except for a few that compile another game's when they reach it.
    """
    if PLAIN:
        return
    rules = ["--no-search", "--no-study"]
    # that share compiled rules; the first of them
    one_of_each = {(game.package, game.module): game.name for game in reversed(catalog.games().values())}

    def compile_game(name: str) -> None:
        parts = rules if CHECKED or effort.QUICK and name != "fan-tan" else []
        subprocess.run(
            [sys.executable, "-m", "cardtable", "warm", name, *parts], cwd=ROOT, check=True, stdout=subprocess.DEVNULL
        )

    begun = processor_time.used()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_game, one_of_each.values()))
    if config.option.yardstick:
        costs: Any = config.pluginmanager.get_plugin(processor_time.NAME)
        costs.compiled(processor_time.used() - begun, Path(config.option.yardstick))


@contextlib.contextmanager
def without_the_browsers_loop(item: pytest.Item) -> Iterator[None]:
    """While a browser is open, Playwright marks its event loop as running in this thread. In a test without the browser
    `asyncio.run` would then refuse to run.
    """
    if "browser" in getattr(item, "fixturenames", ()):
        yield
        return
    loop = asyncio._get_running_loop()
    asyncio._set_running_loop(None)
    try:
        yield
    finally:
        asyncio._set_running_loop(loop)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, None, None]:
    """Fixtures do not meet the browser's event loop."""
    with without_the_browsers_loop(item):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, None, None]:
    """Nor do tests."""
    with without_the_browsers_loop(item):
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """A test that is a coroutine runs in its own event loop."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    given = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
    asyncio.run(asyncio.wait_for(pyfuncitem.obj(**given), LIMIT))
    return True


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository."""
    return ROOT


@pytest.fixture
def plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules, search and studies run as plain Python, with the same results to the bit: a few deals take less time than
    compiling.
    """
    monkeypatch.setattr(Switch, "plain", True)
    monkeypatch.setattr(cache, "ready", lambda name: True)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A real browser, for all tests."""
    from tests.support import browser as chrome

    with chrome.opened() as running:
        yield running


@pytest.fixture
def browser(chromium: Any) -> Iterator[Any]:
    """The browser. Each visitor has a separate context, closed after the test even if it failed. No page may have
    reported an error.
    """
    from tests.support import browser as chrome

    chrome.VISITORS.clear()
    yield chromium
    for context in chromium.contexts:
        context.close()
    assert [line for one in chrome.VISITORS for line in one.complaints] == []


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Servers by their settings: each is started when it is first asked for, and stays until all tests are over. Each
    person has a separate cookie, so tests do not meet.
    """
    running: dict[tuple[tuple[str, Any], ...], Served] = {}
    with contextlib.ExitStack() as stack:

        def server(**settings: Any) -> Served:
            key = tuple(sorted(settings.items()))
            if key not in running:
                file = tmp_path_factory.mktemp("server") / "tables.db"
                running[key] = stack.enter_context(served(file, **settings))
            return running[key]

        yield server


@pytest.fixture
def server(request: pytest.FixtureRequest, servers: Callable[..., Served], tmp_path: Path) -> Iterator[Served]:
    """A server with the settings of the mark `server`: that of all tests with these settings, or, with `fresh=True`,
    one for this test, with an empty database.
    """
    mark = request.node.get_closest_marker("server")
    settings = dict(mark.kwargs) if mark else {}
    if not settings.pop("fresh", False):
        yield servers(**settings)
        return
    with served(tmp_path / "tables.db", **settings) as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.db'}"
        return
    with empty_database() as empty:
        yield empty
