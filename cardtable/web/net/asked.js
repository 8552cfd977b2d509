/** What the server is asked when a part of a page is drawn, and what is said of an answer that does not come. */
import { html, useEffect, useState } from "../browser/html.js";
import { Said } from "../text/message.js";
import { persist } from "./patience.js";

/**
 * The server's answer, which is asked for until it comes: [value, error].
 * @param {() => Promise<any>} ask @param {any[]} on
 */
export function useAsked(ask, on) {
  const [found, setFound] = useState(/** @type {any} */ ([null, null]));
  useEffect(() => {
    return persist(ask, setFound);
  }, on);
  return found;
}

/** What is waited for longer than usual, and why. @param {{why: any}} props */
export const Late = ({ why }) =>
  why && html`<p class="offline" role="status"><${Said} message=${{ says: "{why}.", why }} sentence /></p>`;

/**
 * What went wrong; an answer that is only waited for longer than usual is no fault.
 * @param {{error: any}} props an error, or what is said of it
 */
export const Problem = ({ error }) =>
  error.code === "late"
    ? html`<${Late} why=${error.told} />`
    : html`<p class="problem" role="alert"><${Said} message=${error.told ?? error.message ?? error} sentence /></p>`;
