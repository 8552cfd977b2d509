/** Setting up a table: the game, who plays, the house rules in plain words. */
import { html, useEffect, useMemo, useState } from "./html.js";
import { at } from "./address.js";
import { get, post, remove } from "./api.js";
import { watched } from "./patience.js";
import { choices, choose } from "./store.js";
import { useAsked } from "./hooks.js";
import { open } from "./home.js";
import { mark } from "./language.js";
import { Said, tr } from "./message.js";
import { botOf, kind, levelsOf, named, own, summary, USUAL } from "./names.js";
import { applies, Rule, sentence } from "./options.js";
import { RulesWindow } from "./rules.js";

/** @param {import("./names.js").Named} one */
const option = (one) => html`<option key=${one.name} value=${one.name}>${tr(one.title)}</option>`;

const CLOCKS = [
  ["none", mark("as long as it takes")],
  ["relaxed", mark("a minute")],
  ["brisk", mark("15 seconds")],
];
/** When a move may be taken back; alone, nobody else has to agree. @param {boolean} alone */
const undos = (alone) => [
  ["consent", alone ? mark("at any time") : mark("if all agree")],
  ["never", mark("never")],
];
/** @type {["hints" | "aids" | "listed" | "watched", string, (bots: string[]) => boolean][]} */
const FLAGS = [
  ["hints", mark("Hints may be asked for"), () => true],
  ["aids", mark("Memory aids may be switched on"), (bots) => bots.length > 1],
  ["listed", mark("Anybody on this server may join"), (bots) => !bots.slice(1).every(Boolean)],
  ["watched", mark("Anyone with the link may watch"), () => true],
];

const UNNAMED = new Promise(() => undefined); // until the list of games is there, to take the first one

/** House rules from a link. @param {string | null} text @returns {Record<string, any>} */
function house(text) {
  try {
    const found = JSON.parse(text ?? "{}");
    return found && typeof found === "object" && !Array.isArray(found) ? found : {};
  } catch {
    return {};
  }
}

/** The house rules that the player keeps on the server, and how to keep these. @param {any} props */
function Kept({ rules, link, use }) {
  const [mine, again] = useState(/** @type {any[]} */ ([]));
  const [name, setName] = useState("");
  const [said, setSaid] = useState("");
  const [copied, setCopied] = useState(false);
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
        setSaid(tr("Kept as {name}.", { name: kept.name }));
        setName("");
      })
      .catch(failed);
  };
  const drop = (/** @type {string} */ which) =>
    remove(`/api/me/rules/${encodeURIComponent(which)}`)
      .then((left) => again(left.rules))
      .catch(failed);
  const copy = () =>
    navigator.clipboard
      ?.writeText(link)
      .then(() => setCopied(true))
      .catch(() => undefined);
  return html`<div class="kept">
    <p class="link"><input readonly value=${link} aria-label=${tr("Link to these rules")}
      onFocus=${(/** @type {any} */ e) => e.target.select()} /><button type="button" onClick=${copy}>
      ${copied ? tr("Copied") : tr("Copy link")}</button></p>
    <form class="link" onSubmit=${keep}><input maxlength="40" value=${name} placeholder=${tr("a name of your own")}
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
  const [more, setMore] = useState({
    clock: "none",
    undo: "consent",
    hints: true,
    aids: true,
    listed: false,
    watched: true,
    number: asked.get("number") ?? "",
    winnable: false,
  });
  const [wrong, setWrong] = useState(/** @type {any} */ (null)); // the refusal
  const [reading, setReading] = useState(false);
  const [me, setMe] = useState(choices().name);
  const [called, setCalled] = useState(""); // the name of the game under which the table is set up
  useEffect(() => {
    if (!game) return;
    const linked = name === asked.get("game");
    const first = linked && game.presets.includes(asked.get("preset")) ? asked.get("preset") : game.opens.preset;
    const [low, high] = game.seat_range[first] ?? game.seats;
    const wanted = linked ? Number(asked.get("seats")) : 0;
    setPreset(first);
    setCalled(as(first, game.opens.name));
    setOptions(first === asked.get("preset") ? house(asked.get("options")) : {});
    setBots(Array.from({ length: Math.max(low, Math.min(high, wanted || game.best[0])) }, (_, i) => (i ? USUAL : "")));
  }, [game?.opens.name]);
  if (error)
    return html`<main class="page" id="main"><h1>${tr("Set up a table")}</h1><p class="problem" role="alert">
      ${error.message}</p></main>`;
  if (!game || !bots.length)
    return html`<main class="page" id="main"><p class="loading" role="status">${tr("One moment …")}</p></main>`;
  const [least, most] = game.seat_range[preset] ?? game.seats;
  const values = game.values[preset] ?? {};
  const resize = (/** @type {number} */ n) => setBots(Array.from({ length: n }, (_, i) => bots[i] ?? USUAL));
  /**
   * The name that goes with a preset: the one asked for if the preset's source uses it, else the preset's own.
   * @param {string} one
   * @param {string} wanted
   */
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
    const winnable = more.winnable && game.solvable && !more.number.trim();
    const listed = more.listed && !alone;
    const setup = {
      game: called,
      preset,
      seats: bots.length,
      bots,
      options,
      begins: "host",
      ...more,
      listed,
      winnable,
    };
    watched(open(setup), setWrong).catch((problem) => setWrong(problem.told ?? problem.message));
  };
  const alone = bots.slice(1).every(Boolean);
  const differ = Object.keys(options).length;
  const all = { ...values, ...options };
  const rules = { game: called, preset, seats: bots.length, options };
  /** @type {Record<string, string>} */
  const asText = differ ? { options: JSON.stringify(options) } : {};
  const query = new URLSearchParams({ game: called, preset, seats: String(bots.length), ...asText });
  const link = location.origin + at(`/new?${query}`);
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
  const names = named(list?.games ?? [game]).sort((a, b) => tr(a.title).localeCompare(tr(b.title)));
  const now = names.find((one) => one.name === called) ?? { ...game.names[0], game };
  return html`<main class="page setup" id="main">
    <h1>${tr("Set up a table")}</h1>
    <section aria-label=${tr("Game")} class="panel"><h2>${tr("Game")}</h2>
      <select aria-label=${tr("Game")} value=${called} onChange=${(/** @type {any} */ e) => chosen(e.target.value)}>
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
        type="button" class="text" onClick=${() => setReading(true)}>${tr("Rules")}</button>
        ${
          game.difficulty &&
          ` · ${tr("Difficulty {difficulty}, length {length}", {
            difficulty: { says: game.difficulty },
            length: { says: game.length },
          })}`
        }</p>
      ${
        game.presets.length > 1 &&
        html`<div class="presets" role="radiogroup" aria-label=${tr("Rules")}>
        ${game.presets.map(
          (/** @type {string} */ one) => html`<label key=${one}>
        <input type="radio" name="preset" checked=${preset === one} onChange=${() => take(one)} /><span>
        ${tr(game.titles[one])}</span></label>`,
        )}</div>`
      }
      ${
        Object.keys(game.fines).length > 0 &&
        html`<label class="check">
        <input type="checkbox" checked=${fined} onChange=${(/** @type {any} */ e) =>
          fine(e.target.checked)} /> ${tr("Mistakes are possible and cost chips, as in the book")}</label>`
      }
    </section>
    <section aria-label=${tr("Who plays")} class="panel"><h2>${tr("Who plays")}</h2>
      <p><label class="field">${tr("Your name")} <input maxlength="24" value=${me} autocomplete="nickname"
        onInput=${(/** @type {any} */ e) => setMe(e.target.value)} /></label></p>
      ${
        least !== most &&
        html`<p class="stepper"><span id="howmany">
        ${tr("Players")}</span> <button type="button" aria-label=${tr("One fewer")} disabled=${bots.length <= least}
        onClick=${() => resize(bots.length - 1)}>−</button> <output aria-labelledby="howmany">
        ${bots.length}</output> <button type="button" aria-label=${tr("One more")} disabled=${bots.length >= most}
        onClick=${() => resize(bots.length + 1)}>+</button> <small>
        ${
          best === crowd
            ? tr("{least} to {most}, best {best}", { least, most, best })
            : crowd === best + 1
              ? tr("{least} to {most}, best {best} or {crowd}", { least, most, best, crowd })
              : tr("{least} to {most}, best {best} to {crowd}", { least, most, best, crowd })
        }</small></p>`
      }
      <ol class="seating">${bots.map(
        (level, i) => html`<li key=${i}>
        ${
          i === 0
            ? html`<b>${me || tr("You")}</b>`
            : html`<select aria-label=${tr("Player {n}", { n: i + 1 })}
        value=${level} onChange=${(/** @type {any} */ e) =>
          setBots(bots.map((one, k) => (k === i ? e.target.value : one)))}>${["", ...levelsOf(game, preset, level)].map(
          (one) => html`<option key=${one} value=${one}>${one ? botOf(one) : tr("a friend (by link)")}</option>`,
        )}</select>`
        }</li>`,
      )}</ol>
    </section>
    <section aria-label=${tr("House rules")} class="panel"><h2>${tr("House rules")}</h2>
      <p class="summary" role="status">${sentence(game, preset, options, now.title)}</p>
      <details open=${differ > 0}><summary>${differ ? tr("Change them") : tr("As usual: change them")}</summary>
        ${
          differ > 0 &&
          html`<p><button type="button" onClick=${() => setOptions({})}>
          ${tr("Back to {preset}", { preset: { says: game.titles[preset] } })}</button></p>`
        }
        ${game.options
          .filter((/** @type {any} */ option) => applies(option, all))
          .map(
            (/** @type {any} */ option) => html`<${Rule} key=${preset + option.name} option=${option}
            value=${all[option.name]} differs=${option.name in options} seats=${bots.length}
          set=${(/** @type {any} */ value) => {
            const next = { ...options };
            if (value === undefined || String(value) === String(values[option.name])) delete next[option.name];
            else next[option.name] = value;
            setOptions(next);
          }} />`,
          )}
      </details>
      <${Kept} rules=${rules} link=${link} use=${(/** @type {any} */ one) => {
        location.assign(
          at(
            `/new?${new URLSearchParams({
              game: named(list?.games ?? [game]).find((each) => each.title === one.title)?.name ?? one.game,
              preset: one.preset,
              seats: String(one.seats),
              options: JSON.stringify(one.options),
            })}`,
          ),
        );
      }} />
    </section>
    <section aria-label=${tr("The table")} class="panel"><h2>${tr("The table")}</h2>
      <div class="option"><label for="clock">${tr("Time for a move")}</label>
        <select id="clock" value=${more.clock} onChange=${(/** @type {any} */ e) =>
          setMore({ ...more, clock: e.target.value })}>${CLOCKS.map(
          ([value, text]) => html`<option key=${value} value=${value}>${tr(text)}</option>`,
        )}</select></div>
      <div class="option"><label for="undo">${tr("Taking back")}</label>
        <select id="undo" value=${more.undo} onChange=${(/** @type {any} */ e) =>
          setMore({ ...more, undo: e.target.value })}>${undos(alone).map(
          ([value, text]) => html`<option key=${value} value=${value}>${tr(text)}</option>`,
        )}</select></div>
      ${FLAGS.filter(([, , has]) => has(bots)).map(
        ([key, text]) => html`<label class="check" key=${key}>
        <input type="checkbox" checked=${more[key]} onChange=${(/** @type {any} */ e) =>
          setMore({ ...more, [key]: e.target.checked })} /> ${tr(text)}</label>`,
      )}
      ${
        game.solvable &&
        !more.number.trim() &&
        html`<label class="check"><input type="checkbox" checked=${more.winnable}
        onChange=${(/** @type {any} */ e) => setMore({ ...more, winnable: e.target.checked })} />
        <span>${tr("A deal that can be won")} <small>
        ${tr("chosen by a solver that sees all cards; the shuffle is not proved")}</small></span></label>`
      }
      <div class="option"><label for="number">${tr("Number of the deal")} <small>
        ${tr("the same cards for whoever plays it alone")}</small></label><span class="drawn">
        <input id="number" maxlength="40" value=${more.number} placeholder=${tr("none")}
        onInput=${(/** @type {any} */ e) => setMore({ ...more, number: e.target.value })} />
        <button type="button" onClick=${() =>
          setMore({
            ...more,
            number: String(crypto.getRandomValues(new Uint32Array(1))[0]),
          })}>${tr("Draw one")}</button></span></div>
    </section>
    ${
      reading &&
      html`<${RulesWindow} game=${game.name} preset=${preset} options=${options} seats=${bots.length}
      close=${() => setReading(false)} />`
    }
    ${wrong && html`<p class="problem" role="alert"><${Said} message=${wrong} sentence /></p>`}
    <p class="actions"><button type="button" class="primary big" onClick=${make}>
      ${alone ? tr("Deal") : tr("Make the table")}</button></p>
  </main>`;
}
