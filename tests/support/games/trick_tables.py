"""What the tests of games of tricks share: playing out, reading the table, and checks that hold for every such game."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from cardtable.kernel import prng
from cardtable.match.match import Match
from cardtable.rules import contract, worlds
from cardtable.rules.ruleset import Ruleset
from cardtable.search import playouts
from tests.support.games import oracle
from tests.support.games.tables import zone as zone


def play_out(m: Match, seed: object = 1) -> None:
    chance = random.Random(str(seed))
    while not m.over:
        seat = m.actors[0]
        m.play(chance.choice(m.legal(seat)), seat)


def told(m: Match, kind: str) -> list[tuple[int | None, int | None, str]]:
    """Who, how much and by which rule, of the events of one kind that the last move brought about."""
    return [(event.source, event.amount, event.rule) for event in m.events if event.kind == kind]


def state(m: Match) -> Any:
    return m._s.copy()


def known(s: Any) -> bytes:
    """Everything of a state from `seats` on: what the players can know of it."""
    return bytes(s.tobytes()[s.dtype.fields["seats"][1] :])


def redacted(s: Any, *viewers: int) -> Any:
    """A copy that only holds what all the viewers know."""
    copy = s.copy()
    for viewer in viewers:
        contract.redact(copy, viewer)
    return copy


def legal(s: Any, seat: int) -> list[int]:
    moves = np.zeros(64, np.int64)
    return [int(move) for move in moves[: contract.legal(s, seat, moves)]]


def turns(m: Match, every: int, seed: object = 1) -> Any:
    """Play a match at random and stop at regular intervals: yields the match with nobody's move made yet."""
    chance = random.Random(str(seed))
    k = 0
    while not m.over:
        if k % every == 0:
            yield m
        k += 1
        seat = m.actors[0]
        m.play(chance.choice(m.legal(seat)), seat)


def check_secrets(m: Match, worlds_each: int = 3) -> None:
    """Redaction is idempotent and composable, and another world that a seat cannot tell apart looks the same to it."""
    s = state(m)
    game = m.game
    work = worlds.Work.new()
    for viewer in range(-1, m.seats):
        once = redacted(s, viewer)
        assert redacted(once, viewer).tobytes() == once.tobytes()
        for other in range(-1, m.seats):
            assert redacted(s, viewer, other).tobytes() == redacted(s, other, viewer).tobytes()
        for k in range(worlds_each):
            world = once.copy()
            prng.derive(world.rng, prng.key_of("worlds"), k, prng.BOT)
            contract.resample(world, viewer, work)
            assert redacted(world, viewer).tobytes() == once.tobytes()
            seat = m.actors[0]
            moves = legal(s, seat) if seat == viewer else []
            if moves:
                row = np.array([*moves, 0], np.int64)
                assert legal(world, seat) == moves
                assert (
                    contract.heuristic(world, seat, row, len(moves))
                    == contract.heuristic(s, seat, row, len(moves))
                    == contract.heuristic(once, seat, row, len(moves))
                )
            shown = game.presentation.zones(redacted(world, viewer), viewer, moves)
            assert [z.as_dict() for z in shown] == [z.as_dict() for z in game.presentation.zones(once, viewer, moves)]


def check_texts(m: Match) -> None:
    """Moves and positions round-trip as text; every illegal move has a reason and a rule, and changes nothing."""
    words, seat = m.game.presentation, m.actors[0]
    s = state(m)
    for move in legal(s, seat):
        text = words.move_text(s, move)
        assert words.parse_move(s, text) == words.parse_move(s, text.lower()) == move
    position = m.position()
    again = Match.from_position(position.text)
    assert again.position().as_dict() == position.as_dict()
    assert known(again._s) == known(s)
    before = s.tobytes()
    for move in set(range(64)) - set(legal(s, seat)):
        reason, rule = words.why_not(s, seat, move)
        assert reason
        assert rule
    assert s.tobytes() == before


def simulated(
    game: str, seats: int, players: list[int], deals: int, seed: str = "study", options: Mapping[str, Any] | None = None
) -> Any:
    ruleset = Ruleset.parse(game, None, seats, options)
    total = playouts.Totals.new()
    row = np.array(players + [0] * (contract.MAX_SEATS - len(players)), np.int64)
    moves = np.zeros(ruleset.game.rules.MAX_MOVES + 1, np.int64)
    room = playouts.Workspace(moves, np.zeros(112, np.int64))
    playouts.simulate(ruleset.state(), prng.key_of(seed), 0, 10**9, deals, row, total, room)
    return total


def worlds_of(m: Match, seat: int, count: int, pick: Any) -> Counter[Any]:
    """How often `pick(world)` came out among a number of worlds that a seat thinks possible."""
    once = redacted(state(m), seat)
    prng.derive(once.rng, prng.key_of("uniform"), 0, prng.BOT)
    return Counter(pick(world) for world in oracle.worlds_for(once, seat, count, once.rng.copy()))


def check_worlds_replay(m: Match, viewer: int, count: int) -> int:
    """Worlds that a seat thinks possible lead, from their own deal, by the moves really made, to just what they say.

    An independent judge of `resample`: every past move must have been legal in the imagined hands. Returns the worlds
    judged.
    """
    deal = m._deals[-1]
    once = redacted(state(m), viewer)
    work = worlds.Work.new()
    for k in range(count):
        world = once.copy()
        prng.derive(world.rng, prng.key_of("replay"), k, prng.BOT)
        contract.resample(world, viewer, work)
        s = deal.start.copy()
        for p in range(m.seats):
            s.hands[p] = int(world.hands[p]) | sum(
                1 << act.code for act in deal.acts if act.seat == p and act.code < 52
            )
        imagined = [(act.seat, act.code) for act in deal.acts]
        if "aside" in s.dtype.names and world.aside:
            s.hands[m.dealer] = int(s.hands[m.dealer]) | 1 << int(world.aside) - 1
            imagined = [(seat, 52 + int(world.aside) - 1 if code >= 52 else code) for seat, code in imagined]
        for seat, code in imagined:
            assert code in legal(s, seat)
            contract.play(s, seat, code)
        for name in ("hands", "counts", "voids", "tricks", "trick", "played", "turn", "leader", "laid"):
            assert np.array_equal(getattr(s, name), getattr(world, name)), name
    return count
