"""Completion in zsh and fish, by the shells themselves where they are installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import ROOT, surroundings
from tests.support.programs import needs

#: zsh without its editor: what the completion would offer is printed, after the options that it is offered with
OFFERED = """
compdef() { : }
_describe() { local name=$3; shift 3; print -rl -- "${(P@)name/%/ $*}" }
eval "$(_CARDTABLE_COMPLETE=zsh_source cardtable)"
words=(cardtable ${=LINE_TYPED}); CURRENT=$#words
_cardtable_completion
"""


def asked(command: list[str], place: Path, **more: str) -> str:
    """What a shell says in which `cardtable` is a command."""
    program = place / "cardtable"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' -m cardtable \"$@\"\n")
    program.chmod(0o755)
    path = f"{place}{os.pathsep}{os.environ['PATH']}"
    environment = surroundings(PATH=path, PYTHONPATH=str(ROOT), HOME=str(place), **more)
    done = subprocess.run(command, cwd=place, env=environment, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    return done.stdout


@needs("fish")
@pytest.mark.parametrize(
    ("line", "offered"),
    [("play fan", "fan-tan"), ("play fan-tan --rules ", "british"), ("rules pope-joan --set deals", "deals=")],
)
def test_fish_completes(line: str, offered: str, tmp_path: Path) -> None:
    script = f"_CARDTABLE_COMPLETE=fish_source cardtable | source; complete -C 'cardtable {line}'"
    found = asked(["fish", "-c", script], tmp_path)
    assert offered in [row.partition("\t")[0] for row in found.splitlines()]


@needs("zsh")
@pytest.mark.parametrize(
    ("line", "offered", "blank"),
    [
        ("play fan", "fan-tan", True),
        ("play fan-tan --rules b", "british", True),
        ("rules pope-joan --set deals", "deals=", False),
        ("play fan-tan --set settle=d", "settle=direct", True),
    ],
)
def test_zsh_completes_and_writes_no_blank_after_an_equals_sign(
    line: str, offered: str, blank: bool, tmp_path: Path
) -> None:
    found = asked(["zsh", "-f", "-c", OFFERED], tmp_path, LINE_TYPED=line).splitlines()
    row = next(row for row in found if row.startswith(f"{offered}:"))
    assert row.endswith(" -U") == blank
    assert row.endswith(" -U -S ") == (not blank)
