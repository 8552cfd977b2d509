/**
 * Serves the browser client to Node as it is served to a browser: `/static/x.js` is a file in cardtable/web, and
 * bare names are those of the import map in index.html. Node runs this alongside the tests (client.js registers it).
 */
import { readFileSync } from "node:fs";

const SITE = "http://table.test"; // so that a module's address is the same as in a browser: /static/x.js
const WEB = new URL("../../cardtable/web/", import.meta.url);
const [, map] = /<script type="importmap">(.*?)<\/script>/s.exec(readFileSync(new URL("index.html", WEB), "utf8"));
const { imports } = JSON.parse(map);

/** Where a module is. */
export function resolve(name, context, next) {
  const from = context.parentURL ?? "";
  const address = imports[name] ?? name;
  if (!from.startsWith(SITE) && !address.startsWith("/static/")) return next(name, context);
  return { url: new URL(address, from.startsWith(SITE) ? from : SITE).href, format: "module", shortCircuit: true };
}

/** The text of a module. */
export function load(url, context, next) {
  if (!url.startsWith(SITE)) return next(url, context);
  const file = new URL(new URL(url).pathname.replace("/static/", "./"), WEB);
  return { source: readFileSync(file, "utf8"), format: "module", shortCircuit: true };
}
