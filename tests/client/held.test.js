/** What a click makes of what a player has begun: steps from one state to the next. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./client.js";

const { arrivedAt, changed, chipPut, chipsOn, clicked, due, NOTHING_HELD, putDown } = await client("hand/held");

const zone = (kind, name, cards, more = {}) => ({
  kind,
  name,
  cards,
  seats: [],
  facts: [],
  count: cards.length,
  ...more,
});
const hand = zone("hand", "hand", ["5H", "6C", "7S"], { seats: [0] });
const view = (choices, zones, more = {}) => ({
  actors: [0],
  hand: hand.cards,
  legal: choices.map((move) => move.text),
  choices,
  zones,
  refused: [],
  ...more,
});
const player = { you: 0, confirm: false };
const held = (some) => changed(NOTHING_HELD, some);

test("a card with one move is played, by two clicks where this is wished", () => {
  const one = view([{ text: "5H", cards: ["5H"], source: "hand" }], [hand]);
  const at = { zone: hand, card: "5H" };
  assert.deepEqual(clicked(one, NOTHING_HELD, at, player), { play: "5H" });
  const twice = { ...player, confirm: true };
  assert.deepEqual(clicked(one, NOTHING_HELD, at, twice), { held: { chosen: ["5H"] } });
  assert.deepEqual(clicked(one, held({ chosen: ["5H"] }), at, twice), { play: "5H" });
  assert.deepEqual(clicked(one, held({ chosen: ["5H"] }), at, player), { held: { chosen: [] } });
  assert.deepEqual(
    clicked(one, NOTHING_HELD, { zone: hand, card: "6C" }, player),
    { play: "6C" },
    "the server says no",
  );
});

test("a card chosen before the turn is ready, and then chosen", () => {
  const before = view([], [hand], { actors: [1] });
  const step = clicked(before, NOTHING_HELD, { zone: hand, card: "6C" }, player);
  assert.deepEqual(step, { held: { ready: "6C" }, refused: null });
  const ready = held(step.held);
  assert.equal(due(ready, before), ready, "not yet the turn");
  assert.deepEqual(due(ready, view([{ text: "6C" }], [hand])).chosen, ["6C"]);
  assert.deepEqual(due(ready, view([{ text: "6C" }], [hand], { hand: [] })), NOTHING_HELD, "it was played");
});

test("cards of a column are lifted and put, or have no place to go", () => {
  const a = zone("column", "a", ["9S"]);
  const b = zone("column", "b", ["TS"]);
  const c = zone("column", "c", ["2D"]);
  const moves = ["b", "c"].map((target) => ({ text: `a 9S ${target}`, cards: ["9S"], source: "a", target }));
  const spider = view(moves, [a, b, c]);
  const { held: some, refused } = clicked(spider, NOTHING_HELD, { zone: a, card: "9S" }, player);
  assert.deepEqual(some, { lifted: { zone: "a", card: "9S", goals: ["b", "c"] } });
  assert.equal(refused, null);
  assert.deepEqual(clicked(spider, held(some), { zone: c, card: "2D" }, player), { play: "a 9S c" });
  assert.deepEqual(clicked(spider, held(some), { zone: a, card: "9S" }, player), { play: "a 9S b" }, "the best place");
  const stuck = clicked(spider, NOTHING_HELD, { zone: b, card: "TS" }, player);
  assert.ok(stuck.chimes && stuck.refused && stuck.held?.lifted === null);
});

test("no more cards are chosen together than may be", () => {
  const set = { cards: ["5H", "6C", "7S"], least: 1, most: 2, done: "done", ask: "", labels: [] };
  const all = { ...hand, together: set };
  const pass = view([{ text: "5H" }], [all]);
  const at = { zone: all, card: "7S" };
  assert.deepEqual(clicked(pass, held({ chosen: ["5H"] }), at, player), {
    held: { chosen: ["5H", "7S"] },
    refused: null,
  });
  const much = clicked(pass, held({ chosen: ["5H", "6C"] }), at, player);
  assert.ok(much.refused && !much.held);
  assert.deepEqual(clicked(pass, held({ chosen: ["5H", "7S"] }), at, player).held, { chosen: ["5H"] });
});

test("the server says why a card does not go with another one, and what is barred", () => {
  const board = zone("row", "board", ["AC", "9D", "QS"]);
  const moves = [
    { text: "5H takes AC", cards: ["5H", "AC"], source: "hand" },
    { text: "5H trails", cards: ["5H"], source: "hand" },
    { text: "6C takes 9D", cards: ["6C", "9D"], source: "hand" },
  ];
  const play = view(moves, [hand, board]);
  const at = (chosen, zone, card) => clicked(play, held({ chosen }), { zone, card }, player);
  assert.deepEqual(at(["5H"], board, "9D"), { play: "5H 9D" }, "not 6C, which nobody has chosen");
  assert.deepEqual(at(["AC"], hand, "6C"), { play: "6C AC" });
  assert.deepEqual(at(["5H"], hand, "6C"), { play: "6C takes 9D" }, "another card is chosen");
  assert.ok(at([], board, "QS").refused, "nothing takes it");
  assert.deepEqual(clicked({ ...play, legal: [] }, NOTHING_HELD, { zone: board, card: "QS" }, player), {});
  const waste = zone("pile", "waste", ["KD"]);
  const barred = view([{ text: "draw" }], [waste], { refused: [{ move: { text: "play", source: "waste" } }] });
  assert.deepEqual(clicked(barred, NOTHING_HELD, { zone: waste, card: "" }, player), { play: "play" });
});

test("chips are spread, and another state of the table ends what was begun", () => {
  const spread = { on: ["k", "q"], chips: 2, start: [1, 1], moves: {}, ask: "", then: "", label: "" };
  const stake = view([{ text: "stake" }], [zone("action", "stake", [], { spread })]);
  const put = chipPut(NOTHING_HELD, stake, "k", -1);
  assert.deepEqual(put.spread, [0, 1]);
  assert.equal(chipsOn(put, stake, "q"), 1);
  assert.equal(chipPut(NOTHING_HELD, view([], []), "k", 1), NOTHING_HELD);
  const begun = held({ chosen: ["5H"], spread: [2, 0], ready: "6C", armed: "void" });
  assert.deepEqual(arrivedAt(begun, false), { ...begun, armed: "" });
  assert.deepEqual(arrivedAt(begun, true), { ...NOTHING_HELD, ready: "6C" });
});

test("a card that is put down where several moves are possible stays there until one is chosen", () => {
  const board = zone("row", "board", ["AC", "2C", "9D"]);
  const moves = ["5H takes AC", "5H takes AC 2C", "6C takes 9D"].map((text) => {
    const [card, , ...others] = text.split(" ");
    return { text, cards: [card, ...others], source: "hand" };
  });
  const edges = { left: 1, right: 2, top: 3, bottom: 4 };
  const on = (card, target) => putDown(view(moves, [hand, board]), { from: hand, card, to: board, target }, edges);
  assert.deepEqual(on("5H", "AC"), { held: { chosen: ["5H", "AC"], dropped: edges }, refused: null });
  assert.deepEqual(on("5H", "2C"), { play: "5H takes AC 2C" });
  assert.deepEqual(on("5H", ""), { held: { chosen: ["5H"], dropped: edges }, refused: null });
  assert.deepEqual(on("5H", "9D"), { play: "5H 9D" }, "on a card that it does not take: the server says why");
  assert.equal(on("6C", ""), null, "as a click on the card");
  const there = held({ chosen: ["5H"], dropped: edges });
  assert.equal(changed(there, { armed: "x" }).dropped, edges);
  assert.equal(changed(there, { chosen: ["5H", "AC"] }).dropped, null, "other cards were chosen since");
});
