/** Which of the moves that the server sent a click means. No rule of any game is known here: moves are texts that name cards. */
import { isCard } from "./cards.js";

/** @typedef {{kind: string, name: string, label: string, seat: number | null, cards: (string | null)[], count: number, text: string,
 *   notes: Record<string, any>, clicks: Record<string, string>}} Zone */
/** @typedef {{deal: number, dealer: number, actors: number[], hand: string[], legal: string[], zones: Zone[], scores: number[], sheet: any[],
 *   results: [number, number | null, number[]][], winners: number[], resigned: number | null}} View */

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

/**
 * Moves to be offered as buttons: those of action zones, and those that no click makes.
 * @param {View} view @param {string[]} chosen @returns {{label: string, move: string, zone: string}[]}
 */
export function offered(view, chosen) {
  /** @type {{label: string, move: string, zone: string}[]} */
  const found = [];
  const clicked = new Set();
  for (const zone of view.zones) {
    for (const [label, move] of Object.entries(zone.clicks)) {
      if (zone.kind === "action") found.push({ label: label || move, move, zone: zone.label });
      else clicked.add(move);
    }
  }
  const shown = new Set(found.map((one) => one.move));
  for (const move of view.legal) if (!clicked.has(move) && !shown.has(move)) found.push({ label: move, move, zone: "" });
  const legal = new Set(view.legal);
  const heads = view.legal.map((move) => move.split(/[\s,+:]+/)[0]);
  const byCard = (/** @type {string} */ move) => {
    const [head] = move.split(/[\s,+:]+/);
    return isCard(head) && heads.filter((one) => one === head).length === 1 && view.hand.includes(head);
  };
  const open = found.filter((one) => legal.has(one.move) && !byCard(one.move)); // one click on the card does that
  return chosen.length ? open.filter((one) => fitting([one.move], chosen).length) : open;
}
