"""Play or Pay in words: moves, refusals, positions and the table as zones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from cardtable.base import card_names
from cardtable.base.cards import ALL_52, SUIT, SUITS, card_text, parse_card, rank_of, set_text, suit_of
from cardtable.base.errors import NotationError, PositionError, Text
from cardtable.base.message import Card, Cards, Message, Seat
from cardtable.games.play_or_pay.prompts import prompt as prompt
from cardtable.games.play_or_pay.state import PASS, State
from cardtable.rules import moves, positions, unlisted
from cardtable.rules.events import Told, reason
from cardtable.rules.moves import Move, card_named
from cardtable.rules.zones import Fact, Hand, Pot, Row, Score, Zone, cards_or_backs, chips, lacks, row, won

REASONS = {
    "PP-01": reason("as ante", "ante"),
    "PP-06": reason("for passing", "passing"),
    "PP-07": reason("for the run", "the run"),
    "PP-11": reason("for going out first", "going out first"),
    "PP-12": reason("for the cards left", "the cards left"),
    "PP-14": reason("for the cards left", "the cards left"),
    "PP-Q6": reason("as a fine for withholding the card needed", "a fine for withholding the card needed"),
    "FT-Q13": reason("as a share of what nobody won", "a share of what nobody won"),
}
EVENTS: Mapping[int, Told] = {}
END_RULE = "PP-11"
TURN_RULE = "PP-01"


def move_text(s: State, move: int) -> str:
    """`7H` or `pass`."""
    return "pass" if move == PASS else card_text(move)


def parse_move(s: State, text: str) -> int:
    """Parse a move. Raises NotationError."""
    if text.strip().lower() in ("pass", "p"):
        return PASS
    return card_named(text, text, Message("a move is a card such as 7H, or pass"))


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    if s.need < 0:
        if move == PASS:
            return Message("you lead, and a lead cannot be passed"), "PP-10" if s.layout else "PP-03"
        return Message("you do not hold {card}", card=Card(card_text(move))), "PP-03"
    needed = Card(card_text(s.need))
    if move == PASS:
        if s.run:
            return Message("your run continues: you hold {needed}", needed=needed), "PP-Q2"
        if s.rules.enforce_penalise:
            return Message(
                "{passes} passes in a row prove that somebody is holding back, and you hold {needed}",
                passes=s.passes,
                needed=needed,
            ), "FT-Q14"
        return Message("you hold the card needed, {needed}, and must lay it", needed=needed), "PP-04"
    if move == s.need:
        return Message("{needed} is needed, but you do not hold it", needed=needed), "PP-06"
    if s.layout >> move & 1:
        return Message("{card} is on the table already", card=Card(card_text(move))), "PP-04"
    if suit_of(move) != suit_of(s.need):
        return Message(
            "{suit} are in play until all 13 are down; the card needed is {needed}",
            suit=card_names.SUITS[suit_of(s.need)],
            needed=needed,
        ), "PP-09"
    return Message("the card needed is {needed}", needed=needed), "PP-05" if rank_of(s.need) == 0 else "PP-04"


def automatic(s: State, seat: int, move: int) -> bool:
    """In strict play everything between two leads; in any play the rest of a run."""
    return bool(s.run) if s.rules.enforce_penalise else bool(s.need >= 0)


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The four rows, the card needed, the pot and the hands."""
    layout = int(s.layout)
    result: list[Zone] = [_row_zone(suit, layout >> 13 * suit & SUIT, _due(s, suit)) for suit in range(4)]
    if not s.over:  # a text, not a card: the card needed is still in somebody's hand
        result.append(
            Score(
                "need",
                facts=(LED if s.need < 0 else Fact(Message("{card}", card=Card(card_text(s.need)))),),
                label=NEXT,
            )
        )
    if s.rules.stakes_chips:
        result.append(Pot("pot", count=int(s.pot), facts=(chips(int(s.pot)),)))
    for seat in range(s.seats):
        result.append(_hand(s, seat, viewer))
    return result


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """The cards of the hand, and `pass`."""
    return [moves.passing(legal) if move == PASS else moves.of_card(viewer, card_text(move)) for move in legal]


NEXT, LED = Message("next card", context="zone"), Fact(Message("any card of a new suit"))


@lru_cache(4096)  # everybody sees the same rows
def _row_zone(suit: int, laid: int, due: tuple[str, ...]) -> Zone:
    name, label = f"row-{SUITS[suit]}", card_names.SUITS[suit]
    return Row(name, (), row(laid, suit), laid.bit_count(), label=label, suit=SUITS[suit], due=due)


def _due(s: State, suit: int) -> tuple[str, ...]:
    """The card needed, if it is of a suit."""
    return (card_text(s.need),) if not s.over and s.need >= 0 and suit_of(s.need) == suit else ()


def _hand(s: State, seat: int, viewer: int) -> Zone:
    open_hand = seat == viewer or bool(s.over)
    cards = cards_or_backs(s.hands[seat], open_hand, s.counts[seat])
    facts = [chips(int(s.stacks[seat])) if s.rules.stakes_chips else won(int(s.won[seat]))]
    if s.lacks >> seat & 1 and not s.over:
        facts.append(lacks(card_text(s.need)))
    return Hand(f"hand-{seat}", (seat,), cards, int(s.counts[seat]), tuple(facts))


# Positions


def position(s: State) -> dict[str, Any]:
    """Everything that defines a deal in play."""
    n = int(s.seats)
    keys: dict[str, Any] = {
        "turn": int(s.turn),
        "hands": [set_text(s.hands[p]) for p in range(n)],
        "played": set_text(s.layout),
    }
    if s.absent:
        keys["unlisted"] = "dead"
    if s.need >= 0:
        keys |= {"need": card_text(s.need), "down": int(s.laid)}
    for name in ("run", "passes"):
        if value := int(getattr(s, name)):
            keys[name] = value
    if s.lacks:
        keys["lacks"] = [p for p in range(n) if s.lacks >> p & 1]
    if s.shows:
        keys["shows"] = int(s.shows) - 1
    if any(s.offences[p] for p in range(n)):
        keys["offences"] = [int(s.offences[p]) for p in range(n)]
    return keys | positions.chips(s)


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Set up a position in a state that has its house rules. Raises PositionError if it is impossible."""
    n = int(s.seats)
    table = positions.Placing("hand", 0)
    played = sum(1 << card for card in table.cards("played", positions.text(keys, "played")))
    hands = table.hands(keys.pop("hands", None), n)
    laid = _set_suit(s, keys)
    s.turn = positions.seat(keys, "turn", n, (int(s.dealer) + 1) % n)
    leading = s.need < 0
    s.run = positions.number(keys, "run", 0, 0 if leading else min(12, int(s.laid)), 0)
    s.passes = positions.number(
        keys, "passes", 0, 0 if leading or s.run else (2 * n if s.rules.enforce_penalise else n) - 1, 0
    )
    rest = sum(1 << card for card in table.rest(hands, shuffle, _held(s, keys, n, laid)))
    what = Message("unlisted cards are played or dead")
    where = positions.one_of(keys, "unlisted", ("played", "dead"), "played", what, Message("name one of these"))
    for p in range(n):
        s.hands[p], s.counts[p] = hands[p], hands[p].bit_count()
        if not hands[p]:
            raise PositionError(
                Message("{seat} {seat:has|have} no cards", seat=Seat(p)),
                Message("then the deal is over (PP-11)"),
                Message("give every seat at least one card"),
            )
    to_come = _check_suit(s, laid, played)
    s.absent = rest if where == "dead" else rest & to_come
    s.layout = ALL_52 & ~s.absent & ~sum(hands)
    _facts(s, keys, n)
    for p, times in enumerate(positions.numbers(keys, "offences", n, [0] * n)):
        s.offences[p] = times
        if times and (not s.rules.enforce_penalise or s.rules.detect_immediate or not 0 < times <= 52):
            raise PositionError(
                Message("offences of {seat} = {times}", seat=Seat(p), times=times),
                Message("they wait only with enforce=penalise and detect=end, at most one a card"),
                Message("leave them out"),
            )
    positions.set_chips(s, keys)


def _set_suit(s: State, keys: dict[str, Any]) -> int:
    """Set the suit in play, the card needed and how many cards are down; return these."""
    needed = str(keys.pop("need", ""))
    down = positions.number(keys, "down", 1 if needed else 0, 12 if needed else 0, 1 if needed else 0)
    s.laid = down
    s.need = -1
    if not needed:
        return 0
    try:
        s.need = parse_card(needed)
    except NotationError as error:
        raise PositionError(
            Message("need = {needed}", needed=repr(needed[:40])), *error.parts[1:], code="position/syntax"
        ) from None
    first = suit_of(s.need) * 13
    return sum(1 << first + (s.need - first - i) % 13 for i in range(1, down + 1))


def _check_suit(s: State, laid: int, played: int) -> int:
    """Check the cards of the suit in play; return those still to come."""
    if s.need < 0:
        return 0
    needed, down = card_text(s.need), int(s.laid)
    held = sum(int(s.hands[p]) for p in range(s.seats))
    to_come = (SUIT << suit_of(s.need) * 13) & ~laid
    if laid & held:
        raise PositionError(
            Message("{cards} in a hand", cards=Cards(set_text(laid & held))),
            Message("with {down} cards down below {needed} it is on the table (PP-04)", down=down, needed=needed),
            Message("change the hands, need or down"),
        )
    if played & to_come:
        raise PositionError(
            Message("{cards} played", cards=Cards(set_text(played & to_come))),
            Message("it comes after {needed} (PP-05)", needed=needed),
            Message("change played, need or down"),
        )
    return to_come


def _held(s: State, keys: dict[str, Any], n: int, laid: int) -> list[list[unlisted.Held]]:
    """The knowledge about the hands, for the cards that are to be dealt to them: the possible places of the card
    needed."""
    needed = 1 << int(s.need) if s.need >= 0 else 0
    given = keys.get("lacks", [])
    barred = {p for p in range(n) if p in _proved(s, n, p) or isinstance(given, (list, tuple)) and p in given}
    holder = int(s.turn) if s.run else positions.seat(dict(keys), "shows", n, 0) if "shows" in keys else -1
    return [
        [unlisted.lacks(laid | needed * (p in barred)), *[unlisted.holds(needed)] * (p == holder)] for p in range(n)
    ]


def _facts(s: State, keys: dict[str, Any], n: int) -> None:
    """Set the facts about the card needed, from `lacks`, `shows` and the rules; a hand must not contradict them."""
    lacks = keys.pop("lacks", [])
    if (
        not isinstance(lacks, (list, tuple))
        or not all(isinstance(p, int) and 0 <= p < n for p in lacks)
        or (lacks and s.need < 0)
    ):
        raise PositionError(
            Message("lacks = {value}", value=str(lacks)[:40]),
            Message("it lists the seats that showed that they do not hold the card needed"),
            Message("list seats, where a card is needed"),
            code="position/syntax",
        )
    holder = next((p for p in range(n) if s.need >= 0 and s.hands[p] >> s.need & 1), -1)
    shows = positions.seat(keys, "shows", n, 0) if "shows" in keys else -1
    if shows >= 0 and shows != holder:
        raise PositionError(
            Message("{seat} shows the card needed", seat=Seat(shows)),
            Message("it does not hold it"),
            Message("change its hand or shows"),
        )
    if s.run and not s.rules.continue_run:
        raise PositionError(
            Message("run = {run}", run=s.run),
            Message("with continue_run=no one card a turn is laid (PP-08)"),
            Message("leave run out"),
        )
    if s.run and s.turn != holder:
        raise PositionError(
            Message("run = {run}", run=s.run),
            Message(
                "{seat} {seat:does|do} not hold {card}, so its run is over (PP-07)",
                seat=Seat(int(s.turn)),
                card=Card(card_text(s.need)),
            ),
            Message("leave run out, or change its hand"),
        )
    proved = dict.fromkeys(lacks, "by passing it proved that it does not (PP-06)") | _proved(s, n, holder)
    if holder in proved:
        raise PositionError(
            Message("{seat} {seat:holds|hold} {card}", seat=Seat(holder), card=Card(card_text(s.need))),
            proved[holder],
            Message("change its hand, lacks, passes or the turn"),
        )
    for p in proved:
        s.lacks |= 1 << p
    s.shows = 1 + (holder if s.run or _found_out(s, n, holder) else shows)


def _passed(s: State, n: int) -> list[int]:
    """The seats that passed since the last card, in order."""
    return [(s.turn - s.passes + i) % n for i in range(s.passes)]


def _proved(s: State, n: int, holder: int) -> dict[int, str]:
    """The seats that have proved that they do not hold the card needed, and how."""
    if s.need < 0 or s.run:
        return {}
    passed = _passed(s, n)
    proved = {}
    if s.rules.continue_run:  # the player of the last card would have continued
        proved[(s.turn - s.passes - 1) % n] = "it laid the last card, and would have gone on (PP-07)"
    for p in passed[n:] if s.rules.enforce_penalise else passed:
        proved[p] = "by passing it proved that it does not (PP-06)"
    if s.rules.enforce_penalise and s.rules.detect_immediate:  # a pass that was not fined
        proved |= {p: "by passing without a fine it proved that it does not (PP-Q6)" for p in passed if p != holder}
    return proved


def _found_out(s: State, n: int, holder: int) -> bool:
    """Whether a fine paid at once has shown the holder of the card needed (PP-Q6)."""
    return bool(s.rules.enforce_penalise and s.rules.detect_immediate and holder in _passed(s, n)[:n])
