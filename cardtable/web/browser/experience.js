/** What this browser's player has played already: help fades with it. */
import { choices, choose } from "./store.js";

// own turns in a game after which the coach is silent
const ENOUGH = 5;
// own turns after which the coach names a move only when asked
const ALONE = 2;

/** How many own turns have been taken under these rules. @param {string} game @param {string} preset */
export const turnsOf = (game, preset) => choices().turns[`${game} ${preset}`] ?? 0;

/** Whether the player knows a game: enough own turns, or a lesson. @param {string} game @param {string} preset */
export const knows = (game, preset) => turnsOf(game, preset) >= ENOUGH;

/** Whether the coach shows a move automatically in this turn. @param {string} game @param {string} preset */
export const unsure = (game, preset) => turnsOf(game, preset) <= ALONE;

/** The page of a game's first hand. @param {string} game @param {string} preset */
export const lessonAt = (game, preset) => `/learn/${encodeURIComponent(game)}?rules=${encodeURIComponent(preset)}`;

/** Whether a game is new to the player. @param {string} game @param {string} preset */
export const isNew = (game, preset) => turnsOf(game, preset) === 0;

/** Count an own turn, as long as it matters. @param {string} game @param {string} preset */
export function tookTurn(game, preset) {
  const turns = turnsOf(game, preset);
  if (turns < ENOUGH) choose({ turns: { ...choices().turns, [`${game} ${preset}`]: turns + 1 } });
}

/** Record a finished lesson: the game is no longer new. @param {string} game @param {string} preset */
export function played(game, preset) {
  if (isNew(game, preset)) tookTurn(game, preset);
}
