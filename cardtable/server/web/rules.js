/** The rules of a game: the rulebook's page, the house rules of this table, and the clause that a refusal named. */
import { html, useEffect, useRef } from "./html.js";
import { get } from "./api.js";
import { clause } from "./coach.js";
import { Told } from "./cards.js";
import { Dialog } from "./dialog.js";
import { Markdown } from "./markdown.js";
import { useAsked } from "./hooks.js";

/** @param {any} props */
function Book({ game, preset, options = {}, rule = "", now = [] }) {
  const [told, error] = useAsked(() => get(`/api/games/${encodeURIComponent(game)}`), [game]);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.querySelector(".lit")?.scrollIntoView({ block: "center" }), [told, rule]);
  if (error) return html`<p role="alert">${error.message}</p>`;
  if (!told) return html`<p role="status">Fetching the rulebook …</p>`;
  const differ = Object.entries(options);
  return html`<article class="book" ref=${box}>
    <h1>${told.title}</h1>
    ${preset && html`<p class="house">Played here: <b>${preset}</b> rules${differ.length ? ", with house rules:" : "."}</p>`}
    ${differ.length > 0 && html`<ul class="house">${differ.map(([name, value]) => html`<li key=${name}>${told.options.find((/** @type {any} */ o) => o.name === name)?.text ?? name}: <b>${String(value)}</b></li>`)}</ul>`}
    ${rule && !told.page.includes(rule) && html`<p>Rule ${rule}</p>`}
    ${!rule && now.length > 0 && html`<div class="house"><h2>What matters now</h2>${now.map((/** @type {string} */ one) => [one, clause(told.page, one)]).filter((/** @type {string[]} */ [, text]) => text).map((/** @type {string[]} */ [one, text]) => html`<p key=${one}><b>${one}</b> <${Told} text=${text} /></p>`)}</div>`}
    <${Markdown} text=${told.page} lit=${rule} />
  </article>`;
}

/** @param {any} props */
export function RulesWindow({ close, ...rest }) {
  return html`<${Dialog} title="Rules" close=${close} wide><${Book} ...${rest} /><//>`;
}

/** @param {{name: string}} props */
export function RulesPage({ name }) {
  return html`<main class="page" id="main"><${Book} game=${name} rule=${decodeURIComponent(location.hash.slice(1))} /><p><a class="button primary" href="/new?game=${name}">Set up a table</a></p></main>`;
}
