/** The player's settings and name, kept in this browser. */

/**
 * against: the level of bots; last: the name of the game played last; turns: own turns that were taken, by game and
 * preset.
 * @typedef {{name: string, speed: "instant"|"fast"|"normal"|"slow", sound: boolean, suits: "two"|"four"|"blind",
 *   big: boolean, look: "auto"|"light"|"dark"|"contrast", felt: string, order: "suit"|"rank", confirm: boolean,
 *   notice: boolean, volume: number, plain: boolean, side: "right"|"left", letters: boolean, tell: "all"|"turns",
 *   auto: boolean, coached: boolean, sure: boolean, language: string, drawer: boolean, back: string, aids: boolean,
 *   against: string, last: string, turns: Record<string, number>}} Choices
 */

/** @type {Choices} */
const DEFAULTS = {
  name: "",
  speed: "normal",
  sound: false,
  suits: "two",
  big: false,
  look: "auto",
  felt: "green",
  order: "suit",
  confirm: false,
  notice: false,
  volume: 0.5,
  plain: false,
  side: "right",
  letters: false,
  tell: "all",
  auto: false,
  coached: false,
  sure: true,
  language: "",
  drawer: false,
  back: "lattice",
  aids: false,
  against: "medium",
  last: "",
  turns: {}, // own turns that were taken, by game and preset
};

/** Factors for times, for each speed. @type {Record<string, number>} */
export const PACES = { slow: 1.8, normal: 1, fast: 0.5, instant: 0 };

const KEY = "cardtable";
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {Choices} */
let chosen = read();

/** @returns {Choices} */
function read() {
  const phone = matchMedia("(max-width: 600px)").matches;
  const base = phone ? { ...DEFAULTS, suits: /** @type {const} */ ("four"), big: true } : DEFAULTS;
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    // what this level was called in earlier versions
    if (stored.against === "simple") stored.against = "medium";
    return { ...base, ...stored };
  } catch {
    return { ...base };
  }
}

export const choices = () => chosen;

/** @param {Partial<Choices>} changed */
export function choose(changed) {
  chosen = { ...chosen, ...changed };
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    localStorage.setItem(KEY, JSON.stringify({ ...kept, ...changed }));
  } catch {
    // a browser that stores nothing: settings last as long as the page
  }
  applyTheme();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener @returns {() => void} */
export function watch(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Set the settings as attributes, for the styles. */
export function applyTheme() {
  const { dataset } = document.documentElement;
  dataset.suits = chosen.suits;
  dataset.look = chosen.look;
  dataset.felt = chosen.felt;
  dataset.back = chosen.back;
  dataset.side = chosen.side;
  dataset.big = String(chosen.big);
  dataset.letters = String(chosen.letters);
}

/** The time, at the chosen speed, of an animation that takes `ms` at normal speed. @param {number} ms */
export function paced(ms) {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : reading(ms);
}

/** The time, at the chosen speed, to read a text; it does not depend on reduced motion. @param {number} ms */
export function reading(ms) {
  return ms * (PACES[chosen.speed] ?? 1);
}
