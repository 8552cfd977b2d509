/** What follows in a row and belongs together is told in one sentence: in captions, in the log and aloud. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { continued, joined, summed, together } = await client("text/events");
const { gathered } = await client("table/log");
const { written } = await client("text/message");

const reader = { names: ["Ann", "Bea", "Cleo", "Dan"], you: 0 };
const event = (kind, source, says, more = {}) => ({
  kind,
  source,
  target: null,
  amount: 0,
  card: null,
  place: null,
  rule: "X-1",
  reason: "",
  says: { says, source: { seat: source } },
  ...more,
});
const accepts = (source, target = 0) => {
  const one = event("accept", source, "{source} {source:accepts|accept} {target:@'s|your} claim", { target });
  return { ...one, says: { ...one.says, target: { seat: target } } };
};
const draws = (source) => {
  const one = event("draw", source, "{source} {source:draws|draw} {card}", { amount: null });
  return { ...one, says: { ...one.says, card: { says: "a card" } } };
};
const told = (all) => all.map(({ message }) => written(message, reader, true));

test("several who do the same one after the other share a sentence", () => {
  const all = [accepts(1), accepts(2), accepts(3), accepts(0, 2), accepts(1, 2)];
  const said = ["Bea, Cleo and Dan accept your claim", "You and Bea accept Cleo's claim"];
  assert.deepEqual(told(summed(all)), said);
  assert.deepEqual(told(together(all, 4)), said);
  assert.equal(summed(all)[0].first, all[0], "found again by the first of them");
});

test("who does it again begins a new sentence", () => {
  assert.deepEqual(
    joined([accepts(1), accepts(2), accepts(1)]).map(({ at }) => at),
    [0, 2],
  );
});

test("what others do in a later message continues the caption that is still shown", () => {
  const says = (...all) => all.reduce((before, one) => continued(before, [one.says]), []);
  const read = (caption) => caption.map((one) => written(one, reader, true));
  assert.deepEqual(read(says(accepts(1, 3), accepts(2, 3), accepts(0, 3))), ["Bea, Cleo and you accept Dan's claim"]);
  assert.deepEqual(read(says(accepts(1), accepts(2, 3))), ["Cleo accepts Dan's claim"], "of something else");
  assert.deepEqual(read(says(accepts(1), accepts(2), accepts(1))), ["Bea accepts your claim"], "again");
  assert.deepEqual(read(says(accepts(1), draws(2))), ["Cleo draws a card"]);
  const both = [accepts(1).says, draws(1).says];
  assert.deepEqual(read(continued([draws(2).says, accepts(3).says], both)), [
    "Dan and Bea accept your claim",
    "Bea draws a card",
  ]);
  assert.deepEqual(continued([], ["x"]), ["x"]);
  assert.deepEqual(continued(["x"], []), []);
});

test("cards that nobody may know are counted", () => {
  const all = [draws(1), draws(1), draws(2)];
  assert.deepEqual(told(summed(all)), ["Bea draws 2 cards", "Cleo draws a card"]);
  assert.deepEqual(told(together(all, 4)), ["Bea draws 2 cards", "Cleo draws a card"]);
});

test("the log has one line for them, unless there was no other move", () => {
  const line = (one, message = one.says) => ({ number: 1, kind: one.kind, message, event: one });
  const forced = line(accepts(3), { says: "{told} (no other move)", told: accepts(3).says });
  const all = [line(accepts(1)), line(accepts(2)), forced, { number: 2, kind: "undone", message: { says: "x" } }];
  const said = gathered(all).map(({ message }) => written(message, reader, true));
  assert.deepEqual(said, ["Bea and Cleo accept your claim", "Dan accepts your claim (no other move)", "X"]);
});

test("what was paid several times for one reason is added up", () => {
  const pays = (amount) => {
    const says = { chips: { says: "{n} {n:chip|chips}", n: amount }, target: { seat: 2 } };
    const one = event("pay", 1, "{source} {source:pays|pay} {chips} to {target}", { amount, target: 2 });
    return { ...one, says: { ...one.says, ...says } };
  };
  const [line] = summed([pays(1), pays(4), pays(1)]);
  assert.equal(written(line.message, reader, true), "Bea pays 6 chips to Cleo");
  assert.equal(line.parts, "2 × 1 + 4");
  assert.equal(summed([pays(3)])[0].parts, "");
});
