/** Cards: their faces and backs. A face-down card has no information about what it is. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { spoken } from "../text/message.js";
import { countOf, faces, FRENCH, indexOf, lay, letterOf, look } from "../text/language.js";

/** A French suit's sign as a drawing, in a box of 20 × 20. @type {Record<string, string>} */
export const SHAPES = {
  S:
    "M10 1C12 5 18 8 18 12.5a3.8 3.8 0 0 1-6.8 2.3c.2 2 .9 3.2 2.3 4.2h-7" +
    "c1.4-1 2.1-2.2 2.3-4.2A3.8 3.8 0 0 1 2 12.5C2 8 8 5 10 1z",
  H: "M10 18.5C8 15 1.5 11.5 1.5 6.5a4.6 4.6 0 0 1 8.5-2.3 4.6 4.6 0 0 1 8.5 2.3c0 5-6.5 8.5-8.5 12z",
  D: "M10 1C11.8 4.5 14.5 7.8 17 10c-2.5 2.2-5.2 5.5-7 9-1.8-3.5-4.5-6.8-7-9 2.5-2.2 5.2-5.5 7-9z",
  C:
    "M10 1.2a4.1 4.1 0 0 1 3.4 6.5 4.2 4.2 0 1 1-2.5 7c.2 1.9.9 3.3 2.3 4.3H6.8" +
    "c1.4-1 2.1-2.4 2.3-4.3a4.2 4.2 0 1 1-2.5-7A4.1 4.1 0 0 1 10 1.2z",
};
/** @typedef {import("../text/language.js").Faces} Faces */

/** A suit's sign on this table. @param {string} suit */
export const shapeOf = (suit) => faces().shapes?.[suit] ?? SHAPES[suit];

const ORDER = "A23456789TJQK";
const CARD = /^(?:[A2-9TJQK][SHDC]|X[12])$/;

/** The places of the pips of a rank, in a box of 100 × 140; those below the middle are upside down. */
const L = 32,
  M = 50,
  R = 68;
/** @type {Record<string, number[][]>} */
const PIPS = {
  A: [[M, 70]],
  2: [
    [M, 29],
    [M, 111],
  ],
  3: [
    [M, 29],
    [M, 70],
    [M, 111],
  ],
  4: [
    [L, 29],
    [R, 29],
    [L, 111],
    [R, 111],
  ],
  5: [
    [L, 29],
    [R, 29],
    [M, 70],
    [L, 111],
    [R, 111],
  ],
  6: [
    [L, 29],
    [R, 29],
    [L, 70],
    [R, 70],
    [L, 111],
    [R, 111],
  ],
  7: [
    [L, 29],
    [R, 29],
    [M, 49.5],
    [L, 70],
    [R, 70],
    [L, 111],
    [R, 111],
  ],
  8: [
    [L, 29],
    [R, 29],
    [M, 49.5],
    [L, 70],
    [R, 70],
    [M, 90.5],
    [L, 111],
    [R, 111],
  ],
  9: [
    [L, 29],
    [R, 29],
    [L, 56.3],
    [R, 56.3],
    [M, 70],
    [L, 83.7],
    [R, 83.7],
    [L, 111],
    [R, 111],
  ],
  T: [
    [L, 29],
    [R, 29],
    [M, 42.7],
    [L, 56.3],
    [R, 56.3],
    [L, 83.7],
    [R, 83.7],
    [M, 97.3],
    [L, 111],
    [R, 111],
  ],
};

/** @param {string} text */
export const isCard = (text) => CARD.test(text);

/**
 * The open cards of a hand in its order, by suit with the ace low if it has none. by: another choice of the player.
 * @param {{cards: (string | null)[], order?: any}} hand
 * @param {"suit" | "rank"} [by]
 */
export function sorted({ cards, order }, by = order?.by) {
  const { ranks = ORDER, suits = "SHCD", apart = "" } = order ?? {};
  const key = (/** @type {string} */ card) => {
    const at = [suits.indexOf(card[1]), ranks.indexOf(card[0])];
    if (by === "rank") at.reverse();
    return (apart.includes(card[0]) ? 999 : 0) + 20 * at[0] + at[1];
  };
  return cards.flatMap((card) => card ?? []).sort((a, b) => key(a) - key(b));
}

/** @param {number} x @param {number} y @param {number} size @param {string} suit @param {boolean} [turned] */
const pip = (x, y, size, suit, turned = false) =>
  html`<path d=${shapeOf(suit)} transform=${`translate(${x} ${y})${
    turned ? " rotate(180)" : ""
  } scale(${size / 20}) translate(-10 -10)`} />`;

/** @param {string} card */
function corner(card) {
  const index = indexOf(card);
  return html`<g class="corner"><text class=${index.length > 1 ? "index ten" : "index"} x="12" y="24"
    text-anchor="middle">${index}</text><g class="sign">${pip(12, 38, 17, card[1])}<text class="letter"
    x="12" y="62" text-anchor="middle">${letterOf(card)}</text></g></g>`;
}

/** A court card as these faces draw it, or as a background. @param {string} card */
function court([rank, suit]) {
  const { figure, shapes } = faces();
  const frame = html`<rect class="frame" x="23.5" y="14" width="53" height="112" rx="1.5" />`;
  if (!figure) return html`${frame}${pip(33, 25, 14, suit)}${pip(67, 115, 14, suit, true)}`;
  // a German Unter has his sign below
  const low = rank === "J" && !!shapes && !shapes.H;
  const sign = low ? pip(67, 114, 17, suit) : pip(33, 25, 16, suit);
  return html`${frame}<g transform="translate(25 16)">${figure(rank)}</g>${sign}`;
}

/** @param {string} card */
function drawn(card) {
  const [value, suit] = card;
  if (value === "X")
    return html`<svg class="face joker" viewBox="0 0 100 140" aria-hidden="true">
      <text x="50" y="82" text-anchor="middle" class="index">★</text></svg>`;
  const courtly = "JQK".includes(value);
  const count = countOf(card);
  const picture = courtly && !faces().figure ? `court-${card}` : "";
  return html`<svg class="face suit-${suit} ${picture}" viewBox="0 0 100 140" aria-hidden="true">
    <g class="full">
      ${courtly ? court(card) : (PIPS[value] ?? []).map(([x, y]) => pip(x, y, value === "A" ? 44 : 21, suit, y > 70))}
      <g transform="rotate(180 50 70)">${corner(card)}</g>
    </g>
    ${corner(card)}
    <g class="large">${pip(68, 104, 54, suit)}</g>
    ${
      count &&
      html`<g class="counts"><circle cx="12" cy="78" r="9.5" /><text x="12" y="83" text-anchor="middle">
      ${count}</text></g>`
    }
  </svg>`;
}

/** @type {Map<string, any>} drawn once, so that preact does not compare a face again */
const drawings = new Map();

/** The face of a card as a drawing. @param {string} card */
export function face(card) {
  const name = `${look()} ${card}`;
  if (!drawings.has(name)) drawings.set(name, drawn(card));
  return drawings.get(name);
}

/**
 * A card that cannot be clicked.
 * @param {{card: string | null, small?: boolean, name?: string, still?: boolean}} props
 */
export function Card({ card, small, name = "", still }) {
  return html`<span class="card ${card ? "up" : "down"} ${small ? "small" : ""} ${name}" role="img"
    aria-label=${spoken(card)} data-card=${(!still && card) || undefined}>
    ${card && face(card)}
  </span>`;
}

/**
 * Choose the faces that a player wants ("auto": as the table has it; null: another part of the page does it). Until
 * they are there, those before stay; null: there were none.
 * @param {string | null} wanted
 * @param {import("wire").FacesSeen | null | undefined} table
 * @returns {Faces | null}
 */
export function useFaces(wanted, table) {
  const name = wanted === "auto" ? (table?.suits ?? FRENCH.name) : (wanted ?? FRENCH.name);
  const [there, setThere] = useState(FRENCH);
  const last = useRef(/** @type {Faces | null} */ (null));
  useEffect(() => {
    let here = true;
    /** @param {Faces} [found] without one, it is played with what is there */
    const use = (found) => here && setThere({ ...(found ?? FRENCH), name });
    if (name !== FRENCH.name)
      import("../cards/abroad.js").then(
        ({ FACES }) => use(FACES[name]),
        () => use(),
      );
    return () => {
      here = false;
    };
  }, [name]);
  if (name === FRENCH.name) last.current = FRENCH;
  else if (there.name === name) last.current = there;
  if (last.current && wanted !== null) lay(last.current, { short: table?.short, counts: table?.counts });
  return last.current;
}
