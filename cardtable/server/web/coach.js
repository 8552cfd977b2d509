/** Help for the first hand, and the rules that matter in this turn. What may be done is read off what the server offers. */
import { html } from "./html.js";
import { rulesAt } from "./api.js";
import { clause, pageAt } from "./book.js";
import { useAsked } from "./hooks.js";
import { aloud } from "./message.js";
import { spreadIn, togetherIn } from "./moves.js";

/** Whether a click on something that lies on the table or in a hand is a move. @param {any} view */
const clickable = (view) => view.choices.some((/** @type {any} */ move) => move.source);

/** What one can do now, in plain words. @param {any} props */
export function advised({ view, table, turn, chosen, lifted, playable, offers }) {
  if (table.stage !== "playing") return "";
  if (!turn) {
    const names = view.actors.filter((/** @type {number} */ seat) => seat !== table.you).map((/** @type {number} */ seat) => table.names[seat]);
    return `${names.join(", ") || "Somebody"} is to play. Meanwhile you can choose a card of yours, to have it ready.`;
  }
  const asked = togetherIn(view) ?? spreadIn(view);
  if (asked) return `It is your turn. ${aloud(asked.ask, {}, true)}; the button below does it.`;
  if (chosen.length) return offers.length ? "Now say what to do with it: press one of the buttons below." : "Choose the same card again to play it.";
  if (lifted) return "Now choose the place where it shall go.";
  if (view.zones.some((/** @type {any} */ zone) => zone.kind === "column")) return "Cards with a bright edge can be moved: choose one, or drag it to another column.";
  if (playable) return "It is your turn. Cards with a bright edge can be played: choose one. Any other tells you why it cannot.";
  const shining = clickable(view);
  if (shining && offers.length) return "It is your turn. Choose what has a bright edge on the table, or press one of the buttons below.";
  return shining ? "It is your turn. Choose what has a bright edge on the table." : "It is your turn, and no card is to be chosen: press one of the buttons below.";
}

/** @param {any} props */
export function Coach({ told, hint, rules, close }) {
  return html`<aside class="coach" aria-label="Coach"><p role="status">${told}</p>
    <span>${hint && html`<button type="button" onClick=${hint}>What would you play?</button>`}<button type="button" onClick=${rules}>Rules</button>
    <button type="button" class="quiet" onClick=${close} aria-label="Close the coach">✕</button></span></aside>`;
}

/**
 * The rules that speak now: those for which cards cannot be played, then those of what has just happened (not of the deal itself).
 * @param {Record<string, {rule: string}>} reasons @param {any[]} lines of the log, the newest last
 */
export function speaking(reasons, lines) {
  const dealt = lines.filter((line) => line.kind === "deal").at(-1)?.number ?? 0;
  const recent = lines.slice(-6).filter((line) => line.number > dealt).reverse().map((line) => line.rule);
  return [...new Set([...Object.values(reasons).map((reason) => reason.rule), ...recent])].filter(Boolean).slice(0, 3);
}

/** @param {{table: any, rules: string[], open: (rule: string) => void}} props */
export function RuleStrip({ table, rules, open }) {
  const path = rulesAt(table.game, table.preset, table.options, table.seats.length);
  const [page] = useAsked(() => pageAt(path), [path]);
  const found = page ? rules.map((rule) => ({ rule, text: clause(page, rule) })).filter((one) => one.text) : [];
  if (!found.length) return null;
  return html`<section class="strip-rules" aria-label="Rules of this turn"><h2>What matters now</h2>
    <ul>${found.map(({ rule, text }) => html`<li key=${rule}><p dangerouslySetInnerHTML=${{ __html: text }}></p><button type="button" class="rule" onClick=${() => open(rule)} aria-label=${`Rule ${rule} in the rulebook`}>${rule}</button></li>`)}</ul></section>`;
}
