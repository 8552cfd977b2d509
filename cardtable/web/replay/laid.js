/** The table of a replay as one player sat at it, with that player's hand at the bottom, and marks on its cards. */
import { html, useLayoutEffect } from "../browser/html.js";
import { choices } from "../browser/store.js";
import { useWindow } from "../browser/hooks.js";
import { arranged } from "../table/layout.js";
import { Middle } from "../table/middle.js";
import { facesOff, Seat } from "../table/seats.js";
import { seated } from "../table/board.js";
import { Hand } from "../table/zones.js";
import { tr } from "../text/message.js";

// in the notation of moves
const CARDS = /\b(?:[A2-9TJQK][SHDC]|X[12])\b/g;
const still = () => undefined;
const never = () => false;

/**
 * The cards of a move, or if it has none the place where it is made; and the place where they go.
 * @param {any} view before it; with all hands open its choices name their seats
 * @param {string} move in notation @param {number} [seat] who makes it
 * @returns {{cards: string[], zones: string[]}}
 */
export function touched(view, move, seat) {
  const choice = view.choices?.find((/** @type {any} */ one) => one.text === move && (one.seat ?? seat) === seat);
  const cards = choice?.cards ?? move.match(CARDS) ?? [];
  return { cards, zones: [choice?.target, !cards.length && choice?.source].filter(Boolean) };
}

/**
 * The moves to be marked, each with its kind and its word: the one that was made, as good as any or not, and a better
 * one.
 * @param {{move: string, best: string, grade: string}} decision
 * @returns {[string, string, string][]}
 */
export function markedMoves({ move, best, grade }) {
  const played = tr("played", { context: "column" });
  return /^(best|good)$/.test(grade)
    ? [["well", played, move]]
    : [
        ["played", played, move],
        ["better", tr("better", { context: "mark" }), best],
      ];
}

/**
 * Mark the move that was made, and the better one: the card that is played has a word as well.
 * @param {{current: HTMLElement | null}} felt @param {any} view
 * @param {{move: string, best: string, grade: string, seat: number} | null} decision
 */
function useMarks(felt, view, decision) {
  useLayoutEffect(() => {
    const box = felt.current;
    if (!box || !decision) return undefined;
    /** @type {Set<HTMLElement>} */
    const marked = new Set();
    for (const [kind, words, move] of markedMoves(decision)) {
      const { cards, zones } = touched(view, move, decision.seat);
      const found = [
        ...cards.map((card) =>
          ["[data-zone=hand] ", ".board ", ""]
            .map((at) => box.querySelector(`${at}[data-card="${card}"]`))
            .find(Boolean),
        ),
        ...zones.map((zone) => box.querySelector(`[data-zone="${CSS.escape(zone)}"]`)),
      ];
      found.forEach((el, i) => {
        if (!(el instanceof HTMLElement)) return;
        marked.add(el);
        el.dataset.mark = [el.dataset.mark, kind].filter(Boolean).join(" ");
        if (!i) el.dataset.said = [el.dataset.said, words].filter(Boolean).join(", ");
      });
    }
    return () => {
      for (const el of marked) {
        delete el.dataset.mark;
        delete el.dataset.said;
      }
    };
  });
}

/**
 * The least width of a plate, which changes seldom while hands become smaller.
 * @param {import("../hand/moves.js").Zone[]} zones @param {number} seat the one whose hand lies below
 */
function plateWidth(zones, seat) {
  const shown = (/** @type {any} */ { kind, cards, seats }) => kind === "hand" && cards[0] && seats[0] !== seat;
  const most = Math.max(0, ...zones.map((zone) => (shown(zone) ? zone.cards.length : 0)));
  return most > 10 ? "21rem" : most > 5 ? "10.5rem" : "6.8rem";
}

/**
 * The table as it lay.
 * @param {any} props `seat`: who sits at the bottom; `hands`: all hands, where they may be seen
 */
export function Laid({ felt, view: told, hands, names, you, seat, game, late, skip, beat = "", decision, ...rest }) {
  const { held = null, gains = new Map(), players } = rest;
  const table = seated(names, you, players);
  const zones = told.zones.map((/** @type {any} */ zone) =>
    hands && zone.kind === "hand" ? { ...zone, cards: hands[zone.seats[0]] ?? [] } : zone,
  );
  const hand = zones.find((/** @type {any} */ zone) => zone.kind === "hand" && zone.seats[0] === seat);
  const view = { actors: [], ...told, legal: [], zones };
  const round = names.map((/** @type {string} */ _, /** @type {number} */ i) => (seat + i) % names.length);
  const panel = (/** @type {number} */ one) =>
    html`<${Seat} key=${one} place=${table.seats[one]} view=${view} table=${table} now=${Date.now} click=${still}
      can=${never} gain=${gains.get(one)} mine=${one === you && one === seat}
      below=${one === seat} />`;
  useMarks(felt, told, decision);
  const small = arranged(useWindow()) !== "round";
  return html`<div class="feltbox" ref=${felt} aria-busy=${late} data-beat=${beat} onClick=${skip}>
    <div class="sat ${facesOff(view, names.length) ? "faceoff" : ""}" data-how=${small ? "tall" : null}>
      ${
        names.length > 1 &&
        html`<div class="others" style=${{ "--plate-width": plateWidth(zones, seat) }}>
        ${round.slice(1).map(panel)}</div>`
      }
      <${Middle} view=${view} table=${table} round=${round} click=${still} can=${never} chosen=${[]} held=${held} />
      ${
        (hand || names.length > 1) &&
        html`<div class="own">${panel(seat)}${
          hand &&
          html`<${Hand} zone=${hand} can=${never} order=${choices().orders[game]} click=${still}
            chosen=${[]} names=${names} />`
        }</div>`
      }
    </div></div>`;
}
