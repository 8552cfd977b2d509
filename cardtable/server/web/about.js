/** What this is, and whose work is in it. */
import { html } from "./html.js";
import { text } from "./api.js";
import { useAsked } from "./hooks.js";

/** @type {[string, string, string][]} */
const PARTS = [
  ["Court cards", "by Adrian Kennard, dedicated to the public (CC0)", "/static/cards/package.README.txt"],
  ["the package they came in", "MIT", "/static/cards/package.LICENSE.txt"],
  ["preact", "MIT", "/static/vendor/preact.LICENSE.txt"],
  ["htm", "Apache 2.0", "/static/vendor/htm.LICENSE.txt"],
];

/** @param {{path: string}} props */
function Licence({ path }) {
  const [told] = useAsked(() => text(path), [path]);
  return html`<pre tabindex="0">${told ?? "…"}</pre>`;
}

export function About() {
  return html`<main class="page" id="main"><h1>About Cardtable</h1>
    <p>A card table for you, your friends and bots. It runs on your own machine; nobody needs an account, and nothing is sent anywhere else.</p>
    <h2>Whose work is in it</h2>
    ${PARTS.map(([name, licence, path]) => html`<details key=${name}><summary>${name}: ${licence}</summary><${Licence} path=${path} /></details>`)}
  </main>`;
}
