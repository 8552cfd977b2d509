/** A review: what each decision of a player in a deal was worth, judged by what that player knew. */
import { html, useEffect, useState } from "../browser/html.js";
import { get } from "../net/api.js";
import { code, mark } from "../text/language.js";
import { Said, told, tr } from "../text/message.js";
import { called } from "../hand/moves.js";
import { persist } from "../net/patience.js";

/** @typedef {import("wire").DecisionSeen} Decision */
/** What was best with all cards seen. @typedef {import("wire").AllCardsSeen} Seen */
/** @typedef {import("wire").ReviewSeen} Reviewed */

const AGAIN = 400; //: milliseconds before a review that is not complete is asked for again

/**
 * The review of a deal so far, and an error.
 * @param {string} id
 * @param {number} deal
 * @param {number | null} seat null: none is wanted
 * @returns {[Reviewed | null, Error | null]}
 */
export function useReview(id, deal, seat) {
  const [found, setFound] = useState(/** @type {[Reviewed | null, Error | null]} */ ([null, null]));
  useEffect(() => {
    setFound([null, null]);
    if (seat === null) return undefined;
    let timer = 0;
    let ends = () => {};
    const ask = () => {
      ends = persist(
        () => get(`/api/matches/${id}/review?deal=${deal}&seat=${seat}`),
        ([told, error]) => {
          setFound(([before]) => [told ?? before, error]);
          if (told && !told.complete) timer = setTimeout(ask, AGAIN);
        },
      );
    };
    ask();
    return () => {
      ends();
      clearTimeout(timer);
    };
  }, [id, deal, seat]);
  return found;
}

/**
 * Where a deal was lost, as far as it is known; null: it is not asked for, or nothing is known yet.
 * @param {string} id
 * @param {number} deal
 * @param {number | null} seat null: it is not asked for
 */
export function useLost(id, deal, seat) {
  const [found, setFound] = useState(/** @type {any} */ (null));
  useEffect(() => {
    setFound(null);
    if (seat === null) return undefined;
    let ends = () => {};
    const ask = () => {
      ends = persist(
        () => get(`/api/matches/${id}/lost?deal=${deal}&seat=${seat}`),
        ([told, error]) => {
          setFound(told ?? { error: error.message });
          if (told && !told.complete) ask();
        },
      );
    };
    ask();
    return () => ends();
  }, [id, deal, seat]);
  return found;
}

/** Where a deal was lost, and a button that shows the table there. @param {any} props */
function Lost({ found, numbers, names, go }) {
  if (found?.error) return html`<p class="problem" role="alert">${found.error}</p>`;
  if (!found?.lost) return null;
  const at = found.move ? numbers.indexOf(found.won) - 1 : numbers.length - 1;
  return html`<p class="where" role="status"><${Said} message=${found.says} names=${names} /> ${
    found.complete &&
    found.won > 0 &&
    html`<button type="button" class="text" onClick=${() => go(at)}>${tr("Look at the table")}</button>`
  }</p>`;
}

/**
 * The frame that shows the table before a decision. @param {number[]} numbers of the moves of all frames
 * @param {{number: number}} decision
 */
export const before = (numbers, decision) => numbers.indexOf(decision.number) - 1;

/** @param {number} n */
const signed = (n) => `${n < 0 ? "−" : "+"}${Math.abs(n).toFixed(2)}`;
/** @param {Decision} decision */
const lost = (decision) => `${decision.loss.toFixed(2)} ± ${decision.error.toFixed(2)}`;
/** A decision in a word. @type {Record<string, string>} */
export const GRADES = {
  best: mark("best"),
  good: mark("good"),
  inaccuracy: mark("inaccuracy"),
  mistake: mark("mistake"),
  blunder: mark("blunder"),
};
/** The number of decisions with each grade. @type {Record<string, string>} */
const COUNTED = {
  best: mark("{n} best"),
  good: mark("{n} good"),
  inaccuracy: mark("{n} {n:inaccuracy|inaccuracies}"),
  mistake: mark("{n} {n:mistake|mistakes}"),
  blunder: mark("{n} {n:blunder|blunders}"),
};

/** The number of decisions with each grade, in words. @param {Record<string, number>} grades */
export const counted = (grades) =>
  Object.entries(grades)
    .filter(([, n]) => n)
    .map(([grade, n]) => tr(COUNTED[grade], { n }))
    .join(", ");

/** Decisions in a sentence. @param {number} n @param {Record<string, number>} grades @param {number} loss on average */
export const summed = (n, grades, loss) =>
  html`<${Said} message=${{
    says: "{count}: {grades}. Average loss {loss}.",
    count: { shown: () => html`<b>${tr("{n} {n:decision|decisions}", { n })}</b>` },
    grades: counted(grades),
    loss: loss.toFixed(2),
  }} />`;

/** What a decision was worth, in a sentence. @param {{decision: Decision, names: string[]}} props */
export function Verdict({ decision, names }) {
  const { grade } = decision;
  const best = called({ text: decision.best, label: decision.best_label });
  const says =
    grade === "best"
      ? mark("{played}: {grade:the best move}.")
      : grade === "good"
        ? mark("{played}; {best} promised {promised}. {grade:As good}, as far as can be told ({loss} less).")
        : mark("{played}; {best} promised {promised}. {grade}: {loss} given away.");
  const played = {
    says: "{player} played {move}, with {expected} to be expected",
    player: { shown: () => html`<b>${names[decision.seat]}</b>` },
    move: called({ text: decision.move, label: decision.move_label }),
    expected: signed(decision.estimate),
  };
  const shown = (/** @type {string} */ words) => html`<b class="grade ${grade}">${words || told(GRADES[grade])}</b>`;
  return html`<${Said} message=${{
    says,
    played,
    best,
    promised: signed(decision.best_estimate),
    loss: lost(decision),
    grade: { shown },
  }} />`;
}

/**
 * What was best with all cards seen, which the player could not know; nothing where that was not found.
 * @param {{decision: Decision}} props
 */
export function WithAllCardsSeen({ decision }) {
  const { seen } = decision;
  if (!seen) return null;
  const best = called({ text: seen.best, label: seen.best_label });
  const says =
    seen.best === decision.move
      ? mark("With all cards known, including the hidden ones, {best} was the best move.")
      : mark("With all cards known, including the hidden ones, {best} was better. This does not affect the grade.");
  return html`<p class="open-cards"><${Said} message=${{ says, best }} /></p>`;
}

/**
 * Buttons to the decision before or after this place in the deal, and others.
 * @param {{decisions: Decision[], numbers: number[], at: number, go: (step: number) => void, children?: any}} props
 */
export function Steps({ decisions, numbers, at, go, children }) {
  const all = decisions.map((one) => before(numbers, one));
  const [last, next] = [all.filter((step) => step < at).at(-1), all.find((step) => step > at)];
  return html`<p class="steps"><button type="button" disabled=${last === undefined} onClick=${() => go(last ?? 0)}>
    ${tr("Previous decision")}</button>
    <button type="button" disabled=${next === undefined} onClick=${() => go(next ?? 0)}>${tr("Next decision")}</button>
      ${children}</p>`;
}

/** A decision in the list. @param {{decision: Decision, most: number, here: boolean, show: () => void}} props */
function Line({ decision, most, here, show }) {
  const same = decision.move === decision.best;
  return html`<li><button type="button" class="decision ${decision.worst ? "worst" : ""}"
    aria-current=${here ? "step" : undefined} onClick=${show}>
    <span class="number"><span class="sr">${tr("Move")} </span>${decision.number}</span>
    <span class="what"><${Said} message=${called({ text: decision.move, label: decision.move_label })} /></span>
    <span class="what">${
      !same &&
      html`<span class="sr">${tr("best:")} </span>
      <${Said} message=${called({ text: decision.best, label: decision.best_label })} />`
    }</span>
    <span class="expected"><span class="sr">${tr("expected", { context: "column" })} </span>
      ${signed(decision.estimate)}</span>
    <span class="grade ${decision.grade}">${
      decision.worst && html`<span aria-hidden="true">▼ </span>`
    }${tr(GRADES[decision.grade])}${
      decision.worst && html`<span class="sr">, ${tr("one of the three worst")}</span>`
    }</span>
    ${
      !same &&
      html`<span class="lost"><i style=${{ width: `${most ? Math.max(2, (100 * decision.loss) / most) : 0}%` }}
      aria-hidden="true"></i><span><span class="sr">${tr("loss", { context: "column" })} </span>
      ${lost(decision)}</span></span>`
    }
  </button></li>`;
}

/**
 * A review in a sentence, or how far it is.
 * @param {{sheet: Reviewed | null, error: Error | null, player: string}} props
 */
export function Sum({ sheet, error, player }) {
  return html`<p class="sum" role="status">${
    sheet && !sheet.complete
      ? tr("{n} of {of} decisions are judged …", { n: sheet.decisions.length, of: sheet.of })
      : sheet?.of
        ? summed(sheet.of, sheet.grades, sheet.loss)
        : sheet
          ? tr("{player} had nothing to decide in this deal.", { player })
          : error
            ? ""
            : tr("Thinking about each decision …")
  }</p>`;
}

/** @param {{told: Reviewed | null, error: Error | null, names: string[], seat: number, choose: (seat: number) => void,
 * known: boolean, know: (known: boolean) => void,
 *   numbers: number[], at: number, go: (step: number) => void, lost: any}} props */
export function Review({ told: sheet, lost: loss, error, names, seat, choose, known, know, numbers, at, go }) {
  const decisions = sheet?.decisions ?? [];
  const most = Math.max(0, ...decisions.map((one) => one.loss));
  const player = names[seat];
  return html`<section class="review panel" aria-label=${tr("Review")}>
    <header><h2>${tr("Review")}</h2><label>${tr("Whose decisions:")} <select value=${seat}
      onChange=${(/** @type {any} */ e) => choose(Number(e.target.value))}>
      ${names.map((name, i) => html`<option key=${i} value=${i}>${name}</option>`)}</select></label></header>
    <fieldset class="presets"><legend class="sr">${tr("What is shown")}</legend>
      <label><input type="radio" name="known" checked=${known} onChange=${() => know(true)} /><span>
        ${tr("Only what {player} knew", { player })}</span></label>
      <label><input type="radio" name="known" checked=${!known} onChange=${() => know(false)} /><span>
        ${tr("All hands")}</span></label>
    </fieldset>
    ${error && html`<p class="problem" role="alert">${error.message}</p>`}
    <${Sum} sheet=${sheet} error=${error} player=${player} />
    <${Lost} found=${loss} numbers=${numbers} names=${names} go=${go} />
    ${
      decisions.length > 0 &&
      html`<div class="heads" aria-hidden="true"><span></span>
        <span>${tr("played", { context: "column" })}</span><span>${tr("best", { context: "column" })}</span>
        <span>${tr("expected", { context: "column" })}</span><span>${tr("grade", { context: "column" })}</span></div>
      <ol>${decisions.map(
        (one) => html`<${Line} key=${one.number} decision=${one} most=${most}
        here=${at === before(numbers, one)} show=${() => go(before(numbers, one))} />`,
      )}</ol>
      <p class="fine">
        ${tr(
          "Judged by what {player} knew, with up to {iterations} deals played out for each decision. " +
            "Expected: what the move can be expected to bring in this deal. Loss: how much less than the best move, " +
            "give or take a standard error. ▼: the worst, three at most.",
          { player, iterations: sheet?.iterations.toLocaleString(code()) ?? "" },
        )}</p>`
    }
  </section>`;
}
