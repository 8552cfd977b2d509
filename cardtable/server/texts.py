"""The catalogues of messages, as the browser is sent them: encoded and compressed once."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from cardtable import languages


@cache
def encoded(code: str) -> tuple[bytes, bytes, str]:
    """A catalogue as JSON, the same compressed, and its ETag. Raises KeyError."""
    plain = msgspec.json.encode(languages.catalogue(code).as_dict())
    return plain, gzip.compress(plain, 6, mtime=0), f'"{hashlib.sha256(plain).hexdigest()[:24]}"'


def send(code: str, request: Request) -> Response:
    """A catalogue, or that it has not changed. Raises KeyError."""
    plain, packed, tag = encoded(code)
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "accept-encoding"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        return Response(packed, headers=headers | {"content-encoding": "gzip"}, media_type="application/json")
    return Response(plain, headers=headers, media_type="application/json")
