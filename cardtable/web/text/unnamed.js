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
 * How many cards each of the others has after some were dealt during a deal, which no event tells.
 * @param {Zone[]} zones before @param {any} now @param {any[]} happened @returns {Value[]}
 */
function dealt(zones, now, happened) {
  const drew = happened.flatMap((one) => one.events ?? []);
  return now.zones.flatMap((/** @type {Zone} */ zone) => {
    const old = zones.find((one) => one.name === zone.name);
    const [seat] = zone.seats;
    const told = drew.some((event) => "card" in event.says && !event.card && event.source === seat);
    if (zone.kind !== "hand" || !old || told || zone.cards.some(Boolean) || zone.count <= old.count) return [];
    return [{ says: "{source} {source:has|have} {n} {n:card|cards}", source: { seat }, n: zone.count }];
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
  // no card moves when chips are put on one
  const named = happened.flatMap((one) =>
    (one.events ?? []).flatMap((/** @type {any} */ { says, card }) => ("chips" in says || "item" in says ? [] : card)),
  );
  const zones = /** @type {Zone[]} */ (before?.deal === now.deal ? before.zones : []);
  const came = now.zones.flatMap((/** @type {Zone} */ zone) => {
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
  return [...came, ...dealt(zones, now, happened)];
}
