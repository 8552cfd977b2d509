/** The faces of other countries: their signs, indices and words, as Python has them (cardtable/base/faces.py). */
import assert from "node:assert/strict";
import test from "node:test";
import { client, data, page, told } from "./client.js";

const { html, render } = await client("browser/html");
const { countOf, FRENCH, indexOf, inLanguage, lay, letterOf } = await client("text/language");
const { FACES } = await client("cards/abroad");
const { Card, SHAPES, shapeOf } = await client("faces/cards");
const { aloud, short, spoken, written } = await client("text/message");

const SUITS = [..."SHDC"];
const COURTS = [..."JQK"];

/** Everything with some faces on the table, and then the French one again. */
function laid(name, cards, does) {
  lay(FACES[name], cards);
  try {
    return does();
  } finally {
    lay(FRENCH);
  }
}

/** The face of a card as text: its indices, and what it counts. */
function drawn(card) {
  const box = page.box();
  render(html`<${Card} card=${card} />`, box);
  return [...box.querySelectorAll("text")].map((one) => one.textContent.trim());
}

test("they are those of the terminal", told, () => {
  assert.deepEqual(Object.keys(FACES), Object.keys(data));
  for (const [name, { words, signs, courts, numbers }] of Object.entries(data)) {
    const faces = FACES[name];
    assert.deepEqual(faces.words, words, name);
    assert.deepEqual([faces.courts, faces.numbers], [courts, numbers], name);
    if (name === "french") assert.equal(SUITS.map((suit) => faces.signs[suit][0]).join(""), signs);
    else assert.equal(faces.letters, signs, name);
  }
});

test("a card has the words and the index of its faces", () => {
  const cards = ["7D", "QC", "AS", "TH"];
  assert.deepEqual(cards.map(short), ["7♦\ufe0e", "Q♣\ufe0e", "A♠\ufe0e", "10♥\ufe0e"]);
  const seen = (name, table) => laid(name, table, () => [cards.map(short), cards.map(spoken), cards.map(indexOf)]);
  assert.deepEqual(seen("italian", { short: true }), [
    ["7 of coins", "9 of batons", "A of swords", "10 of cups"],
    ["seven of coins", "knight of batons", "ace of swords", "ten of cups"],
    ["7", "9", "A", "10"],
  ]);
  assert.deepEqual(seen("spanish", {})[2], ["7", "C", "A", "10"]);
  assert.deepEqual(seen("german", {})[1], ["seven of bells", "Ober of acorns", "ace of leaves", "ten of hearts"]);
});

test("words of other messages follow", () => {
  const message = {
    says: "{suit} were led; {rank}, {card} and {n}",
    suit: { says: "clubs" },
    rank: { says: "a queen" },
    card: { card: "KD" },
    n: 2,
  };
  laid("spanish", { short: true }, () => {
    assert.equal(written(message), "batons were led; a knight, 12 of coins and 2");
    assert.equal(aloud(message), "batons were led; a knight, king of coins and 2");
  });
  assert.equal(inLanguage("clubs"), "clubs");
});

test("a court says what it counts, unless its index does", () => {
  const counts = { short: true, counts: [8, 9, 10] };
  assert.deepEqual(
    laid("french", counts, () => COURTS.map((rank) => countOf(`${rank}S`))),
    ["8", "9", "10"],
  );
  assert.deepEqual(
    laid("spanish", counts, () => drawn("JS")),
    ["10", "E", "10", "E", "8"],
  );
  assert.deepEqual(
    laid("italian", counts, () => drawn("JS")),
    ["8", "S", "8", "S"],
  );
  assert.deepEqual(drawn("JS"), ["J", "S", "J", "S"]);
  assert.equal(countOf("7S"), "");
});

test("every suit has its own sign, colour and letter, and every court a picture", () => {
  for (const name of Object.keys(FACES)) {
    const signs = laid(name, {}, () => SUITS.map((suit) => shapeOf(suit)));
    assert.equal(new Set(signs).size, 4, name);
    assert.equal(new Set(laid(name, {}, () => SUITS.map((suit) => letterOf(`A${suit}`)))).size, 4, name);
    for (const rank of COURTS) assert.ok(name === "french" || FACES[name].figure(rank), name);
  }
  assert.equal(
    laid("german", {}, () => shapeOf("H")),
    SHAPES.H,
  );
});
