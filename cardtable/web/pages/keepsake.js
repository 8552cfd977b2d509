/**
 * What can be kept and sent of a deal of the day: a line that gives nothing away, a picture, and everybody's results.
 */
import { html, useState } from "../browser/html.js";
import { at } from "../browser/address.js";
import { SHAPES } from "../faces/cards.js";
import { Bar } from "../replay/charts.js";
import { tr } from "../text/message.js";

// the day that is number 1
const FIRST = Date.UTC(2026, 0, 1);
// milliseconds
const DAY = 864e5;
// at most, for everybody's results
const BARS = 10;

/**
 * An attempt in two lines: which deal it was, and how it ended.
 * @param {import("wire").Daily} deal @param {import("wire").FirstAttempt} mine
 */
export function linesOf({ day, title, own }, mine) {
  const n = Math.round((Date.parse(day) - FIRST) / DAY) + 1;
  return [
    tr("Cardtable no. {n} · {game}", { n, game: { says: title } }),
    [
      mine.resigned ? tr("gave up") : mine.won ? tr("won", { context: "player" }) : tr("lost", { context: "player" }),
      Math.abs(mine.score) > 1 && tr("score {n}", { n: mine.score }),
      own?.moves && tr("{n} {n:move|moves}", { n: own.moves }),
      own && own.mistakes !== null && tr("{n} {n:mistake|mistakes}", { n: own.mistakes }),
      mine.helped && tr("with help"),
      own && own.streak > 1 && tr("{n} days in a row", { n: own.streak }),
    ]
      .filter(Boolean)
      .join(" · "),
  ];
}

/**
 * How many people have each score, in a few steps: the lowest score of each, the highest, and the people.
 * @param {number[]} scores @returns {[number, number, number][]}
 */
export function spreadOf(scores) {
  const low = Math.min(...scores);
  const wide = Math.ceil((Math.max(...scores) - low + 1) / BARS);
  /** @type {[number, number, number][]} */
  const steps = [];
  for (const score of scores) {
    const i = Math.floor((score - low) / wide);
    steps[i] ??= [low + i * wide, low + (i + 1) * wide - 1, 0];
    steps[i][2] += 1;
  }
  return steps.filter(Boolean);
}

/** Save a picture of lines on a green cloth. @param {string[]} lines */
function save(lines) {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1200, height: 630 });
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.fillStyle = "#14503a";
  pen.fillRect(0, 0, 1200, 630);
  pen.fillStyle = "#f8f3e4";
  lines.forEach((line, i) => {
    pen.font = i ? "44px sans-serif" : "600 66px Fraunces, serif";
    pen.fillText(line, 90, 360 + 90 * i, 1020);
  });
  Object.values(SHAPES).forEach((shape, i) => {
    pen.setTransform(6, 0, 0, 6, 90 + 150 * i, 110);
    pen.fill(new Path2D(shape));
  });
  canvas.toBlob((file) => {
    if (!file) return;
    const link = Object.assign(document.createElement("a"), {
      href: URL.createObjectURL(file),
      download: "cardtable.png",
    });
    link.click();
    URL.revokeObjectURL(link.href);
  });
}

/** The own attempt as a card to send, and everybody's results. @param {{deal: any, mine: any}} props */
export function Keepsake({ deal, mine }) {
  const [copied, setCopied] = useState(false);
  const scores = deal.results
    .filter((/** @type {any} */ one) => !one.resigned)
    .map((/** @type {any} */ one) => one.score);
  const steps = scores.length > 2 ? spreadOf(scores) : [];
  if (!deal.lowest_wins) steps.reverse();
  const lines = mine ? linesOf(deal, mine) : [];
  const text = [...lines, location.origin + at(`/daily/${deal.game}`)].join("\n");
  const copy = () => navigator.clipboard?.writeText(text).then(() => setCopied(true));
  return html`${
    mine &&
    html`<div class="keepsake"><h3>${lines[0]}</h3><p>${lines[1]}</p>
      <p class="actions"><button type="button" onClick=${copy} disabled=${!navigator.clipboard}>
        ${copied ? tr("Copied") : tr("Copy the text")}</button>
      <button type="button" onClick=${() => save(lines)}>${tr("Save as a picture")}</button></p></div>`
  }${
    steps.length > 1 &&
    html`<h3>${tr("Everybody's results")}</h3><ul class="spread-of">${steps.map(
      ([low, high, n]) => html`<li key=${low} class=${mine && mine.score >= low && mine.score <= high ? "you" : ""}>
        <span>${low < high ? `${low} – ${high}` : low}</span><${Bar} share=${n / scores.length} /><b>${n}</b></li>`,
    )}</ul>`
  }`;
}
