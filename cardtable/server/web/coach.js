/** Help for the first hand, and the rules that matter in this turn. It is based on the moves that the server offers. */
import { html } from "./html.js";
import { rulesAt } from "./api.js";
import { clause, pageAt } from "./book.js";
import { useAsked } from "./hooks.js";
import { tr, written } from "./message.js";
import { spreadIn, togetherIn } from "./moves.js";

/** Whether some move is made by a click on the table or in a hand. @param {any} view */
const clickable = (view) => view.choices.some((/** @type {any} */ move) => move.source);

/** What the player can do now, in plain words. @param {any} props */
export function advised({ view, table, turn, chosen, lifted, playable, offers }) {
  if (table.stage !== "playing") return "";
  if (!turn) {
    const seats = view.actors
      .filter((/** @type {number} */ seat) => seat !== table.you)
      .map((/** @type {number} */ seat) => ({ seat }));
    const told = {
      says: "{seats} {seats:is|are|are} to play. Meanwhile you can choose a card of yours, to have it ready.",
      seats: seats.length ? seats : { says: "somebody" },
    };
    return written(told, { names: table.names }, true);
  }
  const asked = togetherIn(view) ?? spreadIn(view);
  if (asked) return tr("It is your turn. {asked}; the button below does it.", { asked: { sentence: asked.ask } });
  if (chosen.length)
    return offers.length
      ? tr("Now say what to do with it: press one of the buttons below.")
      : tr("Choose the same card again to play it.");
  if (lifted) return tr("Now choose the place where it is to go.");
  if (view.zones.some((/** @type {any} */ zone) => zone.kind === "column"))
    return tr("Cards with a bright edge can be moved: choose one, or drag it to another column.");
  if (playable)
    return tr(
      "It is your turn. Cards with a bright edge can be played: choose one. Any other tells you why it cannot.",
    );
  const shining = clickable(view);
  if (shining && offers.length)
    return tr("It is your turn. Choose what has a bright edge on the table, or press one of the buttons below.");
  return shining
    ? tr("It is your turn. Choose what has a bright edge on the table.")
    : tr("It is your turn, and no card is to be chosen: press one of the buttons below.");
}

/** @param {any} props */
export function Coach({ told, hint, rules, close }) {
  return html`<aside class="coach" aria-label=${tr("Coach")}><p role="status">${told}</p>
    <span>${hint && html`<button type="button" onClick=${hint}>${tr("What would you play?")}</button>`}<button
      type="button" onClick=${rules}>${tr("Rules")}</button>
    <button type="button" class="quiet" onClick=${close} aria-label=${tr("Close the coach")}>✕</button>
    </span></aside>`;
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
  const [page] = useAsked(() => pageAt(path), [path]);
  const found = page ? rules.map((rule) => ({ rule, text: clause(page, rule) })).filter((one) => one.text) : [];
  if (!found.length) return null;
  return html`<section class="strip-rules" aria-label=${tr("Rules of this turn")}><h2>${tr("What matters now")}</h2>
    <ul>${found.map(
      ({ rule, text }) => html`<li key=${rule}><p lang="en" dangerouslySetInnerHTML=${{ __html: text }}>
      </p><button type="button" class="rule" onClick=${() => open(rule)}
      aria-label=${tr("Rule {rule} in the rulebook", { rule })}>${rule}</button></li>`,
    )}</ul></section>`;
}
