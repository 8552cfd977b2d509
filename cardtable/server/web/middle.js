/** The middle of the table: whatever lies there and belongs to nobody. */
import { html } from "./html.js";
import { Column, Heap, Ladder, Pot, Score, Spread, Trick } from "./zones.js";

/** @typedef {import("./moves.js").Zone} Zone */

/** @param {any} props `held`: a finished trick that is still to be seen */
export function Middle({ view, table, round, click, chosen, held, collect }) {
  const common = view.zones.filter((/** @type {Zone} */ zone) => zone.seat === null && zone.kind !== "action" && !zone.notes.seats);
  /** @type {Zone[]} */
  const shown = held ? common.map((/** @type {Zone} */ zone) => (zone.kind === "trick" ? held : zone)) : common;
  const of = (/** @type {string} */ kind) => shown.filter((zone) => zone.kind === kind);
  const rungs = of("row").filter((zone) => zone.cards.length === 13 && zone.notes.symbol);
  const columns = of("column");
  const spreads = shown.filter((zone) => (zone.kind === "row" && !rungs.includes(zone)) || (zone.kind === "pile" && zone.cards.filter(Boolean).length > 1));
  const heaps = shown.filter((zone) => zone.kind === "stock" || (zone.kind === "pile" && !spreads.includes(zone)));
  const trick = of("trick")[0];
  const beside = heaps.length + of("pot").length + of("score").length > 0;
  const only = !rungs.length && !columns.length && !spreads.length && !trick;
  return html`<div class="board ${trick ? "has-trick" : ""} ${rungs.length ? "has-ladder" : ""} ${columns.length ? "has-columns" : ""} ${only ? "only-heaps" : ""}">
    ${beside && html`<div class="aside">
      ${of("pot").map((zone) => html`<${Pot} key=${zone.name} zone=${zone} />`)}
      ${heaps.map((zone) => html`<${Heap} key=${zone.name} zone=${zone} click=${click} table=${table} chosen=${chosen} />`)}
      ${of("score").map((zone) => html`<${Score} key=${zone.name} zone=${zone} table=${table} />`)}
    </div>`}
    ${rungs.length > 0 && html`<${Ladder} zones=${rungs} click=${click} chosen=${chosen} />`}
    ${trick && html`<div class="trickbox" onClick=${collect}><${Trick} zone=${trick} seats=${round} names=${table.names} you=${table.you} /></div>`}
    ${spreads.length > 0 && html`<div class="spreads">${spreads.map((zone) => html`<${Spread} key=${zone.name} zone=${zone} click=${click} chosen=${chosen} table=${table} />`)}</div>`}
    ${columns.length > 0 && html`<div class="columns" style=${{ "--cols": columns.length }}>${columns.map((zone) => html`<${Column} key=${zone.name} zone=${zone} click=${click} chosen=${chosen} table=${table} />`)}</div>`}
  </div>`;
}
