/** What a message about the table changes, and how it is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./client.js";

const { drawn, NOTHING_RECEIVED, NOTHING_SHOWN, received, shownWith, turned } = await client("table/scene");

const table = (stage = "playing") => ({
  stage,
  you: 0,
  live: false,
  seats: ["Ann", "Ben"].map((name, seat) => ({ seat, name, kind: "person" })),
});
const view = (legal, cards = ["5H"]) => ({
  deal: 1,
  legal,
  zones: [
    { kind: "hand", name: "hand-0", seats: [0], cards, facts: [], count: cards.length },
    { kind: "hand", name: "hand-1", seats: [1], cards: [null], facts: [], count: 1 },
  ],
});
const happened = (number, kind, seat, more = {}) => ({ number, kind, seat, events: [], ...more });
const told = (since, version, legal, all, stage) => ({
  since,
  version,
  table: table(stage),
  view: view(legal),
  happened: all,
});

test("somebody who arrives sees the table at once, with its log", () => {
  const { now, scene } = received(NOTHING_RECEIVED, told(0, 3, ["5H"], [happened(1, "started", null)]));
  assert.equal(now.table.names.join(), "Ann,Ben");
  assert.equal(scene.own, true);
  assert.deepEqual(scene.told.fresh, []);
  assert.equal(now.log[0].kind, "started");
});

test("a state of the page is what was told, and says whose turn it has become", () => {
  const first = received(NOTHING_RECEIVED, told(0, 3, [], []));
  const second = received(first.now, told(3, 4, ["5H"], [happened(2, "moved", 1, { by: "person" })]));
  assert.equal(second.scene.own, false);
  const before = drawn({ past: [], version: -1 }, first.scene, 0);
  const after = drawn(before, second.scene, 0);
  assert.equal(after.version, 4);
  assert.equal(after.up, true);
  assert.deepEqual(
    after.past.map((one) => one.version),
    [3, 4],
  );
  assert.equal(turned(before, after), true);
  assert.equal(turned(after, after), false);
});

test("hands that are laid open at the end of a deal stay hidden until their beat", () => {
  const first = received(NOTHING_RECEIVED, told(0, 3, ["5H"], []));
  const m = told(3, 4, [], [happened(2, "moved", 1)], "between");
  m.view.zones[1].cards = ["KC"];
  const { scene } = received(first.now, m);
  assert.deepEqual(scene.told.opened, ["hand-1"]);
  const at = scene.beats.findIndex((beat) => beat.kind === "open");
  const hand = (step) => drawn({ past: [] }, scene, step).view.zones[1].cards;
  assert.deepEqual(hand(at - 1), [null]);
  assert.deepEqual(hand(at), ["KC"]);
});

test("a caption stays after its beat, and a trick until it is gathered", () => {
  const held = { kind: "trick", name: "trick" };
  const beat = { kind: "trick", events: [], caption: ["Ben takes it"], ms: 1, seat: 1, gathers: false };
  const shown = shownWith({ ...NOTHING_SHOWN, held }, beat);
  assert.equal(shown.held, held);
  assert.equal(shown.key, 1);
  assert.equal(shownWith(shown, { ...beat, gathers: true }).held, null);
  const over = shownWith(shown, null);
  assert.deepEqual(over.caption, ["Ben takes it"]);
  assert.equal(over.beat, null);
});
