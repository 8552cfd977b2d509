/** A game for one: the same deal from the beginning, a new one, and how hard it is. */
import { html, useState } from "../browser/html.js";
import { visit } from "../browser/address.js";
import { get, post } from "../net/api.js";
import { tr } from "../text/message.js";
import { choices } from "../browser/store.js";
import { useAsked } from "../net/asked.js";

/**
 * A table like another one, perhaps of another variant of its game.
 * @param {import("./scene.js").Table} table
 * @param {string} preset
 * @param {boolean} winnable whether its deal is one that the solver wins
 */
async function another(table, preset, winnable) {
  const { game, hints } = table;
  const options = preset === table.preset ? table.options : {};
  const made = await post("/api/tables", { game, preset, hints, options, winnable, name: choices().name });
  visit(made.path);
}

/**
 * What to play instead, in a window.
 * @param {{table: any, send: (type: string, fields?: any) => void, close: () => void}} props
 */
export function NewDeal({ table, send, close }) {
  const [wrong, setWrong] = useState("");
  const [told] = useAsked(() => get("/api/games"), []);
  const game = told?.games.find((/** @type {any} */ one) => one.name === table.game);
  const deal = (/** @type {string} */ preset, winnable = false) =>
    another(table, preset, winnable).catch((problem) => setWrong(problem.message));
  return html`<p class="two">
      <button type="button" class="primary" onClick=${() => deal(table.preset)}>${tr("New deal")}</button>
      ${
        table.may.includes("undo") &&
        html`<button type="button" onClick=${() => (close(), send("undo", { all: true }))}>${tr("Restart")}</button>`
      }
      ${
        game?.solvable &&
        html`<button type="button" onClick=${() => deal(table.preset, true)}
        title=${tr("chosen by a solver that sees all cards; the shuffle cannot be verified")}>
        ${tr("A deal that can be won")}</button>`
      }</p>
    ${
      game?.presets.length > 1 &&
      html`<h3>${tr("How hard it is")}</h3><p class="two variants">${game.presets.map(
        (/** @type {string} */ preset) =>
          html`<button key=${preset} type="button" aria-pressed=${String(preset === table.preset)}
          onClick=${() => deal(preset)}>${tr(game.titles[preset])}</button>`,
      )}</p>`
    }
    ${wrong && html`<p class="problem" role="alert">${wrong}</p>`}`;
}
