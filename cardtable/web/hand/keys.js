/** Playing at the table with the keyboard, and where its focus goes. */
import { useEffect, useLayoutEffect, useRef } from "../browser/html.js";
import { byKeys } from "../browser/input.js";
import { faces, mark, rankOf } from "../text/language.js";
import { movesAt } from "./moves.js";

/** A key, and what it does. */
export const KEYS = [
  ["← →", mark("from card to card")],
  ["⇧ ← →", mark("to the next card or button that can be played")],
  ["↑ ↓", mark("from your hand to the table, to the buttons and back")],
  [mark("Enter"), mark("play or choose the card")],
  ["N", mark("next deal")],
  ["7 h", mark("type a card: rank, then suit ({letters})")],
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
// ms for which a rank waits for its suit
const TYPED = 1500;
// ms after which a number is that of a button, and not a rank
const PRESSED = 600;

/** @typedef {{current: HTMLElement | null}} Root */

/** A place of the focus: its zone, and its number there. @typedef {{el: HTMLElement, zone: string, at: number}} Spot */

const REACHED = "[data-nav], .offers button, [data-onward]";

/** What keys reach in a part of the table. @param {Element | null | undefined} part */
const among = (part) =>
  /** @type {HTMLElement[]} */ ([...(part?.querySelectorAll(REACHED) ?? [])]).filter(
    (el) => el.getAttribute("disabled") === null,
  );

/** Whether a move begins at an element. @param {Element} el */
const can = (el) => el.classList.contains("can") || el.classList.contains("takes");

/** Where a turn begins: in the hand, if there is one. @param {Element | null} root */
export function opening(root) {
  const all = among(root);
  const hand = all.filter((el) => el.closest(".hand"));
  return hand.find(can) ?? hand[0] ?? all.find(can) ?? all[0];
}

/** The place of an element. @param {HTMLElement} el @returns {Spot} */
export function spotOf(el) {
  const box = /** @type {HTMLElement | null} */ (el.closest("[data-zone]"));
  return { el, zone: box?.dataset.zone ?? "", at: among(box).indexOf(el) };
}

/**
 * What is now where a place was: the neighbour of what has gone, if there is one.
 * @param {Element | null} root @param {Spot} spot @returns {HTMLElement | undefined}
 */
export function neighbour(root, { zone, at }) {
  const there = at < 0 ? [] : among(root?.querySelector(`[data-zone="${zone}"]`));
  return there[Math.min(at, there.length - 1)];
}

/**
 * Move from column to column, or up and down in one; return whether that was possible. With cards in hand, only the
 * columns to which they may go are reached.
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
  const every = [...(column.parentElement?.querySelectorAll(".column") ?? [])];
  const goals = every.filter((one) => one.classList.contains("goal"));
  const columns = every.filter((one) => one === column || !goals.length || goals.includes(one));
  const next = columns[(columns.indexOf(column) + (key === "ArrowLeft" ? columns.length - 1 : 1)) % columns.length];
  const there = among(next);
  ((goals.includes(next) ? null : there.find(can)) ?? there.at(-1))?.focus();
  return true;
}

/** The place of an element, from which a card that has the focus or can be played is raised. @param {HTMLElement} el */
const placeIn = (el) => (el.closest("li") ?? el).getBoundingClientRect();

/** Move to the nearest one above or below. @param {HTMLElement[]} all @param {HTMLElement} at @param {boolean} up */
function upOrDown(all, at, up) {
  const here = placeIn(at);
  const middle = (/** @type {DOMRect} */ r) => r.left + r.width / 2;
  const away = (/** @type {DOMRect} */ r) => Math.abs(r.top - here.top) * 2 + Math.abs(middle(r) - middle(here));
  const beyond = all
    .map((el) => ({ el, r: placeIn(el) }))
    .filter(({ r }) => (up ? r.top < here.top - 8 : r.top > here.top + 8));
  beyond.sort((a, b) => away(a.r) - away(b.r));
  // a stock at the side may lie lower than the cards, and buttons as high
  const side = up ? ".aside" : ".actions";
  (beyond[0]?.el ?? (at.closest(side) ? null : all.find((el) => el.closest(side))))?.focus();
}

/** Whether something can be done at an element now. @param {HTMLElement} el */
function serves(el) {
  const goal = el.closest(".column.goal");
  return goal ? among(goal).at(-1) === el : can(el) || el.closest(".actions") !== null;
}

/** Move by an arrow. @param {Root} root @param {string} key @param {boolean} far to where something can be done */
function step(root, key, far) {
  const all = among(root.current);
  const at = /** @type {HTMLElement} */ (document.activeElement);
  if (!all.length) return;
  if (far && (key === "ArrowLeft" || key === "ArrowRight")) {
    const here = all.indexOf(at);
    const ways = all.filter(serves);
    const next =
      key === "ArrowRight"
        ? (ways.find((el) => all.indexOf(el) > here) ?? ways[0])
        : (ways.findLast((el) => all.indexOf(el) < here) ?? ways.at(-1));
    return next?.focus();
  }
  if (!all.includes(at)) return opening(root.current).focus();
  const column = at.closest(".column");
  if (column && inColumns(column, at, key)) return;
  if (key === "ArrowUp" || key === "ArrowDown") return upOrDown(all, at, key === "ArrowUp");
  const box = at.closest(".hand, .spreads, .ladder, .aside, .others, .own, .actions") ?? root.current;
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
  else if (key === "n" || (key === "Enter" && element(e) === document.body)) act.onward();
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
 * @param {Root} root @param {{current: any}} latest @param {{current: any}} acts what keys do, and `offers`: the moves
 * that
 * have buttons
 */
export function keys(root, latest, acts) {
  let rank = ""; // a card of which only the rank was typed yet
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const forget = () => (rank = "");
  /** Press a button, if there are as many; else the number remains a rank. @param {number} n */
  const option = (n) => {
    const one = acts.current.offers()[n - 1];
    if (!one) return (timer = setTimeout(forget, TYPED - PRESSED));
    forget();
    return acts.current.play(one.move);
  };
  /** A rank, or the number of a button. @param {string} key @param {string} typed */
  const begin = (key, typed) => {
    rank = typed === "1" ? "" : typed.toUpperCase();
    if (/[1-9]/.test(key)) timer = setTimeout(() => option(Number(key)), typed === "1" ? 0 : PRESSED);
    else timer = setTimeout(forget, TYPED);
  };
  const heard = (/** @type {KeyboardEvent} */ e) => {
    const { view, table } = latest.current;
    if (e.ctrlKey || e.metaKey || e.altKey || element(e).closest("input, textarea, select, dialog") || !view) return;
    const key = e.key.length === 1 ? e.key.toLowerCase() : e.key;
    if (key.startsWith("Arrow")) {
      if (element(e).closest(".log, .chat")) return;
      e.preventDefault();
      return step(root, key, e.shiftKey);
    }
    if (e.repeat) {
      if (key === "Enter") e.preventDefault(); // a key that is held down presses a button once
      return undefined;
    }
    clearTimeout(timer);
    const suit = faces().letters.toLowerCase().indexOf(key);
    if (rank && suit >= 0) {
      const card = rankOf(rank) + "SHDC"[suit];
      rank = "";
      const zone = placeOf(view, table.you, card);
      if (zone) acts.current.click(zone, card);
      return;
    }
    const typed = key === "0" ? "t" : key;
    if (/^[2-9atjqk1]$/.test(typed)) return begin(key, typed);
    rank = "";
    shortcut(e, key, acts.current);
  };
  document.addEventListener("keydown", heard);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("keydown", heard);
  };
}

/**
 * Keep the focus of the keyboard on the table: on the neighbour of a card that was played, in the hand when a turn
 * begins, and on the way onward at the end.
 * @param {{current: HTMLElement | null}} felt @param {boolean} turn @param {boolean} ended
 */
export function useFocus(felt, turn, ended) {
  const last = useRef(/** @type {Spot | null} */ (null));
  useEffect(() => {
    const note = (/** @type {Event} */ e) => {
      const el = /** @type {HTMLElement} */ (e.target);
      last.current = felt.current?.contains(el) ? spotOf(el) : null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  // whenever the table was drawn
  useLayoutEffect(() => {
    const { activeElement: at } = document;
    if (!byKeys() || (at && at !== document.body)) return;
    const { current: spot } = last;
    if (spot?.el.isConnected) return;
    const near = spot && neighbour(felt.current, spot);
    if (near) near.focus();
    // a hand that has run out is dealt again by the next turn
    else if (turn) opening(felt.current)?.focus();
    else last.current = null;
  });
  useEffect(() => {
    const onward = /** @type {HTMLElement | null | undefined} */ (felt.current?.querySelector("[data-onward]"));
    if (ended && byKeys() && !document.activeElement?.closest("dialog, form")) onward?.focus();
  }, [ended]);
}
