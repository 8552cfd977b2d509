/** Small things that pages share. */
import { useEffect, useLayoutEffect, useRef, useState } from "./html.js";
import { choices, watch } from "./store.js";

/** The player's choices, kept up to date. */
export function useChoices() {
  const [, again] = useState(0);
  useEffect(() => watch(() => again((/** @type {number} */ n) => n + 1)), []);
  return choices();
}

/** Whether the page is as narrow as a phone. */
export function useNarrow() {
  const query = matchMedia("(max-width: 600px)");
  const [narrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const changed = () => setNarrow(query.matches);
    query.addEventListener("change", changed);
    return () => query.removeEventListener("change", changed);
  }, []);
  return narrow;
}

/** What a promise brings: [value, error]. @param {() => Promise<any>} ask @param {any[]} on */
export function useAsked(ask, on) {
  const [found, setFound] = useState(/** @type {any} */ ([null, null]));
  useEffect(() => {
    let here = true;
    ask().then((value) => here && setFound([value, null])).catch((error) => here && setFound([null, error]));
    return () => {
      here = false;
    };
  }, on);
  return found;
}

/** For an element whose parts go by its size: its width and height are told to its styles as --cw and --ch. */
export function useSized() {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const el = box.current;
    if (!el) return undefined;
    const tell = () => {
      el.style.setProperty("--cw", `${el.clientWidth}px`);
      el.style.setProperty("--ch", `${el.clientHeight}px`);
    };
    tell();
    const watching = new ResizeObserver(tell);
    watching.observe(el);
    return () => watching.disconnect();
  }, []);
  return box;
}
