"""Processes that compile three small rules into a separate cache."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from tests.conftest import ROOT

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


def begun(
    place: Path, code: str, *arguments: str, given: int = subprocess.DEVNULL, way: str = ""
) -> subprocess.Popen[str]:
    """A program that runs in a place, with the cache there, and compiles that way."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT), CARDTABLE_CACHE=str(place / "cache"), CARDTABLE_NUMBA=way)
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.Popen(
        command, env=environment, cwd=place, stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def output(process: subprocess.Popen[str]) -> str:
    """What a program writes that ends well."""
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return out
