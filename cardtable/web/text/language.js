/**
 * The language of this page: its catalogue, in which the English templates of messages are looked up
 * (cardtable/base/languages.py says how it is made).
 * It is the browser's language, unless another one was chosen in the settings.
 */
import { at } from "../browser/address.js";
import { choices, choose } from "../browser/store.js";

const PATIENCE = 5000; // ms for which the catalogue is waited for
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
export const inLanguage = (template, context) =>
  (context && messages[`${context}\x04${template}`]) || (messages[template] ?? template);

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
