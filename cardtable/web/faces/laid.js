/**
 * The faces that cards have: their suits and courts. The cards are the same with all of them. French ones are here;
 * those of other countries are fetched when somebody plays with them (`abroad.js`).
 */
import { useEffect, useRef, useState } from "../browser/html.js";

/**
 * `words`: what stands for a suit or a rank in messages, by its English word; `signs`: of the suits, as text (empty:
 * their names are written); `letters`: of the suits, in the order S H D C; `courts`: the indices of J, Q and K; `numbers`: the same where the pack has no 8, 9 and 10;
 * `shapes`: the suits' signs as drawings, in a box of 20 × 20 (null: the French ones); `figure`: the picture of a court
 * card, in a box of 50 × 108 (null: that of the French one).
 * @typedef {{name: string, words: Record<string, string>, signs: Record<string, string>, letters: string, courts: string[],
 * numbers: string[], shapes: Record<string, string> | null, figure: ((rank: string) => any) | null}} Faces
 */

const TEXT = "\ufe0e"; // after a sign: it is drawn as text, where some phones draw a coloured picture
const RANKS = ["J", "Q", "K"];

/** @type {Faces} */
export const FRENCH = {
  name: "french",
  words: {},
  signs: { S: `♠${TEXT}`, H: `♥${TEXT}`, D: `♦${TEXT}`, C: `♣${TEXT}` },
  letters: "SHDC",
  courts: RANKS,
  numbers: RANKS,
  shapes: null,
  figure: null,
};

/** What lies on the table: the faces, whether the pack is short, and what courts count, if that is more than their place. */
let laid = { faces: FRENCH, short: false, counts: /** @type {string[]} */ ([]) };

/** The faces of this page. */
export const faces = () => laid.faces;

/** The name of everything that a card's drawing depends on besides the card. */
export const look = () => [laid.faces.name, laid.short, ...laid.counts].join(" ");

/** A word of a message, as it is called with these faces. @param {string} word */
export const called = (word) => laid.faces.words[word] ?? word;

/** The letter of a card's suit, for eyes that do not tell the signs apart. @param {string} card */
export const letterOf = ([, suit]) => laid.faces.letters["SHDC".indexOf(suit)];

/** The index of a card: `10`, `K`. @param {string} card */
export function indexOf([rank]) {
  const at = RANKS.indexOf(rank);
  if (rank === "T") return "10";
  return at < 0 ? rank : (laid.short ? laid.faces.numbers : laid.faces.courts)[at];
}

/** The rank that has an index, where a letter stands for 10: `T` is a king where kings have that index. @param {string} typed */
export function rankOf(typed) {
  const index = typed === "T" ? "10" : typed;
  return RANKS.find((rank) => indexOf(rank) === index) ?? typed;
}

/** What a court card counts, if its index does not say it. @param {string} card */
export function countOf(card) {
  const count = laid.counts[RANKS.indexOf(card[0])] ?? "";
  return count === indexOf(card) ? "" : count;
}

/**
 * Choose the faces on the table.
 * @param {Faces} next @param {{short?: boolean, counts?: number[]}} [cards] whether it has no 8, 9 and 10; what J, Q and K
 * count
 */
export function lay(next, { short = false, counts = [] } = {}) {
  laid = { faces: next, short, counts: counts.map(String) };
  const { dataset, style } = document.documentElement;
  dataset.faces = next.name;
  [..."SHDC"].forEach((suit, i) => style.setProperty(`--letter-${suit}`, `" ${next.letters[i]}"`));
}

/**
 * Choose the faces that a player wants ("auto": as the table has it; null: another part of the page does it). Until they
 * are there, those before stay; null: there were none.
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
      import("./abroad.js").then(
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
