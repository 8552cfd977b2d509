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
 * Buttons that are no moves, for a game with one seat.
 * @param {{table: any, send: (type: string, fields?: any) => void}} props
 */
export function Alone({ table, send }) {
  const [wrong, setWrong] = useState("");
  const [sure, setSure] = useState(false);
  const [told] = useAsked(() => get("/api/games"), []);
  const game = told?.games.find((/** @type {any} */ one) => one.name === table.game);
  const begun = table.may.includes("undo");
  const deal = (/** @type {string} */ preset, winnable = table.winnable) =>
    another(table, preset, winnable).catch((problem) => setWrong(problem.message));
  const early = !begun && table.stage === "playing";
  const fresh = early && game?.presets.length > 1;
  return html`${
    begun &&
    html`<button type="button" class="quiet" onClick=${() => send("undo", { all: true })}>${tr("Restart")}</button>`
  }
    <button type="button" class="quiet" onClick=${() => (sure || !begun ? deal(table.preset) : setSure(true))}>
      ${sure ? tr("Really a new deal?") : tr("New deal")}</button>
    ${
      fresh &&
      html`<span class="variants" role="group" aria-label=${tr("How hard it is")}>${game.presets.map(
        (/** @type {string} */ preset) =>
          html`<button key=${preset} type="button" class="quiet" aria-pressed=${String(preset === table.preset)}
          onClick=${() => preset !== table.preset && deal(preset)}>${tr(game.titles[preset])}</button>`,
      )}</span>`
    }
    ${
      early &&
      game?.solvable &&
      html`<button type="button" class="quiet" aria-pressed=${String(table.winnable)}
      title=${tr("chosen by a solver that sees all cards; the shuffle cannot be verified")}
      onClick=${() => deal(table.preset, !table.winnable)}>${tr("A deal that can be won")}</button>`
    }
    ${wrong && html`<span class="fine" role="alert">${wrong}</span>`}`;
}
