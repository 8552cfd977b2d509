"""Whatever happens to a file of the compiled cache, the rule is compiled again and the file is replaced."""

from __future__ import annotations

import errno
import tempfile
import warnings
from pathlib import Path
from typing import Any

import pytest

from cardtable.base import platform
from cardtable.base.errors import SaveError
from cardtable.cli import saves
from cardtable.kernel import cache, way
from cardtable.kernel.shelf import Files as ShelfFiles
from cardtable.rules import catalog
from tests.conftest import CHECKED, PLAIN
from tests.kernel.processes import TOTAL, begun, output
from tests.support import damage

Files: Any = ShelfFiles  # of a class of Numba's, which has no types
KEY, FORM = ("i8", "x86"), ("code", b"\0" * 400)


@pytest.fixture
def files(tmp_path: Path) -> Any:
    """The files of a function, with one form in them."""
    (tmp_path / "rules_1").mkdir()
    made = Files(str(tmp_path / "rules_1"), "one-7.py311", "stamp")
    made.save(KEY, FORM)
    assert made.load(KEY) == FORM
    return made


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("what", damage.LOST)
def test_what_is_damaged_counts_as_missing_and_is_replaced(files: Any, tmp_path: Path, what: str, kind: str) -> None:
    (path,) = tmp_path.rglob(f"*.{kind}")
    damage.LOST[what](path)
    assert files.load(KEY) is None
    files.save(KEY, FORM)
    assert files.load(KEY) == FORM
    assert sorted(one.suffix for one in path.parent.iterdir()) == [".nbc", ".nbi"], "nothing else is left behind"


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_swapped_files_count_as_missing(files: Any, tmp_path: Path, kind: str) -> None:
    """Of the same name in the directories of two modules, and of two names in one."""
    (tmp_path / "rules_2").mkdir()
    others = [
        Files(str(tmp_path / "rules_2"), "one-7.py311", "stamp"),
        Files(files._cache_path, "two-9.py311", "stamp"),
    ]
    (path,) = tmp_path.rglob(f"*.{kind}")
    for other in others:
        other.save(KEY, ("other", b""))
        (strange,) = set(Path(other._cache_path).glob(f"*.{kind}")) - {path}
        damage.swap(path, strange)
        assert files.load(KEY) is None
        assert other.load(KEY) is None
        damage.swap(path, strange)
        assert files.load(KEY) == FORM


def test_forms_that_two_processes_filed_under_one_name_are_told_apart(files: Any, tmp_path: Path) -> None:
    """The index of the one that wrote last names a file with the code of the other."""
    other = Files(files._cache_path, "one-7.py311", "stamp")
    before = other._load_index()
    files.save("another key", ("other code", b""))
    assert len(list(tmp_path.rglob("*.nbc"))) == 2
    files._save_index({**before, "third key": files._load_index()["another key"]})
    assert other.load("third key") is None
    assert other.load(KEY) == FORM


def test_forms_of_another_source_count_as_missing(files: Any) -> None:
    other = Files(files._cache_path, "one-7.py311", "another stamp")
    assert other.load(KEY) is None


@pytest.mark.parametrize("what", damage.LOST)
def test_a_damaged_note_is_no_note(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    monkeypatch.setattr(cache, "DIRECTORY", tmp_path)
    cache.note("way", way.ORDINARY)
    assert way._noted() == way.ORDINARY
    damage.LOST[what](tmp_path / "way")
    assert way._noted() == ""
    cache.note("way", way.DISPATCH)
    assert way._noted() == way.DISPATCH


def test_a_full_disk_is_said_once_and_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cache, "DIRECTORY", tmp_path)
    monkeypatch.setattr(Path, "write_bytes", full)
    cache._warn_unkept.cache_clear()
    with warnings.catch_warnings(record=True) as told_of:
        warnings.simplefilter("always")
        cache.note("a", "b")
        cache.done("c")
    cache._warn_unkept.cache_clear()
    (one,) = told_of
    assert str(one.message).startswith(f"compiled rules cannot be kept in {tmp_path} (No space left on device): ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not platform.POSIX, reason="a cache of XDG")
def test_a_cache_directory_that_is_not_absolute_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the specification of base directories says."""
    monkeypatch.setenv("HOME", "/nowhere/ann")
    for variable, directory, usual in (
        ("XDG_CACHE_HOME", platform.cache_directory, ".cache"),
        ("XDG_DATA_HOME", platform.data_directory, ".local/share"),
    ):
        for value in ("rel", "./rel", ""):
            monkeypatch.setenv(variable, value)
            assert directory() == Path("/nowhere/ann") / usual / "cardtable"
        monkeypatch.setenv(variable, "/abs")
        assert directory() == Path("/abs/cardtable")


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without HOME and without an entry in the list of users, as in containers."""
    pwd = pytest.importorskip("pwd")

    def nobody(user: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {user}")

    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "CARDTABLE_CACHE", "CARDTABLE_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", nobody)


@pytest.mark.usefixtures("homeless")
def test_without_a_home_directory_rules_are_kept_in_a_temporary_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with pytest.warns(cache.CacheWarning, match=r"kept in ~/\.cache \(there is no home directory\): they are kept in"):
        assert cache._root() == tmp_path / f"cardtable-{platform.user()}"


@pytest.mark.usefixtures("homeless")
def test_without_a_home_directory_matches_are_played_but_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    game = catalog.find("fan-tan")
    assert saves.saved(None) == []
    for given in (None, "~/matches"):
        if given:
            monkeypatch.setenv("CARDTABLE_DATA", given)
        with pytest.raises(SaveError, match=r"there is no home directory.*CARDTABLE_DATA"):
            saves.place(game)


@pytest.mark.exhaustive
@pytest.mark.skipif(PLAIN or CHECKED, reason="what is compiled, compiled")
def test_rules_of_a_damaged_cache_are_compiled_again(used: Path) -> None:
    """In processes, since one reads each file once: each file is damaged in another way."""
    every = sorted((used / "cache").rglob("*.nb?"))
    kinds = [one for name, one in damage.LOST.items() if name != "one bit"]
    for number, path in enumerate([*every, *(used / "cache").glob("*/way")]):
        kinds[number % len(kinds)](path)
    assert output(begun(used, TOTAL, "5")).split() == ["30", "3"]
    assert output(begun(used, TOTAL, "5")).split() == ["30", "0"]
