"""How fast records are collected, read and checked, in processor time of one core.

    python bench/records.py --matches 20000

The records are of a simulation of Fan Tan with four deals a match. Bars: 20,000 matches a second imported from JSON
Lines, 20,000 moves a second checked.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from cardtable import Record
from cardtable.lab.records.recheck import Checker
from cardtable.lab.records.recorded import Recorder
from cardtable.match.record_file import Collection, read, to_arrow, write_lines
from cardtable.rules import catalog

SOME = 500  #: records that are replayed one by one, or made into a table


def timed(what: str, unit: str, work: Callable[[], int]) -> None:
    """Print how much of something is done in a second."""
    began = time.process_time()
    count = work()
    print(f"{what:<46} {count / (time.process_time() - began):>12,.0f} {unit}/s")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=20_000)
    asked = parser.parse_args()
    variant = catalog.variant("fan-tan")
    preset, seats, options = variant.game.options.make(variant.preset, 4, {})
    recorder = Recorder(variant, preset, seats, options, ("simple",) * 4, "bench")
    with tempfile.TemporaryDirectory() as folder:
        lines, file, other = (Path(folder) / name for name in ("deals.jsonl", "deals.cards", "other.cards"))
        next(recorder.records(10))  # loads the compiled rules
        timed(
            "a simulation recorded as JSON Lines",
            "matches",
            lambda: write_lines(lines, recorder.records(4 * asked.matches)),
        )
        with Collection(file, create=True) as found:
            timed("JSON Lines imported into a collection", "matches", lambda: found.add(read(lines)))
            timed("a collection read", "matches", lambda: sum(1 for _ in found.dicts()))
            timed("records by number, far apart", "matches", lambda: len([found[k] for k in range(0, len(found), 97)]))
            with Collection(other, create=True) as copy:
                timed("a collection merged into another", "matches", lambda: copy.add(found.dicts()))
            checker = Checker()
            checker.check(found[0].keys)
            timed("records check", "moves", lambda: sum(map(checker.check, found.dicts(range(10 * SOME)))))
            timed("Record.replay", "moves", lambda: sum(_replayed(found[k]) for k in range(SOME)))
            timed("to_arrow", "matches", lambda: to_arrow(found.dicts(range(SOME))).num_rows)
        before, after = (path.stat().st_size for path in (lines, file))
        print(f"{asked.matches:,} matches: {before:,} bytes as JSON Lines, {after:,} collected")


def _replayed(record: Record) -> int:
    record.replay()
    return record.length


if __name__ == "__main__":
    main()
