/** When a player's only legal move is made: others cannot tell from the time that there was no choice. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { seenByOthers, Thinking } = await client("hand/thinking");
const QUICK = 1100; // milliseconds
const LONGEST = 10_000;
const FAR = 1.95; // a statistic that equal distributions exceed once in a thousand times

/** Numbers from 0 up to 1, the same for the same seed. */
function dice(seed) {
  let word = seed;
  return () => (word = (word * 48271) % 2147483647) / 2147483647;
}

/** The delays of several only moves, after decisions that took the given times; `seen`: other people see them. */
function delays(times, { many = 1000, seen = true, seed = 1 } = {}) {
  const random = dice(seed);
  return Array.from({ length: many }, () => {
    const thinking = new Thinking(random);
    let now = 5;
    thinking.offered(0, now);
    for (const time of times) {
      thinking.offered(3, now);
      thinking.sent(now + time);
      now += time + 250;
      thinking.offered(0, now);
    }
    thinking.offered(1, now);
    const left = thinking.left(seen, now);
    assert.equal(thinking.left(seen, now + 100), Math.max(0, left - 100), "it is drawn once");
    assert.equal(thinking.left(false, now), QUICK, "alone it is always the same");
    return left;
  });
}

/** How far apart the distributions of two samples of the same size are, in units in which FAR is meant. */
function apart(one, other) {
  const below = (all, at) => all.filter((each) => each <= at).length;
  const most = Math.max(...[...one, ...other].map((at) => Math.abs(below(one, at) - below(other, at))));
  return (most / one.length) * Math.sqrt(one.length / 2);
}

test("where nobody sees it, the only move is made soon", () => {
  assert.deepEqual(new Set(delays([2000, 3000, 4000], { many: 20, seen: false })), new Set([QUICK]));
});

test("a player of whom nothing is known takes any time", () => {
  const found = delays([2000, 3000]);
  assert.ok(Math.min(...found) >= 1500 && Math.min(...found) < 1700);
  assert.ok(Math.max(...found) > 4300 && Math.max(...found) <= 4500);
});

/**
 * Two samples of 1,000: the decisions of players, each of whom has made 16, and the delays of their only moves. The
 * seeds are fixed; with others, equal distributions would be called different once in a thousand times.
 */
test("only moves take as long as the player's decisions", () => {
  const random = dice(4);
  const between = (low, high) => low + (high - low) * random();
  const choice = [];
  const only = [];
  for (let player = 1; player <= 100; player += 1) {
    const habit = between(1.8, 4);
    const times = Array.from({ length: 26 }, () => 1000 * habit * between(0.7, 2));
    choice.push(...times.slice(16));
    only.push(...delays(times.slice(0, 16), { many: 10, seed: player * 7919 }));
  }
  assert.equal(choice.length, 1000);
  assert.equal(only.length, 1000);
  assert.ok(apart(only, choice) < FAR, String(apart(only, choice)));
  assert.ok(apart(Array(1000).fill(QUICK), choice) > 10 * FAR, "what it was before");
  assert.ok(new Set(only).size > 990, "no time comes twice");
});

for (const time of [200, 60_000])
  test(`only moves are neither at once nor very late: after ${time} ms`, () => {
    const found = delays(Array(5).fill(time));
    assert.ok(Math.min(...found) >= QUICK);
    assert.ok(Math.max(...found) <= LONGEST);
    assert.ok(new Set(found).size > 990);
  });

test("only moves, and moves that are not legal, are no decisions", () => {
  const thinking = new Thinking(() => 0.5);
  thinking.offered(1, 0);
  thinking.sent(1000);
  thinking.offered(4, 2000);
  thinking.sent(3000); // refused: the same moves are legal
  thinking.sent(6000);
  thinking.offered(2, 7000);
  assert.deepEqual(thinking.times, [4000]);
  thinking.offered(0, 9000); // the clock has played
  assert.deepEqual(thinking.times, [4000]);
  for (let i = 0; i < 40; i += 1) {
    thinking.offered(2, 10_000);
    thinking.sent(12_000 + i);
  }
  assert.equal(thinking.times.length, 16, "the latest");
  assert.equal(thinking.times[0], 2023);
});

test("who sees when a player moves", () => {
  const table = (you, kinds, watching = false) => ({
    you,
    watching,
    seats: kinds.map((kind, seat) => ({ seat, kind })),
  });
  assert.equal(seenByOthers(table(0, ["person", "bot", "bot"])), false);
  assert.equal(seenByOthers(table(1, ["bot", "person"])), false);
  assert.equal(seenByOthers(table(0, ["person", "bot"], true)), true);
  assert.equal(seenByOthers(table(0, ["person", "bot", "person"])), true);
});
