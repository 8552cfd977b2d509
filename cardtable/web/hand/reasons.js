/** Why cards cannot be played, shown before a click on them; the server is asked once for each version of the table. */
import { useEffect, useRef, useState } from "../browser/html.js";

// ms that a pointer rests on a card before the reason is shown
const RESTS = 400;
// ms of a turn after which reasons are fetched, so that they are ready when needed
const SETTLES = 700;
// most moves in one request
const MOST = 40;

/** @typedef {import("wire").MoveReason} Reason */

/**
 * @param {{current: HTMLElement | null}} root @param {boolean} turn @param {number} version what is seen now
 * @param {(moves: string[]) => void} ask
 */
export function useReasons(root, turn, version, ask) {
  const [told, setTold] = useState(
    /** @type {{version: number, reasons: Record<string, Reason>}} */ ({ version: -1, reasons: {} }),
  );
  const [at, setAt] = useState(""); // the card under the pointer or with the focus
  const latest = useRef({ turn, version, ask, asked: -1 });
  Object.assign(latest.current, { turn, version, ask });
  const fetch = () => {
    const now = latest.current;
    if (!now.turn || now.asked === now.version) return;
    const shut = [...(root.current?.querySelectorAll(".hand button.card:not(.can)") ?? [])].map(
      (el) => /** @type {HTMLElement} */ (el).dataset.card ?? "",
    );
    if (!shut.length) return;
    now.asked = now.version;
    now.ask(shut.slice(0, MOST));
  };
  useEffect(() => {
    if (!turn) return undefined;
    const timer = setTimeout(fetch, SETTLES);
    return () => clearTimeout(timer);
  }, [turn, version]);
  useEffect(() => {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    const shut = (/** @type {Event} */ e) =>
      /** @type {HTMLElement | null} */ (
        /** @type {Element} */ (e.target).closest?.(".hand button.card, .column button.card:not(.can)")
      );
    const over = (/** @type {Event} */ e) => {
      // a finger does not rest: a tap gets its answer
      if (e instanceof PointerEvent && e.pointerType === "touch") return undefined;
      clearTimeout(timer);
      const el = root.current?.contains(/** @type {Node} */ (e.target)) ? shut(e) : null;
      if (!el) return setAt("");
      fetch();
      const card = el.dataset.card ?? "";
      if (e.type === "focusin" && !el.matches(":focus-visible")) return undefined; // a click gets its answer
      timer = setTimeout(() => setAt(card), e.type === "focusin" ? 0 : RESTS);
      return undefined;
    };
    const away = () => {
      clearTimeout(timer);
      setAt("");
    };
    document.addEventListener("pointerover", over);
    document.addEventListener("focusin", over);
    document.addEventListener("focusout", away);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", over);
      document.removeEventListener("focusin", over);
      document.removeEventListener("focusout", away);
    };
  }, []);
  const reasons = turn && told.version === version ? told.reasons : {};
  return { reasons, at: turn ? at : "", heard: setTold };
}
