/** "It is your turn", where a player who looks elsewhere sees it: the title and the icon of the tab. */

/** @param {boolean} turn @param {string} title */
export function cue(turn, title) {
  document.title = turn ? `● Your turn — ${title}` : `${title} — Cardtable`;
  document.getElementById("favicon")?.setAttribute("href", turn ? "/static/icon-turn.svg" : "/static/icon.svg");
}
