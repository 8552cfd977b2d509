"""`cardtable new`: what it writes passes its tests, and is found and played once it is installed."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.support.commands import ROOT, here, surroundings


def ran(place: Path, *words: str, code: int = 0, **more: str) -> str:
    """What a Python says in a folder, in a process, as packages are found when it begins; it must end with `code`."""
    done = subprocess.run(
        [sys.executable, *words],
        cwd=place,
        env=surroundings(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == code, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout + done.stderr


def written(place: Path, kind: str, name: str, code: int = 0) -> str:
    with contextlib.chdir(place):
        done = here("new", kind, name, code=code)
    return " ".join((done.stdout + done.stderr).split())


#: Several commands, one after the other.
COMMANDS = """
import json, sys
from cardtable import cli
for words in json.loads(sys.argv[1]):
    try:
        cli.main(words)
    except SystemExit as left:
        assert not left.code, words
"""


def install(place: Path, package: Path) -> Any:
    """A package as it is when it is installed, without pip; what the environment needs for it."""
    project = tomllib.loads((package / "pyproject.toml").read_text("utf-8"))["project"]
    about = place / f"{project['name'].replace('-', '_')}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: 1\n", "utf-8")
    lines = []
    for group, entries in (project["entry-points"] | {"console_scripts": project.get("scripts", {})}).items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (about / "entry_points.txt").write_text("\n".join(lines), "utf-8")
    return {"PYTHONPATH": os.pathsep.join([str(place), str(package), str(ROOT)])}


@pytest.mark.parametrize(
    ("kind", "name", "game"),
    [
        ("game", "high-tower", "high-tower"),
        pytest.param("bot", "clever-one", "scopa", marks=pytest.mark.exhaustive),
        pytest.param("game", "q", "q", marks=pytest.mark.exhaustive),
    ],
)
def test_a_new_package_passes_its_tests_and_plays(kind: str, name: str, game: str, tmp_path: Path) -> None:
    output = written(tmp_path, kind, name)
    assert f"Written: {name}/" in output
    package = tmp_path / name
    path = install(tmp_path, package)
    passed = ran(package, "-m", "pytest", "-q", "-p", "no:cacheprovider", **path)
    count = re.search(r"(\d+) passed", passed)
    assert count
    assert (kind == "game") == (int(count[1]) > 50), "the tests of the contract are run"
    bot = name if kind == "bot" else "medium"
    commands = [
        ["play", game, "--seed", "3", "--seat", "none", "--bot", bot],
        ["simulate", game, "--deals", "20", "--bot", bot],
        *[["learn", name]] * (kind == "game"),
    ]
    output = ran(tmp_path, "-c", COMMANDS, json.dumps(commands), **path)
    for said in ("The match is over", "payoff a deal", *["Whoever lays the last one takes it"] * (kind == "game")):
        assert said in " ".join(output.split())


@pytest.mark.parametrize(("kind", "name"), [("game", "high-tower"), ("bot", "clever-one")])
def test_all_that_is_written_is_installed(kind: str, name: str, tmp_path: Path) -> None:
    """The package declares all of its files, so that they are also there without an editable installation."""
    written(tmp_path, kind, name)
    about = tomllib.loads((tmp_path / name / "pyproject.toml").read_text("utf-8"))
    (package,) = about["tool"]["setuptools"]["packages"]
    home = tmp_path / name / package
    data = about["tool"]["setuptools"].get("package-data", {}).get(package, [])
    installed = {path for pattern in ("*.py", *data) for path in home.glob(pattern)}
    assert {path for path in home.rglob("*") if path.is_file()} == installed


@pytest.mark.parametrize(
    ("kind", "name", "why"),
    [
        ("game", "Highest", "a name has small letters"),
        ("game", "a--b", "a name has small letters"),
        ("game", "../x", "a name has small letters"),
        ("game", "x" * 31, "at most 30"),
        ("game", "class", "it is a word of Python"),
        ("game", "email", "Python has a module email already"),
        ("game", "newmarket", "is a game already"),
        ("bot", "easy", "there is a bot of that name already"),
    ],
)
def test_bad_names_are_refused(kind: str, name: str, why: str, tmp_path: Path) -> None:
    assert why in written(tmp_path, kind, name, code=2)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    assert "there is a file or a folder of that name here" in written(tmp_path, "game", "mine", code=3)
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_game_that_is_not_there_is_told(tmp_path: Path) -> None:
    output = ran(tmp_path, "-m", "pytest", "--cardtable-game", "nowhere", code=4, PYTHONPATH=str(ROOT))
    assert "--cardtable-game: game 'nowhere': there is no such game" in output


@pytest.mark.exhaustive
def test_a_new_game_works_without_the_repository(tmp_path: Path) -> None:
    """Cardtable is a copy of its package alone, as a wheel has it (tools/check_package.py compares them)."""
    site = tmp_path / "site"
    site.mkdir()
    shutil.copytree(ROOT / "cardtable", site / "cardtable", ignore=shutil.ignore_patterns("__pycache__"))
    path = install(site, ROOT) | {"PYTHONPATH": str(site)}
    where = ran(tmp_path, "-c", COMMANDS + "print(cli.__file__)", '[["new", "game", "high-tower"]]', **path)
    assert where.splitlines()[-1].startswith(str(site))
    path["PYTHONPATH"] = os.pathsep.join([install(site, tmp_path / "high-tower")["PYTHONPATH"], str(site)])
    assert " passed" in ran(tmp_path / "high-tower", "-m", "pytest", "-q", "-k", "high_tower or seeds", **path)
    output = ran(tmp_path, "-c", COMMANDS, '[["play", "high-tower", "--seed", "3", "--seat", "none"]]', **path)
    assert "The match is over" in output
