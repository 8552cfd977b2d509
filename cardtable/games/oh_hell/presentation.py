"""Oh Hell! in words: moves, refusals, positions and the table as zones."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from cardtable.base import card_names
from cardtable.base.cards import SUIT, SUITS, card_text, cards_in, parse_cards, parse_set, rank_of, set_text, suit_of
from cardtable.base.errors import PositionError, Text
from cardtable.base.message import Card, Cards, Message, Seat
from cardtable.games.oh_hell import rules
from cardtable.games.oh_hell.following import playable
from cardtable.games.oh_hell.options import SEATS
from cardtable.games.oh_hell.prompts import prompt as prompt
from cardtable.games.oh_hell.rules import BID, BIDS, TURN_UP, State
from cardtable.games.oh_hell.trump import lowest_of, pack_of, shown, trump_of, turned, whole_pack
from cardtable.games.shared import trick_presentation as table
from cardtable.games.shared.scores import after
from cardtable.games.shared.tricks import best
from cardtable.rules import moves, positions
from cardtable.rules.events import SUIT_PLACES, Told, reason
from cardtable.rules.moves import Move, card_named
from cardtable.rules.zones import ACE_HIGH, Fact, Hand, Pile, Score, Stamp, Stock, Trick, Zone, score

REASONS = {
    "OH-14": reason("for taking just what was bid", "taking just what was bid"),
    "OH-15": reason("for tricks above or below the bid", "tricks above or below the bid"),
    "OH-C1": reason("for a bid that was missed", "a bid that was missed"),
    "OH-C2": reason("for the tricks alone", "the tricks alone"),
    "OH-C8": reason("for an exact bid of none", "an exact bid of none"),
}
EVENTS: Mapping[int, Told] = {
    **table.EVENTS,
    TURN_UP: Told("trump", Message("{card} is turned up for trump"), beat="flip"),
    rules.TRUMPS: Told("trumps", Message("{place} are trumps"), SUIT_PLACES, beat="call"),
    rules.NO_TRUMPS: Told("no trump", Message("there is no trump"), beat="call"),
    BIDS: Told("bid", Message("{source} {source:bids|bid} {amount}"), beat="call", context="Oh Hell!"),
}
END_RULE = "OH-17"
TURN_RULE = "OH-07"


def move_text(s: State, move: int) -> str:
    """`bid 3`, or a card such as `7H`."""
    return f"bid {move - BID}" if move >= BID else card_text(move)


def parse_move(s: State, text: str) -> int:
    """Parse a move; a bid may be just its number. Raises NotationError."""
    words = text.lower().split()
    number = words[1] if len(words) == 2 and words[0] in ("bid", "b") else words[0] if len(words) == 1 else ""
    if number.isdecimal() and len(number) <= 2:
        return BID + int(number)
    return card_named(
        " ".join(words[1:]) if len(words) == 2 and words[0] == "play" else text,
        text,
        Message("a move is a bid such as bid 3, or a card such as 7H"),
    )


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    if rules.bidding(s):
        return (
            _why_not_bid(s, seat, move - BID)
            if move >= BID
            else (Message("nobody plays a card before all have bid"), "OH-07")
        )
    if move >= BID:
        return Message("the bidding is over; you bid {bids}", bids=s.bids[seat]), "OH-07"
    return _why_not_card(s, seat, move)


def _why_not_card(s: State, seat: int, card: int) -> tuple[Text, str]:
    """Why a card may not be played: another must beat the trick, or trump it, or follow suit."""
    held = int(s.hands[seat])
    if card < 52 and not pack_of(s) >> card & 1:
        named = Card(card_text(card))
        if rank_of(card) == 1:
            return Message("there is no {card} in this pack: three play without 2s", card=named), "OH-C19"
        return Message("there is no {card} in this pack: 8s, 9s and tens are taken out", card=named), "OH-C19"
    if card < 52 and held >> card & 1 and not s.rules.must_follow:
        due, led = Cards(set_text(playable(s, seat))), suit_of(s.trick[0])
        if suit_of(card) == led:
            high = Card(card_text(s.trick[best(s, lowest_of(s), trump_of(s))]))
            return Message("{card} is winning and you can beat it with {due}", card=high, due=due), "OH-C18"
        if not held >> 13 * led & SUIT:
            rule = "OH-C18" if s.rules.must_beat else "OH-C17"
            return Message("you hold no {suit} and must trump with {due}", suit=card_names.SUITS[led], due=due), rule
    return table.why_not_card(s, seat, card, "OH-11")


def _why_not_bid(s: State, seat: int, bid: int) -> tuple[Text, str]:
    tricks = Message("{n} {n:trick|tricks}", n=int(s.each))
    others = int(rules.bids_made(s))
    if seat != s.dealer or s.rules.dealer_rule_off:
        return Message("there are only {tricks}", tricks=tricks), "OH-Q7"
    if s.rules.dealer_rule_not_equal and bid + others == s.each:
        return Message("the bids would add up to {value}, the number of tricks", value=others + bid), "OH-08"
    low = int(rules.lowest_bid(s, seat))
    if bid < low:
        return Message(
            "with {tricks} the bids must add up to more than {each}; the others bid {others}, so you bid at "
            "least {low}",
            tricks=tricks,
            each=s.each,
            others=others,
            low=low,
        ), "OH-08"
    return Message("there are only {tricks}", tricks=tricks), "OH-Q3"


def automatic(s: State, seat: int, move: int) -> bool:
    """A bid without a choice, which everybody can calculate, and a last card.

    Another single legal card would give information about the hand.
    """
    return move >= BID or bool(s.counts[seat] == 1)


#: by the trump suit: ace high, and the trumps last
ORDERS = [replace(ACE_HIGH, suits=suits) for suits in ("HCDS", "SDCH", "SHCD", "HSDC", ACE_HIGH.suits)]
SPANISH_ORDERS = [replace(order, ranks="24567JQK3A") for order in ORDERS]


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The upcard and the stock below it, the trick, each seat's hand, tricks and score, and the bids to choose from."""
    trump, up = int(trump_of(s)), tuple(map(card_text, cards_in(turned(s))))
    undealt = int(pack_of(s)).bit_count() - len(up) - int(s.each) * bin(s.in_play).count("1")
    table_zones: list[Zone] = [
        Pile("trump", (), up, len(up), (TRUMPS[trump],), label=TRUMP),
        Stock("stock", (), (None,) * undealt, undealt, label=NOT_DEALT),
        table.trick_zone(s)
        if not rules.bidding(s)
        else Trick("trick", facts=(TO_BID[int(s.turn)],), label=BIDDING, leader=int(s.leader)),
    ]
    table_zones.append(Score("bids", facts=(_bids(int(rules.bids_made(s)), int(s.each)),), label=BIDS_MADE))
    left = int(s.each) - sum(int(s.tricks[seat]) for seat in range(s.seats))
    for seat in range(s.seats):
        said = _against(int(s.tricks[seat]), int(s.bids[seat]), left) if s.in_play >> seat & 1 else None
        table_zones += [_hand(s, seat, viewer, trump), table.pile_zone(s, seat, said)]
    for seat in range(s.seats):
        bid = int(s.bids[seat])
        facts = (
            Fact(name="bid", value=bid if bid >= 0 else None),
            Fact(name="tricks", value=int(s.tricks[seat])),
            Fact(name="playing", value=bool(s.in_play >> seat & 1)),
            score(int(s.scores[seat])),
        )
        table_zones.append(Score(f"score-{seat}", (seat,), count=int(s.scores[seat]), facts=facts))
    return table_zones


def _hand(s: State, seat: int, viewer: int, trump: int) -> Hand:
    """A hand, with the dealer's card that all have seen (OH-C16)."""
    orders = ORDERS if s.rules.pack == 52 else SPANISH_ORDERS
    hand = table.hand_zone(s, seat, viewer, orders[trump])
    facts = list(hand.facts)
    voids = sum(SUIT << 13 * suit for suit in range(4) if s.voids[seat] >> suit & 1)
    if s.counts[seat] and (lacked := int(s.lacks[seat]) & ~voids & ~int(s.played) & ~int(turned(s))):
        text = set_text(lacked)
        facts.append(Fact(Message("has none of {cards}", cards=Cards(text)), "lacks", text, others=True, aid=True))
    if seat == s.dealer and viewer != seat and shown(s):
        card = set_text(shown(s))
        facts.append(Fact(Message("holds {cards}", cards=Cards(card)), "shows", card))
    return replace(hand, facts=tuple(facts)) if len(facts) > len(hand.facts) else hand


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """Bids, or cards of the hand."""
    return [_bidding(move - BID) if move >= BID else moves.of_card(viewer, card_text(move)) for move in legal]


def _bidding(n: int) -> Move:
    return moves.bid(n, Message("bid {n}", context="Oh Hell!", n=n))


TRUMP, NOT_DEALT, BIDDING, BIDS_MADE = (
    Message("trump", context="zone"),
    Message("not dealt", context="zone"),
    Message("bidding", context="zone"),
    Message("bids", context="zone"),
)
TRUMPS = [
    Fact(Message("{suit} are trumps", suit=suit), "suit", letter)
    for suit, letter in zip(card_names.SUITS, SUITS, strict=True)
]
TRUMPS.append(Fact(Message("no trump"), "suit", ""))  # NO_TRUMP is the last of them, -1
TO_BID = [Fact(Message("{seat} {seat:is|are} to bid", seat=Seat(seat))) for seat in range(SEATS)]


@lru_cache(256)
def _bids(made: int, each: int) -> Fact:
    """The sum of all bids so far, of the tricks of the deal."""
    return Fact(Message("{n} of {whole}", n=made, whole=each), "bids", made, figure=(made, each))


@lru_cache(4096)
def _against(tricks: int, bid: int, left: int) -> Fact:
    """The tricks of a seat against its bid. left: tricks still to be played."""
    told = Message("bid {n}", context="Oh Hell! seat", n=bid) if bid >= 0 else Message("no bid yet")
    message = Message("{tricks}, {bid}", tricks=table.tricks_won(tricks).message, bid=told)
    return Fact(message, "tricks", tricks, stamp=_stamp(bid, tricks, left), figure=(tricks, bid if bid >= 0 else None))


def _stamp(bid: int, tricks: int, left: int) -> Stamp:
    """Whether a bid is made or broken for good. left: tricks still to be played."""
    if bid < 0:
        return ""
    if not tricks <= bid <= tricks + left:
        return "broken"
    return "" if left else "made"


# Positions


def position(s: State) -> dict[str, Any]:
    """A deal in play as keys."""
    n = int(s.seats)
    keys: dict[str, Any] = {"turn": int(s.turn)}
    if s.upcard >= 0:
        keys["upcard" if turned(s) else "shown"] = card_text(s.upcard)
    keys["bids"] = [int(s.bids[p]) for p in range(n)]
    if s.in_play != (1 << n) - 1:
        keys["playing"] = [p for p in range(n) if s.in_play >> p & 1]
    if any(s.lacks[p] for p in range(n)):
        keys["lacks"] = [set_text(s.lacks[p]) for p in range(n)]
    return keys | table.tricks_position(s)


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Put a position into a state just set up. Raises PositionError if it cannot be."""
    s.direction = -1 if s.rules.direction_counter_clockwise else 1
    _set_playing(s, keys)
    cards = positions.Placing("the played cards", 0, int(pack_of(s)))
    up = cards.cards("upcard", positions.text(keys, "upcard"))
    seen = parse_cards(positions.text(keys, "shown"))
    what = Message("cards that are not named were not dealt (OH-06)")
    positions.one_of(keys, "unlisted", ("stock",), "stock", what, Message('leave it out, or write unlisted = "stock"'))
    n = int(s.seats)
    how = Message('write "" for a seat of which nothing is known')
    what = Message("it is a list of {n} texts of cards", n=n)
    lacked = [parse_set(text) for text in positions.texts(keys.pop("lacks", [""] * n), "lacks", n, what, how)]
    s.each = table.set_tricks(s, keys, cards, shuffle, lacked=lacked)
    for p in range(n):
        s.lacks[p] = lacked[p]
        if held := cards_in(lacked[p] & int(s.hands[p])):
            raise PositionError(
                Message("{seat} {seat:holds|hold} {card}", seat=Seat(p), card=Card(card_text(held[0]))),
                Message("it is said to lack it"),
                Message("change its hand or lacks"),
            )
    first = int(s.rules.max_cards) if s.deal_number <= rules.schedule(s) else 1
    if not 1 <= s.each <= first:
        raise PositionError(
            Message("a deal of {each} {each:card|cards} each", each=int(s.each)),
            Message("at most {first} {first:card|cards} in this deal (OH-05, OH-18)", first=int(first)),
            Message("change the hands or the tricks"),
        )
    _set_trump(s, up, seen)
    s.contenders = s.in_play
    _set_bids(s, keys)
    if rules.bidding(s):
        s.leader = after(s, s.dealer, s.in_play)


def _set_trump(s: State, up: list[int], seen: list[int]) -> None:
    """The card that tells trump: turned up (OH-06), or shown by the dealer (OH-C16); or none."""
    s.upcard = -1
    whole = bool(whole_pack(s))
    if len(up) != (s.rules.trump_turned and not whole):
        if s.rules.trump_turned and not whole:
            why, how = Message("one card is turned up for trump (OH-06)"), Message('write upcard = "7H"')
        else:
            why, how = Message("no card is turned up in this deal (OH-C13, OH-C14, OH-C15)"), Message("leave it out")
        raise PositionError(Message("the upcard"), why, how)
    due = bool(s.rules.trump_turned and whole and s.rules.top_trump_dealers_last)
    if len(seen) != due or any(not (int(s.hands[s.dealer]) | int(s.played)) >> card & 1 for card in seen):
        if due:
            why, how = Message("the dealer's last card tells trump (OH-C16)"), Message("name a card of the dealer")
        else:
            why, how = Message("no card of the dealer tells trump in this deal (OH-C16)"), Message("leave it out")
        raise PositionError(Message("the card shown"), why, how)
    for card in (*up, *seen):
        s.upcard = card


def _set_playing(s: State, keys: dict[str, Any]) -> None:
    n = int(s.seats)
    given = keys.pop("playing", list(range(n)))
    if (
        not isinstance(given, (list, tuple))
        or not all(isinstance(p, int) and not isinstance(p, bool) and 0 <= p < n for p in given)
        or len(set(given)) < max(2, len(given))
    ):
        raise PositionError(
            Message("playing = {value}", value=str(given)[:60]),
            Message("it lists the seats, two at least, that break a tie (OH-Q5)"),
            Message("write for instance playing = [0, 2]"),
        )
    s.in_play = sum(1 << p for p in given)
    last = int(rules.schedule(s))
    if s.deal_number > last and s.rules.tiebreak_shared:
        raise PositionError(
            Message("deal {deal_number}", deal_number=s.deal_number),
            Message("{n} players have {last} deals, and a tie is shared (OH-17)", n=n, last=last),
            Message("name a deal from 1 to {last}", last=last),
        )
    if len(given) < n and (s.deal_number <= last or not s.rules.tiebreak_tied_only):
        raise PositionError(
            Message("playing = {given}", given=given),
            Message("some look on only after deal {last}, to break a tie (OH-Q5)", last=last),
            Message("leave it out, or change the deal"),
        )
    if not s.in_play >> s.dealer & 1:
        raise PositionError(
            Message("dealer = {dealer}", dealer=s.dealer),
            Message("the dealer is one of the players (OH-Q5)"),
            Message("name one of them"),
        )


def _set_bids(s: State, keys: dict[str, Any]) -> None:
    """Read the bids so far, in turn; each must have been legal."""
    n = int(s.seats)
    bids = positions.numbers(keys, "bids", n, [-1] * n)
    for p in range(n):
        s.bids[p] = -1
    seat, waiting = int(s.dealer), -1
    for _ in range(bin(s.in_play).count("1")):
        seat = int(after(s, seat, s.in_play))
        if bids[seat] == -1:
            waiting = seat if waiting < 0 else waiting
            continue
        low = int(rules.lowest_bid(s, seat))
        if waiting >= 0:
            raise PositionError(
                Message("the bid of {seat}", seat=Seat(seat)),
                Message("{seat} bids before it (OH-07)", seat=Seat(waiting)),
                Message("give the bids from the dealer's left on"),
            )
        if not low <= bids[seat] <= max(s.each, low) or bids[seat] == rules.barred_bid(s, seat):
            raise PositionError(
                Message("{seat} bids {bids}", seat=Seat(seat), bids=bids[seat]),
                Message(
                    "{value} ({value2})",
                    value=_why_not_bid(s, seat, bids[seat])[0],
                    value2=_why_not_bid(s, seat, bids[seat])[1],
                ),
                Message("change the bids"),
            )
        s.bids[seat] = bids[seat]
    if any(bids[p] != -1 and not s.in_play >> p & 1 for p in range(n)):
        raise PositionError(
            Message("bids = {bids}", bids=bids),
            Message("only active players bid (OH-Q5)"),
            Message("write -1 for the others"),
        )
    if waiting >= 0 and (s.played or s.turn != waiting):
        raise PositionError(
            Message("{seat} {seat:has|have} not bid", seat=Seat(waiting)),
            Message("nobody plays a card before all have bid (OH-07)")
            if s.played
            else Message("so it is not the turn of {seat} (OH-07)", seat=Seat(int(s.turn))),
            Message("change bids, turn or tricks"),
        )
