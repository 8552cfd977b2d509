"""The browser client's files: Starlette's static files, with the media types that browsers insist on, asked for again only when they changed."""

from __future__ import annotations

import mimetypes
import os

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

#: A system's own table may say otherwise, and browsers run no script of another type.
TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
for suffix, kind in TYPES.items():
    mimetypes.add_type(kind, suffix)


#: For routes whose answer is the same for everybody. Answers to one person stay as they are: compressed beside words of others, their
#: length could tell what is in them.
COMPRESSED = Middleware(GZipMiddleware, compresslevel=6)


class Files(StaticFiles):
    """The files of a folder. A browser keeps them, and asks each time whether they are still the same (304)."""

    def file_response(self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200) -> Response:
        """The file, or that it has not changed."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "no-cache"
        return response
