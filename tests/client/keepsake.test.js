/** What is kept of a deal of the day: a line that gives no card away, and everybody's results in a few steps. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { linesOf, spreadOf } = await client("pages/keepsake");

test("an attempt is told in two lines", () => {
  const deal = { day: "2026-11-27", title: "Crazy Eights", own: { moves: 24, mistakes: 2, streak: 4 } };
  const mine = { score: 1, won: true, resigned: false, helped: false };
  assert.deepEqual(linesOf(deal, mine), [
    "Cardtable no. 331 · Crazy Eights",
    "won · 24 moves · 2 mistakes · 4 days in a row",
  ]);
  const other = { ...deal, day: "2026-01-01", own: { moves: 1, mistakes: null, streak: 1 } };
  assert.deepEqual(linesOf(other, { ...mine, won: false, score: 12, helped: true }), [
    "Cardtable no. 1 · Crazy Eights",
    "lost · score 12 · 1 move · with help",
  ]);
  assert.equal(linesOf({ ...deal, own: null }, { ...mine, resigned: true })[1], "gave up");
});

test("everybody's results are counted in a few steps", () => {
  assert.deepEqual(spreadOf([1, 0, 0, 1, 0]), [
    [0, 0, 3],
    [1, 1, 2],
  ]);
  const many = spreadOf(Array.from({ length: 101 }, (_, i) => i));
  assert.equal(many.length, 10);
  assert.deepEqual(many[0], [0, 10, 11]);
  assert.equal(
    many.reduce((sum, [, , n]) => sum + n, 0),
    101,
  );
  assert.deepEqual(spreadOf([-5, 40]), [
    [-5, -1, 1],
    [40, 44, 1],
  ]);
});
