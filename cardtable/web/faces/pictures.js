/** Small pictures of games in the middle of a deal: cards in an arrangement, which the game declares. */
import { html } from "../browser/html.js";
import { face } from "./cards.js";

/**
 * @typedef {{card: string, x: number, y: number, turn?: number}} Placed in card widths, from the middle of the picture
 */

// a card, in card widths
const TALL = 1.4;
// of a card: this much of it shows its rank and its suit
const LEFT = 0.62;
// the same from above
const UPPER = 1.05;
// this much from above shows the rank
const RANK = 0.6;
const RANKS = "A23456789TJQK";

/** Numbers from -n/2 to n/2 around 0. @param {number} n @param {number} i */
const around = (n, i) => i - (n - 1) / 2;

/** Cards side by side. @param {string[]} cards @param {number} y @param {number} step */
const row = (cards, y, step) => cards.map((card, i) => ({ card, x: around(cards.length, i) * step, y }));

/** @param {string[]} cards @param {number} y @returns {Placed[]} */
const fan = (cards, y) =>
  cards.map((card, i) => {
    const at = around(cards.length, i);
    return { card, x: at * LEFT, y: y + at * at * 0.04, turn: at * 4 };
  });

/** The least and the greatest. @param {number[]} all */
const ends = (all) => [Math.min(...all), Math.max(...all)];

/** Where each card lies, by the shape of the picture. @type {Record<string, (groups: string[][]) => Placed[]>} */
const SHAPES = {
  ladder: (groups) =>
    groups.flatMap((group, i) => group.map((card) => ({ card, x: RANKS.indexOf(card[0]) * LEFT, y: i * UPPER }))),
  rows: (groups) => groups.flatMap((group, i) => row(group, i * 1.5, i < groups.length - 1 ? 1.1 : LEFT)),
  columns: (groups) =>
    groups.flatMap((group, i) =>
      group.map((card, k) => ({
        card,
        x: i * 1.1,
        y: group.slice(0, k).reduce((y, above) => y + (above ? RANK : 0.25), 0),
      })),
    ),
  trick: ([cards]) =>
    cards.map((card, i) => {
      const angle = (i * 2 * Math.PI) / cards.length;
      return { card, x: Math.sin(angle) * 1.1, y: -Math.cos(angle) * 0.52, turn: i * 3 - 5 };
    }),
  fan: ([cards]) => fan(cards, 0),
  table: ([cards]) => row(cards, 0, 1.14),
  piles: ([cards]) => row(cards, 0, 1.3),
};

/**
 * Where the cards of a picture lie, and how wide and high it is with a margin, in card widths.
 * @param {{shape: string, cards: string[][], hand: string[]}} picture
 */
export function laidOut({ shape, cards, hand }) {
  const laid = (SHAPES[shape] ?? SHAPES.fan)(cards);
  const [left, right] = ends(laid.map(({ x }) => x));
  const placed = [
    ...laid.map((one) => ({ ...one, x: one.x - (left + right) / 2 })),
    ...fan(hand, ends(laid.map(({ y }) => y))[1] + TALL + 0.15),
  ];
  const [top, bottom] = ends(placed.map(({ y }) => y));
  return {
    across: 2 * ends(placed.map(({ x }) => x))[1] + 1.5,
    high: bottom - top + TALL + 0.4,
    placed: placed.map((one) => ({ ...one, y: one.y - (top + bottom) / 2 })),
  };
}

/** @param {{picture: Parameters<typeof laidOut>[0]}} props */
export function Scene({ picture }) {
  const { across, high, placed } = laidOut(picture);
  return html`<div class="scene" aria-hidden="true" style=${{ "--across": across, "--high": high }}>${placed.map(
    ({ card, x, y, turn = 0 }, i) =>
      html`<span key=${i} class="card ${card ? "up" : "down"}" style=${{
        transform: `translate(calc(${x} * var(--w)), calc(${y} * var(--w))) rotate(${turn}deg)`,
      }}>${card && face(card)}</span>`,
  )}</div>`;
}
