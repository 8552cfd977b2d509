/** The order of the cards of a hand. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./client.js";

const { sorted } = await client("faces/cards");

const cards = ["KS", "AH", "8D", "7S", null, "8S", "2H"];

test("without an order, a hand is sorted by suit with the ace low, without cards that lie face down", () => {
  assert.deepEqual(sorted({ cards }), ["7S", "8S", "KS", "AH", "2H", "8D"]);
  assert.deepEqual(sorted({ cards }, "rank"), ["AH", "2H", "7S", "8S", "8D", "KS"]);
});

test("a hand is sorted in the order of its game: ranks, suits, and what stands apart", () => {
  const order = { by: "suit", ranks: "23456789TJQKA", suits: "HCDS", apart: "8" };
  assert.deepEqual(sorted({ cards, order }), ["2H", "AH", "7S", "KS", "8D", "8S"]);
  assert.deepEqual(sorted({ cards, order: { ...order, by: "rank" } }), ["2H", "7S", "KS", "AH", "8D", "8S"]);
  assert.deepEqual(sorted({ cards, order: { ...order, by: "rank" } }, "suit"), ["2H", "AH", "7S", "KS", "8D", "8S"]);
});

test("the cards themselves stay as they were", () => {
  assert.equal(cards[0], "KS");
});
