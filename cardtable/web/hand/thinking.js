/**
 * The time of an automatic only legal move: it must not reveal to others that there was no choice.
 */

// milliseconds, where nobody can learn anything from it; never less
export const QUICK = 1100;
// milliseconds that others wait at most
const LONGEST = 10_000;
// decisions that are remembered
const KEPT = 16;
// decisions from which a player's habits are known
const ENOUGH = 3;
// milliseconds, before that
const UNKNOWN = { least: 1500, most: 4500 };
// how much a remembered time is changed at most, in proportion: the same time never comes twice
const BLUR = 0.15;

/**
 * Whether other people see when this player moves: they have a seat, or watch.
 * @param {{seats: {seat: number, kind: string}[], you: number | null, watching: boolean}} table
 */
export const seenByOthers = (table) =>
  table.watching || table.seats.some((place) => place.kind === "person" && place.seat !== table.you);

/** How long a player has thought about decisions with a choice at this table, and what follows for those without. */
export class Thinking {
  /** @param {() => number} random a number from 0 up to 1, as Math.random gives it */
  constructor(random = Math.random) {
    this.random = random;
    /** @type {number[]} milliseconds, the latest last */
    this.times = [];
    this.moves = 0; // legal moves now
    this.since = 0; // when these were offered, in milliseconds
    /** @type {number | null} */
    this.taken = null; // time until the move that was sent, if it was one of several
    /** @type {number | null} */
    this.delay = null; // of the only move, once it is drawn
  }

  /** Other moves are legal now, so the sent move has been made. @param {number} moves @param {number} now */
  offered(moves, now) {
    if (this.taken !== null) this.times = [...this.times, this.taken].slice(-KEPT);
    this.moves = moves;
    this.since = now;
    this.taken = this.delay = null;
  }

  /** The player, or the page, sends a move. @param {number} now */
  sent(now) {
    if (this.moves > 1) this.taken = now - this.since;
  }

  /**
   * Milliseconds until the only legal move is to be made.
   * @param {boolean} seen whether other people see it @param {number} now
   */
  left(seen, now) {
    this.delay ??= this.drawn();
    return Math.max(0, this.since + (seen ? this.delay : QUICK) - now);
  }

  /** Milliseconds that this player might take if there were a choice. */
  drawn() {
    const { random, times } = this;
    if (times.length < ENOUGH) return UNKNOWN.least + (UNKNOWN.most - UNKNOWN.least) * random();
    const time = times[Math.floor(times.length * random())] * (1 + BLUR * (2 * random() - 1));
    if (time < QUICK) return QUICK * (1 + 2 * BLUR * random());
    return time > LONGEST ? LONGEST * (1 - 2 * BLUR * random()) : time;
  }
}
