"""The site has what its configuration names, and its first page leads to pages that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
DOORS = ("Play", "Teach", "Study", "Build")


def settings(source: str) -> dict[str, Any]:
    """The settings of a `conf.py` that are plain values."""
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            try:
                found[node.targets[0].id] = ast.literal_eval(node.value)
            except ValueError:
                continue
    return found


def missing_files(conf: dict[str, Any], css: str) -> list[str]:
    """The files named by settings and by the style sheet that do not exist."""
    folders = [DOCS / folder for folder in conf["html_static_path"]]
    missing = [conf[name] for name in ("html_logo", "html_favicon") if not (DOCS / conf[name]).is_file()]
    missing += [str(folder) for folder in folders if not folder.is_dir()]
    scripts = (name for name, _ in conf["html_js_files"])
    named = [*conf["html_css_files"], *scripts, *re.findall(r'url\("([^"]+)"\)', css)]
    return missing + [name for name in named if not any((folder / name).is_file() for folder in folders)]


def doors(page: str) -> dict[str, list[str]]:
    """The links behind each door of the first page."""
    inside = page.partition('<div class="doors">')[2].partition("</div>")[0]
    parts = re.split(r"^\* \*\*\[(\w+)\]", inside, flags=re.MULTILINE)
    each = zip(parts[1::2], parts[2::2], strict=True)
    return {name: re.findall(r"(?:\A|\])\(([^()#]+)", links) for name, links in each}


def missing_pages(found: dict[str, list[str]]) -> list[str]:
    """The links of the doors that lead nowhere."""
    return [link for links in found.values() for link in links if not (DOCS / link).is_file()]


def test_files_of_the_site_exist() -> None:
    conf, css = settings((DOCS / "conf.py").read_text("utf-8")), (DOCS / "static/site.css").read_text("utf-8")
    assert missing_files(conf, css) == []
    broken = conf | {"html_logo": "static/none.svg", "html_css_files": ["none.css"]}
    assert missing_files(broken, css + '@import url("none.woff2");') == ["static/none.svg", "none.css", "none.woff2"]


def test_four_doors_lead_to_pages() -> None:
    page = (DOCS / "index.md").read_text("utf-8")
    found = doors(page)
    assert tuple(found) == DOORS
    assert all(len(links) >= 3 for links in found.values())
    assert missing_pages(found) == []
    assert missing_pages(doors(page.replace("(studies.md)", "(no-studies.md)"))) == ["no-studies.md"]


def test_doors_are_those_of_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    assert [name for name in DOORS if f"\n## {name}\n" not in readme] == []
