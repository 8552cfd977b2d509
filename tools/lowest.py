"""The lowest versions that pyproject.toml allows, as constraints of pip: tools/lowest.sh installs them."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: what the tests of tools/lowest.sh need; the other extras are tools of this repository
EXTRAS = ("testing", "test", "rl", "frames", "scale", "postgres")
BOUND = re.compile(r"(?P<name>[\w.-]+)(\[[\w,]+\])?>=(?P<lowest>[\d.]+)")


def lowest(requirements: Iterable[str]) -> Iterator[str]:
    """A constraint for each requirement that has a lower bound; the project itself has none."""
    for one in requirements:
        if bound := BOUND.match(one):
            yield f"{bound['name']}=={bound['lowest']}"
        elif not one.startswith("cardtable["):
            raise SystemExit(f"pyproject.toml: {one}: write a lower bound, which tools/lowest.sh tries")


def main() -> None:
    """Print the constraints."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    for group in (project["dependencies"], *(project["optional-dependencies"][extra] for extra in EXTRAS)):
        print(*lowest(group), sep="\n")


if __name__ == "__main__":
    main()
