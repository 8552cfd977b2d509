/** Small charts, drawn as SVG; each has its figures in words as a text alternative. */
import { html } from "../browser/html.js";

const WIDTH = 420,
  HEIGHT = 160,
  EDGE = 34; // px of the drawing, which is scaled

/** A number of an axis, short. @param {number} n */
const short = (n) => (Math.abs(n) >= 1000 ? `${Math.round(n / 100) / 10}k` : String(Math.round(n * 10) / 10));

/** The mean of the last `of` numbers up to each one. @param {number[]} all @param {number} of */
export const running = (all, of) =>
  all.map((_, i) => {
    const some = all.slice(Math.max(0, i + 1 - of), i + 1);
    return some.reduce((a, b) => a + b, 0) / some.length;
  });

/**
 * Results in their order as dots, won ones filled, with their running mean as a line.
 * @param {{values: number[], won: boolean[], mean: number[], label: string}} props
 */
export function OverTime({ values, won, mean, label }) {
  const low = Math.min(0, ...values),
    high = Math.max(1, ...values);
  const x = (/** @type {number} */ i) =>
    EDGE + (values.length > 1 ? (i * (WIDTH - EDGE - 10)) / (values.length - 1) : (WIDTH - EDGE) / 2);
  const y = (/** @type {number} */ n) => 10 + ((high - n) * (HEIGHT - 20)) / (high - low);
  return html`<svg class="chart" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${label}>
    ${[...new Set([low, 0, high])].map(
      (n) => html`<g key=${n}><line class="axis" x1=${EDGE} x2=${WIDTH} y1=${y(n)} y2=${y(n)} />
        <text x=${EDGE - 5} y=${y(n) + 4} text-anchor="end">${short(n)}</text></g>`,
    )}
    <polyline class="mean" points=${mean.map((n, i) => `${x(i)},${y(n)}`).join(" ")} />
    ${values.map(
      (n, i) => html`<circle key=${i} class=${won[i] ? "won" : ""} cx=${x(i)} cy=${y(n)}
      r=${values.length > 80 ? 2.5 : 4} />`,
    )}
  </svg>`;
}

/**
 * Parts of a whole side by side in one bar, each in the colour of its kind.
 * @param {{parts: {kind: string, n: number}[], label: string}} props
 */
export function Shares({ parts, label }) {
  const all = parts.reduce((sum, { n }) => sum + n, 0);
  let x = 0;
  return html`<svg class="shares" viewBox="0 0 ${WIDTH} 14" preserveAspectRatio="none" role="img" aria-label=${label}>
    ${parts.map(({ kind, n }) => {
      const width = (n * WIDTH) / all;
      x += width;
      return n > 0 && html`<rect key=${kind} class=${kind} x=${x - width} width=${width} height="14" />`;
    })}
  </svg>`;
}

/** A share as a bar. @param {{share: number}} props from 0 to 1 */
export const Bar = ({ share }) =>
  html`<span class="bar-of" aria-hidden="true"><i style=${{ width: `${Math.round(share * 100)}%` }}></i></span>`;
