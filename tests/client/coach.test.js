/** Where moves are made, as the coach says it: if something on the table or in a hand is a move, it does not send one to the buttons alone. */
import assert from "node:assert/strict";
import test from "node:test";
import { client, data, told } from "./client.js";

const { advised } = await client("table/coach");
const { offered } = await client("hand/moves");

test("the coach sees whatever can be chosen, in every game", told, () => {
  const table = { stage: "playing", you: 0, names: [] };
  const all = data.map((view) => ({
    clicks: view.choices.some((move) => move.source),
    text: advised({ view, table, turn: true, chosen: [], lifted: null, offers: offered(view, []) }),
  }));
  assert.ok(all.length > 100);
  assert.ok(all.filter(({ clicks }) => clicks).length > 50);
  for (const { clicks, text } of all) {
    assert.doesNotMatch(text, /click/, "on a phone nobody clicks");
    if (clicks) {
      assert.doesNotMatch(text, /no card is to be chosen/);
      assert.match(text, /[Cc]hoose|can be moved/);
    }
  }
  assert.ok(
    all.some(({ text }) => text.includes("the stock, the upcard or “Knock” on the table")),
    "Thirty-One",
  );
});
