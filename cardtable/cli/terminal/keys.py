"""Keyboard input at a terminal: lines, and single keys for real-time games."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager

from cardtable.base import platform
from cardtable.base.languages import tr
from cardtable.base.message import Message

HEARD = 0.1  #: most seconds until a Ctrl-C is noticed


def hearing() -> AbstractContextManager[None]:
    """Notice every Ctrl-C soon while a line is waited for."""
    return platform.hearing(HEARD)


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


def key_within(seconds: float, prompt: str) -> str:
    """The key that is pressed within some time at a terminal, or nothing. Raises EOFError at Ctrl-D."""
    sys.stdout.write(prompt)
    sys.stdout.flush()
    key = platform.key_within(sys.stdin.fileno(), seconds)
    sys.stdout.write("\n")
    if key == "":
        raise EOFError
    return key or ""
