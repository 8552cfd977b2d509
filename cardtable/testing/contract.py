"""The contract of every game, as tests: for every preset and number of seats of a game, and for every pair of house
rules.

`pytest --cardtable-game NAME` runs them for one game (`plugin`), and Cardtable's own tests for all. There are no
game-specific exemptions. A test of one house is marked by `every_house`.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardtable.base.cards import card_text
from cardtable.base.errors import PositionError
from cardtable.base.message import CARD, Message, Moves, Reader, Value, as_data, from_data
from cardtable.match.match import Match, Record
from cardtable.rules import contract, worlds
from cardtable.rules.events import BEATS
from cardtable.rules.moves import CHOOSE
from cardtable.search.chain import MAX_PLACES
from cardtable.testing.drawn import check_even, check_possible, same_view
from cardtable.testing.houses import (
    GREAT,
    POLICIES,
    House,
    Houses,
    brief,
    deal_out,
    explained,
    holds_cards,
    left_out,
    legal_of,
    moments,
    on_table,
    payoff_of,
    play_on,
    redacted,
    scores_of,
    seats_of,
    some_options,
    view_of,
)

LONG = 300  # moves of a deal, after which each fiftieth is looked at


def every_house(test: Callable[[House], None]) -> Callable[[Houses], None]:
    """Turn a test of one house into a test of several houses of a game (its argument `houses`); failures name the
    house."""

    def each(houses: Houses) -> None:
        for house in houses.houses:
            try:
                test(house)
            except BaseException as error:
                error.add_note(f"house: {house}")
                raise

    each.__dict__.update(test.__dict__)
    each.__name__, each.__qualname__, each.__doc__ = test.__name__, test.__qualname__, test.__doc__
    each.__module__ = test.__module__
    return each


def test_every_kind_of_event_has_a_beat(houses: Houses) -> None:
    """Clients show each kind as one of a closed set, without game-specific code."""
    wordings = houses.houses[0].entry.presentation.EVENTS.values()
    assert not [one.kind for one in wordings if (one.beat or one.kind) not in BEATS], "give them a beat in EVENTS"


# Play


def check_deal(house: House, seed: object, policy: str, deals: int = 1) -> None:
    """Play deals and hold every move to the contract."""
    s = house.open(seed)
    cards = np.zeros(112, np.int64)
    whole = int(contract.pack(s, cards))
    pack = Counter(card_text(card) for card in cards[:whole])
    scores, pot = scores_of(s), on_table(house, s)[1]
    chips = None if pot is None else sum(scores) + pot
    bounds = np.zeros(3)
    for _ in range(deals):
        deal_out(s)
        contract.bounds(s, bounds)
        scores, pot = check_table(house, s, scores, pot, whole, chips)
        number = 0
        before = None  # the last move that was not looked at, since a deal may be of thousands
        for number, seat, moves in moments(house.entry, s, f"{seed} {s.deal_number}", policy):
            assert number <= bounds[0], f"more than {bounds[0]} moves"
            if number > LONG and number % 50:
                before = s.copy()
                continue
            if before is not None:
                scores, pot, before = scores_of(before), on_table(house, before)[1], None
            if number > 1:
                scores, pot = check_table(house, s, scores, pot, whole, chips)
            check_moves(house, s, seat, moves, thorough=number % 5 == 1)
            if number % 11 == 1:
                check_cards(house, s, pack)
                check_choices(house, s, seat)
        assert number, "a deal without a move"
        if before is not None:
            scores, pot = scores_of(before), on_table(house, before)[1]
        scores, pot = check_table(house, s, scores, pot, whole, chips)
        payoff = payoff_of(s)
        assert all(bounds[1] <= x <= bounds[2] for x in payoff), (payoff, bounds)
        assert -1 <= s.winner < house.seats
        over = int(contract.standing(s, np.zeros(contract.MAX_SEATS, np.int64)))
        assert over in (0, 1, contract.NOBODY) or over & 1 and 0 < over >> 1 < 1 << house.seats
        if over:
            return


def check_table(
    house: House, s: Any, scores: list[int], pot: int | None, whole: int, chips: int | None
) -> tuple[list[int], int | None]:
    """No card and no chip was lost, and the events of the last act explain every chip that moved; scores and pot
    now.
    """
    lying, in_pot = on_table(house, s)
    assert lying == whole, left_out(house, s, whole)
    after = scores_of(s)
    assert chips is None or sum(after) + (in_pot or 0) == chips
    assert s.event_count <= contract.MAX_EVENTS
    events = house.entry.events_of(s)
    explained_scores, explained_pot = explained(events, scores, pot or 0)
    if pot is None and not any(event.kind == "score" for event in events):
        for event in events:  # without chips a deal won is the score
            if event.kind == "win" and event.source is not None:
                explained_scores[event.source] += 1
    assert (explained_scores, explained_pot) == (after, in_pot or 0)
    for event in events:
        assert event.text
        for viewer in [*range(house.seats), None]:
            shown = event.seen_by(viewer)
            assert event.viewer in (None, viewer) or (shown.card, shown.amount) == (None, None)
    return after, in_pot


def check_moves(house: House, s: Any, seat: int, moves: list[int], thorough: bool) -> None:
    """Legal moves: at least one, ascending, each with a distinct text that reads back, each plays."""
    words = house.entry.presentation
    assert moves
    assert moves == sorted(set(moves))
    texts = [words.move_text(s, move) for move in moves]
    assert len(set(texts)) == len(texts)
    assert [words.parse_move(s, text) for text in texts] == moves
    for move in moves if thorough else ():
        trial = s.copy()
        contract.play(trial, seat, move)
        assert trial.event_count <= contract.MAX_EVENTS
        for viewer in range(-1, house.seats):
            assert viewer != seat or contract.observed(s, seat, move, viewer) == move


def check_choices(house: House, s: Any, seat: int) -> None:
    """Moves for people: all legal ones; each begins and ends at an existing card or place, and no two look the same."""
    view = view_of(house, s, seat)
    zones = {zone.name: zone for zone in view.zones}
    assert len(zones) == len(view.zones)
    assert sorted(move.text for move in view.choices) == sorted(view.legal)
    for move in view.choices:
        assert not move.source or not move.cards or move.cards[0] in zones[move.source].cards, move
        assert not move.target or move.target in zones, move
        assert from_data(as_data(move.told)) == move.told
        check_no_notation(move.label or Moves(move.text))
    looks = [(move.source, move.cards, move.target, str(move.told)) for move in view.choices]
    assert len(set(looks)) == len(looks), "two moves cannot be told apart"


def check_no_notation(value: Value | None) -> None:
    """People see words and cards. A move in notation is for programs and for typing: no label and no advice has one,
    except for moves that are nothing but cards.
    """
    parts = value.values.values() if isinstance(value, Message) else value if isinstance(value, (list, tuple)) else ()
    only_cards = isinstance(value, Moves) and all(map(CARD.fullmatch, value.moves.split()))
    assert only_cards or not isinstance(value, Moves), f"a move in notation: {value.moves}"
    for part in parts:
        check_no_notation(part)


LONGEST_ASK, LONGEST_DOES, LONGEST_ADVICE, MOST_REFUSED = 120, 80, 140, 18  # letters in English, and moves
ADVISED = 30  # moves of a decision whose advice is looked at; where there are more, they are bids of a rich player


def check_prompt(house: House, s: Any, seat: int) -> None:
    """The prompt: the game's own short sentence; the effects of its moves; and refused moves with a reason and a rule
    of the page.
    """
    view = view_of(house, s, seat)
    prompt = view.prompt
    assert prompt is not None
    assert prompt.ask != CHOOSE.ask, "the game does not say what is asked"
    check_words(house, prompt.ask, LONGEST_ASK)
    page = house.entry.rulebook
    assert f"| {prompt.rule} |" in page or f"**{prompt.rule} " in page, f"no rule {prompt.rule} on the page"
    assert prompt.does.keys() <= set(view.moves), "what moves do that cannot be made"
    for move in view.choices:
        if move.does:
            check_words(house, move.does, LONGEST_DOES)
    assert len(view.refused) <= MOST_REFUSED
    for one in view.refused:
        assert one.move.text not in view.legal
        assert one.why
        assert one.rule


def check_advice(house: House, s: Any, seat: int) -> None:
    """Each move as advice: a short sentence without notation. If the game gives reasons, each move has one. It depends
    on what the seat knows alone, for it is made from the seat's view.
    """
    view = view_of(house, s, seat)
    for text in view.legal[:: 1 + len(view.legal) // ADVISED]:
        advice = view.advice([text])
        check_words(house, advice.says, LONGEST_ADVICE)
        check_no_notation(advice.says)
        assert advice.why or not house.entry.advice, f"no reason for {text}"


def check_words(house: House, message: Message, longest: int) -> None:
    """A message is short, has all its fields, and comes back whole when it is sent."""
    text = Reader([f"Player {seat}" for seat in range(house.seats)], 0).plain(message, sentence=True)
    assert 0 < len(text) <= longest, f"{len(text)} letters: {text}"
    assert "{" not in text
    assert from_data(as_data(message)) == message


@every_house
def test_every_decision_has_its_prompt(house: House) -> None:
    """At each decision of a seeded deal the game has its own prompt."""
    s = house.open("asked")
    deal_out(s)
    for number, seat, _ in moments(house.entry, s, "asked", ("random", "first")[hash_of(house) % 2]):
        if number < LONG or number % 20 == 0:
            check_prompt(house, s, seat)
            check_advice(house, s, seat)


def check_cards(house: House, s: Any, pack: Counter[str]) -> None:
    """Each card of the pack lies in one place, as its owners see it, or face down; of two packs, each of its two."""
    shown: dict[str, Counter[str]] = {}
    hidden: dict[str, int] = {}
    for viewer in range(house.seats):
        for zone in view_of(house, s, viewer).zones:
            if not holds_cards(zone):
                continue
            shown[zone.name] = shown.get(zone.name, Counter()) | Counter(card for card in zone.cards if card)
            if zone.kind == "hand" and zone.seat == viewer:
                assert None not in zone.cards
                assert zone.count == len(zone.cards)
            if zone.kind not in ("hand", "row"):  # a card face down may be known to one who put it there
                down = zone.count - sum(1 for card in zone.cards if card)
                hidden[zone.name] = min(down, hidden.get(zone.name, down))
    lying = sum(shown.values(), Counter())
    assert not lying - pack, f"cards that are no part of the pack, or lie in two places: {lying - pack}"
    assert lying.total() + sum(hidden.values()) == pack.total()


def dealt_unlike(house: House, seed: str, **fields: int) -> tuple[Any, Any]:
    """A table, and one of the same seed in which these fields are others, both after the deal."""
    usual, other = house.open(seed), house.open(seed)
    for name, value in fields.items():
        setattr(other, name, value)
    for s in (usual, other):
        deal_out(s)
    return usual, other


@every_house
def test_a_match_opens_afresh(house: House) -> None:
    """After `start` no seat has gained, won or may act; and a reused table behaves like a new one."""
    for played in (9, LONG):
        check_afresh(house, played)


def check_afresh(house: House, played: int) -> None:
    """A table on which this number of moves was made opens as a new one."""
    new, used = house.open("new"), house.open("used")
    deal_out(used)
    for _ in itertools.islice(moments(house.entry, used, "used"), played):
        pass
    used.seed[:] = new.seed
    contract.open_match(used)
    assert (int(new.event_count), new.events.tolist()) == (int(used.event_count), used.events.tolist())
    for s in (new, used):
        assert int(contract.actors(s)) == 0
        assert int(contract.standing(s, np.zeros(contract.MAX_SEATS, np.int64))) == 0
        assert (int(s.deal_number), int(s.over), int(s.winner), payoff_of(s)) == (0, 1, -1, [0.0] * house.seats)
        deal_out(s)
    assert new.tobytes() == used.tobytes()


@every_house
def test_an_untracked_table_plays_the_same(house: House) -> None:
    """Not recording knowledge changes no hand, move or payoff; and the next deal is recorded again."""
    mindful, untracked = dealt_unlike(house, "untracked", untracked=1)
    moves = [np.empty(house.entry.rules.MAX_MOVES + 1, np.int64) for _ in range(2)]
    chance = random.Random("untracked")
    while mask := int(contract.actors(mindful)):
        assert contract.actors(untracked) == mask
        seat = mask.bit_length() - 1
        n = int(contract.legal(mindful, seat, moves[0]))
        assert contract.legal(untracked, seat, moves[1]) == n
        assert moves[0][:n].tolist() == moves[1][:n].tolist()
        move = int(moves[0][chance.randrange(n)])
        contract.play(mindful, seat, move)
        contract.play(untracked, seat, move)
    assert payoff_of(mindful) == payoff_of(untracked)
    untracked.untracked = 0
    for s in (mindful, untracked):
        deal_out(s)
    assert mindful.tobytes() == untracked.tobytes()


def even_lengthy(test: Callable[[House], None]) -> Callable[[House], None]:
    """Also give a test the houses with possibly endless deals."""
    test.__dict__["lengthy"] = True
    return test


@every_house
@even_lengthy
def test_every_move_keeps_the_contract(house: House) -> None:
    """Cards and chips conserved, legal moves in order, bounds held, events explain, under random and stubborn play.

    With many house rules, shared by other houses, under one of these; and with possibly endless deals.
    """
    several = house.lengthy or len(house.given) > max(map(len, GREAT))
    stubborn = ("last", "mostly last", "first")[hash_of(house) % 3]
    if not several or hash_of(house) % 2:
        check_deal(house, "contract", "random", 1 if house.given else 2)
    if not several or not hash_of(house) % 2:
        check_deal(house, "contract", stubborn)


@every_house
def test_rules_are_silent_when_nobody_listens(house: House) -> None:
    """With record_events 0 no events are noted, and everything else is the same."""
    noted, silent = dealt_unlike(house, "quiet", record_events=0)
    for s in (noted, silent):
        said = 0
        for _ in moments(house.entry, s, "quiet"):  # a hidden choice is not shown at all
            said += int(s.event_count)
            assert s.record_events or not s.event_count
        assert bool(s.record_events) == bool(said)
    assert payoff_of(noted) == payoff_of(silent)
    noted.record_events = noted.event_count = 0
    noted.events[:] = 0
    silent.event_count = 0
    silent.events[:] = 0
    assert noted.tobytes() == silent.tobytes()


@every_house
def test_replay_equals_play(house: House) -> None:
    """The same start and the same moves give the same states, byte for byte."""
    s = house.open("replay")
    deal_out(s)
    again = s.copy()
    played = [s.tobytes() for _ in moments(house.entry, s, "replay")]
    replayed = [again.tobytes() for _ in moments(house.entry, again, "replay")]
    assert [*replayed, again.tobytes()] == [*played, s.tobytes()]
    assert len(set(played)) == len(played)


# Matches, records, positions


def play_some(m: Match, number: int) -> None:
    """The next step of a match, chosen by a number: a move of a seat that may act or, in real time, a moment of them
    all.
    """

    def chosen(seat: int) -> str:
        legal = m.legal(seat)
        return legal[(number >> 33) % len(legal)]

    play_on(m, chosen, number >> 40)


def whole_match(house: House, seed: str) -> Match:
    """A match of at most two deals, played at random."""
    options = house.options | brief(house.entry, {"deals": 2})
    m = Match(house.game, house.seats, house.preset, seed, **options)
    state = int.from_bytes(seed.encode(), "big")
    while not m.over and m.deal <= 2:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        play_some(m, state)
    return m


@every_house
def test_records_round_trip(house: House) -> None:
    """A record is unchanged after writing, reading and replaying; also in the middle of a match."""
    m = whole_match(house, "record")
    text = str(m.record())
    assert str(Record.parse(text)) == text
    again = Match.from_record(text)
    assert (str(again.record()), again.scores, again.results) == (text, m.scores, m.results)
    assert again._s.tobytes()[16 * contract.MAX_EVENTS + 16 :] == m._s.tobytes()[16 * contract.MAX_EVENTS + 16 :]
    part = Match(house.game, house.seats, house.preset, "record", **house.options)
    state = 3
    for _ in range(11):
        if part.deal == 1 and not part.over:
            state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
            play_some(part, state)
    unfinished = Match.from_record(str(part.record()))
    assert str(unfinished.record()) == str(part.record())
    assert unfinished.actors == part.actors
    assert [unfinished.legal(seat) for seat in unfinished.actors] == [part.legal(seat) for seat in part.actors]


@every_house
def test_positions_round_trip(house: House) -> None:
    """Any situation in mid-deal is unchanged after conversion to text and dict, and plays on the same."""
    m = Match(house.game, house.seats, house.preset, "position", auto=False, **house.options)
    state = 1
    number = 0
    while m.actors:
        if number % 13 == 4 and (number < 100 or number % 7 == 0 and number < LONG):  # fewer in long deals
            text = m.position().text
            for again in (
                Match.from_position(text, auto=False),
                Match.from_position(m.position().as_dict(), auto=False),
            ):
                assert again.position().text == text
                assert again.actors == m.actors
                assert [again.legal(seat) for seat in again.actors] == [m.legal(seat) for seat in m.actors]
                for seat in range(house.seats):
                    assert again.view(seat).hand == m.view(seat).hand
                assert again.scores == m.scores
            check_same_end(m, again)
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        play_some(m, state)
        number += 1


def check_same_end(m: Match, again: Match) -> None:
    """A deal played on from its own position reaches the same settlement."""
    ours, theirs = m._s.copy(), again._s.copy()
    theirs.rng[:] = ours.rng  # a shuffle still to come is no part of a position
    game = m.game
    for s in (ours, theirs):
        for _ in moments(game, s, "on"):
            pass
    assert payoff_of(ours) == payoff_of(theirs)
    assert (ours.winner, scores_of(ours)) == (theirs.winner, scores_of(theirs))


# Secrets


def sampled(house: House, seed: str) -> list[Any]:
    """States of one deal: the start, some of the middle and the end, with the moves of the stubborn among them."""
    s = house.open(seed)
    deal_out(s)
    states = [s.copy()]
    step = 5 + house.seats
    for number, _, _ in moments(house.entry, s, seed, "random" if hash_of(house) % 2 else "mostly last"):
        if number % step == 3:
            states.append(s.copy())
    return [*states, s.copy()]


def hash_of(house: House) -> int:
    """A number that is the same in every run."""
    return sum(str(house).encode())


@every_house
def test_another_world_looks_the_same(house: House) -> None:
    """Non-interference: a world consistent with what a seat has seen has the same bytes, moves, zones and events for
    it.
    """
    work = worlds.Work.new()
    for number, s in enumerate(sampled(house, "secrets")):
        for seat in range(-1, house.seats):
            world = redacted(s, seat)
            world.rng[:] = luck_words(number, seat)
            contract.resample(world, seat, work)
            if work.clashed == worlds.NOT_FOR_SPECTATORS and seat < 0:
                continue
            assert not worlds.clash(work), worlds.clash(work)
            if seat in seats_of(contract.actors(s)):
                assert legal_of(house.entry, world, seat) == legal_of(house.entry, s, seat)
            world.events[:] = s.events  # the events of the last move are not part of a world
            same_view(house, s, world, seat, texts=seat == number % house.seats)


@every_house
def test_a_world_can_have_come_about(house: House) -> None:
    """A world contradicts nothing that was proved."""
    m = Match(house.game, house.seats, house.preset, "worlds", auto=False, **house.options)
    work = worlds.Work.new()
    for number, s in enumerate(sampled(house, "worlds")):
        if contract.actors(s):
            check_possible(m, s, number % house.seats, work)


@every_house
def test_worlds_are_drawn_evenly(house: House) -> None:
    """Where nothing has happened yet, each card lies at each place as often as there is room."""
    check_even(house, hash_of(house) % house.seats)


@every_house
def test_what_is_unseen_can_be_put_back(house: House) -> None:
    """With weighted worlds: the sets of cards unseen by a seat are complete and disjoint, and restore the world."""
    sets, again = np.zeros(MAX_PLACES, np.int64), np.zeros(MAX_PLACES, np.int64)
    for number, s in enumerate(sampled(house, "unseen")):
        seat = number % house.seats
        places = int(contract.unseen(s, seat, sets))
        if not places or not contract.actors(s):
            continue
        hidden = sum(
            zone.count - sum(1 for card in zone.cards if card)
            for zone in view_of(house, s, seat).zones
            if zone.kind in ("hand", "stock")
        )
        held = [int(cards) for cards in sets[:places]]
        assert sum(cards.bit_count() for cards in held) >= hidden
        assert sum(held).bit_count() == sum(cards.bit_count() for cards in held), "a card lies in two places"
        world = redacted(s, seat)
        world.rng[:] = luck_words(number, seat)
        for place, cards in enumerate(held):
            if cards:
                assert contract.may_hold(world, seat, place, cards)
                contract.put(world, place, cards)
        assert contract.unseen(world, seat, again) == places
        assert again[:places].tolist() == held
        world.events[:] = s.events
        same_view(house, s, world, seat)


def luck_words(*numbers: int) -> Any:
    """Random words."""
    return np.array([1 + n * 0x9E3779B97F4A7C15 % 2**64 for n in (*numbers, 3, 5, 7)][:4], np.uint64)


@every_house
def test_two_hidden_cards_change_places(house: House) -> None:
    """Non-interference without `resample`: two cards that a seat cannot see are swapped in the position; it looks the
    same.
    """
    m = Match(house.game, house.seats, house.preset, "swap", auto=False, **house.options)
    swaps = number = 0
    state = hash_of(house)
    while m.actors:
        if number % 15 == 2 and (number < 100 or number % 7 == 0):  # fewer in long deals
            swaps += swap_cards(house, m, number)
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        play_some(m, state)
        number += 1
    places = (
        house.seats - 1 + ("stock" in Match(house.game, house.seats, house.preset, "swap", auto=False).position().keys)
    )
    # Two players and no stock: nothing is hidden. And a deal may be over before there is a second moment to look at.
    assert swaps or places < 2 or number < 18, "no swap was possible"


def swap_cards(house: House, m: Match, number: int) -> int:
    """Try a few swaps of cards between two places that a viewer does not see, for some viewers by turns; return how
    many were possible.
    """
    keys = m.position().as_dict()
    true: Match | None = None
    done = 0
    tries = min(4, max(2, 16 // house.seats))
    for k in range(house.seats):
        if done and k >= 4:
            break
        viewer = (number + k) % house.seats
        hidden = [
            ("hands", p, card) for p, text in enumerate(keys.get("hands", ())) if p != viewer for card in text.split()
        ]
        hidden += [("stock", -1, card) for card in str(keys.get("stock", "")).split()]
        for a, b in itertools.islice(
            ((a, b) for a, b in itertools.combinations(hidden[:: max(1, len(hidden) // 6)], 2) if a[:2] != b[:2]), tries
        ):
            swapped = dict(keys, hands=list(keys.get("hands", ())))
            for _, p, card in (a, b):
                other = b[2] if card == a[2] else a[2]
                if p < 0:
                    swapped["stock"] = " ".join(other if c == card else c for c in swapped["stock"].split())
                else:
                    swapped["hands"][p] = " ".join(other if c == card else c for c in swapped["hands"][p].split())
            try:
                world = Match.from_position(swapped, auto=False)
            except PositionError:
                continue  # it contradicts what has been proved
            true = true or Match.from_position(keys, auto=False)
            same_view(house, true._s, world._s, viewer, texts=not done)
            done += 1
    return done


@every_house
def test_redaction(house: House) -> None:
    """Redaction is idempotent; the common knowledge of a and b does not depend on the order; a spectator knows no
    more.
    """
    for s in sampled(house, "redact"):
        once = {seat: redacted(s, seat) for seat in range(-1, house.seats)}
        for a in range(-1, house.seats):
            assert redacted(once[a], a).tobytes() == once[a].tobytes()
            for b in range(a + 1, house.seats):
                assert redacted(once[a], b).tobytes() == redacted(once[b], a).tobytes(), (a, b)
            assert not once[a].seed.any()
            assert not once[a].rng.any()


@every_house
def test_a_seat_decides_by_what_it_knows(house: House) -> None:
    """Legal moves, the heuristic and its second choice come out the same from the redacted state, and the heuristic
    chooses a legal move.
    """
    for s in sampled(house, "advice"):
        for seat in seats_of(contract.actors(s)):
            moves = legal_of(house.entry, s, seat)
            mine = redacted(s, seat)
            assert legal_of(house.entry, mine, seat) == moves
            row = np.array(moves, np.int64)
            advice = int(contract.heuristic(s, seat, row, len(moves)))
            assert advice in moves
            assert int(contract.heuristic(mine, seat, row, len(moves))) == advice
            for made in moves:
                assert bool(contract.slip(mine, seat, advice, made)) == bool(contract.slip(s, seat, advice, made))
            others = [move for move in moves if move != advice and contract.slip(s, seat, advice, move)]
            if others:
                few = np.array(others, np.int64)
                again = int(contract.heuristic(mine, seat, few, len(others)))
                assert again == int(contract.heuristic(s, seat, few, len(others)))
            assert all(int(contract.is_pass(s, move)) in (0, 1) for move in moves)


@every_house
def test_hidden_cards_of_events_are_hidden(house: House) -> None:
    """An event that only one seat may know has its card removed from everybody else's state and view."""
    game = house.entry
    s = house.open("veil")
    deal_out(s)
    for _ in moments(game, s, "veil", "last"):
        for seat in range(-1, house.seats):
            mine = redacted(s, seat)
            for i in range(s.event_count):
                true, shown = (int(state.events[i, contract.WHAT]) for state in (s, mine))
                if true >> 24 & 0xFF not in (contract.EVERYBODY, seat):
                    assert shown >> 32 & 0xFF == contract.HIDDEN
                    assert shown & 0xFFFFFFFF == true & 0xFFFFFFFF
                else:
                    assert shown == true


# Any house rules at all


@settings(max_examples=20, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(data=st.data(), seed=st.integers(0, 2**63), policy=st.sampled_from(sorted(POLICIES)))
def test_any_house_rules_keep_the_contract(game: str | None, data: st.DataObject, seed: int, policy: str) -> None:
    """Random options, random play; game: None, any that the catalog finds."""
    check_deal(data.draw(some_options(game)), seed, policy, 1)
