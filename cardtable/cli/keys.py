"""What a person types at a terminal: lines, and single keys for games whose clock does not wait."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterator

from cardtable.languages import tr
from cardtable.message import Message

HEARD = 0.1  #: most seconds until a Ctrl-C is noticed


@contextlib.contextmanager
def hearing() -> Iterator[None]:
    """Notice every Ctrl-C soon.

    Without this, one between the prompt and the wait for a line is only noticed after that line.
    """
    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(
        signal.SIGALRM, lambda *_: None
    )  # any signal that interrupts the wait makes Python handle the others
    signal.setitimer(signal.ITIMER_REAL, HEARD, HEARD)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def line(prompt: str) -> str:
    """The line that is typed, without surrounding blanks. Raises EOFError at Ctrl-D, KeyboardInterrupt at Ctrl-C."""
    with hearing():
        return input(prompt).strip()


def asked(question: Message) -> str:
    """A question with the answers yes or no."""
    return tr("{question} yes or no", question=question)


def yes(text: str) -> bool:
    """Whether an answer is yes, in the language of the terminal or in English, or its first letter."""
    word = text.strip().lower()
    return bool(word) and any(word in (each[:1], each) for each in ("yes", tr("yes").lower()))


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


def key_within(seconds: float, prompt: str) -> str:
    """The key that is pressed within some time at a terminal, or nothing. Raises EOFError at Ctrl-D."""
    handle = sys.stdin.fileno()
    sys.stdout.write(prompt)
    sys.stdout.flush()
    with _single_keys(handle):
        key = os.read(handle, 1) if select.select([handle], [], [], seconds)[0] else None
    sys.stdout.write("\n")
    if key in (b"", b"\x04", b"\x00"):  # a Ctrl-D that was pressed before single keys were switched on arrives as NUL
        raise EOFError
    return "" if key is None else key.decode("ascii", "replace")
