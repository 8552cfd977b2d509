/** The player's statistics, game by game. */
import { html } from "./html.js";
import { get } from "./api.js";
import { useAsked } from "./hooks.js";
import { Said, tr } from "./message.js";

export function Statistics() {
  const [told, error] = useAsked(() => get("/api/statistics"), []);
  return html`<main class="page" id="main"><h1>${tr("Statistics")}</h1>
    ${error && html`<p class="problem" role="alert">${error.message}</p>`}
    ${
      told &&
      !told.games.length &&
      html`<p><${Said} message=${{
        says: "No match is finished yet. {link:Play one}.",
        link: { shown: (/** @type {string} */ words) => html`<a href="/">${words}</a>` },
      }} /></p>`
    }
    ${
      told?.games.length > 0 &&
      html`<div class="scroll" tabindex="0" role="region" aria-label=${tr("Statistics")}><table class="scores"><thead>
        <tr><th scope="col">${tr("Game")}</th><th scope="col">${tr("Matches")}</th><th scope="col">${tr("Won")}</th>
        <th scope="col">${tr("Rate")}</th><th scope="col">${tr("Won without help")}</th><th scope="col">
        ${tr("after taking back")}</th><th scope="col">${tr("with hints")}</th><th scope="col">${tr("Deals")}</th>
        <th scope="col">${tr("Points a match")}</th></tr></thead>
      <tbody>${told.games.map(
        (/** @type {any} */ row) => html`<tr key=${row.game}><th scope="row">${tr(row.title)}</th>
        <td>${row.matches}</td><td>${row.won}</td><td>${
          row.matches ? Math.round((100 * row.won) / row.matches) : 0
        } %</td><td>${row.clean}</td><td>${row.undone}</td><td>${row.hinted}</td><td>${row.deals}</td><td>
        ${row.matches ? (row.score / row.matches).toFixed(1) : "–"}</td></tr>`,
      )}</tbody></table></div>`
    }
  </main>`;
}
