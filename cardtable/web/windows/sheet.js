/** The end of a deal, and of a match: who paid whom and why, and the standings. */
import { html } from "../browser/html.js";
import { visit } from "../browser/address.js";
import { PAID, summed } from "../text/events.js";
import { Said, tr, written } from "../text/message.js";
import { get } from "../net/api.js";
import { Dialog } from "./dialog.js";
import { OTHER, checked, proofOf } from "../net/shuffle.js";
import { useAsked } from "../net/asked.js";
import { lastDeal, onward, outcome, reasons, signed, sum } from "../table/result.js";

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

/** Everybody's score, and what the deal added. @param {any} props `said`: formats a message */
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
        says: "Before the deal the server committed to {commitment}. Its secret is {secret}. {link:Check a record}.",
        commitment: { shown: () => html`<code translate=${false}>${table.fair.commitment}</code>` },
        secret: { shown: () => html`<code translate=${false}>${table.fair.secret}</code>` },
        link: { shown: (/** @type {string} */ words) => html`<a href="/verify">${words}</a>` },
      }} /></p></details>`;

/**
 * Go to the replay of the match that is over.
 * @param {import("../table/scene.js").Table} table @param {string} [query]
 */
async function replay(table, query = "") {
  const found = await get("/api/matches").catch(() => ({ matches: [] }));
  const match = found.matches.find((/** @type {any} */ one) => one.game === table.game);
  visit(match ? `/replay/${match.id}${query}` : "/finished");
}

/** The buttons to continue. @param {any} props */
function Onwards({ table, over, ready, close, share, undo }) {
  return html`<footer>
      ${undo && html`<button type="button" onClick=${undo}>${tr("Take back", { context: "button" })}</button>`}
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
  /** @param {import("../text/message.js").Value} message */
  const said = (message) => written(message, table, true);
  return html`<${Dialog} title=${outcome(view, table)} close=${close} name="sheet">
    <${Scores} view=${view} table=${table} over=${over} last=${lastDeal(view)} said=${said} />
    ${view.lowest_wins && html`<p class="fine">${tr("The lowest score is the best.")}</p>`}
    <${Paid} view=${view} table=${table} onRule=${onRule} />
    ${
      view.resigned !== null &&
      html`<p>${said({ says: "{source} gave up the match.", source: { seat: view.resigned } })}</p>`
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
