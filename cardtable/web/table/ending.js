/** The end of a deal: what each seat has scored and why, and a moment for the winner. */
import { html, useEffect, useLayoutEffect, useRef, useState } from "../browser/html.js";
import { Reading, useCounted } from "../motion/counting.js";
import { mark } from "../text/language.js";
import { aloud, Said, signed, tr, written } from "../text/message.js";
import { seatOf, sparks } from "../motion/motion.js";
import { sound } from "../motion/sound.js";
import { paced } from "../browser/store.js";
import { visit } from "../browser/address.js";
import { PAID, summed } from "../text/events.js";
import { get } from "../net/api.js";
import { OTHER, checked, proofOf } from "../net/shuffle.js";
import { useAsked } from "../net/asked.js";
import { sorted } from "../faces/cards.js";
import { legible } from "./layout.js";
import { awaited, gain, lastDeal, outcome, placeOf, sum, winnersOf } from "./result.js";
import { rows, zonesOf } from "./seats.js";

// ms from the end of one line to the next
const APART = 420;
// ms for each reason of a line
const EACH = 240;
// ms of a line's or a reason's appearance
const APPEARS = 260;
// ms until everything is shown; with more lines and reasons, each has less time
const LONGEST = 5000;

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

/** The player's place in a match that somebody else has won. @param {any} props */
function Placed({ view, table }) {
  const found = placeOf(view, table);
  if (!found) return null;
  const says = found.shared ? mark("Your place: {n} of {of}, shared.") : mark("Your place: {n} of {of}.");
  return html`<p class="fine">${written({ says, n: found.place, of: table.seats.length })}</p>`;
}

/**
 * "7 + 2 = 9", of which the last two numbers count.
 * @param {{last: any, score: number, seat: number, line: Line, told: boolean}} props `told`: it counts no more
 */
function Total({ last, score, seat, line, told }) {
  const before = last ? score - last.gained[seat] : score;
  const counted = useCounted(score, before, line.lasts, line.begins);
  const text = (/** @type {number} */ n) =>
    last ? written({ says: "{sum} = {score}", sum: sum(last, seat, n - before), score: signed(n) }) : aloud(signed(n));
  return html`<span class="sum"><${Reading} n=${score} shown=${told ? score : counted} text=${text} /></span>`;
}

/** What this browser finds when it checks the shuffle. @param {any} props */
function Fair({ table }) {
  const [found] = useAsked(() => checked(proofOf(table)), [table.match]);
  if (!found) return null;
  if (found.wrong) return html`<p class="problem" role="alert">${tr(found.wrong)}</p>`;
  const fits = tr(
    "Checked in this browser: the secret fits the server's commitment, and every seat's entropy its own.",
  );
  return html`<p class="good">${fits} ${found.own && tr("Your own entropy is in the shuffle.")}</p>
    ${found.other && html`<p>${tr(OTHER)}</p>`}`;
}

/** What was paid and scored, line by line. @param {any} props */
function Paid({ view, table, onRule }) {
  /** What points are for, where they do not say so themselves. @param {any} e */
  const explains = (e) => e.beat === "score" && !PAID.includes(e.kind);
  const explained = view.sheet.filter(explains);
  const paid = view.sheet.filter((/** @type {any} */ e) =>
    PAID.includes(e.kind)
      ? e.reason || explained.every((/** @type {any} */ one) => one.rule !== e.rule)
      : e.kind === "void" || explains(e),
  );
  const lines = summed(paid.length ? paid : view.sheet.filter((/** @type {any} */ e) => e.kind !== "win"));
  if (!lines.length) return null;
  return html`<details><summary>${tr("What was paid and scored")}</summary><ul class="paid">
      ${lines.map(
        (line, i) => html`<li key=${i}><span><${Said} message=${line.message} names=${table.names}
        you=${table.you} sentence />${line.parts && html` <em>(${line.parts})</em>`}</span> ${
          line.rule &&
          html`<button type="button" class="rule"
        onClick=${() => onRule(line.rule)} aria-label=${tr("Why? Rule {rule}", { rule: line.rule })}>
        ${line.rule}</button>`
        }</li>`,
      )}</ul></details>`;
}

/** Whether the shuffle was fair, once the server has told its secret. @param {any} props */
const Proof = ({ table }) => html`<details><summary>${tr("Was the shuffle fair?")}</summary><${Fair} table=${table} />
      <p class="fine"><${Said} message=${{
        says: "Before the deal the server committed to {commitment}. Its secret is {secret}. {link:Check a record}.",
        commitment: { shown: () => html`<code translate=${false}>${table.fair.commitment}</code>` },
        secret: { shown: () => html`<code translate=${false}>${table.fair.secret}</code>` },
        link: { shown: (/** @type {string} */ words) => html`<a href="/verify">${words}</a>` },
      }} /></p></details>`;

/**
 * Go to the replay of the match that is over.
 * @param {import("./scene.js").Table} table @param {string} [query]
 */
export async function replay(table, query = "") {
  const found = await get("/api/matches").catch(() => ({ matches: [] }));
  const match = found.matches.find((/** @type {any} */ one) => one.game === table.game);
  visit(match ? `/replay/${match.id}${query}` : "/finished");
}

/** What there is besides the scores. @param {any} props */
function Details({ view, table, onRule, share }) {
  const over = table.stage === "over";
  return html`<${Paid} view=${view} table=${table} onRule=${onRule} />
    ${over && table.fair?.secret && html`<${Proof} table=${table} />`}
    <p class="ways">${
      table.daily &&
      over &&
      html`<a class="button" href=${`/daily/${table.game}`}>
      ${tr("Results of the day")}</a>`
    }
      ${
        over &&
        table.you !== null &&
        !table.daily &&
        html`<button type="button" class="quiet" onClick=${() => replay(table)}>${tr("Replay")}</button>`
      }
      ${share && html`<button type="button" class="quiet" onClick=${share}>${tr("Share this deal")}</button>`}</p>`;
}

/** The cards that a seat has left. @param {any} view @param {number} seat @returns {string[]} */
const leftOf = (view, seat) => zonesOf(view, seat).flatMap((zone) => (zone.kind === "hand" ? sorted(zone) : []));

/**
 * Where there is no room for it between the seats, the result covers them, and tells the cards that they have left.
 * @param {{current: HTMLElement | null}} box @param {number} hands of others that are laid open
 */
function useCovering(box, hands) {
  useLayoutEffect(() => {
    const el = /** @type {HTMLElement} */ (box.current);
    const play = /** @type {HTMLElement} */ (el.parentElement);
    const fit = () => {
      el.removeAttribute("data-whole");
      const over = el.matches(".play > *");
      const shown = /** @type {HTMLElement[]} */ ([...play.querySelectorAll(".others .shown")]);
      const crowded = shown.length < hands || shown.some((one) => !legible(one.children.length, one.clientWidth));
      el.toggleAttribute("data-whole", over && (crowded || el.scrollHeight > el.clientHeight + 1));
    };
    const watching = new ResizeObserver(fit);
    fit();
    watching.observe(play);
    return () => watching.disconnect();
  }, []);
}

/** What is to be known besides the scores, in a line each. @param {any} props */
function Notes({ view, table }) {
  const lost = table.stage === "over" && view.scores.length === 1 && !winnersOf(view, table).length;
  const gaveUp = { says: "{source} gave up the match.", source: { seat: view.resigned } };
  return [
    lost && view.resigned === null && written(view.sheet.at(-1)?.says ?? "", table, true),
    view.lowest_wins && tr("The lowest score is the best."),
    view.resigned !== null && written(gaveUp, table, true),
  ].map((text, k) => text && html`<p class="fine" key=${k}>${text}</p>`);
}

/**
 * The lines of a finished deal, one for each seat, from the player's own on. A click shows at once what is yet to come.
 * @param {{view: any, table: any, round: number[], felt: {current: HTMLElement | null}, close?: (() => void) | null,
 *   onRule?: (rule: string) => void, share?: (() => void) | null}} props `close`: shows the table that it covers
 */
export function Ending({ view, table, round, felt, close = null, onRule = () => undefined, share = null }) {
  const [told, setTold] = useState(false); // everything is shown
  const honoured = useRef(false); // the winner has had their moment
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const winners = winnersOf(view, table);
  const last = lastDeal(view);
  const why = round.map((seat) =>
    last ? view.counted.filter((/** @type {import("wire").CountedSeen} */ one) => one.seat === seat) : [],
  );
  const left = round.map((seat) => leftOf(view, seat));
  const { lines, lasts } = timetable(why.map((one) => one.length));
  const mine = winners.includes(table.you);
  const names = awaited(table);
  useCovering(box, round.filter((seat, i) => seat !== table.you && left[i].length).length);
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
      const whole = box.current?.hasAttribute("data-whole");
      for (const seat of winners)
        sparks(
          whole
            ? (list.current?.children[round.indexOf(seat)].getBoundingClientRect() ?? null)
            : felt.current && seatOf(felt.current, seat),
          mine,
          table.stage === "over",
        );
    }, rest);
    return () => clearTimeout(won);
  }, [told]);
  const hurry = () => {
    setTold(true);
    for (const one of list.current?.getAnimations({ subtree: true }) ?? []) one.finish();
  };
  return html`<section ref=${box} class="ending ${mine ? "mine" : ""}" aria-label=${tr("Result")} onClick=${hurry}>
    <header><h2>${outcome(view, table)}</h2>
      ${
        close &&
        html`<button type="button" class="quiet" aria-label=${tr("Look at the table")} onClick=${close}>✕</button>`
      }
    </header>
    ${names.length > 0 && html`<p class="waits" role="status">${tr("Waiting for {names} …", { names })}</p>`}
    <ul ref=${list}>${round.map(
      (seat, i) => html`<li key=${seat} class=${winners.includes(seat) ? "won" : ""}>
        <b class="who"><${Said} message=${{ seat }} names=${table.names} you=${table.you} sentence /></b>
        ${left[i].length > 0 && rows(left[i], Infinity, true)}
        <span class="why">${why[i].map(
          (/** @type {any} */ one, /** @type {number} */ k) =>
            html`<span class="reason" key=${k}>${k > 0 && ", "}${written(one.why)} <b>${gain(one.amount)}</b></span>`,
        )}</span>
        <${Total} last=${last} score=${view.scores[seat]} seat=${seat} line=${lines[i]} told=${told} /></li>`,
    )}</ul>
    <${Notes} view=${view} table=${table} />
    <${Placed} view=${view} table=${table} />
    <${Details} view=${view} table=${table} onRule=${onRule} share=${share} />
  </section>`;
}
