/** The first page: cards in the hand after one click; open tables; one's own. */
import { html, useEffect, useState } from "./html.js";
import { entropy, get, go, post } from "./api.js";
import { choices, choose } from "./store.js";
import { useAsked } from "./hooks.js";
import { Card } from "./cards.js";

/** What shows on a game's card: only looks. @type {Record<string, string[]>} */
const FACES = {
  "fan-tan": ["6S", "7S", "8S"], "domino-fan-tan": ["7H", "8H", "9H"], "five-or-nine": ["5D", "9D", "5C"], "play-or-pay": ["AS", "2S", "3S"], pirate: ["AH", "KH", "QH"],
  "oh-hell": ["AD", "KD", "2C"], busca: ["QS", "JC", "4D"], cassino: ["TD", "2S", "8H"], scopa: ["7D", "4C", "3D"], "thirty-one": ["AH", "KH", "TH"], michigan: ["AC", "KH", "QD"], spider: ["KS", "QS", "JS"],
};

/** Make a table and go there. @param {any} setup */
export async function open(setup) {
  const made = await post("/api/tables", { name: choices().name, entropy: entropy(), ...setup });
  go(made.path);
}

/** A table against bots, with what most players would choose. @param {any} game */
export function alone(game) {
  const seats = Math.max(game.seats[0], Math.min(game.best[0], game.seats[1]));
  return { game: game.name, seats, bots: Array.from({ length: seats }, (_, i) => (i ? "simple" : "")) };
}

/** @param {any} invite */
const who = (invite) => invite.seats.map((/** @type {any} */ s) => s.name).filter(Boolean).join(", ");

export function Home() {
  const [told, error] = useAsked(() => get("/api/games"), []);
  const [mine] = useAsked(() => get("/api/me"), []);
  const [tables] = useAsked(() => get("/api/tables"), []);
  const [busy, setBusy] = useState("");
  const [wrong, setWrong] = useState("");
  const [code, setCode] = useState("");
  const [name, setName] = useState(choices().name);
  const [warming, setWarming] = useState("");
  useEffect(() => {
    setWarming(told?.warming ?? "");
    if (!told?.warming) return undefined;
    const timer = setInterval(() => get("/api/games").then((now) => setWarming(now.warming)).catch(() => undefined), 2000);
    return () => clearInterval(timer);
  }, [told]);
  const play = (/** @type {any} */ game) => {
    setBusy(game.name);
    setWrong("");
    open(alone(game)).catch((problem) => (setWrong(problem.message), setBusy("")));
  };
  const join = (/** @type {Event} */ e) => {
    e.preventDefault();
    const wanted = code.trim();
    if (wanted) get(`/api/tables/${encodeURIComponent(wanted)}`).then((table) => (location.href = table.path)).catch((problem) => setWrong(problem.message));
  };
  return html`<main class="page first" id="main">
    <h1>What shall we play?</h1>
    ${(error || wrong) && html`<p class="problem" role="alert">${wrong || error.message}</p>`}
    ${warming && html`<p class="warming" role="status">${warming}</p>`}
    ${mine?.tables.length > 0 && html`<section aria-label="Your tables"><h2>Your tables</h2><ul class="tables">${mine.tables.slice(0, 6).map((/** @type {any} */ table) =>
      html`<li key=${table.id}><a href=${table.path}><b>${table.title}</b> <span>${who(table)}</span> <em>${table.stage === "lobby" ? "not begun" : "go on"}</em></a></li>`)}</ul></section>`}
    <div class="aboutme">
      <label class="field">Your name <input maxlength="24" value=${name} placeholder="as you like" autocomplete="nickname" onInput=${(/** @type {any} */ e) => (setName(e.target.value), choose({ name: e.target.value }))} /></label>
      <form onSubmit=${join}><label class="field">A friend's code <input value=${code} maxlength="64" autocomplete="off" spellcheck=${false} onInput=${(/** @type {any} */ e) => setCode(e.target.value)} /></label><button type="submit">Join</button></form>
    </div>
    <ul class="games">${(told?.games ?? []).map((/** @type {any} */ game) => html`<li key=${game.name} class="game">
      <div class="faces" aria-hidden="true">${(FACES[game.name] ?? ["AS", "KH", "QD"]).map((card) => html`<${Card} key=${card} card=${card} still />`)}</div>
      <h2>${game.title}</h2>
      <p class="seats">${game.seats[0] === game.seats[1] ? `${game.seats[0]}` : `${game.seats[0]}–${game.seats[1]}`} ${game.seats[1] === 1 ? "player" : "players"}</p>
      <p>${game.summary[0].toUpperCase() + game.summary.slice(1)}.</p>
      <p class="actions"><button type="button" class="primary" disabled=${!!busy} onClick=${() => play(game)} aria-label=${busy === game.name ? undefined : `Play now: ${game.title}`}>${busy === game.name ? "Dealing …" : "Play now"}</button>
        <a class="button" href="/new?game=${game.name}" aria-label=${`Set up: ${game.title} with friends, house rules`}>Set up</a> <a class="button quiet" href="/rules/${game.name}" aria-label=${`Rules: ${game.title}`}>Rules</a></p>
    </li>`)}</ul>
    ${tables?.tables.length > 0 && html`<section aria-label="Open tables"><h2>Open tables</h2><ul class="tables">${tables.tables.map((/** @type {any} */ table) =>
      html`<li key=${table.id}><a href=${table.path}><b>${table.title}</b> <span>${who(table)}</span> <em>${table.free} free</em></a></li>`)}</ul></section>`}
  </main>`;
}
