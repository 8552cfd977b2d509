/** Cards: their faces, backs and names. A face-down card carries nothing of what it is. */
import { html } from "./html.js";

const RANKS = { A: "ace", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten", J: "jack", Q: "queen", K: "king" };
export const SUITS = { S: "spades", H: "hearts", D: "diamonds", C: "clubs" };
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const ORDER = "A23456789TJQK";
const CARD = /^(?:[A2-9TJQK][SHDC]|X[12])$/;

/** Where the pips of a rank lie, in a box of 100 × 140; those below the middle stand on their heads. */
const L = 32, M = 50, R = 68;
/** @type {Record<string, number[][]>} */
const PIPS = {
  A: [[M, 70]],
  2: [[M, 29], [M, 111]],
  3: [[M, 29], [M, 70], [M, 111]],
  4: [[L, 29], [R, 29], [L, 111], [R, 111]],
  5: [[L, 29], [R, 29], [M, 70], [L, 111], [R, 111]],
  6: [[L, 29], [R, 29], [L, 70], [R, 70], [L, 111], [R, 111]],
  7: [[L, 29], [R, 29], [M, 49.5], [L, 70], [R, 70], [L, 111], [R, 111]],
  8: [[L, 29], [R, 29], [M, 49.5], [L, 70], [R, 70], [M, 90.5], [L, 111], [R, 111]],
  9: [[L, 29], [R, 29], [L, 56.300], [R, 56.300], [M, 70], [L, 83.700], [R, 83.700], [L, 111], [R, 111]],
  T: [[L, 29], [R, 29], [M, 42.700], [L, 56.300], [R, 56.300], [L, 83.700], [R, 83.700], [M, 97.300], [L, 111], [R, 111]],
};

/** @param {string} text */
export const isCard = (text) => CARD.test(text);

/** "seven of hearts" @param {string | null} card */
export function spoken(card) {
  if (!card) return "face-down card";
  if (card[0] === "X") return "joker";
  return `${RANKS[/** @type {keyof typeof RANKS} */ (card[0])]} of ${SUITS[/** @type {keyof typeof SUITS} */ (card[1])]}`;
}

/** "7♥" @param {string} card */
export const short = (card) => (card[0] === "X" ? "Joker" : (card[0] === "T" ? "10" : card[0]) + SIGNS[/** @type {keyof typeof SIGNS} */ (card[1])]);

/** @param {string} card */
export const rank = (card) => ORDER.indexOf(card[0]);

/** Cards in a hand's order: by suit, colours alternating, or by rank. @param {string[]} cards @param {"suit" | "rank"} by */
export function sorted(cards, by) {
  const suit = (/** @type {string} */ card) => "SHCD".indexOf(card[1]);
  return [...cards].sort((a, b) => (by === "suit" ? suit(a) - suit(b) || rank(a) - rank(b) : rank(a) - rank(b) || suit(a) - suit(b)));
}

/** @param {{x: number, y: number, size: number, suit: string, turned?: boolean}} place */
function Pip({ x, y, size, suit, turned }) {
  const at = `translate(${x} ${y})${turned ? " rotate(180)" : ""} translate(${-size / 2} ${-size / 2})`;
  return html`<use href="#s-${suit}" width=${size} height=${size} transform=${at} />`;
}

/** @param {{card: string}} props */
function Corner({ card }) {
  const text = card[0] === "T" ? "10" : card[0];
  return html`<text class=${text === "10" ? "index ten" : "index"} x="12" y="24" text-anchor="middle">${text}</text>
    <${Pip} x=${12} y=${38} size=${17} suit=${card[1]} />`;
}

/** The face of a card as a drawing. @param {{card: string}} props */
export function Face({ card }) {
  const [value, suit] = card;
  if (value === "X") return html`<svg class="face joker" viewBox="0 0 100 140" aria-hidden="true"><text x="50" y="82" text-anchor="middle" class="index">★</text></svg>`;
  const court = "JQK".includes(value);
  return html`<svg class="face suit-${suit}" viewBox="0 0 100 140" aria-hidden="true">
    <g class="full">
      ${court
        ? html`<image class="court" href="/static/cards/${card}.svg" x="23.500" y="14" width="53" height="112" preserveAspectRatio="none" />
            <rect class="frame" x="23.500" y="14" width="53" height="112" rx="1.500" />
            <${Pip} x=${33} y=${25} size=${14} suit=${suit} /><${Pip} x=${67} y=${115} size=${14} suit=${suit} turned />`
        : (PIPS[value] ?? []).map(([x, y]) => html`<${Pip} x=${x} y=${y} size=${value === "A" ? 44 : 21} suit=${suit} turned=${y > 70} />`)}
      <${Corner} card=${card} />
      <g transform="rotate(180 50 70)"><${Corner} card=${card} /></g>
    </g>
    <g class="plain">
      <text class=${value === "T" ? "index ten" : "index"} x="33" y="56" text-anchor="middle">${value === "T" ? "10" : value}</text>
      <${Pip} x=${33} y=${86} size=${36} suit=${suit} />
      <${Pip} x=${68} y=${104} size=${54} suit=${suit} />
    </g>
  </svg>`;
}

/** A card that nobody clicks on. @param {{card: string | null, small?: boolean, name?: string, still?: boolean}} props */
export function Card({ card, small, name = "", still }) {
  return html`<span class="card ${card ? "up" : "down"} ${small ? "small" : ""} ${name}" role="img" aria-label=${spoken(card)} data-card=${(!still && card) || undefined}>
    ${card && html`<${Face} card=${card} />`}
  </span>`;
}

/** A sentence with its cards in colour. @param {{text: string, names?: string[], you?: number | null}} props */
export function Told({ text, names, you = null }) {
  const parts = named(text, names, you).split(/\b((?:[A2-9TJQK]|10)[SHDC])\b/);
  return parts.map((part, i) =>
    i % 2 ? html`<span class="in suit-${part.at(-1)}"><span aria-hidden="true">${short(part.replace("10", "T"))}</span><span class="sr">${spoken(part.replace("10", "T"))}</span></span>` : part,
  );
}

/** `seat 1` as the name of who sits there. @param {string} text @param {string[]} [names] @param {number | null} [you] */
export function named(text, names, you = null) {
  if (!names) return text;
  return text.replace(/\b[Ss]eat (\d)\b/g, (whole, seat) => (Number(seat) === you ? "you" : names[seat] ?? whole));
}
