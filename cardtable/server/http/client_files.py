"""The browser client: its files and its page, read once, so that a running server keeps its files when they are
replaced.

Each file has two addresses: one with the digest of all files, which browsers keep for good, and a fixed one, which is
revalidated each time. Modules import each other by relative addresses, so one digest serves them all.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import mimetypes
import re
from functools import cached_property
from pathlib import Path
from posixpath import dirname, join, normpath

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response

#: The system's table may have other types, and browsers do not run scripts that have the wrong type.
TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
for suffix, kind in TYPES.items():
    mimetypes.add_type(kind, suffix)

#: For routes whose answer is the same for everybody. Answers to one person are not compressed: together with text that
#: others control, their compressed length could reveal their content.
COMPRESSED = Middleware(GZipMiddleware, compresslevel=6)

KEPT = {"cache-control": "public, max-age=31536000, immutable"}
ASKED = {"cache-control": "no-cache"}
DIGEST = 16  #: characters
#: files that only fit others of the same version: a page of another version that asks for one loads itself again
OF_ONE_VERSION = (".js", ".mjs", ".css")
#: where the page's own links are put in
LINKS = "<!-- links to what this page loads -->\n"

_IMPORT = re.compile(r'^(?:import|export)\b\s*(?:[\w*{}\s,$]+?\bfrom\s*)?"([^"]+)"', re.MULTILINE)
#: comments on separate lines
_COMMENT = re.compile(r"^[ \t]*(?:/\*(?:(?!\*/).)*\*/[ \t]*|//[^\n]*)\n", re.MULTILINE | re.DOTALL)
_STYLE = re.compile(r'^@import "([^"]+)";\n', re.MULTILINE)
_INDENT = re.compile(r"\n[ \n]+")
_IMPORT_MAP = re.compile(r'<script type="importmap">(.*?)</script>', re.DOTALL)


class File:
    """A file as it is sent."""

    def __init__(self, name: str, content: bytes) -> None:
        self.content = content
        self.kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self.tag = tag_of(content)

    @cached_property
    def packed(self) -> bytes:
        """The content, compressed."""
        return gzip.compress(self.content, 9, mtime=0)

    def answer(self, request: Request, headers: dict[str, str]) -> Response:
        """The file, or the answer that it has not changed. headers: how long it may be kept."""
        headers = {**headers, "etag": self.tag, "vary": "Accept-Encoding"}
        if has_it(request, self.tag):
            return Response(status_code=304, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", "") or len(self.packed) >= len(self.content):
            return Response(self.content, media_type=self.kind, headers=headers)
        return Response(self.packed, media_type=self.kind, headers={**headers, "content-encoding": "gzip"})


def tag_of(content: bytes) -> str:
    """The ETag of a content."""
    return f'"{hashlib.sha256(content).hexdigest()[:24]}"'


def has_it(request: Request, tag: str) -> bool:
    """Whether the caller has this content already."""
    return tag in request.headers.get("if-none-match", "")


class ClientFiles:
    """The files of a folder, and the page that loads them."""

    def __init__(self, folder: Path) -> None:
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        contents = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        self.files = {name: File(name, _whole(name, contents)) for name in contents}
        versions = "".join(f"{name} {file.tag}\n" for name, file in self.files.items())
        self.digest = hashlib.sha256(versions.encode()).hexdigest()[:DIGEST]
        self._index = contents["index.html"].decode()
        (named,) = _IMPORT_MAP.findall(self._index)
        self._bare = {name: str(at).removeprefix("/static/") for name, at in json.loads(named)["imports"].items()}
        self._pages: dict[tuple[str, tuple[str, ...]], str] = {}

    def file(self, path: str, request: Request) -> Response | None:
        """The answer to a request for a file; None: there is none."""
        digest, _, name = path.partition("/")
        if digest == self.digest and name in self.files:
            return self.files[name].answer(request, KEPT)
        if re.fullmatch(rf"[0-9a-f]{{{DIGEST}}}", digest) and not name.endswith(OF_ONE_VERSION):
            path = name  # a picture for a page of another version
        return self.files[path].answer(request, ASKED) if path in self.files else None

    def page(self, prefix: str = "", *loads: str) -> str:
        """The client's page, with preloads of everything it needs, to avoid sequential loading. prefix: the path
        below which the site is; loads: modules, and the API paths that they request.
        """
        if (prefix, loads) not in self._pages:
            modules = [one for one in loads if not one.startswith("/")]
            # after the answers of the API and the catalogue, which take longer
            kind = 'rel="modulepreload" fetchpriority="low"'
            links = [f'<link {kind} href="/static/{name}">\n' for name in self.needed(*modules)]
            data = [f"{prefix}{path}" for path in loads if path.startswith("/")]
            links += [f'<link rel="preload" as="fetch" crossorigin href="{path}">\n' for path in data]
            text = self._index.replace(LINKS, "".join(links))
            text = text.replace('"/static/', f'"{prefix}/static/{self.digest}/')
            # a browser identifies an installed app by its address
            self._pages[prefix, loads] = text.replace(f"/{self.digest}/manifest.", "/manifest.")
        return self._pages[prefix, loads]

    def needed(self, *modules: str) -> list[str]:
        """Modules and all that they import, without what they import only later."""
        needed = dict.fromkeys(modules)
        waiting = list(modules)
        while waiting:
            name = waiting.pop(0)
            new = [one for one in self._imported(name) if one not in needed]
            needed |= dict.fromkeys(new)
            waiting += new
        return list(needed)

    def _imported(self, name: str) -> list[str]:
        text = self.files[name].content.decode()
        return [self._bare.get(one) or normpath(join(dirname(name), one)) for one in _IMPORT.findall(text)]


def _whole(name: str, contents: dict[str, bytes]) -> bytes:
    """A file's content without its comments and indentation; a style sheet with its imports inlined."""
    if not name.endswith((".css", ".js")):
        return contents[name]
    text = contents[name].decode()
    if name.endswith(".css"):
        text = _STYLE.sub(lambda line: contents[join(dirname(name), line[1])].decode(), text)
    return _INDENT.sub("\n", uncommented(text)).encode()


def uncommented(text: str) -> str:
    """A script or a style sheet without comments on separate lines, which would be a fifth of what is sent.

    What looks like a comment stays after an odd number of backticks, because it may be a part of a text.
    """
    kept, at, ticks = [], 0, 0
    for comment in _COMMENT.finditer(text):
        if comment.start() < at:
            continue
        before = text[at : comment.start()]
        ticks += before.count("`")
        kept.append(before)
        at = comment.end()
        if ticks % 2:
            kept.append(comment[0])
            ticks += comment[0].count("`")
    return "".join([*kept, text[at:]])
