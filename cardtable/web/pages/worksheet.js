/** The sheet of a task: its cards, the question and lines to write on; and the solution. Both can be printed. */
import { html } from "../browser/html.js";
import { Card, sorted } from "../faces/cards.js";
import { useTerms } from "../net/terms.js";
import { code } from "../text/language.js";
import { Said, tr } from "../text/message.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */

// to write on
const LINES = 5;

/**
 * What of a table is shown on a sheet: the open cards of the middle, the pupil's cards, and how many the others have.
 * @param {{zones: Zone[]}} view @param {number} seat
 */
export function laid(view, seat) {
  const open = (/** @type {Zone} */ zone) => /** @type {string[]} */ (zone.cards.filter(Boolean));
  const hands = view.zones.filter((zone) => zone.kind === "hand");
  const own = hands.find((zone) => zone.seats.includes(seat));
  return {
    middle: view.zones
      .filter((zone) => !hands.includes(zone) && zone.kind !== "action" && open(zone).length > 0)
      .map((zone) => ({ label: zone.label, cards: open(zone) })),
    hand: own ? sorted(own) : [],
    others: hands.filter((zone) => zone !== own).map((zone) => ({ seat: zone.seats[0], count: zone.count })),
  };
}

/** A row of cards, with what it is. @param {{title: any, cards: string[]}} props */
const Row = ({ title, cards }) =>
  html`<section class="cards"><h2>${title}</h2><div>${cards.map(
    (card, i) => html`<${Card} key=${i} card=${card} still />`,
  )}</div></section>`;

/** @param {{task: any, link: string, children?: any}} props `link`: the address of the cards, as it is written */
export function Worksheet({ task, link, children }) {
  const { middle, hand, others } = laid(task.view, task.seat);
  const words = useTerms(task.game);
  const names = namesOf(task);
  return html`<article class="worksheet">
    <h1>${tr(task.title)}</h1>
    ${children}
    <p class="blank printed"><span>${tr("Name", { context: "sheet" })}</span><span>${tr("Date")}</span></p>
    <p>${others.map(
      ({ seat, count }, i) => html`${i > 0 && " · "}<bdi>${names[seat]}</bdi>:
        ${" "}${tr("{n} {n:card|cards}", { n: count })}`,
    )}</p>
    ${middle.map(
      (zone, i) =>
        html`<${Row} key=${i} title=${html`<${Said} message=${zone.label} names=${names} you=${task.seat}
        sentence />`} cards=${zone.cards} />`,
    )}
    <${Row} title=${tr("Your cards")} cards=${hand} />
    <p class="question"><${Said} message=${task.question} names=${names} you=${task.seat} words=${words} /></p>
    <div class="printed" aria-hidden="true">${Array.from({ length: LINES }, (_, i) => html`<hr key=${i} />`)}</div>
    <p class="fine small">${tr("Deal number {number}", { number: task.number })}
      <span class="printed"> · ${link}</span></p>
  </article>`;
}

/** The names of the players. @param {any} task @returns {string[]} */
const namesOf = (task) => task.names.map((/** @type {string} */ one) => one || tr("You"));

/** The solution of a task, with its figures. @param {{task: any}} props */
export function Solution({ task }) {
  const words = useTerms(task.game);
  const names = namesOf(task);
  const figure = (/** @type {number} */ mean) =>
    mean.toLocaleString(code(), { minimumFractionDigits: 1, signDisplay: "exceptZero" }).replace("-", "−");
  return html`<article class="worksheet"><h2>${tr("Solution")}</h2>
    <p class="printed">${tr(task.title)}</p>
    ${task.solution.map(
      (/** @type {any} */ text, /** @type {number} */ i) =>
        html`<p key=${i}><${Said} message=${text} names=${names} you=${task.seat} words=${words} /></p>`,
    )}
    ${
      task.figures.length > 0 &&
      html`<table><caption>${tr("Average result of the deal for you, in up to {n} deals played out", {
        n: task.iterations,
      })}</caption><thead><tr><th scope="col">${tr("Move")}</th><th scope="col">${tr("Result")}</th></tr></thead>
        <tbody>${task.figures.map(
          (/** @type {any} */ one) => html`<tr key=${one.move}><th scope="row"><${Said}
            message=${one.label ?? { moves: one.move }} names=${names} you=${task.seat} sentence /></th>
            <td>${figure(one.mean)}</td></tr>`,
        )}</tbody></table>`
    }</article>`;
}
