/** The end of a deal, and of a match: who paid whom and why, and the standings. */
import { html } from "./html.js";
import { visit } from "./address.js";
import { PAID, summed } from "./events.js";
import { Said, tr, written } from "./message.js";
import { get } from "./api.js";
import { Dialog } from "./dialog.js";
import { useAsked } from "./hooks.js";
import { OTHER, checked, proofOf } from "./shuffle.js";

/** The label of the button to go on: to the next deal, or to another match. @param {any} table */
export const onward = (table) =>
  table.stage !== "over" ? tr("Next deal") : table.played_on ? tr("Try again") : tr("Play again");

/** "−3", with a real minus. @param {number} n */
export const signed = (n) => (n < 0 ? `−${-n}` : String(n));

/**
 * "7 + 2": a seat's score before a deal, and what the deal added.
 * @param {{gained: number[], scores: number[]}} deal
 * @param {number} seat
 */
export function sum(deal, seat) {
  const n = deal.gained[seat];
  return `${signed(deal.scores[seat] - n)} ${n < 0 ? "−" : "+"} ${Math.abs(n)}`;
}

/**
 * "most cards 3", "2 sweeps 2": what makes up a seat's points or chips in a deal.
 * @param {import("./moves.js").Counted[]} counted
 * @param {number} seat
 */
export const eachReason = (counted, seat) =>
  counted.filter((one) => one.seat === seat).map((one) => `${written(one.why)} ${signed(one.amount)}`);

/** The same in one line. @param {import("./moves.js").Counted[]} counted @param {number} seat */
export const reasons = (counted, seat) => eachReason(counted, seat).join(", ");

/** The result of this deal, unless somebody gave the match up in the middle of it. @param {any} view */
export function lastDeal(view) {
  const done = view.results.at(-1);
  return done?.deal === view.deal ? done : null;
}

/** Who has won: the match if it is over, or else the deal. @param {any} view @param {any} table @returns {number[]} */
export function winnersOf(view, table) {
  if (table.stage === "over") return view.winners;
  const winner = lastDeal(view)?.winner ?? null;
  return winner === null ? [] : [winner];
}

/** The end of a deal or of a match in a few words. @param {any} view @param {any} table */
export function outcome(view, table) {
  const source = winnersOf(view, table).map((seat) => ({ seat }));
  const n = lastDeal(view)?.deal ?? view.deal;
  if (table.stage !== "over")
    return source.length
      ? written({ says: "{source} {source:wins|win} deal {n}", source, n }, table, true)
      : tr("Deal {n} is over", { n });
  return source.length
    ? written({ says: "{source} {source:wins|win} the match", source }, table, true)
    : tr("The match is over");
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

/** Everybody's score, and what the deal added. @param {any} props `said`: how a message is written */
function Scores({ view, table, over, last, said }) {
  return html`<table class="scores">
      <thead><tr><th scope="col">${tr("Player")}</th>${
        last &&
        html`<th scope="col">
        ${tr("Before, and this deal")}</th>`
      }<th scope="col">${over ? tr("Final") : tr("Now")}</th></tr></thead>
      <tbody>${table.seats.map(
        (/** @type {any} */ place) => html`<tr key=${place.seat} class="${
          (over ? view.winners.includes(place.seat) : last?.winner === place.seat) ? "won" : ""
        }">
        <th scope="row"><span class="who">${said({ seat: place.seat })}</span>
          ${last && html`<small class="why">${reasons(view.counted, place.seat)}</small>`}</th>
        ${last && html`<td class="sum">${sum(last, place.seat)}</td>`}
        <td>${last && "= "}${signed(view.scores[place.seat])}</td></tr>`,
      )}</tbody>
    </table>`;
}

/** What was paid and scored, line by line. @param {any} props */
function Paid({ view, table, onRule }) {
  const paid = view.sheet.filter((/** @type {any} */ e) => PAID.includes(e.kind) || e.kind === "void");
  const lines = summed(paid.length ? paid : view.sheet.filter((/** @type {any} */ e) => e.kind !== "win"));
  if (!lines.length) return null;
  return html`<details><summary>${tr("What was paid and scored")}</summary><ul class="paid">
      ${lines.map(
        (line, i) => html`<li key=${i}><span><${Said} message=${line.message} names=${table.names}
        you=${table.you} sentence />${
          line.times > 1 && html` <em>(${tr("{n} {n:time|times}", { n: line.times })})</em>`
        }</span> ${
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
        says: "Before the deal the server was bound to {commitment}. Its secret is {secret}. {link:Check a record}.",
        commitment: { shown: () => html`<code translate=${false}>${table.fair.commitment}</code>` },
        secret: { shown: () => html`<code translate=${false}>${table.fair.secret}</code>` },
        link: { shown: (/** @type {string} */ words) => html`<a href="/verify">${words}</a>` },
      }} /></p></details>`;

/** Go to the replay of the match that is over. @param {any} table @param {string} [query] */
async function replay(table, query = "") {
  const found = await get("/api/matches").catch(() => ({ matches: [] }));
  const match = found.matches.find((/** @type {any} */ one) => one.game === table.game);
  visit(match ? `/replay/${match.id}${query}` : "/finished");
}

/** How to go on. @param {any} props */
function Onwards({ table, over, ready, close, share, undo }) {
  return html`<footer>
      ${undo && html`<button type="button" onClick=${undo}>${tr("Take back")}</button>`}
      ${
        over &&
        table.you !== null &&
        html`<button type="button" onClick=${() => replay(table)}>${tr("Replay")}</button>
        <button type="button" onClick=${() => replay(table, "?review")}>${tr("Review")}</button>`
      }
      ${table.daily && over && html`<a class="button" href=${`/daily/${table.game}`}>${tr("Results of the day")}</a>`}
      ${share && html`<button type="button" onClick=${share}>${tr("Share this deal")}</button>`}
      <button type="button" onClick=${close}>${tr("Look at the table")}</button>
      ${
        table.may.includes("ready") &&
        html`<button type="button" class="primary" autofocus onClick=${ready}>
        ${onward(table)}</button>`
      }
    </footer>`;
}

/** @param {any} props */
export function Sheet({ view, table, close, onRule, ...rest }) {
  const over = table.stage === "over";
  const waits = table.seats.filter(
    (/** @type {any} */ s) => s.kind === "person" && s.present && !s.ready && s.seat !== table.you,
  );
  /** @param {import("./message.js").Value} message */
  const said = (message) => written(message, table, true);
  return html`<${Dialog} title=${outcome(view, table)} close=${close} name="sheet">
    <${Scores} view=${view} table=${table} over=${over} last=${lastDeal(view)} said=${said} />
    ${view.lowest_wins && html`<p class="fine">${tr("The lowest score is the best.")}</p>`}
    <${Paid} view=${view} table=${table} onRule=${onRule} />
    ${
      view.resigned !== null &&
      html`<p>${said({ says: "{source} gave the match up.", source: { seat: view.resigned } })}</p>`
    }
    ${over && table.fair?.secret && html`<${Proof} table=${table} />`}
    ${
      waits.length > 0 &&
      table.you !== null &&
      !table.may.includes("ready") &&
      html`<p class="waits" role="status">
      ${tr("Waiting for {names} …", { names: waits.map((/** @type {any} */ s) => s.name) })}</p>`
    }
    <${Onwards} table=${table} over=${over} close=${close} ...${rest} />
  <//>`;
}
