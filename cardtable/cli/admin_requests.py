"""Requests to the operator's part of a server's API, with the operator's token."""

from __future__ import annotations

import http.client
import ipaddress
import json
import os
import socket
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cardtable.base import platform
from cardtable.base.errors import CardtableError
from cardtable.base.message import Message, from_data
from cardtable.cli.saves import directory
from cardtable.server.net.listening import HOST, PORT, UNIX

PATIENCE = 60.0  #: seconds for an answer


class OperatorError(CardtableError):
    """A server cannot be reached, or refuses the operator's request."""

    code, exit_code = "operator/server", 3


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token is for the server that was named, and no other."""

    def redirect_request(self, *_: Any) -> None:
        return None


class _ByPath(urllib.request.HTTPHandler):
    """Connects to a server at its Unix socket, whatever the address."""

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path

    def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
        """Send a request."""
        path = self._path

        class Line(http.client.HTTPConnection):
            def connect(self) -> None:
                self.sock = platform.local_socket()
                self.sock.settimeout(PATIENCE)
                self.sock.connect(path)

        return self.do_open(Line, request)


@dataclass(frozen=True)
class OperatorClient:
    """A server, and the operator's token for it."""

    url: str
    token: str

    @classmethod
    def of(cls, url: str, token_file: Path | None) -> OperatorClient:
        """The server at an address, with the token from a file (default: in the data directory).

        Raises OperatorError.
        """
        from cardtable.server.people import admin_token

        what = Message("the address {url}", url=url)
        no_address = OperatorError(
            what, Message("it is not the address of a server"), Message("write http://… or https://…")
        )
        try:
            parsed = urllib.parse.urlsplit(url)
        except ValueError:
            raise no_address from None
        if url.startswith(UNIX) and platform.POSIX:
            pass
        elif parsed.scheme not in ("http", "https") or not parsed.hostname:
            raise no_address
        elif parsed.scheme == "http" and not _is_here(parsed.hostname):
            why = Message("over plain HTTP others could read the operator's token")
            raise OperatorError(what, why, Message("use https://, or run the command on the server's machine"))
        path = token_file or admin_token.path_in(directory())
        what = Message("the operator's token in {file}", file=str(path))
        try:
            return cls(url.rstrip("/"), admin_token.read(path))
        except FileNotFoundError:
            why = Message("there is no such file")
            can = Message("the server makes it when it starts, in its data directory: name it with --token-file")
            raise OperatorError(what, why, can) from None
        except admin_token.BadToken as error:
            raise OperatorError(what, error.why) from None
        except OSError as error:
            raise OperatorError(what, error.strerror or str(error)) from None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """The answer to a request. Raises OperatorError."""
        handlers: list[Any] = [_NoRedirect()]
        base = self.url
        here = base.startswith(UNIX) or _is_here(urllib.parse.urlsplit(base).hostname or "")
        if here:
            handlers.append(urllib.request.ProxyHandler({}))  # a proxy cannot reach this machine
        if base.startswith(UNIX):  # as nginx writes it: the path of the socket, and the site's path after a colon
            socket_at, _, prefix = base.removeprefix(UNIX).partition(":")
            handlers.append(_ByPath(socket_at))
            base = f"http://localhost{prefix}"
        headers = {"Authorization": f"Bearer {self.token}"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(base + path, data, headers, method=method)
        try:
            with urllib.request.build_opener(*handlers).open(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                raise _refused(error.code, error.read().decode(errors="replace")) from None
        except (OSError, http.client.HTTPException, ValueError) as error:
            reason = getattr(error, "reason", error)
            why = Message("it does not answer ({why})", why=getattr(reason, "strerror", None) or str(reason))
            can = Message("start it with `cardtable serve`, or name another one with --url")
            raise OperatorError(Message("the server at {url}", url=self.url), why, can) from None


def usual_url() -> str:
    """The address of the server on this machine."""
    return f"http://{HOST}:{os.environ.get('CARDTABLE_PORT', '').strip() or PORT}"


def part(name: str) -> str:
    """A name as a part of an address."""
    return urllib.parse.quote(name, safe="")


def _is_here(host: str) -> bool:
    """Whether a host is this machine: `localhost`, or one of its addresses."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
        if address.is_loopback:
            return True
        family = socket.AF_INET if address.version == 4 else socket.AF_INET6
        with socket.socket(family, socket.SOCK_DGRAM) as asking:
            # sends nothing; only for an own address is the source address the same
            asking.connect((host, 9))
            return ipaddress.ip_address(asking.getsockname()[0]) == address
    except (ValueError, OSError):
        return False


def _refused(status: int, text: str) -> OperatorError:
    """A server's refusal as an error."""
    try:
        error = json.loads(text)["error"]
        if error.get("message"):
            return OperatorError(_whole(from_data(error["message"])), code=str(error["code"]))
        return OperatorError(*(str(error[name]) for name in ("what", "why", "can")), code=str(error["code"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        why = Message("it answers with {status}", status=status)
        return OperatorError(Message("this request"), why, Message("check --url"))


def _whole(value: Any) -> Message:
    return value if isinstance(value, Message) else Message("{text}", text=value)
