/** Terms of the glossary in texts, and what of a table is on a sheet. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { finder, pieces, sought } = await client("text/words");
const { laid } = await client("pages/worksheet");
const { askedFor } = await client("pages/dealt");

const term = (name, words, games = [], everyday = false) => ({
  name,
  words,
  means: `what ${name} is`,
  games,
  everyday,
});
const TERMS = [
  term("trick", "trick, tricks"),
  term("suit", "suit, suits"),
  term("follow-suit", "follow suit, follows suit"),
  term("sweep", "sweep, sweeps", ["scopa"]),
  term("match", "match, matches", [], true),
];
const GERMAN = { "trick, tricks": "Stich, Stiche, Stichen", "suit, suits": "Farbe, Farben" };
const same = (text) => text;

/** The terms that are found in a text, in brackets. */
const marked = (text, { game = "", translate = same, seen = new Set() } = {}) =>
  pieces(text, finder(TERMS, game, translate), seen)
    .map((one) => (one.term ? `[${one.text}|${one.term}]` : one.text))
    .join("");

for (const [text, shown] of [
  ["Win a trick.", "Win a [trick|trick]."],
  ["Tricks, and the dealer's trick", "[Tricks|trick], and the dealer's trick"],
  ["Follow suit if you can", "[Follow suit|follow-suit] if you can"],
  ["follow  suit", "[follow  suit|follow-suit]"],
  ["tricky, suite, non-suit, trick_1", "tricky, suite, non-suit, trick_1"],
  ["a match of suits", "a match of [suits|suit]"],
  ["", ""],
])
  test(`terms are whole words, each once, the longest first: ${text}`, () => assert.equal(marked(text), shown));

test("a term is found only in the texts of its games", () => {
  assert.equal(marked("a sweep", { game: "scopa" }), "a [sweep|sweep]");
  assert.equal(marked("a sweep", { game: "spider" }), "a sweep");
  assert.equal(marked("a trick", { game: "spider" }), "a [trick|trick]");
});

test("terms are found in the language of the text", () => {
  const translate = (text) => GERMAN[text] ?? text;
  assert.equal(marked("Die Stiche und der Überstich", { translate }), "Die [Stiche|trick] und der Überstich");
  assert.equal(marked("Eine Farbe für Fans", { translate }), "Eine [Farbe|suit] für Fans");
});

test("what was found before is not found again", () => {
  const seen = new Set();
  assert.equal(marked("a trick", { seen }), "a [trick|trick]");
  assert.equal(marked("two tricks of a suit", { seen }), "two tricks of a [suit|suit]");
});

test("no terms, nothing found", () =>
  assert.deepEqual(pieces("a trick", finder([], "", same), new Set()), [{ text: "a trick", term: "" }]));

test("terms are sought in words and meanings", () => {
  const names = (text) => sought(TERMS, text, same).map((one) => one.name);
  assert.deepEqual(names(" TRICK "), ["trick"]);
  assert.deepEqual(names("suit"), ["suit", "follow-suit"]);
  assert.equal(names("").length, TERMS.length);
});

test("a sheet has the open cards of the middle, the pupil's own, and how many the others have", () => {
  const zone = (kind, seats, cards) => ({ kind, seats, cards, count: cards.length, label: { says: kind } });
  const zones = [
    zone("row", [], [null, "7S", null]),
    zone("stock", [], [null, null]),
    zone("action", [], ["7H"]),
    zone("hand", [0], ["KD", "2S"]),
    zone("hand", [1], [null, null, null]),
  ];
  assert.deepEqual(laid({ zones }, 0), {
    middle: [{ label: { says: "row" }, cards: ["7S"] }],
    hand: ["2S", "KD"],
    others: [{ seat: 1, count: 3 }],
  });
});

test("a link to a deal that names game and players is played alone against bots", () => {
  assert.deepEqual(askedFor(new URLSearchParams('game=Scopa&preset=scopa&seats=2&options={"target":21}')), {
    title: "Scopa",
    preset: "scopa",
    seats: 2,
    options: { target: 21 },
    bots: ["", "medium"],
  });
  for (const query of ["", "game=Scopa", "game=Scopa&seats=x", "game=Scopa&seats=1e9", "game=Scopa&seats=2&options={"])
    assert.equal(askedFor(new URLSearchParams(query)), null, query);
});
