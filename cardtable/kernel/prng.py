"""The random source: xoshiro256** on four words inside the state, each deal's words derived from the match's seed.

The same words give the same numbers, compiled or plain, on every platform.

* A **seed** is a number or a word; its SHA-256 is the match's key (`seed`).
* **Deal k** has its own words, Threefish-256 of (key; k) (`derive`; Ferguson et al. 2010, "The Skein hash function
  family"): deal 1234 does not need the 1233 before it, threads do not matter, and hands shown in one deal reveal
  nothing about another.
* Within a deal numbers come from **xoshiro256**\\*\\* (`next64`; Blackman and Vigna 2018). It is not
* cryptographically secure: the rest of a deal can be predicted from enough of its numbers, so `redact` erases the
* words.
* **Erased words** (all zero) would give zeros for ever, so `below` and `unit` replace them with fixed ones. A redacted
  state therefore always draws the same numbers, until its words are set.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardtable.base.errors import OptionError
from cardtable.kernel.compile import rule, scripted

Words: TypeAlias = NDArray[np.uint64]  #: four words, from which chance comes
U = np.uint64
ZERO, FIVE, SEVEN, NINE, ELEVEN, SEVENTEEN, HALF, FORTYFIVE, SIXTYFOUR = (
    U(0),
    U(5),
    U(7),
    U(9),
    U(11),
    U(17),
    U(32),
    U(45),
    U(64),
)
PARITY = U(0x1BD11BDAA9FC1A22)  # Threefish's key-schedule constant
TURNS = np.array([[14, 16], [52, 57], [23, 40], [5, 37], [25, 33], [46, 12], [58, 22], [32, 32]], np.uint64)


def key_of(seed: int | str | bytes) -> Words:
    """The four words (uint64) of a seed: the SHA-256 of a number's or word's text, or of a secret's bytes.

    Text is stripped of outer blanks, so 7, "7" and " 7 " are one seed. `7, match 12` is match 12 of a study of seed 7.
    Raises OptionError for text with half a pair of surrogates, which is no text.
    """
    if not isinstance(seed, bytes):
        text = str(seed).strip()
        if match := _MATCH.fullmatch(text):
            words = np.zeros(4, np.uint64)
            derive(words, key_of(match[1]), int(match[2]), MATCH)
            return words
        try:
            seed = text.encode()
        except UnicodeEncodeError:  # of a command line, or of a program
            raise OptionError(f"seed {text!r}", "it is not UTF-8 text", "give a number or a word") from None
    return np.frombuffer(hashlib.sha256(seed).digest(), "<u8").copy()


def match_seed(seed: int | str, number: int) -> str:
    """The seed of match `number` of a study of this seed, as text for `key_of`."""
    return f"{str(seed).strip()}, match {number}"


_MATCH = re.compile(r"(.*\S), match ([0-9]{1,15})", re.DOTALL)


@rule
def rotl(x: Any, k: Any) -> Any:
    """x with its bits rotated left by k places (0 < k < 64)."""
    return (x << k) | (x >> (SIXTYFOUR - k))


@rule
def encrypt(k0: Any, k1: Any, k2: Any, k3: Any, number: int, role: int) -> Any:
    """Threefish-256 of the block (number, 0, 0, 0) under a key of four words and the tweak (role, 0): four words."""
    k4 = PARITY ^ k0 ^ k1 ^ k2 ^ k3
    t0, t1, t2 = U(role), U(0), U(role)
    a, b, c, d = U(number), U(0), U(0), U(0)
    for n in range(19):  # a subkey, then four rounds; it ends with the nineteenth subkey
        a += k0
        b += k1 + t0
        c += k2 + t1
        d += k3 + U(n)
        if n == 18:
            break
        k0, k1, k2, k3, k4 = k1, k2, k3, k4, k0
        t0, t1, t2 = t1, t2, t0
        for r in range(n % 2 * 4, n % 2 * 4 + 4):
            a += b
            b = rotl(b, TURNS[r, 0]) ^ a
            c += d
            d = rotl(d, TURNS[r, 1]) ^ c
            b, d = d, b
    return a, b, c, d


DEAL, MATCH, BOT = 0, 1, 2  # what derived words are for: a deal of a match, a match of a study, a bot's thinking


@rule
def derive(words: Any, key: Any, number: int, role: int) -> None:
    """Write the words of `number` (>= 0) under `key` for `role` (DEAL, MATCH, BOT); deal 0 is the opening ceremony."""
    words[0], words[1], words[2], words[3] = encrypt(key[0], key[1], key[2], key[3], number, role)


@rule
def next64(w: Any) -> Any:
    """The next 64 random bits, as uint64. All operands are uint64: mixed with int64, Numba would make floats."""
    result = rotl(w[1] * FIVE, SEVEN) * NINE
    t = w[1] << SEVENTEEN
    w[2] ^= w[0]
    w[3] ^= w[1]
    w[1] ^= w[2]
    w[0] ^= w[3]
    w[2] ^= t
    w[3] = rotl(w[3], FORTYFIVE)
    return result


@rule
def revive(w: Any) -> Any:
    """Replace erased words with fixed ones; leave others as they are. Return the next 64 bits."""
    if w[0] | w[1] | w[2] | w[3] == ZERO:
        w[0], w[1], w[2], w[3] = PARITY, FIVE, SEVEN, NINE
        for _ in range(16):  # xoshiro needs some steps to mix words that are mostly zeros
            next64(w)
    return next64(w)


@scripted
@rule
def below(w: Any, n: int) -> int:
    """A uniform integer in 0 ... n-1, 1 <= n < 2**31, exactly (Lemire 2019, on the upper 32 bits)."""
    m = np.int64(next64(w) >> HALF) * n
    if m & 0xFFFFFFFF < n:  # rare, unless the words were erased
        if m == 0 and w[0] | w[1] | w[2] | w[3] == ZERO:
            m = np.int64(revive(w) >> HALF) * n
        threshold = 0x1_0000_0000 % n
        while m & 0xFFFFFFFF < threshold:
            m = np.int64(next64(w) >> HALF) * n
    return int(m >> 32)


@rule
def unit(w: Any) -> float:
    """A uniform float in [0, 1) with 53 bits."""
    bits = next64(w)
    if bits == ZERO:
        bits = revive(w)
    return float(np.int64(bits >> ELEVEN)) * 2.0**-53


@scripted
@rule
def shuffle(w: Any, pack: Any, n: int) -> None:
    """Put the first n entries in a uniformly random order (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(w, i + 1)
        pack[i], pack[j] = pack[j], pack[i]


@scripted
@rule
def shuffle_stock(w: Any, stock: Any, n: int) -> None:
    """Shuffle a stock of n cards whose top card is the last entry."""
    shuffle(w, stock, n)
