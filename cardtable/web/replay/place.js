/** The place in a match that is looked at: its deal, the move before which the table lies, and whose decisions. */
import { showQuery } from "../browser/address.js";
import { useEffect, useRef } from "../browser/html.js";

/** @typedef {import("wire").DecisionSeen} Decision */
/** @typedef {{deal: number, move: number, seat: number | null}} Place `move`: 0: none is named; `seat`: -1: the own */

/** A number, from 1; 0: there is none. @param {string | null} text */
const number = (text) => Math.max(0, Math.floor(Number(text)) || 0);

/** The place that an address without one names. */
export const NOWHERE = { deal: 1, move: 0, seat: null };

/** The place that an address names. @param {string} query @returns {Place} */
export function placeIn(query) {
  const asked = new URLSearchParams(query);
  return {
    deal: number(asked.get("deal")) || 1,
    move: number(asked.get("move")),
    seat: asked.has("review") ? number(asked.get("review")) - 1 : null,
  };
}

/** The address of a place. @param {Place} place */
export const queryOf = ({ deal, move, seat }) =>
  `?${seat === null ? "" : `review=${seat + 1}&`}deal=${deal}&move=${move}`;

/** The frame that shows the table before a decision. @param {{number: number}} decision */
export const before = (decision) => Math.max(0, decision.number - 1);

/**
 * The number of the move that is looked at, of how many: in a review that which comes, else that which was made.
 * @param {number} last @param {number} at @param {boolean} ahead
 */
export const counter = (last, at, ahead) => `${Math.min(at + Number(ahead), last)} / ${last}`;

/**
 * The frame that a step leads to: past those in which nothing is seen to happen, such as a wait or a doubt that is not
 * raised, unless a decision of the review lies there.
 * @param {number} at @param {boolean} on forward @param {number} last
 * @param {(number: number) => boolean} silent whether nothing happens in a frame
 * @param {number[]} stops the frames of the decisions that are reviewed
 */
export function stepFrom(at, on, last, silent, stops) {
  const by = on ? 1 : -1;
  let to = at + by;
  while (to > 0 && to < last && silent(to) && !stops.includes(to)) to += by;
  return to;
}

/**
 * The decision at which a review opens: the worst; of a review that is not complete, the first.
 * @param {{complete: boolean, decisions: Decision[]}} sheet @returns {Decision | undefined}
 */
export function opening({ complete, decisions }) {
  const sure = (/** @type {Decision} */ one) => one.loss - 2 * one.error;
  return (complete && decisions.filter((one) => one.worst).sort((a, b) => sure(b) - sure(a))[0]) || decisions[0];
}

/**
 * The step that is looked at: `at`, of which the `last` can be one; `go` goes to one, by a move forward or by a jump,
 * `on` and `back` by one step, `turn` to the next or previous decision. The address names the place, so that Back,
 * Forward and a link lead to it.
 * @param {[number, (step: number) => void]} state the step wanted
 * @param {import("./frames.js").Shown | null} told
 * @param {{deal: number, setDeal: (deal: number) => void, seat: number | null, judge: (seat: number | null) => void,
 * placed: boolean}}
 * at
 *   the deal, and whose decisions are reviewed
 * @param {import("./review.js").Reviewed | null} sheet the review
 * @param {(forward: boolean) => void} stepped called before a step
 */
export function usePlace([step, setStep], told, { deal, setDeal, seat, judge, placed }, sheet, stepped) {
  const wanted = useRef(placeIn(location.search).move); // 0: it is shown, or there is none
  const free = useRef(!wanted.current); // nobody has chosen a place yet
  const jumped = useRef(false);
  const last = told?.last ?? 0;
  const at = Math.min(step, last);
  const stops = (sheet?.decisions ?? []).map(before);
  const go = (/** @type {number} */ to, forward = false, jump = false) => {
    stepped(forward && to <= last);
    free.current = false;
    jumped.current = jump;
    setStep(Math.max(0, Math.min(last, to)));
  };
  const by = (/** @type {boolean} */ on) => told && go(stepFrom(at, on, last, told.silent, stops), on);
  const turn = (/** @type {boolean} */ on) => {
    const to = on ? stops.find((one) => one > at) : stops.filter((one) => one < at).at(-1);
    if (to !== undefined) go(to, false, true);
  };
  useEffect(() => {
    if (!told || told.late || !wanted.current) return;
    setStep(before({ number: wanted.current }));
    wanted.current = 0;
  }, [deal, last, told?.late]);
  useEffect(() => {
    const first = sheet && free.current && opening(sheet);
    if (first && told && !told.late) setStep(before(first));
  }, [sheet, deal, last, told?.late]);
  useEffect(() => {
    if (!placed || !told || told.late || wanted.current || (seat !== null && free.current && !sheet?.complete)) return;
    const query = queryOf({ deal, move: at + 1, seat });
    if (query === location.search) return;
    showQuery(query, jumped.current);
    jumped.current = false;
  });
  useEffect(() => {
    const heard = (/** @type {KeyboardEvent} */ e) => {
      const on = e.key === "ArrowRight";
      if (/** @type {HTMLElement} */ (e.target).closest("select, input") || !(on || e.key === "ArrowLeft")) return;
      if (stops.length && !e.shiftKey) turn(on);
      else by(on);
    };
    const moved = () => {
      const place = placeIn(location.search);
      free.current = false;
      wanted.current = place.move || 1;
      if (place.deal === deal) {
        setStep(before({ number: wanted.current }));
        wanted.current = 0;
      } else setDeal(place.deal);
      judge(place.seat);
    };
    document.addEventListener("keydown", heard);
    addEventListener("popstate", moved);
    return () => {
      document.removeEventListener("keydown", heard);
      removeEventListener("popstate", moved);
    };
  });
  return {
    last,
    at,
    go,
    on: () => by(true),
    back: () => by(false),
    turn,
    stops,
    /** A review begins: at the place that somebody has gone to, or else at the worst decision. */
    review: () => {
      jumped.current = true;
    },
    /** Another deal, or other decisions: the review opens at the worst one again. */
    begin: () => {
      free.current = jumped.current = true;
      setStep(0);
    },
  };
}
