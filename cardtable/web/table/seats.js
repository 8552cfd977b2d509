/** The seats at the table, with a panel for each. */
import { html } from "../browser/html.js";
import { Card } from "../faces/cards.js";
import { Away, Avatar, Ring } from "./clock.js";
import { told, tr } from "../text/message.js";
import { LEVELS } from "../text/names.js";
import { Figures } from "./figures.js";
import { isWon, Won } from "./won.js";
import { Facts, Heap } from "./zones.js";

/**
 * Zones of a seat, or of a side whose first seat it is.
 * @param {import("../hand/moves.js").View} view @param {number} seat
 */
export const zonesOf = (view, seat) =>
  (view?.zones ?? []).filter((zone) => zone.kind !== "action" && zone.seats[0] === seat);

/** Whether a zone of a seat is a heap that is used in play, and not only counted. @param {any} zone */
export const played = (zone) => zone.kind === "stock" || (zone.kind === "pile" && !zone.won);

/**
 * Whether two play who have their own stocks before them: their plates lie across the table.
 * @param {import("../hand/moves.js").View} view @param {number} n the players
 */
export const facesOff = (view, n) => n === 2 && view.zones.some((zone) => zone.seats.length && zone.kind === "stock");

/** How one of the house plays. @param {any} place */
const about = ({ level, temper }) =>
  temper
    ? told("{level}, {temper}", { level: { says: LEVELS[level] ?? "" }, temper: { says: temper } })
    : tr(LEVELS[level] ?? "");

// open cards in a row
const LONG = 11;

/**
 * Open cards in rows of one length, above each other.
 * @param {string[]} cards @param {number} [most] rows @param {boolean} [still] they do not fly
 */
export function rows(cards, most = 2, still = false) {
  const long = Math.ceil(cards.length / Math.min(most, Math.ceil(cards.length / LONG)));
  return html`<span class="opened">${Array.from(
    { length: Math.ceil(cards.length / long) },
    (_, row) =>
      html`<span class="shown" key=${row} style=${{ "--n": long }}>${cards
        .slice(row * long, (row + 1) * long)
        .map((card, k) => html`<${Card} key=${still ? k : card} card=${card} small still=${still} />`)}</span>`,
  )}</span>`;
}

/** How many of the others sit at the left, at the far side and at the right of the table. @param {number} n */
function sides(n) {
  if (n === 2) return [1, 0, 1];
  const beside = n < 3 ? 0 : n < 6 ? 1 : n < 10 ? 2 : n < 12 ? 3 : 4;
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

/**
 * @param {any} props `below`: its hand lies below, and is not in the plate; `shut`: there is no room for cards that are
 * laid open; the result has them
 */
export function Seat({ place, view, table, now, mine, click, can, said, gain = 0, won = false, ...how }) {
  const { below = mine, shut = false } = how;
  const zones = zonesOf(view, place.seat);
  const hand = zones.find((zone) => zone.kind === "hand");
  const acts = view?.actors.includes(place.seat);
  const middle = view?.zones.some((/** @type {any} */ zone) => zone.grows); // what is laid lies in the middle, too
  const heaps = zones.filter((zone) => played(zone) && !(middle && zone.kind === "pile"));
  const open = shut ? [] : (hand?.cards.flatMap((card) => card ?? []) ?? []);
  const person = place.kind === "person";
  const away = person && !mine && !(place.present && place.online);
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
          ? html`<${Ring} name=${place.name} person=${person} deadline=${table.deadline}
        span=${table.span} now=${now} mine=${mine} />`
          : html`<${Avatar} name=${place.face || place.name} person=${person} />`)
      }
      <span class="name">${name}</span>
      ${
        view &&
        table.seats.length > 1 &&
        view.dealer === place.seat &&
        // who has a stock of their own is dealt nothing
        !view.zones.some((/** @type {any} */ zone) => zone.kind === "stock" && zone.seats.length) &&
        html`<span class="puck" title=${tr("dealer")}><span aria-hidden="true">
        ${tr("D")}</span><span class="sr">${tr("dealer")}</span></span>`
      }
      ${
        place.kind === "bot" &&
        html`<span class="badge bot" title=${about(place)}><span aria-hidden="true">${tr("bot")}</span>
        <span class="sr">${about(place)}</span></span>`
      }
      ${acts && !mine && html`<span class="sr">${tr("to play")}</span>`}
      ${away && html`<${Away} place=${place} now=${now} />`}
    </header>
    ${
      !below &&
      hand &&
      html`<div class="held" role="img" aria-label=${tr("{n} {n:card|cards}", { n: hand.count })}>
      ${
        open.length
          ? rows(open)
          : html`<span class="backs" aria-hidden="true">${Array.from(
              { length: Math.min(hand.count, 7) },
              (_, i) => html`<i key=${i}></i>`,
            )}</span>`
      }
      ${!open.length && html`<b class=${hand.count ? "" : "none"}>${hand.count || tr("no cards")}</b>`}
    </div>`
    }
    ${
      heaps.length > 0 &&
      html`<div class="heaps">${heaps.map(
        (zone) => html`<${Heap} key=${zone.name} zone=${zone} click=${click} can=${can} table=${table}
          barred=${view.refused} />`,
      )}</div>`
    }
    <${Figures} zones=${(view?.zones ?? []).filter((/** @type {any} */ zone) => zone.seats.includes(place.seat))}
      table=${table} />
    <div class="facts"><${Facts} zones=${zones.filter((zone) => !heaps.includes(zone))}
      table=${table} /></div>
    ${zones.filter(isWon).map((zone) => html`<${Won} key=${zone.name} zone=${zone} />`)}
    ${
      gain !== 0 &&
      html`<span class="gain ${gain > 0 ? "plus" : "minus"}" aria-hidden="true">
      ${gain > 0 ? `+${gain}` : `−${-gain}`}</span>`
    }
    ${said && html`<p class="bubble" dir="auto" key=${said.number}>${said.text}</p>`}
  </article>`;
}
