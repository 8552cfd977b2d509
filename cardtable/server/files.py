"""The browser client's files, kept in memory, compressed once: many small modules are asked for at the same time."""

from __future__ import annotations

import gzip
import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

TYPES = {
    ".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html", ".txt": "text/plain"
}  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """A file: as it is, compressed, and what tells its version."""

    plain: bytes
    packed: bytes
    kind: str
    tag: str


@cache
def kept(root: Path) -> dict[str, Kept]:
    """Every file below a folder, by its path; others are not served."""
    found = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and path.suffix in TYPES:
            plain = path.read_bytes()
            tag = f'"{hashlib.sha256(plain).hexdigest()[:24]}"'
            found[path.relative_to(root).as_posix()] = Kept(plain, gzip.compress(plain, 6, mtime=0), TYPES[path.suffix], tag)
    return found


async def send(files: dict[str, Kept], request: Request) -> Response:
    """The file of a path, or that it has not changed. Raises HTTPException (404)."""
    file = files.get(request.path_params["path"])
    if file is None:
        raise HTTPException(404)
    headers = {"etag": file.tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if file.tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(file.packed, headers=headers | {"content-encoding": "gzip"}, media_type=file.kind)
    return Response(file.plain, headers=headers, media_type=file.kind)
