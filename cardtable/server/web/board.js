/** A table to look at: all seats and all zones, nothing to click on. */
import { html } from "./html.js";
import { Seat } from "./seats.js";
import { Card } from "./cards.js";
import { Middle } from "./middle.js";

const still = () => undefined;

/** @param {{view: any, table: any, hands?: any}} props */
export function Board({ view, table, hands }) {
  const seats = table.seats.map((/** @type {any} */ place) => place.seat);
  return html`<div class="watching">
    <div class="others">${table.seats.map((/** @type {any} */ place) => html`<${Seat} key=${place.seat} place=${place} view=${view} table=${table} now=${0} click=${still} />`)}</div>
    <${Middle} view=${view} table=${table} round=${seats} click=${still} chosen=${[]} />
    ${hands && html`<ul class="allhands">${hands.map((/** @type {string[]} */ hand, /** @type {number} */ seat) => html`<li key=${seat}><b>${table.names[seat]}</b> <span>${hand.map((card) => html`<${Card} key=${card} card=${card} />`)}</span></li>`)}</ul>`}
  </div>`;
}
