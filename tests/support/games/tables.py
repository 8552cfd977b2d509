"""Setting tables up as the rulebook's examples do, and reading what lies on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from cardtable import IllegalMove
from cardtable.base.cards import card_text, parse_cards
from cardtable.match.history import Result
from cardtable.match.match import Match
from cardtable.rules import contract
from cardtable.rules.events import Event
from cardtable.rules.ruleset import Ruleset

FINED: dict[str, Any] = {"enforce": "penalise", "detect": "immediate"}  #: house rules


def sit(
    game: str,
    rules: str,
    hands: Sequence[str],
    rows: str = "",
    *,
    turn: int = 0,
    options: Mapping[str, Any] | None = None,
    auto: bool = True,
    **keys: Any,
) -> Match:
    """A match in mid-deal: `hands` by seat, `rows` on the table, `turn` to move; more keys as in a position."""
    position = {
        "game": game,
        "rules": rules,
        "hands": list(hands),
        "rows": rows,
        "turn": turn,
        "options": dict(options or {}),
        **keys,
    }
    return Match.from_position(position, seed="table", auto=auto)


def pack_with(hands: Mapping[int, str], seats: int, dealer: int, hand_size: int = 0) -> str:
    """A pack that, dealt singly from eldest, gives these seats these cards and the others what is left, ascending.

    A hand that is named in part is filled up like the others. hand_size 0: the whole pack is dealt.
    """
    given = {seat: parse_cards(text) for seat, text in hands.items()}
    rest = iter(sorted(set(range(52)) - {card for cards in given.values() for card in cards}))
    dealt = seats * hand_size or 52
    order = [(dealer + 1 + i) % seats for i in range(dealt)]
    # The named cards are dealt last, so that what fills a hand up comes first.
    turns = {seat: order.count(seat) for seat in range(seats)}
    pack = []
    for seat in order:
        named = given.get(seat, [])
        pack.append(named[len(named) - turns[seat]] if turns[seat] <= len(named) else next(rest))
        turns[seat] -= 1
    return " ".join(card_text(card) for card in [*pack, *rest])


def fishing(game: str, hands: list[str], board: str, *, unlisted: str = "dead", **keys: Any) -> Match:
    """A match of a fishing game in mid-deal; cards not named are out of it."""
    return Match.from_position(
        {"game": game, "hands": hands, "board": board, "unlisted": unlisted, **keys}, seed="table"
    )


def zone(m: Match, name: str, seat: int | None = None) -> Any:
    """A zone of the table, as a seat (None: a spectator) sees it."""
    return next(zone for zone in m.view(seat).zones if zone.name == name)


def refused(m: Match, move: str, seat: int | None = None) -> str:
    """The rule by which a move is refused, when it is asked about and when it is played."""
    why = m.why_not(move, seat)
    assert isinstance(why, IllegalMove), f"{move} is no illegal move"
    with pytest.raises(IllegalMove) as error:
        m.play(move, seat)
    assert error.value.rule == why.rule
    return why.rule


def result(m: Match) -> Result:
    assert m.result is not None
    return m.result


def advice(m: Match, seat: int | None = None) -> str:
    """The move of the heuristic for a seat; None: the only one that may act."""
    seat = m.actors[0] if seat is None else seat
    moves = np.array(m._codes(seat), np.int64)
    return m.game.presentation.move_text(m._s, int(contract.heuristic(m._s, seat, moves, len(moves))))


def hand(m: Match, seat: int) -> list[str]:
    return m.view(seat).hand


def pot(m: Match) -> int:
    return next(zone.count for zone in m.view().zones if zone.kind == "pot")


def row(m: Match, suit: str) -> list[str]:
    return [card for zone in m.view().zones if zone.name == f"row-{suit}" for card in zone.cards if card]


def paid(events: Iterable[Event]) -> list[tuple[int | None, int | None, int | None, str]]:
    """Every chip movement as (from, to, chips, rule); None: the pot."""
    return [(event.source, event.target, event.amount, event.rule) for event in events if event.kind in ("pay", "take")]


def told(m: Match, kind: str) -> list[Event]:
    """The events of one kind that the last move brought about."""
    return [event for event in m.events if event.kind == kind]


def gains(m: Match, kind: str) -> list[tuple[int | None, str | int | None]]:
    """The events of one kind that the last move brought about, as (seat, card or amount)."""
    return [(event.source, event.card or event.amount) for event in told(m, kind)]


def level_after(game: str, deals: int) -> bool:
    """Whether a match of two sides is over that stand level at 21 points after a number of deals."""
    s = Ruleset.parse(game, seats=2).state()
    s.over, s.scores[0], s.scores[1], s.deal_number = 1, 21, 21, deals
    return bool(contract.standing(s, np.zeros(contract.MAX_SEATS, np.int64)))


#: fields of a state that neither a match nor a deal sets up
GIVEN = {"rules", "seats", "seed", "rng", "record_events", "untracked"}


def check_a_used_state(game: str, seats: int) -> None:
    """A match that is opened in a state in which every number has been used is the same as one in a new state."""
    ruleset = Ruleset.parse(game, seats=seats)
    entry, new, used = ruleset.game, ruleset.state(), ruleset.state()
    pack = int(contract.pack(new, np.zeros(112, np.int64)))
    # of rows, the cells that this table can have used
    ends = {4: seats, contract.MAX_SEATS: seats, 52: pack, contract.MAX_EVENTS: 1}
    for name in entry.rules.State.fields.keys() - GIVEN:
        row = getattr(used, name)
        if np.ndim(row):
            row[: ends.get(len(row), len(row))] = 3
        else:
            setattr(used, name, 3)
    used.event_count = 1
    for s, rubbish in ((new, 0), (used, 3)):
        contract.open_match(s)
        assert (s.over, s.winner, s.deal_number, s.event_count, contract.actors(s)) == (1, -1, 0, 0, 0)
        totals = ("won", "pot") if hasattr(s, "stacks") else ("scores", "gained")
        assert not any(np.any(getattr(s, name)) for name in totals)
        assert 0 <= s.dealer < seats
        contract.next_deal(s, np.full(112, rubbish))
    assert new.tobytes() == used.tobytes()
