/** Links for others: to a deal by its number; and whether others can open a link at all. */
import { isLoopback } from "../browser/address.js";
import { html } from "../browser/html.js";
import { Said } from "../text/message.js";

const COMMAND = "cardtable serve --host 0.0.0.0";

/** Says that a link leads nowhere on other machines, if that is so. */
export const OnlyHere = () =>
  isLoopback(location.hostname) &&
  html`<p class="problem only-here" role="status"><${Said} message=${{
    says:
      "On another device this link does not work: {host} is always the device itself. Start the server with " +
      "{command} and open the address that it prints.",
    host: { shown: () => html`<b translate=${false}>${location.hostname}</b>` },
    command: { shown: () => html`<code translate=${false}>${COMMAND}</code>` },
  }} /></p>`;

/** A link that deals the same cards again. @param {import("wire").TableSeen} table */
export const shared = (table) =>
  `/deal/${encodeURIComponent(table.number)}?${new URLSearchParams({
    game: table.title,
    preset: table.preset,
    seats: String(table.seats.length),
    ...(Object.keys(table.options).length ? { options: JSON.stringify(table.options) } : {}),
  })}`;
