/** Which of the moves that the server sent a click means. No rule of any game is known here: moves are texts that name cards. */
import { isCard } from "./cards.js";

/** @typedef {import("./message.js").Value} Value */
/** A place on the table; what stands behind `clicks` only some kinds have. @typedef {{kind: string, name: string, label: Value, seats: number[], cards: (string | null)[], count: number,
 *   facts: {message: Value, coins?: number}[], clicks: Record<string, string>, chosen?: string[], together?: Together | null, suit?: string, founders?: string[],
 *   moves?: Record<string, string[]>, leader?: number, by?: number[], side_by_side?: boolean, won?: boolean, on?: string[], spread?: Spread | null}} Zone */
/** @typedef {{cards: string[], least: number, most: number, done: string, ask: Value, labels: Value[]}} Together cards chosen together, in any order */
/** @typedef {{on: string[], chips: number, start: number[], moves: Record<string, string>, ask: Value, then: Value, label: Value}} Spread chips put on zones */
/** @typedef {{seat: number, why: Value, amount: number, times: number}} Counted */
/** @typedef {{deal: number, dealer: number, actors: number[], hand: string[], legal: string[], zones: Zone[], scores: number[], sheet: any[],
 *   results: {deal: number, winner: number | null, gained: number[], scores: number[]}[], counted: Counted[], lowest_wins: boolean, winners: number[], resigned: number | null}} View */

/** @typedef {{zone: string, card: string, goals: string[]}} Lifted cards of a column that are about to be moved: from this card on, to one of these zones */

/** The cards that a move names. @param {string} move */
export const cardsOf = (move) => move.split(/[\s,+:]+/).filter(isCard);

/** Moves that name all the chosen cards. @param {string[]} legal @param {string[]} chosen */
export const fitting = (legal, chosen) => legal.filter((move) => {
  const named = cardsOf(move);
  return chosen.every((card) => named.includes(card));
});

/**
 * What a click on a card in a zone means: moves to choose from (one: play it).
 * @param {View} view @param {Zone} zone @param {string} card @param {string[]} chosen cards chosen before
 */
export function meant(view, zone, card, chosen) {
  const own = zone.clicks[card];
  const led = view.legal.filter((move) => move.split(/[\s,+:]+/)[0] === card);
  if (!chosen.length) {
    if (own && led.length <= 1) return [own];
    if (zone.kind === "hand") return own && !led.includes(own) ? [own, ...led] : led;
    if (own) return [own];
  }
  return fitting(view.legal, [...chosen, card]);
}

/** The zone of which cards are to be chosen together, and how. @param {View} view @returns {Together | null} */
export const togetherIn = (view) => (view.legal.length ? (view.zones.find((zone) => zone.together)?.together ?? null) : null);

/** The chips that are to be spread. @param {View} view @returns {Spread | null} */
export const spreadIn = (view) => (view.legal.length ? (view.zones.find((zone) => zone.spread)?.spread ?? null) : null);

/** How often a card is among cards. @param {string[]} cards @param {string} card */
export const copies = (cards, card) => cards.filter((one) => one === card).length;

/** The chosen cards after a click on one: put to them or put back. @param {Together} set @param {string[]} chosen @param {string} card @param {boolean} [on] whether the copy that was clicked is chosen */
export function toggled(set, chosen, card, on = copies(chosen, card) === copies(set.cards, card)) {
  if (!on) return [...chosen, card];
  const at = chosen.lastIndexOf(card);
  return chosen.filter((_, i) => i !== at);
}

/** The move that chosen cards make: all its steps, in their order. @param {Together} set @param {string[]} chosen */
const steps = (set, chosen) => [...[...chosen].sort((a, b) => set.cards.indexOf(a) - set.cards.indexOf(b)), set.done].join(" ");

/** A column's number. @param {string} name */
const column = (name) => name.match(/^column-(\d+)$/)?.[1] ?? "";

/** The moves of a card that lies in a column. @param {Zone} zone @param {string} card @returns {string[]} */
export const ways = (zone, card) => zone.moves?.[card] ?? [];

/** The zone where a move from column to column (`3-7x4`) ends. @param {string} move */
export const goal = (move) => (/^\d+-\d+/.test(move) ? `column-${move.match(/-(\d+)/)?.[1]}` : "");

/**
 * Whether a move is asked about once more: a knock, a doubt, a pass though a card could be played; where it cannot simply be taken back.
 * @param {string} move @param {boolean} playable @param {any} table
 */
export const weighty = (move, playable, table) =>
  (/^(?:knock|doubt)\b/.test(move) || (playable && /^pass\b/.test(move))) &&
  (table.undo === "never" || table.seats.some((/** @type {any} */ place) => place.kind === "person" && place.seat !== table.you));

/** A move in words, where its notation is terse. @param {string} move */
export const plainly = (move) => move.replace(/^(\d+)-(\d+)(?:x(\d+))?$/, (_, from, to, n) => `${n ? `${n} cards` : "a card"} from column ${from} to column ${to}`);

/** A move from one column to another, legal or not: the server says what is wrong with it. @param {Zone} from @param {number} i the card's place @param {Zone} onto */
export const between = (from, i, onto) => `${column(from.name)}-${column(onto.name)}${from.cards.length - i > 1 ? `x${from.cards.length - i}` : ""}`;

/**
 * Moves to be offered as buttons: what has been put together, or else those of action zones and those that no click makes.
 * @param {View} view @param {string[]} chosen @param {number[] | null} [chips] as they have been spread; null: as is offered first
 * @returns {{label: Value, move: string, zone: Value}[]}
 */
export function offered(view, chosen, chips = null) {
  const set = togetherIn(view);
  if (set) return chosen.length >= set.least && chosen.length <= set.most ? [{ label: set.labels[chosen.length - set.least], move: steps(set, chosen), zone: "" }] : [];
  const spread = spreadIn(view);
  if (spread) {
    const move = spread.moves[(chips ?? spread.start).join(" ")];
    return move ? [{ label: spread.label, move, zone: "" }] : [];
  }
  /** @type {{label: Value, move: string, zone: Value}[]} */
  const found = [];
  const clicked = new Set();
  for (const zone of view.zones) {
    for (const [label, move] of Object.entries(zone.clicks)) {
      if (zone.kind === "action") found.push({ label: { moves: label || move }, move, zone: zone.label });
      else clicked.add(move);
    }
    for (const move of Object.values(zone.moves ?? {}).flat()) clicked.add(move);
  }
  const shown = new Set(found.map((one) => one.move));
  for (const move of view.legal) if (!clicked.has(move) && !shown.has(move)) found.push({ label: { moves: plainly(move) }, move, zone: "" });
  const legal = new Set(view.legal);
  const heads = view.legal.map((move) => move.split(/[\s,+:]+/)[0]);
  const byCard = (/** @type {string} */ move) => {
    const [head] = move.split(/[\s,+:]+/);
    return isCard(head) && heads.filter((one) => one === head).length === 1 && view.hand.includes(head);
  };
  const open = found.filter((one) => legal.has(one.move) && !byCard(one.move)); // one click on the card does that
  return chosen.length ? open.filter((one) => fitting([one.move], chosen).length) : open;
}
