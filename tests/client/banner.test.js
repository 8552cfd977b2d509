/** What the operator tells everybody is said in sentences, and nothing is said where nothing is to be told. */
import assert from "node:assert/strict";
import test from "node:test";
import { client } from "./client.js";

const { sentences } = await client("pages/banner");
const NOTHING = { notice: "", chat: true, restart: 0, tables: true };

test("nothing is said of a site that is as usual", () => assert.deepEqual(sentences(NOTHING), []));

test("a restart names its time, and says that there are no new tables", () => {
  const [said, ...more] = sentences({ ...NOTHING, restart: Date.UTC(2026, 0, 1, 12, 30), tables: false });
  assert.match(said, /^The server restarts at .*\d.* at the latest, when all matches are over\. No new tables/);
  assert.deepEqual(more, []);
});

test("a full disk and no chat are each a sentence", () =>
  assert.deepEqual(sentences({ ...NOTHING, tables: false, chat: false }), [
    "No new tables can be made now. Matches continue.",
    "The chat is switched off.",
  ]));
