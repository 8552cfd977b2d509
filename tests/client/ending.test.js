/** The end of a deal: each reason has its time, numbers count to what they have become, and a click tells all. */
import assert from "node:assert/strict";
import test from "node:test";
import { client, clock, page } from "./client.js";

page.reduced = false;
page.keep({ speed: "slow" });
const { html, render } = await client("browser/html");
const { Ending, timetable } = await client("table/ending");
const { awaited, outcome, placeOf, winnersOf } = await client("table/result");
const { choices, choose } = await client("browser/store");
const { Pot } = await client("table/zones");

test("each reason has its time, and all of them not too long", () => {
  const { lines, lasts } = timetable([3, 1, 0]);
  const [first, second, third] = lines;
  assert.ok(0 === first.begins && first.begins < second.begins && second.begins < third.begins);
  assert.ok(first.each > 0);
  assert.ok(second.begins >= first.begins + 2 * first.each, "a line begins when the one before is told");
  const longest = timetable(Array(12).fill(9)).lasts;
  assert.ok(lasts < longest && longest <= 5000.1);
});

/** A seat's chips, first one number and then others: what the eye sees and what is read aloud, each time it changes. */
async function counted(from, to) {
  const box = page.box();
  const seen = [];
  const read = [];
  const note = () => {
    const b = box.querySelector("b");
    const shown = Number((b.querySelector("[aria-hidden]") ?? b).textContent);
    const said = Number((b.querySelector(".sr") ?? b).textContent);
    if (seen.at(-1) !== shown) seen.push(shown);
    if (read.at(-1) !== said) read.push(said);
  };
  const draw = async (count) => {
    const zone = { name: "pot", on: [], count, facts: [], label: { says: "pot" } };
    render(html`<${Pot} zone=${zone} />`, box);
    await clock.pass(0);
    note();
  };
  await draw(from);
  await draw(to);
  while (clock.waits) {
    await clock.next();
    note();
  }
  return { seen, read };
}

test("a number counts to what it has become", async () => {
  const { seen, read } = await counted(4, 15);
  assert.deepEqual(seen, [4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  assert.deepEqual(read, [4, 15], "what is read is the last one, and at once");
});

test("at once, a number is there at once", async () => {
  choose({ speed: "instant" });
  assert.deepEqual(await counted(4, 15), { seen: [4, 15], read: [4, 15] });
  choose({ speed: "slow" });
});

test("with reduced motion, a number is there at once", async () => {
  page.reduced = true;
  assert.deepEqual(await counted(4, 15), { seen: [4, 15], read: [4, 15] });
  page.reduced = false;
});

const counts = [
  [0, "most cards", 3],
  [0, "sweeps", 2],
  [1, "big", 2],
].map(([seat, says, amount]) => ({ seat, why: { says }, amount, times: 1 }));
const view = {
  deal: 1,
  scores: [12, 9],
  counted: counts,
  winners: [],
  resigned: null,
  lowest_wins: false,
  sheet: [],
  zones: [],
  results: [{ deal: 1, winner: 0, gained: [5, 2], scores: [12, 9] }],
};
const table = { stage: "between", you: 0, seats: [{}, {}], names: ["Ann", "Bea"], may: [] };

test("scores are told with their reasons, and a click tells all", async () => {
  clock.stop();
  const box = page.box();
  render(html`<${Ending} view=${view} table=${table} round=${[0, 1]} felt=${{ current: box }} />`, box);
  const totals = (part) =>
    box.querySelectorAll(".sum").map((el) => (el.querySelector(part) ?? el).textContent.replace(/\s+/g, " ").trim());
  const moving = () => box.querySelector("ul").getAnimations({ subtree: true });
  assert.equal(box.firstChild.className, "ending mine");
  assert.deepEqual(totals("[aria-hidden]"), ["7 + 0 = 7", "7 + 0 = 7"]);
  assert.deepEqual(totals(".sr"), ["7 + 5 = 12", "7 + 2 = 9"]);
  assert.equal(moving().length, 5, "two lines and three reasons");
  box.querySelector("h2").click();
  await clock.pass(0);
  assert.deepEqual(totals("[aria-hidden]"), ["7 + 5 = 12", "7 + 2 = 9"]);
  assert.equal(moving().length, 0);
  assert.deepEqual(
    box.querySelectorAll(".why").map((el) => el.textContent),
    ["most cards +3, sweeps +2", "big +2"],
  );
});

test("without a click all is told in time", async () => {
  clock.stop();
  const box = page.box();
  render(html`<${Ending} view=${view} table=${table} round=${[0, 1]} felt=${{ current: box }} />`, box);
  const told = () => !box.querySelector(".sum .sr");
  await clock.pass(100);
  assert.equal(told(), false);
  await clock.pass(1.8 * timetable([2, 1]).lasts + 100);
  assert.equal(told(), true);
});

test("a place is told only where the scores rank the losers", () => {
  const place = (scores, winners, more = {}) =>
    placeOf({ scores, winners, resigned: null, lowest_wins: false, ...more }, { stage: "over", you: 0, ...more });
  assert.deepEqual(place([5, 9, 7], [1]), { place: 3, shared: false });
  assert.deepEqual(place([5, 9, 5, 2], [1]), { place: 2, shared: true });
  assert.deepEqual(place([5, 9, 9, 2], [1, 2]), { place: 3, shared: false }, "two share the win");
  assert.deepEqual(place([5, 2, 7], [1], { lowest_wins: true }), { place: 2, shared: false });
  assert.equal(place([0, 1, 0, 0], [1]), null, "the winner takes it all: nobody is second");
  assert.equal(place([3, 4], [1]), null);
  assert.equal(place([9, 5, 3], [0]), null);
  assert.equal(place([5, 9, 7], [1], { stage: "between" }), null);
  assert.equal(place([5, 9, 7], [1], { resigned: 2 }), null);
  assert.equal(place([5, 9, 7], [1], { you: null }), null);
});

test("partners win a deal together, and a match that all share is a draw", () => {
  const four = { ...table, seats: [{}, {}, {}, {}], names: ["Ann", "Bea", "Cem", "Dan"] };
  const zones = [0, 1].map((seat) => ({ name: `pile-${seat}`, seats: [seat, seat + 2] }));
  const deal = { ...view, zones, scores: [1, 4, 1, 4], results: [{ deal: 1, winner: 1, gained: [1, 4, 1, 4] }] };
  assert.deepEqual(winnersOf(deal, four), [1, 3]);
  assert.equal(outcome(deal, four), "Bea and Dan win deal 1");
  assert.deepEqual(winnersOf(view, table), [0], "one who plays for themselves");
  const over = { ...view, scores: [4, 4], winners: [0, 1] };
  assert.deepEqual(winnersOf(over, { ...table, stage: "over" }), []);
  assert.equal(outcome(over, { ...table, stage: "over" }), "The match is a draw");
  assert.equal(outcome({ ...over, winners: [1] }, { ...table, stage: "over" }), "Bea wins the match");
  assert.deepEqual(winnersOf({ ...over, scores: [1], winners: [0] }, { ...table, stage: "over" }), [0], "a patience");
});

test("who is ready sees whom the table waits for", () => {
  const person = (seat, more) => ({ seat, kind: "person", name: `P${seat}`, present: true, ready: false, ...more });
  const seats = [person(0), person(1), person(2, { ready: true }), person(3, { present: false }), { kind: "bot" }];
  assert.deepEqual(awaited({ you: 0, may: [], seats }), ["P1"]);
  assert.deepEqual(awaited({ you: 0, may: ["ready"], seats }), [], "it is the player's turn to say so");
  assert.deepEqual(awaited({ you: null, may: [], seats }), []);
});

test("results have a place from the beginning", () => assert.equal(choices().drawer, true));
