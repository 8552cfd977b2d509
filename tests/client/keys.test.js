/** Where the keyboard leads on the table, and stays when what it was on has left. */
import assert from "node:assert/strict";
import test from "node:test";
import { client, clock, page } from "./client.js";

const { html, render } = await client("browser/html");
const { FRENCH, lay } = await client("text/language");
const { FACES } = await client("cards/abroad");
const { keys, KEYS, neighbour, opening, spotOf, useFocus } = await client("hand/keys");
await client("browser/input");

const button = (card, can) =>
  html`<button class="card ${can ? "can" : ""}" data-nav data-card=${card}>${card}</button>`;
const part = (name, zone, cards, can) =>
  html`<section class=${name} data-zone=${zone}><ul>
    ${cards.map((card) => html`<li key=${card}>${button(card, can.includes(card))}</li>`)}</ul></section>`;

/** A table with a stock, perhaps columns, and a hand. */
function Table({ felt, hand = [], can = [], columns = [], goals = [], offers = [], turn = true, ended = false }) {
  useFocus(felt, turn, ended);
  return html`<main ref=${felt}>
    ${part("aside", "stock", ["stock"], [])}
    <div>${columns.map((cards, i) => part(goals.includes(i) ? "column goal" : "column", `column-${i}`, cards, can))}<span /></div>
    ${part("hand", "hand", hand, can)}
    <div class="actions"><span class="offers">${offers.map(
      (name) => html`<button key=${name} disabled=${name === "done"}>${name}</button>`,
    )}</span></div>
    ${ended && html`<button data-onward>Next deal</button>`}</main>`;
}

/** A table that is drawn again and again; `at` is the card that has the focus. */
async function drawn(first) {
  clock.stop();
  document.activeElement.remove?.();
  document.activeElement = document.body;
  const box = page.box();
  const felt = { current: null };
  const draw = async (now) => {
    render(html`<${Table} felt=${felt} ...${now} />`, box);
    await clock.pass(200);
  };
  await draw(first);
  return {
    felt,
    draw,
    at: () => document.activeElement.textContent,
    card: (one) => box.querySelector(`[data-card=${one}]`),
  };
}

test("a turn begins at the first card that can be played", async () => {
  page.press("Tab");
  const { at, felt } = await drawn({ hand: ["2C", "7H", "9S"], can: ["7H"] });
  assert.equal(at(), "7H");
  assert.equal(opening(felt.current).textContent, "7H");
});

test("when a card is played the focus goes to its neighbour", async () => {
  const { at, card, draw, felt } = await drawn({ hand: ["2C", "7H", "9S"], can: ["7H", "9S"] });
  card("7H").focus();
  page.press("Enter");
  await draw({ hand: ["2C", "9S"], turn: false });
  assert.equal(at(), "9S");
  await draw({ hand: ["2C"], turn: false });
  assert.equal(at(), "2C", "the last one has no neighbour behind it");
  assert.equal(neighbour(felt.current, { ...spotOf(card("2C")), zone: "no more" }), undefined);
});

test("when the last card of a hand is played the focus waits for the next hand", async () => {
  const { at, card, draw } = await drawn({ hand: ["2C"], can: ["2C"] });
  card("2C").focus();
  page.press("Enter");
  await draw({ turn: false });
  assert.equal(document.activeElement, document.body, `not on the table: ${at()}`);
  await draw({ hand: ["3C", "7H"], turn: false });
  await draw({ hand: ["3C", "7H"], can: ["7H"] });
  assert.equal(at(), "7H");
});

test("in a patience it stays at the column", async () => {
  const { at, card, draw } = await drawn({ columns: [["KS"], ["9H", "8H"], ["9C"]], can: ["8H", "KS"] });
  card("8H").focus();
  page.press("Enter");
  await draw({ columns: [["KS"], ["9H"], ["9C", "8H"]].map((all) => all.filter((one) => one !== "8H")), can: ["KS"] });
  assert.equal(at(), "9H");
});

test("from the last column the arrow leads to the first", async () => {
  const { at, card, felt } = await drawn({ columns: [["KS"], ["9H"], ["9C"]], can: ["9H", "KS"] });
  const end = keys(felt, { current: { view: {}, table: {} } }, { current: {} });
  card("9C").focus();
  page.press("ArrowRight");
  assert.equal(at(), "KS");
  page.press("ArrowLeft");
  assert.equal(at(), "9C");
  end();
});

test("with cards in hand the arrows lead only to columns to which they may go", async () => {
  const columns = [["KS"], ["9H", "8H"], ["9C"], ["QS", "9D"]];
  const { at, card, felt } = await drawn({ columns, goals: [2, 3], can: ["8H", "KS", "QS"] });
  const end = keys(felt, { current: { view: {}, table: {} } }, { current: {} });
  card("8H").focus();
  const way = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]) {
    page.press(key);
    way.push(at());
  }
  assert.deepEqual(way, ["9C", "9D", "9C", "9D", "9C"], "to the end of a column, whatever could be taken from it");
  end();
});

test("the arrow down leads to the buttons, and from one to the next", async () => {
  const { at, card, felt } = await drawn({ hand: ["2C", "7H"], offers: ["bid 0", "done", "bid 1"] });
  const end = keys(felt, { current: { view: {}, table: {} } }, { current: {} });
  card("2C").focus();
  const way = [];
  for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "ArrowLeft"]) {
    page.press(key);
    way.push(at());
  }
  assert.deepEqual(way, ["bid 0", "bid 1", "bid 0", "bid 1"], "what is disabled takes no focus");
  end();
});

test("a raised card lies in no other row", async () => {
  const { at, card, felt } = await drawn({ hand: ["2C", "7H"], can: ["7H"], offers: ["pass"] });
  const end = keys(felt, { current: { view: {}, table: {} } }, { current: {} });
  card("7H").getBoundingClientRect = () => ({ left: 0, top: -14, right: 0, bottom: 0, width: 0, height: 0 });
  card("7H").focus();
  page.press("ArrowDown");
  assert.equal(at(), "pass");
  end();
});

test("with shift the arrows lead to what can be done, wherever it is", async () => {
  const { at, card, felt } = await drawn({ hand: ["2C", "7H", "8H", "9S"], can: ["7H", "9S"], offers: ["pass"] });
  const end = keys(felt, { current: { view: {}, table: {} } }, { current: {} });
  card("2C").focus();
  const way = [];
  for (const key of ["ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft"]) {
    page.press(key, { shiftKey: true });
    way.push(at());
  }
  assert.deepEqual(way, ["7H", "9S", "pass", "7H", "pass", "9S"]);
  end();
});

test("a pointer's focus is left alone", async () => {
  const { at, card, draw } = await drawn({ hand: ["2C", "7H"], turn: false });
  page.happens("pointerdown", { target: card("7H") });
  card("7H").focus();
  await draw({ hand: ["2C"] });
  assert.equal(document.activeElement, document.body, at());
});

test("at the end it goes to the next deal, which N begins, too", async () => {
  const { at, card, draw } = await drawn({ hand: ["2C"], can: ["2C"] });
  card("2C").focus();
  page.press("Enter");
  await draw({ turn: false, ended: true });
  assert.equal(at(), "Next deal");
  assert.ok(KEYS.some(([key]) => key === "N"));
  const began = [];
  const acts = { current: { onward: () => began.push("deal") } };
  const end = keys({ current: null }, { current: { view: {}, table: {} } }, acts);
  page.press("n");
  document.activeElement = document.body;
  page.press("Enter");
  assert.deepEqual(began, ["deal", "deal"]);
  end();
});

test("what lies nowhere above is reached by the arrow up, if it lies at the side", async () => {
  const { at, card, felt } = await drawn({ hand: ["2C", "7H"], can: ["7H"] });
  const end = keys(felt, { current: { view: {}, table: {} } }, { current: {} });
  card("7H").focus();
  page.press("ArrowUp");
  assert.equal(at(), "stock");
  page.press("ArrowRight");
  assert.notEqual(at(), "stock");
  end();
});

test("a key that comes before the latest drawing means what is drawn then", async () => {
  const played = [];
  const acts = { current: { offers: () => [], play: (move) => played.push(move) } };
  const end = keys({ current: null }, { current: { view: {}, table: {} } }, acts);
  page.press("1");
  acts.current = { offers: () => [{ move: "done" }], play: (move) => played.push(move) };
  await clock.pass(10);
  assert.deepEqual(played, ["done"]);
  end();
});

test("a number waits longer for its suit where no button has it", async () => {
  const done = [];
  const hand = { name: "hand-0", kind: "hand", seats: [0], cards: ["7H"] };
  const acts = {
    current: {
      offers: () => [{ move: "first" }],
      play: (move) => done.push(move),
      click: (_, card) => done.push(card),
      hint: () => done.push("hint"),
    },
  };
  const latest = { current: { view: { zones: [hand], choices: [] }, table: { you: 0 } } };
  const end = keys({ current: null }, latest, acts);
  for (const wait of [500, 1000, 2000]) {
    page.press("7");
    await clock.pass(wait);
    page.press("h");
  }
  acts.current.offers = () => Array.from({ length: 7 }, (_, i) => ({ move: `button ${i + 1}` }));
  for (const wait of [500, 1000]) {
    page.press("7");
    await clock.pass(wait);
    page.press("h");
  }
  assert.deepEqual(done, ["7H", "7H", "hint", "7H", "button 7", "hint"]);
  end();
});

test("a card is typed with the letters of its faces", () => {
  const typed = [];
  const acts = { current: { offers: () => [], click: (_, card) => typed.push(card) } };
  const hand = { name: "hand-0", kind: "hand", seats: [0], cards: [] };
  const latest = { current: { view: { zones: [hand], choices: [] }, table: { you: 0 } } };
  const end = keys({ current: null }, latest, acts);
  const type = (keys) => [...keys].forEach((key) => page.press(key));
  type("7dqc");
  lay(FACES.italian, { short: true });
  type("7d9c0bks");
  lay(FACES.italian);
  type("0bkb");
  lay(FACES.spanish, { short: true });
  type("0oqe");
  lay(FRENCH);
  assert.deepEqual(typed, ["7D", "QC", "7D", "QH", "KC", "KS", "TC", "KC", "JD", "QS"]);
  end();
});
