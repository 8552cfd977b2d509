/** What the client says of the messages of whole deals is what docs/announcements has (tools/announcements.py). */
import assert from "node:assert/strict";
import test from "node:test";
import { client, data, told } from "./client.js";

const { furnished } = await client("motion/changes");
const { lines, seen } = await client("table/log");
const { sentences } = await client("table/voice");

for (const { name, table, names, scenes } of data ?? [{ name: "every deal" }])
  test(name, told, () => {
    let before = null;
    assert.ok(scenes.length > 1);
    for (const { happened, view, news } of scenes) {
      const found = [...lines(happened, furnished(table)), ...seen(before, view, happened)];
      assert.deepEqual(sentences(found, true, { names, you: 0 }), news);
      before = view;
    }
  });
