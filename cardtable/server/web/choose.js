/** Many moves, as a list that one narrows down by typing. */
import { html, useState } from "./html.js";
import { Dialog } from "./dialog.js";
import { named, short, Told } from "./cards.js";

/** @param {any} props */
export function Moves({ offers, table, play, close }) {
  const [wanted, setWanted] = useState("");
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const said = (/** @type {string} */ label) => `${named(label, table.names)} ${label.replace(/\b([A2-9TJQK][SHDC])\b/g, (card) => short(card))}`.toLowerCase();
  const fits = offers.filter((/** @type {any} */ one) => words.every((word) => said(one.label).includes(word)));
  return html`<${Dialog} title="What you may do" close=${close}>
    <p><input type="search" aria-label="Filter the moves" placeholder="Filter: 7h, builds, …" value=${wanted} autofocus onInput=${(/** @type {any} */ e) => setWanted(e.target.value)}
      onKeyDown=${(/** @type {KeyboardEvent} */ e) => e.key === "Enter" && fits.length === 1 && play(fits[0].move)} /></p>
    <ul class="movelist" aria-label=${`${fits.length} moves`}>${fits.slice(0, 200).map((/** @type {any} */ one) => html`<li key=${one.move}><button type="button" onClick=${() => play(one.move)}><${Told} text=${one.label} names=${table.names} you=${table.you} /></button></li>`)}</ul>
    ${fits.length > 200 && html`<p>and ${fits.length - 200} more: type to narrow them down</p>`}
  <//>`;
}
