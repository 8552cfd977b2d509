/** Which links others cannot open; the browser's Back, and windows over a page. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { isLoopback } = await client("browser/address");
const { Windows } = await client("windows/dialog");

test("a host that is each machine itself", () => {
  for (const host of ["localhost", "LOCALHOST.", "cards.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])
    assert.ok(isLoopback(host), host);
  for (const host of ["192.168.1.5", "box.local", "localhost.example", "127.example.org", "[fe80::1]"])
    assert.ok(!isLoopback(host), host);
});

/** A browser's history at a table, whose Back takes a moment as in browsers. */
function browser(state = null, awaited = false) {
  const entries = [{ state: null }, { state }];
  let at = 1;
  const moves = [];
  const history = {
    get state() {
      return entries[at].state;
    },
    back: () => moves.push(-1),
  };
  const enter = (next) => {
    entries.splice(at + 1, entries.length, { state: next });
    at += 1;
  };
  const windows = new Windows(history, enter, awaited);
  const settle = () => {
    for (const by of moves.splice(0)) ((at += by), windows.moved());
  };
  const go = (by) => ((at += by), windows.moved(), settle());
  return { windows, settle, go, place: () => at };
}

/** A window that notes whether it is open. */
function shown({ windows }) {
  const one = { open: true };
  const closed = windows.opened(() => one.close());
  one.close = () => ((one.open = false), closed());
  return one;
}

test("Back closes the window and stays at the table", () => {
  const page = browser();
  const menu = shown(page);
  assert.equal(page.place(), 2);
  page.go(-1);
  assert.ok(!menu.open);
  assert.equal(page.place(), 1);
});

test("a window that is closed otherwise leaves nothing in the history", () => {
  const page = browser();
  shown(page).close();
  page.settle();
  assert.equal(page.place(), 1);
  page.go(1); // Forward opens nothing
  assert.equal(page.place(), 1);
});

test("a window that follows another takes over its entry", () => {
  const page = browser();
  const menu = shown(page);
  menu.close();
  const rules = shown(page);
  page.settle();
  assert.equal(page.place(), 2);
  page.go(-1);
  assert.ok(!rules.open);
  assert.equal(page.place(), 1);
});

test("of two windows, Back closes the upper one", () => {
  const page = browser();
  const [lower, upper] = [shown(page), shown(page)];
  page.go(-1);
  assert.deepEqual([lower.open, upper.open], [true, false]);
});

test("the entry of a window is left when the page is loaded again", () => {
  const page = browser({ window: true });
  page.settle();
  assert.equal(page.place(), 0);
});

test("a window that the address names opens in the entry that it had", () => {
  const page = browser({ window: true }, true);
  page.settle();
  assert.equal(page.place(), 1, "nothing is left before the table has come");
  const review = shown(page);
  assert.equal(page.place(), 1);
  review.close();
  page.settle();
  assert.equal(page.place(), 0);
});

test("a window that the address names and that cannot open leaves nothing in the history", () => {
  const page = browser({ window: true }, true);
  page.windows.settle();
  page.settle();
  assert.equal(page.place(), 0);
});
