"""The seats of a table, their owners, and pending requests between them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Lost:
    """Who lost a seat by withholding their entropy, and can have it again."""

    owner: str
    name: str
    returning: bool = False  #: they asked for it, and have it again when the match is over


@dataclass(frozen=True, slots=True)
class Ask:
    """A request to take back."""

    seat: int
    steps: int
    answers: dict[int, bool]
    spent: int  #: milliseconds elapsed on the running clock
    extra: int  #: milliseconds that had been added to it


@dataclass(slots=True)
class Place:
    """A seat and its owner."""

    name: str = ""
    owner: str = ""  #: the person's; "" for a bot or a free seat
    level: str = ""  #: the bot's; "" for a person or a free seat
    entropy: str = ""  #: of an old log, for all matches
    present: bool = True  #: False: the owner has left, and the seat is kept
    gone: bool = False  #: the connection was lost
    left_at: int = 0  #: when the owner left; 0: present
    stood_in: bool = False  #: a bot plays for the owner
    ready: bool = False
    #: the others' choices about this seat, by their seats
    choices: dict[int, str] = field(default_factory=dict)
    undone: int = 0  #: how often the owner has taken something back in this match
    hints: int = 0  #: how often the owner has asked what to play in this match
    lost: Lost | None = None  #: who withheld their entropy here, so that a bot has the seat

    @property
    def free(self) -> bool:
        """Whether the seat is free."""
        return not self.owner and not self.level

    @property
    def here(self) -> bool:
        """Whether a person has the seat and is present."""
        return bool(self.owner) and self.present
