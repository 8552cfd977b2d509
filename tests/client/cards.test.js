/** The order of the cards of a hand; pictures of games, and the order in which these are offered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { client } from "./client.js";

const { sorted } = await client("faces/cards");
const { laidOut } = await client("faces/pictures");
const { WOMAN } = await client("faces/faces");
const { ordered } = await client("text/names");

const cards = ["KS", "AH", "8D", "7S", null, "8S", "2H"];

test("without an order, a hand is sorted by suit with the ace low, without cards that lie face down", () => {
  assert.deepEqual(sorted({ cards }), ["7S", "8S", "KS", "AH", "2H", "8D"]);
  assert.deepEqual(sorted({ cards }, "rank"), ["AH", "2H", "7S", "8S", "8D", "KS"]);
});

test("a hand is sorted in the order of its game: ranks, suits, and what stands apart", () => {
  const order = { by: "suit", ranks: "23456789TJQKA", suits: "HCDS", apart: "8" };
  assert.deepEqual(sorted({ cards, order }), ["2H", "AH", "7S", "KS", "8D", "8S"]);
  assert.deepEqual(sorted({ cards, order: { ...order, by: "rank" } }), ["2H", "7S", "KS", "AH", "8D", "8S"]);
  assert.deepEqual(sorted({ cards, order: { ...order, by: "rank" } }, "suit"), ["2H", "AH", "7S", "KS", "8D", "8S"]);
});

test("the cards themselves stay as they were", () => {
  assert.equal(cards[0], "KS");
});

const PICTURES = [
  { shape: "ladder", cards: [["6S", "7S"], ["AH"], ["JD", "QD", "KD"], ["5C"]], hand: [] },
  { shape: "columns", cards: [["", "", "KS", "QS"], ["6S"]], hand: [] },
  { shape: "trick", cards: [["KD", "AD", "2C", "9D"]], hand: ["QS", "7S"] },
  { shape: "table", cards: [["4C", "3D"]], hand: ["7D", "2H", "5S"] },
  {
    shape: "rows",
    cards: [
      ["AH", "KC", "QD", "JS"],
      ["8C", "9C"],
    ],
    hand: ["3D"],
  },
];

test("a picture shows every card whole, and is no larger than they need", () => {
  for (const picture of PICTURES) {
    const { across, high, placed } = laidOut(picture);
    assert.equal(placed.length, picture.cards.flat().length + picture.hand.length);
    const right = Math.max(...placed.map(({ x }) => Math.abs(x))) + 0.5;
    const lower = Math.max(...placed.map(({ y }) => Math.abs(y))) + 0.7;
    assert.ok(right < across / 2 && across / 2 < right + 0.5, picture.shape);
    assert.ok(lower < high / 2 && high / 2 < lower + 0.5, picture.shape);
  }
});

test("no open card hides the rank of another", () => {
  for (const picture of PICTURES) {
    const { placed } = laidOut(picture);
    placed.forEach((upper, i) => {
      for (const under of placed.slice(0, i).filter(({ card }) => card))
        assert.ok(Math.abs(upper.x - under.x) >= 0.6 || upper.y - under.y >= 0.59, `${upper.card} ${under.card}`);
    });
  }
});

test("the hand lies below the table, in the middle", () => {
  const { placed } = laidOut(PICTURES[3]);
  assert.deepEqual([placed[0].x, placed[1].x].map(Math.sign), [-1, 1]);
  assert.ok(placed[3].x === 0 && placed[3].y > placed[0].y + 1.4);
});

test("games that were begun most often come first, then easy and quick ones", () => {
  const game = (name, effort, minutes, ...others) => ({
    effort,
    minutes,
    names: [name, ...others].map((name) => ({ name })),
  });
  const games = [game("long", 1, 20), game("hard", 3, 2), game("quick", 1, 3), game("known", 3, 18, "alias")];
  const names = (begun) => ordered(games, begun).map(({ game: { names } }) => names[0].name);
  assert.deepEqual(names({}), ["quick", "long", "hard", "known"]);
  assert.deepEqual(names({ alias: 2, long: 1 }), ["known", "long", "quick", "hard"]);
});

test("portraits of the house go with their names", () => {
  const women =
    "Ida Elsa Lina Hanna Mona Wanda Agnes Clara Paula Greta Edith Nora Nell Tilly Marta Ines Lotte Rosa Judith";
  const men =
    "Milo Otto Benno Fritz Carlo Theo Viktor Anton Leon Rafael Simon Matteo Hugo Oskar Felix Bruno Emil Jonas";
  assert.deepEqual(
    women.split(" ").filter((name) => !WOMAN.test(name)),
    [],
  );
  assert.deepEqual(
    men.split(" ").filter((name) => WOMAN.test(name)),
    [],
  );
});
