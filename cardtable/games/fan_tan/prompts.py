"""Prompts of Fan Tan, Five or Nine and Domino Fan-Tan."""

from __future__ import annotations

from collections.abc import Sequence

from cardtable.base import card_names
from cardtable.base.cards import set_text
from cardtable.base.message import Card, Either, Message, Value
from cardtable.games.fan_tan.layout import must_give_up, opening_card
from cardtable.games.fan_tan.state import DONE, DRAW, FOUNDERS, PASS, FanTanTable
from cardtable.kernel import cited
from cardtable.rules.moves import Prompt

CHIP, ENDS, LOSES = Message("1 chip to the pot"), Message("your turn ends"), Message("you lose this deal")


def prompt(s: FanTanTable, viewer: int, legal: Sequence[int]) -> Prompt:
    """The prompt for a seat that may act, from a state redacted for it."""
    costs = {PASS: bool(s.rules.pass_chip), DRAW: bool(s.rules.draw_chip)}
    does = {move: CHIP for move, pays in costs.items() if pays and move in legal} | (
        {DONE: ENDS} if DONE in legal else {}
    )
    able = legal[0] < 52
    refused = [DRAW] if able and s.drawn < s.stock_size and DRAW not in legal else []
    if able and s.rules.passes and not {PASS, DONE} & set(legal):
        refused = [PASS]
    if not able and must_give_up(s, viewer):
        does = {PASS: LOSES}
    return Prompt(_asked(s, viewer, legal, able), _rule(s, viewer, legal, able), does, refused)


def _rule(s: FanTanTable, viewer: int, legal: Sequence[int], able: bool) -> str:
    """The rule behind the prompt, on the page of the game that is played."""
    if s.rules.hand_size:
        return "DF-06" if able else "DF-03" if DRAW in legal else "DF-05"
    if cited(s.rules.pass_cite) == "FN-07":
        return "FN-06" if able else "FN-07"
    if opening_card(s):
        return "FT-C1"
    if s.rules.passes and (PASS in legal if able else must_give_up(s, viewer)):
        return "FT-C2" if s.rules.passes > 0 else "FT-C3"
    return "FT-25" if able else "FT-22" if s.rules.pass_chip else "FT-23"


def _asked(s: FanTanTable, viewer: int, legal: Sequence[int], able: bool) -> Message:
    left = int(s.rules.passes - s.passed[viewer]) if s.rules.passes > 0 else 0
    if not able:
        return _stopped(s, legal, left)
    if s.group:
        suit: Value = "" if s.group == FOUNDERS else card_names.SUITS[s.group - 1]
        if suit:
            return Message("Lay more {suit} in this turn, or say done.", suit=suit)
        return Message("Open another row in this turn, or say done.")
    if opens := opening_card(s):
        return Message("Begin with {card}, which opens the deal and the row of its suit.", card=Card(set_text(opens)))
    first = _founders(s)
    if s.rules.passes and PASS in legal:
        if left:
            return Message(
                "Lay a card that continues a row, or {first}; or pass: you have {n} {n:pass|passes} left.",
                first=first,
                n=left,
            )
        return Message("Lay a card that continues a row, or {first}; or pass.", first=first)
    if PASS in legal or DRAW in legal:  # it is possible to hold a card back
        return Message(
            "Lay a card that continues a row, or {first}. Holding back is fined when it is found out.", first=first
        )
    if not s.layout:
        return Message("Begin with {first}: it opens the row of its suit.", first=first)
    if s.rules.several:
        return Message("Continue a row, with several cards of it if you like, or open one with {first}.", first=first)
    return Message(
        "Lay a card that continues a row, or {first} to open one. You must play while one fits.", first=first
    )


def _stopped(s: FanTanTable, legal: Sequence[int], left: int) -> Message:
    """The prompt for a seat that cannot lay a card. left: its passes, where they are limited."""
    if DRAW in legal:
        if s.rules.draw_chip:
            return Message("None of your cards fits: pay 1 chip and draw, until one does.")
        return Message("None of your cards fits: draw until one does.")
    if s.rules.passes > 0 and not left:
        return Message("None of your cards fits, and you have no pass left: you lay out your cards and lose this deal.")
    if left and s.rules.pass_chip:
        return Message("None of your cards fits: pass, and pay 1 chip. You have {n} {n:pass|passes} left.", n=left)
    if left:
        return Message("None of your cards fits: pass. You have {n} {n:pass|passes} left.", n=left)
    if s.rules.pass_chip:
        return Message("None of your cards fits: pass, and pay 1 chip.")
    return Message("None of your cards fits: pass.")


def _founders(s: FanTanTable) -> Value:
    """The cards that open a row: `a seven`, or `a five or a nine`."""
    ranks = (
        [int(s.set_rank) - 1] if s.set_rank else [rank for rank in range(13) if int(s.rules.start_ranks) >> rank & 1]
    )
    named = [card_names.ANY[rank] for rank in ranks]
    return named[0] if len(named) == 1 else Either(named)
