/** What a screen reader says during a match: a polite live region, as detailed as the player likes. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { summed } from "../text/events.js";
import { SEEN } from "./log.js";
import { aloud, tr } from "../text/message.js";

/** Kinds of events for players who only want to hear about payments. */
const MONEY = ["pay", "take", "score", "win", "void"];
// kinds of lines that are read even to somebody who has just arrived
const OPENS = ["started", "rematch", "deal"];

/** The number of the last happening that is not to be read out. @param {import("./log.js").Line[]} lines */
function past(lines) {
  const last = lines.at(-1)?.number ?? 0;
  return lines.some((line) => line.number === last && OPENS.includes(line.kind)) ? last - 1 : last;
}

/**
 * The sentences for what has just happened; payments of the same kind are joined, and nothing is said twice.
 * @param {import("./log.js").Line[]} lines @param {boolean} all everything, or only payments and what concerns the
 * table @param {import("../text/message.js").Reader} reader
 */
export function sentences(lines, all, reader) {
  const wanted = lines.filter((line) => all || MONEY.includes(line.kind) || !(line.event || line.kind === SEEN));
  const groups = new Map(
    summed(wanted.flatMap((line) => line.event ?? [])).map(({ first, message }) => [first, message]),
  );
  const told = wanted.flatMap((line) => (line.event ? (groups.get(line.event) ?? []) : line.message));
  return [...new Set(told.map((message) => aloud(message, reader, true)))];
}

/** @param {{lines: import("./log.js").Line[], all: boolean, names: string[], you: number | null}} props */
export function Voice({ lines, all, names, you }) {
  const [said, setSaid] = useState(/** @type {{key: number, text: string}[]} */ ([]));
  const heard = useRef(past(lines)); // what happened earlier is not read out
  const count = useRef(0);
  useEffect(() => {
    const news = lines.filter((line) => line.number > heard.current);
    heard.current = lines.at(-1)?.number ?? heard.current;
    const told = sentences(news, all, { names, you }).map((text) => ({ key: ++count.current, text }));
    if (told.length) setSaid((before) => [...before, ...told].slice(-12));
  }, [lines]);
  return html`<div class="sr voice" role="log" aria-live="polite" aria-label=${tr("News")}>
    ${said.map((one) => html`<p key=${one.key}>${one.text}</p>`)}</div>`;
}
