/** Dragging cards. It is never needed, as a tap or a key does the same, but many players expect it. */

// px that a finger may move during a tap
export const SLOP = 8;

/** Ignore the click that follows a drag. */
export function swallowClick() {
  const stop = (/** @type {Event} */ e) => e.stopPropagation();
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, true), 0);
}

/**
 * Listen to pointers on a table; return a function that stops it, and one that lets go of a card that stays.
 * @param {{current: HTMLElement | null}} root
 * @param {(zone: string, card: string) => boolean} may whether a card of a zone can be dragged
 * @param {(zone: string, card: string, onto: string, target: string, at: DOMRect) => boolean} drop called with what a
 * card was dropped on: a zone, and perhaps a card of it; and where. Whether the card stays there for a while.
 * @param {(zone: string, card: string) => void} lift called when a card begins to move; "": it is in the air no more
 */
export function drags(root, may, drop, lift) {
  /**
   * @type {{el: HTMLElement, items: HTMLElement[], zone: string, card: string, x: number, y: number, id: number, moved:
   * boolean} | null}
   */
  let held = null;
  /** @type {HTMLElement[]} */
  let staying = [];
  const back = (/** @type {HTMLElement[]} */ items) => {
    for (const item of items) {
      item.classList.remove("dragged");
      item.style.translate = "";
    }
  };
  const letGo = () => back(staying.splice(0));
  const zoneOf = (/** @type {Element} */ el) =>
    /** @type {HTMLElement | null} */ (el.closest("[data-zone]"))?.dataset.zone ?? "";
  const down = (/** @type {PointerEvent} */ e) => {
    const el = /** @type {HTMLElement | null} */ (
      /** @type {Element} */ (e.target).closest("button.card[data-card], .heap:not(.rap) button")
    );
    if (!el || e.button || !e.isPrimary || !root.current?.contains(el)) return;
    const zone = zoneOf(el);
    const top = /** @type {HTMLElement | null} */ (el.querySelector(".pile > .card"));
    const card = (top ?? el).dataset.card ?? "";
    if (!may(zone, card)) return;
    const item = top ?? el.closest("li");
    const below = item?.closest(".column") ? [...(item.parentElement?.children ?? [])] : [];
    const items = /** @type {HTMLElement[]} */ (item && below.length ? below.slice(below.indexOf(item)) : [item ?? el]);
    held = { el, items, zone, card, x: e.clientX, y: e.clientY, id: e.pointerId, moved: false };
  };
  const move = (/** @type {PointerEvent} */ e) => {
    if (!held || e.pointerId !== held.id) return;
    const dx = e.clientX - held.x;
    const dy = e.clientY - held.y;
    if (!held.moved) {
      if (Math.abs(dx) + Math.abs(dy) < SLOP) return;
      held.moved = true;
      lift(held.zone, held.card);
      root.current?.classList.add("dragging");
      for (const item of held.items) item.classList.add("dragged");
    }
    e.preventDefault();
    for (const item of held.items) item.style.translate = `${dx}px ${dy}px`;
  };
  const release = () => {
    if (!held) return;
    letGo();
    back(held.items);
    root.current?.classList.remove("dragging");
    if (held.moved) lift("", "");
    held = null;
  };
  const up = (/** @type {PointerEvent} */ e) => {
    if (!held || e.pointerId !== held.id) return;
    const { moved, zone, card, el, items } = held;
    if (!moved) return release();
    const at = document.elementsFromPoint(e.clientX, e.clientY).filter((el) => !el.closest(".dragged"));
    const place = at.find((el) => el.closest("[data-zone], .board")) ?? null;
    const target = /** @type {HTMLElement | null | undefined} */ (
      at.find((el) => el.closest("[data-card]"))?.closest("[data-card]")
    );
    swallowClick();
    const there = el.getBoundingClientRect();
    const shifts = items.map((item) => item.style.translate);
    release();
    const of = target && target.closest("[data-zone]") === place?.closest("[data-zone]") ? target.dataset.card : "";
    if (!place || !drop(zone, card, zoneOf(place), of ?? "", there)) return undefined;
    staying = items;
    items.forEach((item, i) => {
      item.classList.add("dragged");
      item.style.translate = shifts[i];
    });
    return undefined;
  };
  const cancel = (/** @type {Event} */ e) => {
    if (e.type !== "keydown" || /** @type {KeyboardEvent} */ (e).key === "Escape") release();
  };
  return { stop: whileDragging({ down, move, up, cancel, release }), letGo };
}

/**
 * Hear what a drag consists of, anywhere on the page. `cancel` hears lost pointers, and every key.
 * @param {{down: (e: PointerEvent) => void, move: (e: PointerEvent) => void, up: (e: PointerEvent) => void,
 *   cancel: (e: Event) => void, release: () => void}} heard `release`: let go of what is held
 * @returns {() => void} hears nothing more, and lets go
 */
export function whileDragging({ down, move, up, cancel, release }) {
  const ends = new AbortController();
  const { signal } = ends;
  document.addEventListener("pointerdown", down, { signal });
  document.addEventListener("pointermove", move, { passive: false, signal });
  document.addEventListener("pointerup", up, { signal });
  document.addEventListener("pointercancel", cancel, { signal });
  document.addEventListener("keydown", cancel, { signal });
  return () => {
    release();
    ends.abort();
  };
}
