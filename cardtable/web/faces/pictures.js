/** Small pictures of games: cards in an arrangement that is typical of a game, which the game declares. */
import { html } from "../browser/html.js";
import { face } from "./cards.js";

/**
 * @typedef {{card: string, x: number, y: number, turn?: number}} Placed in card widths, from the middle of the picture
 */

/** Numbers from -n/2 to n/2 around 0. @param {number} n @param {number} i */
const around = (n, i) => i - (n - 1) / 2;

/**
 * Cards of one group side by side, each showing its left part.
 * @param {string[]} cards @param {number} y @param {number} step
 */
const row = (cards, y, step) => cards.map((card, i) => ({ card, x: around(cards.length, i) * step, y }));

/** @param {string[]} cards @param {number} y @returns {Placed[]} */
const fan = (cards, y) =>
  cards.map((card, i) => {
    const at = around(cards.length, i);
    return { card, x: at * 0.62, y: y + Math.abs(at) * Math.abs(at) * 0.08, turn: at * 9 };
  });

/** Where each card lies, by the shape of the picture. @type {Record<string, (groups: string[][]) => Placed[]>} */
const SHAPES = {
  rows: (groups) => groups.flatMap((group, i) => row(group, around(groups.length, i) * 0.72, 0.78)),
  columns: (groups) =>
    groups.flatMap((group, i) =>
      group.map((card, k) => ({ card, x: around(groups.length, i) * 1.1, y: k * 0.42 - 0.62 })),
    ),
  trick: ([cards]) =>
    cards.map((card, i) => {
      const angle = (i * 2 * Math.PI) / cards.length;
      return { card, x: Math.sin(angle) * 0.95, y: -Math.cos(angle) * 0.42, turn: i * 6 - 9 };
    }),
  fan: ([cards]) => fan(cards, 0),
  table: ([laid, own]) => [
    ...laid.map((card, i) => ({ card, x: around(laid.length, i) * 1.14, y: -0.34, turn: i % 2 ? 3 : -4 })),
    ...fan(own ?? [], 0.62),
  ],
  piles: ([piles, own]) => [
    ...piles.map((card, i) => ({ card, x: around(piles.length, i) * 1.2, y: -0.42 })),
    ...fan(own ?? [], 0.6),
  ],
};

/** @param {{picture: {shape: string, cards: string[][]}}} props */
export function Scene({ picture }) {
  const placed = (SHAPES[picture.shape] ?? SHAPES.fan)(picture.cards);
  return html`<div class="scene" aria-hidden="true">${placed.map(
    ({ card, x, y, turn = 0 }, i) =>
      html`<span key=${i} class="card ${card ? "up" : "down"}" style=${{
        transform: `translate(calc(${x} * var(--w)), calc(${y} * var(--w))) rotate(${turn}deg)`,
      }}>${card && face(card)}</span>`,
  )}</div>`;
}
