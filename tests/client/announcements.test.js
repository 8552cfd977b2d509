/** What the client says of the messages of whole deals is what docs/announcements has (tools/announcements.py). */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import test from "node:test";
import { client, data, told } from "./client.js";

const { furnished } = await client("motion/changes");
const { lines, seen } = await client("table/log");
const { sentences } = await client("table/voice");
const { aloud, spoken } = await client("text/message");

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

/** How often each card lies open in the zones of a view; what was captured was announced then. */
function open(view) {
  const found = new Map();
  for (const card of view?.zones.flatMap((zone) => (zone.won ? [] : zone.cards)) ?? [])
    if (card) found.set(card, (found.get(card) ?? 0) + 1);
  return found;
}

/** What a player who only listens does not learn: cards that lie open now, and scores that have changed. */
function unheard({ table, names, scenes }) {
  const reader = { names, you: 0 };
  const missed = [];
  let before = null;
  for (const { happened, view } of scenes) {
    const all = [...lines(happened, furnished(table)), ...seen(before, view, happened)];
    const said = sentences(all, true, reader).join(" ");
    const lay = open(before);
    for (const [card, n] of open(view))
      if (n > (lay.get(card) ?? 0) && !said.includes(spoken(card))) missed.push(`${spoken(card)}: ${said}`);
    if (before && view.scores.join() !== before.scores.join() && !said) missed.push(`scores: ${view.scores}`);
    if (view.legal.length && !view.prompt && !view.choices.length) missed.push("what may be done");
    before = view;
  }
  return missed;
}

for (const deal of data ?? [{ file: "every deal" }])
  test(`nothing is missed by somebody who only listens: ${deal.file}`, told, () => assert.deepEqual(unheard(deal), []));

for (const deal of data ?? [{ file: "every deal" }])
  test(deal.file, told, () => {
    const text = announced(deal);
    if (process.env.CLIENT_WRITE) writeFileSync(deal.file, text);
    else assert.equal(text, readFileSync(deal.file, "utf8"), "python tools/announcements.py writes it again");
  });
