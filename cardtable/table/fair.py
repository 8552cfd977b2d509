"""The proof of the shuffle: the server commits to it before the first card, the seats add chance, and anyone can check
it after the match.

A new table draws one secret and hashes it repeatedly: the secret of match n is its (LINKS - n)-fold SHA-256, so the
secret of each match is the hash of the next one's. Each match's **commitment** is the SHA-256 of its secret. The
commitment to the first match, which also binds all later ones, is shown before anybody sits down. The match's seed is
HMAC-SHA256(secret; table, number of the match, the seats' entropy in seat order). The seats commit to their entropy
before any of it is shown (`cardtable.table.shuffling`), so neither the server nor a seat can choose the cards, not even
both together if one other seat takes part. The secret is shown when the match is over, and kept in its record.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from cardtable.base.errors import RecordError
from cardtable.base.message import Message, Seat
from cardtable.match.match import Record

LINKS = 100  #: matches that one table can play
#: the number of a match in a record is smaller than this, independent of LINKS at that time
MOST_MATCHES = 1 << 31
UNTRUSTED = Message("do not trust this deal")
INCOMPLETE = Message("get the whole file")


def new_secret() -> str:
    """The last link of a table's chain: 256 random bits, as hexadecimal digits."""
    return secrets.token_hex(32)


@lru_cache(8192)  # a table needs that of its match for every message
def secret_of(last: str, match: int) -> str:
    """The secret of a table's match number `match` (1 to LINKS)."""
    if not 1 <= match <= LINKS:
        raise ValueError(f"match {match} of {LINKS}")
    link = bytes.fromhex(last)
    for _ in range(LINKS - match):
        link = hashlib.sha256(link).digest()
    return link.hex()


@lru_cache(8192)
def commitment(secret: str) -> str:
    """The commitment to a match, shown before it: the SHA-256 of its secret."""
    return hashlib.sha256(bytes.fromhex(secret)).hexdigest()


def committed(entropy: str) -> str:
    """A seat's commitment to its entropy: the SHA-256 of its letters in UTF-8, as hexadecimal digits."""
    return hashlib.sha256(entropy.encode()).hexdigest()


def seed(secret: str, table: str, match: int, entropy: Sequence[str]) -> str:
    """The seed of a match. entropy: each seat's ("" for a bot)."""
    message = json.dumps([table, match, list(entropy)], ensure_ascii=True, separators=(",", ":"))
    return hmac.new(bytes.fromhex(secret), message.encode("ascii"), hashlib.sha256).hexdigest()


def bot_seed(last: str, match: int, seat: int) -> str:
    """The seed of a bot's chance; it reveals nothing about the cards."""
    return hmac.new(bytes.fromhex(last), f"bot {match} {seat}".encode("ascii"), hashlib.sha256).hexdigest()


def proof(last: str, table: str, match: int, entropy: Sequence[str], commitments: Sequence[str] = ()) -> dict[str, Any]:
    """The proof in a record, its table `fair`. Only for a finished match. entropy, commitments: of each seat, "" if
    it gave none; no commitments in an old log.
    """
    secret = secret_of(last, match)
    proof = {
        "table": table,
        "match": match,
        "commitment": commitment(secret),
        "secret": secret,
        "entropy": list(entropy),
    }
    return proof | ({"commitments": list(commitments)} if commitments else {})


def verify(record: Record | str | Mapping[str, Any]) -> dict[str, Any]:
    """Check a record of a live table: that the secret fits the commitment, that every seat's entropy fits the seat's
    commitment, that the seed follows from secret and entropy, and that every move replays.

    Returns the proof, with the record's seed as `seed` and its number of moves as `moves`; `commitments` is empty in a
    record of a shuffle that had none, and a seat with a commitment and without entropy withheld it. Raises RecordError
    (`record/fair`, and those of a replay).
    """
    keys = Record.parse(record).keys
    proof = _checked_parts(keys.get("fair"))
    try:
        bound = commitment(proof["secret"])
        follows = seed(proof["secret"], proof["table"], proof["match"], proof["entropy"])
    except ValueError:
        raise _unproven(Message("the secret is not a hexadecimal number"), INCOMPLETE) from None
    if bound != proof["commitment"]:
        why = Message(
            "the secret's SHA-256 is {bound}, and {promised} was promised",
            bound=bound,
            promised=proof["commitment"][:64],
        )
        raise _unproven(why)
    for seat, (entropy, promised) in enumerate(zip(proof["entropy"], proof["commitments"], strict=False)):
        if entropy and committed(entropy) != promised:
            why = Message("the entropy of {seat} does not fit what it committed to", seat=Seat(seat))
            raise _unproven(why)
    if follows != keys.get("seed"):
        why = Message(
            "secret and entropy give the seed {follows}, and the cards were dealt from another", follows=follows
        )
        raise _unproven(why)
    m = Record.parse(record).replay()
    return proof | {"seed": follows, "moves": len(m.moves)}


def _unproven(why: Message, can: Message = UNTRUSTED) -> RecordError:
    return RecordError(Message("the proof of the shuffle"), why, can, code="record/fair")


def _checked_parts(fair: object) -> dict[str, Any]:
    """The parts of a proof, with their types. Raises RecordError."""
    kinds = {"table": str, "match": int, "commitment": str, "secret": str, "entropy": list}
    if not isinstance(fair, Mapping) or any(not isinstance(fair.get(name), kind) for name, kind in kinds.items()):
        raise RecordError(
            Message("this record"),
            Message("it holds no proof of its shuffle"),
            Message("only a record of a live table has one"),
            code="record/fair",
        )
    proof = {name: fair[name] for name in kinds} | {"entropy": [str(word) for word in fair["entropy"]]}
    if not 1 <= proof["match"] < MOST_MATCHES:
        raise _unproven(Message("there is no match of that number"), INCOMPLETE)
    commitments = fair.get("commitments", [])
    if not isinstance(commitments, list) or len(commitments) not in (0, len(proof["entropy"])):
        raise _unproven(Message("it does not have one commitment for each seat"), INCOMPLETE)
    return proof | {"commitments": [str(commitment) for commitment in commitments]}
