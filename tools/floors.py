"""Draw the floors of the package in docs/architecture.md: the layers that pyproject.toml declares, and the first
sentence of each one's docstring.

    python tools/floors.py          print the drawing
    python tools/floors.py --write  put it into the page
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "architecture.md"
DRAWING = re.compile(r"(?<=<!-- floors -->\n).*?(?=<!-- /floors -->)", re.DOTALL)


def layers() -> list[str]:
    """The modules and packages right below `cardtable`, from the highest floor to the lowest."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return list(settings["tool"]["importlinter"]["contracts"][0]["layers"])


def said(name: str) -> str:
    """The first sentence of a module's or package's docstring."""
    path = ROOT / "cardtable" / name
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    doc = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return re.split(r"\.(?:\s|$)", doc.partition("\n\n")[0], maxsplit=1)[0].rstrip(":").replace("\n", " ")


def drawing() -> str:
    """The floors, from the highest to the lowest, each with what it is for."""
    lines = []
    for name in layers():
        first, *more = textwrap.wrap(said(name), 98) or [""]
        lines += [f"{name:12}  {first}", *(f"{'':12}  {each}" for each in more)]
    return "```text\n" + "\n".join(lines) + "\n```\n"


def main(words: list[str]) -> int:
    """Print the drawing, or put it into the page."""
    if words == ["--write"]:
        PAGE.write_text(DRAWING.sub(lambda _: drawing(), PAGE.read_text("utf-8")), "utf-8")
        return 0
    sys.stdout.write(drawing())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
