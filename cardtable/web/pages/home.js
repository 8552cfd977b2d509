/**
 * The first page: the player's open tables, cards in the hand after one click, and all games, by all their names.
 */
import { html, useEffect, useState } from "../browser/html.js";
import { go, visit } from "../browser/address.js";
import { get, post } from "../net/api.js";
import { announced } from "./banner.js";
import { watched } from "../net/patience.js";
import { choices, choose } from "../browser/store.js";
import { Said, tr, written } from "../text/message.js";
import { kind, levelIn, LEVELS, levelsOf, named, ordered, own, search, summary, who as holder } from "../text/names.js";
import { Scene } from "../faces/pictures.js";
import { Problem, useAsked } from "../net/asked.js";

/** Make a table and go there. @param {any} setup */
export async function open(setup) {
  const made = await post("/api/tables", { name: choices().name, ...setup });
  const { begun } = choices();
  choose({ begun: { ...begun, [setup.game]: (begun[setup.game] ?? 0) + 1 } });
  go(made.path);
}

/** The number of players against bots. @param {import("wire").GameTold} game */
const seated = (game) => Math.max(game.seats[0], Math.min(game.best[0], game.seats[1]));

/**
 * The preset that a name of a game opens.
 * @param {import("wire").GameTold} game @param {string} name @returns {string}
 */
const opens = (game, name) =>
  name === game.name ? game.starts : (game.names.find((one) => one.name === name)?.presets[0] ?? game.presets[0]);

/**
 * A table with the options that most players would choose, for some people and otherwise bots.
 * @param {import("wire").GameTold} game
 * @param {string} name one of its names
 * @param {number} people
 */
function usual(game, name, people) {
  const seats = seated(game);
  const preset = name === game.name && game.starts !== game.presets[0] ? { preset: game.starts } : {};
  const level = levelIn(game, choices().against, opens(game, name));
  return {
    game: name,
    ...preset,
    seats,
    bots: Array.from({ length: seats }, (_, i) => (i < people ? "" : level)),
    ...(people > 1 ? { begins: "host" } : {}),
  };
}

/** @param {any} invite */
const who = (invite) => invite.seats.map(holder).filter(Boolean).join(", ");

/** @param {number[]} seats */
const players = ([low, high]) =>
  low === high ? tr("{n} {n:player|players}", { n: high }) : tr("{low}–{high} players", { low, high });

/** How much there is to learn, in a word. */
const EFFORTS = ["", LEVELS.soft, LEVELS.medium, LEVELS.search];

/** How long, how hard, for how many. @param {import("wire").GameTold} game */
const facts = (game) =>
  [
    game.minutes > 0 && tr("{n} min", { n: game.minutes }),
    game.effort > 0 && tr(EFFORTS[game.effort]),
    players(game.seats),
  ]
    .filter(Boolean)
    .join(" · ");

/** What makes one want to play it. @param {{game: import("wire").GameTold}} props */
const Pitch = ({ game }) => game.pitch && html`<p class="pitch">${written({ sentence: { says: game.pitch } })}</p>`;

/** A game to choose, under one of its names. @param {any} props */
function Choice({ choice, busy, play }) {
  const { game, name, fresh } = choice;
  const title = tr(choice.title);
  return html`<li class="game">
    <${Scene} picture=${game.picture} />
    <h2>${title}${fresh && html` <small class="badge">${tr("new to you")}</small>`}</h2>
    <${Pitch} game=${game} />
    <span class="gamefacts">${own(choice) ? "" : html`${written(kind(choice))}<br />`}${facts(game)}</span>
    <p class="actions"><button type="button" class="primary deal" disabled=${!!busy} onClick=${() => play(game, name)}
      title=${summary(game)} aria-label=${tr("Play now: {game}", { game: title })}>${
        busy === name ? tr("Dealing …") : tr("Play", { context: "button" })
      }</button><a href="/new?game=${name}" aria-label=${tr("Set up: {game} with friends, house rules", {
        game: title,
      })}>${tr("Set up")}</a><a href="/rules/${name}" aria-label=${tr("Rules: {game}", { game: title })}>
      ${tr("Rules")}</a></p>
  </li>`;
}

/** What to play now: the last game, or one for which nothing need be known. @param {any} props */
function Now({ one, busy, play, meet }) {
  const { game, name } = one;
  const [level, setLevel] = useState(levelIn(game, choices().against, opens(game, name)));
  const bots = seated(game) - 1;
  return html`<section class="playnow" aria-label=${tr("Play now")}>
    <${Scene} picture=${game.picture} />
    <div><h2>${tr(one.title)}</h2>
      <${Pitch} game=${game} />
      ${
        bots > 0 &&
        html`<label>${tr("with {n} {n:bot|bots}:", { n: bots })} <select value=${level} onChange=${(
          /** @type {any} */ e,
        ) => (setLevel(e.target.value), choose({ against: e.target.value }))}>${levelsOf(game, opens(game, name)).map(
          (key) => html`<option key=${key} value=${key}>${tr(LEVELS[key])}</option>`,
        )}</select></label>`
      }
      <p class="two"><button type="button" class="primary big" disabled=${!!busy} onClick=${() => play(game, name)}>${
        busy === name ? tr("Dealing …") : choices().last ? tr("Deal again") : tr("Deal the cards")
      }</button>
      <button type="button" class="big" disabled=${!!busy} onClick=${meet}>${tr("Play with a friend")}</button></p>
      <a href=${`/daily/${game.name}`}>${tr("Deal of the day")}</a></div>
  </section>`;
}

/** Open tables in a strip. @param {{title: string, tables: any[], state: (table: any) => string}} props */
const Strip = ({ title, tables, state }) => html`<section aria-label=${title} class="opened"><h2>${title}</h2>
  <ul class="tables" tabindex="0" aria-label=${title}>${tables.map(
    (table) => html`<li key=${table.id}><a href=${table.path}><b>${tr(table.title)}</b> <span>${who(table)}</span> <em>
      ${state(table)}</em></a></li>`,
  )}</ul></section>`;

/** The player's name, and a friend's code. @param {{wrong: (text: string) => void}} props */
function Friends({ wrong }) {
  const [code, setCode] = useState("");
  const [name, setName] = useState(choices().name);
  const join = (/** @type {Event} */ e) => {
    e.preventDefault();
    const wanted = code.trim();
    if (wanted)
      get(`/api/tables/${encodeURIComponent(wanted)}`)
        .then((table) => visit(table.path))
        .catch((problem) => wrong(problem.message));
  };
  return html`<div class="aboutme">
    <label class="field">${tr("Your name")} <input maxlength="24" value=${name} placeholder=${tr("as you like")}
      autocomplete="nickname" onInput=${(/** @type {any} */ e) => (
        setName(e.target.value),
        choose({ name: e.target.value })
      )} /></label>
    <form onSubmit=${join}><label class="field">${tr("A friend's code")} <input value=${code} maxlength="64"
      autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ e) => setCode(e.target.value)} /></label>
      <button type="submit">${tr("Join")}</button></form>
  </div>`;
}

/** The families of games, to choose the games of one. @param {any} props */
const Families = ({ families, family, choose: take }) =>
  html`<div class="families" role="group" aria-label=${tr("Types of games")}>${[
    { name: "", title: "All" },
    ...families,
  ].map(
    (one) => html`<button key=${one.name} type="button" aria-pressed=${family === one.name}
      onClick=${() => take(one.name)}>${one.name ? tr(one.title) : tr("All")}</button>`,
  )}</div>`;

/** Preload the table's files at the first interaction. */
function useTableSoon() {
  useEffect(() => {
    const begun = new AbortController();
    const begin = () => (begun.abort(), import("./table.js").catch(() => undefined)); // main.js shows what fails
    for (const kind of ["pointermove", "pointerdown", "keydown"])
      addEventListener(kind, begin, { signal: begun.signal });
    return () => begun.abort();
  }, []);
}

export function Home() {
  useTableSoon();
  const [told, error] = useAsked(() => get("/api/games"), []);
  const [mine] = useAsked(() => get("/api/me"), []);
  const [tables] = useAsked(() => get("/api/tables").then(announced), []);
  const [busy, setBusy] = useState("");
  const [wrong, setWrong] = useState(/** @type {any} */ ("")); // an error, or a text
  const [sought, setSought] = useState("");
  const [family, setFamily] = useState("");
  const games = told?.games ?? [];
  const asked = sought.trim();
  const found = search(games, sought);
  const offered = ordered(games, choices().begun);
  const shelf = offered
    .filter(({ game }) => !family || game.family === family)
    .map(({ game, times }) => ({ ...game.names[0], game, fresh: offered[0].times > 0 && !times }));
  const all = offered.map(({ game }) => ({ ...game.names[0], game }));
  const first = named(games).find((one) => one.name === choices().last) ?? all[0];
  const find = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (found.length) go(`/new?game=${found[0].name}`);
    else if (asked)
      get(`/api/games/${encodeURIComponent(asked)}`)
        .then((game) => go(`/new?game=${game.opens.name}`))
        .catch((problem) => setWrong(problem.message));
  };
  const play = (/** @type {any} */ game, /** @type {string} */ name, people = 1) => {
    setBusy(people > 1 ? " " : name);
    setWrong("");
    choose({ last: name });
    watched(open(usual(game, name, people)), setWrong).catch((problem) => (setWrong(problem.message), setBusy("")));
  };
  const meet = () => {
    const sociable = [first, ...all];
    const one = sociable.find(({ game }) => game.seats[1] > 1);
    if (one) play(one.game, one.name, 2);
  };
  return html`<main class="page first" id="main">
    <h1>${tr("What shall we play?")}</h1>
    ${(error || wrong) && html`<${Problem} error=${wrong || error} />`}
    ${
      !asked &&
      html`<div class="begin">${
        mine?.tables.length > 0 &&
        html`<${Strip} title=${tr("Your tables")} tables=${mine.tables.slice(0, 6)}
          state=${(/** @type {any} */ table) =>
            table.stage === "lobby" ? tr("not begun", { context: "table" }) : tr("go on")} />`
      }${first && html`<${Now} one=${first} busy=${busy} play=${play} meet=${meet} />`}</div>`
    }
    <form class="find" role="search" onSubmit=${find}><input type="search"
      aria-label=${tr("Find a game by any of its names")} maxlength="60"
      placeholder=${tr("Find a game by any of its names")}
      autocomplete="off" spellcheck=${false} value=${sought}
      onInput=${(/** @type {any} */ e) => (setSought(e.target.value), setWrong(""))} />${
        !asked && told && html`<${Families} families=${told.families} family=${family} choose=${setFamily} />`
      }</form>
    <p class="sr" role="status">${asked && told ? tr("{n} found", { n: found.length }) : ""}</p>
    <ul class="games" tabindex="0" aria-label=${tr("Games")}>${(asked ? found : shelf).map(
      (/** @type {any} */ one) => html`<${Choice} key=${one.name} choice=${one} busy=${busy} play=${play} />`,
    )}</ul>
    ${
      asked &&
      told &&
      !found.length &&
      !wrong &&
      html`<p><${Said} message=${{ says: "No game here is called “{name}”.", name: asked }} /></p>`
    }
    ${!asked && html`<${Friends} wrong=${setWrong} />`}
    ${
      !asked &&
      tables?.tables.length > 0 &&
      html`<${Strip} title=${tr("Open tables")} tables=${tables.tables}
        state=${(/** @type {any} */ table) => tr("{n} free", { n: table.free })} />`
    }
  </main>`;
}
