/** A window over the page: a real dialog, so that it works with the keyboard and with screen readers. */
import { html, useEffect, useRef } from "../browser/html.js";
import { tr } from "../text/message.js";

/** @param {{title: string, close: () => void, children?: any, wide?: boolean, name?: string}} props */
export function Dialog({ title, close, children, wide, name = "" }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const before = document.activeElement;
    box.current?.showModal();
    return () => before instanceof HTMLElement && before.isConnected && before.focus();
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
