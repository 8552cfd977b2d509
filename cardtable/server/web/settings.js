/** How the table looks, sounds and moves; kept in this browser. */
import { html } from "./html.js";
import { Dialog } from "./dialog.js";
import { permitted } from "./cue.js";
import { Card } from "./cards.js";
import { choose } from "./store.js";
import { useChoices } from "./hooks.js";

/** @type {[string, string, [any, string][]][]} */
const KINDS = [
  ["speed", "Speed of the cards", [["normal", "Normal"], ["fast", "Fast"], ["instant", "At once"]]],
  ["suits", "Suits", [["two", "Two colours"], ["four", "Four colours"], ["blind", "Colour-blind"]]],
  ["big", "Indices", [[false, "Classic"], [true, "Large"]]],
  ["look", "Light or dark", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]]],
  ["felt", "Felt", [["green", "Green"], ["blue", "Blue"], ["red", "Wine"], ["grey", "Slate"]]],
  ["sound", "Sounds", [[false, "Off"], [true, "On"]]],
  ["volume", "Loudness", [[0.2, "Soft"], [0.5, "Middling"], [1, "Loud"]]],
  ["notice", "When it is your turn and the page is hidden", [[false, "Only the tab says so"], [true, "A notice, and the phone trembles"]]],
  ["confirm", "Cards", [[false, "One click plays"], [true, "A second click plays"]]],
  ["side", "Buttons", [["right", "At the right"], ["left", "At the left"]]],
  ["plain", "Table", [[false, "Drawn"], [true, "Plain text"]]],
];

export function Choosing() {
  const chosen = /** @type {any} */ (useChoices());
  return html`<div class="settings">
    ${KINDS.map(([name, title, values]) => html`<fieldset key=${name}><legend>${title}</legend>
      ${values.map(([value, text]) => html`<label key=${String(value)}><input type="radio" name=${name} checked=${chosen[name] === value} onChange=${() => (choose({ [name]: value }), name === "notice" && value && permitted())} /><span>${text}</span></label>`)}
    </fieldset>`)}
    <p class="sample" aria-hidden="true">${["7S", "QH", "TD", "KC"].map((card) => html`<${Card} key=${card} card=${card} still />`)}</p>
  </div>`;
}

/** @param {{close: () => void}} props */
export function Settings({ close }) {
  return html`<${Dialog} title="Settings" close=${close}><${Choosing} /><//>`;
}
