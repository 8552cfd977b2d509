/** Which page an address is. */
import { html, render, useEffect, useState } from "./html.js";
import { dress } from "./store.js";

dress();

/** @type {[RegExp, (found: RegExpMatchArray) => Promise<any>][]} */
const ROUTES = [
  [/^\/$/, async () => html`<${(await import("./home.js")).Home} />`],
  [/^\/t\/([^/]+)\/?$/, async (found) => html`<${(await import("./table.js")).TablePage} id=${decodeURIComponent(found[1])} />`],
  [/^\/new\/?$/, async () => html`<${(await import("./setup.js")).Setup} />`],
  [/^\/rules\/([^/]+)\/?$/, async (found) => html`<${(await import("./rules.js")).RulesPage} name=${decodeURIComponent(found[1])} />`],
  [/^\/(?:finished|matches)\/?$/, async () => html`<${(await import("./finished.js")).Finished} />`],
  [/^\/(?:replay|match)\/(\d+)\/?$/, async (found) => html`<${(await import("./replay.js")).Replay} id=${found[1]} />`],
  [/^\/statistics\/?$/, async () => html`<${(await import("./statistics.js")).Statistics} />`],
  [/^\/verify\/?$/, async () => html`<${(await import("./verify.js")).Verify} />`],
  [/^\/settings\/?$/, async () => html`<main class="page" id="main"><h1>Settings</h1><${(await import("./settings.js")).Choosing} /></main>`],
  [/^\/about\/?$/, async () => html`<${(await import("./about.js")).About} />`],
];

const TITLES = { "/": "Cardtable", "/new": "Set up a table", "/finished": "Finished games", "/statistics": "Statistics", "/verify": "Fair shuffles", "/settings": "Settings", "/about": "About" };

function Page() {
  const [shown, setShown] = useState(/** @type {any} */ (null));
  const live = location.pathname.startsWith("/t/");
  useEffect(() => {
    const route = ROUTES.map(([pattern, make]) => ({ found: location.pathname.match(pattern), make })).find(({ found }) => found);
    if (!route?.found) return setShown(html`<main class="page" id="main"><h1>Nothing here</h1><p><a class="button primary" href="/">To the first page</a></p></main>`);
    route.make(route.found).then(setShown);
    if (!live) document.title = [TITLES[/** @type {keyof typeof TITLES} */ (location.pathname)] ?? "", "Cardtable"].filter((one, i, all) => one && all.indexOf(one) === i).join(" — ");
    return undefined;
  }, []);
  return html`<a class="skip" href="#main">To the main part</a>
    ${!live && html`<header class="top"><a href="/" class="home">♠ Cardtable</a><nav aria-label="Pages"><a href="/finished">Finished</a><a href="/statistics">Statistics</a><a href="/settings">Settings</a></nav></header>`}
    ${shown ?? html`<p class="loading" role="status">One moment …</p>`}
    ${!live && html`<footer class="foot"><a href="/verify">Fair shuffles</a> <a href="/about">About and licences</a></footer>`}`;
}

const app = document.getElementById("app");
if (app) {
  app.replaceChildren();
  render(html`<${Page} />`, app);
}
