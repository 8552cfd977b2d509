/** Where this site is: everywhere else in the client, paths begin at the site's first page. */

/** What comes before each path, such as /cards; "" if the site is the whole server. */
const BASE = new URL(import.meta.url).pathname.replace(/\/static\/([0-9a-f]+\/)?browser\/address\.js$/, "");

/** The address of a path of this site. @param {string} path */
export const at = (path) => BASE + path;

/** The address of a file of the client. @param {string} name */
export const file = (name) => new URL(`../${name}`, import.meta.url).pathname;

/** The path of the page that is shown. */
export const here = () => location.pathname.slice(BASE.length) || "/";

/** Whether a host is the machine itself, whichever it is, so nobody else can reach it. @param {string} host */
export const isLoopback = (host) => /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])\.?$/i.test(host);

/** A part of an address, as text; one that is badly encoded stays as it is. @param {string} part */
export function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Go to another page of the client, without reloading everything. @param {string} path */
export function go(path) {
  if (at(path) !== location.pathname + location.search) history.pushState(null, "", at(path));
  dispatchEvent(new PopStateEvent("popstate"));
}

/**
 * Change the query of this page's address.
 * @param {string} query @param {boolean} entry whether it is a new one of the history
 */
export const showQuery = (query, entry) =>
  history[entry ? "pushState" : "replaceState"](entry ? null : history.state, "", location.pathname + query);

/** Add an entry for the same page to the history. @param {any} state */
export const enter = (state) => history.pushState(state, "");

/** Go to another page, and load everything. @param {string} path */
export function visit(path) {
  location.href = at(path);
}
