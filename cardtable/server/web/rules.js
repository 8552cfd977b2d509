/** The rules of a game as a table plays it: the rulebook's page for its preset and house rules, and the clause that a refusal named. */
import { html, useEffect, useRef, useState } from "./html.js";
import { get, rulesAt } from "./api.js";
import { clause } from "./coach.js";
import { Said, tr } from "./message.js";
import { Dialog } from "./dialog.js";
import { Markdown } from "./markdown.js";
import { useAsked } from "./hooks.js";

const NOTHING = Promise.resolve(null);

/** @param {any} props `now`: the rules that matter in this turn; `whole`: the page with the rules of all presets */
function Book({ game, preset = "", options = {}, seats = 0, rule = "", now = [], whole = false }) {
  const path = whole ? `/api/games/${encodeURIComponent(game)}` : rulesAt(game, preset, options, seats);
  const [told, error] = useAsked(() => get(path), [path]);
  const missing = Boolean(rule && told && !told.page.includes(rule));
  const [all] = useAsked(() => (missing ? get(`/api/games/${encodeURIComponent(game)}`) : NOTHING), [game, missing]);
  const elsewhere = missing && all ? clause(all.page, rule) : "";
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => box.current?.querySelector(".lit")?.scrollIntoView({ block: "center" }), [told, rule]);
  if (error) return html`<p role="alert">${error.message}</p>`;
  if (!told) return html`<p role="status">${tr("Fetching the rulebook …")}</p>`;
  return html`<article class="book" ref=${box}>
    <h1>${tr(told.title)}</h1>
    ${missing && html`<p>${tr("Rule {rule}", { rule })}${elsewhere && html`: <span lang="en"><${Said} message=${{ moves: elsewhere }} /></span>`}</p>`}
    ${!rule && now.length > 0 && html`<div class="house"><h2>${tr("What matters now")}</h2>${now.map((/** @type {string} */ one) => [one, clause(told.page, one)]).filter((/** @type {string[]} */ [, text]) => text).map((/** @type {string[]} */ [one, text]) => html`<p key=${one} lang="en"><b>${one}</b> <${Said} message=${{ moves: text }} /></p>`)}</div>`}
    <div lang="en"><${Markdown} text=${told.page.replace(/^# .*\n/, "")} lit=${rule} /></div>
  </article>`;
}

/** @param {any} props */
export function RulesWindow({ close, ...rest }) {
  return html`<${Dialog} title=${tr("Rules")} close=${close} wide><${Book} ...${rest} /><//>`;
}

/** A page of its own, with a choice of the preset. The address may name the preset, the seats and house rules. @param {{name: string}} props */
export function RulesPage({ name }) {
  const asked = new URLSearchParams(location.search);
  const [preset, setPreset] = useState(asked.get("preset") ?? "");
  const [game] = useAsked(() => get(`/api/games/${encodeURIComponent(name)}`), [name]);
  const options = Object.fromEntries([...asked].filter(([key]) => key !== "preset" && key !== "seats"));
  const chosen = preset || (game?.opens.preset ?? "");
  const take = (/** @type {string} */ one) => {
    setPreset(one);
    history.replaceState(null, "", `?preset=${encodeURIComponent(one)}${location.hash}`);
  };
  const same = chosen === (asked.get("preset") || game?.opens.preset);
  const choice = [...(game?.presets ?? []), "all"];
  return html`<main class="page" id="main">
    ${choice.length > 2 && html`<div class="presets" role="radiogroup" aria-label=${tr("Rules of")}>${choice.map((/** @type {string} */ one) => html`<label key=${one}><input type="radio" name="preset" checked=${chosen === one} onChange=${() => take(one)} /><span>${one === "all" ? tr("all of them") : tr(game.titles[one])}</span></label>`)}</div>`}
    <${Book} game=${name} preset=${preset} whole=${chosen === "all"} options=${same ? options : {}} seats=${same ? Number(asked.get("seats")) : 0} rule=${decodeURIComponent(location.hash.slice(1))} />
    <p><a class="button primary" href=${`/new?game=${encodeURIComponent(name)}${preset && preset !== "all" ? `&preset=${encodeURIComponent(preset)}` : ""}`}>${tr("Set up a table")}</a></p>
  </main>`;
}
