"""What a programmer meets: real matches followed, chance told, refusals, copies, positions as dicts, the table between
deals.
"""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

from cardtable import (
    CardtableError,
    IllegalMove,
    Match,
    MatchOver,
    NotationError,
    NotYourTurn,
    OptionError,
    PositionError,
    RecordError,
    bot,
)
from cardtable.base.cards import card_text
from cardtable.base.message import Message, Reader, Seat
from cardtable.kernel import prng
from cardtable.rules import catalog, contract
from cardtable.views.view import View
from tests.support.games.tables import sit

ENVIRONMENT = dict(os.environ)
GAMES = sorted(catalog.games())
PACK = [rank + suit for suit in "SHDC" for rank in "A23456789TJQK"]


def pack_of(game: str, order: int = 0) -> list[str]:
    """A game's pack in some order; Pirate's two packs one after the other."""
    m = Match(game, seed=1)
    cards = np.zeros(112, np.int64)
    n = int(contract.pack(m._s, cards))
    rng = prng.key_of(f"{game} {order}")
    for part in (cards[:52], cards[52:104]) if game == "pirate" else (cards[:n],):
        prng.shuffle(rng, part, len(part))
    return [card_text(int(card)) for card in cards[:n]]


def some_moves(m: Match, n: int) -> Match:
    """The match after n chosen moves, the last legal one of the first actor each."""
    for _ in range(n):
        if m.actors:
            m.play(m.legal(m.actors[0])[-1], m.actors[0])
    return m


def same(a: Match, b: Match) -> bool:
    """Whether two matches stand alike, to the byte."""
    return (a._s.tobytes(), a.moves, a.results, str(a.record())) == (
        b._s.tobytes(),
        b.moves,
        b.results,
        str(b.record()),
    )


# Records


def test_a_record_is_loaded_without_comparing_its_results() -> None:
    """check=False: the version, payoffs and result are not compared; an illegal move is refused all the same."""
    m = some_moves(Match("fan-tan", 3, seed=1, deals=1), 200)
    assert m.over
    keys = m.record().as_dict()
    wrong = keys | {
        "version": 99,
        "result": {"scores": [0, 0, 0], "winners": [0]},
        "deals": [keys["deals"][0] | {"payoff": [0, 0, 0]}],
    }
    with pytest.raises(RecordError, match="version 99"):
        Match.from_record(wrong)
    assert Match.from_record(wrong, check=False).scores == m.scores
    assert same(Match.from_record(m.record(), check=True), m)
    with pytest.raises(RecordError, match="move 1"):
        Match.from_record(keys | {"deals": [keys["deals"][0] | {"moves": ["0 KS"]}]}, check=False)


# Playing


def test_a_move_of_several_words_is_refused_as_a_whole() -> None:
    """The reason is that of the whole text, not of its first fragment that is no move."""
    m = Match.from_position({"game": "scopa", "hands": ["6S 2H 3H", "4S 5S 7S"], "board": "5C 4D", "unlisted": "dead"})
    with pytest.raises(NotationError, match="5H"):
        m.play("6S takes 5H")
    refusal = m.why_not("6S takes 5H")
    assert refusal is not None
    with pytest.raises(NotationError) as caught:
        m.play("6S takes 5H")
    assert str(caught.value) == str(refusal)
    fan_tan = sit("fan-tan", "ultimate", ["6S 8S 9S JS 7H", "TS 8H", "5S 6H"], "S 7")
    # where moves are single words, the fragment is what is wrong
    with pytest.raises(NotationError, match="'nonsense'"):
        fan_tan.play("8S nonsense")


def test_why_not_returns_every_refusal() -> None:
    """Of whatever class it is; only a seat that does not exist is raised."""
    m = sit("fan-tan", "denexa", ["8S 2H", "6S 9S", "TS"], "S 7", options={"deals": 1})
    kinds = {"2H": IllegalMove, "nonsense": NotationError}
    assert all(type(m.why_not(text)) is kind for text, kind in kinds.items())
    assert type(m.why_not("6S", 1)) is NotYourTurn
    assert (m.why_not("2H").rule, m.why_not("6S", 1).rule) == ("FT-25", "")  # type: ignore[union-attr]
    for seat in (3, -1, True):
        with pytest.raises(OptionError, match="0 to 2"):
            m.why_not("8S", seat)
        with pytest.raises(OptionError, match="0 to 2"):
            m.legal(seat)
    m.resign(0)
    assert type(m.why_not("8S")) is MatchOver


def test_several_may_act_and_none_is_named() -> None:
    m = Match("pirate", seed=1)
    refusal = m.why_not("draw")
    assert isinstance(refusal, NotYourTurn)
    assert (refusal.seat, str(refusal)) == (None, "a move: seat 0 and seat 1 may act now. Name the seat")


def test_refusals_name_the_players() -> None:
    m = Match("fan-tan", 3, seed=7)
    idle = next(seat for seat in range(3) if seat not in m.actors)
    refusal = m.why_not("7H", idle)
    assert refusal is not None
    names = ["Ann", "Ben", "KC"]
    assert refusal.told(names) == f"{names[idle]} may not act: it is {names[m.actors[0]]}'s turn. Wait for your turn"
    message = Message(
        "pile of {seats}; {far} leads, {seat} has knocked", seats=[Seat(0), Seat(2)], far=Seat(11), seat=Seat(1)
    )
    assert Reader(names).plain(message) == "pile of Ann and KC; seat 11 leads, Ben has knocked"


def test_a_refusal_with_many_moves_is_short() -> None:
    """Boodle's staking has 35 legal moves."""
    m = Match("michigan", 3, "boodle", seed=1)
    assert len(m.legal()) > 30
    refusal = m.why_not("stake AH1")
    assert isinstance(refusal, IllegalMove)
    assert len(refusal.legal) == len(m.legal())
    assert str(refusal).endswith(f", {len(m.legal()) - 8} more")
    assert len(str(refusal)) < 400


# Packs and chance


@pytest.mark.parametrize("game", GAMES)
def test_a_given_pack_is_dealt_as_it_lies(game: str) -> None:
    """Whatever the seed: every card lies where the pack says, and the record deals it again."""
    pack = pack_of(game)
    dealt = [Match.from_pack(" ".join(pack), game, seed=seed, auto=False) for seed in (1, 2)]
    known = dealt[0]._s.dtype.fields["seats"][1]
    assert dealt[0]._s.tobytes()[known:] == dealt[1]._s.tobytes()[known:]
    other = Match.from_pack(" ".join(pack_of(game, 1)), game, seed=1, auto=False)
    assert other._s.tobytes()[known:] != dealt[0]._s.tobytes()[known:]
    assert same(Match.from_record(dealt[0].record()), dealt[0])


def test_pirates_pack_is_two_packs() -> None:
    """The first 52 cards are seat 0's; a pack that mixes them is refused, not thrown away."""
    cards = pack_of("pirate")
    m = Match.from_pack(" ".join(cards), "pirate", auto=False)
    keys = m.position().as_dict()
    assert [text.split() for text in keys["stocks"]] == [cards[:52], cards[52:]]
    mixed = cards[1:] + cards[:1]
    with pytest.raises(PositionError, match="the first 52 cards are the pack of seat 0"):
        Match.from_pack(" ".join(mixed), "pirate")


def used_up(game: str) -> tuple[Match, list[str]]:
    """A table whose stock is used up, with seat 0 to draw, and the cards that will be shuffled."""
    hands = {"thirty-one": ["2S 5H 9D", "3S 6H TD"], "crazy-eights": ["2S 5H", "3S 6H"]}[game]
    held = set(" ".join(hands).split())
    under = [card for card in PACK if card not in held and card not in ("QC", "KC")]
    keys = {"game": game, "hands": hands, "stock": "", "discards": " ".join([*under, "QC", "KC"]), "dealer": 1}
    return Match.from_position(keys if game == "thirty-one" else keys | {"unlisted": "played"}, seed=1), [*under, "QC"]


@pytest.mark.parametrize(("game", "draw"), [("thirty-one", "stock"), ("crazy-eights", "draw")])
@pytest.mark.rules("TO-Q5", "CE-12")
def test_the_order_of_a_reshuffle_is_followed(game: str, draw: str) -> None:
    """The cards come in the order that was said, top card first; taken back they come again; the record has them."""
    m, shuffled = used_up(game)
    m.reshuffle(" ".join(reversed(shuffled)))
    before = set(m.view(0).hand)
    m.play(draw)
    assert set(m.view(0).hand) - before == {"QC"}
    assert m.position().as_dict()["stock"].split() == shuffled[-2::-1]
    again = Match.from_record(str(m.record()))
    assert same(again, m)
    after = m._s.tobytes()
    m.undo()
    m.play(draw)
    assert m._s.tobytes() == after
    other, _ = used_up(game)
    other.play(draw)
    assert other.position().as_dict()["stock"] != m.position().as_dict()["stock"]


def test_other_cards_than_those_shuffled_are_refused() -> None:
    """The move that brings the reshuffle about is refused, and nothing changes."""
    m, shuffled = used_up("crazy-eights")
    m.reshuffle(" ".join(shuffled[1:]))
    before = m._s.tobytes(), m.moves, m.events, str(m.record())
    with pytest.raises(PositionError, match=f"it lacks {shuffled[0]}"):
        m.play("draw")
    assert (m._s.tobytes(), m.moves, m.events, str(m.record())) == before
    with pytest.raises(NotationError, match="is not a card"):
        m.reshuffle("7X")


@pytest.mark.rules("SC-07", "SC-Q9")
def test_a_misdealt_pack_is_followed_by_the_order_it_is_shuffled_into() -> None:
    """Three kings on the table: what is dealt then is the order that was given, whatever the seed."""
    pack = pack_of("scopa")
    kings = sorted(range(40), key=lambda i: (not pack[i].startswith("K"), i))
    first = [pack[i] for i in kings[4:]]
    first[6:6] = [pack[i] for i in kings[:4]]  # the seven to tenth card lie on the table
    second = [pack[i] for i in kings[4:]] + [pack[i] for i in kings[:4]]
    for seed in (1, 2):
        m = Match.from_pack(
            " ".join(first), "scopa", 2, rules=None, seed=seed, reshuffles=[" ".join(second)], king_misdeal="on"
        )
        assert m.view().zone("board").cards is not None
        assert set(filter(None, m.view().zone("board").cards)) == set(second[6:10])
        assert same(Match.from_record(str(m.record())), m)


@pytest.mark.parametrize(
    ("game", "cuts", "dealer", "options"),
    [
        ("fan-tan", ["0 7H", "1 2S", "2 9C"], 1, {"first_dealer": "cut_low"}),
        ("fan-tan", ["0 7H", "1 7S", "2 2C"], 0, {"first_dealer": "cut_high", "level": ["0 KH", "1 QH"]}),
        ("pirate", ["0 KD", "1 AS"], 0, {}),
        ("pirate", ["0 7S", "1 7H", "0 2C", "1 9D"], 1, {}),
    ],
)
def test_the_cards_cut_for_the_deal_are_followed(
    game: str, cuts: list[str], dealer: int, options: dict[str, Any]
) -> None:
    """They are told as they were cut, they say who deals, and the record opens the match so again."""
    options = dict(options)
    cuts = [*cuts, *options.pop("level", [])]
    m = Match(game, len({cut[0] for cut in cuts}), seed=5, cuts=cuts, **options)
    assert m.dealer == dealer
    assert m.record().as_dict()["cuts"] == cuts
    assert same(Match.from_record(str(m.record())), m)
    packed = Match.from_pack(" ".join(pack_of(game)), game, m.seats, cuts=cuts, **options)
    assert packed.dealer == dealer
    assert same(Match.from_record(str(packed.record())), packed)


@pytest.mark.parametrize(
    ("cuts", "call", "words"),
    [
        (["0 7H", "1 7S", "2 9C"], {}, "level"),
        (["0 7H", "1 2S"], {}, "in this order"),
        (["0 7H", "1 2S", "2 9C", "0 4H"], {}, "in this order"),
        (["0 7H", "1 2S", "5 9C"], {}, "0 to 2"),
        (["0 7H", "1 7H", "2 9C"], {}, "in this order"),
        (["7H"], {}, "a seat and the card"),
        (["0 7H", "1 2S", "2 9C"], {"first_dealer": "random"}, "nobody cuts"),
        (["0 7H", "1 2S", "2 9C"], {"dealer": 1}, "Leave one of them out"),
    ],
)
def test_cuts_that_the_rules_do_not_ask_for(cuts: list[str], call: dict[str, Any], words: str) -> None:
    with pytest.raises(CardtableError, match=words):
        Match("fan-tan", 3, seed=1, cuts=cuts, **({"first_dealer": "cut_low"} | call))


def test_pause_and_the_next_deal_by_hand() -> None:
    """from_pack and from_position can wait between deals, too; next_deal takes a pack and the orders of its
    reshuffles.
    """
    m = Match.from_pack(" ".join(PACK), "fan-tan", 3, pause=True, deals=2)
    while m.actors:
        m.play(m.legal()[-1])
    assert (m.deal, len(m.results), m.over) == (1, 1, False)
    refusal = m.why_not("7H")
    assert str(refusal) == "a move: the deal is over. Call next_deal()"
    with pytest.raises(NotYourTurn, match="seat 1 may not act: the deal is over. Call next_deal"):
        m.play("7H", 1)
    with pytest.raises(PositionError, match=r"view\(\)\.zones .* or next_deal\(\) first"):
        m.position()
    m.next_deal(" ".join(reversed(PACK)), reshuffles=())
    assert (m.deal, m.deals[1].pack is None) == (2, False)
    sat = Match.from_position(
        {"game": "fan-tan", "hands": ["8S", "9S 2H", "TS"], "rows": "S 7", "options": {"deals": 2}}, pause=True
    )
    sat.play("8S")
    assert (sat.actors, sat.deal) == ((), 1)


def test_the_table_between_deals() -> None:
    """Pot, money chips and final piles are read from the view."""
    m = Match("michigan", 3, seed=1, pause=True)
    while m.actors:
        m.play(m.legal()[0])
    view = m.view()
    money = [zone for zone in view.zones if zone.kind == "pot"]
    assert view.pot == sum(zone.count for zone in money) > 0
    assert sum(m.scores) + view.pot == sum(m.options.as_dict()["stack"] for _ in range(3))
    with pytest.raises(KeyError, match="money-AH"):
        view.zone("pot")
    fished = Match("cassino", 2, seed=1, pause=True)
    while fished.actors:
        fished.play(fished.legal()[0])
    piles = [fished.view().zone(f"pile-{seat}") for seat in (0, 1)]
    assert sum(zone.count for zone in piles) == 52
    assert all(zone.cards and None not in zone.cards for zone in piles)
    assert fished.view().pot is None


# Copies


@pytest.mark.parametrize("game", GAMES)
def test_copies_go_on_as_the_match_does(game: str) -> None:
    """deepcopy and pickle of a match, a view and a state: the same bytes, and the same match from there."""
    m = some_moves(Match(game, seed=3), 6)
    copies = [copy.deepcopy(m), pickle.loads(pickle.dumps(m))]
    for made in copies:
        assert same(made, m)
        assert made._s is not m._s
        assert made.game == m.game
    view = m.view(m.actors[0])
    for copied in (copy.deepcopy(view), pickle.loads(pickle.dumps(view))):
        assert isinstance(copied, View)
        assert copied.as_dict() == view.as_dict()
        assert (bot("medium", 1).choose(copied), copied.state.tobytes()) == (
            bot("medium", 1).choose(view),
            view.state.tobytes(),
        )
    untouched = m._s.tobytes()
    for made in copies:
        some_moves(made, 6)
    assert m._s.tobytes() == untouched
    some_moves(m, 6)
    assert all(same(made, m) for made in copies)


def test_a_pickle_of_another_record_is_refused() -> None:
    make, (record, memory) = Match("busca", seed=1)._s.__reduce__()
    assert make(record, memory).tobytes() == memory
    with pytest.raises(ValueError, match="another version"):
        make(record, memory[:-8])


# Chance and threads


def test_erased_words_do_not_hang() -> None:
    """A world from a redacted state whose words nobody set: it comes, and always the same one.

    In a separate process, which can be stopped.
    """
    code = """
from cardtable import Match
from cardtable.rules import contract, worlds
from cardtable.rules.catalog import games
for name in games():
    m = Match(name, seed=3)
    found = set()
    for _ in range(2):
        s = m._s.copy()
        contract.redact(s, m.actors[0])
        assert not s.rng.any()
        contract.resample(s, m.actors[0], worlds.Work.new())
        found.add(s.tobytes())
    assert len(found) == 1, name
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={**ENVIRONMENT, "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 0, done.stderr


def test_erased_words_give_even_numbers() -> None:
    """They are always the same. Others would fail with a chance of 1e-7: 5.8 standard deviations, and 7.7."""
    rng = np.zeros(4, np.uint64)
    drawn = [int(prng.below(rng, 3)) for _ in range(3000)]
    assert all(850 < drawn.count(k) < 1150 for k in range(3))
    rng[:] = 0
    assert 0.45 < sum(float(prng.unit(rng)) for _ in range(2000)) / 2000 < 0.55


def test_one_search_for_several_threads() -> None:
    """Threads that share a bot wait for each other, and each gets the answer that it would get alone."""
    views = [(m := some_moves(Match("fan-tan", 3, seed=seed), 4)).view(m.actors[0]) for seed in range(4)]
    player = bot("flat:60", seed=1)
    alone = [bot("flat:60", seed=1).choose(view) for view in views]
    chosen: dict[int, str] = {}

    def think(k: int) -> None:
        with np.errstate(over="ignore"):  # where rules run plainly
            chosen[k] = player.choose(views[k])

    threads = [threading.Thread(target=think, args=(k,), daemon=True) for k in range(len(views))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [chosen.get(k) for k in range(len(views))] == alone
    again = pickle.loads(pickle.dumps(player))
    assert again.choose(views[0]) == alone[0]


def test_a_script_does_not_reach_other_threads() -> None:
    """While one thread follows an order, another's shuffles are left to chance."""
    from cardtable.kernel import following
    from cardtable.match.given_chance import Script

    shuffled: list[list[int]] = []

    def shuffle() -> None:
        row = np.arange(4)
        with np.errstate(over="ignore"):  # where rules run plainly
            prng.shuffle(prng.key_of(1), row, 4)
        shuffled.append(row.tolist())

    shuffle()
    with following(Script(orders=[[3, 2, 1, 0]])):
        thread = threading.Thread(target=shuffle)
        thread.start()
        thread.join()
        shuffle()
    assert shuffled[0] == shuffled[1] != shuffled[2] == [3, 2, 1, 0]


# Positions


def test_positions_as_dicts() -> None:
    """Lists of cards and dicts of pairs are read as the text is."""
    listed = Match.from_position(
        {"game": "fan-tan", "hands": [["8S"], ["9S", "2H"], ("TS",)], "rows": {"S": "7", "H": "6-8"}}
    )
    written = Match.from_position({"game": "fan-tan", "hands": ["8S", "9S 2H", "TS"], "rows": "S 7  H 6-8"})
    assert listed.position().as_dict() == written.position().as_dict()
    base: dict[str, Any] = {"game": "michigan", "hands": ["3S", "5H", "4S"]}
    paired, told = (
        Match.from_position(base | {"on": {"AH": 3, "JS": 1}}),
        Match.from_position(base | {"on": "AH 3, JS 1"}),
    )
    assert paired.position().as_dict() == told.position().as_dict()
    piled: dict[str, Any] = {"game": "cassino", "hands": [["9C"], ["2H"]], "board": ["5S", "4D"], "unlisted": "dead"}
    assert Match.from_position(piled).position().as_dict()["board"] == "5S 4D"


def test_a_house_rule_at_the_top_of_a_position() -> None:
    with pytest.raises(PositionError, match=r"Put it under \[options\]: ante is a house rule"):
        Match.from_position({"game": "fan-tan", "hands": ["8S", "9S 2H", "TS"], "rows": "S 7", "ante": 2})


@pytest.mark.parametrize("suit", ["C", "c", "clubs", "Clubs", "♣"])
def test_a_suit_is_read_in_every_spelling_and_written_in_one(suit: str) -> None:
    eights = Match.from_position(
        {"game": "crazy-eights", "hands": ["5D 6D", "9S"], "discards": "8S", "named": suit, "turns": 1, "turn": 0}
    )
    assert eights.position().as_dict()["named"] == "C"
    led = Match.from_position({"game": "michigan", "hands": ["3S", "5H", "4S"], "barred": suit})
    assert led.position().as_dict()["barred"] == "C"


def test_an_empty_stock_stays_on_the_table() -> None:
    """Domino Fan Tan: after a round trip the zone is there as before."""
    keys = {
        "game": "domino-fan-tan",
        "hands": ["2H 9H", "5S 3H"],
        "rows": "S 6-8  D A-K  C A-K",
        "stock": "4H",
        "unlisted": "played",
        "turn": 0,
    }
    m = Match.from_position(keys, seed=1, auto=False)
    m.play("draw")
    assert m.view().zone("stock").count == 0
    again = Match.from_position(m.position())
    assert [zone.as_dict() for zone in again.view().zones] == [zone.as_dict() for zone in m.view().zones]
    assert again.view().zone("stock").count == 0


def test_hands_that_do_not_go_with_the_trick() -> None:
    with pytest.raises(PositionError) as caught:
        Match.from_position(
            {
                "game": "oh-hell",
                "hands": ["2S 3S", "4S 5S", "6S 7S"],
                "trick": "8S",
                "upcard": "9H",
                "bids": [0, 0, 0],
                "turn": 0,
                "dealer": 1,
            }
        )
    assert str(caught.value) == (
        "seat 2 holds 2 cards: with 2 cards in the hand of seat 0, which is to act, it holds 1 card, and has played to "
        "this trick. Give it 1 card"
    )


def test_one_set_has_been_laid() -> None:
    with pytest.raises(PositionError, match="1 set has been laid"):
        Match.from_position({"game": "i-doubt-it", "hands": ["AS", "2S", "3S"], "pile": ["4S", "5S"], "laid": 1})


# Cassino, Pirate


def cassino(hands: list[str], board: str, **keys: Any) -> Match:
    """A table of Cassino, without the cards that are not named; nobody is bound by a build."""
    options = {"build_obligation": "off"}
    return Match.from_position(
        {"game": "cassino", "hands": hands, "board": board, "unlisted": "dead", "turn": 0, "options": options, **keys}
    )


def played(m: Match, text: str) -> str:
    m.play(text)
    return m.moves[-1].move


@pytest.mark.parametrize("text", ["8C pairs 8S 8H", "8C pairs", "8c pairs 8h,8s"])
def test_the_cards_of_a_build_may_be_named_when_it_is_added_to(text: str) -> None:
    m = cassino(["8C 8D", "KC 2H"], "3S", builds=["1 pair 8 8S 8H"])
    assert played(m, text) == "8C pairs"
    with pytest.raises(NotationError, match="stays whole"):
        cassino(["8C 8D", "KC 2H"], "3S", builds=["1 pair 8 8S 8H"]).play("8C pairs 8S")


def test_a_build_of_a_sum_is_read_with_and_without_its_cards() -> None:
    for text in ("4S builds 7 with 3D", "4S builds 7 with 3D 5D 2H", "4S builds 7"):
        m = cassino(["4S 7C", "KC QH"], "3D", builds=["1 sum 7 5D 2H"])
        assert played(m, text) == "4S builds 7 with 3D"


def test_a_build_without_a_card_of_the_table() -> None:
    m = cassino(["2H 7C", "KC QH"], "9D")
    for text in ("2H builds 7", "2H builds 7 with"):
        refusal = m.why_not(text)
        assert isinstance(refusal, NotationError)
        assert " with :" not in str(refusal)
    assert "names no loose card" in str(m.why_not("2H builds 7"))
    assert "3D is not on the table" in str(m.why_not("2H builds 5 with 3D"))


@pytest.mark.rules("PI-18", "PI-Q8")
def test_why_a_claim_is_not_for_a_player_with_cards() -> None:
    """Dead cards do not count (PI-Q8), so the reason is the cards that can still be laid."""
    m = Match("pirate", seed=1)
    refusal = m.why_not("claim", 0)
    assert isinstance(refusal, IllegalMove)
    assert (refusal.rule, "neither stock nor waste" in refusal.reason) == ("PI-18", False)
    assert "cards of suits that are being built" in refusal.reason
