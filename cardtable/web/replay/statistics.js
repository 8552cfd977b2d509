/** The player's statistics: results over time, by game, streaks, and the moves that reviews found best and worst. */
import { html, useState } from "../browser/html.js";
import { get } from "../net/api.js";
import { Bar, OverTime, running } from "./charts.js";
import { code, mark } from "../text/language.js";
import { Said, tr } from "../text/message.js";
import { Reviewed } from "./reviewed.js";
import { Problem, useAsked } from "../net/asked.js";

// of 50 matches, of which results over time are shown
const PAGES = 6;
// matches of which the mean is shown
const MEAN = 10;

/** The latest matches that count, the oldest first. */
async function latest() {
  /** @type {any[]} */
  const found = [];
  for (let page = 0; page < PAGES; page += 1) {
    const { matches } = await get(`/api/matches${found.length ? `?before=${found.at(-1).id}` : ""}`);
    found.push(...matches);
    if (matches.length < 50) break;
  }
  return found
    .reverse()
    .map((match) => ({ ...match, me: match.players.find((/** @type {any} */ one) => one.you) }))
    .filter((match) => match.counts && match.me);
}

/** The longest and the present series of matches won. @param {any[]} matches */
export function streaks(matches) {
  let now = 0,
    best = 0;
  for (const { me } of matches) {
    now = me.won ? now + 1 : 0;
    best = Math.max(best, now);
  }
  return { now, best };
}

/** Results of one game, or of all, over time. @param {{matches: any[]}} props */
function Results({ matches }) {
  const titles = [...new Set(matches.map((one) => one.title))].sort(
    (a, b) => matches.filter((one) => one.title === b).length - matches.filter((one) => one.title === a).length,
  );
  const [title, setTitle] = useState(titles[0]);
  const some = matches.filter((one) => one.title === title);
  const values = some.map((one) => one.me.score);
  const won = some.map((one) => one.me.won);
  const { now, best } = streaks(some);
  const label = tr("{game}: {n} {n:match|matches}, {won} won", {
    game: { says: title },
    n: some.length,
    won: won.filter(Boolean).length,
  });
  return html`<section class="panel" aria-labelledby="overtime"><h2 id="overtime">${tr("Results over time")}</h2>
    <p><select aria-label=${tr("Game")} value=${title} onChange=${(/** @type {any} */ e) => setTitle(e.target.value)}>
      ${titles.map((one) => html`<option key=${one} value=${one}>${tr(one)}</option>`)}</select></p>
    <${OverTime} values=${values} won=${won} mean=${running(values, MEAN)} label=${label} />
    <p class="fine">${tr("Each dot is a match; filled dots are wins. The line is the average of the last {n}.", {
      n: MEAN,
    })}</p>
    <p class="streaks">${tr("Longest winning streak")}: <b>${best}</b> ·${" "}
      ${tr("Winning streak now")}: <b>${now}</b></p></section>`;
}

/** What is shown of each game, with a number's form. @type {[string, (row: any) => string][]} */
const COLUMNS = [
  [mark("Matches"), (row) => whole(row.matches)],
  [mark("Won"), (row) => whole(row.won)],
  [mark("Rate"), (row) => (row.matches ? row.won / row.matches : 0).toLocaleString(code(), { style: "percent" })],
  [mark("Won without help"), (row) => whole(row.clean)],
  [mark("after taking back"), (row) => whole(row.undone)],
  [mark("with hints"), (row) => whole(row.hinted)],
  [mark("Deals"), (row) => whole(row.deals)],
  [
    mark("Points a match"),
    (row) =>
      row.matches
        ? (row.score / row.matches).toLocaleString(code(), { minimumFractionDigits: 1, maximumFractionDigits: 1 })
        : "–",
  ],
];

/** @param {number} n */
const whole = (n) => n.toLocaleString(code());

/** Each game's figures: a table, or on a phone one card for each game. @param {{games: any[]}} props */
const Sums = ({ games }) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label=${tr("Statistics")}><table class="scores sums"
    role="table"><thead role="rowgroup"><tr role="row"><th scope="col" role="columnheader">${tr("Game")}</th>
    ${COLUMNS.map(([label]) => html`<th key=${label} scope="col" role="columnheader">${tr(label)}</th>`)}</tr></thead>
    <tbody role="rowgroup">${games.map(
      (row) => html`<tr key=${row.game + row.title} role="row">
        <th scope="row" role="rowheader">${tr(row.title)}
          <${Bar} share=${row.matches ? row.won / row.matches : 0} /></th>
        ${COLUMNS.map(
          ([label, told]) => html`<td key=${label} role="cell" data-label=${tr(label)}>${told(row)}</td>`,
        )}</tr>`,
    )}</tbody></table></div>`;

export function Statistics() {
  const [sums, error] = useAsked(() => get("/api/statistics"), []);
  const [matches] = useAsked(latest, []);
  return html`<main class="page" id="main"><h1>${tr("Statistics")}</h1>
    ${error && html`<${Problem} error=${error} />`}
    ${
      sums &&
      !sums.games.length &&
      html`<p><${Said} message=${{
        says: "No match is finished yet. {link:Play one}.",
        link: { shown: (/** @type {string} */ words) => html`<a href="/">${words}</a>` },
      }} /></p>`
    }
    ${matches?.length > 0 && html`<${Results} matches=${matches} />`}
    ${sums?.games.length > 0 && html`<${Sums} games=${sums.games} />`}
    ${(sums?.reviewed?.length ?? 0) > 0 && html`<${Reviewed} games=${sums.reviewed} />`}
  </main>`;
}
