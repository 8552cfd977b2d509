/** What has just happened, in words on the felt, one thing after the other: payments with their reasons, passes, draws. Nothing waits for it. */
import { html, useEffect, useRef, useState } from "./html.js";
import { reading } from "./store.js";
import { Told } from "./cards.js";
import { added } from "./sheet.js";

const BEAT = 400; // ms for which a caption stays at least
const STAYS = 6000; // ms after which the last one goes
const LONGEST = 90; // letters of a caption that tells of several things
const MOST = 8; // captions that wait
const SEEN = ["deal", "cut", "lay", "done"]; // kinds of events that are seen on the table: told only if the rules made the move

/** Payments of several seats, equal but for the seat, as one. @param {any[]} events @param {number} seats */
function joined(events, seats) {
  /** @type {Map<string, any[]>} */
  const alike = new Map();
  for (const event of events) {
    const found = event.kind === "pay" && event.text.match(/^\u2068[^\u2069]*\u2069 (?:pays|puts) (.*)$/);
    const key = found ? found[1] : `${alike.size} ${event.text}`;
    alike.set(key, [...(alike.get(key) ?? []), event]);
  }
  return [...alike].flatMap(([rest, group]) => {
    const whose = new Set(group.map((event) => event.source));
    if (group.length < 2 || whose.size < group.length) return group;
    const names = group.map((event) => event.text.slice(0, event.text.indexOf("\u2069") + 1));
    return [{ ...group[0], kind: "all", text: `${whose.size === seats ? "Everybody" : names.join(", ")}: ${rest}` }];
  });
}

/** What a seat does with one card after the other as one sentence. @param {any[]} events */
function listed(events) {
  /** @type {any[]} */
  const found = [];
  for (const event of events) {
    const last = found.at(-1);
    const [before, after] = event.card ? event.text.split(event.card) : [];
    if (last && event.card && last.frame === `${before}#${after}`) last.cards.push(event.card);
    else found.push(event.card && after !== undefined ? { ...event, frame: `${before}#${after}`, cards: [event.card] } : event);
  }
  return found.map((event) => (event.cards ? { ...event, text: event.frame.replace("#", event.cards.join(", ")) } : event));
}

/** Captions for what happened: what one move brought about together, if it is short. @param {any[]} happened @param {number} seats @returns {string[]} */
export function captions(happened, seats) {
  return happened.flatMap((one) => {
    const paid = (one.events ?? []).filter((/** @type {any} */ event) => event.kind === "pay").map((/** @type {any} */ event) => event.source);
    const told = (one.events ?? []).filter((/** @type {any} */ event) => (one.by === "rules" || !SEEN.includes(event.kind)) && !(event.kind === "pass" && paid.includes(event.source)));
    /** @type {string[]} */
    const found = [];
    for (const line of added(joined(listed(told), seats))) {
      const text = line.text.charAt(0).toUpperCase() + line.text.slice(1);
      if (found.length && `${found.at(-1)} ${text}`.length < LONGEST) found.push(`${found.pop()}. ${text}`);
      else found.push(text);
    }
    return found;
  });
}

/** @param {{news: {key: number, captions: string[]} | null, names: string[], you: number | null}} props */
export function Caption({ news, names, you }) {
  const [shown, setShown] = useState("");
  const queue = useRef(/** @type {string[]} */ ([]));
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));
  const since = useRef(-Infinity); // when the caption that is shown came
  const next = () => {
    const one = queue.current.shift() ?? "";
    since.current = one ? performance.now() : -Infinity;
    setShown(one);
    timer.current = one ? setTimeout(next, queue.current.length ? reading(BEAT) : STAYS) : undefined;
  };
  useEffect(() => {
    if (!news?.captions.length) return;
    const waits = queue.current.length > 0;
    queue.current = [...queue.current, ...news.captions].slice(reading(BEAT) ? -MOST : -1);
    if (waits) return;
    clearTimeout(timer.current);
    const rest = since.current + reading(BEAT) - performance.now(); // of the time of the one that is shown
    if (rest > 0) timer.current = setTimeout(next, rest);
    else next();
  }, [news]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return html`<p class="caption" aria-hidden="true">${shown && html`<span key=${shown}><${Told} text=${shown} names=${names} you=${you} /></span>`}</p>`;
}
