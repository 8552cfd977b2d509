"""Measures the games and writes the book of numbers: docs/findings (`make findings`).

    python tools/findings.py                   measure what is missing, then write all pages
    python tools/findings.py fan-tan scopa     ... of these games
    python tools/findings.py --again           ... measure everything again
    python tools/findings.py --size 20         ... with twenty times as many deals (hours)
    python tools/findings.py --pages           write pages and pictures from the stored figures
    python tools/findings.py --csv FOLDER      write the stored figures as tables
    python tools/findings.py --quick           measure with few deals, and compare with what is kept

    python tools/findings.py --ladder ladder.jsonl       # of bench/ladder.py --keep ladder.jsonl
    python tools/findings.py --solver four.jsonl         # of cardtable solve spider --deals K --keep FILE
    python tools/findings.py --study fifty.jsonl         # the same of more deals

Figures are kept in docs/findings/data, one file for each game. A stopped run can resume: finished parts of a game are
in its file, and each block of the unfinished study is in build/findings. The program is the package tools/findings.
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[1:1] = [str(ROOT), str(ROOT / "bench")]

from findings import command  # noqa: E402

if __name__ == "__main__":
    command.main(__doc__ or "")
