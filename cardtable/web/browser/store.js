/** The player's settings and name, kept in this browser. */

const DEFAULTS = {
  name: "",
  speed: "normal",
  sound: false,
  suits: "two",
  faces: "auto", // as the table has it
  big: false,
  look: "auto",
  felt: "green",
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
  drawer: true, // open, so that a result moves nothing
  back: "lattice",
  aids: false,
  against: "medium", // the level of bots
  last: "", // the game played last
  read: 0, // when the last line of a chat was said that has been shown
  /** @type {Record<string, "suit" | "rank">} of hands, by game, where the player does not sort as the game does */
  orders: {},
  /** @type {Record<string, number>} how many tables were made, by a name of their game */
  begun: {},
  /** @type {Record<string, number>} own turns that were taken, by game and preset */
  turns: {},
};
/** @typedef {typeof DEFAULTS} Choices */

/** Factors for times, for each speed. @type {Record<string, number>} */
export const PACES = { slow: 1.8, normal: 1, fast: 0.5, instant: 0 };

const KEY = "cardtable";
/** @type {Set<() => void>} */
const listeners = new Set();
/** @type {Choices} */
let chosen = read();

/** @returns {Choices} */
function read() {
  // whichever way it is held
  const phone = matchMedia("(max-device-width: 600px), (max-device-height: 600px)").matches;
  const base = phone ? { ...DEFAULTS, suits: "four", big: true } : DEFAULTS;
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    // what this level was called in earlier versions
    if (stored.against === "simple") stored.against = "medium";
    return { ...base, ...stored };
  } catch {
    return base;
  }
}

export const choices = () => chosen;

/** @param {Partial<Choices>} changed */
export function choose(changed) {
  chosen = { ...chosen, ...changed };
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
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
  const { suits, look, felt, back, side, big, letters } = chosen;
  Object.assign(dataset, { suits, look, felt, back, side, big, letters });
}

/** The time, at the chosen speed, of an animation that takes `ms` at normal speed. @param {number} ms */
export function paced(ms) {
  return matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : reading(ms);
}

/** The time, at the chosen speed, to read a text; it does not depend on reduced motion. @param {number} ms */
export function reading(ms) {
  return ms * (PACES[chosen.speed] ?? 1);
}
