"""The browser client's files as they are sent: at which address, how long they are kept, how many a page needs."""

from __future__ import annotations

import gzip
import re
import shutil
from pathlib import Path
from posixpath import dirname, join, normpath

import httpx
import pytest

from cardtable.server import app
from cardtable.server.http.client_files import OF_ONE_VERSION, ClientFiles, uncommented
from tests.support.server.served import Served

KEPT = "public, max-age=31536000, immutable"
HOME = app.PAGES["/"]
#: on which browsers insist
TYPES = {"js": "text/javascript", "mjs": "text/javascript", "css": "text/css", "svg": "image/svg+xml"}
#: addresses of a page's own files, below the digest
LOADED = re.compile(
    r'<(?:link rel="(?:modulepreload|stylesheet)"[^>]* href|script type="module" src)="/static/\w+/([^"]+)"'
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the client's files, which a test may change."""
    return Path(shutil.copytree(app.WEB, tmp_path / "web"))


def imports(name: str) -> set[str]:
    """The modules that a module of the client itself imports at once, as its lines say."""
    text = (app.WEB / name).read_text("utf-8")
    found = re.findall(r'^(?:import|export|\}) .*?"(\.{1,2}/[\w/.]+\.js)";$', text, re.MULTILINE)
    return {normpath(join(dirname(name), one)) for one in found}


@pytest.mark.parametrize(
    "name", ["main.js", "style/hand.css", "cards/KS.svg", "index.html", "fonts/fraunces-latin.woff2"]
)
def test_any_change_makes_new_addresses(folder: Path, name: str) -> None:
    before = ClientFiles(folder)
    assert before.digest == app.site().digest
    with (folder / name).open("ab") as file:
        file.write(b"x")
    after = ClientFiles(folder)
    assert after.digest != before.digest
    assert after.page() != before.page()


def test_a_new_name_makes_new_addresses(folder: Path) -> None:
    (folder / "cards" / "KS.svg").rename(folder / "cards" / "KX.svg")
    assert ClientFiles(folder).digest != app.site().digest


def test_files_with_the_digest_are_kept_for_good(server: Served) -> None:
    with httpx.Client(base_url=f"{server.url}/static") as http:
        for name, file in app.site().files.items():
            kept, asked = http.get(f"/{app.site().digest}/{name}"), http.get(f"/{name}")
            assert (kept.status_code, kept.headers["cache-control"], kept.content) == (200, KEPT, file.content), name
            assert (asked.status_code, asked.headers["cache-control"], asked.content) == (200, "no-cache", file.content)
            assert kept.headers["vary"] == "Accept-Encoding"
            for answer in (kept, asked):
                kind = answer.headers["content-type"].partition(";")[0]
                assert kind == TYPES.get(name.rpartition(".")[2], kind), name
                assert answer.headers["x-content-type-options"] == "nosniff"
                assert "set-cookie" not in answer.headers
        head = http.head(f"/{app.site().digest}/main.js")
        assert (head.status_code, head.headers["cache-control"], head.content) == (200, KEPT, b"")
        again = http.get("/main.js", headers={"If-None-Match": head.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


def test_a_page_of_another_version(server: Served) -> None:
    """Pictures fit it; scripts and styles may not, so it loads itself again. Nothing of this is kept."""
    other = "0" * len(app.site().digest)
    with httpx.Client(base_url=f"{server.url}/static/{other}") as http:
        for name in app.site().files:
            told = http.get(name)
            if name.endswith(OF_ONE_VERSION):
                assert (told.status_code, told.headers["cache-control"]) == (404, "no-store"), name
            else:
                assert (told.status_code, told.headers["cache-control"]) == (200, "no-cache"), name


def test_a_server_whose_files_are_replaced_serves_those_that_it_began_with(folder: Path) -> None:
    site = ClientFiles(folder)
    before = site.page("", *HOME), site.files["main.js"].content
    for path in folder.rglob("*.*"):
        path.write_bytes(b"of another version")
    assert (site.page("", *HOME), site.files["main.js"].content) == before
    assert site.files["main.js"].packed == gzip.compress(before[1], 9, mtime=0)


@pytest.mark.parametrize("path", ["/", "/t/x", "/settings"])
def test_the_page_is_asked_for_each_time(server: Served, path: str) -> None:
    page = httpx.get(server.url + path)
    assert page.headers["cache-control"] == "no-cache"
    again = httpx.get(server.url + path, headers={"If-None-Match": page.headers["etag"]})
    assert (again.status_code, again.content, again.headers["cache-control"]) == (304, b"", "no-cache")
    assert again.headers["etag"] == page.headers["etag"]


def test_all_styles_are_one_file() -> None:
    sent = app.site().files["style/all.css"].content.decode()
    assert "@import" not in sent
    for path in (app.WEB / "style").glob("*.css"):
        lines = uncommented(path.read_text("utf-8")).splitlines()
        bare = "\n".join(line.strip() for line in lines if line.strip())
        assert path.name == "all.css" or bare in sent, path.name


@pytest.mark.parametrize("path", app.PAGES)
def test_a_page_names_all_that_it_loads(path: str) -> None:
    """So what it loads comes after the page itself, and not one file after the other: each takes as long as the way
    there and back.
    """
    main, module, *_ = app.PAGES[path]
    named = LOADED.findall(app.site().page("", *app.PAGES[path]))
    assert {main, module, "style/all.css"} <= set(named)
    for name in named:
        if name.endswith(".js") and not name.startswith("vendor/"):
            assert imports(name) <= set(named), f"{name} imports what is not named"
    assert "vendor/preact.mjs" in named


def test_each_page_names_the_module_that_draws_it() -> None:
    """As main.js chooses it by the address."""
    routes = re.findall(
        r'\[\s*/\^(\S+)\$/,\s.*?import\("\./(\w+/\w+\.js)"\)', (app.WEB / "main.js").read_text(), re.DOTALL
    )
    assert len(routes) >= 14
    for path, (_, module, *_) in app.PAGES.items():
        asked = re.sub(r"\{.*?\}", "7", path)
        assert [one for pattern, one in routes if re.fullmatch(pattern.replace("\\/", "/"), asked)] == [module], path


def test_the_first_page_is_small() -> None:
    """What it needs until something can be clicked: 20 requests with the page, and 75 kB."""
    site = app.site()
    page = site.page("", *HOME)
    named = set(LOADED.findall(page))
    assert len(named) <= 19
    assert len(gzip.compress(page.encode(), 6)) + sum(len(site.files[name].packed) for name in named) <= 75_000


def test_comments_with_lines_of_their_own_are_not_sent() -> None:
    script = """/** What this is. */
import { a } from "./a.js"; // stays
/**
 * @param {string} b `code`
 */
export const c = (b) => {
  // why
  /** @type {any} */ (b).d();
  return /* here */ a`
  // a text, and no comment
  /* nor this */
  ${b}`;
};
  // the end
"""
    assert (
        uncommented(script)
        == """import { a } from "./a.js"; // stays
export const c = (b) => {
  /** @type {any} */ (b).d();
  return /* here */ a`
  // a text, and no comment
  /* nor this */
  ${b}`;
};
"""
    )
    assert uncommented("/* a\n b */\n.c {\n  /* d */\n  e: f; /* g */\n}\n") == ".c {\n  e: f; /* g */\n}\n"


def test_no_code_is_lost_with_the_comments() -> None:
    """Every line that is not sent is a comment."""
    for path in (*app.WEB.rglob("*.js"), *app.WEB.rglob("*.css")):
        text = path.read_text("utf-8")
        lines, sent = text.splitlines(), uncommented(text).splitlines()
        lost, k = [], 0
        for line in lines:
            if k < len(sent) and line == sent[k]:
                k += 1
            else:
                lost.append(line.strip())
        assert k == len(sent), path
        inside = False
        for line in lost:
            assert inside or line.startswith(("//", "/*")), f"{path}: {line}"
            inside = (inside or line.startswith("/*")) and not line.endswith("*/")
        assert not inside, path
