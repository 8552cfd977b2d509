/** The glossary: all terms, with a search; as a page and as a window of a table. */
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { decoded } from "../browser/address.js";
import { get } from "../net/api.js";
import { Problem, useAsked } from "../net/asked.js";
import { english, headword, inWords } from "../net/terms.js";
import { code } from "../text/language.js";
import { tr } from "../text/message.js";
import { sought } from "../text/words.js";
import { Dialog } from "./dialog.js";

/** @param {{name?: string}} props `name`: the term that the address names */
function Terms({ name = "" }) {
  const [told, error] = useAsked(() => get("/api/glossary"), []);
  const [games] = useAsked(() => get("/api/games"), []);
  const [typed, setTyped] = useState("");
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const found = told && name ? box.current?.querySelector(`#${CSS.escape(name)}`) : null;
    found?.classList.add("lit");
    found?.scrollIntoView({ block: "center" });
  }, [told, name]);
  if (error) return html`<${Problem} error=${error} />`;
  if (!told) return html`<p class="loading" role="status">${tr("One moment …")}</p>`;
  const title = (/** @type {string} */ game) =>
    tr(games?.games.find((/** @type {any} */ one) => one.name === game)?.title ?? game);
  const found = sought(told.terms, typed, inWords).sort((a, b) => headword(a).localeCompare(headword(b), code()));
  return html`<div class="glossary" ref=${box}>
    <input type="search" aria-label=${tr("Find a term")} placeholder=${tr("Find a term")} maxlength="60"
      autocomplete="off" value=${typed} onInput=${(/** @type {any} */ e) => setTyped(e.target.value)} />
    <p class="sr" role="status">${typed.trim() ? tr("{n} found", { n: found.length }) : ""}</p>
    <dl>${found.map(
      (one) => html`<div key=${one.name} id=${one.name}>
        <dt>${headword(one)}${english(one) && html` <small lang="en">${english(one)}</small>`}</dt>
        <dd>${inWords(one.means)}${
          one.games.length > 0 && html` <small>${one.games.map(title).join(", ")}</small>`
        }</dd>
      </div>`,
    )}</dl>
    ${!found.length && html`<p>${tr("No term has these letters.")}</p>`}
  </div>`;
}

/** @param {{close: () => void}} props */
export const GlossaryWindow = ({ close }) =>
  html`<${Dialog} title=${tr("Glossary")} close=${close} wide><${Terms} /><//>`;

/** The glossary as a separate page; `#trick` shows that term. */
export const GlossaryPage = () =>
  html`<main class="page" id="main"><h1>${tr("Glossary")}</h1>
    <p>${tr("The words of the card table, in the sense in which the rules here use them.")}</p>
    <${Terms} name=${decoded(location.hash.slice(1))} /></main>`;
