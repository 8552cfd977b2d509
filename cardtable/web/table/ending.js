/** The end of a deal, on the table: what each seat has scored and why, and a moment for the winner. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../browser/html.js";
import { Reading, useCounted } from "../motion/counting.js";
import { aloud, Said, tr, written } from "../text/message.js";
import { seatOf, sparks } from "../motion/motion.js";
import { sound } from "../motion/sound.js";
import { paced } from "../browser/store.js";
import { lastDeal, outcome, signed, sum, winnersOf } from "./result.js";

const APART = 420; // ms from the end of one line to the next
const EACH = 240; // ms for each reason of a line
const APPEARS = 260; // ms of a line's or a reason's appearance
const LONGEST = 5000; // ms until everything is shown; with more lines and reasons, each has less time

/** @typedef {{begins: number, each: number, lasts: number}} Line its times in ms, at normal speed */

/**
 * When the lines of an ending appear, one after the other, each with its number of reasons.
 * @param {number[]} reasons @returns {{lines: Line[], lasts: number}}
 */
export function timetable(reasons) {
  const time = (/** @type {number} */ n) => APART + EACH * Math.max(0, n - 1);
  const whole = reasons.reduce((all, n) => all + time(n), 0);
  const share = Math.min(1, LONGEST / Math.max(1, whole));
  let begins = 0;
  const lines = reasons.map((n) => {
    const line = { begins, each: EACH * share, lasts: time(n) * share };
    begins += line.lasts;
    return line;
  });
  return { lines, lasts: begins };
}

/** Let something appear; what is part of a line does not move. @param {Element} el @param {number} delay ms */
const appear = (el, delay) =>
  el.animate(
    el.matches(".reason")
      ? [{ opacity: 0 }, { opacity: 1 }]
      : [
          { opacity: 0, translate: "0 6px" },
          { opacity: 1, translate: "0 0" },
        ],
    { duration: paced(APPEARS), delay: paced(delay), fill: "backwards", easing: "ease-out" },
  );

/** A kind word to a player who has not won. @param {any} props */
function Kindly({ view, table, winners }) {
  const { you } = table;
  if (you === null || !winners.length || winners.includes(you) || table.stage !== "over") return null;
  if (table.seats.length < 3) return html`<p class="kindly">${tr("Well played.")}</p>`;
  const scores = view.scores.map((/** @type {number} */ n) => (view.lowest_wins ? -n : n));
  const before = scores.filter((/** @type {number} */ n) => n > scores[you]).length;
  return html`<p class="kindly">${
    before === 1 ? tr("Well played: you are second.") : tr("Well played. Better luck next time!")
  }</p>`;
}

/**
 * "7 + 2 = 9", the last number of which counts.
 * @param {{last: any, score: number, seat: number, line: Line, told: boolean}} props `told`: it counts no more
 */
function Total({ last, score, seat, line, told }) {
  const counted = useCounted(score, last ? score - last.gained[seat] : score, line.lasts, line.begins);
  const text = (/** @type {number} */ n) =>
    last ? written({ says: "{sum} = {score}", sum: sum(last, seat), score: signed(n) }) : aloud(signed(n));
  return html`<span class="sum"><${Reading} n=${score} shown=${told ? score : counted} text=${text} /></span>`;
}

/**
 * The lines of a finished deal, one for each seat, from the player's own on. A click shows at once what is yet to come.
 * @param {{view: any, table: any, round: number[], felt: {current: HTMLElement | null}}} props
 */
export function Ending({ view, table, round, felt }) {
  const [away, setAway] = useState(false); // the player looks at the table below it
  const [told, setTold] = useState(false); // everything is shown
  const honoured = useRef(false); // the winner has had their moment
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const winners = winnersOf(view, table);
  const last = lastDeal(view);
  const why = round.map((seat) =>
    last ? view.counted.filter((/** @type {import("wire").CountedSeen} */ one) => one.seat === seat) : [],
  );
  const { lines, lasts } = timetable(why.map((one) => one.length));
  const mine = winners.includes(table.you);
  useLayoutEffect(() => {
    [...(list.current?.children ?? [])].forEach((row, i) => {
      const { begins, each } = lines[i];
      appear(row, begins);
      row.querySelectorAll(".reason").forEach((one, k) => appear(one, begins + k * each));
    });
  }, []);
  useEffect(() => {
    const rest = told ? 0 : paced(lasts);
    const won = setTimeout(() => {
      setTold(true);
      if (honoured.current) return;
      honoured.current = true;
      sound(winners.length && (mine || table.you === null) ? "win" : "score");
      if (felt.current) for (const seat of winners) sparks(seatOf(felt.current, seat), mine, table.stage === "over");
      const at = document.activeElement; // on the way of the keyboard comes the next deal
      if (!at || at === document.body)
        /** @type {HTMLElement | null | undefined} */ (felt.current?.querySelector("[data-onward]"))?.focus();
    }, rest);
    return () => clearTimeout(won);
  }, [told]);
  const hurry = () => {
    setTold(true);
    for (const one of list.current?.getAnimations({ subtree: true }) ?? []) one.finish();
  };
  const title = outcome(view, table);
  if (away)
    return html`<button type="button" class="ending-back quiet" onClick=${() => setAway(false)}>
      ${tr("Scores")}</button>`;
  return html`<section class="ending ${mine ? "mine" : ""}" aria-label=${tr("Scores")} onClick=${hurry}>
    <header><h2>${title}</h2>
      <button type="button" class="quiet" aria-label=${tr("Look at the table")} onClick=${() => setAway(true)}>
        ✕</button>
    </header>
    <ul ref=${list}>${round.map(
      (seat, i) => html`<li key=${seat} class=${winners.includes(seat) ? "won" : ""}>
        <b class="who"><${Said} message=${{ seat }} names=${table.names} you=${table.you} sentence /></b>
        <span class="why">${why[i].map(
          (/** @type {any} */ one, /** @type {number} */ k) =>
            html`<span class="reason" key=${k}>${k > 0 && ", "}${written(one.why)} <b>${signed(one.amount)}</b></span>`,
        )}</span>
        <${Total} last=${last} score=${view.scores[seat]} seat=${seat} line=${lines[i]} told=${told} /></li>`,
    )}</ul>
    ${view.lowest_wins && html`<p class="fine">${tr("The lowest score is the best.")}</p>`}
    <${Kindly} view=${view} table=${table} winners=${winners} />
  </section>`;
}
