/**
 * Messages: texts made of parts, which become sentences here, where they are shown (base/message.py says how).
 * No program ever has to take a sentence apart, so a player may be called `KC` or `seat 3`.
 */
import { html } from "../browser/html.js";
import { faces, indexOf, inLanguage, mark, plural } from "./language.js";

/**
 * The field `context`: which meaning of the template is meant, if it has several; for example the game's name.
 * @typedef {{says: string, [field: string]: Value}} Message
 */
/**
 * @typedef {Message | {continued: Message} | {sentence: any} | {seat: number} | {card: string} | {cards: string} |
 * {moves: string} | {either: any[]} | {rule: string} | Shown | number | string | any[]} Value
 */
/**
 * An element in a sentence, made from the words in its field: `{link:Play one}`. Only `Said` shows it.
 * @typedef {{shown: (words: string) => any}} Shown
 */
/**
 * A piece of a sentence: words, or the value that it shows.
 * `below` zero: a negative number without its sign, which is read as a word.
 * @typedef {{text: string, seat?: number, card?: string, rule?: string, below?: number, shown?: Shown["shown"]}} Part
 */
/**
 * Who reads: the players' names, and the reader's own seat.
 * @typedef {{names?: string[], you?: number | null}} Reader
 */

// a card in the notation of moves
const CARD = /\b([A2-9TJQK][SHDC]|X[12])\b/;
/** @type {Record<string, string>} */
const RANKS = {
  A: mark("ace"),
  2: mark("two"),
  3: mark("three"),
  4: mark("four"),
  5: mark("five"),
  6: mark("six"),
  7: mark("seven"),
  8: mark("eight"),
  9: mark("nine"),
  T: mark("ten"),
  J: mark("jack"),
  Q: mark("queen"),
  K: mark("king"),
};
/** @type {Record<string, string>} */
const SUITS = { S: mark("spades"), H: mark("hearts"), D: mark("diamonds"), C: mark("clubs") };
const FIELD = /\{(\w+)(?::([^{}]*))?\}/g;

// control characters except tabs and line breaks, and characters that reorder the text around them
const UNPRINTED = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066\u2067\ud800-\udfff]/gu;
// begins a text with its own direction
const ISOLATE = "\u2068";
// ends it
const END = "\u2069";
const ISOLATES = /[\u2068\u2069]/g;
// letters and digits of scripts that are written from right to left
const LEFTWARD = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** A character as `\x1b` or `\u202e`. @param {string} letter */
function escaped(letter) {
  const code = letter.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`;
}

/** Whether every isolate in a text ends, and nothing else does. @param {string} text */
function balanced(text) {
  let depth = 0;
  for (const [one] of text.matchAll(ISOLATES)) {
    depth += one === ISOLATE ? 1 : -1;
    if (depth < 0) return false;
  }
  return depth === 0;
}

/**
 * A text that somebody typed, so that it changes nothing around it: what does not print becomes an escape, and a text
 * with letters from right to left is isolated, because numbers after it would otherwise move to its other side.
 * @param {string} text
 */
export function isolated(text) {
  const printed = text.replace(UNPRINTED, escaped);
  const shown = balanced(text) ? printed : printed.replace(ISOLATES, escaped);
  return LEFTWARD.test(shown) ? ISOLATE + shown + END : shown;
}

/** @typedef {{words: string, name: string, forms: string[] | null}} Piece */
/** @type {Map<string, Piece[]>} */
const templates = new Map();

/** A template as pieces: the words before a field, the field, its forms. @param {string} template */
function pieces(template) {
  const known = templates.get(template);
  if (known) return known;
  /** @type {Piece[]} */
  const found = [];
  let end = 0;
  for (const field of template.matchAll(FIELD)) {
    found.push({ words: template.slice(end, field.index), name: field[1], forms: field[2]?.split("|") ?? null });
    end = (field.index ?? 0) + field[0].length;
  }
  found.push({ words: template.slice(end), name: "", forms: null });
  templates.set(template, found);
  return found;
}

/** @param {Value} value @returns {value is Shown} */
const shows = (value) => typeof value === "object" && "shown" in value;

/**
 * Which form agrees with a value: a number's plural form; 0 with one player or thing, 1 with you, 2 with several,
 * 3 with several of whom you are one.
 * @param {Value} value
 * @param {Reader} reader
 * @returns {number}
 */
function form(value, reader) {
  if (typeof value === "number") return plural(value);
  if (Array.isArray(value)) {
    if (value.length < 2) return value.length ? form(value[0], reader) : 0;
    return value.some((one) => form(one, reader) === 1) ? 3 : 2;
  }
  return Number(typeof value === "object" && "seat" in value && value.seat === reader.you);
}

/** "a, b and c" @param {Value[]} values @param {string} joint @param {Reader} reader @returns {Part[]} */
const listed = (values, joint, reader) =>
  values.flatMap((each, i) => [
    ...(i ? [{ text: i < values.length - 1 ? ", " : ` ${inLanguage(joint)} ` }] : []),
    ...filled(each, reader),
  ]);

/** @param {Value} value @param {Reader} reader @param {boolean} [continued] @returns {Part[]} */
function filled(value, reader, continued = false) {
  if (typeof value === "number") return [{ text: String(value), ...(value < 0 ? { below: -value } : {}) }];
  if (typeof value === "string") return [{ text: isolated(value) }];
  if (Array.isArray(value)) return listed(value, mark("and"), reader);
  if ("says" in value) {
    const message = /** @type {Message} */ (value);
    const whole = inLanguage(message.says, /** @type {string | undefined} */ (message.context));
    const template = continued && whole.startsWith("{source} ") ? whole.slice("{source} ".length) : whole;
    return pieces(template).flatMap(({ words, name, forms }, i) => {
      if (!name) return [{ text: words }];
      if (!forms) return [{ text: words }, ...filled(message[name], reader, continued && !i && !words)];
      if (shows(message[name])) return [{ text: words }, { text: forms[0], shown: message[name].shown }];
      const [before, after] = forms[Math.min(form(message[name], reader), forms.length - 1)].split("@");
      return [
        { text: words + before },
        ...(after === undefined ? [] : [...filled(message[name], reader), { text: after }]),
      ];
    });
  }
  if (shows(value)) return [{ text: "", shown: value.shown }];
  if ("continued" in value) return filled(/** @type {Message} */ (value.continued), reader, true);
  if ("sentence" in value) return begun(filled(value.sentence, reader), reader);
  if ("either" in value) return listed(/** @type {any[]} */ (value.either), mark("or"), reader);
  if ("moves" in value)
    return isolated(String(value.moves))
      .split(CARD)
      .map((text, i) => (i % 2 ? { text, card: text } : { text }));
  if ("cards" in value)
    return String(value.cards)
      .split(" ")
      .flatMap((card, i) => [...(i ? [{ text: " " }] : []), { text: card, card }]);
  if ("seat" in value) {
    const seat = Number(value.seat);
    return [
      { text: seat === reader.you ? inLanguage("you") : (reader.names?.[seat] ?? tr("seat {n}", { n: seat })), seat },
    ];
  }
  if ("card" in value) return [{ text: String(value.card), card: String(value.card) }];
  return [{ text: String(value.rule), rule: String(value.rule) }];
}

/**
 * The parts with a capital letter first, unless they begin with a name or a card.
 * @param {Part[]} found
 * @param {Reader} reader
 */
function begun(found, reader) {
  const first = found.find((part) => part.text || part.shown);
  return found.map((part) => {
    if (part !== first || part.card || part.rule || part.shown || (part.seat !== undefined && part.seat !== reader.you))
      return part;
    return { ...part, text: part.text[0].toUpperCase() + part.text.slice(1) };
  });
}

/** @param {Part} part */
const isWords = (part) => part.seat === undefined && !part.card && !part.rule && !part.below && !part.shown;

/**
 * A message as parts. sentence: begin with a capital letter, unless it begins with a name or a card.
 * @param {Value} value
 * @param {Reader} [reader]
 * @param {boolean} [sentence]
 */
export function parts(value, reader = {}, sentence = false) {
  /** @type {Part[]} */
  const found = [];
  for (const part of filled(sentence ? { sentence: value } : value, reader)) {
    const last = found.at(-1);
    if (isWords(part) && !part.text) continue;
    if (isWords(part) && last && isWords(last)) last.text += part.text;
    else found.push({ ...part });
  }
  return found;
}

/** "seven of hearts" @param {string | null} card @returns {string} */
export function spoken(card) {
  if (!card) return tr("face-down card");
  if (card[0] === "X") return tr("joker");
  return tr("{rank} of {suit}", { rank: { says: RANKS[card[0]] }, suit: { says: SUITS[card[1]] } });
}

/** "7♥"; without such a sign "7 of cups". @param {string} card @returns {string} */
export function short(card) {
  if (card[0] === "X") return tr("Joker");
  const sign = faces().signs[card[1]];
  if (sign) return indexOf(card) + sign;
  return tr("{rank} of {suit}", { rank: indexOf(card), suit: { says: SUITS[card[1]] } });
}

/** A card in a message; one that is face down has no name. @param {string | null} card @returns {Value} */
export const asCard = (card) => (card ? { card } : { says: "face-down card" });

/** "Column 3: 7♥", with the colon as the reader's language has it. @param {string} label @param {string} text */
export const labelled = (label, text) => tr("{label}: {text}", { label, text });

/** What was refused, and why. @param {{what: Value, why: Value}} told @returns {Value} */
export const refusal = ({ what, why }) => (why ? { says: "{what}: {why}", what, why } : what);

/**
 * Whether a part only keeps two cards apart, which takes a comma when they are read.
 * @param {Part[]} all @param {number} i
 */
const apart = (all, i) => all[i].text === " " && !!all[i - 1]?.card && !!all[i + 1]?.card;

/**
 * A number below zero as it is read aloud, because many screen readers leave out a sign. @param {number} n its amount
 */
const minus = (n) => tr("minus {n}", { n });

/**
 * A message as it is read aloud: cards and signs in words.
 * @param {Value} value
 * @param {Reader} [reader]
 * @param {boolean} [sentence]
 */
export const aloud = (value, reader, sentence) =>
  parts(value, reader, sentence)
    .map((part, i, all) => {
      if (part.below) return minus(part.below);
      return part.card ? spoken(part.card) : apart(all, i) ? ", " : part.text;
    })
    .join("");

/**
 * A message as plain text, with cards as `7♥`.
 * @param {Value} value
 * @param {Reader} [reader]
 * @param {boolean} [sentence]
 */
export const written = (value, reader, sentence) =>
  parts(value, reader, sentence)
    .map((part) => (part.card ? short(part.card) : part.text))
    .join("");

/** "−3", with a real minus. @param {number} n */
export const signed = (n) => (n < 0 ? `−${-n}` : String(n));

/**
 * A text in the reader's language, with its fields filled in; one of the fields may be the context.
 * @param {string} template
 * @param {Record<string, Value>} [values]
 * @returns {string}
 */
export const tr = (template, values) => (values ? written({ says: template, ...values }) : inLanguage(template));

/**
 * A text of the catalogue, given in English, as a sentence with a capital letter.
 * @param {string} template
 * @param {Record<string, Value>} [values]
 */
export const told = (template, values) => written({ says: template, ...values }, {}, true);

/** A card in a sentence. @param {{card: string}} props */
export const CardInText = ({ card }) =>
  html`<span class="in suit-${card.at(-1)}"><span aria-hidden="true">${short(card)}</span><span class="sr">
    ${spoken(card)}</span></span>`;

/**
 * A message as a sentence, with its cards in colour.
 * @param {{message: Value, names?: string[], you?: number | null, sentence?: boolean, words?: (text: string) => any}}
 * props `words`: how its words are shown, such as with the terms of the glossary
 */
export function Said({ message, names, you = null, sentence = false, words = (text) => text }) {
  return parts(message, { names, you }, sentence).map((part, i, all) => {
    if (apart(all, i)) return html`<span class="sr">,</span> `;
    if (part.card) return html`<${CardInText} card=${part.card} />`;
    if (part.below)
      return html`<span aria-hidden="true">−${part.below}</span><span class="sr">${minus(part.below)}</span>`;
    if (part.shown) return part.shown(part.text);
    if (part.rule) return part.text;
    return part.seat !== undefined && part.seat !== you ? html`<bdi>${part.text}</bdi>` : words(part.text);
  });
}
