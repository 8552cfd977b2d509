"""What a person types at a terminal: lines, and single keys for games whose clock does not wait."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterator

from cardtable.languages import tr

HEARD = 0.1  #: seconds after which a Ctrl-C is heard at the latest


@contextlib.contextmanager
def hearing() -> Iterator[None]:
    """Hear every Ctrl-C. One that comes between the prompt and the wait for a line would only be heard after that line."""
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, lambda *_: None)  # whatever interrupts the wait makes Python look for signals
    signal.setitimer(signal.ITIMER_REAL, HEARD, HEARD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def line(prompt: str) -> str:
    """The line that is typed, without the space around it. Raises EOFError at Ctrl-D, KeyboardInterrupt at Ctrl-C."""
    with hearing():
        return input(prompt).strip()


def yes(text: str) -> bool:
    """Whether an answer is yes, in the language of the terminal or in English, or its first letter."""
    word = text.strip().lower()
    return bool(word) and any(word in (each[:1], each) for each in ("yes", tr("yes").lower()))


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
