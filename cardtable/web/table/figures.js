/** What players look for most, as a sign to be read from afar: a number, or one and its goal. */
import { html } from "../browser/html.js";
import { Counted } from "../motion/counting.js";
import { mark } from "../text/language.js";
import { aloud, Said, tr } from "../text/message.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */
/** @typedef {Zone["facts"][number]} Fact */

const TAKEN = { says: mark("taken", { context: "cards" }), context: "cards" };
const BETWEEN = /** @type {Record<string, string>} */ ({ made: "✓", broken: "✗" });

/**
 * The parts of a sign, and how it is marked: as being at its goal now, and as made or broken for good.
 * @param {Fact} fact
 */
export function sign({ figure = [], stamp = "" }) {
  const [n, goal] = figure;
  const between = BETWEEN[stamp] ?? "/";
  return {
    n: n ?? 0,
    goal: goal === undefined ? null : { between, n: goal ?? "–" },
    marks: [n === goal && "even", stamp].filter(Boolean).join(" "),
  };
}

/** What became of an announcement, for a player who does not see its mark. @param {Fact} fact */
const stamped = ({ stamp }) =>
  stamp ? ` ${stamp === "made" ? tr("made", { context: "bid" }) : tr("broken", { context: "bid" })}` : "";

/** @param {{fact: Fact, table: any, label?: any}} props `label`: what is counted, where it is not said nearby */
export function Figure({ fact, table, label = null }) {
  const { n, goal, marks } = sign(fact);
  const said = aloud(fact.message, table);
  return html`<span class="fact figure ${marks}" title=${said}>
    <span class="sign" aria-hidden="true"><${Counted} n=${n} />${goal && html`<i>${goal.between}</i>${goal.n}`}</span>
    ${label && html`<small aria-hidden="true"><${Said} message=${label} /></small>`}
    <span class="sr">${said}${stamped(fact)}</span></span>`;
}

/** The signs of a seat; partners have those of what they share. @param {{zones: Zone[], table: any}} props */
export function Figures({ zones, table }) {
  const all = zones.flatMap((zone) =>
    zone.facts
      .filter((fact) => fact.figure)
      .map(
        (fact) => html`<${Figure} key=${zone.name} fact=${fact} table=${table}
        label=${zone.won ? TAKEN : zone.kind !== "hand" && zone.label} />`,
      ),
  );
  return all.length > 0 && html`<div class="figures">${all}</div>`;
}
