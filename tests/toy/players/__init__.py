"""Bots in a separate package: good ones, and some that fail."""

from __future__ import annotations

import random

from cardtable.views.view import View


class Highest:
    """Plays the last of its legal moves."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def choose(self, view: View) -> str:
        """The last legal move."""
        return view.legal[-1]


class Domestic(Highest):
    """Plays two games only."""

    games = ("scopa", "busca")


class Lucky:
    """Any legal move, by its own dice, which continue from move to move."""

    def __init__(self, seed: str) -> None:
        self.dice = random.Random(seed)

    def choose(self, view: View) -> str:
        """A move by the dice."""
        return self.dice.choice(view.legal)


class Mindful:
    """Looks at what the others did."""

    infers = True

    def __init__(self, seed: str) -> None:
        self.most = 0  #: moves of others that it has seen in a deal

    def choose(self, view: View) -> str:
        """The first move."""
        assert view.past is not None
        self.most = max(self.most, view.past.count)
        return view.legal[0]


class Fails(Highest):
    """Raises an error when it is asked."""

    def choose(self, view: View) -> str:
        """No move."""
        raise KeyError("nothing known")


class Cheats(Highest):
    """Plays what it may not."""

    def choose(self, view: View) -> str:
        """A card that cannot be played now, or no card at all."""
        return {"none": "", "nonsense": "XYZ"}.get(self.seed, "AS AS")


class Unmade(Highest):
    """Cannot be made."""

    def __init__(self) -> None:
        raise AssertionError("never called with a seed")


NOT_A_BOT = 7
