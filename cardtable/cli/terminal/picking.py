"""Choosing cards and places on a full screen: find the legal moves that a choice begins.

Independent of the game: moves specify where they begin, which cards they have and where these go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from cardtable.base.message import Message, Value
from cardtable.rules.zones import Actions, Column, Hand, Spread, Together, Zone

if TYPE_CHECKING:
    from cardtable.rules.moves import Move
    from cardtable.views.view import View


@dataclass(frozen=True)
class Offer:
    """An item in a list of choices: its label, and the equivalent input."""

    name: Value
    text: str
    does: Value | None = None  #: its effect or cost

    @property
    def named(self) -> Message:
        """Its label and effect."""
        return (
            Message("{move} ({does})", move=self.name, does=self.does)
            if self.does
            else Message("{move}", move=self.name)
        )


@dataclass
class Picking:
    """The person's partial choice of a move in a view, and its possible continuations."""

    view: View
    picked: list[str] = field(default_factory=list)  #: cards, or names of zones, that begin a move
    chosen: list[int] = field(default_factory=list)  #: cards of the hand that are chosen together, by their places
    following: list[Move] = field(default_factory=list)  #: the moves that can follow
    chips: list[int] = field(default_factory=list)  #: the chips that are spread, on each pot

    def __post_init__(self) -> None:
        self.following = list(self.view.choices)
        if self.spread:
            self.chips = list(self.spread.start)

    def clear(self) -> None:
        """Begin again."""
        self.picked, self.chosen, self.following = [], [], list(self.view.choices)

    @property
    def begun(self) -> bool:
        """Whether something has been chosen."""
        return bool(self.picked or self.chosen)

    @property
    def _hand(self) -> Hand | None:
        hands = (zone for zone in self.view.zones if isinstance(zone, Hand) and zone.together)
        return next(hands, None) if self.view.moves else None

    @property
    def together(self) -> Together | None:
        """How cards of the hand are chosen together, if they are."""
        return self._hand.together if self._hand else None

    @property
    def spread(self) -> Spread | None:
        """How chips are spread, if they are."""
        zones = (zone for zone in self.view.zones if isinstance(zone, Actions) and zone.spread)
        return next((zone.spread for zone in zones), None) if self.view.moves else None

    def starts(self, zone: Zone, card: int) -> list[Move]:
        """The moves that begin at a card of a zone (-1: at the zone itself)."""
        named = "" if card < 0 else zone.cards[card]
        return [m for m in self.view.choices if m.source == zone.name and (m.cards[0] if m.cards else "") == named]

    def fits(self, zone: Zone, card: int) -> list[Move]:
        """The moves left that begin with a card of a zone, have it, or go to its zone."""
        named = None if card < 0 else zone.cards[card]
        if not self.picked:
            top = card == len(zone.cards) - 1
            if own := self.starts(zone, card) or (self.starts(zone, -1) if top else []):
                return own
            if isinstance(zone, (Hand, Column)):
                return []
        if named and not isinstance(zone, Column):
            if having := [move for move in self.following if named in move.cards and named not in self.picked]:
                return having
        return [move for move in self.following if move.target == zone.name] if self.picked else []

    def reachable(self, zone: Zone, card: int) -> bool:
        """Whether choosing a card of a zone (-1: the zone) means anything now."""
        if isinstance(zone, Hand) and zone.seat == self.view.seat:
            return card >= 0
        if card < 0 and any(zone.cards) and (not self.picked or self.fits(zone, len(zone.cards) - 1)):
            return False  # represented by its last card
        return bool(self.fits(zone, card))

    def pick(self, zone: Zone, card: int) -> str | None:
        """Choose a card of a zone, or (-1) the zone.

        Return the complete move, or a card of the hand that makes none; None: the choice is incomplete.
        """
        if self.together and isinstance(zone, Hand) and zone.seat == self.view.seat:
            return self._toggle(zone, card)
        moves = self.fits(zone, card)
        if not moves and self.picked:
            self.clear()
            moves = self.fits(zone, card)
        if not moves:
            self.clear()
            named = zone.cards[card] if card >= 0 else None
            return named if named and isinstance(zone, Hand) else None
        if len(moves) == 1:
            return moves[0].text
        self.picked.append((zone.cards[card] if card >= 0 else None) or zone.name)
        self.following = moves
        return None

    def _toggle(self, zone: Zone, card: int) -> str | None:
        """Choose a card together with others, or leave it out again; return one that cannot be chosen."""
        assert self.together
        if zone.cards[card] not in self.together.cards:
            return zone.cards[card]
        if card in self.chosen:
            self.chosen.remove(card)
        else:
            self.chosen.append(card)
        return None

    def offers(self) -> list[Offer]:
        """What can be chosen from a list now."""
        if (together := self.together) and self._hand:
            number = len(self.chosen)
            if not together.least <= number <= together.most:
                return []
            cards = sorted((self._hand.cards[i] or "" for i in self.chosen), key=together.cards.index)
            return [Offer(together.labels[number - together.least], " ".join([*cards, together.done]))]
        if self.spread:
            move = self.spread.moves.get(" ".join(map(str, self.chips)))
            return [Offer(self.spread.label, move)] if move else []
        return [Offer(move.told, move.text, move.does) for move in self.following]

    def put(self, pot: int, more: int) -> None:
        """Put a chip on a pot (+1), or take one away (-1), as far as that is possible."""
        assert self.spread
        moves = [tuple(map(int, ways.split())) for ways in self.spread.moves]
        wanted = self.chips[pot] + more
        if wanted >= 0 and wanted <= max(way[pot] for way in moves) and sum(self.chips) + more <= self.spread.chips:
            self.chips[pot] = wanted


def zone_named(zones: Sequence[Zone], name: str) -> Zone | None:
    """The zone of that name."""
    return next((zone for zone in zones if zone.name == name), None)
