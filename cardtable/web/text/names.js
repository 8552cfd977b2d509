/**
 * The names of games and their variants, finding a game from typed text, and plain words for terms of the server.
 */
import { mark } from "./language.js";
import { isolated, told, tr } from "./message.js";

/**
 * The levels of bots, each with its word (cardtable/bots/levels.py), in the order in which they are offered.
 * @type {Record<string, string>}
 */
export const LEVELS = {
  soft: mark("easy"),
  medium: mark("medium"),
  search: mark("hard"),
  expert: mark("expert"),
  random: mark("random"),
  flat: mark("shallow"),
};

/** The level of bots for somebody who has not chosen one. */
export const USUAL = "medium";

/** @typedef {{levels: string[], preset_levels: Record<string, string[]>}} Levelled what levels a game offers */

/** The levels offered under a preset, or under the first. @param {Levelled | undefined} game @param {string} preset */
const offered = (game, preset) => game?.preset_levels[preset] ?? game?.levels ?? [];

/**
 * The levels to choose from in a game, and the one that is set now although it is not offered.
 * @param {Levelled | undefined} game
 * @param {string} [preset]
 * @param {string} [now]
 */
export const levelsOf = (game, preset = "", now = "") =>
  Object.keys(LEVELS).filter((level) => offered(game, preset).includes(level) || (now && level === now));

/**
 * The level to play at in a game for somebody who has chosen a level elsewhere: that one, or the next weaker one that
 * this game has.
 * @param {Levelled} game
 * @param {string} level
 * @param {string} [preset]
 */
export function levelIn(game, level, preset = "") {
  const ladder = ["soft", "medium", "search", "expert"];
  const here = offered(game, preset);
  const weaker = ladder.slice(0, Math.max(0, ladder.indexOf(level))).filter((one) => here.includes(one));
  return here.includes(level) ? level : (weaker.at(-1) ?? USUAL);
}

/** A bot of a level: `bot, easy`. @param {string} level */
export const botOf = (level) => tr("bot, {level}", { level: { says: LEVELS[level] ?? level } });

/** The name at a seat: a person's, a bot's, or "". @param {{name: string}} place */
export const who = (place) => isolated(place.name);

/** The name of a player of a finished match. @param {any} player */
export const playerName = (player) => who(player) || tr("Seat {n}", { n: player.seat + 1 });

/** What a game is about, as a sentence. @param {import("wire").GameTold} game */
export const summary = (game) => told("{summary}.", { summary: { sentence: { says: game.summary } } });

/** The words of a name as it is looked up. @param {string} text @returns {string[]} */
const words = (text) =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .split(/[\s_-]+/)
    .filter(Boolean);

/** A name, with the game that it opens. @typedef {{name: string, title: string, presets: string[], game: any}} Named */

/** Every name of every game. @param {any[]} games @returns {Named[]} */
export const named = (games) => games.flatMap((game) => game.names.map((/** @type {any} */ one) => ({ ...one, game })));

/**
 * Games in the order in which they are offered: first what the player has begun most often, then easy and quick
 * ones.
 * @param {import("wire").GameTold[]} games @param {Record<string, number>} begun how often, by any of its names
 * @returns {{game: import("wire").GameTold, times: number}[]}
 */
export const ordered = (games, begun) =>
  games
    .map((game) => ({ game, times: game.names.reduce((sum, { name }) => sum + (begun[name] ?? 0), 0) }))
    .sort((a, b) => b.times - a.times || a.game.effort - b.game.effort || a.game.minutes - b.game.minutes);

/** A game's own name. @param {Named} one */
export const own = (one) => one.title === one.game.title;

/**
 * An explanation of a name, for somebody who knows the game by another.
 * @param {Named} one
 * @returns {import("./message.js").Value}
 */
export function kind({ title, presets, game }) {
  const called = presets.length > 1 ? game.title : game.titles[presets[0]];
  return called === title
    ? { says: "a kind of {game}", game: { says: game.title } }
    : { says: "another name of {game}", game: { says: called } };
}

/** The names that match a text, the likeliest first, up to a limit. @param {any[]} games @param {string} text */
export function search(games, text, most = 12) {
  const asked = words(text),
    whole = asked.join("");
  /** How well a title fits: 0 is best, 9 is not at all. @param {string} title */
  const fit = (title) => {
    const parts = words(title),
      all = parts.join("");
    if (all === whole) return 0;
    if (all.startsWith(whole)) return 1;
    if (asked.every((word) => parts.some((part) => part.startsWith(word)))) return 2;
    return whole.length > 2 && all.includes(whole) ? 3 : 9;
  };
  if (!whole) return [];
  return named(games)
    .map((one) => ({ one, fits: Math.min(fit(one.title), fit(tr(one.title))) }))
    .filter(({ fits }) => fits < 9)
    .sort((a, b) => a.fits - b.fits)
    .slice(0, most)
    .map(({ one }) => one);
}
