/** The company at a table: one's name, reactions, invitations, and who only looks on. */
import { at } from "../browser/address.js";
import { html, useState } from "../browser/html.js";
import { choose } from "../browser/store.js";
import { Address, Copy } from "../net/share.js";
import { Said, tr } from "../text/message.js";

/**
 * The player's name at this table, to be changed.
 * @param {{table: any, send: (type: string, fields: any) => void}} props
 */
export function Naming({ table, send }) {
  const now = table.you === null ? "" : table.seats[table.you].name;
  const [name, setName] = useState(now);
  if (!table.may.includes("rename")) return null;
  const take = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!name.trim() || name.trim() === now) return;
    choose({ name });
    send("rename", { name });
  };
  return html`<form class="link" onSubmit=${take}><input maxlength="24" value=${name} autocomplete="nickname"
    aria-label=${tr("Your name at this table")} onInput=${(/** @type {any} */ e) => setName(e.target.value)} />
    <button type="submit">${tr("Change the name")}</button></form>`;
}

/** Whether another person sits at the table. @param {any} table */
export const inCompany = (table) =>
  table.seats.some((/** @type {any} */ place) => place.kind === "person" && place.seat !== table.you);

/** A round face: its mouth and what else is in it. @param {string} mouth @param {any} [more] */
const face = (mouth, more) =>
  html`<circle cx="12" cy="12" r="10" fill="#fd5" /><path d="M9 9v1M15 9v1" /><path d=${mouth} />${more}`;

const HAND = "M7 20V11L10 4Q13 4 12 8L11 10H17Q20 10 19 13L17 18Q16 20 15 20z";

/** @type {Record<string, any>} */
const DRAWN = {
  "👍": html`<path d=${HAND} fill="#fc9" /><path d="M3 11h4v9H3z" fill="#47a" />`,
  "👏": html`<path d=${HAND} fill="#fc9" transform="rotate(-24 9 18)" />
    <path d=${HAND} fill="#fc9" transform="translate(3 2)" /><path d="M14 2v2M19 3l-1 2" />`,
  "😀": face("M7 13Q12 21 17 13z"),
  "😮": face("M12 13a2 3 0 1 0 .1 0z"),
  "😢": face("M9 17Q12 14 15 17", html`<path d="M17 12q3 5 0 5t0-5z" fill="#49d" />`),
  "🤔": face("M10 15l5-1M7 7l3-1M14 6l3-1", html`<path d="M6 22Q4 16 8 17l5-1Q15 17 10 20z" fill="#fc9" />`),
};

/** What a player may show at their seat (cardtable/table/commands.py). */
const REACTIONS = Object.keys(DRAWN);

/** A reaction, drawn here because not every system has a font for it. @param {string} one */
export const shown = (one) =>
  html`<svg class="reaction" viewBox="0 0 24 24" role="img" aria-label=${one} stroke="#630" stroke-linecap="round"
    stroke-linejoin="round" fill="none">${DRAWN[one]}</svg>`;

/**
 * A wish to take back: what, and the answers to it.
 * @param {{table: any, lines: import("./log.js").Line[], send: (type: string, fields: any) => void}} props
 */
export function Asking({ table, lines, send }) {
  if (!table.ask) return null;
  const { seat } = table.ask;
  const own = seat === table.you;
  const move = lines.findLast((line) => line.event && line.chose === seat)?.number ?? -1;
  const at = lines.findIndex((line) => line.event && line.number === move);
  const since = lines.some(({ number, event }) => at >= 0 && number > move && event && event.source !== null);
  const answer = (/** @type {boolean} */ yes) => send("answer", { yes });
  return html`<span class="ask" role="alert"><span><${Said} message=${
    at < 0
      ? { says: "{source} {source:asks|ask} to take a move back", source: { seat } }
      : { says: "{source} {source:asks|ask} to take back: {move}", source: { seat }, move: lines[at].message }
  } names=${table.names} you=${table.you} sentence />${since && ` ${tr("and what followed")}`}</span>
    ${
      table.may.includes("answer") &&
      html`<span class="two">${
        !own && html`<button type="button" onClick=${() => answer(true)}>${tr("Agree")}</button>`
      }
      <button type="button" onClick=${() => answer(false)}>${own ? tr("Never mind") : tr("No")}</button></span>`
    }</span>`;
}

/** Reactions to choose, where there is somebody to see them. @param {any} props */
export const Reactions = ({ table, send }) =>
  table.may.includes("react") &&
  inCompany(table) &&
  html`<p class="reactions" role="group" aria-label=${tr("React")}>${REACTIONS.map(
    (one) => html`<button key=${one} type="button" class="quiet" aria-label=${tr("React with {one}", { one })}
      onClick=${() => send("react", { reaction: one })}>${shown(one)}</button>`,
  )}</p>`;

/** The invitation for others: a link and a code. @param {{table: any, code: string}} props */
export function Invitation({ table, code }) {
  const spelt = `${code.slice(0, 4)}-${code.slice(4)}`;
  return html`<${Address} link=${location.origin + at(`/t/${table.id}`)} label=${tr("Invite link")} />
    ${
      code &&
      html`<p><${Said} message=${{
        says: "Code: {code}",
        code: { shown: () => html`<b class="code" translate=${false}>${spelt}</b>` },
      }} /> <${Copy} text=${spelt} label=${tr("Copy the code")} /></p>`
    }`;
}

/** What binds the server to its shuffle, folded away. @param {{table: any}} props */
export const Fair = ({ table }) =>
  table.fair.commitment &&
  html`<details class="fine"><summary>${tr("Fair shuffles")}</summary><p><${Said} message=${{
    says: "Commitment to the shuffle: {code}",
    code: { shown: () => html`<code translate=${false}>${table.fair.commitment}</code>` },
  }} /> · <a href="/verify">${tr("what is that?")}</a></p></details>`;

/** Tells somebody without a seat that they look on. @param {{table: any}} props */
export const Watching = ({ table }) =>
  table.you === null &&
  table.lost === null &&
  html`<p class="looking-on" role="status">${
    table.stage === "lobby" ? tr("You are watching. Take a free seat to play.") : tr("You are watching.")
  }</p>`;
