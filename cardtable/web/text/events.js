/**
 * Events of a game as messages: one by one, or joined if they are alike. What happened is read from their fields, never
 * from a sentence.
 */

/** @typedef {import("./message.js").Value} Value */
/**
 * `beat`: how it is shown; left out where its kind says so.
 * @typedef {Omit<import("wire").EventSeen, "says"> & {says: import("./message.js").Message}} GameEvent
 */
/**
 * Events shown as one; `first` is the first of them.
 * @typedef {{first: GameEvent, message: Value, rule: string, times: number}} Told
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

/**
 * Chips or points paid for the same reason, by the same seat to the same: added up.
 * @param {GameEvent[]} events
 * @returns {Told[]}
 */
export function summed(events) {
  const kinds = (/** @type {GameEvent} */ event, /** @type {number} */ i) =>
    PAID.includes(event.kind) && event.amount !== null
      ? [event.says.says, event.source, event.target, event.card, event.place, event.rule]
      : [i];
  return grouped(events, kinds).map((group) => {
    const [first] = group;
    if (group.length === 1) return { first, message: message(first), rule: first.rule, times: 1 };
    const amount = group.reduce((sum, event) => sum + (event.amount ?? 0), 0);
    const says = { ...first.says };
    if ("amount" in says) says.amount = amount;
    if ("chips" in says) says.chips = { .../** @type {any} */ (says.chips), n: amount };
    return { first, message: message({ ...first, says }), rule: first.rule, times: group.length };
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
    else if (same && last && event.card && "item" in event.says)
      last.says = { ...last.says, item: [/** @type {any} */ (last.says.item), event.says.item].flat() };
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
 * Events for captions: equal payments of several seats are joined, and so are one seat's cards.
 * @param {GameEvent[]} events
 * @param {number} seats
 * @returns {Told[]}
 */
export function together(events, seats) {
  const kinds = (/** @type {GameEvent} */ event, /** @type {number} */ i) =>
    event.kind === "pay" ? [event.says.says, event.target, event.amount, event.card, event.rule] : [i];
  return grouped(inRow(events), kinds).flatMap((group) => {
    const sources = [...new Set(group.map((event) => event.source))];
    if (group.length < 2 || sources.length < group.length) return summed(group);
    const source = sources.length === seats ? { says: "everybody" } : sources.map((seat) => ({ seat: seat ?? 0 }));
    const [first] = group;
    return [{ first, message: message({ ...first, says: { ...first.says, source } }), rule: first.rule, times: 1 }];
  });
}
