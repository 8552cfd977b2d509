/** Finds the terms of the glossary in texts. Nothing here touches a page. */

/** @typedef {import("wire").TermTold} Term */
/** @typedef {{pattern: RegExp | null, names: Map<string, string>}} Finder `names`: of the terms, by their words */
/** @typedef {{text: string, term: string}} Piece `term`: the name of the term that the text is; else "" */

/** The forms of a term. @param {string} words */
export const forms = (words) =>
  words
    .trim()
    .split(/\s*,\s*/)
    .filter(Boolean);

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");

/**
 * What finds the terms of a game's texts. Words that texts also use in their everyday sense are left out.
 * @param {Term[]} terms @param {string} game "": terms of all games
 * @param {(template: string) => string} translate to the language of the texts
 * @returns {Finder}
 */
export function finder(terms, game, translate) {
  const names = new Map();
  for (const term of terms) {
    const here = !game || !term.games.length || term.games.includes(game);
    for (const word of here && !term.everyday ? forms(translate(term.words)) : [])
      if (!names.has(word.toLowerCase())) names.set(word.toLowerCase(), term.name);
  }
  const words = [...names.keys()].sort((a, b) => b.length - a.length).map(escaped);
  const pattern = words.length
    ? new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${words.join("|")})(?![\\p{L}\\p{N}_-])`, "giu")
    : null;
  return { pattern, names };
}

/**
 * A text in pieces: terms, and what is between them. Each term is found only once: `seen` has the names of terms that
 * were found before, and gets the new ones.
 * @param {string} text @param {Finder} found @param {Set<string>} seen
 * @returns {Piece[]}
 */
export function pieces(text, { pattern, names }, seen) {
  /** @type {Piece[]} */
  const made = [];
  let end = 0;
  for (const match of pattern ? text.matchAll(pattern) : []) {
    const term = names.get(match[0].toLowerCase().replace(/\s+/g, " ")) ?? "";
    if (!term || seen.has(term)) continue;
    seen.add(term);
    if (match.index > end) made.push({ text: text.slice(end, match.index), term: "" });
    made.push({ text: match[0], term });
    end = match.index + match[0].length;
  }
  if (end < text.length) made.push({ text: text.slice(end), term: "" });
  return made;
}

/**
 * The terms that have a text in their words or their meaning.
 * @param {Term[]} terms @param {string} sought @param {(template: string) => string} translate
 */
export function sought(terms, sought, translate) {
  const wanted = sought.trim().toLowerCase();
  return terms.filter((term) =>
    [term.words, translate(term.words), translate(term.means)].some((text) => text.toLowerCase().includes(wanted)),
  );
}
