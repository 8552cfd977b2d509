"""How rules are compiled: as bitcode for their callers, whole for Python; by several processes into one cache, each
function once.

Most tests start processes, since what one has compiled another finds, or waits for; their rules are three small ones.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from cardtable import precompile
from cardtable.kernel import cache
from cardtable.rules import catalog
from tests.conftest import ROOT, both_ways, compiled
from tests.kernel.processes import BEGIN, TOTAL, begun, output
from tests.support.effort import cases

pytestmark = compiled


@pytest.mark.parametrize("both_compiled", cases(["", "ordinary"]), indirect=True)
def test_what_several_processes_compiled_is_used_by_one(both_compiled: tuple[Path, str]) -> None:
    """Each of them compiled the same functions as its first, for a record that is its first; none lost the other's
    code, and no symbol is defined twice, so that the code for one record is never called with another.
    """
    place, way = both_compiled
    assert output(begun(place, TOTAL, "40", "3", way=way)).split() == ["1640", "12", "0"], "all of them are found"


@pytest.mark.exhaustive
@both_ways
def test_processes_that_need_the_same_function_compile_it_once(place: Path, way: str) -> None:
    running = [begun(place, TOTAL, "5", way=way) for _ in range(2)]
    outputs = [output(process).split() for process in running]
    assert {total for total, _ in outputs} == {"30"}
    assert sum(int(made) for _, made in outputs) == 3


@pytest.mark.exhaustive
def test_a_cache_that_is_only_to_be_read_is_read(used: Path) -> None:
    (locks,) = (used / "cache").glob("*/locks")
    locks.unlink()
    locks.mkdir()  # a file that cannot be opened for writing, for root neither
    assert output(begun(used, TOTAL, "5")).split() == ["30", "0"]


def test_a_cache_that_cannot_be_written_to_is_kept_elsewhere_for_now(tmp_path: Path) -> None:
    """As root too: no directory can be made below a file."""
    (tmp_path / "file").write_text("")
    (tmp_path / "tmp").mkdir()
    wanted = tmp_path / "file" / "cache"
    code = "from cardtable.kernel import cache; print(cache.DIRECTORY, cache.config.DISABLE_JIT, flush=True)"

    def asked() -> tuple[str, str]:
        environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
        environment |= {"PYTHONPATH": str(ROOT), "CARDTABLE_CACHE": str(wanted), "TMPDIR": str(tmp_path / "tmp")}
        done = subprocess.run(
            [sys.executable, "-c", code], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=120
        )
        return done.stdout, done.stderr

    out, err = asked()
    instead = tmp_path / "tmp" / f"cardtable-{os.getuid()}"
    assert out.startswith(f"{instead}/")
    assert out.endswith(" 0\n")
    warning = f"CacheWarning: compiled rules cannot be kept in {wanted} (Not a directory): they are kept in {instead}"
    assert f"{warning} for now." in err
    assert "CARDTABLE_CACHE" in err
    instead.chmod(0o777)  # what anybody may have put there is not run
    out, err = asked()
    assert out == "None 1\n"
    assert "the rules run as plain Python, which is slow" in err


def test_commands_go_on_without_a_cache(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / f"cardtable-{os.getuid()}").write_text("")  # nor is there a temporary one
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"}
    environment |= {"CARDTABLE_CACHE": str(tmp_path / "file" / "cache"), "TMPDIR": str(tmp_path), "CARDTABLE_DEBUG": ""}
    command = [sys.executable, "-m", "cardtable", "simulate", "fan-tan", "--deals", "2", "--json"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["deals"] == 2
    (note,) = done.stderr.splitlines()
    assert note.startswith(
        f"Note: compiled rules cannot be kept in {tmp_path}/file/cache (Not a directory): the rules run as plain Python"
    )
    assert note.endswith("with CARDTABLE_CACHE.")


@pytest.mark.exhaustive
def test_a_rule_is_held_for_rules_and_made_whole_for_python(place: Path) -> None:
    code = BEGIN + textwrap.dedent(
        """
        from cardtable.kernel.dispatch import BitcodeOnly
        s = record(4).new(); s.cells[:] = range(4)
        held = lambda f: [isinstance(one.library, BitcodeOnly) for one in f.overloads.values()]
        print(total(s), held(total), held(two), held(one))
        print(two(s, 3), held(two), two(s, 3), len(made))
        s = record(2).new()
        print(two(s, 1), total(s), held(two), held(one))
        """
    )
    first = output(begun(place, code)).splitlines()
    assert first == ["20 [False] [True] [True]", "8 [False] 8 4", "2 4 [False, False] [True, True]"]
    again = output(begun(place, code.partition("s = record(2)")[0])).splitlines()
    assert again[0] == "20 [False] [] []", "what is filed brings its own code along"
    assert again[1] == "8 [False] 8 0"


#: Prints which way was taken and what a rule computes, and both again under the switch and with a script instead of
#: chance.
WAY = textwrap.dedent(
    """
    import sys
    sys.path.insert(0, ".")
    from cardtable.kernel import Switch, following, prng, way
    from rows import record, total

    class Script:
        def below(self, rule, rng, n): return 100 + n

    s = record(4).new()
    s.cells[:] = range(4)
    found = [total(s)]
    Switch.plain = True
    found.append(total(s))
    Switch.plain = False
    with following(Script()):
        found.append(prng.below(prng.key_of(1), 6))
    print(way.WAY, *found, 0 <= prng.below(prng.key_of(1), 6) < 6)
    """
)
#: What a later Numba might have changed: a class is gone; a function refuses code without an entry, which shows when
#: bitcode is taken from the cache.
CHANGED = (
    "import numba.core.caching as it; del it.CompileResultCacheImpl",
    "import numba.core.compiler as it; real = it.compile_result; it.compile_result = lambda **given: 1 / 0 if "
    "type(given['entry_point']) is object else real(**given)",
)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("way", "taken"), [("", "dispatch"), ("ordinary", "ordinary")])
def test_rules_are_compiled_by_changed_parts_of_numba_where_they_fit(place: Path, way: str, taken: str) -> None:
    assert output(begun(place, WAY, way=way)) == f"{taken} 20 20 106 True\n"
    (directory,) = (path.parent.name for path in (place / "cache").glob("*/locks"))
    assert (directory == cache._key()) == ((way == "ordinary") == cache.ORDINARY), "each way has a separate cache"


@pytest.mark.parametrize("change", cases(CHANGED), ids=lambda change: "class" if "del it" in change else "function")
def test_rules_are_compiled_the_ordinary_way_where_numba_has_changed(place: Path, change: str) -> None:
    first = begun(place, f"{change}\n{WAY}")
    out, warned = first.communicate(timeout=120)
    assert (first.returncode, out) == (0, "ordinary 20 20 106 True\n"), warned
    assert "NumbaWarning: rules take longer to compile with Numba " in warned
    second = begun(place, f"{change}\nfrom cardtable.kernel import way; print(way.WAY)")
    assert second.communicate(timeout=120) == ("ordinary\n", ""), "it is known by then, and told once"


def test_another_way_of_compiling_is_refused(place: Path) -> None:
    asked = begun(place, WAY, way="extraordinary")
    assert asked.communicate(timeout=120)[1].endswith(
        "OptionError: CARDTABLE_NUMBA=extraordinary: it is no way of compiling. Set it to ordinary, or do not set it\n"
    )


@pytest.mark.skipif(os.environ.get("CARDTABLE_NUMBA") == "ordinary", reason="the ordinary way holds nothing")
def test_what_the_contract_asks_of_a_game_is_never_held() -> None:
    rules: Any = catalog.find("fan-tan").rules
    assert rules.play.exported
    assert rules.legal.exported
    assert not rules.lay.exported


@pytest.mark.parametrize("works", [True, False])
def test_search_is_compiled_beside_the_rules_and_by_oneself_if_that_fails(
    monkeypatch: pytest.MonkeyPatch, works: bool
) -> None:
    done: list[str] = []
    ready = set[str]()

    class Helper:
        def wait(self) -> None:
            if works:
                ready.add("fan_tan-search")

        def terminate(self) -> None:
            done.append("end")

        communicate = terminate

    monkeypatch.setattr(cache, "ready", ready.__contains__)
    monkeypatch.setattr(precompile, "compile_part", lambda game, part: done.append(part))
    monkeypatch.setattr(precompile, "_beside", lambda game: Helper())
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    precompile.warm(catalog.find("fan-tan"), study=True)
    assert done == ["rules", "study", *([] if works else ["search"]), "end", "end"]


@pytest.mark.exhaustive
def test_who_compiles_beside_ends_with_whoever_began(tmp_path: Path) -> None:
    environment = dict(os.environ, CARDTABLE_CACHE=str(tmp_path))
    process = subprocess.Popen(
        [sys.executable, "-m", "cardtable.precompile", "fan-tan", "search"],
        env=environment,
        cwd=ROOT,
        stdin=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.close()
    assert process.wait(60) == 1
