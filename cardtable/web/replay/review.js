/** A review: what each decision of a player in a deal was worth, judged by what that player knew. */
import { visit } from "../browser/address.js";
import { html, useEffect, useState } from "../browser/html.js";
import { Problem } from "../net/asked.js";
import { choices } from "../browser/store.js";
import { get, post } from "../net/api.js";
import { code, mark } from "../text/language.js";
import { Said, told, tr, written } from "../text/message.js";
import { called } from "../hand/moves.js";
import { persist } from "../net/patience.js";
import { before } from "./place.js";

/** @typedef {import("wire").DecisionSeen} Decision */
/** @typedef {import("wire").ReviewSeen} Reviewed */

const ABOUT = mark(
  "Judged by what {player} knew, with up to {iterations} deals played out for each decision. " +
    "Expected: what the move can be expected to bring in this deal. Loss: how much less than the best move, " +
    "give or take a standard error. ▼: the worst, three at most.",
);
const AGAIN = 400; //: milliseconds before what is not complete is asked for again

/**
 * What the server finds out about a deal, as far as it is known, and an error; it is asked again until that is
 * complete.
 * @param {string} id of the match @param {string} what "review", or "lost": where the deal was lost
 * @param {number} deal @param {number | null} seat null: it is not wanted
 * @returns {[any, Error | null]}
 */
export function useFound(id, what, deal, seat) {
  const [found, setFound] = useState(/** @type {[any, Error | null]} */ ([null, null]));
  useEffect(() => {
    setFound([null, null]);
    if (seat === null) return undefined;
    let timer = 0;
    let ends = () => {};
    const ask = () => {
      ends = persist(
        () => get(`/api/matches/${id}/${what}?deal=${deal}&seat=${seat}`),
        ([told, error]) => {
          // it is thinking, as the page says
          setFound(([before]) => [told ?? before, error?.code === "late" ? null : error]);
          if (told && !told.complete) timer = setTimeout(ask, AGAIN);
        },
      );
    };
    ask();
    return () => {
      ends();
      clearTimeout(timer);
    };
  }, [id, what, deal, seat]);
  return found;
}

/**
 * Play on from before a move, against bots, at another table.
 * @param {string} match where the server tells it @param {number} deal @param {number} number of the move
 */
export const tryAgain = (match, deal, number) =>
  post(`${match}/retry`, { deal, number, name: choices().name }).then((made) => visit(made.path));

/** Where a deal was lost, and a button that shows the table there. @param {any} props */
function Lost({ lost: [found, error], last, names, go }) {
  if (error) return html`<${Problem} error=${error} />`;
  if (!found?.lost) return null;
  const at = found.move ? found.won - 1 : last;
  return html`<p class="where" role="status"><${Said} message=${found.says} names=${names} /> ${
    found.complete &&
    found.won > 0 &&
    html`<button type="button" class="text" onClick=${() => go(at)}>${tr("Look at the table")}</button>`
  }</p>`;
}

/** A decision in a word. @type {Record<string, string>} */
export const GRADES = {
  best: mark("best"),
  good: mark("good"),
  inaccuracy: mark("inaccuracy"),
  mistake: mark("mistake"),
  blunder: mark("blunder"),
};

/**
 * How results of a deal are written: `short` for a column or a graph, `whole` with its unit, a difference as an
 * `amount`,
 * the `loss` of a decision.
 * @typedef {{short: (n: number) => string, whole: (n: number) => string, amount: (n: number) => string,
 *   loss: (decision: Decision, whole?: boolean) => string}} Measure
 */

/**
 * What the results of a deal are measured in: in the chance to win, if it is only won or lost; else in points, or in
 * what the seats have on the table.
 * @param {{lowest: number, highest: number}} bounds of a result @param {any} view @returns {Measure}
 */
export function measureOf({ lowest, highest }, view) {
  const chance = highest === 1 && (lowest === 0 || lowest === -1);
  const digits = highest - lowest > 20 ? 1 : 2;
  const facts = (view?.zones ?? []).flatMap((/** @type {any} */ zone) => zone.facts);
  const coins = facts.find((/** @type {any} */ fact) => fact.coins !== undefined)?.message.says;
  const unit = chance
    ? mark("{n} percentage {n:point|points}")
    : !coins
      ? mark("{n} {n:point|points}")
      : coins.startsWith("{n} ")
        ? coins
        : mark("{n} {n:chip|chips}");
  const percent = (/** @type {number} */ n) => Math.round((100 * n) / (1 - lowest));
  const rounded = (/** @type {number} */ n) => Number(Math.abs(n).toFixed(digits));
  const number = chance ? percent : rounded;
  const amount = (/** @type {number} */ n) => written({ says: unit, n: number(n) });
  const sign = (/** @type {number} */ n) => (rounded(n) ? (n < 0 ? "−" : "+") : "");
  const short = (/** @type {number} */ n) => (chance ? tr("{n}%", { n: percent(n - lowest) }) : sign(n) + rounded(n));
  return {
    short,
    amount,
    whole: (n) => (chance ? tr("{share} to win", { share: short(n) }) : sign(n) + amount(n)),
    // the unit agrees with the loss
    loss: ({ loss, error }, whole) =>
      (whole ? amount(loss) : `${number(loss)}`).replace(`${number(loss)}`, (n) => `${n} ± ${number(error)}`),
  };
}

/** What a decision was worth, in a sentence. @param {any} props */
export function Verdict({ decision, names, you, measure }) {
  const { grade } = decision;
  const says =
    grade === "best"
      ? mark("{played} ({expected}). {grade:The best move}.")
      : grade === "good"
        ? mark("{played} ({expected}). {grade:As good} as {best} ({promised}), as far as can be told.")
        : mark("{played} ({expected}). Better: {best} ({promised}). {grade}: {loss} given away.");
  const move = called({ text: decision.move, label: decision.move_label });
  const played =
    decision.seat === you
      ? { says: "Your move: {move}", move }
      : { says: "{player}: {move}", player: { shown: () => html`<b>${names[decision.seat]}</b>` }, move };
  const shown = (/** @type {string} */ words) => html`<b class="grade ${grade}">${words || told(GRADES[grade])}</b>`;
  return html`<${Said} message=${{
    says,
    played,
    expected: measure.whole(decision.estimate),
    best: called({ text: decision.best, label: decision.best_label }),
    promised: measure.whole(decision.best_estimate),
    loss: measure.loss(decision, true),
    grade: { shown },
  }} />`;
}

/**
 * What was best with all cards seen, which the player could not know; nothing where that was not found.
 * @param {any} props
 */
function WithAllCardsSeen({ decision }) {
  const { seen } = decision;
  if (!seen) return null;
  const best = called({ text: seen.best, label: seen.best_label });
  const says =
    seen.best === decision.move
      ? mark("With all cards known, including the hidden ones, {best} was the best move.")
      : mark("With all cards known, including the hidden ones, {best} was better. This does not affect the grade.");
  return html`<p class="open-cards"><${Said} message=${{ says, best }} /></p>`;
}

const WIDTH = 320,
  HEIGHT = 84,
  EDGE = 8; // px of the drawing, which is scaled

/**
 * The course of a deal as a graph: the result to be expected after each decision, and from where it fell.
 * @param {{decisions: Decision[], at: number, measure: Measure, show: (i: number) => void}} props `at`: the one shown
 */
function Course({ decisions, at, measure, show }) {
  if (decisions.length < 2) return null;
  const all = decisions.flatMap((one) => [one.estimate, one.best_estimate]);
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const wide = (WIDTH - 2 * EDGE) / (decisions.length - 1);
  const x = (/** @type {number} */ i) => EDGE + i * wide;
  const y = (/** @type {number} */ n) => EDGE + ((high - n) * (HEIGHT - 2 * EDGE)) / (high - low || 1);
  return html`<figure class="course" onClick=${reveal}><svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
    ${low < 0 && high > 0 && html`<line class="axis" x1="0" x2=${WIDTH} y1=${y(0)} y2=${y(0)} />`}
    ${at >= 0 && html`<line class="here" x1=${x(at)} x2=${x(at)} y1="0" y2=${HEIGHT} />`}
    <polyline class="mean" points=${decisions.map((one, i) => `${x(i)},${y(one.estimate)}`).join(" ")} />
    ${decisions.map(
      (one, i) => html`<g key=${one.number} class=${one.grade} onClick=${() => show(i)}>
      <rect x=${x(i) - wide / 2} width=${wide} height=${HEIGHT} />
      <line x1=${x(i)} x2=${x(i)} y1=${y(one.best_estimate)} y2=${y(one.estimate)} />
      <circle cx=${x(i)} cy=${y(one.estimate)} r=${one.worst ? 5 : decisions.length > 40 ? 2 : 3.5} /></g>`,
    )}</svg><figcaption><span class="sr">${tr("Expected result:")} </span>${measure.short(high)}<span
      class="sr"> – </span><span>${measure.short(low)}</span></figcaption></figure>`;
}

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

/** Decisions in a sentence. @param {number} n @param {Record<string, number>} grades @param {string} loss on average */
export const summed = (n, grades, loss) =>
  html`<${Said} message=${{
    says: "{count}: {grades}. Average loss {loss}.",
    count: { shown: () => html`<b>${tr("{n} {n:decision|decisions}", { n })}</b>` },
    grades: counted(grades),
    loss,
  }} />`;

/**
 * After a choice among the decisions, show what was decided and the table: on a phone they are far up the page.
 * @param {Event} e
 */
const reveal = ({ currentTarget }) =>
  innerWidth < 1000 && /** @type {Element} */ (currentTarget).closest(".laid")?.scrollIntoView();

/** Buttons to the decision before or after this place in the deal, and others. @param {any} props */
export function Steps({ steps: { stops, at, turn }, children }) {
  return html`<p class="steps" onClick=${reveal}>
    <button type="button" disabled=${!stops.some((/** @type {number} */ one) => one < at)}
    title="←" onClick=${() => turn(false)}>${tr("Previous decision")}</button>
    <button type="button" disabled=${!stops.some((/** @type {number} */ one) => one > at)} title="→"
      onClick=${() => turn(true)}>${tr("Next decision")}</button>${children}</p>`;
}

/** A decision in the list. @param {any} props */
function Line({ decision, most, here, show, measure }) {
  const same = decision.move === decision.best;
  return html`<li><button type="button" class="decision ${decision.worst ? "worst" : ""}"
    aria-current=${here ? "step" : undefined} onClick=${show}>
    <span class="number"><span class="sr">${tr("Move")} </span>${decision.number}</span>
    <span><${Said} message=${called({ text: decision.move, label: decision.move_label })} /></span>
    <span class="expected"><span class="sr">${tr("expected", { context: "column" })} </span>
      ${measure.short(decision.estimate)}</span>
    <span class="grade ${decision.grade}">${
      decision.worst && html`<span aria-hidden="true">▼ </span>`
    }${tr(GRADES[decision.grade])}${
      decision.worst && html`<span class="sr">, ${tr("one of the three worst")}</span>`
    }</span>
    ${
      !same &&
      html`<span class="what">${tr("best:")}${" "}
      <${Said} message=${called({ text: decision.best, label: decision.best_label })} /></span>
      <span class="lost"><i style=${{ width: `${most ? Math.max(2, (100 * decision.loss) / most) : 0}%` }}
      aria-hidden="true"></i><span><span class="sr">${tr("loss", { context: "column" })} </span>
      ${measure.loss(decision)}</span></span>`
    }
  </button></li>`;
}

/** A review in a sentence, or how far it is. @param {any} props */
function Sum({ sheet, error, seat, measure, ...reader }) {
  return html`<p class="sum" role="status">${
    sheet && !sheet.complete
      ? tr("{n} of {of} decisions are judged …", { n: sheet.decisions.length, of: sheet.of })
      : sheet?.of
        ? summed(sheet.of, sheet.grades, measure.amount(sheet.loss))
        : sheet
          ? written({ says: "{player} had nothing to decide in this deal.", player: { seat } }, reader, true)
          : error
            ? ""
            : tr("Thinking about each decision …")
  }</p>`;
}

/**
 * A review: the course of the deal, and all decisions; `show` shows the table before one.
 * @param {any} props `here`: the number of the decision that is shown, from 0
 */
export function Decisions({ sheet, error, names, you, seat, here, measure, show, children }) {
  /** @type {Decision[]} */
  const decisions = sheet?.decisions ?? [];
  const most = Math.max(0, ...decisions.map((one) => one.loss));
  return html`<${Course} decisions=${decisions} at=${here} measure=${measure} show=${show} />
    <${Sum} sheet=${sheet} error=${error} seat=${seat} names=${names} you=${you} measure=${measure} />
    ${children}
    ${
      decisions.length > 0 &&
      html`<div class="heads" aria-hidden="true"><span></span>
        <span>${tr("played", { context: "column" })}</span>
        <span>${tr("expected", { context: "column" })}</span><span>${tr("grade", { context: "column" })}</span></div>
      <ol onClick=${reveal}>${decisions.map(
        (one, i) => html`<${Line} key=${one.number} decision=${one} most=${most} here=${here === i} measure=${measure}
        show=${() => show(i)} />`,
      )}</ol>
      <p class="fine">
        ${written(
          {
            says: ABOUT,
            player: { seat },
            iterations: sheet?.iterations.toLocaleString(code()) ?? "",
          },
          { names, you },
        )}</p>`
    }`;
}

/** A review, and what it shows. @param {any} props `lost`: where the deal was lost */
export function Review({ sheet, lost, error, names, you, judged, steps, measure, show, children }) {
  const { reviewed: seat, known, judge } = judged;
  const { last, at } = steps;
  /** @type {Decision[]} */
  const decisions = sheet?.decisions ?? [];
  const here = decisions.findIndex((one) => before(one) === at);
  const knew = { says: "Only what {player} knew", player: { seat } };
  return html`<section class="review panel" aria-label=${tr("Review")}>
    <header><h2>${tr("Review")}</h2><label>${tr("Whose decisions:")} <select value=${seat}
      onChange=${(/** @type {any} */ e) => (steps.begin(), judge(Number(e.target.value)))}>
      ${names.map(
        (/** @type {string} */ name, /** @type {number} */ i) => html`<option key=${i} value=${i}>${name}</option>`,
      )}</select></label></header>
    <fieldset class="presets"><legend class="sr">${tr("What is shown")}</legend>
      <label><input type="radio" name="known" checked=${known} onChange=${() => judge(seat, true)} /><span>
        ${written(knew, { names, you })}</span></label>
      <label><input type="radio" name="known" checked=${!known} onChange=${() => judge(seat, false)} /><span>
        ${tr("All hands")}</span></label>
    </fieldset>
    ${error && html`<${Problem} error=${error} />`}
    ${children}
    ${!known && here >= 0 && html`<${WithAllCardsSeen} decision=${decisions[here]} />`}
    <${Decisions} sheet=${sheet} error=${error} names=${names} you=${you} seat=${seat} here=${here}
      measure=${measure} show=${(/** @type {number} */ i) => show(before(decisions[i]))}>
      <${Lost} lost=${lost} last=${last} names=${names} go=${show} /><//>
  </section>`;
}
