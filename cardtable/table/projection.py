"""One viewer's view of a table, for the wire: structures that list every field, filled from a redacted view.

Only fields defined here leave the server.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from cardtable.base.message import as_data
from cardtable.bots import cast
from cardtable.rules.events import EventSeen
from cardtable.rules.moves import MoveData, RefusedData
from cardtable.rules.ruleset import FacesSeen
from cardtable.rules.zones import ZoneSeen
from cardtable.table import fair
from cardtable.table.live import BETWEEN, CLOSED, LOBBY, OVER, PLAYING, SHUFFLING, Happening, LiveTable
from cardtable.views.view import counted


class HappeningSeen(msgspec.Struct, frozen=True, omit_defaults=True):
    """One change of the table, as this viewer may know it."""

    number: int  #: of the change for this viewer, from 1
    #: created, sat, bot-sat, shuffling, committed, revealing, revealed, withheld, returning, started, moved, ticked,
    #: more-time, hinted, undo-asked, undo-answered, undone, ready, next-deal, rematch, left, returned, chosen,
    #: stood-in, hosted, resumed, resigned, said, renamed, reacted, ended, closed
    kind: str
    at: int  #: milliseconds since 1970
    seat: int | None = None  #: whose change it is; omitted: nobody's, or this viewer may not know
    #: of a move: person, bot, clock or rules (it was forced); of a lost connection: gone; of a choice, an answer or a
    #: reaction: its value; of withheld and returning: the name of the player whose seat was given to a bot
    by: str = ""
    events: tuple[EventSeen, ...] = ()  #: the events of the move


class SeatSeen(msgspec.Struct, frozen=True):
    """A seat and who has it."""

    seat: int  #: from 0
    name: str  #: of the person or bot; empty: the seat is free
    kind: str  #: person, bot or free
    level: str  #: of a bot
    temper: str  #: of a bot, which determines its time for a move (cardtable/bots/cast.py)
    present: bool  #: the person has not left
    online: bool  #: the person is connected
    stood_in: bool  #: a bot plays for the person
    ready: bool  #: for the next deal or match, or for a match that the host begins
    choices: dict[int, str]  #: the person's choice about each seat whose owner has left
    commitment: str  #: to its entropy for the shuffle of this match; "": the seat has no part in it
    entropy: str  #: shown when the match begins
    leaves: int  #: when a lost connection will count as having left (milliseconds since 1970); 0: it is not lost
    left: int  #: when the person left; 0: they have not left
    ends: int  #: when they will have resigned, as the others have chosen; 0: never
    host: bool  #: the person begins the match
    returning: bool  #: a person who lost the seat by withholding their entropy gets it back when the match is over


class PromptSeen(msgspec.Struct, frozen=True):
    """What the viewer is asked."""

    ask: Any  #: the question, a message
    rule: str  #: the ID of the rule behind it; empty: none


class CountedSeen(msgspec.Struct, frozen=True):
    """What a seat has received or paid in a deal, for one reason."""

    seat: int  #: from 0
    why: Any  #: the reason, a message
    amount: int  #: what the seat has received; below 0: paid
    times: int  #: how often, for this reason


class DealSeen(msgspec.Struct, frozen=True):
    """The result of a finished deal."""

    deal: int  #: the number of the deal, from 1
    winner: int | None  #: the seat that won it; null: none
    gained: tuple[int, ...]  #: what it added to each seat's score
    scores: tuple[int, ...]  #: of each seat after it


class ViewSeen(msgspec.Struct, frozen=True):
    """The match, as this viewer may know it."""

    deal: int  #: the number of the deal, from 1
    dealer: int  #: the seat
    actors: tuple[int, ...]  #: the seats to act
    hand: list[str]  #: the cards of this viewer, in notation; empty: the viewer has no seat
    legal: list[str]  #: the moves of this viewer, in notation
    choices: list[MoveData]  #: the legal moves in the form for people
    prompt: PromptSeen | None  #: the prompt; null: it is not this viewer's choice
    refused: list[RefusedData]  #: moves that a person would expect now, but that are not allowed
    zones: list[ZoneSeen]  #: the places on the table, to be drawn
    scores: tuple[int, ...]  #: of each seat
    sheet: list[EventSeen]  #: payments, captures, points and cards shown in this deal, after the first `sheet_since`
    results: list[DealSeen]  #: of the finished deals of this match
    #: the reasons for the scores of the finished deal; empty during a deal
    counted: list[CountedSeen]
    lowest_wins: bool  #: the lowest score is the best
    winners: tuple[int, ...]  #: of the match, when it is over
    resigned: int | None  #: the seat that gave up the match
    sheet_since: int = 0  #: how many events of the sheet the receiver has already


class ChatSeen(msgspec.Struct, frozen=True):
    """A line of chat."""

    at: int  #: when, milliseconds since 1970
    seat: int  #: who said it
    text: str  #: as it was said


class AskSeen(msgspec.Struct, frozen=True):
    """A request to take moves back."""

    seat: int  #: who asks
    agreed: tuple[int, ...]  #: the seats that have agreed


class FairSeen(msgspec.Struct, frozen=True):
    """The server's commitment to the shuffle of this match, or before it of the next one."""

    commitment: str  #: the SHA-256 of the secret
    secret: str  #: in hexadecimal digits; empty until the match is over


class TableSeen(msgspec.Struct, frozen=True):
    """The table, without the cards."""

    id: str  #: for requests
    game: str  #: the name of the game, for requests
    title: str  #: of the game, for people
    preset: str  #: the preset of the game
    options: dict[str, Any]  #: house rules that differ from the preset's
    faces: FacesSeen | None  #: of the cards; null: no match has begun
    clock: str  #: none, relaxed (60 s a turn) or brisk (15 s)
    #: seconds until the clock answers for the silent seats, where several answer at the same time; 0: it waits for all
    window: int
    live: bool  #: people play at once
    undo: str  #: taking back: consent (if the others agree) or never
    hints: bool  #: players may ask for hints, for answers of the solver, and for reviews between deals
    aids: bool  #: players may switch on aids to the memory
    begins: str  #: full: the first match begins as soon as every seat is taken; host: when the host starts it
    number: str  #: the number of a numbered deal
    winnable: bool  #: the game's solver wins the numbered deal, and the table has chosen it for this
    daily: str  #: the date of a deal of the day; its number is not shown
    played_on: bool  #: the match began in the middle of another
    #: lobby, shuffling (a match is about to begin), playing, between (two deals: wait for `ready`), over, closed
    stage: str
    closed: str  #: the operator's reason for closing the table
    match: int  #: the number of matches begun at this table
    seats: list[SeatSeen]  #: in their order
    watching: bool  #: somebody without a seat is connected
    you: int | None  #: your seat
    lost: int | None  #: the seat that you lost by withholding your entropy, and can have again
    host: bool  #: you are the host
    seq: int  #: of this sender's last command that was done
    #: when the seats that are to act, or to answer a request to take back, run out of time, milliseconds since 1970; 0:
    #: there is no limit
    deadline: int
    span: int  #: the clock's whole time until then, in milliseconds
    may: list[str]  #: the commands that you can use now
    ask: AskSeen | None  #: an open request to take back
    undone: int  #: how often something was taken back in this match
    fair: FairSeen  #: empty where the cards are known
    chat: list[ChatSeen]  #: the latest lines, the oldest first


def happening_seen(table: LiveTable, happening: Happening, viewer: int) -> HappeningSeen:
    """A happening, for a viewer who sees it."""
    seat = None if viewer == table.spectator else viewer
    events = tuple(event.seen_by(seat).data for event in happening.events)
    known = not happening.private or happening.seat == viewer
    who, by = (happening.seat, happening.by) if known else (None, "")
    return HappeningSeen(happening.numbers[viewer], happening.kind, happening.at, who, by, events)


def gap(table: LiveTable, viewer: int, version: int) -> list[HappeningSeen] | None:
    """The updates missed by a viewer who has seen everything up to `version`; None: too many, or that version is not
    of this table.
    """
    now = table.numbers[viewer]
    if not 0 < version <= now:
        return None
    missed: list[Happening] = []
    for happening in reversed(table.happenings):
        if len(missed) == now - version:
            break
        if happening.numbers[viewer]:
            missed.append(happening)
    if len(missed) < now - version:
        return None
    return [happening_seen(table, happening, viewer) for happening in reversed(missed)]


def sheet_seen(table: LiveTable, seat: int | None) -> list[EventSeen]:
    """The payments, captures, points and cards shown in this deal, for a seat; only new events are converted. It is
    the same list until a move is taken back or another deal begins.
    """
    shown = table.sheets.setdefault(seat, [])
    shown += [event.seen_by(seat).data for _, _, event in table.sheet[len(shown) :]]
    return shown


def unaided(zone: ZoneSeen) -> ZoneSeen:
    """A zone without aids to the memory."""
    facts = [fact for fact in zone.facts if "aid" not in fact]
    return zone if len(facts) == len(zone.facts) else msgspec.structs.replace(zone, facts=facts)


def view_seen(table: LiveTable, viewer: int) -> ViewSeen | None:
    """The match for a viewer; None before it begins."""
    m = table.match
    if m is None:
        return None
    view = table.views[viewer]
    seat = None if viewer == table.spectator else viewer
    still = table.silence if table.real_time else None  # in real time, doing nothing is not sent, so it is not offered
    chooses = _chooses(table, viewer)
    choices = [move for move in view.choices if move.text != still] if chooses else []
    asked = view.prompt if choices else None
    zones = [zone.seen_by(seat, chooses) for zone in view.zones]
    if not table.setup.aids:
        zones = list(map(unaided, zones))
    return ViewSeen(
        deal=int(view.state.deal_number),
        dealer=int(view.state.dealer),
        actors=table.actors_seen(viewer),
        hand=view.hand,
        legal=[move.text for move in choices],
        choices=[move.data for move in choices],
        prompt=PromptSeen(as_data(asked.ask), asked.rule) if asked else None,
        refused=[one.data for one in view.refused] if asked else [],
        zones=zones,
        scores=view.scores,
        sheet=sheet_seen(table, seat)[:],
        results=[DealSeen(result.deal, result.winner, result.gained, result.scores) for result in m.results],
        counted=[
            CountedSeen(one.seat, as_data(one.why), one.amount, one.times)
            for one in counted((event.seen_by(seat) for _, _, event in table.sheet), last.gained)
        ]
        if (last := m.deals[-1].result)
        else [],
        lowest_wins=m.game.lowest_wins,
        winners=m.result.winners if m.result else (),
        resigned=m.result.resigned if m.result else None,
    )


def _chooses(table: LiveTable, viewer: int) -> bool:
    """Whether a viewer chooses their move now: the game is not paused, and the rules do not make it."""
    return table.stage == PLAYING and not table.standing and not (table.forced and table.forced[0] == viewer)


def _could_undo(table: LiveTable, seat: int) -> bool:
    """Whether a seat has chosen a move in this deal, and the deal is not over for other people."""
    alone = all(place.level for other, place in enumerate(table.places) if other != seat)
    if table.away(seat) or seat in table.denied or (table.stage != PLAYING and not alone):
        return False
    return any(who == seat for who, _ in table.choices)


def may(table: LiveTable, viewer: int, host: bool, lost: int | None = None) -> list[str]:
    """The commands that a viewer can use now, judging only by what this viewer may know. lost: the seat that the
    viewer lost and can get back.
    """
    seated = viewer != table.spectator
    place = table.places[viewer] if seated else None
    commands: list[str] = []
    if table.stage == LOBBY:
        commands += ["start", "bot", "close"] if host else []
        commands += ["leave"] if seated else ["sit"] if any(p.free for p in table.places) else []
    by = table.places[lost].lost if lost is not None else None
    if by and not by.returning and table.stage != CLOSED:
        commands.append("sit")
    if place is None:
        return commands
    commands += ["say", "react", "rename"]
    if table.stage == LOBBY and table.waits_for_host and not (host or place.ready):
        commands.append("ready")
    if table.stage == SHUFFLING and table.shuffle:
        commands.append("leave")
        commands += ["commit"] if not table.shuffle.revealing and not table.shuffle.commitments[viewer] else []
        commands += ["reveal"] if table.shuffle.revealing and viewer in table.shuffle.hidden else []
    if len(table.views) > viewer and len(table.views[viewer].moves) > table.real_time and _chooses(table, viewer):
        commands += ["move"] + ["hint"] * table.setup.hints
        commands += ["outlook"] * (table.setup.hints and table.match is not None and bool(table.match.game.outlook))
        # the solver sees all cards, which somebody else may yet play as the deal of the day
        asked = table.setup.hints and not table.setup.daily
        commands += ["winnable"] * (asked and table.match is not None and table.match.game.solvable)
        commands += ["more"] if table.deadline and not (table.extra or table.answering or table.ask) else []
    if table.stage in (PLAYING, BETWEEN):
        commands += ["resign", "leave"]
        commands += (
            ["undo"]
            if table.setup.undo != "never" and table.ask is None and not table.real_time and _could_undo(table, viewer)
            else []
        )
        commands += ["choose"] if any(p.owner and not p.present for p in table.places) else []
        if table.ask and viewer not in table.ask.answers:
            others = any(place.owner and seat != table.ask.seat for seat, place in enumerate(table.places))
            commands += ["answer"] if others else []
    if table.stage in (BETWEEN, OVER):
        commands += ["ready"] * (not place.ready)
        commands += ["review"] * (table.setup.hints and table.match is not None)
    return commands


def seat_seen(table: LiveTable, seat: int, online: Collection[str], leaves: Mapping[str, int] = {}) -> SeatSeen:
    """A seat and its owner. online: the connected people; leaves: when the others will count as having left."""
    place = table.places[seat]
    return SeatSeen(
        seat=seat,
        name=place.name,
        kind="person" if place.owner else "bot" if place.level else "free",
        level=place.level,
        temper=who.temper if (who := cast.named(place.name)) and place.level else "",
        present=place.here,
        online=place.owner in online,
        stood_in=place.stood_in,
        ready=place.ready,
        choices=dict(place.choices),
        commitment=table.commitments[seat] if table.commitments else "",
        entropy="" if table.stage in (LOBBY, SHUFFLING) else table.entropy[seat],
        leaves=leaves.get(place.owner, 0) if place.here else 0,
        left=place.left_at,
        ends=table.ends(seat),
        host=bool(place.owner) and place.owner == table.host,
        returning=bool(place.lost and place.lost.returning),
    )


def places_seen(table: LiveTable, online: Collection[str], leaves: Mapping[str, int] = {}) -> list[SeatSeen]:
    """All seats and their owners, the same for every viewer. online, leaves: as for `seat_seen`."""
    return [seat_seen(table, seat, online, leaves) for seat in range(len(table.places))]


def table_seen(
    table: LiveTable,
    owner: str,
    online: Collection[str] = (),
    leaves: Mapping[str, int] = {},
    places: list[SeatSeen] | None = None,
    sender: str = "",
) -> TableSeen:
    """The table for a person. online, leaves: as for `seat_seen`; places: the seats, if built already; sender: the
    person's client that it is for.
    """
    viewer, setup = table.viewer_of(owner), table.setup
    over = table.stage == OVER
    return TableSeen(
        id=table.id,
        game=setup.game,
        title=table.title,
        preset=setup.preset,
        options=setup.options,
        faces=table.match.ruleset.faces_seen if table.match else None,
        clock=setup.clock,
        window=setup.window,
        live=table.real_time,
        undo=setup.undo,
        hints=setup.hints,
        aids=setup.aids,
        begins="host" if table.waits_for_host else "full",
        number="" if setup.daily else setup.number,
        winnable=setup.winnable,
        daily=setup.daily,
        played_on=bool(setup.start),
        stage=table.stage,
        closed=table.closed,
        match=table.number,
        seats=places_seen(table, online, leaves) if places is None else places,
        watching=table.watched_by(online),
        you=None if viewer == table.spectator else viewer,
        lost=table.lost_by(owner),
        host=owner == table.host,
        seq=table.done.last(owner, sender),
        deadline=table.deadline,
        span=table.span,
        may=may(table, viewer, owner == table.host, table.lost_by(owner)),
        ask=AskSeen(table.ask.seat, tuple(sorted(table.ask.answers))) if table.ask else None,
        undone=table.undone,
        fair=FairSeen("", "")
        if setup.open_seed
        else FairSeen(table.commitment, fair.secret_of(table.secret, table.number) if over else ""),
        chat=[ChatSeen(line.at, line.seat, line.text) for line in table.chat],
    )
