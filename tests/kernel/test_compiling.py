"""How rules are compiled: as bitcode for their callers, whole for Python; by several processes into one cache, each
function once.

Most tests start processes, since what one has compiled another finds, or waits for; their rules are three small ones.
"""

from __future__ import annotations

import json
import os
import select
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
from tests.support.effort import cases

pytestmark = compiled

RULES = textwrap.dedent(
    """
    from cardtable.kernel import Record, field, rule

    def record(n):
        fields = {"before": field("i8", n), "cells": field("i8", n)}
        return type(f"Row{n}", (Record,), {"__annotations__": dict.fromkeys(fields, "Ints"), **fields})

    @rule
    def one(s, i):
        x = s.cells[i]
        LONG
        return x + 1

    @rule
    def two(s, i):
        return one(s, i) * 2

    @rule
    def total(s):
        found = 0
        for i in range(len(s.cells)):
            found += two(s, i)
        return found
    """
).replace(
    "LONG",  # more than is inlined; it changes nothing, as all that it reads is zero
    "; ".join(f"x ^= s.before[x % {n} % len(s.before)]" for n in range(1, 16)),
)
#: Counts what is compiled, and makes the time between reading an index and writing it long.
BEGIN = textwrap.dedent(
    """
    import sys, time
    sys.path.insert(0, ".")
    import cardtable.kernel  # finds out which way to compile, by compiling
    import numba.core.event as event
    from numba.core.caching import IndexDataCacheFile
    made = []
    class Listener(event.Listener):
        def on_start(self, e): made.append(e.data["dispatcher"].py_func.__name__)
        def on_end(self, e): pass
    event.register("numba:compile", Listener())
    write = IndexDataCacheFile._save_index
    IndexDataCacheFile._save_index = lambda self, overloads: (time.sleep(0.2), write(self, overloads))[1]
    from rows import *
    """
)
TOTAL = BEGIN + textwrap.dedent(
    """
    for n in map(int, sys.argv[1:]):
        s = record(n).new()
        s.cells[:] = range(n)
        print(total(s), end=" ")
    print(len(made))
    """
)


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with rules of its own, and an empty cache."""
    (tmp_path / "rows.py").write_text(RULES, "utf-8")
    return tmp_path


def begun(
    place: Path, code: str, *arguments: str, given: int = subprocess.DEVNULL, way: str = ""
) -> subprocess.Popen[str]:
    environment = dict(os.environ, PYTHONPATH=str(ROOT), CARDTABLE_CACHE=str(place / "cache"), CARDTABLE_NUMBA=way)
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(
        command, env=environment, cwd=place, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def told(process: subprocess.Popen[str]) -> str:
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return out


@pytest.mark.exhaustive
@both_ways
def test_processes_that_compile_one_function_for_different_records_do_not_lose_each_others_code(
    place: Path, way: str
) -> None:
    running = [begun(place, TOTAL, str(n), way=way) for n in (3, 4)]
    assert [told(process).split() for process in running] == [["12", "3"], ["20", "3"]], "three functions each"
    assert told(begun(place, TOTAL, "3", "4", way=way)).split() == ["12", "20", "0"], "all of them are found"


@pytest.mark.parametrize("way", cases(["", "ordinary"]))
def test_what_several_processes_compiled_is_used_by_one(place: Path, way: str) -> None:
    """Each of them compiles the same functions as its first, for a record that is its first; and no symbol is defined
    twice, so that the code for one record is never called with another.
    """
    for n in (40, 3):  # the first one also finds out which way to compile
        assert told(begun(place, TOTAL, str(n), way=way)).split() == [str(n * (n + 1)), "3"]
    assert told(begun(place, TOTAL, "40", "3", way=way)).split() == ["1640", "12", "0"]


@pytest.mark.exhaustive
@both_ways
def test_processes_that_need_the_same_function_compile_it_once(place: Path, way: str) -> None:
    running = [begun(place, TOTAL, "5", way=way) for _ in range(2)]
    found = [told(process).split() for process in running]
    assert {total for total, _ in found} == {"30"}
    assert sum(int(made) for _, made in found) == 3


@pytest.mark.exhaustive
def test_a_claim_waits_for_who_has_it_and_goes_with_its_process(place: Path) -> None:
    ask = (
        "import sys; from cardtable.kernel import cache; print('asks', flush=True)\n"
        "with cache.lock(sys.argv[1]): print('mine', flush=True); sys.stdin.read()"
    )
    first = begun(place, ask, "a", given=subprocess.PIPE)
    assert first.stdout is not None
    assert first.stdout.readline() + first.stdout.readline() == "asks\nmine\n"
    second = begun(place, ask, "a")
    assert second.stdout is not None
    assert second.stdout.readline() == "asks\n"
    assert told(begun(place, ask, "b")) == "asks\nmine\n", "another name is free"
    assert second.poll() is None
    assert select.select([second.stdout], [], [], 0)[0] == [], "it waits, after all that time"
    first.kill()
    assert told(second) == "mine\n"
    first.communicate()


@pytest.mark.exhaustive
def test_a_cache_that_is_only_to_be_read_is_read(place: Path) -> None:
    assert told(begun(place, TOTAL, "5")).split() == ["30", "3"]
    (locks,) = (place / "cache").glob("*/locks")
    locks.unlink()
    locks.mkdir()  # a file that cannot be opened for writing, for root neither
    assert told(begun(place, TOTAL, "5")).split() == ["30", "0"]


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
    first = told(begun(place, code)).splitlines()
    assert first == ["20 [False] [True] [True]", "8 [False] 8 4", "2 4 [False, False] [True, True]"]
    again = told(begun(place, code)).splitlines()
    assert again[0] == "20 [False] [] []", "what is filed brings its own code along"
    assert again[1] == "8 [False] 8 0"


#: Prints which way was taken and what a rule computes, and both again under the switch and with a script in place of
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
def test_rules_are_compiled_by_changed_parts_of_numba_where_they_fit(place: Path) -> None:
    assert told(begun(place, WAY)) == "dispatch 20 20 106 True\n"
    assert told(begun(place, WAY, way="ordinary")) == "ordinary 20 20 106 True\n"
    assert len(list((place / "cache").glob("*/locks"))) == 2, "each way has a cache of its own"


@pytest.mark.parametrize("change", cases(CHANGED), ids=lambda change: "class" if "del it" in change else "function")
def test_rules_are_compiled_the_ordinary_way_where_numba_has_changed(place: Path, change: str) -> None:
    first = begun(place, f"{change}\n{WAY}")
    out, warned = first.communicate(timeout=120)
    assert (first.returncode, out) == (0, "ordinary 20 20 106 True\n"), warned
    assert "NumbaWarning: rules take longer to compile with Numba " in warned
    second = begun(place, f"{change}\n{WAY}")
    assert second.communicate(timeout=120) == ("ordinary 20 20 106 True\n", ""), "it is known by then, and told once"


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
