"""I Doubt It in words: moves, refusals and the table as zones. Positions are in `positions`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from cardtable.base import card_names
from cardtable.base.cards import RANK_NAMES, RANKS, card_text
from cardtable.base.errors import Text
from cardtable.base.message import Card, Cards, Message, Seat
from cardtable.games.i_doubt_it import mind_presentation as mind
from cardtable.games.i_doubt_it import rules, state
from cardtable.games.i_doubt_it.positions import position as position
from cardtable.games.i_doubt_it.positions import set_position as set_position
from cardtable.games.i_doubt_it.prompts import prompt as prompt
from cardtable.games.i_doubt_it.state import ACCEPT, ACCEPTED, ANY_RANK, DONE, DOUBT, NAME, WAITING, State
from cardtable.rules import moves
from cardtable.rules.events import MANY_PLACES, RANK_PLACES, Reason, Told
from cardtable.rules.moves import Move, card_named
from cardtable.rules.zones import BY_RANK, NOTHING, Fact, Hand, Pile, Score, Together, Zone, won

REASONS: Mapping[str, Reason] = {}
PLURALS = tuple(map(str, card_names.PLURALS))
EVENTS: Mapping[int, Told] = {
    rules.ONE: Told(
        "claim",
        Message("{source} {source:lays|lay} a card face down and {source:claims|claim} one {place}"),
        RANK_PLACES,
        beat="play",
        context="I Doubt It",
    ),
    rules.MORE: Told(
        "claim",
        Message("{source} {source:lays|lay} cards face down and {source:claims|claim} {amount} {place}"),
        MANY_PLACES,
        beat="play",
        context="I Doubt It",
    ),
    rules.NAMED: Told(
        "name",
        Message("{source} {source:names|name} {place} as the rank to begin with"),
        MANY_PLACES,
        joins=True,
        beat="call",
    ),
    rules.ACCEPTS: Told("accept", Message("{source} {source:accepts|accept} {target:@'s|your} claim"), beat="call"),
    rules.DOUBTS: Told("doubt", Message("{source} {source:doubts|doubt} {target}")),
    rules.HONEST: Told("honest", Message("{source} told the truth"), beat="reveal"),
    rules.LIAR: Told("liar", Message("{source} did not tell the truth"), beat="reveal"),
    rules.TAKES_PILE: Told(
        "pile", Message("{source} {source:takes|take} the pile ({cards})"), joins=True, beat="capture"
    ),
    rules.SHOWS_TWO: Told("show", Message("{source} {source:shows|show} {card} twice"), beat="reveal"),
}
END_RULE = "DB-14"
TURN_RULE = "DB-06"
_WORDS = {"done": DONE, "accept": ACCEPT, "believe": ACCEPT} | dict.fromkeys(
    ("doubt", "i doubt it", "cheat", "bullshit", "bs", "b.s."), DOUBT
)


def move_text(s: State, move: int) -> str:
    """A card put into the set, `7H`; `done`, `accept`, `doubt`; `name 5`."""
    if move >= NAME:
        return f"name {RANKS[move - NAME]}"
    return ("done", "accept", "doubt")[move - DONE] if move >= DONE else card_text(move)


def parse_move(s: State, text: str) -> int:
    """Parse a move. Raises NotationError."""
    words = text.lower().replace("!", " ").split()
    plain = " ".join(words)
    if plain in _WORDS:
        return _WORDS[plain]
    if len(words) == 2 and words[0] == "name":
        rank = words[1].upper().replace("10", "T", 1)
        if len(rank) == 1 and rank in RANKS:
            return NAME + RANKS.index(rank)
        if words[1] in RANK_NAMES + PLURALS:
            return NAME + (RANK_NAMES + PLURALS).index(words[1]) % 13
    return card_named(
        text, text, Message("a set is laid by its cards and done, such as 5H 6C done; others say accept or doubt")
    )


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """The reason and the rule that forbid a move to a seat that may act."""
    if s.window:
        ask = Message("first say whether you doubt {seat:@'s|your} set: accept or doubt", seat=Seat(int(s.turn)))
        return ask, "DB-08"
    if move in (ACCEPT, DOUBT):
        if s.t == 0:
            return Message("no set has been laid in this deal"), "DB-08"
        return Message("the last set has been accepted or turned up; now it is for you to lay one"), "DB-12"
    if move >= NAME:
        ranks = card_names.PLURALS[state.due(s)]
        if s.rules.start_rank_any:
            return Message("eldest has named the first rank; now {ranks} are due", ranks=ranks), "DB-06"
        return Message("a deal begins with aces; now {ranks} are due", ranks=ranks), "DB-05"
    if s.first_rank == ANY_RANK:
        return Message("first name the rank with which the deal begins"), "DB-05"
    if move == DONE:
        return Message("a set has one card at least, and nobody may pass"), "DB-05"
    return _why_not_card(s, seat, move)


def _why_not_card(s: State, seat: int, card: int) -> tuple[Text, str]:
    held = (int(s.hands[seat, 0]) >> card & 1) + (int(s.hands[seat, 1]) >> card & 1)
    drafted = (int(s.draft[0]) >> card & 1) + (int(s.draft[1]) >> card & 1)
    if held == 0:
        return Message("you do not hold {card}", card=Card(card_text(card))), "DB-05"
    if drafted == held:
        return Message("{card} is in the set already", card=Card(card_text(card))), "DB-05"
    if state.size(s.draft[0], s.draft[1]) == s.rules.max_set:
        return Message("a set has at most {max_set} {max_set:card|cards}", max_set=int(s.rules.max_set)), "DB-Q4"
    return Message(
        "the cards of a set are named in ascending order, after {card}", card=Card(mind.text_of(s.draft).split()[-1])
    ), "DB-Q11"


def automatic(s: State, seat: int, move: int) -> bool:
    """Any only move: a set that no card can be added to, and a last card.

    Making a set is invisible. At a live table, where its timing would show, the seat itself lays it.
    """
    return True


def declarations(s: State) -> list[Message]:
    """The words with which each set of the pile was laid: `2 fives`."""
    sizes = [int(s.set_size[i]) for i in range(s.sets)]
    # a set that has won the deal is the last one, too
    last = int(s.t) if s.window or s.winner >= 0 else int(s.t) - 1
    first = int(s.first_rank) + last - (len(sizes) - 1)
    ranks = [(first + i) % 13 for i in range(len(sizes))]
    return [_declared(n, rank) for n, rank in zip(sizes, ranks, strict=True)]


@lru_cache(4096)
def _said(seat: int, declared: Message) -> str:
    """A seat's claim about a set, in English."""
    return f"seat {seat}: {declared}"


@lru_cache(256)
def _declared(n: int, rank: int) -> Message:
    return Message("{n} {rank}", n=n, rank=card_names.RANKS[rank] if n == 1 else card_names.PLURALS[rank])


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The pile and its claims, the rank due, each hand and the viewer's memory of it, deals won, text suggestions."""
    table: list[Zone] = [_pile(s, viewer)]
    if not s.over:
        rank = -1 if s.first_rank == ANY_RANK else int(state.due(s))
        table.append(_due(int(s.turn), rank, declarations(s)[-1] if s.window else None))
    table += [_hand(s, seat, viewer, legal, facts) for seat, facts in enumerate(mind.remembered(s, viewer))]
    for seat in range(s.seats):
        facts = [won(int(s.scores[seat]))]
        if seat == viewer and s.chosen[seat] != WAITING:
            facts.append(SAID_ACCEPT if s.chosen[seat] == ACCEPTED else SAID_DOUBT)
        table.append(Score(f"score-{seat}", (seat,), count=int(s.scores[seat]), facts=tuple(facts)))
    return table


def choices(s: State, viewer: int, legal: Sequence[int]) -> list[Move]:
    """A card put into the set, `done`, `accept`, `doubt`, a rank to begin with."""
    return [SAID[move] if move in SAID else moves.of_card(viewer, card_text(move)) for move in legal]


SAID = {
    DONE: Move("done", Message("done", context="move")),
    ACCEPT: Move("accept", Message("accept", context="move")),
    DOUBT: Move("doubt", Message("doubt", context="move"), confirm=True),
} | {
    NAME + rank: Move(f"name {RANKS[rank]}", Message("name {ranks}", ranks=name))
    for rank, name in enumerate(card_names.PLURALS)
}


SAID_ACCEPT = Fact(Message("you said accept"), "answer", "accept")
SAID_DOUBT = Fact(Message("you said doubt"), "answer", "doubt")


def _pile(s: State, viewer: int) -> Zone:
    size = int(state.pile_size(s))
    declared, by = declarations(s), [int(s.set_by[i]) for i in range(s.sets)]
    sets = list(map(_said, by, declared))
    # while it may be doubted, the claim is shown as such
    told = sets and not s.window
    last = Message("the last set: {seat}, {words}", seat=Seat(by[-1]), words=declared[-1]) if told else NOTHING
    facts = [Fact(last, "sets", sets)]
    yours = {i: mind.text_of(s.set_cards[i]) for i, seat in enumerate(by) if seat == viewer}
    if yours:
        laid = [Message("{cards} as {words}", cards=Cards(cards), words=declared[i]) for i, cards in yours.items()]
        facts.append(
            Fact(Message("you laid {sets}", sets=laid), "yours", {str(i + 1): cards for i, cards in yours.items()})
        )
    if not s.over:
        return Pile("pile", (), (None,) * size, size, tuple(facts))
    cards = tuple(card for i in range(s.sets) for card in mind.text_of(s.set_cards[i]).split())
    return Pile("pile", (), cards, size, tuple(facts), side_by_side=True)


@lru_cache(1024)
def _due(seat: int, rank: int, claimed: Message | None) -> Zone:
    """The rank (-1: any) that a seat must lay, or the claim with which it has laid a set."""
    if rank < 0:
        fact = Fact(Message("{seat} {seat:names|name} the first rank", seat=Seat(seat)), "rank")
        return Score("rank", facts=(fact,), label=TURN)
    message = (
        Message("{seat}, {words}", seat=Seat(seat), words=claimed)
        if claimed
        else Message("{seat} {seat:is|are} to lay {ranks}", seat=Seat(seat), ranks=card_names.PLURALS[rank])
    )
    return Score("rank", facts=(Fact(message, "rank", RANKS[rank]),), label=CLAIM if claimed else TURN)


TURN, CLAIM = Message("turn", context="zone"), Message("the claim", context="zone")


def _hand(s: State, seat: int, viewer: int, legal: Sequence[int], facts: tuple[Fact, ...]) -> Zone:
    count = int(s.counts[seat])
    if seat != viewer and not s.over:
        return Hand(f"hand-{seat}", (seat,), (None,) * count, count, facts)
    cards = tuple(mind.text_of(s.hands[seat]).split())
    if seat != viewer:
        return Hand(f"hand-{seat}", (seat,), cards, count, order=BY_RANK)
    chosen = mind.text_of(s.draft) if seat == s.turn else ""
    drafted = tuple(chosen.split())
    own = (Fact(Message("in the set: {cards}", cards=Cards(chosen)), "chosen", chosen),) if chosen else ()
    together = _set(s, legal, cards, len(drafted))
    return Hand(f"hand-{seat}", (seat,), cards, count, own, chosen=drafted, together=together, order=BY_RANK)


def _set(s: State, legal: Sequence[int], hand: Sequence[str], drafted: int) -> Together | None:
    """The cards that can be put into the set now, if the viewer lays next."""
    open_cards = {card_text(move) for move in legal if move < DONE}
    if not open_cards:
        return None
    cards = [card for card in hand if card in open_cards]
    if drafted and (last := mind.text_of(s.draft).split()[-1]) in open_cards:
        cards.remove(last)  # of two, one is in the set already
    most, rank = min(int(s.rules.max_set) - drafted, len(cards)), state.due(s)
    ranks, numbers = card_names.PLURALS[rank], range(drafted or 1, drafted + most + 1)
    labels = tuple(Message("lay {n} as {rank}", n=n, rank=card_names.ANY[rank] if n == 1 else ranks) for n in numbers)
    many = drafted + most
    ask = (
        Message("choose 1 to {n} cards to lay as {ranks}", n=many, ranks=ranks)
        if many > 1
        else Message("choose a card to lay as {ranks}", ranks=ranks)
    )
    return Together(tuple(cards), 0 if drafted else 1, most, "done", ask, labels)
