/** Rulebook pages, which the server sends as HTML: each clause has its rule's ID as its anchor. */
import { html } from "../browser/html.js";
import { text } from "./api.js";
import { glossary, markTerms } from "./terms.js";
import { code } from "../text/language.js";
import { tr } from "../text/message.js";

/**
 * `translated`: whether a part of it is in the page's language.
 * @typedef {{title: string, body: string, translated: boolean, clauses: Document}} Page
 */

/**
 * A page of the rulebook, with its terms.
 * @param {string} path @param {string} game @returns {Promise<Page>}
 */
export async function pageAt(path, game) {
  const [page, terms] = await Promise.all([text(path), glossary()]);
  const clauses = new DOMParser().parseFromString(page, "text/html");
  const heading = clauses.querySelector("h1");
  heading?.remove();
  const translated = Boolean(clauses.querySelector("[lang]"));
  markTerms(clauses, game, terms);
  return { title: heading?.textContent ?? "", body: clauses.body.innerHTML, translated, clauses };
}

/** The text of a rule on a page, as HTML; "" if the page does not have it. @param {Page} page @param {string} rule */
export function clause(page, rule) {
  const found = page.clauses.getElementById(rule);
  if (found instanceof HTMLTableRowElement) return found.cells[1]?.innerHTML ?? "";
  if (!(found instanceof HTMLLIElement)) return "";
  const item = /** @type {HTMLElement} */ (found.cloneNode(true));
  const name = item.querySelector("strong");
  if (name) name.textContent = (name.textContent ?? "").replace(rule, "").trim();
  return item.innerHTML;
}

/** That the rulebook is in English, for readers of other languages. */
export const InEnglish = () => code() !== "en" && html`<p class="fine">${tr("The rulebook is in English.")}</p>`;
