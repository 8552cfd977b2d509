/** The end of a deal, and of a match: who paid whom and why, and how everybody stands. */
import { html } from "./html.js";
import { PAID, summed } from "./events.js";
import { Said, written } from "./message.js";
import { get } from "./api.js";
import { Dialog } from "./dialog.js";

/** What it is called to go on: to the next deal, or to another match. @param {any} table */
export const onward = (table) => (table.stage !== "over" ? "Next deal" : table.played_on ? "Try again" : "Play again");

/** "−3", with a real minus. @param {number} n */
const signed = (n) => (n < 0 ? `−${-n}` : String(n));

/** "7 + 2": a seat's score before a deal, and what the deal added. @param {{gained: number[], scores: number[]}} deal @param {number} seat */
export function sum(deal, seat) {
  const n = deal.gained[seat];
  return `${signed(deal.scores[seat] - n)} ${n < 0 ? "−" : "+"} ${Math.abs(n)}`;
}

/** "most cards 3, 2 sweeps 2": what a seat's points or chips of a deal consist of. @param {import("./moves.js").Counted[]} counted @param {number} seat */
export const reasons = (counted, seat) =>
  counted.filter((one) => one.seat === seat).map((one) => `${written(one.why)} ${signed(one.amount)}`).join(", ");

/** @param {any} props */
export function Sheet({ view, table, ready, close, onRule, share, undo }) {
  const over = table.stage === "over";
  const done = view.results[view.results.length - 1];
  const last = done && done.deal === view.deal ? done : null; // a match that was given up may have ended in mid-deal
  const waits = table.seats.filter((/** @type {any} */ s) => s.kind === "person" && s.present && !s.ready && s.seat !== table.you);
  const said = (/** @type {number} */ seat) => (seat === table.you ? "You" : table.names[seat]);
  const winners = view.winners.map(said);
  const title = !over
    ? last && last.winner !== null ? `${said(last.winner)} ${last.winner === table.you ? "win" : "wins"} deal ${last.deal}` : `Deal ${last?.deal ?? view.deal} is over`
    : winners.length ? `${winners.join(" and ")} ${winners.length > 1 || winners[0] === "You" ? "win" : "wins"} the match` : "The match is over";
  const paid = view.sheet.filter((/** @type {any} */ e) => PAID.includes(e.kind) || e.kind === "void");
  const money = summed(paid.length ? paid : view.sheet.filter((/** @type {any} */ e) => e.kind !== "win"));
  const replay = async (query = "") => {
    const found = await get("/api/matches").catch(() => ({ matches: [] }));
    const match = found.matches.find((/** @type {any} */ one) => one.game === table.game);
    location.href = match ? `/replay/${match.id}${query}` : "/finished";
  };
  return html`<${Dialog} title=${title} close=${close} name="sheet">
    <table class="scores">
      <thead><tr><th scope="col">Player</th>${last && html`<th scope="col">Before, and this deal</th>`}<th scope="col">${over ? "Final" : "Now"}</th></tr></thead>
      <tbody>${table.seats.map((/** @type {any} */ place) => html`<tr key=${place.seat} class="${(over ? view.winners.includes(place.seat) : last?.winner === place.seat) ? "won" : ""}">
        <th scope="row"><span class="who">${said(place.seat)}</span>${last && html`<small class="why">${reasons(view.counted, place.seat)}</small>`}</th>
        ${last && html`<td class="sum">${sum(last, place.seat)}</td>`}
        <td>${last && "= "}${view.scores[place.seat]}</td></tr>`)}</tbody>
    </table>
    ${view.lowest_wins && html`<p class="fine">The lowest score is the best.</p>`}
    ${money.length > 0 && html`<details><summary>What was paid and scored</summary><ul class="paid">
      ${money.map((line, i) => html`<li key=${i}><span><${Said} message=${line.message} names=${table.names} you=${table.you} sentence />${line.times > 1 && html` <em>(${line.times} times)</em>`}</span> ${line.rule && html`<button type="button" class="rule" onClick=${() => onRule(line.rule)} aria-label=${`Why? Rule ${line.rule}`}>${line.rule}</button>`}</li>`)}</ul></details>`}
    ${view.resigned !== null && html`<p>${said(view.resigned)} gave the match up.</p>`}
    ${over && table.fair?.secret && html`<details><summary>Was the shuffle fair?</summary><p class="fine">Before the deal the server was bound to <code>${table.fair.commitment}</code>. Its secret is <code>${table.fair.secret}</code>. <a href="/verify">Check a record</a>.</p></details>`}
    ${waits.length > 0 && table.you !== null && !table.may.includes("ready") && html`<p class="waits" role="status">Waiting for ${waits.map((/** @type {any} */ s) => s.name).join(", ")} …</p>`}
    <footer>
      ${undo && html`<button type="button" onClick=${undo}>Take back</button>`}
      ${over && table.you !== null && html`<button type="button" onClick=${() => replay()}>Replay</button><button type="button" onClick=${() => replay("?review")}>Review</button>`}
      ${share && html`<button type="button" onClick=${share}>Share this deal</button>`}
      <button type="button" onClick=${close}>Look at the table</button>
      ${table.may.includes("ready") && html`<button type="button" class="primary" autofocus onClick=${ready}>${onward(table)}</button>`}
    </footer>
  <//>`;
}
