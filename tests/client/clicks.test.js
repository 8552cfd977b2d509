/** The second click of a double click makes no move, whatever the browser says of it. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { Clicks } = await client("hand/clicks");

/**
 * How many moves clicks make: [ms, x, detail], and perhaps what the click does: it moves (1), or only chooses ("opens"),
 * or is not for the table ("").
 */
function moves(...all) {
  const clicks = new Clicks();
  let made = 0;
  for (const [timeStamp, clientX, detail, does = 1] of all) {
    clicks.begin({ timeStamp, clientX, clientY: 300, detail });
    if (!clicks.ignored && does === "opens") clicks.opens();
    if (!clicks.ignored && does === 1) {
      clicks.moves();
      made += 1;
    }
    clicks.end();
    assert.ok(!clicks.ignored, "what comes later is no click");
  }
  return made;
}

test("the second click of a double click makes no move", () => {
  assert.equal(moves([0, 50, 1], [100, 50, 2]), 1);
  assert.equal(moves([0, 50, 1], [350, 52, 2]), 1);
  assert.equal(moves([0, 50, 1], [700, 50, 2]), 1, "where double clicks may take longer");
  assert.equal(moves([0, 50, 1], [100, 58, 1]), 1, "where the browser counts no taps");
  assert.equal(moves([0, 50, 1, ""], [100, 50, 2]), 0, "a button gave way to a card");
  assert.equal(moves([0, 50, 2]), 0, "the first click was on the page before");
});

test("a third click in a hurry makes no move either, but the next click does", () => {
  assert.equal(moves([0, 50, 1], [100, 50, 2], [200, 50, 3]), 1);
  assert.equal(moves([0, 50, 1], [300, 50, 2], [700, 50, 3]), 2);
  assert.equal(moves([0, 50, 1], [900, 50, 1]), 2);
});

test("a quick click on another thing makes a move", () => {
  assert.equal(moves([0, 50, 1], [90, 70, 1]), 2);
  assert.equal(moves([0, 50, 1], [90, 70, 2]), 2, "where the browser counts taps that are far apart");
});

test("a double click on a card that is chosen first, and then played, is one move", () => {
  assert.equal(moves([0, 50, 1, "opens"], [100, 50, 2]), 1);
  assert.equal(moves([0, 50, 1, "opens"], [100, 50, 2], [200, 50, 3]), 1);
});

test("keys and scripts press as often as they like", () => {
  assert.equal(moves([0, 0, 0], [10, 0, 0], [20, 0, 0]), 3);
});
