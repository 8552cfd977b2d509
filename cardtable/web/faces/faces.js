/** The faces of the house, drawn by code: always the same one for a name; people have their initial. */
import { html } from "../browser/html.js";

const SKINS = ["#f6d7c3", "#eec1a2", "#dba27f", "#b97f59", "#8d5a3b", "#633d28"];
const HAIRS = ["#2b1d16", "#4b2e1c", "#7a4a24", "#b9793a", "#d9b26a", "#8f8f92", "#c2552d", "#e9e4da"];
const CLOTHES = ["#a8324a", "#2f6f9f", "#3b7d57", "#b5762a", "#6c4f9e", "#3c4654", "#c2574b", "#27808a"];
const GROUNDS = ["#f1e3c6", "#d4e4ea", "#dfe8d3", "#ecd9dd", "#e2ddf0", "#f0dccb", "#d5e6df", "#e8e4d9"];

/** Hair behind the head and in front of it: four for women, four for men. @type {[string, string][]} */
const STYLES = [
  [
    "M11 17C10 9 15 6.5 20 6.500S30 9 29 17L30.5 29H9.500z",
    "M12 17C13 11.5 18 11 22 12C26 12.5 27.5 14 28 17C29 10 26 7 20 7S11 10 12 17z",
  ],
  [
    "M20 3.500a4 4 0 1 1 0 8a4 4 0 1 1 0-8z",
    "M11.5 18C11 11 15 8.5 20 8.500S29 11 28.5 18C27 13.5 24 12 20 12S13 13.5 11.5 18z",
  ],
  [
    "M10 18a5 5 0 0 1 2-9.500a8.5 6 0 0 1 16 0a5 5 0 0 1 2 9.500L29 24H11z",
    "M12 17C12 12.5 15 10.5 20 10.500S28 12.5 28 17C29.5 11 26 7.5 20 7.500S10.5 11 12 17z",
  ],
  [
    "M10.5 16C10 8.5 15 6.5 20 6.500S30 8.5 29.5 16V34H26V22H14V34H10.500z",
    "M12 16.500C14 15 18 14.5 19.5 9.500C21 14.5 26 15 28 16.500C29 10 25.5 7 20 7S11 10 12 16.500z",
  ],
  ["", "M11.5 18C11 10.5 15 7.5 20 7.5S29 10.5 28.5 18C27 14.5 25 13 20 13S13 14.5 11.5 18z"],
  [
    "",
    "M11.5 16.500C10.5 9 16 6 21 7C27.5 7 30 11 28.5 17C27 15 27 13.5 25 12.500" +
      "C21 14 15 13.5 13 13.500C12.5 14.5 12 15.5 11.5 16.500z",
  ],
  [
    "",
    "M11.6 19C10.8 16 11 13.5 12 12C12.5 14 12.5 16 12.6 17zM28.4 19C29.2 16 29 13.5 28 12C27.5 14 27.5 16 27.4 17z",
  ],
  [
    "",
    "M12 15.500C11.5 12 13 9.5 15 9L14.5 7L17.5 8.300L18.5 6L21 8L24 6.500L24.5 8.800" +
      "C27 9.5 28.5 12 28 15.500C26 12.5 23 12 20 12S14 12.5 12 15.500z",
  ],
];
const MOUTHS = [
  "M16.5 25.500Q20 28.5 23.5 25.5",
  "M17 26Q20 27.3 23 26",
  "M17 26.300H23",
  "M17 25.500Q20.5 28 24 24.8",
  "M16.5 25.200Q20 29.5 23.5 25.200z",
];

/** The women's names of the house and of the lessons (cardtable/bots/cast.py). */
export const WOMAN = /[ae]$|^(Agnes|Ann|Beatrix|Cleo|Dot|Edith|Fifi|Ines|Judith|Kiki|Mimi|Nell|Tilly)$/;

/** A number from a name: FNV-1a. @param {string} name */
function seed(name) {
  let hash = 0x811c9dc5;
  for (const letter of name) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return hash >>> 0;
}

/** The parts of a face, each chosen by some of the name's bits. @param {string} name */
function chosen(name) {
  let left = seed(name);
  const woman = WOMAN.test(name);
  /** @template T @param {T[]} from @returns {T} */
  const one = (from) => {
    left = Math.imul(left ^ (left >>> 15), 0x2c1b3c6d) >>> 0;
    return from[(left >>> 8) % from.length];
  };
  return {
    ground: one(GROUNDS),
    skin: one(SKINS),
    hair: one(HAIRS),
    style: one(woman ? STYLES.slice(0, 4) : STYLES.slice(4)),
    clothes: one(CLOTHES),
    mouth: one(MOUTHS),
    glasses: one([true, false, false, false]),
    beard: one([true, false, false, false]) && !woman,
    brow: one([-0.6, 0, 0.6]),
  };
}

/** @param {{name: string, person?: boolean}} props */
export function Face({ name, person }) {
  const { ground, skin, hair, style, clothes, mouth, glasses, beard, brow } = chosen(name);
  const [behind, before] = style;
  if (person)
    return html`<svg class="portrait" viewBox="0 0 40 40" aria-hidden="true"><rect width="40" height="40"
      fill=${clothes} /><text x="20" y="28" text-anchor="middle" font-size="23" font-weight="600"
      fill="#fff">${[...name][0]?.toUpperCase()}</text></svg>`;
  return html`<svg class="portrait" viewBox="0 0 40 40" aria-hidden="true">
    <rect width="40" height="40" fill=${ground} />
    ${behind && html`<path d=${behind} fill=${hair} />`}
    <path d="M7 41C7 34 12 31 17 30.500h6C28 31 33 34 33 41z" fill=${clothes} />
    <path d="M17 26h6v5a3 3 0 0 1-6 0z" fill=${skin} />
    <path d="M17 28.500q3 2.5 6 0v1.500q-3 2-6 0z" fill="#000" opacity=".14" />
    <ellipse cx="20" cy="19.5" rx="8" ry="9.2" fill=${skin} />
    ${
      beard &&
      html`<path d="M12.5 21C13 28 16 29.5 20 29.500S27 28 27.5 21C26 24 24 23.5 20 23.500S14 24 12.5 21z"
      fill=${hair} />`
    }
    <g fill="#2a1c16"><circle cx="16.8" cy="19.5" r="1.05" /><circle cx="23.2" cy="19.5" r="1.05" /></g>
    <g stroke="#2a1c16" stroke-width=".9" stroke-linecap="round" fill="none" opacity=".75">
      <path d=${`M15 ${16.6 - brow}L18.3 ${16.6 + brow}M21.7 ${16.6 + brow}L25 ${16.6 - brow}`} />
      <path d="M20 20.500l-.7 2h1.4" stroke-width=".7" /></g>
    <path d=${mouth} stroke="#7d3029" stroke-width="1" stroke-linecap="round"
      fill=${mouth.endsWith("z") ? "#fff" : "none"} />
    ${before && html`<path d=${before} fill=${hair} />`}
    ${
      glasses &&
      html`<g fill="none" stroke="#2a2a30" stroke-width=".8"><circle cx="16.6" cy="19.6" r="2.7" />
      <circle cx="23.4" cy="19.6" r="2.7" /><path d="M19.3 19.300h1.4" /></g>`
    }
  </svg>`;
}
