/** Playing at the table with the keyboard. */
import { mark } from "./language.js";
import { movesAt } from "./moves.js";

/** A key, and what it does. */
export const KEYS = [
  ["← →", mark("from card to card")],
  ["↑ ↓", mark("from your hand to the table and back")],
  [mark("Enter"), mark("play or choose the card")],
  ["7 h", mark("type a card: rank, then suit (s h d c)")],
  ["1 – 9", mark("press that button below")],
  ["H", mark("hint")],
  ["Z", mark("take back")],
  ["L", mark("last trick")],
  ["R", mark("rules")],
  ["M", mark("menu")],
  ["V", mark("sounds on or off")],
  ["B", mark("look back")],
  ["?", mark("this list")],
  [mark("Esc"), mark("let go")],
  [mark("Space"), mark("what happens is shown at once")],
];

/**
 * Listen to keys; return a function that stops it.
 * @param {{current: HTMLElement | null}} root @param {{current: any}} latest @param {any} act @param {() => {move:
 * string}[]} offers
 */
export function keys(root, latest, act, offers) {
  let rank = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const cards = () => /** @type {HTMLElement[]} */ ([...(root.current?.querySelectorAll("[data-nav]") ?? [])]);
  const option = (/** @type {number} */ n) => {
    const one = offers()[n - 1];
    if (one) act.play(one.move);
  };
  /**
   * Move from column to column, or up and down in one; return whether that was possible.
   * @param {Element} column
   * @param {HTMLElement} at
   * @param {string} key
   */
  const inColumns = (column, at, key) => {
    const near = (/** @type {Element} */ one) => /** @type {HTMLElement[]} */ ([...one.querySelectorAll("[data-nav]")]);
    if (key === "ArrowUp" || key === "ArrowDown") {
      const next = near(column)[near(column).indexOf(at) + (key === "ArrowUp" ? -1 : 1)];
      next?.focus();
      return next !== undefined;
    }
    const columns = [...(column.parentElement?.children ?? [])];
    const there = near(
      columns[(columns.indexOf(column) + (key === "ArrowLeft" ? columns.length - 1 : 1)) % columns.length],
    );
    (there.find((el) => el.classList.contains("can")) ?? there.at(-1))?.focus();
    return true;
  };
  const step = (/** @type {string} */ key) => {
    const all = cards();
    const at = /** @type {HTMLElement} */ (document.activeElement);
    if (!all.length) return;
    const hand = all.filter((el) => el.closest(".hand"));
    const can = (/** @type {HTMLElement} */ el) => el.classList.contains("can");
    if (!all.includes(at)) return (hand.find(can) ?? hand[0] ?? all.find(can) ?? all[0]).focus();
    const column = at.closest(".column");
    if (column && inColumns(column, at, key)) return;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const box = at.closest(".hand, .spreads, .ladder, .aside, .others, .own") ?? root.current;
      const beside = all.filter((el) => box?.contains(el));
      const near = beside.length > 1 ? beside : all; // from a single card or button, go on to what comes next
      near[(near.indexOf(at) + (key === "ArrowLeft" ? near.length - 1 : 1)) % near.length].focus();
      return;
    }
    const here = at.getBoundingClientRect();
    const middle = (/** @type {DOMRect} */ r) => r.left + r.width / 2;
    const beyond = all
      .map((el) => ({ el, r: el.getBoundingClientRect() }))
      .filter(({ r }) => (key === "ArrowUp" ? r.top < here.top - 8 : r.top > here.top + 8));
    beyond.sort(
      (a, b) =>
        Math.abs(a.r.top - here.top) * 2 +
        Math.abs(middle(a.r) - middle(here)) -
        Math.abs(b.r.top - here.top) * 2 -
        Math.abs(middle(b.r) - middle(here)),
    );
    beyond[0]?.el.focus();
  };
  const heard = (/** @type {KeyboardEvent} */ e) => {
    const target = /** @type {HTMLElement} */ (e.target);
    if (e.ctrlKey || e.metaKey || e.altKey || target.closest("input, textarea, select, dialog") || !latest.current.view)
      return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (key.startsWith("Arrow")) {
      if (target.closest(".log, .chat")) return;
      e.preventDefault();
      return step(key);
    }
    if (e.repeat) {
      if (key === "Enter") e.preventDefault(); // a key that is held down presses a button once
      return undefined;
    }
    if (rank && "shdc".includes(key)) {
      const card = rank + key.toUpperCase();
      rank = "";
      clearTimeout(timer);
      const hand = latest.current.view.zones.find(
        (/** @type {any} */ zone) => zone.kind === "hand" && zone.seats[0] === latest.current.table.you,
      );
      const all = [hand, ...latest.current.view.zones].filter((one) => one?.cards.includes(card));
      const zone = all.find((one) => movesAt(latest.current.view, one, card).length) ?? all[0] ?? hand;
      if (zone) act.click(zone, card);
      return;
    }
    clearTimeout(timer);
    const pressed = key === "0" ? "t" : key;
    if (/^[2-9atjqk1]$/.test(pressed)) {
      rank = pressed === "1" ? "" : pressed.toUpperCase();
      if (/[1-9]/.test(key)) timer = setTimeout(() => ((rank = ""), option(Number(key))), pressed === "1" ? 0 : 600);
      else timer = setTimeout(() => (rank = ""), 1500);
      return;
    }
    rank = "";
    if (key === "?") act.open("help");
    else if (key === "h") act.hint();
    else if (key === "z") act.undo();
    else if (key === "l") act.open("trick");
    else if (key === "r") act.open("rules");
    else if (key === "m") act.open("menu");
    else if (key === "v") act.mute();
    else if (key === "b") act.open("past");
    else if (key === "Escape") act.drop();
    else if (key === " " && !target.closest("button, a, summary, [tabindex]")) {
      e.preventDefault();
      act.skip();
    }
  };
  document.addEventListener("keydown", heard);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("keydown", heard);
  };
}
