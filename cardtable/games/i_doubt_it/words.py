"""I Doubt It in words: moves, refusals and the table as zones. Positions are in `placing_words`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cardtable.cards import RANK_NAMES, RANKS, card_text, parse_card
from cardtable.errors import NotationError
from cardtable.game import Together, Zone
from cardtable.games.i_doubt_it import mind_words as mind
from cardtable.games.i_doubt_it import rules, state
from cardtable.games.i_doubt_it.placing_words import position as position
from cardtable.games.i_doubt_it.placing_words import set_position as set_position
from cardtable.games.i_doubt_it.state import ACCEPT, ACCEPTED, ANY_RANK, DONE, DOUBT, NAME, WAITING, State
from cardtable.text import plural

REASONS = {
    "DB-04": "all cards are dealt", "DB-05": "the deal's first set", "DB-06": "the next rank", "DB-08": "anybody may doubt the set just laid",
    "DB-09": "the set in question is turned up", "DB-10": "who lied takes the pile", "DB-11": "who doubted the truth takes the pile",
    "DB-14": "first out of cards", "DB-Q6": "a last set is always turned up", "DB-Q9": "no deal is endless",
}  # fmt: skip
PLURALS = tuple("sixes" if name == "six" else name + "s" for name in RANK_NAMES)
SAYS = {
    **{rules.ONE + r: ("claim", "{source} lays a card face down and claims one " + name) for r, name in enumerate(RANK_NAMES)},
    **{rules.MORE + r: ("claim", "{source} lays cards face down and claims {amount} " + names) for r, names in enumerate(PLURALS)},
    **{rules.NAMED + r: ("name", "{source} names " + names + " as the rank to begin with") for r, names in enumerate(PLURALS)},
    rules.ACCEPTS: ("accept", "{source} accepts the claim of {target}"),
    rules.DOUBTS: ("doubt", "{source} doubts {target}"),
    rules.HONEST: ("honest", "{source} told the truth"),
    rules.LIAR: ("liar", "{source} did not tell the truth"),
    rules.TAKES_PILE: ("pile", "{source} takes the pile ({cards})"),
    rules.SHOWS_TWO: ("show", "{source} shows {card} twice"),
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
            f"{text.strip()[:40]!r} is not a move", "a set is laid by its cards and done, such as 5H 6C done; others say accept or doubt", "write one of these"
        ) from None


def why_not(s: State, seat: int, move: int) -> tuple[str, str]:
    """Why a seat that may act may not make a move: reason and rule."""
    if s.window:
        return f"first say whether you doubt the set of seat {s.turn}: accept or doubt", "DB-08"
    if move in (ACCEPT, DOUBT):
        if s.t == 0:
            return "no set has been laid in this deal", "DB-08"
        return "the last set has been accepted or turned up; now it is for you to lay one", "DB-12"
    if move >= NAME:
        if s.rules.any_rank == 0:
            return f"a deal begins with aces; now {PLURALS[state.due(s)]} are due", "DB-05"
        return f"eldest has named the first rank; now {PLURALS[state.due(s)]} are due", "DB-06"
    if s.first_rank == ANY_RANK:
        return "first name the rank with which the deal begins", "DB-05"
    if move == DONE:
        return "a set has one card at least, and nobody may pass", "DB-05"
    return _why_not_card(s, seat, move)


def _why_not_card(s: State, seat: int, card: int) -> tuple[str, str]:
    held = (int(s.hands[seat, 0]) >> card & 1) + (int(s.hands[seat, 1]) >> card & 1)
    drafted = (int(s.draft[0]) >> card & 1) + (int(s.draft[1]) >> card & 1)
    if held == 0:
        return f"you do not hold {card_text(card)}", "DB-05"
    if drafted == held:
        return f"{card_text(card)} is in the set already", "DB-05"
    if state.size(s.draft[0], s.draft[1]) == s.rules.max_set:
        return f"a set has at most {plural(s.rules.max_set, 'card')}", "DB-Q4"
    return f"the cards of a set are named in ascending order, after {mind.text_of(s.draft).split()[-1]}", "DB-Q11"


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
