/** Setting up a table: the game, who plays, the house rules in plain words. */
import { html, useEffect, useMemo, useRef, useState } from "../browser/html.js";
import { get, post, remove } from "../net/api.js";
import { Address } from "../net/share.js";
import { watched } from "../net/patience.js";
import { choices, choose } from "../browser/store.js";
import { open } from "./home.js";
import { mark } from "../text/language.js";
import { Said, tr } from "../text/message.js";
import { botOf, kind, levelsOf, named, own, summary } from "../text/names.js";
import { grouped, Played, Rule, sentence } from "./options.js";
import { alone, fined, opening, resized, seatsOf, setUpAt, under, withFines, withRule } from "./plan.js";
import { RulesWindow } from "../windows/rules.js";
import { Problem, useAsked } from "../net/asked.js";

/** @typedef {import("./plan.js").Plan} Plan */
/** What the parts of the page set: the plan. @typedef {(step: (plan: Plan) => Plan) => void} SetPlan */

/** @param {import("../text/names.js").Named} one */
const option = (one) => html`<option key=${one.name} value=${one.name}>${tr(one.title)}</option>`;

const CLOCKS = [
  ["none", mark("as long as it takes")],
  ["relaxed", mark("a minute")],
  ["brisk", mark("15 seconds")],
];
/** When a move may be taken back; alone, nobody else has to agree. @param {boolean} single */
const undos = (single) => [
  ["consent", single ? mark("at any time") : mark("if all agree")],
  ["never", mark("never")],
];

/** @type {["hints" | "aids" | "listed" | "watched", string, (plan: Plan) => boolean][]} */
const FLAGS = [
  ["hints", mark("Hints may be asked for"), () => true],
  ["aids", mark("Memory aids may be switched on"), ({ bots }) => bots.length > 1],
  ["listed", mark("Anybody on this server may join"), (plan) => !alone(plan)],
  ["watched", mark("Anyone with the link may watch"), () => true],
];

/** What holds for the table, whatever is played, before anything is chosen. */
const MORE = {
  clock: "none",
  undo: "consent",
  hints: true,
  aids: true,
  listed: false,
  watched: true,
  number: "",
  winnable: false,
};

/** The house rules that the player keeps on the server, and how to keep these. @param {any} props */
function Kept({ rules, link, use }) {
  const [mine, again] = useState(/** @type {any[]} */ ([]));
  const [name, setName] = useState("");
  const [said, setSaid] = useState("");
  useEffect(() => {
    get("/api/me/rules")
      .then((found) => again(found.rules))
      .catch(() => undefined);
  }, []);
  const failed = (/** @type {any} */ problem) => setSaid(problem.message);
  const keep = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!name.trim()) return;
    post("/api/me/rules", { name, ...rules })
      .then((kept) => {
        again([...mine.filter((one) => one.name !== kept.name), kept]);
        setSaid(tr("Saved as {name}.", { name: kept.name }));
        setName("");
      })
      .catch(failed);
  };
  const drop = (/** @type {string} */ which) =>
    remove(`/api/me/rules/${encodeURIComponent(which)}`)
      .then((left) => again(left.rules))
      .catch(failed);
  return html`<div class="kept">
    <${Address} link=${link} label=${tr("Link to these rules")} />
    <form class="link" onSubmit=${keep}><input maxlength="40" value=${name} placeholder=${tr("your own name")}
      aria-label=${tr("Name for these house rules")} onInput=${(/** @type {any} */ e) => setName(e.target.value)} />
      <button type="submit">${tr("Keep as my house rules")}</button></form>
    ${said && html`<p role="status">${said}</p>`}
    ${
      mine.length > 0 &&
      html`<ul aria-label=${tr("My house rules")}>${mine.map(
        (one) => html`<li key=${one.name}><button type="button" class="text" onClick=${() => use(one)}>
          <bdi translate=${false}>${one.name}</bdi></button> <small>${tr(one.title)}</small>
          <button type="button" class="quiet" aria-label=${tr("Delete {name}", { name: one.name })}
          onClick=${() => drop(one.name)}>✕</button></li>`,
      )}</ul>`
    }</div>`;
}

/** The game, its preset, and whether mistakes are possible. @param {any} props `called`: take another name */
function Game({ game, plan, setPlan, games, now, called, read }) {
  const names = named(games).sort((a, b) => tr(a.title).localeCompare(tr(b.title)));
  return html`<section aria-label=${tr("Game")} class="panel"><h2>${tr("Game")}</h2>
      <select aria-label=${tr("Game")} value=${plan.called}
        onChange=${(/** @type {any} */ e) => called(e.target.value)}>
        ${names.filter(own).map(option)}<optgroup label=${tr("By other names")}>
        ${names.filter((one) => !own(one)).map(option)}</optgroup></select>
      <p>${
        own(now)
          ? ""
          : html`<${Said} message=${{
              says: "{name} is {kind}.",
              name: { shown: () => html`<b>${tr(now.title)}</b>` },
              kind: kind(now),
            }} /> `
      }${summary(game)} <button
        type="button" class="text" onClick=${read}>${tr("Rules")}</button>
        ${
          game.difficulty &&
          ` · ${tr("Difficulty {difficulty}, length {length}", {
            difficulty: { says: game.difficulty, context: "difficulty" },
            length: { says: game.length, context: "length" },
          })}`
        }</p>
      ${
        game.presets.length > 1 &&
        html`<div class="presets" role="radiogroup" aria-label=${tr("Rules")}>
        ${game.presets.map(
          (/** @type {string} */ one) => html`<label key=${one}>
        <input type="radio" name="preset" checked=${plan.preset === one}
          onChange=${() => setPlan((/** @type {Plan} */ old) => under(old, game, one))} /><span>
        ${tr(game.titles[one])}</span></label>`,
        )}</div>${
          game.about[plan.preset] &&
          html`<p>${tr(game.about[plan.preset])} <${Played} where=${game.played[plan.preset]} /></p>`
        }`
      }
      ${
        Object.keys(game.fines).length > 0 &&
        html`<label class="check">
        <input type="checkbox" checked=${fined(plan, game)} onChange=${(/** @type {any} */ e) =>
          setPlan((/** @type {Plan} */ old) => withFines(old, game, e.target.checked))} /> ${tr(
          "Mistakes are possible and cost chips, as in the book",
        )}</label>`
      }
    </section>`;
}

/** How many players a game is for, and is best for. @param {import("wire").WholeGame} game @param {string} preset */
function players(game, preset) {
  const [least, most] = seatsOf(game, preset);
  const [best, crowd] = game.best_seats[preset] ?? game.best;
  if (best === crowd) return tr("{least} to {most}, best {best}", { least, most, best });
  return crowd === best + 1
    ? tr("{least} to {most}, best {best} or {crowd}", { least, most, best, crowd })
    : tr("{least} to {most}, best {best} to {crowd}", { least, most, best, crowd });
}

/** Who plays. @param {any} props `me`: the player's name */
function Players({ game, plan, setPlan, me, setMe }) {
  const { bots, preset } = plan;
  const [least, most] = seatsOf(game, preset);
  const resize = (/** @type {number} */ n) => setPlan((/** @type {Plan} */ old) => resized(old, n));
  const take = (/** @type {number} */ seat, /** @type {string} */ level) =>
    setPlan((/** @type {Plan} */ old) => ({ ...old, bots: old.bots.map((one, i) => (i === seat ? level : one)) }));
  const heading = tr("Who plays", { context: "setting" });
  return html`<section aria-label=${heading} class="panel"><h2>${heading}</h2>
      <p><label class="field">${tr("Your name")} <input maxlength="24" value=${me} autocomplete="nickname"
        onInput=${(/** @type {any} */ e) => setMe(e.target.value)} /></label></p>
      ${
        least !== most &&
        html`<p class="stepper"><span id="howmany">
        ${tr("Players")}</span> <button type="button" aria-label=${tr("One fewer")} disabled=${bots.length <= least}
        onClick=${() => resize(bots.length - 1)}>−</button> <output aria-labelledby="howmany">
        ${bots.length}</output> <button type="button" aria-label=${tr("One more")} disabled=${bots.length >= most}
        onClick=${() => resize(bots.length + 1)}>+</button> <small>
        ${players(game, preset)}</small></p>`
      }
      <ol class="seating">${bots.map(
        (/** @type {string} */ level, /** @type {number} */ i) => html`<li key=${i}>
        <label for=${`seat-${i}`}>${tr("Player {n}", { n: i + 1 })}</label>
        ${
          i === 0
            ? html`<b id="seat-0">${me || tr("You")}</b>`
            : html`<select id=${`seat-${i}`}
        value=${level} onChange=${(/** @type {any} */ e) => take(i, e.target.value)}>${[
          "",
          ...levelsOf(game, preset, level),
        ].map(
          (one) => html`<option key=${one} value=${one}>${one ? botOf(one) : tr("a friend (by link)")}</option>`,
        )}</select>`
        }</li>`,
      )}</ol>
    </section>`;
}

/** The house rules: in a sentence, one by one, and the saved ones. @param {any} props */
function HouseRules({ game, plan, setPlan, games, title }) {
  const { called, preset, bots, options } = plan;
  const all = { ...game.values[preset], ...options };
  const differ = Object.keys(options).length;
  const rules = { game: called, preset, seats: bots.length, options };
  const link = location.origin + setUpAt(differ ? rules : { ...rules, options: undefined });
  const usual = () => setPlan((/** @type {Plan} */ old) => ({ ...old, options: {} }));
  /** Set a table up with rules that were kept. @param {any} one */
  const use = (one) =>
    location.assign(setUpAt({ ...one, game: named(games).find((each) => each.title === one.title)?.name ?? one.game }));
  return html`<section aria-label=${tr("House rules")} class="panel"><h2>${tr("House rules")}</h2>
      <p class="summary" role="status">${sentence(game, preset, options, title)}</p>
      <details open=${differ > 0}><summary>${differ ? tr("Change them") : tr("Standard rules: change")}</summary>
        ${
          differ > 0 &&
          html`<p><button type="button" onClick=${usual}>
          ${tr("Back to {preset}", { preset: { says: game.titles[preset] } })}</button></p>`
        }
        ${grouped(game, all).map(
          ({ label, some }) =>
            html`<h3 key=${label}>${tr(label)}</h3>${some.map(
              (option) => html`<${Rule} key=${preset + option.name} option=${option}
            value=${all[option.name]} differs=${option.name in options} seats=${bots.length}
          set=${(/** @type {any} */ value) =>
            setPlan((/** @type {Plan} */ old) => withRule(old, game, option.name, value))} />`,
            )}`,
        )}
      </details>
      <${Kept} rules=${rules} link=${link} use=${use} />
    </section>`;
}

/** A choice from a list. @param {any} props `values`: each with its words */
const Choice = ({ id, label, value, values, set }) => html`<div class="option"><label for=${id}>${label}</label>
        <select id=${id} value=${value} onChange=${(/** @type {any} */ e) => set(e.target.value)}>${values.map(
          (/** @type {[string, string]} */ [one, text]) => html`<option key=${one} value=${one}>${tr(text)}</option>`,
        )}</select></div>`;

/** What holds for the table, whatever is played. @param {any} props `set`: change some of `more` */
function Table({ game, plan, more, set }) {
  const draw = () => set({ number: String(crypto.getRandomValues(new Uint32Array(1))[0]) });
  return html`<section aria-label=${tr("The table")} class="panel"><h2>${tr("The table")}</h2>
      <${Choice} id="clock" label=${tr("Time for a move")} value=${more.clock} values=${CLOCKS}
        set=${(/** @type {string} */ clock) => set({ clock })} />
      <${Choice} id="undo" label=${tr("Taking back")} value=${more.undo} values=${undos(alone(plan))}
        set=${(/** @type {string} */ undo) => set({ undo })} />
      ${FLAGS.filter(([, , has]) => has(plan)).map(
        ([key, text]) => html`<label class="check" key=${key}>
        <input type="checkbox" checked=${more[key]} onChange=${(/** @type {any} */ e) =>
          set({ [key]: e.target.checked })} /> ${tr(text)}</label>`,
      )}
      ${
        game.solvable &&
        !more.number.trim() &&
        html`<label class="check"><input type="checkbox" checked=${more.winnable}
        onChange=${(/** @type {any} */ e) => set({ winnable: e.target.checked })} />
        <span>${tr("A deal that can be won")} <small>
        ${tr("chosen by a solver that sees all cards; the shuffle cannot be verified")}</small></span></label>`
      }
      <div class="option"><label for="number">${tr("Number of the deal")} <small>
        ${tr("the same cards for everybody who plays alone")}</small></label><span class="drawn">
        <input id="number" maxlength="40" value=${more.number} placeholder=${tr("none", { context: "setting" })}
        onInput=${(/** @type {any} */ e) => set({ number: e.target.value })} />
        <button type="button" onClick=${draw}>${tr("Random number")}</button></span></div>
    </section>`;
}

// until the list of games is there, to take the first one
const UNNAMED = new Promise(() => undefined);

/**
 * The game that is set up, once the server has told it, and its plan.
 * @param {URLSearchParams} asked @param {{name: string, plan: Plan} | null} kept
 */
function usePlan(asked, kept) {
  const [name, setName] = useState(kept?.name ?? (asked.get("game") || ""));
  const again = useRef(kept);
  const [list] = useAsked(() => get("/api/games"), []);
  const [game, error] = useAsked(() => (name ? get(`/api/games/${encodeURIComponent(name)}`) : UNNAMED), [name]);
  const [plan, setPlan] = useState(/** @type {Plan | null} */ (null));
  useEffect(() => {
    if (!name && list?.games.length) setName(list.games[0].name);
  }, [list]);
  useEffect(() => {
    if (game) setPlan(again.current?.plan ?? opening(game, asked, name === asked.get("game")));
    if (game) again.current = null;
  }, [game?.opens.name]);
  /** Take a game by one of its names. @param {string} wanted */
  const called = (wanted) => {
    const one = game.names.find((/** @type {any} */ other) => other.name === wanted);
    if (one) setPlan((old) => old && under(old, game, one.presets[0], wanted));
    else setName(wanted);
  };
  /** @type {SetPlan} */
  const change = (step) => setPlan((old) => old && step(old));
  return { game, error, name, plan, change, called, games: list?.games ?? [game] };
}

export function Setup() {
  const asked = useMemo(() => new URLSearchParams(location.search), []);
  const kept = useMemo(() => history.state?.form ?? null, []); // from before another page was shown
  const { game, error, name, plan, change, called, games } = usePlan(asked, kept);
  const [more, setMore] = useState(kept?.more ?? { ...MORE, number: asked.get("number") ?? "" });
  useEffect(() => {
    if (plan) history.replaceState({ ...history.state, form: { name, plan, more } }, "");
  }, [plan, more]);
  const [wrong, setWrong] = useState(/** @type {any} */ (null)); // the refusal
  const [busy, setBusy] = useState(false);
  const [reading, setReading] = useState(false);
  const [me, setMe] = useState(choices().name);
  if (error)
    return html`<main class="page" id="main"><h1>${tr("Set up a table")}</h1><${Problem}
      error=${error} /></main>`;
  if (!game || !plan)
    return html`<main class="page" id="main"><p class="loading" role="status">${tr("One moment …")}</p></main>`;
  const { preset, bots, options } = plan;
  const single = alone(plan);
  const make = (/** @type {string[]} */ seated) => {
    choose({ name: me });
    setWrong(null);
    setBusy(true);
    const winnable = more.winnable && game.solvable && !more.number.trim();
    const listed = more.listed && !alone({ ...plan, bots: seated });
    const who = { game: plan.called, preset, seats: seated.length, bots: seated, options };
    watched(open({ ...who, begins: "host", ...more, listed, winnable }), setWrong).catch((problem) => {
      setBusy(false);
      setWrong(problem);
    });
  };
  const now = named(games).find((one) => one.name === plan.called) ?? { ...game.names[0], game };
  const parts = { game, plan, setPlan: change, games };
  return html`<main class="page setup" id="main">
    <h1>${tr("Set up a table")}</h1>
    <${Game} ...${parts} now=${now} called=${called} read=${() => setReading(true)} />
    <${Players} ...${parts} me=${me} setMe=${setMe} />
    <${HouseRules} ...${parts} title=${now.title} />
    <${Table} ...${parts} more=${more} set=${(/** @type {Partial<typeof MORE>} */ some) =>
      setMore({ ...more, ...some })} />
    ${
      reading &&
      html`<${RulesWindow} game=${game.name} preset=${preset} options=${options} seats=${bots.length}
      close=${() => setReading(false)} />`
    }
    ${wrong && html`<${Problem} error=${wrong} />`}
    <p class="actions">${busy && html`<small role="status">${tr("The game is being prepared …")}</small>`}
      ${
        single &&
        bots.length > 1 &&
        html`<button type="button" class="big" disabled=${busy}
        onClick=${() => make(bots.map((bot, i) => (i === 1 ? "" : bot)))}>${tr("Play with a friend")}</button>`
      }
      <button type="button" class="primary big" disabled=${busy} onClick=${() => make(bots)}>
      ${single ? tr("Deal", { context: "button" }) : tr("Create table")}</button></p>
  </main>`;
}
