"""When the browser's table socket connects again, by a clock of its own: the server's process was restarted, or its
machine no longer answers.
"""

from __future__ import annotations

from typing import Any

import browser as chrome

pytestmark = chrome.needed

#: Time passes as fast as timers come; `answers` says what a connection does. Returns when each connection was made.
DRIVEN = """async ({ seconds, answers, tick }) => {
  const { TableSocket } = await import("/static/socket.js");
  let clock = 0;
  const timers = [], made = [];
  Date.now = () => clock;
  window.setTimeout = (does, ms) => timers.push({ at: clock + (ms ?? 0), does });
  window.setInterval = (does) => timers.push({ at: clock + 1000 * tick, does, every: 1000 * tick });
  window.clearTimeout = window.clearInterval = (n) => n && (timers[n - 1].does = null);
  const table = JSON.stringify({ type: "table", version: 1, since: 0, table: { seq: 0 } });
  window.WebSocket = class {
    static OPEN = 1;
    static CONNECTING = 0;
    constructor() {
      this.readyState = 0;
      made.push(clock);
      this.first = made.length === 1;
      setTimeout(() => {
        if (answers === "never") return this.close();
        this.readyState = 1;
        this.onopen();
      }, 10);
    }
    get silent() {
      return answers === "first second" && this.first && clock >= 1000;
    }
    send(text) {
      if (this.silent) return;
      const m = JSON.parse(text);
      if (m.type === "hello") setTimeout(() => this.onmessage({ data: table }), 10);
      if (m.type === "ping") setTimeout(() => this.onmessage({ data: '{"type":"pong","n":1,"at":0}' }), 10);
    }
    close() {
      if (this.silent) return; // nobody answers the close either
      this.readyState = 3;
      setTimeout(() => this.onclose({ code: 1006 }), 0);
    }
  };
  const nothing = () => {};
  const lines = [];
  const ears = { state: nothing, refused: nothing, dismissed: nothing, advice: nothing, because: nothing,
    reviewed: nothing, foreseen: nothing, line: (up) => lines.push([clock, up]), held: nothing };
  const socket = new TableSocket("x", ears);
  while (clock < 1000 * seconds) {
    const next = timers.filter((timer) => timer.does).sort((a, b) => a.at - b.at)[0];
    clock = next.at;
    const does = next.does;
    if (next.every) next.at += next.every;
    else next.does = null;
    does();
    await null;
  }
  socket.close();
  return { made: made.map((at) => at / 1000), lines: lines.map(([at, up]) => [at / 1000, up]) };
}"""


def driven(ann: chrome.Watched, seconds: float, answers: str, tick: float = 1.0) -> Any:
    """When connections were made (seconds), and when the table was told that there is one, or none. tick: how often
    its regular work is done.
    """
    ann.page.goto(f"{ann.url}/about")
    return ann.page.evaluate(DRIVEN, {"seconds": seconds, "answers": answers, "tick": tick})


def test_a_server_that_restarts_is_asked_every_second(ann: chrome.Watched) -> None:
    """Later less often, so that a server which is away for longer is not flooded when it comes back."""
    made = driven(ann, 120.0, "never")["made"]
    gaps = [(before, after - before) for before, after in zip(made, made[1:], strict=False)]
    assert all(gap <= 1.0 for at, gap in gaps if at < 14.0), gaps
    assert [gap for at, gap in gaps if at > 20.0], gaps
    assert all(7.0 <= gap <= 13.1 for at, gap in gaps if at > 20.0), gaps


def test_a_quiet_table_keeps_its_connection(ann: chrome.Watched) -> None:
    told = driven(ann, 300.0, "always")
    assert told["made"] == [0.0]
    assert [up for _, up in told["lines"]] == [True]


def test_a_hidden_page_keeps_its_connection(ann: chrome.Watched) -> None:
    """Its timers come once a minute."""
    assert driven(ann, 3000.0, "always", tick=60.0)["made"] == [0.0]


def test_a_connection_on_which_nothing_comes_is_given_up(ann: chrome.Watched) -> None:
    """As when a machine loses its power: nobody says that the connection has ended."""
    told = driven(ann, 60.0, "first second")
    assert len(told["made"]) == 2, told
    assert 10.0 < told["made"][1] < 20.0, told
    assert [up for _, up in told["lines"]] == [True, False, True]
