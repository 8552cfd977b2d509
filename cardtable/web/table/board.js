/** A table to look at: all seats and all zones, with nothing to click. */
import { html } from "../browser/html.js";
import { Seat } from "./seats.js";
import { Middle } from "./middle.js";

const still = () => undefined;
const never = () => false;

/**
 * A table at which people sit who do nothing: that of a replay, or of a lesson.
 * @param {string[]} names @param {number | null} [you] the seat of who looks on
 */
export const seated = (names, you = null) => ({
  names,
  you,
  seats: names.map((name, seat) => ({ seat, name, kind: "person", present: true, online: true })),
  deadline: 0,
});

/**
 * @param {{view: any, table: any, hands?: string[][], held?: import("../hand/moves.js").Zone | null,
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
