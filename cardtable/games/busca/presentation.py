"""Busca in words: moves, refusals, positions and the table as zones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from cardtable.base.cards import ALL_40, card_text, parse_card
from cardtable.base.errors import NotationError, PositionError, Text, no_move
from cardtable.base.message import Card, Message
from cardtable.games.busca import rules
from cardtable.games.busca.prompts import prompt as prompt
from cardtable.games.busca.rules import ASIDE, CAPPOTTO, OUT, SET_ASIDE, SHOWN_ASIDE, State
from cardtable.games.shared import trick_presentation as table
from cardtable.games.shared.scores import after
from cardtable.rules import moves, positions
from cardtable.rules.events import Told, reason
from cardtable.rules.moves import Move
from cardtable.rules.zones import Fact, HandOrder, Pile, Score, Zone, score

REASONS = {
    "BU-09": reason("as what is left of 11, for the last trick", "what is left of 11, for the last trick"),
    "BU-10": reason("for card points, rounded down", "card points, rounded down"),
    "BU-11": reason("by a cappotto", "a cappotto"),
}
EVENTS: Mapping[int, Told] = {
    **table.EVENTS,
    SET_ASIDE: Told("aside", Message("{source} {source:lays|lay} {card} aside"), beat="play"),
    SHOWN_ASIDE: Told(
        "aside", Message("{source} {source:gets|get} {card}, which was laid aside, with the last trick"), beat="reveal"
    ),
    OUT: Told("out", Message("{source} {source:is|are} out"), beat="none"),
    CAPPOTTO: Told(
        "cappotto", Message("{source} {source:makes|make} a cappotto"), title=Message("cappotto"), beat="score"
    ),
}
END_RULE = "BU-08"
TURN_RULE = "BU-Q2"


def move_text(s: State, move: int) -> str:
    """`set-aside 7H`, or a card such as `7H`."""
    return f"set-aside {card_text(move - ASIDE)}" if move >= ASIDE else card_text(move)


def parse_move(s: State, text: str) -> int:
    """Parse a move. A card alone is set aside while the dealer must do that. Raises NotationError."""
    words = text.lower().replace("set aside", "set-aside").split()
    aside = len(words) == 2 and words[0] in ("set-aside", "aside")
    try:
        card = parse_card(words[1] if aside or (len(words) == 2 and words[0] == "play") else text)
    except NotationError:
        card = 52
    if card >= 52:
        raise NotationError(
            no_move(text), Message("a move is a card such as 7H, or set-aside 7H"), Message("write one of these")
        )
    return card + (ASIDE if aside or (rules.laying_aside(s) and words[0] != "play") else 0)


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    card = move % ASIDE
    if not ALL_40 >> card & 1:
        return Message(
            "there is no {card} in this pack: 8s, 9s and tens are taken out", card=Card(card_text(card))
        ), "BU-03"
    if rules.laying_aside(s):
        return (
            (Message("you do not hold {card}", card=Card(card_text(card))), "BU-06")
            if move >= ASIDE
            else (Message("first lay one of your fourteen cards aside"), "BU-06")
        )
    if move >= ASIDE:
        return Message("only the dealer of three players lays a card aside, once, before the first lead"), "BU-06"
    return table.why_not_card(s, seat, move, "BU-13")


def automatic(s: State, seat: int, move: int) -> bool:
    """The last card of a hand. Playing another single legal card would reveal the hand."""
    return bool(s.counts[seat] == 1)


OUT_OF_MATCH = Fact(Message("out of the match"), "out", "of the match")
ORDER = HandOrder(ranks="4567JQKA23")


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The trick, the card set aside, each seat's hand, tricks and score."""
    result: list[Zone] = [table.trick_zone(s)]
    left = int(rules.remaining(s))
    if int(s.in_play).bit_count() == rules.FEWEST:
        cards: tuple[str | None, ...] = (card_text(s.aside - 1) if s.aside else None,) * int(s.aside_laid)
        result.append(Pile("aside", (), cards, len(cards), label=Message("laid aside", context="zone")))
    for seat in range(s.seats):
        result += [table.hand_zone(s, seat, viewer, ORDER), table.pile_zone(s, seat)]
    for seat in range(s.seats):
        facts: tuple[Fact, ...] = (Fact(name="tricks", value=int(s.tricks[seat])), score(int(s.scores[seat])))
        if not left >> seat & 1:
            facts += (OUT_OF_MATCH,)
        result.append(Score(f"score-{seat}", (seat,), count=int(s.scores[seat]), facts=facts))
    return result


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """The cards of the hand that may be played or set aside."""
    return [
        _aside(viewer, card_text(move - ASIDE)) if move >= ASIDE else moves.of_card(viewer, card_text(move))
        for move in legal
    ]


@lru_cache(1024)
def _aside(seat: int, card: str) -> Move:
    return Move(f"set-aside {card}", Message("lay {card} aside", card=Card(card)), (card,), f"hand-{seat}")


# Positions


def position(s: State) -> dict[str, Any]:
    """A deal in play as keys."""
    n = int(s.seats)
    keys: dict[str, Any] = {"turn": int(s.turn)} | table.tricks_position(s)
    if any(s.won[p] for p in range(n)):
        keys["won"] = [int(s.won[p]) for p in range(n)]
    if s.aside_laid:
        keys["aside"] = card_text(s.aside - 1)
    if s.reached:
        keys["reached"] = int(s.reached)
    return keys


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if it cannot be."""
    s.direction = -1
    n = _set_players(s, keys)
    cards = positions.Placing("", 0, ALL_40)
    aside = cards.cards("aside", positions.text(keys, "aside"))
    if len(aside) > (n == 3):
        raise PositionError(
            Message("aside = {listed}", listed=" ".join(map(card_text, aside))),
            Message("only with three players is a card laid aside, one (BU-06)"),
            Message("leave it out"),
        )
    s.aside, s.aside_laid = (aside[0] + 1, 1) if aside else (0, 0)
    what = Message("cards that are not named have been played, for all are dealt (BU-Q8)")
    positions.one_of(
        keys, "unlisted", ("played",), "played", what, Message('leave it out, or write unlisted = "played"')
    )
    before = bool(rules.laying_aside(s))
    if before:
        keys.setdefault("turn", int(s.dealer))
    each = table.set_tricks(s, keys, cards, shuffle, spare=int(before), whole=True)
    if before:
        s.leader = after(s, s.dealer, s.in_play)
        if s.turn != s.dealer or s.played:
            raise PositionError(
                Message("aside"),
                Message("before the first lead the dealer of three lays a card aside (BU-06)"),
                Message("name it, or let it be the dealer's turn"),
            )
    if each != 40 // n:
        raise PositionError(
            Message("{each} {each:trick|tricks} in the deal", each=int(each)),
            Message("{n} players have {value} (BU-05)", n=n, value=40 // n),
            Message("give hands and tricks that add up to that number"),
        )
    _set_won(s, keys)
    top = max(int(s.scores[p]) for p in range(s.seats))
    s.reached = positions.number(
        keys, "reached", 0, int(s.deal_number) - 1, int(s.deal_number) - 1 if top >= s.rules.limit else 0
    )
    if (
        min(int(s.scores[p]) for p in range(s.seats)) < 0
        or (top >= s.rules.limit) != (s.reached > 0)
        or (s.reached and not s.rules.tie_extra_round and not s.rules.elimination)
    ):
        raise PositionError(
            Message("scores of {top} at most", top=top),
            Message("nobody is below 0, and at {limit} the match ends (BU-08)", limit=s.rules.limit),
            Message("change scores, reached or deal"),
        )


def _set_players(s: State, keys: dict[str, Any]) -> int:
    """Leave out the players who have reached the limit (BU-C2); return the number of the others."""
    n = int(s.seats)
    for p, total in enumerate(positions.numbers(dict(keys), "scores", n, [0] * n)):
        s.scores[p] = total
    left = int(rules.remaining(s))
    if left.bit_count() < rules.FEWEST or not left >> s.dealer & 1:
        raise PositionError(
            Message(
                "{value} players below {limit}, dealer = {dealer}",
                value=left.bit_count(),
                limit=s.rules.limit,
                dealer=s.dealer,
            ),
            Message("three or more play on, and one of them deals (BU-C2)"),
            Message("change scores or dealer"),
        )
    s.in_play = left
    return left.bit_count()


def _set_won(s: State, keys: dict[str, Any]) -> None:
    """The thirds of a point that each seat has taken: their sum is that of the cards in finished tricks."""
    n = int(s.seats)
    finished = int(s.played) & ~sum(1 << int(s.trick[i]) for i in range(s.laid))
    due = int(rules.thirds(finished))
    playing = int(s.in_play).bit_count()
    if bin(finished).count("1") != playing * sum(int(s.tricks[p]) for p in range(n)):
        raise PositionError(
            Message("{value} cards are in finished tricks", value=bin(finished).count("1")),
            Message("that is not {n} for each trick won", n=playing),
            Message("change hands or tricks"),
        )
    won = positions.numbers(keys, "won", n, [0] * n)
    if min(won) < 0 or sum(won) != due or any(won[p] and not s.tricks[p] for p in range(n)):
        raise PositionError(
            Message("won = {won}", won=won),
            Message("{due} thirds are in the tricks won (BU-07)", due=due),
            Message("write numbers that add up to {due}, 0 for a player without a trick", due=due),
        )
    for p in range(n):
        s.won[p] = won[p]
