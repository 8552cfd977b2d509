/** What the client says of the messages of whole deals is what docs/announcements has (tools/announcements.py). */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import { client, data, told } from "./client.js";

const { furnished } = await client("motion/changes");
const { lines, seen } = await client("table/log");
const { sentences } = await client("table/voice");
const { aloud } = await client("text/message");

const LONGEST = 150; // lines after which a deal is cut

/** The text of a deal's file. */
function announced({ title, table, names, scenes, outcome }) {
  const reader = { names, you: 0 };
  const sits = names.length > 1 ? `You sit with ${names.slice(1).join(", ")}.` : "You sit alone.";
  const head = [title, sits, "Indented: what is read at once, before anything else.", ""];
  const said = [];
  let before = null;
  for (const { happened, view } of scenes) {
    if (said.length >= LONGEST) break;
    said.push(...sentences([...lines(happened, furnished(table)), ...seen(before, view, happened)], true, reader));
    if (view.legal.length) said.push(`    Your turn. ${aloud(view.prompt?.ask ?? { says: "Choose" }, reader, true)}`);
    before = view;
  }
  const whole = before === scenes.at(-1).view;
  assert.ok(outcome || !whole, "more messages are needed");
  const end = whole ? `    ${aloud(outcome, reader, true)}.` : `(Cut here, after ${said.length} lines.)`;
  return [...head, ...said, end, ""].join("\n");
}

for (const deal of data ?? [{ file: "every deal" }])
  test(deal.file, told, () => {
    const text = announced(deal);
    if (process.env.CLIENT_WRITE) writeFileSync(deal.file, text);
    else assert.equal(text, readFileSync(deal.file, "utf8"), "python tools/announcements.py writes it again");
  });
