"""Single keys, for games whose clock does not wait."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Iterator


@contextlib.contextmanager
def _single_keys(handle: int) -> Iterator[None]:
    """Let the terminal hand over each key at once, unseen; Ctrl-C still interrupts."""
    import termios
    import tty

    before = termios.tcgetattr(handle)
    try:
        tty.setcbreak(handle, termios.TCSADRAIN)  # a key pressed a moment ago counts
        yield
    finally:
        termios.tcsetattr(handle, termios.TCSADRAIN, before)


def key_within(seconds: float, prompt: str) -> str:
    """The key that is pressed within some time at a terminal, or nothing. Raises EOFError at Ctrl-D."""
    handle = sys.stdin.fileno()
    sys.stdout.write(prompt)
    sys.stdout.flush()
    with _single_keys(handle):
        key = os.read(handle, 1) if select.select([handle], [], [], seconds)[0] else None
    sys.stdout.write("\n")
    if key in (b"", b"\x04", b"\x00"):  # Ctrl-D that was pressed before single keys were asked for arrives as NUL
        raise EOFError
    return "" if key is None else key.decode("ascii", "replace")
