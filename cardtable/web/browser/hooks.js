/** Small hooks that pages share: the settings, and the size of the page. */
import { useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { choices, watch } from "./store.js";

/** The player's settings, kept up to date. */
export function useChoices() {
  const [, again] = useState(0);
  useEffect(() => watch(() => again((n) => n + 1)), []);
  return choices();
}

/** Whether the window fits a media query. @param {string} query */
function useMedia(query) {
  const [fits, setFits] = useState(matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const changed = () => setFits(media.matches);
    media.addEventListener("change", changed);
    return () => media.removeEventListener("change", changed);
  }, []);
  return fits;
}

/** Whether the page is as narrow as a phone. */
export const useNarrow = () => useMedia("(max-width: 600px)");

/** Whether there is room for a drawer at the side of the table. */
export const useWide = () => useMedia("(min-width: 1051px)");

/** Whether the page is as low as a phone in landscape. */
export const useLow = () => useMedia("(max-height: 480px)");

/**
 * For an element whose cards (as wide as --w) should be as large as possible: sets the largest width that fits in its
 * style.
 * @param {number} least @param {number} most px
 */
export function useFitted(least, most) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const fit = () => {
    const el = box.current;
    if (!el) return;
    const fits = (/** @type {number} */ w) => {
      el.style.setProperty("--w", `${w}px`);
      return el.scrollHeight <= el.clientHeight && el.scrollWidth <= el.clientWidth;
    };
    let low = least;
    let high = most + 1; // too large
    while (high - low > 1) {
      const w = Math.floor((low + high) / 2);
      if (fits(w)) low = w;
      else high = w;
    }
    fits(low);
  };
  useLayoutEffect(fit); // whenever cards are added or removed
  useLayoutEffect(() => {
    if (!box.current) return undefined;
    const watching = new ResizeObserver(fit);
    watching.observe(box.current);
    return () => watching.disconnect();
  }, []);
  return box;
}

const LOW = 250; // px below which rows of cards are too low to read

/**
 * For an element whose parts depend on its size: sets its width and height in its style as --cw and --ch, and whether
 * it is low.
 */
export function useSized() {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return undefined;
    const tell = () => {
      el.style.setProperty("--cw", `${el.clientWidth}px`);
      el.style.setProperty("--ch", `${el.clientHeight}px`);
      el.toggleAttribute("data-low", el.clientHeight < LOW);
    };
    tell();
    const watching = new ResizeObserver(tell);
    watching.observe(el);
    return () => watching.disconnect();
  }, []);
  return box;
}
