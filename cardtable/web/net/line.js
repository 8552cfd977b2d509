/** Messages about faults of the server or the shuffle. */
import { html, useState } from "../browser/html.js";
import { Said, tr } from "../text/message.js";
import { Late } from "./asked.js";

/** Why play is paused; nothing otherwise. @param {{why: any}} props */
export const HeldUp = ({ why }) =>
  why &&
  html`<p class="offline" role="status"><${Said}
    message=${{ says: "Play is paused: {why}. It resumes automatically.", why }} /></p>`;

/** Something to know about the shuffle of a match that is no fault, until it is put away. @param {any} props */
function Note({ note }) {
  const [read, setRead] = useState("");
  return (
    note &&
    note !== read &&
    html`<p class="offline" role="status">${tr(note)} <button type="button" onClick=${() => setRead(note)}>
      ${tr("OK")}</button></p>`
  );
}

/**
 * For a player who lost the seat by not finishing a shuffle: they can have it again.
 * @param {{table: any, send: (type: string, fields: any) => void}} props
 */
export function LostSeat({ table, send }) {
  if (table.lost === null) return null;
  if (table.seats[table.lost].returning)
    return html`<p class="offline" role="status">${tr("You get your seat back from the next match.")}</p>`;
  return html`<p class="offline" role="status">${tr(
    "A bot has your seat, because this browser did not finish the shuffle in time.",
  )} <button type="button" onClick=${() => send("sit", { seat: table.lost })}>
    ${table.stage === "over" ? tr("Take the seat again") : tr("Play again from the next match on")}</button></p>`;
}

/** What is wrong with the line to the server, with its database, or with the shuffle. @param {{state: any}} props */
export const Line = ({ state }) =>
  html`${state.wrong && html`<p class="offline" role="alert">${tr(state.wrong)}</p>`}<${Note}
    key=${state.table?.match} note=${state.note} />${
      state.up
        ? html`<${HeldUp} why=${state.held} /><${Late} why=${state.late} />`
        : html`<${Late} why=${state.late} />${
            !state.late && html`<p class="offline" role="status">${tr("Connection lost. Reconnecting …")}</p>`
          }`
    }`;
