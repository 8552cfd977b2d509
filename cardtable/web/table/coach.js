/** Help in the first turns, and the rules that matter in this turn. It is based on the moves that the server offers. */
import { html, useEffect } from "../browser/html.js";
import { rulesAt } from "../net/api.js";
import { clause, InEnglish, pageAt } from "../net/book.js";
import { knows, tookTurn, unsure } from "../browser/experience.js";
import { tr, written } from "../text/message.js";
import { useAsked } from "../net/asked.js";

/** @typedef {import("../text/message.js").Value} Value */

// ms of a turn before the coach thinks about it
const SETTLES = 700;

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
    ...from
      .filter((zone) => zone.kind === "action" && !zone.seats.length)
      .map((zone) => ({ says: "“{move}” on the table", move: { sentence: zone.label } })),
  ];
  const buttons = offers.length > 3 ? [{ says: "a button below" }] : offers.map(buttonOf);
  return all.length ? [...all, ...buttons] : [];
}

/** A button, in words. @param {any} one @returns {Value} */
const buttonOf = (one) => ({ says: "the button “{move}”", move: { sentence: one.label } });

/**
 * Where moves are made now, in a sentence; "": the game's own question says it.
 * @param {any} props
 */
export function advised({ view, table, turn, chosen, lifted, offers }) {
  if (table.stage !== "playing" || !turn || chosen.length || lifted) return "";
  const all = places(view, offers);
  return all.length ? written({ says: "Choose {places}.", places: { either: all } }, table) : "";
}

/**
 * The coach of the first few own turns of a game: in the first ones it asks for a hint, a moment after the turn has
 * begun, or says where moves are made; "": it is silent. It asks for nothing where results of people are compared.
 * @param {import("./felt.js").Drawn} props @returns {{there: boolean, says: string}}
 */
export function useCoach({ view, table, you, turn, chose, session, gestures }) {
  const { chosen, lifted, offers } = gestures;
  const { advice, foreseen, wondering, quiet, refused, shown, advise } = session;
  const there = !chose.coached && !knows(table.game, table.preset) && you !== null && table.stage === "playing";
  const early = there && turn && unsure(table.game, table.preset);
  const idle = !advice && !foreseen && !wondering && !refused && !shown.beat && !chosen.length && !lifted;
  const company = table.seats.some((/** @type {any} */ place) => place.kind === "person" && place.seat !== you);
  const hints = table.may.includes("hint") && !company && !table.daily && view.legal.length > 1;
  const due = early && idle && hints && !quiet;
  useEffect(() => {
    if (!due) return undefined;
    const timer = setTimeout(advise, SETTLES);
    return () => clearTimeout(timer);
  }, [due]);
  return { there, says: early && idle && !hints ? advised({ view, table, turn, chosen, lifted, offers }) : "" };
}

/**
 * Mark where the move of a hint begins, if that is a heap, and the cards and the place on the table that it goes to.
 * @param {{current: HTMLElement | null}} felt @param {any} aim
 */
export function usePointed(felt, aim) {
  useEffect(() => {
    const board = felt.current?.querySelector(".board");
    if (!aim || !board) return undefined;
    const zone = (/** @type {string} */ name) => `[data-zone="${CSS.escape(name)}"]`;
    const marks = [
      ...(aim.source ? [`.heap${zone(aim.source)}`] : []),
      ...(aim.target ? [`${zone(aim.target)} li:last-child > .card`, `${zone(aim.target)} > .void`] : []),
      ...(aim.cards ?? []).slice(1).map((/** @type {string} */ card) => `.spread [data-card="${card}"]`),
    ];
    const found = marks.flatMap((mark) => [...board.querySelectorAll(mark)]);
    for (const el of found) el.classList.add("advised");
    return () => found.forEach((el) => el.classList.remove("advised"));
  });
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
