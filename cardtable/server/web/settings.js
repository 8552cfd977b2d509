/** How the table looks, sounds and moves; kept in this browser. */
import { html } from "./html.js";
import { Dialog } from "./dialog.js";
import { permitted } from "./cue.js";
import { Card } from "./cards.js";
import { choose } from "./store.js";
import { useChoices } from "./hooks.js";

/** @type {[string, string, [any, string][]][]} */
const KINDS = [
  ["speed", "Speed of cards; and of bots and forced moves, when you play alone", [["normal", "Normal"], ["fast", "Fast"], ["instant", "At once"]]],
  ["suits", "Suits", [["two", "Two colours"], ["four", "Four colours"], ["blind", "Colour-blind"]]],
  ["letters", "Letters of the suits on cards", [[false, "No"], [true, "S H D C"]]],
  ["big", "Indices", [[false, "Classic"], [true, "Large"]]],
  ["look", "Light or dark", [["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]]],
  ["felt", "Felt", [["green", "Green"], ["blue", "Blue"], ["red", "Wine"], ["grey", "Slate"]]],
  ["sound", "Sounds", [[false, "Off"], [true, "On"]]],
  ["volume", "Volume", [[0.2, "Low"], [0.5, "Medium"], [1, "High"]]],
  ["notice", "When it is your turn and the page is hidden", [[false, "Only the tab says so"], [true, "A notification, and the phone vibrates"]]],
  ["confirm", "To play a card", [[false, "Choose it once"], [true, "Choose it twice"]]],
  ["sure", "A move that is easily regretted", [[true, "Ask first, among people"], [false, "Never ask"]]],
  ["auto", "When only one move is legal", [[false, "I make it"], [true, "It is made for me, after a moment"]]],
  ["tell", "A screen reader tells", [["all", "All that happens"], ["turns", "Turns and payments"]]],
  ["coached", "Coach", [[false, "At hand"], [true, "Away"]]],
  ["side", "Buttons", [["right", "At the right"], ["left", "At the left"]]],
  ["plain", "Table", [[false, "Drawn"], [true, "Plain text"]]],
];

/** @param {string} name @param {any} value */
function take(name, value) {
  choose({ [name]: value, ...(value === "blind" ? { letters: true } : {}) }); // never colour alone
  if (name === "notice" && value) permitted();
}

export function Choosing() {
  const chosen = /** @type {any} */ (useChoices());
  return html`<div class="settings">
    ${KINDS.map(([name, title, values]) => html`<fieldset key=${name}><legend>${title}</legend>
      ${values.map(([value, text]) => html`<label key=${String(value)}><input type="radio" name=${name} checked=${chosen[name] === value} onChange=${() => take(name, value)} /><span>${text}</span></label>`)}
    </fieldset>`)}
    <p class="sample" aria-hidden="true">${["7S", "QH", "TD", "KC"].map((card) => html`<${Card} key=${card} card=${card} still />`)}</p>
  </div>`;
}

/** @param {{close: () => void}} props */
export function Settings({ close }) {
  return html`<${Dialog} title="Settings" close=${close}><${Choosing} /><//>`;
}
