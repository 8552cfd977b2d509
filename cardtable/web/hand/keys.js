/** Playing at the table with the keyboard. */
import { mark } from "../text/language.js";
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

/** Windows that a key opens. @type {Record<string, string>} */
const OPENS = { "?": "help", l: "trick", r: "rules", m: "menu", b: "past" };
const TYPED = 1500; // ms for which a rank waits for its suit
const PRESSED = 600; // ms after which a number is that of a button, and not a rank

/** @typedef {{current: HTMLElement | null}} Root */

/** The elements to which keys go, in some part of the table. @param {Element | null} part */
const among = (part) => /** @type {HTMLElement[]} */ ([...(part?.querySelectorAll("[data-nav]") ?? [])]);

/** Whether a move begins at an element. @param {Element} el */
const can = (el) => el.classList.contains("can");

/**
 * Move from column to column, or up and down in one; return whether that was possible.
 * @param {Element} column
 * @param {HTMLElement} at
 * @param {string} key
 */
function inColumns(column, at, key) {
  if (key === "ArrowUp" || key === "ArrowDown") {
    const near = among(column);
    const next = near[near.indexOf(at) + (key === "ArrowUp" ? -1 : 1)];
    next?.focus();
    return next !== undefined;
  }
  const columns = [...(column.parentElement?.children ?? [])];
  const there = among(
    columns[(columns.indexOf(column) + (key === "ArrowLeft" ? columns.length - 1 : 1)) % columns.length],
  );
  (there.find(can) ?? there.at(-1))?.focus();
  return true;
}

/** Move to the nearest one above or below. @param {HTMLElement[]} all @param {HTMLElement} at @param {boolean} up */
function upOrDown(all, at, up) {
  const here = at.getBoundingClientRect();
  const middle = (/** @type {DOMRect} */ r) => r.left + r.width / 2;
  const away = (/** @type {DOMRect} */ r) => Math.abs(r.top - here.top) * 2 + Math.abs(middle(r) - middle(here));
  const beyond = all
    .map((el) => ({ el, r: el.getBoundingClientRect() }))
    .filter(({ r }) => (up ? r.top < here.top - 8 : r.top > here.top + 8));
  beyond.sort((a, b) => away(a.r) - away(b.r));
  beyond[0]?.el.focus();
}

/** Move by an arrow. @param {Root} root @param {string} key */
function step(root, key) {
  const all = among(root.current);
  const at = /** @type {HTMLElement} */ (document.activeElement);
  if (!all.length) return;
  const hand = all.filter((el) => el.closest(".hand"));
  if (!all.includes(at)) return (hand.find(can) ?? hand[0] ?? all.find(can) ?? all[0]).focus();
  const column = at.closest(".column");
  if (column && inColumns(column, at, key)) return;
  if (key === "ArrowUp" || key === "ArrowDown") return upOrDown(all, at, key === "ArrowUp");
  const box = at.closest(".hand, .spreads, .ladder, .aside, .others, .own") ?? root.current;
  const beside = all.filter((el) => box?.contains(el));
  const near = beside.length > 1 ? beside : all; // from a single card or button, continue to the next
  near[(near.indexOf(at) + (key === "ArrowLeft" ? near.length - 1 : 1)) % near.length].focus();
}

/**
 * Where a card lies that was typed: where a move begins, or else the player's hand.
 * @param {import("./moves.js").View} view @param {number | null} you @param {string} card
 */
function placeOf(view, you, card) {
  const hand = view.zones.find((zone) => zone.kind === "hand" && zone.seats[0] === you);
  const all = [...(hand ? [hand] : []), ...view.zones].filter((zone) => zone.cards.includes(card));
  return all.find((zone) => movesAt(view, zone, card).length) ?? all[0] ?? hand;
}

/**
 * Handle a key outside cards. @param {KeyboardEvent} e @param {string} key @param {any} act
 */
function shortcut(e, key, act) {
  if (key in OPENS) act.open(OPENS[key]);
  else if (key === "h") act.hint();
  else if (key === "z") act.undo();
  else if (key === "v") act.mute();
  else if (key === "Escape") act.drop();
  else if (key === " " && !element(e).closest("button, a, summary, [tabindex]")) {
    e.preventDefault();
    act.skip();
  }
}

/** Where a key was pressed. @param {KeyboardEvent} e */
const element = (e) => /** @type {HTMLElement} */ (e.target);

/**
 * Listen to keys; return a function that stops it.
 * @param {Root} root @param {{current: any}} latest @param {any} act @param {() => {move: string}[]} offers
 */
export function keys(root, latest, act, offers) {
  let rank = ""; // a card of which only the rank was typed yet
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const option = (/** @type {number} */ n) => {
    const one = offers()[n - 1];
    if (one) act.play(one.move);
  };
  /** A rank, or the number of a button. @param {string} key @param {string} typed */
  const begin = (key, typed) => {
    rank = typed === "1" ? "" : typed.toUpperCase();
    if (/[1-9]/.test(key)) timer = setTimeout(() => ((rank = ""), option(Number(key))), typed === "1" ? 0 : PRESSED);
    else timer = setTimeout(() => (rank = ""), TYPED);
  };
  const heard = (/** @type {KeyboardEvent} */ e) => {
    const { view, table } = latest.current;
    if (e.ctrlKey || e.metaKey || e.altKey || element(e).closest("input, textarea, select, dialog") || !view) return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (key.startsWith("Arrow")) {
      if (element(e).closest(".log, .chat")) return;
      e.preventDefault();
      return step(root, key);
    }
    if (e.repeat) {
      if (key === "Enter") e.preventDefault(); // a key that is held down presses a button once
      return undefined;
    }
    clearTimeout(timer);
    if (rank && "shdc".includes(key)) {
      const card = rank + key.toUpperCase();
      rank = "";
      const zone = placeOf(view, table.you, card);
      if (zone) act.click(zone, card);
      return;
    }
    const typed = key === "0" ? "t" : key;
    if (/^[2-9atjqk1]$/.test(typed)) return begin(key, typed);
    rank = "";
    shortcut(e, key, act);
  };
  document.addEventListener("keydown", heard);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("keydown", heard);
  };
}
