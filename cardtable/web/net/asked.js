/** What the server is asked when a part of a page is drawn. */
import { useEffect, useState } from "../browser/html.js";
import { persist } from "./patience.js";

/**
 * The server's answer, which is asked for until it comes: [value, error].
 * @param {() => Promise<any>} ask @param {any[]} on
 */
export function useAsked(ask, on) {
  const [found, setFound] = useState(/** @type {any} */ ([null, null]));
  useEffect(() => {
    return persist(ask, setFound);
  }, on);
  return found;
}
