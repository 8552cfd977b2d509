/** What is happening, on the felt: in one line the caption of the last beat, and the cards that it turns up. */
import { html, useEffect, useState } from "../browser/html.js";
import { Card } from "../faces/cards.js";
import { TURNS } from "./beats.js";
import { Said } from "../text/message.js";

// ms for which a player sees what they have won, whatever happens then
const WON = 1500;

/**
 * @param {{shown: {caption: import("../text/message.js").Value[], won: import("../text/message.js").Value[]},
 * names: string[], you: number | null}} props
 */
export function Caption({ shown, names, you }) {
  const { won } = shown;
  const [seen, setSeen] = useState(/** @type {any} */ (null)); // what was won, and has been there long enough
  useEffect(() => {
    const timer = setTimeout(() => setSeen(won), WON);
    return () => clearTimeout(timer);
  }, [won]);
  const caption = won === seen ? shown.caption : won;
  return html`<p class="caption" aria-hidden="true">${
    caption.length > 0 &&
    html`<span key=${JSON.stringify(caption)}>
    ${caption.map(
      (one, i) => html`${i > 0 && ". "}<${Said} message=${one} names=${names} you=${you}
    sentence />`,
    )}</span>`
  }</p>`;
}

/**
 * Cards that were laid face down, turned up one by one below what was claimed of them.
 * @param {{turned: import("./beats.js").Turned | undefined, names: string[], you: number | null}} props
 */
export function Moment({ turned, names, you }) {
  if (!turned) return null;
  const { claim, cards, found } = turned;
  const said = (/** @type {any} */ message) => html`<${Said} message=${message} names=${names} you=${you} sentence />`;
  return html`<div class="moment" aria-hidden="true" style=${{ "--turns": `${TURNS}ms`, "--n": cards.length }}>
    <p>${said(claim)}</p>
    <span class="turned">${cards.map(
      (card, i) => html`<span key=${i} style=${{ "--i": i }}><${Card} card=${card} still /></span>`,
    )}</span>
    ${found.map((event) => html`<p key=${event.kind} class="found ${event.kind}">${said(event.says)}</p>`)}
  </div>`;
}
