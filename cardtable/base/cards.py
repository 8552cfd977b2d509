"""Cards: ranks, suits, packs, sets of cards, and their text.

A **card** is an int: 13 x suit + rank, suits S H D C = 0..3, ranks A 2 .. K = 0..12; jokers are 52 and 53.
A **set of cards** is an int with one bit for each card. Text is rank then suit: `7H`, `TS`; jokers `X1`, `X2`.
"""

from __future__ import annotations

from collections.abc import Iterable

from cardtable.base.errors import NotationError
from cardtable.base.message import Card, Message

RANKS = "A23456789TJQK"
SUITS = "SHDC"
SYMBOLS = "♠♥♦♣"
SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")
RANK_NAMES = ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king")
JOKERS = ("X1", "X2")
PACK_52 = tuple(range(52))
ALL_52 = (1 << 52) - 1
SUIT = (1 << 13) - 1  #: the thirteen spades; shifted by 13 x suit, the cards of that suit
RANK = 1 | 1 << 13 | 1 << 26 | 1 << 39  #: the four aces; shifted by a rank, the four cards of that rank

SUIT_40 = 0b111_000_111_1111  #: the spades of a pack of 40, as in Italy and Spain: A 2 3 4 5 6 7 J Q K
SUIT_36 = 0b111_111_110_0001  #: of a pack of 36: 6 to ace
SUIT_32 = 0b111_111_100_0001  #: of a pack of 32: 7 to ace
MIDDLE = 0b111 << 7  #: the spades that a pack of 40 lacks: 8 9 T
ALL_40, ALL_36, ALL_32 = SUIT_40 * RANK, SUIT_36 * RANK, SUIT_32 * RANK

_TEXT = tuple(rank + suit for suit in SUITS for rank in RANKS) + JOKERS
_CODE = {text: card for card, text in enumerate(_TEXT)}
_PLAIN = str.maketrans(dict(zip("♠♥♦♣♤♡♢♧", SUITS * 2, strict=True)) | {"\ufe0e": "", "\ufe0f": ""})


def rank_of(card: int) -> int:
    """0 (ace) to 12 (king)."""
    return card % 13


def suit_of(card: int) -> int:
    """0 to 3: S H D C."""
    return card // 13


def card_text(card: int) -> str:
    """`7H`; the inverse of `parse_card`."""
    return _TEXT[card]


def card_symbol(card: int) -> str:
    """`7♥`, for a screen."""
    return _TEXT[card] if card >= 52 else _TEXT[card][0].replace("T", "10") + SYMBOLS[card // 13]


def card_name(card: int) -> str:
    """`seven of hearts`, for reading aloud."""
    return "joker" if card >= 52 else f"{RANK_NAMES[card % 13]} of {SUIT_NAMES[card // 13]}"


def parse_card(text: str) -> int:
    """Parse a card: `7H`, `7h`, `7♥`, `10h`. Raises NotationError."""
    plain = text.strip().translate(_PLAIN).upper().replace("10", "T", 1)
    if plain in _CODE:
        return _CODE[plain]
    raise NotationError(
        Message("{text} is not a card", text=repr(text.strip()[:40])),
        Message("a card is rank then suit: A 2 3 4 5 6 7 8 9 T J Q K and S H D C"),
        Message("write for instance 7H, TS or AC"),
    )


def cards_in(mask: int) -> list[int]:
    """The cards of a set, ascending."""
    mask, cards = int(mask), []
    while mask:
        rest = mask & mask - 1
        cards.append((mask ^ rest).bit_length() - 1)
        mask = rest
    return cards


def set_of(cards: Iterable[int]) -> int:
    """These cards as a set."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def set_text(mask: int) -> str:
    """`5H 6H KC`, ascending; the inverse of `parse_set`."""
    return " ".join(_TEXT[card] for card in cards_in(mask))


def parse_cards(text: str, copies: int = 1) -> list[int]:
    """Parse cards such as `7H KC 3D`, in order; commas may separate them. Raises NotationError, also for a card that
    occurs too often.

    copies: the copies of each card, that is, the number of packs.
    """
    cards: list[int] = []
    for word in text.replace(",", " ").split():
        card = parse_card(word)
        if cards.count(card) >= copies:
            raise NotationError(
                Message(
                    "{card} stands {n:twice|@ times} in {text}",
                    card=Card(_TEXT[card]),
                    n=copies + 1 if copies > 1 else 1,
                    text=repr(text.strip()[:200]),
                ),
                Message("there {n:is one|are @} of each card", n=copies),
                Message("name each card {n:once|@ times at most}", n=copies),
            )
        cards.append(card)
    return cards


def parse_set(text: str) -> int:
    """Parse a set of cards such as `5H 6H KC`. Raises NotationError."""
    return set_of(parse_cards(text))
