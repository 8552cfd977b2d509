/** The director's queue, with a clock that stands still until it is told to go on. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { Director } = await client("motion/director");
const LONGEST = 4000; // ms that something waits at most, at normal speed

/** A director, what it has `told` and for how long it `waits`; `on` is the clock's next stroke. */
function directed(speed = "normal") {
  const told = [];
  const waits = [];
  let act = null;
  const director = new Director({
    draw: ({ told: { name } }, at) => told.push(`draw ${name} ${at}`),
    beat: (beat) => told.push(beat ? `beat ${beat.kind}` : "rest"),
    speed: () => speed,
    later: (next, ms) => (waits.push(ms), (act = next), 1),
    cancel: () => (act = null),
  });
  const on = () => {
    const next = act;
    act = null;
    next?.();
  };
  return { director, told, waits, on };
}

/** A scene with beats of these durations in milliseconds. */
const scene = (name, ms = [300], more = {}) => ({
  drawn: 0,
  own: false,
  told: { name },
  ...more,
  beats: ms.map((ms, i) => ({ kind: name + i, events: [], caption: [], ms, seat: 0, gathers: false })),
});

test("one beat follows the other", () => {
  const { director, told, waits, on } = directed();
  director.push(scene("a", [300, 200]));
  director.push(scene("b"));
  assert.deepEqual(told, ["draw a 0", "beat a0"], "what nothing is before is shown at once, and the rest waits");
  on();
  on();
  on();
  assert.deepEqual(told, ["draw a 0", "beat a0", "draw a 1", "beat a1", "draw b 0", "beat b0", "rest"]);
  assert.deepEqual(waits, [300, 200, 300]);
  assert.equal(director.busy, false);
});

test("the table is drawn with the beat that moves cards", () => {
  const { director, told, on } = directed();
  director.push(scene("a", [1, 1], { drawn: 1 }));
  assert.equal(director.behind, true);
  on();
  assert.equal(director.behind, false);
  assert.deepEqual(told, ["beat a0", "draw a 1", "beat a1"]);
});

for (const [speed, pace] of Object.entries({ slow: 1.8, normal: 1, fast: 0.5 }))
  test(`a separate pace: ${speed}`, () => {
    const { director, waits } = directed(speed);
    director.push(scene("a", [400]));
    assert.deepEqual(waits, [400 * pace]);
  });

test("at once, nothing waits", () => {
  const { director, told, waits } = directed("instant");
  for (const one of "abc") director.push(scene(one));
  assert.deepEqual(
    told.filter((one) => one.startsWith("draw")),
    ["draw a 0", "draw b 0", "draw c 0"],
  );
  assert.deepEqual(waits, []);
});

test("one's own move is shown at once, and all before it", () => {
  const { director, told } = directed();
  director.push(scene("a", [300, 200]));
  director.push(scene("b"));
  told.length = 0;
  director.push(scene("mine", [300], { own: true }));
  assert.deepEqual(told, ["draw a 2", "draw b 1", "rest", "draw mine 0", "beat mine0"]);
});

test("a tap shows all that waits", () => {
  const { director, told, on } = directed();
  director.push(scene("a", [300, 200], { drawn: 1 }));
  director.push(scene("b"));
  told.length = 0;
  director.skip();
  assert.deepEqual(told, ["draw a 2", "draw b 1", "rest"]);
  director.skip();
  on();
  assert.equal(told.length, 3, "a second tap changes nothing, and no timer is left");
  assert.equal(director.queue.length, 0);
});

test("what is shown no more is reported", () => {
  const missed = [];
  const director = new Director({
    draw() {},
    beat() {},
    missed: (all) => missed.push(...all.map((beat) => beat.kind)),
    speed: () => "normal",
    later: () => 1,
    cancel() {},
  });
  director.push(scene("a", [300, 200]));
  director.push(scene("b"));
  director.skip();
  assert.deepEqual(missed, ["a1", "b0"]);
});

test("nothing waits for long", () => {
  const { director, told } = directed();
  for (let i = 0; i < 60; i += 1) director.push(scene(`s${i}`, [900]));
  assert.ok(director.wait <= LONGEST);
  assert.equal(told[0], "draw s0 0");
  assert.ok(told.filter((one) => one.startsWith("draw")).length >= 50, "what is older was shown");
});
