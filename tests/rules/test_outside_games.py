"""Games from other packages: their compiled code follows their sources, and clashing names are refused."""

from __future__ import annotations

import importlib
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from cardtable import precompile
from cardtable.base.errors import OptionError
from cardtable.envs.vector import VectorTable
from cardtable.kernel import cache, outside
from cardtable.lab.league import duel
from cardtable.lab.simulate import simulate
from cardtable.match.match import Match
from cardtable.rules import catalog, first_deals
from tests.conftest import compiled
from tests.rules.packages import files, install, python


class Towers(NamedTuple):
    """An installed game that has been compiled: where, in which way, what was dealt, and the files of the cache."""

    place: Path
    way: str
    dealt: list[int]
    files: dict[str, int]


DEALT = """
import json
import numpy as np
from cardtable.rules import contract
from cardtable.rules.ruleset import Ruleset
from cardtable.kernel import prng
s = Ruleset.parse("towers", seats=2).state()
s.seed[:] = prng.key_of(1)
contract.next_deal(s, np.arange(52))
print(json.dumps([int(n) for n in s.counts[:2]]))
"""


def dealt(place: Path, **more: str) -> Any:
    """How many cards each player of `towers` gets."""
    done = python(place, DEALT, **more)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module", params=["", "ordinary"])
def towers(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Towers:
    """An installed game that counts WORTH cards for each one dealt; the constant is in a separate file, which the
    rules import. It has been compiled in this way.
    """
    place = tmp_path_factory.mktemp("towers")
    home = install(place, "towers")
    for path in home.glob("*.py"):
        path.write_text(path.read_text("utf-8").replace('"tower"', '"towers"').replace('"Tower"', '"Towers"'), "utf-8")
    rules = home / "rules.py"
    text = rules.read_text("utf-8")
    for counted in ("s.counts[p] = ", "for _ in range("):  # as many cards are counted as are dealt
        assert text.count(f"{counted}s.rules.hand") == 1
        text = text.replace(f"{counted}s.rules.hand", f"{counted}WORTH * s.rules.hand")
    rules.write_text(text.replace("from .options", "from .values import WORTH\nfrom .options"), "utf-8")
    (home / "values.py").write_text("WORTH = 1\n", "utf-8")
    return Towers(place, request.param, dealt(place, CARDTABLE_NUMBA=request.param), files(place))


@compiled
@pytest.mark.exhaustive
def test_another_packages_rules_are_compiled_once(towers: Towers) -> None:
    """Processes, as one keeps in memory what it has compiled."""
    before = files(towers.place)
    assert [name for name in before if not name.startswith(cache.APART)]
    assert dealt(towers.place, CARDTABLE_NUMBA=towers.way) == towers.dealt
    assert files(towers.place) == before


@compiled
@pytest.mark.exhaustive
def test_a_changed_constant_in_another_packages_rules_changes_the_figures(towers: Towers) -> None:
    """A function of Cardtable's own calls the rules, and nothing else of Cardtable is compiled again. Processes, as
    rules are compiled from what they import once.
    """
    one, other = towers.dealt
    assert one == other > 0
    values = towers.place / "towers" / "values.py"
    values.write_text("WORTH = 3\n", "utf-8")
    try:
        assert dealt(towers.place, CARDTABLE_NUMBA=towers.way) == [3 * one, 3 * one]
    finally:
        values.write_text("WORTH = 1\n", "utf-8")
    after = files(towers.place)
    assert {name: after[name] for name in towers.files} == towers.files, "everything that was compiled stays"
    new = after.keys() - towers.files.keys()
    assert new
    assert all(name.startswith(cache.APART) for name in new)


SAVED = """
from cardtable import lab
from cardtable.base.errors import OptionError
study = lab.Study("tower", 2, deals=4, bots=["onebot:Last", "easy"], save="kept.study")
try:
    print(study.run("eldest").deals)
except OptionError as error:
    print(error)
"""


def test_the_file_of_a_study_belongs_to_the_sources_of_its_game_and_bots(tmp_path: Path) -> None:
    """Figures of the old and of the new rules, or bot, are not added up."""
    rules = install(tmp_path, "tower") / "rules.py"
    bot = tmp_path / "onebot.py"
    written = "class Last:\n    def __init__(self, seed):\n        pass\n    def choose(self, view):\n"
    bot.write_text(written + "        return view.legal[-1]\n", "utf-8")

    def told() -> str:
        done = python(tmp_path, SAVED, NUMBA_DISABLE_JIT="1")
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert told() == "4\n"
    before = rules.read_text("utf-8")
    rules.write_text(before + "\nMORE = 1\n", "utf-8")
    assert "its digest of tower.rules is" in told()
    rules.write_text(before, "utf-8")
    bot.write_text(written + "        return view.legal[0]\n", "utf-8")
    assert "its digest of onebot is" in told()


def test_the_sources_of_a_module_are_what_it_imports(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "outsider"
    home.mkdir()
    for name, text in {
        "__init__": "from outsider.options import A\n",
        "rules": "import numpy\nfrom cardtable.kernel import rule\nfrom .values import X\nfrom . import more\n",
        "values": "import random\nfrom outsider_beside import Y\n",
        "more": "def f():\n    from .late import Z\n",
        "late": "from outsider.rude.inner import W\nZ = 1\n",
        "options": "A = 1\n",
        "presentation": "from .rules import X\n",
    }.items():
        (home / f"{name}.py").write_text(text, "utf-8")
    (tmp_path / "outsider_beside.py").write_text("Y = 2\n", "utf-8")
    (home / "rude").mkdir()
    (home / "rude" / "__init__.py").write_text("raise SystemExit('nothing is run to find sources')\n", "utf-8")
    (home / "rude" / "inner.py").write_text("W = 3\n", "utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    sources = outside.sources("outsider.rules")
    assert set(sources.files) == {
        "outsider",
        "outsider.rules",
        "outsider.values",
        "outsider.more",
        "outsider.late",
        "outsider.options",
        "outsider_beside",
        "outsider.rude.inner",
    }
    before = outside.digest("outsider.rules")
    outside.digest.cache_clear()
    (home / "presentation.py").write_text("from .rules import X as Y\n", "utf-8")
    assert outside.digest("outsider.rules") == before, "words for people are not compiled"
    outside.digest.cache_clear()
    (home / "late.py").write_text("Z = 2\n", "utf-8")
    assert outside.digest("outsider.rules") != before
    outside.digest.cache_clear()
    assert outside.digest("no.such.module") == ""
    assert not outside.is_outside("cardtable.games.scopa.rules")


def test_an_installed_library_counts_by_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its files are not read, nor those of what it needs; a copy of it that is being worked on counts by its files."""
    site = tmp_path / "site-packages"
    for name, needs in (("many", ["beneath[fast] >= 1; python_version > '3'", "not-there"]), ("beneath", ["Many"])):
        (site / name).mkdir(parents=True)
        (site / name / "__init__.py").write_text("from many import large\n", "utf-8")
        (site / name / "large.py").write_text("(not Python)", "utf-8")
        told = site / f"{name}-1.0.dist-info"
        told.mkdir()
        needed = "".join(f"Requires-Dist: {each}\n" for each in needs)
        (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n{needed}", "utf-8")
        listed = f"{name}/__init__.py,sha256=1,2\n{name}/large.py,sha256=1,2\n{told.name}/METADATA,,\n"
        (told / "RECORD").write_text(listed, "utf-8")
    (tmp_path / "bot_of_mine.py").write_text("import many.large\n", "utf-8")
    monkeypatch.syspath_prepend(site)
    monkeypatch.syspath_prepend(tmp_path)
    for each in (outside.digest, outside._libraries, outside._files_of):
        each.cache_clear()
    sources = outside.sources("bot_of_mine")
    assert (set(sources.files), set(sources.libraries)) == ({"bot_of_mine"}, {"many", "beneath"})
    before = outside.digest("bot_of_mine")
    (site / "many" / "large.py").write_text("(still not Python)", "utf-8")
    outside.digest.cache_clear()
    assert outside.digest("bot_of_mine") == before
    (site / "beneath-1.0.dist-info" / "RECORD").write_text("beneath/__init__.py,sha256=2,2\n", "utf-8")
    outside.digest.cache_clear()
    assert outside.digest("bot_of_mine") != before, "what it needs was installed again"
    (tmp_path / "many").mkdir()
    (tmp_path / "many" / "__init__.py").write_text("", "utf-8")
    (tmp_path / "many" / "large.py").write_text("", "utf-8")
    importlib.invalidate_caches()
    sources = outside.sources("bot_of_mine")
    assert (set(sources.files), sources.libraries) == ({"bot_of_mine", "many.large"}, {})
    outside._libraries.cache_clear()


def test_games_whose_names_clash_are_refused_with_both_owners(tmp_path: Path) -> None:
    """Any name counts, also that of a preset of a game that is built in."""
    install(tmp_path, "tower")
    home = install(tmp_path, "second")
    listed = python(tmp_path, "from cardtable.rules import catalog; catalog.games()", CARDTABLE_DEBUG="1")
    assert "OptionError: game 'tower': both second and tower have a game of that name" in listed.stderr
    text = (home / "__init__.py").read_text("utf-8")
    (home / "__init__.py").write_text(text.replace('"tower"', '"second"').replace('"Tower"', '"Newmarket"'), "utf-8")
    done = python(tmp_path, "from cardtable.cli import main; main(['games'])")
    assert "game 'Newmarket': both cardtable.games.michigan and second have a game" in " ".join(done.stderr.split())
    assert done.returncode == 2
    (home / "__init__.py").write_text("import no_such_library\n", "utf-8")
    done = python(tmp_path, "from cardtable.cli import main; main(['games'])")
    assert "its games cannot be imported: ModuleNotFoundError" in " ".join(done.stderr.split())


def test_what_was_compiled_from_older_sources_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = tmp_path / "here"
    for name in ("old", "new"):
        (here / cache.APART / name).mkdir(parents=True)
    monkeypatch.setattr(cache, "ROOT", tmp_path)
    monkeypatch.setattr(cache, "DIRECTORY", here)
    long_ago = time.time() - cache.PRUNE_AFTER - 60
    for name in ("old", "new"):
        os.utime(here / cache.APART / name, (long_ago, long_ago))
    assert cache.apart("new") == here / cache.APART / "new"  # in use now
    cache.prune()
    assert [path.name for path in (here / cache.APART).iterdir()] == ["new"]


@pytest.mark.parametrize(
    "play",
    [
        lambda: precompile.compile_part(catalog.find("fan-tan"), precompile.STUDY),
        lambda: precompile.compile_part(catalog.find("scopa"), precompile.RULES),
        lambda: simulate("fan-tan", deals=4),
        lambda: duel("fan-tan", "random", "medium", deals=4),
        lambda: VectorTable("fan-tan", 2),
        lambda: Match("scopa", seed=1).legal(),
    ],
)
def test_too_small_a_number_of_moves_is_said(play: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """Before compiled code writes behind the room for them. Our games stand for one of another package."""
    monkeypatch.setattr(first_deals, "is_outside", lambda package: True)
    monkeypatch.setattr(first_deals, "_checked", set())
    for name in ("fan-tan", "scopa"):
        monkeypatch.setattr(catalog.find(name).rules, "MAX_MOVES", 2)
    with pytest.raises(OptionError, match="MAX_MOVES of the rules is 2") as caught:
        play()
    assert caught.value.code == "game/moves"


def test_a_game_with_room_for_its_moves_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(first_deals, "is_outside", lambda package: True)
    monkeypatch.setattr(first_deals, "_checked", set())
    assert simulate("fan-tan", deals=4).deals == 4
    assert len(first_deals._checked) == 1
