"""Bots from other packages: wherever a bot is named, with errors that say which bot failed and where."""

from __future__ import annotations

import asyncio
import copy
import json
import os
import pickle
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, NoReturn

import pytest

from cardtable import Match, bots, lab, precompile
from cardtable.base import languages
from cardtable.base.errors import BotError, OptionError
from cardtable.bots import bot, installed, registry
from cardtable.bots.cast import of_seat
from cardtable.bots.levels import level_called
from cardtable.client import Client, ServerError
from cardtable.kernel import cache
from cardtable.lab import luck
from cardtable.lab.league import duel
from cardtable.lab.simulate import simulate
from cardtable.rules import catalog
from cardtable.server.settings import Settings
from cardtable.server.thinking.bots import SearchPool
from cardtable.table.setup import Setup, checked
from tests.conftest import compiled
from tests.rules.packages import files, python
from tests.support.commands import ROOT, call, here
from tests.support.effort import cases
from tests.support.server.served import served

TOY = ROOT / "tests" / "toy"
PATH: Any = {"PYTHONPATH": os.pathsep.join(filter(None, [str(TOY), os.environ.get("PYTHONPATH", "")]))}


@pytest.fixture(autouse=True)
def _toys() -> Iterator[None]:
    """The toy packages are installed, but their games and languages are not found, for the tests after these."""
    catalog.games()
    languages._of_packages()
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(TOY)
        bots.installed.cache_clear()
        yield
    bots.installed.cache_clear()


def compile_nothing(patched: pytest.MonkeyPatch) -> None:
    """Let compiling fail. `precompile.warm` itself stays: a module that is first imported now keeps it."""

    def refuse(*_: object) -> NoReturn:
        raise AssertionError("something is compiled")

    for name in ("_parts", "compile_part"):
        patched.setattr(precompile, name, refuse)


def test_a_bot_is_named_by_its_place_or_by_the_name_under_which_it_is_installed() -> None:
    m = Match("fan-tan", seats=4, seed=7)
    while len(m.legal()) < 2:
        m.play(m.legal()[0])
    view = m.view(m.actors[0])
    for name in ("players:Highest", "highest", " players:Highest "):
        assert bot(name, 5).choose(view) == view.legal[-1]
    assert bot("players.policy:tasteful", 5).choose(view) == view.legal[0]
    assert bot("thumb", 5).choose(view) == bot("medium", 5).choose(view)


def test_a_level_with_a_budget_is_no_place_of_a_bot() -> None:
    assert level_called("Hard:0.5s") == "search:0.5s"
    assert level_called("Search:Deep") == "search:deep"
    assert level_called(" my.Pkg:MyBot ") == "my.Pkg:MyBot"


@pytest.mark.parametrize(
    "command",
    [
        ["league", "fan-tan", "random", "players:Domestic"],
        ["simulate", "fan-tan", "--bot", "players:Domestic"],
        ["study", "fan-tan", "--compare", "bots=random,players:Domestic"],
        ["skill", "fan-tan", "--strong", "players:Domestic", "--weak", "random"],
        ["play", "fan-tan", "--bot", "players:Domestic"],
    ],
)
def test_a_bot_says_which_games_it_plays(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In another game it is refused before anything is compiled."""
    compile_nothing(monkeypatch)
    code, _, said = call(capsys, *command)
    assert code == 2
    assert "bot players:Domestic in fan-tan: it plays only: scopa, busca." in " ".join(said.split())


def test_a_command_runs_in_the_process_in_which_it_was_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A module that was imported for the refusal does not keep what stood in for the compiler."""
    monkeypatch.setattr(lab, "luck", luck)
    monkeypatch.delitem(sys.modules, luck.__name__)
    words = ("skill", "fan-tan", "--weak", "random", "--deals", "40", "--seats", "3", "--strong")
    with monkeypatch.context() as patched:
        compile_nothing(patched)
        assert call(capsys, *words, "players:Domestic")[0] == 2
    assert sys.modules[luck.__name__] is not luck, "it was imported meanwhile"
    assert call(capsys, *words, "easy")[0] == 0


def test_a_bot_is_refused_in_a_game_that_it_does_not_play() -> None:
    m = Match("fan-tan", seed=7)
    with pytest.raises(OptionError) as caught:
        bot("players:Domestic").choose(m.view(m.actors[0]))
    assert caught.value.code == "bot/game"
    n = Match("scopa", seed=7)
    assert bot("players:Domestic").choose(n.view(n.actors[0])) == n.legal()[-1]


@pytest.mark.parametrize(
    ("name", "code", "why"),
    [
        ("nowhere:Bot", "bot/module", "there is no module nowhere"),
        ("players.nowhere:Bot", "bot/module", "there is no module players.nowhere"),
        ("players:Nobody", "bot/class", "the module players has no Nobody"),
        ("players:NOT_A_BOT", "bot/type", "NOT_A_BOT is neither a class with a method choose"),
        ("players:View", "bot/type", "View is neither"),
        ("nobody", "options/value", "there is no such level"),
        ("higest", "options/value", "Did you mean highest"),
    ],
)
def test_what_is_no_bot_is_refused(name: str, code: str, why: str) -> None:
    with pytest.raises(OptionError, match=why) as error:
        bot(name)
    assert error.value.code == code
    assert error.value.can


def test_a_module_that_cannot_be_imported_is_named_with_its_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "broken_bot.py").write_text("x = 1\nraise RuntimeError('no luck')\n", "utf-8")
    (tmp_path / "lacking_bot.py").write_text("import no_such_library\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(OptionError, match=r"RuntimeError: no luck \(.*broken_bot.py, line 2\)"):
        bot("broken_bot:Bot")
    with pytest.raises(OptionError, match="importing lacking_bot raises ModuleNotFoundError"):
        bot("lacking_bot:Bot")


def test_a_bot_that_raises_or_cheats_is_named() -> None:
    m = Match("fan-tan", seats=4, seed=7)
    view = m.view(m.actors[0])
    with pytest.raises(BotError, match=r"bot players:Fails: it raises KeyError: 'nothing known' \(.*line ") as failed:
        bot("players:Fails").choose(view)
    assert (failed.value.code, failed.value.bot) == ("bot/raised", "players:Fails")
    assert isinstance(failed.value.__cause__, KeyError)
    with pytest.raises(BotError, match="bot players:Unmade: made with its seed, it raises TypeError"):
        bot("players:Unmade")
    for seed in ("none", "nonsense", "card"):
        with pytest.raises(BotError, match="It may: ") as cheated:
            bot("players:Cheats", seed).choose(view)
        assert cheated.value.code == "bot/move"
    with pytest.raises(BotError, match="its policy chose 1000000 for seat") as wrong:
        bot("players.policy:wrong").choose(view)
    assert wrong.value.code == "bot/move"


def test_names_that_clash_are_refused_with_both_owners(monkeypatch: pytest.MonkeyPatch) -> None:
    def packages(*entries: tuple[str, str]) -> None:
        made = [EntryPoint(name, value, "cardtable.bots") for name, value in entries]
        monkeypatch.setattr("cardtable.bots.registry.entry_points", lambda group: made)
        installed.cache_clear()

    packages(("clever", "one:Bot"), ("clever", "two:Bot"))
    with pytest.raises(OptionError, match="bot clever: both one:Bot and two:Bot have a bot of that name"):
        bot("clever")
    packages(("easy", "one:Bot"))
    with pytest.raises(OptionError, match="both Cardtable and one:Bot"):
        bot("easy")
    packages(("Big Bot", "one:Bot"))
    with pytest.raises(OptionError, match="a name has small letters"):
        bot("big bot")
    packages(("clever", "one:Bot"), ("clever", "one:Bot"))
    assert list(installed()) == ["clever"], "one package that is found twice"


@pytest.mark.usefixtures("plainly")
def test_figures_do_not_depend_on_threads_though_a_bot_remembers() -> None:
    how: Any = {"seats": 3, "bots": ["players:Lucky", "medium", "random"], "seed": 3}
    one, two = (simulate("scopa", 12, threads=threads, **how) for threads in (1, 2))
    assert one.payoff == two.payoff
    assert one.bots == ("players:Lucky", "medium", "random")
    ways = [duel("scopa", "players:Lucky", "medium", deals=8, threads=threads, seed=2) for threads in (1, 2)]
    assert ways[0].difference == ways[1].difference


@pytest.mark.parametrize("way", cases(["plain", "compiled"]))
def test_a_policy_gives_the_figures_of_the_player_that_it_is(way: str, request: pytest.FixtureRequest) -> None:
    if way == "plain":
        request.getfixturevalue("plainly")
    how: Any = {"seats": 4, "seed": 5}
    own, given = (simulate("fan-tan", 40, bots=[who, "random"] * 2, **how) for who in ("medium", "thumb"))
    assert (own.payoff, own.lengths, own.moves) == (given.payoff, given.lengths, given.moves)
    if way == "compiled":  # each other list of policies is compiled for itself
        return
    ways = [duel("fan-tan", who, "random", deals=10) for who in ("thumb", "medium")]
    assert ways[0].difference == ways[1].difference
    mixed = simulate("fan-tan", 10, bots=["thumb", "players.policy:tasteful", "random", "medium"], **how)
    slow = simulate("fan-tan", 10, bots=["thumb", "players.policy:tasteful", "random", "players:Highest"], **how)
    assert mixed.deals == slow.deals == 10


@pytest.mark.usefixtures("plainly")
def test_a_study_says_where_a_bot_failed() -> None:
    with pytest.raises(BotError, match=r"seat 0.*, in deal 1 of match 0|in deal 1 of match 0.*seat 0"):
        simulate("fan-tan", 10, bots=["players.policy:wrong", "medium", "medium", "medium"], seed=1)
    with pytest.raises(BotError, match="bot players:Fails, in deal 1 of match 0: it raises KeyError"):
        simulate("fan-tan", 10, bots=["players:Fails"], seed=1)
    with pytest.raises(BotError, match="in deal 0, with players:Fails in the seats 0"):
        duel("fan-tan", "players:Fails", "medium", deals=2, seed=1)
    with pytest.raises(BotError, match="in deal 0, with players.policy:wrong in the seats 0"):
        duel("fan-tan", "players.policy:wrong", "medium", deals=2, seed=1)


@pytest.mark.usefixtures("plainly")
def test_a_bot_may_ask_for_what_the_others_did() -> None:
    assert simulate("oh-hell", 4, bots=["players:Mindful", "random"] * 2, seed=1).deals == 4
    assert duel("oh-hell", "players:Mindful", "random", deals=2, seed=1).deals == 2


def test_two_threads_may_not_ask_one_bot_at_once() -> None:
    player: Any = bot("players:Highest", 1)
    asked, answer = threading.Event(), threading.Event()

    class Slow:
        def choose(self, view: Any) -> str:
            asked.set()
            answer.wait(20)
            return str(view.legal[0])

    player._made = Slow()
    m = Match("fan-tan", seats=4, seed=7)
    view = m.view(m.actors[0])
    other = threading.Thread(target=player.choose, args=[view])
    other.start()
    assert asked.wait(20)
    with pytest.raises(BotError, match="another thread is asking it just now") as refused:
        player.choose(view)
    answer.set()
    other.join()
    assert refused.value.code == "bot/threads"
    assert player.choose(view) == view.legal[0]


@pytest.mark.parametrize("name", ["players:Lucky", "players.policy:tasteful", "thumb"])
def test_a_bot_is_copied_and_pickled(name: str) -> None:
    player = bot(name, 4)
    m = Match("fan-tan", seats=4, seed=7)
    view = m.view(m.actors[0])
    for again in (copy.deepcopy(player), pickle.loads(pickle.dumps(player))):
        assert again.choose(view) == copy.deepcopy(player).choose(view)


def test_a_bot_is_not_asked_where_it_has_no_choice() -> None:
    m = Match("fan-tan", seats=4, seed=7)
    while len(m.legal()) > 1:
        m.play(m.legal()[0])
    view = m.view(m.actors[0])
    for name in ("players:Fails", "players.policy:wrong"):
        assert bot(name, 1).choose(view) == view.legal[0]


# The command line


def test_the_command_line_plays_against_a_bot_of_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first command is the installed program, in a process, which does not have its folder on its path."""
    (tmp_path / "lastbot.py").write_text(
        "class Last:\n    def __init__(self, seed):\n        pass\n    def choose(self, view):\n"
        "        return view.legal[-1]\n",
        "utf-8",
    )
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    environment |= {"NUMBA_DISABLE_JIT": "1", "CARDTABLE_DATA": str(tmp_path)}
    command = [str(Path(sys.executable).with_name("cardtable")), "play", "scopa", "--seed", "3", "--seat", "none"]
    played = subprocess.run(
        [*command, "--bot", "lastbot:Last"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert "The match is over" in played.stdout, played.stderr
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(filter(None, sys.path)))
    done = here("simulate", "scopa", "--deals", "3", "--bot", "lastbot:Last,medium", "--seats", "2", "--json")
    assert json.loads(done.stdout)["bots"] == ["lastbot:Last", "medium"], done.stderr
    table = here("league", "scopa", "easy", "lastbot:Last", "--deals", "4")
    assert "lastbot:Last − easy" in table.stdout, table.stderr
    refused = here("league", "scopa", "easy", "lastbot:First", "--deals", "4", "--json", code=2)
    assert json.loads(refused.stderr)["error"]["code"] == "bot/class"


@pytest.mark.parametrize(
    "words",
    [
        ("study", "scopa", "--compare", "bots=easy,onebot:Last"),
        ("study", "scopa", "--grid", "bots=easy+onebot:Last,easy"),
        ("study", "scopa", "--bots", "easy+onebot:Last"),
        ("skill", "scopa", "--strong", "onebot:Last"),
        ("skill", "scopa", "--weak", "onebot:Last"),
    ],
)
def test_a_study_finds_the_bots_of_the_folder(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The module is found: what is refused is the class, which it does not have."""
    (tmp_path / "onebot.py").write_text("", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(filter(None, sys.path)))
    monkeypatch.delitem(sys.modules, "onebot", raising=False)
    code, _, err = call(capsys, *words, "--json")
    assert (code, json.loads(err)["error"]["code"]) == (2, "bot/class"), err


def test_installed_bots_are_named_on_the_command_line() -> None:
    table = here("league", "scopa", "highest", "thumb", "--deals", "4").stdout
    assert "thumb − highest" in table
    failed = here("simulate", "scopa", "--deals", "2", "--bot", "players:Fails", code=1).stderr
    assert "bot players:Fails, in deal 1 of match 0: it raises KeyError" in failed


def test_a_match_is_kept_when_a_bot_fails(tmp_path: Path) -> None:
    where = tmp_path / "match.toml"
    words = ("play", "scopa", "--seed", "3", "--bot", "players:Fails", "--record", str(where))
    done = here(*words, given="1\n" * 5, code=1)
    assert "bot players:Fails: it raises KeyError" in done.stderr
    assert 'bot = "players:Fails"' in where.read_text("utf-8")


def test_a_file_names_no_program(tmp_path: Path) -> None:
    """A stranger's record must not import a module; the person who plays on names it."""
    where = tmp_path / "match.toml"
    here("play", "scopa", "--seed", "3", "--bot", "players:Highest", "--record", str(where), given="1\nq\n")
    assert 'bot = "players:Highest"' in where.read_text("utf-8")
    refused = here("play", "--resume", str(where), given="q\n", code=1).stderr
    assert "--bot players:Highest" in refused
    here("play", "--resume", str(where), "--bot", "players:Highest", given="q\n")


# The server


async def played_over_the_wire(address: str, level: str) -> list[str]:
    """A deal of Scopa against a bot, over the wire; the moves that it made."""
    async with Client(address) as ann:
        made = await ann.make("scopa", name="Ann", bots=["", level])
        async with ann.table(made["id"]) as table:
            async for _ in table.states():
                if table.stage == "over" or len(table.log) > 12:
                    break
                if table.legal:
                    await table.move(table.legal[0])
            return [str(happening) for happening in table.log if happening["kind"] == "moved"]


def test_a_server_has_them_only_by_the_operators_leave(tmp_path: Path) -> None:
    def played(level: str) -> list[str]:
        return asyncio.run(asyncio.wait_for(played_over_the_wire(running.url, level), 60))

    with served(tmp_path / "one.db") as running, pytest.raises(ServerError, match="bot 'highest'"):
        played("highest")
    try:
        with served(tmp_path / "two.db", outside_bots=frozenset({"highest"})) as running:
            assert played("highest")
            for name in ("thumb", "players:Highest"):
                with pytest.raises(ServerError, match=f"bot '{name}'"):
                    played(name)
    finally:
        registry.allow([])


def test_a_table_may_have_the_bots_that_are_allowed() -> None:
    with pytest.raises(OptionError, match="bot 'highest': bot is one of"):
        checked(Setup("scopa", bots=("", "highest")))
    registry.allow(["highest"])
    try:
        assert checked(Setup("scopa", bots=("", "highest"))).bots == ("", "highest")
        assert of_seat("highest", 1).name == "highest"
    finally:
        registry.allow([])
    for name in ("nobody", "players:Highest"):
        with pytest.raises(OptionError, match="tables only have bots of installed packages"):
            registry.allow([name])
    assert registry.allowed() == ()


def test_a_bot_that_fails_at_a_table_does_not_stop_it() -> None:
    """It raises, or it takes too long: the heuristic plays for it."""

    async def chosen(player: Any) -> str:
        pool = SearchPool(Settings(answer_within=0.2, bot_least=0.0))
        pool_bot = "cardtable.server.thinking.bots.bot"
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(pool_bot, lambda level, seed: player)
            try:
                return await pool.choose(view, "highest", "7")
            finally:
                pool.close()

    class Slow:
        def choose(self, view: Any) -> str:
            free.wait(20)
            return str(view.legal[0])

    free = threading.Event()
    m = Match("scopa", seed=7)
    view = m.view(m.actors[0])
    registry.allow(["highest"])
    try:
        assert asyncio.run(chosen(bot("highest", 7))) == view.legal[-1]
        with pytest.raises(BotError):
            asyncio.run(chosen(bot("players:Fails", 7)))
        with pytest.raises(TimeoutError):
            asyncio.run(chosen(Slow()))
    finally:
        free.set()
        registry.allow([])


#: A rule that asks a policy, as those do that play deals out.
ASKS = """
import numpy as np
from cardtable.kernel import Record, field, rule
from cardtable.kernel.policies import decide, with_policies
from players.policy import tasteful

class Total(Record):
    n: int = field()

@rule
def chosen(total, moves):
    return decide(total, 0, total, 0, moves, len(moves))

def main():
    print(chosen(with_policies(Total, [tasteful]).new(), np.arange(5)))
"""


def asked(place: Path, way: str) -> str:
    done = python(place, "import asks; asks.main()", CARDTABLE_NUMBA=way)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module", params=["", "ordinary"])
def policy(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A place where a rule that asks a policy has been compiled, and in which way."""
    place = tmp_path_factory.mktemp("policy")
    shutil.copytree(TOY / "players", place / "players", ignore=shutil.ignore_patterns("__pycache__"))
    (place / "asks.py").write_text(ASKS, "utf-8")
    assert asked(place, request.param) == "0\n"
    return place, request.param


@compiled
@pytest.mark.exhaustive
def test_a_policy_is_compiled_once(policy: tuple[Path, str]) -> None:
    before = files(policy[0])
    assert asked(*policy) == "0\n"
    assert files(policy[0]) == before


@compiled
@pytest.mark.exhaustive
def test_a_policy_is_compiled_anew_when_its_sources_change(policy: tuple[Path, str]) -> None:
    """Processes, as a policy is compiled from what it imports once."""
    place, _ = policy
    before = files(place)
    taste = place / "players" / "taste.py"
    text = taste.read_text("utf-8")
    taste.write_text(text.replace("CHOSEN = 0", "CHOSEN = 1"), "utf-8")
    try:
        assert asked(*policy) == "4\n"
    finally:
        taste.write_text(text, "utf-8")
    new = files(place).keys() - before.keys()
    assert new
    assert all(name.startswith(cache.APART) for name in new)
