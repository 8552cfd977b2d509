/** The result of a deal or of a match in words: who has won, and what made up the scores. */
import { aloud, signed, tr, written } from "../text/message.js";
import { mark } from "../text/language.js";

/**
 * The label of the button to continue: with the next deal, or with another match, which has the same cards if they have
 * a number.
 * @param {import("./scene.js").Table} table
 */
export const onward = ({ stage, played_on, number }) =>
  stage !== "over" ? tr("Next deal") : played_on ? tr("Try again") : number ? tr("Same cards again") : tr("Play again");

/** "+3": what a seat received; "−3": what it paid. @param {number} n */
export const gain = (n) => (n > 0 ? "+" : "") + signed(n);

/**
 * "7 + 2": a seat's score before a deal, and what the deal added.
 * @param {{gained: number[], scores: number[]}} deal
 * @param {number} seat @param {number} [n] what it has added so far
 */
export const sum = (deal, seat, n = deal.gained[seat]) =>
  `${signed(deal.scores[seat] - deal.gained[seat])} ${n < 0 ? "−" : "+"} ${Math.abs(n)}`;

/**
 * "most cards +3", "2 sweeps +2": what makes up a seat's points or chips in a deal.
 * @param {import("wire").CountedSeen[]} counted
 * @param {number} seat
 */
export const eachReason = (counted, seat) =>
  counted.filter((one) => one.seat === seat).map((one) => `${written(one.why)} ${gain(one.amount)}`);

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
 * Who has won: the match if it is over, or else the deal, with the partners who share what its winner captures. Nobody
 * where all share the match: it is a draw.
 * @param {import("../hand/moves.js").View} view @param {import("./scene.js").Table} table @returns {number[]}
 */
export function winnersOf(view, table) {
  if (table.stage === "over") return drawn(view) ? [] : view.winners;
  const winner = lastDeal(view)?.winner ?? -1;
  const shared = view.zones.find(({ seats }) => seats.length > 1 && seats.includes(winner));
  return shared?.seats ?? (winner < 0 ? [] : [winner]);
}

/** Whether a match is a draw. @param {import("../hand/moves.js").View} view */
const drawn = ({ winners, scores }) => scores.length > 1 && winners.length === scores.length;

/**
 * The player's place in a match of three or more that others have won, and whether it is shared; null where the scores
 * do not rank the losers, or nobody is to be ranked.
 * @param {import("../hand/moves.js").View} view @param {import("./scene.js").Table} table
 */
export function placeOf(view, table) {
  const { you } = table;
  const { winners, resigned } = view;
  if (table.stage !== "over" || you === null || !winners.length || winners.includes(you) || resigned !== null)
    return null;
  const scores = view.scores.map((n) => (view.lowest_wins ? -n : n));
  const losers = scores.filter((_, seat) => !winners.includes(seat));
  if (losers.every((n) => n === losers[0])) return null;
  const before = losers.filter((n) => n > scores[you]).length;
  return { place: winners.length + before + 1, shared: losers.filter((n) => n === scores[you]).length > 1 };
}

/**
 * The players who are not ready for what comes next, while the viewer is.
 * @param {import("./scene.js").Table} table @returns {string[]}
 */
export const awaited = (table) =>
  table.you === null || table.may.includes("ready")
    ? []
    : table.seats
        .filter((s) => s.kind === "person" && s.present && !s.ready && s.seat !== table.you)
        .map((s) => s.name);

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
  if (source.length) return written({ says: "{source} {source:wins|win} the match", source }, table, true);
  return drawn(view) ? tr("The match is a draw") : tr("The match is over");
}

/**
 * The end of a deal or of a match as it is read aloud: the outcome, and everybody's score, the player's own first.
 * @param {import("../hand/moves.js").View} view @param {import("./scene.js").Table} table @returns {string[]}
 */
export function told(view, table) {
  const last = lastDeal(view);
  const seats = view.scores.map((_, i) => (i + (table.you ?? 0)) % view.scores.length);
  const scores = seats.map((seat) => {
    const [score, gained] = [view.scores[seat], last ? last.gained[seat] : 0];
    const more = gained !== 0 && gained !== score;
    const says = more ? mark("{player}: {score} ({gained} in this deal)") : mark("{player}: {score}");
    return aloud({ says, player: { seat }, score, gained }, table, true);
  });
  return [outcome(view, table), ...scores];
}
