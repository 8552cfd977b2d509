/**
 * What happened, divided into beats: short steps that are shown one after the other, each with a caption. No game is
 * known here: an event names its beat itself (docs/server.md).
 */
import { together } from "../text/events.js";
import { written } from "../text/message.js";

/** @typedef {import("../text/message.js").Value} Value */
/** @typedef {import("../text/events.js").GameEvent} GameEvent */

/**
 * Cards that are turned up next to their claim; `found`: what they were.
 * @typedef {{claim: Value, cards: string[], found: GameEvent[]}} Turned
 *
 * `ms`: its time at normal speed; `gathers`: the second half of a trick or the like, when its cards go to the winner;
 * `wins`: the player who looks receives chips or points.
 * @typedef {{kind: string, events: GameEvent[], caption: Value[], ms: number, seat: number | null, gathers: boolean,
 * wins?: boolean, turned?: Turned}} Beat `seat`: who does it; `turned`: cards that are turned up
 */

/** Milliseconds of each kind at normal speed. @type {Record<string, number>} */
const LASTS = {
  deal: 800,
  flip: 350,
  draw: 320,
  play: 320,
  capture: 900,
  trick: 800,
  chips: 450,
  call: 400,
  knock: 450,
  doubt: 650,
  reveal: 1000,
  sunk: 700,
  removed: 700,
  pass: 350,
  score: 450,
  win: 600,
  none: 300,
};

/** All kinds of beats except the one without a player. */
export const KINDS = [...Object.keys(LASTS).filter((kind) => kind !== "none"), "open"];

// ms in which the hands are laid open at the end of a deal
const OPENS = 750;
// ms in which the cards of a trick go to its winner
const GATHERS = 380;
// ms for which a caption is shown at least
const GLANCE = 800;
// ms to read one letter of it
const LETTER = 8;
// ms for the same where it concerns the player
const OWN_LETTER = 50;
// ms
const LONGEST_READ = 3500;
// ms from one card that is turned up to the next
export const TURNS = 450;
// ms for which all of them are seen
const TURNED = 1600;
// most letters of a caption for several events
const LONGEST = 90;
// the first of these, and then the second by the same seat or by nobody, are shown as the third
const LEADS_TO = [
  ["pass", "chips", "chips"],
  ["play", "capture", "capture"],
  ["draw", "play", "play"],
  ["play", "removed", "removed"],
  ["play", "call", "play"],
];
/** Kinds in which cards are seen to move: the table is drawn with the first of them. */
const MOVES = ["deal", "flip", "draw", "play", "capture", "trick", "reveal", "sunk", "removed", "open"];
/** What follows at the end of a deal, once the hands are open. */
const SETTLES = ["chips", "reveal", "pass", "none", "score", "win"];
// the sheet shows the end of a deal
const COUNTED = ["score", "win"];

/** @param {GameEvent} event */
export const kindOf = (event) => {
  const kind = event.beat || event.kind;
  return kind in LASTS ? kind : "none";
};

/** The number of letters of a caption. @param {Value[]} caption */
const length = (caption) => caption.reduce((/** @type {number} */ sum, one) => sum + written(one).length + 2, 0);

/**
 * Captions for events: what is alike is joined, and short ones share a line.
 * @param {GameEvent[]} events @param {number} seats
 * @returns {Value[][]}
 */
export function captions(events, seats) {
  const paid = events.filter((event) => kindOf(event) === "chips").map((event) => event.source);
  const told = events.filter((event) => !(event.kind === "pass" && paid.includes(event.source)));
  /** @type {Value[][]} */
  const found = [];
  for (const { message } of together(told, seats)) {
    const last = found.at(-1);
    if (last && length([...last, message]) < LONGEST) last.push(message);
    else found.push([message]);
  }
  return found;
}

/**
 * Milliseconds at normal speed in which a caption can be read.
 * @param {Value[]} caption @param {boolean} [mine] it concerns the player who looks
 */
export const reading = (caption, mine = false) =>
  Math.max(GLANCE, Math.min(LONGEST_READ, (mine ? OWN_LETTER : LETTER) * length(caption)));

/** Whether an event brings chips or points to a seat. @param {GameEvent} event @param {number} you */
const enriches = ({ kind, source, target, amount }, you) =>
  Number(amount) > 0 && (kind === "score" ? source === you : target === you && ["pay", "take"].includes(kind));

/** Events one after the other that are shown as one. @param {GameEvent[]} events */
function grouped(events) {
  /** @type {{kind: string, events: GameEvent[]}[]} */
  const found = [];
  for (const event of events) {
    const kind = kindOf(event);
    const last = found.at(-1);
    const same = last && (event.source === null || last.events[0].source === event.source);
    const shared = last && same && LEADS_TO.find(([one, other]) => one === last.kind && other === kind);
    if (last && (kind === last.kind || kind === "none")) last.events.push(event);
    else if (last && last.kind === "none") Object.assign(last, { kind, events: [...last.events, event] });
    else if (last && shared) Object.assign(last, { kind: shared[2], events: [...last.events, event] });
    else found.push({ kind, events: [event] });
  }
  return found;
}

/**
 * The beats of what happened.
 * @param {{by?: string, events?: GameEvent[]}[]} happened @param {number} seats how many
 * @param {boolean} [over] the deal is over: its scores are told at its end
 * @param {number | null} [you] the seat of the player who looks
 * @returns {Beat[]}
 */
export function beats(happened, seats, over = false, you = null) {
  return happened.flatMap((one) =>
    grouped(one.events ?? []).flatMap(({ kind, events }) => {
      if (over && COUNTED.includes(kind)) return [];
      const lines = captions(events, seats);
      const { source } = events.find((event) => kindOf(event) === kind) ?? events[0];
      // cutting for the deal concerns nobody for long
      const mine =
        you !== null && kind !== "flip" && events.some((event) => event.source === you || event.target === you);
      const wins = you !== null && events.some((event) => enriches(event, you));
      return lines.flatMap((caption, i) => {
        const ms = Math.max(LASTS[kind], reading(caption, mine));
        // the events are shown with the first caption
        const beat = { kind, events: i ? [] : events, caption, ms, seat: source, gathers: false, wins };
        return kind === "trick" && !i ? [beat, { ...beat, events: [], ms: GATHERS, gathers: true }] : [beat];
      });
    }),
  );
}

/**
 * The beats of the end of a deal at which hands are laid open: they are seen before they are counted and paid for.
 * @param {Beat[]} all
 */
export function withHandsOpen(all) {
  let at = all.length;
  while (at > 0 && SETTLES.includes(all[at - 1].kind)) at -= 1;
  const caption = all[at - 1]?.caption ?? []; // that of the beat before stays
  const open = { kind: "open", events: [], caption, ms: OPENS, seat: null, gathers: false };
  return [...all.slice(0, at), open, ...all.slice(at)];
}

/**
 * Which of the beats the table is drawn with. A player's own move is drawn at once, except what it is to reveal.
 * @param {Beat[]} all @param {boolean} [own]
 */
export function drawnAt(all, own = false) {
  if (own && all[0]?.kind !== "doubt") return 0;
  const found = all.findIndex((beat) => MOVES.includes(beat.kind));
  return Math.max(0, found);
}

/**
 * What was claimed of cards that somebody laid face down. @param {{event?: GameEvent}[]} log @param {number | null}
 * seat
 */
const claimed = (log, seat) =>
  log.findLast(({ event }) => event && event.beat === "play" && !event.card && event.source === seat)?.event?.says;

/**
 * The same beats, with the cards that are turned up and their claim.
 * @param {Beat[]} beats @param {{event?: GameEvent}[]} log @returns {Beat[]}
 */
export function staged(beats, log) {
  /** @type {Turned | null} */
  let turned = null;
  return beats.map((beat) => {
    const [first] = beat.events;
    const seat = beat.kind === "doubt" ? first?.target : beat.kind === "reveal" ? first?.source : null;
    const claim = seat === null || seat === undefined ? null : claimed(log, seat);
    if (!claim) return beat.kind === "reveal" && turned ? { ...beat, turned } : beat;
    const cards = beat.events.flatMap((event) => event.card ?? []);
    turned = { claim, cards, found: beat.events.filter((event) => beat.kind === "reveal" && !event.card) };
    return { ...beat, turned, ms: Math.max(beat.ms, cards.length && TURNS * cards.length + TURNED) };
  });
}
