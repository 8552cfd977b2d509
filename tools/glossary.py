"""The table of docs/glossary.md, from the terms in cardtable/rules/glossary.toml.

python tools/glossary.py          print the table
python tools/glossary.py --write  put it into the page
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from cardtable.rules import catalog
from cardtable.rules.glossary import Term, glossary

PAGE = Path(__file__).resolve().parent.parent / "docs" / "glossary.md"
TABLE = re.compile(r"(?<=<!-- terms -->\n).*?(?=<!-- /terms -->)", re.DOTALL)


def games_of(term: Term) -> str:
    """The titles of the games whose texts use a term."""
    return ", ".join(catalog.games()[name].title for name in term.games) or "all"


def table() -> str:
    """The terms with their meanings and their games, as a table in Markdown."""
    rows = [f"| **{term.head}** | {term.means} | {games_of(term)} |" for term in glossary()]
    return "\n".join(["| word | meaning | games |", "|---|---|---|", *rows]) + "\n"


def main(words: list[str]) -> int:
    """Print the table, or put it into the page."""
    if words == ["--write"]:
        PAGE.write_text(TABLE.sub(lambda _: table(), PAGE.read_text("utf-8")), "utf-8")
        return 0
    sys.stdout.write(table())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
