/** The frames of a replayed deal, fetched in portions: the one that is looked at, and then the next one. */
import { useEffect, useRef, useState } from "../browser/html.js";
import { get } from "../net/api.js";
import { persist } from "../net/patience.js";

// frames; the server answers at most 100
const PORTION = 50;
// milliseconds for which the slider rests before a portion far away is fetched
const REST = 150;

/**
 * @typedef {{number: number, seat: number | null, move: string, label: any, forced: boolean, events: any[],
 * view: any}} Frame
 */
/** @typedef {import("wire").FacesSeen} Faces */
/** @typedef {{of: string, deals: number, last: number, faces: Faces, portions: Map<number, Frame[]>}} Fetched */
/**
 * What is shown: frame number `at`, which is the one wanted unless that has not arrived (`late`), and the frame after
 * it, if that has arrived; `last` is the number of the deal's last frame. A frame has the number of its move, and 0 is
 * the one before the first move. `silent`: whether it is known that nothing happens in a frame.
 * @typedef {{deals: number, last: number, faces: Faces, at: number, frame: Frame, next: Frame | undefined,
 * silent: (number: number) => boolean, late: boolean}} Shown
 */

/** @param {Fetched} fetched @param {number} at @returns {Frame | undefined} */
const frameOf = (fetched, at) => fetched.portions.get(Math.floor(at / PORTION))?.[at % PORTION];

/**
 * A frame of a deal, and an error.
 * @param {string} match where the server tells it
 * @param {number} deal
 * @param {number} seat whose view; -1: everybody's cards
 * @param {number} step the frame wanted; behind the last: the last
 * @returns {[Shown | null, Error | null]}
 */
export function useFrames(match, deal, seat, step) {
  const of = `${match}/frames?deal=${deal}${seat < 0 ? "" : `&seat=${seat}`}`;
  const [fetched, setFetched] = useState(/** @type {Fetched | null} */ (null));
  const [error, setError] = useState(/** @type {{of: string, error: Error} | null} */ (null));
  const shown = useRef(/** @type {Shown | null} */ (null));
  const here = fetched?.of === of ? fetched : null;
  const at = here ? Math.min(step, here.last) : 0;
  const wanted = Math.floor((here ? at : step) / PORTION);
  const missing = [wanted, wanted + 1].find(
    (portion) => !here?.portions.has(portion) && (!here || portion * PORTION <= here.last),
  );
  useEffect(() => {
    if (missing === undefined) return undefined;
    let ends = () => {};
    const ask = () => {
      ends = persist(
        () => get(`${of}&first=${missing * PORTION}&count=${PORTION}`),
        ([told, problem]) => {
          setError(problem && { of, error: problem });
          if (!told) return;
          const { deals, moves, faces, frames } = told;
          setFetched((old) => ({
            of,
            deals,
            last: moves,
            faces,
            portions: new Map([...(old?.of === of ? old.portions : []), [missing, frames]]),
          }));
        },
      );
    };
    const timer = setTimeout(ask, here && missing === wanted ? REST : 0);
    return () => {
      ends();
      clearTimeout(timer);
    };
  }, [of, missing]);
  const frame = here && frameOf(here, at);
  if (here && frame) {
    const { deals, last, faces } = here;
    const silent = (/** @type {number} */ number) => frameOf(here, number)?.events.length === 0;
    shown.current = { deals, last, faces, at, frame, next: frameOf(here, at + 1), silent, late: false };
  } else if (shown.current) shown.current.late = true;
  return [shown.current, error?.of === of ? error.error : null];
}
