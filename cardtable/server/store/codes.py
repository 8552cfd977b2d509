"""The names of tables: unguessable ids, and short codes to read out."""

from __future__ import annotations

import secrets

CODE_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"  #: without I, L, O, which look like other characters


def new_id() -> str:
    """An unguessable id for a table: 128 bits."""
    return secrets.token_urlsafe(16)


def new_code() -> str:
    """A short code to read out: eight letters, one of 78 billion codes."""
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(8))


def code_of(name: str) -> str:
    """A code as it is stored, from how somebody has typed it: in either case, with blanks or hyphens."""
    return "".join(letter for letter in name.upper() if letter.isalnum())
