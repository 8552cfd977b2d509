/** The seats at the table, with a panel for each. */
import { html } from "../browser/html.js";
import { Card } from "../faces/cards.js";
import { Away, Avatar, Ring } from "./clock.js";
import { told, tr } from "../text/message.js";
import { LEVELS } from "../text/names.js";
import { Facts, Heap } from "./zones.js";

/**
 * Zones of a seat, or of a side whose first seat it is.
 * @param {import("../hand/moves.js").View} view @param {number} seat
 */
export const zonesOf = (view, seat) =>
  (view?.zones ?? []).filter((zone) => zone.kind !== "action" && zone.seats[0] === seat);

/** Whether a zone of a seat is a heap that is used in play, and not only counted. @param {any} zone */
export const played = (zone) =>
  zone.kind === "stock" || (zone.kind === "pile" && (zone.cards.some(Boolean) || !zone.won));

/** How one of the house plays. @param {any} place */
const about = ({ level, temper }) =>
  temper
    ? told("{level}, {temper}", { level: { says: LEVELS[level] ?? "" }, temper: { says: temper } })
    : tr(LEVELS[level] ?? "");

/** How many of the others sit at the left, at the far side and at the right of the table. @param {number} n */
function sides(n) {
  if (n === 2) return [1, 0, 1];
  const beside = n < 3 ? 0 : n < 6 ? 1 : n < 10 ? 2 : 3;
  return [beside, n - 2 * beside, beside];
}

/**
 * Parts of the table at which the others sit, in the order of play from the viewer's left.
 * @param {{seats: number[], seat: (seat: number) => any}} props `seat`: how one is drawn
 */
export function Around({ seats, seat }) {
  const [left, far] = sides(seats.length);
  const parts = { left: seats.slice(0, left), far: seats.slice(left, left + far), right: seats.slice(left + far) };
  return html`<div class="others">${Object.entries(parts)
    .filter(([, here]) => here.length)
    .map(([side, here]) => html`<div class="around ${side}" key=${side}>${here.map(seat)}</div>`)}</div>`;
}

/** @param {any} props */
export function Seat({ place, view, table, now, mine, click, can, said, gain = 0, won = false }) {
  const zones = zonesOf(view, place.seat);
  const hand = zones.find((zone) => zone.kind === "hand");
  const acts = view?.actors.includes(place.seat);
  const middle = view?.zones.some((/** @type {any} */ zone) => zone.grows); // what is laid lies in the middle, too
  const heaps = zones.filter((zone) => played(zone) && !(middle && zone.kind === "pile"));
  const open = hand?.cards.flatMap((card) => card ?? []) ?? [];
  const away = place.kind === "person" && !mine && !(place.present && place.online);
  const name = mine ? tr("You") : place.name || tr("free", { context: "seat" });
  const clocks = table.clock && (table.clock !== "none" || table.window > 0);
  return html`<article class="seat ${acts ? "acts" : ""} ${mine ? "mine" : ""} ${away ? "away" : ""} ${
    won ? "won" : ""
  }"
    data-seat=${place.seat} aria-label=${name}>
    <header>
      ${
        place.name &&
        (clocks && acts && table.deadline > 0
          ? html`<${Ring} name=${place.name} deadline=${table.deadline}
        span=${table.span} now=${now} mine=${mine} />`
          : html`<${Avatar} name=${place.name} />`)
      }
      <span class="name">${name}</span>
      ${
        view &&
        table.seats.length > 1 &&
        view.dealer === place.seat &&
        html`<span class="badge" title=${tr("dealer")}><span aria-hidden="true">
        ${tr("D")}</span><span class="sr">${tr("dealer")}</span></span>`
      }
      ${
        place.kind === "bot" &&
        html`<span class="badge bot" title=${about(place)}><span aria-hidden="true">${tr("bot")}</span>
        <span class="sr">${about(place)}</span></span>`
      }
      ${acts && !mine && html`<span class="thinks">${tr("to play")}</span>`}
      ${away && html`<${Away} place=${place} now=${now} />`}
    </header>
    ${
      !mine &&
      hand &&
      html`<div class="held" role="img" aria-label=${tr("{n} {n:card|cards}", { n: hand.count })}>
      ${
        open.length
          ? html`<span class="shown">${open.map((card) => html`<${Card} key=${card} card=${card} small />`)}</span>`
          : html`<span class="backs" aria-hidden="true">${Array.from(
              { length: Math.min(hand.count, 7) },
              (_, i) => html`<i key=${i}></i>`,
            )}</span>`
      }
      ${!open.length && html`<b>${hand.count}</b>`}
    </div>`
    }
    ${
      heaps.length > 0 &&
      html`<div class="heaps">${heaps.map(
        (zone) => html`<${Heap} key=${zone.name} zone=${zone} click=${click} can=${can} table=${table} />`,
      )}</div>`
    }
    <div class="facts"><${Facts} zones=${zones.filter((zone) => !heaps.includes(zone))}
      table=${table} /></div>
    ${
      gain !== 0 &&
      html`<span class="gain ${gain > 0 ? "plus" : "minus"}" aria-hidden="true">
      ${gain > 0 ? `+${gain}` : `−${-gain}`}</span>`
    }
    ${said && html`<p class="bubble" dir="auto" key=${said.number}>${said.text}</p>`}
  </article>`;
}
