/** The names of the games: what a game, or a kind of it, is called, and how it is found by what somebody types. */

/** The words of a name as it is looked up. @param {string} text @returns {string[]} */
const words = (text) => text.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").split(/[\s_-]+/).filter(Boolean);

/** A name, with the game that it opens. @typedef {{name: string, title: string, presets: string[], game: any}} Named */

/** Every name of every game. @param {any[]} games @returns {Named[]} */
export const named = (games) => games.flatMap((game) => game.names.map((/** @type {any} */ one) => ({ ...one, game })));

/** A game's own name. @param {Named} one */
export const own = (one) => one.title === one.game.title;

/** What a name is, to somebody who knows the game by another. @param {Named} one */
export function kind({ title, presets, game }) {
  const called = presets.length > 1 ? game.title : game.titles[presets[0]];
  return called === title ? `a kind of ${game.title}` : `another name of ${called}`;
}

/** The names that somebody may mean, the likeliest first; at most so many. @param {any[]} games @param {string} text */
export function search(games, text, most = 12) {
  const asked = words(text), whole = asked.join("");
  /** How well a name fits; 9: not. @param {Named} one */
  const rank = (one) => {
    const parts = words(one.title), all = parts.join("");
    if (all === whole) return 0;
    if (all.startsWith(whole)) return 1;
    if (asked.every((word) => parts.some((part) => part.startsWith(word)))) return 2;
    return whole.length > 2 && all.includes(whole) ? 3 : 9;
  };
  if (!whole) return [];
  return named(games).map((one) => ({ one, fits: rank(one) })).filter(({ fits }) => fits < 9).sort((a, b) => a.fits - b.fits).slice(0, most).map(({ one }) => one);
}
