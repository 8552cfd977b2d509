"""Messages: templates filled with seats, cards and numbers, and made into sentences once."""

from __future__ import annotations

import json

import pytest

from cardtable.base.message import (
    Card,
    Cards,
    Continued,
    Either,
    Language,
    Message,
    Moves,
    Part,
    Reader,
    Rule,
    Seat,
    Sentence,
    Value,
    as_data,
    from_data,
    plain,
)
from cardtable.rules import contract
from cardtable.rules.events import SHARED, Told

LAYS = Message("{source} {source:lays|lay} {card}", source=Seat(1), card=Card("7H"))
PAYS = "{source} {source:pays|pay} {n} {n:chip|chips}{source:|| each} to {target}"
STRANGE = ["KC", "seat 3", "<b>", "😀", "You", "7H (FT-22)", "{source}", "a|b", "@", "Ann's", "", "and"]


def test_a_message_is_plain_english_by_itself() -> None:
    assert str(LAYS) == "seat 1 lays 7H"
    assert str(Message("")) == ""
    assert not Message("")


@pytest.mark.parametrize(
    ("source", "n", "told"),
    [
        (Seat(1), 1, "Ben pays 1 chip to the pot"),
        (Seat(0), 2, "you pay 2 chips to the pot"),
        ([Seat(1), Seat(2)], 1, "Ben and Cleo pay 1 chip each to the pot"),
        ([Seat(0), Seat(1), Seat(2)], 0, "you, Ben and Cleo pay 0 chips each to the pot"),
        ([Seat(0)], 1, "you pay 1 chip to the pot"),
        (Message("the bank"), 3, "the bank pays 3 chips to the pot"),
    ],
)
def test_words_agree_with_who_and_how_many(source: Value, n: int, told: str) -> None:
    assert Reader(["Ann", "Ben", "Cleo"], 0).plain(Message(PAYS, source=source, n=n, target=Message("the pot"))) == told


def test_a_form_may_hold_the_name() -> None:
    doubts = Message("{source} {source:doubts|doubt} {target:@'s|your} claim", source=Seat(0), target=Seat(1))
    assert [Reader(["Ann", "Ben"], you).plain(doubts) for you in (None, 0, 1)] == [
        "Ann doubts Ben's claim",
        "you doubt Ben's claim",
        "Ann doubts your claim",
    ]


def test_sentences_begin_with_a_capital_letter_unless_that_is_a_name_or_a_card() -> None:
    def begins(message: Message, you: int | None = None) -> str:
        return Reader(["ann", "ben"], you).plain(message, sentence=True)

    assert begins(LAYS) == "ben lays 7H"
    assert begins(LAYS, 1) == "You lay 7H"
    assert begins(Message("nobody wins")) == "Nobody wins"
    assert begins(Message("{card} is turned up", card=Card("7H"))) == "7H is turned up"


@pytest.mark.parametrize("name", STRANGE)
def test_any_name_is_shown_as_a_name(name: str) -> None:
    names = [name, "Ben"]
    parts = Reader(names, 1).parts(
        Message(
            "{told} ({rule})",
            told=Message(
                "{source} {source:takes|take} {card} from {target}", source=Seat(0), target=Seat(1), card=Card("KC")
            ),
            rule=Rule("CE-07"),
        )
    )
    assert parts == [
        Part(name, Seat(0)),
        Part(" takes "),
        Part("KC", Card("KC")),
        Part(" from "),
        Part("you", Seat(1)),
        Part(" ("),
        Part("CE-07", Rule("CE-07")),
        Part(")"),
    ]


def test_what_follows_is_told_without_its_subject() -> None:
    passes = Message("{source} {source:passes|pass}", source=Seat(0))
    pays = Message(PAYS, source=Seat(0), n=1, target=Message("the pot"))
    both = Message("{first} and {then}", first=passes, then=Continued(pays))
    assert Reader(["Ann"]).plain(both) == "Ann passes and pays 1 chip to the pot"
    assert Reader(["Ann"], 0).plain(both, sentence=True) == "You pass and pay 1 chip to the pot"


def test_another_language_orders_and_bends_as_it_likes() -> None:
    words = {
        "{source} {source:pays|pay} {n} "
        "{n:chip|chips}": "{n} {n:żeton|żetony|żetonów} {source:płaci|płacisz|płacą} {source}",
        "you": "ty",
        "and": "i",
        "seat {n}": "miejsce {n}",
    }
    polish = Language(
        "pl",
        lambda text: words.get(text, text),
        lambda n: 0 if n == 1 else 1 if 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14 else 2,
    )

    def said(source: Value, n: int, you: int | None = None, names: tuple[str, ...] = ("Ann", "Ben")) -> str:
        return Reader(names, you, polish).plain(
            Message("{source} {source:pays|pay} {n} {n:chip|chips}", source=source, n=n)
        )

    assert said(Seat(0), 1) == "1 żeton płaci Ann"
    assert said(Seat(0), 3, 0) == "3 żetony płacisz ty"
    assert said([Seat(0), Seat(1)], 5) == "5 żetonów płacą Ann i Ben"
    assert said(Seat(1), 22, names=()) == "22 żetony płaci miejsce 1"


def test_messages_as_data() -> None:
    message = Message(
        "{told} {n} {who} {x}",
        told=LAYS,
        n=2,
        who=[Seat(0), Card("TS")],
        x=Continued(Message("{rule} {word}", rule=Rule("FT-22"), word="typed")),
    )
    assert as_data(message) == {
        "says": "{told} {n} {who} {x}",
        "told": {"says": "{source} {source:lays|lay} {card}", "source": {"seat": 1}, "card": {"card": "7H"}},
        "n": 2,
        "who": [{"seat": 0}, {"card": "TS"}],
        "x": {"continued": {"says": "{rule} {word}", "rule": {"rule": "FT-22"}, "word": "typed"}},
    }


#: Messages of every shape, each for several readers: the browser fills them in as Python does
#: (tests/browser/test_browser_table.py).
SHAPES: list[Value] = [
    LAYS,
    Message(""),
    "typed {source}",
    3,
    [Seat(0), Seat(1), Seat(2)],
    [Card("TS"), Card("7H")],
    *(
        Message(PAYS, source=source, n=n, target=Message("the pot"))
        for source in (Seat(0), Seat(7), [Seat(0)], [Seat(1), Seat(0)], Message("everybody"))
        for n in (0, 1, 2)
    ),
    Message("{source} {source:doubts|doubt} {target:@'s|your} claim", source=Seat(0), target=Seat(1)),
    Cards("5H TS"),
    Message(
        "{what}: {why}. {can}",
        what="typed",
        why=Message("you hold {cards}", cards=Cards("7H 8H")),
        can=Sentence(Message("lay {card}", card=Card("7H"))),
    ),
    Moves("7H takes 5D 2C, pass"),
    Either([Card("7H"), Seat(0), "x"]),
    Either(["a"]),
    [],
    Message("{n:is|are} {n}", n=[]),
    Seat(-1),
    Message("{s:has|have}", s=[Seat(0), Seat(1)]),
    Moves("pass"),
    Sentence(Seat(0)),
    Sentence(Message("{card} is up", card=Card("7H"))),
    Message("{n:a sweep|@ sweeps}", n=1),
    Message("{n:a sweep|@ sweeps}", n=4),
    Message("claim", context="Pirate"),
    Message("{n} {n:bid|bids}", context="Michigan", n=2),
    Message(
        "{first} and {then} ({rule})",
        first=LAYS,
        then=Continued(Message("{told} {why}", told=Message(PAYS, source=Seat(1), n=1, target=Seat(0)), why="for it")),
        rule=Rule("FT-22"),
    ),
]


@pytest.mark.parametrize("value", SHAPES, ids=str)
def test_messages_go_over_the_wire(value: Value) -> None:
    sent = json.loads(json.dumps(as_data(value)))
    assert plain(from_data(sent)) == plain(value)
    assert as_data(from_data(sent)) == sent


@pytest.mark.parametrize("data", [None, {}, {"seat": "0"}, {"continued": "x"}, 1.5, {"says": 3}, [None]])
def test_what_is_no_message_is_refused(data: object) -> None:
    with pytest.raises(ValueError, match="no part of a message"):
        from_data(data)


def test_a_context_is_told_to_programs_and_not_to_readers_of_english() -> None:
    claim = Message("claim", context="Pirate")
    assert str(claim) == "claim"
    assert repr(claim) == "Message(template='claim', values={}, context='Pirate')"
    assert repr(Message("claim")) == "Message(template='claim', values={})"
    assert as_data(claim) == {"says": "claim", "context": "Pirate"}
    assert as_data(Message("claim")) == {"says": "claim"}
    assert from_data(as_data(claim)) == claim != Message("claim")
    with pytest.raises(ValueError, match="no context of a message"):
        from_data({"says": "claim", "context": 3})


def test_a_word_has_a_translation_for_each_context_and_one_for_all_others() -> None:
    texts = {"Pirate\x04claim": "beanspruchen", "claim": "ansagen"}
    german = Language("de", lambda key: texts.get(key, key))
    assert plain(Message("claim", context="Pirate"), german) == "beanspruchen"
    assert plain(Message("claim", context="I Doubt It"), german) == "ansagen"
    assert plain(Message("claim"), german) == "ansagen"
    assert plain(Message("bid", context="Michigan"), german) == "bid"


def test_messages_are_values() -> None:
    assert Message("{n}", n=1) == Message("{n}", n=1)
    assert len({Message("{n}", n=1), Message("{n}", n=1), Message("{n}", n=2)}) == 2
    assert plain([Seat(0), Seat(1)]) == "seat 0 and seat 1"


def test_the_parts_of_an_event_are_in_the_order_of_its_sentence() -> None:
    """The order does not depend on the process."""
    assert SHARED[contract.PAY].fields == ("source", "chips", "target")
    assert Told("take", Message("{target} takes {card}"), item=Message("{amount} {card}")).fields == (
        "target",
        "card",
        "amount",
    )
