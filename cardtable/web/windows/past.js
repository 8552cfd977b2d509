/** Looking back during a match: the table as the player saw it, step by step. Nothing is taken back. */
import { html, useEffect, useState } from "../browser/html.js";
import { Board } from "../table/board.js";
import { Dialog } from "./dialog.js";
import { Card, sorted } from "../faces/cards.js";
import { Said, tr } from "../text/message.js";

/** @typedef {import("../table/scene.js").Past} Past */

/** @param {{past: Past[], table: any, close: () => void}} props */
export function LookBack({ past: given, table, close }) {
  const [past] = useState(given); // fixed, so that new moves do not shift what the player is looking at
  const [at, setAt] = useState(Math.max(0, past.length - 2));
  const go = (/** @type {number} */ to) => setAt(Math.max(0, Math.min(past.length - 1, to)));
  useEffect(() => {
    const heard = (/** @type {KeyboardEvent} */ e) =>
      e.key === "ArrowLeft" ? go(at - 1) : e.key === "ArrowRight" ? go(at + 1) : undefined;
    document.addEventListener("keydown", heard);
    return () => document.removeEventListener("keydown", heard);
  }, [at]);
  const { view, lines } = past[at];
  const own = (/** @type {any} */ zone) => zone.kind === "hand" && zone.seats[0] === table.you;
  const hand = sorted(view.zones.find(own) ?? { cards: [] });
  const zones = view.zones
    .filter((zone) => zone.kind !== "action")
    .map((zone) => ({ ...zone, cards: own(zone) ? [] : zone.cards }));
  const still = { ...view, actors: [], legal: [], choices: [], zones };
  return html`<${Dialog} title=${tr("Looking back")} close=${close} wide name="past">
    <div class="controls" role="toolbar" aria-label=${tr("Steps")}>
      <button type="button" aria-label=${tr("One step back")} disabled=${at === 0}
      onClick=${() => go(at - 1)}>◀</button>
      <output>${at + 1} / ${past.length}</output><button type="button" aria-label=${tr("One step on")}
        disabled=${at === past.length - 1} onClick=${() => go(at + 1)}>▶</button>
      <span class="events">${lines.map(
        (line, i) => html`<span key=${i}>
        <${Said} message=${line.message} names=${table.names} you=${table.you} sentence /> </span>`,
      )}</span></div>
    <div class="feltbox"><${Board} view=${still} table=${{ ...table, deadline: 0 }} />
      ${
        hand.length > 0 &&
        html`<p class="shown" aria-label=${tr("Your cards then")}>
        ${hand.map((card) => html`<${Card} key=${card} card=${card} small still />`)}</p>`
      }</div>
  <//>`;
}
