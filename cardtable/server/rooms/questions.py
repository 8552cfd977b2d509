"""A player's questions about their own play at a table with hints: the best move, whether any useful move is left,
and the value of their decisions in the last deal, all judged by what they know or knew; and whether the game can
still be won, for which the solver uses the hidden cards. The answers are private. Results of reviews are stored for
the person's statistics.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import msgspec

from cardtable.base.errors import CardtableError
from cardtable.base.message import Message, as_data
from cardtable.match.history import PlayedMove
from cardtable.review.winnable import told
from cardtable.server.clock import now
from cardtable.server.net.fair_queue import Busy, TooMany
from cardtable.server.rooms import refusals, wire
from cardtable.server.rooms.broadcast import Peer, refuse
from cardtable.server.rooms.room import Room
from cardtable.server.store import decisions
from cardtable.server.store.database import in_database
from cardtable.server.store.faults import StoreError
from cardtable.server.thinking.bots import Advised
from cardtable.server.thinking.protocol import TimedOutlook
from cardtable.server.thinking.review_answers import ReviewSeen
from cardtable.server.thinking.solving import Match, place
from cardtable.table import LiveTable, fair, projection
from cardtable.table import events as ev
from cardtable.table.commands import Refusal
from cardtable.views.view import View

log = logging.getLogger("cardtable.server")
T = TypeVar("T")
UNASKED = 6  #: hints that a table gives a player unasked in one match
MOST_OWED = 0.5  #: seconds of work elsewhere that somebody pays for, so that their next question need not wait for long
PATIENCE = 120.0  #: seconds for which one request is answered
WHAT = Message("the review of the deal")
LEFT = Message("whether anything useful is left")
STILL = Message("whether it can still be won")


def no_review(table: LiveTable, viewer: int) -> Refusal | None:
    """Why a viewer's decisions in the last deal are not reviewed; None: they are."""
    if "review" in projection.may(table, viewer, False):
        return None
    if viewer == table.spectator:
        why = Message("you have no seat at this table")
    elif not table.setup.hints:
        why = Message("at this table there are no hints")
    else:
        why = Message("no deal has just been played")
    return Refusal("table/review", WHAT, why, Message("ask after a deal, before the next one begins"))


async def review(room: Room, peer: Peer) -> None:
    """Send a peer the values of their decisions in the last deal: in portions, until all are judged or they have
    gone.
    """
    viewer = room.table.viewer_of(peer.owner)
    if refusal := no_review(room.table, viewer):
        return refuse(peer, refusal)
    match = room.table.match
    assert match is not None
    deal = Played(room.table.number, len(match.deals), tuple(match.deals[-1].acts))
    text = await _in_thread(room, peer, lambda: str(match.record()))
    room.work_for(peer, _portions(room, peer, text, deal, viewer))


@dataclass(frozen=True)
class Played:
    """A deal that is reviewed as it was played: the number of its match at the table, its own, and its acts."""

    match: int
    number: int
    acts: tuple[PlayedMove, ...]

    def stands(self, table: LiveTable) -> bool:
        """Whether nothing of it has been taken back."""
        m = table.match
        return (
            m is not None
            and table.number == self.match
            and self.number <= len(m.deals)
            and tuple(m.deals[self.number - 1].acts) == self.acts
        )


async def _portions(room: Room, peer: Peer, text: str, deal: Played, seat: int) -> None:
    until = time.monotonic() + PATIENCE
    with _answering(room, peer):
        while peer in room.peers and time.monotonic() < until:
            review = await room.ports.thinking.reviews.ask(peer.owner, peer.address, text, deal.number, seat)
            room.post(partial(_keep, room, peer.owner, deal, review))  # nothing is taken back while this is done
            peer.send(wire.text(wire.Reviewed(msgspec.convert(review, ReviewSeen))))
            if review["complete"]:
                break


async def _keep(room: Room, owner: str, deal: Played, review: dict[str, Any]) -> None:
    """Store a review's results so far for the person's statistics, if the match counts there."""
    if not room.table.setup.start and deal.stands(room.table):
        place = room.ports.store, owner, room.table.id, deal.match
        most = room.ports.settings.decisions_kept
        await in_database(decisions.quietly, decisions.keep_of_table, *place, review, now(), most)


@contextlib.contextmanager
def _answering(room: Room, peer: Peer) -> Iterator[None]:
    """Turn an error of the work into the answer; the table continues."""
    try:
        yield
    except TooMany as error:  # its code means to clients at a table that they cannot come in at all
        refuse(peer, replace(Refusal.of(error), code=Busy.code))
    except CardtableError as error:
        refuse(peer, Refusal.of(error))
    except Exception:  # a fault of ours
        log.exception("table %s: an answer failed", room.log_name)
        refuse(peer, refusals.FAULT)


def outlook(room: Room, peer: Peer) -> None:
    """Send a peer whether any useful move is left. It is computed in a process, once for a position, while the table
    continues.
    """
    table = room.table
    viewer = table.viewer_of(peer.owner)
    if table.match is None or "outlook" not in projection.may(table, viewer, False):
        refusal = Refusal("table/outlook", LEFT, Message("at this table nobody can tell, or it is not your turn"))
        return refuse(peer, refusal)
    turn, known = table.turns[viewer], room.outlooks.get(peer)
    if known is None or known[0] != turn:
        view = table.views[viewer]
        work = _look_ahead(room, peer, view.game.name, view.state.tobytes(), viewer)
        known = room.outlooks[peer] = turn, room.work_for(peer, work)
    room.work_for(peer, _foreseen(room, peer, table.numbers[viewer], known[1]))


async def _look_ahead(room: Room, peer: Peer, game: str, state: bytes, viewer: int) -> TimedOutlook:
    answer = await room.ports.thinking.workers.do(peer.address, "foreseen", game, state, viewer)
    outlook = msgspec.json.decode(answer, type=TimedOutlook)
    peer.owes(min(outlook.seconds, MOST_OWED))
    return outlook


async def _foreseen(room: Room, peer: Peer, version: int, work: asyncio.Task[TimedOutlook]) -> None:
    with _answering(room, peer):
        try:
            outlook = await asyncio.shield(work)
        except Exception:
            room.outlooks.pop(peer, None)  # it is tried again when the peer asks again
            raise
        peer.send(wire.text(wire.Foreseen(version, outlook.useful, outlook.says, tuple(outlook.moves))))


async def hint(room: Room, peer: Peer, unasked: bool = False) -> None:
    """Send a peer a hint. Repeated in the same position, it is neither searched nor counted again.

    unasked: the program asks, not the person. That is never counted as help, so there are few such hints, and none
    where results of several people are compared.
    """
    table, viewer = room.table, room.table.viewer_of(peer.owner)
    if "hint" not in projection.may(table, viewer, False):
        none = Message("at this table there are no hints")
        why = Message("it is not your turn") if table.setup.hints else none
        return refuse(peer, Refusal("table/hint", Message("a hint"), why))
    turn, known = table.turns[viewer], room.advice.get(viewer)
    if known is None or known[0] != turn:
        if not unasked:
            await _count_hint(room, peer, viewer)
        elif not _gives_unasked(room, viewer):
            return refuse(peer, Refusal("table/unasked", Message("a hint"), Message("nobody has asked for it")))
        seed = fair.bot_seed(table.secret, table.number, viewer)
        work = room.ports.thinking.hint(room.table.views[viewer], seed, peer.address)
        known = room.advice[viewer] = turn, room.ports.keeper.spawn(work)
    room.ports.keeper.spawn(_advise(room, peer, room.table.numbers[viewer], room.table.views[viewer], known[1]))


def _gives_unasked(room: Room, viewer: int) -> bool:
    """Whether a seat gets one more hint in this match that nobody asked for; it is counted here."""
    table = room.table
    company = any(place.owner and place is not table.places[viewer] for place in table.places)
    match, given = room.unasked.get(viewer, (table.number, 0))
    given = given if match == table.number else 0
    if table.setup.daily or company or given >= UNASKED:
        return False
    room.unasked[viewer] = table.number, given + 1
    return True


async def _advise(room: Room, peer: Peer, version: int, view: View, work: asyncio.Task[Advised]) -> None:
    with _answering(room, peer):
        try:
            advice = await asyncio.shield(work)
        except Exception:
            room.advice.clear()  # it is tried again when somebody asks again
            raise
        says = as_data(view.advice(advice.steps).says)
        peer.send(wire.text(wire.Advice(version, advice.move, advice.steps, advice.values, says)))


async def _count_hint(room: Room, peer: Peer, viewer: int) -> None:
    """Write down that a seat was helped. Raises StoreError."""
    try:
        await room.write(ev.Hinted(viewer))
    except StoreError as error:
        refuse(peer, refusals.not_saved(error.fault))
        raise


async def winnable(room: Room, peer: Peer) -> None:
    """Send a peer whether the game can still be won, and the next moves of a solution. It counts as a hint, once for
    a position, and is solved in a process while the table continues.
    """
    viewer = room.table.viewer_of(peer.owner)
    if "winnable" not in projection.may(room.table, viewer, False):
        refusal = Refusal("table/winnable", STILL, Message("at this table nobody can tell, or it is not your turn"))
        return refuse(peer, refusal)
    if room.ports.thinking.solutions.fresh(room.table):
        await _count_hint(room, peer, viewer)
    match = room.table.match
    assert match is not None
    text = await _in_thread(room, peer, lambda: str(match.record()))
    view, version = room.table.views[viewer], room.table.numbers[viewer]
    room.work_for(peer, _winnable(room, peer, version, view, *place(room.table), text))


async def _winnable(
    room: Room, peer: Peer, version: int, view: View, key: Match, played: tuple[str, ...], text: str
) -> None:
    with _answering(room, peer):
        solution = await room.ports.thinking.solutions.ask(peer.address, key, played, text)
        peer.owes(min(solution.seconds, MOST_OWED))
        says = told(solution, view.advice(solution.moves[:1]).do if solution.moves else None)
        peer.send(wire.text(wire.SolutionSent(version, solution.status, as_data(says), solution.moves)))


async def _in_thread(room: Room, peer: Peer, work: Callable[[], T]) -> T:
    """Run some work in a thread, charged to the asker."""

    def timed() -> tuple[T, float]:
        began = time.thread_time()
        return work(), time.thread_time() - began

    result, seconds = await asyncio.to_thread(timed)
    peer.owes(seconds)
    room.ports.admission.worked(seconds)
    return result
