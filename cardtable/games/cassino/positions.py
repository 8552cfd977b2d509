"""Positions of Cassino: the keys of all fishing games, the builds, and what building has proved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.base import card_names
from cardtable.base.cards import ALL_52, RANKS, card_text, cards_in, rank_of
from cardtable.base.errors import PositionError
from cardtable.base.message import Message, Seat
from cardtable.games.cassino import rules, state
from cardtable.games.cassino.state import VALUES, State
from cardtable.games.shared import capture_presentation as common
from cardtable.rules import positions
from cardtable.rules.unlisted import some_of

ACES = sum(1 << 13 * suit for suit in range(4))
HELP = 'write builds = ["0 sum 7 5D 2H", "1 pair 8 8S 8H"]: owner, kind, rank, cards'


def position(s: State) -> dict[str, Any]:
    """Everything a deal in play holds."""
    keys = common.common_position(s)
    found = [f"{s.sum_owner[v]} sum {RANKS[v - 1]} {_text(s.sum_build[v])}" for v in range(2, 11) if s.sum_build[v]]
    found += [f"{s.pair_owner[r]} pair {RANKS[r]} {_text(s.pair_build[r])}" for r in range(13) if s.pair_build[r]]
    if found:
        keys["builds"] = found
    if s.keys[0] or s.keys[1]:
        keys["keys"] = [" ".join(RANKS[r] for r in range(13) if s.keys[p] >> r & 1) for p in range(2)]
    return keys


def _text(mask: int) -> str:
    return " ".join(map(card_text, cards_in(mask)))


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if that is impossible."""
    cards = positions.Placing("", 0)
    given = keys.pop("builds", [])
    if not isinstance(given, (list, tuple)):
        raise PositionError(
            Message("builds = {value}", value=str(given)[:60]),
            Message("builds is a list of texts"),
            HELP,
            code="position/syntax",
        )
    for text in given:
        _set_build(s, str(text), cards)
    proved = _proved(s, keys)
    held = [[some_of(ACES << r) for r in range(13) if ranks >> r & 1] for ranks in proved]
    common.set_common(s, keys, cards, ALL_52, 4, shuffle, held)
    board = cards_in(s.board)
    if len(board) - len({rank_of(card) for card in board}) > rules.SPREAD:
        raise PositionError(
            Message("{n} {n:loose card|loose cards}", n=len(board)),
            Message("only the first four can be of one rank: a card that can pair may not be trailed (CA-07)"),
            Message("take some of equal rank away"),
        )
    for r in range(13):
        if s.pair_build[r] and any(rank_of(card) == r for card in board):
            raise PositionError(
                Message(
                    "a loose {rank} beside a build of {ranks}", rank=card_names.RANKS[r], ranks=card_names.PLURALS[r]
                ),
                Message("a pairing build takes all loose cards of its rank (CA-Q7)"),
                Message("put it into the build"),
            )
    _set_keys(s, proved)
    if s.scores[0] != s.scores[1] and max(s.scores[0], s.scores[1]) >= s.rules.target:
        raise PositionError(
            Message("scores = {value}", value=[int(s.scores[p]) for p in range(2)]),
            Message("{target} points have won the match (CA-26)", target=s.rules.target),
            Message("lower the scores"),
        )


def _set_build(s: State, text: str, cards: positions.Placing) -> None:
    """Read `0 sum 7 5D 2H`."""
    words = text.split()
    if (
        len(words) < 5
        or words[0] not in ("0", "1")
        or words[1] not in ("sum", "pair")
        or words[2].upper().replace("10", "T") not in RANKS
    ):
        raise PositionError(
            Message("build {text}", text=repr(text[:60])),
            Message("a build has an owner, a kind, a rank and two cards at least"),
            HELP,
            code="position/syntax",
        )
    rank = RANKS.index(words[2].upper().replace("10", "T"))
    found = cards.cards(f"the build {text[:60]}", " ".join(words[3:]))
    mask = sum(1 << card for card in found)
    if words[1] == "pair":
        if any(rank_of(card) != rank for card in found) or s.pair_build[rank] or (rank > 9 and not s.rules.face_builds):
            raise PositionError(
                Message("build {text}", text=repr(text[:60])),
                Message(
                    "a pairing build is of {ranks} only, and there is one of each rank (CA-16, CA-22)",
                    ranks=card_names.PLURALS[rank],
                ),
                Message("change its cards"),
            )
        s.pair_build[rank], s.pair_owner[rank] = mask, int(words[0])
    else:
        if not 1 <= rank <= 9 or s.sum_build[rank + 1] or not _splits(found, rank + 1):
            raise PositionError(
                Message("build {text}", text=repr(text[:60])),
                Message(
                    "an addition build has groups of two or more cards that add up to its value, and there is one of "
                    "each value (CA-15)"
                ),
                Message("change its cards"),
            )
        s.sum_build[rank + 1], s.sum_owner[rank + 1] = mask, int(words[0])
    s.built |= mask


def _splits(cards: list[int], value: int) -> bool:
    """Whether cards can be split into groups of two or more that each add up to value."""
    if not cards:
        return True
    if any(not 0 < VALUES[rank_of(card)] < value for card in cards):
        return False

    def group(first: list[int], left: int, rest: list[int]) -> bool:
        if left == 0:
            return _splits(rest, value)
        for i, card in enumerate(first):
            if VALUES[rank_of(card)] <= left and group(
                first[i + 1 :], left - int(VALUES[rank_of(card)]), [other for other in rest if other != card]
            ):
                return True
        return False

    return group(cards[1:], value - int(VALUES[rank_of(cards[0])]), cards[1:])


def _proved(s: State, keys: dict[str, Any]) -> list[int]:
    """The ranks that each seat holds by its building, as masks (CA-19, CA-Q5)."""
    given = keys.pop("keys", ["", ""])
    if (
        not isinstance(given, (list, tuple))
        or len(given) != 2
        or any(word.upper() not in RANKS or len(word) != 1 for text in given for word in str(text).split())
    ):
        raise PositionError(
            Message("keys = {value}", value=str(given)[:60]),
            Message("keys is a list of two texts of ranks"),
            Message('write for instance keys = ["7 K", ""]'),
            code="position/syntax",
        )
    return [
        sum(1 << r for r in {RANKS.index(word.upper()) for word in str(given[p]).split()})
        | (int(state.owned(s, p)) if s.rules.build_obligation else 0)
        for p in range(2)
    ]


def _set_keys(s: State, proved: list[int]) -> None:
    """Set what building proved; a hand may not contradict it."""
    for p, ranks in enumerate(proved):
        lacking = [r for r in range(13) if (ranks & ~int(state.ranks_of(int(s.hands[p])))) >> r & 1]
        if lacking:
            raise PositionError(
                Message("{seat} {seat:holds|hold} no {rank}", seat=Seat(p), rank=card_names.RANKS[lacking[0]]),
                Message("by its building it holds one (CA-19, CA-Q5)"),
                Message("change its hand, its builds or its keys"),
            )
        s.keys[p] = ranks
