/** Dragging cards. It is never needed, as a tap or a key does the same, but many players expect it. */

export const SLOP = 8; // px that a finger may move during a tap

/** Ignore the click that follows a drag. */
export function swallowClick() {
  const stop = (/** @type {Event} */ e) => e.stopPropagation();
  addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", stop, true), 0);
}

/**
 * Listen to pointers on a table; return a function that stops it.
 * @param {{current: HTMLElement | null}} root
 * @param {(zone: string, card: string) => boolean} may whether a card of a zone can be dragged
 * @param {(zone: string, card: string, onto: string, target: string) => void} drop called with what a card was dropped
 * on: a zone, and perhaps a card of it
 * @param {(zone: string, card: string) => void} lift called when a card begins to move
 */
export function drags(root, may, drop, lift) {
  /**
   * @type {{el: HTMLElement, items: HTMLElement[], zone: string, card: string, x: number, y: number, id: number, moved:
   * boolean} | null}
   */
  let held = null;
  const zoneOf = (/** @type {Element} */ el) =>
    /** @type {HTMLElement | null} */ (el.closest("[data-zone]"))?.dataset.zone ?? "";
  const down = (/** @type {PointerEvent} */ e) => {
    const el = /** @type {HTMLElement | null} */ (/** @type {Element} */ (e.target).closest("button.card[data-card]"));
    if (!el || e.button || !e.isPrimary || !root.current?.contains(el)) return;
    const zone = zoneOf(el);
    const card = el.dataset.card ?? "";
    if (!may(zone, card)) return;
    const item = el.closest("li");
    const below = item?.closest(".column") ? [...(item.parentElement?.children ?? [])] : [];
    const items = /** @type {HTMLElement[]} */ (item && below.length ? below.slice(below.indexOf(item)) : [el]);
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
    for (const item of held.items) {
      item.classList.remove("dragged");
      item.style.translate = "";
    }
    root.current?.classList.remove("dragging");
    held = null;
  };
  const up = (/** @type {PointerEvent} */ e) => {
    if (!held || e.pointerId !== held.id) return;
    const { moved, zone, card } = held;
    if (!moved) return release();
    const at = document.elementsFromPoint(e.clientX, e.clientY).filter((el) => !el.closest(".dragged"));
    const place = at.find((el) => el.closest("[data-zone], .board")) ?? null;
    const target = /** @type {HTMLElement | null | undefined} */ (
      at.find((el) => el.closest("[data-card]"))?.closest("[data-card]")
    );
    swallowClick();
    release();
    if (place)
      drop(
        zone,
        card,
        zoneOf(place),
        target && target.closest("[data-zone]") === place.closest("[data-zone]") ? (target.dataset.card ?? "") : "",
      );
    return undefined;
  };
  const cancel = (/** @type {Event} */ e) => {
    if (e.type !== "keydown" || /** @type {KeyboardEvent} */ (e).key === "Escape") release();
  };
  return whileDragging({ down, move, up, cancel, release });
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
