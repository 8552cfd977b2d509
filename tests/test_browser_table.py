"""What the drawn table says and asks, in a real Chromium: names, cards chosen together, chips put on cards, events one
by one, scores, sizes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import browser as chrome
import msgspec
import pytest
from effort import cases
from served import Served, served
from test_message import LAYS, SHAPES

from cardtable import Match
from cardtable.catalog import games
from cardtable.message import Message, Reader, Seat, as_data
from cardtable.table.projection import event_seen

pytestmark = chrome.needed


def bots(seats: int) -> dict[str, Any]:
    """The setup of a table of so many seats, all but the first for bots."""
    return {"seats": seats, "bots": ["", *["simple"] * (seats - 1)]}


# Names

#: messages as parts, as they are and as sentences
PARTS = """async ({messages, names, you}) => {
  const { parts } = await import('/static/message.js');
  return [false, true].map((sentence) => messages.map((one) => parts(one, {names, you}, sentence)));
}"""
#: how a message is drawn and read out
DRAWN = """async ({names, message, you}) => {
  const { render, html } = await import('/static/html.js');
  const { Said, aloud } = await import('/static/message.js');
  const box = document.createElement('p');
  render(html`<${Said} message=${message} names=${names} you=${you} />`, box);
  const cards = [...box.querySelectorAll('.in > [aria-hidden]')].map((el) => el.textContent);
  const shown = [...box.querySelectorAll('bdi')].map((el) => el.textContent);
  box.querySelectorAll('bdi, [aria-hidden]').forEach((el) => el.remove());
  return {names: shown, cards, spoken: aloud(message, {names, you}), heard: box.textContent.trim()};
}"""


@pytest.mark.parametrize("name", cases(["KC", "seat 3", "<b>", "😀", "$& AS", "10H"], ("KC",)))
def test_a_name_is_no_card_and_no_seat(ann: chrome.Watched, name: str) -> None:
    ann.page.goto(ann.url + "/about")
    names = ["Ann", name, "Bea", "Cal"]
    told = ann.page.evaluate(DRAWN, {"names": names, "message": as_data(LAYS), "you": 3})
    heard = {"spoken": f"{name} lays seven of hearts", "heard": "lays seven of hearts"}
    assert told == {"names": [name], "cards": ["7♥"]} | heard


def test_a_number_below_zero_is_read_with_a_word(ann: chrome.Watched) -> None:
    ann.page.goto(ann.url + "/about")
    message = as_data(Message("{source} {source:scores|score} {n}, not {m}", source=Seat(0), n=-20, m=3))
    told = ann.page.evaluate(DRAWN, {"names": ["Bea"], "message": message, "you": None})
    heard = {"spoken": "Bea scores minus 20, not 3", "heard": "scores minus 20, not 3"}
    assert told == {"names": ["Bea"], "cards": []} | heard


def test_messages_are_filled_in_as_in_python(ann: chrome.Watched) -> None:
    ann.page.goto(ann.url + "/about")
    for names, you in (([], None), (["KC", "<b>", "seat 3"], 1), (["You", "Ann"], 0)):
        told = ann.page.evaluate(PARTS, {"messages": [as_data(one) for one in SHAPES], "names": names, "you": you})
        for sentence, rows in zip((False, True), told, strict=True):
            for one, row in zip(SHAPES, rows, strict=True):
                expected = [
                    {"text": part.text} | (as_data(part.is_a) if part.is_a else {})
                    for part in Reader(names, you).parts(one, sentence=sentence)
                ]
                assert row == expected


def test_the_log_names_a_player_who_is_called_like_a_card(ann: chrome.Watched, browser: Any) -> None:
    ann.deal("fan-tan", **bots(3), name="KC", number="fan-tan 1")
    ann.page.wait_for_selector(".live.turn")
    ann.move()
    ann.page.wait_for_function(
        "() => [...document.querySelectorAll('.log li')].some((el) => /^You lay /.test(el.innerText))"
    )
    one = chrome.visitor(browser, ann.url)  # who looks on
    one.page.goto(ann.page.url)
    one.page.wait_for_function(
        "() => [...document.querySelectorAll('.log li')].some((el) => /^KC lays /.test(el.innerText))"
    )
    one.page.context.close()


@pytest.mark.exhaustive
def test_a_table_of_twelve_names_every_seat(ann: chrome.Watched) -> None:
    ann.deal("i-doubt-it", **bots(12), number="twelve")
    for _ in range(3):  # the sets of seats with two digits are accepted and listed
        ann.page.wait_for_selector(".live.turn")
        said = ann.page.evaluate(
            "[...document.querySelectorAll('.live, .live [aria-label]')].map((el) => `${el.textContent} "
            "${el.getAttribute('aria-label')}`).join(' ')"
        )
        assert not re.search(r"seat \d", said), re.findall(r".{20}seat \d.{20}", said)
        accept = ann.page.locator("[data-offer]", has_text="Accept")
        if not accept.count():
            break
        accept.click()


# Sizes

#: what lies over something else, or beyond the window, or is cut off
BOXES = """() => {
  const place = (el) => el.getBoundingClientRect();
  // the sheet at the end of a deal scrolls where it has no room: what is scrolled out of it is not seen
  const out = (el) => el.closest('.ending') && place(el).top >= place(el.closest('.ending')).bottom - 2;
  const shown = (el) =>
    place(el).width > 1 && place(el).height > 1 && getComputedStyle(el).visibility !== 'hidden' && !out(el);
  const wrong = [];
  const parts = [];
  const all = (which) =>
    [...document.querySelectorAll(`.live ${which}`)].filter((el) => !el.closest('dialog') && shown(el));
  const add = (name, elements) => {
    for (const el of elements) {
      const { left, top, right, bottom } = place(el);
      const end = el.closest('.ending') ? place(el.closest('.ending')).bottom : Infinity;
      parts.push({ name, left, top, right, bottom: Math.min(bottom, end) });
    }
  };
  for (const which of ['> .bar', '> .coach', '.others .seat', '.caption > span', '.own', '> .side'])
    add(which, all(which));
  for (const which of ['.message', '.actions']) {
    add(which, all(`${which} :is(b, button, .label, .advice, .now > span, select)`));
    add(which, all(`${which} > span:not(.now, .offers, .tools, .tip)`));
  }
  add('.board', all('.board :is(.card, .label, .fact, .who, .note, button, .money b, .ghost)'));
  for (const one of parts) {
    if (one.left >= -1 && one.top >= -1 && one.right <= innerWidth + 1 && one.bottom <= innerHeight + 1) continue;
    wrong.push(`${one.name} is beyond the window: ${JSON.stringify(one)}`);
  }
  const wide = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const high = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  for (const a of parts) for (const b of parts) {
    if (a.name >= b.name) continue;
    const [x, y] = [wide(a, b), high(a, b)].map(Math.round);
    if (wide(a, b) > 2 && high(a, b) > 3) wrong.push(`${a.name} and ${b.name} overlap by ${x} x ${y}`);
  }
  const seats = parts.filter((one) => one.name === '.others .seat');
  seats.forEach((a, i) => seats.slice(i + 1).forEach((b) => {
    if (wide(a, b) > 2 && high(a, b) > 2) wrong.push('two seats overlap');
  }));
  for (const el of all('.hand .card')) {
    const box = place(el), own = place(el.closest('.own'));
    if (box.left < own.left - 1 || box.right > own.right + 1 || box.bottom > own.bottom + 1)
      wrong.push(`${el.dataset.card} sticks out of the hand`);
  }
  for (const el of all('button, .label, .note, .fact, .message span, h1')) {
    if (el.matches('.sr') || el.closest('.sr') || getComputedStyle(el).textOverflow === 'ellipsis') continue;
    if (el.scrollWidth > el.clientWidth + 2 && el.clientWidth > 0 && getComputedStyle(el).overflowX !== 'visible')
      wrong.push(`cut: ${el.textContent.slice(0, 40)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) wrong.push('the page is wider than the window');
  return [...new Set(wrong)];
}"""
SIZES = [
    (360, 640),
    (390, 844),
    (844, 390),
    (768, 1024),
    (960, 600),
    (1280, 720),
    (1440, 900),
    (2560, 1440),
]


def tight(one: chrome.Watched) -> list[str]:
    """What is wrong with the boxes of the table that is shown, once it is drawn (the board is sized just before) with
    the fonts that it is made for.
    """
    one.page.evaluate("() => document.fonts.ready.then(() => true)")
    one.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    one.page.evaluate(
        "() => Promise.all(document.getAnimations().filter((one) => one.effect.getTiming().iterations !== "
        "Infinity).map((one) => one.finished.catch(() => 0)))"
    )
    found: list[str] = one.page.evaluate(BOXES)
    return found


def sat(
    browser: Any, server: Served, size: tuple[int, int], game: str, coached: bool = True, **setup: Any
) -> chrome.Watched:
    """Somebody whose turn it is at a table of a game, in a window of a size."""
    one = chrome.visitor(browser, server.url, *size, has_touch=size[0] < 600)
    one.page.add_init_script(
        f"localStorage.setItem('cardtable', JSON.stringify({{speed: 'instant', name: 'Ann', coached: "
        f"{str(coached).lower()}}}))"
    )
    one.deal(game, **setup)
    one.page.wait_for_selector(".live.turn, .ending")
    return one


@pytest.mark.parametrize(
    ("size", "game", "seats"),
    cases(
        [
            ((844, 390), "cassino", 2),
            ((360, 640), "michigan", 4),
            ((960, 600), "oh-hell", 7),
            ((2560, 1440), "fan-tan", 8),
            ((768, 1024), "crazy-eights", 5),
            ((1280, 720), "michigan", 4),
            ((1280, 720), "oh-hell", 4),
            ((960, 600), "play-or-pay", 4),
            ((1440, 900), "scopa", 2),
        ],
        2,
    ),
)
def test_nothing_overlaps_and_nothing_is_cut(
    browser: Any, server: Served, size: tuple[int, int], game: str, seats: int
) -> None:
    one = sat(browser, server, size, game, coached=False, number=f"{game} 4", **bots(seats))
    wrong = tight(one)
    for _ in range(3):
        one.move()
        one.page.wait_for_selector(".live.turn, .ending")
        wrong += tight(one)
    one.page.context.close()
    assert wrong == []


def test_an_auction_fits_on_the_smallest_phone(browser: Any, server: Served) -> None:
    one = sat(browser, server, (320, 568), "michigan", coached=False, number="michigan 9", **bots(4))
    one.page.wait_for_selector(".live.turn .number")
    assert tight(one) == []
    one.page.context.close()


@pytest.mark.exhaustive
@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("game", sorted(games()))
def test_no_table_of_any_size_overlaps(browser: Any, server: Served, size: tuple[int, int], game: str) -> None:
    fewest, most = games()[game].best
    wrong = []
    for seats in {fewest, most}:
        one = sat(browser, server, size, game, coached=False, number=f"{game} 2", **bots(seats))
        for step in range(4):
            if one.over:
                break
            wrong += [f"{seats} seats, step {step}: {text}" for text in tight(one)]
            one.move()
            one.page.wait_for_selector(".live.turn, .ending")
        one.page.context.close()
    assert wrong == []


@pytest.mark.exhaustive
def test_a_ladder_in_a_low_window_can_be_read(browser: Any, server: Served) -> None:
    one = sat(browser, server, (960, 600), "fan-tan", coached=False, number="fan-tan 1", **bots(4))
    for strip in one.page.evaluate(
        "() => [...document.querySelectorAll('.slot.filled')].map((el) => [el.clientWidth, el.clientHeight, "
        "parseFloat(getComputedStyle(el).fontSize)])"
    ):
        assert strip[0] >= 36
        assert strip[1] >= 20
    one.page.context.close()


@pytest.mark.exhaustive
def test_cards_that_fly_are_not_clipped(ann: chrome.Watched) -> None:
    ann.deal("scopa", **bots(2), number="scopa 1")  # of a deal at random the bot may clear the table
    ann.page.wait_for_selector(".spreads .card")
    clips = (
        "() => { const found = []; for (let el = document.querySelector('.spreads .card').parentElement; "
        "!el.matches('.live'); el = el.parentElement) if (getComputedStyle(el).overflow !== 'visible') "
        "found.push(el.className); return found; }"
    )
    assert ann.page.evaluate(clips) == []


@pytest.mark.exhaustive
def test_the_list_of_games_is_short_on_a_phone(browser: Any, server: Served) -> None:
    one = chrome.visitor(browser, server.url, 390, 844, has_touch=True)
    one.page.goto(server.url)
    one.page.wait_for_selector(".game")
    assert one.page.evaluate("() => document.documentElement.scrollHeight") < 2900
    assert one.page.evaluate("() => document.documentElement.scrollWidth") <= 390
    one.page.context.close()


# Cards that are chosen together


def laying(one: chrome.Watched, **setup: Any) -> list[str]:
    """A table of I Doubt It at which it is one's turn to lay a set; the cards of the hand as they lie there."""
    one.deal("i-doubt-it", **{"number": "lay 2"} | bots(4) | setup)
    while True:
        one.page.wait_for_selector(".live.turn")
        if one.page.locator(".hand button[aria-pressed]").count():
            break
        before = one.page.locator(".log li").count()
        one.page.locator("[data-offer]", has_text="Accept").click()
        one.page.wait_for_function("(before) => document.querySelectorAll('.log li').length > before", arg=before)
    found: list[str] = one.page.evaluate(
        "() => [...document.querySelectorAll('.hand button.card')].map((el) => el.dataset.card)"
    )
    return found


def pressed(page: Any) -> list[str]:
    """The cards that are chosen."""
    found: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('.hand [aria-pressed=true]')].map((el) => el.dataset.card)"
    )
    return found


def test_a_set_is_chosen_in_any_order_and_cards_go_back(ann: chrome.Watched) -> None:
    sent: list[str] = []
    ann.page.on(
        "websocket",
        lambda line: line.on("framesent", lambda frame: sent.append(str(frame)) if '"move"' in str(frame) else None),
    )
    hand = laying(ann)
    sent.clear()
    page = ann.page
    button = page.locator(".actions button", has_text="Choose 1 to 4 cards")
    assert button.is_disabled(), "the one button says what is asked"
    for card in (hand[6], hand[2], hand[9]):
        page.locator(f".hand [data-card='{card}']").click(position=chrome.CORNER)
    assert sorted(pressed(page)) == sorted([hand[2], hand[6], hand[9]])
    page.locator(f".hand [data-card='{hand[6]}']").click(position=chrome.CORNER)
    assert sorted(pressed(page)) == sorted([hand[2], hand[9]])
    assert sent == [], "nothing is sent before the set is laid"
    lay = page.get_by_role("button", name=re.compile("^Lay 2 as "))
    assert lay.is_enabled()
    lay.click()
    page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length === n", arg=len(hand) - 2)
    assert len(sent) == 1
    assert sent[0].count("done") == 1


def test_a_set_by_keys_alone_and_no_card_too_many(ann: chrome.Watched) -> None:
    hand = laying(ann)
    page = ann.page
    page.locator(".hand button.card").first.focus()
    for _ in range(4):
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowRight")
    assert pressed(page) == hand[:4]
    page.keyboard.press("Enter")
    page.wait_for_selector(".message.bad")
    assert "no more than 4 cards" in page.locator(".message").inner_text().lower()
    assert pressed(page) == hand[:4]
    page.keyboard.press(hand[0][0].lower().replace("t", "0"))  # a typed card is put back
    page.keyboard.press(hand[0][1].lower())
    page.wait_for_function("() => document.querySelectorAll('.hand [aria-pressed=true]').length === 3")
    assert page.locator("[aria-live=assertive]").inner_text().endswith("3 of 4 chosen")
    page.keyboard.press("Escape")
    page.wait_for_function("() => !document.querySelector('.hand [aria-pressed=true]')")


def test_two_cards_of_a_kind_are_two_cards(ann: chrome.Watched) -> None:
    for number in range(12):
        hand = laying(ann, seats=5, bots=["", *["simple"] * 4], options={"decks": 2}, number=f"twice {number}")
        twice = next((card for card in hand if hand.count(card) == 2), "")
        if twice:
            break
    both = ann.page.locator(f".hand [data-card='{twice}']")
    both.first.click(position=chrome.CORNER)
    assert pressed(ann.page) == [twice]
    both.last.click(position=chrome.CORNER)
    assert pressed(ann.page) == [twice, twice]
    both.first.click(position=chrome.CORNER)
    assert pressed(ann.page) == [twice]


@pytest.mark.exhaustive
def test_sets_and_chips_as_plain_text(ann: chrome.Watched) -> None:
    ann.page.add_init_script(
        "localStorage.setItem('cardtable', JSON.stringify({speed: 'instant', name: 'Ann', plain: true}))"
    )
    ann.page.goto(ann.url + "/about")
    page = ann.page
    for body, button in (
        ({"game": "i-doubt-it", "number": "a1", **bots(4)}, "Lay 2 as "),
        ({"game": "michigan", "preset": "boodle", "number": "boodle 1", **bots(4)}, "Put down 4 chips"),
    ):
        made = page.evaluate(
            "async (body) => (await fetch('/api/tables', {method: 'POST', body: JSON.stringify(body)})).json()",
            {"name": "Ann", **body},
        )
        page.goto(ann.url + made["path"])
        page.wait_for_selector("fieldset, .movelist")
        while not page.locator("fieldset").count():
            page.evaluate("document.querySelector('.movelist button')?.click()")
        for box in (5, 1):
            if page.get_by_role("checkbox").count():
                page.get_by_role("checkbox").nth(box).check()
        page.get_by_role("button", name=re.compile(f"^{button}")).click()
        page.wait_for_selector("fieldset", state="detached")


# Chips that are put on cards


def test_chips_are_put_on_the_money_cards(ann: chrome.Watched) -> None:
    ann.deal("michigan", preset="boodle", number="boodle 1", **bots(4))
    page = ann.page
    page.wait_for_selector(".live.turn .stake")
    assert not page.locator("[data-more]").count(), "no list of thirty-five moves"
    counts = "() => [...document.querySelectorAll('.stake b')].map((el) => Number(el.textContent))"
    assert page.evaluate(counts) == [1, 1, 1, 1]
    page.get_by_role("button", name="One chip back from the queen of spades").click()
    assert page.evaluate(counts) == [1, 1, 0, 1]
    assert page.locator(".actions button", has_text="1 chip left").is_disabled()
    assert "1 chip left to put down" in page.locator(".message").inner_text()
    page.get_by_role("button", name="One chip more on the ace of hearts").focus()
    page.keyboard.press("Enter")
    assert page.evaluate(counts) == [2, 1, 0, 1]
    page.get_by_role("button", name="Put down 4 chips").click()
    page.wait_for_selector(".hand button.card")
    page.wait_for_function(
        "() => [...document.querySelectorAll('.log li')].filter((el) => /^You put 2 chips on "
        "A/.test(el.innerText)).length === 1"
    )


# One thing after the other


@pytest.fixture(scope="module")
def paced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("paced") / "tables.db", beat=0.4, bot_pace=0.1) as running:
        yield running


#: notes every state of the table as it is drawn: how many lines the log has, how many cards lie there, the caption
WATCH = """() => {
  window.seen = [];
  const look = () => {
    const count = (which) => document.querySelectorAll(which).length;
    const caption = document.querySelector('.caption')?.textContent ?? '';
    const one = [count('.log li'), count('.slot.filled'), caption, performance.now()];
    const last = window.seen.at(-1);
    if (!last || one.slice(0, 3).join() !== last.slice(0, 3).join()) window.seen.push(one);
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
  look();
}"""


@pytest.mark.exhaustive
def test_forced_moves_come_one_by_one_and_people_lay_their_own(browser: Any, paced: Served) -> None:
    one = chrome.visitor(browser, paced.url)
    page = one.page
    page.add_init_script(
        "localStorage.setItem('cardtable', JSON.stringify({speed: 'normal', name: 'Ann', coached: true, drawer: true}))"
    )
    one.deal("play-or-pay", **bots(4), number="pay 1")
    page.evaluate(WATCH)
    held = page.locator(".hand button.card").count()
    for _ in range(3):
        page.wait_for_selector(".live.turn")
        page.keyboard.press("Escape")
        pass_, card = page.locator("[data-offer]", has_text="ass"), page.locator(".hand button.can")
        if card.count():
            card.first.click(position=chrome.CORNER)
            held -= 1
            page.wait_for_function("(n) => document.querySelectorAll('.hand button.card').length === n", arg=held)
        else:
            pass_.click()
            page.wait_for_selector(".live:not(.turn)")
    assert page.locator(".hand button.card").count() == held, "no card of one's own was laid by itself"
    seen = page.evaluate("() => window.seen")
    filled = [laid for _, laid, _, _ in seen]
    assert all(after - before <= 1 for before, after in zip(filled, filled[1:], strict=False)), (
        "never two cards at once"
    )
    one.page.context.close()


#: captions as letters
CAPTIONS = """async ({events, names, you}) => {
  const { beats } = await import('/static/beats.js');
  const { written } = await import('/static/message.js');
  const told = (caption) => caption.map((one) => written(one, { names, you }, true)).join('. ');
  return beats([{ events }], names.length).map((beat) => told(beat.caption));
}"""


@pytest.mark.parametrize(
    ("game", "preset", "moves", "told"),
    [
        (
            "michigan",
            "boodle",
            ["stake KD1 QS3"],
            ["Bea puts 1 chip on K♦ and 3 chips on Q♠. Bea puts 4 chips on the money cards"],
        ),
        ("fan-tan", "denexa", [], ["Everybody pays 1 chip to the pot as ante"]),
        ("spider", "four-suits", ["deal"], ["The stock gives 8♣, 7♠, J♣, K♠, 9♣, 6♦, K♦, 8♦, 10♦ and A♠"]),
    ],
)
def test_what_is_alike_is_one_caption(
    ann: chrome.Watched, game: str, preset: str, moves: list[str], told: list[str]
) -> None:
    m = Match(game, None if game == "spider" else 4, preset, seed=1, dealer=0, auto=False)
    for move in moves:
        m.play(move)
    ann.page.goto(ann.url + "/about")
    events = [msgspec.to_builtins(event_seen(event, None)) for event in m.events if event.kind not in ("cut", "deal")]
    assert ann.page.evaluate(CAPTIONS, {"events": events, "names": ["Ann", "Bea", "Cal", "Dan"], "you": 0}) == told


@pytest.mark.exhaustive
def test_a_friend_sees_what_is_paid(browser: Any, paced: Served) -> None:
    """Whoever sits down last opens the match: the antes are told, and nobody has passed yet."""
    ann, ben = chrome.visitor(browser, paced.url), chrome.visitor(browser, paced.url)
    for one in (ann, ben):
        one.page.add_init_script(
            "localStorage.setItem('cardtable', "
            "JSON.stringify({speed: 'normal', name: 'Ann', coached: true, drawer: true}))"
        )
    ann.page.goto(ann.url + "/about")
    body = {"game": "play-or-pay", "seats": 4, "bots": ["", "", "simple", "simple"], "name": "Ann"}
    made = ann.page.evaluate(
        "async (body) => (await fetch('/api/tables', {method: 'POST', body: JSON.stringify(body)})).json()", body
    )
    ben.page.goto(ann.url + made["path"])
    ben.page.get_by_role("button", name="Sit here").click()
    ben.page.wait_for_function(
        "() => document.querySelector('.caption')?.textContent.includes('Everybody pays 1 chip to the pot as ante')"
    )
    assert not re.search(" passing| the run", ben.page.locator(".log").inner_text())
    for one in (ann, ben):
        one.page.context.close()


@pytest.mark.exhaustive
def test_the_rules_wait_a_beat_and_not_for_who_wants_it_at_once(browser: Any, paced: Served) -> None:
    """Passes of Fan Tan: each is told with what it costs; at once they are made without waiting."""
    times = {}
    for speed in ("normal", "instant"):
        one = chrome.visitor(browser, paced.url)
        one.page.add_init_script(
            "localStorage.setItem('cardtable', "
            f"JSON.stringify({{speed: '{speed}', name: 'Ann', coached: true, drawer: true}}))"
        )
        one.deal("fan-tan", **bots(8), preset="stops", number="passes 3")
        one.page.evaluate(WATCH)
        one.page.wait_for_selector(".live.turn, .ending")
        one.page.wait_for_function(
            "() => [...document.querySelectorAll('.log li')].filter((el) => / passes/.test(el.innerText)).length > 1 "
            "|| document.querySelector('.live.turn')"
        )
        told = one.page.locator(".log li").count()
        one.move()
        one.page.wait_for_function("(told) => document.querySelectorAll('.log li').length > told", arg=told)
        one.page.wait_for_selector(".live.turn, .ending")
        times[speed] = one.page.evaluate("() => window.seen.map((one) => one[3])")
        captions = one.page.evaluate("() => window.seen.map((one) => one[2]).filter(Boolean)")
        one.page.context.close()
        if speed == "normal":
            assert any("1 chip to the pot for passing" in text for text in captions), captions
    assert times["normal"][-1] - times["normal"][0] > times["instant"][-1] - times["instant"][0]


# The coach


@pytest.mark.exhaustive
def test_the_coach_sees_whatever_can_be_chosen(ann: chrome.Watched) -> None:
    """For views of every game: if something on the table or in a hand is a move, the coach does not send one to the
    buttons alone.
    """
    from live import Driven
    from msgspec.json import decode, encode

    from cardtable.table import projection
    from cardtable.table.setup import Setup, checked

    views = []
    for game in games():
        seats = checked(Setup(game)).seats or 2
        t = Driven(game, "a", bots=("", *["simple"] * (seats - 1)))
        for _ in range(60):
            view = projection.view_seen(t.table, 0)
            if view and view.legal and t.table.stage == "playing":
                views.append(decode(encode(view)))
            if t.table.stage == "over":
                break
            t.step()
    ann.page.goto(ann.url + "/about")
    told = ann.page.evaluate(
        """async (views) => {
          const { advised } = await import('/static/coach.js');
          const { offered } = await import('/static/moves.js');
          const table = { stage: 'playing', you: 0, names: [] };
          return views.map((view) => {
            const hand = view.zones.find((zone) => zone.kind === 'hand' && zone.seats[0] === 0);
            const playable = view.choices.filter((move) => move.source === hand?.name).length;
            const clicks = view.choices.some((move) => move.source);
            const now = { turn: true, chosen: [], lifted: null, playable, offers: offered(view, []) };
            return [clicks, advised({ view, table, ...now })];
          });
        }""",
        views,
    )
    assert len(told) > 100
    for clicks, text in told:
        assert "click" not in text, "on a phone nobody clicks"
        if clicks:
            assert "no card is to be chosen" not in text
            assert re.search(r"[Cc]hoose|can be moved", text), text
    assert any("the stock, the upcard or the button “Knock”" in text for _, text in told), "Thirty-One"
