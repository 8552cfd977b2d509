"""The browser client's files: Starlette's static files, with the media types that browsers require; sent again only if
they changed.
"""

from __future__ import annotations

import mimetypes
import os

from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

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


class Files(StaticFiles):
    """The files of a folder. A browser caches them, and asks each time whether they have changed (304: no)."""

    def file_response(
        self, full_path: str | os.PathLike[str], stat_result: os.stat_result, scope: Scope, status_code: int = 200
    ) -> Response:
        """The file, or the answer that it has not changed."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        response.headers["cache-control"] = "no-cache"
        return response
