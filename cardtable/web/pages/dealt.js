/** Deals that several people play: the deal of the day of each game, and a deal that is shared by its number. */
import { html, useState } from "../browser/html.js";
import { at, go } from "../browser/address.js";
import { get, post } from "../net/api.js";
import { code } from "../text/language.js";
import { signed, tr } from "../text/message.js";
import { botOf } from "../text/names.js";
import { open } from "./home.js";
import { changes } from "./options.js";
import { Keepsake } from "./keepsake.js";
import { choices, choose } from "../browser/store.js";
import { Problem, useAsked } from "../net/asked.js";

/** Everybody's first attempts, the best first. @param {{results: any[], lowest: boolean}} props */
function Ladder({ results, lowest }) {
  if (!results.length) return html`<p>${tr("Nobody has played it yet.")}</p>`;
  const help = results.some((one) => one.helped);
  return html`<div class="scroll" tabindex="0" role="region" aria-label=${tr("Results")}><table
      class="scores ladder-of">
      <thead><tr><th scope="col">${tr("Place")}</th><th scope="col">${tr("Player")}</th>
        <th scope="col">${tr("Score")}</th><th scope="col">${tr("When")}</th></tr></thead>
      <tbody>${results.map(
        (one, i) => html`<tr key=${i} class=${one.you ? "you" : ""}><td>${one.resigned ? "–" : i + 1}</td>
        <th scope="row"><bdi>${one.name}</bdi>${one.you ? ` (${tr("you")})` : ""} ${
          one.won && html`<span role="img" aria-label=${tr("won", { context: "player" })}>★</span>`
        } ${one.helped && html`<span class="badge">${tr("with help")}</span>`} ${
          one.resigned && html`<span class="badge">${tr("gave up")}</span>`
        }</th>
        <td>${one.match ? html`<a href=${`/replay/${one.match}`}>${signed(one.score)}</a>` : signed(one.score)}</td>
        <td>${new Date(one.at).toLocaleString(code(), { dateStyle: "short", timeStyle: "short" })}</td></tr>`,
      )}</tbody></table></div>
    ${lowest && html`<p class="fine">${tr("The lowest score is the best.")}</p>`}
    ${help && html`<p class="fine">${tr("With help: with hints, or after taking something back.")}</p>`}`;
}

/** The deal of the day of a game. @param {{name: string}} props */
export function Daily({ name }) {
  const [list] = useAsked(() => get("/api/games"), []);
  const [game, setGame] = useState(name || choices().last);
  const known = game || list?.games[0].name || "";
  const [found, error] = useAsked(
    () =>
      known
        ? get(`/api/daily/${encodeURIComponent(known)}`).then((deal) => ({ asked: known, deal }))
        : Promise.resolve(null),
    [known],
  );
  const deal = found?.asked === known ? found.deal : null; // while another game's is asked for, not the one before
  const [wrong, setWrong] = useState("");
  const mine = deal?.results.find((/** @type {any} */ one) => one.you);
  const play = () =>
    post(`/api/daily/${encodeURIComponent(deal.game)}`, { name: choices().name })
      .then((made) => go(made.path))
      .catch((problem) => setWrong(problem.message));
  const take = (/** @type {string} */ one) => {
    setGame(one);
    history.replaceState(null, "", at(`/daily/${one}`));
  };
  return html`<main class="page" id="main"><h1>${tr("Deal of the day")}</h1>
    <p>${tr("The same cards for everybody on this server, against the same bots. Your first attempt counts.")}</p>
    <p><select aria-label=${tr("Game")} value=${deal?.game ?? known} onChange=${(/** @type {any} */ e) =>
      take(e.target.value)}>${(list?.games ?? []).map(
      (/** @type {any} */ one) => html`<option key=${one.name} value=${one.name}>${tr(one.title)}</option>`,
    )}</select></p>
    ${(wrong || error) && html`<${Problem} error=${wrong || error} />`}
    ${!deal && !error && html`<p class="loading" role="status">${tr("One moment …")}</p>`}
    ${
      deal &&
      html`<section class="panel" aria-label=${tr(deal.title)}><h2>${tr(deal.title)}</h2>
      <p>${new Date(`${deal.day}T12:00:00Z`).toLocaleDateString(code(), { dateStyle: "full" })}${
        deal.seats > 1 ? ` · ${tr("{n} {n:player|players}", { n: deal.seats })} · ${botOf(deal.level)}` : ""
      }</p>
      ${
        deal.winnable &&
        html`<p>${tr("A solver that sees all cards wins this deal. Difficulty: {difficulty} ({n} positions).", {
          difficulty: { says: deal.difficulty },
          n: deal.effort,
        })}</p>`
      }
      ${
        !mine &&
        !deal.path &&
        html`<p><label>${tr("Your name in the list")} <input maxlength="24" autocomplete="nickname"
          value=${choices().name} onChange=${(/** @type {any} */ e) => choose({ name: e.target.value.trim() })} />
          </label></p>`
      }
      <p class="actions"><button type="button" class="primary big" onClick=${play}>${
        deal.path ? tr("Go on") : mine ? tr("Play it again, without counting") : tr("Play the deal of the day")
      }</button></p>
      <${Keepsake} key=${deal.game} deal=${deal} mine=${mine} />
      <${Ladder} results=${deal.results} lowest=${deal.lowest_wins} />
      <p class="fine">${tr(
        "Everybody is known by a cookie here, so somebody can play these cards twice, as two people: the list is for " +
          "people who trust each other. Cards that you have not seen in play are shown when the day is over.",
      )}</p>
      <p class="fine">${tr("The next one begins at {time}.", {
        time: new Date(deal.ends).toLocaleTimeString(code(), { timeStyle: "short" }),
      })} ${tr("The server has drawn the cards in advance, so their shuffle cannot be verified.")}</p></section>`
    }</main>`;
}

/**
 * What a link to a deal asks for, alone against bots, if it names the game and the players.
 * @param {URLSearchParams} asked
 */
export function askedFor(asked) {
  const title = asked.get("game");
  const seats = Number(asked.get("seats"));
  if (!title || !(seats > 0 && seats < 100)) return null;
  const bots = Array.from({ length: seats }, (_, i) => (i ? "medium" : ""));
  try {
    const options = JSON.parse(asked.get("options") ?? "{}");
    return { title, preset: asked.get("preset") ?? "", seats, options, bots };
  } catch {
    return null; // somebody has changed the link
  }
}

/** A deal by its number: the cards again, and what others made of them. @param {{number: string}} props */
export function Deal({ number }) {
  const asked = new URLSearchParams(location.search);
  const [told, error] = useAsked(() => get(`/api/deals?number=${encodeURIComponent(number)}`), [number]);
  const [games] = useAsked(() => get("/api/games"), []);
  const [wrong, setWrong] = useState("");
  const wanted = asked.get("game") ?? "";
  const deals = told?.deals ?? [];
  const alike = deals.filter(
    (/** @type {any} */ one) => !wanted || (one.title === wanted && one.preset === asked.get("preset")),
  );
  const play = (/** @type {any} */ one) =>
    open({
      game: one.title,
      preset: one.preset,
      seats: one.seats,
      options: one.options,
      bots: one.bots,
      number,
    }).catch((problem) => setWrong(problem.message));
  const first = askedFor(asked);
  const setUp = `/new?${new URLSearchParams([...asked, ["number", number]])}`;
  return html`<main class="page" id="main"><h1>${tr("Deal number {number}", { number })}</h1>
    ${(wrong || error) && html`<${Problem} error=${wrong || error} />`}
    ${!told && !error && html`<p role="status">${tr("One moment …")}</p>`}
    ${alike.map(
      (/** @type {any} */ one, /** @type {number} */ i) => html`<section key=${i} class="panel"
        aria-label=${tr(one.title)}><h2>${tr(one.title)}</h2>
      <p>${tr("{n} {n:player|players}", { n: one.seats })}<${Differing} deal=${one} games=${games?.games} /></p>
      <p class="actions"><button type="button" class="primary" onClick=${() => play(one)}>
        ${tr("Play these cards")}</button></p>
      <${Ladder} results=${one.results} lowest=${one.lowest_wins} /></section>`,
    )}
    ${
      told &&
      !alike.length &&
      html`<p>${tr("Nobody has finished it yet.")}</p>
      <p class="actions">${
        first &&
        html`<button type="button" class="primary" onClick=${() => play(first)}>${tr("Play these cards")}</button>`
      } <a class="button ${first ? "" : "primary"}" href=${setUp}>${tr("Set up a table with these cards")}</a></p>`
    }</main>`;
}

/** The house rules of a deal that differ from its preset. @param {any} props */
function Differing({ deal, games }) {
  const some = Object.keys(deal.options).length > 0;
  const [game] = useAsked(
    () => (some && games ? get(`/api/games/${encodeURIComponent(deal.game)}`) : Promise.resolve(null)),
    [some, games],
  );
  return game ? ` · ${tr("{changes}", { changes: changes(game, deal.options) })}` : "";
}
