/**
 * What has just happened, in words on the felt, one event after the other: payments with their reasons, passes, draws.
 * Nothing waits for the captions.
 */
import { html, useEffect, useRef, useState } from "./html.js";
import { reading } from "./store.js";
import { together } from "./events.js";
import { Said, written } from "./message.js";

const BEAT = 400; // ms: the least time for a caption
const STAYS = 6000; // ms after which the last caption disappears
const LONGEST = 90; // most letters of a caption for several events
const MOST = 8; // most captions that wait
// kinds of events that can be seen on the table: they have a caption only if the rules made the move
const SEEN = ["deal", "cut", "lay", "done"];

/** @typedef {import("./message.js").Value} Value */

/** The number of letters of a caption. @param {Value[]} caption */
const length = (caption) => caption.reduce((/** @type {number} */ sum, one) => sum + written(one).length + 2, 0);

/**
 * Captions for what happened; events of one move share a caption if it is short.
 * @param {any[]} happened
 * @param {number} seats
 * @returns {Value[][]}
 */
export function captions(happened, seats) {
  return happened.flatMap((one) => {
    const paid = (one.events ?? [])
      .filter((/** @type {any} */ event) => event.kind === "pay")
      .map((/** @type {any} */ event) => event.source);
    const told = (one.events ?? []).filter(
      (/** @type {any} */ event) =>
        (one.by === "rules" || !SEEN.includes(event.kind)) && !(event.kind === "pass" && paid.includes(event.source)),
    );
    /** @type {Value[][]} */
    const found = [];
    for (const { message } of together(told, seats)) {
      const last = found.at(-1);
      if (last && length([...last, message]) < LONGEST) last.push(message);
      else found.push([message]);
    }
    return found;
  });
}

/** @param {{news: {key: number, captions: Value[][]} | null, names: string[], you: number | null}} props */
export function Caption({ news, names, you }) {
  const [shown, setShown] = useState(/** @type {Value[]} */ ([]));
  const queue = useRef(/** @type {Value[][]} */ ([]));
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const since = useRef(-Infinity); // when the current caption appeared
  const next = () => {
    const one = queue.current.shift() ?? [];
    since.current = one.length ? performance.now() : -Infinity;
    setShown(one);
    timer.current = one.length ? setTimeout(next, queue.current.length ? reading(BEAT) : STAYS) : undefined;
  };
  useEffect(() => {
    if (!news?.captions.length) return;
    const waits = queue.current.length > 0;
    queue.current = [...queue.current, ...news.captions].slice(reading(BEAT) ? -MOST : -1);
    if (waits) return;
    clearTimeout(timer.current);
    const rest = since.current + reading(BEAT) - performance.now(); // time left for the current caption
    if (rest > 0) timer.current = setTimeout(next, rest);
    else next();
  }, [news]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return html`<p class="caption" aria-hidden="true">${
    shown.length > 0 &&
    html`<span key=${JSON.stringify(shown)}>
    ${shown.map(
      (one, i) => html`${i > 0 && ". "}<${Said} message=${one} names=${names} you=${you}
    sentence />`,
    )}</span>`
  }</p>`;
}
