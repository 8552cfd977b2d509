"""`cardtable new`: what it writes passes its tests, and is found and played once it is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

import pytest
from commands import ROOT, surroundings


def ran(place: Path, *words: str | Path, code: int = 0, **more: str) -> str:
    """What a command says in a folder; it must end with `code`."""
    done = subprocess.run(
        [*map(str, words)], cwd=place, env=surroundings(**more), capture_output=True, text=True, timeout=600
    )
    assert done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def written(place: Path, kind: str, name: str, code: int = 0) -> str:
    """`cardtable new KIND NAME` in a folder."""
    told = ran(place, sys.executable, "-m", "cardtable", "new", kind, name, code=code, PYTHONPATH=str(ROOT))
    return " ".join(told.split())


def install(place: Path, package: Path) -> Any:
    """A package as it is when it is installed, without pip; what the environment needs for it."""
    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    about = place / f"{project['name'].replace('-', '_')}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n", "utf-8")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (about / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(place), str(package), str(ROOT)])}


@pytest.mark.parametrize(("kind", "name", "game"), [
    ("game", "high-tower", "high-tower"), ("bot", "clever-one", "scopa"),
    pytest.param("game", "q", "q", marks=pytest.mark.exhaustive),
])  # fmt: skip
def test_a_new_package_passes_its_tests_and_plays(kind: str, name: str, game: str, tmp_path: Path) -> None:
    told = written(tmp_path, kind, name)
    assert f"Written: {name}/" in told
    package = tmp_path / name
    path = install(tmp_path, package)
    python = [sys.executable, "-m"]
    passed = ran(package, *python, "pytest", "-q", "-p", "no:cacheprovider", **path)
    count = re.search(r"(\d+) passed", passed)
    assert count
    assert (kind == "game") == (int(count[1]) > 50), "the tests of the contract are run"
    bot = name if kind == "bot" else "simple"
    assert "The match is over" in ran(
        tmp_path, *python, "cardtable", "play", game, "--seed", "3", "--seat", "none", "--bot", bot, **path
    )
    assert "payoff a deal" in ran(
        tmp_path, *python, "cardtable", "simulate", game, "--deals", "20", "--bot", bot, **path
    )
    if kind == "game":
        told = ran(tmp_path, *python, "cardtable", "learn", name, **path)
        assert "Whoever lays the last one takes it" in " ".join(told.split())


@pytest.mark.parametrize(("kind", "name", "why"), [
    ("game", "Highest", "a name has small letters"), ("game", "a--b", "a name has small letters"),
    ("game", "../x", "a name has small letters"), ("game", "x" * 31, "at most 30"),
    ("game", "class", "it is a word of Python"), ("game", "email", "Python has a module email already"),
    ("game", "newmarket", "is a game already"), ("bot", "easy", "there is a bot of that name already"),
])  # fmt: skip
def test_bad_names_are_refused(kind: str, name: str, why: str, tmp_path: Path) -> None:
    assert why in written(tmp_path, kind, name, code=2)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert "there is a file or a folder of that name here" in written(tmp_path, "game", "mine", code=3)
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_game_that_is_not_there_is_told(tmp_path: Path) -> None:
    told = ran(tmp_path, sys.executable, "-m", "pytest", "--cardtable-game", "nowhere", code=4, PYTHONPATH=str(ROOT))
    assert "--cardtable-game: game 'nowhere': there is no such game" in told


@pytest.mark.exhaustive
def test_new_packages_work_with_the_built_wheel(tmp_path: Path) -> None:
    """In a fresh environment: the wheel and the two packages are installed by pip, tested and played."""
    pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
    ran(tmp_path, sys.executable, *pip, "wheel", "--no-deps", "--wheel-dir", tmp_path / "dist", ROOT)
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    ran(tmp_path, sys.executable, "-m", "venv", tmp_path / "venv")
    python = tmp_path / "venv" / "bin" / "python"
    (site,) = (tmp_path / "venv" / "lib").glob("*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", "utf-8")  # what Cardtable depends on
    ran(tmp_path, python, *pip, "install", "--no-deps", "--force-reinstall", wheel)
    where = ran(tmp_path, python, "-c", "import cardtable; print(cardtable.__file__)").strip()
    assert where.startswith(str(site)), "the wheel is used, not the sources"
    command = python.with_name("cardtable")
    for kind, name in (("game", "high-tower"), ("bot", "clever-one")):
        ran(tmp_path, command, "new", kind, name)
        ran(tmp_path / name, python, *pip, "install", "--no-deps", "-e", ".")
        assert " passed" in ran(tmp_path / name, python, "-m", "pytest", "-q")
    played = ran(tmp_path, command, "play", "high-tower", "--seed", "3", "--seat", "none", "--bot", "clever-one")
    assert "The match is over" in played
