/**
 * A table that is being set up: its game, who plays, its house rules. Steps from one plan to the next, without a page.
 */
import { at } from "../browser/address.js";
import { USUAL } from "../text/names.js";

/**
 * `called`: the name of the game under which the table is set up; `bots`: the level of the bot at each seat, "" for a
 * person; `options`: house rules that differ from the preset's.
 * @typedef {{called: string, preset: string, bots: string[], options: Record<string, any>}} Plan
 */

/**
 * The fewest and the most seats.
 * @param {import("wire").WholeGame} game @param {string} preset @returns {[number, number]}
 */
export const seatsOf = (game, preset) => game.seat_range[preset] ?? game.seats;

/** House rules from a link. @param {string | null} text @returns {Record<string, any>} */
function house(text) {
  try {
    const found = JSON.parse(text ?? "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/**
 * The name that goes with a preset: the one asked for if the preset's source uses it, else the preset's own.
 * @param {import("wire").WholeGame} game @param {string} preset @param {string} wanted @returns {string}
 */
function nameFor(game, preset, wanted) {
  const named = game.names.find((other) => other.name === wanted);
  if (named?.presets.includes(preset) && named.title !== game.title) return wanted;
  return game.names.find((other) => other.title === game.titles[preset])?.name ?? game.name;
}

/**
 * A number of seats that the preset allows.
 * @param {import("wire").WholeGame} game @param {string} preset @param {number} n
 */
function allowed(game, preset, n) {
  const [least, most] = seatsOf(game, preset);
  return Math.max(least, Math.min(most, n));
}

/**
 * The plan with which a game opens.
 * @param {import("wire").WholeGame} game @param {URLSearchParams} asked the query of the page's address
 * @param {boolean} linked whether it asks for this game @returns {Plan}
 */
export function opening(game, asked, linked) {
  const wanted = asked.get("preset") ?? "";
  const preset = linked && game.presets.includes(wanted) ? wanted : game.opens.preset;
  const seats = allowed(game, preset, (linked && Number(asked.get("seats"))) || game.best[0]);
  return {
    called: nameFor(game, preset, game.opens.name),
    preset,
    bots: Array.from({ length: seats }, (_, i) => (i ? USUAL : "")),
    options: preset === wanted ? house(asked.get("options")) : {},
  };
}

/** The plan with this number of seats. @param {Plan} plan @param {number} n @returns {Plan} */
export const resized = (plan, n) => ({
  ...plan,
  bots: Array.from({ length: n }, (_, i) => plan.bots[i] ?? USUAL),
});

/**
 * With another preset, and none of the house rules.
 * @param {Plan} plan
 * @param {import("wire").WholeGame} game @param {string} preset @param {string} [wanted] a name of the game
 * @returns {Plan}
 */
export const under = (plan, game, preset, wanted = plan.called) =>
  resized(
    { ...plan, preset, called: nameFor(game, preset, wanted), options: {} },
    allowed(game, preset, plan.bots.length),
  );

/**
 * With a house rule; the preset's own value, or none, is no house rule.
 * @param {Plan} plan @param {import("wire").WholeGame} game @param {string} rule @param {any} value @returns {Plan}
 */
export function withRule(plan, game, rule, value) {
  const options = { ...plan.options };
  const usual = (game.values[plan.preset] ?? {})[rule];
  if (value === undefined || String(value) === String(usual)) delete options[rule];
  else options[rule] = value;
  return { ...plan, options };
}

/** Whether mistakes cost what they cost in the book. @param {Plan} plan @param {import("wire").WholeGame} game */
export const fined = ({ options, preset }, game) =>
  Object.entries(game.fines).every(([rule, value]) => (options[rule] ?? (game.values[preset] ?? {})[rule]) === value);

/**
 * With the fines of the book, or with the preset's.
 * @param {Plan} plan @param {import("wire").WholeGame} game @param {boolean} on @returns {Plan}
 */
export function withFines(plan, game, on) {
  const options = { ...plan.options };
  for (const [rule, value] of Object.entries(game.fines)) {
    delete options[rule];
    if (on && (game.values[plan.preset] ?? {})[rule] !== value) options[rule] = value;
  }
  return { ...plan, options };
}

/** Whether only one person plays. @param {Plan} plan */
export const alone = ({ bots }) => bots.slice(1).every(Boolean);

/**
 * The address at which a table is set up so.
 * @param {{game: string, preset: string, seats: number, options?: Record<string, any>}} rules
 */
export const setUpAt = ({ game, preset, seats, options }) =>
  at(
    `/new?${new URLSearchParams({
      game,
      preset,
      seats: String(seats),
      ...(options ? { options: JSON.stringify(options) } : {}),
    })}`,
  );
