"""The faces of other countries in words and in the terminal's letters."""

from __future__ import annotations

import pytest

from cardtable.base.cards import ALL_40, ALL_52, card_text
from cardtable.base.faces import FACES, FRENCH, Faces
from cardtable.base.languages import catalogue
from cardtable.base.message import Message, Reader
from cardtable.rules.catalog import games
from cardtable.rules.ruleset import Ruleset

TRANSLATED = ("en", "de", "fr", "it", "es")
SHORT = {name: Faces.of(name, ALL_40) for name in FACES}
LONG = {name: Faces.of(name, ALL_52) for name in FACES}


def test_a_card_is_written_with_index_and_sign() -> None:
    cards = ["7D", "QC", "AS", "KH"]
    written = {name: " ".join(map(faces.written, cards)) for name, faces in SHORT.items()}
    assert written == {
        "french": "7♦ Q♣ A♠ K♥",
        "italian": "7D 9B AS 10C",
        "spanish": "7O 11B AE 12C",
        "german": "7S OE AL KH",
    }
    assert LONG["italian"].written("TC") == "10B"
    assert LONG["italian"].written("KC") == "RB"
    assert LONG["spanish"].written("X1") == "X1"


@pytest.mark.parametrize("name", FACES)
def test_what_is_written_is_read_as_the_same_card(name: str) -> None:
    for pack, faces in ((ALL_40, SHORT[name]), (ALL_52, LONG[name])):
        for card in (card_text(one) for one in range(52) if pack >> one & 1):
            if name == "french":
                assert faces.notation(card) == card
            else:
                assert faces.notation(f"{faces.written(card).lower()} x") == f"{card} x"
        assert len({faces.written(card_text(one)) for one in range(52) if pack >> one & 1}) == pack.bit_count()


def test_other_words_and_the_notation_are_left_alone() -> None:
    italian = SHORT["italian"]
    assert italian.notation("7h takes 5c 2d") == "7h takes 5H 2D"
    assert italian.notation("trail KB") == "trail KC"
    for text in ("hint", "? SC-13", "undo 2", "12", "c", "8", "resign"):
        assert italian.notation(text) == text


def test_messages_have_the_words_of_the_deck() -> None:
    message = Message("{suit}, {rank}", suit=Message("diamonds"), rank=Message("a queen"))
    assert Reader(language=SHORT["italian"].called(catalogue("en").language)).plain(message) == "coins, a knight"
    assert Reader(language=FRENCH.called(catalogue("en").language)).plain(message) == "diamonds, a queen"
    told = {
        code: Reader(language=SHORT["italian"].called(catalogue(code).language)).plain(message) for code in TRANSLATED
    }
    assert told["it"] == "denari, un cavallo"
    assert len(set(told.values())) == len(told), "each language has its own words"


def test_every_preset_has_faces_that_there_is() -> None:
    for game in games().values():
        for preset in game.presets:
            ruleset = Ruleset.parse(game.name, preset)
            assert ruleset.faces_seen.suits in FACES
            assert ruleset.faces() == Faces.of(ruleset.faces_seen.suits, ruleset.options.cards(ruleset.seats))
    assert Ruleset.parse("Escoba").faces_seen.suits == "spanish"
    assert Ruleset.parse("Scopa").faces_seen.suits == "french"
    assert Ruleset.parse("Scopone").faces("german").written("JD") == "US"
    assert [Ruleset.parse(name).faces_seen.short for name in ("Pocha", "Busca", "Fan Tan")] == [True, True, False]
    assert Ruleset.parse("Scopa").faces_seen.counts == (8, 9, 10)
