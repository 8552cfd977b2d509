/**
 * What a player has begun at the table, and what a click makes of it: steps from one state to the next, without a page.
 */
import { gesture, movesAt, resolveMove, spreadIn, toggled, togetherIn } from "./moves.js";

/** @typedef {import("./moves.js").View} View */
/** @typedef {import("./moves.js").Zone} Zone */

/**
 * What a player has begun: `chosen`: the cards that are chosen; `spread`: the chips that are being put down, for each
 * zone (null: as first suggested); `ready`: a card chosen before the player's turn; `lifted`: cards of a column;
 * `armed`: a move that needs confirmation and was chosen once; `aloft`: the card in the air; `dropped`: the edges of a
 * card that was put down where several moves are possible, which are asked for there.
 * @typedef {{chosen: string[], spread: number[] | null, ready: string, lifted: import("./moves.js").Lifted | null,
 * armed: string, aloft: string, dropped: Edges | null}} Held
 * @typedef {{left: number, right: number, top: number, bottom: number}} Edges
 *
 * What a click leads to: a move to `play`, or else what is `held` now, what is `refused` (null: nothing any more), and
 * whether it `chimes`.
 * @typedef {{play?: string, held?: Partial<Held>, refused?: object | null, chimes?: boolean}} Step
 */

/** @type {Held} */
export const NOTHING_HELD = {
  chosen: [],
  spread: null,
  ready: "",
  lifted: null,
  armed: "",
  aloft: "",
  dropped: null,
};

/**
 * Other cards are chosen at another place than where one was put down.
 * @param {Held} held @param {Partial<Held>} some @returns {Held}
 */
export const changed = (held, some) => ({ ...held, ...("chosen" in some ? { dropped: null } : {}), ...some });

/**
 * What is still held when another state of the table is shown; other moves may be legal then.
 * @param {Held} held @param {boolean} others
 */
export const arrivedAt = (held, others) =>
  changed(held, { armed: "", lifted: null, ...(others ? { chosen: [], spread: null } : {}) });

/**
 * A card that was ready is chosen when it is the player's turn.
 * @param {Held} held @param {View} view @returns {Held}
 */
export function due(held, view) {
  const { chosen, ready } = held;
  if (!view.hand.includes(ready)) return changed(held, { ready: "" });
  const fits = !chosen.length && view.legal.some((move) => move.startsWith(ready));
  return fits ? changed(held, { chosen: [ready] }) : held;
}

/**
 * Put a chip on a zone (1), or take one back (-1).
 * @param {Held} held @param {View} view @param {string} name @param {number} by @returns {Held}
 */
export function chipPut(held, view, name, by) {
  const all = spreadIn(view);
  if (!all) return held;
  const chips = held.spread ?? all.start;
  return changed(held, { spread: chips.map((n, i) => (all.on[i] === name ? n + by : n)) });
}

/** How many chips of the player are on a zone. @param {Held} held @param {View} view @param {string} name */
export function chipsOn(held, view, name) {
  const all = spreadIn(view);
  return all ? ((held.spread ?? all.start)[all.on.indexOf(name)] ?? 0) : 0;
}

/**
 * A card of a column is about to be moved.
 * @param {View} view @param {Zone} zone @param {string} card @returns {Step}
 */
export const lift = (view, zone, card) => ({
  held: { lifted: { zone: zone.name, card, goals: movesAt(view, zone, card).map((move) => move.target ?? "") } },
  refused: null,
});

/**
 * The move of cards of a column onto another one; if it is not allowed, the server says why.
 * @param {View} view @param {Zone} from @param {string} card @param {Zone} onto
 */
export const putting = (view, from, card, onto) =>
  movesAt(view, from, card).find((move) => move.target === onto.name)?.text ?? gesture(from, card, onto);

/**
 * A click on a column. @param {View} view @param {Held} held @param {Zone} zone @param {string} card @returns {Step}
 */
function inColumn(view, { lifted }, zone, card) {
  const from = lifted && view.zones.find((one) => one.name === lifted.zone);
  const moves = card ? movesAt(view, zone, card) : [];
  if (lifted && from && from !== zone && (lifted.goals.includes(zone.name) || !moves.length))
    return { play: putting(view, from, lifted.card, zone) };
  if (lifted && from === zone && card === lifted.card) return { play: moves[0].text };
  if (moves.length === 1) return { play: moves[0].text };
  if (moves.length) return lift(view, zone, card);
  if (!card) return { held: { lifted: null } };
  const what = { says: "{card} has no place to go now", card: { card } };
  return { held: { lifted: null }, refused: { what, why: "", rule: "", card }, chimes: true };
}

/**
 * Whether cards are taken with one of the hand: then it matters on which card another one is put.
 * @param {View} view
 */
const takes = ({ choices, zones }) => {
  const hands = zones.filter((zone) => zone.kind === "hand").map((zone) => zone.name);
  return choices.some(({ source = "", cards = [] }) => cards.length > 1 && hands.includes(source));
};

/**
 * A card of a hand or a heap is put down on another zone, or on a card of it (`target`): several moves are asked for
 * there, and the server says why it does not go with that card. null: this means the same as a click on the card.
 * @param {View} view @param {{from: Zone, card: string, to: Zone | undefined, target: string}} drop
 * @param {Edges} dropped @returns {Step | null}
 */
export function putDown(view, { from, card, to, target }, dropped) {
  const onto = to && target ? resolveMove(view, to, target, [card]) : [];
  if (onto.length === 1) return { play: onto[0].text };
  if (to && target && !onto.length && takes(view) && !togetherIn(view)) return { play: `${card} ${target}` };
  const chosen = onto.length ? [card, target] : [card];
  const several = !togetherIn(view) && (onto.length || resolveMove(view, from, card, []).length) > 1;
  return several ? { held: { chosen, dropped }, refused: null } : null;
}

/**
 * Add a card to those chosen together, or take it out.
 * @param {import("./moves.js").Together} set @param {string[]} chosen @param {string} card
 * @param {boolean | undefined} on whether the copy that was clicked is chosen @returns {Step}
 */
function together(set, chosen, card, on) {
  const now = toggled(set, chosen, card, on);
  if (now.length <= set.most) return { held: { chosen: now }, refused: null };
  const what = { says: "no more than {n} {n:card|cards}", n: set.most };
  return { refused: { what, why: { says: "put one back first" }, rule: "", card } };
}

/**
 * A click on a card of a zone, or (no card) on the zone itself.
 * @param {View} view @param {Held} held
 * @param {{zone: Zone, card: string, on?: boolean}} at `on`: whether the copy that was clicked is chosen
 * @param {{you: number | null, confirm: boolean}} player `confirm`: a card is played by two clicks
 * @returns {Step}
 */
export function clicked(view, held, { zone, card, on }, { you, confirm }) {
  const { chosen, ready } = held;
  const set = view.legal.length ? zone.together : null;
  if (set?.cards.includes(card)) return together(set, chosen, card, on);
  if (zone.kind === "column") return inColumn(view, held, zone, card);
  const barred = view.refused.find(({ move }) => move.source === zone.name)?.move.text;
  if (!card) return { play: movesAt(view, zone, "")[0]?.text ?? barred };
  const own = zone.kind === "hand" && zone.seats[0] === you;
  if (chosen.includes(card)) {
    const twice = chosen.length === 1 ? resolveMove(view, zone, card, []) : [];
    return twice.length === 1 && (chosen[0] === ready || confirm)
      ? { play: twice[0].text }
      : { held: { chosen: chosen.filter((one) => one !== card) } };
  }
  // chosen for the coming turn: never played automatically
  if (!view.legal.length && view.actors.length && own)
    return { held: { ready: ready === card ? "" : card }, refused: null };
  const moves = resolveMove(view, zone, card, chosen);
  if (moves.length === 1)
    return confirm && !chosen.length && zone.kind === "hand" ? { held: { chosen: [card] } } : { play: moves[0].text };
  if (moves.length > 1) return { held: { chosen: [...chosen, card] } };
  const taking = view.legal.length > 0 && takes(view);
  // where it does not go with what is chosen, or with nothing at all, the server says why not
  if (taking && chosen.length && own !== view.hand.includes(chosen[0]))
    return { play: (own ? [card, ...chosen] : [...chosen, card]).join(" ") };
  const alone = resolveMove(view, zone, card, []);
  if (alone.length === 1) return { play: alone[0].text };
  if (alone.length > 1) return { held: { chosen: [card] } };
  if (own) return { play: card };
  if (!taking) return {};
  const what = { says: "none of your cards can do anything with {card} now", card: { card } };
  return { refused: { what, why: "", rule: "", card }, chimes: true };
}
