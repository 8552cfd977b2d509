"""I Doubt It in words: moves, refusals and the table as zones. Positions are in `placing_words`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardtable import card_words
from cardtable.cards import RANK_NAMES, RANKS, card_text, parse_card
from cardtable.errors import NotationError, Text, no_move
from cardtable.events import RANK_PLACES, Places, Reason, Told
from cardtable.game import Together, Zone
from cardtable.games.i_doubt_it import mind_words as mind
from cardtable.games.i_doubt_it import rules, state
from cardtable.games.i_doubt_it.placing_words import position as position
from cardtable.games.i_doubt_it.placing_words import set_position as set_position
from cardtable.games.i_doubt_it.state import ACCEPT, ACCEPTED, ANY_RANK, DONE, DOUBT, NAME, WAITING, State
from cardtable.message import Card, Message, Seat
from cardtable.text import plural

REASONS: Mapping[str, Reason] = {}
PLURALS = tuple(map(str, card_words.PLURALS))
MANY = Places(RANKS, card_words.PLURALS)  #: ranks, of which there are several cards
EVENTS: Mapping[int, Told] = {
    rules.ONE: Told("claim", Message("{source} {source:lays|lay} a card face down and {source:claims|claim} one {place}"), RANK_PLACES),
    rules.MORE: Told("claim", Message("{source} {source:lays|lay} cards face down and {source:claims|claim} {amount} {place}"), MANY),
    rules.NAMED: Told("name", Message("{source} {source:names|name} {place} as the rank to begin with"), MANY, joins=True),
    rules.ACCEPTS: Told("accept", Message("{source} {source:accepts|accept} {target:@'s|your} claim")),
    rules.DOUBTS: Told("doubt", Message("{source} {source:doubts|doubt} {target}")),
    rules.HONEST: Told("honest", Message("{source} told the truth")),
    rules.LIAR: Told("liar", Message("{source} did not tell the truth")),
    rules.TAKES_PILE: Told("pile", Message("{source} {source:takes|take} the pile ({cards})"), joins=True),
    rules.SHOWS_TWO: Told("show", Message("{source} {source:shows|show} {card} twice")),
}
END_RULE = "DB-14"
TURN_RULE = "DB-06"
_WORDS = {
    "done": DONE, "accept": ACCEPT, "believe": ACCEPT, "doubt": DOUBT, "i doubt it": DOUBT, "cheat": DOUBT, "bullshit": DOUBT, "bs": DOUBT, "b.s.": DOUBT,
}  # fmt: skip


def move_text(s: State, move: int) -> str:
    """A card put into the set, `7H`; `done`, `accept`, `doubt`; `name 5`."""
    if move >= NAME:
        return f"name {RANKS[move - NAME]}"
    return ("done", "accept", "doubt")[move - DONE] if move >= DONE else card_text(move)


def parse_move(s: State, text: str) -> int:
    """The move that text names. Raises NotationError."""
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
    try:
        return parse_card(text)
    except NotationError:
        raise NotationError(
            no_move(text),
            Message("a set is laid by its cards and done, such as 5H 6C done; others say accept or doubt"),
            Message("write one of these"),
        ) from None


def why_not(s: State, seat: int, move: int) -> tuple[Text, str]:
    """Why a seat that may act may not make a move: reason and rule."""
    if s.window:
        return Message("first say whether you doubt {seat:@'s|your} set: accept or doubt", seat=Seat(int(s.turn))), "DB-08"
    if move in (ACCEPT, DOUBT):
        if s.t == 0:
            return Message("no set has been laid in this deal"), "DB-08"
        return Message("the last set has been accepted or turned up; now it is for you to lay one"), "DB-12"
    if move >= NAME:
        if s.rules.any_rank == 0:
            return Message("a deal begins with aces; now {ranks} are due", ranks=card_words.PLURALS[state.due(s)]), "DB-05"
        return Message("eldest has named the first rank; now {ranks} are due", ranks=card_words.PLURALS[state.due(s)]), "DB-06"
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
    return Message("the cards of a set are named in ascending order, after {card}", card=Card(mind.text_of(s.draft).split()[-1])), "DB-Q11"


def automatic(s: State, seat: int, move: int) -> bool:
    """Any only move: a set that no card can be added to, and a last card. Nobody sees a set being made, so a pause would tell nothing."""
    return True


def declarations(s: State) -> list[str]:
    """The words with which each set of the pile was laid: `2 fives`."""
    sizes = [int(s.set_size[i]) for i in range(s.sets)]
    first = int(s.first_rank) + int(s.t) - (0 if s.window else 1) - (len(sizes) - 1)
    ranks = [(first + i) % 13 for i in range(len(sizes))]
    return [f"1 {RANK_NAMES[rank]}" if n == 1 else f"{n} {PLURALS[rank]}" for n, rank in zip(sizes, ranks, strict=True)]


def zones(s: State, viewer: int, legal: Sequence[int]) -> list[Zone]:
    """The pile and what was said of it, the rank due, each hand and what the viewer remembers of it, deals won, what to say."""
    found = [_pile(s, viewer), _rank(s)]
    found += [_hand(s, seat, viewer, legal, notes) for seat, notes in enumerate(mind.remembered(s, viewer))]
    for seat in range(s.seats):
        notes: dict[str, Any] = {"won": int(s.scores[seat])}
        if seat == viewer and s.chosen[seat] != WAITING:
            notes["answer"] = "accept" if s.chosen[seat] == ACCEPTED else "doubt"
        text = f"{plural(s.scores[seat], 'deal')} won" + (f", you said {notes['answer']}" if "answer" in notes else "")
        found.append(Zone("score", f"score-{seat}", f"seat {seat}", seat, (), int(s.scores[seat]), text=text, notes=notes))
    said = {move_text(s, move): move_text(s, move) for move in legal if move >= DONE}
    if said:
        found.append(Zone("action", "say", "say", viewer, clicks=said))
    return found


def _pile(s: State, viewer: int) -> Zone:
    size = int(state.pile_size(s))
    declared, by = declarations(s), [int(s.set_by[i]) for i in range(s.sets)]
    sets = [f"seat {seat}: {words}" for seat, words in zip(by, declared, strict=True)]
    text = plural(size, "card") + (f"; the last set: {sets[-1]}" if sets else "")
    notes: dict[str, Any] = {"sets": sets}
    yours = {str(i + 1): mind.text_of(s.set_cards[i]) for i, seat in enumerate(by) if seat == viewer}
    if yours:
        notes["yours"] = yours
        text += "; you laid " + ", ".join(f"{cards} as {declared[int(i) - 1]}" for i, cards in yours.items())
    return Zone("pile", "pile", "pile", None, (None,) * size, size, text=text, notes=notes)


def _rank(s: State) -> Zone:
    if s.first_rank == ANY_RANK:
        return Zone("score", "rank", "rank", None, text=f"seat {s.turn} names the first rank", notes={"rank": None})
    rank = int(state.due(s))
    label, text = ("claim", f"seat {s.turn} claims {PLURALS[rank]}. Doubt it?") if s.window else ("turn", f"seat {s.turn} is to lay {PLURALS[rank]}")
    return Zone("score", "rank", label, None, text=text, notes={"rank": RANKS[rank]})


def _hand(s: State, seat: int, viewer: int, legal: Sequence[int], notes: dict[str, str]) -> Zone:
    count = int(s.counts[seat])
    if seat != viewer:
        text = plural(count, "card") + "".join(f"; {words}: {cards}" for words, cards in notes.items())
        return Zone("hand", f"hand-{seat}", f"seat {seat}", seat, (None,) * count, count, text=text if notes else "", notes=notes)
    cards = tuple(mind.text_of(s.hands[seat]).split())
    chosen = mind.text_of(s.draft) if seat == s.turn else ""
    clicks = {card_text(move): card_text(move) for move in legal if move < DONE}
    text = " ".join(cards) + (f"  (in the set: {chosen})" if chosen else "")
    return Zone(
        "hand", f"hand-{seat}", f"seat {seat}", seat, cards, count, text=text if chosen else "", notes={"chosen": chosen} if chosen else {}, clicks=clicks,
        together=_set(s, legal, cards, len(chosen.split())),
    )  # fmt: skip


def _set(s: State, legal: Sequence[int], hand: Sequence[str], drafted: int) -> Together | None:
    """The cards that can be put into the set now, if the viewer is to lay one."""
    open_cards = {card_text(move) for move in legal if move < DONE}
    if not open_cards:
        return None
    cards = [card for card in hand if card in open_cards]
    if drafted and (last := mind.text_of(s.draft).split()[-1]) in open_cards:
        cards.remove(last)  # of two, one is in the set already
    most, rank = min(int(s.rules.max_set) - drafted, len(cards)), state.due(s)
    numbers = range(drafted or 1, drafted + most + 1)
    labels = tuple(f"Lay {n} as {'an' if rank in (0, 7) else 'a'} {RANK_NAMES[rank]}" if n == 1 else f"Lay {n} as {PLURALS[rank]}" for n in numbers)
    many = f"1 to {drafted + most} cards" if drafted + most > 1 else "a card"
    return Together(tuple(cards), 0 if drafted else 1, most, "done", f"Choose {many} to lay as {PLURALS[rank]}", labels)
