/** A page asks the server until it answers, and says meanwhile what is the matter. */
import assert from "node:assert/strict";
import test from "node:test";
import { client, clock, page } from "./client.js";

const { ApiError, post } = await client("net/api");
const { html, render } = await client("browser/html");
const { Problem } = await client("net/asked");
const { persist, UNANSWERED, unconnected, watched } = await client("net/patience");
const { written } = await client("text/message");
const GONE = "The server does not answer; this page continues automatically when it does";
const LATE = "The server has not answered yet; this page continues automatically when it does";

/** What a page is told, and when (seconds), of requests that end as `ends` says: an answer, an error, or never. */
async function told(seconds, ...ends) {
  clock.stop();
  const heard = [];
  let asked = 0;
  const ask = () => {
    const end = ends[Math.min(asked, ends.length - 1)];
    asked += 1;
    return end === "never" ? new Promise(() => {}) : end instanceof Error ? Promise.reject(end) : Promise.resolve(end);
  };
  const end = persist(ask, ([value, error]) => heard.push([clock.now() / 1000, value ?? error.message]));
  await clock.pass(1000 * seconds);
  end();
  assert.ok(!clock.waits, "nothing is left behind");
  return { heard, asked };
}
const error = (status, says = "no") => new ApiError(status, "x", { says });

test("an answer is the end of it", async () => {
  assert.deepEqual(await told(60, "here"), { heard: [[0, "here"]], asked: 1 });
});

test("a server that is gone is asked until it is back", async () => {
  const { heard } = await told(60, error(0), new TypeError("a body that is cut off"), error(503, "full"), "here");
  assert.deepEqual(heard, [
    [0, GONE],
    [1, GONE],
    [3, "Full"],
    [7, "here"],
  ]);
});

test("a server that never answers is asked again, and it is said within ten seconds", async () => {
  const { heard, asked } = await told(30, "never");
  assert.deepEqual(heard.slice(0, 2), [
    [8, LATE],
    [24, LATE],
  ]);
  assert.equal(asked, 3);
  assert.deepEqual((await told(30, "never", "here")).heard, [
    [8, LATE],
    [8, "here"],
  ]);
});

test("that an answer is late can be told from an error", async () => {
  clock.stop();
  const codes = [];
  const end = persist(
    () => new Promise(() => {}),
    ([, error]) => codes.push(error.code),
  );
  await clock.pass(9000);
  end();
  assert.deepEqual(codes, ["late"]);
});

test("what the server refuses is not asked for again", async () => {
  assert.deepEqual(await told(60, error(404)), { heard: [[0, "No"]], asked: 1 });
});

test("it is said when something takes long", async () => {
  clock.stop();
  const said = [];
  watched(new Promise((done) => setTimeout(done, 20_000)), ({ message }) => said.push(message));
  await clock.pass(9000);
  assert.deepEqual(said, [LATE]);
  clock.stop();
  await watched(Promise.resolve(1), ({ message }) => said.push(message));
  await clock.pass(9000);
  assert.equal(said.length, 1);
});

test("an answer that is late is no error", () => {
  const shown = (error) => {
    const box = page.box();
    render(html`<${Problem} error=${error} />`, box);
    const [line] = box.children;
    return [line.getAttribute("class"), line.getAttribute("role"), line.textContent];
  };
  assert.deepEqual(shown(new ApiError(0, "late", UNANSWERED)), ["offline", "status", `${LATE}.`]);
  assert.deepEqual(shown(error(404)), ["problem", "alert", "No"]);
  assert.deepEqual(shown("not this one"), ["problem", "alert", "Not this one"]);
});

test("why no connection opens", async () => {
  const answers =
    (status, code = "http/method", says = "no") =>
    async () => {
      if (!status) throw new TypeError("no connection");
      return { ok: status < 300, status, json: async () => ({ error: { code, message: { says } } }) };
    };
  const why = async (answer) => {
    globalThis.fetch = answer;
    return written(await unconnected());
  };
  assert.match(await why(answers(0)), /^the server does not answer/);
  assert.match(await why(answers(502)), /^the server does not answer/);
  assert.match(await why(answers(405)), /although the server answers.*proxy.*WebSockets/);
  assert.equal(await why(answers(403, "request/origin", "from elsewhere")), "from elsewhere");
});

test("what is sent again before it is answered, as by a double click, is sent once", async () => {
  const answers = [];
  globalThis.fetch = () =>
    new Promise((answer) => answers.push((path) => answer({ ok: true, json: () => ({ path }) })));
  const [one, same] = [post("/api/tables", { game: "scopa" }), post("/api/tables", { game: "scopa" })];
  const other = post("/api/tables", { game: "spider" });
  answers.forEach((answer, i) => answer(`/t/${i}`));
  assert.deepEqual([(await one).path, (await same).path, (await other).path], ["/t/0", "/t/0", "/t/1"]);
  post("/api/tables", { game: "scopa" }).catch(() => undefined);
  assert.equal(answers.length, 3, "another table can be made when the first one is there");
  delete globalThis.fetch;
});
