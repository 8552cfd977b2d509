/** The company at a table: one's name, reactions, and who only looks on. */
import { html, useState } from "../browser/html.js";
import { choose } from "../browser/store.js";
import { tr } from "../text/message.js";

/** What a player may show at their seat (cardtable/table/commands.py). */
export const REACTIONS = ["👍", "👏", "😀", "😮", "😢", "🤔"];

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

/** Reactions to choose, where there is somebody to see them. @param {any} props */
export const Reactions = ({ table, send }) =>
  table.may.includes("react") &&
  table.seats.some((/** @type {any} */ place) => place.kind === "person" && place.seat !== table.you) &&
  html`<p class="reactions" role="group" aria-label=${tr("React")}>${REACTIONS.map(
    (one) => html`<button key=${one} type="button" class="quiet" aria-label=${tr("React with {one}", { one })}
      onClick=${() => send("react", { reaction: one })}>${one}</button>`,
  )}</p>`;

/** Tells somebody without a seat that they look on. @param {{table: any}} props */
export const Watching = ({ table }) =>
  table.you === null &&
  table.lost === null &&
  html`<p class="looking-on" role="status">${
    table.stage === "lobby" ? tr("You are watching. Take a free seat to play.") : tr("You are watching.")
  }</p>`;
