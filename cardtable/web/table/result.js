/** The result of a deal or of a match in words: who has won, and what made up the scores. */
import { tr, written } from "../text/message.js";

/**
 * The label of the button to continue: with the next deal, or with another match.
 * @param {import("./scene.js").Table} table
 */
export const onward = (table) =>
  table.stage !== "over" ? tr("Next deal") : table.played_on ? tr("Try again") : tr("Play again");

/** "−3", with a real minus. @param {number} n */
export const signed = (n) => (n < 0 ? `−${-n}` : String(n));

/**
 * "7 + 2": a seat's score before a deal, and what the deal added.
 * @param {{gained: number[], scores: number[]}} deal
 * @param {number} seat
 */
export function sum(deal, seat) {
  const n = deal.gained[seat];
  return `${signed(deal.scores[seat] - n)} ${n < 0 ? "−" : "+"} ${Math.abs(n)}`;
}

/**
 * "most cards 3", "2 sweeps 2": what makes up a seat's points or chips in a deal.
 * @param {import("wire").CountedSeen[]} counted
 * @param {number} seat
 */
export const eachReason = (counted, seat) =>
  counted.filter((one) => one.seat === seat).map((one) => `${written(one.why)} ${signed(one.amount)}`);

/** The same in one line. @param {import("wire").CountedSeen[]} counted @param {number} seat */
export const reasons = (counted, seat) => eachReason(counted, seat).join(", ");

/**
 * The result of this deal, unless somebody gave up the match in the middle of it.
 * @param {import("../hand/moves.js").View} view
 */
export function lastDeal(view) {
  const done = view.results.at(-1);
  return done?.deal === view.deal ? done : null;
}

/**
 * Who has won: the match if it is over, or else the deal.
 * @param {import("../hand/moves.js").View} view @param {import("./scene.js").Table} table @returns {number[]}
 */
export function winnersOf(view, table) {
  if (table.stage === "over") return view.winners;
  const winner = lastDeal(view)?.winner ?? null;
  return winner === null ? [] : [winner];
}

/**
 * The end of a deal or of a match in a few words.
 * @param {import("../hand/moves.js").View} view @param {import("./scene.js").Table} table
 */
export function outcome(view, table) {
  const source = winnersOf(view, table).map((seat) => ({ seat }));
  const n = lastDeal(view)?.deal ?? view.deal;
  if (table.stage !== "over")
    return source.length
      ? written({ says: "{source} {source:wins|win} deal {n}", source, n }, table, true)
      : tr("Deal {n} is over", { n });
  return source.length
    ? written({ says: "{source} {source:wins|win} the match", source }, table, true)
    : tr("The match is over");
}
