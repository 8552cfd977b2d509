/** Reporting a name or a line of the chat to the operator. */
import { html, useState } from "./html.js";
import { post } from "./api.js";
import { tr } from "./message.js";

/**
 * A button that reports something at a table, once. `what` is the seat whose name it is, or the seat and the time of a
 * line. @param {{table: string, what: {seat: number, at?: number}, label: string, words?: string}} props
 */
export function Report({ table, what, label, words = "⚑" }) {
  const [told, setTold] = useState("");
  if (told) return html`<small role="status">${told}</small>`;
  return html`<button type="button" class="report" aria-label=${label} title=${label} onClick=${() =>
    post(`/api/tables/${encodeURIComponent(table)}/reports`, what).then(
      () => setTold(tr("The operator is told.")),
      (/** @type {Error} */ error) => setTold(error.message),
    )}>${words}</button>`;
}
