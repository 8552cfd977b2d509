"""Every game with the fewest and the most seats, in windows of every size: all that is needed is inside, whole, and on
top, while one waits, chooses and is refused, and at the end of a deal and of a match. How sizes are computed is tested
in tests/client/layout.test.js; what is measured here is in boxes.js.
"""

from __future__ import annotations

from typing import Any

import pytest

from cardtable.rules.catalog import games
from tests.browser.boxes import SIZES, faults
from tests.support import browser as chrome
from tests.support.effort import cases
from tests.support.server.live import Driven
from tests.support.server.prepared import bots, played, sit, turn
from tests.support.server.served import Served

pytestmark = chrome.needed

#: in the course of a deal also 768 x 1024 at 200%, where there is no room for more than six plates
PLAYING = (*SIZES, (384, 512), (960, 600))
FEW = 7
CHOOSE = "document.querySelector('.hand .can, .spread .can, .column .can')?.click()"
REFUSED = """(document.querySelector('.hand .card:not(.can)') ?? document.querySelector('.column .card:not(.can)'))
  ?.click()"""
SIDE = 1050  #: px: in a window that is wider, the result is at the side
OWN = 3  #: moves of one's own before the table is looked at


def tables() -> list[tuple[str, int]]:
    """Each game with the fewest and the most seats that its first preset has."""
    ranges = [(name, game.options.seat_range[game.presets[0]]) for name, game in games().items()]
    return [(name, n) for name, seats in ranges for n in sorted(set(seats))]


def in_the_deal(game: str, seats: int) -> Driven:
    """A table after a few moves of one's own, or fewer if the deal is shorter, with several moves to choose from."""
    for own in range(OWN, -1, -1):
        for number in range(5, 25):
            t = Driven(game, "a", **bots(seats), number=f"{game} {number}")
            left = own
            while t.table.stage not in ("between", "over"):
                view = turn(t)
                left -= view is not None and len(view.legal) > 1
                if left < 0:
                    return t
                t.step()
    raise AssertionError(f"{game}: there is nothing to choose")


#: what ends a match with its first deal, or soon
BRIEF: dict[str, dict[str, Any]] = {
    "busca": {"limit": "21"},
    "cassino": {"target": "11"},
    "domino-fan-tan": {"deals": 1},
    "fan-tan": {"deals": 1},
    "five-or-nine": {"deals": 1},
    "michigan": {"deals": 1},
    "play-or-pay": {"deals": 1},
    "scopa": {"target": "11"},
}


@pytest.mark.parametrize(("game", "seats"), cases(tables(), [("cassino", 2), ("oh-hell", 7)]))
def test_everything_has_its_place_in_every_window(browser: Any, server: Served, game: str, seats: int) -> None:
    one = sit(browser, server, in_the_deal(game, seats))
    one.page.wait_for_selector(".live.turn")
    sizes = PLAYING if seats <= FEW else SIZES
    found = faults(one.page, "to play", sizes)
    one.page.evaluate(REFUSED)
    found += faults(one.page, "refused", sizes)
    one.page.evaluate(CHOOSE)
    found += faults(one.page, "choosing", sizes)
    one.page.context.close()
    assert not found, "\n".join(found)


@pytest.mark.parametrize("seats", cases([4, 12]))
def test_where_cards_are_laid_together_all_has_its_place(browser: Any, server: Served, seats: int) -> None:
    """The button says how many cards are wanted."""

    def sets(t: Driven) -> bool:
        view = turn(t)
        return view is not None and any(getattr(zone, "together", None) for zone in view.zones)

    t = played(Driven("i-doubt-it", "a", **bots(seats), number="i-doubt-it 5"), sets)
    one = sit(browser, server, t)
    one.page.wait_for_selector(".live.turn")
    assert faults(one.page, "to lay", PLAYING) == []


def at_the_end(browser: Any, server: Served, t: Driven, moment: str, watched: bool = False) -> list[str]:
    """What is wrong with the page at the end of a deal, with its result, and without it if it lies over the table.

    watched: by somebody without a seat.
    """
    one = sit(browser, server, t)
    if watched:
        address = one.page.url
        one.page.context.close()
        one = chrome.visitor(browser, server.url)
        one.page.goto(address)
    one.page.wait_for_selector(".ending")
    found = faults(one.page, moment, SIZES)
    one.page.set_viewport_size({"width": SIDE, "height": 800})
    one.page.get_by_role("button", name="Look at the table").click()
    found += faults(one.page, f"{moment}, looked at", [size for size in SIZES if size[0] <= SIDE])
    one.page.context.close()
    return found


@pytest.mark.parametrize(("game", "seats"), cases(tables(), [("cassino", 2), ("fan-tan", 12)]))
def test_the_end_of_a_deal_has_its_place_in_every_window(browser: Any, server: Served, game: str, seats: int) -> None:
    t = Driven(game, "a", **bots(seats), number=f"{game} 5", options=chrome.SHORT.get(game, {}))
    played(t, lambda t: t.table.stage in ("between", "over"))
    found = at_the_end(browser, server, t, "at the end")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("game", "seats"), cases([one for one in tables() if one[0] in BRIEF], [("five-or-nine", 8)]))
def test_the_end_of_a_match_has_its_place_in_every_window(browser: Any, server: Served, game: str, seats: int) -> None:
    """A match of some other games has one deal anyway."""
    t = Driven(game, "a", **bots(seats), number=f"{game} 5", options=BRIEF[game])
    played(t, lambda t: t.table.stage == "over", 4000)
    found = at_the_end(browser, server, t, "the match is over")
    assert not found, "\n".join(found)


@pytest.mark.parametrize(("game", "seats"), cases([("thirty-one", 2), ("fan-tan", 12), ("crazy-eights", 10)]))
def test_who_watches_sees_all_seats_at_the_end(browser: Any, server: Served, game: str, seats: int) -> None:
    t = Driven(game, "a", **bots(seats), number=f"{game} 5")
    played(t, lambda t: t.table.stage in ("between", "over"))
    found = at_the_end(browser, server, t, "watched", watched=True)
    assert not found, "\n".join(found)
