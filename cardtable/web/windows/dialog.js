/**
 * A window over the page: a real dialog, so that it works with the keyboard and with screen readers. The browser's Back
 * closes it before it leaves the page.
 */
import { enter, showQuery } from "../browser/address.js";
import { html, useEffect, useRef } from "../browser/html.js";
import { placeIn } from "../replay/place.js";
import { tr } from "../text/message.js";

/** Windows over a page. All of them together have one entry in the browser's history. */
export class Windows {
  /**
   * @param {{state: any, back: () => void}} history @param {(state: any) => void} enter adds an entry to it
   * @param {boolean} awaited whether the address names a window, which cannot open yet (`ready`)
   */
  constructor(history, enter, awaited = false) {
    this.history = history;
    this.enter = enter;
    /** @type {(() => void)[]} what closes each open window, the topmost last */
    this.open = [];
    this.leaving = false; // the entry is being left, which takes the browser a moment
    if (!awaited) this.settle(); // the page may have been loaded again while a window was open
  }

  /** A window has opened. @param {() => void} close @returns {() => void} to be called when it has closed */
  opened(close) {
    this.open.push(close);
    this.settle();
    return () => {
      this.open = this.open.filter((one) => one !== close);
      this.settle();
    };
  }

  /** The browser has moved in its history. */
  moved() {
    if (!this.leaving && !this.history.state?.window) this.open.pop()?.();
    this.leaving = false;
    this.settle();
  }

  /** Have an entry while a window is open. */
  settle() {
    const { state } = this.history;
    if (this.leaving || !this.open.length === !state?.window) return;
    if (this.open.length) return this.enter({ window: true });
    this.leaving = true;
    this.history.back();
  }
}

/** The windows of this page. @type {Windows | undefined} */
let shared;
if (globalThis.history) {
  shared = new Windows(history, enter, placeIn(location.search).seat !== null);
  addEventListener("popstate", () => shared?.moved());
}

/**
 * The page is ready for the window that its address names: it opens now, if it can. A link has no entry for it yet.
 * @param {boolean} opens
 */
export function ready(opens) {
  if (!history.state?.window) showQuery("", false);
  else if (!opens) shared?.settle();
}

/** @param {{title: string, close: () => void, children?: any, wide?: boolean, name?: string}} props */
export function Dialog({ title, close, children, wide, name = "" }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const leave = useRef(close);
  leave.current = close;
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    const closed = shared?.opened(() => leave.current());
    return () => {
      closed?.();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return html`<dialog ref=${box} class="window ${wide ? "wide" : ""} ${name}" aria-label=${title}
    onCancel=${(/** @type {Event} */ e) => (e.preventDefault(), close())}
    onClick=${(/** @type {Event} */ e) => e.target === box.current && close()}>
    <div class="inside">
      <header><h2>${title}</h2>
        <button type="button" class="quiet" aria-label=${tr("Close")} onClick=${close}>✕</button></header>
      ${children}
    </div>
  </dialog>`;
}
