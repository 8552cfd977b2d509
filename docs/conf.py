"""How Sphinx makes the site: `make docs`.

Its source directory is the repository, so links between pages are the same in both.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.util.inspect import TypeAliasForwardRef

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools"), str(ROOT / "bench")]

import conformance  # noqa: E402
import server_pages  # noqa: E402
from findings import command, tables  # noqa: E402

import cardtable  # noqa: E402  # the package beside this file, also where another one is installed
from cardtable.base import types  # noqa: E402
from cardtable.rules import rulebook  # noqa: E402

project = "Cardtable"
author = copyright = "Cardtable contributors"
version = release = cardtable.__version__

# none that needs a network
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_copybutton",
]
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "cardtable/games/*/*.md",
    "examples/README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
]
highlight_language = "text"  # of a block that names none
default_role = "py:obj"  # `Match` in a docstring is a link where there is such a thing, and code elsewhere

myst_heading_anchors = 4

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in types.__annotations__}
TypeAliasForwardRef.__repr__ = lambda alias: alias.name  # how Sphinx writes an alias within a union or a list
autodoc_default_options = {"members": True}

html_theme = "furo"
html_title = f"Cardtable {version}"
html_extra_path = ["site"]  # files for the site's root
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = html_show_sourcelink = False


def without_marks(_: Sphinx, page: str, source: list[str]) -> None:
    """A rulebook page as a reader of the file sees it: without the comments that say what applies when."""
    if page.startswith("cardtable/games/"):
        source[0] = rulebook.whole(source[0])


#: pages that end with what is made from the code
MADE = {f"docs/reference/{name}": render for name, render in server_pages.PAGES.items()}


def with_what_is_made(_: Sphinx, page: str, source: list[str]) -> None:
    """A page of the server's reference with its descriptions."""
    if page in MADE:
        source[0] += f"\n{MADE[page]()}\n"


def with_downloads(_: Sphinx, page: str, source: list[str]) -> None:
    """The page of results, with links to the tables that `write_tables` adds to the site."""
    if page == "docs/results":
        source[0] = tables.linked(source[0], "../data/")


def write_tables(app: Sphinx, error: Exception | None) -> None:
    """The book of numbers as CSV files, in the site's folder data/."""
    if error is None and app.builder.format == "html":
        tables.write(Path(app.outdir) / "data", command.csv_tables())


def always_read(*_: object) -> list[str]:
    """The pages that change when the code does, though their files do not."""
    return list(MADE)


def setup(app: Sphinx) -> None:
    """Called by Sphinx."""
    conformance.write(conformance.pages(), conformance.tests())
    app.connect("source-read", without_marks)
    app.connect("source-read", with_what_is_made)
    app.connect("source-read", with_downloads)
    app.connect("build-finished", write_tables)
    app.connect("env-get-outdated", always_read)
