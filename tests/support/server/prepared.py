"""A person's page at a table at which much has been played already: its log is put into the server's database. A test
of the page at the end of a deal need not click through the deal.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from typing import Any

from cardtable.server.net.guard import hashed
from cardtable.server.people.identities import COOKIE
from cardtable.table.events import decode, encode
from cardtable.views.view import View
from tests.support import browser as chrome
from tests.support.server.live import Driven
from tests.support.server.served import Served, keep


def bots(seats: int) -> dict[str, Any]:
    """The setup of a table with a number of seats, all but the first for bots."""
    return {"seats": seats, "bots": ("", *["medium"] * (seats - 1))}


def turn(t: Driven) -> View | None:
    """What somebody at seat 0 sees whose turn it is."""
    match = t.table.match
    return t.table.views[0] if t.table.stage == "playing" and match is not None and 0 in match.actors else None


def played(t: Driven, ready: Callable[[Driven], bool], most: int = 2000) -> Driven:
    for _ in range(most):
        if ready(t):
            return t
        t.step()
    raise AssertionError(f"{t.table.setup.game} does not reach it")


def sit(
    browser: Any,
    server: Served,
    t: Driven,
    width: int = 1280,
    height: int = 800,
    name: str = "Ann",
    script: str = "",
    **more: Any,
) -> chrome.Watched:
    """The page of the person at seat 0 (`a`), at this table. script: what the page does first."""
    token, table = server.token(), secrets.token_urlsafe(16)
    owner = hashed(token)
    told = {
        '"owner":"a"': f'"owner":"{owner}"',
        '"host":"a"': f'"host":"{owner}"',
        '"name":"a"': f'"name":"{name}"',
        '"table":"T1"': f'"table":"{table}"',
    }
    log = []
    for entry in t.log:
        line = encode(entry).decode()
        for old, new in told.items():
            line = line.replace(old, new)
        log.append(decode(line))
    keep(server.store, log, secrets.token_hex(3).upper(), int(1000 * time.time()))
    one = chrome.visitor(browser, server.url, width, height, **more)
    one.page.context.add_cookies([{"name": COOKIE, "value": token, "url": server.url}])
    one.page.add_init_script(script)
    one.page.goto(f"{server.url}/t/{table}")
    one.page.wait_for_selector(".live")
    return one
