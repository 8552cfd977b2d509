"""The next event at a table: `decide` turns a person's command into an event or a refusal; `due` is the next
automatic event.

This module does not change the table: the caller writes the event to the log, and then lets the table apply it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from cardtable.base.errors import CardtableError, MatchOver, NothingToUndo, NotYourTurn, OptionError, Text
from cardtable.base.message import Message, Moves, Seat, Value
from cardtable.bots import bot
from cardtable.bots.levels import LEVELS, level_called
from cardtable.bots.registry import allowed
from cardtable.table import commands as cm
from cardtable.table import events as ev
from cardtable.table import fair
from cardtable.table.commands import CommandRefused, Refusal
from cardtable.table.live import BETWEEN, CLOSED, LOBBY, OVER, PLAYING, RULES, SHUFFLING, LiveTable
from cardtable.table.person_names import apart, checked_name
from cardtable.table.setup import LONGEST_CHAT, clean

CHOICES = ("wait", "bot", "end")
PAUSE = 20_000  #: milliseconds between two deals, where a clock runs
PAUSE_OF_BOTS = 3_000  #: the same where only bots play
FIRST_BEATS = 3  #: beats for which people see a new deal before its first forced move


def decide(table: LiveTable, owner: str, command: cm.Command, sender: str = "") -> ev.Event | Refusal | None:
    """The event that carries out a person's command, or the refusal; None if it has been done already."""
    try:
        if table.done.has(owner, sender, command):
            return None
        event: ev.Event = _DECIDE[type(command)](table, owner, command)
    except CardtableError as error:
        return Refusal.of(error)
    return event


def _refuse(what: Text, why: Text, can: Text = "", code: str = "table/refused") -> CommandRefused:
    return CommandRefused(what, why, can, code=code)


def _seat(table: LiveTable, owner: str, what: Text) -> int:
    """The seat of a person, for something that needs one. Raises CommandRefused."""
    seat = table.seat_of(owner)
    if seat is None:
        raise _refuse(
            what, Message("you have no seat at this table"), Message("take one, if one is free"), "table/seat"
        )
    return seat


def _in_match(table: LiveTable, what: Text, *, between: bool = False) -> None:
    """Raise Refused or MatchOver unless the match is on."""
    if table.stage == PLAYING or (between and table.stage == BETWEEN):
        return
    if table.stage == BETWEEN:
        raise _refuse(what, Message("the deal is over"), Message("go on to the next deal"), "table/stage")
    if table.stage == OVER:
        raise MatchOver(what, Message("the match is over"), Message("play another"))
    raise _refuse(what, Message("the match has not begun"), Message("wait until it does"), "table/stage")


def _host(table: LiveTable, owner: str, what: Text) -> None:
    if owner != table.host:
        raise _refuse(what, Message("only the host of the table may"), Message("ask your host"), "table/host")
    if table.stage != LOBBY:
        raise _refuse(what, Message("the match has begun"), "", "table/stage")


def _sit(table: LiveTable, owner: str, command: cm.Sit) -> ev.Event:
    what = Message("taking a seat")
    if (lost := table.lost_by(owner)) is not None and command.seat in (-1, lost):
        return _have_again(table, lost)
    if table.stage != LOBBY:
        raise _refuse(what, Message("the match has begun"), Message("watch, or make your own table"), "table/stage")
    if table.seat_of(owner) is not None:
        raise _refuse(what, Message("you have a seat already"), Message("leave it first"), "table/seat")
    free = [seat for seat, place in enumerate(table.places) if place.free]
    if not free or (command.seat >= 0 and command.seat not in free):
        why = (
            Message("every seat is taken")
            if not free
            else Message("that seat is taken")
            if command.seat < len(table.places)
            else Message("there is no such seat")
        )
        can = (
            Message("free: {seats}", seats=[Seat(seat) for seat in free])
            if free
            else Message("watch, or make your own table")
        )
        raise _refuse(what, why, can, "table/taken")
    seat = command.seat if command.seat >= 0 else free[0]
    name = checked_name(command.name, what) or f"Player {seat + 1}"
    return ev.Sat(seat, owner, apart(name, [place.name for place in table.places]))


def _have_again(table: LiveTable, seat: int) -> ev.Event:
    """The event for a person who reclaims the seat that they lost in the shuffle. Raises CommandRefused."""
    what, lost = Message("taking a seat"), table.places[seat].lost
    assert lost is not None
    if table.stage == CLOSED:
        raise _refuse(what, Message("the table is closed"), Message("make a new table"), "table/stage")
    if lost.returning:
        why, can = Message("you have asked for it already"), Message("wait until the match is over")
        raise _refuse(what, why, can, "table/seat")
    return ev.Sat(seat, lost.owner, lost.name) if table.stage == OVER else ev.Returning(seat)


def _put_bot(table: LiveTable, owner: str, command: cm.PutBot) -> ev.Event:
    what = Message("putting a bot on a seat")
    _host(table, owner, what)
    level = level_called(command.level)
    if level and level not in (*LEVELS, *allowed()):
        raise OptionError(
            Message("bot {level}", level=repr(level)),
            Message("there are {listed}", listed=", ".join((*LEVELS, *allowed()))),
            Message("choose one of them"),
        )
    if not level and table.setup.open_seed:
        raise _refuse(
            Message("opening a seat"),
            Message("the person who made this table can know its cards"),
            Message("make another for friends"),
            "options/combination",
        )
    if command.seat >= len(table.places) or table.places[command.seat].owner:
        raise _refuse(
            what,
            Message("a person has that seat") if command.seat < len(table.places) else Message("there is no such seat"),
            Message("choose another"),
            "table/taken",
        )
    return ev.BotSat(command.seat, level)


def _start(table: LiveTable, owner: str, command: cm.Start) -> ev.Event:
    _host(table, owner, Message("beginning the match"))
    return _beginning(table)


def _commit(table: LiveTable, owner: str, command: cm.Commit) -> ev.Event:
    what = Message("committing to entropy for the shuffle")
    seat, shuffle = _seat(table, owner, what), table.shuffle
    if table.stage != SHUFFLING or shuffle is None or shuffle.revealing:
        raise _refuse(
            what, Message("no commitments are taken now"), Message("wait for the next shuffle"), "table/stage"
        )
    if shuffle.commitments[seat]:
        raise _refuse(what, Message("you have committed already"), Message("reveal your entropy"), "table/commitment")
    return ev.Committed(seat, command.commitment)


def _reveal(table: LiveTable, owner: str, command: cm.Reveal) -> ev.Event:
    what = Message("revealing entropy for the shuffle")
    seat, shuffle = _seat(table, owner, what), table.shuffle
    if table.stage != SHUFFLING or shuffle is None or not shuffle.revealing:
        why = Message("not everybody has committed") if table.stage == SHUFFLING else Message("there is no shuffle now")
        raise _refuse(what, why, Message("wait"), "table/stage")
    if seat not in shuffle.hidden:
        why = Message("you have revealed it") if shuffle.commitments[seat] else Message("you have not committed to it")
        raise _refuse(what, why, Message("wait for the cards"), "table/commitment")
    if fair.committed(command.entropy) != shuffle.commitments[seat]:
        why = Message("its SHA-256 is not what you committed to")
        raise _refuse(what, why, Message("reveal what you committed to"), "table/commitment")
    return ev.Revealed(seat, command.entropy)


def _close(table: LiveTable, owner: str, command: cm.Close) -> ev.Event:
    _host(table, owner, Message("closing the table"))
    return ev.Closed()


def _move(table: LiveTable, owner: str, command: cm.PlayMove) -> ev.Event:
    seat = _seat(table, owner, Message("playing"))
    _in_match(table, Message("a move"))
    if table.real_time:
        raise _refuse(
            Message("the move {move}", move=Moves(command.move)),
            Message("at this table people play at once"),
            Message("let the arbiter decide"),
            "table/live",
        )
    if command.at < table.turns[seat]:
        why = Message(
            "you were looking at version {at}, and the table moved on at {turns}",
            at=command.at,
            turns=table.turns[seat],
        )
        raise _refuse(
            Message("{move}", move=_called(table, seat, command.move)),
            why,
            Message("look again, and play what fits now"),
            "move/stale",
        )
    _acts(table, seat)
    refusal = table.current_match.why_not(command.move, seat)  # raises NotationError, AmbiguousMove
    if refusal:
        raise refusal
    return ev.Moved(seat, command.move)


def _called(table: LiveTable, seat: int, move: str) -> Value:
    """What people call a move, if it is still there."""
    named = (one.told for one in table.views[seat].choices if one.text == move)
    return next(named, Message("a move"))


def _acts(table: LiveTable, seat: int) -> None:
    """Raise NotYourTurn unless a seat is to act."""
    if seat not in table.current_match.actors:
        raise NotYourTurn(seat, [p for p in table.actors_seen(seat) if p != seat])
    if table.forced and table.forced[0] == seat:
        raise _refuse(
            Message("a move of {seat}", seat=Seat(seat)),
            Message("it has no choice: {move} is made for it", move=Moves(table.forced[1])),
            Message("watch for a moment"),
            "move/forced",
        )


def why_not(table: LiveTable, owner: str, move: str) -> Refusal | None:
    """The refusal that a person would get for a move now; None if they may play it. Nothing is done."""
    try:
        seat = _seat(table, owner, Message("playing"))
        _in_match(table, Message("a move"))
        _acts(table, seat)
        refusal = table.current_match.why_not(move, seat)
    except CardtableError as error:
        return Refusal.of(error)
    return Refusal.of(refusal) if refusal else None


def _more(table: LiveTable, owner: str, command: cm.More) -> ev.Event:
    what = Message("more time")
    seat = _seat(table, owner, what)
    _in_match(table, what)
    if not table.deadline or table.answering or table.ask:
        raise _refuse(
            what,
            Message("no clock runs that can be put back"),
            Message("take the time you need") if not table.deadline else Message("answer"),
            "table/clock",
        )
    _acts(table, seat)
    if table.extra:
        raise _refuse(
            what, Message("this turn has been given more time already"), Message("play while it runs"), "table/clock"
        )
    return ev.MoreTime(seat)


def _undo(table: LiveTable, owner: str, command: cm.Undo) -> ev.Event:
    what = Message("taking back")
    seat = _seat(table, owner, what)
    _in_match(table, what, between=all(place.level for other, place in enumerate(table.places) if other != seat))
    if table.setup.undo == "never":
        raise _refuse(
            what,
            Message("at this table nothing is taken back"),
            Message("agree on it when you make a table"),
            "table/undo",
        )
    if table.real_time:
        raise _refuse(what, Message("moves made in real time cannot be undone"), Message("play on"), "table/undo")
    if table.ask:
        raise _refuse(what, Message("another wish to take back is open"), Message("answer that first"), "table/undo")
    if seat in table.denied:
        raise _refuse(what, Message("it was refused in this turn"), Message("play on"), "table/undo")
    if away := [Seat(other) for other in table.away(seat)]:
        why = Message("{seats} {seats:has|have} to agree, and {seats:is|are} away", seats=away)
        raise _refuse(what, why, Message("wait until everybody is back"), "table/undo")
    if command.all and any(not place.level for other, place in enumerate(table.places) if other != seat):
        raise _refuse(
            what,
            Message("the others would lose all their moves, too"),
            Message("take back one move at a time"),
            "table/undo",
        )
    steps = own = 0
    for who, made in reversed(table.choices):
        steps += made
        if who == seat:
            own = steps
            if not command.all:
                break
    if own:
        return ev.UndoAsked(seat, own)
    raise NothingToUndo(what, Message("you have chosen no move in this deal"), Message("play on"))


def _answer(table: LiveTable, owner: str, command: cm.AnswerUndo) -> ev.Event:
    seat = _seat(table, owner, Message("answering"))
    if table.ask is None or seat in table.ask.answers or (table.ask.seat == seat and command.yes):
        raise _refuse(Message("answering"), Message("no answer is needed now"), Message("play on"), "table/undo")
    return ev.UndoAnswered(seat, command.yes)


def _ready(table: LiveTable, owner: str, command: cm.GetReady) -> ev.Event:
    seat = _seat(table, owner, Message("going on"))
    if table.stage not in (BETWEEN, OVER) and not (table.stage == LOBBY and table.waits_for_host):
        raise _refuse(Message("going on"), Message("the deal is not over"), Message("play it to its end"), "match/deal")
    if table.stage == OVER and table.number >= fair.LINKS:
        raise _refuse(
            Message("another match"),
            Message("this table has played {n}", n=fair.LINKS),
            Message("make a new table"),
            "table/rematch",
        )
    if table.places[seat].ready:
        raise _refuse(
            Message("going on"),
            Message("you are ready"),
            Message("the others are still viewing the result"),
            "table/ready",
        )
    return ev.Ready(seat)


def _resign(table: LiveTable, owner: str, command: cm.Resign) -> ev.Event:
    seat = _seat(table, owner, Message("resigning"))
    _in_match(table, Message("resigning"), between=True)
    return ev.Resigned(seat)


def _leave(table: LiveTable, owner: str, command: cm.Leave) -> ev.Event:
    return gone(table, owner, False)


def gone(table: LiveTable, owner: str, lost: bool = True) -> ev.Event:
    """The event for a person who leaves. lost: their connection was lost. Raises CommandRefused."""
    seat = _seat(table, owner, Message("leaving"))
    if not table.places[seat].present:
        raise _refuse(Message("leaving"), Message("you have left already"), "", "table/seat")
    return ev.Left(seat, lost)


def new_host(table: LiveTable, online: Collection[str]) -> ev.Hosted | None:
    """The event for a host who has been away for too long before the match: the next connected person (online)
    becomes the host. None: there is none, or the host is here.
    """
    if table.stage != LOBBY or table.host in online:
        return None
    first = table.viewer_of(table.host) + 1
    seats = [*range(first, len(table.places)), *range(min(first, len(table.places)))]
    return next((ev.Hosted(seat) for seat in seats if table.places[seat].owner in online), None)


def back(table: LiveTable, owner: str) -> ev.Event | None:
    """The event for a person who returns to their kept seat; None if they have none, or have not left."""
    seat = table.seat_of(owner)
    return ev.Returned(seat) if seat is not None and not table.places[seat].present else None


def _choose(table: LiveTable, owner: str, command: cm.Choose) -> ev.Event:
    what = Message("choosing for a player who left")
    seat = _seat(table, owner, what)
    _in_match(table, what, between=True)
    if command.choice not in CHOICES:
        raise OptionError(
            Message("choice {choice}", choice=repr(command.choice)),
            Message("there are {listed}", listed=", ".join(CHOICES)),
            Message("choose one of them"),
        )
    if (
        command.about >= len(table.places)
        or not table.places[command.about].owner
        or table.places[command.about].present
    ):
        raise _refuse(what, Message("nobody has left that seat"), Message("play on"), "table/seat")
    return ev.Chosen(seat, command.about, command.choice)


def _say(table: LiveTable, owner: str, command: cm.Say) -> ev.Event:
    seat = _seat(table, owner, Message("talking"))
    text = clean(command.text, LONGEST_CHAT)
    if not text:
        raise _refuse(Message("talking"), Message("the message is empty"), Message("type some text"), "table/chat")
    return ev.Said(seat, text)


def _rename(table: LiveTable, owner: str, command: cm.Rename) -> ev.Event:
    what = Message("taking another name")
    seat = _seat(table, owner, what)
    name = checked_name(command.name, what)
    if not name:
        why, can = Message("the message is empty"), Message("type some text")
        raise _refuse(what, why, can, "table/name")
    name = apart(name, [place.name for other, place in enumerate(table.places) if other != seat])
    if name == table.places[seat].name:
        raise _refuse(what, Message("you have that name already"), Message("choose another"), "table/name")
    return ev.Renamed(seat, name)


def _react(table: LiveTable, owner: str, command: cm.React) -> ev.Event:
    what = Message("a reaction")
    seat = _seat(table, owner, what)
    if command.reaction not in cm.REACTIONS:
        why, can = Message("there is no such reaction"), Message("there are {listed}", listed=" ".join(cm.REACTIONS))
        raise _refuse(what, why, can, "table/reaction")
    return ev.Reacted(seat, command.reaction)


_DECIDE: dict[type, Any] = {
    cm.Sit: _sit,
    cm.PutBot: _put_bot,
    cm.Start: _start,
    cm.Close: _close,
    cm.Commit: _commit,
    cm.Reveal: _reveal,
    cm.PlayMove: _move,
    cm.More: _more,
    cm.Undo: _undo,
    cm.AnswerUndo: _answer,
    cm.GetReady: _ready,
    cm.Resign: _resign,
    cm.Leave: _leave,
    cm.Choose: _choose,
    cm.Say: _say,
    cm.Rename: _rename,
    cm.React: _react,
}


# Automatic events


def due(table: LiveTable, now: int, beat: int = 0) -> ev.Event | None:
    """The next automatic event at a table, `now` (milliseconds since 1970); None: none until `next_time`.

    beat: milliseconds for which people see a change before a forced move follows.
    """
    if table.stage == LOBBY:
        full = table.places and not any(place.free for place in table.places)
        return _beginning(table) if full and not table.waits_for_host else None
    if table.stage == SHUFFLING:
        return _due_in_shuffle(table, now)
    if table.stage == OVER:
        for seat, place in enumerate(table.places):
            if place.lost and place.lost.returning:
                return ev.Sat(seat, place.lost.owner, place.lost.name)
        return _beginning(table) if _all_ready(table) and table.number < fair.LINKS else None
    if table.match is None or table.stage == CLOSED:
        return None
    if table.current_match.over:
        return ev.Ended()
    if event := _undo_due(table) or _leaver_due(table, now):
        return event
    if table.forced:
        return ev.Moved(*table.forced, RULES) if now >= _forced_at(table, beat) else None
    return _deal_due(table, now) if table.stage == BETWEEN else _clock_due(table, now)


def _forced_at(table: LiveTable, beat: int) -> int:
    """The time of the forced move: at once if another seat has a choice; later at the start of a deal."""
    if len(table.current_match.actors) > 1:
        return table.played
    return table.played + beat * (1 if table.current_match.deals[-1].acts else FIRST_BEATS)


def next_time(table: LiveTable, beat: int = 0) -> int:
    """The latest time to ask `due` again if nothing happens; 0: never. beat: as for `due`."""
    return min((time for time in (_goes_on_at(table, beat), *_ends(table)) if time), default=0)


def _goes_on_at(table: LiveTable, beat: int) -> int:
    """The time when the match continues automatically; 0: it waits for people."""
    if table.stage == SHUFFLING and table.shuffle:
        return table.since + table.shuffle.span
    if table.forced:
        return _forced_at(table, beat)
    if table.stage == BETWEEN:
        return table.since + pause if (pause := _pause(table)) else 0
    return table.deadline if table.ask or _hurried(table) else 0


def _ends(table: LiveTable) -> list[int]:
    """When the match will be ended for players who left."""
    return [table.ends(seat) for seat in range(len(table.places))] if table.stage in (PLAYING, BETWEEN) else []


def _all_ready(table: LiveTable) -> bool:
    return bool(table.people) and all(table.places[seat].ready for seat in table.people)


def _undo_due(table: LiveTable) -> ev.Event | None:
    """Taking back is due when every other person has agreed; against bots, at once. One who leaves has not agreed."""
    if table.ask is None:
        return None
    asked = [seat for seat, place in enumerate(table.places) if place.owner and seat != table.ask.seat]
    for seat in asked:
        if seat not in table.ask.answers and not table.places[seat].present:
            return ev.UndoAnswered(seat, False)
    return ev.Undone(table.ask.steps) if all(seat in table.ask.answers for seat in asked) else None


def _leaver_due(table: LiveTable, now: int) -> ev.Event | None:
    """What more than half of the people present chose for a player who left."""
    for seat in range(len(table.places)):
        if table.chosen_for(seat) == "bot":
            return ev.StoodIn(seat)
        if (ends := table.ends(seat)) and now >= ends:
            return ev.Resigned(seat, left=True)
    return None


def _pause(table: LiveTable) -> int:
    """Milliseconds before the next deal begins automatically; 0: it waits for people."""
    if not any(place.owner for place in table.places):
        return PAUSE_OF_BOTS
    return PAUSE if table.setup.turn else 0


def _deal_due(table: LiveTable, now: int) -> ev.Event | None:
    pause = _pause(table)
    return ev.NextDeal() if _all_ready(table) or (pause and now >= table.since + pause) else None


def _clock_due(table: LiveTable, now: int) -> ev.Event | None:
    """For the first seat whose time is up: the heuristic's move, a window's default answer, or no to taking back."""
    if not table.deadline or now < table.deadline:
        return None
    if table.ask:
        others = [seat for seat in table.people if seat != table.ask.seat and seat not in table.ask.answers]
        return ev.UndoAnswered(others[0], False) if others else None
    for seat in _hurried(table)[:1]:
        if table.answering:
            return ev.Moved(seat, table.silence, "clock")
        player = bot("medium", fair.bot_seed(table.secret, table.number, seat))
        return ev.Moved(seat, player.choose(table.views[seat]), "clock")
    return None


def _hurried(table: LiveTable) -> list[int]:
    """The seats to act for which the clock runs: those of people, unless a bot plays for them."""
    return (
        [seat for seat in table.current_match.actors if table.places[seat].owner and not table.places[seat].stood_in]
        if table.match
        else []
    )


def _beginning(table: LiveTable) -> ev.Event:
    """The event with which the next match begins when it is to begin: the shuffle, if anybody can take part in it."""
    people = any(place.owner for place in table.places)
    return ev.Shuffling() if people and not table.setup.open_seed else _begun(table)


def _begun(table: LiveTable) -> ev.Event:
    """The event with which the first match or another one begins."""
    return ev.Rematch() if table.number else ev.Started()


def _due_in_shuffle(table: LiveTable, now: int) -> ev.Event | None:
    """The next automatic event during a shuffle (see `due`)."""
    shuffle = table.shuffle
    assert shuffle is not None
    late = now >= table.since + shuffle.span
    if not shuffle.revealing:
        if not late and any(not shuffle.commitments[seat] for seat in table.people):
            return None
        return ev.Revealing() if any(shuffle.commitments) else _begun(table)
    if not shuffle.hidden:
        return _begun(table)
    return ev.Withheld(shuffle.hidden[0]) if late else None
