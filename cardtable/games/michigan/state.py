"""The complete state of a Michigan table, with its house rules as integers.

Chips lie in **places**: places 0 to 4 are the money cards in the order of the option `money`, then come the stake on
the sequence 9H TH JH and the jackpot. The rest of `pot` is the **kitty**. The **dead hand** is the widow, or the hand
that was exchanged for it.
"""

from __future__ import annotations

from cardtable.base.cards import parse_cards
from cardtable.games.michigan.options import MichiganOptions, dress_of
from cardtable.games.shared.chips import SEATS, ChipTable
from cardtable.kernel import Ints, cite, field
from cardtable.rules.compiled_options import rules_of
from cardtable.rules.contract import HouseRules

MAX_MOVES = 101
MAX_RAISE = 100  #: a bid is at most so much above the last one (MI-Q17)
PASS, EXCHANGE, KEEP, CONTINUE, SPIN = 52, 53, 54, 55, 56
STAKE = 100  #: + the chips on the money cards as digits to the base 5, the first card's first
BID = 10_000  #: + the bid
STAKING, WIDOW, AUCTION, LEADING, FOLLOWING, SPINNING = 0, 1, 2, 3, 4, 5  #: phases of a deal
SEQUENCE, JACKPOT, PLACES = 5, 6, 7
FOUR = 4  #: chips that everybody spreads (MI-51)
ACE_OF_DIAMONDS = 26


class State(ChipTable):
    """The state of a Michigan table."""

    rules: HouseRules = rules_of(
        MichiganOptions,
        stakes_chips=field(),  # always 1
        m=field(),  # how many money cards there are
        money=field("i8", 5),
        each=field("i8", 5),  # chips that everybody but the dealer puts on each money card
        dealers=field("i8", 5),  # chips that the dealer puts on each
        filling=field("i8", 5),  # the order in which a short stack fills the money cards
        stake_cite=field(),  # the rule ID by which chips are staked
    )
    phase: int = field()
    turn: int = field()
    on: Ints = field("i8", PLACES)  #: chips by place
    stock_size: int = field()  #: 52 while the chips are placed, before the deal
    stock: Ints = field("i8", 52)  #: the pack from the top, until it is dealt
    hands: Ints = field("i8", SEATS)
    counts: Ints = field("i8", SEATS)
    dead: int = field()  #: the dead hand
    dead_count: int = field()
    exchanger: int = field()  #: seat + 1 that has exchanged, and so knows the dead hand
    bidders: int = field()  #: mask of the seats still in the auction
    high: int = field()  #: the highest bid, 0 before the first
    high_seat: int = field()
    cur: int = field()  #: the last card of the current sequence; -1: a suit is to be led
    last: int = field()  #: who laid it; while a suit is to be led, who may lead first
    barred: int = field()  #: mask of the suits that may not be led
    passes: int = field()  #: how many seats have passed this lead
    asked: int = field()  #: penalise: mask of the seats that have not added the next card
    played: int = field()  #: cards laid (in positions: including those laid by an unknown seat)
    lacks: Ints = field("i8", SEATS)  #: fact: holds none of these
    shows: Ints = field("i8", SEATS)  #: fact: holds all of these
    # The history, from which offences are judged and piles shown.
    origin_cur: int = field()  #: `cur` where it begins
    origin_last: int = field()
    origin_barred: int = field()
    laid_by: Ints = field("i8", SEATS)  #: the cards laid since, by seat
    laid_count: int = field()
    laid: Ints = field("i8", 52)  #: the same in order: card | seat << 6
    leads: int = field()  #: bit k: the k-th of them was led
    whole: int = field()  #: bit k: after everybody had passed the lead
    spun: int = field()  #: bit k: it was the ace of diamonds that stopped a sequence


def prepare(s: State, game: str, options: MichiganOptions) -> None:
    """Set the money cards, and who puts how many chips on each."""
    r, o = s.rules, options
    r.stakes_chips = 1
    cards = parse_cards(o.money)
    dress = dress_of(o.dress) if o.dress and o.stake == "dealer_dress" else {}
    r.m = len(cards)
    for i, card in enumerate(cards):
        r.money[i] = card
        r.each[i] = int(o.stake == "one_each")
        r.dealers[i] = o.dealer_stake if o.stake == "one_each" else dress.get(card, 0)
    for k, i in enumerate(sorted(range(r.m), key=lambda i: -r.dealers[i])):  # the dearest first, or as they lie
        r.filling[k] = i
    r.stake_cite = cite({"one_each": "MI-06", "free4": "MI-51", "dealer_dress": "MI-58"}[o.stake])
