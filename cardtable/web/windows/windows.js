/** The windows of a table: rules, settings, help, moves, last trick, looking back, menu, log. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { Card } from "../faces/cards.js";
import { Laid } from "../replay/laid.js";
import { NewDeal } from "../table/alone.js";
import { Reactions } from "../table/company.js";
import { Chat, Log } from "../table/log.js";
import { faces } from "../text/language.js";
import { KEYS } from "../hand/keys.js";
import { DealReview } from "./dealreview.js";
import { Dialog } from "./dialog.js";
import { GlossaryWindow } from "./glossary.js";
import { Menu, Share } from "./menu.js";
import { RulesWindow } from "./rules.js";
import { Settings } from "./settings.js";
import { aloud, Said, tr, written } from "../text/message.js";

/** The list of keys. @param {{close: () => void}} props */
function Help({ close }) {
  const letters = [...faces().letters.toLowerCase()].join(" ");
  return html`<${Dialog} title=${tr("Keys")} close=${close}>
    <dl class="keys">${KEYS.map(
      ([key, what]) => html`<div key=${key}><dt><kbd>${tr(key)}</kbd></dt><dd>${tr(what, { letters })}</dd>
      </div>`,
    )}</dl>
    <p>${tr("Cards with a bright edge can be played. Click on any other to see why it cannot.")}</p>
    <p><a href="/about">${tr("About Cardtable, and licences")}</a></p>
  <//>`;
}

/** Many moves, as a list that can be filtered by typing. @param {any} props */
function Moves({ offers, table, play, close }) {
  const [wanted, setWanted] = useState("");
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const said = (/** @type {any} */ one) =>
    `${one.move} ${written(one.label, table)} ${aloud(one.label, table)}`.toLowerCase();
  const fits = offers.filter((/** @type {any} */ one) => words.every((word) => said(one).includes(word)));
  return html`<${Dialog} title=${tr("Your moves")} close=${close}>
    <p><input type="search" aria-label=${tr("Filter the moves")} placeholder=${tr("Filter: 7h, builds, …")}
      value=${wanted} autofocus onInput=${(/** @type {any} */ e) => setWanted(e.target.value)}
      onKeyDown=${(/** @type {KeyboardEvent} */ e) => e.key === "Enter" && fits.length === 1 && play(fits[0].move)} />
        </p>
    <ul class="movelist" aria-label=${tr("{n} {n:move|moves}", { n: fits.length })}>
      ${fits.slice(0, 200).map(
        (/** @type {any} */ one) => html`<li key=${one.move}>
      <button type="button" onClick=${() => play(one.move)}>
      <${Said} message=${one.label} names=${table.names} you=${table.you} sentence /></button></li>`,
      )}</ul>
    ${fits.length > 200 && html`<p>${tr("and {n} more: type to narrow them down", { n: fits.length - 200 })}</p>`}
  <//>`;
}

/** @typedef {import("../table/scene.js").Past} Past */

/**
 * Looking back during a match: the table as the player saw it, step by step. Nothing is taken back.
 * @param {{past: Past[], table: any, close: () => void}} props
 */
function LookBack({ past: given, table, close }) {
  const [past] = useState(given); // fixed, so that new moves do not shift what the player is looking at
  const [at, setAt] = useState(Math.max(0, past.length - 2));
  const felt = useRef(/** @type {HTMLElement | null} */ (null));
  const go = (/** @type {number} */ to) => setAt(Math.max(0, Math.min(past.length - 1, to)));
  useEffect(() => {
    const heard = (/** @type {KeyboardEvent} */ e) =>
      e.key === "ArrowLeft" ? go(at - 1) : e.key === "ArrowRight" ? go(at + 1) : undefined;
    document.addEventListener("keydown", heard);
    return () => document.removeEventListener("keydown", heard);
  }, [at]);
  const { view, lines } = past[at];
  const { names, you } = table;
  const zones = view.zones.filter((zone) => zone.kind !== "action");
  const still = { ...view, actors: [], choices: [], zones };
  return html`<${Dialog} title=${tr("Looking back")} close=${close} wide name="past reviewing">
    <div class="controls" role="toolbar" aria-label=${tr("Steps")}>
      <button type="button" aria-label=${tr("One step back")} disabled=${at === 0}
      onClick=${() => go(at - 1)}>◀</button>
      <output>${at + 1} / ${past.length}</output><button type="button" aria-label=${tr("One step on")}
        disabled=${at === past.length - 1} onClick=${() => go(at + 1)}>▶</button>
      <span class="events">${lines.map(
        (line, i) => html`<span key=${i}>
        <${Said} message=${line.message} names=${names} you=${you} sentence /> </span>`,
      )}</span></div>
    <${Laid} felt=${felt} view=${still} names=${names} you=${you} seat=${you ?? 0} game=${table.game} />
  <//>`;
}

/**
 * The window that is open, if any.
 * @param {{opened: string, state: any, offers: any[], rule: string, rules: any, code: string, back: any,
 *   review: {sheet: import("../replay/review.js").Reviewed | null, ask: () => void,
 *   place: import("../replay/place.js").Place},
 *   lastTrick: import("../hand/moves.js").Zone | null, open: (name: string) => void, openRule: (rule: string) => void,
 *   play: (move: string) => void, send: (type: string, fields?: any) => void}} props
 *   `rule`: where the rules are opened; `rules`: the relevant ones; `back`: the button that looks back
 */
export function OpenWindow(props) {
  const { opened, state, offers, rule, rules, code, back, lastTrick, review, open, openRule, play, send } = props;
  const { table, view, log, past } = state;
  const close = () => open("");
  switch (opened) {
    case "rules":
      return html`<${RulesWindow} now=${rules} game=${table.game} preset=${table.preset} options=${table.options}
        seats=${table.seats.length} rule=${rule} close=${close} />`;
    case "settings":
      return html`<${Settings} close=${close} />`;
    case "glossary":
      return html`<${GlossaryWindow} close=${close} />`;
    case "help":
      return html`<${Help} close=${close} />`;
    case "moves":
      return (
        view &&
        html`<${Moves} offers=${offers} table=${table} close=${close}
          play=${(/** @type {string} */ move) => (close(), play(move))} />`
      );
    case "trick":
      return (
        lastTrick &&
        html`<${Dialog} title=${tr("The last trick")} close=${close}><div class="lasttrick">
          ${lastTrick.cards.map((card, i) => {
            const who = table.names[lastTrick.by?.[i] ?? 0];
            return html`<div key=${i}><${Card} card=${card} still /><span>${who}</span></div>`;
          })}</div><//>`
      );
    case "past":
      return past.length > 1 && html`<${LookBack} past=${past} table=${table} close=${close} />`;
    case "menu":
      return html`<${Menu} table=${table} code=${code} send=${send} close=${close} open=${open} />`;
    case "share":
      return html`<${Dialog} title=${tr("Share this deal")} close=${close}><${Share} table=${table} /><//>`;
    case "talk":
      return html`<${Dialog} title=${tr("Log")} close=${close}><p>${back}</p>
        <${Log} lines=${log} names=${table.names} you=${table.you} onRule=${openRule} game=${table.game} /><//>`;
    case "deal":
      return html`<${Dialog} title=${tr("New deal")} close=${close}>
        <${NewDeal} table=${table} send=${send} close=${close} /><//>`;
    case "chat":
      return html`<${Dialog} title=${tr("Chat")} close=${close}>
        <${Chat} table=${table} focus say=${(/** @type {string} */ text) => send("say", { text })} />
        <${Reactions} table=${table} send=${send} /><//>`;
    case "review":
      return (
        table.may.includes("review") &&
        view &&
        html`<${DealReview} table=${table} view=${view} ...${review} close=${close} />`
      );
    default:
      return null;
  }
}
