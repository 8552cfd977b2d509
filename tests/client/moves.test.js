/** Which of the server's moves a click means. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { copies, offered, toggled } = await client("hand/moves");
const NUMBERS = [1, 2];
const together = {
  cards: ["3S", "9D", "9D", "KC"],
  least: 1,
  most: 2,
  done: "done",
  ask: { says: "Choose" },
  labels: NUMBERS.map((n) => ({ says: "Lay {n}", n })),
};
const view = { legal: ["3S", "9D"], choices: [], zones: [{ kind: "hand", name: "hand-0", together }] };

test("two cards of a kind are two cards", () => {
  const once = toggled(together, [], "9D");
  assert.deepEqual(once, ["9D"]);
  const twice = toggled(together, once, "9D");
  assert.deepEqual(twice, ["9D", "9D"]);
  assert.deepEqual(toggled(together, twice, "9D"), ["9D"], "without saying which, a third click takes one out");
  assert.deepEqual(toggled(together, ["9D", "KC"], "9D", true), ["KC"], "the copy that was clicked was chosen");
  assert.equal(copies(twice, "9D"), 2);
});

test("a set is one move, whose cards are in the order of the hand", () => {
  assert.deepEqual(offered(view, []), []);
  assert.deepEqual(offered(view, ["KC", "3S"]), [{ label: { says: "Lay {n}", n: 2 }, move: "3S KC done" }]);
  assert.deepEqual(offered(view, ["3S", "9D", "KC"]), [], "too many");
});
