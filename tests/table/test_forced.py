"""Forced moves at a live table: one entry of the log each, a beat apart; where there is little else, people make their
own.
"""

from __future__ import annotations

from typing import Any

import pytest

from cardtable.rules.zones import Hand
from cardtable.table import Entry, LiveTable, Setup, projection
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.archive import record_of
from cardtable.table.decide import next_time
from cardtable.table.setup import checked
from tests.support.server.live import Driven

BEAT = 400


class Paced(Driven):
    """A table at which forced moves wait for their beat: `tick` makes the next one."""

    beat = BEAT

    def tick(self) -> None:
        """Wait until the next forced move is made, and not longer."""
        at = next_time(self.table, BEAT)
        assert self.now < at <= self.now + 3 * BEAT
        version = self.table.version
        self.now = at - 1
        self.follow()
        assert self.table.version == version, "not before its time"
        self.now = at
        self.follow()
        made = [entry.event for entry in self.log if entry.version > version]
        assert [isinstance(event, ev.Moved) for event in made] in ([True], [True, False]), (
            "one at a time; it may end the match"
        )


def bots(n: int) -> tuple[str, ...]:
    return ("", *["medium"] * (n - 1))


def until_forced(t: Paced, game: str) -> None:
    """Play until the rules are to make a move."""
    for _ in range(400):
        if t.table.forced:
            return
        t.step()
    raise AssertionError(f"nothing is forced in {game}")


@pytest.mark.parametrize(
    ("game", "seats"), [("fan-tan", 4), ("domino-fan-tan", 2), ("michigan", 4), ("busca", 3), ("play-or-pay", 4)]
)
def test_a_forced_move_is_a_moment_of_its_own(game: str, seats: int) -> None:
    t = Paced(game, "a", seats=seats, bots=bots(seats))
    until_forced(t, game)
    assert t.table.forced is not None
    seat, move = t.table.forced
    assert seat not in t.table.bot_seats(), "no bot thinks about it"
    view = projection.view_seen(t.table, seat)
    assert view
    assert view.legal == []
    assert not view.choices
    assert view.actors == (seat,)
    t.tick()
    assert t.log[-1].event == ev.Moved(seat, move, "rules")
    assert t.table.match is not None
    assert t.table.match.deals[-1].acts[-1].forced
    happening = projection.happening_seen(t.table, t.table.happenings[-1], t.table.spectator)
    assert happening.by == "rules"
    assert happening.events, "everybody is told what it was"


def test_who_is_forced_cannot_be_faster_than_the_rules() -> None:
    t = Paced("fan-tan", "a", bots=bots(4))
    for _ in range(400):
        if t.table.forced and t.table.forced[0] == 0:
            break
        if t.table.forced:
            t.tick()
        else:
            t.step()
    refusal = t.move("a", "pass")
    assert refusal
    assert refusal.code == "move/forced"
    assert "move" not in projection.may(t.table, 0, True)
    t.tick()


def test_a_new_deal_is_looked_at_before_it_goes_on_by_itself() -> None:
    """A friend who has just sat down sees the hands before anybody has paid for passing."""
    for number in range(40):
        t = (
            Paced("fan-tan", "a", bots=bots(4), number=f"{number}")
            if number
            else Paced("fan-tan", "a", bots=bots(4), number="0")
        )
        assert t.table.match is not None
        assert not t.table.match.deals[-1].acts, "nothing has been done when the match begins"
        if t.table.forced:
            assert next_time(t.table, BEAT) == t.now + 3 * BEAT
            return
    raise AssertionError("no deal begins with a forced move")


def test_in_play_or_pay_people_make_their_own_forced_moves() -> None:
    t = Paced("play-or-pay", "a", bots=bots(4))
    own = 0
    for _ in range(400):
        if t.table.stage != "playing":
            break
        if t.table.forced:
            assert t.table.forced[0] != 0
            t.tick()
            continue
        assert t.table.match is not None
        if t.table.match.actors == (0,):
            view = projection.view_seen(t.table, 0)
            assert view
            own += len(view.legal) == 1
        t.step()
    assert own > 5
    assert all(
        not isinstance(entry.event, ev.Moved) or entry.event.seat or entry.event.by == "person" for entry in t.log
    )


def test_the_rules_play_for_whom_a_bot_stands_in() -> None:
    t = Paced("play-or-pay", "ab", bots=("", "", "medium", "medium"))
    t.ask("b", cm.Leave)
    t.ask("a", cm.Choose, about=1, choice="bot")
    seats = set()
    for _ in range(300):
        if t.table.stage != "playing":
            break
        if t.table.forced:
            seats.add(t.table.forced[0])
            t.tick()
        else:
            t.step()
    assert 1 in seats
    assert 0 not in seats


@pytest.mark.parametrize("game", ["fan-tan", "play-or-pay", "i-doubt-it", "pirate"])
def test_the_record_is_what_it_was_when_the_rules_were_silent(game: str) -> None:
    """The same choices, with forced moves in the entries before them (as logs were written once), give the same
    record.
    """
    t = Paced(
        game,
        "a",
        bots=bots(checked(Setup(game)).seats or 2),
        options={"deals": 1} if game != "pirate" else {"stall": 60},
    )
    for _ in range(6000):
        if t.table.stage in ("over", "between"):
            break
        if t.table.forced:
            t.tick()
        else:
            t.step()
    old, new = LiveTable(), LiveTable()
    for entry in t.log:
        event: Any = entry.event
        before = len(new.match.deals[-1].acts) if new.match else 0
        new.apply(entry)
        if isinstance(event, ev.Created):
            event = ev.Created(event.table, event.setup, event.host, event.secret, event.version)
        if isinstance(event, ev.Moved) and old.match and len(old.match.deals[-1].acts) > before:
            continue  # made automatically with the move before it
        old.apply(Entry(old.version + 1, entry.at, event, entry.owner, entry.seq))
    assert old.match is not None
    assert t.table.match is not None
    assert str(old.match.record()) == str(t.table.match.record())
    if t.table.match.over:
        assert "players" in record_of(t.table).keys


def test_a_log_read_again_waits_for_the_same_forced_move() -> None:
    t = Paced("fan-tan", "a", bots=bots(4))
    until_forced(t, "fan-tan")
    again = LiveTable.fold([ev.decode(ev.encode(entry)) for entry in t.log])
    assert again.forced == t.table.forced
    assert next_time(again, BEAT) == next_time(t.table, BEAT)


# Moves of many steps


def doubting() -> tuple[Driven, list[str]]:
    """A table of I Doubt It at which seat 0 is to lay a set, and the cards of its hand."""
    t = Driven("i-doubt-it", "a", bots=bots(4))
    for _ in range(60):
        view = projection.view_seen(t.table, 0)
        assert view
        if hand := next((zone.together for zone in view.zones if zone.together), None):
            return t, list(hand["cards"])
        t.step()
    raise AssertionError("seat 0 never lays")


def test_a_set_is_one_command_and_one_entry_and_is_taken_back_whole() -> None:
    t, cards = doubting()
    version = t.table.version
    assert t.move("a", f"{cards[1]} {cards[4]} {cards[7]} done") is None
    assert t.table.version == version + 1
    view = projection.view_seen(t.table, 0)
    assert view
    assert len(view.hand) == len(cards) - 3
    assert t.ask("a", cm.Undo) is None
    view = projection.view_seen(t.table, 0)
    assert view
    assert sorted(view.hand) == sorted(cards)
    assert next(zone.together for zone in view.zones if zone.together), "no card is left in the set"


def test_a_set_with_one_wrong_step_is_refused_and_nothing_is_done() -> None:
    t, cards = doubting()
    version = t.table.version
    refusal = t.move("a", f"{cards[4]} {cards[1]} done")
    assert refusal
    assert refusal.rule == "DB-Q11"
    refusal = t.move("a", f"{cards[1]} done accept")
    assert refusal, "after the set it is no longer one's turn"
    assert t.table.version == version
    assert len(projection.view_seen(t.table, 0).hand) == len(cards)  # type: ignore[union-attr]


def test_every_choice_of_cards_can_be_sent() -> None:
    t, cards = doubting()
    m = t.table.match
    assert m is not None
    view = projection.view_seen(t.table, 0)
    assert view
    together = next(zone.together for zone in view.zones if zone.together)
    assert len(together["labels"]) == together["most"] - together["least"] + 1
    for n in range(together["least"], together["most"] + 1):
        for start in range(len(cards) - n + 1):
            assert m.why_not(" ".join([*cards[start : start + n], together["done"]]), 0) is None
    assert m.why_not(" ".join([*cards[: together["most"] + 1], together["done"]]), 0) is not None


def test_two_cards_of_a_kind_can_both_be_chosen() -> None:
    from cardtable import Match

    for seed in range(20):
        m = Match("i-doubt-it", 5, seed=seed, decks=2)
        view = m.view(m.actors[0])
        together = next(zone.together for zone in view.zones if isinstance(zone, Hand) and zone.together)
        twice = [card for card in together.cards if together.cards.count(card) == 2]
        if twice:
            assert m.why_not(f"{twice[0]} {twice[0]} done", view.seat) is None
            m.play(twice[0], view.seat)
            rest = next(zone.together for zone in m.view(view.seat).zones if isinstance(zone, Hand) and zone.together)
            assert rest.cards.count(twice[0]) == 1
            assert rest.least == 0
            assert str(rest.labels[0]).startswith("lay 1 as")
            return
    raise AssertionError("nobody holds two of a kind")


def test_every_way_to_spread_chips_is_a_legal_move() -> None:
    t = Driven("michigan", "a", bots=bots(4), preset="boodle")
    view = projection.view_seen(t.table, 0)
    while view and not view.legal:
        t.step()
        view = projection.view_seen(t.table, 0)
    assert view
    spread = next(zone.spread for zone in view.zones if zone.spread)
    assert set(spread["moves"].values()) == set(view.legal)
    assert len(spread["moves"]) == 35
    assert spread["start"] == [1, 1, 1, 1]
    assert spread["chips"] == 4
    assert {zone.name for zone in view.zones} >= set(spread["on"])
    assert t.move("a", spread["moves"][" ".join(map(str, spread["start"]))]) is None
