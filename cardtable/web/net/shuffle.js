/**
 * This browser's part in the shuffles: it commits to entropy before each match, reveals it when all have committed, and
 * checks that the server has used it (docs/server.md, "Fair shuffles").
 */
import { hex, hmac, sha256, unhex } from "../browser/hash.js";
import { mark } from "../text/language.js";

/**
 * What this browser gave to the shuffle of one match. `promised`: the server's commitment when this browser committed;
 * `shown`: the commitments of the seats, as far as they were shown during the shuffle; `commitments`: those of all
 * seats when it revealed, or null if it did not.
 * @typedef {{match: number, promised: string, entropy: string, commitment: string, shown?: string[],
 * commitments: string[] | null}} Part
 *
 * The proof in a record. `commitments` is empty where the seats had none.
 * @typedef {{table: string, match: number, commitment: string, secret: string, entropy: string[],
 * commitments: string[]}} Proof
 */

const KEY = "cardtable.shuffles";
// parts
const KEPT = 50;
/** The parts by table and match, oldest first. @type {[string, Part][]} */
let parts = [];

let stored = ""; // what `parts` were read from; another tab may have written since

function read() {
  try {
    const text = localStorage.getItem(KEY) ?? "";
    if (text && text !== stored) {
      /** @type {[string, Part][]} */
      const kept = JSON.parse(text);
      const known = new Set(kept.map(([, part]) => part.commitment));
      // a tab that wrote at the same time as this one has overwritten its part, which must still be revealed
      parts = [...parts.filter(([, part]) => !known.has(part.commitment)), ...kept];
    }
    stored = text;
  } catch {
    // a browser that stores nothing: parts last as long as the page
  }
  return parts;
}

/**
 * What this browser gave for a match. Each of its tabs may have committed, and the server took one of them.
 * @param {string} table @param {number} match @returns {Part[]}
 */
const partsOf = (table, match) =>
  read()
    .filter(([name]) => name === `${table}/${match}`)
    .map(([, part]) => part);

/** The part that this browser revealed. @param {string} table @param {number} match */
const revealed = (table, match) => partsOf(table, match).find((part) => part.commitments);

/** @param {string} table @param {Part} part */
function keep(table, part) {
  const others = read().filter(([, other]) => other.commitment !== part.commitment);
  parts = [...others, /** @type {[string, Part]} */ ([`${table}/${part.match}`, part])].slice(-KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(parts));
  } catch {
    // as above
  }
}

/**
 * Keep the commitments that are shown for a match, with what this browser gave.
 * @param {string} table @param {number} match @param {string[]} commitments
 */
function show(table, match, commitments) {
  for (const part of partsOf(table, match)) {
    const shown = commitments.map((one, seat) => one || (part.shown?.[seat] ?? ""));
    if (shown.join() !== part.shown?.join()) keep(table, { ...part, shown });
  }
}

const CHANGED = mark("A commitment was changed during the shuffle. Do not trust this deal.");
const LEFT_OUT = mark(
  "You have no part in the shuffle of this match: your browser was too late, or the server did not wait.",
);
const UNUSED = mark("Your entropy is not in the shuffle, although your commitment is. Do not trust this deal.");

/** For the player's other devices: only one of them takes part, the one whose commitment comes first. */
export const OTHER = mark(
  "Another device of yours took part in the shuffle of this match, and this one did not. If you use no other device " +
    "at this table, do not trust this deal.",
);

/**
 * Whether a commitment is another one than was shown to this browser before. During the shuffle any that are still
 * missing are no change: another tab may have seen more.
 * @param {Part[]} given @param {string} promised @param {string[]} commitments @param {boolean} closed
 */
const changed = (given, promised, commitments, closed) =>
  given.some(
    (part) =>
      part.promised !== promised ||
      part.shown?.some((one, seat) => one && one !== commitments[seat] && (closed || commitments[seat])),
  );

/** Why what the server shows is not what this browser saw and gave, or "". @param {Part} part @param {any} shown */
function differs(part, { promised, commitments, entropy }) {
  if (promised !== part.promised || commitments.join() !== part.commitments?.join()) return CHANGED;
  return entropy.includes(part.entropy) ? "" : UNUSED;
}

/** This browser's part in the shuffles of one table. */
export class Shuffler {
  /** @param {(type: string, fields: any) => void} send a command */
  constructor(send) {
    this.send = send;
    this.sent = "";
  }

  /**
   * Do what the table waits for. Return what is wrong with the shuffle, or "", and what else to say about it, or "".
   * @param {import("wire").TableSeen} table
   * @returns {Promise<{wrong: string, note: string}>}
   */
  async see(table) {
    const begun = ["playing", "between", "over"].includes(table.stage);
    const promised = table.fair.commitment;
    if (!begun) return { wrong: table.stage === "shuffling" ? await this.#shuffle(table, promised) : "", note: "" };
    const { you } = table;
    if (you === null || !promised) return { wrong: "", note: "" };
    const commitments = table.seats.map((seat) => seat.commitment);
    const entropy = table.seats.map((seat) => seat.entropy);
    const given = partsOf(table.id, table.match);
    const part = revealed(table.id, table.match);
    if (part) return { wrong: differs(part, { promised, commitments, entropy }), note: "" };
    if (changed(given, promised, commitments, true)) return { wrong: CHANGED, note: "" };
    if (!entropy[you]) return { wrong: LEFT_OUT, note: "" };
    const taken = given.find(({ commitment }) => commitment === commitments[you]);
    if (taken) return { wrong: taken.entropy === entropy[you] ? "" : UNUSED, note: "" };
    return { wrong: "", note: given.length ? OTHER : "" };
  }

  /** Commit or reveal. Return what is wrong, or "". @param {import("wire").TableSeen} table @param {string} promised */
  async #shuffle(table, promised) {
    const match = table.match + 1;
    const commitments = table.seats.map((seat) => seat.commitment);
    if (changed(partsOf(table.id, match), promised, commitments, false)) return CHANGED;
    show(table.id, match, commitments);
    if (table.may.includes("commit") && this.#once(`commit ${table.match}`)) {
      const entropy = hex(crypto.getRandomValues(new Uint8Array(16)));
      const commitment = await sha256(entropy);
      keep(table.id, { match, promised, entropy, commitment, shown: commitments, commitments: null });
      this.send("commit", { commitment });
    } else if (table.may.includes("reveal")) {
      const own = commitments[table.you ?? -1];
      const taken = partsOf(table.id, match).find((part) => part.commitment === own);
      if (taken && this.#once(`reveal ${table.match}`)) {
        keep(table.id, { ...taken, commitments });
        this.send("reveal", { entropy: taken.entropy });
      } // otherwise another device of this person has committed, and will reveal
    }
    return "";
  }

  /** Whether this has not been done on this page. @param {string} what */
  #once(what) {
    if (this.sent === what) return false;
    this.sent = what;
    return true;
  }
}

/** @param {unknown} value JSON as the server writes it: other characters than ASCII are escaped */
const ascii = (value) =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * Check a proof: the secret, every seat's entropy, what this browser gave, and (unless it is empty) the seed. `wrong`
 * says what does not fit, or is ""; `own`: this browser had a part in the shuffle, which is in the proof; `other`: it
 * committed, and another device of the same person took part.
 * @param {Proof} proof @param {string} [seed]
 */
export async function checked(proof, seed = "") {
  const own = revealed(proof.table, proof.match);
  const given = partsOf(proof.table, proof.match);
  const other = !own && given.length > 0 && !given.some((part) => proof.commitments.includes(part.commitment));
  return { wrong: await flaw(proof, seed, own, given), own: Boolean(own), other };
}

/** @param {Proof} proof @param {string} seed @param {Part | undefined} own @param {Part[]} given */
async function flaw(proof, seed, own, given) {
  if ((await sha256(unhex(proof.secret))) !== proof.commitment)
    return mark("The secret does not fit the server's commitment. Do not trust this deal.");
  for (const [seat, commitment] of proof.commitments.entries())
    if (proof.entropy[seat] && (await sha256(proof.entropy[seat])) !== commitment)
      return mark("A seat's entropy does not fit its commitment. Do not trust this deal.");
  const follows = await hmac(unhex(proof.secret), ascii([proof.table, proof.match, proof.entropy]));
  if (seed && seed !== follows)
    return mark("The cards were dealt from another seed than the one that follows. Do not trust this deal.");
  const { commitment: promised, commitments, entropy } = proof;
  if (own) return differs(own, { promised, commitments, entropy });
  return changed(given, promised, commitments, true) ? CHANGED : "";
}

/** The proof of the match that is over at a table. @param {import("wire").TableSeen} table @returns {Proof} */
export const proofOf = (table) => ({
  table: table.id,
  match: table.match,
  commitment: table.fair.commitment,
  secret: table.fair.secret,
  entropy: table.seats.map((seat) => seat.entropy),
  commitments: table.seats.map((seat) => seat.commitment),
});

/**
 * The proof and the seed in the text of a record, or null.
 * @param {string} record
 * @returns {{proof: Proof, seed: string} | null}
 */
export function proofIn(record) {
  /** @type {Record<string, any>} */
  const found = { commitments: [] };
  let seed = "";
  let section = "";
  for (const line of record.split("\n")) {
    const [, head] = /^\[+([^\]]*)\]+\s*$/.exec(line) ?? [];
    const [, name, value] = /^(\w+) = (.*?)\s*$/.exec(line) ?? [];
    if (head !== undefined) section = head;
    else if (!name || !["", "fair"].includes(section)) continue;
    else
      try {
        if (section === "fair") found[name] = JSON.parse(value.replace(/,\s*\]$/, "]"));
        else if (name === "seed") seed = JSON.parse(value);
      } catch {
        return null;
      }
  }
  const whole = ["table", "commitment", "secret"].every((name) => typeof found[name] === "string");
  const listed = [found.entropy, found.commitments].every(
    (list) => Array.isArray(list) && list.every((one) => typeof one === "string"),
  );
  return whole && listed && Number.isInteger(found.match) && seed
    ? { proof: /** @type {Proof} */ (found), seed }
    : null;
}
