/** Links for others, and whether they can open them at all; buttons that copy, report, or ask once more. */
import { isLoopback } from "../browser/address.js";
import { html, useState } from "../browser/html.js";
import { post } from "./api.js";
import { Said, tr } from "../text/message.js";

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

/** Copies a text. @param {{text: string, label?: string}} props */
export function Copy({ text, label }) {
  const [copied, setCopied] = useState(false);
  const copy = () =>
    navigator.clipboard
      ?.writeText(text)
      .then(() => setCopied(true))
      .catch(() => undefined);
  return html`<button type="button" aria-label=${label} onClick=${copy}>
    ${copied ? tr("Copied") : tr("Copy")}</button>`;
}

/** A link, with a button that copies it. @param {{link: string, label: string}} props */
export const Address = ({ link, label }) =>
  html`<p class="link"><input readonly value=${link} aria-label=${label}
    onFocus=${(/** @type {any} */ e) => e.target.select()} /><${Copy} text=${link} /></p>`;

/**
 * A button that does something which cannot be undone: `asks` is what it says after the first click.
 * @param {{asks: string | false, act: () => void, name?: string, children?: any}} props
 */
export function Sure({ asks, act, name = "", children }) {
  const [sure, setSure] = useState(false);
  return html`<button type="button" class=${name} onBlur=${() => setSure(false)}
    onClick=${() => (sure || !asks ? act() : setSure(true))}>${sure && asks ? asks : children}</button>`;
}

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
