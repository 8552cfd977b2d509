/** The review without a page: the place in the address, where it opens, its words and units. */
import assert from "node:assert/strict";
import test from "node:test";
import { client, page } from "./client.js";

const { html, render } = await client("browser/html");
const { before, counter, opening, placeIn, queryOf, stepFrom } = await client("replay/place");
const { measureOf, Verdict } = await client("replay/review");
const { markedMoves, touched } = await client("replay/laid");

test("the address names the place", () => {
  const place = { deal: 2, move: 17, seat: 3 };
  assert.deepEqual(placeIn(queryOf(place)), place);
  assert.deepEqual(placeIn(queryOf({ deal: 1, move: 4, seat: null })), { deal: 1, move: 4, seat: null });
  assert.deepEqual(placeIn(""), { deal: 1, move: 0, seat: null });
  assert.deepEqual(placeIn("?review&deal=2&move=5"), { deal: 2, move: 5, seat: -1 }, "a link of earlier days");
  assert.deepEqual(placeIn("?review=x&deal=-3&move=1.5"), { deal: 1, move: 1, seat: -1 });
  assert.deepEqual(
    [0, 1, 2, 99].map((number) => before({ number })),
    [0, 0, 1, 98],
  );
});

test("a step leads past frames in which nothing happens, but not past a decision, the first or the last", () => {
  const quiet =
    (/** @type {number[]} */ ...numbers) =>
    (/** @type {number} */ number) =>
      numbers.includes(number);
  const step = (/** @type {number} */ at, on = true, stops = [5]) =>
    stepFrom(at, on, 9, quiet(0, 2, 3, 5, 6, 9), stops);
  assert.equal(step(0), 1);
  assert.equal(step(1), 4);
  assert.equal(step(4, false), 1);
  assert.equal(step(1, false), 0);
  assert.equal(step(4), 5);
  assert.equal(step(4, true, []), 7);
  assert.equal(step(8), 9);
});

test("the counter has the numbers of the list of decisions", () => {
  const counters = (ahead) => [0, 1, 2, 3].map((at) => counter(3, at, ahead));
  assert.deepEqual(counters(true), ["1 / 3", "2 / 3", "3 / 3", "3 / 3"], "the move that comes");
  assert.deepEqual(counters(false), ["0 / 3", "1 / 3", "2 / 3", "3 / 3"], "the one that was made");
});

test("a review opens at the worst decision that is sure, once it is complete", () => {
  const decisions = [
    { number: 1, loss: 0, error: 0, worst: false },
    { number: 5, loss: 9, error: 4, worst: true },
    { number: 7, loss: 4, error: 0.5, worst: true },
  ];
  assert.equal(opening({ complete: true, decisions }).number, 7);
  assert.equal(opening({ complete: false, decisions }).number, 1);
  assert.equal(opening({ complete: true, decisions: decisions.slice(0, 1) }).number, 1);
  assert.equal(opening({ complete: true, decisions: [] }), undefined);
});

const seat = (message) => ({ zones: [{ facts: [{ message }, { message, coins: 4 }] }] });
const CHIPS = seat({ says: "{n} {n:chip|chips}", n: 4 });
const decision = {
  seat: 0,
  move: "9C trails",
  move_label: { says: "{source} trails", source: { card: "9C" } },
  best: "pass",
  best_label: null,
  estimate: -5.38,
  best_estimate: -4.83,
  loss: 0.55,
  error: 0.081,
  grade: "mistake",
};

test("a decision is told with the units of its game", () => {
  const text = (bounds, view, more = {}, you = 0) => {
    const box = page.box();
    const measure = measureOf(bounds, view);
    render(
      html`<${Verdict} decision=${{ ...decision, ...more }} names=${["Ann", "Ben"]} you=${you} measure=${measure} />`,
      box,
    );
    return box.textContent.replace("nine of clubs", "").replace(/\ufe0e/g, "");
  };
  const points = { lowest: -40, highest: 40 };
  assert.equal(
    text(points, { zones: [] }),
    "Your move: 9♣ trails (−5.4 points). Better: pass (−4.8 points). Mistake: 0.6 ± 0.1 points given away.",
  );
  assert.match(text(points, CHIPS), /^Your move: 9♣ trails \(−5\.4 chips\)/);
  assert.match(text(points, seat({ says: "owes {n} {n:chip|chips}", n: 1 }), { estimate: 1 }), /\(\+1 chip\)/);
  assert.match(
    text({ lowest: -2, highest: 0 }, seat({ says: "{n} {n:marker|markers}", n: 3 }), { estimate: -1 }),
    /\(−1 marker\)/,
  );
  const chance = { estimate: 0.29, best_estimate: 0.46, loss: 0.17, error: 0.05 };
  assert.equal(
    text({ lowest: 0, highest: 1 }, CHIPS, chance, 1),
    "Ann: 9♣ trails (29% to win). Better: pass (46% to win). Mistake: 17 ± 5 percentage points given away.",
  );
  assert.match(
    text({ lowest: 0, highest: 1 }, CHIPS, { ...chance, loss: 0.21, error: 0.01 }),
    /: 21 ± 1 percentage points given away/,
    "the unit agrees with the loss",
  );
  assert.match(text({ lowest: -1, highest: 1 }, CHIPS, { estimate: 0 }), /\(50% to win\)/);
  assert.equal(text(points, CHIPS, { grade: "best" }), "Your move: 9♣ trails (−5.4 chips). The best move.");
});

test("a move is marked by its cards, or by the place where it is made", () => {
  const choices = [
    { text: "2-5", cards: ["QH"], source: "column-2", target: "column-5" },
    { text: "draw", cards: [], source: "stock" },
  ];
  assert.deepEqual(touched({ choices }, "2-5"), { cards: ["QH"], zones: ["column-5"] });
  assert.deepEqual(touched({ choices }, "draw"), { cards: [], zones: ["stock"] });
  assert.deepEqual(touched({}, "AC builds 8 with 7H"), { cards: ["AC", "7H"], zones: [] });
  assert.deepEqual(touched({ choices }, "pass"), { cards: [], zones: [] });
  const both = [0, 1].map((seat) => ({ text: "draw", cards: [], source: `stock-${seat}`, seat }));
  assert.deepEqual(touched({ choices: both }, "draw", 1), { cards: [], zones: ["stock-1"] }, "with all hands open");
});

test("a move that is as good as any is marked in another way than a worse one", () => {
  const marks = (grade) => markedMoves({ move: "7S", best: grade === "best" ? "7S" : "8S", grade });
  assert.deepEqual(marks("best"), [["well", "played", "7S"]]);
  assert.deepEqual(marks("good"), [["well", "played", "7S"]]);
  assert.deepEqual(marks("mistake"), [
    ["played", "played", "7S"],
    ["better", "better", "8S"],
  ]);
});
