/** Dragging a chip from one card to another. It is never needed: a tap or a key moves chips, too. */
import { SLOP, swallowClick, whileDragging } from "./drag.js";

/**
 * Listen to pointers on a table; return a function that stops it.
 * @param {{current: HTMLElement | null}} root
 * @param {(zone: string) => boolean} may whether a chip can be taken from a zone
 * @param {(from: string, onto: string) => void} put called when a chip was dropped on another zone
 */
export function chipDrags(root, may, put) {
  /** @type {{zone: string, x: number, y: number, id: number, chip: HTMLElement | null} | null} */
  let held = null;
  const stakeAt = (/** @type {PointerEvent} */ e) => {
    const el = document.elementFromPoint(e.clientX, e.clientY)?.closest(".stake");
    const stake = /** @type {HTMLElement | null | undefined} */ (el);
    return stake && stake.dataset.zone !== held?.zone ? stake : null;
  };
  /** Mark the card on which the chip would be put. @param {HTMLElement | null} stake */
  const mark = (stake) => {
    for (const el of root.current?.querySelectorAll(".stake.goal") ?? []) el.classList.remove("goal");
    stake?.classList.add("goal");
  };
  const down = (/** @type {PointerEvent} */ e) => {
    const target = /** @type {Element} */ (e.target);
    const stake = /** @type {HTMLElement | null} */ (target.closest(".stake"));
    const zone = stake?.dataset.zone ?? "";
    if (!stake || target.closest(".count") || e.button || !e.isPrimary || !root.current?.contains(stake)) return;
    if (may(zone)) held = { zone, x: e.clientX, y: e.clientY, id: e.pointerId, chip: null };
  };
  const move = (/** @type {PointerEvent} */ e) => {
    if (!held || e.pointerId !== held.id) return;
    if (!held.chip) {
      if (Math.abs(e.clientX - held.x) + Math.abs(e.clientY - held.y) < SLOP) return;
      held.chip = document.createElement("span");
      held.chip.className = "flying-chip carried";
      document.body.append(held.chip);
      root.current?.classList.add("dragging");
    }
    e.preventDefault();
    held.chip.style.translate = `${e.clientX}px ${e.clientY}px`;
    mark(stakeAt(e));
  };
  const release = () => {
    held?.chip?.remove();
    mark(null);
    root.current?.classList.remove("dragging");
    held = null;
  };
  const up = (/** @type {PointerEvent} */ e) => {
    if (!held || e.pointerId !== held.id) return;
    const { zone, chip } = held;
    const onto = chip && stakeAt(e)?.dataset.zone;
    if (chip) swallowClick();
    release();
    if (onto) put(zone, onto);
  };
  const cancel = (/** @type {Event} */ e) => {
    if (!held || (e.type === "keydown" && /** @type {KeyboardEvent} */ (e).key !== "Escape")) return;
    if (held.chip) addEventListener("pointerup", swallowClick, { once: true });
    release();
  };
  return whileDragging({ down, move, up, cancel, release });
}
