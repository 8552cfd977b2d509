"""Programs and packages that a machine may lack: tests that need one say so by `needs`, and are left out where it is
missing or broken. What was left out is summed up at the end of a run, one line for each (tests/conftest.py).

CARDTABLE_REQUIRED=all makes it an error that one is missing (`.ci/run`), except for what is never installed there.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass(frozen=True)
class Need:
    fault: Callable[[], str]  #: why it cannot be used; "" if it can
    get: str  #: what installs it, or which variable names it
    usual: bool = True  #: whether `.ci/run` has it


def _started(*command: str) -> str:
    """Why a program cannot be started; "" if it answers."""
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]} does not start ({error.__class__.__name__})"
    return f"{command[0]} does not start (exit code {done.returncode})" if done.returncode else ""


def found(*names: str) -> str | None:
    """The first of some programs that is on the PATH."""
    return next(filter(None, map(shutil.which, names)), None)


#: what a Chromium is called; the first has no windows and takes two thirds of the time
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
NODE = 20  #: the oldest Node whose `--test` runs the client's tests


def chromium() -> str | None:
    """Where Chromium is: what CHROMIUM names, or the first on the PATH."""
    return os.environ.get("CHROMIUM") or found(*CHROMIUMS)


def _chromium() -> str:
    path = chromium()
    return (_package("playwright") or _started(path, "--version")) if path else "there is none"


def _node() -> str:
    if not (path := found("node")):
        return "there is none"
    try:
        version = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=60).stdout
        old = int(version.strip().lstrip("v").split(".")[0]) < NODE
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return f"{path} does not start"
    return f"{version.strip()} is older than {NODE}" if old else ""


def _postgres() -> str:
    return "" if os.environ.get("CARDTABLE_TEST_POSTGRES") else "CARDTABLE_TEST_POSTGRES names none"


def _package(module: str) -> str:
    return "" if importlib.util.find_spec(module) else "it is not installed"


def _on_path(name: str, *words: str) -> Callable[[], str]:
    return lambda: _started(path, *words) if (path := shutil.which(name)) else "there is none"


def _program(package: str, name: str, *words: str, usual: bool = True) -> Need:
    return Need(_on_path(name, *words), f"apt-get install {package}", usual)


def _extra(extra: str, module: str, usual: bool = True) -> Need:
    return Need(functools.partial(_package, module), f".venv/bin/pip install -e '.[{extra}]'", usual)


NEEDS = {
    "Chromium": Need(_chromium, "apt-get install chromium-headless-shell, or CHROMIUM=/path/to/chromium"),
    "Node": Need(_node, "apt-get install nodejs"),
    "PostgreSQL": Need(_postgres, "CARDTABLE_TEST_POSTGRES=$(tools/postgres.sh start /tmp/cardtable-postgres)"),
    "nginx": _program("nginx-light, with /usr/sbin on the PATH", "nginx", "-v"),
    "caddy": _program("caddy", "caddy", "version"),
    "systemd-analyze": _program("systemd", "systemd-analyze", "--version"),
    "openssl": _program("openssl", "openssl", "version"),
    "jq": _program("jq", "jq", "--version"),
    "git": _program("git", "git", "--version"),
    "make": _program("make", "make", "--version"),
    "bash": _program("bash", "bash", "--version"),
    "fish": _program("fish", "fish", "--version"),
    "zsh": _program("zsh", "zsh", "--version"),
    "Pillow": _extra("dev", "PIL"),
    "psycopg": _extra("dev", "psycopg"),
    "coverage": _extra("dev", "coverage"),
    "schemathesis": _extra("dev", "schemathesis"),
    "nbclient": _extra("dev", "nbclient"),
    "ipykernel": _extra("dev", "ipykernel"),
    "packaging": _extra("dev", "packaging"),
    "build": _extra("dev", "build"),
    "pyarrow": _extra("frames", "pyarrow"),
    "distributed": _extra("scale", "distributed"),
    "pettingzoo": _extra("rl", "pettingzoo"),
    "gymnasium": _extra("rl", "gymnasium"),
    "OpenSpiel": _extra("bench", "pyspiel"),
    "rlcard": Need(functools.partial(_package, "rlcard"), ".venv/bin/pip install rlcard", usual=False),
    "pygame": Need(functools.partial(_package, "pygame"), ".venv/bin/pip install 'pettingzoo[classic]'", usual=False),
    "torch": _extra("learn", "torch", usual=False),
    "sb3-contrib": _extra("learn", "sb3_contrib", usual=False),
}


@functools.cache
def fault(name: str) -> str:
    """Why what tests need cannot be used on this machine; "" if it can."""
    return NEEDS[name].fault()


def reason(name: str) -> str:
    return f"needs {name} ({fault(name)}): {NEEDS[name].get}"


def needs(*names: str) -> pytest.MarkDecorator:
    """A mark: the test, or all tests of a module, are left out where one of these cannot be used."""
    missing = [name for name in names if fault(name)]
    return pytest.mark.skipif(bool(missing), reason=reason(missing[0]) if missing else "")


def require(name: str) -> None:
    """Leave out the test that is running if what it needs cannot be used."""
    if fault(name):
        pytest.skip(reason(name))


def program(name: str) -> str:
    """Where a program is; the test that is running is left out where it cannot be used."""
    require(name)
    return str(found(name))


def optional(module: str) -> Any:
    """A package that may be missing (None), for modules whose tests are marked by `needs`."""
    return importlib.import_module(module) if importlib.util.find_spec(module) else None


def missing() -> list[str]:
    """What CARDTABLE_REQUIRED asks for and cannot be used: a line for each."""
    required = os.environ.get("CARDTABLE_REQUIRED", "")
    names = [name for name, need in NEEDS.items() if need.usual] if required == "all" else required.split(",")
    return [reason(name) for name in names if name and fault(name)]


def left_out(reasons: Iterable[str]) -> list[str]:
    """A line for each reason for which tests were left out, with their number. reasons: as pytest reports them."""
    counts = Counter(why.removeprefix("Skipped: ") for why in reasons)
    return [f"{number} {'test' if number == 1 else 'tests'}: {why}" for why, number in sorted(counts.items())]
