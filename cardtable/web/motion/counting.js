/**
 * Numbers that count to what they have become, as chips arrive or scores are told. Only the eye sees them on their way:
 * assistive technology reads the final number at once, and with reduced motion nothing else is shown.
 */
import { html, useLayoutEffect, useRef, useState } from "../browser/html.js";
import { Said, signed } from "../text/message.js";
import { paced } from "../browser/store.js";

// ms from one number to the next
const LASTS = 600;

/** A whole number on the way to another. @param {number} from @param {number} to @param {number} share 0 to 1 */
export const onTheWay = (from, to, share) => Math.round(from + (to - from) * Math.min(1, Math.max(0, share)));

/**
 * What is shown of a number that may have changed since it was drawn last.
 * @param {number} n @param {number} [from] what it begins with when it is drawn for the first time
 * @param {number} [ms] its way at normal speed @param {number} [delay] ms before it begins
 */
export function useCounted(n, from = n, ms = LASTS, delay = 0) {
  const [shown, setShown] = useState(from);
  const now = useRef(from);
  const still = !paced(1);
  useLayoutEffect(() => {
    const show = (/** @type {number} */ one) => {
      if (one !== now.current) setShown((now.current = one));
    };
    if (still || document.hidden) return show(n);
    const start = now.current;
    if (start === n) return undefined;
    const begins = performance.now() + paced(delay);
    const lasts = Math.max(1, paced(ms));
    const step = (/** @type {number} */ at) => {
      show(onTheWay(start, n, (at - begins) / lasts));
      if (at < begins + lasts) frame = requestAnimationFrame(step);
    };
    let frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [n, still, ms]);
  return still ? n : shown;
}

/** A number that counts, where the final one is read elsewhere. @param {{n: number}} props */
export const Counted = ({ n }) => html`${signed(useCounted(n))}`;

/**
 * Something with a number in it, on its way: what is read aloud has the final one.
 * @param {{n: number, shown: number, text: (n: number) => any}} props
 */
export const Reading = ({ n, shown, text }) =>
  shown === n
    ? html`${text(n)}`
    : html`<span aria-hidden="true">${text(shown)}</span><span class="sr">${text(n)}</span>`;

/** A message, the number of which counts. @param {any} props the same as those of `Said` */
export function SaidCounted({ message, ...rest }) {
  const n = Number.isInteger(message?.n) ? message.n : 0;
  const shown = useCounted(n);
  const text = (/** @type {number} */ one) => html`<${Said} message=${one === n ? message : { ...message, n: one }}
    ...${rest} />`;
  return html`<${Reading} n=${n} shown=${shown} text=${text} />`;
}
