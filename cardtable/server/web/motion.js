/**
 * Card motion: the state is drawn at once, then each card is moved from its old place to its new one. Nothing waits for
 * it.
 */
import { paced } from "./store.js";

/** @typedef {Map<string, DOMRect>} Places */

/** The places of cards that are on the table only once. @param {Element} root @returns {Places} */
export function places(root) {
  /** @type {Places} */
  const found = new Map();
  if (!paced(1)) return found;
  const doubled = new Set();
  for (const el of root.querySelectorAll("[data-card]")) {
    const card = /** @type {HTMLElement} */ (el).dataset.card ?? "";
    if (found.has(card)) doubled.add(card);
    found.set(card, el.getBoundingClientRect());
  }
  for (const card of doubled) found.delete(card);
  return found;
}

/**
 * Move the cards under root from their old places, or from the seat that laid them.
 * @param {Element} root @param {Places} before @param {Map<string, number>} laid card -> seat
 */
export function run(root, before, laid) {
  const duration = paced(230);
  if (!duration) return;
  const now = places(root);
  for (const [card, to] of now) {
    const seat = laid.get(card);
    const from =
      before.get(card) ??
      (seat === undefined ? undefined : root.querySelector(`[data-seat="${seat}"]`)?.getBoundingClientRect());
    const el = root.querySelector(`[data-card="${card}"]`);
    if (!from || !el || !to.width) continue;
    const dx = from.left + from.width / 2 - to.left - to.width / 2;
    const dy = from.top + from.height / 2 - to.top - to.height / 2;
    if (Math.abs(dx) + Math.abs(dy) < 6) continue;
    const scale = before.has(card) ? from.width / to.width : 0.5;
    el.animate(
      [
        { transform: `translate(${dx}px, ${dy}px) scale(${scale})`, zIndex: 5 },
        { transform: "none", zIndex: 5 },
      ],
      { duration, easing: "cubic-bezier(.2,.7,.3,1)" },
    );
  }
}
