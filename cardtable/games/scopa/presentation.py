"""Scopa in words: moves, refusals, positions and the table as zones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cardtable.base.cards import ALL_40, RANK, card_text, cards_in, rank_of, set_of, set_text
from cardtable.base.errors import NotationError, PositionError, Text, no_move
from cardtable.base.message import Card, Cards, Either, Message, Moves, mark
from cardtable.games.scopa import rules
from cardtable.games.scopa.prompts import prompt as prompt
from cardtable.games.scopa.rules import State
from cardtable.games.scopa.values import COINS, FIFTEEN, RE_BELLO, SETTE_BELLO, VALUES
from cardtable.games.shared import capture_presentation as table
from cardtable.games.shared import captures
from cardtable.games.shared.capture_presentation import automatic as automatic
from cardtable.rules import positions
from cardtable.rules.events import Told, reason
from cardtable.rules.moves import Move
from cardtable.rules.zones import Fact, Row, Zone

REASONS = {
    "SC-13": reason("for a scopa", "{n:a scopa|@ scopas}"),
    "SC-23": reason("for the primiera", "the primiera"),
    "SC-C3": reason("for the re bello", "re bello"),
    "SC-C4": reason("for the napola", "the napola"),
}
EVENTS: Mapping[int, Told] = {
    **table.EVENTS,
    captures.SWEEPS: Told(
        "sweep",
        Message("Scopa! {source} {source:clears|clear} the table with {card}"),
        title=Message("sweep"),
        beat="capture",
    ),
    rules.MISDEAL: Told(
        "misdeal", Message("{amount} kings on the table: {source} {source:deals|deal} again"), beat="none"
    ),
    rules.MOST_CARDS: Told(
        "most cards",
        Message("{source:@'s|your} pile has most cards, {amount}"),
        title=Message("most cards"),
        beat="score",
    ),
    rules.MOST_COINS: Told(
        "most diamonds",
        Message("{source:@'s|your} pile has most diamonds, {amount}"),
        title=Message("most diamonds"),
        beat="score",
    ),
    rules.HAS_SETTE: Told(
        "sette bello",
        Message("{source:@'s|your} pile has the sette bello, {card}"),
        title=Message("sette bello"),
        beat="score",
    ),
    rules.HAS_PRIME: Told(
        "primiera",
        Message("{source:@'s|your} pile has the best primiera, {amount}"),
        title=Message("primiera"),
        beat="score",
    ),
    rules.HAS_SEVENS: Told(
        "most sevens",
        Message("{source:@'s|your} pile wins the primiera with {amount} {amount:seven|sevens}"),
        title=Message("primiera"),
        beat="score",
    ),
    rules.FIRST_15: Told(
        "first table",
        Message("Escoba! {source} {source:takes|take} {amount} cards of the first table, which make 15"),
        title=Message("sweep"),
        beat="capture",
    ),
    rules.HAS_RE: Told(
        "re bello",
        Message("{source:@'s|your} pile has the re bello, {card}"),
        title=Message("re bello"),
        beat="score",
    ),
    rules.HAS_NAPOLA: Told(
        "napola",
        Message("{source:@'s|your} pile has a napola of {amount} diamonds"),
        title=Message("napola"),
        beat="score",
    ),
    rules.ALL_COINS: Told(
        "all diamonds",
        Message("{source:@'s|your} pile has all {amount} diamonds, which wins the match"),
        title=Message("all diamonds"),
        beat="score",
    ),
}
position = table.common_position
END_RULE = "SC-18"
TURN_RULE = "SC-08"
HELP = Message("write for instance {moves}", moves=Moves("7C takes 7H, KS takes 6D 4C, QC trails"))
THREES = 3  #: cards of a hand where there is a stock
_TAKES, _TRAILS, _KEPT = ("takes", "take", "x"), ("trails", "trail"), "kept"
_KEEPS = (mark("{source} goes to your pile"), mark("put it on your pile"))
_legal = partial(table.legal_moves, rules.legal, rules.MAX_MOVES)


def move_text(s: State, move: int) -> str:
    """`7C takes 7H`, `KS takes 6D 4C`, `QC trails`."""
    taken = move & int(s.board)
    card = card_text(cards_in(move & ~taken)[0])
    alone = _KEPT if not taken and rules.to_own_pile(s, cards_in(move)[0]) else _TRAILS[0]
    return f"{card} takes {set_text(taken)}" if taken else f"{card} {alone}"


def parse_move(s: State, text: str) -> int:
    """Parse a move; a card alone if only one move can be meant, and `7C 7H` as `7C takes 7H`. Raises NotationError,
    AmbiguousMove.
    """
    words = table.verbed(text).replace(",", " ").split()
    words = words[1:] if words and words[0].lower() == "play" else words
    if not words:
        raise NotationError(Message("an empty move"), Message("a move is a card and what it takes"), HELP)
    card = table.card_list(words[:1], text, HELP)[0]
    if s.board >> card & 1:
        raise NotationError(
            no_move(text),
            Message("{card} lies on the table: the card you play comes first", card=Card(card_text(card))),
            HELP,
        )
    if len(words) == 1:
        only = table.only_one(text, card, _legal(s), lambda move: move_text(s, move))
        return 1 << card if only < 0 else only
    if words[1].lower() in (*_TRAILS, _KEPT) and len(words) == 2:
        return 1 << card
    if words[1].lower() not in _TAKES or len(words) == 2:
        raise NotationError(no_move(text), Message("a card takes cards, or trails"), HELP)
    taken = table.card_list(words[2:], text, HELP)
    gone = [card_text(other) for other in taken if not s.board >> other & 1]
    if gone:
        raise NotationError(
            no_move(text),
            Message("{cards} {n:is|are} not on the table", cards=[Card(each) for each in gone], n=len(gone)),
            HELP,
        )
    return 1 << card | set_of(taken)


def _ways(s: State, card: int) -> list[str]:
    """The possible captures of a card, as texts of cards."""
    moves = np.zeros(rules.MAX_MOVES, np.int64)
    return [set_text(int(move) & int(s.board)) for move in moves[: rules.captures(s, card, moves, 0)]]


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    taken = move & int(s.board)
    card = cards_in(move & ~taken)[0]
    text = card_text(card)
    if not s.hands[seat] >> card & 1:
        return Message("you do not hold {card}", card=Card(text)), "SC-09"
    if s.rules.first_ace_barred and rank_of(card) == 0 and rules.first_card(s):
        return Message("the first card of a deal may not be an ace"), "SC-C11"
    ways = _ways(s, card)
    pairs = set_text(int(s.board) & int(RANK) << rank_of(card))
    if not taken:
        return Message(
            "{card} can take {ways}, so it may not be trailed",
            card=Card(text),
            ways=Either([Cards(way) for way in ways]),
        ), "SC-15"
    if s.rules.capture_fifteen:
        total = sum(int(VALUES[rank_of(other)]) for other in (card, *cards_in(taken)))
        return Message(
            "{card} and {cards} make {total}, not 15", card=Card(text), cards=Cards(set_text(taken)), total=total
        ), "SC-C12"
    if rules.takes_all(s, card):
        return Message("{card} takes everything on the table", card=Card(text)), "SC-C7"
    if pairs:
        if not taken & ~(int(RANK) << rank_of(card)):
            return Message("{card} takes only one card of its rank", card=Card(text)), "SC-10"
        return Message(
            "{pairs} has the rank of {card}, and a card that can pair must pair", pairs=Cards(pairs), card=Card(text)
        ), "SC-12"
    worth, total = int(VALUES[rank_of(card)]), sum(int(VALUES[rank_of(other)]) for other in cards_in(taken))
    if total != worth and total % worth == 0 and len(ways) > 1:
        return Message(
            "{card} counts {worth} and takes one set of that value, not several", card=Card(text), worth=worth
        ), "SC-Q4"
    return Message(
        "{card} counts {worth}, but {cards} {n:counts|add up to} {total}",
        card=Card(text),
        worth=worth,
        cards=Cards(set_text(taken)),
        n=bin(taken).count("1"),
        total=total,
    ), "SC-11"


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The table, the stock, the piles, hands and scores."""
    board = cards_in(s.board)
    facts = [Fact(name="values", value=[int(VALUES[rank_of(card)]) for card in board])]
    if s.over and rules.reached(s):
        facts.append(Fact(Message("counting stopped at {target} points", target=s.rules.target), "counting", "stopped"))
    result: list[Zone] = [Row("board", (), tuple(map(card_text, board)), len(board), tuple(facts), label=table.BOARD)]
    result += table.common_zones(s, viewer, partial(tally, s), mark("{n} {n:scopa|scopas}: {cards}"))
    return result if s.rules.deal == THREES else [zone for zone in result if zone.kind != "stock" or zone.count]


def tally(s: State, pile: int) -> list[Message]:
    """What counts in a pile: the diamonds, the sette bello and what else scores, and the primiera if it has all suits
    (SC-21).
    """
    told = [Message("{n} {n:diamond|diamonds}", n=(pile & int(COINS)).bit_count())]
    if pile >> SETTE_BELLO & 1:
        told.append(Message("{cards}", cards=Cards(card_text(SETTE_BELLO))))
    if s.rules.re_bello and pile >> RE_BELLO & 1:
        told.append(Message("{cards}", cards=Cards(card_text(RE_BELLO))))
    if not s.rules.napola_off and (run := int(rules.napola(pile))):
        told.append(Message("napola {n}", n=run))
    if not s.rules.primiera_points:
        told.append(Message("{n} {n:seven|sevens}", n=(pile & int(RANK) << 6).bit_count()))
    elif prime := int(rules.primiera(pile)):
        told.append(Message("primiera {n}", n=prime))
    return told


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """What each card of the hand can do."""
    result = []
    for move in legal:
        taken = move & int(s.board)
        labels, brief = (table.TAKES, table.TAKE) if taken else (table.TRAILS, None)
        if not taken and rules.to_own_pile(s, cards_in(move)[0]):
            labels = _KEEPS
        result.append(table.capture(viewer, move_text(s, move), labels, cards_in(move & ~taken)[0], taken, brief))
    return result


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if that is impossible."""
    s.direction = 1 if s.seats == 2 else -1
    table.set_common(s, keys, positions.Placing("", 0, ALL_40), ALL_40, int(s.rules.deal), shuffle)
    board = cards_in(s.board)
    if s.rules.capture_fifteen and _fifteens(board).bit_count() > rules.FIRST_TABLE:
        raise PositionError(
            Message("{n} {n:card|cards} on the table", n=len(board)),
            Message("only the first four can make 15: a card that can take may not be trailed (SC-15)"),
            Message("take some of them away"),
        )
    more = 0 if s.rules.capture_fifteen else len(board) - len({rank_of(card) for card in board})
    if more > max(int(rules.on_first_table(s)) - 1, 0):
        few = Message("only the first four can be of one rank: a card that can pair may not be trailed (SC-15)")
        none = Message("they have different ranks: a card that can pair may not be trailed (SC-15)")
        raise PositionError(
            Message("{n} {n:card|cards} on the table", n=len(board)),
            few if rules.on_first_table(s) else none,
            Message("take some of equal rank away"),
        )
    if rules.reached(s):
        raise PositionError(
            Message("scores = {value}", value=[int(s.scores[p]) for p in range(s.seats)]),
            Message("{target} points have won the match (SC-24)", target=s.rules.target),
            Message("lower the scores"),
        )


def _fifteens(board: Sequence[int]) -> int:
    """The cards of the table that make 15 with others there; all of them if there are many ways."""
    ways: dict[int, list[int]] = {0: [0]}
    for card in board:
        value = int(VALUES[rank_of(card)])
        for total in sorted(ways, reverse=True):
            if total + value <= FIFTEEN:
                ways.setdefault(total + value, []).extend(some | 1 << card for some in ways[total])
    return int(np.bitwise_or.reduce(np.array(ways.get(FIFTEEN, [0]), np.int64)))
