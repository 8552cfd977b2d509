/** What a message from the server changes at the table: names, a trick that has ended, payments. */
import { tr } from "../text/message.js";
import { who } from "../text/names.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */

/** The table, with a name for each seat. @param {import("wire").TableSeen} told */
export function furnished(told) {
  const seats = told.seats.map((place) => ({ ...place, name: who(place) }));
  return {
    ...told,
    seats,
    names: seats.map((place) => place.name || tr("Seat {n}", { n: place.seat + 1 })),
  };
}

/**
 * A view without aids to the memory, which are shown only to players who have switched them on.
 * @param {import("../hand/moves.js").View} view
 */
export const unaided = (view) => ({
  ...view,
  zones: view.zones.map((zone) =>
    zone.facts.some((fact) => fact.aid) ? { ...zone, facts: zone.facts.filter((fact) => !fact.aid) } : zone,
  ),
});

/**
 * The last trick, if these happenings ended one; it stays on the table for a while.
 * @param {any} before
 * @param {any} now
 * @param {any[]} happened
 */
export function ended(before, now, happened) {
  const trick = before?.zones.find((/** @type {Zone} */ zone) => zone.kind === "trick");
  const next = now?.zones.find((/** @type {Zone} */ zone) => zone.kind === "trick");
  if (!trick) return null;
  const cards = [...trick.cards];
  const by = [...(trick.by ?? [])];
  for (const one of happened) {
    for (const event of one.events ?? []) {
      if (
        event.kind === "lay" &&
        event.card &&
        !cards.includes(event.card) &&
        !next?.cards.includes(event.card) &&
        !by.includes(event.source)
      ) {
        cards.push(event.card);
        by.push(event.source);
      }
    }
  }
  const gone =
    cards.length > 1 && cards.length > trick.cards.length && !cards.some((card) => next?.cards.includes(card));
  return gone ? { ...trick, cards, by } : null;
}

/**
 * The view before its payments are seen: chips are still where they were. Moves and cards are those of now.
 * @param {any} before @param {any} now
 */
export function unpaid(before, now) {
  if (!before || !now || before.deal !== now.deal) return now;
  const zones = now.zones.map((/** @type {Zone} */ zone) => {
    const old = before.zones.find((/** @type {Zone} */ one) => one.name === zone.name && one.kind === zone.kind);
    if (!old) return zone;
    const facts = zone.facts.map((fact, i) => {
      const was = old.facts[i];
      return fact.coins !== undefined && was?.coins !== undefined ? was : fact;
    });
    return { ...zone, facts, count: zone.kind === "pot" ? old.count : zone.count };
  });
  return { ...now, zones };
}

/**
 * Hands of others that were hidden and are open now, by the names of their zones.
 * @param {any} before @param {any} now @param {number | null} you
 */
export function laidOpen(before, now, you) {
  if (!before || !now || before.deal !== now.deal) return [];
  const open = (/** @type {any} */ view) =>
    view.zones
      .filter((/** @type {Zone} */ zone) => zone.kind === "hand" && zone.cards.some(Boolean) && zone.seats[0] !== you)
      .map((/** @type {Zone} */ zone) => zone.name);
  const were = open(before);
  return /** @type {string[]} */ (open(now).filter((/** @type {string} */ name) => !were.includes(name)));
}

/**
 * The view in which these hands are still hidden, and so is what is said of them only when they are open.
 * @param {any} before @param {any} now @param {string[]} names
 */
export function hidden(before, now, names) {
  const said = (/** @type {any} */ fact) => fact.message?.says;
  const zones = now.zones.map((/** @type {Zone} */ zone) => {
    if (!names.includes(zone.name)) return zone;
    const known = before.zones.find((/** @type {Zone} */ one) => one.name === zone.name)?.facts.map(said) ?? [];
    return { ...zone, cards: zone.cards.map(() => null), facts: zone.facts.filter((one) => known.includes(said(one))) };
  });
  return { ...now, zones };
}

/**
 * The log without the events of beats that are yet to come.
 * @param {import("../table/log.js").Line[]} log
 * @param {import("./beats.js").Beat[]} beats @param {number} at the beat that is shown; those behind it are to come
 */
export function untold(log, beats, at) {
  const later = new Set(beats.slice(at + 1).flatMap((beat) => beat.events));
  const end = later.size ? log.findIndex((line) => line.event && later.has(line.event)) : -1;
  return end < 0 ? log : log.slice(0, end);
}

/** What each seat has just received or paid. @param {any[]} happened @returns {Map<number, number>} */
export function gained(happened) {
  const found = new Map();
  const add = (/** @type {number | null} */ seat, /** @type {number} */ n) =>
    typeof seat === "number" && found.set(seat, (found.get(seat) ?? 0) + n);
  for (const one of happened) {
    for (const { kind, source, target, amount } of one.events ?? []) {
      if (!amount) continue;
      if (kind === "pay") add(source, -amount);
      if (kind === "pay" || kind === "take") add(target, amount);
      if (kind === "score") add(source, amount);
    }
  }
  for (const [seat, n] of found) if (!n) found.delete(seat);
  return found;
}
