/**
 * The first page: cards in the hand after one click; games by all their names; open tables; the player's own tables.
 */
import { html, useEffect, useState } from "./html.js";
import { go, visit } from "./address.js";
import { get, post } from "./api.js";
import { choices, choose } from "./store.js";
import { useAsked } from "./hooks.js";
import { Card } from "./cards.js";
import { Said, tr, written } from "./message.js";
import { kind, own, search, summary, who as named } from "./names.js";

/** Make a table and go there. @param {any} setup */
export async function open(setup) {
  const made = await post("/api/tables", { name: choices().name, ...setup });
  go(made.path);
}

/**
 * Make a table against bots, with the options that most players would choose.
 * @param {any} game
 * @param {string} name one of its names
 */
function alone(game, name) {
  const seats = Math.max(game.seats[0], Math.min(game.best[0], game.seats[1]));
  return { game: name, seats, bots: Array.from({ length: seats }, (_, i) => (i ? "simple" : "")) };
}

/** @param {any} invite */
const who = (invite) => invite.seats.map(named).filter(Boolean).join(", ");

/** @param {number[]} seats */
const players = ([low, high]) =>
  low === high ? tr("{n} {n:player|players}", { n: high }) : tr("{low}–{high} {high:player|players}", { low, high });

/** Examples of what may be typed to find a game: a few names that are not in the list. @param {any[]} games */
function examples(games) {
  const others = games.flatMap((game) => game.names.slice(1, 2).map((/** @type {any} */ one) => one.title));
  const some = others.filter((_, i) => i % Math.ceil(others.length / 3) === 0);
  return some.length ? tr("Find: {names} …", { names: some.map((one) => tr(one)).join(", ") }) : tr("Find a game");
}

/** A game to choose, under one of its names. @param {any} props */
function Choice({ choice, busy, play }) {
  const { game, name } = choice;
  const title = tr(choice.title);
  const dealing = busy === name;
  return html`<li class="game">
    <div class="faces" aria-hidden="true">${game.faces.map(
      (/** @type {string} */ card) => html`<${Card} key=${card} card=${card} still />`,
    )}</div>
    <h2>${title}</h2>
    <p class="seats">${players(game.seats)}${own(choice) ? "" : ` · ${written(kind(choice))}`}</p>
    <p class="about">${summary(game)}</p>
    ${
      own(choice) &&
      game.names.length > 1 &&
      html`<p class="also">
      <${Said} message=${{
        says: "Also {names}",
        names: game.names.slice(1).map((/** @type {any} */ one) => ({
          shown: () => html`<a href="/new?game=${one.name}">${tr(one.title)}</a>`,
        })),
      }} /></p>`
    }
    <p class="actions"><button type="button" class="primary" disabled=${!!busy} onClick=${() => play(game, name)}
      aria-label=${dealing ? undefined : tr("Play now: {game}", { game: title })}>
      ${dealing ? tr("Dealing …") : tr("Play now")}</button>
      <a class="button" href="/new?game=${name}" aria-label=${tr("Set up: {game} with friends, house rules", {
        game: title,
      })}>${tr("Set up")}</a> <a class="button quiet" href="/rules/${name}"
        aria-label=${tr("Rules: {game}", { game: title })}>${tr("Rules")}</a></p>
  </li>`;
}

export function Home() {
  const [told, error] = useAsked(() => get("/api/games"), []);
  const [mine] = useAsked(() => get("/api/me"), []);
  const [tables] = useAsked(() => get("/api/tables"), []);
  const [busy, setBusy] = useState("");
  const [wrong, setWrong] = useState("");
  const [code, setCode] = useState("");
  const [sought, setSought] = useState("");
  const [name, setName] = useState(choices().name);
  const [warming, setWarming] = useState(/** @type {any} */ (null));
  useEffect(() => {
    setWarming(told?.warming_message ?? null);
    if (!told?.warming) return undefined;
    const timer = setInterval(
      () =>
        get("/api/games")
          .then((now) => setWarming(now.warming_message))
          .catch(() => undefined),
      2000,
    );
    return () => clearInterval(timer);
  }, [told]);
  const games = told?.games ?? [];
  const found = search(games, sought);
  const shown = sought.trim() ? found : games.map((/** @type {any} */ game) => ({ ...game.names[0], game }));
  const find = (/** @type {Event} */ e) => {
    e.preventDefault();
    if (found.length) go(`/new?game=${found[0].name}`);
    else if (sought.trim())
      get(`/api/games/${encodeURIComponent(sought.trim())}`)
        .then((game) => go(`/new?game=${game.opens.name}`))
        .catch((problem) => setWrong(problem.message));
  };
  const play = (/** @type {any} */ game, /** @type {string} */ name) => {
    setBusy(name);
    setWrong("");
    open(alone(game, name)).catch((problem) => (setWrong(problem.message), setBusy("")));
  };
  const join = (/** @type {Event} */ e) => {
    e.preventDefault();
    const wanted = code.trim();
    if (wanted)
      get(`/api/tables/${encodeURIComponent(wanted)}`)
        .then((table) => visit(table.path))
        .catch((problem) => setWrong(problem.message));
  };
  return html`<main class="page first" id="main">
    <h1>${tr("What shall we play?")}</h1>
    <form class="find" role="search" onSubmit=${find}><input type="search"
      aria-label=${tr("Find a game by any of its names")} placeholder=${examples(games)} maxlength="60"
      autocomplete="off" spellcheck=${false} value=${sought}
      onInput=${(/** @type {any} */ e) => (setSought(e.target.value), setWrong(""))} /></form>
    <p class="sr" role="status">${sought.trim() && told ? tr("{n} found", { n: found.length }) : ""}</p>
    ${(error || wrong) && html`<p class="problem" role="alert">${wrong || error.message}</p>`}
    ${warming?.says && html`<p class="warming" role="status">${written(warming)}</p>`}
    ${
      !sought.trim() &&
      mine?.tables.length > 0 &&
      html`<section aria-label=${tr("Your tables")}><h2>${tr("Your tables")}</h2><ul class="tables">${mine.tables
        .slice(0, 6)
        .map(
          (/** @type {any} */ table) =>
            html`<li key=${table.id}><a href=${table.path}><b>${tr(table.title)}</b> <span>${who(table)}</span> <em>
              ${table.stage === "lobby" ? tr("not begun") : tr("go on")}</em></a></li>`,
        )}</ul></section>`
    }
    ${
      !sought.trim() &&
      html`<div class="aboutme">
      <label class="field">${tr("Your name")} <input maxlength="24" value=${name} placeholder=${tr("as you like")}
        autocomplete="nickname" onInput=${(/** @type {any} */ e) => (
          setName(e.target.value),
          choose({ name: e.target.value })
        )} /></label>
      <form onSubmit=${join}><label class="field">${tr("A friend's code")} <input value=${code} maxlength="64"
        autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ e) => setCode(e.target.value)} /></label>
        <button type="submit">${tr("Join")}</button></form>
    </div>`
    }
    <ul class="games">${shown.map(
      (/** @type {any} */ one) => html`<${Choice} key=${one.name} choice=${one} busy=${busy} play=${play} />`,
    )}</ul>
    ${
      sought.trim() &&
      told &&
      !found.length &&
      !wrong &&
      html`<p>
      ${tr("No game here is called “{name}”.", { name: sought.trim() })}</p>`
    }
    ${
      !sought.trim() &&
      tables?.tables.length > 0 &&
      html`<section aria-label=${tr("Open tables")}><h2>${tr("Open tables")}</h2><ul class="tables">${tables.tables.map(
        (/** @type {any} */ table) =>
          html`<li key=${table.id}><a href=${table.path}><b>${tr(table.title)}</b> <span>${who(table)}</span> <em>
            ${tr("{n} free", { n: table.free })}</em></a></li>`,
      )}</ul></section>`
    }
  </main>`;
}
