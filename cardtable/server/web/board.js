/** A table to look at: all seats and all zones, with nothing to click. */
import { html } from "./html.js";
import { Seat } from "./seats.js";
import { Middle } from "./middle.js";

const still = () => undefined;
const never = () => false;

/**
 * @param {{view: any, table: any, hands?: string[][], held?: import("./moves.js").Zone | null,
 * gains?: Map<number, number>}} props `hands`: all hands, where they may be seen; `held`: a complete trick that is
 * still shown; `gains`: what each seat has just paid or got
 */
export function Board({ view: told, table, hands, held = null, gains = new Map() }) {
  const open = (/** @type {any} */ zone) =>
    hands && zone.kind === "hand" ? { ...zone, cards: hands[zone.seats[0]] ?? [] } : zone;
  const view = { ...told, zones: told.zones.map(open) };
  const seats = table.seats.map((/** @type {any} */ place) => place.seat);
  return html`<div class="watching">
    ${
      seats.length > 1 &&
      html`<div class="others">${table.seats.map(
        (/** @type {any} */ place) =>
          html`<${Seat} key=${place.seat} place=${place} view=${view} table=${table} now=${Date.now} click=${still}
      can=${never} gain=${gains.get(place.seat)} />`,
      )}</div>`
    }
    <${Middle} view=${view} table=${table} round=${seats} click=${still} can=${never} chosen=${[]}
      held=${held} />
  </div>`;
}
