"""Cassino in words: moves, refusals and the table as zones."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cardtable.cards import RANK, RANK_NAMES, RANKS, card_text, cards_in, parse_card, rank_of, set_of, set_text
from cardtable.errors import NotationError
from cardtable.game import Zone
from cardtable.games import capture_words as common
from cardtable.games import captures
from cardtable.games.cassino import legal as may
from cardtable.games.cassino import placing_words, rules, state
from cardtable.games.cassino.state import BUILD, CARDS, DECLARED, KIND, PAIR, RAISE, TAKE, TRAIL, VALUES, State
from cardtable.text import listed

REASONS = {
    "CA-04": "", "CA-06": "", "CA-09": "", "CA-12": "", "CA-13": "for a sweep", "CA-14": "", "CA-15": "", "CA-16": "", "CA-23": "", "CA-25": "", "CA-Q9": "",
}  # fmt: skip
SAYS = {
    captures.TAKES: ("capture", "{source} takes {card}"),
    captures.SWEEPS: ("sweep", "{source} sweeps the table with {card}"),
    captures.LEFT: ("left", "{source} captured last and gets the {amount} left on the table"),
    state.BUILDS: ("build", "{source} builds {amount}"),
    state.PAIRS: ("pair", "{source} builds a pair with {card}"),
    state.RAISES: ("raise", "{source} raises a build to {amount}"),
    state.ACES: ("aces", "{source} has captured {amount} of the aces"),
    state.MOST_SPADES: ("most spades", "{source} has most spades, {amount}"),
    state.TWO_OF_SPADES: ("little cassino", "{source} has Little Cassino, {card}"),
    state.TEN_OF_DIAMONDS: ("big cassino", "{source} has Big Cassino, {card}"),
    state.MOST_CARDS: ("most cards", "{source} has most cards, {amount}"),
}
END_RULE = "CA-23"
TURN_RULE = "CA-05"
HELP = "write for instance 9C takes 5S 4D, 2H builds 7 with 5D, 8C pairs 8H, AH raises 7 to 8, KC trails"
_BUILD = re.compile(r"^(\S+) builds? (\d+)s?(?: with (.+))?$", re.I)
_RAISE = re.compile(r"^(\S+) raises? (\d+) to (\d+)(?: with (.+))?$", re.I)
_PAIR = re.compile(r"^(\S+) (?:pairs?|pair-build)(?: (.+))?$", re.I)
_TAKE = re.compile(r"^(\S+) (?:takes?|x) (.+)$", re.I)
_TRAIL = re.compile(r"^(\S+) trails?$", re.I)


def move_text(s: State, move: int) -> str:
    """`9C takes 5S 4D`, `2H builds 7 with 5D`, `8C pairs 8H`, `AH raises 7 to 8 with 2D`, `KC trails`; the pair of `parse_move`."""
    kind, declared = move >> KIND & 15, move >> DECLARED
    played = move & CARDS & ~int(state.table(s))
    others = move & CARDS & ~played
    card = card_text(cards_in(played)[0])
    if kind == TAKE:
        return f"{card} takes {set_text(others)}"
    if kind == BUILD:
        return f"{card} builds {declared}" + (f" with {set_text(others)}" if others else "")
    if kind == PAIR:
        return f"{card} pairs {set_text(others)}".rstrip()
    if kind == RAISE:
        loose = set_text(others & int(s.board))
        return f"{card} raises {state.total(others & int(s.built))} to {declared}" + (f" with {loose}" if loose else "")
    return f"{card} trails"


def parse_move(s: State, text: str) -> int:
    """The move that text names; a card alone if only one move can be meant. Raises NotationError, AmbiguousMove."""
    plain = " ".join(text.replace(",", " ").split())
    plain = plain[5:] if plain.lower().startswith("play ") else plain
    if found := _BUILD.match(plain):
        return _parsed_build(s, found, text)
    if found := _RAISE.match(plain):
        group = int(s.sum_build[_value(found[2], text)])
        if not group:
            raise NotationError(f"{text.strip()[:60]!r} is not a move", f"there is no addition build of {found[2]}", HELP)
        loose = _loose(s, found[4] or "", text, group)
        return _played(s, found[1], text) | loose | group | RAISE << KIND | _value(found[3], text) << DECLARED
    if found := _PAIR.match(plain):
        card = _played(s, found[1], text)
        rank = rank_of(cards_in(card)[0])
        others = _loose(s, found[2] or "", text, int(s.pair_build[rank])) or int(s.board) & int(RANK) << rank
        return card | others | PAIR << KIND | (rank + 1) << DECLARED
    if found := _TAKE.match(plain):
        return _played(s, found[1], text) | _on_table(s, found[2], text, int(state.table(s)))
    if found := _TRAIL.match(plain):
        return _played(s, found[1], text) | TRAIL << KIND
    if not plain:
        raise NotationError("an empty move", "a move is a card and what it does", HELP)
    if " " in plain:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", "a card takes, builds, pairs, raises or trails", HELP)
    card = _played(s, plain, text)
    only = common.only_one(text, cards_in(card)[0], _legal(s), lambda move: move_text(s, move))
    return card | TRAIL << KIND if only < 0 else only


def _parsed_build(s: State, found: re.Match[str], text: str) -> int:
    """The addition build that text names; without cards of the table, the only legal one of that card and value."""
    card, value = _played(s, found[1], text), _value(found[2], text)
    move = card | BUILD << KIND | value << DECLARED
    loose = _loose(s, found[3] or "", text, int(s.sum_build[value]))
    if loose:
        return move | loose
    ways = [way for way in _legal(s) if way & card and way >> KIND == move >> KIND]
    if not ways:
        what = f"{text.strip()[:60]!r} names no loose card"
        raise NotationError(what, f"{found[1].upper()} is put on loose cards of the table that come to {value} with it", HELP)
    return common.only_one(text, cards_in(card)[0], ways, lambda way: move_text(s, way))


def _loose(s: State, words: str, text: str, build: int) -> int:
    """The loose cards that words name. The cards of the build that the card joins may be named with them, all or none."""
    cards = _on_table(s, words, text, int(s.board) | build)
    if cards & build and cards & build != build:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", f"a build stays whole, and this one is {set_text(build)}", "name all its cards, or none")
    return cards & int(s.board)


def _played(s: State, word: str, text: str) -> int:
    card = common.card_list([word], text, HELP)[0]
    if not CARDS >> card & 1:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", f"{card_text(card)} is not in the pack of this game", HELP)
    if int(state.table(s)) >> card & 1:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", f"{card_text(card)} lies on the table: the card you play comes first", HELP)
    return 1 << card


def _on_table(s: State, words: str, text: str, where: int) -> int:
    cards = common.card_list(words.split(), text, HELP)
    gone = [card_text(card) for card in cards if not where >> card & 1]
    if gone:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", _why_gone(s, gone), HELP)
    return set_of(cards)


def _why_gone(s: State, cards: list[str]) -> str:
    """Why cards cannot be named: they are in a build, or not on the table."""
    built = [card for card in cards if int(s.built) >> parse_card(card) & 1]
    return f"{listed(built or cards)} {'is' if len(built or cards) == 1 else 'are'} {'in another build' if built else 'not on the table'}"


def _value(word: str, text: str) -> int:
    if len(word) > 2 or not 1 <= int(word) <= state.HIGHEST:
        raise NotationError(f"{text.strip()[:60]!r} is not a move", f"an addition build is worth 2 to {state.HIGHEST}", HELP)
    return int(word)


def _legal(s: State) -> list[int]:
    moves = np.zeros(rules.MAX_MOVES, np.int64)
    return [int(move) for move in moves[: may.legal(s, s.turn, moves)]]


# Refusals


def rank_word(rank: int) -> str:
    """`a seven`, `an ace`."""
    return ("an " if RANKS[rank] in "A8" else "a ") + RANK_NAMES[rank]


def why_not(s: State, seat: int, move: int) -> tuple[str, str]:
    """Why a seat that may act may not make a move: reason and rule."""
    kind, declared = move >> KIND & 15, move >> DECLARED
    others = move & int(state.table(s))
    card = cards_in(move & CARDS & ~others)[0]
    text, rank = card_text(card), rank_of(card)
    if not s.hands[seat] >> card & 1:
        return f"you do not hold {text}", "CA-09"
    kept = int(state.ranks_of(int(s.hands[seat]) & ~(1 << card)))
    if kind == TRAIL:
        return _why_not_trail(s, seat, text, card)
    if kind == TAKE:
        wrong = _why_not_take(s, card, others)
    elif kind == PAIR:
        wrong = _why_not_pair(s, text, rank, others, kept)
    else:
        wrong = _why_not_sum(s, text, card, others, kind, declared, kept)
    if wrong:
        return wrong
    mine = int(state.owned(s, seat))
    spent = [r for r in range(13) if (mine & ~kept) >> r & 1]
    return f"you own a build of {RANK_NAMES[spent[0]]}s and {text} is your last card that takes it", "CA-Q5"


def _why_not_trail(s: State, seat: int, text: str, card: int) -> tuple[str, str]:
    if may.can_take(s, card):
        return f"{text} can capture, so it may not be trailed", "CA-07"
    return "you own a build, and its owner captures, builds or adds to a build", "CA-Q4"


def _why_not_take(s: State, card: int, others: int) -> tuple[str, str] | None:
    text, rank = card_text(card), rank_of(card)
    for v in range(2, 11):
        if others & int(s.sum_build[v]):
            if v != VALUES[rank]:
                return f"a build of {v} is taken by {rank_word(v - 1)} only", "CA-18"
            if others & int(s.sum_build[v]) != s.sum_build[v]:
                return "a build is captured whole", "CA-20"
    for r in range(13):
        if others & int(s.pair_build[r]):
            if r != rank:
                return f"a build of {RANK_NAMES[r]}s is taken by {rank_word(r)} only", "CA-18"
            if others & int(s.pair_build[r]) != s.pair_build[r]:
                return "a build is captured whole", "CA-20"
    same = int(s.board) & int(RANK) << rank
    if others & same and others & same != same:
        return f"{text} takes all loose cards of its rank or none: {set_text(same)}", "CA-10"
    loose = others & int(s.board) & ~same
    courts = [other for other in cards_in(loose) if not VALUES[rank_of(other)]]
    if courts:
        return f"{set_text(set_of(courts))} {'has' if len(courts) == 1 else 'have'} no value and can only be paired", "CA-11"
    moves = np.zeros(rules.MAX_MOVES, np.int64)
    found = [int(way) & ~(1 << card) for way in moves[: may.captures(s, card, 0, moves, 0)]]
    if others not in found:
        value = f"counts {VALUES[rank]}" if VALUES[rank] else "has no value"
        return f"{text} {value}, and {set_text(loose)} do not make sets of that value" if loose else f"{text} takes nothing there", "CA-12"
    return None


def _why_not_pair(s: State, text: str, rank: int, others: int, kept: int) -> tuple[str, str] | None:
    if not VALUES[rank] and not s.rules.face_builds:
        return f"{RANK_NAMES[rank]}s are not built in this house", "CA-Q13"
    same = int(s.board) & int(RANK) << rank
    if not same and not s.pair_build[rank]:
        return f"no {RANK_NAMES[rank]} lies on the table", "CA-16"
    if others != same:
        return f"a pairing build takes all loose {RANK_NAMES[rank]}s and nothing else", "CA-Q7" if not others & ~same else "CA-22"
    if not kept >> rank & 1:
        return f"you hold no other {RANK_NAMES[rank]} to capture the build", "CA-19"
    return None


def _why_not_sum(s: State, text: str, card: int, others: int, kind: int, declared: int, kept: int) -> tuple[str, str] | None:
    if kind == RAISE and not s.rules.raise_single:
        return "a build answers to its declared rank only and keeps it", "CA-Q9"
    if any(not VALUES[rank_of(other)] for other in [card, *cards_in(others)]):
        return "courts have no value and are built in pairs only", "CA-11"
    group = others & int(s.built)
    if kind == RAISE and int(state.total(group)) != next(v for v in range(2, 11) if int(s.sum_build[v]) == group):
        return "only a build of a single group may be raised", "CA-Q9"
    if kind == BUILD and not others:
        return "an addition build adds to one loose card at least", "CA-Q8"
    reached = int(state.total(others | 1 << card))
    if reached != declared:
        return f"{text} and {set_text(others)} add up to {reached}, not {declared}", "CA-15"
    if not kept >> (declared - 1) & 1:
        return f"you hold no {RANK_NAMES[declared - 1]} to capture the build", "CA-19"
    return None


def automatic(s: State, seat: int, move: int) -> bool:
    """Never: dealing new hands is part of the last card's play, and a pause before a card would tell something about it."""
    return False


# The table


def builds(s: State) -> list[tuple[str, int, int, int]]:
    """The builds: kind (sum, pair), rank, cards, owner."""
    found = [("sum", v - 1, int(s.sum_build[v]), int(s.sum_owner[v])) for v in range(2, 11) if s.sum_build[v]]
    return found + [("pair", r, int(s.pair_build[r]), int(s.pair_owner[r])) for r in range(13) if s.pair_build[r]]


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The loose cards, the builds, the stock, the piles, hands and scores."""
    moves: dict[int, list[str]] = {}
    on_table = int(state.table(s))
    for move in legal:
        moves.setdefault(cards_in(move & CARDS & ~on_table)[0], []).append(move_text(s, move))
    board = cards_in(s.board)
    found = [Zone("row", "board", "table", None, tuple(map(card_text, board)), len(board))]
    for kind, rank, mask, owner in builds(s):
        cards = tuple(map(card_text, cards_in(mask)))
        name = f"{'addition' if kind == 'sum' else 'pairing'} build of {RANK_NAMES[rank]}s"
        found.append(
            Zone(
                "pile",
                f"{kind}-{RANKS[rank]}",
                name,
                None,
                cards,
                len(cards),
                text=f"{' '.join(cards)} (seat {owner})",
                notes={"owner": owner, "rank": RANKS[rank], "build": kind},
            )
        )
    return found + common.common_zones(s, viewer, moves)


def position(s: State) -> dict[str, Any]:
    """Everything a deal in play holds."""
    return placing_words.position(s)


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if it cannot be."""
    placing_words.set_position(s, keys, shuffle)
