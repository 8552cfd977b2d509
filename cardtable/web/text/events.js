/**
 * Events of a game as messages: one by one, or joined if they are alike. What happened is read from their fields, never
 * from a sentence.
 */
import { mark } from "./language.js";

/** @typedef {import("./message.js").Value} Value */
/**
 * `beat`: how it is shown; left out where its kind says so.
 * @typedef {Omit<import("wire").EventSeen, "says"> & {says: import("./message.js").Message, origin?: any}} GameEvent
 *   `origin`: the first of the events that it joins
 */
/**
 * Events shown as one; `first` is the first of them, `parts` how they add up: "2 × 3 + 5".
 * @typedef {{first: GameEvent, message: Value, rule: string, parts: string}} Told
 */

/** Kinds of events with chips or points. */
export const PAID = ["pay", "take", "score"];

/** An event as a message, with what a payment is for. @param {GameEvent} event @returns {Value} */
export const message = (event) =>
  event.reason ? { says: "{told} {reason}", told: event.says, reason: event.reason } : event.says;

/**
 * Events grouped by the values that `same` returns.
 * @param {GameEvent[]} events
 * @param {(event: GameEvent, i: number) => unknown[]} same
 * @returns {GameEvent[][]}
 */
function grouped(events, same) {
  /** @type {Map<string, GameEvent[]>} */
  const found = new Map();
  events.forEach((event, i) => {
    const key = JSON.stringify(same(event, i));
    found.set(key, [...(found.get(key) ?? []), event]);
  });
  return [...found.values()];
}

/** Whether an event is of a card that nobody may know, as when it is drawn. @param {GameEvent} event */
const isHidden = ({ card, amount, says }) => !card && amount === null && "card" in says;

/** Whether an event is only that somebody did something, with nothing that others could do otherwise. @param {any} e */
const isBare = (e) => e.source !== null && !("card" in e.says) && !e.card && !e.amount && e.place === null && !e.reason;

/** Whether two events are of one kind, to the same and by the same rule. @param {any} a @param {any} b */
const alike = (a, b) => a.says?.says === b.says?.says && a.target === b.target && a.rule === b.rule;

/** The same act of several seats, as one event. @param {GameEvent[]} group @returns {GameEvent} */
const inChorus = (group) => ({
  ...group[0],
  says: { ...group[0].says, source: group.map((event) => ({ seat: event.source ?? 0 })) },
  origin: group[0],
});

/** What one seat puts on several cards, as one event. @param {GameEvent[]} group @returns {GameEvent} */
function inParts(group) {
  const [first] = group;
  const each = /** @type {any} */ (first.says.each);
  const says =
    each && group.every((event) => event.amount === 1)
      ? { ...each, n: group.length }
      : { ...first.says, item: group.map((event) => /** @type {any} */ (event.says.item)).flat() };
  return { ...first, says, origin: first };
}

/**
 * Events that follow one another as one: of several seats that do the same, such as to pass, and of one that puts
 * something on several cards, the sum of which is then not told. Each has its place among the given ones.
 * @param {GameEvent[]} events @returns {{event: GameEvent, at: number}[]}
 */
export function joined(events) {
  const found = [];
  let next = 0;
  while (next < events.length) {
    const at = next;
    const first = events[at];
    next += 1;
    /** @param {(event: GameEvent, group: GameEvent[]) => boolean} goes */
    const group = (goes) => {
      while (next < events.length && alike(events[next], first) && goes(events[next], events.slice(at, next)))
        next += 1;
      return events.slice(at, next);
    };
    if (first.origin) found.push({ event: first, at });
    else if (first.says && "item" in first.says) {
      const parts = group((event) => event.source === first.source);
      const sum = parts.reduce((all, event) => all + (event.amount ?? 0), 0);
      const last = events[next];
      if (last?.kind === "pay" && last.source === first.source && last.rule === first.rule && last.amount === sum)
        next += 1;
      found.push({ event: inParts(parts), at });
    } else if (isBare(first)) {
      const all = group((event, before) => isBare(event) && before.every((one) => one.source !== event.source));
      found.push({ event: all.length > 1 ? inChorus(all) : first, at });
    } else found.push({ event: first, at });
  }
  return found;
}

/** Whose act a message tells, by their seats. @param {any} one @returns {number[]} */
const actors = (one) => [one?.source ?? []].flat().map(({ seat }) => seat ?? -1);

/**
 * The caption that follows another one: what several seats do, which came in several messages of the server, is one
 * sentence.
 * @param {Value[]} before what is still shown @param {Value[]} now @returns {Value[]}
 */
export function continued(before, now) {
  const [one, two] = /** @type {any[]} */ ([before.at(-1), now[0]]);
  const seats = [...actors(one), ...actors(two)];
  const [a, b] = [one, two].map((says) => JSON.stringify({ ...says, source: 0 }));
  if (a !== b || !actors(one).length || new Set(seats).size < seats.length || seats.includes(-1)) return now;
  return [{ ...two, source: seats.map((seat) => ({ seat })) }, ...now.slice(1)];
}

/** @param {GameEvent[]} group */
const added = (group) =>
  grouped(group, ({ amount }) => [amount])
    .map((some) => (some.length > 1 ? `${some.length} × ${some[0].amount}` : some[0].amount))
    .join(" + ");

/**
 * Chips or points paid for the same reason, by the same seat to the same: added up. So are cards that nobody may know,
 * and seats that do the same one after the other.
 * @param {GameEvent[]} events
 * @returns {Told[]}
 */
export function summed(events) {
  const kinds = (/** @type {GameEvent} */ event, /** @type {number} */ i) => {
    if (isHidden(event)) return [event.says.says, event.source, event.target, event.rule];
    return PAID.includes(event.kind) && event.amount !== null
      ? [event.says.says, event.source, event.target, event.card, event.place, event.rule]
      : [i];
  };
  const all = joined(events).map(({ event }) => event);
  return grouped(all, kinds).map((group) => {
    const [one] = group;
    const first = one.origin ?? one;
    const n = group.length;
    if (n === 1) return { first, message: message(one), rule: first.rule, parts: "" };
    if (isHidden(first)) {
      const card = { says: mark("{n} {n:card|cards}"), n };
      return { first, message: message({ ...first, says: { ...first.says, card } }), rule: first.rule, parts: "" };
    }
    const amount = group.reduce((sum, event) => sum + (event.amount ?? 0), 0);
    const says = { ...first.says };
    if ("amount" in says) says.amount = amount;
    if ("chips" in says) says.chips = { .../** @type {any} */ (says.chips), n: amount };
    return { first, message: message({ ...first, says }), rule: first.rule, parts: added(group) };
  });
}

/** Events with cards of one seat, one after the other, joined into one. @param {GameEvent[]} events */
function inRow(events) {
  /** @type {(GameEvent & {cards: string[], template: string})[]} */
  const found = [];
  for (const event of events) {
    const last = found.at(-1);
    const same =
      last &&
      event.card &&
      last.cards.length &&
      last.kind === event.kind &&
      last.source === event.source &&
      last.target === event.target &&
      last.rule === event.rule &&
      last.template === event.says.says &&
      (last.place === event.place || "spread" in event.says);
    const cards = last && event.card ? [...last.cards, event.card].map((card) => ({ card })) : [];
    if (same && last && event.card && last.place !== event.place)
      last.says = { .../** @type {any} */ (event.says.spread), card: cards };
    else if (same && last && event.card && !("chips" in event.says) && !("amount" in event.says))
      last.says = { ...last.says, card: cards };
    else {
      found.push({ ...event, cards: event.card ? [event.card] : [], template: event.says.says });
      continue;
    }
    last.cards.push(event.card);
  }
  return found;
}

/**
 * Events for captions: equal payments of several seats are joined, what several do, and one seat's cards.
 * @param {GameEvent[]} events
 * @param {number} seats
 * @returns {Told[]}
 */
export function together(events, seats) {
  const rows = inRow(joined(events).map(({ event }) => event));
  const kinds = (/** @type {GameEvent} */ event, /** @type {number} */ i) => {
    if (event.kind === "pay") return [event.says.says, event.target, event.amount, event.card, event.rule];
    return isHidden(event) ? [event.says.says, event.source, event.target, event.rule] : [i];
  };
  return grouped(rows, kinds).flatMap((group) => {
    const sources = [...new Set(group.map((event) => event.source))];
    if (group.length < 2 || sources.length < group.length) return summed(group);
    const source = sources.length === seats ? { says: "everybody" } : sources.map((seat) => ({ seat: seat ?? 0 }));
    const [first] = group;
    return [{ first, message: message({ ...first, says: { ...first.says, source } }), rule: first.rule, parts: "" }];
  });
}
