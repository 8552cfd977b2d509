/**
 * What a message of the server changes at the table, and how it is shown: steps from one state to the next, without a
 * page.
 */
import { beats, drawnAt, staged, withHandsOpen } from "../motion/beats.js";
import { ended, furnished, gained, hidden, laidOpen, unpaid, untold } from "../motion/changes.js";
import { continued } from "../text/events.js";
import { announced, lines, seen } from "./log.js";

/** @typedef {import("../motion/director.js").Scene} Scene */
/** @typedef {import("../motion/beats.js").Beat} Beat */

/** A table as the server tells it, with the names of its players. @typedef {ReturnType<typeof furnished>} Table */
/** @typedef {import("../hand/moves.js").View} View */
/** @typedef {import("../hand/moves.js").Zone} Zone */
/**
 * The newest state from the server, perhaps not shown yet.
 * @typedef {{table: Table | null, view: View | null, log: import("./log.js").Line[]}} Received
 *
 * What the player saw at a version of the table.
 * @typedef {{version: number, view: View, lines: import("./log.js").Line[]}} Past
 *
 * What the director shows besides the table. `key` counts what was shown; `caption` stays until the next one; `won`:
 * the
 * last caption about what the player has won; `held`: a complete trick that stays until its winner has gathered it;
 * `gains`: what each seat has just paid or got.
 * @typedef {{key: number, beat: Beat | null, caption: import("../text/message.js").Value[],
 * won: import("../text/message.js").Value[], held: import("../hand/moves.js").Zone | null, gains: Map<number,
 * number>}} Shown
 */

// lines of the log
const KEPT = 400;
// that a player can look back to
const VIEWS = 120;
// happenings that are shown even to somebody who has just arrived
const BEGINS = ["started", "next-deal", "rematch"];

/** @type {Received} */
export const NOTHING_RECEIVED = { table: null, view: null, log: [] };

/** @type {Shown} */
export const NOTHING_SHOWN = { key: 0, beat: null, caption: [], won: [], held: null, gains: new Map() };

/**
 * For somebody who comes back: the last caption, which takes no time.
 * @param {any[]} happened @param {Table} table @param {boolean} over @returns {Beat[]}
 */
const remembers = (happened, table, over) =>
  beats(happened.filter((one) => one.events?.length).slice(-1), table.seats.length, over, table.you)
    .slice(-1)
    .map((beat) => ({ ...beat, kind: "none", events: [], ms: 0, gathers: false, wins: false }));

/** What has happened since something was taken back, or at all. @param {any[]} happened */
const standing = (happened) =>
  happened.slice(
    Math.max(
      0,
      happened.findLastIndex(({ kind }) => kind === "undone"),
    ),
  );

/**
 * What is known after a message about the table, and the scene in which that is shown.
 * @param {Received} past @param {Omit<import("wire").State, "view"> & {view: View | null}} m
 * @returns {{now: Received, scene: Scene}}
 */
export function received(past, m) {
  const { view } = m;
  const table = furnished(m.table);
  const first = m.since === 0;
  /** @type {any[]} */
  const fresh = first ? [] : m.happened;
  const newest = first ? m.happened.slice(-1) : fresh;
  const told = [...lines(m.happened, table), ...seen(first ? null : past.view, view, newest)];
  const log = first ? told : [...past.log, ...told].slice(-KEPT);
  const said = [...fresh].reverse().find((one) => one.kind === "said" || one.kind === "reacted");
  const begun = first ? newest.filter((one) => BEGINS.includes(one.kind)) : fresh;
  const over = table.stage === "between" || table.stage === "over";
  const opened = over && !first ? laidOpen(past.view, view, table.you) : [];
  const happened = staged(beats(begun, table.seats.length, over, table.you), log);
  const shown = opened.length
    ? withHandsOpen(happened)
    : first && !happened.length
      ? remembers(standing(m.happened), table, over)
      : happened;
  const own = fresh.some((one) => one.seat === table.you && one.by === "person");
  // where all play at once, everything is shown when it comes
  const anew = first || table.live || view?.deal !== past.view?.deal;
  const news = lines(fresh, table);
  const undone = first ? standing(m.happened).filter(({ kind }) => kind === "undone") : [];
  const scene = {
    beats: shown,
    drawn: anew ? 0 : drawnAt(shown, own),
    own: own || first || table.live,
    told: {
      state: { table, view, log, version: m.version, said },
      before: past.view,
      opened,
      past: { version: m.version, view, lines: news },
      announced: announced(undone.length && !shown.length ? lines(undone, table) : news),
      fresh,
      first,
      trick: ended(past.view, view, fresh),
    },
  };
  return { now: { table, view, log }, scene };
}

/** What was seen, with one more view, if there is one. @param {Past[]} past @param {any} now @returns {Past[]} */
const remembered = (past, now) =>
  now.view && past.at(-1)?.version !== now.version ? [...past, now].slice(-VIEWS) : past;

/**
 * The state of the page when a scene is drawn whose beats from number `at` on are yet to come.
 * @param {any} past the state before @param {Scene} scene @param {number} at
 */
export function drawn(past, { beats, told }, at) {
  const next = { ...past, ...told.state, log: untold(told.state.log, beats, at), up: true };
  const comes = (/** @type {string} */ kind) => beats.slice(at + 1).some((beat) => beat.kind === kind);
  if (comes("chips")) next.view = unpaid(told.before, next.view);
  if (comes("open")) next.view = hidden(told.before, next.view, told.opened);
  if (!told.drawn) next.past = remembered(told.first ? [] : past.past, told.past);
  return next;
}

/**
 * The trick that can be looked at again: the one that ends with a scene, else the one before, until another deal.
 * @param {any} past @param {any} next states of the page @param {Zone | null} trick of the scene
 * @param {Zone | null} before
 */
export const lastTrick = (past, next, trick, before) =>
  trick ?? (past.view?.deal === next.view?.deal && past.table?.match === next.table.match ? before : null);

/** Whether it is the player's turn now, and was not before. @param {any} past @param {any} next states of the page */
export const turned = (past, next) =>
  next.view?.legal.length > 0 && !(past.view?.legal.length > 0 && past.version === next.version);

/**
 * What is shown when a beat begins; null: nothing is left.
 * @param {Shown} one @param {Beat | null} beat @returns {Shown}
 */
export function shownWith(one, beat) {
  const fresh = beat && gained([beat]);
  return {
    key: one.key + 1,
    beat,
    // while hands are laid open, what was said before stays
    caption: !beat || beat.kind === "open" ? one.caption : continued(one.caption, beat.caption),
    won: beat?.wins ? beat.caption : one.won,
    held: !beat || beat.gathers ? null : one.held,
    gains: fresh?.size ? fresh : beat ? new Map() : one.gains,
  };
}
