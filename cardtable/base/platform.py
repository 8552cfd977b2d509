"""Platform-dependent functions: locks between processes, single keys, signals, process limits, and the user's
directories.

Each function documents its fallback where the system is not POSIX (Windows). CARDTABLE_PORTABLE=1 selects the
fallbacks on any system, for testing.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import hashlib
import importlib
import math
import os
import re
import signal
import stat
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio
    import socket

#: Whether what POSIX has is there, and is to be used.
POSIX = os.name == "posix" and not os.environ.get("CARDTABLE_PORTABLE")
LOOK = 0.02  #: seconds between two looks for a key where the system cannot wait for one
if POSIX:
    import fcntl
    import resource


def _signals(*names: str) -> tuple[signal.Signals, ...]:
    return tuple(number for name in names if (number := getattr(signal, name, None)) is not None)


#: A closed terminal. Windows sends SIGBREAK for it, and no other system has that.
HANGUP = _signals("SIGHUP", "SIGBREAK") if POSIX else _signals("SIGBREAK")
ENDING = (signal.SIGTERM, *HANGUP)  #: what ends a process: the system, or a closed terminal


# Directories and users


def in_home(path: str) -> Path:
    """Expand a path that may begin with `~`. Raises OSError if the user has no home directory, neither in HOME nor in
    the list of users.
    """
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise FileNotFoundError(errno.ENOENT, "there is no home directory", path) from None


def _user_directory(kind: str, usual: str) -> Path:
    """A user's directory, `cache` or `data`. XDG ignores a path that is not absolute. Raises OSError."""
    if not POSIX:
        import platformdirs

        return Path(getattr(platformdirs, f"user_{kind}_path")("cardtable", appauthor=False))
    given = os.environ.get(f"XDG_{kind.upper()}_HOME", "")
    return (Path(given) if os.path.isabs(given) else in_home(usual)) / "cardtable"


def cache_directory() -> Path:
    """The user's directory for cached files. XDG_CACHE_HOME or ~/.cache; elsewhere the system's own. Raises OSError if
    there is no home directory.
    """
    return _user_directory("cache", "~/.cache")


def data_directory() -> Path:
    """The user's directory for what must be kept. XDG_DATA_HOME or ~/.local/share; elsewhere the system's own.
    Raises OSError if there is no home directory.
    """
    return _user_directory("data", "~/.local/share")


def _opened(path: str | os.PathLike[str]) -> int:
    # Opening a pipe waits unless one asks not to.
    return os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))


def read_file(path: str | os.PathLike[str]) -> bytes:
    """Read a regular file. Raises OSError, also for any other kind of file: reading a pipe would wait for ever."""
    handle = _opened(path)
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", os.fspath(path))
        return file.read()


LARGEST = 256 << 20  #: bytes of a file that is read as a whole
MARK = "\ufeff"  #: the byte order mark, with which editors and shells of Windows begin a file


def text_of(data: bytes) -> str:
    """The text in a file's bytes: UTF-8, or UTF-16 that begins with its mark. The mark and the kind of line ends are no
    part of it. Raises UnicodeDecodeError.
    """
    utf16 = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if utf16 else "utf-8-sig").replace("\r\n", "\n")


def read_named(path: str | os.PathLike[str]) -> bytes:
    """Read a file named by the user: a regular file, or a pipe with a writer, up to LARGEST bytes. Raises OSError, also
    for a pipe without a writer, for which `open` would wait.
    """
    handle = _opened(path)
    if stat.S_ISDIR(os.fstat(handle).st_mode):
        os.close(handle)
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), os.fspath(path))
    with open(handle, "rb") as file:
        data = file.read(1)  # None: there is a writer, who has not written yet
        if data == b"" and stat.S_ISFIFO(os.fstat(handle).st_mode):
            raise OSError(errno.EPIPE, "nothing is written to this pipe", os.fspath(path))
        if POSIX:
            os.set_blocking(handle, True)
        data = (data or b"") + file.read(LARGEST)
    if len(data) > LARGEST:
        raise OSError(errno.EFBIG, "it is larger than 256 MiB", os.fspath(path))
    return data


def read_text(path: str | os.PathLike[str]) -> str:
    """The text in a file named by the user. Raises OSError as `read_named`, UnicodeDecodeError."""
    return text_of(read_named(path))


def user() -> str:
    """A name for this user that can be part of a file's: the number; elsewhere the name."""
    if POSIX:
        return str(os.getuid())
    return re.sub(r"\W", "-", os.environ.get("USERNAME") or os.environ.get("USER") or "user")


def is_mine(about: os.stat_result) -> bool:
    """Whether a file belongs to this user. Fallback: True; there the access lists of the user's directories apply."""
    return not POSIX or about.st_uid == os.geteuid()


def is_unix(bound: socket.socket) -> bool:
    """Whether a socket is one of this machine alone."""
    import socket

    return POSIX and bound.family == socket.AF_UNIX


def only_i_write(about: os.stat_result) -> bool:
    """Whether only this user may write a file. Fallback: True, as in `is_mine`."""
    return not POSIX or (is_mine(about) and not about.st_mode & 0o022)


def others_read(about: os.stat_result) -> bool:
    """Whether other users may read or write a directory of this user's that is not shared on purpose, as /tmp is.
    Elsewhere False, as in `is_mine`.
    """
    return POSIX and is_mine(about) and bool(about.st_mode & 0o077) and not about.st_mode & stat.S_ISVTX


# Locks


class Locks:
    """Locks between processes, by name. A process releases its locks when it ends, however it ends.

    They are bytes of one file; the fallback is a separate file for each, locked by filelock.
    """

    def __init__(self, directory: Path) -> None:
        """directory: of their files. Raises OSError if it cannot be written to."""
        if POSIX:
            # It stays open: a process that closes it gives up all its locks. Opening a pipe must not wait.
            self._file = os.open(directory / "locks", os.O_WRONLY | os.O_CREAT | os.O_NONBLOCK, 0o644)
        else:
            self._held = directory / "held"
            self._held.mkdir(exist_ok=True)
            with tempfile.TemporaryFile(dir=self._held):
                pass

    @contextlib.contextmanager
    def hold(self, name: str) -> Iterator[None]:
        """Wait for the lock `name` and hold it. Not reentrant."""
        digest = hashlib.sha256(name.encode()).digest()[:7]
        if not POSIX:
            from filelock import FileLock

            with FileLock(self._held / f"{digest.hex()}.lock"):
                yield
            return
        byte = int.from_bytes(digest, "big")
        fcntl.lockf(self._file, fcntl.LOCK_EX, 1, byte)
        try:
            yield
        finally:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, byte)


@contextlib.contextmanager
def alone(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold a file exclusively within the context; it contains this process's number. The end of the process releases
    it, however it ends; the file stays.

    Raises BlockingIOError, with that number, if another process holds it; OSError if it cannot be created.
    """
    if not POSIX:
        from filelock import FileLock, Timeout

        try:
            with FileLock(path, timeout=0):
                yield
        except Timeout:
            raise BlockingIOError(errno.EAGAIN, "another process") from None
        return
    with open(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o600), "r+", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BlockingIOError(errno.EAGAIN, f"process {file.read(20).strip() or '?'}") from None
        file.truncate()
        file.write(f"{os.getpid()}\n")
        file.flush()
        yield


# The terminal


def edit_lines() -> None:
    """Enable line editing and history for input. Fallback: the terminal does so."""
    if POSIX:
        with contextlib.suppress(ImportError):  # Python can be built without it
            import readline  # noqa: F401


@contextlib.contextmanager
def hearing(every: float) -> Iterator[None]:
    """Notice signals at least at this interval in seconds while waiting for a line.

    Without this, a signal between the prompt and the wait is only noticed after that line. Fallback: none; there
    Ctrl-C ends the wait for a line.
    """
    if not POSIX:
        yield
        return
    # any signal that interrupts the wait makes Python handle the others
    before = signal.signal(signal.SIGALRM, lambda *_: None)
    signal.setitimer(signal.ITIMER_REAL, every, every)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def key_within(handle: int, seconds: float) -> str | None:
    """Return the key pressed at a terminal within some time; None without one; "" at the end of the input.

    handle: the terminal's file descriptor. Keys are not echoed. Fallback: Windows' console; the first part of a
    two-part key represents it.
    """
    if not POSIX:
        return _console_key(seconds)
    import select

    with _single_keys(handle):
        key = os.read(handle, 1) if select.select([handle], [], [], seconds)[0] else None
    if key in (b"", b"\x04", b"\x00"):  # a Ctrl-D that was pressed before single keys were switched on arrives as NUL
        return ""
    return None if key is None else key.decode("ascii", "replace")


@contextlib.contextmanager
def _single_keys(handle: int) -> Iterator[None]:
    """Make the terminal pass on each key at once and without echo; Ctrl-C still interrupts."""
    import termios
    import tty

    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)  # keeps a key pressed a moment ago
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def _console_key(seconds: float) -> str | None:
    """As `key_within`, from Windows' console. Raises KeyboardInterrupt at Ctrl-C, which is a key there."""
    console: Any = importlib.import_module("msvcrt")
    until = time.monotonic() + seconds
    while not console.kbhit():
        remaining = until - time.monotonic()
        if remaining <= 0:
            return None
        time.sleep(min(LOOK, remaining))
    key = str(console.getwch())
    if key in ("\x00", "\xe0"):  # an arrow or the like: its second part follows
        console.getwch()
    if key == "\x03":
        raise KeyboardInterrupt
    return "" if key in ("\x04", "\x1a") else key


# Signals


def at_hangup(handle: Callable[..., object]) -> None:
    """Call `handle` when the terminal is closed, unless that is ignored (nohup)."""
    for number in HANGUP:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, handle)


def at_restart(handle: Callable[..., object]) -> None:
    """Call `handle` at SIGUSR1, which requests a rolling restart. Fallback: no restart can be requested."""
    if POSIX:
        signal.signal(signal.SIGUSR1, handle)


def hear(
    loop: asyncio.AbstractEventLoop, number: signal.Signals, handle: Callable[..., object], *given: object
) -> None:
    """Call `handle` in an event loop at a signal. Raises RuntimeError, ValueError in a thread that gets none."""
    if POSIX:
        loop.add_signal_handler(number, handle, *given)
    else:
        signal.signal(number, lambda *_: loop.call_soon_threadsafe(handle, *given))


# Limits of this process


def memory_of(process: int) -> int:
    """The memory of a process in bytes; 0 if unknown."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        return int(Path(f"/proc/{process}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def children_of(process: int) -> list[int]:
    """The running child processes of a process; none if unknown."""
    children: list[int] = []
    for thread in Path(f"/proc/{process}/task").glob("*/children"):
        with contextlib.suppress(OSError):  # it has just ended
            children += map(int, thread.read_text("ascii").split())
    return children


def process_behind(line: socket.socket) -> int:
    """The process at the other end of a local socket; 0 if unknown."""
    import socket
    import struct

    if not hasattr(socket, "SO_PEERCRED"):
        return 0
    with contextlib.suppress(OSError):
        return int(struct.unpack("3i", line.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0])
    return 0


def open_files_limit() -> float:
    """How many files this process may have open; infinite where no limit is known."""
    if not POSIX:
        return math.inf
    soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return math.inf if soft == resource.RLIM_INFINITY else soft


def raise_open_files(most: int) -> None:
    """Raise the limit of open files to at least `most`, as far as the system allows."""
    if not POSIX:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = most if hard == resource.RLIM_INFINITY else min(most, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def limit_memory(most: int | None) -> None:
    """Limit the memory of this process to a number of bytes, or (None) to the usual limit.

    Nothing changes where the system has no such limit or allows less.
    """
    if not POSIX:
        return
    with contextlib.suppress(OSError, ValueError):
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard if most is None else most, hard))


_end: list[threading.Timer] = []  #: the timer that ends this process, at most one


def end_after(seconds: float) -> None:
    """Kill this process after some seconds; 0: never, which cancels an earlier call.

    By SIGALRM; the fallback is a thread, which has to wait for code that never gives Python a turn.
    """
    if POSIX:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        return
    while _end:
        _end.pop().cancel()
    if seconds:
        timer = threading.Timer(seconds, os._exit, (1,))
        timer.daemon = True
        timer.start()
        _end.append(timer)


def give_way(niceness: int) -> None:
    """Lower this process's priority, and write no core file. Fallback: nothing changes."""
    if POSIX:
        with contextlib.suppress(OSError):
            os.nice(niceness)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def seconds_of_children() -> float:
    """Seconds of processor time that child processes which have ended took in all; elsewhere seconds of the clock,
    so that differences are still useful.
    """
    if not POSIX:
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# Sockets


def local_socket() -> socket.socket:
    """A Unix socket, by which processes of one machine reach each other. Raises OSError where there are none."""
    if not POSIX:
        raise OSError(errno.EAFNOSUPPORT, "this system has no Unix sockets")
    import socket

    return socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
