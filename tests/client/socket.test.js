/**
 * When the table's socket connects again: the server's process was restarted, or its machine no longer answers. Hours
 * pass as fast as timers come.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { client, clock, page } from "./client.js";

const { TableSocket } = await client("net/socket");
const TABLE = JSON.stringify({ type: "table", version: 1, since: 0, table: { seq: 0 } });
const PONG = JSON.stringify({ type: "pong", n: 1, at: 0 });
const HEARD = ["state", "refused", "dismissed", "advice", "because", "reviewed", "foreseen", "held"];

/**
 * When connections were made (seconds), and when the table was told that there is one, or none. `answers` says what a
 * connection does, `tick` how often the socket's regular work is done.
 */
async function driven(seconds, answers, tick = 1) {
  clock.stop();
  const made = [];
  const lines = [];
  const late = [];
  globalThis.WebSocket = class {
    static OPEN = 1;
    static CONNECTING = 0;
    readyState = 0;

    constructor() {
      made.push(clock.now() / 1000);
      this.first = made.length === 1;
      setTimeout(() => {
        if (answers === "never") return this.close();
        if (answers === "hangs") return undefined;
        this.readyState = 1;
        return this.onopen();
      }, 10);
    }
    get silent() {
      return answers === "first second" && this.first && clock.now() >= 1000;
    }
    send(text) {
      if (this.silent) return;
      const { type } = JSON.parse(text);
      if (type === "hello" && answers !== "no table") setTimeout(() => this.onmessage({ data: TABLE }), 10);
      if (type === "ping") setTimeout(() => this.onmessage({ data: PONG }), 10);
    }
    close() {
      if (this.silent) return; // nobody answers the close either
      this.readyState = 3;
      setTimeout(() => this.onclose({ code: 1006 }), 0);
    }
  };
  const { setInterval } = globalThis;
  globalThis.setInterval = (does) => setInterval(does, 1000 * tick);
  const ears = Object.fromEntries(HEARD.map((name) => [name, () => {}]));
  const socket = new TableSocket("x", {
    ...ears,
    line: (up) => lines.push(up),
    late: (what) => late.push([what, clock.now() / 1000]),
  });
  globalThis.setInterval = setInterval;
  await clock.pass(1000 * seconds);
  socket.close();
  return { made, lines, late };
}

test("a server that restarts is asked every second, and later less often", async () => {
  const { made } = await driven(120, "never");
  const gaps = made.slice(1).map((at, i) => ({ at: made[i], gap: at - made[i] }));
  const [soon, late] = [gaps.filter(({ at }) => at < 14), gaps.filter(({ at }) => at > 20)];
  assert.ok(soon.length > 14 && soon.every(({ gap }) => gap <= 1), JSON.stringify(soon));
  assert.ok(late.length && late.every(({ gap }) => gap >= 7 && gap <= 13.1), JSON.stringify(late));
});

test("a quiet table keeps its connection", async () => {
  assert.deepEqual(await driven(300, "always"), { made: [0], lines: [true], late: [] });
});

test("a hidden page, whose timers come once a minute, keeps its connection", async () => {
  assert.deepEqual((await driven(3000, "always", 60)).made, [0]);
});

/** As when a machine loses its power: nobody says that the connection has ended. */
test("a connection on which nothing comes is given up", async () => {
  const { made, lines } = await driven(60, "first second");
  assert.equal(made.length, 2);
  assert.ok(made[1] > 10 && made[1] < 20, String(made[1]));
  assert.deepEqual(lines, [true, false, true]);
});

test("it is told soon that no connection can be opened", async () => {
  for (const answers of ["never", "hangs"]) {
    const { late } = await driven(30, answers);
    assert.deepEqual(late[0], ["line", 5], answers);
  }
});

test("a connection that neither opens nor fails is given up", async () => {
  const { made } = await driven(30, "hangs");
  assert.ok(made.length > 1 && made[1] <= 11, String(made));
});

test("it is told that the table does not come, or the answer to a move", async () => {
  assert.deepEqual((await driven(9, "no table")).late, [["answer", 5]]);
  clock.stop();
  const late = [];
  globalThis.WebSocket = class {
    static OPEN = 1;
    static CONNECTING = 0;
    readyState = 1;
    send() {}
    close() {}
  };
  const ears = Object.fromEntries(HEARD.map((name) => [name, () => {}]));
  const socket = new TableSocket("x", { ...ears, line() {}, late: (what) => late.push(what) });
  socket.socket.onopen();
  const hear = (message) => socket.socket.onmessage({ data: JSON.stringify(message) });
  hear(JSON.parse(TABLE));
  await clock.pass(8000);
  hear(JSON.parse(PONG));
  assert.deepEqual(late, [], "nothing is waited for");
  socket.command("move", { move: "7H", at: 1 });
  await clock.pass(6500);
  assert.deepEqual(late, ["answer"]);
  hear({ type: "done", seq: 1 });
  await clock.pass(1500);
  assert.deepEqual(late, ["answer", ""]);
  socket.close();
});

test("the server's time continues when the device's clock is set", async () => {
  clock.stop();
  const { now } = Date;
  globalThis.WebSocket = class {
    static OPEN = 1;
    static CONNECTING = 0;
    readyState = 1;
    send() {}
    close() {}
  };
  const socket = new TableSocket("x", Object.fromEntries([...HEARD, "line"].map((name) => [name, () => {}])));
  socket.socket.onopen();
  socket.socket.onmessage({ data: JSON.stringify({ type: "pong", n: 1, at: 5_000_000 }) });
  Date.now = () => clock.now() + 3_600_000;
  await clock.pass(2000);
  assert.equal(socket.now(), 5_002_000);
  Date.now = now;
  socket.close();
});

/**
 * A table's socket whose connections are `made`, each with the messages `sent` on it; `hears` is what it is told last.
 */
function wired() {
  clock.stop();
  const made = [];
  globalThis.WebSocket = class {
    static OPEN = 1;
    static CONNECTING = 0;
    readyState = 1;
    sent = [];

    constructor() {
      made.push(this);
    }
    send(text) {
      this.sent.push(JSON.parse(text));
    }
    close() {
      this.readyState = 3;
    }
  };
  const refused = [];
  const ears = Object.fromEntries(HEARD.map((name) => [name, () => {}]));
  const socket = new TableSocket("x", { ...ears, line: () => {}, refused: (m) => refused.push(m) });
  const last = () => made.at(-1);
  return {
    socket,
    made,
    refused,
    hears: (message) => last().onmessage({ data: JSON.stringify(message) }),
    greeted: () => {
      last().onopen();
      last().onmessage({ data: TABLE });
    },
    /** The commands that were sent on the last connection: [type, seq]. */
    commands: () => last().sent.flatMap(({ type, seq }) => (seq ? [[type, seq]] : [])),
    hello: () => last().sent.find(({ type }) => type === "hello"),
    /** The connection is lost, and made again. */
    async lose() {
      last().onclose({ code: 1006 });
      await clock.pass(1000);
    },
  };
}

test("each open page has its own numbers, which it keeps when it connects again", async () => {
  const other = wired();
  other.greeted();
  other.socket.close();
  const page = wired();
  page.greeted();
  const { sender } = page.hello();
  assert.match(sender, /^[0-9a-f]{16}$/);
  assert.notEqual(sender, other.hello().sender);
  await page.lose();
  page.greeted();
  assert.equal(page.made.length, 2);
  assert.equal(page.hello().sender, sender);
  page.socket.close();
});

test("what has no answer is sent again, in its order and with its number", async () => {
  const page = wired();
  page.greeted();
  page.socket.command("say", { text: "one" });
  page.socket.command("say", { text: "two" });
  await page.lose();
  page.greeted();
  assert.deepEqual(page.commands(), [
    ["say", 1],
    ["say", 2],
  ]);
  page.hears({ type: "done", seq: 1, again: true });
  page.hears({ type: "done", seq: 2 });
  assert.deepEqual(page.socket.waiting, []);
  page.socket.close();
});

test("a command that another one has overtaken is sent with the next number", async () => {
  const page = wired();
  page.greeted();
  page.socket.command("move", { move: "7H", at: 1 });
  page.hears({ type: "refused", seq: 1, code: "server/storage", why: "" });
  page.socket.command("say", { text: "hello" });
  page.hears({ type: "done", seq: 2 });
  page.hears({ type: "refused", seq: 1, code: "message/number", next: 3 });
  assert.deepEqual(page.commands().at(-1), ["move", 3]);
  assert.deepEqual(page.refused, []);
  page.socket.command("say", { text: "more" });
  assert.deepEqual(page.commands().at(-1), ["say", 4]);
  page.hears({ type: "refused", seq: 3, code: "move/stale" });
  assert.equal(page.refused.length, 1);
  page.hears({ type: "done", seq: 4 });
  assert.deepEqual(page.socket.waiting, []);
  page.socket.close();
});

test("the number of a refused command is not given to another one", () => {
  const page = wired();
  page.greeted();
  page.socket.command("start");
  page.hears({ type: "refused", seq: 1, code: "table/host" });
  page.socket.command("start");
  assert.deepEqual(page.commands().at(-1), ["start", 2]);
  page.socket.close();
});

test("being offline is said at once, and what is played then is sent later", async () => {
  const told = [];
  const line = wired();
  line.socket.ears.late = (what) => told.push(what);
  line.greeted();
  navigator.onLine = false;
  page.happens("offline");
  assert.deepEqual(told, ["offline"]);
  await clock.pass(3000);
  assert.deepEqual(told, ["offline"], "it is said once");
  navigator.onLine = true;
  page.happens("online");
  assert.deepEqual(told, ["offline", ""]);
  line.socket.close();
  delete navigator.onLine;
});
