/** How large everything on the table is, from numbers alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./client.js";

const { arranged, handOf, legible, lowHand, middle, moneyOf, plain, platesAcross, steady, table } =
  await client("table/layout");

const HIGH = 1.4;
const EMPTY = {
  spreads: [],
  rows: 0,
  columns: [],
  trick: 0,
  run: 0,
  money: [],
  stakes: false,
  heaps: 0,
  texts: 0,
};
const SIZES = [
  [310, 150],
  [380, 280],
  [430, 250],
  [740, 620],
  [900, 260],
  [1500, 500],
];

test("seats are round the table where the window is wide and high enough", () => {
  const at = (width, height) => arranged({ width, height });
  assert.deepEqual([at(1280, 800), at(1920, 1080), at(1024, 700)], ["round", "round", "round"]);
  assert.deepEqual([at(390, 844), at(320, 640), at(768, 1024), at(900, 900)], ["tall", "tall", "tall", "tall"]);
  assert.deepEqual([at(844, 390), at(640, 400)], ["low", "low"]);
});

test("plates lie in rows of about the same length", () => {
  const across = (how) => [1, 2, 4, 5, 6, 7, 9, 11].map((n) => platesAcross(how, n));
  assert.deepEqual(across("tall"), [1, 2, 4, 3, 3, 4, 3, 4]);
  assert.deepEqual(across("low"), [1, 2, 4, 5, 6, 4, 5, 6]);
});

test("a hand fits its width, and every index shows", () => {
  for (const width of [300, 380, 900])
    for (let n = 1; n <= 52; n += 1)
      for (const w of [36, 60, 110, 180]) {
        if (2 * w > width) continue;
        const { rows, strip, index, height } = handOf(n, w, width, 15);
        const long = Math.ceil(n / rows);
        assert.ok((long - 1) * strip + w <= width + 0.01, `${n} cards of ${w} in ${width}`);
        assert.ok(height >= (HIGH + (rows - 1) * 0.75) * w);
        if (rows < 5) assert.ok(0.25 * index * w <= strip + 0.01, `${n} cards of ${w} in ${width}: index ${index}`);
      }
});

test("a chosen card is raised by a quarter of its height, or as far as the indices above it allow", () => {
  const alone = handOf(13, 80, 900, 15);
  assert.ok(alone.raised >= 0.25 * HIGH);
  assert.ok(alone.height >= (HIGH + alone.raised) * 80);
  const { rows, raised } = handOf(26, 60, 300, 21);
  assert.ok(rows > 1 && raised >= 0.25 && 0.75 - raised >= 0.48);
});

test("a few cards lie side by side, many in rows", () => {
  assert.equal(handOf(3, 100, 380, 20).strip, 106);
  assert.equal(handOf(13, 80, 900, 15).rows, 1);
  assert.equal(handOf(26, 60, 300, 21).rows, 3);
});

test("the hand at the side is as large as its room", () => {
  for (const n of [1, 5, 13, 26]) {
    const { w, height } = lowHand(n, 380, 160, 19);
    assert.equal(height, 160);
    assert.ok(handOf(n, w, 380, 19).height <= 160 && w >= 22);
  }
});

test("cards of a trick do not cover each other, and stay within the middle", () => {
  for (const [W, H] of SIZES)
    for (let n = 2; n <= 8; n += 1) {
      const { w, at } = middle({ ...EMPTY, trick: n }, W, H);
      assert.equal(at.length, n);
      at.forEach(([x, y], i) => {
        assert.ok((2 * Math.abs(x) + 1) * w <= W + 1 && (2 * Math.abs(y) + HIGH) * w <= H + 1, `${n} in ${W} x ${H}`);
        for (const [u, v] of at.slice(i + 1))
          assert.ok(Math.abs(u - x) > 0.99 || Math.abs(v - y) > HIGH - 0.01, `${n} in ${W} x ${H}`);
      });
    }
});

test("the player's own card lies below in a trick, or at the end of its rows", () => {
  const { at } = middle({ ...EMPTY, trick: 4 }, 900, 400);
  assert.ok(at[0][1] === Math.max(...at.map(([, y]) => y)));
  const rows = middle({ ...EMPTY, trick: 7 }, 380, 170).at;
  assert.ok(rows[0][0] >= 0 && rows[0][1] === Math.max(...rows.map(([, y]) => y)));
});

test("open cards side by side are as large as fits in rows", () => {
  const laid = (n, W, H) => middle({ ...EMPTY, spreads: [{ pile: false, n, texts: [] }] }, W, H).w;
  for (const [W, H] of SIZES)
    for (let n = 1; n <= 12; n += 1) {
      const w = laid(n, W, H);
      const across = Math.floor((W + 8) / (w + 8));
      if (w > 30) assert.ok(Math.ceil(n / across) * (HIGH * w + 8) <= H, `${n} in ${W} x ${H}`);
    }
  assert.ok(laid(4, 900, 260) > laid(10, 900, 260));
  assert.ok(laid(4, 380, 280) >= 80);
});

test("columns of a patience stay within the felt and show rank and suit of covered cards", () => {
  for (const [W, H] of SIZES)
    for (const longest of [6, 12, 18]) {
      const columns = [{ shut: 5, open: longest - 5 }, ...Array.from({ length: 9 }, () => ({ shut: 4, open: 1 }))];
      const { w, peep } = middle({ ...EMPTY, columns }, W, H);
      const high = 5 * Math.max(5, 0.12 * w) + (longest - 6) * peep + HIGH * w;
      assert.ok(high <= H + 1, `${longest} in ${W} x ${H}: ${high}`);
      assert.ok(peep >= 0.27 * w && 10 * w <= W);
    }
});

test("rows of suits are cards, or strips that can be read, or columns of strips", () => {
  const rows = (W, H, n = 4) => middle({ ...EMPTY, rows: n }, W, H).rows;
  assert.deepEqual([rows(900, 400), rows(430, 150), rows(380, 280)], ["cards", "strips", "upright"]);
  for (const lay of ["cards", "strips", "upright"])
    assert.equal(middle({ ...EMPTY, rows: 4, lay }, 430, 150).rows, lay, "they do not turn in mid-deal");
});

test("a sequence and the cards with money share the middle", () => {
  const { w, money, peep } = middle({ ...EMPTY, run: 8, money: [1, 1, 1, 1] }, 380, 300);
  assert.ok(HIGH * w + HIGH * money + 36 <= 300 && 2.2 * w + 6 * peep <= 381);
  assert.ok(moneyOf([1, 1, 1, 1], false, 900, 200) > moneyOf([1, 1, 1, 1], true, 900, 200));
});

test("where cards with money are tiny, their number is next to them", () => {
  const shape = { ...EMPTY, run: 5, money: [1, 1, 1, 1], heaps: 1, texts: 1 };
  const low = middle(shape, 310, 190);
  assert.ok(low.inline && low.money >= 24, `${low.money}`);
  assert.ok(low.money > moneyOf([1, 1, 1, 1], false, 310, 65) && !middle(shape, 900, 400).inline);
  assert.equal(middle({ ...shape, stakes: true }, 310, 190).inline, false);
});

test("a pile that is turned up lies in rows, and nothing is said of it where it has hardly room", () => {
  const pile = (n, W, H) => middle({ ...EMPTY, spreads: [{ pile: true, n, texts: [4, 80] }] }, W, H);
  for (const [W, H] of SIZES)
    for (const n of [2, 12, 49, 101]) {
      const { w, tight } = pile(n, W, H);
      const across = Math.floor((W - 18 - w) / (0.45 * w)) + 1;
      const high = (1.4 + 0.9 * (Math.ceil(n / across) - 1)) * w;
      assert.ok(high <= H && w <= W && w >= 16, `${n} in ${W} x ${H}: ${w}`);
      if (tight) assert.ok(w <= 30 && H < 300, `${n} in ${W} x ${H}: tight`);
    }
  assert.ok(pile(49, 900, 400).w > 60);
});

test("open cards at a seat are read while each shows its index", () => {
  assert.deepEqual([legible(1, 20), legible(5, 70), legible(5, 60), legible(13, 140)], [true, true, false, true]);
});

test("heaps stand at the side of the rest where that leaves it larger, and on both sides there is as much room", () => {
  const shape = { ...EMPTY, spreads: [{ pile: false, n: 4, texts: [] }], heaps: 1 };
  const wide = middle(shape, 1100, 250);
  assert.deepEqual([wide.side, wide.balanced], ["left", true]);
  assert.equal(middle(shape, 380, 300).side, "top");
});

test("the cards of the hand are not smaller than those of the middle, and both fit", () => {
  for (const [W, H] of [
    [380, 480],
    [740, 760],
    [900, 520],
    [1500, 760],
  ])
    for (const n of [1, 3, 4, 8, 13]) {
      const shape = { ...EMPTY, spreads: [{ pile: false, n: 4, texts: [] }], heaps: 1 };
      const { hand, middle: laid } = table(shape, { width: W, n, least: 60, finger: 15 }, W, H);
      assert.ok(hand.w >= laid.w, `${n} in ${W} x ${H}: ${hand.w} < ${laid.w}`);
      assert.ok(hand.height + laid.w * HIGH <= H && laid.w >= 44);
    }
});

test("sizes stay while a number falls by less than half", () => {
  assert.deepEqual([steady(0, 5), steady(8, 7), steady(8, 5), steady(8, 4), steady(4, 6)], [5, 8, 8, 4, 6]);
  assert.deepEqual([steady(1, 0), steady(0, 0)], [1, 0], "the last card leaves its place as it is");
});

test("only small cards have a large index", () => {
  assert.deepEqual([plain(44), plain(120)], [true, false]);
});
