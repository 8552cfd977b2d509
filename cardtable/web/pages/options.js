/** House rules as people choose them: switches, sliders and lists in plain words; and what differs, as a sentence. */
import { html, useState } from "../browser/html.js";
import { mark } from "../text/language.js";
import { told, tr, written } from "../text/message.js";

// the values of options that are switched on or off, in alphabetical order
const SWITCHES = ["no,yes", "off,on"];
// the context of the words for options
const RULE = "house rule";
// from this many steps on, a slider covers only the usual ones
const WIDE = 60;

/** The two values of an option that is a switch, off first; null if it is none. @param {any} option */
function switched(option) {
  const values = [...option.values].sort().join();
  if (!option.values.length) return option.low === 0 && option.high === 1 ? [0, 1] : null;
  return SWITCHES.includes(values) ? values.split(",") : null;
}

/** Cards, with numbers apart from them: `9D5` is `9D 5`. @param {any} value */
const apart = (value) => ({ moves: String(value).replace(/([SHDC])(?=\d+( |$))/g, "$1 ") });

/** A value in words. @param {any} option @param {any} value @returns {import("../text/message.js").Value} */
export const valued = (option, value) =>
  (!option.also && option.words[String(value)]) ||
  (option.also && value ? apart(value) : Array.isArray(value) ? value.join(", ") : String(value ?? "–"));

/**
 * Whether an option has an effect: there is something to choose, and the options that it depends on have it.
 * @param {any} option
 * @param {Record<string, any>} values all options
 */
const applies = (option, values) =>
  !(option.values.length === 1 && !option.also && !option.high) &&
  !(option.high && option.low === option.high) &&
  Object.entries(option.only).every(
    ([other, some]) => !(other in values) || /** @type {any} */ (some).includes(String(values[other])),
  );

const GROUPS = /** @type {const} */ ([
  ["deal", mark("The deal")],
  ["turn", mark("The play")],
  ["score", mark("Points and chips")],
  ["end", mark("The end of the match")],
]);

/**
 * The options that have an effect, by what they are about, each group with its heading.
 * @param {import("wire").WholeGame} game @param {Record<string, any>} values all options
 */
export const grouped = (game, values) =>
  GROUPS.map(([group, label]) => ({
    label,
    some: game.options.filter((option) => option.group === group && applies(option, values)),
  })).filter(({ some }) => some.length);

/**
 * What differs from a preset, each as a message; a switch that is off is named by what does not apply.
 * @param {import("wire").WholeGame} game
 * @param {Record<string, any>} options
 * @returns {import("../text/message.js").Value[]}
 */
export const changes = (game, options) =>
  game.options
    .filter((option) => option.name in options)
    .map((option) => {
      /** @type {import("../text/message.js").Message} */
      const rule = { says: option.label, context: RULE };
      const value = options[option.name];
      const pair = switched(option);
      if (pair) return String(value) === String(pair[1]) ? rule : { says: "not: {rule}", rule };
      if (typeof value === "number") return { says: "{rule} {n}", rule, n: value };
      return { says: "{rule}: {value}", rule, value: valued(option, value) };
    });

/**
 * A table in one sentence: the preset, and what differs from it.
 * @param {import("wire").WholeGame} game
 * @param {string} preset @param {Record<string, any>} options @param {string} [title]
 */
export function sentence(game, preset, options, title = "") {
  const some = changes(game, options);
  const name = { says: title && title !== game.titles[preset] ? title : game.phrases[preset] };
  return some.length ? told("{name}, {changes}", { name, changes: some }) : told("{name}", { name });
}

/** A number: a slider over the usual ones, and a field for all of them. @param {any} props */
function Slider({ id, option, value, set, label }) {
  const number = Number(value ?? option.low);
  const most = option.high - option.low > WIDE ? Math.min(option.high, Math.max(20, 2 * number)) : option.high;
  const [end] = useState(most);
  const change = (/** @type {any} */ e) => set(e.target.value === "" ? undefined : Number(e.target.value));
  return html`<span class="slider"><input type="range" aria-label=${label} min=${option.low} max=${end}
    value=${Math.min(number, end)} onInput=${change} /><input id=${id} type="number" min=${option.low}
    max=${option.high} value=${value} onChange=${change} /></span>`;
}

/** A number, or no limit. @param {any} props */
function Limit({ id, option, value, set, label }) {
  const [none] = option.values;
  const free = String(value) === none;
  return html`<span class="limit">${
    !free &&
    html`<input id=${id} type="number" aria-label=${label} min=${option.low} max=${option.high} value=${value}
      onChange=${(/** @type {any} */ e) => set(e.target.value === "" ? undefined : Number(e.target.value))} />`
  }<label class="check"><input type="checkbox" checked=${free} onChange=${(/** @type {any} */ e) =>
    set(e.target.checked ? none : undefined)} /> ${told("{value}", { value: valued(option, none) })}</label></span>`;
}

/** Text in a form of the game's own, with examples. @param {any} props */
function Written({ id, option, value, set, label }) {
  const [own, setOwn] = useState(false);
  const known = option.values.includes(value) || value === null;
  return html`<span class="written"><select id=${id} value=${own ? "*" : String(value)} onChange=${(
    /** @type {any} */ e,
  ) => (e.target.value === "*" ? setOwn(true) : (setOwn(false), set(e.target.value)))}>
    ${!known && html`<option value=${String(value)}>${written(valued(option, value))}</option>`}
    ${value === null && html`<option value="null">${tr("not chosen yet")}</option>`}
    ${option.values.map(
      (/** @type {string} */ one) => html`<option key=${one} value=${one}>${written(apart(one))}</option>`,
    )}<option value="*">${tr("others …")}</option></select>${
      own &&
      html`<input aria-label=${label} value=${value ?? ""} placeholder=${tr(option.also)} onChange=${(
        /** @type {any} */ e,
      ) => set(e.target.value.trim() || undefined)} />`
    }</span>`;
}

/** Whether a value is possible with this number of players. @param {any} value @param {number} seats */
const possible = (value, seats) => !(/^seat \d+$/.test(value) && Number(value.slice(5)) >= seats);

/** Where something is played that no source has. @param {{ where: string | undefined }} props */
export const Played = ({ where }) =>
  where && html`<small class="played">${tr("Played {where}", { where: { says: where } })}</small>`;

/** One house rule. `set` takes the value, or nothing for the preset's. @param {any} props */
export function Rule({ option, value, set, differs, seats }) {
  const id = `o-${option.name}`;
  const label = told(option.label, { context: RULE });
  const pair = switched(option);
  const shown = { id, option, value, set, label };
  const where = html`<${Played} where=${option.played[String(value)] ?? option.played[""]} />`;
  if (pair)
    return html`<label class="option switch ${differs ? "differs" : ""}"><span>${label}</span>
      <input type="checkbox" role="switch" id=${id} checked=${String(value) === String(pair[1])} onChange=${(
        /** @type {any} */ e,
      ) => set(pair[e.target.checked ? 1 : 0])} />${where}</label>`;
  const many = Array.isArray(value);
  return html`<div class="option ${differs ? "differs" : ""}"><label for=${id}>${label}</label>${
    option.also
      ? html`<${Written} ...${shown} />`
      : option.values.length && option.high
        ? html`<${Limit} ...${shown} />`
        : option.values.length
          ? html`<select id=${id} value=${String(value)} onChange=${(/** @type {any} */ e) =>
              set(option.values.find((/** @type {any} */ one) => String(one) === e.target.value))}>${option.values
              .filter((/** @type {any} */ one) => possible(one, seats))
              .map(
                (/** @type {any} */ one) =>
                  html`<option key=${String(one)} value=${String(one)}>${written(valued(option, one))}</option>`,
              )}</select>`
          : many
            ? html`<input id=${id} value=${value.join(", ")} onChange=${(/** @type {any} */ e) =>
                set(
                  e.target.value
                    .split(/[\s,]+/)
                    .filter(Boolean)
                    .map(Number),
                )} />`
            : html`<${Slider} key=${String(differs)} ...${shown} />`
  }${where}</div>`;
}
