/** Messages as sentences, as they are drawn and as they are read aloud; Python fills them in the same way. */
import assert from "node:assert/strict";
import test from "node:test";
import { client, data, page, told } from "./client.js";

const { aloud, parts, Said, tr } = await client("text/message");
const { html, render } = await client("browser/html");

/** How a message is drawn: the names and the cards in it, what is left for the ear, and what is read aloud. */
function drawn(message, names, you = null) {
  const box = page.box();
  render(html`<${Said} message=${message} names=${names} you=${you} />`, box);
  const text = (selector) => box.querySelectorAll(selector).map((el) => el.textContent);
  const found = { names: text("bdi"), cards: text(".in [aria-hidden]"), spoken: aloud(message, { names, you }) };
  for (const el of [...box.querySelectorAll("bdi"), ...box.querySelectorAll("[aria-hidden]")]) el.remove();
  return { ...found, heard: box.textContent.replace(/\s+/g, " ").trim() };
}

const LAYS = { says: "{source} {source:lays|lay} {card}", source: { seat: 1 }, card: { card: "7H" } };

for (const name of ["KC", "seat 3", "<b>", "😀", "$& AS", "10H"])
  test(`a name is no card and no seat: ${name}`, () =>
    assert.deepEqual(drawn(LAYS, ["Ann", name, "Bea", "Cal"], 3), {
      names: [name],
      cards: ["7♥\ufe0e"],
      spoken: `${name} lays seven of hearts`,
      heard: "lays seven of hearts",
    }));

test("a number below zero is read with a word", () => {
  const message = { says: "{source} {source:scores|score} {n}, not {m}", source: { seat: 0 }, n: -20, m: 3 };
  assert.deepEqual(drawn(message, ["Bea"]), {
    names: ["Bea"],
    cards: [],
    spoken: "Bea scores minus 20, not 3",
    heard: "scores minus 20, not 3",
  });
});

test("messages are filled in as in Python", told, () => {
  assert.ok(data.length > 100);
  for (const { message, names, you, sentence, filled } of data)
    assert.deepEqual(parts(message, { names, you }, sentence), filled);
});

for (const typed of ["\u2067a\u2069\u2069b", "\u2068a", "a\u2069", "\u2068\u2067a\u2069\u2069"])
  test(`isolates in what was typed are shown as escapes: ${JSON.stringify(typed)}`, () => {
    // they neither end the isolation of others' texts nor begin one that does not end
    const shown = tr("({text})", { text: `${typed}שלום` });
    assert.ok(shown.startsWith("(\u2068") && shown.endsWith("\u2069)"), shown);
    let depth = 0;
    for (const letter of shown) {
      depth += { "\u2068": 1, "\u2069": -1 }[letter] ?? 0;
      assert.ok(depth >= 0, shown);
    }
    assert.equal(depth, 0, shown);
    assert.doesNotMatch(shown, /[\u2066\u2067]/);
  });

test("signs of suits are text, not coloured pictures", async () => {
  const { short } = await client("text/message");
  assert.deepEqual(["7H", "TS", "QD", "AC"].map(short), ["7♥\ufe0e", "10♠\ufe0e", "Q♦\ufe0e", "A♣\ufe0e"]);
});

test("a text that the language lacks is in English, within a sentence too", async () => {
  const { use } = await client("text/language");
  use({ code: "de", messages: { "{what}: {why}": "{what}, weil {why}" } });
  try {
    const why = { says: "{n} {n:card|cards}", n: 1 };
    assert.equal(tr("{what}: {why}", { what: { says: "not translated" }, why }), "not translated, weil 1 card");
    assert.equal(tr("not translated"), "not translated");
  } finally {
    use({ code: "en", messages: {} });
  }
});
