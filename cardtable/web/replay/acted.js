/** The beats of a replayed move: somebody who steps forward sees it happen, as at the table. */
import { useEffect, useLayoutEffect, useRef, useState } from "../browser/html.js";
import { beats, drawnAt } from "../motion/beats.js";
import { ended, gained, unpaid } from "../motion/changes.js";
import { Director } from "../motion/director.js";
import { NOWHERE, places, run } from "../motion/motion.js";
import { sound } from "../motion/sound.js";
import { choices, paced } from "../browser/store.js";

/** @typedef {import("./frames.js").Frame} Frame */
/**
 * What is shown of a frame: see `useSession`. `view`: the table as it is drawn.
 * @typedef {{key: number, view: any, hands: string[][] | undefined, beat: import("../motion/beats.js").Beat | null,
 * held: import("../hand/moves.js").Zone | null, gains: Map<number, number>}} Acted
 */

/** @type {Acted} */
const NOTHING = { key: 0, view: null, hands: undefined, beat: null, held: null, gains: new Map() };

/**
 * The table of a frame, with the beats of its move if somebody has stepped forward to it. A step back or a jump shows
 * none, and neither does a step at instant speed or with reduced motion.
 * @param {{current: HTMLElement | null}} felt
 * @param {import("./frames.js").Shown | null} told what is fetched
 * @param {number} seats how many
 * @returns {[Acted, (forward: boolean) => void, () => void]} what is shown; called before a step, and whether it goes
 * forward to the next move that is seen; shows at once what is yet to come
 */
export function useActed(felt, told, seats) {
  const [shown, setShown] = useState(NOTHING);
  const before = useRef(/** @type {import("../motion/motion.js").Places} */ (NOWHERE));
  const last = useRef(/** @type {{frame: Frame, at: number} | null} */ (null));
  const onward = useRef(false);
  const director = useRef(/** @type {Director | null} */ (null));
  const look = () => {
    if (felt.current) before.current = places(felt.current);
  };
  director.current ??= new Director({
    draw({ beats, told }, at) {
      look();
      const pays = beats.slice(at + 1).some((beat) => beat.kind === "chips");
      const view = pays ? unpaid(told.before, told.frame.view) : told.frame.view;
      const held = at < beats.length ? told.trick : null;
      setShown((one) => ({ ...one, key: one.key + 1, view, hands: told.frame.view.hands, held }));
    },
    beat(beat) {
      look();
      if (beat) sound(beat.kind);
      const gains = beat ? gained([beat]) : new Map();
      setShown((one) => ({ ...one, key: one.key + 1, beat, held: !beat || beat.gathers ? null : one.held, gains }));
    },
    speed: () => (document.hidden || !paced(1) ? "instant" : choices().speed),
    later: (act, ms) => setTimeout(act, ms),
    cancel: (timer) => clearTimeout(timer),
  });
  useEffect(() => {
    Object.assign(globalThis, { cardtable: { director: director.current } });
    return () => director.current?.close();
  }, []);
  useLayoutEffect(() => {
    if (!told || told.late) return;
    const { frame, at } = told;
    const past = last.current;
    last.current = { frame, at };
    const forward = onward.current && past !== null && at > past.at;
    onward.current = false;
    const happened = forward ? [{ events: frame.events }] : [];
    const all = beats(happened, seats);
    const trick = forward ? ended(past.frame.view, frame.view, happened) : null;
    const scene = { frame, before: past?.frame.view, trick };
    director.current?.push({ beats: all, drawn: drawnAt(all), own: true, told: scene });
  }, [told?.frame]);
  useLayoutEffect(() => {
    if (felt.current && shown.view) run(felt.current, shown.view, before.current, shown.beat, shown.held);
  }, [shown.key]);
  const step = (/** @type {boolean} */ forward) => (onward.current = forward);
  return [shown, step, () => director.current?.skip()];
}
