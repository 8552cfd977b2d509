"""Which requests cost the server the most processor time? Hypothesis looks for them, one kind after another.

    python bench/costs.py                             # every operation and message, 10 s each
    python bench/costs.py --seconds 60 socket verify  # only kinds with one of these words

The server and its clients run in this process; what counts is the processor time of the server's threads, except those
in which bots think. A request that seems costly is measured four times, and the least is taken. The bar is 50 ms for
any request. Faults (an answer of 500, an error in the log) are also printed. Games must be compiled beforehand
(`cardtable warm --all`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import numpy as np

from tests.support.server import costly

BAR = 50.0  #: milliseconds


def main() -> int:
    """The command line; return how many kinds of requests cost too much or have a fault."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="of the kinds to try (all)")
    parser.add_argument("--seconds", type=float, default=10.0, help="for each kind")
    given = parser.parse_args()
    np.seterr(over="ignore")
    warnings.simplefilter("ignore")
    costly_kinds = 0
    with tempfile.TemporaryDirectory() as directory, costly.world(Path(directory)) as here:
        for kind, made in costly.KINDS.items():
            if given.words and not any(word in kind for word in given.words):
                continue
            worst = costly.worst(here, kind, made(here), given.seconds)
            line = f"{1000 * worst.seconds:7.1f} ms  {worst.tried:5} tried  {kind}: {worst.request.text}"
            print(line, *(f"    FAULT {fault}" for fault in worst.faults[:3]), sep="\n", flush=True)
            costly_kinds += 1000 * worst.seconds > BAR or bool(worst.faults)
    return costly_kinds


if __name__ == "__main__":
    raise SystemExit(main())
