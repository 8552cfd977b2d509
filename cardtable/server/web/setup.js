/** Setting up a table: the game, who plays, the house rules in plain words. */
import { html, useEffect, useMemo, useState } from "./html.js";
import { get } from "./api.js";
import { choices, choose } from "./store.js";
import { useAsked } from "./hooks.js";
import { open } from "./home.js";
import { Said } from "./message.js";
import { kind, named, own } from "./names.js";
import { RulesWindow } from "./rules.js";

/** @param {import("./names.js").Named} one */
const option = (one) => html`<option key=${one.name} value=${one.name}>${one.title}</option>`;

const WHO = [["", "a friend (by link)"], ["simple", "a bot, easy"], ["flat", "a bot, good"], ["search", "a bot, strong"], ["random", "a bot, random"]];

/** A value as a person reads it. @param {any} value */
const shown = (value) => (value === true ? "yes" : value === false ? "no" : Array.isArray(value) ? value.join(", ") : String(value).replaceAll("_", " "));

const UNNAMED = new Promise(() => undefined); // no game is asked for: the list says which comes first

/** House rules out of a link. @param {string | null} text @returns {Record<string, any>} */
function house(text) {
  try {
    const found = JSON.parse(text ?? "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** One house rule. @param {any} props */
function Rule({ option, value, set, differs }) {
  const id = `o-${option.name}`;
  return html`<div class="option ${differs ? "differs" : ""}">
    <label for=${id}>${option.text[0].toUpperCase() + option.text.slice(1)} <small>${option.rules}</small></label>
    ${option.also || (option.values.length && option.high)
      ? html`<input id=${id} list=${`${id}-l`} value=${shown(value)} title=${option.also} onChange=${(/** @type {any} */ e) => set(e.target.value.trim() || undefined)} />
          <datalist id=${`${id}-l`}>${option.values.map((/** @type {any} */ v) => html`<option key=${String(v)} value=${shown(v)}></option>`)}</datalist>`
      : option.values.length
      ? html`<select id=${id} value=${String(value)} onChange=${(/** @type {any} */ e) => set(option.values.find((/** @type {any} */ v) => String(v) === e.target.value))}>
          ${option.values.map((/** @type {any} */ v) => html`<option key=${String(v)} value=${String(v)}>${shown(v)}</option>`)}</select>`
      : Array.isArray(value)
        ? html`<input id=${id} value=${value.join(", ")} onChange=${(/** @type {any} */ e) => set(e.target.value.split(/[\s,]+/).filter(Boolean).map(Number))} />`
        : html`<input id=${id} type="number" min=${option.low} max=${option.high} value=${value} placeholder=${option.default} onChange=${(/** @type {any} */ e) => set(e.target.value === "" ? undefined : Number(e.target.value))} />`}
  </div>`;
}

export function Setup() {
  const asked = useMemo(() => new URLSearchParams(location.search), []);
  const [name, setName] = useState(asked.get("game") || "");
  const [list] = useAsked(() => get("/api/games"), []);
  const [game, error] = useAsked(() => (name ? get(`/api/games/${encodeURIComponent(name)}`) : UNNAMED), [name]);
  useEffect(() => {
    if (!name && list?.games.length) setName(list.games[0].name);
  }, [list]);
  const [preset, setPreset] = useState("");
  const [bots, setBots] = useState(/** @type {string[]} */ ([]));
  const [options, setOptions] = useState(/** @type {Record<string, any>} */ ({}));
  const [more, setMore] = useState({ clock: "none", undo: "consent", hints: true, listed: false, watched: true, number: asked.get("number") ?? "" });
  const [wrong, setWrong] = useState("");
  const [reading, setReading] = useState(false);
  const [me, setMe] = useState(choices().name);
  const [called, setCalled] = useState(""); // by which of its names the table is set up
  useEffect(() => {
    if (!game) return;
    const linked = name === asked.get("game");
    const first = linked && game.presets.includes(asked.get("preset")) ? asked.get("preset") : game.opens.preset;
    const [low, high] = game.seat_range[first] ?? game.seats;
    const wanted = linked ? Number(asked.get("seats")) : 0;
    setPreset(first);
    setCalled(as(first, game.opens.name));
    setOptions(first === asked.get("preset") ? house(asked.get("options")) : {});
    setBots(Array.from({ length: Math.max(low, Math.min(high, wanted || game.best[0])) }, (_, i) => (i ? "simple" : "")));
  }, [game?.opens.name]);
  if (error) return html`<main class="page" id="main"><h1>Set up a table</h1><p class="problem" role="alert">${error.message}</p></main>`;
  if (!game || !bots.length) return html`<main class="page" id="main"><p class="loading" role="status">One moment …</p></main>`;
  const [least, most] = game.seat_range[preset] ?? game.seats;
  const values = game.values[preset] ?? {};
  const resize = (/** @type {number} */ n) => setBots(Array.from({ length: n }, (_, i) => bots[i] ?? "simple"));
  /** The name that goes with a preset: the one asked for if the preset's source uses it, else the preset's own. @param {string} one @param {string} wanted */
  function as(one, wanted) {
    const named = game.names.find((/** @type {any} */ other) => other.name === wanted);
    if (named?.presets.includes(one) && named.title !== game.title) return wanted;
    return game.names.find((/** @type {any} */ other) => other.title === game.titles[one])?.name ?? game.name;
  }
  const chosen = (/** @type {string} */ wanted) => {
    const named = game.names.find((/** @type {any} */ other) => other.name === wanted);
    if (named) take(named.presets[0], wanted);
    else setName(wanted);
  };
  const take = (/** @type {string} */ one, wanted = called) => {
    const [low, high] = game.seat_range[one] ?? game.seats;
    setPreset(one);
    setCalled(as(one, wanted));
    setOptions({});
    resize(Math.max(low, Math.min(high, bots.length)));
  };
  const make = () => {
    choose({ name: me });
    const setup = { game: called, preset, seats: bots.length, bots, options, ...more };
    open(setup).catch((problem) => setWrong(problem.message));
  };
  const differ = Object.keys(options).length;
  const fined = Object.entries(game.fines).every(([rule, value]) => (options[rule] ?? values[rule]) === value);
  const fine = (/** @type {boolean} */ on) => {
    const next = { ...options };
    for (const [rule, value] of Object.entries(game.fines)) {
      delete next[rule];
      if (on && values[rule] !== value) next[rule] = value;
    }
    setOptions(next);
  };
  const [best, crowd] = game.best_seats[preset] ?? game.best;
  const names = named(list?.games ?? [game]).sort((a, b) => a.title.localeCompare(b.title));
  const now = names.find((one) => one.name === called) ?? { ...game.names[0], game };
  return html`<main class="page setup" id="main">
    <h1>Set up a table</h1>
    <section aria-label="Game" class="panel"><h2>Game</h2>
      <select aria-label="Game" value=${called} onChange=${(/** @type {any} */ e) => chosen(e.target.value)}>${names.filter(own).map(option)}<optgroup label="By other names">${names.filter((one) => !own(one)).map(option)}</optgroup></select>
      <p>${own(now) ? "" : html`<b>${now.title}</b> is ${kind(now)}. `}${game.summary[0].toUpperCase() + game.summary.slice(1)}. <button type="button" class="text" onClick=${() => setReading(true)}>Rules</button>${game.difficulty && html` · Difficulty ${game.difficulty}, length ${game.length}`}</p>
      ${game.presets.length > 1 && html`<div class="presets" role="radiogroup" aria-label="Rules">${game.presets.map((/** @type {string} */ one) => html`<label key=${one}><input type="radio" name="preset" checked=${preset === one} onChange=${() => take(one)} /><span>${game.titles[one]}</span></label>`)}</div>`}
      ${Object.keys(game.fines).length > 0 && html`<label class="check"><input type="checkbox" checked=${fined} onChange=${(/** @type {any} */ e) => fine(e.target.checked)} /> Mistakes are possible and cost chips, as in the book</label>`}
    </section>
    <section aria-label="Who plays" class="panel"><h2>Who plays</h2>
      <p><label class="field">Your name <input maxlength="24" value=${me} autocomplete="nickname" onInput=${(/** @type {any} */ e) => setMe(e.target.value)} /></label></p>
      ${least !== most && html`<p class="stepper"><span id="howmany">Players</span> <button type="button" aria-label="One fewer" disabled=${bots.length <= least} onClick=${() => resize(bots.length - 1)}>−</button> <output aria-labelledby="howmany">${bots.length}</output> <button type="button" aria-label="One more" disabled=${bots.length >= most} onClick=${() => resize(bots.length + 1)}>+</button> <small>${least} to ${most}, best ${best === crowd ? best : `${best} ${crowd === best + 1 ? "or" : "to"} ${crowd}`}</small></p>`}
      <ol class="seating">${bots.map((level, i) => html`<li key=${i}>${i === 0 ? html`<b>${me || "You"}</b>` : html`<select aria-label=${`Player ${i + 1}`} value=${level} onChange=${(/** @type {any} */ e) => setBots(bots.map((one, k) => (k === i ? e.target.value : one)))}>${WHO.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select>`}</li>`)}</ol>
    </section>
    <section aria-label="House rules" class="panel"><h2>House rules</h2>
      <details open=${differ > 0}><summary>${differ ? `${differ} differ from ${game.titles[preset]}` : `As in ${game.titles[preset]}: change them`}</summary>
        ${differ > 0 && html`<p><button type="button" onClick=${() => setOptions({})}>Back to ${game.titles[preset]}</button></p>`}
        ${game.options.map((/** @type {any} */ option) => html`<${Rule} key=${preset + option.name} option=${option} value=${options[option.name] ?? values[option.name]} differs=${option.name in options}
          set=${(/** @type {any} */ value) => {
            const next = { ...options };
            if (value === undefined || String(value) === String(values[option.name])) delete next[option.name];
            else next[option.name] = value;
            setOptions(next);
          }} />`)}
      </details>
    </section>
    <section aria-label="The table" class="panel"><h2>The table</h2>
      <div class="option"><label for="clock">Time for a move</label><select id="clock" value=${more.clock} onChange=${(/** @type {any} */ e) => setMore({ ...more, clock: e.target.value })}><option value="none">as long as it takes</option><option value="relaxed">a minute</option><option value="brisk">15 seconds</option></select></div>
      <div class="option"><label for="undo">Taking back</label><select id="undo" value=${more.undo} onChange=${(/** @type {any} */ e) => setMore({ ...more, undo: e.target.value })}><option value="consent">if all agree</option><option value="never">never</option></select></div>
      ${/** @type {[("hints"|"listed"|"watched"), string][]} */ ([["hints", "Hints may be asked for"], ["listed", "Anybody on this server may join"], ["watched", "Whoever has the link may look on"]]).map(([key, text]) => html`<label class="check" key=${key}><input type="checkbox" checked=${more[key]} onChange=${(/** @type {any} */ e) => setMore({ ...more, [key]: e.target.checked })} /> ${text}</label>`)}
      <div class="option"><label for="number">Number of the deal <small>the same cards for whoever plays it alone</small></label><span class="drawn"><input id="number" maxlength="40" value=${more.number} placeholder="none" onInput=${(/** @type {any} */ e) => setMore({ ...more, number: e.target.value })} /><button type="button" onClick=${() => setMore({ ...more, number: String(crypto.getRandomValues(new Uint32Array(1))[0]) })}>Draw one</button></span></div>
    </section>
    ${reading && html`<${RulesWindow} game=${game.name} preset=${preset} options=${options} seats=${bots.length} close=${() => setReading(false)} />`}
    ${wrong && html`<p class="problem" role="alert"><${Said} message=${{ moves: wrong }} /></p>`}
    <p class="actions"><button type="button" class="primary big" onClick=${make}>${bots.slice(1).every(Boolean) ? "Deal" : "Make the table"}</button></p>
  </main>`;
}
