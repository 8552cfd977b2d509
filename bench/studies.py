"""What a study costs, alone and on a cluster of Dask's with two workers on this machine.

    python bench/studies.py --deals 2000000

Wall-clock times tell the speed-up on an idle machine; processor times (of all processes) tell what the cluster costs
also where other programs run beside. The digests must be equal. It needs the extra `scale`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from cardtable.lab import Study

BAR = 1.7  #: speed-up by two workers on two idle cores


@dataclass(frozen=True)
class Run:
    """One run of the study."""

    wall: float
    processor: float
    digest: str
    blocks: int


def run(deals: int, executor: str | None, helpers: list[subprocess.Popen[bytes]]) -> Run:
    """Three antes of Fan Tan by the rule of thumb. helpers: processes whose time counts, too."""
    began, used = time.perf_counter(), processor(helpers)
    study = Study("fan-tan", 4, deals=deals, bots="simple", seed=7, executor=executor).grid(ante=[1, 2, 3])
    found = study.run("eldest")
    return Run(time.perf_counter() - began, processor(helpers) - used, found.digest, len(found.limits))


def processor(helpers: list[subprocess.Popen[bytes]]) -> float:
    """Seconds of processor time of this process and some others."""
    others = (psutil.Process(each.pid).cpu_times() for each in helpers)
    return time.process_time() + float(sum(each.user + each.system for each in others))


def begin(part: str, file: Path, *words: str) -> subprocess.Popen[bytes]:
    """Start a scheduler or a worker."""
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "dask",
            part,
            "--scheduler-file",
            str(file),
            "--no-dashboard",
            "--host",
            "127.0.0.1",
            *words,
        ],
        cwd=file.parent,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=2_000_000, help="in each of three cells")
    parser.add_argument("--times", type=int, default=2)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "scheduler.json"
        helpers = [begin("scheduler", file, "--port", "0")]
        helpers += [begin("worker", file, "--nthreads", "1", "--no-nanny") for _ in range(2)]
        try:
            while not file.exists():
                time.sleep(0.1)
            address = json.loads(file.read_text())["address"]
            from distributed import Client

            with Client(address, set_as_default=False) as client:
                client.wait_for_workers(2, timeout=60)
            for executor in (None, f"dask:{address}"):
                run(100_000, executor, helpers)  # loads the compiled rules
            for _ in range(asked.times):
                alone, both = run(asked.deals, None, helpers), run(asked.deals, f"dask:{address}", helpers)
                same = "equal" if alone.digest == both.digest else "DIFFERENT"
                print(
                    f"{alone.blocks} blocks: alone {alone.wall:.1f} s ({alone.processor:.1f} s of processor time), two "
                    f"workers {both.wall:.1f} s ({both.processor:.1f} s): {alone.wall / both.wall:.2f} times as fast "
                    f"(bar: {BAR}), digests {same}"
                )
        finally:
            for each in helpers:
                each.kill()
                each.wait()


if __name__ == "__main__":
    main()
