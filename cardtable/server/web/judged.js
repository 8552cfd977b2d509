/** Moves that reviews have judged, kept in this browser for the statistics. */

const KEY = "cardtable-judged";
const MOST = 100;

/**
 * @typedef {{match: number, deal: number, number: number, seat: number, loss: number, scale: number, label:
 * import("./message.js").Value}} Judged
 */

/** @returns {Judged[]} */
export function judged() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/**
 * Keep the worst move of a review, and the best one where much was at stake.
 * @param {number} match @param {any} review
 */
export function keep(match, { deal, seat, decisions }) {
  const worst = decisions.reduce(
    (/** @type {any} */ a, /** @type {any} */ b) => (b.loss > (a?.loss ?? 0) ? b : a),
    null,
  );
  const right = decisions
    .filter((/** @type {any} */ one) => one.grade === "best")
    .reduce((/** @type {any} */ a, /** @type {any} */ b) => (b.scale > (a?.scale ?? 0) ? b : a), null);
  const some = [worst, right].filter(Boolean).map((one) => ({
    match,
    deal,
    seat,
    number: one.number,
    loss: one === right ? 0 : one.loss,
    scale: one.scale,
    label: one.move_label ?? { moves: one.move },
  }));
  const others = judged().filter((one) => one.match !== match || one.deal !== deal || one.seat !== seat);
  try {
    localStorage.setItem(KEY, JSON.stringify([...some, ...others].slice(0, MOST)));
  } catch {
    // a browser that stores nothing: the statistics do without
  }
}

/** Forget all of them. */
export function forget() {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // nothing was kept
  }
}
