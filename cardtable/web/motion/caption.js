/** What is happening, in one line on the felt: the caption of the beat that is shown. */
import { html, useEffect, useState } from "../browser/html.js";
import { Said } from "../text/message.js";

const STAYS = 6000; // ms after which the last caption disappears

/**
 * @param {{shown: {key: number, caption: import("../text/message.js").Value[]}, names: string[],
 * you: number | null}} props
 */
export function Caption({ shown, names, you }) {
  const { caption } = shown;
  const [gone, setGone] = useState(/** @type {any} */ (null)); // the caption that has been there long enough
  useEffect(() => {
    const timer = setTimeout(() => setGone(caption), STAYS);
    return () => clearTimeout(timer);
  }, [shown.key]);
  return html`<p class="caption" aria-hidden="true">${
    caption.length > 0 &&
    caption !== gone &&
    html`<span key=${JSON.stringify(caption)}>
    ${caption.map(
      (one, i) => html`${i > 0 && ". "}<${Said} message=${one} names=${names} you=${you}
    sentence />`,
    )}</span>`
  }</p>`;
}
