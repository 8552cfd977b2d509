"""Kill one of three servers behind nginx again and again while people play, stop their database, cut and stall
connections, and check that nothing acknowledged was lost and how long tables stood still.

    python bench/kills.py --kills 100             the servers pass connections on to each other, as on one machine
    python bench/kills.py --kills 100 --relayed   they relay bytes, as on several machines

Warm the cache first (`cardtable warm --all`). It needs nginx (tools/ci_programs.sh) and PostgreSQL (tools/postgres.sh),
and starts and stops them automatically.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from tests.support.server import outages


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--part", type=int, default=20, help="kills after which people go on at new tables")
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--relayed", action="store_true", help="as on separate machines")
    given = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="cardtable-") as directory,
        outages.site(Path(directory), given.relayed, compiled=True) as site,
    ):
        try:
            outcome = outages.Outcome()
            while outcome.kills < given.kills:
                kills = min(given.part, given.kills - outcome.kills)
                pairs = asyncio.run(outages.outages(site, outcome, kills, given.tables, given.seed + outcome.kills))
                outages.judged(site, pairs, outcome)
        finally:
            print("\n".join(site.said()), file=sys.stderr)
    times = [round(seconds, 2) for seconds in outcome.recovered]
    print(json.dumps({"relayed": given.relayed} | outcome.told() | {"recovered": times}))


if __name__ == "__main__":
    main()
