"""The host names of the server.

A page of another site could make its own name resolve to this machine (DNS rebinding); the browser then treats the
server as part of that site. So requests must name this machine, an IP address, or a name from the settings. IP
addresses are safe: other sites cannot redirect them.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable

_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[^:\[\]]+))(?::\d{0,5})?")
_LABEL = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9])?"
_NAME = re.compile(rf"{_LABEL}(?:\.{_LABEL})*\.?")


class Hosts:
    """The host names of a server."""

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        """allowed: names in addition to those of this machine."""
        self._names = {_plain(name) for name in (*own_names(), *allowed)}

    def allows(self, host: str | None) -> bool:
        """Whether a `Host` header names this server; None: there is no header, as never from a browser."""
        if host is None:
            return True
        match = _HOST.fullmatch(host)
        if match is None:
            return False
        if match["address"]:
            return is_address(match["address"])
        return _plain(match["name"]) in self._names or is_address(match["name"])


def own_names() -> list[str]:
    """The names of this machine that need no DNS: its own, without and with `.local`, and localhost."""
    name = socket.gethostname()
    first = name.partition(".")[0]
    return ["localhost", name, first, f"{first}.local"] if first else ["localhost"]


def is_address(word: str) -> bool:
    """Whether a word is an IP address."""
    try:
        ipaddress.ip_address(word)
    except ValueError:
        return False
    return True


def is_name(word: str) -> bool:
    """Whether a word may be the name of a host, without scheme and port."""
    return len(word) <= 253 and bool(_NAME.fullmatch(word))


def _plain(name: str) -> str:
    return name.lower().removesuffix(".")
