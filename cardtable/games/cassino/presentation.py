"""Cassino in words: moves, refusals and the table as zones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from cardtable.base import card_names
from cardtable.base.cards import RANK, RANKS, SUIT, card_text, cards_in, parse_card, rank_of, set_of, set_text
from cardtable.base.errors import NotationError, Text, no_move
from cardtable.base.message import Card, Cards, Message, Moves, Seat, Value, mark
from cardtable.games.cassino import legal as may
from cardtable.games.cassino import rules, state
from cardtable.games.cassino.positions import position as position
from cardtable.games.cassino.positions import set_position as set_position
from cardtable.games.cassino.prompts import prompt as prompt
from cardtable.games.cassino.state import (
    BIG,
    BUILD,
    CARDS,
    DECLARED,
    KIND,
    LITTLE,
    PAIR,
    RAISE,
    TAKE,
    TRAIL,
    VALUES,
    State,
)
from cardtable.games.shared import capture_presentation as common
from cardtable.games.shared import captures
from cardtable.games.shared.capture_presentation import automatic as automatic
from cardtable.rules.events import Told, reason
from cardtable.rules.moves import Move, named
from cardtable.rules.zones import Fact, Pile, Row, Zone

REASONS = {"CA-13": reason("for a sweep", "{n:a sweep|@ sweeps}")}
EVENTS: Mapping[int, Told] = {
    **common.EVENTS,
    captures.SWEEPS: Told(
        "sweep", Message("{source} {source:sweeps|sweep} the table with {card}"), title=Message("sweep"), beat="capture"
    ),
    state.BUILDS: Told("build", Message("{source} {source:builds|build} {amount}"), joins=True, beat="play"),
    state.PAIRS: Told("pair", Message("{source} {source:builds|build} a pair with {card}"), joins=True, beat="play"),
    state.RAISES: Told("raise", Message("{source} {source:raises|raise} a build to {amount}"), joins=True, beat="play"),
    state.ACES: Told(
        "aces", Message("{source} {source:has|have} captured {amount} of the aces"), title=Message("aces"), beat="score"
    ),
    state.MOST_SPADES: Told(
        "most spades",
        Message("{source} {source:has|have} most spades, {amount}"),
        title=Message("most spades"),
        beat="score",
    ),
    state.TWO_OF_SPADES: Told(
        "little cassino",
        Message("{source} {source:has|have} Little Cassino, {card}"),
        title=Message("little cassino"),
        beat="score",
    ),
    state.TEN_OF_DIAMONDS: Told(
        "big cassino",
        Message("{source} {source:has|have} Big Cassino, {card}"),
        title=Message("big cassino"),
        beat="score",
    ),
    state.MOST_CARDS: Told(
        "most cards",
        Message("{source} {source:has|have} most cards, {amount}"),
        title=Message("most cards"),
        beat="score",
    ),
}
END_RULE = "CA-23"
TURN_RULE = "CA-05"
HELP = Message(
    "write for instance {moves}",
    moves=Moves("9C takes 5S 4D, 2H builds 7 with 5D, 8C pairs 8H, AH raises 7 to 8, KC trails"),
)
_BUILD = re.compile(r"^(\S+) builds? (\d+)s?(?: with (.+))?$", re.I)
_RAISE = re.compile(r"^(\S+) raises? (\d+) to (\d+)(?: with (.+))?$", re.I)
_PAIR = re.compile(r"^(\S+) (?:pairs?|pair-build)(?: (.+))?$", re.I)
_TAKE = re.compile(r"^(\S+) (?:takes?|x) (.+)$", re.I)
_TRAIL = re.compile(r"^(\S+) trails?$", re.I)
_legal = partial(common.legal_moves, may.legal, rules.MAX_MOVES)


def move_text(s: State, move: int) -> str:
    """`9C takes 5S 4D`, `2H builds 7 with 5D`, `8C pairs 8H`, `AH raises 7 to 8 with 2D`, `KC trails`; the pair of
    `parse_move`.
    """
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
    """Parse a move; a card alone if only one move can be meant, and `9C 5S 4D` as `9C takes 5S 4D`. Raises
    NotationError, AmbiguousMove.
    """
    plain = " ".join(common.verbed(text).replace(",", " ").split())
    plain = plain[5:] if plain.lower().startswith("play ") else plain
    if match := _BUILD.match(plain):
        return _parsed_build(s, match, text)
    if match := _RAISE.match(plain):
        group = int(s.sum_build[_value(match[2], text)])
        if not group:
            raise NotationError(no_move(text), Message("there is no addition build of {n}", n=match[2]), HELP)
        loose = _loose(s, match[4] or "", text, group)
        return _played(s, match[1], text) | loose | group | RAISE << KIND | _value(match[3], text) << DECLARED
    if match := _PAIR.match(plain):
        card = _played(s, match[1], text)
        rank = rank_of(cards_in(card)[0])
        others = _loose(s, match[2] or "", text, int(s.pair_build[rank])) or int(s.board) & int(RANK) << rank
        return card | others | PAIR << KIND | (rank + 1) << DECLARED
    if match := _TAKE.match(plain):
        return _played(s, match[1], text) | _on_table(s, match[2], text, int(state.table(s)))
    if match := _TRAIL.match(plain):
        return _played(s, match[1], text) | TRAIL << KIND
    if not plain:
        raise NotationError(Message("an empty move"), Message("a move is a card and what it does"), HELP)
    if " " in plain:
        raise NotationError(no_move(text), Message("a card takes, builds, pairs, raises or trails"), HELP)
    card = _played(s, plain, text)
    only = common.only_one(text, cards_in(card)[0], _legal(s), lambda move: move_text(s, move))
    return card | TRAIL << KIND if only < 0 else only


def _parsed_build(s: State, match: re.Match[str], text: str) -> int:
    """Parse an addition build; without cards of the table, the only legal one of that card and value."""
    card, value = _played(s, match[1], text), _value(match[2], text)
    move = card | BUILD << KIND | value << DECLARED
    loose = _loose(s, match[3] or "", text, int(s.sum_build[value]))
    if loose:
        return move | loose
    ways = [way for way in _legal(s) if way & card and way >> KIND == move >> KIND]
    if not ways:
        what = Message("{text} names no loose card", text=repr(text.strip()[:60]))
        raise NotationError(
            what,
            Message(
                "{card} is put on loose cards of the table that add up to {n} with it",
                card=Moves(match[1].upper()),
                n=value,
            ),
            HELP,
        )
    return common.only_one(text, cards_in(card)[0], ways, lambda way: move_text(s, way))


def _loose(s: State, words: str, text: str, build: int) -> int:
    """The loose cards that words name.

    The cards of the build that the card joins may be named with them, all or none.
    """
    cards = _on_table(s, words, text, int(s.board) | build)
    if cards & build and cards & build != build:
        raise NotationError(
            no_move(text),
            Message("a build stays whole, and this one is {cards}", cards=Cards(set_text(build))),
            Message("name all its cards, or none"),
        )
    return cards & int(s.board)


def _played(s: State, word: str, text: str) -> int:
    card = common.card_list([word], text, HELP)[0]
    if not CARDS >> card & 1:
        raise NotationError(
            no_move(text), Message("{card} is not in the pack of this game", card=Card(card_text(card))), HELP
        )
    if int(state.table(s)) >> card & 1:
        raise NotationError(
            no_move(text),
            Message("{card} lies on the table: the card you play comes first", card=Card(card_text(card))),
            HELP,
        )
    return 1 << card


def _on_table(s: State, words: str, text: str, where: int) -> int:
    cards = common.card_list(words.split(), text, HELP)
    gone = [card_text(card) for card in cards if not where >> card & 1]
    if gone:
        raise NotationError(no_move(text), _why_gone(s, gone), HELP)
    return set_of(cards)


def _why_gone(s: State, cards: list[str]) -> Message:
    """Why cards cannot be named: they are in a build, or not on the table."""
    built = [card for card in cards if int(s.built) >> parse_card(card) & 1]
    named = [Card(card) for card in built or cards]
    return Message(
        "{cards} {n:is|are} in another build" if built else "{cards} {n:is|are} not on the table",
        cards=named,
        n=len(named),
    )


def _value(word: str, text: str) -> int:
    if len(word) > 2 or not 1 <= int(word) <= state.HIGHEST:
        raise NotationError(no_move(text), Message("an addition build is worth 2 to {most}", most=state.HIGHEST), HELP)
    return int(word)


# Refusals


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    kind, declared = move >> KIND & 15, move >> DECLARED
    others = move & int(state.table(s))
    card = cards_in(move & CARDS & ~others)[0]
    text, rank = card_text(card), rank_of(card)
    if not s.hands[seat] >> card & 1:
        return Message("you do not hold {card}", card=Card(text)), "CA-09"
    remaining = int(state.ranks_of(int(s.hands[seat]) & ~(1 << card)))
    if kind == TRAIL:
        return _why_not_trail(s, seat, text, card)
    if kind == TAKE:
        wrong = _why_not_take(s, card, others)
    elif kind == PAIR:
        wrong = _why_not_pair(s, text, rank, others, remaining)
    else:
        wrong = _why_not_sum(s, text, card, others, kind, declared, remaining)
    if wrong:
        return wrong
    mine = int(state.owned(s, seat))
    spent = [r for r in range(13) if (mine & ~remaining) >> r & 1]
    return Message(
        "you own a build of {ranks} and {card} is your last card that takes it",
        ranks=card_names.PLURALS[spent[0]],
        card=Card(text),
    ), "CA-Q5"


def _why_not_trail(s: State, seat: int, text: str, card: int) -> tuple[Text, str]:
    if may.can_take(s, card):
        return Message("{card} can capture, so it may not be trailed", card=Card(text)), "CA-07"
    return Message("you own a build, and its owner captures, builds or adds to a build"), "CA-Q4"


def _why_not_take(s: State, card: int, others: int) -> tuple[Text, str] | None:
    text, rank = card_text(card), rank_of(card)
    for v in range(2, 11):
        if others & int(s.sum_build[v]):
            if v != VALUES[rank]:
                return Message("a build of {n} is taken by {rank} only", n=v, rank=card_names.ANY[v - 1]), "CA-18"
            if others & int(s.sum_build[v]) != s.sum_build[v]:
                return Message("a build is captured whole"), "CA-20"
    for r in range(13):
        if others & int(s.pair_build[r]):
            if r != rank:
                return Message(
                    "a build of {ranks} is taken by {rank} only", ranks=card_names.PLURALS[r], rank=card_names.ANY[r]
                ), "CA-18"
            if others & int(s.pair_build[r]) != s.pair_build[r]:
                return Message("a build is captured whole"), "CA-20"
    same = int(s.board) & int(RANK) << rank
    if others & same and others & same != same:
        return Message(
            "{card} takes all loose cards of its rank or none: {cards}", card=Card(text), cards=Cards(set_text(same))
        ), "CA-10"
    loose = others & int(s.board) & ~same
    courts = [other for other in cards_in(loose) if not VALUES[rank_of(other)]]
    rule = "CA-11" if courts else "CA-12"
    if loose and not VALUES[rank]:
        courts = [card, *courts]
    if courts:
        named = Cards(set_text(set_of(courts)))
        return Message("{cards} {n:has|have} no value and can only be paired", cards=named, n=len(courts)), rule
    moves = np.zeros(rules.MAX_MOVES, np.int64)
    ways = [int(way) & ~(1 << card) for way in moves[: may.captures(s, card, 0, moves, 0)]]
    if others not in ways:
        if not loose:
            return Message("{card} takes nothing there", card=Card(text)), "CA-12"
        worth, named = VALUES[rank], Cards(set_text(loose))
        if loose & (loose - 1):
            counts = Message(
                "{card} counts {n}, and {cards} do not make sets of that value", card=Card(text), n=worth, cards=named
            )
        else:
            counts = Message(
                "{card} counts {worth}, but {cards} {n:counts|add up to} {total}",
                card=Card(text),
                worth=worth,
                cards=named,
                n=1,
                total=VALUES[rank_of(cards_in(loose)[0])],
            )
        return counts, "CA-12"
    return None


def _why_not_pair(s: State, text: str, rank: int, others: int, remaining: int) -> tuple[Text, str] | None:
    if not VALUES[rank] and not s.rules.face_builds:
        return Message("{ranks} are not built in this house", ranks=card_names.PLURALS[rank]), "CA-Q13"
    same = int(s.board) & int(RANK) << rank
    if not same and not s.pair_build[rank]:
        return Message("no {rank} lies on the table", rank=card_names.RANKS[rank]), "CA-16"
    if others != same:
        return Message(
            "a pairing build takes all loose {ranks} and nothing else", ranks=card_names.PLURALS[rank]
        ), "CA-Q7" if not others & ~same else "CA-22"
    if not remaining >> rank & 1:
        return Message("you hold no other {rank} to capture the build", rank=card_names.RANKS[rank]), "CA-19"
    return None


def _why_not_sum(
    s: State, text: str, card: int, others: int, kind: int, declared: int, remaining: int
) -> tuple[Text, str] | None:
    if kind == RAISE and not s.rules.raise_builds_single:
        return Message("a build answers to its declared rank only and keeps it"), "CA-Q9"
    if any(not VALUES[rank_of(other)] for other in [card, *cards_in(others)]):
        return Message("courts have no value and are built in pairs only"), "CA-11"
    group = others & int(s.built)
    if kind == RAISE and int(state.total(group)) != next(v for v in range(2, 11) if int(s.sum_build[v]) == group):
        return Message("only a build of a single group may be raised"), "CA-Q9"
    if kind == BUILD and not others:
        return Message("an addition build adds to one loose card at least"), "CA-Q8"
    reached = int(state.total(others | 1 << card))
    if reached != declared:
        return Message(
            "{card} and {cards} add up to {reached}, not {declared}",
            card=Card(text),
            cards=Cards(set_text(others)),
            reached=reached,
            declared=declared,
        ), "CA-15"
    if not remaining >> (declared - 1) & 1:
        return Message("you hold no {rank} to capture the build", rank=card_names.RANKS[declared - 1]), "CA-19"
    return None


# The table


def builds(s: State) -> list[tuple[str, int, int, int]]:
    """The builds: kind (sum, pair), rank, cards, owner."""
    result = [("sum", v - 1, int(s.sum_build[v]), int(s.sum_owner[v])) for v in range(2, 11) if s.sum_build[v]]
    return result + [("pair", r, int(s.pair_build[r]), int(s.pair_owner[r])) for r in range(13) if s.pair_build[r]]


def taken(s: State, viewer: int, cards: int) -> list[Value]:
    """What a capture takes, in words: builds by their ranks, and loose cards."""
    what: list[Value] = []
    for _, rank, mask, owner in builds(s):
        if cards & mask:
            ranks = card_names.PLURALS[rank]
            yours = owner == viewer
            what.append(
                Message("your build of {ranks}", ranks=ranks) if yours else Message("the build of {ranks}", ranks=ranks)
            )
    return [*what, *named(cards & int(s.board))]


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The loose cards, the builds, the stock, the piles, hands and scores."""
    board = cards_in(s.board)
    result: list[Zone] = [Row("board", (), tuple(map(card_text, board)), len(board), label=common.BOARD)]
    for kind, rank, mask, owner in builds(s):
        cards = tuple(map(card_text, cards_in(mask)))
        label = Message(
            "addition build of {ranks}" if kind == "sum" else "pairing build of {ranks}", ranks=card_names.PLURALS[rank]
        )
        facts = (
            Fact(Message("built by {seat}", seat=Seat(owner)), "owner", owner),
            Fact(name="rank", value=RANKS[rank]),
            Fact(name="build", value=kind),
        )
        result.append(Pile(f"{kind}-{RANKS[rank]}", (), cards, len(cards), facts, label=label, side_by_side=True))
    return result + common.common_zones(s, viewer, tally)


def tally(pile: int) -> list[Message]:
    """What counts in a pile: the spades, and the cards that score by themselves (CA-25)."""
    spades = Message("{n} {n:spade|spades}", n=(pile & int(SUIT)).bit_count())
    scoring = set_text(pile & int(RANK | 1 << BIG | 1 << LITTLE))
    return [spades, Message("{cards}", cards=Cards(scoring))] if scoring else [spades]


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """What each card of the hand can do."""
    return [_choice(s, viewer, move) for move in legal]


def _choice(s: State, viewer: int, move: int) -> Move:
    kind, declared = move >> KIND & 15, move >> DECLARED
    played = move & CARDS & ~int(state.table(s))
    others = move & CARDS & ~played
    text, card = move_text(s, move), cards_in(played)[0]
    if kind == TAKE:
        named: dict[str, Value] = {"cards": taken(s, viewer, others)} if others & int(s.built) else {}
        return common.capture(viewer, text, common.TAKES, card, others, common.TAKE, **named)
    if kind == BUILD:
        brief = Message("build {n}", context="move", n=declared)
        return common.capture(viewer, text, BUILDS_WITH if others else BUILDS, card, others, brief, n=declared)
    if kind == PAIR:
        return common.capture(viewer, text, PAIRS if others else PAIRS_ALONE, card, others, PAIRED)
    if kind == RAISE:
        loose = others & int(s.board)
        brief = Message("raise to {n}", context="move", n=declared)
        values: dict[str, Value] = {
            "low": int(state.total(others & int(s.built))),
            "n": declared,
            "loose": Cards(set_text(loose)),
        }
        return common.capture(viewer, text, RAISES_WITH if loose else RAISES, card, others, brief, **values)
    return common.capture(viewer, text, common.TRAILS, card, 0)


PAIRED = Message("pair", context="move")
PAIRS = mark("{source} pairs {cards}"), mark("pair {cards}")
PAIRS_ALONE = mark("{source} pairs"), mark("pair it")
BUILDS = mark("{source} builds {n}"), mark("build {n}")
BUILDS_WITH = mark("{source} builds {n} with {cards}"), mark("build {n} with {cards}")
RAISES = mark("{source} raises {low} to {n}"), mark("raise {low} to {n}")
RAISES_WITH = mark("{source} raises {low} to {n} with {loose}"), mark("raise {low} to {n} with {loose}")
