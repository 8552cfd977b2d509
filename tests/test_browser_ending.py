"""The end of a deal on the drawn table: hands are laid open, numbers count, and the winner has a moment."""

from __future__ import annotations

from typing import Any

import browser as chrome
import msgspec
import pytest
from served import Served

from cardtable import Match
from cardtable.table.projection import event_seen

pytestmark = [chrome.needed, pytest.mark.server(beat=0.02, bot_pace=0.02)]

WIDE: dict[str, Any] = {"reduced_motion": "no-preference"}


# Hands

#: the kinds of the beats of a deal's end at which hands are laid open
OPENED = """async ([events, seats]) => {
  const { beats, withHandsOpen } = await import('/static/beats.js');
  const told = withHandsOpen(beats([{ events }], seats, true));
  const at = told.findIndex((beat) => beat.kind === 'open');
  return [told.map((beat) => beat.kind), at > 0 && told[at].caption === told[at - 1].caption];
}"""


def ended(game: str, seats: int, **more: Any) -> Match:
    """A match after the move that ended its first deal."""
    m = Match(game, seats, seed=1, dealer=0, auto=False, **more)
    while not m.results:
        view = m.view(m.actors[0])
        m.play("knock" if "knock" in view.legal else view.legal[0], view.seat)
    return m


@pytest.mark.parametrize(("game", "seats"), [("fan-tan", 4), ("thirty-one", 3)])
def test_hands_are_laid_open_before_they_are_counted_and_paid_for(ann: chrome.Watched, game: str, seats: int) -> None:
    ann.page.goto(ann.url + "/about")
    m = ended(game, seats)
    events = [msgspec.to_builtins(event_seen(event, None)) for event in m.events]
    kinds, captioned = ann.page.evaluate(OPENED, [events, seats])
    assert kinds.count("open") == 1
    at = kinds.index("open")
    assert at > 0, kinds
    assert "play" in kinds[:at]
    assert "chips" in kinds[at:]
    assert not {"chips", "reveal"} & set(kinds[:at])
    assert captioned, "the caption of the beat before stays"


def test_a_hand_is_hidden_until_its_beat_but_its_chips_are_told(ann: chrome.Watched) -> None:
    ann.page.goto(ann.url + "/about")
    told = ann.page.evaluate(
        """async () => {
          const { hidden, laidOpen } = await import('/static/changes.js');
          const hand = (seat, cards, facts) => ({ kind: 'hand', name: `hand-${seat}`, seats: [seat], cards, facts });
          const chips = (n) => ({ message: { says: '{n} chips', n }, coins: n });
          const counts = { message: { says: 'counts {n}', n: 27 } };
          const before = { deal: 1, zones: [hand(0, ['AS'], []), hand(1, [null, null], [chips(3)])] };
          const now = { deal: 1, zones: [hand(0, ['AS'], []), hand(1, ['2H', '3H'], [chips(2), counts])] };
          const names = laidOpen(before, now, 0);
          const [, shut] = hidden(before, now, names).zones;
          return [names, shut.cards, shut.facts.map((one) => one.coins ?? one.message.says),
            laidOpen(before, { ...now, deal: 2 }, 0), laidOpen(before, now, 1), laidOpen(now, now, 0)];
        }"""
    )
    assert told == [["hand-1"], [None, None], [2], [], [], []]


#: notes each beat of the table, with the number of cards of others that lie open, and whether the ending is shown
WATCH = """() => {
  window.seen = [];
  const note = () => {
    const beat = document.querySelector('.live')?.dataset.beat;
    const open = document.querySelectorAll('.others .shown .card').length;
    const ending = !!document.querySelector('.ending');
    const told = JSON.stringify([beat, open, ending]);
    if (JSON.stringify(window.seen.at(-1)) !== told) window.seen.push(JSON.parse(told));
  };
  new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def test_the_hands_of_the_others_open_on_the_table(browser: Any, server: Served) -> None:
    """Thirty-One, where somebody knocks as soon as they may: the deal ends after a few moves."""
    one = chrome.visitor(browser, server.url, chosen={"speed": "fast"}, **WIDE)
    one.deal("thirty-one", seats=3, bots=["", "simple", "simple"], number="thirty-one 3")
    page = one.page
    page.evaluate(WATCH)
    while not one.over:
        if page.evaluate("() => !!document.querySelector('.live.turn')"):
            knock = page.locator("[data-offer]", has_text="Knock")
            knock.first.click() if knock.count() else one.move()
        page.wait_for_function("() => document.querySelector('.ending, .live.turn')")
    seen = page.evaluate("() => window.seen")
    page.context.close()
    assert [open for beat, open, _ in seen if beat == "open"][-1] == 6, seen
    first = next(i for i, (beat, *_) in enumerate(seen) if beat == "open")
    assert all(not open and not ending for _, open, ending in seen[:first]), seen
    assert seen[-1][2]
    assert one.complaints == []


# Numbers

#: draws a seat's chips, first so many and then others; what the eye sees, and what is read aloud, each time it changes
CHIPS = """async ([from, to]) => {
  const { html, render } = await import('/static/html.js');
  const { Pot } = await import('/static/zones.js');
  const box = document.body.appendChild(document.createElement('div'));
  const draw = (n) => render(html`<${Pot} zone=${{ name: 'pot', on: [], count: n, facts: [], label: { says: 'pot' } }}
    />`, box);
  const seen = [], read = [];
  draw(from);
  await new Promise((done) => {
    const note = () => {
      const b = box.querySelector('b');
      const drawn = b.querySelector('[aria-hidden]') ?? b;
      if (seen.at(-1) !== drawn.textContent) seen.push(drawn.textContent);
      const said = (b.querySelector('.sr') ?? b).textContent.trim();
      if (read.at(-1) !== said) read.push(said);
      if (drawn === b && seen.at(-1).trim() === String(to)) done();
    };
    new MutationObserver(note).observe(box, { subtree: true, childList: true, characterData: true });
    draw(to);
  });
  return [seen.map(Number), read.map(Number)];
}"""


def test_a_number_counts_to_what_it_has_become(browser: Any, server: Served) -> None:
    one = chrome.visitor(browser, server.url, chosen={"speed": "slow"}, **WIDE)
    one.page.goto(one.url + "/about")
    seen, read = one.page.evaluate(CHIPS, [4, 15])
    assert seen == sorted(seen)
    assert len(seen) > 3
    assert seen[-1] == 15
    assert set(read) <= {4, 15}
    assert read[-1] == 15
    one.page.context.close()


@pytest.mark.parametrize("chosen", [{"speed": "instant"}, {"speed": "slow"}], ids=["instant", "reduced"])
def test_without_motion_a_number_is_there_at_once(browser: Any, server: Served, chosen: dict[str, str]) -> None:
    more = WIDE if chosen["speed"] == "instant" else {}
    one = chrome.visitor(browser, server.url, chosen=chosen, **more)
    one.page.goto(one.url + "/about")
    seen, read = one.page.evaluate(CHIPS, [4, 15])
    assert seen == [15]
    assert read == [15]
    one.page.context.close()


# The lines


def test_each_reason_has_its_time_and_all_of_them_not_too_long(ann: chrome.Watched) -> None:
    ann.page.goto(ann.url + "/about")
    told, longest = ann.page.evaluate(
        "async () => { const { timetable } = await import('/static/ending.js');"
        "return [timetable([3, 1, 0]), timetable(Array(12).fill(9))]; }"
    )
    begins = [line["begins"] for line in told["lines"]]
    assert begins == sorted(set(begins))
    first, second, _ = told["lines"]
    assert first["each"] > 0
    assert second["begins"] >= first["begins"] + 2 * first["each"], "a line begins when the one before is told"
    assert told["lasts"] < longest["lasts"] <= 5000.1


#: draws the end of a deal, and clicks on it once it is being told: the totals as they are seen and read, the class of
#: the whole, and how much is still moving
LINES = """async () => {
  const { html, render } = await import('/static/html.js');
  const { Ending } = await import('/static/ending.js');
  const box = document.body.appendChild(document.createElement('div'));
  const counted = [[0, 'most cards', 3], [0, 'sweeps', 2], [1, 'big', 2]].map(([seat, says, amount]) => (
    { seat, why: { says }, amount, times: 1 }));
  const view = { deal: 1, scores: [12, 9], counted, winners: [],
    results: [{ deal: 1, winner: 0, gained: [5, 2], scores: [12, 9] }] };
  const table = { stage: 'between', you: 0, seats: [{}, {}], names: ['Ann', 'Bea'] };
  render(html`<${Ending} view=${view} table=${table} round=${[0, 1]} felt=${{ current: box }} />`, box);
  const totals = (part) => [...box.querySelectorAll('.sum')].map((el) => (el.querySelector(part) ?? el).textContent);
  const moving = () => box.querySelector('ul').getAnimations({ subtree: true }).length;
  const first = [totals('[aria-hidden]'), totals('.sr'), moving()];
  box.querySelector('h2').click();
  await new Promise((done) => new MutationObserver(() => box.querySelector('.sum .sr') || done())
    .observe(box, { subtree: true, childList: true, characterData: true }));
  return [box.firstElementChild.className, ...first, totals('[aria-hidden]'), moving(),
    [...box.querySelectorAll('.why')].map((el) => el.textContent)];
}"""


def test_scores_are_told_with_their_reasons_and_a_click_tells_all(browser: Any, server: Served) -> None:
    one = chrome.visitor(browser, server.url, chosen={"speed": "slow"}, **WIDE)
    one.page.goto(one.url + "/about")
    name, seen, read, moving, then, rest, why = one.page.evaluate(LINES)
    assert name.split() == ["ending", "mine"]
    assert seen == ["7 + 5 = 7", "7 + 2 = 7"]
    assert read == ["7 + 5 = 12", "7 + 2 = 9"]
    assert moving == 5, "two lines and three reasons"
    assert then == ["7 + 5 = 12", "7 + 2 = 9"]
    assert rest == 0
    assert why == ["most cards 3, sweeps 2", "big 2"]
    one.page.context.close()


def test_whoever_has_won_is_marked_at_their_seat(ann: chrome.Watched) -> None:
    ann.deal("cassino", seats=2, bots=["", "simple"], number="cassino 1")
    ann.play_deal()
    page = ann.page
    won = page.locator(".ending li.won .who").all_inner_texts()
    assert len(won) == page.locator(".seat.won").count() == 1
    mine = page.locator(".own .seat.won").count()
    assert mine == (won == ["You"]) == page.locator(".ending.mine").count()


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", ["fan-tan", "michigan", "oh-hell"])
def test_on_a_phone_on_its_side_all_lines_are_seen_at_once(browser: Any, server: Served, game: str) -> None:
    one = chrome.visitor(browser, server.url, 844, 390)
    one.deal(game, seats=4, bots=["", *["simple"] * 3], number=f"{game} 5")
    one.play_deal()
    ending, buttons = one.page.locator(".ending"), one.page.locator(".actions button:visible")
    assert ending.evaluate("(el) => el.scrollHeight <= el.clientHeight + 1")
    assert ending.locator("li").count() == 4
    boxes = buttons.evaluate_all("(all) => all.map((el) => Math.round(el.getBoundingClientRect().top))")
    assert len(set(boxes)) == 1, "one row"
    one.page.context.close()
