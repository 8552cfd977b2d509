/**
 * Somebody who only listens keeps the books of a whole match of each game (tools/announcements.py makes the messages,
 * tests/web/test_announcements.py runs this): how many cards everybody holds, the scores, who has won, and what may be
 * done are all told.
 */
import assert from "node:assert/strict";
import test from "node:test";
import { client, data, told as made } from "./client.js";

const { called } = await client("hand/moves");
const { furnished } = await client("motion/changes");
const { lines, seen } = await client("table/log");
const { told: ending } = await client("table/result");
const { sentences } = await client("table/voice");
const { aloud } = await client("text/message");

const RANKS = "ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king";
const CARD = new RegExp(`(${RANKS}) of (spades|hearts|diamonds|clubs)|joker|\\ba card\\b`, "g");
const NOTATION = /\b[2-9TJQKA][SHDC]\b/;

/** How many cards a sentence names. */
const counted = (words) => Number(/(\d+) \w+/.exec(words)?.[1] ?? (words.match(CARD) ?? []).length);

/** How many cards a player has after a sentence. */
function after(held, who, words) {
  const does = words.startsWith(`${who} `) ? words.slice(who.length + 1) : "";
  if (/^(have|has) \d+ cards?$/.test(does)) return counted(does);
  if (/^(lays?|discards?) /.test(does)) return held - counted(does);
  if (/^(draws?|takes? the upcard) /.test(does)) return held + counted(does);
  // what the listener gets for all this is named
  if (/^exchange the hand/.test(does)) return 0;
  if (who === "You" && words.startsWith("Hand (you): ")) return held + counted(words);
  return /^takes? the pile /.test(does) ? held + counted(does) : held;
}

const holds = (view, seat) =>
  view.zones.filter((zone) => zone.kind === "hand" && zone.seats[0] === seat).reduce((n, zone) => n + zone.count, 0);

/** What somebody who only listens does not learn in a match. */
function missed({ names, table, scenes }) {
  const reader = { names, you: 0 };
  const players = names.map((name, seat) => (seat ? name : "You"));
  const dealt = scenes.some(({ view }) => holds(view, 0) > 0); // there are hands
  const found = [];
  let before = null;
  let held = [];
  for (const { happened, view, table: ended } of scenes) {
    const told = sentences([...lines(happened, furnished(table)), ...seen(before, view, happened)], true, reader);
    // the cards of a pile that is taken are told besides their number
    const said = told.filter(
      (one) => !(one.startsWith("Hand (you)") && told.some((two) => two.startsWith("You take the pile"))),
    );
    // at the beginning of a deal, each player's place at the table says how many cards they have
    const same = before?.deal === view.deal;
    const hold = players.map((_, seat) => holds(view, seat));
    held = same ? players.map((who, seat) => said.reduce((n, words) => after(n, who, words), held[seat])) : hold;
    if (dealt && held.join() !== hold.join()) found.push(`cards: ${held} instead of ${hold}: ${said.join(". ")}`);
    held = hold;
    if (view.legal.length && !view.prompt?.ask) found.push(`a question: ${view.legal}`);
    for (const move of view.choices)
      if (NOTATION.test(aloud(called(move), reader))) found.push(`what a move does: ${aloud(called(move), reader)}`);
    before = view;
    if (!ended) continue;
    const end = ending(view, { ...ended, names });
    const scores = players.map((who) => end.find((words) => words.startsWith(`${who}: `)) ?? "");
    const points = scores.map((words) => Number(/: (minus )?\d+/.exec(words)?.[0].slice(2).replace("minus ", "-")));
    if (points.join() !== view.scores.join()) found.push(`scores: ${end.join(". ")}`);
    const draw = end[0] === "The match is a draw" && view.winners.length === players.length;
    for (const seat of ended.stage === "over" ? view.winners : [])
      if (!draw && !end[0].includes(players[seat])) found.push(`who has won: ${end[0]}`);
  }
  return found;
}

for (const match of data ?? [{ game: "every game" }])
  test(`a match is followed by somebody who only listens: ${match.game}`, made, () =>
    assert.deepEqual(missed(match), []),
  );
