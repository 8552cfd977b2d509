/** Which of the server's moves a click means. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { copies, meant, offered, placesOf, tagged, toggled } = await client("hand/moves");
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

const hand = { kind: "hand", name: "hand-0", cards: ["AD", "9C", "4H"] };
const board = { kind: "row", name: "board", cards: ["9S", "5H", "4D", "9H"] };
const build = { says: "build {n}", n: 10 };
const take = { says: "take" };
const fishing = {
  zones: [hand, board],
  legal: ["1"],
  choices: [
    { text: "AD builds 10 with 9S", cards: ["AD", "9S"], source: "hand-0", brief: build },
    { text: "AD builds 10 with 5H 4D", cards: ["AD", "5H", "4D"], source: "hand-0", brief: build },
    { text: "AD builds 5 with 4D", cards: ["AD", "4D"], source: "hand-0", brief: { ...build, n: 5 } },
    { text: "AD trails", cards: ["AD"], source: "hand-0" },
    { text: "9C takes 9S 9H", cards: ["9C", "9S", "9H"], source: "hand-0", brief: take },
    { text: "4H", cards: ["4H"], source: "hand-0" },
  ],
};

test("at a card on the table stands what one click on it does, or that it begins a set", () => {
  const offers = offered(fishing, ["AD"]);
  const tag = (card) => tagged(fishing, board, card, ["AD"], offers);
  assert.deepEqual(tag("9S"), { once: true, brief: build, nth: [1] });
  assert.deepEqual(tag("5H"), { once: true, brief: build, nth: [2] });
  assert.deepEqual(tag("4D"), { once: false, brief: null, nth: [2, 3] });
  assert.equal(tag("9H"), null, "it belongs to no move");
  assert.equal(tagged(fishing, board, "9S", [], []), null, "no card is chosen");
  assert.deepEqual(tagged(fishing, board, "9S", ["9C"], offered(fishing, ["9C"])), {
    once: true,
    brief: take,
    nth: [],
  });
});

test("a card means the move that a click on it makes, if that has more to show", () => {
  assert.equal(meant(fishing, board, "5H", ["AD"])?.text, "AD builds 10 with 5H 4D");
  assert.equal(meant(fishing, board, "4D", ["AD"]), null, "several");
  assert.equal(meant(fishing, hand, "9C", [])?.text, "9C takes 9S 9H");
  assert.equal(meant(fishing, hand, "AD", []), null);
  assert.equal(meant(fishing, hand, "4H", []), null, "it is only played");
  assert.equal(meant(view, hand, "KC", []), null, "cards that are chosen together");
});

test("a move is seen at its cards, and at the zones of which it names no card", () => {
  assert.deepEqual(placesOf({ text: "draw", source: "stock" }), { cards: [], zones: ["stock"] });
  assert.deepEqual(placesOf({ text: "1-2", source: "1", target: "2", cards: ["6S"] }), { cards: ["6S"], zones: ["2"] });
  assert.deepEqual(placesOf({ text: "pass" }), { cards: [], zones: [] });
});

test("the button at the edge keeps its place", () => {
  const draw = { text: "draw", source: "stock", button: true };
  const play = { text: "play", source: "waste", cards: ["3S"], button: true };
  const names = (choices) =>
    offered({ legal: ["draw"], choices, zones: [] }, []).map((/** @type {any} */ one) => one.move);
  assert.equal(names([draw]).at(-1), "draw");
  assert.deepEqual(names([draw, { text: "wait" }, play]), ["play", "wait", "draw"]);
});
