/** What happened in matches, beat by beat: the events are the same as the server sends (tests/web/test_client.py). */
import assert from "node:assert/strict";
import test from "node:test";
import { client, data, told } from "./client.js";

const { beats, drawnAt, KINDS, reading, withHandsOpen } = await client("motion/beats");
const { hidden, laidOpen } = await client("motion/changes");
const { lines } = await client("table/log");
const { written } = await client("text/message");
const { HEARD } = await client("motion/sound");
const NAMES = ["Ann", "Bea", "Cal", "Dan"];

const read = (caption) => caption.map((one) => written(one, { names: NAMES, you: 0 }, true)).join(". ");
const kinds = (all) => all.map((beat) => (beat.gathers ? "gathers" : beat.kind));

/** The beats of the last move of a match. */
const of = (name, over = false) => beats([{ events: data[name].events }], data[name].seats, over);

test("a capture is one beat with the card that captures", told, () => {
  const all = of("capture");
  assert.equal(all[0].kind, "capture");
  assert.match(read(all[0].caption), /lays? .*\. \w+ takes? /);
  assert.equal(drawnAt(all), 0, "the table is drawn with it");
});

test("a trick stays and is gathered", told, () => {
  const all = of("trick");
  assert.deepEqual(kinds(all).slice(0, 3), ["play", "trick", "gathers"]);
  assert.match(read(all[1].caption), /takes? the trick/);
  assert.equal(drawnAt(all), 0);
  assert.equal(drawnAt(all, true), 0, "one's own card is laid at once");
});

test("a doubt comes before what it reveals", told, () => {
  const all = of("doubt");
  assert.deepEqual(kinds(all), ["doubt", "reveal", "capture"]);
  assert.equal(drawnAt(all), 1, "until then the pile is where it was");
  assert.equal(drawnAt(all, true), 1, "one's own doubt is shown at once, not what it reveals");
});

test("a pass that costs is told by its price", told, () => {
  const all = of("pass");
  assert.deepEqual(kinds(all), ["chips"]);
  assert.match(read(all[0].caption), /^\w+ pays? 1 chip to the pot for passing$/);
});

test("that a player had no choice is left to the log", told, () => {
  const { events, seats } = data.play;
  const [forced, free] = ["rules", "person"].map((by) =>
    beats([{ by, events }], seats).map((one) => read(one.caption)),
  );
  assert.deepEqual(forced, free);
  const [log] = lines([{ by: "rules", events, number: 1 }], { seats: [] });
  assert.match(written(log.message, { names: NAMES }), / \(no other move\)$/);
});

test("a caption can be read, above all one that concerns the player", () => {
  const says = (letters) => [{ says: "x".repeat(letters - 2) }];
  assert.equal(reading(says(10)), 800, "at least");
  assert.equal(reading(says(40)), 800);
  assert.equal(reading(says(40), true), 2000, "50 ms a letter");
  assert.equal(reading(says(900), true), reading(says(800), true), "it does not take for ever");
});

test("no caption is shorter than can be read", told, () => {
  for (const name of Object.keys(data))
    for (const beat of beats([{ events: data[name].events }], data[name].seats, false, 0))
      if (!beat.gathers) assert.ok(beat.ms >= 800, `${name}: ${read(beat.caption)}`);
});

test("what belongs together is one line", () => {
  const event = (beat, says, more) => ({
    kind: beat,
    beat,
    source: 1,
    target: null,
    amount: null,
    reason: "",
    says: { says },
    ...more,
  });
  const eight = beats([{ events: [event("play", "Bea lays 8♦"), event("call", "Bea names diamonds")] }], 4);
  assert.deepEqual(kinds(eight), ["play"]);
  assert.equal(read(eight[0].caption), "Bea lays 8♦. Bea names diamonds");
});

test("what the player wins is marked", () => {
  const take = (target) => ({
    kind: "take",
    beat: "chips",
    source: null,
    target,
    amount: 4,
    reason: "",
    says: { says: "takes" },
  });
  const wins = (target, you) => beats([{ events: [take(target)] }], 4, false, you)[0].wins;
  assert.equal(wins(0, 0), true);
  assert.equal(wins(1, 0), false);
  assert.equal(wins(0, null), false);
});

test("scores are left to the end of the deal", told, () => {
  assert.ok(kinds(of("scored")).includes("score"));
  assert.ok(!kinds(of("scored", true)).includes("score"));
});

const CAPTIONS = {
  stakes: "Bea puts 1 chip on K♦\ufe0e and 3 chips on Q♠\ufe0e",
  each: "Bea puts one chip each on 4 money cards",
  antes: "Everybody pays 1 chip to the pot as ante",
  row: "The stock gives 8♣\ufe0e, 7♠\ufe0e, J♣\ufe0e, K♠\ufe0e, 9♣\ufe0e, 6♦\ufe0e, K♦\ufe0e, 8♦\ufe0e, 10♦\ufe0e and A♠\ufe0e",
};
for (const [name, caption] of Object.entries(CAPTIONS))
  test(`what is alike is one caption: ${name}`, told, () =>
    assert.deepEqual(
      of(name).map((beat) => read(beat.caption)),
      [caption],
    ),
  );

for (const name of ["fan-tan", "thirty-one"])
  test(`hands are laid open before they are counted and paid for: ${name}`, told, () => {
    const all = withHandsOpen(of(name, true));
    const at = all.findIndex((beat) => beat.kind === "open");
    const [before, after] = [kinds(all.slice(0, at)), kinds(all.slice(at + 1))];
    assert.ok(before.includes("play"));
    assert.ok(!before.includes("chips") && !before.includes("reveal"));
    assert.ok(after.includes("chips"));
    assert.ok(!after.includes("open"));
    assert.equal(all[at].caption, all[at - 1].caption, "the caption of the beat before stays");
  });

test("a hand is hidden until its beat, but its chips are told", () => {
  const hand = (seat, cards, facts) => ({ kind: "hand", name: `hand-${seat}`, seats: [seat], cards, facts });
  const chips = (n) => ({ message: { says: "{n} chips", n }, coins: n });
  const counts = { message: { says: "counts {n}", n: 27 } };
  const before = { deal: 1, zones: [hand(0, ["AS"], []), hand(1, [null, null], [chips(3)])] };
  const now = { deal: 1, zones: [hand(0, ["AS"], []), hand(1, ["2H", "3H"], [chips(2), counts])] };
  assert.deepEqual(laidOpen(before, now, 0), ["hand-1"]);
  assert.deepEqual(laidOpen(before, { ...now, deal: 2 }, 0), [], "another deal");
  assert.deepEqual(laidOpen(before, now, 1), [], "one's own");
  assert.deepEqual(laidOpen(now, now, 0), [], "it was open before");
  const [, shut] = hidden(before, now, ["hand-1"]).zones;
  assert.deepEqual(shut.cards, [null, null]);
  assert.deepEqual(shut.facts, [chips(2)]);
});

test("every kind of beat has a sound", () => {
  assert.ok(KINDS.length > 15);
  assert.deepEqual(
    KINDS.filter((kind) => !HEARD.includes(kind)),
    [],
  );
});
