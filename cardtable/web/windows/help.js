/** The list of keys. */
import { html } from "../browser/html.js";
import { Dialog } from "./dialog.js";
import { KEYS } from "../hand/keys.js";
import { tr } from "../text/message.js";

/** @param {{close: () => void}} props */
export function Help({ close }) {
  return html`<${Dialog} title=${tr("Keys")} close=${close}>
    <dl class="keys">${KEYS.map(
      ([key, what]) => html`<div key=${key}><dt><kbd>${tr(key)}</kbd></dt><dd>${tr(what)}</dd>
      </div>`,
    )}</dl>
    <p>${tr("Cards with a bright edge can be played. Click on any other to see why it cannot.")}</p>
    <p><a href="/about">${tr("About Cardtable, and licences")}</a></p>
  <//>`;
}
