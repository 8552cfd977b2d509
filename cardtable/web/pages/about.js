/** What Cardtable is, and whose work it includes. */
import { html } from "../browser/html.js";
import { text } from "../net/api.js";
import { mark } from "../text/language.js";
import { tr } from "../text/message.js";
import { useAsked } from "../net/asked.js";

/** Third-party work: what it is, its licence, and the file of the licence. @type {[string, string, string][]} */
const PARTS = [
  [mark("Court cards"), mark("by {name}, dedicated to the public (CC0)"), "/static/cards/package.README.txt"],
  [mark("the package they came in"), "MIT", "/static/cards/package.LICENSE.txt"],
  ["preact", "MIT", "/static/vendor/preact.LICENSE.txt"],
  ["htm", "Apache 2.0", "/static/vendor/htm.LICENSE.txt"],
  ["js-sha256", "MIT", "/static/vendor/sha256.LICENSE.txt"],
  ["Source Sans 3", "OFL 1.1", "/static/fonts/source-sans.LICENSE.txt"],
  ["Fraunces", "OFL 1.1", "/static/fonts/fraunces.LICENSE.txt"],
];

/** @param {{path: string}} props */
function Licence({ path }) {
  const [told, error] = useAsked(() => text(path), [path]);
  return html`<pre tabindex="0" lang="en">${told ?? error?.message ?? "…"}</pre>`;
}

export function About() {
  return html`<main class="page" id="main"><h1>${tr("About Cardtable")}</h1>
    <p>${tr(
      "A card table for you, your friends and bots. It runs on your own machine; nobody needs an account, and " +
        "nothing is sent anywhere else.",
    )}</p>
    <h2>${tr("Credits")}</h2>
    ${PARTS.map(
      ([name, licence, path]) => html`<details key=${name}><summary>
      ${tr(name)}: ${tr(licence, { name: "Adrian Kennard" })}</summary><${Licence} path=${path} /></details>`,
    )}
  </main>`;
}
