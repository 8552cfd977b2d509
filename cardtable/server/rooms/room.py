"""A room: one table in play, with an inbox. It checks, commits to the log, acknowledges and broadcasts, in this order.

Everything that concerns a table goes through its room's inbox, and at most one task works through it, so two things
never happen at one table at the same time. Only entries that are on disk change the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import msgspec

from cardtable.base.errors import CardtableError
from cardtable.base.message import as_data
from cardtable.bots import cast
from cardtable.rules.timing import RealTime
from cardtable.server import logs
from cardtable.server.clock import now
from cardtable.server.metrics import Metrics
from cardtable.server.net.admission import Admission
from cardtable.server.people.restrictions import Restrictions
from cardtable.server.people.site import TALK, Site
from cardtable.server.rooms import refusals, wire
from cardtable.server.rooms.broadcast import Peer, Telling, refuse
from cardtable.server.rooms.inbox import Inbox, Job
from cardtable.server.rooms.table_logs import TableLogs
from cardtable.server.settings import Settings
from cardtable.server.store.faults import Fault, Fenced, Overtaken, StoreError
from cardtable.server.store.listing import finished_of, row_of, seats_of, taken_back_of
from cardtable.server.store.store import Store
from cardtable.server.store.writes import Write
from cardtable.server.thinking.bots import Advised
from cardtable.server.thinking.protocol import TimedOutlook
from cardtable.server.thinking.thinking import Thinking
from cardtable.table import Entry, LiveTable, Refusal, decide, due, fair, projection
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table.decide import back, gone, new_host, next_time, why_not
from cardtable.table.live import BETWEEN, CLOSED, LOBBY, OVER, PLAYING, SHUFFLING
from cardtable.table.real_time import DroppedIntent, Outcome, TableClock

log = logging.getLogger("cardtable.server")
T = TypeVar("T")
#: factors for the least time of a bot's move, where one person plays alone
PACES = {"slow": 1.8, "normal": 1.0, "fast": 0.5, "instant": 0.0}
HASTE = 30  #: milliseconds that a bot takes in addition to the pace of a game in real time
#: names of the logged events
LOGGED = {
    ev.Started: "match.begun",
    ev.Rematch: "match.begun",
    ev.Ended: "match.ended",
    ev.Closed: "table.closed",
}
AGAIN = 2.0  #: seconds before a failed save is retried
MOST_OVERTAKEN = 5  #: how often a command is decided on again because another entry came first


@dataclass(frozen=True)
class Turn:
    """A bot's turn: the match, and the number of its view when it began to think.

    An answer for another turn is discarded.
    """

    seat: int
    match: int
    number: int


def _numbered(peer: Peer, command: cm.Command) -> ev.Numbered:
    """A peer's command, as the log keeps it."""
    return ev.Numbered(peer.owner, command.seq, peer.sender, command.digest)


class Keeper(Protocol):
    """Who keeps rooms: the hall."""

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something in the background."""

    def look_at_store(self) -> Fault | None:
        """Check whether the store can write, and notify all rooms of a change; return its fault."""

    def lose(self, room: Room) -> None:
        """Close a room whose table another process has: its players continue there."""

    def forget(self, room: Room) -> None:
        """Remove a room that is broken; its table is opened again from its log."""


@dataclass(frozen=True)
class Ports:
    """What rooms need of the server around them."""

    settings: Settings
    metrics: Metrics
    store: Store
    logs: TableLogs
    thinking: Thinking
    restrictions: Restrictions
    site: Site
    admission: Admission
    keeper: Keeper


class Room:
    """A table in play."""

    def __init__(self, ports: Ports, table: LiveTable, code: str, epoch: int = 0, fault: Fault | None = None) -> None:
        """epoch: of the table's lease; fault: why nothing can be saved now."""
        self.ports = ports
        self.table = table
        self.code = code
        self.epoch = epoch
        self.log_name = logs.shortened(table.id)
        self.peers: set[Peer] = set()
        self.callers: set[Peer] = set()  #: the peers, and those whose hello waits
        self.quiet_since = time.monotonic()
        self._inbox = Inbox(f"table {self.log_name}", self._done_one, self._failed)
        self._arbiter: TableClock | None = None  #: of a match in real time
        #: peers that wait for the answer to a command held by the arbiter
        self._intents: dict[ev.Numbered, Peer] = {}
        #: each sender's last failed intent, in case the answer gets lost
        self._dropped: dict[tuple[str, str], tuple[ev.Numbered, Refusal]] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: dict[int, tuple[Turn, asyncio.Task[None]]] = {}
        self._absences: dict[str, asyncio.TimerHandle] = {}
        self._leaves: dict[str, int] = {}  #: when people whose connection is lost will count as having left
        self._paces: dict[str, float] = {}  #: the bots' pace chosen by each person with a seat
        self.unasked: dict[int, tuple[int, int]] = {}  #: each seat's hints unasked: the number of the match, how many
        self.advice: dict[int, tuple[int, asyncio.Task[Advised]]] = {}  #: each seat's last hint, and for which turn
        #: each peer's last question whether anything useful is left, and for which turn
        self.outlooks: dict[Peer, tuple[int, asyncio.Task[TimedOutlook]]] = {}
        self._work: dict[Peer, set[asyncio.Task[Any]]] = {}  #: pending work for each peer
        self._asleep = True  #: no connections: clocks stand still
        self._writing: Future[None] | None = None  #: the last write given to the store
        self._fault = fault  #: why play is paused, as sent to the peers

    # The inbox

    def post(self, job: Job, peer: Peer | None = None) -> None:
        """Put a job into the inbox, with the time of its arrival. peer: who asked for it."""
        self._inbox.post(job, now(), peer.charge if peer else None)

    def _done_one(self) -> None:
        self._wake()
        if not self._inbox:
            self.table.views.forget()

    def _failed(self, error: Exception) -> None:
        """Handle a failed job: retry, or close the table."""
        if isinstance(error, Overtaken):
            log.warning("table %s: %s", self.log_name, error)
            self._later(0.0)
        elif isinstance(error, Fenced):
            self.ports.keeper.lose(self)
        elif isinstance(error, StoreError):
            log.error("table %s: not saved: %s", self.log_name, error)
            self.hold(error.fault)
            self.ports.keeper.look_at_store()
            self._later(AGAIN, self._retry)
        else:  # a fault of ours, or a broken log: other tables must continue, and the log has everything
            log.error("table %s is broken", self.log_name, exc_info=error)
            self.ports.keeper.forget(self)

    async def close(self) -> None:
        """End the task, the timers and the bots, and wait for an entry that the store is writing, as that cannot be
        undone.
        """
        running = self._inbox.close()
        for handle in (*self._absences.values(), self._timer):
            if handle:
                handle.cancel()
        tasks = [task for _, task in self._thinking.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, *([running] if running else []), return_exceptions=True)
        if self._writing is not None:
            await asyncio.gather(asyncio.wrap_future(self._writing), return_exceptions=True)

    # While nothing can be saved

    def hold(self, fault: Fault | None) -> None:
        """Notify all peers that play is paused, or that it resumes (None). No automatic event happens until
        `release`."""
        if fault != self._fault:
            self._fault = fault
            for peer in tuple(self.peers):
                peer.send(wire.text(wire.held(fault)))

    def release(self) -> None:
        """Resume: the database is writable again."""
        self.hold(None)
        self.post(self._go_on)

    @property
    def _held_up(self) -> bool:
        return self._fault is not None and self._fault.shared

    def _retry(self) -> None:
        """Resume after a failed write, unless the whole database has a fault; then the hall decides when."""
        if self.ports.keeper.look_at_store():
            self._later(AGAIN, self._retry)
        elif self._fault:
            self.release()

    async def _go_on(self) -> None:
        """Repeat the failed writes. The fault costs no thinking time: clocks run from now."""
        if self.peers:
            self._asleep = True
            await self._arrive(self._online())

    # Requests of peers

    def hello(self, peer: Peer, version: int, sender: str = "") -> None:
        """Connect a peer to the table; it is sent everything, or the changes since a version. sender: the sender id
        of its commands.
        """
        self.callers.add(peer)
        self.post(lambda: self._hello(peer, version, sender), peer)

    async def _hello(self, peer: Peer, version: int, sender: str) -> None:
        table, peer.sender = self.table, sender
        if kick := self.ports.restrictions.kick_of(peer.owner, table.id):
            refuse(peer, kick.refusal)
            return
        if (
            not table.setup.watched
            and table.seat_of(peer.owner) is None
            and table.lost_by(peer.owner) is None
            and peer.owner != table.host
            and table.stage != LOBBY
        ):
            refuse(peer, refusals.PRIVATE)
            return
        online = self._online()
        # unknown to the others so far; spectators after the first change nothing for them
        came = peer.owner not in online and (table.seat_of(peer.owner) is not None or not table.watched_by(online))
        self.peers.add(peer)
        self._expect(peer.owner, False)
        peer.version = version if projection.gap(table, table.viewer_of(peer.owner), version) is not None else 0
        peer.sheet = None
        if self._fault:
            peer.send(wire.text(wire.held(self._fault)))
        try:
            await self._arrive({peer.owner})
        except StoreError:  # its missed updates can be sent in any case
            self._telling().one(peer)
            raise
        self._telling().one(peer)
        if came:
            await self._telling().all(self.peers - {peer})

    async def _arrive(self, owners: set[str]) -> None:
        """Write what follows from the arrival of people."""
        await self._awake()
        for owner in owners:
            if event := back(self.table, owner):
                await self.write(event)
        self._expect_absent()  # people who went away while there were no connections or the server was down
        await self.follow()

    async def _awake(self) -> None:
        """After a time without connections, or without the server: clocks run again from now, also if the log is of a
        later time because the wall clock was set back.
        """
        if self._asleep:
            table, timed = self.table, (PLAYING, BETWEEN)
            clocks = table.setup.turn or table.span or table.since > now()
            if table.stage == SHUFFLING or (table.stage in timed and clocks):
                await self.write(ev.Resumed())
            self._asleep = False

    def bye(self, peer: Peer) -> None:
        """A peer has disconnected; if it was a person's last connection, they are away, and after some time count as
        having left.
        """
        self.callers.discard(peer)
        self.outlooks.pop(peer, None)
        for task in self._work.pop(peer, ()):
            task.cancel()
        self.post(lambda: self._bye(peer))

    def work_for(self, peer: Peer, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Work something out for a peer, in the background, until it leaves."""
        task = self.ports.keeper.spawn(work)
        if peer in self.callers:
            tasks = self._work.setdefault(peer, set())
            tasks.add(task)
            task.add_done_callback(tasks.discard)
        else:  # it has left while its question waited
            task.cancel()
        return task

    async def _bye(self, peer: Peer) -> None:
        self.peers.discard(peer)
        self.quiet_since = time.monotonic()
        if not self.peers:
            self._asleep = True
            self._forget_intents()
        if peer.owner in (online := self._online()):
            return
        seated = self.table.seat_of(peer.owner) is not None
        if seated or peer.owner == self.table.host:
            self._expect(peer.owner, True)
        if seated or not self.table.watched_by(online):
            await self._telling().all(self.peers)

    def _expect_absent(self) -> None:
        """Start the timers for everybody in the match who is not connected; before it, for the host."""
        online = self._online()
        if self.table.stage == LOBBY and self.table.host not in online:
            self._expect(self.table.host, True)
        for place in self.table.places if self.table.stage in (PLAYING, BETWEEN) else ():
            if place.here and place.owner not in online:
                self._expect(place.owner, True)

    def _expect(self, owner: str, away: bool) -> None:
        """A person's connection is lost (away), so start to wait for them for some time; or they are here again."""
        if away and owner not in self._absences:
            wait = self.ports.settings.absence
            self._absences[owner] = asyncio.get_running_loop().call_later(wait, self.post, lambda: self._gone(owner))
            self._leaves[owner] = now() + int(1000 * wait)
        elif not away and (handle := self._absences.pop(owner, None)):
            handle.cancel()
            self._leaves.pop(owner, None)

    async def _gone(self, owner: str) -> None:
        """Handle a person who has been away too long; ignored at a table without connections."""
        self._absences.pop(owner, None)
        self._leaves.pop(owner, None)
        if owner in (online := self._online()) or not self.peers:
            return
        if self.table.stage == LOBBY:
            if owner == self.table.host and (event := new_host(self.table, online)):
                await self.write(event)
                await self.follow()
            self._expect_absent()  # perhaps somebody sits down meanwhile
        elif self.table.stage not in (CLOSED, OVER):
            with contextlib.suppress(CardtableError):
                await self.write(gone(self.table, owner))
            await self.follow()

    def command(self, peer: Peer, command: cm.Command) -> None:
        """A peer's command."""
        self.post(lambda: self._command(peer, command), peer)

    def _barred(self, owner: str, command: cm.Command) -> Refusal | None:
        """The reason why the operator's decision forbids a command; None: it is allowed."""
        restrictions = self.ports.restrictions
        decided = restrictions.mute_of(owner) if isinstance(command, TALK) else None
        decided = decided or restrictions.kick_of(owner, self.table.id)
        return decided.refusal if decided else self.ports.site.barred(command, self.table)

    async def _command(self, peer: Peer, command: cm.Command) -> None:
        if barred := self._barred(peer.owner, command):
            return refuse(peer, barred, command.seq)
        if isinstance(command, cm.PlayMove) and self.table.real_time and self.table.stage == PLAYING:
            return await self._intend(peer, command)
        count = self.ports.metrics.commands
        try:
            answer = await self._done(peer, command)
        except StoreError as error:
            refuse(peer, refusals.not_saved(error.fault), command.seq)
            raise
        if isinstance(answer, Refusal):
            refuse(peer, answer, command.seq)
            count.labels("refused").inc()
            return None
        peer.send(wire.text(wire.CommandDone(command.seq, again=answer is None)))
        count.labels("again" if answer is None else "done").inc()
        if answer is not None:
            await self.follow()

    async def _done(self, peer: Peer, command: cm.Command) -> ev.Event | Refusal | None:
        """Execute a command; return its event, a refusal, or None if it was done before. Raises StoreError.

        If the table's log already has an entry unknown to us, the command is decided again after that one: it may be
        this command itself, if its success was not reported.
        """
        tries = MOST_OVERTAKEN
        while True:
            tries -= 1
            try:
                answer = decide(self.table, peer.owner, command, peer.sender)
            except Exception:  # a fault of ours: this table continues, like all others
                log.exception("table %s: %s", self.log_name, type(command).__name__)
                return refusals.FAULT
            if answer is None or isinstance(answer, Refusal):
                return answer
            try:
                await self.write(answer, _numbered(peer, command))
            except Overtaken:
                if not tries:
                    raise
            else:
                return answer

    # In real time

    async def _intend(self, peer: Peer, command: cm.PlayMove) -> None:
        """A person's move where people play at once: it is answered when the arbiter has resolved it."""
        table, numbered, count = self.table, _numbered(peer, command), self.ports.metrics.commands
        sender, seat = (peer.owner, peer.sender), table.seat_of(peer.owner)
        if numbered in self._intents:  # sent again while it is held
            self._intents[numbered] = peer
            return None
        try:
            done = table.done.has(peer.owner, peer.sender, command)
            held = max((one.seq for one in self._intents if (one.owner, one.sender) == sender), default=0)
            if command.seq <= held and not done:
                raise cm.NumberUsed(command.seq, held)
        except CardtableError as error:
            dropped, why = self._dropped.get(sender, (None, None))
            refusal: Refusal | None = why if why and dropped == numbered else Refusal.of(error)
        else:
            if done:
                count.labels("again").inc()
                return peer.send(wire.text(wire.CommandDone(command.seq, again=True)))
            refusal = refusals.NO_SEAT if seat is None else refusals.AWAY if table.standing else None
        if refusal is not None:
            count.labels("refused").inc()
            return refuse(peer, refusal, command.seq)
        assert seat is not None
        self._intents[numbered] = peer
        await self._resolve(self._clockwork().intend(seat, numbered, command.move, self._inbox.at))
        await self.follow()

    def _clockwork(self) -> TableClock:
        """The arbiter of the match."""
        if self._arbiter is None or not self._arbiter.fits(self.table):
            self._forget_intents()
            self._arbiter = TableClock(self.table, self._inbox.at)
        return self._arbiter

    def _forget_intents(self) -> None:
        """Forget held intents: they were not acknowledged, so players send them again, to a new arbiter."""
        if self._arbiter is not None:
            self._intents = {one: peer for one, peer in self._intents.items() if not self._arbiter.holds(one)}
            self._arbiter = None

    async def _resolve(self, outcomes: list[Outcome]) -> None:
        """Write the ticks, and answer the peers whose intents they resolve. Raises StoreError."""
        count = self.ports.metrics.commands
        for outcome in outcomes:
            if isinstance(outcome, DroppedIntent):
                thinking = self._thinking.get(outcome.seat)
                command = outcome.command
                if thinking and command is None:
                    del self._thinking[outcome.seat]
                if command and (peer := self._intents.pop(command, None)):
                    self._dropped[command.owner, command.sender] = command, outcome.refusal
                    refuse(peer, outcome.refusal, command.seq)
                    count.labels("refused").inc()
                continue
            try:
                await self.write(outcome)
            except StoreError as error:
                waiting, self._intents, self._arbiter = self._intents, {}, None
                for one, peer in waiting.items():
                    refuse(peer, refusals.not_saved(error.fault), one.seq)
                raise
            for one in outcome.answers:
                if peer := self._intents.pop(one, None):
                    peer.send(wire.text(wire.CommandDone(one.seq)))
                    count.labels("done").inc()

    async def _run_clock(self) -> None:
        """Advance the arbiter's time, at a real-time table with connections."""
        table = self.table
        if not (table.real_time and table.stage == PLAYING and self.peers) or table.standing:
            self._forget_intents()
            return
        await self._resolve(self._clockwork().advance(self._inbox.at))

    def why(self, peer: Peer, moves: list[str]) -> None:
        """A peer asks why moves are illegal."""
        self.post(lambda: self._why(peer, moves), peer)

    def _why(self, peer: Peer, moves: list[str]) -> None:
        reasons = {}
        for move in moves:
            try:
                no = why_not(self.table, peer.owner, move)
            except Exception:  # as for commands: text that a game's presentation cannot parse must do no harm
                log.exception("table %s: why not %r", self.log_name, move[:40])
                no = refusals.FAULT
            if no:
                reasons[move] = wire.MoveReason(as_data(no.what), as_data(no.why), as_data(no.can), no.rule)
        peer.send(wire.text(wire.Because(self.table.numbers[self.table.viewer_of(peer.owner)], reasons)))

    def pace(self, peer: Peer, speed: str) -> None:
        """Set the bots' pace for a peer; it applies where they are the only person."""
        self.post(lambda: self._take_pace(peer, speed), peer)  # after earlier commands, such as taking the seat

    def _take_pace(self, peer: Peer, speed: str) -> None:
        if self.table.seat_of(peer.owner) is not None:
            self._paces[peer.owner] = PACES[speed]

    # The log

    async def write(self, event: ev.Event, command: ev.Numbered | None = None) -> None:
        """Apply an event: first on disk, then at the table. command: its cause. Raises StoreError."""
        table = self.table
        entry = Entry(table.version + 1, now(), event, *(msgspec.structs.astuple(command) if command else ()))
        finished = finished_of(table, entry.at) if isinstance(event, ev.Ended) else None
        row, seats = row_of(table, event, entry.at), seats_of(table, event)
        back_in = taken_back_of(table, event)
        write = Write(table.id, entry, row, finished=finished, seats=seats, epoch=self.epoch, taken_back=back_in)
        began = time.perf_counter()
        try:
            self._writing = self.ports.store.append(write)
            await self.ports.logs.saved(self._writing)
            self._writing = None
        except Overtaken:
            log.warning("table %s: another process wrote version %d", self.log_name, entry.version)
            self.table = await self.ports.logs.folded(table.id)
            raise
        self.ports.metrics.commit.observe(time.perf_counter() - began)
        lost = table.places[event.seat].owner if isinstance(event, ev.Withheld) else ""
        moved = event.owner if isinstance(event, ev.Sat) else lost
        if isinstance(event, (ev.Started, ev.Rematch)) and table.long_start:
            self.table = await self.ports.logs.folded(table.id)  # in a thread, so that the others need not wait
        else:
            table.apply(entry)
        if self._fault and not self._fault.shared:
            self.hold(None)
        if isinstance(event, (ev.Started, ev.Rematch, ev.Left)):
            self._expect_absent()
        for peer in self.peers if moved else ():
            if peer.owner == moved:  # a spectator's versions are other ones than a seat's
                peer.version = 0
        if kind := LOGGED.get(type(event)):
            logs.event(kind, table=self.log_name, game=table.setup.game, match=self.table.number)

    async def follow(self) -> None:
        """Execute everything that is due, then notify everybody. While play is paused, nothing is due."""
        if not self._held_up:
            await self._run_clock()
        while not self._held_up and (event := due(self.table, now(), self._beat())):
            await self.write(event)
        table = self.table
        await self._telling().all({p for p in self.peers if table.numbers[table.viewer_of(p.owner)] != p.version})

    def _online(self) -> set[str]:
        return {peer.owner for peer in self.peers}

    def _telling(self) -> Telling:
        return Telling(self.table, self._online(), self._leaves)

    # Time and bots

    def _wake(self) -> None:
        """After each job: start bots, and set the timer for the next due event."""
        if self._held_up:
            return
        self._let_bots_think()
        times = (next_time(self.table, self._beat()), self._arbiter.due if self._arbiter else 0) if self.peers else ()
        at = min((time for time in times if time), default=0)
        if self._timer:
            self._timer.cancel()
            self._timer = None
        if at:
            self._later(max(0.0, (at - now()) / 1000) + 0.002)

    def _later(self, seconds: float, job: Callable[[], object] | None = None) -> None:
        """Schedule a job after some time, by default the due events."""
        if self._timer:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(seconds, self.post, job or self.follow)

    def _let_bots_think(self) -> None:
        for seat in self.table.bot_seats() if self.peers else ():
            turn = Turn(seat, self.table.number, self.table.turns[seat])
            thinking = self._thinking.get(seat)
            if self.table.real_time:  # a bot continues to think although others act meanwhile
                if (self._arbiter and self._arbiter.waits(seat)) or (
                    thinking and (thinking[0] == turn or not thinking[1].done())
                ):
                    continue
            if thinking is None or thinking[0] != turn:
                if thinking:
                    thinking[1].cancel()
                self._thinking[seat] = turn, asyncio.create_task(self._think(turn))

    async def _think(self, turn: Turn) -> None:
        """A bot's decision."""
        table, bots = self.table, self.ports.thinking.bots
        began = time.monotonic()
        seed = fair.bot_seed(table.secret, table.number, turn.seat)
        try:
            move = await bots.choose(
                table.views[turn.seat],
                table.level(turn.seat),
                seed,
                least=self._pace(turn.seat),
                haste=min(1.0, self._haste()),
            )
        except Exception:  # if a bot fails, the heuristic still gives a move
            log.exception("table %s: a bot failed", self.log_name)
            move = await bots.choose(table.views[turn.seat], "medium", seed, least=self._pace(turn.seat))
        self.ports.metrics.bots.observe(time.monotonic() - began)
        self.post(lambda: self._bot_moves(turn, move))

    def _pace(self, seat: int) -> float:
        """The least number of seconds that a bot takes, by its temper; in real time, enough for the arbiter not to find
        it too fast.
        """
        table, place = self.table, self.table.places[seat]
        who = cast.named(place.name) if place.level else None
        pace = self.ports.settings.bot_pace * (who.pace if who else 1.0)
        if not isinstance(table.timing, RealTime) or table.match is None:
            return pace * self._haste()
        return max(pace, (table.timing.pace(table.match.options) + HASTE) / 1000)

    def _haste(self) -> float:
        """The factor for the time of everything that people only watch, as set by a person who plays alone."""
        people = {place.owner for place in self.table.places if place.owner}
        return self._paces.get(people.pop(), 1.0) if len(people) == 1 else 1.0

    def _beat(self) -> int:
        """Milliseconds for which a forced move is shown before the next one follows."""
        return int(1000 * self.ports.settings.beat * self._haste())

    async def _bot_intends(self, turn: Turn, move: str) -> None:
        """A bot's intent where people play at once; if it is to wait, the bot does nothing until the table changes."""
        table = self.table
        if turn.seat not in table.bot_seats() or turn.match != table.number:
            self._thinking.pop(turn.seat, None)
            return
        if move != table.silence:
            self._thinking.pop(turn.seat, None)
            await self._resolve(self._clockwork().intend(turn.seat, None, move, self._inbox.at))
            await self.follow()

    async def _bot_moves(self, turn: Turn, move: str) -> None:
        table = self.table
        if table.real_time:
            return await self._bot_intends(turn, move)
        thinking = self._thinking.get(turn.seat)
        if thinking and thinking[0] == turn:
            del self._thinking[turn.seat]
        if turn == Turn(turn.seat, table.number, table.turns[turn.seat]) and turn.seat in table.bot_seats():
            await self.write(ev.Moved(turn.seat, move, "bot"))
            await self.follow()
