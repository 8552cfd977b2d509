/** What a player chose, kept in this browser; and the name that they play under. */

/** @typedef {{name: string, speed: "instant"|"fast"|"normal", sound: boolean, suits: "two"|"four"|"blind", big: boolean, look: "auto"|"light"|"dark",
 *   felt: string, order: "suit"|"rank", confirm: boolean, notice: boolean, volume: number, plain: boolean, side: "right"|"left",
 *   letters: boolean, tell: "all"|"turns", auto: boolean, coached: boolean, sure: boolean, language: string}} Choices */

/** @type {Choices} */
const DEFAULTS = {
  name: "", speed: "normal", sound: false, suits: "two", big: false, look: "auto", felt: "green", order: "suit", confirm: false, notice: false, volume: 0.5, plain: false, side: "right",
  letters: false, tell: "all", auto: false, coached: false, sure: true, language: "",
};

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
    return { ...base, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
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
    // a browser that keeps nothing: it holds for this page
  }
  applyTheme();
  for (const listener of listeners) listener();
}

/** @param {() => void} listener @returns {() => void} */
export function watch(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Put the choices where the styles find them. */
export function applyTheme() {
  const { dataset } = document.documentElement;
  dataset.suits = chosen.suits;
  dataset.look = chosen.look;
  dataset.felt = chosen.felt;
  dataset.side = chosen.side;
  dataset.big = String(chosen.big);
  dataset.letters = String(chosen.letters);
}

/** How long a thing takes that takes `ms` at normal speed. @param {number} ms */
export function paced(ms) {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : reading(ms);
}

/** How long something is to be read, by the speed that was chosen: words are no motion. @param {number} ms */
export function reading(ms) {
  return chosen.speed === "instant" ? 0 : chosen.speed === "fast" ? ms / 2 : ms;
}
