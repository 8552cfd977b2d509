/** The deal that has just been played, reviewed: the player's own decisions, before the next deal begins. */
import { html, useEffect } from "../browser/html.js";
import { Dialog } from "./dialog.js";
import { tr } from "../text/message.js";
import { Sum, Verdict } from "../replay/review.js";

const AGAIN = 5000; // ms without an answer after which it is asked for again

/**
 * @param {{table: any, sheet: import("../replay/review.js").Reviewed | null, ask: () => void, close: () => void}} props
 *   `sheet`: what has come of it
 */
export function DealReview({ table, sheet, ask, close }) {
  useEffect(ask, []);
  useEffect(() => {
    if (sheet?.complete) return undefined;
    const timer = setInterval(ask, AGAIN); // it may be refused because it was asked too often
    return () => clearInterval(timer);
  }, [sheet]);
  const worse = (sheet?.decisions ?? []).filter(({ grade }) => grade !== "best" && grade !== "good");
  return html`<${Dialog} title=${tr("The deal, reviewed")} close=${close}>
    <${Sum} sheet=${sheet} error=${null} player=${table.names[table.you]} />
    ${sheet?.complete && sheet.of > 0 && !worse.length && html`<p>${tr("No other move was surely worth more.")}</p>`}
    ${
      worse.length > 0 &&
      html`<ol class="verdicts">${worse.map(
        (one) => html`<li key=${one.number}><${Verdict} decision=${one} names=${table.names} /></li>`,
      )}</ol>`
    }
    ${
      sheet?.complete &&
      html`<p class="fine">
        ${tr("Judged by what you knew. At the end of the match, the review shows every position.")}</p>`
    }
    <footer><button type="button" class="primary" autofocus onClick=${close}>${tr("Close")}</button></footer>
  <//>`;
}
