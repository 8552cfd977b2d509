"""Write the tables of docs/server.md: requests, from the operations that the server declares, and settings.

python tools/operations.py    tests/server/http/test_operations.py and tests/server/test_configuration.py fail while a
table is stale
"""

from __future__ import annotations

import re
from pathlib import Path

from cardtable.server import configuration
from cardtable.server.http import operations
from cardtable.server.http.api import OPERATIONS

PAGE = Path(__file__).resolve().parent.parent / "docs" / "server.md"


def filled(page: str, kind: str, table: str) -> str:
    """The page with this table where it is marked for tables of a kind. Raises ValueError if it is not, or twice."""
    place = rf"(?s)(<!-- Made by tools/operations\.py from the {kind} [^\n]*-->\n\n).*?(<!-- end -->\n)"
    rendered, count = re.subn(place, lambda found: f"{found[1]}{table}\n{found[2]}", page)
    if count != 1:
        raise ValueError(f"{PAGE} has {count} places for the table of {kind}")
    return rendered


def render(page: str) -> str:
    """The page with up-to-date tables. Raises ValueError if it has no place for one."""
    page = filled(page, "operations", operations.table(OPERATIONS))
    return filled(page, "settings", f"{configuration.table()}\n")


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text("utf-8")), "utf-8")
