/** Small hooks that pages share: the settings, and the size of the page. */
import { useEffect, useState } from "./html.js";
import { choices, watch } from "./store.js";

/** The player's settings, kept up to date. */
export function useChoices() {
  const [, again] = useState(0);
  useEffect(() => watch(() => again((n) => n + 1)), []);
  return choices();
}

/**
 * The window: its size in px, and whether it is as narrow as a phone, as low as one that is held sideways, as small as
 * an old one (or enlarged), or has room for a drawer at the side of the table.
 */
function measured() {
  const [width, height] = [innerWidth, innerHeight];
  const narrow = width <= 600;
  return { width, height, narrow, low: height <= 480, small: narrow && height <= 720, wide: width > 1050 };
}

/** The window, whenever its size changes. */
export function useWindow() {
  const [now, setNow] = useState(measured);
  useEffect(() => {
    const changed = () => setNow(measured());
    addEventListener("resize", changed);
    return () => removeEventListener("resize", changed);
  }, []);
  return now;
}
