/** What counts most, as a sign at a seat or in the middle. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./client.js";

const { sign } = await client("table/figures");

test("a number alone, and one against another", () => {
  assert.deepEqual(sign({ message: "", figure: [24] }), { n: 24, goal: null, marks: "" });
  assert.deepEqual(sign({ message: "", figure: [1, 3] }), { n: 1, goal: { between: "/", n: 3 }, marks: "" });
});

test("a goal that is not known yet is a dash", () => {
  assert.equal(sign({ message: "", figure: [0, null] }).goal.n, "–");
});

test("a number that is just at its goal is marked, and so is one that is fixed", () => {
  assert.equal(sign({ message: "", figure: [2, 2] }).marks, "even");
  assert.equal(sign({ message: "", figure: [0, 0] }).marks, "even");
  assert.equal(sign({ message: "", figure: [2, 2], stamp: "made" }).marks, "even made");
  assert.equal(sign({ message: "", figure: [3, 2], stamp: "broken" }).marks, "broken");
  assert.equal(sign({ message: "", figure: [3, 2], stamp: "broken" }).goal.between, "✗");
});
