/** Faces of other countries, drawn by code: Italian, Spanish and German suits and courts. */
import { html } from "../browser/html.js";
import { FRENCH, mark } from "../text/language.js";

/** @typedef {import("../text/language.js").Faces} Faces */

const COIN =
  "M10 1a9 9 0 1 1 0 18a9 9 0 1 1 0-18zm0 1.9a7.1 7.1 0 1 0 0 14.2a7.1 7.1 0 1 0 0-14.2z" +
  "M10 4.2l1.5 3 3.2-1-1 3.2 3 1.6-3 1.6 1 3.2-3.2-1-1.5 3-1.5-3-3.2 1 1-3.2-3-1.6 3-1.6-1-3.2 3.2 1z";
const CUP =
  "M3.5 1.5h13c.3 5.2-1.2 9-5 9.9v4c2.4.3 4.3 1.2 4.3 3.1H4.2c0-1.9 1.9-2.8 4.3-3.1v-4" +
  "C4.7 10.5 3.2 6.7 3.5 1.5zm2.3 2c.1 1 .2 1.8.4 2.5h7.6c.2-.7.3-1.5.4-2.5z";
const SWORD = "M10 .3l2.3 3.2v8.5h4.5v2.5h-4.5v2.2a2.3 2.3 0 1 1-4.6 0v-2.2H3.2V12h4.5V3.5zM9.7 4v8h.6V4z";
const BATON =
  "M8.2 1.3c1.4-.9 3.6-.5 4.1 1.1.3 1.1-.1 2.1.1 3.2.9-1 2.7-.8 2.9.5.2 1.5-1.7 2.3-2.9 1.5l-.1 3.3" +
  "c1.1-.6 2.5-.1 2.5 1.1s-1.5 1.7-2.6 1l-.3 4.6c-.1 2-3.7 2-3.9 0l-.4-5.4c-1.1.8-2.7.2-2.7-1.1s1.4-1.8 2.5-1l-.3-3.3" +
  "c-1.2.8-3 .1-3-1.5s2-1.9 2.9-.7c0-1.2-.1-2.4 1.2-3.3z";
const LEAF =
  "M10 .8c3.3 2 6.3 5.6 6.3 9 0 3.2-2.5 4.8-5.3 4.2l.6 5.2H8.4L9 14c-2.8.6-5.3-1-5.3-4.2 0-3.4 3-7 6.3-9z" +
  "M9.7 3.5v9h.6v-9z";
const BELL =
  "M10 .8a2 2 0 0 1 1.5 3.3 8 8 0 0 1 6.3 7.9 7.8 7.8 0 0 1-15.6 0 8 8 0 0 1 6.3-7.9A2 2 0 0 1 10 .8z" +
  "M4 10.3a.6.6 0 0 0 0 1.2h12a.6.6 0 0 0 0-1.2zM10 13.3a1.5 1.5 0 0 0-.6 2.9v2.6h1.2v-2.6a1.5 1.5 0 0 0-.6-2.9z";
const ACORN =
  "M9.4.5h1.3v2.6c3.6.3 6.4 2.2 6.6 5 0 .6-.5 1-1.1 1H3.8c-.6 0-1.1-.4-1.1-1 .2-2.8 3-4.7 6.7-5z" +
  "M4.2 10.3h11.6c0 4-2.3 7.3-5.8 9.2-3.5-1.9-5.8-5.2-5.8-9.2z";

const SKIN = "#f0cfae";
const DARK = "#2a2a30";
const GOLD = "#e0b040";

/** A head above a collar. @param {number} x @param {number} y */
const head = (x, y) =>
  html`<circle cx=${x} cy=${y} r="8" fill=${SKIN} /><path d=${`M${x - 3} ${y - 1}h1.5m3 0h1.5M${x - 2} ${y + 3.5}h4`}
    stroke=${DARK} stroke-width="1.2" fill="none" stroke-linecap="round" />`;

/** A man on foot: a cap with a feather, a tunic in the colour of his suit. */
const KNAVE = html`<path d="M19 72h5l1 27h-7zm7 0h5l1 27h-7z" fill=${DARK} />
  <path d="M25 42c7 0 11 4 11 10v23H14V52c0-6 4-10 11-10z" />
  <path d="M14 67h22v3H14z" fill=${GOLD} />
  ${head(25, 35)}
  <path d="M16 32c0-7 4-10 9-10s9 3 9 10c-5-3-13-3-18 0z" />
  <path d="M32 25c3-5 7-7 11-6-2 4-6 6-10 8z" fill=${GOLD} />`;

/** A man on a horse. */
const KNIGHT = html`<path d="M25 36c6 0 9 4 9 9v20H16V45c0-5 3-9 9-9z" />
  ${head(25, 29)}
  <path d="M16 26c0-6 4-9 9-9s9 3 9 9z" fill=${DARK} /><path d="M23 17c0-5 2-7 5-8v9z" fill=${GOLD} />
  <path d="M40 70c3 4 3 12 2 29h-5l-2-16c-5 2-10 2-14 1l-3 15h-5l1-20c-3-3-4-7-3-12l1-6-5 4c-2 1-4-1-3-3l5-9c1-2 3-3
    6-4l1-3 3 3c4 3 6 8 9 11 4 1 9 2 13 4z" fill="#8a5a34" />
  <path d="M20 64c5 2 9 2 13 1l1 9c-5 2-10 2-15 0z" fill=${GOLD} />`;

/** A king on foot: a crown, a beard, a long robe. */
const KING = html`<path d="M25 42c9 0 13 5 13 12l4 45H8l4-45c0-7 4-12 13-12z" />
  <path d="M22 44h6l2 55H20z" fill=${GOLD} />
  ${head(25, 35)}
  <path d="M17.5 37c0 9 4 12 7.5 12s7.5-3 7.5-12c-3 3-12 3-15 0z" fill="#cfcac0" />
  <path d="M15 29l-2-14 7 6 5-9 5 9 7-6-2 14z" fill=${GOLD} stroke=${DARK} stroke-width=".8" />`;

/** @type {Record<string, any>} */
const FIGURES = { J: KNAVE, Q: KNIGHT, K: KING };
/** In Germany all but the king are men on foot; whose sign is above is the higher one. @type {Record<string, any>} */
const GERMAN_FIGURES = { ...FIGURES, Q: KNAVE };

const LATIN = {
  spades: mark("swords"),
  hearts: mark("cups"),
  diamonds: mark("coins"),
  clubs: mark("batons"),
  jack: mark("knave"),
  jacks: mark("knaves"),
  "a jack": mark("a knave"),
  queen: mark("knight"),
  queens: mark("knights"),
  "a queen": mark("a knight"),
};
const LATIN_SHAPES = { S: SWORD, H: CUP, D: COIN, C: BATON };

/** @type {Record<string, Faces>} */
export const FACES = {
  french: FRENCH,
  italian: {
    name: "italian",
    words: LATIN,
    signs: {},
    letters: "SCDB",
    courts: ["F", "C", "R"],
    numbers: ["8", "9", "10"],
    shapes: LATIN_SHAPES,
    figure: (rank) => FIGURES[rank],
  },
  spanish: {
    name: "spanish",
    words: LATIN,
    signs: {},
    letters: "ECOB",
    courts: ["S", "C", "R"],
    numbers: ["10", "11", "12"],
    shapes: LATIN_SHAPES,
    figure: (rank) => FIGURES[rank],
  },
  german: {
    name: "german",
    words: {
      spades: mark("leaves"),
      diamonds: mark("bells"),
      clubs: mark("acorns"),
      jack: mark("Unter"),
      jacks: mark("Unters"),
      "a jack": mark("an Unter"),
      queen: mark("Ober"),
      queens: mark("Obers"),
      "a queen": mark("an Ober"),
    },
    signs: {},
    letters: "LHSE",
    courts: ["U", "O", "K"],
    numbers: ["U", "O", "K"],
    shapes: { S: LEAF, D: BELL, C: ACORN },
    figure: (rank) => GERMAN_FIGURES[rank],
  },
};
