/** A review: what each decision of a player in a deal was worth, by what that player knew. */
import { html, useEffect, useState } from "./html.js";
import { get } from "./api.js";
import { Said } from "./message.js";
import { called } from "./moves.js";

/** @typedef {{deal: number, number: number, seat: number, move: string, best: string, estimate: number, best_estimate: number, loss: number, error: number,
 *   scale: number, grade: string, worst: boolean, move_label?: import("./message.js").Value | null, best_label?: import("./message.js").Value | null}} Decision */
/** @typedef {{deal: number, seat: number, iterations: number, complete: boolean, of: number, decisions: Decision[], loss: number, grades: Record<string, number>}} Reviewed */

const AGAIN = 400; //: milliseconds before a review that is not complete is asked for again

/** The review of a deal as far as it has come, and what went wrong. @param {string} id @param {number} deal @param {number | null} seat null: none is wanted @returns {[Reviewed | null, Error | null]} */
export function useReview(id, deal, seat) {
  const [found, setFound] = useState(/** @type {[Reviewed | null, Error | null]} */ ([null, null]));
  useEffect(() => {
    setFound([null, null]);
    if (seat === null) return undefined;
    let here = true;
    let timer = 0;
    const ask = () => get(`/api/matches/${id}/review?deal=${deal}&seat=${seat}`).then((told) => {
      if (!here) return;
      setFound([told, null]);
      if (!told.complete) timer = setTimeout(ask, AGAIN);
    }).catch((error) => here && setFound(([told]) => [told, error]));
    ask();
    return () => {
      here = false;
      clearTimeout(timer);
    };
  }, [id, deal, seat]);
  return found;
}

/** Which frame shows the table as it lay before a decision. @param {any[]} frames @param {Decision} decision */
export const before = (frames, decision) => frames.findIndex((frame) => frame.number === decision.number) - 1;

/** @param {number} n */
const signed = (n) => `${n < 0 ? "−" : "+"}${Math.abs(n).toFixed(2)}`;
/** @param {Decision} decision */
const lost = (decision) => `${decision.loss.toFixed(2)} ± ${decision.error.toFixed(2)}`;
/** @param {string} grade @param {number} n */
const many = (grade, n) => `${n} ${n === 1 || grade === "best" || grade === "good" ? grade : grade.endsWith("y") ? `${grade.slice(0, -1)}ies` : `${grade}s`}`;

/** What a decision was worth, in a sentence. @param {{decision: Decision, names: string[]}} props */
export function Verdict({ decision, names }) {
  const made = html`<${Said} message=${called({ text: decision.move, label: decision.move_label })} />`;
  const best = html`<${Said} message=${called({ text: decision.best, label: decision.best_label })} />`;
  const played = html`<b>${names[decision.seat]}</b> played ${made}, with ${signed(decision.estimate)} to be expected`;
  if (decision.grade === "best") return html`${played}: <b class="grade best">the best move</b>.`;
  return html`${played}; ${best} promised ${signed(decision.best_estimate)}. ${decision.grade === "good"
    ? html`<b class="grade good">As good</b>, as far as can be told (${lost(decision)} less).`
    : html`<b class="grade ${decision.grade}">${decision.grade[0].toUpperCase() + decision.grade.slice(1)}</b>: ${lost(decision)} given away.`}`;
}

/** To the decision before or after this place in the deal, and what else one can do here. @param {{decisions: Decision[], frames: any[], at: number, go: (step: number) => void, children?: any}} props */
export function Steps({ decisions, frames, at, go, children }) {
  const all = decisions.map((one) => before(frames, one));
  const [last, next] = [all.filter((step) => step < at).at(-1), all.find((step) => step > at)];
  return html`<p class="steps"><button type="button" disabled=${last === undefined} onClick=${() => go(last ?? 0)}>Decision before</button>
    <button type="button" disabled=${next === undefined} onClick=${() => go(next ?? 0)}>Next decision</button>${children}</p>`;
}

/** A decision in the list. @param {{decision: Decision, most: number, here: boolean, show: () => void}} props */
function Line({ decision, most, here, show }) {
  const same = decision.move === decision.best;
  return html`<li><button type="button" class="decision ${decision.worst ? "worst" : ""}" aria-current=${here ? "step" : undefined} onClick=${show}>
    <span class="number"><span class="sr">Move </span>${decision.number}</span>
    <span class="what"><${Said} message=${called({ text: decision.move, label: decision.move_label })} /></span>
    <span class="what">${!same && html`<span class="sr">best: </span><${Said} message=${called({ text: decision.best, label: decision.best_label })} />`}</span>
    <span class="expected"><span class="sr">expected </span>${signed(decision.estimate)}</span>
    <span class="grade ${decision.grade}">${decision.worst && html`<span aria-hidden="true">▼ </span>`}${decision.grade}${decision.worst && html`<span class="sr">, one of the three worst</span>`}</span>
    ${!same && html`<span class="lost"><i style=${{ width: `${most ? Math.max(2, (100 * decision.loss) / most) : 0}%` }} aria-hidden="true"></i><span><span class="sr">loss </span>${lost(decision)}</span></span>`}
  </button></li>`;
}

/** @param {{told: Reviewed | null, error: Error | null, names: string[], seat: number, choose: (seat: number) => void, known: boolean, know: (known: boolean) => void,
 *   frames: any[], at: number, go: (step: number) => void}} props */
export function Review({ told, error, names, seat, choose, known, know, frames, at, go }) {
  const decisions = told?.decisions ?? [];
  const most = Math.max(0, ...decisions.map((one) => one.loss));
  const sum = told && Object.entries(told.grades).filter(([, n]) => n).map(([grade, n]) => many(grade, n)).join(", ");
  return html`<section class="review panel" aria-label="Review">
    <header><h2>Review</h2><label>of <select aria-label="Whose decisions" value=${seat} onChange=${(/** @type {any} */ e) => choose(Number(e.target.value))}>${names.map((name, i) => html`<option key=${i} value=${i}>${name}</option>`)}</select></label></header>
    <fieldset class="presets"><legend class="sr">What is shown</legend>
      <label><input type="radio" name="known" checked=${known} onChange=${() => know(true)} /><span>Only what ${names[seat]} knew</span></label>
      <label><input type="radio" name="known" checked=${!known} onChange=${() => know(false)} /><span>All hands</span></label>
    </fieldset>
    ${error && html`<p class="problem" role="alert">${error.message}</p>`}
    <p class="sum" role="status">${told
      ? told.complete ? (told.of ? html`<b>${told.of} ${told.of === 1 ? "decision" : "decisions"}</b>: ${sum}. Average loss ${told.loss.toFixed(2)}.` : `${names[seat]} had nothing to decide in this deal.`) : `${decisions.length} of ${told.of} decisions are judged …`
      : error ? "" : "Thinking about each decision …"}</p>
    ${decisions.length > 0 && html`<div class="heads" aria-hidden="true"><span></span><span>played</span><span>best</span><span>expected</span><span>grade</span></div>
      <ol>${decisions.map((one) => html`<${Line} key=${one.number} decision=${one} most=${most} here=${at === before(frames, one)} show=${() => go(before(frames, one))} />`)}</ol>
      <p class="fine">Judged by what ${names[seat]} knew, with up to ${told?.iterations.toLocaleString()} deals played out for each decision. Expected: what the move can be expected to bring in this deal. Loss: how much less than the best move, give or take a standard error. ▼: the worst, three at most.</p>`}
  </section>`;
}
