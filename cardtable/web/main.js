/** Chooses the page for an address. */
import { html, render, useEffect, useState } from "./browser/html.js";
import { decoded, here } from "./browser/address.js";
import { get } from "./net/api.js";
import { code, load, mark, speak } from "./text/language.js";
import { tr } from "./text/message.js";
import { Banner } from "./pages/banner.js";
import { applyTheme, choices } from "./browser/store.js";
import { useFaces } from "./faces/cards.js";
import { isTranslated } from "./browser/translated.js";
import { useAsked } from "./net/asked.js";

applyTheme();

/** @type {[RegExp, (found: RegExpMatchArray) => Promise<any>][]} */
const ROUTES = [
  [/^\/$/, async () => html`<${(await import("./pages/home.js")).Home} />`],
  [
    /^\/t\/([^/]+)\/?$/,
    async (found) => html`<${(await import("./pages/table.js")).TablePage} id=${decoded(found[1])} />`,
  ],
  [/^\/new\/?$/, async () => html`<${(await import("./pages/setup.js")).Setup} />`],
  [
    /^\/rules\/([^/]+)\/?$/,
    async (found) => html`<${(await import("./windows/rules.js")).RulesPage} name=${decoded(found[1])} />`,
  ],
  [
    /^\/learn\/([^/]+)\/?$/,
    async (found) => html`<${(await import("./pages/learn.js")).Learn} name=${decoded(found[1])} />`,
  ],
  [/^\/glossary\/?$/, async () => html`<${(await import("./windows/glossary.js")).GlossaryPage} />`],
  [
    /^\/teach(?:\/([^/]+))?\/?$/,
    async (found) => html`<${(await import("./pages/teach.js")).Teach} name=${decoded(found[1] ?? "")} />`,
  ],
  [/^\/(?:finished|matches)\/?$/, async () => html`<${(await import("./replay/finished.js")).Finished} />`],
  [
    /^\/(?:replay|match)\/(\d+)\/?$/,
    async (found) => html`<${(await import("./replay/replay.js")).Replay} id=${found[1]} />`,
  ],
  [
    /^\/daily(?:\/([^/]+))?\/?$/,
    async (found) => html`<${(await import("./pages/dealt.js")).Daily} name=${decoded(found[1] ?? "")} />`,
  ],
  [
    /^\/deal\/([^/]+)\/?$/,
    async (found) => html`<${(await import("./pages/dealt.js")).Deal} number=${decoded(found[1])} />`,
  ],
  [/^\/statistics\/?$/, async () => html`<${(await import("./replay/statistics.js")).Statistics} />`],
  [/^\/verify\/?$/, async () => html`<${(await import("./replay/verify.js")).Verify} />`],
  [/^\/settings\/?$/, async () => html`<${(await import("./windows/settings.js")).SettingsPage} />`],
  [/^\/you\/?$/, async () => html`<${(await import("./pages/you.js")).You} />`],
  [/^\/link\/?$/, async () => html`<${(await import("./pages/link.js")).Link} />`],
  [/^\/about\/?$/, async () => html`<${(await import("./pages/about.js")).About} />`],
];

/** The title of a page in the browser's tab. @type {Record<string, string>} */
const TITLES = {
  "/new": mark("Set up a table"),
  "/glossary": mark("Glossary"),
  "/teach": mark("For a class"),
  "/finished": mark("Finished games"),
  "/statistics": mark("Statistics"),
  "/daily": mark("Deal of the day"),
  "/verify": mark("Fair shuffles"),
  "/settings": mark("Settings"),
  "/you": mark("You"),
  "/link": mark("Link this browser"),
  "/about": mark("About"),
};

/** Pages that choose their faces themselves. */
const LAYS = /^\/(t|learn|replay|match|settings)(\/|$)/;

/** @param {string} path */
const routed = (path) =>
  ROUTES.map(([pattern, make]) => ({ found: path.match(pattern), make })).find(({ found }) => found);

/** For who lets the browser translate the page: the languages that it has itself. */
function Languages() {
  const [translated, setTranslated] = useState(isTranslated());
  const [told] = useAsked(() => (translated ? get("/api/languages") : Promise.resolve(null)), [translated]);
  useEffect(() => {
    const seen = () => setTranslated(true);
    addEventListener("translated", seen);
    return () => removeEventListener("translated", seen);
  }, []);
  const others = (told?.languages ?? []).filter((/** @type {any} */ one) => one.code !== code());
  if (!translated || !others.length) return null;
  return html`<aside class="languages" translate=${false} aria-label=${tr("Language")}>
    <p role="status">${tr("Your browser translates this page. It is also available in these languages:")}</p>
    ${others.map(
      (/** @type {any} */ one) => html`<button key=${one.code} type="button" lang=${one.code}
        onClick=${() => speak(one.code)}>${one.name}</button>`,
    )}
    <button type="button" class="quiet" aria-label=${tr("Close")} onClick=${() => setTranslated(false)}>✕</button>
  </aside>`;
}

function Page() {
  const [path, setPath] = useState(here());
  const [shown, setShown] = useState(/** @type {{path: string, page: any} | null} */ (null));
  const [banned, setBanned] = useState(""); // what the operator has decided, as a sentence
  const live = path.startsWith("/t/");
  const laid = useFaces(LAYS.test(path) ? null : choices().faces, null);
  useEffect(() => {
    const moved = () => setPath(here());
    const refused = (/** @type {any} */ e) => setBanned(e.detail.message);
    addEventListener("banned", refused);
    addEventListener("popstate", moved);
    return () => {
      removeEventListener("banned", refused);
      removeEventListener("popstate", moved);
    };
  }, []);
  useEffect(() => {
    let here = true;
    const route = routed(path);
    const page = route?.found
      ? route.make(route.found)
      : Promise.resolve(
          html`<main class="page" id="main"><h1>${tr("Nothing here")}</h1><p><a class="button primary" href="/">
            ${tr("Home")}</a></p></main>`,
        );
    page.then(
      (made) => here && setShown({ path, page: made }),
      () => dispatchEvent(new Event("unloaded")), // a file did not come: index.html says so
    );
    if (!live) document.title = [tr(TITLES[path] ?? ""), "Cardtable"].filter(Boolean).join(" — ");
    return () => {
      here = false;
    };
  }, [path]);
  if (banned)
    return html`<main class="page" id="main"><h1>${tr("You are banned")}</h1><p>${banned}</p>
      <p><a href="/you">${tr("Your data on this server")}</a></p></main>`;
  return html`<a class="skip" href="#main">${tr("Skip to main content")}</a><${Languages} /><${Banner} />
    ${
      !live &&
      html`<header class="top"><a href="/" class="home" translate=${false}>♠︎ Cardtable</a>
      <nav aria-label=${tr("Pages")}><a href="/finished">${tr("Finished")}</a><a href="/statistics">
        ${tr("Statistics")}</a><a href="/settings">${tr("Settings")}</a></nav></header>`
    }
    ${shown?.path === path && laid ? shown.page : html`<p class="loading" role="status">${tr("One moment …")}</p>`}
    ${
      !live &&
      html`<footer class="foot"><a href="/glossary">${tr("Glossary")}</a>
      <a href="/teach">${tr("For a class")}</a> <a href="/verify">${tr("Fair shuffles")}</a> <a href="/about">
      ${tr("About", { context: "button" })}</a></footer>`
    }`;
}

await load();
const app = document.getElementById("app");
if (app) {
  app.replaceChildren();
  render(html`<${Page} />`, app);
  dispatchEvent(new Event("loaded"));
}
