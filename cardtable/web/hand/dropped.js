/** A card was put down where several moves are possible: they are asked for there. */
import { html, useEffect, useLayoutEffect, useRef } from "../browser/html.js";

// px from the card, and from the edges of the window
const APART = 8;

/** The next or the one before, by an arrow. @type {Record<string, number>} */
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/**
 * @param {{at: import("./held.js").Edges, about: string, close: () => void, children: any}} props `at`: the edges of
 * the card; `about`: what is asked
 */
export function Dropped({ at, about, close, children }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const buttons = () => /** @type {HTMLElement[]} */ ([...(box.current?.querySelectorAll("button") ?? [])]);
  useLayoutEffect(() => {
    const { current: el } = box;
    if (!el) return;
    const { offsetWidth: wide, offsetHeight: high } = el;
    const within = (/** @type {number} */ x, /** @type {number} */ most) => Math.max(APART, Math.min(x, most - APART));
    // the question and the hand stay in sight, if there is room
    const floor = el.closest(".live")?.querySelector(".message")?.getBoundingClientRect().top ?? innerHeight;
    const end = floor > high + 2 * APART ? floor : innerHeight;
    const below = at.bottom + APART + high <= end - APART;
    const right = at.right + APART + wide <= innerWidth - APART;
    const aside = right ? at.right + APART : at.left - APART - wide;
    const left = within(below ? (at.left + at.right - wide) / 2 : aside, innerWidth - wide);
    el.style.translate = `${left}px ${within(below ? at.bottom + APART : at.top, end - high)}px`;
  });
  useEffect(() => {
    box.current?.querySelector(/** @type {any} */ ("[data-offer], [data-more]"))?.focus({ preventScroll: true });
    const away = (/** @type {PointerEvent} */ e) => {
      const target = /** @type {Element} */ (e.target);
      // another card may be taken with it
      if (!box.current?.contains(target) && !target.closest("button, dialog")) close();
    };
    document.addEventListener("pointerdown", away);
    return () => document.removeEventListener("pointerdown", away);
  }, []);
  const key = (/** @type {KeyboardEvent} */ e) => {
    if (e.key !== "Escape" && !(e.key in STEPS)) return;
    e.preventDefault();
    e.stopPropagation();
    if (e.key === "Escape") return close();
    const all = buttons();
    const next = all.indexOf(/** @type {HTMLElement} */ (document.activeElement)) + STEPS[e.key];
    all.at(next % all.length)?.focus();
  };
  return html`<div ref=${box} class="dropped choosing" role="group" aria-label=${about}
    onKeyDown=${key}><small aria-hidden="true">${about}</small>${children}</div>`;
}
