/** The deal that has just been played, reviewed before the next one begins: each own decision, and the table then. */
import { showQuery } from "../browser/address.js";
import { html, useEffect, useRef, useState } from "../browser/html.js";
import { Problem } from "../net/asked.js";
import { Dialog } from "./dialog.js";
import { tr } from "../text/message.js";
import { useFrames } from "../replay/frames.js";
import { Laid } from "../replay/laid.js";
import { before, opening, queryOf } from "../replay/place.js";
import { Decisions, measureOf, Steps, tryAgain, Verdict } from "../replay/review.js";

/** @typedef {import("wire").DecisionSeen} Decision */

// ms without an answer after which it is asked for again
const AGAIN = 5000;

/**
 * The table before a decision, as the player saw it.
 * @param {string} match where the server tells it @param {number} deal @param {Decision | undefined} decision
 * @returns {[any, boolean, Error | null]} it is null before anything has come; whether it is another one still
 */
function useTableBefore(match, deal, decision) {
  const [step, setStep] = useState(0);
  const [told, error] = useFrames(match, deal, -1, step);
  const wanted = told && decision ? before(decision) : 0;
  useEffect(() => setStep(wanted), [wanted]);
  return [told && decision ? told.frame.view : null, told?.late || told?.at !== wanted, error];
}

/** @param {any} props `sheet`: what has come of the review; `place`: where it opens, if the address has named that */
export function DealReview({ table, view, sheet, ask, place, close }) {
  const [chosen, setChosen] = useState(-1); // the number of the decision that is looked at; −1: as it opens
  const [refused, setRefused] = useState("");
  const felt = useRef(/** @type {HTMLElement | null} */ (null));
  /** @type {Decision[]} */
  const decisions = sheet?.decisions ?? [];
  const named = place.move ? decisions.findIndex((one) => one.number >= place.move) : -1;
  const worst = sheet && opening(sheet);
  const first = named < 0 && worst ? decisions.indexOf(worst) : named;
  const at = chosen < 0 ? first : chosen;
  const turn = (/** @type {boolean} */ on) =>
    setChosen((one) => Math.max(0, Math.min(decisions.length - 1, (one < 0 ? first : one) + (on ? 1 : -1))));
  useEffect(ask, []);
  useEffect(() => {
    if (sheet?.complete) return undefined;
    const timer = setInterval(ask, AGAIN); // it may be refused because it was asked too often
    return () => clearInterval(timer);
  }, [sheet]);
  useEffect(() => {
    const heard = (/** @type {KeyboardEvent} */ e) =>
      /^Arrow(Left|Right)$/.test(e.key) && decisions.length && turn(e.key === "ArrowRight");
    document.addEventListener("keydown", heard);
    return () => document.removeEventListener("keydown", heard);
  });
  const decision = decisions[at];
  const stops = decisions.map((_, i) => i);
  const match = `/api/tables/${table.id}`;
  const [seen, late, error] = useTableBefore(match, view.deal, decision);
  const { names, you } = table;
  useEffect(() => {
    if (decision) showQuery(queryOf({ deal: view.deal, move: decision.number, seat: you }), false);
  }, [decision?.number]);
  const measure = measureOf(sheet ?? { lowest: 0, highest: 99 }, view);
  const retry = () =>
    tryAgain(match, view.deal, decision.number).catch((/** @type {Error} */ problem) => setRefused(problem.message));
  return html`<${Dialog} title=${tr("Review")} close=${close} wide name="reviewing"><div class="laid">
    ${
      seen &&
      html`<${Laid} felt=${felt} view=${seen} names=${names} you=${you} seat=${you} game=${table.game}
        players=${table.seats} late=${late} decision=${late ? null : decision} />`
    }
    <section class="review">
      ${(refused || error) && html`<${Problem} error=${refused || error} />`}
      ${
        decision &&
        html`<p class="moved" aria-live="polite"><${Verdict} decision=${decision} names=${names} you=${you}
          measure=${measure} /></p>
        <${Steps} steps=${{ stops, at, turn }}>${
          !table.daily && html`<button type="button" onClick=${retry}>${tr("Try again from here")}</button>`
        }<//>`
      }
      <${Decisions} sheet=${sheet} error=${null} names=${names} you=${you} seat=${you} here=${at} measure=${measure}
        show=${setChosen} />
    </section></div>
    <footer><button type="button" class="primary" autofocus onClick=${close}>${tr("Close")}</button></footer>
  <//>`;
}
