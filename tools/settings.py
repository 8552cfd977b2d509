"""Write the table of settings in docs/server.md.

python tools/settings.py    tests/test_configuration.py fails while the table is stale
"""

from __future__ import annotations

import re
from pathlib import Path

from cardtable.server.configuration import table

PAGE = Path(__file__).resolve().parent.parent / "docs" / "server.md"
_TABLE = re.compile(r"(?s)(<!-- Made by tools/settings\.py [^\n]*-->\n\n).*?(<!-- end -->\n)")


def render(page: str) -> str:
    """The page with an up-to-date table. Raises ValueError if the page has no place for it."""
    rendered, count = _TABLE.subn(lambda found: f"{found[1]}{table()}\n\n{found[2]}", page)
    if count != 1:
        raise ValueError(f"{PAGE} has {count} places for the table of settings")
    return rendered


if __name__ == "__main__":
    PAGE.write_text(render(PAGE.read_text("utf-8")), "utf-8")
