"""A person's page at a table at which all has been played already: its log is put into the server's database. A test of
the page at the end of a deal need not click through the deal.
"""

from __future__ import annotations

import secrets
import time
from typing import Any

import browser as chrome
from live import Driven
from served import Served, keep

from cardtable.server.guard import COOKIE, hashed
from cardtable.table.events import decode, encode


def until(game: str, stage: str, moves: int = 10_000, **setup: Any) -> Driven:
    """A table of Ann and bots, played until it is at a stage, or until Ann is to move for the n-th time."""
    t = Driven(game, people="a", **setup)
    for _ in range(10_000):
        turn = t.table.stage == "playing" and t.table.match is not None and 0 in t.table.match.actors
        moves -= turn
        if t.table.stage == stage or moves < 0:
            return t
        t.step()
    raise AssertionError(f"{game} is never {stage}")


def sit(browser: Any, server: Served, t: Driven, width: int = 1280, height: int = 800, **more: Any) -> chrome.Watched:
    """Ann's page at a table of hers."""
    token, table = secrets.token_urlsafe(32), secrets.token_urlsafe(16)
    told = {
        b'"owner":"a"': f'"owner":"{hashed(token)}"',
        b'"host":"a"': f'"host":"{hashed(token)}"',
        b'"name":"a"': '"name":"Ann"',
        b'"table":"T1"': f'"table":"{table}"',
    }
    log = []
    for entry in t.log:
        line = encode(entry)
        for old, new in told.items():
            line = line.replace(old, new.encode())
        log.append(decode(line))
    keep(server.store, log, secrets.token_hex(3).upper(), int(1000 * time.time()))
    one = chrome.visitor(browser, server.url, width, height, **more)
    one.page.context.add_cookies([{"name": COOKIE, "value": token, "url": server.url}])
    one.page.goto(f"{server.url}/t/{table}")
    one.page.wait_for_selector(".live")
    return one
