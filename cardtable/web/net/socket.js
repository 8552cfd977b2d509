/**
 * A table's socket: it says hello with the version that it has, numbers commands, resends what was not answered or
 * could not be saved, and reconnects automatically.
 */
import { at } from "../browser/address.js";
import { hex } from "../browser/hash.js";

// ms until an unanswered command is sent again
const PATIENCE = 4000;
// ms for which a server that is gone is expected back soon
const RESTARTING = 15000;
// ms between two tries meanwhile, at most
const WAIT = 750;
// the same later
const LONGEST_WAIT = 10000;
// ticks of silence after which the server is asked whether it is there
const QUIET = 10;
// ticks of silence after which the connection is given up
const SILENT = 15;
// ticks after which a connection that does not open is given up
const OPENING = 8;
// ticks without what was asked for after which a notice says so
const LATE = 5;
// refusals after which it is no use to connect again
const FINAL = ["person/banned", "person/kicked", "device/signed-out"];
// ms until a table is asked for again that the server could not read
const HELLO_AGAIN = 2000;
// the code of a refusal because the server cannot save or read anything now
const UNSAVED = "server/storage";

/**
 * @typedef {{state: (m: any) => void, refused: (m: any, command: any) => void, dismissed: (m: any) => void,
 * advice: (m: any) => void, foreseen: (m: any) => void, reviewed: (m: any) => void, because: (m: any) => void,
 * line: (up: boolean) => void, held: (why: any) => void, late?: (what: "" | "line" | "answer" | "offline") => void,
 * site?: (site: any) => void}} Ears `late`: the connection, or an answer, does not come, or the device has no network;
 * "":
 * all is well again; `site`: the state of the whole site has changed
 */

export class TableSocket {
  /** @param {string} id @param {Ears} ears */
  constructor(id, ears) {
    this.id = id;
    this.ears = ears;
    this.version = 0;
    /** @type {any[]} the sheet of the deal */
    this.sheet = [];
    this.sender = hex(crypto.getRandomValues(new Uint8Array(8))); // commands are numbered apart from other tabs'
    this.seq = 0;
    /** @type {any[]} commands without an answer yet, oldest first */
    this.waiting = [];
    this.tries = 0;
    this.lost = 0; // when the last connection ended; 0: there is one
    this.quiet = 0; // ticks (of a second; in a hidden page they may be longer) since the last message
    this.closed = false;
    this.skew = Date.now() - performance.now(); // the server's clock minus ours, which nobody sets, ms
    this.greeted = false;
    this.unread = false; // the server could not read the table
    this.held = false; // the server can do nothing now, and has said why
    this.behind = 0; // ticks for which the table, or the answer to a command, has not come
    this.late = ""; // the notice about it
    this.timer = setInterval(() => this.#tick(), 1000);
    this.wake = () => {
      if (document.visibilityState !== "visible") return;
      if (this.open)
        this.#send({ type: "ping", n: 1 }); // the clock of a device may stand still while it sleeps
      else this.connect();
    };
    this.network = () => {
      if (navigator.onLine) this.wake();
      this.#tell(this.waiting[0]);
    };
    addEventListener("online", this.network);
    addEventListener("offline", this.network);
    document.addEventListener("visibilitychange", this.wake);
    this.connect();
  }

  /** The server's time, by a clock that nobody sets. */
  now() {
    return performance.now() + this.skew;
  }

  get open() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    if (this.closed || this.socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.again);
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const place = at(`/ws/${encodeURIComponent(this.id)}`); // several servers find the one that has the table
    const socket = new WebSocket(`${scheme}://${location.host}${place}`);
    this.socket = socket;
    this.greeted = false;
    this.quiet = 0;
    socket.onopen = () => {
      this.quiet = 0;
      this.held = false;
      this.ears.held(null); // if play is held up, the server says so again
      this.#hello();
      this.#send({ type: "ping", n: 1 });
    };
    socket.onmessage = ({ data }) => socket === this.socket && this.#hear(JSON.parse(data));
    socket.onclose = () => socket === this.socket && this.#again();
  }

  /** The connection has ended: make another one, soon if the server may just be restarting. */
  #again() {
    if (this.closed) return;
    this.ears.line(false);
    this.lost ||= performance.now();
    const most = performance.now() - this.lost < RESTARTING ? WAIT : LONGEST_WAIT;
    const wait = Math.min(most, 300 * 2 ** this.tries++) * (0.7 + 0.6 * Math.random());
    this.again = setTimeout(() => this.connect(), wait);
  }

  /** Give up a silent connection, which may never end otherwise. */
  #giveUp() {
    const socket = this.socket;
    this.socket = undefined;
    socket?.close();
    this.#again();
  }

  /** @param {any} message */
  #send(message) {
    if (this.open) this.socket?.send(JSON.stringify(message));
  }

  #hello() {
    this.#send({ type: "hello", table: this.id, version: this.version, sender: this.sender });
  }

  #tick() {
    const first = this.waiting[0];
    if (this.greeted && first && performance.now() - first.sent > PATIENCE) this.#flush();
    const opens = this.socket?.readyState === WebSocket.CONNECTING;
    if ((this.open || opens) && ++this.quiet > (opens ? OPENING : SILENT)) this.#giveUp();
    else if (this.quiet > QUIET) this.#send({ type: "ping", n: 2 });
    this.#tell(first);
  }

  /** Tell when something has been waited for too long, and when that is over. @param {any} first of the commands */
  #tell(first) {
    if (this.greeted && first !== this.oldest) this.behind = 0;
    this.oldest = first;
    this.behind = (this.greeted && !first) || this.unread || this.held ? 0 : this.behind + 1;
    const cut = navigator.onLine === false;
    const late = cut ? "offline" : this.behind < LATE ? "" : this.open ? "answer" : "line";
    if (late === this.late && (!late || cut || this.behind % LATE)) return; // what is wrong may change
    this.late = late;
    this.ears.late?.(late);
  }

  #flush() {
    for (const item of this.waiting) {
      item.sent = performance.now();
      this.#send(item.command);
    }
  }

  /**
   * A later command was done before this one, which could not be saved at first. @param {any} item @param {number} next
   */
  #renumber(item, next) {
    this.seq = Math.max(this.seq + 1, next);
    item.command.seq = this.seq;
    item.sent = performance.now();
    this.#send(item.command);
  }

  /** @param {any} m */
  #hear(m) {
    this.quiet = 0;
    if (m.type === "table") {
      this.version = m.version;
      if (m.view) this.sheet = m.view.sheet = [...this.sheet.slice(0, m.view.sheet_since), ...m.view.sheet];
      if (!this.greeted) {
        this.greeted = true;
        this.tries = this.lost = 0;
        this.ears.line(true);
        if (this.unread) this.ears.held(null);
        this.unread = false;
        this.#flush();
      }
      this.ears.state(m);
    } else if (m.type === "done") {
      this.waiting = this.waiting.filter((item) => item.command.seq !== m.seq);
    } else if (m.type === "held") {
      this.unread = false;
      this.held = Boolean(m.why);
      this.ears.held(m.why);
      if (!m.why && this.greeted) this.#flush();
    } else if (m.type === "refused" && m.code === UNSAVED && (m.seq || !this.greeted)) {
      // a command stays in `waiting`, and is sent again
      if (m.seq) return;
      this.unread = true;
      this.ears.held(m.why);
      this.again = setTimeout(() => this.#hello(), HELLO_AGAIN);
    } else if (m.type === "refused") {
      const item = this.waiting.find((one) => one.command.seq === m.seq);
      if (item && m.next) return this.#renumber(item, m.next);
      this.waiting = this.waiting.filter((one) => one !== item);
      if (FINAL.includes(m.code)) {
        this.close();
        return this.ears.dismissed(m);
      }
      this.ears.refused(m, item?.command);
    } else if (m.type === "advice") {
      this.ears.advice(m);
    } else if (m.type === "foreseen" || m.type === "solved") {
      this.ears.foreseen(m);
    } else if (m.type === "reviewed") {
      this.ears.reviewed(m);
    } else if (m.type === "because") {
      this.ears.because(m);
    } else if (m.type === "pong") {
      this.skew = m.at - performance.now();
      if (m.site) this.ears.site?.(m.site);
    }
  }

  /** @param {string} type @param {any} [fields] */
  command(type, fields = {}) {
    const command = { type, seq: ++this.seq, ...fields };
    this.waiting.push({ command, sent: performance.now() });
    if (this.greeted) this.#send(command);
  }

  /** Send a message that is not a command. @param {string} type @param {any} [fields] */
  say(type, fields = {}) {
    if (this.greeted) this.#send({ type, ...fields });
  }

  close() {
    this.closed = true;
    clearInterval(this.timer);
    clearTimeout(this.again);
    removeEventListener("online", this.network);
    removeEventListener("offline", this.network);
    document.removeEventListener("visibilitychange", this.wake);
    this.socket?.close();
  }
}
