"""Fan Tan, Five or Nine and Domino Fan-Tan in words: moves, refusals, positions and the table as zones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from cardtable.base import card_names
from cardtable.base.cards import RANKS, SUIT, SUITS, card_text, cards_in, parse_card, rank_of, set_text, suit_of
from cardtable.base.errors import NotationError, PositionError, Text
from cardtable.base.message import Card, Cards, Either, Message, Seat
from cardtable.games.fan_tan import rules
from cardtable.games.fan_tan.layout import founding, may_pass, opening_card, playable, run_on
from cardtable.games.fan_tan.prompts import prompt as prompt
from cardtable.games.fan_tan.state import DONE, DRAW, FOUNDERS, PASS, STOCK, FanTanTable
from cardtable.rules import moves, positions, unlisted
from cardtable.rules.events import Told, reason
from cardtable.rules.moves import Move, card_named
from cardtable.rules.zones import Fact, Hand, Pot, Row, Stock, Zone, chips, lacks, row, won

REASONS = {
    **dict.fromkeys(("FT-16", "FT-17", "FT-18", "FT-19"), reason("as ante", "ante")),
    **dict.fromkeys(("FT-22", "FN-07", "DF-05"), reason("for passing", "passing")),
    "DF-03": reason("for drawing", "drawing"),
    "FT-24": reason("for a dead deal", "a dead deal"),
    "FT-34": reason("as a fine for passing while able", "a fine for passing while able"),
    **dict.fromkeys(
        ("FT-35", "FT-38", "FT-39"),
        reason("as a fine to a neighbour of the withheld 7", "a fine to a neighbour of the withheld 7"),
    ),
    "FT-37": reason(
        "as a fine to the holder of the card next to the withheld 7",
        "a fine to the holder of the card next to the withheld 7",
    ),
    "FT-41": reason("for going out first", "going out first"),
    **dict.fromkeys(("FT-42", "FT-43"), reason("for the cards left", "the cards left")),
    "FT-Q13": reason("as a share of what nobody won", "a share of what nobody won"),
}
EVENTS: Mapping[int, Told] = {
    rules.LOST: Told("lost", Message("{source} {source:has|have} lost, without a pass left"), beat="call"),
    rules.LAID_OUT: Told("laid out", Message("{source} {source:lays|lay} out {card}"), joins=True, beat="reveal"),
}
END_RULE = "FT-41"
TURN_RULE = "FT-20"
_WORDS = {"pass": PASS, "p": PASS, "draw": DRAW, "d": DRAW, "done": DONE}
_TEXT = {PASS: "pass", DRAW: "draw", DONE: "done"}


def move_text(s: FanTanTable, move: int) -> str:
    """`7H`, `pass`, `draw` or `done`."""
    return _TEXT[move] if move in _TEXT else card_text(move)


def parse_move(s: FanTanTable, text: str) -> int:
    """Parse a move. Raises NotationError."""
    word = text.strip().lower()
    if word in _WORDS:
        return _WORDS[word]
    return card_named(text, text, Message("a move is a card such as 7H, or pass, draw, done"))


def why_not(s: FanTanTable, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    able = cards_in((rules.further(s) if s.group else playable(s)) & s.hands[seat])
    if move == PASS:
        if s.drawn < s.stock_size:
            return Message("while there is a stock, you draw from it instead of passing"), "DF-03"
        if s.group:
            return Message("you have begun your turn: lay another card or say done"), "FT-31"
        if opening_card(s):
            return _opens(s), "FT-C1"
        if s.rules.enforce_penalise:
            return Message(
                "{passes} passes in a row prove that somebody is holding back, and you can play", passes=s.passes
            ), "FT-Q14"
        if s.rules.passes > 0:
            return Message("you have no pass left, and you can play"), "FT-C2"
        if s.rules.passes < 0:
            return Message("all have passed, and you can play"), "FT-C3"
        return Message("you can play, and playing is compulsory"), "FT-32"
    if move == DRAW:
        if not s.rules.hand_size:
            return Message("there is no stock in this game"), "FT-14"
        if s.drawn == s.stock_size:
            return Message("the stock is used up"), "DF-05"
        return Message("you can play, and only a player who cannot play draws"), "DF-Q3"
    if move == DONE:
        return (
            (Message("one card a turn: it ends automatically"), "FT-29")
            if not s.rules.several
            else (Message("you have not laid a card yet"), "FT-32")
        )
    return _why_not_card(s, seat, move, able)


def _opens(s: FanTanTable) -> Message:
    return Message("the deal begins with {card}, which you hold", card=Card(set_text(opening_card(s))))


def _why_not_card(s: FanTanTable, seat: int, card: int, able: list[int]) -> tuple[Text, str]:
    text, suit = card_text(card), suit_of(card)
    row = _row(s, suit)
    if s.layout >> card & 1:
        return Message("{card} is on the table already", card=Card(text)), "FT-25"
    if not s.hands[seat] >> card & 1:
        return Message("you do not hold {card}", card=Card(text)), "FT-25"
    if opening_card(s):
        return _opens(s), "FT-C1"
    if not founding(s) >> card & 1 and not row:
        founders = [RANKS[i] for i in range(13) if founding(s) >> i & 1]
        if s.layout == 0:
            return Message("the first card of a deal must be {ranks}", ranks=_any(founders)), "FT-21" if founders == [
                "7"
            ] else "FN-02"
        return Message(
            "the {suit} row is not open: it begins with its {ranks}",
            suit=card_names.SUITS[suit],
            ranks=Either(founders),
        ), "FT-25" if founders == ["7"] else "FN-03"
    if playable(s) >> card & 1 and s.group:
        return Message(
            "this turn is about {suit} only",
            suit=Message("the founding cards") if s.group == FOUNDERS else card_names.SUITS[s.group - 1],
        ), "FT-Q9"
    end, side = (row[-1], -1) if card > row[-1] else (row[0], 1)
    return Message(
        "the {suit} row ends at {card}, so {card2} must wait for {card3}",
        suit=card_names.SUITS[suit],
        card=Card(card_text(end)),
        card2=Card(text),
        card3=Card(card_text(card + side)),
    ), "FT-25"


def automatic(s: FanTanTable, seat: int, move: int) -> bool:
    """In strict play only: a pass or a draw by a seat that cannot play, and a card that is laid as soon as it is drawn
    (Domino). A pass that might be free is made by hand: it would show that no card fits (FT-C2).
    """
    if s.rules.enforce_penalise or (s.rules.passes and may_pass(s, seat)):
        return False
    return move in (PASS, DRAW) or bool(s.fresh)


def _any(ranks: Sequence[str]) -> Either:
    """`a 5 or a 9`."""
    return Either([Message("a {rank}", rank=rank) for rank in ranks])


def _row(s: FanTanTable, suit: int) -> list[int]:
    """The cards of a row, lowest first."""
    return cards_in(s.layout & SUIT << 13 * suit)


def zones(s: FanTanTable, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The four rows, the pot, the stock and the hands."""
    rules, founders, layout, over = s.rules, int(founding(s)), int(s.layout) | int(s.strays), bool(s.over)
    side = "6L8R" if rules.layout_side_6L8R else "8L6R"
    result: list[Zone] = [
        _row_zone(suit, layout >> 13 * suit & SUIT, founders >> 13 * suit & SUIT, side) for suit in range(4)
    ]
    if rules.stakes_chips:
        result.append(_pot(int(s.pot)))
    if rules.hand_size:
        undrawn = int(s.stock_size - s.drawn)
        result.append(Stock("stock", cards=(None,) * undrawn, count=undrawn))
    arrays: Any = s  # to read a whole array takes as long as one of its numbers
    counts, lacking = arrays.counts.tolist(), arrays.lacks.tolist()
    stands = [*map(chips, arrays.stacks.tolist())] if rules.stakes_chips else [*map(won, arrays.won.tolist())]
    for seat in range(int(s.seats)):
        shown = 0 if over else lacking[seat] & ~layout
        known = _known_of(stands[seat], _passes_of(s, seat), shown)
        if seat == viewer or over:
            result.append(_hand(seat, cards_in(s.hands[seat]), known))
        else:
            result.append(_hidden_hand(seat, counts[seat], known))
    return result


def choices(s: FanTanTable, viewer: int, legal: Sequence[int]) -> list[Move]:
    """The cards of the hand, `pass`, `draw` and `done`."""
    acts = {PASS: moves.passing(legal), DRAW: moves.DRAW, DONE: FINISHED}
    return [acts[move] if move in acts else moves.of_card(viewer, card_text(move)) for move in legal]


FINISHED = Move("done", Message("done", context="move"))


@lru_cache(4096)  # everybody sees the same rows
def _row_zone(suit: int, laid: int, founders: int, side: str) -> Zone:
    first = tuple(card for card in row(founders, suit) if card)
    facts = (Fact(name="side", value=side),)
    return Row(
        f"row-{SUITS[suit]}",
        (),
        row(laid, suit),
        laid.bit_count(),
        facts,
        label=card_names.SUITS[suit],
        suit=SUITS[suit],
        founders=first,
    )


@lru_cache(1024)
def _pot(count: int) -> Zone:
    return Pot("pot", count=count, facts=(chips(count),))


def _hand(seat: int, cards: Sequence[int], known: tuple[Fact, ...]) -> Zone:
    return Hand(f"hand-{seat}", (seat,), tuple(map(card_text, cards)), len(cards), known)


@lru_cache(4096)  # all others see the same backs, at many tables
def _hidden_hand(seat: int, count: int, known: tuple[Fact, ...]) -> Zone:
    return Hand(f"hand-{seat}", (seat,), (None,) * count, count, known)


def _passes_of(s: FanTanTable, seat: int) -> Fact | None:
    """How often a seat may still pass, or that it has lost; None: passes are not limited (FT-C2)."""
    if s.rules.passes <= 0:
        return None
    return LOST if s.laid_out[seat] else _passes_left(int(s.rules.passes - s.passed[seat]))


LOST = Fact(Message("has lost this deal"), "out", "of the deal")


@lru_cache(16)
def _passes_left(n: int) -> Fact:
    return Fact(Message("{n} {n:pass|passes} left", n=n), "passes", n)


@lru_cache(4096)
def _known_of(stands: Fact, passes: Fact | None, shown: int) -> tuple[Fact, ...]:
    """A seat's chips or deals, its passes, and the cards that it is known to lack."""
    return (stands, *([passes] if passes else []), *([lacks(set_text(shown))] if shown else []))


# Positions

ROW_HELP = Message("rows are written 'S A-7  H 6-8  D 7': suit, and lowest to highest card")


def rows_text(layout: int) -> str:
    """The layout as `S A-7 H 7`; `parse_rows` reads it."""
    rows = []
    for suit in range(4):
        cards = cards_in(layout & SUIT << 13 * suit)
        if cards:
            low, high = RANKS[rank_of(cards[0])], RANKS[rank_of(cards[-1])]
            rows.append(f"{SUITS[suit]} {low}" + (f"-{high}" if high != low else ""))
    return "  ".join(rows)


def parse_rows(text: str) -> int:
    """Parse a layout such as `S A-7  H 7`. Raises PositionError."""
    layout = 0
    words = text.upper().replace(",", " ").replace("10", "T").split()
    for suit, span in zip(words[::2], words[1::2], strict=False):
        low, _, high = span.partition("-")
        high = high or low
        if (
            suit not in SUITS
            or len(suit) != 1
            or low not in RANKS
            or high not in RANKS
            or len(low) != 1
            or len(high) != 1
            or RANKS.index(low) > RANKS.index(high)
        ):
            raise PositionError(
                Message("row {suit} {span}", suit=suit, span=span),
                Message("this is no row"),
                ROW_HELP,
                code="position/syntax",
            )
        row = sum(1 << 13 * SUITS.index(suit) + rank for rank in range(RANKS.index(low), RANKS.index(high) + 1))
        if layout & SUIT << 13 * SUITS.index(suit):
            raise PositionError(
                Message("row {suit} {span}", suit=suit, span=span),
                Message("the {suit} row stands twice", suit=card_names.SUITS[SUITS.index(suit)]),
                Message("write each row once"),
            )
        layout |= row
    if len(words) % 2:
        raise PositionError(
            Message("rows {text}", text=repr(text[:60])),
            Message("a row lacks its suit or its cards"),
            ROW_HELP,
            code="position/syntax",
        )
    return layout


def position(s: FanTanTable) -> dict[str, Any]:
    """Everything that defines a deal in play."""
    keys: dict[str, Any] = {
        "turn": int(s.turn),
        "hands": [set_text(s.hands[p]) for p in range(s.seats)],
        "rows": rows_text(s.layout),
    }
    if bin(s.rules.start_ranks).count("1") > 1 and s.set_rank:
        keys["set_rank"] = RANKS[s.set_rank - 1]
    if s.group:
        keys["group"] = "founders" if s.group == FOUNDERS else SUITS[s.group - 1]
    if s.stock_size:
        keys["stock"] = " ".join(card_text(s.stock[i]) for i in range(s.drawn, s.stock_size))
    if s.absent:
        keys["unlisted"] = "dead"
    if s.fresh:
        keys["fresh"] = 1
    if s.passes:
        keys["passes"] = int(s.passes)
    if any(s.passed[p] for p in range(s.seats)):
        keys["passed"] = [int(s.passed[p]) for p in range(s.seats)]
    if any(s.laid_out[p] for p in range(s.seats)):
        keys["laid_out"] = [set_text(s.laid_out[p]) for p in range(s.seats)]
    for name in ("lacks", "shows", "one_of", "keeps"):
        sets = [int(getattr(s, name)[p]) & ~int(s.layout) for p in range(s.seats)]
        if any(sets):
            keys[name] = [set_text(mask) for mask in sets]
    if s.rules.enforce_penalise and (history := _history(s)):
        keys["history"] = history
    return keys | positions.chips(s)


def _history(s: FanTanTable) -> str:
    """The acts by which offences are judged, as `1 7H, 2 pass, 0 draw`."""
    acts = []
    drawn = 0
    first = s.opener
    for k in range(s.laid_count + 1):
        while drawn < s.drawn and s.drew[drawn] >> 4 == k:
            acts.append(f"{s.drew[drawn] & 15} draw {card_text(s.stock[drawn])} {s.found[drawn]}")
            drawn += 1
        acts += [f"{(first + i) % s.seats} pass" for i in range(s.seats) if s.skipped[k] >> (first + i) % s.seats & 1]
        if k < s.laid_count:
            by = next(p for p in range(s.seats) if s.laid_by[p] >> s.laid[k] & 1)
            acts.append(f"{by} {card_text(s.laid[k])}")
            first = (by + 1) % s.seats
    return ", ".join(acts)


def set_position(s: FanTanTable, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Set up a position in a state that has its house rules. Raises PositionError if it is impossible."""
    n = int(s.seats)
    s.layout = parse_rows(positions.text(keys, "rows"))
    table = positions.Placing("rows", int(s.layout))
    stock = table.cards("stock", positions.text(keys, "stock")) if s.rules.hand_size else []
    hands = table.hands(keys.pop("hands", None), n)
    _set_rank(s, keys)
    _set_passes(s, keys, table, n)
    first = int(opening_card(s))
    holder = next((p for p in range(n) if hands[p] & first), (int(s.dealer) + 1) % n)
    s.turn = positions.seat(keys, "turn", n, holder)
    s.fresh = positions.number(keys, "fresh", 0, int(s.rules.hand_size > 0 and not s.rules.enforce_penalise), 0)
    what = Message(
        "unlisted cards are played or dead{words}", words=Message(", or in the stock") if s.rules.hand_size else ""
    )
    words = ("stock", "played", "dead") if s.rules.hand_size else ("played", "dead")
    where = positions.one_of(keys, "unlisted", words, words[0], what, Message("name one of these"))
    rest = table.rest(hands, shuffle, _held(s, dict(keys), n))
    if where == "stock":
        shuffle(rest)
        stock, rest = stock + rest, []
    if len(stock) > STOCK:
        raise PositionError(
            Message("a stock of {value} cards", value=len(stock)),
            Message("the stock holds at most {most} (DF-02)", most=STOCK),
            Message("name more of the cards, or set unlisted = 'played'"),
        )
    s.absent = sum(1 << card for card in rest)
    s.stock_size = len(stock)
    for i, card in enumerate(stock):
        s.stock[i] = card
    for p in range(n):
        s.hands[p], s.counts[p] = hands[p], bin(hands[p]).count("1")
        if not hands[p] and not s.laid_out[p]:
            raise PositionError(
                Message("{seat} {seat:has|have} no cards", seat=Seat(p)),
                Message("then the deal is over (FT-41)"),
                Message("give every seat at least one card"),
            )
        if s.laid_out[p] and (hands[p] or p == s.turn):
            raise PositionError(
                Message("{seat} {seat:has|have} lost", seat=Seat(p)),
                Message("then it holds no cards and has no turn (FT-C2)"),
                Message("change its hand, turn or laid_out"),
            )
    group = positions.text(keys, "group")
    if group:
        suits = [] if group == "founders" else positions.suits("group", group)
        if len(suits) > 1 or not s.rules.several:
            raise PositionError(
                Message("group = {group}", group=repr(group)),
                Message("a turn of several cards is about the founders or a suit, where the rules have such turns"),
                Message("name founders, S, H, D or C"),
            )
        s.group = 1 + suits[0] if suits else FOUNDERS
    _facts(s, keys, n)
    if first & ~int(s.hands[s.turn]):
        raise PositionError(
            Message("turn = {turn}", turn=int(s.turn)),
            Message("the holder of {card} begins the deal (FT-C1)", card=Card(set_text(first))),
            Message("let that player begin, or name the cards on the table"),
        )
    s.shows[s.turn] |= first
    positions.set_chips(s, keys)
    s.origin = s.layout
    s.opener = s.turn
    if history := positions.text(keys, "history"):
        _set_history(s, history)


def _set_passes(s: FanTanTable, keys: dict[str, Any], table: positions.Placing, n: int) -> None:
    """Read how often seats have passed, and what seats that have lost laid out; the rows run on past such cards."""
    limit = int(s.rules.passes)
    most = n * limit if limit > 0 else (2 * n if s.rules.enforce_penalise or limit else n) - 1
    s.passes = positions.number(keys, "passes", 0, most, 0)
    passed = positions.numbers(keys, "passed", n, [0] * n)
    if min(passed) < 0 or max(passed) > max(limit, 0):
        raise PositionError(
            Message("passed = {passed}", passed=passed),
            Message("each player may pass {n} {n:time|times} in a deal (FT-C2)", n=max(limit, 0)),
            Message("change passed"),
        )
    laid_out = positions.sets(keys, "laid_out", n)
    once = sum(map(int.bit_count, laid_out)) == sum(any(cards >> card & 1 for cards in laid_out) for card in range(52))
    if any(laid_out) and (limit <= 0 or sum(map(bool, laid_out)) > n - 2 or not once):
        raise PositionError(
            Message("laid_out = {listed}", listed=[set_text(cards) for cards in laid_out]),
            Message("a player without a pass left lays out cards, each once, and two others play on (FT-C2)"),
            Message("change laid_out, or the option passes"),
        )
    for p, cards in enumerate(laid_out):
        table.cards("laid_out", set_text(cards & ~int(s.layout)))
        s.passed[p], s.laid_out[p] = passed[p], cards
        s.strays |= cards & ~int(s.layout)
    run_on(s)


def _set_rank(s: FanTanTable, keys: dict[str, Any]) -> None:
    """Read the set rank, which is either named or the only one that all rows contain; each row must contain its
    founding card.
    """
    ranks = [i for i in range(13) if s.rules.start_ranks >> i & 1]
    named = str(keys.pop("set_rank", ""))
    if named and (named not in RANKS or RANKS.index(named) not in ranks):
        raise PositionError(
            Message("set_rank = {named}", named=repr(named)),
            Message("the first card may be {ranks}", ranks=_any([RANKS[i] for i in ranks])),
            Message("name one of these (FN-02)"),
        )
    rows = [_row(s, suit) for suit in range(4)]
    possible = [
        i
        for i in ([RANKS.index(named)] if named else ranks)
        if all(any(rank_of(card) == i for card in row) for row in rows if row)
    ]
    if not possible:
        rank = Either([card_names.RANKS[RANKS.index(named)]] if named else [card_names.RANKS[i] for i in ranks])
        raise PositionError(
            Message("rows {text}", text=repr(rows_text(s.layout))),
            Message("a row lacks its founding card, the {rank} (FT-25)", rank=rank),
            Message("every row holds its founding card"),
        )
    if len(ranks) > 1 and s.layout and len(possible) > 1:
        raise PositionError(
            Message("rows without a set rank"),
            Message("the rows could be founded on {listed}", listed=Either([RANKS[i] for i in possible])),
            Message("add set_rank (FN-03)"),
        )
    s.set_rank = possible[0] + 1 if len(ranks) == 1 or s.layout else 0


def _held(s: FanTanTable, keys: dict[str, Any], n: int) -> list[list[unlisted.Held]]:
    """What passes and offences have proved, for the cards that are to be dealt to the hands."""
    barred, shows, some, keeps = (positions.sets(keys, name, n) for name in ("lacks", "shows", "one_of", "keeps"))
    held = []
    for p in range(n):
        sure = shows[p] | (int(opening_card(s)) if p == s.turn else 0)
        facts = [unlisted.Held(barred[p], 0, int(s.fresh and p == s.turn)), unlisted.holds(sure)]
        groups = {keeps[p] & int(rules.group_cards(s, group)) for group in range(1, FOUNDERS + 1)}
        held.append(facts + [unlisted.some_of(cards) for cards in (some[p], *sorted(groups)) if cards])
    return held


def _facts(s: FanTanTable, keys: dict[str, Any], n: int) -> None:
    """Read what passes and offences have proved; a hand may not contradict it."""
    # a pass before the opening is about every card that might open (FN-02)
    fits = playable(s) | founders_of(s) & ~int(s.layout)
    for name in ("lacks", "shows", "one_of", "keeps"):
        for p, mask in enumerate(positions.sets(keys, name, n)):
            getattr(s, name)[p] = mask
            held = mask & int(s.hands[p])
            if name == "lacks" and bin(held).count("1") > (s.fresh and p == s.turn):
                raise PositionError(
                    Message("{seat} {seat:holds|hold} {cards}", seat=Seat(p), cards=Cards(set_text(held))),
                    Message("by passing it proved that it does not (FT-32)"),
                    Message("change its hand or its lacks"),
                )
            if name == "lacks" and mask & ~fits:
                raise PositionError(
                    Message("{seat} {seat:lacks|lack} {cards}", seat=Seat(p), cards=Cards(set_text(mask & ~fits))),
                    Message("a pass proves nothing about cards that do not fit (FT-25)"),
                    Message("name only cards that fit the rows"),
                )
            if (
                (name == "shows" and held != mask)
                or (name == "one_of" and mask and not held)
                or (name == "keeps" and not rules.kept(s, mask, held))
            ):
                raise PositionError(
                    Message(
                        "{seat} {seat:does|do} not hold {cards}", seat=Seat(p), cards=Cards(set_text(mask & ~held))
                    ),
                    Message("its {name} says so", name=name),
                    Message("change its hand or its {name}", name=name),
                )


def founders_of(s: FanTanTable) -> int:
    """The cards that may open a deal."""
    return sum(int(s.rules.start_ranks) << 13 * suit for suit in range(4))


def _set_history(s: FanTanTable, text: str) -> None:
    """Rebuild the history from `1 7H, 2 pass, 0 draw 5S 0`."""
    acts = [act.split() for act in text.split(",")]
    try:
        cards = [(int(act[0]), parse_card(act[1])) for act in acts if act[1] not in ("pass", "draw")]
        draws = [(int(act[0]), parse_card(act[2]), int(act[3])) for act in acts if act[1] == "draw"]
    except (ValueError, IndexError, NotationError):
        raise PositionError(
            Message("history {text}", text=repr(text[:60])),
            Message("acts are written '1 7H', '2 pass', '0 draw 5S 0'"),
            Message("part them by commas"),
            code="position/syntax",
        ) from None
    seats = {seat for seat, *_ in [*cards, *draws]} | {int(act[0]) for act in acts}
    laid = sum(1 << card for _, card in cards)
    if (
        not seats <= set(range(s.seats))
        or laid & ~int(s.layout)
        or len(draws) + s.stock_size > STOCK
        or not s.rules.enforce_penalise
    ):
        raise PositionError(
            Message("history {text}", text=repr(text[:60])),
            Message("it does not lead to this position"),
            Message("name seats of the table, cards of the rows, at most 18 draws, under enforce=penalise"),
        )
    undrawn = [int(s.stock[i]) for i in range(s.stock_size)]
    for i, card in enumerate([card for _, card, _ in draws] + undrawn):
        s.stock[i] = card
    s.stock_size, s.drawn, s.laid_count = len(draws) + len(undrawn), len(draws), 0
    s.origin = s.layout & ~laid
    s.opener = int(acts[0][0])
    drawn = 0
    for act in acts:
        if act[1] == "pass":
            s.skipped[s.laid_count] |= 1 << int(act[0])
        elif act[1] == "draw":
            s.drew[drawn], s.found[drawn] = int(act[0]) | s.laid_count << 4, draws[drawn][2]
            drawn += 1
        else:
            s.laid[s.laid_count] = parse_card(act[1])
            s.laid_by[int(act[0])] |= 1 << parse_card(act[1])
            s.laid_count += 1
