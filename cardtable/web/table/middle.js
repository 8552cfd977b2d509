/** The middle of the table: the zones that belong to nobody. */
import { html } from "../browser/html.js";
import { useLayout } from "./fitting.js";
import { movesAt } from "../hand/moves.js";
import { written } from "../text/message.js";
import { Columns, Heap, Ladder, Place, Pot, Score, Sequence, Spread, Trick } from "./zones.js";

/** @typedef {import("../hand/moves.js").Zone} Zone */

/**
 * The zones in the middle by what they are drawn as.
 * @param {import("../hand/moves.js").View} view @param {Zone | null} held a finished trick that is still shown
 */
function laidOut(view, held) {
  const middle = view.zones.filter((zone) => !zone.seats.length && zone.kind !== "action");
  /** @type {Zone[]} */
  const shown = held ? middle.map((zone) => (zone.kind === "trick" ? held : zone)) : middle;
  const of = (/** @type {string} */ kind) => shown.filter((zone) => zone.kind === kind);
  const growing = of("row").find((zone) => zone.grows);
  const rungs = of("row").filter((zone) => zone.suit && zone.cards.length);
  const spreads = shown.filter(
    (zone) =>
      (zone.kind === "row" && zone !== growing && !rungs.includes(zone)) ||
      (zone.side_by_side && zone.cards.length > 1),
  );
  const money = of("pot").filter((zone) => zone.on);
  return {
    growing,
    rungs,
    spreads,
    money,
    columns: of("column"),
    heaps: shown.filter((zone) => zone.kind === "stock" || (zone.kind === "pile" && !spreads.includes(zone))),
    trick: of("trick")[0],
    pots: of("pot").filter((zone) => !money.includes(zone)),
    scores: of("score"),
  };
}

/** Where a move without cards is made. @param {import("../hand/moves.js").View} view */
const placesIn = (view) => view.zones.filter((zone) => zone.kind === "action" && !zone.seats.length && !zone.spread);

// lines below a pile of cards face down, as soon as something is claimed of them
const REMARKS = 2;

/**
 * Lines of text below a heap. Where there are only heaps, later lines have their room from the beginning.
 * @param {Zone} zone @param {boolean} bare
 */
const remarks = ({ kind, cards, facts }, bare) =>
  Math.max(facts.length, bare && kind === "pile" && !cards.some(Boolean) ? REMARKS : 0);

/**
 * What the layout needs to know of the middle.
 * @param {ReturnType<typeof laidOut>} laid @param {import("../hand/moves.js").View} view
 * @param {number} players @param {boolean} stakes @returns {import("./layout.js").Shape}
 */
const shapeOf = ({ spreads, rungs, columns, trick, growing, money, heaps, pots, scores }, view, players, stakes) => ({
  spreads: spreads.map((zone) => {
    const pile = zone.kind !== "row";
    const texts = [...(pile || zone.facts.length ? [zone.label] : []), ...zone.facts.map((fact) => fact.message)];
    return { pile, n: zone.cards.length, texts: texts.map((one) => written(one).length) };
  }),
  rows: rungs.length,
  columns: columns.map((zone) => {
    const shut = zone.cards.filter((card) => !card).length;
    return { shut, open: zone.cards.length - shut };
  }),
  trick: trick ? players : 0,
  run: growing ? growing.cards.length + 1 : 0,
  money: money.map((zone) => zone.on?.length ?? 1),
  stakes,
  heaps: heaps.length + pots.length + placesIn(view).length,
  // a sign is as high as two lines
  texts:
    scores.length +
    scores.filter((zone) => zone.facts.some((fact) => fact.figure)).length +
    Math.max(
      0,
      ...heaps.map((zone) => remarks(zone, !(spreads.length || rungs.length || trick || growing || money.length))),
    ),
});

/** Heaps, pots and scores, next to the laid-out cards. @param {any} props */
function Aside({ view, table, laid, click, can, chosen, does, ring, press, armed }) {
  /** @type {Record<"heaps" | "pots" | "scores", Zone[]>} */
  const { heaps, pots, scores } = laid;
  return html`<div class="aside">
      ${pots.map((zone) => html`<${Pot} key=${zone.name} zone=${zone} />`)}
      ${heaps.map(
        (zone) => html`<${Heap} key=${zone.name} zone=${zone} click=${click} can=${can} table=${table}
        chosen=${chosen} does=${does} ring=${zone.kind === "pile" && ring}
        barred=${view.refused} />`,
      )}
      ${placesIn(view).map(
        (/** @type {Zone} */ zone) => html`<${Place} key=${zone.name} zone=${zone}
        move=${press && movesAt(view, zone, "")[0]} press=${press} armed=${armed} />`,
      )}
      ${scores.map((zone) => html`<${Score} key=${zone.name} zone=${zone} table=${table} />`)}
    </div>`;
}

/**
 * @param {any} props `stakes`: chips that the player is putting on zones; `lifted`: cards of a column about to be
 * moved; `held`: a finished trick that is still shown; `does`: what a click on a heap does, in words; `tag`: what is
 * said at a card that may be taken with the chosen ones; `press`: make a move that has no cards, `armed`: the one that
 * was chosen once and needs another click; `ring`: the time in which several may answer, in milliseconds
 */
export function Middle({
  view,
  table,
  round,
  click,
  can,
  chosen,
  lifted = null,
  advised = null,
  held,
  collect,
  stakes = {},
  children = null,
  does,
  tag,
  ring = null,
  press = undefined,
  armed = "",
}) {
  const laid = laidOut(view, held);
  const shape = shapeOf(laid, view, round.length, Object.keys(stakes).length > 0);
  const box = useLayout(shape, `${table.match} ${view.deal}`);
  const { growing, rungs, columns, spreads, trick, money } = laid;
  const beside = laid.heaps.length + laid.pots.length + laid.scores.length > 0;
  return html`<div ref=${box} class="board">
    ${beside && html`<${Aside} ...${{ view, table, laid, click, can, chosen, does, ring, press, armed }} />`}
    ${
      money.length > 0 &&
      html`<div class="moneys">${money.map(
        (zone) => html`<${Pot} key=${zone.name} zone=${zone} stake=${stakes[zone.name]} />`,
      )}</div>`
    }
    ${growing && html`<${Sequence} zone=${growing} />`}
    ${rungs.length > 0 && html`<${Ladder} zones=${rungs} click=${click} can=${can} you=${table.you} />`}
    ${
      trick &&
      html`<${Trick} zone=${trick} seats=${round} names=${table.names} you=${table.you}
      actors=${held ? [] : view.actors} collect=${collect} />`
    }
    ${
      spreads.length > 0 &&
      html`<div class="spreads">${spreads.map(
        (zone) => html`<${Spread} key=${zone.name} zone=${zone} click=${click} can=${can} chosen=${chosen}
        table=${table} tag=${tag} />`,
      )}</div>`
    }
    ${
      columns.length > 0 &&
      html`<${Columns} zones=${columns} click=${click} can=${can} lifted=${lifted}
      advised=${advised} />`
    }
    ${children}
  </div>`;
}
