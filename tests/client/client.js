/**
 * The browser client without a browser: its modules, and the little of a page that they touch. A clock stands still
 * until a test turns it, and elements can be made, drawn into, read and clicked on. What needs a layout, styles or real
 * events belongs into tests/test_browser_*.py.
 */
import { readFileSync } from "node:fs";
import { register } from "node:module";

register("./site.js", import.meta.url);

/** A module of the client by its name: `await client("motion/director")`. */
export const client = (name) => import(`/static/${name}.js`);

/** What Python has made for the test file (tests/web/test_client.py); null where nobody has. */
export const data = process.env.CLIENT_DATA ? JSON.parse(readFileSync(process.env.CLIENT_DATA, "utf8")) : null;

/** The options of a test that reads `data`. */
export const told = { skip: data ? false : "pytest makes its data: pytest tests/web/test_client.py" };

// The clock

let time = 0;
let timers = [];
let number = 0;

/** Call something after a time in milliseconds, and then again each time. */
const begin = (does, ms = 0, every = 0) => {
  number += 1;
  timers.push({ number, at: time + ms, every, does });
  return number;
};
const end = (wanted) => {
  timers = timers.filter((timer) => timer.number !== wanted);
};
const now = () => time;
/** What was promised is done. */
const promised = () => new Promise((done) => setImmediate(done));

/** The time of the page, in milliseconds. */
export const clock = {
  now,
  /** Whether something is to be done at a time. */
  get waits() {
    return timers.length > 0;
  },
  /** Let the next timer come; returns the time. */
  async next() {
    const [timer] = timers.sort((a, b) => a.at - b.at || a.number - b.number);
    time = Math.max(time, timer.at);
    if (timer.every) timer.at += timer.every;
    else end(timer.number);
    timer.does(time);
    await promised();
    return time;
  },
  /** Let time pass. */
  async pass(ms) {
    const until = time + ms;
    await promised();
    while (timers.some((timer) => timer.at <= until)) await clock.next();
    time = until;
  },
  /** Forget all timers, and begin again. */
  stop() {
    timers = [];
    time = 0;
  },
};

// The page

const FRAME = 16; // ms

class Part {
  parentNode = null;
  childNodes = [];

  get firstChild() {
    return this.childNodes[0] ?? null;
  }
  get nextSibling() {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  get parentElement() {
    return this.parentNode;
  }
  get children() {
    return this.childNodes.filter((one) => one.nodeType === 1);
  }
  get textContent() {
    return this.childNodes.map((one) => one.textContent).join("");
  }
  insertBefore(part, before) {
    part.remove();
    this.childNodes.splice(before ? this.childNodes.indexOf(before) : this.childNodes.length, 0, part);
    part.parentNode = this;
    return part;
  }
  appendChild(part) {
    return this.insertBefore(part, null);
  }
  removeChild(part) {
    part.remove();
    return part;
  }
  remove() {
    if (this.contains?.(document.activeElement)) document.activeElement = body;
    const all = this.parentNode?.childNodes;
    all?.splice(all.indexOf(this), 1);
    this.parentNode = null;
  }
}

/** What is listened to on the whole page. */
const listeners = new Set();
const heard = (type, event) => {
  for (const one of listeners) if (one.type === type) one.does({ type, preventDefault() {}, ...event });
};
const listening = {
  addEventListener: (type, does) => listeners.add({ type, does }),
  removeEventListener: (type, does) => {
    for (const one of listeners) if (one.type === type && one.does === does) listeners.delete(one);
  },
};

class Text extends Part {
  nodeType = 3;
  constructor(text) {
    super();
    this.data = String(text);
  }
  get textContent() {
    return this.data;
  }
}

const SIMPLE = /([.#]?[\w-]+)|\[([\w-]+)(?:="?([^"\]]*)"?)?\]/g; // a part of a selector

class Element extends Part {
  nodeType = 1;
  namespaceURI = "http://www.w3.org/1999/xhtml";
  #attributes = {};
  #heard = {};
  animations = []; // the ones that were begun: {frames, timing, over}

  constructor(name) {
    super();
    this.localName = name;
    const style = { setProperty: (name, value) => (style[name] = value) };
    this.style = style;
    // what attributes named data-... say
    this.dataset = new Proxy({}, { get: (_, name) => this.getAttribute(`data-${String(name)}`) ?? undefined });
  }
  getAttribute(name) {
    return this.#attributes[name] ?? null;
  }
  setAttribute(name, value) {
    this.#attributes[name] = String(value);
  }
  removeAttribute(name) {
    delete this.#attributes[name];
  }
  toggleAttribute(name, on) {
    if (on) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }
  get classList() {
    return { contains: (name) => this.className.split(/\s+/).includes(name) };
  }
  get isConnected() {
    return this === body || (this.parentNode?.isConnected ?? false);
  }
  contains(other) {
    return other === this || (other?.parentNode != null && this.contains(other.parentNode));
  }
  /** This element or the nearest one around it that fits one of several selectors. */
  closest(selectors) {
    if (selectors.split(",").some((one) => this.matches(one.trim()))) return this;
    return this.parentNode?.closest?.(selectors) ?? null;
  }
  get className() {
    return (this.getAttribute("class") ?? "").trim();
  }
  /** Whether a selector fits: a name, classes and attributes, without anything between them. */
  matches(selector) {
    return [...selector.matchAll(SIMPLE)].every(([, simple, name, value]) => {
      if (name) return value === undefined ? this.getAttribute(name) !== null : this.getAttribute(name) === value;
      return simple[0] === "." ? this.className.split(/\s+/).includes(simple.slice(1)) : this.localName === simple;
    });
  }
  /** The elements below this one that fit one of several selectors, whose parts may have spaces between them. */
  querySelectorAll(selectors) {
    const below = (part) => part.children.flatMap((one) => [one, ...below(one)]);
    const fits = (from, simple) => [...new Set(from.flatMap(below))].filter((one) => one.matches(simple));
    const found = new Set(selectors.split(", ").flatMap((one) => one.split(" ").reduce(fits, [this])));
    return below(this).filter((one) => found.has(one));
  }
  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }
  addEventListener(type, does) {
    (this.#heard[type] ??= new Set()).add(does);
  }
  removeEventListener(type, does) {
    this.#heard[type]?.delete(does);
  }
  /** Let something happen to this element, and to the elements that contain it. */
  happen(type, more = {}) {
    const event = { type, target: this, preventDefault() {}, ...more };
    for (let one = this; one?.nodeType === 1; one = one.parentNode)
      for (const does of one.#heard[type] ?? []) does.call(one, event);
  }
  click() {
    this.happen("click");
  }
  focus() {
    document.activeElement = this;
    heard("focusin", { target: this });
  }
  getBoundingClientRect() {
    return { left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 };
  }
  animate(frames, timing) {
    const one = { frames, timing, over: false, finish: () => (one.over = true), cancel: () => (one.over = true) };
    this.animations.push(one);
    return one;
  }
  getAnimations({ subtree = false } = {}) {
    const all = subtree ? [this, ...this.querySelectorAll("[class]"), ...this.querySelectorAll("li")] : [this];
    return [...new Set(all)].flatMap((one) => one.animations).filter((one) => !one.over);
  }
}

const body = new Element("body");
const root = Object.assign(new Element("html"), { dataset: {} });
const store = new Map();
/** What a page has; a test may change it before it imports a module. */
export const page = {
  reduced: true, // whether somebody wants less motion
  /** What is kept in this browser. */
  keep: (choices) => store.set("cardtable", JSON.stringify(choices)),
  /** An element to draw into. */
  box: () => body.appendChild(new Element("div")),
  /** A key is pressed where the focus is. */
  press: (key, more = {}) => heard("keydown", { key, target: document.activeElement, ...more }),
  /** Something happens to the whole page. */
  happens: heard,
};

Object.defineProperty(globalThis, "navigator", { value: { languages: ["en"] }, configurable: true });
Object.assign(globalThis, {
  localStorage: { getItem: (name) => store.get(name) ?? null, setItem: (name, text) => store.set(name, String(text)) },
  location: { protocol: "http:", host: "table.test", origin: "http://table.test", pathname: "/", search: "", hash: "" },
  matchMedia: (query) => ({
    matches: query.includes("reduced-motion") && page.reduced,
    addEventListener() {},
    removeEventListener() {},
  }),
  document: {
    body,
    documentElement: root,
    activeElement: body,
    hidden: false,
    visibilityState: "visible",
    createElement: (name) => new Element(name),
    createElementNS: (space, name) => Object.assign(new Element(name), { namespaceURI: space }),
    createTextNode: (text) => new Text(text),
    ...listening,
    querySelector: (selector) => body.querySelector(selector),
    getElementById: () => null,
  },
  ...listening,
  ResizeObserver: class {
    observe() {}
    disconnect() {}
  },
  setTimeout: (does, ms) => begin(does, ms),
  setInterval: (does, ms) => begin(does, ms, ms),
  clearTimeout: end,
  clearInterval: end,
  requestAnimationFrame: (does) => begin(does, FRAME),
  cancelAnimationFrame: end,
});
Date.now = now;
performance.now = now;
