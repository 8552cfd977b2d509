"""Suits and ranks in words, as messages: `spades`, `ace`, `aces`, `an ace`."""

from __future__ import annotations

from cardtable.base.message import Message

SUITS = (Message("spades"), Message("hearts"), Message("diamonds"), Message("clubs"))
RANKS = (
    Message("ace"),
    Message("two"),
    Message("three"),
    Message("four"),
    Message("five"),
    Message("six"),
    Message("seven"),
    Message("eight"),
    Message("nine"),
    Message("ten"),
    Message("jack"),
    Message("queen"),
    Message("king"),
)
PLURALS = (
    Message("aces"),
    Message("twos"),
    Message("threes"),
    Message("fours"),
    Message("fives"),
    Message("sixes"),
    Message("sevens"),
    Message("eights"),
    Message("nines"),
    Message("tens"),
    Message("jacks"),
    Message("queens"),
    Message("kings"),
)
#: one of a rank
ANY = (
    Message("an ace"),
    Message("a two"),
    Message("a three"),
    Message("a four"),
    Message("a five"),
    Message("a six"),
    Message("a seven"),
    Message("an eight"),
    Message("a nine"),
    Message("a ten"),
    Message("a jack"),
    Message("a queen"),
    Message("a king"),
)
