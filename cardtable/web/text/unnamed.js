/**
 * What a screen reader announces besides the events: cards that have come to a place without any event that names them,
 * such as a hand that was dealt, or the cards of a build.
 */

/** @typedef {import("../hand/moves.js").Zone} Zone */
/** @typedef {import("./message.js").Value} Value */

/**
 * The cards of a list that are not in another; of two packs, each card as often.
 * @param {string[]} cards @param {any[]} others
 */
function without(cards, others) {
  const left = [...others];
  return cards.filter((card) => {
    const at = left.indexOf(card);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * The new cards of each place, as messages.
 * @param {any} before the view before, if there was one @param {any} now @param {any[]} happened what led from it to
 * the new view
 * @returns {Value[]}
 */
export function unnamed(before, now, happened) {
  if (!now) return [];
  const named = happened.flatMap((one) => (one.events ?? []).map((/** @type {any} */ event) => event.card));
  const zones = /** @type {Zone[]} */ (before?.deal === now.deal ? before.zones : []);
  return now.zones.flatMap((/** @type {Zone} */ zone) => {
    if (zone.won) return []; // what was captured was announced then
    const cards = /** @type {string[]} */ (zone.cards.filter(Boolean));
    const old = zones.find((one) => one.name === zone.name);
    const made = zones.length > 0 && !old; // a place that was not there, such as a build
    const come = made ? cards : without(without(cards, old?.cards ?? []), named);
    if (!come.length) return [];
    const label = zone.seats.length
      ? { says: "{label} ({seats})", label: zone.label, seats: zone.seats.map((seat) => ({ seat })) }
      : zone.label;
    return [{ says: "{label}: {cards}", label, cards: { cards: come.join(" ") } }];
  });
}
