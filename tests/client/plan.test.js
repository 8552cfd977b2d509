/** A table that is being set up: steps from one plan to the next. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./client.js";

const { alone, fined, opening, resized, setUpAt, under, withFines, withRule } = await client("pages/plan");
const { grouped } = await client("pages/options");

const game = {
  name: "scopa",
  title: "Scopa",
  names: [
    { name: "scopa", title: "Scopa", presets: ["scopa"] },
    { name: "cirulla", title: "Cirulla", presets: ["cirulla"] },
  ],
  titles: { scopa: "Scopa", cirulla: "Cirulla" },
  presets: ["scopa", "cirulla"],
  opens: { name: "scopa", preset: "scopa" },
  seats: [2, 4],
  seat_range: { cirulla: [2, 2] },
  best: [4, 4],
  values: { scopa: { target: 11, fine: 0 }, cirulla: { target: 51, fine: 0 } },
  fines: { fine: 3 },
};
const asked = (query) => new URLSearchParams(query);

test("a game opens with its best number of players, or as a link asks for it", () => {
  assert.deepEqual(opening(game, asked(""), false), {
    called: "scopa",
    preset: "scopa",
    bots: ["", "medium", "medium", "medium"],
    options: {},
  });
  const linked = asked('game=scopa&preset=cirulla&seats=4&options={"target":21}');
  const wanted = { called: "cirulla", preset: "cirulla", bots: ["", "medium"], options: { target: 21 } };
  assert.deepEqual(opening(game, linked, true), wanted);
  assert.deepEqual(opening(game, asked("preset=scopa&options=nonsense"), true).options, {});
});

test("another preset has its own number of players, and no house rules", () => {
  const plan = { ...opening(game, asked(""), false), options: { target: 21 } };
  assert.deepEqual(under(plan, game, "cirulla"), {
    called: "cirulla",
    preset: "cirulla",
    bots: ["", "medium"],
    options: {},
  });
  assert.equal(alone(plan), true);
  assert.equal(alone({ ...plan, bots: ["", ""] }), false);
  assert.deepEqual(resized({ ...plan, bots: ["", ""] }, 3).bots, ["", "", "medium"]);
});

test("a house rule is what differs from the preset", () => {
  const plan = opening(game, asked(""), false);
  const other = withRule(plan, game, "target", 21);
  assert.deepEqual(other.options, { target: 21 });
  assert.deepEqual(withRule(other, game, "target", "11").options, {});
  assert.deepEqual(withRule(other, game, "target", undefined).options, {});
  const fines = withFines(other, game, true);
  assert.deepEqual(fines.options, { target: 21, fine: 3 });
  assert.equal(fined(fines, game), true);
  assert.equal(fined(withFines(fines, game, false), game), false);
});

test("an address says how a table is set up", () => {
  const rules = { game: "scopa", preset: "scopa", seats: 3 };
  assert.equal(setUpAt(rules), "/new?game=scopa&preset=scopa&seats=3");
  assert.match(setUpAt({ ...rules, options: { target: 21 } }), /&options=%7B%22target%22%3A21%7D$/);
});

test("house rules are shown by what they are about, if they have an effect", () => {
  const option = (name, group, more) => ({ name, group, values: ["yes", "no"], only: {}, ...more });
  const options = [
    option("deals", "end"),
    option("dealer", "deal"),
    option("ante", "score", { only: { stakes: ["chips"] } }),
    option("stakes", "score"),
    option("decks", "deal"),
  ];
  const about = (stakes) =>
    grouped({ options }, { stakes }).map(({ label, some }) => [label, ...some.map(({ name }) => name)]);
  const [deal, end] = [
    ["The deal", "dealer", "decks"],
    ["The end of the match", "deals"],
  ];
  assert.deepEqual(about("chips"), [deal, ["Points and chips", "ante", "stakes"], end]);
  assert.deepEqual(about("none"), [deal, ["Points and chips", "stakes"], end]);
});
