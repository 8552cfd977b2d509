/** Puts the layout of a table on the page: sizes as properties of its styles, and how things lie as attributes. */
import { useLayoutEffect, useRef } from "../browser/html.js";
import { handOf, lowHand, middle, plain, steady, table } from "./layout.js";

/** @typedef {import("./layout.js").Shape} Shape */

/** @param {HTMLElement} el @param {Record<string, number>} sizes px; numbers without a unit begin with "n" */
const put = (el, sizes) => {
  for (const [name, size] of Object.entries(sizes))
    el.style.setProperty(`--${name}`, name[0] === "n" ? size.toFixed(3) : `${size}px`);
};

/** @param {HTMLElement} board @param {import("./layout.js").Drawn} drawn */
function putMiddle(board, drawn) {
  const { w, heap, peep, money, index, at, side, wing, balanced, rows, per, tight, inline } = drawn;
  put(board, { w, heap, wing, peep, money, nindex: index, nper: per });
  at.forEach(([x, y], i) => {
    const card = /** @type {HTMLElement | undefined} */ (board.querySelectorAll(".thrown")[i]);
    if (card) put(card, { nx: x, ny: y });
  });
  Object.assign(board.dataset, { aside: side, rows, balanced: String(balanced) });
  board.toggleAttribute("data-inline", inline);
  board.toggleAttribute("data-plain", plain(w));
  board.toggleAttribute("data-tight", tight || (money > 0 && money < 56));
  return rows;
}

/** @param {HTMLElement} play @param {number} n @param {ReturnType<typeof handOf>} hand */
function putHand(play, n, { w, rows, strip, index, raised, height }) {
  put(play, { hand: w, strip, high: height, raised: raised * w, nhand: index, nlong: Math.ceil(n / rows) });
  document.documentElement.toggleAttribute("data-plain", plain(w)); // for cards that fly, too
}

/** A part of the table that is there and is drawn. @param {HTMLElement} play @param {string} which */
const part = (play, which) => /** @type {HTMLElement | null} */ (play.querySelector(which));

// px for middle and hand of a replay
const LEAST = 300;

/**
 * The height that middle and hand share. The table of a replay grows with them, so there it is what its least height
 * leaves: else the hand would follow its own height, back and forth.
 * @param {HTMLElement} live @param {number} middle px as they are now @param {number} hand
 */
function shared(live, middle, hand) {
  const box = live.closest(".feltbox");
  const least = box && parseFloat(getComputedStyle(box).minHeight);
  return least ? Math.max(LEAST, least - box.clientHeight + middle + hand) : middle + hand;
}

// px of a covered card that can be hit
const FINGER = { round: 15, tall: 24, low: 24 };

/**
 * @param {HTMLElement} board @param {Shape} shape
 * @param {(n: number) => number} most the number of cards of the hand for which there must be room
 * @returns how rows of suits lie
 */
function fit(board, shape, most) {
  const { paddingLeft: left, paddingRight: right, paddingTop: top, paddingBottom: bottom } = getComputedStyle(board);
  const W = board.clientWidth - parseFloat(left) - parseFloat(right);
  const H = board.clientHeight - parseFloat(top) - parseFloat(bottom);
  const live = /** @type {HTMLElement | null} */ (board.closest(".live, .sat"));
  const hand = live && part(live, ".hand");
  if (!live || !hand) return putMiddle(board, middle(shape, W, H));
  const how = /** @type {import("./layout.js").Arrangement} */ (live.dataset.how ?? "round");
  const now = hand.querySelectorAll("li").length;
  const [n, width, finger] = [most(now), hand.clientWidth, FINGER[how]];
  const held = (/** @type {ReturnType<typeof handOf>} */ { w, height }) =>
    putHand(live, now, { ...handOf(now, w, width, finger), height });
  if (how === "low") {
    const laid = lowHand(n, width, hand.clientHeight, finger);
    held(laid);
    return putMiddle(board, middle(shape, W, H, n ? Math.max(laid.w, 40) : undefined));
  }
  const least = how === "round" ? (part(live, ".own > .seat")?.offsetHeight ?? 0) : 34;
  const laid = table(shape, { width, n, least, finger }, W, shared(live, H, hand.offsetHeight));
  held(laid.hand);
  return putMiddle(board, laid.middle);
}

/**
 * What is laid out for a while, with numbers that do not change at every move.
 * @param {Shape} before @param {Shape} now
 */
const calm = (before, now) => ({
  ...now,
  spreads: now.spreads.map((one, i) => ({
    ...one,
    n: one.pile ? one.n : steady(before.spreads[i]?.pile ? 0 : (before.spreads[i]?.n ?? 4), one.n),
  })),
  run: now.run && Math.max(7, steady(before.run, now.run)),
  texts: Math.max(before.texts, now.texts),
});

/**
 * For the middle of a table, and the hand below it: all is as large as there is room, again whenever that changes.
 * @param {Shape} shape @param {string} deal
 */
export function useLayout(shape, deal) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const kept = useRef({ deal: "", shape, cards: 0, lay: shape.lay, size: "" });
  const again = (/** @type {HTMLElement} */ el) => {
    const { current: one } = kept;
    // rows do not turn while cards are played, but with the window
    const size = `${innerWidth} ${innerHeight}`;
    const lay = size === one.size ? one.lay : undefined;
    one.lay = fit(el, { ...one.shape, lay }, (n) => (one.cards = steady(one.cards, n)));
    one.size = size;
  };
  useLayoutEffect(() => {
    const { current: one } = kept;
    const same = one.deal === deal;
    kept.current = same
      ? { ...one, shape: calm(one.shape, shape) }
      : { deal, shape: calm(shape, shape), cards: 0, lay: undefined, size: "" };
    if (box.current) again(box.current);
  });
  useLayoutEffect(() => {
    const { current: el } = box;
    if (!el) return undefined;
    const watching = new ResizeObserver(() => again(el));
    watching.observe(el);
    const hand = el.closest(".live, .sat")?.querySelector(".own");
    if (hand) watching.observe(hand);
    return () => watching.disconnect();
  }, []);
  return box;
}
