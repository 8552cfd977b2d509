"""Positions of Michigan as text: everything on the table, and checks for impossible positions."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from cardtable.base.cards import ALL_52, card_text, cards_in, parse_card, rank_of, set_of, set_text
from cardtable.base.errors import NotationError, PositionError
from cardtable.games.michigan.offences import proved_by_passing
from cardtable.games.michigan.order import after, bars, may_hold, name_leader, open_leads, open_suits
from cardtable.games.michigan.stakes import kitty
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
        keys["stock"] = positions.cards_text(positions.ints(s.stock, 52))
    else:
        keys |= {"hands": [set_text(s.hands[p]) for p in range(n)], "dead": set_text(s.dead)}
    if s.exchanger:
        keys["exchanger"] = int(s.exchanger) - 1
    if s.phase == AUCTION:
        keys["bidders"] = cards_in(s.bidders)
        if s.high:
            keys |= {"bid": int(s.high), "bidder": int(s.high_seat)}
    if s.phase in (FOLLOWING, SPINNING):
        keys |= {"cur": card_text(s.cur), "last": int(s.last)}
    always = (*keys, "on")
    keys |= {"barred": positions.suits_text(s.barred), "passes": int(s.passes)}
    if s.asked:
        keys["asked"] = cards_in(s.asked)
        always = (*always, "asked")
    keys |= {name: [set_text(getattr(s, name)[p] & ~s.played) for p in range(n)] for name in ("lacks", "shows")}
    if s.laid_count:
        keys["history"] = _history(s)
        since = {
            "last": str(int(s.origin_last)) if s.origin_last != (s.dealer + 1) % n else "",
            "cur": card_text(s.origin_cur) if s.origin_cur >= 0 else "",
            "barred": positions.suits_text(s.origin_barred).replace(" ", ""),
        }
        keys["since"] = ", ".join(f"{name} {value}" for name, value in since.items() if value)
    lying = {name: int(s.on[place]) for name, place in _places(s).items()} | {"kitty": int(kitty(s))}
    keys["on"] = ", ".join(f"{name} {chips}" for name, chips in lying.items() if chips)
    chips = positions.chips(s)
    chips.pop("pot", None)
    return positions.brief(keys, *always) | chips


def _places(s: State) -> dict[str, int]:
    """The places for chips, by name."""
    places = {card_text(s.rules.money[i]): i for i in range(s.rules.m)}
    places |= {"sequence": SEQUENCE} if s.rules.sequence_stake else {}
    return places | ({"jackpot": JACKPOT} if s.rules.jackpot else {})


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
    what = f"a deal's phases are {', '.join(PHASES)}"
    named = positions.one_of(keys, "phase", PHASES, usual, what, "name one of these", code="position/syntax")
    s.phase = PHASES.index(named)
    if (
        (s.phase == STAKING and not s.rules.stake_free4)
        or (s.phase in (WIDOW, AUCTION) and not s.rules.widow_exchange)
        or (s.phase == SPINNING and not s.rules.spin)
    ):
        raise PositionError(f"phase = {named}", "these rules have no such phase", "change the options, or the phase")
    s.cur = -1
    named_turn = positions.seat(dict(keys), "turn", n, 0) if "turn" in keys else -1
    _set_cards(s, keys, shuffle)
    if s.exchanger and s.phase in (STAKING, WIDOW, AUCTION):
        raise PositionError("exchanger", "nobody has exchanged yet (MI-16)", "leave it out")
    if s.phase == AUCTION:
        _set_auction(s, keys, n)
    elif s.phase in (FOLLOWING, SPINNING):
        _set_sequence(s, keys, n)
    else:
        s.turn = positions.seat(keys, "turn", n, int(s.dealer) if s.phase == WIDOW else (int(s.dealer) + 1) % n)
        if s.phase == WIDOW and s.turn != s.dealer:
            raise PositionError(f"turn = {s.turn}", "the widow is first the dealer's (MI-13)", "name the dealer")
        s.last = (int(s.dealer) + 1) % n if s.phase == LEADING else 0
    if s.phase == LEADING:
        s.barred = _barred(s, str(keys.pop("barred", "")))
        s.passes = positions.number(keys, "passes", 0, n, 0)
        s.last = (s.turn - s.passes) % n
    _set_facts(s, keys, n)
    if s.phase == LEADING and not s.played and s.rules.first_lead_low_diamond:
        name_leader(s)
        if named_turn not in (-1, s.turn):
            why = "the holder of the lowest diamond leads first (MI-C3)"
            raise PositionError(f"turn = {named_turn}", why, "leave turn out")
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
            raise PositionError("hands", "no card has been dealt yet (MI-51)", "leave them out")
        return
    dead = set_of(table.cards("dead", positions.text(keys, "dead")))
    hands = table.hands(keys.pop("hands", None), n)
    what = "unlisted cards are played or dead"
    where = positions.one_of(keys, "unlisted", ("played", "dead"), "played", what, "name one of these")
    others = set_of(table.rest(hands, shuffle, _held(s, dict(keys), n)))
    s.dead = dead | (others if where == "dead" else 0)
    s.dead_count = int(s.dead).bit_count()
    for p in range(n):
        s.hands[p], s.counts[p] = hands[p], hands[p].bit_count()
        if not hands[p]:
            why = "then the deal is over (MI-29)"
            raise PositionError(f"seat {p} has no cards", why, "give every seat at least one card")
    if s.phase in (WIDOW, AUCTION) and not s.dead:
        raise PositionError("no widow", "somebody may want it (MI-13)", "name its cards as dead")
    s.played = ALL_52 & ~s.dead & ~sum(hands)
    s.exchanger = positions.seat(keys, "exchanger", n, 0) + 1 if "exchanger" in keys else 0


def _held(s: State, keys: dict[str, Any], n: int) -> list[list[unlisted.Held]]:
    """The knowledge about the hands that follows from the keys, for the cards that are to be dealt to them."""
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
            asked = set_of(positions.seats_in(keys, "asked", n))
            barred = [mask | wanted * (asked >> p & 1) for p, mask in enumerate(barred)]
    return [[unlisted.lacks(barred[p] | down), unlisted.holds(shows[p] & ~down)] for p in range(n)]


def _laid(keys: dict[str, Any]) -> list[int]:
    """The cards that `cur` and the history name; what cannot be read is refused when these are read."""
    cards = []
    acts = [act.split() for act in positions.text(keys, "history").split(",")]
    for word in [str(keys.get("cur", "")), *(act[1] for act in acts if len(act) > 1)]:
        with suppress(NotationError):
            cards.append(parse_card(word))
    return cards


def _set_auction(s: State, keys: dict[str, Any], n: int) -> None:
    """Set the remaining bidders and the highest bid."""
    s.bidders = set_of(positions.seats_in(keys, "bidders", n, [p for p in range(n) if p != s.dealer]))
    s.turn = positions.seat(keys, "turn", n, (int(s.dealer) + 1) % n)
    s.high = positions.number(keys, "bid", 0, 10**9, 0)
    s.high_seat = positions.seat(keys, "bidder", n, 0) if s.high else 0
    wrong = s.bidders >> s.dealer & 1 or not s.bidders >> s.turn & 1
    if wrong or (s.high and (not s.bidders >> s.high_seat & 1 or s.turn == s.high_seat)):
        why = "the dealer does not bid, and the turn is of one still in who has not the highest bid (MI-14)"
        raise PositionError("this auction", why, "change bidders or turn")


def _set_sequence(s: State, keys: dict[str, Any], n: int) -> None:
    """Set the card that was laid last and who laid it; whose turn it is follows from them."""
    s.cur = positions.card("cur", str(keys.pop("cur", "")))
    if not s.played >> s.cur & 1 or rank_of(s.cur) == 0:
        why = "it is the last card laid of a sequence that goes on (MI-22)"
        raise PositionError(f"cur = {card_text(s.cur)}", why, "name a card that is played, no ace")
    s.last = positions.seat(
        keys,
        "last",
        n,
        positions.seat(dict(keys), "turn", n, 0) if s.phase == SPINNING else (int(s.dealer) + 1) % n,
    )
    s.turn = s.last
    if s.phase == FOLLOWING:
        s.asked = set_of(positions.seats_in(keys, "asked", n)) if s.rules.enforce_penalise else 0
        wanted = after(int(s.cur))
        order = [(s.last + i) % n for i in range(n)]
        held = holder(s, s.hands, wanted)
        s.turn = int(held) if not s.rules.enforce_penalise else next((p for p in order if not s.asked >> p & 1), -1)
    if s.turn < 0 or (not s.rules.enforce_penalise and s.phase == FOLLOWING and not s.hands[s.turn] >> wanted & 1):
        raise _stopped(s)


def _check_next(s: State) -> None:
    """Where offences are penalised, the turn belongs to the first seat that has not been asked and may hold the next
    card.
    """
    wanted, n = after(int(s.cur)), int(s.seats)
    if s.rules.enforce_penalise:
        order = ((s.last + i) % n for i in range(n))
        s.turn = next((p for p in order if not s.asked >> p & 1 and may_hold(s, p, wanted)), -1)
        if s.turn < 0:
            raise _stopped(s)


def _stopped(s: State) -> PositionError:
    why = f"nobody adds {card_text(after(int(s.cur)))}: the sequence has stopped (MI-22)"
    return PositionError(f"cur = {card_text(s.cur)}", why, "leave cur out")


def _barred(s: State, text: str) -> int:
    """The suits that may not be led, which must be those of one stop."""
    mask = 0
    for suit in positions.suits("barred", text):
        mask |= bars(s, 13 * suit)
    if mask not in (0, *(bars(s, 13 * suit) for suit in range(4))):
        why = "one stop bars one suit, or one colour (MI-23, MI-41)"
        raise PositionError(f"barred = {text!r}", why, "name the suit of the last stop")
    return mask


def _set_facts(s: State, keys: dict[str, Any], n: int) -> None:
    """Set the facts about the hands, from `lacks`, `shows` and passes; a hand must not contradict them."""
    if (turn := positions.seat(keys, "turn", n, int(s.turn))) != s.turn and not s.rules.enforce_penalise:
        raise PositionError(f"turn = {turn}", f"it is the turn of seat {int(s.turn)} (MI-20)", "leave turn out")
    for name in ("lacks", "shows"):
        for p, mask in enumerate(positions.sets(keys, name, n)):
            getattr(s, name)[p] = mask & ~int(s.played)
    for i in range(s.passes):
        p = (s.last + i) % n
        if not s.rules.enforce_penalise:
            if open_leads(int(s.hands[p]), int(s.barred)):
                why = "it holds a suit that may be led (MI-24)"
                raise PositionError(f"seat {p} has passed the lead", why, "change its hand, barred or passes")
            s.lacks[p] |= open_suits(s.barred)
        elif s.rules.detect_immediate:
            proved_by_passing(s, p)
    if s.phase == FOLLOWING:
        wanted = after(int(s.cur))
        if not s.rules.enforce_penalise:
            s.shows[s.turn] |= 1 << wanted
        elif s.rules.detect_immediate:
            for p in cards_in(s.asked):
                s.lacks[p] |= 1 << wanted
    if s.phase == SPINNING and not may_hold(s, s.turn, ACE_OF_DIAMONDS):
        why = "everybody knows that it does not hold AD (MI-Q12)"
        raise PositionError(f"seat {int(s.turn)} asked to spin", why, "change phase, lacks or shows")
    for p in range(n):
        if wrong := int(s.lacks[p]) & int(s.hands[p]):
            why = "it has proved that it does not (MI-23, MI-24)"
            raise PositionError(f"seat {p} holds {set_text(wrong)}", why, "change its hand or its lacks")
        if wrong := int(s.shows[p]) & ~int(s.hands[p]):
            why = "its shows says so"
            raise PositionError(f"seat {p} does not hold {set_text(wrong)}", why, "change its hand or its shows")


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
            why = "acts are written '1 3S lead, 2 4S', of cards played, each once"
            raise positions.unreadable(f"history {' '.join(act)[:40]!r}", why, "part them by commas")
        k = int(s.laid_count)
        s.laid[k] = card | int(act[0]) << 6
        s.laid_by[int(act[0])] |= 1 << card
        s.leads |= int("lead" in words) << k
        s.whole |= int("all" in words) << k
        s.spun |= int("spin" in words) << k
        s.laid_count += 1
    if acts and (int(acts[-1][0]) != s.last or (s.cur >= 0 and s.laid[s.laid_count - 1] & 63 != s.cur)):
        why = "it does not lead to this position"
        raise PositionError("history", why, "its last card is cur, laid by the last player")


def _pairs(keys: dict[str, Any], name: str) -> dict[str, str]:
    """`AH 3, JS 6` as names with their values."""
    words = str(keys.pop(name, "")).replace(",", " ").split()
    if len(words) % 2 or len(set(words[::2])) * 2 != len(words):
        why = f"{name} is written as pairs"
        raise positions.unreadable(f"{name} = {' '.join(words)[:60]!r}", why, "write for instance 'AH 3, JS 6'")
    return dict(zip(words[::2], words[1::2], strict=True))


def _set_chips(s: State, keys: dict[str, Any]) -> None:
    """Set the chips on the table and in the stacks."""
    if "pot" in keys:
        raise PositionError("pot", "the chips lie on the money cards (MI-06)", "write on = 'AH 3, JS 6'")
    positions.set_chips(s, keys)
    places = _places(s) | ({"kitty": PLACES} if s.rules.kitty else {})
    on = [0] * (PLACES + 1)
    for name, text in _pairs(keys, "on").items():
        place = places.get(name.lower() if name.lower() in places else name.upper(), -1)
        if place < 0 or not (text.isascii() and text.isdecimal() and len(text) < 10):
            why = f"chips lie on {', '.join(places)}"
            raise PositionError(f"on = '{name[:20]} {text[:20]}'", why, "name one of these, with a number of chips")
        on[place] = int(text)
    s.on[:] = on[:PLACES]
    s.pot = sum(on)
