"""The kernel: the random source, and that compiled, plain and bounds-checked rules are the same rules."""

from __future__ import annotations

import hashlib
import itertools
import os
import subprocess
import sys
import textwrap
from collections import Counter
from collections.abc import Hashable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardtable import Match
from cardtable.base.cards import rank_of, suit_of
from cardtable.base.errors import OptionError
from cardtable.kernel import Record, bits, cache, cite, cited, compile, field, implement, prng, rule
from cardtable.rules import catalog
from cardtable.testing.houses import House, great_houses, single_houses
from tests.support.effort import cases
from tests.support.games import aims, oracle, story

ROOT = Path(__file__).resolve().parents[2]
U = np.uint64
SOME = 80  #: every SOME-th house is played again as plain Python


def run(code: str, home: Path = ROOT, **flags: str) -> subprocess.CompletedProcess[str]:
    """Run Python code (or a module, `-m name`) in a separate process, with Numba's flags."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT), CARDTABLE_CACHE=str(cache.ROOT), **flags)
    arguments = code.split() if code.startswith("-m ") else ["-c", code]
    return subprocess.run(
        [sys.executable, *arguments],
        env=environment,
        cwd=home,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


# Random numbers


def test_threefish_test_vector() -> None:
    """Threefish-256 with zero key, tweak and block gives the words of the Skein papers' test vector."""
    words = prng.encrypt(U(0), U(0), U(0), U(0), 0, 0)
    assert [f"{int(word):016x}" for word in words] == [
        "94eeea8b1f2ada84",
        "adf103313eae6670",
        "952419a1f4b16d53",
        "d83f13e63c9f6b11",
    ]


def test_xoshiro_against_a_plain_one() -> None:
    """xoshiro256** as Blackman and Vigna print it, in Python's own integers."""

    def rotl(x: int, k: int) -> int:
        return (x << k | x >> 64 - k) & 2**64 - 1

    words = prng.key_of("xoshiro")
    w = [int(x) for x in words]
    for _ in range(100):
        result = rotl(w[1] * 5 % 2**64, 7) * 9 % 2**64
        t = w[1] << 17 & 2**64 - 1
        w[2] ^= w[0]
        w[3] ^= w[1]
        w[1] ^= w[2]
        w[0] ^= w[3]
        w[2] ^= t
        w[3] = rotl(w[3], 45)
        assert int(prng.next64(words)) == result


@given(st.integers(1, 2**31 - 1), st.integers(0, 2**63))
def test_below_is_below(n: int, seed: int) -> None:
    """Lemire's bounded integers lie in 0 ... n-1."""
    words = prng.key_of(seed)
    assert all(0 <= prng.below(words, n) < n for _ in range(8))


def test_below_is_uniform_and_rejects() -> None:
    """Lemire's rejection: a draw whose low half falls under 2**32 mod n is drawn again, so every number is equally
    likely.
    """
    words = prng.key_of("below")
    numbers = Counter[Hashable](prng.below(words, 6) for _ in range(6000))
    assert set(numbers) == set(range(6))
    assert oracle.chi_square(numbers, dict.fromkeys(range(6), 1.0)) < oracle.far(1)
    n = 3 * 2**29  # 2**32 mod n is a third of n: every fourth draw or so is rejected
    words = prng.key_of("reject")
    drawn = 0
    for _ in range(200):
        before = words.copy()
        number = prng.below(words, n)
        while True:
            m = (int(prng.next64(before)) >> 32) * n
            drawn += 1
            if m % 2**32 >= 2**32 % n:
                break
        assert number == m >> 32
        assert (before == words).all()
    # A negative binomial, of mean 267 and standard deviation 9.4: at least 49 more drawn than kept.
    assert abs(drawn - 200 * 4 / 3) < oracle.far(2) * (200 / 4) ** 0.5 * 4 / 3


def test_unit_is_in_0_to_1() -> None:
    """53 bits, never 1. Seeded ("unit"); other streams would fail with the chance `oracle.CHANCE`."""
    words = prng.key_of("unit")
    numbers = [prng.unit(words) for _ in range(1000)]
    assert all(0 <= x < 1 for x in numbers)
    assert abs(sum(numbers) / 1000 - 0.5) < oracle.far(2) * (1 / 12 / 1000) ** 0.5


def test_seeds() -> None:
    """A seed is the SHA-256 of its text; 7, "7" and " 7 " are one seed, "8" another."""
    assert prng.key_of(7).tobytes() == hashlib.sha256(b"7").digest()
    assert prng.key_of(7).tobytes() == prng.key_of("7").tobytes() == prng.key_of(" 7 ").tobytes()
    assert prng.key_of(8).tobytes() != prng.key_of(7).tobytes()
    with pytest.raises(OptionError, match="it is not UTF-8 text"):
        prng.key_of("half a pair: \ud800")
    a, b = Match("fan-tan", seed=7), Match("fan-tan", seed=" 7 ")
    assert (a.seed, a.position().text) == (b.seed, b.position().text)


def dealt_in(m: Match, deal: int) -> list[list[str]]:
    """The hands that were dealt in the deal now played: what is held, and what was laid of it."""
    laid = [(act.seat, act.move) for act in m.moves if act.deal == deal and act.move != "pass"]
    return [sorted([*m.view(seat).hand, *(card for by, card in laid if by == seat)]) for seat in range(m.seats)]


def test_deal_k_exists_without_the_earlier_ones() -> None:
    """Deal k's words are a function of the key and k alone, whatever was drawn in the deals before."""
    words, again = np.zeros(4, U), np.zeros(4, U)
    key = prng.key_of("deals")
    prng.derive(words, key, 1234, prng.DEAL)
    prng.derive(again, key, 1233, prng.DEAL)
    assert (words != again).any()
    prng.derive(again, key, 1234, prng.DEAL)
    assert (words == again).all()
    prng.derive(again, key, 1234, prng.BOT)
    assert (words != again).any()
    first, other = Match("fan-tan", seed="deals", dealer=0, deals=3), Match("fan-tan", seed="deals", dealer=0, deals=3)
    for m, choose in ((first, 0), (other, -1)):
        while m.deal < 3:
            m.play(m.legal()[choose])
    assert first.record().keys["deals"][1]["moves"] != other.record().keys["deals"][1]["moves"]
    hands = [
        sorted(
            m.position().keys["hands"][p].split()
            + [a.move for a in m.moves if a.deal == 3 and a.seat == p and a.move != "pass"]
        )
        for m in (first, other)
        for p in range(4)
    ]
    assert hands[:4] == hands[4:]


def test_shuffle_is_a_permutation() -> None:
    """Fisher and Yates: all cards, in another order; the first n only."""
    cards = np.arange(52)
    prng.shuffle(prng.key_of("shuffle"), cards, 40)
    assert sorted(cards[:40]) == list(range(40))
    assert list(cards[40:]) == list(range(40, 52))
    assert list(cards[:40]) != list(range(40))


# Bits, citations, records


@given(st.integers(1, 2**62))
def test_bits(x: int) -> None:
    """`count`, `lowest` and `highest` of a set."""
    assert bits.count(x) == x.bit_count()
    assert 1 << bits.highest(x) <= x < 2 << bits.highest(x)
    assert x >> bits.lowest(x) & 1
    assert not x & ((1 << bits.lowest(x)) - 1)


@rule
def inexact(low: int, high: int) -> int:
    """How many of low ... high - 1 are told a wrong suit or rank."""
    count = 0
    for x in range(low, high):
        if suit_of(x) != x // 13 or rank_of(x) != x % 13:
            count += 1
    return count


def test_suits_and_ranks_are_exact_without_dividing() -> None:
    """From the card before the first pack to beyond all packs that a game has (`bits.divide_by`)."""
    assert inexact(-12, 65536 // 13) == 0


@given(st.text("ABCDEFTNPQE0123456789-", min_size=0, max_size=7))
def test_cite_round_trips(rule_id: str) -> None:
    """A rule ID as an integer comes back."""
    assert cited(cite(rule_id)) == rule_id


def test_a_field_may_not_hide_behind_numpys_own() -> None:
    """`s.base` of a NumPy record is not its field: such a name would compute differently compiled and plain."""
    with pytest.raises(TypeError, match="base, size"):
        type(
            "Bad",
            (Record,),
            {"__annotations__": {"size": int, "base": int}, "size": field(), "base": field(), "__module__": __name__},
        )


def test_no_game_is_taken_for_another() -> None:
    """Numba takes a record whose fields begin with all of another's for that one; `implement` refuses it."""
    rules = catalog.find("fan-tan").rules
    longer = type("Longer", (rules.State,), {"__annotations__": {"more": int}, "more": field(), "__module__": __name__})
    with pytest.raises(TypeError, match=r"fan_tan\.rules.* begin with all of the other's"):
        implement(longer, *(getattr(rules, name) for name in compile._given if hasattr(rules, name)))


def test_what_a_game_leaves_out_is_the_nearest_default() -> None:
    """Scopa takes its payoff from games of captures, its turn from all games, and gives its own standing though there
    is a default.
    """
    from cardtable.games.shared import captures
    from cardtable.rules import contract

    rules = catalog.find("scopa").rules
    given = {name: functions[rules.State.dtype] for name, functions in compile._given.items()}
    assert given["payoff"] is captures.margin
    assert given["actors"] is contract.whose_turn
    assert given["standing"] is rules.standing  # type: ignore[attr-defined]


def test_a_game_may_not_leave_out_what_has_no_default() -> None:
    from cardtable.games.shared.scores import ScoreTable

    alone = type("Alone", (ScoreTable,), {"__annotations__": {"alone": int}, "alone": field(), "__module__": __name__})
    with pytest.raises(
        TypeError, match="missing or not of the contract: bounds, deal, heuristic, legal, play, redact, resample$"
    ):
        implement(alone)


def test_a_record_has_its_memory_to_itself() -> None:
    """A new record and a copy own the memory that they name, and what is written to one shows nowhere else."""
    s = catalog.find("fan-tan").rules.State.new()
    s.pot = 7
    other = s.copy()
    other.pot = 8
    assert (s.pot, other.pot) == (7, 8)
    assert (bytes(s.data), bytes(other.data)) == (s.tobytes(), other.tobytes())
    row = catalog.find("fan-tan").rules.State.row(2)
    row[1] = other
    assert row[1].copy().tobytes() == bytes(row[1].data) == other.tobytes()


# Compiled, plain, checked


@pytest.mark.parametrize("part", cases(range(12)))
def test_signatures_are_kept(part: int) -> None:
    """What every game does is what tests/signatures.toml says; a change of rules writes it again (python -m
    tests.support.games.story --write).
    """
    stories = story.stories(part, 12)
    kept = story.kept()
    changed = {name for name, (told, _) in stories.items() if kept["houses"].get(name) != told}
    assert not changed, "the rules behave otherwise now"
    changed = {name for name, (_, states) in stories.items() if kept["states"].get(name) != states}
    assert not changed, "states hold something else now, though every game is played as before"


def test_signatures_are_those_of_the_houses_played() -> None:
    kept = story.kept()
    assert set(kept["houses"]) == set(kept["states"]) == {str(house) for house in [*great_houses(), *single_houses()]}
    whole = {name: (told, "") for name, told in kept["houses"].items()}
    assert story.signatures(whole) == kept["games"]


def by_option() -> dict[tuple[str, str], dict[str, list[House]]]:
    """The houses that differ by one house rule: game and rule -> preset -> houses, where the rule has two values at
    least.
    """
    found: dict[tuple[str, str], dict[str, list[House]]] = {}
    for house in single_houses():
        for name in {name for name, _ in house.given} - ({"enforce"} if len(house.given) > 1 else set()):
            found.setdefault((house.game, name), {}).setdefault(house.preset, []).append(house)
    return {
        key: {preset: houses for preset, houses in groups.items() if len(houses) > 1} for key, groups in found.items()
    }


def test_every_value_of_every_house_rule_changes_a_signature() -> None:
    """Any two values tell different stories in some preset; a rule that changes nothing in play is in aims.SILENT."""
    kept = story.kept()["houses"]
    found = by_option()
    alike: set[tuple[str, str]] = set()
    for (game, name), groups in found.items():
        stories = [{str(dict(house.given)[name]): kept[str(house)] for house in houses} for houses in groups.values()]
        pairs = {pair for told in stories for pair in itertools.combinations(sorted(told), 2)}
        different = {
            (one, other)
            for told in stories
            for one, other in pairs
            if one in told and other in told and told[one] != told[other]
        }
        if pairs != different:
            alike.add((game, name))
    silent = {key for key in found if key in aims.SILENT or ("", key[1]) in aims.SILENT}
    assert alike == silent, "aim at what these change (tests/support/games/aims.py)"
    assert all(key in found or not key[0] for key in aims.AIMS), "aimed at a house rule that there is not"


def test_a_silent_house_rule_changes_something_else() -> None:
    for (game, name), groups in by_option().items():
        check = aims.SILENT.get((game, name)) or aims.SILENT.get(("", name))
        for houses in groups.values() if check else ():
            assert check is not None
            assert check(houses[0], houses[1]), houses[0]


def test_what_is_aimed_at_is_reached() -> None:
    """Each aim alone distinguishes its values: it is aimed well."""
    for (game, name), groups in by_option().items():
        several = aims.AIMS.get((game, name)) or aims.AIMS.get(("", name)) or ()
        for houses in groups.values() if several else ():
            events = set()
            for house in houses:
                heard, states = hashlib.sha256(), hashlib.sha256()
                for aim in several:
                    story.tell_aim(house, aim, heard, states)
                events.add(heard.hexdigest())
            assert len(events) > 1, (game, name)


@pytest.mark.exhaustive
def test_compiled_and_plain_agree() -> None:
    """The same games, the same states: compiled in this process; plain in another, since the flag is read at the start.

    With bounds checks: tests/rules/test_contract.py, which `make test-all` runs so.
    """
    here = {name: f"{told} {states}" for name, (told, states) in story.stories(0, SOME).items()}
    other = run(f"-m tests.support.games.story --some {SOME}", home=ROOT, NUMBA_DISABLE_JIT="1")
    assert other.returncode == 0, other.stderr
    there = dict(line.replace('"', "").split(" = ") for line in other.stdout.splitlines())
    assert there == here


FAR = textwrap.dedent(
    """
    from cardtable.kernel import Ints, Record, field, rule

    class Row(Record):
        cells: Ints = field("i8", 4)
        after: Ints = field("i8", 4)

    @rule
    def write(s, i):
        s.cells[i] = 7
    """
)
TRY = textwrap.dedent(
    """
    import sys
    sys.path.insert(0, ".")
    from far import Row, write
    from cardtable.kernel.cache import DIRECTORY
    print(DIRECTORY)
    s = Row.new()
    write(s, 3)
    try:
        write(s, 5)
    except IndexError:
        print("caught")
    else:
        print("wrote", [int(x) for x in s.after])
    """
)


@pytest.mark.exhaustive
def test_the_checked_run_catches_a_write_out_of_range(tmp_path: Path) -> None:
    """A rule that writes past a record's row: compiled it hits what lies behind, in silence; the checked and the plain
    run raise.

    All three use the same cache root and the same file: code is kept apart by its flags.
    """
    (tmp_path / "far.py").write_text(FAR, "utf-8")
    found = {
        flag: run(TRY, tmp_path, **({flag: "1"} if flag else {}))
        for flag in ("", "NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT")
    }
    again = run(TRY, tmp_path, NUMBA_BOUNDSCHECK="1")
    for flag, result in found.items():
        assert result.returncode == 0, (flag, result.stderr)
    said = {flag: result.stdout.splitlines() for flag, result in found.items()}
    assert said[""][-1] == "wrote [0, 7, 0, 0]"
    assert said["NUMBA_BOUNDSCHECK"][-1] == "caught"
    assert said["NUMBA_DISABLE_JIT"][-1] == "caught"
    assert said[""][0] != said["NUMBA_BOUNDSCHECK"][0], "one cache directory for normal and checked code"
    assert again.stdout == found["NUMBA_BOUNDSCHECK"].stdout
