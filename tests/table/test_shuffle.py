"""The shuffle that nobody can choose: commitment and reveal of every seat, for every match."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import json
import tomllib
from typing import Any

import pytest

from cardtable.base.errors import RecordError
from cardtable.client import Client, TableClient, UnfairShuffle
from cardtable.match.match import Record
from cardtable.rules import catalog
from cardtable.server.rooms import wire
from cardtable.table import Entry, LiveTable, Refusal, Setup, fair, projection
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.archive import record_of
from cardtable.table.live import new_match
from cardtable.table.setup import checked
from cardtable.table.shuffling import COMMIT_WITHIN, REVEAL_WITHIN
from tests.support.server.live import SECRET, Driven
from tests.support.server.served import Served
from tests.table.tables import Shuffles

TRIES = 10_000
WORD = "sixteen-letters-at-least"


def two(**setup: Any) -> Driven:
    """A table for two, both seated, at which nobody's client takes part in the shuffle automatically."""
    return Driven("fan-tan", "ab", shuffles="", **{"seats": 2, "preset": "british"} | setup)


def commit(t: Driven, owner: str, entropy: str = WORD) -> Refusal | None:
    return t.ask(owner, cm.Commit, commitment=fair.committed(entropy))


def reveal(t: Driven, owner: str, entropy: str = WORD) -> Refusal | None:
    return t.ask(owner, cm.Reveal, entropy=entropy)


def code(answer: Refusal | None) -> str:
    return answer.code if answer else ""


def seen(t: Driven, owner: str) -> projection.TableSeen:
    return projection.table_seen(t.table, owner, "ab")


def kinds(t: Driven) -> list[str]:
    return [str(type(entry.event).__struct_config__.tag) for entry in t.log]


def test_all_commit_before_anything_is_revealed() -> None:
    t = two()
    assert t.table.stage == "shuffling"
    assert "commit" in seen(t, "a").may
    assert code(reveal(t, "a")) == "table/stage"
    assert commit(t, "a") is None
    assert "commit" not in seen(t, "a").may
    assert "reveal" not in seen(t, "a").may
    assert code(commit(t, "a", "another-" + WORD)) == "table/commitment"
    assert code(commit(t, "c")) == "table/seat"
    assert commit(t, "b", WORD + "-b") is None
    assert seen(t, "a").seats[1].commitment == fair.committed(WORD + "-b"), "everybody sees all commitments"
    assert code(reveal(t, "a", WORD + "-x")) == "table/commitment"
    assert reveal(t, "a") is None
    assert [seat.entropy for seat in seen(t, "b").seats] == ["", ""], "nothing is shown before all have revealed"
    assert code(reveal(t, "a")) == "table/commitment"
    assert reveal(t, "b", WORD + "-b") is None
    assert t.table.stage == "playing"
    assert [seat.entropy for seat in seen(t, "b").seats] == [WORD, WORD + "-b"]
    assert t.table.match is not None
    assert t.table.match.seed == fair.seed(fair.secret_of(SECRET, 1), "T1", 1, [WORD, WORD + "-b"])


def test_one_who_does_not_commit_keeps_the_seat() -> None:
    t = two()
    assert commit(t, "a") is None
    t.wait(COMMIT_WITHIN / 1000 - 0.1)
    assert t.table.shuffle is not None
    assert not t.table.shuffle.revealing
    t.wait(0.2)
    assert code(commit(t, "b")) == "table/stage"
    assert reveal(t, "a") is None
    assert t.table.stage == "playing"
    assert t.table.entropy == [WORD, ""]
    assert [place.owner for place in t.table.places] == ["a", "b"]


def test_without_any_commitment_the_match_begins() -> None:
    t = two()
    t.wait(COMMIT_WITHIN / 1000)
    assert t.table.stage == "playing"
    assert t.table.entropy == ["", ""]


def test_a_seat_that_does_not_reveal_is_replaced_openly() -> None:
    t = two()
    assert commit(t, "a") is None
    assert commit(t, "b") is None
    assert reveal(t, "a") is None
    t.wait(REVEAL_WITHIN / 1000 - 0.1)
    assert t.table.stage == "shuffling"
    t.wait(0.2)
    assert t.table.stage == "playing"
    place = seen(t, "a").seats[1]
    assert (place.kind, place.level) == ("bot", t.table.setup.fill)
    assert seen(t, "b").you is None
    happening = next(one for one in t.table.happenings if one.kind == "withheld")
    assert (happening.seat, happening.by) == (1, "b")
    assert t.ask("a", cm.Resign) is None
    proof = fair.verify(str(record_of(t.table)))
    assert proof["entropy"] == [WORD, ""]
    assert proof["commitments"][1] == fair.committed(WORD), "the record shows what was withheld"


def test_every_match_has_a_shuffle_of_its_own() -> None:
    t = Driven("fan-tan", "ab", seats=2, preset="british")
    for number, ending in ((1, ""), (2, " in match 2")):
        assert t.table.number == number
        assert t.table.entropy == ["chance of a" + ending, "chance of b" + ending]
        assert t.ask("a", cm.Resign) is None
        assert fair.verify(str(record_of(t.table)))["match"] == number
        secret = seen(t, "a").fair.secret
        for owner in "ab" if number == 1 else "":
            assert t.ask(owner, cm.GetReady) is None
    assert fair.commitment(secret) == t.table.commitment


def test_the_next_commitment_is_shown_during_the_shuffle() -> None:
    t = Driven("fan-tan", "ab", seats=2, preset="british")
    assert t.ask("a", cm.Resign) is None
    first = seen(t, "a").fair
    t.shuffles = ""
    for owner in "ab":
        assert t.ask(owner, cm.GetReady) is None
    assert t.table.stage == "shuffling"
    shown = seen(t, "a").fair
    assert shown.secret == ""
    assert shown.commitment == first.secret, "the secret of a match is the commitment to the next one"


@pytest.mark.parametrize("how", ["bots", "number"])
def test_where_nobody_has_a_part_the_match_begins_at_once(how: str) -> None:
    if how == "bots":
        t = Driven("fan-tan", seats=3, bots=("medium",) * 3)
        t.follow()
    else:
        t = Driven("fan-tan", "a", shuffles="", seats=2, bots=("", "medium"), number="7")
    assert t.table.stage == "playing"
    assert "shuffling" not in kinds(t)


def test_a_shuffle_goes_on_after_a_restart() -> None:
    """Every part of the log folds to the same shuffle."""
    t = two()
    assert commit(t, "a") is None
    assert commit(t, "b") is None
    assert reveal(t, "b") is None
    log = [ev.decode(ev.encode(entry)) for entry in t.log]
    again = LiveTable.fold(log)
    assert again.shuffle == t.table.shuffle
    assert again.stage == "shuffling"
    assert reveal(t, "a") is None
    assert kinds(t)[3:] == ["shuffling", "committed", "committed", "revealing", "revealed", "revealed", "started"]


def test_one_who_leaves_is_not_waited_for() -> None:
    t = two()
    assert commit(t, "a") is None
    assert t.ask("b", cm.Leave) is None
    assert reveal(t, "a") is None
    assert t.table.stage == "playing"
    assert t.table.away(0) == [1], "the seat is kept"


def test_an_old_log_has_its_cards() -> None:
    """A match that was begun before there were commitments: with the entropy of `sat`, and so all later ones."""
    setup = checked(Setup("fan-tan", preset="british", seats=2))
    happened: list[ev.Event] = [
        ev.Created("T1", setup, "a", SECRET, catalog.find("fan-tan").version, stepwise=True),
        ev.Sat(0, "a", "Ann", "old entropy of a"),
        ev.Sat(1, "b", "Ben", ""),
        ev.Started(),
        ev.Resigned(0),
        ev.Ended(),
    ]
    table = LiveTable.fold(Entry(number, number, event) for number, event in enumerate(happened, 1))
    seed = fair.seed(fair.secret_of(SECRET, 1), "T1", 1, ["old entropy of a", ""])
    assert table.match is not None
    assert table.match.seed == seed == new_match(setup, seed).seed
    record = record_of(table)
    assert "commitments" not in dict(record.keys)["fair"]
    assert fair.verify(str(record))["commitments"] == []


# The proof


def finished() -> dict[str, Any]:
    """The keys of a record of a match whose shuffle had two parts."""
    t = Driven("fan-tan", "ab", seats=2, preset="british")
    assert t.ask("a", cm.Resign) is None
    return dict(record_of(t.table).keys)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"commitments": ["0" * 64, "1" * 64]}, "does not fit what it committed to"),
        ({"commitments": ["", ""]}, "does not fit what it committed to"),
        ({"commitments": []}, ""),
        ({"commitments": ["0" * 64]}, "one commitment for each seat"),
        ({"commitments": "0" * 64}, "one commitment for each seat"),
        ({"entropy": [WORD, WORD]}, "does not fit what it committed to"),
    ],
)
def test_a_proof_binds_the_seats(change: dict[str, Any], why: str) -> None:
    keys = finished()
    changed = Record(keys | {"fair": keys["fair"] | change})
    if not why:  # as in a record from before there were commitments
        assert fair.verify(changed)["commitments"] == []
        return
    with pytest.raises(RecordError, match=why) as error:
        fair.verify(changed)
    assert error.value.code == "record/fair"


# The operator who plays, and sits down last


def eights(seed: str) -> int:
    """The eights in the hand of seat 1, in a deal of Crazy Eights for two."""
    m = new_match(checked(Setup("crazy-eights", seats=2)), seed)
    return sum(card.startswith("8") for card in m.view(1).hand)


def tried(secret: str, other: str) -> list[tuple[str, str]]:
    """What an operator can work out who knows the secret and takes `other` for the other seat's entropy: a word and the
    seed that would follow from it, for each of 10,000 words.
    """
    words = (f"operator-tries-{n:05}" for n in range(TRIES))
    return [(word, fair.seed(secret, "T1", 1, [other, word])) for word in words]


def test_an_operator_gains_nothing_by_10_000_tries() -> None:
    """The operator is `b`: knows the secret and the whole log, sits down last, commits last, and reveals last."""
    secret = fair.secret_of(SECRET, 1)
    t = Driven("crazy-eights", "ab", shuffles="", seats=2)
    entropy = "5eed" * 8  # as 16 random bytes are written
    assert commit(t, "a", entropy) is None
    known = [repr(entry) for entry in t.log]
    assert not any(entropy in line for line in known), "nothing that the operator has tells the other's entropy"

    # had the other's entropy been shown, one of 10,000 words would give any hand one likes
    told = sorted(tried(secret, entropy), key=lambda one: one[1])[:200]
    assert max(eights(seed) for _, seed in told) >= 2

    # as it is, the seeds that can be worked out beforehand, with whatever is known in its place, are never dealt
    guesses = ["", fair.committed(entropy), WORD]
    worked_out = {seed for guess in guesses for _, seed in tried(secret, guess)}
    best = max(tried(secret, fair.committed(entropy)), key=lambda one: one[1])[0]
    assert commit(t, "b", best) is None
    assert reveal(t, "a", entropy) is None

    # now the operator, who reads the log, knows what will be dealt, and no other word is taken any more
    for word, _ in tried(secret, entropy):
        assert word == best or code(reveal(t, "b", word)) == "table/commitment"
    assert reveal(t, "b", best) is None
    assert t.table.match is not None
    assert t.table.match.seed not in worked_out
    assert t.table.match.seed == fair.seed(secret, "T1", 1, [entropy, best])


def test_a_chosen_word_is_worth_no_more_than_any_other() -> None:
    """The word that is best against what is known, over 2,000 matches: its seeds are spread evenly. All words are
    fixed; a correct program with others would fail once in 10 million times (1e-7).
    """
    secret = fair.secret_of(SECRET, 1)
    best = max(tried(secret, ""), key=lambda one: one[1])
    assert best[1] > "fff", "the operator found a seed of their liking"
    high = 0
    for n in range(2000):
        seed = fair.seed(secret, "T1", 1, [fair.committed(f"anybody's-own-{n}"), best[0]])
        high += seed >= "8"
    assert abs(high - 1000) < 120, "more than five standard deviations from one half"


# At a server


async def pair(server: Served) -> tuple[TableClient, TableClient, contextlib.AsyncExitStack]:
    """Two clients at a table of two seats; the second has not sat down."""
    stack = contextlib.AsyncExitStack()
    ann, ben = [await stack.enter_async_context(Client(server.url)) for _ in range(2)]
    made = await ann.make("fan-tan", seats=2, preset="british", name="Ann")
    tables = [await stack.enter_async_context(who.table(made["id"])) for who in (ann, ben)]
    await tables[0].until(lambda: tables[0].seat == 0)
    return tables[0], tables[1], stack


async def begun(table: TableClient, number: int) -> None:
    await table.until(lambda: table.stage == "playing" and table.table["match"] == number)


async def test_clients_take_part_and_find_their_entropy(server: Served) -> None:
    a, b, stack = await pair(server)
    async with stack:
        await b.sit("Ben")
        for number in (1, 2):
            for table in (a, b):
                await begun(table, number)
                assert table.part is not None
                assert table.table["seats"][table.seat]["entropy"] == table.part.entropy
            await a.command("resign")
            await b.until(lambda: b.stage == "over")
            found = (await b.client.get("/api/matches"))["matches"][0]
            record = await b.client.get(f"/api/matches/{found['id']}/record")
            proof = b.verify(record)
            assert proof["match"] == number
            assert len(proof["commitments"]) == 2
            if number == 1:
                await a.command("ready")
                await b.command("ready")


async def test_one_who_withholds_looks_on(server: Served, shuffles: Shuffles, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, stack = await pair(server)
    async with stack:
        sent = b._do
        monkeypatch.setattr(b, "_do", lambda kind, **fields: kind == "commit" and sent(kind, **fields))
        await b.sit("Ben")
        await shuffles.withheld(a.table["id"])
        await a.until(lambda: a.stage == "playing")
        assert a.table["seats"][1]["kind"] == "bot"
        await b.until(lambda: b.stage == "playing")
        assert b.seat is None
        assert any(one["kind"] == "withheld" and one["by"] == "Ben" for one in a.log)


async def test_a_client_that_says_nothing_is_not_in_the_shuffle(
    server: Served, shuffles: Shuffles, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As clients of the protocol before: they play, without a part in the shuffle."""

    a, b, stack = await pair(server)
    async with stack:
        monkeypatch.setattr(b, "_take_part", lambda: None)
        await b.command("sit", seat=1, name="Ben", entropy="of an old client")
        await shuffles.over(a.table["id"], "COMMIT_WITHIN", lambda shuffle: shuffle.commitments[0])
        await b.until(lambda: b.stage == "playing")
        assert b.table["seats"][1]["entropy"] == b.table["seats"][1]["commitment"] == ""
        await a.until(lambda: a.stage == "playing")
        assert (a.in_shuffle, b.in_shuffle) == (True, False)


@pytest.mark.parametrize("lie", ["entropy", "commitment", "promised"])
async def test_a_client_notices_a_server_that_cheats(server: Served, monkeypatch: pytest.MonkeyPatch, lie: str) -> None:
    """The server shows another entropy, commitment of a seat or its own commitment than the client has seen."""
    honest = projection.table_seen

    def lying(table: LiveTable, *rest: Any) -> Any:
        projected = honest(table, *rest)
        if lie == "promised" and table.stage != "lobby" and table.shuffle and table.shuffle.revealing:
            return _replaced(projected, fair=projection.FairSeen("0" * 64, ""))
        if table.stage != "playing" or lie == "promised":
            return projected
        seats = list(projected.seats)
        seats[1] = _replaced(seats[1], **{lie: fair.committed("x")})
        return _replaced(projected, seats=seats)

    monkeypatch.setattr(projection, "table_seen", lying)

    a, b, stack = await pair(server)
    async with stack:
        with pytest.raises(UnfairShuffle) as error:
            await asyncio.gather(b.sit("Ben"), b.until(lambda: b.stage == "over"))
        assert "Do not trust this deal" in str(error.value)


def _replaced(struct: Any, **changes: Any) -> Any:
    return type(struct)(**{name: changes.get(name, getattr(struct, name)) for name in struct.__struct_fields__})


@pytest.mark.parametrize(
    "bad",
    [
        {"type": "commit", "commitment": "zz"},
        {"type": "commit", "commitment": "A" * 64},
        {"type": "commit", "commitment": "a" * 65},
        {"type": "commit"},
        {"type": "reveal", "entropy": "short"},
        {"type": "reveal", "entropy": "with a space in it"},
        {"type": "reveal", "entropy": "x" * 65},
    ],
)
def test_commitments_are_hashes_and_entropy_is_long_enough(bad: dict[str, Any]) -> None:
    assert isinstance(wire.parse(json.dumps({"seq": 1} | bad)), wire.RefusalSent)


def test_a_record_is_checked_by_hand() -> None:
    """What docs/server.md says about a proof, with nothing but the standard library."""
    keys = tomllib.loads(str(Record(finished())))
    proof = keys["fair"]
    assert hashlib.sha256(bytes.fromhex(proof["secret"])).hexdigest() == proof["commitment"]
    for entropy, commitment in zip(proof["entropy"], proof["commitments"], strict=True):
        assert hashlib.sha256(entropy.encode()).hexdigest() == commitment
    text = json.dumps([proof["table"], proof["match"], proof["entropy"]], separators=(",", ":"))
    assert hmac.new(bytes.fromhex(proof["secret"]), text.encode(), "sha256").hexdigest() == keys["seed"]
