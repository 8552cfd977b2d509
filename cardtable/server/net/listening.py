"""Where a server listens: at a port, at a Unix socket, or at a socket that the service manager has opened."""

from __future__ import annotations

import contextlib
import http.client
import os
import socket
import stat
from collections.abc import Iterator, MutableMapping

from cardtable.base import platform
from cardtable.base.errors import CardtableError
from cardtable.base.message import Message

HOST, PORT = "127.0.0.1", 8517
ANYWHERE = ("0.0.0.0", "::")  #: hosts that mean all addresses of this machine
UNIX = "unix:"  #: before the path of a Unix socket, as nginx and gunicorn write it
FIRST = 3  #: the first file descriptor that a service manager passes on


class ListenError(CardtableError):
    """A server cannot listen there."""

    code, exit_code = "server/start", 3


def path_of(host: str) -> str:
    """The path of a Unix socket given instead of a host: `/PATH` or `unix:/PATH`; "" for any other host."""
    return host.removeprefix(UNIX) if host.startswith((UNIX, "/")) else ""


@contextlib.contextmanager
def at_path(path: str) -> Iterator[socket.socket]:
    """A socket bound to a path, which is removed afterwards. Access to the directory permits connecting, as with
    other web servers. Raises ListenError.
    """
    what = Message("listening at {address}", address=f"{UNIX}{path}")
    if not platform.POSIX:
        raise ListenError(what, Message("this system has no Unix sockets"), Message("name another --host"))
    bound = platform.local_socket()
    try:
        _clear(path, what)
        bound.bind(path)
        os.chmod(path, 0o666)
        ours = os.stat(path).st_ino
    except OSError as error:
        bound.close()
        raise ListenError(what, error.strerror or str(error), Message("name another path")) from None
    except BaseException:
        bound.close()
        raise
    try:
        yield bound
    finally:
        bound.close()
        with contextlib.suppress(OSError):
            if os.stat(path).st_ino == ours:
                os.unlink(path)


def _clear(path: str, what: Message) -> None:
    """Remove a socket without a listener. Raises ListenError if something else is there, and OSError."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISSOCK(os.stat(path).st_mode):
            raise ListenError(what, Message("there is a file that is not a socket"), Message("name another path"))
        if not remove_unused(path):
            raise ListenError(what, Message("another program uses it"), Message("stop that one, or name another path"))


def remove_unused(path: str) -> bool:
    """Remove a Unix socket without a listener; return whether it was one. Raises OSError."""
    with platform.local_socket() as asking:
        asking.settimeout(1.0)
        try:
            asking.connect(path)
        except ConnectionRefusedError:
            os.unlink(path)
            return True
        except (BlockingIOError, TimeoutError):  # the listener is busy
            pass
    return False


def passed_on(environment: MutableMapping[str, str], process: int) -> socket.socket | None:
    """The socket that the service manager has opened for this process (systemd's socket activation); None: there is
    none. It stays open there, so clients that connect during a restart only wait.

    environment: LISTEN_PID and LISTEN_FDS, which are removed from it, so that no other process uses the socket;
    process: the number of this process. Raises ListenError.
    """
    given = {name: environment.pop(name, "") for name in ("LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES")}
    if given["LISTEN_PID"] != str(process) or given["LISTEN_FDS"] in ("", "0"):
        return None
    what = Message("listening at the socket of the service manager")
    if given["LISTEN_FDS"] != "1":
        why = Message("it passes on {n}", n=given["LISTEN_FDS"][:20])
        raise ListenError(what, why, Message("keep one line ListenStream in the socket's unit"))
    try:
        bound = socket.socket(fileno=FIRST)
    except OSError as error:
        raise ListenError(what, error.strerror or str(error)) from None
    if bound.type != socket.SOCK_STREAM or not bound.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
        bound.detach()
        why = Message("it takes no connections")
        raise ListenError(what, why, Message("write ListenStream and Accept=no into the socket's unit"))
    bound.set_inheritable(False)
    return bound


def listen(host: str, port: int) -> socket.socket:
    """A socket bound to an address of this machine. port: 0 takes any free one. Raises OSError."""
    family, kind, _, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    bound = socket.socket(family, kind)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(place)
    except OSError:
        bound.close()
        raise
    return bound


def addresses(bound: socket.socket, prefix: str = "") -> list[str]:
    """The URLs of a site at a bound socket, below a path.

    If it listens on all addresses: first the one for other machines, then the one for this machine. A Unix socket has
    no URL: `unix:` and its path.
    """
    if platform.is_unix(bound):
        return [f"{UNIX}{bound.getsockname()}"]
    host, port = bound.getsockname()[:2]
    hosts = [host]
    if host in ANYWHERE:
        outside = _outside(bound.family)
        hosts = [*([outside] if outside else []), "::1" if bound.family == socket.AF_INET6 else "127.0.0.1"]
    return [f"http://{f'[{name}]' if ':' in name else name}:{port}{prefix}/" for name in hosts]


def _outside(family: int) -> str:
    """This machine's address in its network, "" if it has none. Nothing is sent."""
    somewhere = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"  # addresses reserved for documentation
    with contextlib.suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.connect((somewhere, 9))
        address = str(probe.getsockname()[0])
        return "" if address.startswith(("127.", "fe80:")) or address == "::1" else address
    return ""


def is_cardtable(address: str) -> bool:
    """Whether a Cardtable answers at an address of this machine."""
    import json
    import urllib.error
    import urllib.request

    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # a proxy cannot reach this machine
    try:
        with direct.open(f"{address}api/games", timeout=2.0) as answer:
            return bool(json.load(answer)["games"])
    except urllib.error.HTTPError as error:
        error.close()
        return False
    except (OSError, http.client.HTTPException, ValueError, LookupError, TypeError):
        return False
