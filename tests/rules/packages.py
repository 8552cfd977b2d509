"""Packages with games and bots, installed in a folder, and programs that have them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.support.commands import ROOT

TOY = ROOT / "tests" / "toy"


def install(place: Path, name: str, package: str = "tower", alias: str = "") -> Path:
    """A copy of a toy game as an installed package of another name; alias: what its entry point is called."""
    home = place / name
    shutil.copytree(TOY / package, home, ignore=shutil.ignore_patterns("__pycache__"))
    about = place / f"{name}-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n", "utf-8")
    (about / "entry_points.txt").write_text(f"[cardtable.games]\n{alias or name} = {name}\n", "utf-8")
    return home


def python(place: Path, code: str, **more: str) -> subprocess.CompletedProcess[str]:
    """What a program says that has a folder's packages installed, with a separate cache."""
    environment = os.environ | {"PYTHONPATH": f"{place}{os.pathsep}{ROOT}", "CARDTABLE_CACHE": str(place / "cache")}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment | more, capture_output=True, text=True, timeout=600, cwd=place
    )


def files(place: Path) -> dict[str, int]:
    """Every file of compiled code in the cache of a folder's packages, with the time when it was written."""
    (cached,) = [path for path in (place / "cache").iterdir() if path.is_dir()]
    return {str(path.relative_to(cached)): path.stat().st_mtime_ns for path in cached.rglob("*.nbc")}
