/**
 * Which of the server's moves a click means. This needs no rules and no notation of a game: moves say where they begin
 * and which cards they have.
 */

/** @typedef {import("../text/message.js").Value} Value */
/**
 * A place on the table; only some kinds have the fields after `facts`.
 * @typedef {Omit<import("wire").ZoneSeen, "facts" | "together" | "spread"> & {facts: {message: Value, coins?: number,
 * aid?: boolean, stamp?: string, figure?: (number | null)[]}[], together?: Together | null,
 * spread?: Spread | null}} Zone
 */
/** A move as people make it; fields with their default values are left out. @typedef {import("wire").MoveData} Move */
/** A move that a person would expect, but that is not allowed. @typedef {import("wire").RefusedData} Refused */
/**
 * @typedef {{cards: string[], least: number, most: number, done: string, ask: Value, labels: Value[]}} Together cards
 * chosen together, in any order
 */
/**
 * @typedef {{on: string[], chips: number, start: number[], moves: Record<string, string>, ask: Value, then: Value,
 * label: Value}} Spread chips put on zones
 */
/** @typedef {Omit<import("wire").ViewSeen, "zones"> & {zones: Zone[]}} View */

/**
 * @typedef {{zone: string, card: string, goals: string[]}} Lifted cards of a column that are about to be moved: from
 * this card on, to one of these zones
 */

/** The name of a move. @param {{text: string, label?: Value | null}} move @returns {Value} */
export const called = (move) => move.label ?? { moves: move.text };

/**
 * The name of a move given in notation, if it can be made now.
 * @param {View} view
 * @param {string} text
 * @returns {Value}
 */
export const calledSo = (view, text) => called(view.choices.find((move) => move.text === text) ?? { text });

/**
 * Moves that begin at a card of a zone, or (no card) at the zone itself.
 * @param {View} view
 * @param {Zone} zone
 * @param {string} card
 */
export const movesAt = (view, zone, card) =>
  view.choices.filter((move) => move.source === zone.name && (move.cards?.[0] ?? "") === card);

/** Moves with all the chosen cards. @param {Move[]} moves @param {string[]} chosen */
export const fitting = (moves, chosen) => moves.filter((move) => chosen.every((card) => move.cards?.includes(card)));

/**
 * What a click on a card in a zone means: moves to choose from; if there is only one, it is played.
 * @param {View} view @param {Zone} zone @param {string} card @param {string[]} chosen cards chosen before
 */
export function resolveMove(view, zone, card, chosen) {
  const own = chosen.length ? [] : movesAt(view, zone, card);
  if (own.length || (!chosen.length && zone.kind === "hand")) return own;
  return fitting(view.choices, [...chosen, card]);
}

/**
 * The move that a click on a card makes at once, if it also has other cards or a place to go: what it is about is not
 * seen otherwise.
 * @param {View} view @param {Zone} zone @param {string} card @param {string[]} chosen @returns {Move | null}
 */
export function meant(view, zone, card, chosen) {
  if (togetherIn(view) || chosen.includes(card)) return null;
  const moves = resolveMove(view, zone, card, chosen);
  return moves.length === 1 && ((moves[0].cards?.length ?? 0) > 1 || moves[0].target) ? moves[0] : null;
}

/**
 * What is said at a card on the table while another one is chosen: `once`: one click on it plays; `brief`: what that
 * does; `nth`: which of the offered moves have it.
 * @typedef {{once: boolean, brief: Value | null, nth: number[]}} Tag
 */

/**
 * @param {View} view @param {Zone} zone @param {string} card @param {string[]} chosen
 * @param {{move: string}[]} offers moves that are offered as numbered buttons @returns {Tag | null}
 */
export function tagged(view, zone, card, chosen, offers) {
  if (!chosen.length || chosen.includes(card)) return null;
  const moves = resolveMove(view, zone, card, chosen);
  if (!moves.length) return null;
  const nth = offers.flatMap(({ move }, i) => (moves.some(({ text }) => text === move) ? [i + 1] : []));
  const once = moves.length === 1;
  return { once, brief: once ? (moves[0].brief ?? null) : null, nth: offers.length > 1 ? nth : [] };
}

/**
 * Where a move is seen on the table: its cards, and the zones of which no card is named.
 * @param {Move} move @returns {{cards: string[], zones: string[]}}
 */
export function placesOf({ cards = [], source = "", target = "" }) {
  return { cards, zones: [...(cards.length ? [] : [source]), target].filter(Boolean) };
}

/** How cards of a zone are chosen together, if they are. @param {View} view @returns {Together | null} */
export const togetherIn = (view) =>
  view.legal.length ? (view.zones.find((zone) => zone.together)?.together ?? null) : null;

/**
 * The move of a hint, if it can be made now; of cards that are chosen together, all of them.
 * @param {View} view @param {{move: string, steps?: string[]}} advice @returns {Move | null}
 */
export function advisedMove(view, { move, steps = [] }) {
  const set = togetherIn(view);
  if (!set || !steps.length) return view.choices.find((one) => one.text === move) ?? null;
  const cards = steps.filter((step) => step !== set.done);
  return {
    text: steps.join(" "),
    label: { says: "{move}: {does}", move: set.labels[cards.length - set.least], does: { cards: cards.join(" ") } },
    cards,
  };
}

/** How chips are spread, if they are. @param {View} view @returns {Spread | null} */
export const spreadIn = (view) => (view.legal.length ? (view.zones.find((zone) => zone.spread)?.spread ?? null) : null);

/** How often a card is among cards. @param {string[]} cards @param {string} card */
export const copies = (cards, card) => cards.filter((one) => one === card).length;

/**
 * The chosen cards after a click on one, which adds it or takes it out.
 * @param {Together} set
 * @param {string[]} chosen
 * @param {string} card
 * @param {boolean} [on] whether the copy that was clicked is chosen
 */
export function toggled(set, chosen, card, on = copies(chosen, card) === copies(set.cards, card)) {
  if (!on) return [...chosen, card];
  const at = chosen.lastIndexOf(card);
  return chosen.filter((_, i) => i !== at);
}

/** The move that the chosen cards make: all its steps, in order. @param {Together} set @param {string[]} chosen */
const steps = (set, chosen) =>
  [...[...chosen].sort((a, b) => set.cards.indexOf(a) - set.cards.indexOf(b)), set.done].join(" ");

/**
 * Whether to ask before a move: one that is costly, where it cannot simply be taken back.
 * @param {Move | undefined} move
 * @param {import("../table/scene.js").Table} table
 */
export const needsConfirm = (move, table) =>
  Boolean(move?.confirm) &&
  (table.undo === "never" || table.seats.some((place) => place.kind === "person" && place.seat !== table.you));

/**
 * The text of a move of a card from one zone onto another, legal or not: the server says what is wrong with it.
 * @param {Zone} from
 * @param {string} card
 * @param {Zone} onto
 */
export const gesture = (from, card, onto) => `${from.name} ${card} ${onto.name}`;

/**
 * A move that is offered as a button.
 * @typedef {{label: Value, move: string, cards?: string[], source?: string, number?: number, suit?: string,
 * then?: Value, does?: Value}} Offer
 */

/**
 * The order of buttons. The last one is at the edge and keeps its place: that of a heap, which is there in most turns,
 * and not that of a card, which comes and goes.
 * @param {{cards?: string[], source?: string}} a @param {{cards?: string[], source?: string}} b
 */
export const inOrder = (a, b) => edge(a) - edge(b);

/** @param {{cards?: string[], source?: string}} move */
const edge = ({ cards = [], source }) => (cards.length ? 0 : source ? 2 : 1);

/**
 * Moves to offer as buttons: the one that has been put together, or else moves that no click makes, or that ask for a
 * button.
 * @param {View} view @param {string[]} chosen @param {number[] | null} [chips] as they have been spread; null: as first
 * suggested
 * @returns {Offer[]}
 */
export function offered(view, chosen, chips = null) {
  const set = togetherIn(view);
  if (set)
    return chosen.length >= set.least && chosen.length <= set.most
      ? [{ label: set.labels[chosen.length - set.least], move: steps(set, chosen) }]
      : [];
  const spread = spreadIn(view);
  if (spread) {
    const move = spread.moves[(chips ?? spread.start).join(" ")];
    return move ? [{ label: spread.label, move }] : [];
  }
  const begin = (/** @type {Move} */ move) => `${move.source} ${move.cards?.[0] ?? ""} ${move.target ?? ""}`;
  // one click, or a click on the card and another on the target; after one on a card, buttons for all that it can do
  const begun = view.choices.map(begin);
  const clicked = (/** @type {Move} */ move) =>
    move.source && !move.button && (move.cards?.length || begun.filter((one) => one === begin(move)).length === 1);
  const open = fitting(view.choices, chosen).filter((move) => (chosen.length ? !move.target : !clicked(move)));
  return open.sort(inOrder).map((move) => ({
    label: called(move),
    move: move.text,
    cards: move.cards,
    source: move.source,
    then: move.then,
    number: move.number,
    suit: move.suit,
    does: move.does,
  }));
}

/**
 * What the moves do that begin at a card, if they all do the same.
 * @param {View} view @param {string} card @returns {Value | null}
 */
export function effect(view, card) {
  const does = view.choices.filter((move) => move.cards?.[0] === card).map((move) => move.does ?? null);
  return does.length === 1 ? does[0] : null;
}
