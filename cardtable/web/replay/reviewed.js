/** What reviews found of the player's own decisions: how good they were in each game, the best ones and the worst. */
import { html } from "../browser/html.js";
import { Shares } from "./charts.js";
import { Said, tr } from "../text/message.js";
import { called } from "../hand/moves.js";
import { counted, GRADES, summed } from "./review.js";

/** @typedef {import("wire").ReviewedMove} Move */
/** @typedef {import("wire").ReviewedGame} Found */

/** Where a move was made: the replay, with the review of its deal. @param {Move} move */
const place = ({ match, deal, number }) => `/replay/${match}?review&deal=${deal}&move=${number}`;

/** Moves, each with a link to the table as it lay. @param {{name: string, moves: Move[]}} props */
const Moves = ({ name, moves }) =>
  moves.length > 0 &&
  html`<h3>${name}</h3><ul class="tables">${moves.map(
    (one) => html`<li key=${place(one)}><a href=${place(one)}>
      <b><${Said} message=${called({ text: one.move, label: one.move_label })} /></b>
      <span>${
        one.move !== one.best &&
        html`${tr("best:")} <${Said} message=${called({ text: one.best, label: one.best_label })} />`
      }</span>
      <em class="grade ${one.grade}">${tr(GRADES[one.grade])}
        ${one.loss > 0 && ` −${one.loss.toFixed(2)}`}</em></a></li>`,
  )}</ul>`;

/** One game. @param {{found: Found, open: boolean}} props `open`: its moves are shown at once */
function Game({ found, open }) {
  const { title, grades, loss, best, worst } = found;
  const parts = Object.entries(grades).map(([kind, n]) => ({ kind, n }));
  return html`<details class="judged" open=${open}><summary><b>${tr(title)}</b>
      <${Shares} parts=${parts} label=${`${tr(title)}: ${counted(grades)}`} /></summary>
    <p>${summed(decisions(found), grades, loss.toFixed(2))}</p>
    <${Moves} name=${tr("Your best finds")} moves=${best} />
    <${Moves} name=${tr("Your costliest mistakes")} moves=${worst} /></details>`;
}

/** How many decisions were judged. @param {Found} found */
const decisions = ({ grades }) => Object.values(grades).reduce((a, b) => a + b, 0);

/** All games, the one with the most decisions first. @param {{games: Found[]}} props */
export function Reviewed({ games }) {
  const sorted = [...games].sort((a, b) => decisions(b) - decisions(a));
  return html`<section class="panel reviewed" aria-labelledby="reviewed">
    <h2 id="reviewed">${tr("Your reviewed moves")}</h2>
    ${sorted.map((found, i) => html`<${Game} key=${`${found.game} ${found.preset}`} found=${found} open=${i === 0} />`)}
    <p class="fine">${tr("From the reviews of your own moves that you have looked at, on all your devices.")}</p>
    </section>`;
}
