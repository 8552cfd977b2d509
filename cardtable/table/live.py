"""LiveTable: the state of a table, folded from its log. The same log gives the same table.

`apply` trusts the log, as `decide` has allowed every event before it was written. An event that does not fit raises
TableFault: the log is broken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from cardtable.base.errors import CardtableError
from cardtable.bots import cast
from cardtable.match.match import Match, Record
from cardtable.rules.contract import State
from cardtable.rules.events import Event
from cardtable.rules.timing import RealTime, Timing
from cardtable.table import events as ev
from cardtable.table import fair
from cardtable.table.places import Ask, Lost, Place
from cardtable.table.senders import DoneCommands
from cardtable.table.setup import Setup, as_of
from cardtable.table.shuffling import Shuffle
from cardtable.views.view import Views

LOBBY, SHUFFLING, PLAYING, BETWEEN, OVER = "lobby", "shuffling", "playing", "between", "over"
CLOSED = "closed"
KEPT = 64  #: happenings kept for viewers who were away; one who missed more gets the table as it is now
KEPT_CHAT = 50
LONG_START = 4096  #: characters of a record to continue from, above which its moves are not replayed in the event loop
END_AFTER = 120_000  #: milliseconds for which a player who left may come back before the others can end the match
RULES = "rules"  #: the seat of a forced move
STORY = ("deal", "pass", "done", "lay", "draw", "cut")  #: kinds of events left out of a deal's sheet


class TableFault(Exception):
    """A log that does not fit the rules of a table."""


@dataclass(frozen=True, slots=True)
class Happening:
    """What one entry of the log brought about, not redacted; `numbers` has its number for each viewer, or 0 if that
    viewer does not see it.
    """

    kind: str
    at: int
    numbers: tuple[int, ...]
    seat: int | None = None
    by: str = ""
    events: tuple[Event, ...] = ()
    private: bool = False  #: only that seat may know the author: several were choosing at the same time


@dataclass(frozen=True, slots=True)
class ChatLine:
    """A line of chat."""

    at: int
    seat: int
    text: str


class LiveTable:
    """A table. Its viewers are its seats and, last, the spectator."""

    def __init__(self) -> None:
        self.id = ""
        self.version = 0  #: of the log
        self.stage = LOBBY
        self.setup: Setup
        self.title = ""  #: the table's title
        self.timing: Timing | None = None  #: the match's timing: real time, or windows that the clock closes
        self.ticks = 0  #: entries of this match in real time
        self.host = ""
        self.closed = ""  #: the operator's reason for closing the table
        self.secret = ""
        self.places: list[Place] = []
        self.match: Match | None = None
        self.number = 0  #: of the match at this table
        #: the seats' part in the shuffle of the current match, or of the next one; None: no seat has one (or an old
        #: log)
        self.shuffle: Shuffle | None = None
        self.stepwise = False  #: forced moves are separate entries
        self.forced: tuple[int, str] | None = None  #: the seat and move of the next forced move made by the rules
        self._unseen: int | None = None  #: the seat that made the last move, if it was hidden from the others
        self.played = 0  #: when the match last changed
        self.choices: list[tuple[int, int]] = []  #: chosen moves of this deal: the seat, and the number of steps
        self.since = 0  #: when the table last changed for a spectator: clocks run from here
        self.extra = 0  #: milliseconds added to the clock that is running
        self.created = 0
        self.ask: Ask | None = None
        self.denied: set[int] = set()  #: seats whose request to take back was refused in this turn, where a clock runs
        self.chat: list[ChatLine] = []
        self.undone = 0  #: how often something has been taken back in this match
        self.done = DoneCommands()
        self.happenings: list[Happening] = []
        self.numbers: list[int] = []  #: the number of happenings that each viewer has seen
        self.turns: list[int] = []  #: each viewer's number when it last saw the match change
        self.sheet: list[
            tuple[int, int, Event]
        ] = []  #: the sheet of the current deal: deal, number of acts before, event
        self.sheets: dict[
            Any, list[Any]
        ] = {}  #: the sheet as structures, for each viewer, to avoid rebuilding them with every move
        self.views = Views.none()  #: of the match as it is now
        self._before: State | None = None  #: of the match, before the entry that is being applied
        #: while a log is folded: what each viewer knows, if the last entry has shown it
        self._known: list[bytes] | None = None

    @classmethod
    def fold(cls, log: Iterable[ev.Entry]) -> LiveTable:
        """The table of a log. Raises TableFault."""
        table = cls()
        for entry in log:
            table.apply(entry, last=False)
        table.forget()
        return table

    @property
    def long_start(self) -> bool:
        """Whether starting a match here takes long, because many moves of another match are replayed first."""
        return len(self.setup.start) > LONG_START

    @classmethod
    def outline(cls, log: Iterable[ev.Entry]) -> LiveTable:
        """The table of a log as it was before its match began, with bots in the seats that were free then, and the
        current owners of the seats: the rules do not change after that. It costs far less than the match. Raises
        TableFault.
        """
        table, begun = cls(), False
        for entry in log:
            if isinstance(entry.event, ev.Started):
                table.fill()
                begun = True
            elif not begun:
                table.apply(entry)
            elif isinstance(entry.event, (ev.Withheld, ev.Sat, ev.Renamed)):
                _DO[type(entry.event)](table, entry.event, entry.at)
        return table

    # Reading

    @property
    def spectator(self) -> int:
        """The spectator's place among the viewers."""
        return len(self.places)

    @property
    def current_match(self) -> Match:
        """The match, at a table where one has begun."""
        assert self.match is not None
        return self.match

    def seat_of(self, owner: str) -> int | None:
        """The seat of a person."""
        if owner:
            for seat, place in enumerate(self.places):
                if place.owner == owner:
                    return seat
        return None

    def watched_by(self, online: Collection[str]) -> bool:
        """Whether any connected person has no seat."""
        return any(self.seat_of(owner) is None for owner in online)

    def lost_by(self, owner: str) -> int | None:
        """The seat that a person lost by withholding their entropy, and can have again."""
        return next((seat for seat, place in enumerate(self.places) if place.lost and place.lost.owner == owner), None)

    def viewer_of(self, owner: str) -> int:
        """A person's place among the viewers."""
        seat = self.seat_of(owner)
        return self.spectator if seat is None else seat

    @property
    def people(self) -> list[int]:
        """The seats whose owners are present."""
        return [seat for seat, place in enumerate(self.places) if place.here]

    def away(self, seat: int) -> list[int]:
        """The other seats whose owners have left, whether or not a bot plays for them."""
        return [other for other, place in enumerate(self.places) if other != seat and place.owner and not place.present]

    def chosen_for(self, seat: int) -> str:
        """What more than half of the people present chose to do about the seat of a player who left; "" if nothing."""
        if not self.places[seat].choices:
            return ""
        choices = [self.places[seat].choices.get(other, "") for other in self.people]
        return next((choice for choice in ("end", "bot") if 2 * choices.count(choice) > len(choices)), "")

    def ends(self, seat: int) -> int:
        """When a player who left will have resigned, because the others chose to end the match; 0: never."""
        return self.places[seat].left_at + END_AFTER if self.chosen_for(seat) == "end" else 0

    @property
    def waits_for_host(self) -> bool:
        """Whether the host starts the first match, rather than the last seat taken."""
        return self.setup.begins == "host" and self.setup.bots.count("") > 1

    @property
    def names(self) -> tuple[str, ...]:
        """A name for each seat."""
        return tuple(place.name or f"Seat {seat + 1}" for seat, place in enumerate(self.places))

    @property
    def entropy(self) -> list[str]:
        """Each seat's entropy for the shuffle."""
        return self.shuffle.entropy if self.shuffle else [place.entropy for place in self.places]

    @property
    def commitments(self) -> list[str]:
        """Each seat's commitment to its entropy; none in an old log."""
        return self.shuffle.commitments if self.shuffle else []

    @property
    def commitment(self) -> str:
        """The server's commitment for this match, or for the next one before it begins."""
        match = self.number + (self.stage in (LOBBY, SHUFFLING))
        return fair.commitment(fair.secret_of(self.secret, max(match, 1)))

    @property
    def deadline(self) -> int:
        """When the time runs out for the seats to act (or to answer a request to take back); 0: never."""
        return self.since + span if (span := self.span) else 0

    @property
    def span(self) -> int:
        """Milliseconds on the clock that is running; 0: no clock is running."""
        span = self.setup.window * 1000 if self.answering else 0 if self.real_time else self.setup.turn
        return span + self.extra if self.stage == PLAYING and span else 0

    @property
    def real_time(self) -> bool:
        """Whether people play at once, under an arbiter."""
        return isinstance(self.timing, RealTime)

    @property
    def silence(self) -> str:
        """The move of a seat that sends nothing, in real time or before the clock closes a window."""
        return self.timing.silence if self.timing else ""

    @property
    def answering(self) -> bool:
        """Whether a window is open, in which several seats answer at the same time, and the clock will close it."""
        return bool(
            self.setup.window and self.stage == PLAYING and self.match is not None and self.match.window is not None
        )

    @property
    def standing(self) -> bool:
        """Whether a game in real time is paused, because a player is away and no bot plays for them."""
        return self.real_time and any(place.owner and not place.present and not place.stood_in for place in self.places)

    def bot_seats(self) -> list[int]:
        """The seats for which a bot must move now."""
        if self.stage != PLAYING or self.match is None or self.ask or self.standing:
            return []
        forced = self.forced and self.forced[0]
        return [
            seat
            for seat in self.match.actors
            if seat != forced and (self.places[seat].level or self.places[seat].stood_in)
        ]

    def _rules_move(self) -> tuple[int, str] | None:
        """The forced move that the rules make next, and its seat; None if the seat makes it: a person's in a game
        with few other moves, and any after a hidden step, which it could otherwise reveal.
        """
        m = self.match
        if not self.stepwise or m is None or self.stage != PLAYING or self.ask or self.real_time:
            return None
        forced = m.forced
        if forced and m.game.by_hand and self.places[forced[0]].owner and not self.places[forced[0]].stood_in:
            return None
        return None if forced and forced[0] == self._unseen else forced

    def level(self, seat: int) -> str:
        """The level of the bot that plays for a seat."""
        return self.places[seat].level or self.setup.fill

    def actors_seen(self, viewer: int) -> tuple[int, ...]:
        """The seats to act, as far as a viewer may know: a secret choice does not show."""
        if self.match is None or self.stage != PLAYING:
            return ()
        actors = self.views[viewer].actors
        if viewer == self.spectator or (viewer in actors) == (viewer in self.match.actors):
            return actors
        return tuple(sorted({*actors} ^ {viewer}))

    @property
    def _together(self) -> bool:
        """Whether several seats choose at the same time, as far as is public."""
        return len(self.current_match.actors_seen(None)) > 1

    # Folding

    def apply(self, entry: ev.Entry, last: bool = True) -> None:
        """Apply one entry of the log. last: no other one follows at once. Raises TableFault."""
        if entry.version != self.version + 1:
            raise TableFault(f"version {entry.version} after {self.version}")
        self.version = entry.version
        if entry.owner:
            self.done.note(ev.Numbered(entry.owner, entry.seq, entry.sender, entry.digest))
        self._before = self.match.snapshot() if self.match else None
        try:
            _DO[type(entry.event)](self, entry.event, entry.at)
        except (CardtableError, LookupError, AttributeError) as error:
            raise TableFault(f"version {entry.version}: {error}") from error
        self._before = None
        self.forced = self._rules_move()
        if last:
            self.forget()

    def forget(self) -> None:
        """Clear the cache for the next entry: it takes as much memory as the rest of the match."""
        self._known = None

    def _happen(
        self,
        event: ev.Event,
        at: int,
        seat: int | None = None,
        by: str = "",
        news: tuple[Event, ...] | None = None,
        private: bool = False,
        clock: bool = False,
    ) -> None:
        """Record what happened, for the viewers who see it.

        news: the match may have changed, with these events (None: it has not); clock: restart clocks here although the
        match has not changed.
        """
        changed = [True] * len(self.numbers) if news is None else self._look(bool(news))
        for viewer, something in enumerate(changed):
            self.numbers[viewer] += something
            if news is not None and something:
                self.turns[viewer] = self.numbers[viewer]
        if news is not None:
            self.played = at
            self._unseen = None if changed[-1] else seat
        moved = news is not None and changed[-1]
        if moved or clock:  # not for chat, for example: talking must not gain time
            self.since, self.extra = at, 0
        if moved:
            self.denied.clear()
        numbers = tuple(number * something for number, something in zip(self.numbers, changed, strict=True))
        self.happenings.append(
            Happening(str(type(event).__struct_config__.tag), at, numbers, seat, by, news or (), private)
        )
        del self.happenings[:-KEPT]

    def _heard(self) -> tuple[Event, ...]:
        """The events of the last move; those for the deal's sheet are added to it."""
        acts = len(self.current_match.deals[-1].acts)
        self.sheet += [(event.deal, acts, event) for event in self.current_match.events if event.kind not in STORY]
        return self.current_match.events

    def _look(self, news: bool) -> list[bool]:
        """Renew the views; return for whom something changed. news: there are events, so it did for everybody."""
        m = self.current_match
        self.views = Views(m.view, m.seats)
        before, self._known = self._known, None
        if news or self._before is None:
            return [True] * len(self.views)
        self._known = m.all_known()
        return [was != now for was, now in zip(before or m.all_known(self._before), self._known, strict=True)]

    def _created(self, event: ev.Created, at: int) -> None:
        self.id, self.setup, self.host, self.secret, self.created = (
            event.table,
            as_of(event.setup, event.version),
            event.host,
            event.secret,
            at,
        )
        self.timing, self.title = self.setup.timing, self.setup.known_as
        self.stepwise = event.stepwise and not self.real_time
        self.places = [Place() for _ in event.setup.bots]
        for seat, level in enumerate(event.setup.bots):
            if level:
                self.places[seat] = Place(level=level, name=self._bot_name(seat, level))
        self.numbers, self.turns = [0] * (len(self.places) + 1), [0] * (len(self.places) + 1)
        self._happen(event, at)

    def _sat(self, event: ev.Sat, at: int) -> None:
        place = self.places[event.seat]
        place.owner, place.name, place.entropy = event.owner, event.name, event.entropy
        place.present, place.gone, place.level, place.lost, place.ready = True, False, "", None, False
        self._happen(event, at, event.seat)

    def _bot_sat(self, event: ev.BotSat, at: int) -> None:
        self.places[event.seat] = Place(level=event.level, name=self._bot_name(event.seat, event.level))
        self._happen(event, at, event.seat)

    def _shuffling(self, event: ev.Shuffling, at: int) -> None:
        self.stage, self.shuffle = SHUFFLING, Shuffle.of(len(self.places))
        self._unready()
        self._happen(event, at, clock=True)

    def _committed(self, event: ev.Committed, at: int) -> None:
        self.commitments[event.seat] = event.commitment
        self._happen(event, at, event.seat)

    def _revealing(self, event: ev.Revealing, at: int) -> None:
        assert self.shuffle is not None
        self.shuffle.revealing = True
        self._happen(event, at, clock=True)

    def _revealed(self, event: ev.Revealed, at: int) -> None:
        self.entropy[event.seat] = event.entropy
        self._happen(event, at, event.seat)

    def _withheld(self, event: ev.Withheld, at: int) -> None:
        assert self.shuffle is not None
        before = self.places[event.seat]
        self.shuffle.withheld += (event.seat,)
        lost, level = Lost(before.owner, before.name), self.setup.fill
        self.places[event.seat] = Place(level=level, name=self._bot_name(event.seat, level), lost=lost)
        self._happen(event, at, event.seat, by=before.name)

    def _returning(self, event: ev.Returning, at: int) -> None:
        place = self.places[event.seat]
        assert place.lost is not None
        place.lost = Lost(place.lost.owner, place.lost.name, returning=True)
        self._happen(event, at, event.seat, by=place.lost.name)

    def _started(self, event: ev.Started | ev.Rematch, at: int) -> None:
        self.fill()
        for place in self.places:
            place.ready, place.undone, place.hints = False, 0, 0
        self.number += 1
        self.undone, self.ticks, self.ask, self._before = 0, 0, None, None
        self.sheet, self.sheets, self.choices = [], {}, []
        if self.setup.start:
            news = self._play_on(Record.parse(self.setup.start))
        else:
            seed = self.setup.number or fair.seed(
                fair.secret_of(self.secret, self.number), self.id, self.number, self.entropy
            )
            self.match = new_match(self.setup, seed, auto=not self.stepwise)
            news = self._heard()
        self.stage = PLAYING
        self._happen(event, at, news=news)
        self._settle()

    def fill(self) -> None:
        """Bots take the free seats."""
        for seat, place in enumerate(self.places):
            if place.free:
                place.level, place.name = self.setup.fill, self._bot_name(seat, self.setup.fill)

    def _bot_name(self, seat: int, level: str) -> str:
        others = [place.name for other, place in enumerate(self.places) if other != seat]
        return cast.of_seat(level, seat, others).name if level else ""

    def _play_on(self, record: Record) -> tuple[Event, ...]:
        """Continue a match where its record ends; return the events of its last deal."""
        deal = len(record.keys["deals"])
        self.match = record.before(deal).resumed(auto=not self.stepwise)
        news = self._heard()
        acts = record.acts(deal)
        while (done := len(self.match.deals[-1].acts)) < len(acts):
            seat, move = acts[done]
            if self.real_time:
                moment = dict(acts[done : done + len(self.match.actors)])
                if moment.keys() != {*self.match.actors}:
                    break  # the record ends within a moment, whose moves are hidden
                self.match.tick([moment.get(seat, self.silence) for seat in range(self.match.seats)])
            elif self.stepwise and self.match.forced == (seat, move):
                self.match.force()
            else:
                self.match.play(move, seat)  # also plays the automatic moves after it
                self.choices.append((seat, 1))
            news += self._heard()
        return news

    def _settle(self) -> None:
        """Set the stage: the deal continues, or is over."""
        self.stage = PLAYING if self.current_match.actors else BETWEEN

    def _moved(self, event: ev.Moved, at: int) -> None:
        private = self._together
        acts = self.current_match.deals[-1].acts
        before = len(acts)
        if event.by == RULES:
            self.current_match.force()
        else:
            self.current_match.play(event.move, event.seat)
            self.choices.append((event.seat, sum(not act.forced for act in acts[before:])))
        self.ask = None
        self._happen(event, at, event.seat, event.by, news=self._heard(), private=private)
        self._settle()

    def _ticked(self, event: ev.Ticked, at: int) -> None:
        m = self.current_match
        for command in event.answers:
            self.done.note(command)
        self.ticks += 1
        if event.stalled:
            m.stall()
        else:
            m.tick(event.moves)
        self._happen(event, at, by="clock" if event.stalled else "", news=self._heard())
        self._settle()

    def _more_time(self, event: ev.MoreTime, at: int) -> None:
        self.extra = self.setup.turn
        self._happen(event, at, event.seat, private=self._together)

    def _hinted(self, event: ev.Hinted, at: int) -> None:
        self.places[event.seat].hints += 1

    def _undo_asked(self, event: ev.UndoAsked, at: int) -> None:
        self.ask = Ask(event.seat, event.steps, {}, at - self.since, self.extra)
        self._happen(event, at, event.seat, clock=True)

    def _undo_answered(self, event: ev.UndoAnswered, at: int) -> None:
        assert self.ask is not None
        self.ask.answers[event.seat] = event.yes
        by = "yes" if event.yes else "withdrawn" if event.seat == self.ask.seat else "no"
        self._happen(event, at, event.seat, by, clock=True)
        if not event.yes:
            self._deny(self.ask, at)

    def _deny(self, ask: Ask, at: int) -> None:
        """Refuse a request to take back: the clock resumes where it stood."""
        self.since, self.extra, self.ask = at - ask.spent, ask.extra, None
        if self.span:
            self.denied.add(ask.seat)

    def _undone(self, event: ev.Undone, at: int) -> None:
        assert self.ask is not None
        seat = self.ask.seat
        self.current_match.undo(event.steps)
        steps = event.steps
        while steps > 0 and self.choices:
            steps -= self.choices.pop()[1]
        self.undone += 1
        self.places[seat].undone += 1
        self.ask = None
        acts = len(self.current_match.deals[-1].acts)
        self.sheet, self.sheets = [line for line in self.sheet if line[1] <= acts], {}
        self._unready()
        self._happen(event, at, seat, news=self._heard())
        self._unseen = seat
        self._settle()

    def _unready(self) -> None:
        for place in self.places:
            place.ready = False

    def _ready(self, event: ev.Ready, at: int) -> None:
        self.places[event.seat].ready = True
        self._happen(event, at, event.seat)

    def _next_deal(self, event: ev.NextDeal, at: int) -> None:
        self._unready()
        self.sheet, self.sheets, self.choices = [], {}, []
        self.current_match.next_deal()
        self._happen(event, at, news=self._heard())
        self._settle()

    def _left(self, event: ev.Left, at: int) -> None:
        if self.stage in (LOBBY, CLOSED):
            if self.places[event.seat].owner == self.host and (
                others := [p.owner for p in self.places if p.owner and p.owner != self.host]
            ):
                self.host = others[0]  # somebody must be able to begin the match
            self.places[event.seat] = Place()
        elif not self.places[event.seat].owner:
            self.places[event.seat].lost = None
        else:
            place = self.places[event.seat]
            place.present, place.gone, place.left_at, place.ready, place.choices = False, event.gone, at, False, {}
            for other in self.places:
                other.choices.pop(event.seat, None)
            if self.ask and self.ask.seat == event.seat:
                self._deny(self.ask, at)
        self._happen(event, at, event.seat, "gone" if event.gone else "operator" if event.removed else "")

    def _returned(self, event: ev.Returned, at: int) -> None:
        place = self.places[event.seat]
        place.present, place.gone, place.left_at, place.stood_in, place.choices = True, False, 0, False, {}
        self._happen(event, at, event.seat)

    def _chosen(self, event: ev.Chosen, at: int) -> None:
        self.places[event.about].choices[event.seat] = event.choice
        self._happen(event, at, event.seat, event.choice)

    def _stood_in(self, event: ev.StoodIn, at: int) -> None:
        place = self.places[event.seat]
        place.stood_in, place.choices = True, {}
        self._happen(event, at, event.seat)

    def _hosted(self, event: ev.Hosted, at: int) -> None:
        self.host = self.places[event.seat].owner
        self._happen(event, at, event.seat)

    def _resumed(self, event: ev.Resumed, at: int) -> None:
        self.played = at
        self._happen(event, at, clock=True)

    def _resigned(self, event: ev.Resigned, at: int) -> None:
        self.current_match.resign(event.seat)
        self.ask = None
        self._happen(event, at, event.seat, "left" if event.left else "", news=self._heard())
        self._settle()

    def _said(self, event: ev.Said, at: int) -> None:
        if event.text:  # it is empty if its author's data was deleted
            self.chat.append(ChatLine(at, event.seat, event.text))
        del self.chat[:-KEPT_CHAT]
        self._happen(event, at, event.seat)

    def _renamed(self, event: ev.Renamed, at: int) -> None:
        before = self.places[event.seat].name
        self.places[event.seat].name = event.name
        self._happen(event, at, event.seat, by=before)

    def _reacted(self, event: ev.Reacted, at: int) -> None:
        self._happen(event, at, event.seat, by=event.reaction)

    def _ended(self, event: ev.Ended, at: int) -> None:
        self.stage = OVER
        self._unready()
        self._happen(event, at)

    def _closed(self, event: ev.Closed, at: int) -> None:
        self.stage, self.closed = CLOSED, event.reason
        self._happen(event, at, by="operator" if event.reason else "")


def new_match(setup: Setup, seed: str, *, auto: bool = True) -> Match:
    """The match of a setup; it waits after each deal. auto: it makes forced moves automatically."""
    options = dict[str, Any](setup.options)
    return Match(setup.title or setup.game, setup.seats, setup.preset, seed, auto=auto, pause=True, **options)


_DO: dict[type, Any] = {
    ev.Created: LiveTable._created,
    ev.Sat: LiveTable._sat,
    ev.BotSat: LiveTable._bot_sat,
    ev.Shuffling: LiveTable._shuffling,
    ev.Committed: LiveTable._committed,
    ev.Revealing: LiveTable._revealing,
    ev.Revealed: LiveTable._revealed,
    ev.Withheld: LiveTable._withheld,
    ev.Returning: LiveTable._returning,
    ev.Started: LiveTable._started,
    ev.Moved: LiveTable._moved,
    ev.Ticked: LiveTable._ticked,
    ev.MoreTime: LiveTable._more_time,
    ev.Hinted: LiveTable._hinted,
    ev.UndoAsked: LiveTable._undo_asked,
    ev.UndoAnswered: LiveTable._undo_answered,
    ev.Undone: LiveTable._undone,
    ev.Ready: LiveTable._ready,
    ev.NextDeal: LiveTable._next_deal,
    ev.Rematch: LiveTable._started,
    ev.Left: LiveTable._left,
    ev.Returned: LiveTable._returned,
    ev.Chosen: LiveTable._chosen,
    ev.StoodIn: LiveTable._stood_in,
    ev.Resigned: LiveTable._resigned,
    ev.Resumed: LiveTable._resumed,
    ev.Said: LiveTable._said,
    ev.Renamed: LiveTable._renamed,
    ev.Reacted: LiveTable._reacted,
    ev.Ended: LiveTable._ended,
    ev.Hosted: LiveTable._hosted,
    ev.Closed: LiveTable._closed,
}
