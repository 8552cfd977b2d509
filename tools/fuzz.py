"""Fuzz everything that reads text from outside, guided by coverage (Atheris), and keep new inputs in tests/corpora.

    make fuzz SECONDS=60                          each target for a minute: positions, records, moves, options, wire
    python tools/fuzz.py wire records --seconds 600

An input is kept if its result (an error's code, the game, the command) is new. One that is neither read nor clearly
refused is a fault: it is kept as `fault-...`, where `tests/match/test_fuzz.py` finds it until it is fixed, and its
traceback is printed. The rules run as plain Python, because Atheris cannot look into compiled code.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MOST_KEPT = 4000  #: bytes of an input
SUFFIX = {"positions": ".toml", "records": ".toml", "moves": ".txt", "options": ".txt", "wire": ".json"}


def keep(name: str, data: bytes, kind: str) -> Path:
    """Write an input to its corpus."""
    path = ROOT / "tests" / "corpora" / name / f"{kind}-{hashlib.sha256(data).hexdigest()[:12]}{SUFFIX[name]}"
    path.write_bytes(data)
    return path


def fuzz(name: str, seconds: int) -> None:
    """Fuzz one target; Atheris ends the process, with a code that is not 0 if there was a fault."""
    import atheris  # type: ignore[import-not-found, import-untyped, unused-ignore]

    with atheris.instrument_imports(include=["cardtable"]):
        from tests.support import fuzzing
    target = fuzzing.TARGETS[name]
    known = {target(data) for data in fuzzing.corpus(name).values()}

    def one(data: bytes) -> None:
        try:
            became = target(data)
        except Exception:
            traceback.print_exc()
            print(f"a fault, kept as {keep(name, data, 'fault')}", flush=True)
            raise
        if became not in known and len(data) <= MOST_KEPT:
            known.add(became)
            print(f"{name}: {became}, kept as {keep(name, data, 'found').name}", flush=True)

    with tempfile.TemporaryDirectory() as scratch:  # Atheris itself keeps far more than is worth keeping permanently
        corpus = ROOT / "tests" / "corpora" / name
        limits = [f"-max_total_time={seconds}", f"-max_len={MOST_KEPT}", f"-artifact_prefix={scratch}/"]
        limits += ["-timeout=20", "-rss_limit_mb=4096", "-verbosity=0"]
        atheris.Setup([sys.argv[0], *limits, scratch, str(corpus)], one)
        atheris.Fuzz()


def main() -> int:
    """Fuzz each target in a separate process; return the number with a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("targets", nargs="*", choices=[*SUFFIX, []], help="what to try (all)")
    parser.add_argument("--seconds", type=int, default=60, help="for each")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # the process that fuzzes
    given = parser.parse_args()
    if given.here:
        sys.path[:0] = [str(ROOT)]
        fuzz(given.targets[0], given.seconds)
    faults = 0
    for name in given.targets or SUFFIX:
        command = [sys.executable, __file__, name, "--here", "--seconds", str(given.seconds)]
        failed = subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, cwd=ROOT, check=False).returncode
        print(f"{name}: {'a fault' if failed else 'no fault'}", flush=True)
        faults += bool(failed)
    return faults


if __name__ == "__main__":
    raise SystemExit(main())
