"""Michigan in words: moves, refusals and the table as zones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from cardtable.base import card_names
from cardtable.base.cards import card_text, cards_in, parse_card, set_text, suit_of
from cardtable.base.errors import NotationError, Text
from cardtable.base.message import Card, Cards, Either, Message, Moves, Seat
from cardtable.games.michigan import rules
from cardtable.games.michigan.order import after, low_diamond, lowest_of, lowest_of_all, open_leads
from cardtable.games.michigan.positions import position as position
from cardtable.games.michigan.positions import set_position as set_position
from cardtable.games.michigan.prompts import prompt as prompt
from cardtable.games.michigan.stakes import PUT, PUT_ON, TAKE_FROM, TAKE_OUT, kitty, to_spread
from cardtable.games.michigan.state import (
    AUCTION,
    BID,
    CONTINUE,
    EXCHANGE,
    FOLLOWING,
    JACKPOT,
    KEEP,
    LEADING,
    MAX_RAISE,
    PASS,
    SEQUENCE,
    SPIN,
    SPINNING,
    STAKE,
    STAKING,
    WIDOW,
    State,
)
from cardtable.rules import moves
from cardtable.rules.contract import TAKE
from cardtable.rules.events import Told, reason
from cardtable.rules.moves import Move, card_named
from cardtable.rules.zones import (
    ACE_HIGH,
    NOTHING,
    Actions,
    Fact,
    Hand,
    Pile,
    Pot,
    Row,
    Score,
    Spread,
    Stock,
    Zone,
    cards_or_backs,
    chips,
)

RUN = {"low": Card("9H"), "middle": Card("TH"), "high": Card("JH")}  #: MI-42
REASONS = {
    "MI-06": reason("on the money cards", "the money cards"),
    "MI-15": reason("for the widow", "the widow"),
    "MI-27": reason("for the duplicate of a money card", "the duplicate of a money card"),
    "MI-30": reason("for the cards left", "the cards left"),
    "MI-31": reason("as a fine for not playing properly", "a fine for not playing properly"),
    "MI-32": reason("for what the offence cost on the money cards", "what the offence cost on the money cards"),
    "MI-42": reason("on the sequence {low} {middle} {high}", "the sequence {low} {middle} {high}", **RUN),
    "MI-43": reason("from the sequence {low} {middle} {high}", "the sequence {low} {middle} {high}", **RUN),
    "MI-44": reason("into the jackpot", "the jackpot"),
    "MI-45": reason("from the jackpot", "the jackpot"),
    "MI-51": reason("on the money cards", "the money cards"),
    "MI-58": reason("on the money cards", "the money cards"),
    "MI-59": reason("for the money card still in hand", "the money card still in hand"),
    "MI-C1": reason("into the kitty", "the kitty"),
    "MI-C2": reason("from the kitty", "the kitty"),
    "MI-Q15": reason("as a share of what nobody won", "a share of what nobody won"),
}
EVENTS: Mapping[int, Told] = {
    rules.EXCHANGED: Told(
        "exchange", Message("{source} {source:exchanges|exchange} the hand for the widow"), beat="draw"
    ),
    rules.KEPT: Told("keep", Message("{source} {source:keeps|keep} the hand"), beat="call"),
    rules.OFFERED: Told(
        "bid", Message("{source} {source:bids|bid} {chips} for the widow"), beat="call", context="Michigan"
    ),
    rules.STOPPED: Told("stop", Message("nobody can continue; {source} {source:leads|lead}"), beat="none"),
    rules.SPUN: Told("spin", Message("{source} {source:says|say} Spin"), beat="call"),
    rules.STAKED: Told(
        "stake",
        Message("{source} {source:puts|put} {item}"),
        item=Message("{amount} {amount:chip|chips} on {card}"),
        each=Message("{source} {source:puts|put} one chip each on {n} money {n:card|cards}"),
        beat="chips",
    ),
    # There is no pot: the reason names the destination or source of the chips, or the sentence names the card.
    TAKE: Told("take", Message("{target} {target:takes|take} {chips} from the table"), beat="chips"),
    TAKE_OUT: Told("take", Message("{target} {target:takes|take} {chips}"), beat="chips"),
    PUT: Told("pay", Message("{source} {source:puts|put} {chips}{source:|| each}"), joins=True, beat="chips"),
    PUT_ON: Told(
        "pay", Message("{source} {source:puts|put} {chips}{source:|| each} on {card}"), joins=True, beat="chips"
    ),
    TAKE_FROM: Told("take", Message("{target} {target:takes|take} {chips} from {card}"), beat="chips"),
}
END_RULE = "MI-29"
TURN_RULE = "MI-20"
_TEXT = {PASS: "pass", EXCHANGE: "exchange", KEEP: "keep", CONTINUE: "continue", SPIN: "spin"}
_WORDS = {text: move for move, text in _TEXT.items()} | {
    **{"p": PASS, "withhold": PASS, "x": EXCHANGE, "k": KEEP, "go on": CONTINUE},
}


def move_text(s: State, move: int) -> str:
    """`7H`, `pass`, `exchange`, `keep`, `bid 5`, `continue`, `spin`, or `stake AH3 JC1`."""
    if move >= BID:
        return f"bid {move - BID}"
    if move >= STAKE:
        chips = [f"{card_text(card)}{amount}" for card, amount in spread_of(s, move - STAKE).items() if amount]
        return "stake " + (" ".join(chips) or "nothing")
    return _TEXT[move] if move in _TEXT else card_text(move)


def spread_of(s: State, code: int) -> dict[int, int]:
    """The chips that a move puts on each money card."""
    m = int(s.rules.m)
    return {int(s.rules.money[i]): code // 5 ** (m - 1 - i) % 5 for i in range(m)}


def parse_move(s: State, text: str) -> int:
    """Parse a move. Raises NotationError."""
    word = " ".join(text.lower().split())
    if word in _WORDS:
        return _WORDS[word]
    name, _, rest = word.partition(" ")
    if name == "bid" and rest.isascii() and rest.isdecimal() and len(rest) < 10:
        return BID + int(rest)
    if name == "stake":
        return STAKE + _spread(s, rest)
    return card_named(text, text, _MOVES)


_MOVES = Message(
    "a move is a card such as 7H, or {moves}", moves=Moves("pass, exchange, keep, bid 5, continue, spin, stake AH3 JC1")
)


def _spread(s: State, text: str) -> int:
    """The code of `AH3 JC1`, of `nothing`, or of one number for each money card."""
    money = [int(s.rules.money[i]) for i in range(s.rules.m)]
    words = [] if text == "nothing" else text.replace(",", " ").split()
    digits = [0] * len(money)
    try:
        if len(words) == len(money) and all(word.isdecimal() for word in words):
            digits = [int(word) for word in words]
        else:
            for word in words:
                digits[money.index(parse_card(word[:-1]))] += int(word[-1])
        if max(digits) > 4 or (not words and text != "nothing"):
            raise ValueError
    except (ValueError, NotationError):
        named = " ".join(map(card_text, money))
        raise NotationError(
            Message("'stake {text}' is not a move", text=text[:40]),
            Message("it names money cards ({cards}), each with 1 to 4 chips", cards=Cards(named)),
            Message("write stake AH3 JC1"),
        ) from None
    return sum(digit * 5 ** (len(money) - 1 - i) for i, digit in enumerate(digits))


# Refusals


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    phase = int(s.phase)
    if move >= BID and phase != AUCTION:
        if not s.rules.widow_exchange:
            return Message("the widow is not for sale in this game"), "MI-53"
        return Message("the widow is not up for auction now"), "MI-14"
    if STAKE <= move < BID or phase == STAKING:
        return _why_not_stake(s, seat, move)
    if move in (EXCHANGE, KEEP):
        if not s.rules.widow_exchange:
            return Message("the widow stays face down in this game"), "MI-53"
        if phase == AUCTION:
            return Message("you may bid for the widow, or pass"), "MI-14"
        return Message("what becomes of the widow is settled"), "MI-16"
    if move in (CONTINUE, SPIN):
        if not s.rules.spin:
            return Message("nobody spins in this game"), "MI-54"
        if phase == SPINNING:
            return Message("you do not hold AD"), "MI-54"
        return Message("you may spin only directly after playing a card"), "MI-Q12"
    if phase == WIDOW:
        return Message("first you exchange your hand for the widow, or keep it"), "MI-13"
    if phase == AUCTION:
        return _why_not_bid(s, seat, move)
    if phase == SPINNING:
        return Message("you have played; continue, or spin if you hold AD"), "MI-Q12"
    return _why_not_next(s, seat, move) if phase == FOLLOWING else _why_not_lead(s, seat, move)


def _why_not_stake(s: State, seat: int, move: int) -> tuple[Text, str]:
    if s.phase == STAKING:
        return Message("you put exactly {n} {n:chip|chips} on the money cards", n=int(to_spread(s, seat))), "MI-51"
    if s.rules.stake_free4:
        return Message("the chips are on the table already"), "MI-51"
    dressed = s.rules.dealers[0] and not s.rules.each[0]
    return Message("the stakes of this game are fixed"), "MI-58" if dressed else "MI-06"


def _why_not_bid(s: State, seat: int, move: int) -> tuple[Text, str]:
    if move < BID:
        return Message("bid for the widow, or pass"), "MI-14"
    bid = move - BID
    if bid <= s.high:
        return Message("a bid is higher than {high}", high=int(s.high)), "MI-14"
    if bid > s.stacks[seat]:
        return Message("you have only {n} {n:chip|chips}", n=int(max(int(s.stacks[seat]), 0))), "MI-Q3"
    return Message("a bid is at most {max_raise} above the last one", max_raise=MAX_RAISE), "MI-Q17"


def _why_not_next(s: State, seat: int, move: int) -> tuple[Text, str]:
    wanted = after(int(s.cur))
    card = Card(card_text(wanted))
    if move == PASS:
        return Message("you hold {card}, and must add it", card=card), "MI-Q2"
    if move == wanted:
        return Message("you do not hold {card}", card=card), "MI-20"
    return Message("the next card of the sequence is {card}", card=card), "MI-20"


def _why_not_lead(s: State, seat: int, move: int) -> tuple[Text, str]:
    hand, back = int(s.hands[seat]), s.passes == s.seats
    if (first := int(low_diamond(s))) >= 0:
        return Message("the first lead is {card}, the lowest diamond", card=Card(card_text(first))), "MI-C3"
    if move == PASS:
        if back:
            return Message("nobody could begin a new suit, and the lead is yours again"), "MI-25"
        return Message("you hold a suit that may be led, and must lead"), "MI-24"
    if not hand >> move & 1:
        return Message("you do not hold {card}", card=Card(card_text(move))), "MI-18"
    suit = suit_of(move)
    if back and not open_leads(hand, int(s.barred)):
        return Message(
            "nobody could begin a new suit: lead the lowest of all your cards, {cards}",
            cards=Cards(set_text(lowest_of_all(hand))),
        ), "MI-25"
    if s.barred >> suit & 1:
        what, why = Message("another suit than {suit}", suit=card_names.SUITS[suit]), "MI-23"
        if s.rules.next_suit_other_color:
            what, why = Message("a suit of the other colour"), "MI-41"
        return Message("after this stop {what} must be led", what=what), why
    return Message(
        "of {suit} you must lead your lowest, {card}",
        suit=card_names.SUITS[suit],
        card=Card(card_text(lowest_of(hand, suit))),
    ), "MI-18"


def automatic(s: State, seat: int, move: int) -> bool:
    """Moves that reveal only public knowledge: in strict play the next card, and a lead that is passed or comes back;
    the lead of the lowest diamond; the only move of a seat without chips.
    """
    if s.phase in (STAKING, AUCTION) or (s.phase == LEADING and low_diamond(s) >= 0):
        return True
    if s.rules.enforce_penalise:
        return False
    if s.phase == LEADING:
        return move == PASS or bool(s.passes == s.seats and not s.rules.next_suit_other_color)
    return bool(s.phase == FOLLOWING)


# The table


PLAY, BIDDING, STAKES, SEQUENCE_LABEL = (
    Message("play", context="zone"),
    Message("auction", context="zone"),
    Message("stakes", context="zone"),
    Message("the sequence", context="zone"),
)


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The money cards with their chips, the current sequence, the dead hand, the piles and the hands."""
    money = [card_text(int(s.rules.money[i])) for i in range(s.rules.m)]
    table: list[Zone] = [_chips(f"money-{card}", (card,), int(s.on[i])) for i, card in enumerate(money)]
    if s.rules.sequence_stake:
        table.append(_chips("sequence", ("9H", "TH", "JH"), int(s.on[SEQUENCE])))
    if s.rules.jackpot:
        n = int(s.on[JACKPOT])
        table.append(Pot("jackpot", count=n, facts=(chips(n),), label=Message("jackpot", context="zone")))
    if s.rules.kitty:
        n = int(kitty(s))
        table.append(Pot("kitty", count=n, facts=(chips(n),), label=Message("kitty", context="zone")))
    if s.phase in (LEADING, FOLLOWING, SPINNING) and not s.over:
        table.append(_sequence(s))
    if message := _situation(s):
        table.append(Score("play", facts=(Fact(message),), label=BIDDING if s.phase == AUCTION else PLAY))
    if s.stock_size:
        table.append(Stock("stock", (), (None,) * int(s.stock_size), int(s.stock_size)))
    else:
        known = tuple(card_text(card) for card in cards_in(s.dead)) or (None,) * int(s.dead_count)
        label = Message("dead hand", context="zone") if s.exchanger else Message("widow", context="zone")
        table.append(Pile("dead", (), known, int(s.dead_count), label=label))
    out = int(s.played) & ~sum(int(s.laid_by[p]) for p in range(s.seats))
    if out:
        gone = tuple(card_text(card) for card in cards_in(out))
        table.append(Pile("played", (), gone, len(gone), label=Message("played", context="zone"), side_by_side=True))
    laid = [int(s.laid[k]) for k in range(s.laid_count)]
    for seat in range(s.seats):
        table += [_hand(s, seat, viewer), _pile(seat, [card & 63 for card in laid if card >> 6 == seat])]
    if s.phase == STAKING and legal:
        facts = (Fact(_how_to_stake(s, viewer)),)
        table.append(Actions("stakes", (viewer,), facts=facts, label=STAKES, spread=_stakes(s, viewer, legal)))
    return table


def _sequence(s: State) -> Zone:
    """The current sequence, and the card that comes next; while a suit is to be led, the last sequence."""
    led = int(s.leads).bit_length() - 1
    run = [int(s.laid[k]) & 63 for k in range(max(led, 0), s.laid_count)]
    if led < 0 and s.origin_cur >= 0:  # a position was set up within a sequence
        run.insert(0, int(s.origin_cur))
    due = (card_text(after(int(s.cur))),) if s.phase == FOLLOWING else ()
    return Row("run", (), tuple(map(card_text, run)), len(run), label=SEQUENCE_LABEL, grows=True, due=due)


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """The cards of the hand, `pass`, bids and stakes, and the choices with the widow and the ace of diamonds."""
    return [_choice(s, viewer, move, legal) for move in legal]


def _choice(s: State, viewer: int, move: int, legal: Sequence[int]) -> Move:
    if move < PASS:
        return moves.of_card(viewer, card_text(move))
    if move == PASS:
        return moves.passing(legal)
    if move in ACTS:
        return ACTS[move]
    return _bidding(move - BID) if move >= BID else Move(move_text(s, move), staked(s, move - STAKE))


def _bidding(n: int) -> Move:
    return moves.bid(n, Message("bid {n}", context="Michigan", n=n))


ACTS = {
    EXCHANGE: Move("exchange", Message("exchange the hand for the widow")),
    KEEP: Move("keep", Message("keep the hand")),
    CONTINUE: Move("continue", Message("continue", context="move")),
    SPIN: Move("spin", Message("spin", context="move")),
}


def staked(s: State, code: int) -> Message:
    """How a move spreads chips over the money cards, in words."""
    spread = spread_of(s, code)
    return _put(tuple(spread), tuple(spread.values()))


@lru_cache(4096)
def _put(money: tuple[int, ...], chips: tuple[int, ...]) -> Message:
    if set(chips) == {1}:
        return Message("put one chip on each money card")
    on = [
        Message("{n} {n:chip|chips} on {card}", n=n, card=Card(card_text(card)))
        for card, n in zip(money, chips, strict=True)
        if n
    ]
    return Message("put {chips}", chips=on) if on else Message("put down no chips")


def _stakes(s: State, seat: int, legal: Sequence[int]) -> Spread | None:
    """The chips that the viewer has to put on the money cards, if it is their turn; at first one on each, as far as the
    chips go.
    """
    moves = {
        " ".join(map(str, spread_of(s, move - STAKE).values())): move_text(s, move)
        for move in legal
        if STAKE <= move < BID
    }
    if not moves:
        return None
    n, m = int(to_spread(s, seat)), int(s.rules.m)
    start = tuple(n // m + (i < n % m) for i in range(m))
    names = tuple(f"money-{card_text(int(s.rules.money[i]))}" for i in range(m))
    ask, label = Message("put {n} {n:chip|chips} on the money cards", n=n), Message("put down {n} {n:chip|chips}", n=n)
    return Spread(names, n, start, moves, ask, Message("the cards are dealt when everybody has put chips down"), label)


def _how_to_stake(s: State, seat: int) -> Message:
    """How a seat shares its chips among the money cards, when it has to do so."""
    m, n = int(s.rules.m), int(to_spread(s, seat))
    some = [min(n, 2)] + [0] * (m - 1)
    some[-1] += n - some[0]
    cards = " ".join(card_text(int(s.rules.money[i])) for i in range(m))
    return Message(
        "share {n} {n:chip|chips} among {cards}, at most 4 on a card; {move} says how many go on each",
        n=n,
        cards=Cards(cards),
        move=Moves(f"stake {' '.join(map(str, some))}"),
    )


@lru_cache(4096)
def _chips(name: str, on: tuple[str, ...], n: int) -> Zone:
    return Pot(name, count=n, facts=(chips(n),), label=Message("{cards}", cards=Cards(" ".join(on))), on=on)


def _situation(s: State) -> Message:
    """The situation, in a few words."""
    if s.over or s.phase in (STAKING, WIDOW):
        return NOTHING
    if s.phase == AUCTION:
        if not s.high:
            return Message("nobody has bid for the widow yet")
        return Message("{seat} {seat:has|have} bid {n} for the widow", seat=Seat(int(s.high_seat)), n=int(s.high))
    if s.phase == SPINNING:
        return Message("{card}: spin?", card=Card(card_text(int(s.cur))))
    if s.phase == FOLLOWING:
        return Message("{card}, next {next}", card=Card(card_text(int(s.cur))), next=Card(card_text(after(int(s.cur)))))
    if (first := int(low_diamond(s))) >= 0:
        return Message("{card}, the lowest diamond", card=Card(card_text(first)))
    if s.passes == s.seats:
        return Message("the lowest card of all")
    barred = [card_names.SUITS[suit] for suit in range(4) if s.barred >> suit & 1]
    return Message("any suit but {suits}", suits=Either(barred)) if barred else Message("any suit")


def _hand(s: State, seat: int, viewer: int) -> Zone:
    cards = cards_or_backs(s.hands[seat], seat == viewer or bool(s.over), s.counts[seat])
    facts = [chips(int(s.stacks[seat]))]
    if shown := set_text(int(s.shows[seat])):
        facts.append(Fact(Message("holds {cards}", cards=Cards(shown)), "shows", shown, aid=True))
    if s.phase == AUCTION and not s.bidders >> seat & 1 and seat != s.dealer:
        facts.append(OUT_OF_AUCTION)
    return Hand(f"hand-{seat}", (seat,), cards, int(s.counts[seat]), tuple(facts), order=ACE_HIGH)


OUT_OF_AUCTION = Fact(Message("out of the auction"), "out", "of the auction")


def _pile(seat: int, own: Sequence[int]) -> Zone:
    """Only the top card of a pile may be seen (MI-26)."""
    cards = (None,) * (len(own) - 1) + tuple(card_text(card) for card in own[-1:])
    return Pile(f"pile-{seat}", (seat,), cards, len(own))
