/** Many moves, as a list that can be filtered by typing. */
import { html, useState } from "../browser/html.js";
import { Dialog } from "./dialog.js";
import { aloud, Said, tr, written } from "../text/message.js";

/** @param {any} props */
export function Moves({ offers, table, play, close }) {
  const [wanted, setWanted] = useState("");
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const said = (/** @type {any} */ one) =>
    `${one.move} ${written(one.label, table)} ${aloud(one.label, table)}`.toLowerCase();
  const fits = offers.filter((/** @type {any} */ one) => words.every((word) => said(one).includes(word)));
  return html`<${Dialog} title=${tr("Your moves")} close=${close}>
    <p><input type="search" aria-label=${tr("Filter the moves")} placeholder=${tr("Filter: 7h, builds, …")}
      value=${wanted} autofocus onInput=${(/** @type {any} */ e) => setWanted(e.target.value)}
      onKeyDown=${(/** @type {KeyboardEvent} */ e) => e.key === "Enter" && fits.length === 1 && play(fits[0].move)} />
        </p>
    <ul class="movelist" aria-label=${tr("{n} {n:move|moves}", { n: fits.length })}>
      ${fits.slice(0, 200).map(
        (/** @type {any} */ one) => html`<li key=${one.move}>
      <button type="button" onClick=${() => play(one.move)}>
      <${Said} message=${one.label} names=${table.names} you=${table.you} sentence /></button></li>`,
      )}</ul>
    ${fits.length > 200 && html`<p>${tr("and {n} more: type to narrow them down", { n: fits.length - 200 })}</p>`}
  <//>`;
}
