"""Positions of Cassino: the keys of all fishing games, the builds, and what building has proved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cardtable.base import card_names
from cardtable.base.cards import ALL_52, RANKS, cards_in, rank_of, set_of, set_text
from cardtable.base.errors import PositionError
from cardtable.games.cassino import rules, state
from cardtable.games.cassino.state import VALUES, State
from cardtable.games.shared import capture_presentation as common
from cardtable.rules import positions
from cardtable.rules.unlisted import some_of

ACES = sum(1 << 13 * suit for suit in range(4))
HELP = 'write builds = ["0 sum 7 5D 2H", "1 pair 8 8S 8H"]: owner, kind, rank, cards'


def position(s: State) -> dict[str, Any]:
    """A deal in play as keys."""
    builds = [f"{s.sum_owner[v]} sum {RANKS[v - 1]} {set_text(s.sum_build[v])}" for v in range(2, 11) if s.sum_build[v]]
    builds += [f"{s.pair_owner[r]} pair {RANKS[r]} {set_text(s.pair_build[r])}" for r in range(13) if s.pair_build[r]]
    proved = [" ".join(RANKS[r] for r in range(13) if s.keys[p] >> r & 1) for p in range(2)]
    return common.common_position(s) | positions.brief({"builds": builds, "keys": proved})


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if that is impossible."""
    cards = positions.Placing("", 0)
    for text in positions.listed(keys, "builds", 52, HELP):
        _set_build(s, text, cards)
    proved = _proved(s, keys)
    held = [[some_of(ACES << r) for r in range(13) if ranks >> r & 1] for ranks in proved]
    common.set_common(s, keys, cards, ALL_52, 4, shuffle, held)
    board = cards_in(s.board)
    if len(board) - len({rank_of(card) for card in board}) > rules.SPREAD:
        what = f"{len(board)} loose cards"
        why = "only the first four can be of one rank: a card that can pair may not be trailed (CA-07)"
        raise PositionError(what, why, "take some of equal rank away")
    for r in range(13):
        if s.pair_build[r] and any(rank_of(card) == r for card in board):
            what = f"a loose {card_names.RANKS[r]} next to a build of {card_names.PLURALS[r]}"
            why = "a pairing build takes all loose cards of its rank (CA-Q7)"
            raise PositionError(what, why, "put it into the build")
    _set_keys(s, proved)
    if s.scores[0] != s.scores[1] and max(s.scores[0], s.scores[1]) >= s.rules.target:
        why = f"{s.rules.target} points have won the match (CA-26)"
        raise PositionError(f"scores = {[int(s.scores[p]) for p in range(2)]}", why, "lower the scores")


def _set_build(s: State, text: str, cards: positions.Placing) -> None:
    """Read `0 sum 7 5D 2H`."""
    what, words = f"build {text[:60]!r}", text.split()
    named = words[2].upper().replace("10", "T") if len(words) > 4 else "?"
    if named not in RANKS or words[0] not in ("0", "1") or words[1] not in ("sum", "pair"):
        raise positions.unreadable(what, "a build has an owner, a kind, a rank and two cards at least", HELP)
    rank = RANKS.index(named)
    named_cards = cards.cards(f"the build {text[:60]}", " ".join(words[3:]))
    mask = set_of(named_cards)
    if words[1] == "pair":
        other = any(rank_of(card) != rank for card in named_cards)
        if other or s.pair_build[rank] or (rank > 9 and not s.rules.face_builds):
            why = f"a pairing build is of {card_names.PLURALS[rank]} only, and there is one of each rank (CA-16, CA-22)"
            raise PositionError(what, why, "change its cards")
        s.pair_build[rank], s.pair_owner[rank] = mask, int(words[0])
    else:
        if not 1 <= rank <= 9 or s.sum_build[rank + 1] or not _splits(named_cards, rank + 1):
            why = "an addition build has groups of two or more cards that add up to its value, one of each (CA-15)"
            raise PositionError(what, why, "change its cards")
        s.sum_build[rank + 1], s.sum_owner[rank + 1] = mask, int(words[0])
    s.built |= mask


def _splits(cards: list[int], value: int) -> bool:
    """Whether cards can be split into groups of two or more that each add up to value."""
    if not cards:
        return True
    if any(not 0 < VALUES[rank_of(card)] < value for card in cards):
        return False

    def group(first: list[int], remaining: int, rest: list[int]) -> bool:
        if remaining == 0:
            return _splits(rest, value)
        for i, card in enumerate(first):
            if VALUES[rank_of(card)] <= remaining and group(
                first[i + 1 :], remaining - int(VALUES[rank_of(card)]), [other for other in rest if other != card]
            ):
                return True
        return False

    return group(cards[1:], value - int(VALUES[rank_of(cards[0])]), cards[1:])


def _proved(s: State, keys: dict[str, Any]) -> list[int]:
    """The ranks of the keys that each seat has proved by building, as masks (CA-19, CA-Q5)."""
    write = 'write for instance keys = ["7 K", ""]'
    given = [row.upper().split() for row in positions.rows(keys, "keys", 2, write)]
    if any(len(word) != 1 or word not in RANKS for row in given for word in row):
        raise positions.unreadable(f"keys = {given}", "keys is a list of two texts of ranks", write)
    return [
        set_of(map(RANKS.index, row)) | (int(state.owned(s, p)) if s.rules.build_obligation else 0)
        for p, row in enumerate(given)
    ]


def _set_keys(s: State, proved: list[int]) -> None:
    """Set what building proved; a hand may not contradict it."""
    for p, ranks in enumerate(proved):
        lacking = [r for r in range(13) if (ranks & ~int(state.ranks_of(int(s.hands[p])))) >> r & 1]
        if lacking:
            what = f"seat {p} holds no {card_names.RANKS[lacking[0]]}"
            why = "by its building it holds one (CA-19, CA-Q5)"
            raise PositionError(what, why, "change its hand, its builds or its keys")
        s.keys[p] = ranks
