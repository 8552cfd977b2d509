/** What is pointed at, or has the focus, shows on the table which move it means: exactly its places are lit. */
import { useEffect, useLayoutEffect, useRef } from "../browser/html.js";
import { aloud } from "../text/message.js";
import { meant, placesOf } from "./moves.js";

/** @typedef {import("./moves.js").View} View */
/** @typedef {import("./moves.js").Move} Move */

/**
 * The move that an element means: a button's own, or the one that a click on a card makes.
 * @param {Element | null} el @param {View} view @param {string[]} chosen @returns {Move | null}
 */
function moveOf(el, view, chosen) {
  const button = /** @type {HTMLElement | null | undefined} */ (el?.closest("[data-move]"));
  if (button) return view.choices.find((move) => move.text === button.dataset.move) ?? null;
  const card = /** @type {HTMLElement | null | undefined} */ (el?.closest("button.card[data-card]"));
  const name = /** @type {HTMLElement | null | undefined} */ (card?.closest("[data-zone]"))?.dataset.zone;
  const own = view.zones.find((zone) => zone.kind === "hand" && zone.cards.includes(card?.dataset.card ?? ""));
  const zone = name === "hand" ? own : view.zones.find((one) => one.name === name);
  return zone && zone.kind !== "column" ? meant(view, zone, card?.dataset.card ?? "", chosen) : null;
}

/** Light the places of a move, and only these. @param {HTMLElement} root @param {Move | null} move */
function light(root, move) {
  for (const el of root.querySelectorAll("[data-lit]")) el.removeAttribute("data-lit");
  const { cards, zones } = move ? placesOf(move) : { cards: [], zones: [] };
  const found = [
    ...cards.map((card) => `:is(.board, .hand) [data-card="${card}"]`),
    ...zones.map((zone) => `.board [data-zone="${CSS.escape(zone)}"]`),
  ].flatMap((which) => [...root.querySelectorAll(which)]);
  const brief = move?.brief ? aloud(move.brief) : "";
  for (const el of found) el.setAttribute("data-lit", el.closest(".hand") ? "" : brief);
  root.toggleAttribute("data-pointing", found.length > 0);
}

/**
 * Lay a translucent copy of a card of the hand where it would lie: on the last of the cards that it goes with, or at
 * its place in a row. It covers no index, and nothing moves for it.
 * @param {HTMLElement} root @param {string | undefined} card (undefined: no longer) @param {Move | null} move
 */
function foretell(root, card, move) {
  const before = root.querySelector(".phantom");
  const drawn = root.querySelector(`.hand [data-card="${card}"] > .face`);
  const places = [`.slot[data-slot="${card}"]`, ...(move?.cards ?? []).map((one) => `.spread [data-card="${one}"]`)];
  const place = drawn && [...root.querySelectorAll(places.join())].at(-1);
  if (place && place === before?.parentElement && before.getAttribute("data-of") === card) return;
  before?.remove();
  if (!place) return;
  const ghost = document.createElement("span");
  ghost.className = "phantom";
  ghost.ariaHidden = "true";
  ghost.dataset.of = card;
  ghost.append(drawn.cloneNode(true));
  place.prepend(ghost);
}

/**
 * @param {{current: HTMLElement | null}} felt @param {View} view @param {string[]} chosen
 * @param {boolean} turn
 */
export function usePointing(felt, view, chosen, turn) {
  const at = useRef(/** @type {Element | null} */ (null));
  const show = () => {
    const { current: root } = felt;
    const el = at.current?.isConnected && root?.contains(at.current) ? at.current : null;
    if (!root) return;
    const move = turn ? moveOf(el, view, chosen) : null;
    const own = /** @type {HTMLElement | null | undefined} */ (turn && el?.closest(".hand .can[data-card]"));
    light(root, move);
    foretell(root, move?.cards?.[0] ?? (own || null)?.dataset.card, move);
  };
  const now = useRef(show);
  now.current = show;
  // whenever the table was drawn: what is pointed at may mean another move now
  useLayoutEffect(show);
  useEffect(() => {
    const ends = new AbortController();
    const point = (/** @type {Event} */ e) => {
      const target = /** @type {Element} */ (e.target);
      // a finger does not rest, and a click gets its answer
      if (e instanceof PointerEvent ? e.pointerType === "touch" : !target.matches(":focus-visible")) return;
      at.current = target;
      now.current();
    };
    const leave = () => {
      at.current = null;
      now.current();
    };
    document.addEventListener("pointerover", point, { signal: ends.signal });
    document.addEventListener("focusin", point, { signal: ends.signal });
    document.addEventListener("focusout", leave, { signal: ends.signal });
    return () => ends.abort();
  }, []);
}
