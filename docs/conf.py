"""How Sphinx makes the site: `make docs`.

Its source directory is the repository, so links between pages are the same in both.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.inspect import TypeAliasForwardRef

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tools"), str(ROOT / "bench")]

import conformance  # noqa: E402
import server_pages  # noqa: E402
from findings import command, tables  # noqa: E402

import cardtable  # noqa: E402  # the package beside this file, also where another one is installed
from cardtable.base import types  # noqa: E402
from cardtable.rules import catalog, rulebook  # noqa: E402

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
html_logo = "static/logo.svg"
html_favicon = "../cardtable/web/icon.svg"
html_extra_path = ["site"]  # files for the site's root
html_static_path = ["static", "../cardtable/web/fonts"]
html_theme_options = {
    "light_css_variables": {
        "font-stack": '"Source Sans 3", system-ui, "Segoe UI", Roboto, "Liberation Sans", sans-serif',
        "color-brand-primary": "#14614a",
        "color-brand-content": "#0d5c43",
        "color-brand-visited": "#4b5f2f",
        "color-background-primary": "#fffefa",
        "color-background-secondary": "#f4f2ec",
        "color-background-hover": "#eae7dd",
        "color-background-border": "#e2dfd4",
        "color-table-header-background": "#e9efe9",
        "color-table-border": "#d6d3c8",
        "color-problematic": "#a3141f",
        "color-highlight-on-target": "#fff3c4",
    },
    "dark_css_variables": {
        "color-brand-primary": "#7fd0ae",
        "color-brand-content": "#84d6b4",
        "color-brand-visited": "#b9cf93",
        "color-background-primary": "#161a18",
        "color-background-secondary": "#1c2320",
        "color-background-hover": "#263029",
        "color-background-border": "#323b37",
        "color-foreground-primary": "#e8ebe6",
        "color-foreground-secondary": "#b9c3bc",
        "color-foreground-muted": "#98a39c",
        "color-content-foreground": "#e0e4de",
        "color-inline-code-background": "#232b27",
        "color-table-header-background": "#22352c",
        "color-table-border": "#3a4340",
        "color-problematic": "#ff9d95",
        "color-highlight-on-target": "#3a3413",
    },
}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "github-dark"
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
html_copy_source = html_show_sourcelink = False


def without_marks(_: Sphinx, page: str, source: list[str]) -> None:
    """A rulebook page as a reader of the file sees it: without the comments that say what applies when.

    Its title is what people search for, `Scopa rules`; so are its index entries, one for each preset.
    """
    if page.startswith("cardtable/games/"):
        game = catalog.find(page.rpartition("/")[2])
        titles = dict.fromkeys(title for title in game.titles.values() if title != game.title)
        entries = "".join(f"```{{index}} ! single: {title} rules\n```\n" for title in titles)
        source[0] = re.sub(r"\A# (.+)\n", rf"# \1 rules\n\n{entries}", rulebook.whole(source[0]))


FIGURE = re.compile(r"[+−<±]?\d[\d,.]*(%|\s*s)?(\s*(±|to)\s*[<+−]?[\d,.]+%?)?(\s*\([^()]*\))?|–|not known")
SHORT = 16  #: characters of a cell that stays on one line


def mark_figures(_: Sphinx, document: nodes.document) -> None:
    """Give the cells of a table that contain figures the class `figure`; a head has it if its whole column has."""
    for table in document.findall(nodes.table):
        rows = [list(row.findall(nodes.entry)) for row in table.findall(nodes.row)]
        texts = [[cell.astext().strip() for cell in row] for row in rows]
        columns = range(len(rows[0]))
        counted = [k for k in columns if all(not row[k] or FIGURE.fullmatch(row[k]) for row in texts[1:])]
        for row, words in zip(rows, texts, strict=True):
            for k, cell in enumerate(row):
                if k in counted:
                    cell["classes"].append("figure")
                elif len(words[k]) <= SHORT:
                    cell["classes"].append("short")


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
    app.connect("doctree-read", mark_figures)
    app.connect("source-read", with_downloads)
    app.connect("build-finished", write_tables)
    app.connect("env-get-outdated", always_read)
