"""Names of people: validity, and similarity of two names.

Two names look alike if they have the same skeleton (Unicode Technical Standard 39): each letter is replaced by the
one that it can be mistaken for, so that a Cyrillic or a full-width A is an A. A few names are reserved, because their
bearer could speak as the program, or as the reader.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import zip_longest
from string import digits

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message
from cardtable.table.setup import LONGEST_NAME, clean

#: names of the program, its operator and its bots, and forms of address, in each of its languages
RESERVED = """
    you yourself server cardtable operator administrator admin moderator system bot robot deletedplayer
    du dich dir sie betreiber betreiberin administratorin moderatorin
    vous toi tu serveur opérateur opératrice exploitant administrateur administratrice modérateur modératrice système
    tú usted ustedes vosotros servidor operador operadora administrador administradora moderador moderadora sistema
    voi operatore operatrice gestore amministratore amministratrice moderatore moderatrice
"""
#: words with which a reserved name is still the same
ARTICLES = "the a der die das ein eine le la les l un une el los las il lo i gli"


class BadName(CardtableError):
    """A name that is not allowed."""

    code, exit_code = "table/name", 2


def checked_name(name: str, what: Message, longest: int = LONGEST_NAME, reserved: bool = True) -> str:
    """A name on one line, as it is shown; "" if there is none. Raises BadName if a letter of it cannot be shown, if it
    is longer than `longest`, or (with `reserved`) if it is reserved.
    """
    given = unicodedata.normalize("NFC", " ".join(name.split()))
    plain = clean(given, max(longest, len(given)))
    can = Message("choose another name")
    if plain != given:
        start = next(i for i, (one, other) in enumerate(zip_longest(given, plain)) if one != other)
        letter = given[start:].lstrip()[0]
        raise BadName(what, Message("the letter {letter} cannot be shown in a name", letter=_called(letter)), can)
    if len(plain) > longest:
        raise BadName(what, Message("a name has at most {n} letters", n=longest), can)
    if reserved and is_reserved(plain):
        why = Message("{name} is what the server calls itself, its operator, its bots or you", name=plain)
        raise BadName(what, why, can)
    return plain


def _called(letter: str) -> str:
    """What Unicode calls a letter: `U+202E RIGHT-TO-LEFT OVERRIDE`."""
    return f"U+{ord(letter):04X} {unicodedata.name(letter, '')}".strip()


def is_reserved(name: str) -> bool:
    """Whether a name could be taken for the program's own, whatever its letters, marks, signs and numbers."""
    words = [word for word in re.findall(r"[^\W_]+", _bare(name)) if not word.isdigit()]
    reserved, articles = _alike(RESERVED), _alike(ARTICLES)
    whole = "".join(words)
    if looks(whole) & reserved or looks(whole.rstrip(digits)) & reserved:
        return True
    others = [keys for keys in map(looks, words) if not keys & articles]
    return bool(others) and all(keys & reserved for keys in others)


@cache
def _alike(words: str) -> frozenset[str]:
    """What words look like without their marks."""
    return frozenset(key for word in words.split() for key in looks(_bare(word)))


def _bare(text: str) -> str:
    """A text without marks."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.category(c) not in ("Mn", "Me"))


def apart(name: str, others: Iterable[str]) -> str:
    """A name that looks like none of the others: with a number behind it if that is necessary."""
    taken = {key for other in others for key in looks(other)}
    full, k = name, 2
    while looks(full) & taken:
        full, k = f"{name[: LONGEST_NAME - 3]} {k}", k + 1
    return full


def looks(name: str) -> frozenset[str]:
    """The skeletons of a name, as written and in lower case: two names look alike if they share one of these.

    Both are needed: I can be mistaken for l, and i for neither.
    """
    text = unicodedata.normalize("NFKC", name)
    return frozenset((skeleton(text).casefold(), skeleton(text.casefold()).casefold()))


def skeleton(text: str) -> str:
    """A text in which each letter is replaced by the one that it can be mistaken for."""
    prototypes = _prototypes()
    letters = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFD", "".join(prototypes.get(letter, letter) for letter in letters))


@cache
def _prototypes() -> dict[str, str]:
    """The letter, or letters, that each letter can be mistaken for.

    The library lists pairs both ways: a letter has one entry, its prototype; and a prototype one for each of its
    letters. Where both have one, it does not matter which is which, unless one of them is several letters.
    """
    from confusable_homoglyphs.confusables import confusables_data  # takes 40 ms and 15 MB

    lookalikes = {}
    for letter, pairs in confusables_data.items():
        other = pairs[0]["c"]
        mutual = len(confusables_data.get(other, ())) == 1
        if len(letter) == len(pairs) == 1 and not (mutual and (len(other), other) < (1, letter)):
            lookalikes[letter] = "".join(c for c in other if c.isprintable())
    return lookalikes
