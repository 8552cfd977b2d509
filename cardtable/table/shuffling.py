"""The seats' part in the shuffle of a match, by commitment and reveal.

Before a match begins, each person's client draws entropy and sends only its SHA-256. When everybody present has
committed (or `COMMIT_WITHIN` has passed), the commitments are closed, and the committed clients reveal their entropy,
which must match. So nobody, including the server's operator, can choose their entropy after learning the others': after
committing, one can only reveal or withhold. A seat that withholds its entropy for `REVEAL_WITHIN` is given to a bot,
for all to see, so that withholding gains its owner no cards. They can have the seat again for the next match. A person
who has not committed keeps the seat, and has no part in the shuffle.

This is repeated for every match. If the cards are known beforehand (`Setup.open_seed`), and if only bots play, there
is no such shuffle.
"""

from __future__ import annotations

from dataclasses import dataclass

COMMIT_WITHIN = 3_000  #: milliseconds in which the people present must commit to have a part in the shuffle
REVEAL_WITHIN = 10_000  #: milliseconds for committed clients to reveal


@dataclass(slots=True)
class Shuffle:
    """The seats' part in the shuffle of a match, by seat; "" if missing."""

    commitments: list[str]
    entropy: list[str]
    revealing: bool = False  #: no more commitments are taken
    withheld: tuple[int, ...] = ()  #: the seats that did not reveal in time

    @classmethod
    def of(cls, seats: int) -> Shuffle:
        """The beginning of a shuffle, without commitments."""
        return cls([""] * seats, [""] * seats)

    @property
    def hidden(self) -> list[int]:
        """The seats that have committed and not revealed, and still can."""
        given = (seat for seat, commitment in enumerate(self.commitments) if commitment and not self.entropy[seat])
        return [seat for seat in given if seat not in self.withheld]

    @property
    def span(self) -> int:
        """Milliseconds for the seats' current step."""
        return REVEAL_WITHIN if self.revealing else COMMIT_WITHIN
