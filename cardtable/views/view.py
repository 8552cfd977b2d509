"""One seat's view, built from a redacted state; and the result of a deal, in lines that add up."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from cardtable.base.errors import NoHint, OptionError
from cardtable.base.message import FIELD, Message, as_data
from cardtable.base.types import CardText, JsonObject, MoveCode, MoveText, SeatNumber, Seed
from cardtable.kernel import prng
from cardtable.picture.scene import Scene
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.events import PAID, POT, Event
from cardtable.rules.game import Game
from cardtable.rules.moves import CHOOSE, Advice, Move, Prompt, Refused
from cardtable.rules.worlds import Work, refuse_clash
from cardtable.rules.zones import NOTHING, Hand, Pot, Zone, labelled
from cardtable.views.observed import Past

MOST_WORLDS = 1_000_000  #: at a time
POINTS, TO_THE_POT, FROM_ANOTHER, WINNING, THE_DEAL = (
    Message("points"),
    Message("to the pot"),
    Message("from another"),
    Message("winning the deal"),
    Message("the deal"),
)


@dataclass(frozen=True)
class Counted:
    """What a seat has received (below 0: paid) in a deal for one reason, in total."""

    seat: SeatNumber
    why: Message  #: in a few words, with the number of times: `most cards`, `2 sweeps`, `passing (3 times)`
    amount: int
    times: int


def counted(events: Iterable[Event], gained: Sequence[int]) -> list[Counted]:
    """The events of a finished deal as items that add up, for each seat, to the points or chips that it gained.

    Points are explained by the rule of their event, or by the event of the same rule before it, which names the item.
    """
    sums: dict[tuple[int, Message, bool], list[int]] = {}
    named: dict[str, Message] = {}

    def add(seat: SeatNumber | None, why: Message, amount: int) -> None:
        if seat is not None and amount:
            total = sums.setdefault((seat, why, amount > 0), [0, 0])
            total[0] += amount
            total[1] += 1

    for event in events:
        why = event.why.name or named.get(event.rule)
        if event.amount is None or event.kind not in PAID:
            named[event.rule] = event.told_as.name
        elif event.kind == "score":
            add(event.source, why or POINTS, event.amount)
        else:
            add(event.source, why or TO_THE_POT, -event.amount)
            add(event.target, why or (POT if event.kind == "take" else FROM_ANOTHER), event.amount)
    for seat, amount in enumerate(gained):
        rest = amount - sum(total for (whose, _, _), (total, _) in sums.items() if whose == seat)
        add(seat, WINNING if rest > 0 else THE_DEAL, rest)
    return [
        Counted(seat, _often(why, times), total, times)
        for (seat, why, _), (total, times) in sorted(sums.items(), key=lambda item: item[0][0])
    ]


def _often(why: Message, times: int) -> Message:
    """A reason with the number of times that it applied."""
    if any(field[1] == "n" for field in FIELD.finditer(why.template)):
        return Message(why.template, context=why.context, n=times, **why.values)
    return Message("{why} ({n} times)", why=why, n=times) if times > 1 else why


@dataclass(frozen=True)
class World:
    """One arrangement of everything that a seat cannot see. `state` is a whole state, for compiled rules."""

    game: Game
    state: State

    @property
    def keys(self) -> JsonObject:
        """The cards and the rest as the game's own keys of a position: `hands`, `stock` and so on (docs/api.md §4)."""
        return self.game.presentation.position(self.state)


@dataclass(frozen=True)
class View:
    """What one seat (None: a spectator) may know, and nothing else: it contains a redacted state."""

    game: Game  #: the game and its rules
    rules: str  #: the preset
    seat: SeatNumber | None  #: whose view it is; None: a spectator's
    state: State  #: redacted for the seat
    moves: tuple[MoveCode, ...]  #: its legal moves, as codes
    actors: tuple[SeatNumber, ...]  #: the seats that may act now, as far as the seat may know
    scores: tuple[int, ...]  #: each seat's chips, or deals won in a match without chips
    events: tuple[Event, ...]  #: the events of the last move, without secrets of other seats
    title: str = ""  #: of the match; empty: its preset's
    #: makes its past; None: unknown
    _recall: Callable[[], Past] | None = field(default=None, repr=False, compare=False)

    @cached_property
    def past(self) -> Past | None:
        """The others' moves in this deal, as seen by the seat, if it may act; None if unknown, or if search does not
        use it.
        """
        return self._recall() if self._recall else None

    @property
    def legal(self) -> list[MoveText]:
        """The seat's legal moves in notation; empty unless it may act."""
        return [self.game.presentation.move_text(self.state, move) for move in self.moves]

    @cached_property
    def choices(self) -> list[Move]:
        """The seat's legal moves in the form for people; of moves that begin alike, the best comes first."""
        if not self.moves or self.seat is None or self.prompt is None:
            return []
        words = self.game.presentation
        does = {words.move_text(self.state, code): message for code, message in self.prompt.does.items()}
        return [
            replace(move, does=does[move.text]) if move.text in does else move
            for move in words.choices(self.state, self.seat, self.moves)
        ]

    @cached_property
    def prompt(self) -> Prompt | None:
        """The seat's prompt; None unless it may act."""
        if not self.moves or self.seat is None:
            return None
        return self.game.prompt(self.state, self.seat, self.moves) if self.game.prompt else CHOOSE

    @cached_property
    def refused(self) -> list[Refused]:
        """Moves that a person would expect now, but that are illegal, each with the reason and its rule."""
        if self.prompt is None or self.seat is None:
            return []
        words = self.game.presentation
        return [
            Refused(words.choices(self.state, self.seat, [code])[0], *words.why_not(self.state, self.seat, code))
            for code in self.prompt.refused
        ]

    def advice(self, steps: Sequence[MoveText]) -> Advice:
        """A move of the seat as advice, with a reason. steps: its text, several where cards are chosen together.

        If the game gives no reasons, the reason is the effect of the move. Raises NotationError.
        """
        words = self.game.presentation
        if self.game.advice and self.seat is not None:
            return self.game.advice(self.state, self.seat, [words.parse_move(self.state, text) for text in steps])
        move = next((one for one in self.choices if one.text == steps[0]), Move(steps[0]))
        return Advice(Message("{move}", move=move.told), move.does or NOTHING)

    def guided(self) -> MoveText:
        """The game's own move for a hint (`Game.guide`). Raises NoHint where nothing useful is left."""
        assert self.game.guide is not None
        assert self.seat is not None
        move = self.game.guide(self.state, self.seat)
        if move is None:
            raise NoHint
        return self.game.presentation.move_text(self.state, move)

    @cached_property
    def zones(self) -> list[Zone]:
        """The places on the table, to be drawn."""
        return self.game.presentation.zones(self.state, -1 if self.seat is None else self.seat, self.moves)

    def zone(self, name: str) -> Zone:
        """The zone of that name (docs/api.md §3). Raises KeyError if there is none."""
        for zone in self.zones:
            if zone.name == name:
                return zone
        raise KeyError(f"no zone {name!r}: there are {', '.join(zone.name for zone in self.zones)}")

    def worlds(self, n: int, seed: Seed = 0) -> list[World]:
        """This number of arrangements of all unseen cards, consistent with the seat's knowledge and equally likely.
        The same seed gives the same. Raises OptionError.
        """
        if not 1 <= n <= MOST_WORLDS:
            raise OptionError(
                Message("{n} worlds", n=str(n)),
                Message("there can be 1 to {most} at a time", most=MOST_WORLDS),
                Message("give another number"),
                code="options/range",
            )
        seat, work, worlds = -1 if self.seat is None else self.seat, Work.new(), []
        chance = self.state.copy()
        prng.derive(chance.rng, prng.key_of(seed), int(self.state.deal_number), prng.BOT)
        for _ in range(n):
            world = self.state.copy()
            world.rng[:] = chance.rng
            contract.resample(world, seat, work)
            refuse_clash(self.game.name, work)
            chance.rng[:] = world.rng
            worlds.append(World(self.game, world))
        return worlds

    @property
    def pot(self) -> int | None:
        """The chips on the table, including those on money cards; None if the game has no pot."""
        pots = [zone.count for zone in self.zones if isinstance(zone, Pot)]
        return sum(pots) if pots else None

    @property
    def hand(self) -> list[CardText]:
        """The seat's cards."""
        return [
            card
            for zone in self.zones
            if isinstance(zone, Hand) and zone.seat == self.seat
            for card in zone.cards
            if card
        ]

    def svg(self) -> str:
        """The view as a picture, an SVG document; its texts are in the language of this process."""
        from cardtable.picture import table  # most programs never draw

        scene = Scene(
            self.title or self.game.titles[self.rules],
            int(self.state.seats),
            int(self.state.deal_number),
            int(self.state.dealer),
            self.actors,
            self.zones,
            self.seat,
        )
        return table.svg(scene)

    def _repr_svg_(self) -> str:
        """The picture, for notebooks."""
        return self.svg()

    def text(self) -> str:
        """The view as plain text."""
        lines = [
            f"{self.title or self.game.titles[self.rules]}, deal {int(self.state.deal_number)}, seat "
            f"{int(self.state.dealer)} deals"
        ]
        for zone in self.zones:
            lines.append(f"{labelled(zone)!s:>14}: " + "; ".join(filter(None, (_cards(zone), zone.text))))
        turn = "the deal is over" if not self.actors else "to act: " + ", ".join(f"seat {seat}" for seat in self.actors)
        return "\n".join([*lines, turn + (f"; you may: {', '.join(self.legal)}" if self.legal else "")])

    def as_dict(self) -> JsonObject:
        """The view as a JSON-able dict."""
        return {
            "game": self.game.name,
            "rules": self.rules,
            "title": self.title or self.game.titles[self.rules],
            "seat": self.seat,
            "deal": int(self.state.deal_number),
            "dealer": int(self.state.dealer),
            "actors": list(self.actors),
            "hand": self.hand,
            "legal": self.legal,
            "choices": [move.data for move in self.choices],
            "prompt": as_data(self.prompt.ask) if self.prompt else None,
            "refused": [one.data for one in self.refused],
            "zones": [zone.as_dict() for zone in self.zones],
            "scores": list(self.scores),
            "events": [event.as_dict() for event in self.events],
        }


class Views:
    """The views of a match as it is now, by seat; the last one is a spectator's. Each is made on first use, and the
    match must not change before that.
    """

    def __init__(self, make: Callable[[SeatNumber | None], View], seats: int) -> None:
        """make: the match's `view`."""
        self._make = make
        self._made: list[View | None] = [None] * (seats + 1)

    @classmethod
    def none(cls) -> Views:
        """No views, before there is a match."""
        return cls(_no_view, -1)

    def forget(self) -> None:
        """Free the memory of the views; they are made again on demand."""
        self._made = [None] * len(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def __getitem__(self, viewer: int) -> View:
        made = self._made[viewer]
        if made is None:
            made = self._made[viewer] = self._make(viewer if viewer < len(self._made) - 1 else None)
        return made


def _no_view(seat: SeatNumber | None) -> View:
    raise LookupError("there is no match")


def _cards(zone: Zone) -> str:
    """The cards of a zone as plain text, or their number if they are face down."""
    if any(zone.cards) or zone.kind == "row":
        return " ".join(card or "--" for card in zone.cards)
    return str(Message("{n} {n:card|cards}", n=zone.count)) if zone.kind in ("hand", "stock") else ""
