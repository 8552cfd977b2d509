/** The operator's notices, above every page: a notice, a restart, no chat, no new tables. */
import { html, useEffect, useState } from "../browser/html.js";
import { get } from "../net/api.js";
import { tr } from "../text/message.js";

// ms until the first look, unless something else has reported before
const FIRST = 20_000;
// ms between two looks
const AGAIN = 300_000;

/** No notices. */
const NOTHING = { notice: "", chat: true, restart: 0, tables: true };

/** The notices, a sentence each. @param {typeof NOTHING} site @returns {string[]} */
export const sentences = (site) =>
  [
    site.restart &&
      tr("The server restarts at {time} at the latest, when all matches are over. No new tables until then.", {
        time: new Date(site.restart).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }),
      }),
    !site.restart && !site.tables && tr("No new tables can be made now. Matches continue."),
    !site.chat && tr("The chat is switched off."),
  ].filter((one) => typeof one === "string");

/** Show what an answer of the server says of the site besides. @template T @param {T} answer @returns {T} */
export function announced(answer) {
  const { site } = /** @type {any} */ (answer);
  if (site) dispatchEvent(new CustomEvent("site", { detail: site }));
  return answer;
}

/** The banner. */
export function Banner() {
  const [site, setSite] = useState(NOTHING);
  const [read, setRead] = useState(""); // what was put away
  useEffect(() => {
    const ask = () => document.hidden || get("/api/site").then(setSite, () => undefined);
    const told = (/** @type {any} */ e) => (e.detail ? setSite(e.detail) : ask());
    const first = setTimeout(ask, FIRST);
    const timer = setInterval(ask, AGAIN);
    addEventListener("site", told);
    document.addEventListener("visibilitychange", ask);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
      removeEventListener("site", told);
      document.removeEventListener("visibilitychange", ask);
    };
  }, []);
  const said = sentences(site);
  const whole = [site.notice, ...said].join("\n");
  if (!whole || whole === read) return null;
  return html`<aside class="site" role="status" aria-label=${tr("From the operator")}>
    ${site.notice && html`<p dir="auto" translate=${false}>${site.notice}</p>`}
    ${said.map((one) => html`<p key=${one}>${one}</p>`)}
    <button type="button" class="quiet" aria-label=${tr("Close")} onClick=${() => setRead(whole)}>✕</button></aside>`;
}
