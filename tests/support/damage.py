"""What can happen to a file behind a program's back: a power cut, a full disk, an editor, a slip of the hand."""

from __future__ import annotations

import contextlib
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path


def _other_bit(path: Path) -> bytes:
    """What the file holds, with one bit of its middle changed."""
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    return bytes(data)


def _instead(path: Path, make: Callable[[Path], object]) -> None:
    path.unlink()
    make(path)


#: Each changes one file; afterwards it cannot be read as what it was.
LOST: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
    "cut by a byte": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "garbage": lambda path: path.write_bytes(bytes(range(256)) * 4),
    "one bit": lambda path: path.write_bytes(_other_bit(path)),
    "text": lambda path: path.write_text("cat: write error: No space left on device\n", "utf-8"),
    "a dead link": lambda path: _instead(path, lambda place: place.symlink_to("nowhere")),
    "a link to itself": lambda path: _instead(path, lambda place: place.symlink_to(place.name)),
    "a pipe": lambda path: _instead(path, os.mkfifo),
    "a directory": lambda path: _instead(path, Path.mkdir),
    "a directory with a file": lambda path: _instead(path, lambda place: (place / "a").mkdir(parents=True)),
}


def swap(one: Path, other: Path) -> None:
    aside = one.with_name("aside")
    one.rename(aside)
    other.rename(one)
    aside.rename(other)


#: Each changes the form of a text file, and nothing of what it says.
KEPT: dict[str, Callable[[bytes], bytes]] = {
    "a byte order mark": lambda text: b"\xef\xbb\xbf" + text,
    "line ends of Windows": lambda text: text.replace(b"\n", b"\r\n"),
    "both": lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"),
    "no line end at the end": lambda text: text.rstrip(b"\n"),
}


def remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


@contextlib.contextmanager
def full_disk() -> Iterator[None]:
    """Within the context this process can write no byte to any file, as on a full disk: files can be made, and stay
    empty. The errors are "File too large" instead of "No space left on device".
    """
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
