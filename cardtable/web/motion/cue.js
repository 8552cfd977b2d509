/** Signals "your turn" to a player who is looking elsewhere. */
import { file } from "../browser/address.js";
import { tr } from "../text/message.js";
import { chime } from "./sound.js";
import { choices } from "../browser/store.js";

/** The title and the icon of the tab. @param {boolean} turn @param {string} title */
export function cue(turn, title) {
  document.title = turn ? `● ${tr("Your turn")} — ${title}` : `${title} — Cardtable`;
  document.getElementById("favicon")?.setAttribute("href", file(turn ? "icon-turn.svg" : "icon.svg"));
}

/**
 * When the turn begins, once: a sound, and a notice if the page is hidden, if the player has switched them on.
 * @param {string} title
 */
export function call(title) {
  chime("turn");
  if (!choices().notice || !document.hidden) return;
  navigator.vibrate?.(120);
  if ("Notification" in globalThis && Notification.permission === "granted") {
    const notice = new Notification(tr("Your turn"), { body: title, icon: file("icon-turn.svg"), tag: "turn" });
    notice.onclick = () => (globalThis.focus(), notice.close());
  }
}

/** Ask the browser whether notices may be shown. */
export const permitted = () =>
  "Notification" in globalThis && Notification.permission === "default" && Notification.requestPermission();
