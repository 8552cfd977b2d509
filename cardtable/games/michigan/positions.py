"""Positions of Michigan as text: everything on the table, and checks for what is impossible."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cardtable.base.cards import ALL_52, card_text, parse_card, rank_of, set_of, set_text
from cardtable.base.errors import NotationError, PositionError
from cardtable.base.message import Card, Cards, Message, Seat
from cardtable.games.michigan.offences import proved_by_passing
from cardtable.games.michigan.order import after, bars, may_hold, open_leads, open_suits
from cardtable.games.michigan.state import (
    ACE_OF_DIAMONDS,
    AUCTION,
    FOLLOWING,
    JACKPOT,
    LEADING,
    PLACES,
    SEQUENCE,
    SPINNING,
    STAKING,
    WIDOW,
    State,
)
from cardtable.games.shared.chips import holder
from cardtable.rules import positions, unlisted

PHASES = ("staking", "widow", "auction", "leading", "following", "spinning")


def position(s: State) -> dict[str, Any]:
    """Everything that defines a deal in play."""
    n = int(s.seats)
    keys: dict[str, Any] = {"phase": PHASES[s.phase], "turn": int(s.turn)}
    if s.phase == STAKING:
        keys["stock"] = " ".join(card_text(s.stock[i]) for i in range(52))
    else:
        keys |= {"hands": [set_text(s.hands[p]) for p in range(n)], "dead": set_text(s.dead)}
    if s.exchanger:
        keys["exchanger"] = int(s.exchanger) - 1
    if s.phase == AUCTION:
        keys["bidders"] = _seats(s, s.bidders)
        if s.high:
            keys |= {"bid": int(s.high), "bidder": int(s.high_seat)}
    if s.phase in (FOLLOWING, SPINNING):
        keys |= {"cur": card_text(s.cur), "last": int(s.last)}
    if s.barred:
        keys["barred"] = positions.suits_text(s.barred)
    if s.passes:
        keys["passes"] = int(s.passes)
    if s.asked:
        keys["asked"] = _seats(s, s.asked)
    for name in ("lacks", "shows"):
        sets = [int(getattr(s, name)[p]) & ~int(s.played) for p in range(n)]
        if any(sets):
            keys[name] = [set_text(mask) for mask in sets]
    if s.laid_count:
        keys["history"] = _history(s)
        since: dict[str, Any] = {"last": int(s.origin_last)} if s.origin_last != (s.dealer + 1) % n else {}
        since |= {"cur": card_text(s.origin_cur)} if s.origin_cur >= 0 else {}
        since |= {"barred": positions.suits_text(s.origin_barred).replace(" ", "")} if s.origin_barred else {}
        if since:
            keys["since"] = ", ".join(f"{name} {value}" for name, value in since.items())
    keys["on"] = ", ".join(f"{name} {int(s.on[place])}" for name, place in _places(s).items() if s.on[place])
    return keys | {name: value for name, value in positions.chips(s).items() if name != "pot"}


def _seats(s: State, mask: int) -> list[int]:
    return [p for p in range(s.seats) if mask >> p & 1]


def _places(s: State) -> dict[str, int]:
    """The places for chips, by name."""
    found = {card_text(s.rules.money[i]): i for i in range(s.rules.m)}
    return (
        found
        | ({"sequence": SEQUENCE} if s.rules.sequence_stake else {})
        | ({"jackpot": JACKPOT} if s.rules.jackpot else {})
    )


def _history(s: State) -> str:
    """The cards laid, in order: `1 3S lead, 2 4S, 0 AD spin`; `lead all` is a lead that everybody had passed."""
    acts = []
    for k in range(s.laid_count):
        text = f"{int(s.laid[k]) >> 6} {card_text(s.laid[k] & 63)}"
        text += " lead" * int(s.leads >> k & 1) + " all" * int(s.whole >> k & 1) + " spin" * int(s.spun >> k & 1)
        acts.append(text)
    return ", ".join(acts)


# Reading


def set_position(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Set up a position in a state that has its house rules. Raises PositionError if it is impossible."""
    n = int(s.seats)
    usual = "following" if "cur" in keys else "leading"
    what = Message("a deal's phases are {listed}", listed=", ".join(PHASES))
    named = positions.one_of(keys, "phase", PHASES, usual, what, Message("name one of these"), code="position/syntax")
    s.phase = PHASES.index(named)
    if (
        (s.phase == STAKING and not s.rules.stake_free4)
        or (s.phase in (WIDOW, AUCTION) and not s.rules.widow_exchange)
        or (s.phase == SPINNING and not s.rules.spin)
    ):
        raise PositionError(
            Message("phase = {named}", named=named),
            Message("these rules have no such phase"),
            Message("change the options, or the phase"),
        )
    s.cur = -1
    _set_cards(s, keys, shuffle)
    if s.exchanger and s.phase in (STAKING, WIDOW, AUCTION):
        raise PositionError(Message("exchanger"), Message("nobody has exchanged yet (MI-16)"), Message("leave it out"))
    if s.phase == AUCTION:
        _set_auction(s, keys, n)
    elif s.phase in (FOLLOWING, SPINNING):
        _set_sequence(s, keys, n)
    else:
        s.turn = positions.seat(keys, "turn", n, int(s.dealer) if s.phase == WIDOW else (int(s.dealer) + 1) % n)
        if s.phase == WIDOW and s.turn != s.dealer:
            raise PositionError(
                Message("turn = {turn}", turn=int(s.turn)),
                Message("the widow is first the dealer's (MI-13)"),
                Message("name the dealer"),
            )
        s.last = (int(s.dealer) + 1) % n if s.phase == LEADING else 0
    if s.phase == LEADING:
        s.barred = _barred(s, str(keys.pop("barred", "")))
        s.passes = positions.number(keys, "passes", 0, n, 0)
        s.last = (s.turn - s.passes) % n
    _set_facts(s, keys, n)
    _set_history(s, keys, n)
    if s.phase == FOLLOWING:
        _check_next(s)
    _set_chips(s, keys)


def _set_cards(s: State, keys: dict[str, Any], shuffle: Callable[[list[int]], None]) -> None:
    """Set the stock, or the hands, the dead hand and the cards played."""
    n = int(s.seats)
    table = positions.Placing("hand", 0)
    if s.phase == STAKING:
        stock = table.cards("stock", positions.text(keys, "stock"))
        rest = table.rest([], shuffle)
        shuffle(rest)
        for i, card in enumerate(stock + rest):
            s.stock[i] = card
        s.stock_size = 52
        if any(str(text).strip() for text in keys.pop("hands", [])):
            raise PositionError(
                Message("hands"), Message("no card has been dealt yet (MI-51)"), Message("leave them out")
            )
        return
    dead = sum(1 << card for card in table.cards("dead", positions.text(keys, "dead")))
    hands = table.hands(keys.pop("hands", None), n)
    what = Message("unlisted cards are played or dead")
    where = positions.one_of(keys, "unlisted", ("played", "dead"), "played", what, Message("name one of these"))
    others = sum(1 << card for card in table.rest(hands, shuffle, _held(s, dict(keys), n)))
    s.dead = dead | (others if where == "dead" else 0)
    s.dead_count = int(s.dead).bit_count()
    for p in range(n):
        s.hands[p], s.counts[p] = hands[p], hands[p].bit_count()
        if not hands[p]:
            raise PositionError(
                Message("{seat} {seat:has|have} no cards", seat=Seat(p)),
                Message("then the deal is over (MI-29)"),
                Message("give every seat at least one card"),
            )
    if s.phase in (WIDOW, AUCTION) and not s.dead:
        raise PositionError(
            Message("no widow"), Message("somebody may want it (MI-13)"), Message("name its cards as dead")
        )
    s.played = ALL_52 & ~s.dead & ~sum(hands)
    s.exchanger = positions.seat(keys, "exchanger", n, 0) + 1 if "exchanger" in keys else 0


def _held(s: State, keys: dict[str, Any], n: int) -> list[list[unlisted.Held]]:
    """What is known of the hands and follows from the keys, for the cards that are to be dealt to them."""
    down = set_of(_laid(keys))
    barred, shows = (positions.sets(keys, name, n) for name in ("lacks", "shows"))
    named = "turn" in keys
    turn = positions.seat(keys, "turn", n, (int(s.dealer) + 1) % n)
    if s.phase == LEADING and not s.rules.enforce_penalise:
        closed = _barred(s, str(keys.get("barred", "")))
        for i in range(positions.number(keys, "passes", 0, n, 0)):
            barred[(turn - 1 - i) % n] |= int(open_suits(closed))
    if s.phase == FOLLOWING and (cur := _laid({"cur": keys.get("cur", "")})) and rank_of(cur[0]):
        wanted = 1 << int(after(cur[0]))
        if not s.rules.enforce_penalise and named:
            shows[turn] |= wanted
        elif s.rules.detect_immediate:
            asked = _mask(keys, "asked", n, [])
            barred = [mask | wanted * (asked >> p & 1) for p, mask in enumerate(barred)]
    return [[unlisted.lacks(barred[p] | down), unlisted.holds(shows[p] & ~down)] for p in range(n)]


def _laid(keys: dict[str, Any]) -> list[int]:
    """The cards that `cur` and the history name; what cannot be read is refused when these are read."""
    found = []
    acts = [act.split() for act in positions.text(keys, "history").split(",")]
    for word in [str(keys.get("cur", "")), *(act[1] for act in acts if len(act) > 1)]:
        with suppress(NotationError):
            found.append(parse_card(word))
    return found


def _mask(keys: dict[str, Any], name: str, n: int, default: list[int]) -> int:
    """A list of seats, as a mask."""
    given = keys.pop(name, default)
    if not isinstance(given, (list, tuple)) or not all(
        isinstance(p, int) and not isinstance(p, bool) and 0 <= p < n for p in given
    ):
        raise PositionError(
            Message("{name} = {value}", name=name, value=str(given)[:40]),
            Message("{name} is a list of seats", name=name),
            Message("write for instance [0, 2]"),
            code="position/syntax",
        )
    return sum(1 << p for p in set(given))


def _set_auction(s: State, keys: dict[str, Any], n: int) -> None:
    """Set who is still bidding, and the highest bid."""
    s.bidders = _mask(keys, "bidders", n, [p for p in range(n) if p != s.dealer])
    s.turn = positions.seat(keys, "turn", n, (int(s.dealer) + 1) % n)
    s.high = positions.number(keys, "bid", 0, 10**9, 0)
    s.high_seat = positions.seat(keys, "bidder", n, 0) if s.high else 0
    wrong = s.bidders >> s.dealer & 1 or not s.bidders >> s.turn & 1
    if wrong or (s.high and (not s.bidders >> s.high_seat & 1 or s.turn == s.high_seat)):
        raise PositionError(
            Message("this auction"),
            Message("the dealer does not bid, and the turn is of one still in who has not the highest bid (MI-14)"),
            Message("change bidders or turn"),
        )


def _set_sequence(s: State, keys: dict[str, Any], n: int) -> None:
    """Set the card that was laid last and who laid it; whose turn it is follows from them."""
    s.cur = positions.card("cur", str(keys.pop("cur", "")))
    if not s.played >> s.cur & 1 or rank_of(s.cur) == 0:
        raise PositionError(
            Message("cur = {card}", card=Card(card_text(s.cur))),
            Message("it is the last card laid of a sequence that goes on (MI-22)"),
            Message("name a card that is played, no ace"),
        )
    s.last = positions.seat(
        keys,
        "last",
        n,
        positions.seat(dict(keys), "turn", n, 0) if s.phase == SPINNING else (int(s.dealer) + 1) % n,
    )
    s.turn = s.last
    if s.phase == FOLLOWING:
        s.asked = _mask(keys, "asked", n, []) if s.rules.enforce_penalise else 0
        wanted = after(int(s.cur))
        order = [(s.last + i) % n for i in range(n)]
        held = holder(s, s.hands, wanted)
        s.turn = int(held) if not s.rules.enforce_penalise else next((p for p in order if not s.asked >> p & 1), -1)
    if s.turn < 0 or (not s.rules.enforce_penalise and s.phase == FOLLOWING and not s.hands[s.turn] >> wanted & 1):
        raise PositionError(
            Message("cur = {card}", card=Card(card_text(s.cur))),
            Message("nobody adds {card}: the sequence has stopped (MI-22)", card=Card(card_text(after(int(s.cur))))),
            Message("leave cur out"),
        )


def _check_next(s: State) -> None:
    """Where offences are penalised, the turn belongs to the first seat that has not been asked and may hold the next
    card.
    """
    wanted, n = after(int(s.cur)), int(s.seats)
    if s.rules.enforce_penalise:
        s.turn = next(
            (p for p in ((s.last + i) % n for i in range(n)) if not s.asked >> p & 1 and may_hold(s, p, wanted)), -1
        )
        if s.turn < 0:
            raise PositionError(
                Message("cur = {card}", card=Card(card_text(s.cur))),
                Message("nobody can add {card}: the sequence has stopped (MI-22)", card=Card(card_text(wanted))),
                Message("leave cur out"),
            )


def _barred(s: State, text: str) -> int:
    """The suits that may not be led, which must be those of one stop."""
    found = 0
    for suit in positions.suits("barred", text):
        found |= bars(s, 13 * suit)
    if found not in (0, *(bars(s, 13 * suit) for suit in range(4))):
        raise PositionError(
            Message("barred = {text}", text=repr(text)),
            Message("one stop bars one suit, or one colour (MI-23, MI-41)"),
            Message("name the suit of the last stop"),
        )
    return found


def _set_facts(s: State, keys: dict[str, Any], n: int) -> None:
    """Set what is known about the hands, as named by `lacks` and `shows` or implied by passes; a hand may not
    contradict it.
    """
    if (turn := positions.seat(keys, "turn", n, int(s.turn))) != s.turn and not s.rules.enforce_penalise:
        raise PositionError(
            Message("turn = {turn}", turn=turn),
            Message("it is the turn of {seat} (MI-20)", seat=Seat(int(int(s.turn)))),
            Message("leave turn out"),
        )
    for name in ("lacks", "shows"):
        for p, mask in enumerate(positions.sets(keys, name, n)):
            getattr(s, name)[p] = mask & ~int(s.played)
    for i in range(s.passes):
        p = (s.last + i) % n
        if not s.rules.enforce_penalise:
            if open_leads(int(s.hands[p]), int(s.barred)):
                raise PositionError(
                    Message("{seat} {seat:has|have} passed the lead", seat=Seat(p)),
                    Message("it holds a suit that may be led (MI-24)"),
                    Message("change its hand, barred or passes"),
                )
            s.lacks[p] |= open_suits(s.barred)
        elif s.rules.detect_immediate:
            proved_by_passing(s, p)
    if s.phase == FOLLOWING:
        wanted = after(int(s.cur))
        if not s.rules.enforce_penalise:
            s.shows[s.turn] |= 1 << wanted
        elif s.rules.detect_immediate:
            for p in _seats(s, s.asked):
                s.lacks[p] |= 1 << wanted
    if s.phase == SPINNING and not may_hold(s, s.turn, ACE_OF_DIAMONDS):
        raise PositionError(
            Message("{seat} asked to spin", seat=Seat(int(int(s.turn)))),
            Message("everybody knows that it does not hold AD (MI-Q12)"),
            Message("change phase, lacks or shows"),
        )
    for p in range(n):
        if wrong := int(s.lacks[p]) & int(s.hands[p]):
            raise PositionError(
                Message("{seat} {seat:holds|hold} {cards}", seat=Seat(p), cards=Cards(set_text(wrong))),
                Message("it has proved that it does not (MI-23, MI-24)"),
                Message("change its hand or its lacks"),
            )
        if wrong := int(s.shows[p]) & ~int(s.hands[p]):
            raise PositionError(
                Message("{seat} {seat:does|do} not hold {cards}", seat=Seat(p), cards=Cards(set_text(wrong))),
                Message("its shows says so"),
                Message("change its hand or its shows"),
            )


def _set_history(s: State, keys: dict[str, Any], n: int) -> None:
    """Set the cards laid since the deal, or since the position named by `since`."""
    acts = [act.split() for act in positions.text(keys, "history").split(",") if act.strip()]
    s.origin_cur, s.origin_last, s.origin_barred = s.cur, s.last, s.barred
    if acts:
        since = _pairs(keys, "since")
        s.origin_last = positions.seat(
            {"last": int(since["last"])} if since.get("last", "").isdecimal() else {},
            "last",
            n,
            (int(s.dealer) + 1) % n,
        )
        s.origin_cur = positions.card("since", since["cur"]) if "cur" in since else -1
        s.origin_barred = _barred(s, since.get("barred", ""))
    for act in acts:
        words = set(act[2:])
        good = len(act) > 1 and act[0].isdecimal() and int(act[0]) < n and words <= {"lead", "all", "spin"}
        card = positions.card("history", act[1]) if good else -1
        if not good or not s.played >> card & 1 or any(int(s.laid_by[p]) >> card & 1 for p in range(n)):
            raise PositionError(
                Message("history {listed}", listed=repr(" ".join(act)[:40])),
                Message("acts are written '1 3S lead, 2 4S', of cards played, each once"),
                Message("part them by commas"),
                code="position/syntax",
            )
        k = int(s.laid_count)
        s.laid[k] = card | int(act[0]) << 6
        s.laid_by[int(act[0])] |= 1 << card
        s.leads |= int("lead" in words) << k
        s.whole |= int("all" in words) << k
        s.spun |= int("spin" in words) << k
        s.laid_count += 1
    if acts and (int(acts[-1][0]) != s.last or (s.cur >= 0 and s.laid[s.laid_count - 1] & 63 != s.cur)):
        raise PositionError(
            Message("history"),
            Message("it does not lead to this position"),
            Message("its last card is cur, laid by the last player"),
        )


def _pairs(keys: dict[str, Any], name: str) -> dict[str, str]:
    """`AH 3, JS 6` as names with their values."""
    words = str(keys.pop(name, "")).replace(",", " ").split()
    if len(words) % 2 or len(set(words[::2])) * 2 != len(words):
        raise PositionError(
            Message("{name} = {listed}", name=name, listed=repr(" ".join(words)[:60])),
            Message("{name} is written as pairs", name=name),
            Message("write for instance 'AH 3, JS 6'"),
            code="position/syntax",
        )
    return dict(zip(words[::2], words[1::2], strict=True))


def _set_chips(s: State, keys: dict[str, Any]) -> None:
    """Set the chips on the table and in the stacks."""
    if "pot" in keys:
        raise PositionError(
            Message("pot"), Message("the chips lie on the money cards (MI-06)"), Message("write on = 'AH 3, JS 6'")
        )
    positions.set_chips(s, keys)
    places = _places(s)
    for name, text in _pairs(keys, "on").items():
        place = places.get(name.lower() if name.lower() in places else name.upper(), -1)
        if place < 0 or not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise PositionError(
                Message("on = '{name} {text}'", name=name[:20], text=text[:20]),
                Message("chips lie on {listed}", listed=", ".join(places)),
                Message("name one of these, with a number of chips"),
            )
        s.on[place] = int(text)
    s.pot = sum(int(s.on[place]) for place in range(PLACES))
