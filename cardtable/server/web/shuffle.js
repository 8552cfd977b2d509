/**
 * This browser's part in the shuffles: it commits to entropy before each match, reveals it when all have committed, and
 * checks that the server has used it (docs/server.md, "Fair shuffles").
 */
import { hex, hmac, sha256, unhex } from "./hash.js";
import { mark } from "./language.js";

/**
 * What this browser gave to the shuffle of one match. `promised`: the server's commitment when this browser committed;
 * `commitments`: those of all seats when it revealed.
 * @typedef {{match: number, promised: string, entropy: string, commitment: string, commitments: string[] | null}} Part
 *
 * The proof in a record. `commitments` is empty where the seats had none.
 * @typedef {{table: string, match: number, commitment: string, secret: string, entropy: string[],
 * commitments: string[]}} Proof
 */

const KEY = "cardtable.shuffles";
const KEPT = 50; // parts
/** The parts by table and match, oldest first. @type {[string, Part][]} */
let parts = [];

let stored = ""; // what `parts` were read from; another tab may have written since

function read() {
  try {
    const text = localStorage.getItem(KEY) ?? "";
    if (text && text !== stored) parts = JSON.parse(text);
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

const CHANGED = mark("A commitment was changed during the shuffle. Do not trust this deal.");
const LEFT_OUT = mark(
  "You have no part in the shuffle of this match: your browser was too late, or the server did not wait.",
);
const UNUSED = mark("Your entropy is not in the shuffle, although you revealed it in time. Do not trust this deal.");

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
   * Do what the table waits for. Return what is wrong with the shuffle, or "".
   * @param {any} table
   * @returns {Promise<string>}
   */
  async see(table) {
    const promised = table.fair.commitment;
    const commitments = table.seats.map((/** @type {any} */ seat) => seat.commitment);
    if (table.may.includes("commit") && this.#once(`commit ${table.match}`)) {
      const entropy = hex(crypto.getRandomValues(new Uint8Array(16)));
      const commitment = await sha256(entropy);
      keep(table.id, { match: table.match + 1, promised, entropy, commitment, commitments: null });
      this.send("commit", { commitment });
    } else if (table.may.includes("reveal") && this.#once(`reveal ${table.match}`)) {
      const given = partsOf(table.id, table.match + 1);
      const taken = given.find((part) => part.commitment === commitments[table.you]);
      if (taken && taken.promised === promised) {
        keep(table.id, { ...taken, commitments });
        this.send("reveal", { entropy: taken.entropy });
      } else if (given.length) return CHANGED;
    } else if (["playing", "between", "over"].includes(table.stage)) {
      const part = revealed(table.id, table.match);
      const entropy = table.seats.map((/** @type {any} */ seat) => seat.entropy);
      if (table.you === null || !promised) return "";
      if (part) return differs(part, { promised, commitments, entropy });
      return entropy[table.you] ? "" : LEFT_OUT;
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
 * says what does not fit, or is ""; `own`: this browser had a part in the shuffle, which is in the proof.
 * @param {Proof} proof @param {string} [seed]
 */
export async function checked(proof, seed = "") {
  const own = revealed(proof.table, proof.match);
  return { wrong: await flaw(proof, seed, own), own: Boolean(own) };
}

/** @param {Proof} proof @param {string} seed @param {Part} [own] */
async function flaw(proof, seed, own) {
  if ((await sha256(unhex(proof.secret))) !== proof.commitment)
    return mark("The secret does not fit the server's commitment. Do not trust this deal.");
  for (const [seat, commitment] of proof.commitments.entries())
    if (proof.entropy[seat] && (await sha256(proof.entropy[seat])) !== commitment)
      return mark("A seat's entropy does not fit its commitment. Do not trust this deal.");
  const follows = await hmac(unhex(proof.secret), ascii([proof.table, proof.match, proof.entropy]));
  if (seed && seed !== follows)
    return mark("The cards were dealt from another seed than the one that follows. Do not trust this deal.");
  const { commitment: promised, commitments, entropy } = proof;
  return own ? differs(own, { promised, commitments, entropy }) : "";
}

/** The proof of the match that is over at a table. @param {any} table @returns {Proof} */
export const proofOf = (table) => ({
  table: table.id,
  match: table.match,
  commitment: table.fair.commitment,
  secret: table.fair.secret,
  entropy: table.seats.map((/** @type {any} */ seat) => seat.entropy),
  commitments: table.seats.map((/** @type {any} */ seat) => seat.commitment),
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
