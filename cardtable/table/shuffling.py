"""How the seats take part in the shuffle of a match: by commitment and reveal.

Before a match begins, each person's client draws entropy and sends only its SHA-256. When everybody present has
committed (or `COMMIT_WITHIN` has passed), the commitments are closed, and those who have committed reveal their
entropy, which must match. So nobody, the operator of the server included, can choose their entropy when they know the
others': whoever has committed can only reveal or withhold. A seat that withholds its entropy for `REVEAL_WITHIN` is
given to a bot, for all to see, so that withholding gains its owner no cards. They can have the seat again for the next
match. A person who has not committed keeps the
seat, and has no part in the shuffle.

All of this is done anew for every match. Where the cards are known beforehand (`Setup.open_seed`), and where only bots
play, there is no shuffle to take part in.
"""

from __future__ import annotations

from dataclasses import dataclass

COMMIT_WITHIN = 3_000  #: milliseconds in which the people present must commit to have a part in the shuffle
REVEAL_WITHIN = 10_000  #: milliseconds in which those who have committed must reveal


@dataclass(slots=True)
class Shuffle:
    """The seats' part in the shuffle of a match, by seat; "" for what a seat has not given."""

    commitments: list[str]
    entropy: list[str]
    revealing: bool = False  #: no more commitments are taken
    withheld: tuple[int, ...] = ()  #: the seats that did not reveal in time

    @classmethod
    def of(cls, seats: int) -> Shuffle:
        """The beginning of a shuffle: nobody has committed."""
        return cls([""] * seats, [""] * seats)

    @property
    def hidden(self) -> list[int]:
        """The seats that have committed and not revealed, and still can."""
        given = (seat for seat, commitment in enumerate(self.commitments) if commitment and not self.entropy[seat])
        return [seat for seat in given if seat not in self.withheld]

    @property
    def span(self) -> int:
        """Milliseconds for what the seats are to do now."""
        return REVEAL_WITHIN if self.revealing else COMMIT_WITHIN
