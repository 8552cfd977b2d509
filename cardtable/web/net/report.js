/** Reporting a name or a line of the chat to the operator. */
import { html, useState } from "../browser/html.js";
import { post } from "./api.js";
import { tr } from "../text/message.js";

/** What this page has reported, each with its table: a button may be drawn again. @type {Set<string>} */
const reported = new Set();

/**
 * A button that reports something at a table, once. `what` is the seat whose name it is, or the seat and the time of a
 * line. @param {{table: string, what: {seat: number, at?: number}, label: string, words?: string}} props
 */
export function Report({ table, what, label, words = "⚑" }) {
  const key = JSON.stringify([table, what]);
  const done = () => tr("The operator gets a report.");
  const [told, setTold] = useState("");
  if (told || reported.has(key)) return html`<small role="status">${told || done()}</small>`;
  return html`<button type="button" class="report" aria-label=${label} title=${label} onClick=${() =>
    post(`/api/tables/${encodeURIComponent(table)}/reports`, what).then(
      () => {
        reported.add(key);
        setTold(done());
      },
      (error) => setTold(error.message),
    )}>${words}</button>`;
}
