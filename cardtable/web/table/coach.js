/** Help for the first hand, and the rules that matter in this turn. It is based on the moves that the server offers. */
import { html, useEffect } from "../browser/html.js";
import { rulesAt } from "../net/api.js";
import { clause, InEnglish, pageAt } from "../net/book.js";
import { tookTurn } from "../browser/experience.js";
import { tr, written } from "../text/message.js";
import { useAsked } from "../net/asked.js";
import { useTerms } from "../net/terms.js";

/** @typedef {import("../text/message.js").Value} Value */

const SETTLES = 700; // ms of a turn before the coach thinks about it

/**
 * The places where moves begin, in words; none if there are only buttons, which the game's own question explains.
 * @param {import("../hand/moves.js").View} view @param {any[]} offers @returns {Value[]}
 */
function places(view, offers) {
  const sources = new Set(view.choices.map((move) => move.source).filter(Boolean));
  const from = view.zones.filter((zone) => sources.has(zone.name));
  const of = (/** @type {string} */ kind) => from.some((/** @type {any} */ zone) => zone.kind === kind);
  const all = [
    ...(of("hand") ? [{ says: "a card with a bright edge" }] : []),
    ...(of("column") ? [{ says: "a card with a bright edge, or drag it to another column" }] : []),
    ...from
      .filter((zone) => !["hand", "column", "action"].includes(zone.kind))
      .map((zone) => ({ says: "the {zone}", zone: zone.label })),
  ];
  const buttons = offers.length > 3 ? [{ says: "a button below" }] : offers.map(buttonOf);
  return all.length ? [...all, ...buttons] : [];
}

/** A button, in words. @param {any} one @returns {Value} */
const buttonOf = (one) => ({ says: "the button “{move}”", move: { sentence: one.label } });

/**
 * What the coach says: whom the table waits for, the move of a hint with what it does, or where moves are made.
 * @param {any} props `aim`: the move of a hint
 */
export function advised({ view, table, turn, chosen, lifted, offers, aim = null }) {
  if (table.stage !== "playing") return "";
  const reader = { names: table.names, you: table.you };
  if (!turn) {
    const seats = view.actors
      .filter((/** @type {number} */ seat) => seat !== table.you)
      .map((/** @type {number} */ seat) => ({ seat }));
    const told = {
      says: "{seats} {seats:is|are|are} to play. Meanwhile you can choose a card of yours, to have it ready.",
      seats: seats.length ? seats : { says: "somebody" },
    };
    return written(told, reader, true);
  }
  if (aim) {
    /** @type {Value} */
    const move = aim.label ? { sentence: aim.label } : { says: "Play {move}", move: { moves: aim.text } };
    return aim.does
      ? written({ says: "{move}: {does}.", move, does: aim.does }, reader, true)
      : written({ says: "{move}.", move }, reader, true);
  }
  if (chosen.length || lifted) return "";
  const all = places(view, offers);
  return all.length ? written({ says: "Choose {places}.", places: { either: all } }, reader) : "";
}

/**
 * Ask for a hint once, a moment after something has become due.
 * @param {boolean} due @param {() => void} ask
 */
export function useAdvice(due, ask) {
  useEffect(() => {
    if (!due) return undefined;
    const timer = setTimeout(ask, SETTLES);
    return () => clearTimeout(timer);
  }, [due]);
}

/** @param {any} props `told`: what the coach says; `asked`: what stands before it where the message has no room */
export function Coach({ told, thinks = false, asked = "", hint, rules, close, lesson = "", game = "" }) {
  const words = useTerms(game);
  return html`<aside class="coach" aria-label=${tr("Coach")} aria-busy=${String(thinks)}>
    <p role="status">${asked} <b>${words(told)}</b></p>
    <span>${lesson && html`<a class="button" href=${lesson}>${tr("Play a first hand")}</a>`}${
      hint && html`<button type="button" onClick=${hint}>${tr("What would you play?")}</button>`
    }<button
      type="button" onClick=${rules}>${tr("Rules")}</button>
    <button type="button" class="quiet" onClick=${close} aria-label=${tr("Close the coach")}>✕</button>
    </span></aside>`;
}

/**
 * Mark the place where the move of a hint begins, if that is a heap or a button.
 * @param {{current: HTMLElement | null}} felt @param {any} aim
 */
export function usePointed(felt, aim) {
  useEffect(() => {
    if (!aim) return undefined;
    const heap = aim.source && felt.current?.querySelector(`.heap[data-zone="${CSS.escape(aim.source)}"]`);
    heap?.classList.add("advised");
    return () => heap?.classList.remove("advised");
  }, [aim?.text]);
}

/**
 * Count the player's own turns of a game: the coach is silent after the first few.
 * @param {import("./scene.js").Table} table @param {boolean} turn
 */
export function useExperience(table, turn) {
  useEffect(() => {
    if (turn) tookTurn(table.game, table.preset);
  }, [turn]);
}

/**
 * Whether this is the first deal, and nobody else waits for this player: then a first hand is offered.
 * @param {import("../hand/moves.js").View} view @param {import("./scene.js").Table} table
 */
export const alone = (view, table) =>
  view.deal === 1 &&
  view.results.length === 0 &&
  !table.live &&
  table.seats.every((place) => place.kind === "bot" || place.seat === table.you);

/**
 * The rules that matter now: first those because of which cards cannot be played, then those of what has just happened
 * (without the dealing).
 * @param {Record<string, {rule: string}>} reasons @param {any[]} lines of the log, the newest last
 */
export function speaking(reasons, lines) {
  const dealt = lines.filter((line) => line.kind === "deal").at(-1)?.number ?? 0;
  const recent = lines
    .slice(-6)
    .filter((line) => line.number > dealt)
    .reverse()
    .map((line) => line.rule);
  return [...new Set([...Object.values(reasons).map((reason) => reason.rule), ...recent])].filter(Boolean).slice(0, 3);
}

/** @param {{table: any, rules: string[], open: (rule: string) => void}} props */
export function RuleStrip({ table, rules, open }) {
  const path = rulesAt(table.game, table.preset, table.options, table.seats.length);
  const [page] = useAsked(() => pageAt(path, table.game), [path]);
  const found = page ? rules.map((rule) => ({ rule, text: clause(page, rule) })).filter((one) => one.text) : [];
  if (!found.length) return null;
  return html`<section class="strip-rules" aria-label=${tr("Rules of this turn")}><h2>${tr("What matters now")}</h2>
    <ul>${found.map(
      ({ rule, text }) => html`<li key=${rule}><p lang="en" dangerouslySetInnerHTML=${{ __html: text }}>
      </p><button type="button" class="rule" onClick=${() => open(rule)}
      aria-label=${tr("Rule {rule} in the rulebook", { rule })}>${rule}</button></li>`,
    )}</ul><${InEnglish} /></section>`;
}
