/**
 * A page that the browser translates: it replaces texts with elements (`<font>`), and preact would change and
 * remove the texts that it has made, which nobody sees any more. So before anything is drawn, the page's own texts are
 * put back, and afterwards the translations of texts that have not changed.
 */
import { options } from "preact";

/**
 * @typedef {{text: Text, font: Element, holder: Node | null, data: string}} Replaced `holder`: it may contain the text
 */

/** The texts that a translator has replaced, and what stands in their place. @type {Map<Text, Element>} */
const replaced = new Map();

/** Whether a node was put there by a translator. @param {any} node */
const isFont = (node) => node?.localName === "font";

/** See what others have changed. @param {Pick<MutationRecord, "removedNodes" | "addedNodes" | "nextSibling" |
 * "previousSibling">[]} changes */
export function see(changes) {
  const before = replaced.size;
  for (const { removedNodes, addedNodes, nextSibling, previousSibling } of changes)
    for (const text of removedNodes) {
      const font = [...addedNodes, nextSibling, previousSibling].find(isFont);
      if (text.nodeType === 3 && font) replaced.set(/** @type {Text} */ (text), /** @type {Element} */ (font));
    }
  if (!before && replaced.size) dispatchEvent(new Event("translated"));
}

/** Put the page's own texts back. @returns {Replaced[]} */
export function restore() {
  const found = [...replaced].filter(([, font]) => font.isConnected);
  replaced.clear();
  return found.map(([text, font]) => {
    const holder = text.parentNode;
    font.replaceWith(text);
    return { text, font, holder, data: text.data };
  });
}

/** Put the translations of texts that are still the same in their place again. @param {Replaced[]} texts */
export function translate(texts) {
  for (const { text, font, holder, data } of texts) {
    if (!text.isConnected || text.data !== data) continue;
    text.replaceWith(font);
    holder?.appendChild(text);
    replaced.set(text, font);
  }
}

/** Whether the browser translates this page. */
export const isTranslated = () => replaced.size > 0;

if (globalThis.MutationObserver) {
  const observer = new MutationObserver(see);
  observer.observe(document.body, { childList: true, subtree: true });
  const soon = options.debounceRendering ?? queueMicrotask;
  options.debounceRendering = (draw) =>
    soon(() => {
      see(observer.takeRecords());
      const texts = restore();
      try {
        draw();
      } finally {
        translate(texts);
        observer.takeRecords(); // that was not the translator
      }
    });
}
