/** Terms of the glossary in texts: each opens its meaning. The glossary is fetched when it is first needed. */
import { at } from "../browser/address.js";
import { html, render, useEffect, useMemo, useState } from "../browser/html.js";
import { code, inLanguage } from "../text/language.js";
import { tr } from "../text/message.js";
import { finder, forms, pieces } from "../text/words.js";
import { get } from "./api.js";

/** @typedef {import("../text/words.js").Term} Term */

const UNMARKED = "a, button, summary, label, code, pre, kbd, h1, h2, h3, h4, .in, .sr, [aria-hidden]";
// px between the meaning and the edge of the window
const EDGE = 8;
// px between the meaning and its word
const NEAR = 6;

/** @type {Promise<Term[]> | null} */
let asked = null;
/** @type {Term[]} */
let known = [];

/** The terms; none if the server does not answer: then it is asked again. @returns {Promise<Term[]>} */
export function glossary() {
  asked ??= get("/api/glossary").then(
    (found) => (known = found.terms),
    () => ((asked = null), []),
  );
  return asked;
}

/** Words or a meaning in the language of the page. @param {string} text */
export const inWords = (text) => inLanguage(text, "glossary");

/** The word under which a term is listed, in the language of the page. @param {Term} term */
export const headword = (term) => forms(inWords(term.words))[0];

/** The same in English, as in the rulebook, if that is another word. @param {Term} term */
export const english = (term) => {
  const [word] = forms(term.words);
  return code() === "en" || word === headword(term) ? "" : word;
};

/** @param {{name: string, children?: any}} props */
const Word = ({ name, children }) =>
  html`<span class="term" role="button" tabindex="0" aria-haspopup="dialog" data-term=${name}>${children}</span>`;

/**
 * A function that shows a text with its terms, each where it first occurs in what is drawn with it.
 * @param {string} game
 */
export function useTerms(game) {
  const [terms, setTerms] = useState(known);
  useEffect(() => {
    watch();
    glossary().then(setTerms);
  }, []);
  const found = useMemo(() => finder(terms, game, inWords), [terms, game]);
  const seen = new Set();
  return (/** @type {string} */ text) =>
    pieces(text, found, seen).map((one) => (one.term ? html`<${Word} name=${one.term}>${one.text}<//>` : one.text));
}

/**
 * Mark the terms in a page of rules, before it is shown: where they first occur in each section. A part may be in the
 * page's language (`lang`), the rest is in English. Only the first on the page can be reached by the Tab key, so that
 * there are not many stops.
 * @param {Document} page @param {string} game @param {Term[]} terms
 */
export function markTerms(page, game, terms) {
  watch();
  const found = { en: finder(terms, game, (text) => text), own: finder(terms, game, inWords) };
  const reached = new Set();
  let seen = new Set();
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  /** @type {[Text, import("../text/words.js").Piece[]][]} */
  const changed = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node instanceof Element && /^H\d$/.test(node.tagName)) seen = new Set();
    if (node.nodeType !== Node.TEXT_NODE || node.parentElement?.closest(UNMARKED)) continue;
    const english = (node.parentElement?.closest("[lang]")?.getAttribute("lang") ?? "en") === "en";
    const made = pieces(node.textContent ?? "", english ? found.en : found.own, seen);
    if (made.some((one) => one.term)) changed.push([/** @type {Text} */ (node), made]);
  }
  for (const [node, made] of changed)
    node.replaceWith(
      ...made.map(({ text, term }) => {
        if (!term) return text;
        const word = page.createElement("span");
        word.className = "term";
        word.dataset.term = term;
        word.setAttribute("role", "button");
        word.setAttribute("aria-haspopup", "dialog");
        word.tabIndex = reached.has(term) ? -1 : 0;
        reached.add(term);
        word.textContent = text;
        return word;
      }),
    );
}

/** What opens: the term, its meaning, and the way to all terms. @param {{term: Term}} props */
const Meaning = ({ term }) =>
  html`<p id="meaning"><b>${headword(term)}</b>${english(term) && html` <span lang="en">(${english(term)})</span>`}:
    ${" "}${inWords(term.means)}.</p>
    <p><a href=${`/glossary#${term.name}`} target="_blank">${tr("All terms")}</a></p>`;

/**
 * Put the meaning below its word, or above it where there is no room.
 * @param {HTMLElement} box @param {Element} word
 */
function place(box, word) {
  const there = word.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const below = there.bottom + NEAR;
  const fits = below + height < innerHeight - EDGE;
  box.style.left = `${Math.max(EDGE, Math.min(there.left, innerWidth - width - EDGE))}px`;
  box.style.top = `${Math.max(EDGE, fits ? below : there.top - NEAR - height)}px`;
}

/** Open the meaning of a word. Escape or a tap elsewhere closes it. @param {HTMLElement} word */
async function open(word) {
  const term = (await glossary()).find((one) => one.name === word.dataset.term);
  if (!term) return;
  const box = document.createElement("div");
  if (!box.showPopover) {
    window.open(at(`/glossary#${term.name}`), "_blank"); // a browser without popovers
    return;
  }
  Object.assign(box, { className: "meaning", popover: "auto", tabIndex: -1 });
  box.setAttribute("role", "dialog");
  box.setAttribute("aria-label", headword(term));
  box.setAttribute("aria-describedby", "meaning");
  render(html`<${Meaning} term=${term} />`, box);
  (word.closest("dialog") ?? document.body).append(box); // what is outside an open dialog cannot be clicked
  word.focus({ preventScroll: true }); // the focus comes back here
  box.showPopover();
  place(box, word);
  box.focus({ preventScroll: true });
  const close = () => box.hidePopover();
  addEventListener("scroll", close, { capture: true, once: true });
  box.addEventListener("toggle", (/** @type {any} */ e) => {
    if (e.newState !== "closed") return;
    removeEventListener("scroll", close, { capture: true });
    box.remove();
  });
}

let watched = false;

/** Listen for clicks on terms, and for the keys that press a button. */
function watch() {
  if (watched) return;
  watched = true;
  const term = (/** @type {Event} */ e) =>
    e.target instanceof Element ? /** @type {HTMLElement | null} */ (e.target.closest(".term")) : null;
  document.addEventListener("click", (e) => {
    const word = term(e);
    if (word) open(word);
  });
  document.addEventListener(
    "keydown",
    (e) => {
      const word = e.key === "Enter" || e.key === " " ? term(e) : null;
      if (!word) return;
      e.preventDefault();
      e.stopPropagation(); // they would play a card
      open(word);
    },
    { capture: true },
  );
}
