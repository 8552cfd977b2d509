/** What a message about the table changes, and how it is shown. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client, page } from "./client.js";

const { drawn, lastTrick, NOTHING_RECEIVED, NOTHING_SHOWN, received, shownWith, turned } = await client("table/scene");
const { aloud } = await client("text/message");
const { html, render } = await client("browser/html");
const { Asking } = await client("table/company");

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

test("somebody who arrives is told what was done last, and nothing that was taken back", () => {
  const lays = (number, card) => {
    const says = { says: "{source} lays {card}", source: { seat: 1 }, card: { card } };
    const event = { kind: "lay", source: 1, target: null, card, amount: null, place: null, rule: "", deal: 1, says };
    return happened(number, "moved", 1, { by: "person", events: [event] });
  };
  const arrives = (...all) => {
    const { scene } = received(NOTHING_RECEIVED, told(0, 9, ["5H"], all));
    const caption = scene.beats.at(-1)?.caption ?? scene.told.announced;
    return caption.map((one) => aloud(one, { names: ["Ann", "Ben"], you: 0 }));
  };
  const undone = happened(3, "undone", 1);
  assert.deepEqual(arrives(lays(2, "5C")), ["Ben lays five of clubs"]);
  assert.deepEqual(arrives(lays(2, "5C"), undone), ["The last move is taken back"]);
  assert.deepEqual(arrives(lays(2, "5C"), undone, lays(4, "KC")), ["Ben lays king of clubs"]);
});

test("what is taken back is the move, and a clock that does not run is not told of", () => {
  const event = (source, kind) => ({ kind, source, says: { says: kind } });
  const done = (number, seat, by, ...events) => happened(number, "moved", seat, { by, events });
  const all = [
    done(2, 1, "person", event(1, "lay"), event(1, "capture")),
    happened(3, "resumed", null),
    done(4, 0, "rules", event(1, "pay")),
  ];
  const log = (clock) => received(NOTHING_RECEIVED, { ...told(0, 4, [], all), table: { ...table(), clock } }).now.log;
  assert.deepEqual(
    log("none").flatMap(({ kind, number, chose }) => (kind === "seen" ? [] : [[kind, number, chose]])),
    [
      ["lay", 2, 1],
      ["capture", 2, 1],
      ["pay", 4, null],
    ],
  );
  assert.ok(log("brisk").some(({ kind }) => kind === "resumed"));
  const box = page.box();
  const asking = { ...table(), ask: { seat: 1 }, may: [], names: ["Ann", "Ben"] };
  render(html`<${Asking} table=${asking} lines=${log("none")} />`, box);
  assert.match(box.textContent, /^Ben asks to take back: lay and what followed/);
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

test("the last trick is kept for the deal, and forgotten with the next one", () => {
  const at = (match, deal) => ({ view: { deal }, table: { match } });
  const [one, two] = [
    { name: "trick", cards: ["KC"] },
    { name: "trick", cards: ["2D"] },
  ];
  assert.equal(lastTrick(at(1, 1), at(1, 1), one, null), one);
  assert.equal(lastTrick(at(1, 1), at(1, 1), null, one), one);
  assert.equal(lastTrick(at(1, 1), at(1, 1), two, one), two);
  assert.equal(lastTrick(at(1, 1), at(1, 2), null, one), null, "another deal");
  assert.equal(lastTrick(at(1, 1), at(2, 1), null, one), null, "another match");
  assert.equal(lastTrick({ view: null, table: null }, at(1, 1), null, null), null);
});

test("a doubted set is turned up with its claim, and what it was is said there", () => {
  const event = (kind, beat, source, more) => ({
    kind,
    beat,
    source,
    target: null,
    amount: null,
    card: null,
    reason: "",
    says: { says: kind },
    ...more,
  });
  const first = received(
    NOTHING_RECEIVED,
    told(0, 3, [], [happened(1, "moved", 1, { events: [event("claim", "play", 1)] })]),
  );
  const doubt = event("doubt", "doubt", 0, { target: 1 });
  const shows = ["KH", "2C"].map((card) => event("show", "reveal", 1, { card }));
  const all = [doubt, ...shows, event("liar", "reveal", 1), event("pile", "capture", 1, { amount: 4 })];
  const { scene } = received(first.now, told(3, 4, [], [happened(2, "moved", 0, { by: "person", events: all })]));
  const [asked, turned, taken] = scene.beats;
  assert.deepEqual([asked.turned.claim, asked.turned.cards], [{ says: "claim" }, []]);
  assert.deepEqual(turned.turned.cards, ["KH", "2C"]);
  assert.deepEqual(
    turned.turned.found.map((one) => one.kind),
    ["liar"],
  );
  assert.ok(turned.ms >= 2000, "it can be seen card by card");
  assert.equal(taken.turned, undefined);
});

test("what was won is kept while others play", () => {
  const beat = (caption, wins) => ({ kind: "chips", events: [], caption, ms: 1, seat: 1, gathers: false, wins });
  const both = shownWith({ ...NOTHING_SHOWN, caption: ["Ben and Cleo pass"] }, { ...beat([], false), kind: "open" });
  assert.deepEqual(both.caption, ["Ben and Cleo pass"], "what was said stays while hands are laid open");
  const passes = (seat) => [{ says: "{source} {source:passes|pass}", source: { seat } }];
  const second = shownWith(shownWith(NOTHING_SHOWN, beat(passes(1))), beat(passes(2)));
  assert.equal(aloud(second.caption[0], { names: ["Ann", "Ben", "Cleo"], you: 0 }), "Ben and Cleo pass");
  const won = shownWith(NOTHING_SHOWN, beat(["You take 4 chips"], true));
  const later = shownWith(won, beat(["Ben lays 7♦"], false));
  assert.deepEqual([later.caption, later.won], [["Ben lays 7♦"], ["You take 4 chips"]]);
});

test("somebody who comes back is told what happened last, at once", () => {
  const lay = {
    kind: "lay",
    beat: "play",
    source: 1,
    target: null,
    amount: null,
    card: null,
    reason: "",
    says: { says: "Ben lays 6♥" },
  };
  const all = [happened(1, "started", null), happened(2, "moved", 1, { events: [lay] }), happened(3, "returned", 0)];
  const [beat] = received(NOTHING_RECEIVED, told(0, 5, ["5H"], all)).scene.beats;
  assert.deepEqual([beat.caption, beat.ms, beat.events], [[lay.says], 0, []]);
});

test("the answer to a wish to take back is a caption for everybody, in words of who reads it", () => {
  const asked = received(NOTHING_RECEIVED, told(0, 3, [], []));
  const captions = (...answers) =>
    received(
      asked.now,
      told(
        3,
        4,
        [],
        answers.map(([seat, by], i) => happened(3 + i, "undo-answered", seat, { by })),
      ),
    ).scene.told.announced.map((one) => aloud(one, { names: ["Ann", "Ben"], you: 0 }, true));
  assert.deepEqual(captions([1, "no"]), ["Ben does not agree: the move stands"]);
  assert.deepEqual(captions([0, "yes"]), ["You agree"]);
  assert.deepEqual(captions([0, "withdrawn"]), ["You no longer want to take the move back"]);
  assert.deepEqual(received(asked.now, told(3, 4, [], [happened(3, "moved", 1)])).scene.told.announced, []);
});
