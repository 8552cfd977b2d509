"""Write the table of requests in docs/server.md from the operations that the server declares.

python tools/operations.py    tests/test_docs.py fails while the table is stale
"""

from __future__ import annotations

import re
from pathlib import Path

from cardtable.server.api import OPERATIONS
from cardtable.server.operations import table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "server.md"
_TABLE = re.compile(r"(?s)(<!-- Made by tools/operations\.py [^\n]*-->\n\n).*?(<!-- end -->\n)")


def render(page: str) -> str:
    """The page with an up-to-date table. Raises ValueError if the page has no place for it."""
    rendered, count = _TABLE.subn(lambda found: f"{found[1]}{table(OPERATIONS)}\n{found[2]}", page)
    if count != 1:
        raise ValueError(f"{PAGE} has {count} places for the table of requests")
    return rendered


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text("utf-8")), "utf-8")
