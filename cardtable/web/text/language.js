/**
 * The language of this page: its catalogue, in which the English templates of messages are looked up
 * (cardtable/base/languages.py says how it is made).
 * It is the browser's language, unless another one was chosen in the settings.
 *
 * Suits and ranks have other words with other faces of the cards. The French ones are here; those of other countries
 * are fetched when somebody plays with them (`cards/abroad.js`).
 */
import { at } from "../browser/address.js";
import { choices, choose } from "../browser/store.js";

// ms for which the catalogue is waited for
const PATIENCE = 5000;
// the order of a number's forms, of which a language has some
const ORDER = ["zero", "one", "two", "few", "many", "other"];

/** @type {Record<string, string>} */
let messages = {};
let current = "en";
let rules = new Intl.PluralRules("en");
let categories = ["one", "other"];

/** The code of the language of this page, for numbers and dates. */
export const code = () => current;

/**
 * An English template in the language of this page: the text for the context, or else the one for all contexts.
 * @param {string} template
 * @param {string} [context]
 * @returns {string}
 */
export function inLanguage(template, context) {
  const called = laid.faces.words[template] ?? template;
  return (context && messages[`${context}\x04${called}`]) || (messages[called] ?? called);
}

/**
 * Mark a template that is looked up elsewhere, with the same context, so that it gets into the catalogue.
 * @param {string} template
 * @param {{context: string}} [_context]
 */
export const mark = (template, _context) => template;

/** Which form goes with a number. @param {number} n */
export const plural = (n) => Math.max(0, categories.indexOf(rules.select(n)));

/** Get the chosen catalogue, or the best one for this browser; if there is no answer, the page is in English. */
export async function load() {
  const chosen = choices().language;
  const wanted = chosen ? [chosen] : navigator.languages;
  if (!wanted.length || /^en(-(?!xa)|$)/i.test(wanted[0])) return;
  try {
    const answer = await fetch(at(`/api/language?of=${encodeURIComponent(wanted.join(":"))}`), {
      credentials: "same-origin",
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (answer.ok) use(await answer.json());
  } catch {
    // the page works without it
  }
}

/** Choose the language of the page, and reload it to translate all its texts. @param {string} language */
export function speak(language) {
  choose({ language });
  location.reload();
}

/** @param {{code: string, messages: Record<string, string>}} catalogue */
export function use(catalogue) {
  messages = catalogue.messages;
  current = catalogue.code;
  document.documentElement.lang = catalogue.code;
  rules = new Intl.PluralRules(catalogue.code);
  const known = rules.resolvedOptions().pluralCategories;
  categories = ORDER.filter((each) => known.includes(/** @type {Intl.LDMLPluralRule} */ (each)));
}

// The faces of the cards

/**
 * `words`: what stands for a suit or a rank in messages, by its English word; `signs`: of the suits, as text (empty:
 * their names are written); `letters`: of the suits, in the order S H D C; `courts`: the indices of J, Q and K;
 * `numbers`: the same where the pack has no 8, 9 and 10; `shapes`: the suits' signs as drawings, in a box of 20 × 20
 * (null: the French ones); `figure`: the picture of a court card, in a box of 50 × 108 (null: that of the French one).
 * @typedef {{name: string, words: Record<string, string>, signs: Record<string, string>, letters: string,
 * courts: string[], numbers: string[], shapes: Record<string, string> | null,
 * figure: ((rank: string) => any) | null}} Faces
 */

// after a sign: it is drawn as text, where some phones draw a coloured picture
const TEXT = "\ufe0e";
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

/** What lies on the table: the faces, whether the pack is short, and what courts count where cards are added up. */
let laid = { faces: FRENCH, short: false, counts: /** @type {string[]} */ ([]) };

/** The faces of this page. */
export const faces = () => laid.faces;

/** The name of everything that a card's drawing depends on besides the card. */
export const look = () => [laid.faces.name, laid.short, ...laid.counts].join(" ");

/** The letter of a card's suit, for eyes that do not tell the signs apart. @param {string} card */
export const letterOf = ([, suit]) => laid.faces.letters["SHDC".indexOf(suit)];

/** The index of a card: `10`, `K`. @param {string} card */
export function indexOf([rank]) {
  const at = RANKS.indexOf(rank);
  if (rank === "T") return "10";
  return at < 0 ? rank : (laid.short ? laid.faces.numbers : laid.faces.courts)[at];
}

/**
 * The rank that has an index, where `T` stands for 10: a king where kings have that index.
 * @param {string} typed
 */
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
 * @param {Faces} next
 * @param {{short?: boolean, counts?: number[]}} [cards] whether it has no 8, 9 and 10; what J, Q and K count
 */
export function lay(next, { short = false, counts = [] } = {}) {
  laid = { faces: next, short, counts: counts.map(String) };
  const { dataset, style } = document.documentElement;
  dataset.faces = next.name;
  [..."SHDC"].forEach((suit, i) => style.setProperty(`--letter-${suit}`, `" ${next.letters[i]}"`));
}
