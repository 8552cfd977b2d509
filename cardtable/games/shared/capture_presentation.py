"""The texts that fishing games share: card lists in moves, zones and positions. Plain Python."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cardtable.base.cards import card_text, cards_in, parse_card, set_text
from cardtable.base.errors import AmbiguousMove, NotationError, PositionError, no_move
from cardtable.base.message import Card, Cards, Message, Seat, Value, mark
from cardtable.games.shared import captures
from cardtable.rules import positions
from cardtable.rules.events import Told
from cardtable.rules.moves import Move
from cardtable.rules.unlisted import Held
from cardtable.rules.zones import BY_RANK, NOTHING, Fact, Hand, Pile, Score, Stock, Zone, cards_or_backs, points

#: The events that fishing games share. Each game has its own text for sweeps.
EVENTS: Mapping[int, Told] = {
    captures.TAKES: Told("capture", Message("{source} {source:takes|take} {card}"), joins=True),
    captures.LEFT: Told(
        "left",
        Message("{source} captured last and {source:takes|take} what is left on the table ({cards})"),
        beat="capture",
    ),
}


CARD = re.compile(r"(?:10|[2-9ATJQK])[SHDC]", re.I)
SWEPT = mark("{n} {n:sweep|sweeps}: {cards}")


def verbed(text: str) -> str:
    """The text of a move: a card put on others, `9C 5S 4D`, is meant to take them."""
    words = text.replace(",", " ").split()
    cards = len(words) > 1 and all(CARD.fullmatch(word) for word in words)
    return " ".join([words[0], "takes", *words[1:]]) if cards else text


def card_list(words: Sequence[str], text: str, example: Message) -> list[int]:
    """Parse cards such as `9C 5S`; they must differ. Raises NotationError."""
    cards: list[int] = []
    for word in words:
        try:
            card = parse_card(word)
        except NotationError:
            raise NotationError(no_move(text), Message("{word} is not a card", word=repr(word[:20])), example) from None
        if card in cards:
            raise NotationError(
                no_move(text),
                Message("{card} stands in it twice", card=Card(card_text(card))),
                Message("name each card once"),
            )
        cards.append(card)
    return cards


def legal_moves(legal: Callable[[Any, int, Any], int], most: int, s: Any) -> list[int]:
    """The moves of the seat whose turn it is."""
    moves = np.zeros(most, np.int64)
    return [int(move) for move in moves[: legal(s, s.turn, moves)]]


def automatic(s: Any, seat: int, move: int) -> bool:
    """Never: new hands are dealt as part of playing the last card, and a pause before a card would reveal something
    about it.
    """
    return False


def only_one(text: str, card: int, moves: Sequence[int], say: Callable[[int], str]) -> int:
    """The only legal move with a card of the hand, if the text is only that card; -1 if there is none. Raises
    AmbiguousMove.
    """
    ways = [move for move in moves if move >> card & 1]
    if len(ways) > 1:
        raise AmbiguousMove(
            Message("{value}", value=text.strip()[:40]),
            Message("{card} can be played in {value} ways", card=Card(card_text(card)), value=len(ways)),
            Message("say which: {listed}", listed=", ".join(map(say, ways[:8]))),
            list(map(say, ways)),
        )
    return ways[0] if ways else -1


def hand_zone(s: Any, seat: int, viewer: int) -> Zone:
    """A seat's hand."""
    cards = cards_or_backs(s.hands[seat], seat == viewer, s.counts[seat])
    return Hand(f"hand-{seat}", (seat,), cards, int(s.counts[seat]), order=BY_RANK)


def common_zones(s: Any, viewer: int, tally: Callable[[int], list[Message]], swept: str = SWEPT) -> list[Zone]:
    """The stock, the piles with their sweeps, the hands, the scores. tally: what counts in a pile besides the number of
    its cards; swept: what the game says of sweeps.
    """
    undrawn = int(s.stock_size - s.drawn)
    result: list[Zone] = [Stock("stock", (), (None,) * undrawn, undrawn)]
    for p in range(captures.sides(s)):
        result.append(pile_zone(s, p, tally, swept))
    if s.absent:
        absent = tuple(card_text(card) for card in cards_in(s.absent))
        result.append(
            Pile("absent", (), absent, len(absent), label=Message("out of the deal", context="zone"), side_by_side=True)
        )
    for seat in range(s.seats):
        result.append(hand_zone(s, seat, viewer))
    for seat in range(s.seats):
        result.append(Score(f"score-{seat}", (seat,), count=int(s.scores[seat]), facts=(points(int(s.scores[seat])),)))
    return result


#: What a card of the hand does to those on the table, in a word.
TAKE = Message("take", context="move")
TAKES, TRAILS = (mark("{source} takes {cards}"), mark("take {cards}")), (mark("{source} trails"), mark("trail"))


def capture(
    viewer: int,
    text: str,
    labels: tuple[str, str],
    card: int,
    others: int,
    brief: Message | None = None,
    **values: Value,
) -> Move:
    """A move that plays a card of the hand and involves a set of cards on the table. labels: the templates of its name,
    with the card as `{source}`, and of its name once that is chosen.
    """
    cards = set_text(others)
    values = {"cards": Cards(cards), **values}
    label, then = Message(labels[0], source=Card(card_text(card)), **values), Message(labels[1], **values)
    return Move(text, label, (card_text(card), *cards.split()), f"hand-{viewer}", brief=brief, then=then)


BOARD = Message("table", context="zone")


def pile_zone(s: Any, p: int, tally: Callable[[int], list[Message]], swept: str = SWEPT) -> Zone:
    """A side's pile: face down except for the cards that mark sweeps; open when the deal is over and the piles are
    counted. Everybody saw what went into it: the tally is an aid to the memory.
    """
    size = int(s.piles[p]).bit_count()
    marks = [int(s.sweep_card[i]) for i in range(s.sweeps) if captures.side(s, s.sweeper[i]) == p]
    shown = cards_in(s.piles[p]) if s.over else marks
    cards = (*(card_text(card) for card in shown), *(None,) * (size - len(shown)))
    sweeps = Message(swept, n=len(marks), cards=Cards(" ".join(map(card_text, marks)))) if marks else NOTHING
    seats = (p, p + 2) if s.seats == 4 else (p,)
    taken = Fact(Message("{n} {n:card|cards} taken", n=size), figure=(size,))
    counted = [Fact(message, aid=True) for message in tally(int(s.piles[p]))] if size else []
    return Pile(f"pile-{p}", seats, cards, size, (taken, Fact(sweeps, "sweeps", len(marks)), *counted), won=True)


# Positions


def common_position(s: Any) -> dict[str, Any]:
    """The keys of a position that all fishing games have."""
    n, k = int(s.seats), captures.sides(s)
    keys: dict[str, Any] = {
        "turn": int(s.turn),
        "hands": [set_text(s.hands[p]) for p in range(n)],
        "board": set_text(s.board),
    }
    if s.drawn < s.stock_size:
        keys["stock"] = " ".join(card_text(s.stock[i]) for i in range(s.drawn, s.stock_size))
    if any(s.piles[p] for p in range(k)):
        keys["piles"] = [set_text(s.piles[p]) for p in range(k)]
    if s.sweeps:
        keys["sweeps"] = ", ".join(f"{s.sweeper[i]} {card_text(s.sweep_card[i])}" for i in range(s.sweeps))
    if s.last >= 0:
        keys["last"] = int(s.last)
    if s.absent:
        keys["unlisted"] = "dead"
    if any(s.scores[p] for p in range(n)):
        keys["scores"] = [int(s.scores[p]) for p in range(n)]
    return keys


def set_common(
    s: Any,
    keys: dict[str, Any],
    cards: positions.Placing,
    pack: int,
    each: int,
    shuffle: Callable[[list[int]], None],
    held: Sequence[Sequence[Held]] = (),
) -> None:
    """Read the keys of `common_position`. cards: those placed by the game's own keys; each: cards in a full hand;
    held: the knowledge about the hands.

    Raises PositionError.
    """
    n, k = int(s.seats), captures.sides(s)
    board = cards.cards("board", positions.text(keys, "board"))
    stock = cards.cards("stock", positions.text(keys, "stock"))
    what = Message("piles is a list of {k} texts of cards", k=k)
    given = positions.texts(keys.pop("piles", [""] * k), "piles", k, what, Message('write "" for an empty pile'))
    piles = [cards.cards(f"pile {p}", str(text)) for p, text in enumerate(given)]
    hands = cards.hands(keys.pop("hands", None), n)
    for card in [
        *board,
        *stock,
        *(card for pile in piles for card in pile),
        *(card for hand in hands for card in cards_in(hand)),
    ]:
        if not pack >> card & 1:
            raise PositionError(
                Message("{card} in this position", card=Card(card_text(card))),
                Message("it is not in the pack of this game"),
                Message("leave it out"),
            )
    rest = cards.rest(hands, shuffle, held)
    what = Message("unlisted cards are in the stock, in random order, or dead")
    if positions.one_of(keys, "unlisted", ("stock", "dead"), "stock", what, Message("name one of these")) == "stock":
        shuffle(rest)
        stock += rest
    else:
        s.absent = sum(1 << card for card in rest)
    s.stock_size = len(stock)
    for i, card in enumerate(stock):
        s.stock[i] = card
    s.board = sum(1 << card for card in board)
    for p, pile in enumerate(piles):
        s.piles[p] = sum(1 << card for card in pile)
    for p in range(n):
        s.hands[p], s.counts[p] = hands[p], hands[p].bit_count()
    s.turn = positions.seat(keys, "turn", n, captures.after_turn(s, s.dealer))
    s.last = positions.number(keys, "last", -1, n - 1, -1)
    _check_hands(s, each)
    _set_sweeps(s, positions.text(keys, "sweeps"))
    for p, scored in enumerate(positions.numbers(keys, "scores", n, [0] * n)):
        s.scores[p] = scored
        if scored < 0 or captures.side(s, p) != p and scored != s.scores[captures.side(s, p)]:
            raise PositionError(
                Message("a score of {points} for {seat}", points=scored, seat=Seat(p)),
                Message("scores are 0 or more, and partners have the same"),
                Message("change the scores"),
            )


def _check_hands(s: Any, each: int) -> None:
    """Check hand sizes: seats that have had their turn in this round hold one card fewer."""
    n = int(s.seats)
    seat = captures.after_turn(s, s.dealer)
    held = int(s.counts[s.turn])
    early = seat != s.turn
    for _ in range(n):
        early = early and seat != s.turn
        want = held - 1 if early else held
        if s.counts[seat] != want or not 0 < held <= each:
            raise PositionError(
                Message(
                    "{seat} {seat:holds|hold} {counts} {counts:card|cards}", seat=Seat(seat), counts=int(s.counts[seat])
                ),
                Message(
                    "{seat} {seat:is|are} to play and has {held}; who has played in this round has one card less than "
                    "who has not",
                    seat=Seat(int(s.turn)),
                    held=held,
                ),
                Message("give it {value}, at most {each} each", value=max(want, 0), each=each),
            )
        seat = captures.after_turn(s, seat)
    if s.stock_size % (each * n):
        raise PositionError(
            Message("a stock of {stock_size} {stock_size:card|cards}", stock_size=int(s.stock_size)),
            Message("it is dealt out in rounds of {value}", value=each * n),
            Message("name more cards, or set unlisted = 'dead'"),
        )


def _set_sweeps(s: Any, text: str) -> None:
    """Read `0 7C, 1 5D`: the seats that swept, each with the card left face up."""
    marks = [part.split() for part in text.split(",") if part.strip()]
    for i, swept in enumerate(marks):
        good = len(swept) == 2 and swept[0].isdecimal() and int(swept[0][:3]) < s.seats
        try:
            card = parse_card(swept[1]) if good else -1
        except NotationError:
            card = -1
        if card < 0:
            raise PositionError(
                Message("sweeps = {text}", text=repr(text[:60])),
                Message("sweeps are written '0 7C, 1 5D': seat and card"),
                Message("part them by commas"),
                code="position/syntax",
            )
        seat = int(swept[0])
        twice = any(int(s.sweep_card[k]) == card for k in range(i))
        if not int(s.piles[captures.side(s, seat)]) >> card & 1 or twice or i >= captures.MAX_SWEEPS:
            raise PositionError(
                Message("the sweep of {seat} with {card}", seat=Seat(seat), card=Card(card_text(card))),
                Message("a sweep is marked by a card of the sweeper's pile, one for each"),
                Message("put the card into its pile"),
            )
        s.sweeper[i], s.sweep_card[i], s.sweeps = seat, card, i + 1
    if any(s.piles[p] for p in range(captures.sides(s))) and s.last < 0:
        raise PositionError(
            Message("a position with captured cards"),
            Message("it does not say who captured last, who gets what is left on the table"),
            Message("add last = and a seat"),
        )
