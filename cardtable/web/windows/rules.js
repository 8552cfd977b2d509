/**
 * The rules of a game at a table: the rulebook page for its preset and house rules, and the clause that a refusal
 * named.
 */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { decoded } from "../browser/address.js";
import { get, rulesAt } from "../net/api.js";
import { clause, InEnglish, pageAt } from "../net/book.js";
import { code } from "../text/language.js";
import { Said, tr } from "../text/message.js";
import { Dialog } from "./dialog.js";
import { lessonAt } from "../browser/experience.js";
import { useAsked } from "../net/asked.js";

const NOTHING = Promise.resolve(null);
const wholeAt = (/** @type {string} */ game) => `/api/games/${encodeURIComponent(game)}/rules.html?whole=1`;

/** @param {any} props `now`: the rules that matter in this turn; `whole`: the page with the rules of all presets */
function Book({ game, preset = "", options = {}, seats = 0, rule = "", now = [], whole = false }) {
  const path = whole ? wholeAt(game) : rulesAt(game, preset, options, seats, code());
  const [page, error] = useAsked(() => pageAt(path, game), [path]);
  const missing = Boolean(rule && page && !page.clauses.getElementById(rule));
  const [all] = useAsked(() => (missing ? pageAt(wholeAt(game), game) : NOTHING), [game, missing]);
  const elsewhere = missing && all ? clause(all, rule) : "";
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const found = rule ? box.current?.querySelector(`#${CSS.escape(rule)}`) : null;
    found?.classList.add("lit");
    found?.scrollIntoView({ block: "center" });
    return () => found?.classList.remove("lit");
  }, [page, rule]);
  if (error) return html`<p role="alert">${error.message}</p>`;
  if (!page) return html`<p role="status">${tr("Loading the rulebook …")}</p>`;
  return html`<article class="book" ref=${box}>
    <h1>${tr(page.title)}</h1>
    ${!page.translated && html`<${InEnglish} />`}
    <p class="sub"><${Said} message=${{
      says: "A word with a dotted line opens its meaning; {link:the glossary} has all of them.",
      link: {
        shown: (/** @type {string} */ words) => html`<a href="/glossary" target="_blank">${words}</a>`,
      },
    }} /></p>
    ${
      missing &&
      html`<p>${tr("Rule {rule}", { rule })}${
        elsewhere && html`: <span lang="en" dangerouslySetInnerHTML=${{ __html: elsewhere }} />`
      }</p>`
    }
    ${
      !rule &&
      now.length > 0 &&
      html`<div class="house"><h2>${tr("What matters now")}</h2>${now
        .map((/** @type {string} */ one) => [one, clause(page, one)])
        .filter((/** @type {string[]} */ [, text]) => text)
        .map(
          (/** @type {string[]} */ [one, text]) =>
            html`<p key=${one} lang="en"><b>${one}</b> <span dangerouslySetInnerHTML=${{ __html: text }} /></p>`,
        )}</div>`
    }
    <div lang=${page.translated ? null : "en"} dangerouslySetInnerHTML=${{ __html: page.body }}></div>
  </article>`;
}

/** @param {any} props */
export function RulesWindow({ close, ...rest }) {
  return html`<${Dialog} title=${tr("Rules")} close=${close} wide><${Book} ...${rest} /><//>`;
}

/**
 * The rules as a separate page, with a choice of the preset. The address may name the preset, the seats and house
 * rules.
 * @param {{name: string}} props
 */
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
    ${
      choice.length > 2 &&
      html`<div class="presets" role="radiogroup" aria-label=${tr("Rules of")}>
      ${choice.map(
        (one) => html`<label key=${one}>
      <input type="radio" name="preset" checked=${chosen === one} onChange=${() => take(one)} /><span>
      ${one === "all" ? tr("all of them") : tr(game.titles[one])}</span></label>`,
      )}</div>`
    }
    <${Book} game=${name} preset=${preset} whole=${chosen === "all"} options=${same ? options : {}}
      seats=${same ? Number(asked.get("seats")) : 0} rule=${decoded(location.hash.slice(1))} />
    <p>${
      game &&
      html`<a class="button" href=${lessonAt(
        game.name,
        preset && preset !== "all" ? preset : game.opens.preset,
      )}>${tr("Play a first hand")}</a> `
    }<a class="button primary" href=${`/new?game=${encodeURIComponent(name)}${
      preset && preset !== "all" ? `&preset=${encodeURIComponent(preset)}` : ""
    }`}>${tr("Set up a table")}</a></p>
  </main>`;
}
