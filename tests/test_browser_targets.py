"""What can be pressed is as large as a finger: 44 px, or more in one direction where cards overlap.

Pages are looked at in `test_browser`, and tables of all games in `test_browser_languages`.
"""

from __future__ import annotations

from typing import Any

import browser as chrome
from browser import alone
from served import Served


@chrome.needed
def test_where_a_number_is_chosen_and_at_the_end_of_a_deal(browser: Any, server: Served) -> None:
    phone = chrome.visitor(browser, server.url, 390, 844, has_touch=True, is_mobile=True)
    phone.deal("michigan", number="michigan 9", **alone("michigan"))  # the person bids first
    phone.page.wait_for_selector(".live.turn .number")
    assert chrome.missed(phone.page) == [], "where a number is chosen"
    phone.deal("fan-tan", **chrome.near_the_end("fan-tan"))
    phone.play_deal(tap=True)
    assert chrome.missed(phone.page) == [], "at the end"
    phone.result()
    assert chrome.missed(phone.page) == [], "on the sheet"
    phone.page.context.close()
